// heddle reproduce from the outside: a small experiment, stopped at any moment, goes on where it was.
#include <signal.h>

#include <map>

#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kExperiment = R"(
title = "A small experiment"
quick = "tiny"
full = "small"
preset = "default"
[sets]
some = ["hotspot", "reduction0", "bitonic", "matmul"]
[runs]
pdom = { mechanism = "pdom" }
tesla = { mechanism = "tesla" }
emulated = { mechanism = "pdom", emulate = true }
[[claim]]
id = "mine.1"
text = "what is compared with itself is the same"
paper = "even"
part = [{ name = "self", value = "ipc", of = "pdom", over = "pdom", on = "@some", holds = "= 1" }]
[[claim]]
id = "mine.2"
text = "tesla spends slots at joins"
paper = "more"
part = [
  { name = "slots", value = "issue_slots", of = "tesla", over = "pdom", on = "bitonic", holds = "> 1.005" },
  { name = "right", value = "passed", of = "emulated", on = "@some", fold = "min", holds = "= 1" },
]
)";

constexpr std::string_view kOnAllWorkloads = R"([[claim]]
id = "mine.3"
text = "t"
paper = "p"
part = [{ name = "n", value = "passed", of = "pdom", on = "*", fold = "min", holds = "= 1" }]
)";

class Reproduce : public HeddleProgram {
 protected:
  Reproduce() {
    write("mine.toml", kExperiment);
    write("long.toml", std::string(kExperiment) + std::string(kOnAllWorkloads));
  }

  std::map<std::string, std::string> results() const {
    std::map<std::string, std::string> files;
    if (fs::exists(path("results")))
      for (const fs::directory_entry& entry : fs::directory_iterator(path("results")))
        files[entry.path().filename().string()] = read("results/" + entry.path().filename().string());
    return files;
  }
  std::map<std::string, fs::file_time_type> times() const {
    std::map<std::string, fs::file_time_type> times;
    for (const fs::directory_entry& entry : fs::directory_iterator(path("results")))
      times[entry.path().filename().string()] = entry.last_write_time();
    return times;
  }
};

TEST_F(Reproduce, MeasuresJudgesAndPrints) {
  const Ended ended =
      heddle({"reproduce", "mine.toml", "--quick", "--details", "--json", "r.json", "--markdown", "r.md"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("2 claims: holds: 2"));
  EXPECT_THAT(ended.out,
              testing::ContainsRegex("mine.1 +what is compared with itself is the same +even +.0.0 % +holds"));
  const nlohmann::json json = read_json("r.json");
  EXPECT_EQ(json["schema"], "heddle-reproduction-1");
  EXPECT_EQ(json["experiments"][0]["claims"][1]["verdict"], "holds");
  EXPECT_GT(json["experiments"][0]["claims"][1]["parts"][0]["figure"], 1.005);
  EXPECT_EQ(json["experiments"][0]["claims"][0]["parts"][0]["workloads"].size(), 4U);
  EXPECT_THAT(read("r.md"),
              HasSubstr("| mine.1 | **what is compared with itself is the same** | even | +0.0 % | **holds** |"));
  EXPECT_EQ(results().size(), 9U);  // four under pdom, one under tesla, four emulated
}

TEST_F(Reproduce, RunsNothingTwice) {
  ASSERT_EQ(heddle({"reproduce", "mine.toml", "--quick"}).code, 0);
  const auto before = times();
  const std::string first = heddle({"reproduce", "mine.toml", "--quick"}).out;
  EXPECT_EQ(times(), before);
  EXPECT_THAT(heddle({"reproduce", "mine.toml", "--quick", "--list"}).out,
              HasSubstr("9 runs in all, 9 of them measured"));
  fs::remove(fs::path(path("results")) / before.begin()->first);
  EXPECT_EQ(heddle({"reproduce", "mine.toml", "--quick"}).out, first);
  EXPECT_EQ(times().size(), before.size());
}

TEST_F(Reproduce, KilledAtAnyMomentItLosesNothingAndGoesOn) {
  std::map<std::string, std::string> kept;
  std::map<std::string, fs::file_time_type> kept_times;
  for (const size_t more : {0, 1, 2, 1, 3}) {
    const pid_t pid = start({"reproduce", "long.toml", "--quick", "--jobs", "2"});
    EXPECT_TRUE(wait_until(pid, [&] { return results().size() >= kept.size() + more; }));
    kill(pid, SIGKILL);
    finish(pid);
    const auto now = results();
    for (const auto& [name, text] : now) EXPECT_TRUE(!name.ends_with(".json") || nlohmann::json::accept(text)) << name;
    for (const auto& [name, text] : kept) EXPECT_EQ(now.at(name), text) << name;
    for (const auto& [name, time] : kept_times) EXPECT_EQ(times().at(name), time) << name;
    kept.clear();
    kept_times.clear();
    for (const auto& [name, text] : now)
      if (name.ends_with(".json")) {
        kept[name] = text;
        kept_times[name] = times().at(name);
      }
  }
  const Ended ended = heddle({"reproduce", "long.toml", "--quick"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto all = results();
  for (const auto& [name, text] : kept) EXPECT_EQ(all.at(name), text);
  for (const auto& [name, time] : kept_times) EXPECT_EQ(times().at(name), time) << name;
  for (const auto& [name, text] : all) EXPECT_TRUE(name.ends_with(".json")) << name;
}

TEST_F(Reproduce, InterruptedItSaysSoAndTheSameCommandGoesOn) {
  const pid_t pid = start({"reproduce", "long.toml", "--jobs", "1", "--json", "r.json", "--markdown", "r.md"});
  ASSERT_TRUE(wait_until(pid, [&] { return results().size() >= 2; }));
  kill(pid, SIGTERM);
  const Ended ended = finish(pid);
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.err, HasSubstr("the same command goes on from there; the page was not written"));
  EXPECT_FALSE(fs::exists(path("r.md")));
  EXPECT_EQ(read_json("r.json")["schema"], "heddle-reproduction-1");
  EXPECT_GE(results().size(), 2U);
}

TEST_F(Reproduce, WrongNamesAreErrorsThatNameTheNearest) {
  EXPECT_THAT(heddle({"reproduce", "tbcc"}).err, HasSubstr("there is no experiment 'tbcc'; did you mean 'tbc'?"));
  EXPECT_THAT(heddle({"reproduce", "tbc.99"}).err, HasSubstr("tbc has no claim 'tbc.99'"));
  EXPECT_EQ(heddle({"reproduce", "missing.toml"}).code, 2);
  EXPECT_EQ(heddle({"reproduce", "mine.toml", "--results", "mine.toml"}).code, 2);
}

using ReproduceList = HeddleProgram;  // no threads: nothing for ThreadSanitizer, under which a list takes minutes

TEST_F(ReproduceList, WithoutNamesIsAllClaimsAndQuicklyWithoutVariants) {
  const std::string list = heddle({"reproduce", "--list", "--quick"}).out;
  EXPECT_THAT(list, ContainsRegex("\ntbc\\.1 +16 "));  // two mechanisms on eight workloads
  EXPECT_THAT(list, Not(HasSubstr("\nall-on-one ")));
}

}  // namespace
}  // namespace heddle::cli
