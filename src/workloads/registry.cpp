// The table of workloads. run_NAME() lives in NAME/workload.cpp.
#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "workloads/workload.h"

namespace heddle::workloads {

Check run_backprop(Device&, Size);
Check run_bfs(Device&, Size);
Check run_bitonic(Device&, Size);
Check run_blackscholes(Device&, Size);
Check run_histogram(Device&, Size);
Check run_indirect(Device&, Size);
Check run_lps(Device&, Size);
Check run_mandelbrot(Device&, Size);
Check run_matmul(Device&, Size);
Check run_nvrt(Device&, Size);
Check run_recursion(Device&, Size);
Check run_reduction0(Device&, Size);

namespace {

constexpr std::array kWorkloads = {
    Workload{"backprop", "tbc capri slp", "16x16", "neural layer: tx==0 loads, tree reduction, weight update",
             run_backprop},
    Workload{"bfs", "tbc capri slp lwm", "256/512",
             "level-synchronous breadth-first search on a random and a power-law graph", run_bfs},
    Workload{"bitonic", "slp", "256", "bitonic sort in shared memory, ixj > tid, (tid & k) == 0", run_bitonic},
    Workload{"blackscholes", "lwm", "128", "option pricing with transcendental functions, grid-stride loop",
             run_blackscholes},
    Workload{"histogram", "lwm", "256", "256-bin histogram, atomics on shared memory", run_histogram},
    Workload{"indirect", "stackless", "64", "bytecode interpreter: jump table and function-pointer table",
             run_indirect},
    Workload{"lps", "tbc capri slp", "32x4", "3-D Laplace, border threads idle, loop over planes", run_lps},
    Workload{"mandelbrot", "slp", "32x8", "escape time per pixel with a persistent tile loop", run_mandelbrot},
    Workload{"matmul", "lwm", "16x16", "tiled matrix product", run_matmul},
    Workload{"nvrt", "tbc", "32x6", "ray tracing with persistent threads and a BVH walk, relies on warp synchrony",
             run_nvrt},
    Workload{"recursion", "stackless", "64", "quicksort per thread by real device recursion", run_recursion},
    Workload{"reduction0", "slp lwm", "256", "interleaved-address reduction, tid % (2*s) == 0", run_reduction0},
};

}  // namespace

std::span<const Workload> all() { return kWorkloads; }

const Workload& find(std::string_view name) {
  auto found = std::ranges::find(kWorkloads, name, &Workload::name);
  if (found != kWorkloads.end()) return *found;
  std::vector<std::string_view> names;
  for (const Workload& workload : kWorkloads) names.push_back(workload.name);
  const std::string advice = did_you_mean(name, names);
  throw Error(ExitCode::Usage, "no workload is called '" + std::string(name) + "'" +
                                   (advice.empty() ? "; there are " + joined(names) : advice));
}

Size size_named(std::string_view name) {
  if (name == "tiny") return Size::Tiny;
  if (name == "small") return Size::Small;
  if (name == "paper") return Size::Paper;
  throw Error(ExitCode::Usage, "no size is called '" + std::string(name) + "'; the sizes are tiny, small and paper");
}

}  // namespace heddle::workloads
