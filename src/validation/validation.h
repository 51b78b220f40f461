// A simulated GPU beside a real one: every figure of both, and how far they are apart.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/breakdown.h"
#include "run/run_result.h"
#include "validation/hardware_data.h"

namespace heddle {

struct Beside {
  double hardware = 0, simulated = 0;
  double error() const { return simulated / hardware - 1; }  // of hardware that is not nothing
  double times_off() const { return simulated > hardware ? simulated / hardware : hardware / simulated; }
};

struct ValidatedMicro {
  std::string name, unit;
  Beside value;
  double least, most;  // of the hardware
  std::string failure;
};

// A kernel of a workload, over all its launches.
struct ValidatedKernel {
  std::string workload, kernel;
  unsigned launches = 0;
  std::map<std::string, Beside, std::less<>> values;  // by measure
  std::vector<CycleClass> spent;                      // where the cycles of the simulated cores went, the most first
  std::string failure;

  const Beside* find(std::string_view measure) const;
};

// Cycles of the cores by what they were spent on, the most first: "issue", "memory" (all wait for it), "pipeline" (a
// warp was ready and was not taken), "other waits", "no block".
std::vector<CycleClass> spent_of(const CoreStats& cores);
std::string spent_text(const std::vector<CycleClass>& spent);  // "memory 62 %, issue 20 %"

// Of many figures: the mean of |simulated / hardware - 1|, the worst, and how well the order agrees.
struct Agreement {
  size_t count = 0;
  double mean_error = 0;
  double spearman = 0;   // rank correlation
  double times_off = 1;  // of the worst
};
Agreement agreement_of(const std::vector<Beside>& values);

struct Validation {
  HardwareData hardware;
  RunSpec machine;
  std::vector<ValidatedMicro> micro;
  std::vector<ValidatedKernel> kernels;

  std::vector<Beside> all_of(std::string_view measure) const;  // of kernels that ended well, where both have it
  std::vector<Beside> workload_cycles() const;                 // summed over the kernels of each
};

// The machine at the clock of the measurement, its caches empty at each launch, as they were there.
RunSpec as_measured(RunSpec machine, const HardwareData& hardware);
ValidatedMicro validate_micro(const HardwareData::Micro& hardware, const RunSpec& machine);
std::vector<ValidatedKernel> validate_kernels(const HardwareData& hardware, const RunResult& run);

std::string validation_table(const Validation& validation);
// `command`: what makes it again.
std::string validation_markdown(const Validation& validation, const std::string& command);
nlohmann::ordered_json validation_json(const Validation& validation, const std::string& command);

}  // namespace heddle
