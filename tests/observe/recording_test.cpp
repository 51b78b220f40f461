#include "observe/recording.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/presets.h"
#include "program/disassembly.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

// What a --trace-steps of the same run printed, made from the recording.
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
    if (lanes.phantom > 0) by_lane = fmt::format("{:{}}", fmt::format("phantom {}", lanes.phantom), by_lane.size());
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

struct Both {
  Recording recording;
  std::string trace;
};

Both both(std::string_view workload, std::string_view mechanism, std::string_view machine, const TraceFilter& filter,
          size_t limit = SIZE_MAX) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* const file = open_memstream(&text, &size);
  const auto recorder = std::make_shared<Recorder>(filter, limit);
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = !machine.empty();
  options.observers = {recorder, std::make_shared<StepTrace>(file, filter)};
  const workloads::Workload& what = workloads::find(workload);
  Gpu gpu(make_config(machine.empty() ? "default" : std::string(machine), {}), options);
  gpu.load(Program::load(std::make_shared<ptx::Source>("k.ptx", std::string(what.ptx(workloads::Compiler::Nvcc)))));
  what.run(gpu, workloads::Size::Tiny);
  std::fclose(file);
  Both result{recorder->recording(), std::string(text, size)};
  free(text);
  return result;
}

void expect_same(const Both& both) {
  ASSERT_FALSE(both.recording.events.empty());
  const std::string retold = Retold(both.recording).text();
  if (retold == both.trace) return;
  const size_t at = static_cast<size_t>(
      std::mismatch(retold.begin(), retold.end(), both.trace.begin(), both.trace.end()).first - retold.begin());
  const size_t from = retold.rfind('\n', at) + 1;
  FAIL() << "recorded: " << retold.substr(from, 200) << "\ntraced:   " << both.trace.substr(from, 200);
}

TEST(Recording, TellsWhatTheTraceTellsStateForState) {
  TraceFilter some;
  some.slots.to = 3000;
  for (const std::string_view mechanism : {"pdom", "tbc", "capri", "its", "lwm", "dwf", "sbi"}) {
    SCOPED_TRACE(mechanism);
    expect_same(both("indirect", mechanism, "", some));
    expect_same(both("indirect", mechanism, "tbc-hpca11", some));
  }
}

TEST(Recording, IsOfTheWarpThatWasAskedFor) {
  TraceFilter one;
  one.warp = 1;
  expect_same(both("indirect", "pdom", "", one));
}

TEST(Recording, EndsAtItsLimitAndCountsOn) {
  TraceFilter some;
  some.slots.to = 2000;
  const Recording all = both("indirect", "pdom", "", some).recording,
                  cut = both("indirect", "pdom", "", some, 100).recording;
  EXPECT_EQ(cut.events.size(), 100U);
  EXPECT_EQ(cut.matched, all.events.size());
  EXPECT_EQ(all.matched, all.events.size());
}

TEST(Recording, MarksWherePathsPartAndMeet) {
  TraceFilter some;
  some.slots.to = 5000;
  const Recording recording = both("indirect", "pdom", "", some).recording;
  size_t diverged = 0, merged = 0;
  std::map<std::pair<uint64_t, int>, uint32_t> last;  // by block and thread
  for (uint32_t event = 0; event < recording.events.size(); ++event) {
    const RecordedSlot& slot = recording.events[event];
    diverged += slot.diverged ? 1 : 0;
    merged += slot.merged ? 1 : 0;
    std::set<uint32_t> from;
    for (const int thread : recording.lanes[slot.lanes].threads)
      if (thread >= 0) {
        if (const auto found = last.find({slot.block, thread}); found != last.end()) from.insert(found->second);
        last[{slot.block, thread}] = event;
      }
    EXPECT_EQ(slot.merged, from.size() > 1) << event;
  }
  EXPECT_GT(diverged, 0U);
  EXPECT_GT(merged, 0U);
}

}  // namespace
}  // namespace heddle
