#include "cli/view_gallery.h"

#include "cli/interrupt.h"
#include "cli/many_runs.h"
#include "report/view/gallery.h"
#include "run/runner.h"

namespace heddle::cli {

std::vector<ViewExample> play_gallery(const std::vector<std::string>& mechanisms, size_t events, bool quiet) {
  std::vector<ViewExample> examples;
  std::vector<std::pair<size_t, RunSpec>> runs;  // of which example
  for (const GalleryExample& example : gallery()) {
    for (const std::string& mechanism : mechanisms.empty() ? mechanisms_for(example) : mechanisms) {
      runs.emplace_back(examples.size(), example.spec);
      runs.back().second.mechanism = mechanism;
      check_names(runs.back().second);
    }
    examples.push_back({example.name, example.title, example.text, example.spec.program, {}});
  }
  std::vector<Recording> recordings(runs.size());
  std::atomic<bool>* const stop = stop_on_interrupt();
  std::vector<RunResult> results = run_many({runs.size(), 0, quiet}, [&](size_t i) {
    const auto recorder = std::make_shared<Recorder>(TraceFilter{}, events);
    RunHooks hooks;
    hooks.stop = stop;
    hooks.observers.push_back(recorder);
    RunResult result = execute(runs[i].second, hooks);
    recordings[i] = recorder->recording();
    return result;
  });
  if (*stop) throw Error(ExitCode::Interrupted, "interrupted");
  for (size_t i = 0; i < runs.size(); ++i)
    examples[runs[i].first].runs.push_back({std::move(results[i]), std::move(recordings[i])});
  return examples;
}

}  // namespace heddle::cli
