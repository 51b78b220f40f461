#include "run/store.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "base/error.h"
#include "gpu/machine_keys.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string name = (fs::temp_directory_path() / "heddle-store-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  static RunSpec spec() {
    RunSpec spec;
    spec.program = "bfs";
    spec.size = "tiny";
    return spec;
  }
  static Record record(double ipc) { return {0, "", 1.5, {{"ipc", ipc}, {"caches", {{"l1", {{"misses", 3}}}}}}}; }

  fs::path folder_;
};

TEST_F(StoreTest, GivesBackWhatWasKept) {
  const Store store(folder_);
  const RunIdentity identity = identity_of(spec());
  EXPECT_FALSE(store.find(identity));
  store.keep(spec(), identity, record(2.5));
  const std::optional<Record> found = Store(folder_).find(identity);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->total, record(2.5).total);
  EXPECT_EQ(found->seconds, 1.5);
}

TEST_F(StoreTest, EveryChoiceOfARunIsAnotherRun) {
  std::set<std::string> keys{identity_of(spec()).key};
  const auto differs = [&](const auto& change) {
    RunSpec other = spec();
    change(other);
    EXPECT_TRUE(keys.insert(identity_of(other).key).second);
  };
  differs([](RunSpec& s) { s.program = "mum"; });
  differs([](RunSpec& s) { s.size = "small"; });
  differs([](RunSpec& s) { s.compiler = "clang"; });
  differs([](RunSpec& s) { s.mechanism = "tbc"; });
  differs([](RunSpec& s) { s.lanes = "balanced"; });
  differs([](RunSpec& s) { s.schedule = "gto"; });
  differs([](RunSpec& s) { s.preset = "tbc-hpca11"; });
  differs([](RunSpec& s) { s.settings = {"lcp=true"}; });
  differs([](RunSpec& s) { s.settings = {"l1_ways=8"}; });
  differs([](RunSpec& s) { s.timed = false; });
  differs([](RunSpec& s) { s.instruments.add("taint"); });
  differs([](RunSpec& s) { s.instruments.add("scores"); });
}

TEST_F(StoreTest, TheSameMachineInOtherWordsIsTheSameRun) {
  RunSpec other = spec();
  const Config config = make_config(other.preset, {});
  other.settings = {"lcp=true", "lcp=false"};
  other.schedule = usual_schedule(config, other.mechanism);
  EXPECT_EQ(identity_of(other).key, identity_of(spec()).key);
}

// A preset says more of a machine than a run reads.
TEST_F(StoreTest, WhatARunDoesNotReadMakesNoOtherRun) {
  RunSpec slow = spec(), slower = spec();
  slow.timed = slower.timed = false;
  slower.settings = {"l1_latency=100"};
  EXPECT_EQ(identity_of(slow).key, identity_of(slower).key);
  slow.timed = slower.timed = true;
  EXPECT_NE(identity_of(slow).key, identity_of(slower).key);
}

TEST_F(StoreTest, KeepsTheWordsThatAskForTheRunAgain) {
  RunSpec run = spec();
  run.settings = {"warp_size=16"};
  Store(folder_).keep(run, identity_of(run), record(1));
  std::ifstream file(folder_ / (identity_of(run).key + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file);
  EXPECT_EQ(json["command"], "heddle run bfs --size tiny --mechanism pdom --preset default --set warp_size=16");
  EXPECT_EQ(json["run"]["settings"]["warp_size"], 16);
}

TEST_F(StoreTest, AFileThatIsDamagedOrAnothersCountsAsMissing) {
  const Store store(folder_);
  const RunIdentity identity = identity_of(spec());
  store.keep(spec(), identity, record(1));
  const fs::path file = folder_ / (identity.key + ".json");
  ASSERT_TRUE(fs::exists(file));
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_FALSE(store.find(identity));
  for (const char* text : {"[]", R"({"schema": 5})", R"({"schema": "heddle-result-1"})"}) {
    std::ofstream(file) << text;
    EXPECT_FALSE(store.find(identity)) << text;
  }
  RunIdentity other = identity;
  other.content["simulator"] = "another";
  store.keep(spec(), other, record(1));  // the same name, another simulator
  EXPECT_FALSE(store.find(identity));
  EXPECT_TRUE(store.find(other));
}

TEST_F(StoreTest, WhatADeadProcessLeftIsRemovedAndWhatALivingOneWritesIsNot) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto leftover = [&](const std::string& whose, pid_t process) {
    const fs::path file = folder_ / ("x.unfinished-" + whose + "-" + std::to_string(process) + "-0");
    std::ofstream(file) << "{";
    return file;
  };
  const fs::path dead = leftover(host, child), alive = leftover(host, getpid()), afar = leftover("afar", child);
  const Store store(folder_);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(afar)) << "who writes on another machine, nobody knows here";
}

TEST_F(StoreTest, InterruptedRunsBugsAndWhatThisMachineLacksAreNotWorthKeeping) {
  for (ExitCode code : {ExitCode::Ok, ExitCode::CheckFailed, ExitCode::Refused, ExitCode::Deadlock, ExitCode::Fault})
    EXPECT_TRUE(worth_keeping({static_cast<int>(code), "", 0, {}}));
  for (ExitCode code : {ExitCode::Interrupted, ExitCode::Internal, ExitCode::Host})
    EXPECT_FALSE(worth_keeping({static_cast<int>(code), "", 0, {}}));
}

TEST_F(StoreTest, TheNameOfAFileIsNotTooLongForAnyProgram) {
  RunSpec program = spec();
  program.kind = RunSpec::Kind::CudaProgram;
  program.program = (folder_ / std::string(250, 'a')).string();
  std::ofstream(program.program) << "#!/bin/sh";
  fs::permissions(program.program, fs::perms::owner_all);
  const RunIdentity identity = identity_of(program);
  Store(folder_).keep(program, identity, record(1));
  EXPECT_TRUE(Store(folder_).find(identity));
}

TEST_F(StoreTest, AFolderThatCannotBeIsAnError) {
  std::ofstream(folder_ / "file") << "";
  EXPECT_THROW(Store(folder_ / "file"), Error);
  EXPECT_THROW(Store(folder_ / "file" / "below"), Error);
}

}  // namespace
}  // namespace heddle
