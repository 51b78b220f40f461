// A workload: a CUDA kernel of ours, its seeded inputs, its launches and a CPU check of the whole result.
//
// Life cycle: the runner loads `ptx()` into the device, then calls `run(device, size)` once. `run` makes its
// inputs from a fixed seed, launches as often as the algorithm asks for (with host logic between launches
// where it has that), reads the result back and compares it with a CPU computation.
//
// Adding one = a folder here with kernel.cu, its PTX (tools/build-ptx makes it) and workload.cpp, and a
// row in registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gpu/device.h"
#include "workloads/ptx_text.h"

namespace heddle::workloads {

enum class Size : uint8_t { Tiny, Small, Paper };

struct Check {
  bool passed = true;
  std::string detail;  // what was compared, and the first difference where there is one
};

enum class Kind : uint8_t {
  Usual,   // what "*" means in an experiment: the programs that the papers measured
  Beyond,  // shows what came after them
  Waits,   // that, too; lanes of one warp wait for each other: it ends where all of them get on (MechanismRow::fair)
};

struct Workload {
  std::string_view name;
  std::string_view papers;   // "tbc capri slp"
  std::string_view block;    // "16x16"
  std::string_view summary;  // one line
  Check (*run)(Device&, Size);
  Kind kind = Kind::Usual;
  unsigned lockstep = 0;  // threads that it takes for a warp without asking; narrower warps get its result wrong

  std::string_view ptx(Compiler compiler = Compiler::Nvcc) const { return ptx_of(name, compiler); }
};

std::span<const Workload> all();
const Workload& find(std::string_view name);  // Error (Usage) that lists the nearest names
Size size_named(std::string_view name);       // Error (Usage)

}  // namespace heddle::workloads
