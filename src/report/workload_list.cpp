#include "report/workload_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/table.h"

namespace heddle {
namespace {

constexpr size_t kWidth = 120;

double efficiency_of(const RunResult& run) { return run.total.stats.simd_efficiency(run.warp_size()); }

std::vector<std::string> kernels_of(const RunResult& run) {
  std::vector<std::string> names;
  for (const LaunchResult& launch : run.launches)
    if (std::ranges::find(names, launch.stats.kernel) == names.end()) names.push_back(launch.stats.kernel);
  return names;
}

std::string description_of(const workloads::Workload& workload) {
  if (workload.papers.empty()) return std::string(workload.summary);
  return fmt::format("{} ({})", workload.summary, workload.papers);
}

}  // namespace

std::string_view class_of(const RunResult& run) {
  if (!run.passed()) return "FAILED";
  return efficiency_of(run) < kDivergentBelow ? "divergent" : "coherent";
}

std::string workload_names() {
  Table table({{"name", false}, {"block", false}, {"papers", false}, {"what it does", false}});
  for (const workloads::Workload& workload : workloads::all())
    table.add({std::string(workload.name), std::string(workload.block), std::string(workload.papers),
               std::string(workload.summary)});
  return table.text(kWidth);
}

std::string workload_table(std::span<const ListedWorkload> workloads) {
  Table table({{"name", false},
               {"block", false},
               {"blocks"},
               {"instructions"},
               {"SIMD eff."},
               {"class", false},
               {"what it does (papers)", false}});
  for (const auto& [workload, run] : workloads)
    table.add({std::string(workload->name), std::string(workload->block), grouped(run.total.stats.blocks),
               grouped(run.total.stats.thread_instructions), percent(efficiency_of(run)), std::string(class_of(run)),
               description_of(*workload)});
  return table.text(kWidth);
}

std::string workload_table_markdown(std::span<const ListedWorkload> workloads) {
  std::string text =
      "| workload | kernels | launches | blocks | thread instructions | issue slots | SIMD efficiency | class |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const auto& [workload, run] : workloads)
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {}{} |\n", workload->name, kernels_of(run).size(),
                    run.launches.size(), grouped(run.total.stats.blocks), grouped(run.total.stats.thread_instructions),
                    grouped(run.total.stats.issue_slots), percent(efficiency_of(run)), class_of(run),
                    workload->kind == workloads::Kind::Waits ? fmt::format(", {}", run.spec.mechanism) : "");
  return text;
}

nlohmann::ordered_json workload_list_json(std::span<const ListedWorkload> workloads) {
  nlohmann::ordered_json json{{"schema", "heddle-workloads-1"}, {"workloads", nlohmann::ordered_json::array()}};
  for (const auto& [workload, run] : workloads) {
    const KernelStats& total = run.total.stats;
    json["workloads"].push_back({{"name", workload->name},
                                 {"papers", split(workload->papers, ' ')},
                                 {"block", workload->block},
                                 {"summary", workload->summary},
                                 {"size", run.spec.size},
                                 {"compiler", run.spec.compiler},
                                 {"mechanism", run.spec.mechanism},
                                 {"class", class_of(run)},
                                 {"kernels", kernels_of(run)},
                                 {"launches", run.launches.size()},
                                 {"blocks", total.blocks},
                                 {"threads", total.threads},
                                 {"thread_instructions", total.thread_instructions},
                                 {"issue_slots", total.issue_slots},
                                 {"simd_efficiency", efficiency_of(run)}});
  }
  return json;
}

}  // namespace heddle
