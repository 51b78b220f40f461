#include <fmt/format.h>

#include "cli/heddle_program.h"
#include "divergence/lane_map.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "schedule/registry.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class List : public HeddleProgram {
 protected:
  // Every row's name starts a line.
  template <class Rows>
  void expect_all(const std::string& what, const Rows& rows) {
    const Ended ended = heddle({"list", what});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(rows.size(), 0);
    for (const auto& row : rows) {
      EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\n{} ", row.name)));
      EXPECT_THAT(ended.out, HasSubstr(std::string(row.summary)));
    }
  }
};

TEST_F(List, ShowsAllWorkloads) { expect_all("workloads", workloads::all()); }
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
            "(lists: workloads, mechanisms, schedulers, lanes, presets, keys, instructions)\n");
}

}  // namespace
}  // namespace heddle::cli
