#include "cli/many_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "cli/progress.h"

namespace heddle::cli {

std::vector<RunResult> run_many(const ManyRuns& runs, const std::function<RunResult(size_t)>& run) {
  std::vector<std::optional<RunResult>> results(runs.count);
  std::atomic<size_t> next = 0, done = 0;
  const auto work = [&] {
    for (size_t i = next++; i < runs.count; i = next++) {
      results[i] = run(i);
      ++done;
    }
  };
  {
    const Progress progress(!runs.quiet, [&] { return fmt::format("{} of {} runs done", done.load(), runs.count); });
    const unsigned cores = runs.jobs > 0 ? runs.jobs : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < std::min<size_t>(cores, runs.count); ++i) threads.emplace_back(work);
  }
  std::vector<RunResult> all;
  for (std::optional<RunResult>& result : results) all.push_back(std::move(*result));
  return all;
}

}  // namespace heddle::cli
