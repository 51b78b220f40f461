// --timeline: what happens when, for programs that draw it. One observer per format; both write as it happens, and keep
// no more than what is under way. Time is the cycle of the core clock, from the first launch on.
#pragma once

#include <cstdio>
#include <memory>

#include "divergence/observer.h"
#include "observe/range.h"

namespace heddle {

class Timeline : public Observer {
 public:
  // Nothing comes behind it: the file is whole.
  virtual void finish() = 0;
  // Cycles of all launches; those behind the range are not in the file.
  uint64_t cycles() const { return cycles_; }
  void launch_ended(KernelStats& stats) override;

 protected:
  Timeline(std::FILE* to, Range range) : to_(to), range_(range) {}
  std::FILE* const to_;
  const Range range_;

 private:
  uint64_t cycles_ = 0;
};

// Trace-event JSON (trace_events.h), or where the file is named so the pipeline text of Konata (pipeline_text.h).
std::shared_ptr<Timeline> timeline_for(const std::string& path, std::FILE* to, Range cycles);

}  // namespace heddle
