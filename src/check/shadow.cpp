#include "check/shadow.h"

namespace heddle::check {

uint32_t ReaderLists::make() {
  if (free_.empty()) {
    lists_.emplace_back();
    return static_cast<uint32_t>(lists_.size() - 1);
  }
  const uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

void ReaderLists::drop(Cell& cell) {
  if (cell.others == 0) return;
  ReaderList& list = lists_[cell.others];
  list.readers.clear();  // its room is kept
  list.crowd = list.many_blocks = false;
  list.until = 0;
  free_.push_back(cell.others);
  cell.others = cell.crowded = 0;
}

// Where four bytes had one cell each of them gets it; of further readers, the first alone keeps the list, for two cells
// may not share one, and a write to it forgets it.
void ShadowPage::prepare(bool narrow) {
  const unsigned shift = narrow ? 0 : 2;
  auto cells = std::make_unique<Cell[]>(kBytes >> shift);
  if (cells_)
    for (uint64_t at = 0; at < kBytes; ++at) {
      cells[at] = cells_[at >> 2];
      if ((at & 3) != 0) cells[at].others = cells[at].crowded = 0;
    }
  cells_ = std::move(cells);
  shift_ = shift;
}

}  // namespace heddle::check
