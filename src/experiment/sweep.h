// A sweep: workloads, or a CUDA program, × the values of several axes, each a run; how every point of the axes does
// against the first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/batch.h"
#include "experiment/head_to_head.h"

namespace heddle {

// A key of the machine, or mechanism, lanes, schedule, preset, size or compiler.
struct Axis {
  std::string name;
  std::vector<std::string> values;
};

// "warp_size=8,16,32", "l1_bytes=16k..128k*2" (doubling), "cores=2..8+2" (by two); k and m are 1024 and 1024². Error
// (Usage) for what cannot be read.
Axis axis_of(std::string_view text);

class Sweep {
 public:
  // The last axis changes fastest. `base` says what kind the workloads are. What is named twice counts once.
  // Error (Usage) for names and values that there are not, an axis without values, two of one name, keys that no run
  // reads, or that `base` sets, and for too many runs.
  Sweep(RunSpec base, std::vector<std::string> workloads, std::vector<Axis> axes);

  const std::vector<std::string>& workloads() const { return workloads_; }
  const std::vector<Axis>& axes() const { return axes_; }
  size_t points() const { return points_.size(); }
  const RunSpec& base() const { return base_; }
  const RunSpec& spec(size_t point) const { return points_[point].spec; }                       // without a workload
  const std::vector<std::string>& values(size_t point) const { return points_[point].values; }  // by axis
  std::string name(size_t point) const;  // "tbc, lanes=balanced, warp_size=16": what varies

  // Asks for all runs. Points whose values contradict each other are left out, and say why.
  void need(Batch& batch);
  const std::string& contradiction(size_t point) const { return points_[point].contradiction; }  // "": none
  const Batch::Run* run(const Batch& batch, size_t point, size_t workload) const;                // null: contradictory

 private:
  struct Point {
    std::vector<std::string> values;
    RunSpec spec;
    std::string contradiction;
    std::vector<size_t> runs;  // by workload
  };

  void check_values() const;
  void check_size() const;
  void check_settings() const;
  void make_points();

  RunSpec base_;
  std::vector<std::string> workloads_;
  std::vector<Axis> axes_;
  std::vector<Point> points_;
};

// The points against each other, without those that contradict themselves.
HeadToHeadResult ranked(const Sweep& sweep, const Batch& batch);

// All points, or the best where there are many, and which is best where; with details every workload. Not every run
// need have been made.
std::string sweep_table(const Sweep& sweep, const Batch& batch, bool details);
std::string sweep_csv(const Sweep& sweep, const Batch& batch);
nlohmann::ordered_json sweep_json(const Sweep& sweep, const Batch& batch, const std::string& command);

}  // namespace heddle
