// Lines that were stored to and wait to be sent below: what is stored to one of them meanwhile goes with it. The oldest
// goes when another needs its place, and all of them, one in a cycle, when no store has come for some cycles.
#pragma once

#include <algorithm>
#include <vector>

#include "memory/coalescer.h"

namespace heddle {

class StoreBuffer {
 public:
  StoreBuffer(unsigned lines, unsigned wait) : places_(lines), wait_(wait) { lines_.reserve(lines); }

  bool used() const { return places_ > 0; }
  bool empty() const { return lines_.empty(); }
  bool full() const { return lines_.size() == places_; }
  const LineAccess& oldest() const { return lines_.front(); }
  CoreCycle due() const { return due_; }  // if there is none: the first of them goes

  // It goes with one that waits: that one, with it; null: there is none.
  const LineAccess* join(const LineAccess& line, CoreCycle now) {
    const auto found = std::ranges::find(lines_, line.address, &LineAccess::address);
    if (found == lines_.end()) return nullptr;
    for (size_t i = 0; i < line.bytes.size(); ++i) found->bytes[i] |= line.bytes[i];
    due_ = now + wait_;
    return &*found;
  }
  void add(const LineAccess& line, CoreCycle now) {  // it must not be full
    lines_.push_back(line);
    due_ = now + wait_;
  }
  void pop() { lines_.erase(lines_.begin()); }

 private:
  const size_t places_;
  const unsigned wait_;
  std::vector<LineAccess> lines_;  // the oldest first
  CoreCycle due_{0};
};

}  // namespace heddle
