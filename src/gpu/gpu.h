// A GPU as host code sees it, with the emulation machine or the cycle-level machine inside: memory, modules, launches,
// and the statistics of each launch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/config.h"
#include "exec/global_memory.h"
#include "gpu/device.h"
#include "gpu/gpu_options.h"
#include "gpu/machine_keys.h"
#include "program/program.h"
#include "stats/kernel_stats.h"

namespace heddle {

class CycleLaunch;
class CycleMachine;
class LaunchSampling;

class Gpu : public Device {
 public:
  Gpu(Config config, GpuOptions options);
  ~Gpu() override;

  void load(std::string_view name, std::string_view ptx) override;
  // The module's number. Variables that `placed` names lie where it says, in memory that is there already.
  size_t load(std::shared_ptr<const Program> program, const std::map<std::string, Address>& placed = {});
  Address allocate(size_t bytes, std::string_view label) override;
  // The same for who must write it before kernels read it, as far as a check can tell.
  Address allocate_unwritten(size_t bytes, std::string_view label);
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

  // Cycle level: launches side by side. A launch begins then, or now if that is past, and has ended when run_on() says
  // so, which runs until one has. If that throws, none is in flight any more.
  size_t begin(size_t module, std::string_view kernel, const LaunchShape& shape, const Arguments& arguments,
               CoreCycle not_before);  // its place in launches(), which is filled in when it has ended
  struct Ended {
    size_t launch;
    CoreCycle at;
  };
  Ended run_on();
  bool one_at_a_time() const { return watched_ || sampling_; }  // launches
  size_t in_flight() const { return flights_.size(); }
  CoreCycle now() const;

  void reset_variables(size_t module);        // to what the module's text says
  void note_write(Address to, size_t bytes);  // by the host, past write()
  // The next launch is in no order with some of those before it. Whoever says nothing has all of them in order.
  void order_next(check::LaunchOrder order) { next_order_ = std::move(order); }
  void note_leak(std::string what);  // something the host has not freed
  void note_heap_leaks();            // what kernels have allocated and not freed
  const check::Findings& findings() const;

  const Config& config() const { return config_; }
  const GpuOptions& options() const { return options_; }
  const std::vector<KernelStats>& launches() const { return launches_; }  // also of a launch that ended in an Error
  KernelStats total() const;
  size_t launches_side_by_side() const { return launches_side_by_side_; }  // emulation: on several threads of the host
  double seconds() const { return seconds_; }                              // spent inside launches
  std::shared_ptr<const Kernel> kernel(std::string_view name) const;
  GlobalMemory& memory() { return memory_; }
  const GlobalMemory& memory() const { return memory_; }

 private:
  struct Module {
    std::shared_ptr<const Program> program;
    std::map<std::string, Address, std::less<>> symbols;
  };
  void place_variables(Module& module, const std::map<std::string, Address>& placed);
  void initialise(const Module& module, const ptx::Variable& variable);
  Address symbol_of(const Module& module, std::string_view name) const;  // its own, or what others export
  size_t module_of(std::string_view kernel) const;
  Address parameters(const Kernel& kernel, const Arguments& arguments);
  std::vector<std::byte> constant_plane(const Module& module, const Kernel& kernel, Address parameters) const;
  void check_shape(const Kernel& kernel, const LaunchShape& shape) const;
  LaunchInfo launch_info(const Kernel& kernel, const LaunchShape& shape);
  struct Flight;
  std::unique_ptr<Flight> flight(size_t module, std::string_view name, const LaunchShape& shape,
                                 const Arguments& arguments);
  void tell_began(const Flight& flight, const Observers& observers) const;
  void prepare(Context& context);
  void emulate(const Flight& flight, const GpuOptions& options);
  void time(std::unique_ptr<Flight> flight);
  void sample(std::unique_ptr<Flight> flight);
  bool emulated_like(const Flight& flight);
  size_t begin(std::unique_ptr<Flight> flight, CoreCycle not_before, bool alone);
  size_t land(const CycleLaunch& launch);

  Config config_;
  GpuOptions options_;
  const bool watched_;  // by more than what every launch has
  GlobalMemory memory_;
  std::vector<Module> modules_;
  std::map<std::string, Address, std::less<>> symbols_;  // of all modules; of one name, the last
  std::vector<std::pair<Address, Address>> constants_;   // extents of .const variables
  std::vector<KernelStats> launches_;
  double seconds_ = 0;
  std::set<const Kernel*> talk_;  // whose blocks were in each other's way, where they ran side by side
  size_t launches_side_by_side_ = 0;
  std::optional<check::LaunchOrder> next_order_;

  // Cycle level: what lives on between launches.
  std::unique_ptr<CycleMachine> machine_;
  std::vector<std::unique_ptr<Flight>> flights_;
  std::map<const Kernel*, Address> code_;  // where the code of each kernel lies
  Address code_end_ = 0;
  std::unique_ptr<LaunchSampling> sampling_;
  CoreCycle sampled_until_{0};  // launches that stand for none take their time, too
};

}  // namespace heddle
