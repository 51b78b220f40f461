// A first-in-first-out queue that grows to the most it ever held and allocates nothing from then on: places are used
// again as they are.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

template <class Value>
class Queue {
 public:
  bool empty() const { return begin_ == end_; }
  size_t size() const { return end_ - begin_; }
  Value& operator[](size_t index) { return values_[(begin_ + index) & mask_]; }
  const Value& operator[](size_t index) const { return values_[(begin_ + index) & mask_]; }
  Value& front() { return (*this)[0]; }
  const Value& front() const { return (*this)[0]; }

  [[gnu::always_inline]] Value& append() {  // as whoever had the place before left it
    if (size() > mask_) [[unlikely]]
      grow();
    return values_[end_++ & mask_];
  }
  [[gnu::always_inline]] void push(const Value& value) { append() = value; }
  void pop() { ++begin_; }
  void pop_large() {  // the place that was used last is the nearest to the host
    if (++begin_ == end_) begin_ = end_ = 0;
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    std::vector<Value> larger(2 * values_.size());
    for (size_t i = 0; i < values_.size(); ++i) std::swap(larger[i], (*this)[i]);
    end_ = values_.size();
    begin_ = 0;
    mask_ = larger.size() - 1;
    values_.swap(larger);
  }

  std::vector<Value> values_ = std::vector<Value>(8);
  size_t mask_ = 7;
  size_t begin_ = 0, end_ = 0;
};

}  // namespace heddle
