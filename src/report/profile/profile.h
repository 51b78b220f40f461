// What each line and each branch of a program costs, and what limits it: values only, printed by profile_table,
// profile_json and the report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/profile/answer.h"
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

// Cycles of cores; all 0 without a clock.
struct Time {
  uint64_t issued = 0;  // the port was taken by it
  PcTiming waits;       // nothing was issued, and it was waited for; and its accesses to memory
  uint64_t cycles() const { return issued + waits.all_waited(); }
  void add(const Time& other);
};

struct ProfileLine {
  std::string file;
  uint32_t line = 0;
  std::string text;
  Cost cost;
  uint64_t branches = 0, diverged = 0;  // slots of branches on it, and those whose threads diverged
  BranchKind kind = BranchKind::Unknown;
  Time time;
  std::string what;    // of its instructions, the one that is waited for longest: "load", …
  PcTiming slowest{};  // what was counted of that one
};

struct ProfileBranch {
  BranchPlace branch;
  std::string file;  // of its line, as in ProfileLine
  uint32_t line = 0;
  double lanes_lost = 0;  // because threads diverged here (blame.h)
  Cost inside;            // between it and the point where its threads meet again; regions lie in each other
  Time time_inside;
};

struct ProfileKernel {
  std::string kernel;
  size_t launches = 0;
  uint64_t cycles = 0;  // of the core clock
  Cost cost;
  Answer answer;
};

// What another mechanism would give back (what_if.h).
struct Saved {
  double slots = 0;  // negative: it takes more
  int64_t cycles = 0;
};

struct WhatIf {
  std::string mechanism;
  std::string problem;  // why there is nothing to say; empty: there is
  Saved all;
  uint64_t slots = 0, cycles = 0;  // that it takes
  double by_nobody = 0;            // slots
  std::vector<Saved> branches;     // as Profile::branches
};

struct Profile {
  Cost total;                           // sums of the lines
  double lanes_lost_by_nobody = 0;      // with the branches' it sums to total.lanes_lost
  std::vector<ProfileLine> lines;       // that were executed; the most lanes lost first
  std::vector<ProfileBranch> branches;  // at which threads diverged; likewise
  std::vector<std::pair<std::string, std::vector<std::string>>> sources;  // texts of the files with such lines
  // At cycle level:
  Time time;             // sums of the lines
  WaitCycles nobodys{};  // cycles that were waited for no instruction
  MachineUse use;
  std::vector<ProfileKernel> kernels;  // in the order of their first launch
  Answer answer;                       // first of all
  std::vector<WhatIf> what_if;         // of the mechanisms that were asked for
};

// Of a run with the instrument `profile`.
Profile profile_of(const RunResult& result);

// The word for an instruction that is waited for.
std::string what_is(const Instruction& instruction);

std::string profile_command(const RunResult& result, const Profile& profile);             // that makes it again
std::string profile_table(const RunResult& result, const Profile& profile, size_t rows);  // 0: all
nlohmann::ordered_json profile_json(const RunResult& result, const Profile& profile);

}  // namespace heddle
