// What a page could show beside what it shows.
#include <algorithm>

#include "report/page/charts.h"

namespace heddle {

std::vector<Wanted> wanted(const ReportData& results, const std::vector<RunGroup>& groups,
                           const std::vector<Chart>& curves) {
  const auto none = [&](auto&& chart_of) {
    return std::all_of(groups.begin(), groups.end(), [&](const RunGroup& group) { return chart_of(group).empty(); });
  };
  const auto no_curve = [&](const std::string& key) {
    return std::none_of(curves.begin(), curves.end(),
                        [&](const Chart& chart) { return chart.id.starts_with("curve-" + key); });
  };
  std::vector<Wanted> list;
  if (results.runs.empty() && results.claims.empty()) return list;  // a profile is complete
  if (none(ipc_chart))
    list.push_back({"Speed of mechanisms, idle cycles, memory traffic and stalls (cycle level)",
                    "heddle compare --mechanisms pdom,tbc,capri,lwm,dwf --preset tbc-hpca11 --json results.json"});
  if (none(compaction_chart))
    list.push_back({"Compaction rates of P- and D-branches by lane map",
                    "heddle compare --mechanisms tbc --emulate --taint --json results.json"});
  if (none(decision_chart))
    list.push_back({"CAPRI's four outcomes",
                    "heddle compare --mechanisms tbc,capri --preset capri-isca12 --scores --json results.json"});
  if (no_curve("capt_entries"))
    list.push_back({"The curve over the CAPT size",
                    "for n in 4 8 16 32 64 0; do heddle compare --mechanisms capri --preset capri-isca12 --set "
                    "capt_entries=$n --json results/capt-$n.json; done; heddle report results -o report.html"});
  if (no_curve("warp_size"))
    list.push_back({"The curve over the warp size",
                    "for n in 8 16 32; do heddle compare --mechanisms pdom,tbc --emulate --set warp_size=$n --json "
                    "results/warp-$n.json; done; heddle report results -o report.html"});
  if (no_curve("fetch_group"))
    list.push_back({"The curve over the fetch group",
                    "for n in 1 2 4 8 16 32; do heddle compare --mechanisms pdom,lwm --preset large-warp-2010 "
                    "--schedule two-level --set fetch_group=$n --json results/fetch-$n.json; done; heddle report "
                    "results -o report.html"});
  if (results.claims.empty())
    list.push_back({"What the papers claim, and what is measured here",
                    "heddle reproduce --quick --json results/reproduction.json; heddle report results -o report.html"});
  if (results.profiles.empty())
    list.push_back(
        {"A kernel's source with what each line and branch costs",
         "heddle profile bfs --emulate --taint --json profile.json; heddle report profile.json -o report.html"});
  return list;
}

}  // namespace heddle
