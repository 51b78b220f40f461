// Live registers: the peak pressure that occupancy asks for, and what a recursive call must save.
#include <algorithm>
#include <map>

#include "program/analysis.h"

namespace heddle {
namespace {

using Set = std::vector<uint64_t>;

class Liveness {
 public:
  explicit Liveness(Kernel& kernel) : kernel_(kernel) {
    number_registers();
    words_ = registers_.size() / 64 + 1;
    live_in_.assign(kernel.blocks.size(), Set(words_));
  }

  void run() {
    solve();
    std::vector<unsigned> own(kernel_.functions.size());  // peak inside the function itself
    std::vector<unsigned> deepest(kernel_.functions.size());
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i) measure(i, own, deepest);
    // A kernel's need: its own peak, or what is live at a call plus the most any callee needs.
    unsigned callees = 0;
    for (size_t f = 1; f < own.size(); ++f) callees = std::max(callees, own[f]);
    kernel_.peak_registers = std::max({own[0], deepest[0] + callees, 1U});
  }

 private:
  void number_registers() {
    const auto note = [&](const Operand& operand) {
      if (number_.try_emplace(operand.at, registers_.size()).second) registers_.push_back(operand);
    };
    for (const Instruction& instruction : kernel_.code) {
      const Accesses accesses = accesses_of(kernel_, instruction);
      for (const Operand& operand : accesses.reads) note(operand);
      for (const Operand& operand : accesses.writes) note(operand);
    }
  }

  static bool get(const Set& set, size_t i) { return set[i / 64] >> (i % 64) & 1; }
  static void put(Set& set, size_t i) { set[i / 64] |= uint64_t{1} << (i % 64); }
  static void drop(Set& set, size_t i) { set[i / 64] &= ~(uint64_t{1} << (i % 64)); }

  void step_back(const Instruction& instruction, Set& live) const {
    const Accesses accesses = accesses_of(kernel_, instruction);
    // A guarded write leaves the old value in some threads.
    if (!instruction.guarded())
      for (const Operand& operand : accesses.writes) drop(live, number_.at(operand.at));
    for (const Operand& operand : accesses.reads) put(live, number_.at(operand.at));
  }

  Set live_out(uint32_t block) const {
    Set live(words_);
    for (uint32_t next : kernel_.blocks[block].successors)
      for (size_t w = 0; w < words_; ++w) live[w] |= live_in_[next][w];
    return live;
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = kernel_.blocks.size(); i-- > 0;) {
        Set live = live_out(static_cast<uint32_t>(i));
        for (Pc pc = kernel_.blocks[i].end; pc-- > kernel_.blocks[i].begin;) step_back(kernel_.code[pc], live);
        if (live == live_in_[i]) continue;
        live_in_[i] = std::move(live);
        changed = true;
      }
    }
  }

  unsigned pressure(const Set& live) const {
    unsigned words = 0;
    for (size_t i = 0; i < registers_.size(); ++i)
      if (get(live, i)) words += (registers_[i].bytes + 3U) / 4U;
    return words;
  }

  void measure(uint32_t block, std::vector<unsigned>& own, std::vector<unsigned>& at_calls) {
    const uint32_t function = kernel_.blocks[block].function;
    Set live = live_out(block);
    for (Pc pc = kernel_.blocks[block].end; pc-- > kernel_.blocks[block].begin;) {
      const Instruction& instruction = kernel_.code[pc];
      own[function] = std::max(own[function], pressure(live));
      if (instruction.op == Op::Call) {
        at_calls[function] = std::max(at_calls[function], pressure(live));
        if (kernel_.functions[function].recursive) save(kernel_.calls[instruction.table], instruction, live);
      }
      step_back(instruction, live);
    }
    own[function] = std::max(own[function], pressure(live));
  }

  void save(CallSite& site, const Instruction& call, Set live) const {
    for (const Operand& written : accesses_of(kernel_, call).writes) drop(live, number_.at(written.at));
    for (size_t i = 0; i < registers_.size(); ++i)
      if (get(live, i) && registers_[i].at != kernel_.frame.at) site.saved.push_back(registers_[i]);
  }

  Kernel& kernel_;
  std::map<uint32_t, size_t> number_;
  std::vector<Operand> registers_;
  size_t words_ = 0;
  std::vector<Set> live_in_;
};

}  // namespace

void find_live_registers(Kernel& kernel) { Liveness(kernel).run(); }

}  // namespace heddle
