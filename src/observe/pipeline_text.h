// A run as pipeline text, for Konata (its format is named Kanata, version 0004): a row per instruction of a warp, in
// the order of issue. Stages: Ex, it executes, or is on its way to the memory stage; Hi and Mi, it was served there,
// and waits for its values: all lines were hits, or not. What is under way when a launch ends in an error counts as
// flushed.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "observe/timeline.h"

namespace heddle {

class PipelineText : public Timeline {
 public:
  PipelineText(std::FILE* to, Range cycles);
  uint32_t wants() const override { return kSteps | kFlights | kAccesses; }
  void issued(const Scene& scene, const Issued& event) override;
  void synced(const Scene& scene, const Synced& event) override;
  void accessed(const Scene& scene, const Accessed& event) override;
  void completed(const Scene& scene, const Completed& event) override;
  void launch_ended(KernelStats& stats) override;
  void finish() override;

 private:
  struct Row {
    uint64_t id;
    Pc pc;
    const char* stage;
  };
  using OnCore = std::pair<unsigned, WarpId>;

  void begin(const Scene& scene, WarpId warp, Pc pc);
  void enter(Row& row, const char* stage);
  void end(const Row& row, bool flushed);
  void flush();
  void advance_to(uint64_t cycle);

  std::map<OnCore, std::vector<Row>> under_way_;  // of a warp, in the order of issue
  uint64_t next_id_ = 0, retired_ = 0, now_ = 0;
  bool began_ = false;
};

}  // namespace heddle
