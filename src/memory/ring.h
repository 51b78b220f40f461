// A first-in-first-out queue of fixed capacity, which has as many places as it ever held: those that are used stay in
// the host's cache.
#pragma once

#include <algorithm>
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
      : capacity_(capacity), values_(std::min(std::bit_ceil(capacity), kFirst)), mask_(values_.size() - 1) {}

  bool empty() const { return begin_ == end_; }
  bool full() const { return size() == capacity_; }
  size_t size() const { return end_ - begin_; }
  size_t room() const { return capacity_ - size(); }
  Value& front() { return values_[begin_ & mask_]; }
  const Value& front() const { return values_[begin_ & mask_]; }
  Value& operator[](size_t index) { return values_[(begin_ + index) & mask_]; }
  const Value& operator[](size_t index) const { return values_[(begin_ + index) & mask_]; }

  Value& append() {  // as whoever had the place before left it
    require(!full(), "a queue of the memory system overflows");
    if (size() > mask_) [[unlikely]]
      grow();
    return values_[end_++ & mask_];
  }
  void push(const Value& value) { append() = value; }
  void prefetch(size_t index) const { __builtin_prefetch(&(*this)[index]); }
  void pop() {
    if (++begin_ == end_) begin_ = end_ = 0;
  }

 private:
  static constexpr size_t kFirst = 8;

  [[gnu::noinline, gnu::cold]] void grow() {
    std::rotate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(begin_ & mask_), values_.end());
    end_ -= begin_;
    begin_ = 0;
    values_.resize(2 * values_.size());
    mask_ = values_.size() - 1;
  }

  size_t capacity_;
  std::vector<Value> values_;
  size_t mask_;
  size_t begin_ = 0, end_ = 0;
};

}  // namespace heddle
