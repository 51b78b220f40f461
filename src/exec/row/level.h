// The row forms are compiled for several instruction sets of x86-64, each by the name of its level (v2, v3, v4; base is
// plain x86-64, and all there is elsewhere). The best one this processor has is used; the environment variable
// HEDDLE_ROWS names another. Results are equal to the bit, whatever the level.
#pragma once

#include <span>
#include <string_view>

#include "exec/row/lists.h"

namespace heddle {

struct RowForms {
  Handler (*select)(const Instruction&);  // null for instructions without a row form
  decltype(&list_predicates) predicates;
  decltype(&add_list) add;
};

struct RowLevel {
  std::string_view name;
  const RowForms& forms;
  bool available;  // on this processor
};

// From plain to best.
std::span<const RowLevel> row_levels();

// By its name; the best one for "". Throws an Error for a level that is not here.
const RowLevel& row_level_named(std::string_view name);

// The one that is used, chosen at the first call.
const RowLevel& row_level();

}  // namespace heddle

extern "C" {
extern const heddle::RowForms heddle_rows_base, heddle_rows_v2, heddle_rows_v3, heddle_rows_v4;
}
