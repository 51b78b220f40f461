// A first-in-first-out queue of fixed capacity that allocates nothing after its construction.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace heddle {

template <class Value>
class Ring {
 public:
  explicit Ring(size_t capacity)
      : capacity_(capacity), mask_(std::bit_ceil(capacity) - 1), values_(std::bit_ceil(capacity)) {}

  bool empty() const { return begin_ == end_; }
  bool full() const { return size() == capacity_; }
  size_t size() const { return end_ - begin_; }
  size_t room() const { return capacity_ - size(); }
  Value& front() { return values_[begin_ & mask_]; }
  const Value& front() const { return values_[begin_ & mask_]; }
  const Value& operator[](size_t index) const { return values_[(begin_ + index) & mask_]; }

  void push(const Value& value) {
    require(!full(), "a queue of the memory system overflows");
    values_[end_++ & mask_] = value;
  }
  void pop() { ++begin_; }

 private:
  size_t capacity_, mask_;
  size_t begin_ = 0, end_ = 0;  // they only grow
  std::vector<Value> values_;
};

}  // namespace heddle
