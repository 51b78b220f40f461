#include "cli/many_runs.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "cli/progress.h"
#include "run/runs_under_way.h"

namespace heddle::cli {

void for_many(const ManyRuns& runs, const std::function<void(size_t)>& run) {
  const auto text = [](const auto& function, size_t i) { return function ? function(i) : std::string(); };
  const unsigned cores = runs.jobs > 0 ? runs.jobs : std::max(1U, std::thread::hardware_concurrency());
  RunsUnderWay under_way;
  under_way.start(0, cores);
  for (size_t i = 0; i < runs.count; ++i) under_way.expect(text(runs.kind, i));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < runs.count; i = next++) {
      under_way.begins(i, text(runs.name, i), text(runs.kind, i));
      run(i);
      under_way.ends(i, true);
    }
  };
  const Progress progress(!runs.quiet, [&] { return under_way.text(); });
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < std::min<size_t>(cores, runs.count); ++i) threads.emplace_back(work);
}

std::vector<RunResult> run_many(const ManyRuns& runs, const std::function<RunResult(size_t)>& run) {
  std::vector<std::optional<RunResult>> results(runs.count);
  for_many(runs, [&](size_t i) { results[i] = run(i); });
  std::vector<RunResult> all;
  for (std::optional<RunResult>& result : results) all.push_back(std::move(*result));
  return all;
}

}  // namespace heddle::cli
