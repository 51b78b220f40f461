#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/heddle_program.h"
#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "gpu/presets.h"
#include "schedule/registry.h"
#include "support/amount.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class List : public HeddleProgram {
 protected:
  // Every row's name starts a line.
  template <class Rows>
  void expect_all(const std::string& what, const Rows& rows) {
    const Ended ended = heddle({"list", what});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(rows.size(), 0);
    for (const auto& row : rows) {
      EXPECT_THAT(ended.out, HasSubstr(fmt::format("\n{} ", row.name)));
      EXPECT_THAT(ended.out, HasSubstr(std::string(row.summary)));
    }
  }
};

TEST_F(List, ShowsAllWorkloads) {
  const Ended ended = heddle({"list", "workloads"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const workloads::Workload& workload : workloads::all())
    EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\n{} +{} +[0-9,]+ +[0-9,]+ +[0-9.]+ % +(divergent|coherent)  ",
                                                     workload.name, workload.block)));
  EXPECT_THAT(ended.out, HasSubstr("\nmeasured at size tiny "));
}
TEST_F(List, WorkloadsFitATerminalOf120Columns) {
  for (const Ended& ended : {heddle({"list", "workloads"}), heddle({"list", "workloads", "--no-measure"})}) {
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  }
}
TEST_F(List, WorkloadsAreMeasuredAtTheSizeThatIsAskedFor) {
  const std::string size = test::full_run() ? "small" : "tiny";
  const Ended ended = heddle({"list", "workloads", "--size", size, "--compiler", "clang", "--json", "list.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nmeasured at size " + size));
  const nlohmann::json list = read_json("list.json");
  EXPECT_EQ(list["schema"], "heddle-workloads-1");
  for (const nlohmann::json& row : list["workloads"]) {
    EXPECT_EQ(row["size"], size);
    EXPECT_EQ(row["compiler"], "clang");
  }
}
TEST_F(List, WorkloadsAsJsonHaveWhatARunHas) {
  const Ended list = heddle({"list", "workloads", "--json", "-"}),
              run = heddle({"run", "bfs", "--size", "tiny", "--emulate", "--json", "-"});
  const nlohmann::json total = nlohmann::json::parse(run.out)["total"],
                       rows = nlohmann::json::parse(list.out)["workloads"];
  const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& each) { return each["name"] == "bfs"; });
  ASSERT_NE(row, rows.end());
  for (const char* field : {"launches", "blocks", "threads", "thread_instructions", "issue_slots", "simd_efficiency"})
    EXPECT_EQ((*row)[field], total[field]) << field;
  EXPECT_EQ((*row)["mechanism"], "pdom");
  const auto waits = std::find_if(rows.begin(), rows.end(), [](const auto& each) { return each["name"] == "atm"; });
  ASSERT_NE(waits, rows.end());
  EXPECT_EQ((*waits)["mechanism"], "its");
  EXPECT_EQ((*row)["class"], "divergent");
  EXPECT_EQ((*row)["papers"], nlohmann::json({"tbc", "capri", "slp", "lwm"}));
  EXPECT_EQ((*row)["kernels"], nlohmann::json({"expand_frontier", "advance_frontier"}));
}
TEST_F(List, WorkloadsWithoutMeasuringAreTheirNames) {
  const Ended ended = heddle({"list", "workloads", "--no-measure"});
  EXPECT_EQ(ended.code, 0);
  for (const workloads::Workload& workload : workloads::all())
    EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\n{} +{} ", workload.name, workload.block)));
  EXPECT_THAT(ended.out, Not(HasSubstr("divergent")));
}
TEST_F(List, OptionsOfTheWorkloadsDoNotGoWithOtherLists) {
  const Ended presets = heddle({"list", "presets", "--size", "tiny"});
  EXPECT_EQ(presets.code, 2);
  EXPECT_THAT(presets.err, HasSubstr("--size goes with 'heddle list workloads'"));
  EXPECT_EQ(heddle({"list", "workloads", "--no-measure", "--json", "-"}).code, 2);
  EXPECT_EQ(heddle({"list", "workloads", "--size", "huge"}).code, 2);
}
TEST_F(List, ShowsAllMechanisms) { expect_all("mechanisms", mechanisms()); }
TEST_F(List, ShowsAllSchedulers) { expect_all("schedulers", schedulers()); }
TEST_F(List, ShowsAllLaneMaps) { expect_all("lanes", LaneMap::all()); }
TEST_F(List, ShowsAllPresets) { expect_all("presets", all_presets()); }
TEST_F(List, ShowsAllKeys) {
  const Config config = make_config();
  expect_all("keys", config.keys());
}

TEST_F(List, WithoutANameShowsEverything) {
  const Ended ended = heddle({"list"});
  EXPECT_EQ(ended.code, 0);
  for (const char* heading :
       {"workloads:\n", "\nmechanisms:\n", "\nschedulers:\n", "\nlanes:\n", "\npresets:\n", "\nkeys:\n"})
    EXPECT_THAT(ended.out, HasSubstr(heading));
}

TEST_F(List, AnUnknownListIsAnErrorThatNamesTheLists) {
  const Ended ended = heddle({"list", "worklods"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "heddle: error: there is no list of 'worklods'; did you mean 'workloads'? "
            "(lists: workloads, mechanisms, schedulers, lanes, presets, keys, instructions, cuda)\n");
}

}  // namespace
}  // namespace heddle::cli
