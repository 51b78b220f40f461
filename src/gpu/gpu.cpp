#include "gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/kernel_name.h"
#include "gpu/cycle_machine.h"
#include "gpu/emulation.h"
#include "gpu/launch_arguments.h"
#include "gpu/launch_sampling.h"

namespace heddle {
namespace {

// Kernels start on lines of their own, whatever instructions measure.
constexpr Address kCodeAlignment = 128, kLargestInstruction = 64;

class Stopwatch {  // adds the time it lived
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Gpu::Gpu(Config config, GpuOptions options)
    : config_(std::move(config)),
      options_(std::move(options)),
      watched_(!options_.instruments.empty() || !options_.observers.empty() || !options_.checks.empty()),
      memory_(options_.memory),
      modules_(*this, memory_) {
  if (options_.schedule.empty()) options_.schedule = usual_schedule(config_, options_.mechanism);
  scheduler_named(options_.schedule);  // fails early
  Observers all = options_.instruments.observers(options_.mechanism, config_);
  all.insert(all.end(), options_.observers.begin(), options_.observers.end());
  options_.observers = std::move(all);
  if (!options_.checks.empty()) options_.checker = std::make_shared<check::Checker>(options_.checks, memory_);
  if (options_.timed) machine_ = std::make_unique<CycleMachine>(config_, options_);
  if (options_.sample_launches > 0) {
    if (watched_) throw Error(ExitCode::Usage, "--sample-launches does not time all launches: nothing else is watched");
    sampling_ = std::make_unique<LaunchSampling>(options_.sample_launches);
  }
}

Gpu::~Gpu() = default;

void Gpu::load(std::string_view name, std::string_view ptx) {
  load(Program::load(std::make_shared<ptx::Source>(std::string(name), std::string(ptx))));
}

size_t Gpu::load(std::shared_ptr<const Program> program, const std::map<std::string, Address>& placed) {
  if (const CodeOptions code = CodeOptions::from(config_); code.machine && options_.timed)
    program = program->as_machine_code(code);
  if (program->short_addresses()) memory_.stay_short();
  if (!options_.checker) program = program->packed();  // checks go by registers
  return modules_.load(std::move(program), placed);
}

Address Gpu::allocate(size_t bytes, std::string_view label) {
  const Address address = memory_.allocate(bytes, label);
  note_write(address, bytes);
  return address;
}

Address Gpu::allocate_unwritten(size_t bytes, std::string_view label) {
  const Address address = memory_.allocate(bytes, label);
  if (options_.checker) options_.checker->allocated(address, bytes);
  return address;
}

void Gpu::note_write(Address to, size_t bytes) {
  if (options_.checker) options_.checker->wrote(to, bytes);
}

void Gpu::note_leak(std::string what) {
  if (options_.checker) options_.checker->leaked(std::move(what));
}

void Gpu::note_heap_leaks() {
  if (!options_.checks.has(check::Check::Leak)) return;
  memory_.for_each_live([this](const std::string& label, std::span<const std::byte> bytes) {
    if (label.starts_with(kKernelHeap)) note_leak(fmt::format("{} bytes by {}", bytes.size(), label));
  });
}

const check::Findings& Gpu::findings() const {
  static const check::Findings none;
  return options_.checker ? options_.checker->findings() : none;
}

void Gpu::write(Address to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  memory_.check(to, bytes, "copy to the GPU");
  std::memcpy(memory_.host(to), from, bytes);
  note_write(to, bytes);
}

void Gpu::read(void* to, Address from, size_t bytes) {
  if (bytes == 0) return;
  memory_.check(from, bytes, "copy from the GPU");
  std::memcpy(to, memory_.host(from), bytes);
}

LaunchInfo Gpu::launch_info(const Kernel& kernel, const LaunchShape& shape) {
  LaunchInfo info;
  info.grid = shape.grid;
  info.block = shape.block;
  info.dynamic_shared = shape.dynamic_shared;
  info.grid_id = launches_.size() + 1;
  info.cores = static_cast<unsigned>(config_.integer("cores"));
  const auto [code, fresh] = code_.try_emplace(&kernel, code_end_);
  if (fresh) code_end_ += (kernel.code.size() + kCodeAlignment) / kCodeAlignment * kCodeAlignment * kLargestInstruction;
  info.code = code->second;
  return info;
}

void Gpu::launch(std::string_view name, const LaunchShape& shape, const Arguments& arguments) {
  launch(modules_.with_kernel(name), name, shape, arguments);
}

// ---- launches

// A launch, from the call to its end.
struct Gpu::Flight {
  Flight(Gpu& gpu, std::shared_ptr<const Kernel> launched) : gpu(gpu), kernel(std::move(launched)) {}
  ~Flight() {
    if (info.parameters != 0) gpu.memory_.free(info.parameters);
    if (info.cooperative_workspace != 0) gpu.memory_.free(info.cooperative_workspace);
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  Gpu& gpu;
  const std::shared_ptr<const Kernel> kernel;
  LaunchInfo info{};
  bool cooperative = false;
  ConstantPlane constants{};
  std::unique_ptr<GpuOptions> own_options{};
  const CycleLaunch* launch = nullptr;
  size_t place = 0;  // in launches_
};

std::unique_ptr<Gpu::Flight> Gpu::flight(size_t module, std::string_view name, const LaunchShape& shape,
                                         const Arguments& arguments) {
  auto flight = std::make_unique<Flight>(*this, kernel(module, name));
  const Kernel& kernel = *flight->kernel;
  check_shape(kernel, shape);
  flight->info = launch_info(kernel, shape);
  flight->cooperative = shape.cooperative;
  flight->info.parameters =
      allocate(std::max(1U, kernel.parameter_bytes), "parameters of " + readable_name(kernel.name));
  write_parameters(kernel, arguments, memory_.host(flight->info.parameters));
  if (shape.cooperative) flight->info.cooperative_workspace = allocate(64, "workspace of the cooperative launch");
  flight->constants = constant_plane(kernel, memory_, flight->info.parameters,
                                     [&](std::string_view symbol) { return modules_.symbol(module, symbol); });
  return flight;
}

void Gpu::tell_began(const Flight& flight, const Observers& observers) const {
  const LaunchBegan began{*flight.kernel,     flight.info,
                          options_.mechanism, static_cast<unsigned>(config_.integer("warp_size")),
                          options_.timed,     options_.instruments.follow_values()};
  for (const std::shared_ptr<Observer>& observer : observers) observer->launch_began(began);
}

void Gpu::prepare(Context& context) {
  context.printed = options_.printed;
  context.stray_load = options_.stray_load;
  if (modules_.have_constants())
    context.is_constant = [this](Address address) { return modules_.is_constant(address); };
}

void Gpu::launch(size_t module, std::string_view name, const LaunchShape& shape, const Arguments& arguments) {
  std::unique_ptr<Flight> flight = this->flight(module, name, shape, arguments);
  const std::shared_ptr<const Kernel> kernel = flight->kernel;
  if (options_.checker) {
    const size_t number = launches_.size();
    check::LaunchOrder order = std::exchange(next_order_, {}).value_or(check::LaunchOrder{number, number, {}});
    order.number = number;
    options_.checker->launch_began(kernel, flight->info, order);
  }
  try {
    if (!options_.timed) return emulate(*flight, options_);
    sampling_ ? sample(std::move(flight)) : time(std::move(flight));
  } catch (const Error& error) {
    if (options_.checker) options_.checker->launch_failed(*kernel, error);
    throw;
  }
}

void Gpu::time(std::unique_ptr<Flight> flight) {
  begin(std::move(flight), sampled_until_, true);
  run_on();
}

void Gpu::sample(std::unique_ptr<Flight> flight) {
  const std::shared_ptr<const Kernel> kernel = flight->kernel;
  const LaunchInfo info = flight->info;
  if (sampling_->may_stand_for(*kernel, info, memory_) && emulated_like(*flight)) return;
  time(std::move(flight));
  sampling_->timed(*kernel, info, launches_.back(), launches_.size() - 1);
  sampled_until_ = now();
}

// Is there a launch that stands for this one? Then it has been emulated; else nothing has happened.
bool Gpu::emulated_like(const Flight& flight) {
  MemorySnapshot before(memory_);
  GpuOptions untimed = options_;
  untimed.timed = false;
  const size_t launches = launches_.size();
  const KernelStats* like = nullptr;
  try {
    emulate(flight, untimed);
    like = sampling_->like(*flight.kernel, flight.info, launches_.back().thread_instructions);
  } catch (const Error&) {  // with a clock it will be told better
  }
  if (!like) {
    launches_.resize(launches);
    before.restore();
    return false;
  }
  KernelStats& stats = launches_.back();
  stats.timing = like->timing;
  stats.timing->begin = sampled_until_.count();
  stats.timed_as = like->timed_as;
  stats.interleaved = like->interleaved;
  sampled_until_ = sampled_until_ + stats.timing->cycles;
  return true;
}

void Gpu::emulate(const Flight& flight, const GpuOptions& options) {
  tell_began(flight, options.observers);
  if (options_.progress) options_.progress->begin(readable_name(flight.kernel->name), flight.info.grid.count());
  const auto new_observers = [&] {
    Observers own = options_.instruments.observers(options_.mechanism, config_);
    tell_began(flight, own);
    return own;
  };
  const EmulatedLaunch launch{*flight.kernel,
                              flight.info,
                              memory_,
                              flight.constants,
                              config_,
                              flight.cooperative,
                              [this](Context& context) { prepare(context); },
                              new_observers};
  const bool one = watched_ || talk_.contains(flight.kernel.get());
  Emulation machine(launch, options, one ? 1 : options.threads);
  const Stopwatch watch(seconds_);
  try {
    machine.run();
  } catch (...) {
    launches_.push_back(machine.stats());
    throw;
  }
  launches_.push_back(machine.stats());
  if (machine.had_conflict()) talk_.insert(flight.kernel.get());
  launches_side_by_side_ += machine.side_by_side() ? 1 : 0;
}

size_t Gpu::begin(size_t module, std::string_view name, const LaunchShape& shape, const Arguments& arguments,
                  CoreCycle not_before) {
  return begin(flight(module, name, shape, arguments), not_before, false);
}

size_t Gpu::begin(std::unique_ptr<Flight> flight, CoreCycle not_before, bool alone) {
  if (!alone) {  // nobody else watches, and each has its own of what every launch has
    flight->own_options = std::make_unique<GpuOptions>(options_);
    flight->own_options->observers = options_.instruments.observers(options_.mechanism, config_);
  }
  const GpuOptions& options = alone ? options_ : *flight->own_options;
  tell_began(*flight, options.observers);
  if (flights_.empty() && !launches_.empty() && config_.text("launch_caches") == "cold") machine_->empty_caches();
  flight->launch = machine_->begin({*flight->kernel, flight->info, flight->constants, options, flight->cooperative,
                                    [this](Context& context) { prepare(context); }},
                                   memory_, not_before);
  flight->place = launches_.size();
  launches_.emplace_back();
  flights_.push_back(std::move(flight));
  return launches_.size() - 1;
}

Gpu::Ended Gpu::run_on() {
  const Stopwatch watch(seconds_);
  try {
    const std::unique_ptr<CycleLaunch> launch = machine_->run();
    return {land(*launch), launch->end()};
  } catch (...) {  // what was under way is nobody's any more
    for (const std::unique_ptr<CycleLaunch>& launch : machine_->give_up()) land(*launch);
    throw;
  }
}

size_t Gpu::land(const CycleLaunch& launch) {
  const auto found =
      std::find_if(flights_.begin(), flights_.end(), [&](const auto& flight) { return flight->launch == &launch; });
  const size_t place = (*found)->place;
  launches_[place] = launch.stats();
  flights_.erase(found);
  return place;
}

CoreCycle Gpu::now() const { return machine_->now(); }

KernelStats Gpu::total() const {
  KernelStats sum;
  for (const KernelStats& launch : launches_) sum.add(launch);
  return sum;
}

}  // namespace heddle
