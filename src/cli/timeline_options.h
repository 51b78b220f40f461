// --timeline and --timeline-cycles, of run and exec.
#pragma once

#include <memory>
#include <string>

#include "cli/machine_options.h"
#include "cli/output_file.h"
#include "observe/timeline.h"

namespace heddle::cli {

struct TimelineOptions {
  std::string file, cycles;

  void declare(CLI::App& command, MachineOptions& machine);
  void check(const std::string& json) const;  // Error (Usage) for options that do not go together
};

// The timeline of one run, where one is wanted: tell the run of observer(), and finish() when it is over.
class TimelineFile {
 public:
  explicit TimelineFile(const TimelineOptions& options);
  void add_to(Observers& observers) const;
  void finish(bool quiet);  // says what is not in the file

 private:
  OutputFile file_;
  Range cycles_;
  bool whole_;  // nobody has chosen which
  std::shared_ptr<Timeline> timeline_;
};

}  // namespace heddle::cli
