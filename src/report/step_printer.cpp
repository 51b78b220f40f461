#include "report/step_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "program/disassembly.h"

namespace heddle {
namespace {

WarpId id_of(const Step& step) { return static_cast<WarpId>(&step.warp - &step.host.warp(0)); }

// The thread of each lane, -1 where there is none. A mechanism that does not keep threads in their lanes fills them
// in order.
std::vector<int> threads_by_lane(const Step& step) {
  const unsigned width = step.host.warp_size();
  const BlockShape& block = step.host.block(step.warp.block);
  std::vector<int> at_home(width, -1), in_order;
  bool collision = false;
  for_each_lane(step.group.mask, [&](unsigned i) {
    const Hw thread = step.group.thread(i);
    int& lane = at_home[step.host.home_lane(step.warp.block, thread)];
    collision = collision || lane >= 0;
    lane = thread - block.first;
    in_order.push_back(lane);
  });
  in_order.resize(width, -1);
  return collision ? in_order : at_home;
}

std::string lanes_text(const Step& step) {
  const unsigned digits = static_cast<unsigned>(std::to_string(step.host.block(step.warp.block).threads - 1).size());
  const unsigned width = step.host.warp_size() * (digits + 1) - 1;
  if (step.group.kind == Group::Kind::Phantom)
    return fmt::format("{:{}}", fmt::format("phantom {}", step.group.count), width);
  std::string text;
  for (int thread : threads_by_lane(step))
    text += fmt::format("{}{:>{}}", text.empty() ? "" : " ", thread < 0 ? "-" : std::to_string(thread), digits);
  return text;
}

class StepPrinter {
 public:
  explicit StepPrinter(std::FILE* to) : to_(to) {}

  void print(const Step& step) {
    const bool first = step.slot == 0 && step.warp.pc == 0 && id_of(step) == 0;
    if (first || step.slot < last_slot_) start(step);
    last_slot_ = step.slot;
    const BlockSlot slot = step.warp.block;
    const uint64_t block = step.host.block(slot).order;
    std::string state;
    step.mechanism.explain(slot, state);
    if (std::string shape = without_pcs(state); shape != shown_[block]) {
      print_state(state);
      shown_[block] = std::move(shape);
    }
    fmt::print(to_, "{:6} {:5} {:4} {:5}  [{}]  {}\n", step.slot, block, id_of(step), step.warp.pc, lanes_text(step),
               instruction_text(step.kernel, step.warp.pc));
  }

 private:
  void start(const Step& step) {
    shown_.clear();
    fmt::print(to_, "kernel {}\n  slot block warp    pc   threads by lane, instruction\n", step.kernel.name);
  }

  // A warp that goes on to its next instruction is no change of state: PCs alone do not count.
  static std::string without_pcs(const std::string& state) {
    static const std::regex pc("\\bpc \\d+");
    return std::regex_replace(state, pc, "pc");
  }

  void print_state(const std::string& state) const {
    for (size_t begin = 0; begin < state.size();) {
      const size_t end = std::min(state.find('\n', begin), state.size());
      fmt::print(to_, "|{}\n", std::string_view(state).substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::FILE* to_;
  uint64_t last_slot_ = 0;
  std::map<uint64_t, std::string> shown_;  // by block
};

}  // namespace

Tracer step_printer(std::FILE* to) {
  return [printer = std::make_shared<StepPrinter>(to)](const Step& step) { printer->print(step); };
}

}  // namespace heddle
