// Registers whose value is still wanted, by place in the code.
#pragma once

#include <bit>
#include <map>
#include <vector>

#include "program/analysis.h"

namespace heddle {

// Some of a kernel's registers, by their number.
class RegisterSet {
 public:
  explicit RegisterSet(size_t registers) : words_(registers / 64 + 1) {}
  void add(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void remove(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  bool has(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(const RegisterSet& others) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  bool operator==(const RegisterSet&) const = default;

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t w = 0; w < words_.size(); ++w)
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
  }

 private:
  std::vector<uint64_t> words_;
};

class Liveness {
 public:
  // By what the instructions are said to read and write.
  Liveness(const Kernel& kernel, const std::vector<Accesses>& accesses);

  const std::vector<Operand>& registers() const { return registers_; }
  size_t number_of(const Operand& operand) const { return number_.at(operand.at); }

  const RegisterSet& before(uint32_t block) const { return before_[block]; }
  RegisterSet behind(uint32_t block) const;        // what its successors want
  void step_back(Pc pc, RegisterSet& live) const;  // from what is wanted behind an instruction to what is before it

 private:
  void number_registers();
  void solve();

  const Kernel& kernel_;
  const std::vector<Accesses>& accesses_;
  std::map<uint32_t, size_t> number_;  // by place in the plane
  std::vector<Operand> registers_;
  std::vector<RegisterSet> before_;  // by block
};

}  // namespace heddle
