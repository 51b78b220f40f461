#include <fmt/format.h>
#include "gpu/gpu.h"
#include "workloads/workload.h"
int main(int argc, char** argv) {
  using namespace heddle;
  try {
    const auto& w = workloads::find(argc > 1 ? argv[1] : "matmul");
    std::vector<std::string> sets(argv + std::min(argc, 4), argv + argc);
    Gpu gpu(make_config("default", sets), {argc > 3 ? argv[3] : "pdom", LaneMap::none(), {}, nullptr});
    gpu.load(w.name, w.ptx());
    const auto check = w.run(gpu, workloads::size_named(argc > 2 ? argv[2] : "tiny"));
    const auto t = gpu.total();
    fmt::print("{} {} slots {} eff {:.3f} {:.1f} Mslots/s {}\n", w.name, check.passed, t.issue_slots, t.simd_efficiency(32), t.issue_slots / gpu.seconds() / 1e6, check.detail);
  } catch (const Error& e) { fmt::print(stderr, "{}\n", e.what()); return static_cast<int>(e.code()); }
}
