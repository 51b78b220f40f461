// Timelines, held against what is public of their formats, and against the counters of the run they are of.
#include "observe/timeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "support/amount.h"
#include "workloads/workload.h"

namespace heddle::test::timeline_test {
namespace {

using Json = nlohmann::json;

struct Counted : Observer {
  uint32_t wants() const override { return kFlights; }
  void completed(const Scene& scene, const Completed& event) override {
    ++instructions;
    cycles += scene.host.now - event.issued;
  }
  uint64_t instructions = 0, cycles = 0;
};

struct Drawn {
  std::string text;
  std::vector<KernelStats> launches;
  uint64_t instructions = 0, cycles = 0;  // that completed, and how long they took together
  bool ended_well = true;
};

struct Drawing {
  std::string workload = "nn", mechanism = "pdom", preset = "teaching", path = "t.json";
  Range cycles{};
  std::vector<std::string> set{};
};

Drawn drawn(const Drawing& what) {
  std::FILE* const file = std::tmpfile();
  const auto timeline = timeline_for(what.path, file, what.cycles);
  const auto counted = std::make_shared<Counted>();
  GpuOptions options;
  options.timed = true;
  options.mechanism = what.mechanism;
  options.observers = {timeline, counted};
  Gpu gpu(make_config(what.preset, what.set), options);
  const workloads::Workload& workload = workloads::find(what.workload);
  gpu.load(workload.name, workload.ptx());
  Drawn result;
  try {
    workload.run(gpu, workloads::Size::Tiny);
  } catch (const Error&) {
    result.ended_well = false;
  }
  timeline->finish();
  result.text.resize(static_cast<size_t>(std::ftell(file)));
  std::rewind(file);
  EXPECT_EQ(std::fread(result.text.data(), 1, result.text.size(), file), result.text.size());
  std::fclose(file);
  result.launches = gpu.launches();
  result.instructions = counted->instructions;
  result.cycles = counted->cycles;
  return result;
}

uint64_t cycles_of(const Drawn& run) {
  uint64_t cycles = 0;
  for (const KernelStats& launch : run.launches) cycles += launch.timing->cycles;
  return cycles;
}

// ---- the trace-event format

using TrackOf = std::pair<int, int>;

struct Checked {
  std::map<TrackOf, std::string> names;
  std::map<TrackOf, std::vector<Json>> slices;
  std::map<std::string, std::vector<Json>> counters;
  uint64_t events = 0;

