// A few of the numbers below some limit, each once, in the order they were added in, or sorted.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace heddle {

class NumberSet {
 public:
  explicit NumberSet(size_t limit) : has_(limit) {}

  auto begin() const { return numbers_.begin(); }
  auto end() const { return numbers_.end(); }
  void add(unsigned number) {
    if (has_[number]) return;
    has_[number] = true;
    sorted_ = sorted_ && (numbers_.empty() || numbers_.back() < number);
    numbers_.push_back(number);
  }
  void sort() {
    if (!sorted_) std::sort(numbers_.begin(), numbers_.end());
    sorted_ = true;
  }
  std::span<const unsigned> sorted() {
    sort();
    return numbers_;
  }
  template <class F>
  void erase_if(F&& f) {  // calls f(number) for each, in order
    size_t kept = 0;
    for (const unsigned number : numbers_)
      if (f(number))
        has_[number] = false;
      else
        numbers_[kept++] = number;
    numbers_.resize(kept);
    sorted_ = sorted_ || kept == 0;
  }

 private:
  std::vector<char> has_;
  std::vector<unsigned> numbers_;
  bool sorted_ = true;  // they are
};

}  // namespace heddle
