// What each instruction of the kernels of a run cost, over all launches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/profile/profile.h"

namespace heddle {

struct InstructionCost {
  Cost cost;
  Time time;
};

struct KernelCosts {
  std::shared_ptr<const Kernel> kernel;
  std::vector<InstructionCost> by_pc;
  std::vector<double> blamed;  // lanes lost, by PC of the branch
  double blamed_on_nobody = 0;
};

// By the kernels' names. Of launches of `only`, if it is not empty.
std::map<std::string, KernelCosts> instruction_costs(const RunResult& result, const std::string& only = "");

// The sum over the instructions between a branch and the point where its threads meet again.
InstructionCost cost_inside(const KernelCosts& costs, Pc branch);

// How full the machine was in these launches.
MachineUse use_of(const RunResult& result, const std::string& only = "");
WaitCycles waits_for_nobody(const RunResult& result, const std::string& only = "");

}  // namespace heddle
