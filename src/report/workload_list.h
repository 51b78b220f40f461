// heddle list workloads: what each is, and what was measured of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "run/run_result.h"

namespace heddle {

// The papers call a program divergent whose SIMD efficiency under pdom is below this (Fung, Aamodt 2011).
constexpr double kDivergentBelow = 0.76;

struct ListedWorkload {
  const workloads::Workload* workload = nullptr;
  RunResult run;
};

std::string_view class_of(const RunResult& run);  // "divergent", "coherent", or "FAILED"

std::string workload_names();  // without measurement
std::string workload_table(std::span<const ListedWorkload> workloads);
std::string workload_table_markdown(std::span<const ListedWorkload> workloads);
nlohmann::ordered_json workload_list_json(std::span<const ListedWorkload> workloads);

}  // namespace heddle
