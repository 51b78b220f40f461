#include "observe/recording.h"

#include <gtest/gtest.h>

#include <set>

#include "gpu/presets.h"
#include "support/retold.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

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
  EXPECT_EQ(scripted::first_difference(scripted::Retold(both.recording).text(), both.trace), "");
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
