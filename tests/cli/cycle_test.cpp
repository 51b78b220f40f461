// What the cycle-level machine shows: tables, JSON, time series, comparisons.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

uint64_t sum_of(const json& object) {
  uint64_t sum = 0;
  for (const json& value : object) sum += value.get<uint64_t>();
  return sum;
}

// A field of every element, added up; objects field by field.
json added(const json& rows, const std::string& field) {
  json sum = rows[0][field].is_object() ? json::object() : json(0);
  for (const json& row : rows) {
    const json& value = row[field];
    if (!value.is_object()) {
      sum = sum.get<uint64_t>() + value.get<uint64_t>();
      continue;
    }
    for (const auto& [name, cycles] : value.items()) sum[name] = sum.value(name, uint64_t{0}) + cycles.get<uint64_t>();
  }
  return sum;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

class Cycles : public HeddleProgram {
 protected:
  static constexpr const char* kPreset = "tbc-hpca11";

  Ended run_bfs(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "bfs", "--size", "tiny", "--preset", kPreset, "--json", "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended;
  }
};

TEST_F(Cycles, TheTableSaysWhereTheCyclesWentAndWhatMemoryDid) {
  const std::string text = run_bfs({"--schedule", "gto"}).out;
  EXPECT_THAT(text,
              HasSubstr("bfs (tiny): mechanism pdom, schedule gto, lanes none, cycle level\n"
                        "preset tbc-hpca11: 30 cores, warps of 32 on 8 lanes, 8 memory channels; 1300/650/800 MHz\n"));
  EXPECT_THAT(text, ContainsRegex("kernel +grid +block +launches +cycles +IPC +thread instr. +issue slots +SIMD eff."));
  EXPECT_THAT(text,
              ContainsRegex("\nkernel .* W1-4 +W5-8 +W9-12 +W13-16 +W17-20 +W21-24 +W25-28 +W29-32 +Stall +W0_Mem "
                            "+W0_Idle\n"));
  EXPECT_THAT(text, ContainsRegex("\ntotal +16 +[0-9,]+ +[0-9.]+ "));
  EXPECT_THAT(text, ContainsRegex("\ncache +accesses +misses +miss rate +merged +fetched +written back\nL1 +[0-9,]+ "));
  EXPECT_THAT(text, ContainsRegex("\nL2 +[0-9,]+ "));
  EXPECT_THAT(text, Not(HasSubstr("\ntexture")));
  EXPECT_THAT(text, ContainsRegex("\nmemory stalls +[0-9.]+ % of the cycles: lines [0-9,]+"));
  EXPECT_THAT(text, ContainsRegex("\ntraffic +[0-9.]+ kB from the cores in [0-9,]+ packets, [0-9.]+ kB to them in "));
  EXPECT_THAT(text, ContainsRegex("\nDRAM +[0-9,]+ reads, [0-9,]+ writes, row hits [0-9.]+ %; .* of the peak\n"));
  EXPECT_THAT(text, HasSubstr("\ncheck passed: "));
}

TEST_F(Cycles, TheClassesFollowTheWarpSize) {
  const Ended ended = heddle({"run", "reduction0", "--size", "tiny", "--set", "warp_size=4", "--set", "simd_width=2"});
  EXPECT_THAT(ended.out, HasSubstr("warps of 4 on 2 lanes"));
  EXPECT_THAT(ended.out, ContainsRegex(" W1 +W2 +W3 +W4 +Stall +W0_Mem +W0_Idle\n"));
}

TEST_F(Cycles, InputsThatDoNotFillTheMachineAreWarnedOf) {
  EXPECT_THAT(run_bfs().out, HasSubstr("\nwarning: the inputs do not fill this machine: for 9"));
  const json total = read_json("r.json")["total"];
  EXPECT_GT(total["empty_cycles"].get<double>(), 0.5 * 30 * total["cycles"].get<double>());
  EXPECT_LE(total["empty_cycles"].get<uint64_t>(), total["breakdown"]["W0_Idle"].get<uint64_t>());
  EXPECT_THAT(run_bfs({"--set", "cores=2"}).out, Not(HasSubstr("do not fill")));
  const Ended compared =
      heddle({"compare", "bfs", "reduction0", "--mechanisms", "pdom", "--size", "tiny", "--preset", kPreset});
  EXPECT_THAT(compared.out,
              ContainsRegex(
                  "do not fill this machine: cores have no block for most of their cycles on bfs \\(9[0-9.]+ %\\)\n"));
}

TEST_F(Cycles, EveryCoresBreakdownSumsToItsCycles) {
  run_bfs();
  const json run = read_json("r.json");
  EXPECT_EQ(run["fidelity"], "cycle");
  EXPECT_EQ(run["preset"], kPreset);
  EXPECT_EQ(run["schedule"], "lrr");
  std::vector<json> parts(run["kernels"].begin(), run["kernels"].end());
  parts.push_back(run["total"]);
  for (const json& part : parts) {
    ASSERT_EQ(part["cores"].size(), 30);
    for (const json& core : part["cores"]) {
      EXPECT_EQ(core["cycles"], part["cycles"]);
      EXPECT_EQ(sum_of(core["breakdown"]), part["cycles"]);
    }
    EXPECT_EQ(part["breakdown"], added(part["cores"], "breakdown"));
    EXPECT_EQ(part["idle_cycles"],
              part["breakdown"]["W0_Mem"].get<uint64_t>() + part["breakdown"]["W0_Idle"].get<uint64_t>());
    EXPECT_DOUBLE_EQ(part["ipc"], part["thread_instructions"].get<double>() / part["cycles"].get<double>());
    EXPECT_EQ(part["memory_stall_cycles"], sum_of(part["memory_stalls"]));
  }
}

TEST_F(Cycles, IssueCyclesAreIssueSlotsTimesTheCyclesOfAWarp) {
  run_bfs();
  const json total = read_json("r.json")["total"];
  uint64_t issued = 0;
  for (const auto& [name, cycles] : total["breakdown"].items())
    if (!name.starts_with("W0") && name != "Stall") issued += cycles.get<uint64_t>();
  EXPECT_EQ(issued, 4 * total["issue_slots"].get<uint64_t>());
}

TEST_F(Cycles, TheTotalIsTheSumOfTheLaunches) {
  run_bfs();
  const json run = read_json("r.json");
  for (const char* name : {"cycles", "idle_cycles", "empty_cycles", "memory_stall_cycles", "memory_slots", "lines",
                           "breakdown", "memory_stalls", "traffic"})
    EXPECT_EQ(run["total"][name], added(run["kernels"], name)) << name;
  uint64_t misses = 0, bytes = 0;
  for (const json& kernel : run["kernels"]) {
    misses += kernel["caches"]["l2"]["misses"].get<uint64_t>();
    bytes += kernel["dram"]["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(run["total"]["caches"]["l2"]["misses"], misses);
  EXPECT_EQ(run["total"]["dram"]["bytes"], bytes);
}

TEST_F(Cycles, RatesFollowFromTheCounts) {
  run_bfs();
  const json total = read_json("r.json")["total"];
  for (const char* name : {"l1", "l2"}) {
    const json& cache = total["caches"][name];
    EXPECT_GT(cache["accesses"], 0);
    EXPECT_EQ(cache["misses"],
              cache["fills"].get<uint64_t>() + cache["merges"].get<uint64_t>() + cache["unfetched"].get<uint64_t>());
    EXPECT_DOUBLE_EQ(total[fmt::format("{}_miss_rate", name)],
                     cache["misses"].get<double>() / cache["accesses"].get<double>());
  }
  const json& dram = total["dram"];
  const double requests = dram["reads"].get<double>() + dram["writes"].get<double>();
  EXPECT_DOUBLE_EQ(total["dram_row_hit_rate"], dram["row_hits"].get<double>() / requests);
  const double bandwidth = dram["bytes"].get<double>() * 1300e6 / total["cycles"].get<double>();
  EXPECT_DOUBLE_EQ(dram["bytes_per_second"], bandwidth);
  EXPECT_DOUBLE_EQ(dram["utilisation"], bandwidth / (8 * 16 * 800e6));
}

TEST_F(Cycles, SamplesSumToTheirLaunch) {
  run_bfs({"--sample", "700"});
  const json run = read_json("r.json");
  for (const json& kernel : run["kernels"]) {
    const json& samples = kernel["samples"];
    ASSERT_EQ(samples.size(), (kernel["cycles"].get<uint64_t>() + 699) / 700);
    for (const char* name : {"cycles", "thread_instructions", "issue_slots", "breakdown", "memory_stall_cycles"})
      EXPECT_EQ(added(samples, name), kernel[name]) << name;
    EXPECT_EQ(added(samples, "l1_misses"), kernel["caches"]["l1"]["misses"]);
    EXPECT_EQ(added(samples, "l2_misses"), kernel["caches"]["l2"]["misses"]);
    EXPECT_EQ(added(samples, "dram_bytes"), kernel["dram"]["bytes"]);
    EXPECT_EQ(added(samples, "dram_row_hits"), kernel["dram"]["row_hits"]);
    EXPECT_EQ(samples.back()["cycle"], kernel["cycles"]);
    for (const json& sample : samples) {
      EXPECT_EQ(sum_of(sample["breakdown"]), 30 * sample["cycles"].get<uint64_t>());
      EXPECT_DOUBLE_EQ(sample["ipc"], sample["thread_instructions"].get<double>() / sample["cycles"].get<double>());
    }
  }
}

TEST_F(Cycles, ASampleFileHoldsTheSameWithALineOfHeadings) {
  run_bfs({"--sample", "700", "--sample-file", "s.csv", "--quiet"});
  const std::vector<std::string> lines = split(read("s.csv"), '\n');
  EXPECT_THAT(lines[0],
              testing::StartsWith("launch,kernel,cycle,cycles,thread_instructions,issue_slots,ipc,W1-4,W5-8,"));
  const std::vector<std::string> headings = split(lines[0], ',');
  size_t line = 1, launch = 0;
  const json run = read_json("r.json");
  for (const json& kernel : run["kernels"]) {
    for (const json& sample : kernel["samples"]) {
      const std::vector<std::string> cells = split(lines.at(line++), ',');
      ASSERT_EQ(cells.size(), headings.size());
      EXPECT_EQ(cells[0], std::to_string(launch));
      EXPECT_EQ(cells[1], kernel["kernel"]);
      for (size_t i = 2; i < cells.size(); ++i) {
        const json& from = sample.contains(headings[i]) ? sample : sample["breakdown"];
        EXPECT_EQ(json::parse(cells[i]), from[headings[i]]) << headings[i];
      }
    }
    ++launch;
  }
  EXPECT_EQ(line, lines.size());
}

TEST_F(Cycles, SamplesAreOnlyThereWhenWanted) {
  run_bfs();
  EXPECT_FALSE(read_json("r.json")["kernels"][0].contains("samples"));
  EXPECT_FALSE(std::filesystem::exists(path("samples.csv")));
}

TEST_F(Cycles, TheSameRunGivesTheSameBytesExceptForTheHost) {
  const auto once = [&](const std::vector<std::string>& more) {
    run_bfs(more);
    const std::string text = read("r.json");
    return text.substr(0, text.find("\"host\""));
  };
  const std::string first = once({"--sample", "1000"});
  EXPECT_GT(first.size(), 10000);
  EXPECT_EQ(first, once({"--sample", "1000"}));
  EXPECT_EQ(first, once({"--sample", "1000", "--no-skip"}));
}

TEST_F(Cycles, SamplingChangesNothingElse) {
  run_bfs();
  json plain = read_json("r.json");
  run_bfs({"--sample", "333"});
  json sampled = read_json("r.json");
  for (json& kernel : sampled["kernels"]) kernel.erase("samples");
  for (const char* other : {"host", "run", "command"}) {
    plain.erase(other);
    sampled.erase(other);
  }
  EXPECT_EQ(plain, sampled);
}

class CycleCompare : public HeddleProgram {};

TEST_F(CycleCompare, ShowsCyclesIpcAndTheHarmonicMeanOfTheRatios) {
  const Ended ended =
      heddle({"compare", "reduction0", "histogram", "--size", "tiny", "--mechanisms", "pdom,tbc", "--json", "c.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out,
              ContainsRegex("workload +mechanism +cycles +IPC +vs pdom +SIMD eff. +idle +mem. stalls +check\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\nreduction0 +pdom +[0-9,]+ +[0-9.]+ +1.000 .* 1.000 +passed\n"));
  EXPECT_THAT(ended.out, HasSubstr("vs pdom: IPC over that of pdom; its mean is the harmonic mean."));
  const json comparison = read_json("c.json");
  EXPECT_EQ(comparison["fidelity"], "cycle");
  ASSERT_EQ(comparison["runs"].size(), 4);
  double inverse = 0, efficiency = 0;
  for (size_t w = 0; w < 2; ++w) {
    const json &first = comparison["runs"][2 * w], &second = comparison["runs"][2 * w + 1];
    const double ratio = second["total"]["ipc"].get<double>() / first["total"]["ipc"].get<double>();
    EXPECT_DOUBLE_EQ(second["ipc_against_first"], ratio);
    EXPECT_DOUBLE_EQ(first["ipc_against_first"], 1);
    inverse += 1 / ratio / 2;
    efficiency += second["total"]["simd_efficiency"].get<double>() / 2;
  }
  const json& mean = comparison["mean"][1];
  EXPECT_DOUBLE_EQ(mean["harmonic_mean"], 1 / inverse);
  EXPECT_DOUBLE_EQ(mean["simd_efficiency"], efficiency);
  EXPECT_EQ(mean["workloads"], 2);
  EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\n +tbc +{:.3f} +[0-9.]+ % +[0-9.]+ % +of 2\n", 1 / inverse)));
}

TEST_F(CycleCompare, DoesNotDependOnHowManyRunAtOnce) {
  const auto text = [&](const char* jobs) {
    const Ended ended = heddle({"compare", "reduction0", "bfs", "--size", "tiny", "--jobs", jobs});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  EXPECT_EQ(text("1"), text("4"));
}

TEST_F(CycleCompare, ThePageShowsWhatTheComparisonHasAndHowToMakeItAgain) {
  ASSERT_EQ(
      heddle({"compare", "reduction0", "--size", "tiny", "--mechanisms", "pdom,tbc", "--schedule", "age", "--lanes",
              "balanced", "--set", "cores=2", "--max-cycles", "9999999", "--html", "c.html", "--quiet"})
          .code,
      0);
  const auto data_of = [&](const char* file) {
    const std::string page = read(file), begin = "id=data>";
    const size_t from = page.find(begin) + begin.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from));
  };
  const auto timed = data_of("c.html");
  EXPECT_EQ(timed["command"],
            "heddle compare reduction0 --mechanisms pdom,tbc --size tiny --preset default --set cores=2 --set "
            "max_cycles=9999999 --lanes balanced --schedule age");
  ASSERT_EQ(timed["runs"].size(), 2);
  EXPECT_TRUE(timed["runs"][1]["total"]["breakdown"].contains("W0_Mem"));
  ASSERT_EQ(heddle({"compare", "reduction0", "--size", "tiny", "--mechanisms", "pdom", "--emulate", "--html", "e.html",
                    "--quiet"})
                .code,
            0);
  const auto emulated = data_of("e.html");
  EXPECT_THAT(emulated["command"].get<std::string>(), HasSubstr("--size tiny --preset default --emulate"));
  EXPECT_FALSE(emulated["runs"][0]["total"].contains("breakdown"));
}

TEST_F(CycleCompare, APageThatCannotBeWrittenIsAnErrorBeforeAnythingRuns) {
  const Ended ended = heddle({"compare", "bfs", "--html", "no/c.html"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("cannot write 'no/c.html'"));
}

}  // namespace
}  // namespace heddle::cli
