// What is asked of a list of threads as a whole, in forms for each level (row/level.h).
#pragma once

#include "exec/context.h"

namespace heddle {

// One bit for each of the list that is in the mask: its bit of a predicate, whose words are one for each row.
LaneMask list_predicates(const RegisterOf<const uint32_t>& words, LaneMask mask, const Hw* threads);

// Adds those of the list that are in the mask to sets of threads, by row; first and last: the rows that were met.
struct RowRange {
  unsigned first, last;
};
RowRange add_list(LaneMask* rows, LaneMask mask, const Hw* threads);

}  // namespace heddle
