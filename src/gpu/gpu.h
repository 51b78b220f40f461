// A GPU as host code sees it, with the emulation machine inside: memory, modules, launches, and the statistics of each
// launch.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/config.h"
#include "exec/global_memory.h"
#include "gpu/device.h"
#include "gpu/emulation.h"
#include "program/program.h"
#include "stats/kernel_stats.h"

namespace heddle {

class Gpu : public Device {
 public:
  Gpu(Config config, EmulationOptions options);

  void load(std::string_view name, std::string_view ptx) override;
  void load(std::shared_ptr<const Program> program);
  Address allocate(size_t bytes, std::string_view label) override { return memory_.allocate(bytes, label); }
  void free(Address address) override { memory_.free(address); }
  void write(Address to, const void* from, size_t bytes) override;
  void read(void* to, Address from, size_t bytes) override;
  Address symbol(std::string_view name) override;
  void launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) override;

  const Config& config() const { return config_; }
  const EmulationOptions& options() const { return options_; }
  const std::vector<KernelStats>& launches() const { return launches_; }  // also of a launch that ended in an Error
  KernelStats total() const;
  double seconds() const { return seconds_; }  // spent inside launches
  std::shared_ptr<const Kernel> kernel(std::string_view name) const;
  GlobalMemory& memory() { return memory_; }

 private:
  void place_variables(const Program& program);
  void initialise(const Program& program, const ptx::Variable& variable);
  Address parameters(const Kernel& kernel, const Arguments& arguments);
  std::vector<std::byte> constant_plane(const Kernel& kernel, Address parameters) const;
  void check_shape(const Kernel& kernel, const LaunchShape& shape) const;

  Config config_;
  EmulationOptions options_;
  GlobalMemory memory_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::map<std::string, Address, std::less<>> symbols_;
  std::vector<std::pair<Address, Address>> constants_;  // extents of .const variables
  std::vector<KernelStats> launches_;
  double seconds_ = 0;
};

}  // namespace heddle
