// What each line and each branch of a program costs: values only, printed by profile_table, profile_json and the
// report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/run_result.h"

namespace heddle {

struct Cost {
  uint64_t slots = 0;       // issue slots
  uint64_t threads = 0;     // thread executions
  uint64_t active = 0;      // active threads, summed over the slots
  uint64_t lanes_lost = 0;  // warp size × slots − active
  uint64_t slots_lost = 0;  // slots − those that whole warps of the same threads would take, launch by launch
  bool operator==(const Cost&) const = default;
  void add(const Cost& other);
};

struct ProfileLine {
  std::string file;
  uint32_t line = 0;
  std::string text;
  Cost cost;
  uint64_t branches = 0, diverged = 0;  // slots of branches on it, and those whose threads diverged
  BranchKind kind = BranchKind::Unknown;
};

struct ProfileBranch {
  BranchPlace branch;
  std::string file;  // of its line, as in ProfileLine
  uint32_t line = 0;
  double lanes_lost = 0;  // because threads diverged here (blame.h)
};

struct Profile {
  Cost total;                           // sums of the lines
  double lanes_lost_by_nobody = 0;      // with the branches' it sums to total.lanes_lost
  std::vector<ProfileLine> lines;       // that were executed; the most lanes lost first
  std::vector<ProfileBranch> branches;  // at which threads diverged; likewise
  std::vector<std::pair<std::string, std::vector<std::string>>> sources;  // texts of the files with such lines
};

// Of a run with GpuOptions::profile.
Profile profile_of(const RunResult& result);

std::string profile_table(const RunResult& result, const Profile& profile, size_t rows);  // 0: all
nlohmann::ordered_json profile_json(const RunResult& result, const Profile& profile);

}  // namespace heddle