  template <class Wanted>
  uint64_t sum(Wanted&& wanted) const {  // of the cycles of slices
    uint64_t cycles = 0;
    for (const auto& [track, list] : slices)
      for (const Json& slice : list)
        if (wanted(names.at(track), slice)) cycles += slice["dur"].get<uint64_t>();
    return cycles;
  }
};

void check_metadata(const Json& event, Checked& checked) {
  static const std::set<std::string> kKinds{"process_name", "process_sort_index", "thread_name", "thread_sort_index"};
  ASSERT_TRUE(kKinds.contains(event["name"])) << event;
  const bool names = event["name"].get<std::string>().ends_with("_name");
  ASSERT_TRUE(names ? event["args"]["name"].is_string() : event["args"]["sort_index"].is_number_integer()) << event;
  if (event["name"] != "thread_name") return;
  const TrackOf track{event["pid"], event["tid"]};
  ASSERT_FALSE(checked.names.contains(track)) << "named twice: " << event;
  checked.names[track] = event["args"]["name"];
}

// What the format asks of every event, by its phase; slices of a track are in the order of time and do not overlap.
Checked check_trace(const std::string& text) {
  Checked checked;
  const Json json = Json::parse(text, nullptr, false);
  EXPECT_TRUE(json.is_object() && json["traceEvents"].is_array());
  if (!json.is_object()) return checked;
  for (const Json& event : json["traceEvents"]) {
    ++checked.events;
    for (const char* field : {"ph", "name"}) EXPECT_TRUE(event[field].is_string()) << event;
    for (const char* field : {"pid", "tid"}) EXPECT_TRUE(event[field].is_number_unsigned()) << event;
    EXPECT_TRUE(event["args"].is_object()) << event;
    const std::string phase = event["ph"];
    if (phase == "M") {
      check_metadata(event, checked);
      continue;
    }
    EXPECT_TRUE(event["ts"].is_number_unsigned()) << event;
    if (phase == "C") {
      for (const Json& value : event["args"]) EXPECT_TRUE(value.is_number()) << event;
      EXPECT_FALSE(event["args"].empty());
      checked.counters[event["name"]].push_back(event);
      continue;
    }
    EXPECT_EQ(phase, "X") << event;
    EXPECT_TRUE(event["dur"].is_number_unsigned()) << event;
    const TrackOf track{event["pid"], event["tid"]};
    EXPECT_TRUE(checked.names.contains(track)) << "a track without a name: " << event;
    std::vector<Json>& before = checked.slices[track];
    if (!before.empty()) {
      EXPECT_GE(event["ts"].get<uint64_t>(), before.back()["ts"].get<uint64_t>() + before.back()["dur"].get<uint64_t>())
          << before.back() << event;
    }
    before.push_back(event);
  }
  return checked;
}

bool of_warp(const std::string& track) { return track.starts_with("warp "); }

TEST(TraceEvents, every_instruction_has_its_slice_and_every_idle_cycle_too) {
  const Drawn run = drawn({});
  const Checked trace = check_trace(run.text);
  uint64_t slices = 0, idle = 0;
  for (const auto& [track, list] : trace.slices) slices += of_warp(trace.names.at(track)) ? list.size() : 0;
  EXPECT_EQ(slices, run.instructions);
  EXPECT_EQ(trace.sum([](const std::string& track, const Json&) { return of_warp(track); }), run.cycles);
  for (const KernelStats& launch : run.launches) {
    const CoreStats cores = launch.timing->all_cores();
    idle += cores.stall + cores.idle();
  }
  EXPECT_EQ(trace.sum([](const std::string& track, const Json&) { return track == "issue port"; }), idle);
}

TEST(TraceEvents, launches_and_blocks_are_all_there) {
  const Drawn run = drawn({"dwthaar"});
  ASSERT_GT(run.launches.size(), 1U);
  const Checked trace = check_trace(run.text);
  EXPECT_EQ(trace.sum([](const std::string& track, const Json&) { return track == "launches"; }), cycles_of(run));
  uint64_t blocks = 0, expected = 0;
  for (const auto& [track, list] : trace.slices)
    blocks += trace.names.at(track).starts_with("blocks, place ") ? list.size() : 0;
  for (const KernelStats& launch : run.launches) expected += launch.grid.x;
  EXPECT_EQ(blocks, expected);
}

TEST(TraceEvents, memory_counters_sum_to_what_was_counted) {
  const Drawn run = drawn({});
  const Checked trace = check_trace(run.text);
  double bytes = 0;
  for (const Json& event : trace.counters.at("DRAM bytes per cycle"))
    bytes += 50 * event["args"]["bytes"].get<double>();
  uint64_t counted = 0;
  for (const KernelStats& launch : run.launches) counted += launch.timing->memory.dram.bytes;
  EXPECT_LE(bytes, static_cast<double>(counted) + 1);
  EXPECT_GE(bytes, 0.95 * static_cast<double>(counted)) << "what comes after the last sample of a launch is not in it";
}

// With a register scoreboard a warp has several instructions under way: on tracks of its own each.
TEST(TraceEvents, instructions_that_overlap_get_tracks_of_their_own) {
  const Checked trace = check_trace(drawn({"nn", "pdom", "default"}).text);
  bool second = false;
  for (const auto& [track, name] : trace.names) second = second || name == "warp 0 (2)";
  EXPECT_TRUE(second);
}

TEST(TraceEvents, are_whole_under_every_mechanism) {
  size_t n = 0;
  for (const MechanismRow& mechanism : mechanisms()) {
    if (mechanism.bound || n++ % amount(1, 3, 9) != 0) continue;
    for (const char* preset : {"teaching", "default"}) {
      const Drawn run = drawn({"bitonic", std::string(mechanism.name), preset, "t.json", {0, 1000}});
      EXPECT_GT(check_trace(run.text).events, 100U) << mechanism.name;
    }
  }
}

TEST(TraceEvents, a_range_bounds_the_file_whatever_the_run) {
  const Drawing part{"bfs", "pdom", "teaching", "t.json", {1000, 2000}};
  const Checked trace = check_trace(drawn(part).text);
  for (const auto& [track, list] : trace.slices)
    for (const Json& slice : list) {
      EXPECT_GE(slice["ts"].get<uint64_t>(), 1000U);
      EXPECT_LT(slice["ts"].get<uint64_t>(), 2000U);
    }
  Drawing longer = part;
  longer.workload = "reduction0";
  EXPECT_LT(drawn(longer).text.size(), 1000000U);
  EXPECT_GT(drawn({}).text.size(), 5 * drawn({"nn", "pdom", "teaching", "t.json", {1000, 2000}}).text.size());
}

TEST(TraceEvents, a_launch_that_ends_in_an_error_leaves_a_whole_file) {
  const Drawn run = drawn({"workqueue", "pdom", "teaching", "t.json", {0, 500}, {"spin_limit=1000"}});
  EXPECT_FALSE(run.ended_well);
  const Checked trace = check_trace(run.text);
  EXPECT_EQ(trace.sum([](const std::string& track, const Json&) { return track == "launches"; }), 500U);
  EXPECT_EQ(trace.sum([](const std::string& track, const Json& slice) {
    return track == "blocks, place 0" && slice["name"] == "block 0";
  }),
            500U);
}

// ---- pipeline text

struct Pipeline {
  std::map<uint64_t, char> last;  // of each row: I, S, E or R
  std::map<uint64_t, std::string> stage;
  uint64_t retired = 0, flushed = 0, cycles = 0;
};

void check_line(const std::vector<std::string>& words, Pipeline& pipeline) {
  const char kind = words[0][0];
  const auto number = [&](size_t at) { return std::stoull(words.at(at)); };
  if (words[0] == "C=") return;
  if (kind == 'C') {
    EXPECT_GT(number(1), 0U);
    pipeline.cycles += number(1);
    return;
  }
  const uint64_t id = number(1);
  if (kind == 'I') {
    EXPECT_EQ(id, pipeline.last.size()) << "rows are numbered as they come";
  } else {
    ASSERT_TRUE(pipeline.last.contains(id)) << "a row that did not begin: " << id;
    ASSERT_NE(pipeline.last[id], 'R') << "a row that has ended: " << id;
  }
  if (kind == 'L') return;
  if (kind == 'S') {
    EXPECT_NE(pipeline.last[id], 'S') << "one stage at a time: " << id;
    pipeline.stage[id] = words.at(3);
  }
  if (kind == 'E') {
    EXPECT_EQ(pipeline.stage[id], words.at(3));
  }
  if (kind == 'R') {
    EXPECT_EQ(pipeline.last[id], 'E');
    EXPECT_EQ(number(2), pipeline.retired) << "rows that end are numbered, too";
    ++pipeline.retired;
    pipeline.flushed += number(3);
  }
  pipeline.last[id] = kind;
}

Pipeline check_pipeline(const std::string& text) {
  Pipeline pipeline;
  std::istringstream lines(text);
  std::string line;
  EXPECT_TRUE(std::getline(lines, line) && line == "Kanata\t0004");
  for (bool first = true; std::getline(lines, line); first = false) {
    std::vector<std::string> words;
    std::istringstream parts(line);
    for (std::string word; std::getline(parts, word, '\t');) words.push_back(word);
    EXPECT_TRUE(first == (words[0] == "C="));
    EXPECT_NE(std::string("C= I L S E R C").find(words[0]), std::string::npos) << line;
    check_line(words, pipeline);
  }
  for (const auto& [id, last] : pipeline.last) EXPECT_EQ(last, 'R') << id;
  return pipeline;
}

TEST(PipelineText, has_a_row_for_every_instruction_and_ends_each) {
  for (const char* preset : {"teaching", "default"}) {
    const Drawn run = drawn({"nn", "pdom", preset, "t.kanata"});
    const Pipeline pipeline = check_pipeline(run.text);
    EXPECT_EQ(pipeline.last.size(), run.instructions) << preset;
    EXPECT_EQ(pipeline.flushed, 0U) << preset;
    EXPECT_LE(pipeline.cycles, cycles_of(run));
    EXPECT_NE(run.text.find("\tMi\n"), std::string::npos);
    EXPECT_NE(run.text.find("\tHi\n"), std::string::npos);
  }
}

TEST(PipelineText, is_whole_under_every_mechanism) {
  size_t n = 0;
  for (const MechanismRow& mechanism : mechanisms()) {
    if (mechanism.bound || n++ % amount(1, 3, 9) != 0) continue;
    const Drawn run = drawn({"bitonic", std::string(mechanism.name), "teaching", "t.kanata", {0, 1000}});
    const Pipeline pipeline = check_pipeline(run.text);
    EXPECT_GT(pipeline.last.size(), 100U) << mechanism.name;
    EXPECT_EQ(pipeline.flushed, 0U) << mechanism.name;
  }
}

}  // namespace
}  // namespace heddle::test::timeline_test
