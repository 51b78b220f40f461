#include "report/view/gallery.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "divergence/graphs.h"
#include "observe/recording.h"
#include "run/runner.h"
#include "support/amount.h"
#include "support/retold.h"

namespace heddle {
namespace {

struct Played {
  RunResult result;
  Recording recording;
};

const GalleryExample& example_named(const std::string& name) {
  static const std::vector<GalleryExample> all = gallery();
  for (const GalleryExample& example : all)
    if (example.name == name) return example;
  throw std::runtime_error("no example " + name);
}

Played play(const GalleryExample& example, std::string_view mechanism, std::FILE* trace = nullptr) {
  const auto recorder = std::make_shared<Recorder>(TraceFilter{}, SIZE_MAX);
  RunHooks hooks;
  hooks.observers.push_back(recorder);
  if (trace) hooks.observers.push_back(std::make_shared<StepTrace>(trace, TraceFilter{}));
  RunSpec spec = example.spec;
  spec.mechanism = mechanism;
  RunResult result = execute(spec, hooks);
  return {std::move(result), recorder->recording()};
}

// The label of a block is what its PTX has in front of it.
std::string label_of(const Kernel& kernel, Pc pc) {
  const Pc begin = kernel.blocks[kernel.block_of[pc]].begin;
  const std::string_view text = kernel.source->line(kernel.code[begin].place.line - 1);
  return text.size() == 2 && text[1] == ':' ? std::string(text.substr(0, 1)) : "";
}

// The way of all threads: "A1111 C-111 B1--- D1111", a word for each stay in a labelled block.
std::string ways(const Recording& recording) {
  std::string text, last;
  for (const RecordedSlot& slot : recording.events) {
    std::string word = label_of(*recording.launches[slot.launch].kernel, slot.pc);
    if (word.empty()) continue;
    for (const int thread : recording.lanes[slot.lanes].threads) word += thread < 0 ? '-' : '1';
    if (word != last) text += (text.empty() ? "" : " ") + word;
    last = word;
  }
  return text;
}

// The same of a worked example of tests/divergence: without how often.
std::string ways(const scripted::Graph& graph, std::string_view mechanism) {
  std::string text;
  for (const std::string& slot : scripted::words_of(scripted::slots_of(graph, mechanism), ' '))
    text += (text.empty() ? "" : " ") + slot.substr(0, 5);
  return text;
}

const std::map<std::string, scripted::Graph> kWorkedOut{
    {"01-if-else", scripted::kIfElse},
    {"02-likely", scripted::kLikely},
    {"03-short-circuit", scripted::kShortCircuit},
    {"04-shared-tail", scripted::kSharedTail},
    {"07-one-sided", scripted::kOneSided},
    {"09-switch", scripted::kSwitch},
};

TEST(Gallery, PlaysTheGraphsThatWereWorkedOutByHand) {
  unsigned compared = 0;
  for (const auto& [name, graph] : kWorkedOut)
    for (const MechanismRow& row : mechanisms()) {
      if (row.bound || row.interleaves) continue;  // their order depends on how long the blocks are
      const Played played = play(example_named(name), row.name);
      if (played.result.failure) {
        EXPECT_EQ(played.result.failure->code, ExitCode::Refused) << played.result.failure->message;
        continue;
      }
      EXPECT_EQ(ways(played.recording), ways(graph, row.name)) << name << " under " << row.name;
      ++compared;
    }
  EXPECT_GT(compared, 100U);
}

TEST(Gallery, EveryExampleSaysWhatItIsAndWhereToLook) {
  ASSERT_GE(gallery().size(), 16U);
  for (const GalleryExample& example : gallery()) {
    SCOPED_TRACE(example.name);
    EXPECT_FALSE(example.title.empty());
    EXPECT_GT(example.text.size(), 100U);
    EXPECT_EQ(example.beside.size(), 2U);
    for (const std::string& mechanism : example.beside) EXPECT_FALSE(play(example, mechanism).recording.events.empty());
  }
}

size_t slots_in(const std::string& name, std::string_view mechanism, const std::string& label) {
  const Recording recording = play(example_named(name), mechanism).recording;
  return static_cast<size_t>(std::count_if(recording.events.begin(), recording.events.end(), [&](const auto& slot) {
    return label_of(*recording.launches[slot.launch].kernel, slot.pc) == label;
  }));
}

TEST(Gallery, IsRecordedAsTheTraceTellsItStateForStateUnderEveryMechanism) {
  uint64_t number = test::turn();
  const uint64_t share = test::amount(1, 3, 10);
  for (const GalleryExample& example : gallery())
    for (const std::string& mechanism : mechanisms_for(example)) {
      if (++number % share != 0) continue;
      char* text = nullptr;
      size_t size = 0;
      std::FILE* const file = open_memstream(&text, &size);
      const Recording recording = play(example, mechanism, file).recording;
      std::fclose(file);
      EXPECT_EQ(scripted::first_difference(scripted::Retold(recording).text(), std::string(text, size)), "")
          << example.name << " under " << mechanism;
      free(text);
    }
}

// What the texts of the examples promise.
TEST(Gallery, CompactsFigure7IntoSevenWarpExecutionsInsteadOfEight) {
  EXPECT_EQ(slots_in("10-compaction", "pdom", "C"), 6U) << "three instructions of two warps";
  EXPECT_EQ(slots_in("10-compaction", "tbc", "C"), 3U);
  EXPECT_EQ(slots_in("10-compaction", "tbc", "B"), slots_in("10-compaction", "pdom", "B"));
}

TEST(Gallery, LoadsOfTwoPathsOverlapWhereTheyMay) {
  const auto cycles = [](const std::string& name, std::string_view mechanism) {
    return play(example_named(name), mechanism).recording.events.back().cycle;
  };
  EXPECT_LT(cycles("05-two-loads", "dual-path") + 50, cycles("05-two-loads", "pdom"));
  EXPECT_LT(cycles("05-two-loads", "subwarp-interleaving") + 50, cycles("05-two-loads", "its"));
  EXPECT_LT(cycles("05-two-loads", "dws") + 50, cycles("05-two-loads", "pdom"));
  EXPECT_LT(cycles("06-three-loads", "multi-path") + 50, cycles("06-three-loads", "pdom"));
}

TEST(Gallery, AnOuterPathThatHasItsDataStandsStillUnderDualPathAlone) {
  const auto first = [](std::string_view mechanism, char label) {
    return ways(play(example_named("06-three-loads"), mechanism).recording).find(label);
  };
  EXPECT_GT(first("dual-path", 'H'), std::max(first("dual-path", 'K'), first("dual-path", 'L')));
  EXPECT_LT(first("multi-path", 'H'), std::min(first("multi-path", 'K'), first("multi-path", 'L')));
}

TEST(Gallery, ASpinningThreadLetsOthersByOnlyWhereTheMechanismIsFair) {
  for (const MechanismRow& row : mechanisms()) {
    if (!row.fair) continue;
    EXPECT_FALSE(play(example_named("08-spin"), row.name).result.failure) << row.name;
  }
  const Played stuck = play(example_named("08-spin"), "pdom");
  ASSERT_TRUE(stuck.result.failure);
  EXPECT_EQ(stuck.result.failure->code, ExitCode::Deadlock);
}

TEST(Gallery, MajorityRunsIntoTheEddy) {
  EXPECT_EQ(slots_in("12-eddy", "dwf", "D"), 9U) << "three instructions of three warps";
  EXPECT_EQ(slots_in("12-eddy", "tbc", "D"), 6U);
}

TEST(Gallery, PacksTheLargeWarpIntoThreeSubWarps) {
  const Recording recording = play(example_named("14-large-warp"), "lwm").recording;
  std::vector<std::vector<int>> packed;
  for (const RecordedSlot& slot : recording.events)
    if (label_of(*recording.launches[0].kernel, slot.pc) == "B" && packed.size() < 3)
      packed.push_back(recording.lanes[slot.lanes].threads);
  EXPECT_EQ(packed, (std::vector<std::vector<int>>{{0, 5, 2, 7}, {8, -1, -1, 11}, {-1, -1, -1, 15}}));
}

TEST(Gallery, CapriLearnsThatWaitingDoesNotPay) {
  const Recording recording = play(example_named("13-capri"), "capri").recording;
  std::vector<std::string> told;
  for (const StateRow& row : recording.rows)
    for (const StateEntry& entry : row.entries)
      if (row.what == "CAPT, rows") told.emplace_back(entry.word);
  EXPECT_THAT(told, testing::Contains("adequate"));
  EXPECT_THAT(told, testing::Contains("not adequate"));
}

TEST(Gallery, TheDepthOfACallGoesBeforeItsAddress) {
  EXPECT_EQ(slots_in("15-call", "stackless", "D"), 2U) << "once, by all";
}

TEST(Gallery, WhereTheLowestAddressRunsFirstAnExitAboveTheLoopIsRunThreadByThread) {
  EXPECT_EQ(slots_in("16-early-exit", "stackless", "X"), 12U);
  EXPECT_EQ(slots_in("16-early-exit", "pdom", "X"), 3U);
}

}  // namespace
}  // namespace heddle
