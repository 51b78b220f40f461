// A GPU as host code sees it, with the emulation machine or the cycle-level machine inside: memory, modules, launches,
// and the statistics of each launch.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/config.h"
#include "exec/global_memory.h"
#include "gpu/device.h"
#include "gpu/gpu_options.h"
#include "gpu/machine_keys.h"
#include "memory/memory_system.h"
#include "program/program.h"
#include "stats/kernel_stats.h"

namespace heddle {

class Gpu : public Device {
 public:
  Gpu(Config config, GpuOptions options);

  void load(std::string_view name, std::string_view ptx) override;
  size_t load(std::shared_ptr<const Program> program);  // the module's number
  Address allocate(size_t bytes, std::string_view label) override { return memory_.allocate(bytes, label); }
  void free(Address address) override { memory_.free(address); }
  void write(Address to, const void* from, size_t bytes) override;
  void read(void* to, Address from, size_t bytes) override;
  Address symbol(std::string_view name) override;
  void launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) override;
  unsigned pointer_bytes() const override { return memory_.base() < kShortEnd ? 4 : 8; }

  // Modules are strangers to each other, as those of a CUDA program are: names may stand in several.
  std::shared_ptr<const Kernel> kernel(size_t module, std::string_view name) const;
  Address symbol(size_t module, std::string_view name) const;
  void launch(size_t module, std::string_view kernel, const LaunchShape& shape, const Arguments& arguments);
  void reset_variables(size_t module);  // to what the module's text says

  const Config& config() const { return config_; }
  const GpuOptions& options() const { return options_; }
  const std::vector<KernelStats>& launches() const { return launches_; }  // also of a launch that ended in an Error
  KernelStats total() const;
  double seconds() const { return seconds_; }  // spent inside launches
  std::shared_ptr<const Kernel> kernel(std::string_view name) const;
  GlobalMemory& memory() { return memory_; }

 private:
  struct Module {
    std::shared_ptr<const Program> program;
    std::map<std::string, Address, std::less<>> symbols;
  };
  void place_variables(Module& module);
  void initialise(const Module& module, const ptx::Variable& variable);
  Address symbol_of(const Module& module, std::string_view name) const;  // its own, or what others export
  size_t module_of(std::string_view kernel) const;
  Address parameters(const Kernel& kernel, const Arguments& arguments);
  std::vector<std::byte> constant_plane(const Module& module, const Kernel& kernel, Address parameters) const;
  void check_shape(const Kernel& kernel, const LaunchShape& shape) const;
  void make_memory_system();
  LaunchInfo launch_info(const Kernel& kernel, const LaunchShape& shape);
  template <class Machine>
  void run(Machine& machine, std::span<Context* const> contexts);
  void run_launch(const Module& module, const Kernel& kernel, const LaunchInfo& info, bool cooperative);

  Config config_;
  GpuOptions options_;
  GlobalMemory memory_;
  std::vector<Module> modules_;
  std::map<std::string, Address, std::less<>> symbols_;  // of all modules; of one name, the last
  std::vector<std::pair<Address, Address>> constants_;   // extents of .const variables
  std::vector<KernelStats> launches_;
  double seconds_ = 0;

  // Cycle level: what lives on between launches.
  const Clocks clocks_;
  std::unique_ptr<MemorySystem> system_;
  Tick now_;
  std::map<const Kernel*, Address> code_;  // where the code of each kernel lies
  Address code_end_ = 0;
};

}  // namespace heddle
