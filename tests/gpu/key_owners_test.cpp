// Over the registries: a run reads the parameters of its own parts, and a setting that no part reads is refused.
#include "gpu/key_owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "core/core_parameters.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "memory/memory_parameters.h"
#include "schedule/registry.h"
#include "support/scripted.h"

namespace heddle {
namespace {

using testing::HasSubstr;

RunParts run_of(std::string_view mechanism, bool timed = true, std::string_view schedule = "") {
  return {std::string(mechanism), std::string(schedule), timed, {}};
}

std::string assignment_of(const Key& key) { return std::string(key.name) + "=" + std::string(key.initial); }

// "" or what it was refused with.
std::string refusal(const std::string& assignment, const std::vector<RunParts>& runs) {
  try {
    check_read(std::vector{assignment}, make_config(), runs);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "";
}

bool has(std::span<const Key> keys, std::string_view name) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

TEST(KeyOwners, EveryMechanismAcceptsItsOwnKeysAndRefusesThoseOfOthers) {
  for (const MechanismRow& row : mechanisms())
    for (const MechanismRow& other : mechanisms())
      for (const Key& key : other.keys) {
        const std::string refused = refusal(assignment_of(key), {run_of(row.name)});
        EXPECT_EQ(refused.empty(), has(row.keys, key.name)) << row.name << ": " << key.name;
        if (!refused.empty()) {
          EXPECT_THAT(refused, HasSubstr(std::string(other.name))) << "who would read it";
        }
      }
}

TEST(KeyOwners, EverySchedulerAcceptsItsOwnKeysAndRefusesThoseOfOthers) {
  for (const SchedulerRow& row : schedulers())
    for (const SchedulerRow& other : schedulers())
      for (const Key& key : other.keys) {
        const std::string refused = refusal(assignment_of(key), {run_of("pdom", true, row.name)});
        EXPECT_EQ(refused.empty(), has(row.keys, key.name)) << row.name << ": " << key.name;
        if (!refused.empty()) {
          EXPECT_THAT(refused, HasSubstr("scheduler " + std::string(other.name)));
        }
      }
}

// What a mechanism declares it reads: without the key it cannot be made. Two keys are read for it by others: the core
// forms sub-warps, and who is issued next is asked outside.
TEST(KeyOwners, EveryMechanismReadsWhatItDeclares) {
  const scripted::Listing listing{"A: exit"};
  for (const MechanismRow& row : mechanisms()) {
    Host host{listing.kernel(), 32};
    EXPECT_NO_THROW(make_mechanism(row, host, make_config())) << row.name;
    for (const Key& key : row.keys) {
      if (key.name == "form_cycles" || key.name == kBlockPriorityKey) continue;
      std::vector<Key> others;
      for (const Key& each : row.keys)
        if (each.name != key.name) others.push_back(each);
      Host fresh{listing.kernel(), 32};
      EXPECT_THROW(row.make(fresh, Config(others)), Error) << row.name << ": " << key.name;
    }
  }
}

TEST(KeyOwners, RowsSayWhatTheMechanismsAre) {
  const scripted::Listing listing{"A: exit"};
  for (const MechanismRow& row : mechanisms()) {
    Host host{listing.kernel(), 32};
    EXPECT_EQ(make_mechanism(row, host, make_config())->traits().interleave, row.interleaves) << row.name;
    EXPECT_EQ(has(row.keys, kBlockPriorityKey), row.by_block) << row.name;
  }
}

TEST(KeyOwners, EmulationReadsNoClock) {
  for (std::span<const Key> keys : {clock_keys(), CoreParameters::keys(), MemoryParameters::keys()})
    for (const Key& key : keys) {
      EXPECT_EQ(refusal(assignment_of(key), {run_of("pdom", true)}), "") << key.name;
      EXPECT_THAT(refusal(assignment_of(key), {run_of("pdom", false)}), HasSubstr("without --emulate")) << key.name;
    }
  for (std::span<const Key> keys : {machine_keys(), CoreParameters::room_keys()})
    for (const Key& key : keys) EXPECT_EQ(refusal(assignment_of(key), {run_of("pdom", false)}), "") << key.name;
  EXPECT_EQ(refusal("interleave=true", {run_of("pdom", false)}), "");
  EXPECT_THAT(refusal("interleave=true", {run_of("pdom", true)}), HasSubstr("it counts for emulation"));
  EXPECT_THAT(refusal("compact_cycles=2", {run_of("tbc", false)}), HasSubstr("at cycle level"));
}

TEST(KeyOwners, WhoIsNextIsSaidByOneKeyAndOnlyWhereSomebodyAsks) {
  EXPECT_EQ(refusal("schedule=gto", {run_of("pdom")}), "");
  EXPECT_NE(refusal("schedule=gto", {run_of("tbc")}), "");
  EXPECT_EQ(refusal("block_priority=srr", {run_of("tbc")}), "");
  EXPECT_NE(refusal("schedule=gto", {run_of("pdom", true, "rr")}), "") << "--schedule rr stands instead";
  EXPECT_NE(refusal("schedule=gto", {run_of("pdom", false)}), "") << "emulation runs warp by warp";
  EXPECT_EQ(refusal("schedule=gto", {run_of("dwf", false)}), "") << "but dwf interleaves";
}

TEST(KeyOwners, OfSeveralRunsOneThatReadsAKeyIsEnough) {
  EXPECT_EQ(refusal("lcp=true", {run_of("capri"), run_of("tbc")}), "");
  EXPECT_THAT(refusal("lcp=true", {run_of("capri"), run_of("dwf")}),
              testing::Eq("--set lcp=true: nothing in this run reads lcp; it counts for mechanisms pdom, tbc, tbc+, "
                          "tbc-ideal"));
}

TEST(KeyOwners, WhatCardsAreCalledCountsForCudaProgramsAlone) {
  EXPECT_THAT(refusal("card_name=mine", {run_of("pdom")}), HasSubstr("it counts for CUDA programs"));
  RunParts cuda = run_of("pdom");
  cuda.shown = {"card_name"};
  EXPECT_EQ(refusal("card_name=mine", {cuda}), "");
}

TEST(KeyOwners, EveryKeyHasOneOwner) {
  std::vector<std::string_view> names;
  for (const KeyGroup& group : key_groups())
    for (const Key& key : group.keys) names.push_back(key.name);
  const size_t all = names.size();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()) - names.begin(), static_cast<std::ptrdiff_t>(all));
}

}  // namespace
}  // namespace heddle
