// Many runs on more than one machine, over a folder of results that all of them see: --shard does a part of them here,
// --slurm has Slurm do all parts and then goes on as if they had been done here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "experiment/batch.h"

namespace heddle::cli {

class ClusterOptions {
 public:
  void declare(CLI::App& command);

  Shard shard() const { return shard_.empty() ? Shard{} : Shard::of(shard_); }
  bool is_part() const { return !shard_.empty(); }
  // With --slurm, where runs are missing: returns when Slurm's tasks have ended, however they did. Error (Usage) if
  // they cannot be submitted.
  void do_elsewhere(const Batch& batch, const std::string& results, bool quiet) const;
  // What is said of a part that is done, instead of a table.
  static std::string summary(const Batch& batch, const Shard& shard, const std::string& results);

 private:
  std::string shard_;
  unsigned tasks_ = 0;
  std::vector<std::string> sbatch_;
};

}  // namespace heddle::cli
