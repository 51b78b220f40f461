#include "cli/timeline_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/message.h"
#include "report/table.h"

namespace heddle::cli {
namespace {

constexpr uint64_t kAtFirst = 100000;  // what programs that draw it can still take in

}  // namespace

void TimelineOptions::declare(CLI::App& command, MachineOptions& machine) {
  machine.of_clock.push_back(command.add_option(
      "--timeline", file,
      "cycle level: what happens when, as trace events (for Perfetto), or for Konata if FILE ends in "
      ".kanata (docs/timeline.md)"));
  machine.of_clock.push_back(
      command.add_option("--timeline-cycles", cycles,
                         fmt::format("which cycles of the run: FROM:TO; the first {} else", grouped(kAtFirst))));
}

void TimelineOptions::check(const std::string& json) const {
  if (!cycles.empty() && file.empty()) throw Error(ExitCode::Usage, "--timeline-cycles needs --timeline FILE");
  if (file == "-" && json == "-") throw Error(ExitCode::Usage, "--timeline and --json cannot both be standard output");
}

TimelineFile::TimelineFile(const TimelineOptions& options)
    : file_(options.file),
      cycles_(options.cycles.empty() ? Range{0, kAtFirst} : range_of(options.cycles, "cycles")),
      whole_(options.cycles.empty()) {
  if (file_.wanted()) timeline_ = timeline_for(options.file, file_.stream(), cycles_);
}

void TimelineFile::add_to(Observers& observers) const {
  if (timeline_) observers.push_back(timeline_);
}

void TimelineFile::finish(bool quiet) {
  if (!timeline_) return;
  timeline_->finish();
  file_.close_stream();
  const uint64_t ran = timeline_->cycles();
  if (!quiet && whole_ && ran > cycles_.to)
    print_warning(fmt::format("the timeline ends at cycle {} of {}; --timeline-cycles FROM:TO shows other ones",
                              grouped(cycles_.to), grouped(ran)));
  if (!quiet && ran <= cycles_.from)
    print_warning(fmt::format("the timeline is empty: the run ended at cycle {}", grouped(ran)));
}

}  // namespace heddle::cli
