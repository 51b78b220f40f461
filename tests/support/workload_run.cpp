#include "support/workload_run.h"

#include "support/amount.h"
#include "support/memory_image.h"

namespace heddle::scripted {
namespace {

class RememberingGpu : public Gpu {
 public:
  using Gpu::Gpu;
  Address allocate(size_t bytes, std::string_view label) override {
    const Address address = Gpu::allocate(bytes, label);
    if (!test::in_any_order(label)) extents_.push_back({address, bytes});
    return address;
  }
  std::vector<std::byte> image() {
    std::vector<std::byte> bytes;
    for (const Extent& extent : extents_) {
      const std::byte* from = memory().host(extent.begin);
      bytes.insert(bytes.end(), from, from + extent.bytes);
    }
    return bytes;
  }

 private:
  std::vector<Extent> extents_;
};

}  // namespace

std::vector<workloads::Workload> workloads_that_end() {
  std::vector<workloads::Workload> result;
  for (const workloads::Workload& workload : workloads::all())
    if (workload.kind != workloads::Kind::Waits) result.push_back(workload);
  return result;
}

std::vector<workloads::Workload> selected_workloads() {
  const std::vector<workloads::Workload> all = workloads_that_end();
  std::vector<workloads::Workload> selected;
  for (size_t i = 0; i < all.size(); i += test::amount(1, 1, 5)) selected.push_back(all[i]);
  return selected;
}

WorkloadRun run_workload(const workloads::Workload& workload, std::string_view mechanism, const WorkloadShape& shape) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.lanes = LaneMap::named(shape.lanes);
  if (shape.tracer) options.observers.push_back(std::make_shared<Steps>(shape.tracer));
  if (shape.scores) options.instruments.add("scores");
  options.timed = !shape.machine.empty();
  RememberingGpu gpu(make_config(options.timed ? shape.machine : "default", shape.set), options);
  gpu.load(workload.name, workload.ptx());
  const workloads::Check check = workload.run(gpu, workloads::Size::Tiny);
  return {check.passed, check.detail, gpu.total(), gpu.image()};
}

}  // namespace heddle::scripted
