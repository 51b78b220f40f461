#include "observe/timeline.h"

#include "observe/pipeline_text.h"
#include "observe/trace_events.h"
#include "stats/kernel_stats.h"

namespace heddle {

void Timeline::launch_ended(KernelStats& stats) {
  if (stats.timing) cycles_ += stats.timing->cycles;
}

std::shared_ptr<Timeline> timeline_for(const std::string& path, std::FILE* to, Range cycles) {
  if (path.ends_with(".kanata")) return std::make_shared<PipelineText>(to, cycles);
  return std::make_shared<TraceEvents>(to, cycles);
}

}  // namespace heddle
