// The row forms of one level (row/level.h). cmake/row_levels.cmake compiles this folder once per level, and of each
// copy only this table can be seen from outside.
#include "exec/row/select.h"

#include "exec/row/level.h"

#ifndef HEDDLE_ROW_LEVEL
#define HEDDLE_ROW_LEVEL heddle_rows_base
#endif

namespace heddle {
namespace {

Handler select_row(const Instruction& instruction) {
  for (const auto select : {select_row_memory, select_row_atomic, select_row_integer, select_row_float,
                            select_row_approximate, select_row_logic})
    if (const Handler handler = select(instruction)) return handler;
  return nullptr;
}

}  // namespace
}  // namespace heddle

const heddle::RowForms HEDDLE_ROW_LEVEL{heddle::select_row, heddle::list_predicates, heddle::add_list};
