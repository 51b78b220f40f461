// A recording told as --trace-steps tells the same run, to hold one against the other.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "observe/recording.h"
#include "program/disassembly.h"

namespace heddle::scripted {

class Retold {
 public:
  explicit Retold(const Recording& recording) : recording_(recording) {}

  std::string text() {
    for (uint32_t event = 0; event < recording_.events.size(); ++event) {
      const RecordedSlot& slot = recording_.events[event];
      if (event == 0 || slot.launch != recording_.events[event - 1].launch) begin(slot.launch);
      apply(event, slot);
      tell_state(slot);
      tell_slot(slot);
    }
    return text_;
  }

 private:
  void begin(uint32_t launch) {
    now_.clear();
    told_.clear();
    text_ += fmt::format("kernel {}\n  slot {}block warp    pc  line   threads by lane, instruction\n",
                         recording_.launches[launch].kernel->name, recording_.timed ? "core    cycle " : "");
  }
  void apply(uint32_t event, const RecordedSlot& slot) {
    State& state = now_[slot.block];
    for (; change_ < recording_.changes.size() && recording_.changes[change_].event == event; ++change_) {
      const RecordedChange& change = recording_.changes[change_];
      if (change.row == RecordedChange::kNone) {
        state.resize(change.place);
      } else {
        if (change.place >= state.size()) state.resize(change.place + 1);
        state[change.place] = recording_.rows[change.row];
      }
    }
  }
  void tell_state(const RecordedSlot& slot) {
    const State& state = now_[slot.block];
    State shape = without_running_pcs(state);
    State& told = told_[slot.block];
    for (size_t i = 0; i < state.size(); ++i)
      if (std::find(told.begin(), told.end(), shape[i]) == told.end())
        text_ +=
            fmt::format("|{}{}", recording_.timed ? fmt::format(" core {}", slot.core) : "", state_text({state[i]}));
    told = std::move(shape);
  }
  void tell_slot(const RecordedSlot& slot) {
    const RecordedLaunch& launch = recording_.launches[slot.launch];
    const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
    const size_t digits = std::to_string(threads - 1).size();
    const RecordedLanes& lanes = recording_.lanes[slot.lanes];
    std::string by_lane;
    for (const int thread : lanes.threads)
      by_lane += fmt::format("{}{:>{}}", by_lane.empty() ? "" : " ", thread < 0 ? "-" : std::to_string(thread), digits);
    if (lanes.phantom) by_lane = fmt::format("{:{}}", fmt::format("phantom {}", *lanes.phantom), by_lane.size());
    const int32_t loc = launch.kernel->code[slot.pc].loc;
    text_ +=
        fmt::format("{:6}{}{}{:5} {:4} {:5} {:>5}  [{}]  {}\n", slot.slot, slot.beside ? '+' : ' ',
                    recording_.timed ? fmt::format("{:4} {:8} ", slot.core, slot.cycle) : "", slot.block, slot.warp,
                    slot.pc, loc < 0 ? "-" : std::to_string(launch.kernel->locs[static_cast<size_t>(loc)].line),
                    by_lane, instruction_text(*launch.kernel, slot.pc));
  }

  const Recording& recording_;
  std::map<uint64_t, State> now_, told_;  // by block
  size_t change_ = 0;
  std::string text_;
};

// The lines around it; "" where there is none.
inline std::string first_difference(const std::string& recorded, const std::string& traced) {
  if (recorded == traced) return "";
  const size_t shorter = std::min(recorded.size(), traced.size());
  size_t at = 0;
  while (at < shorter && recorded[at] == traced[at]) ++at;
  const size_t before = at == 0 ? std::string::npos : recorded.rfind('\n', at - 1);
  const size_t from = before == std::string::npos ? 0 : before + 1;
  return fmt::format("recorded: {}\ntraced:   {}", recorded.substr(from, 200), traced.substr(from, 200));
}

}  // namespace heddle::scripted
