#include "gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include "base/kernel_name.h"
#include "base/nearest.h"
#include "exec/texture_descriptor.h"
#include "gpu/cycle_machine.h"
#include "gpu/emulation.h"
#include "gpu/launch_sampling.h"

namespace heddle {
namespace {

// Kernels start on lines of their own, whatever instructions measure.
constexpr Address kCodeAlignment = 128, kLargestInstruction = 64;

// A parameter read as its type and widened to the register's width by the type's sign.
uint64_t parameter_value(const std::byte* bytes, Type type) {
  uint64_t value = 0;
  const unsigned size = bytes_of(type);
  std::memcpy(&value, bytes, size);
  if (is_signed(type) && size < 8)
    value = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size));
  return value;
}

// A pointer has 8 bytes in host code, and 4 in a module with addresses of 32 bits.
bool is_short_pointer(const std::vector<std::byte>& value, const Parameter& parameter, const Kernel& kernel) {
  if (kernel.pointer_bytes != 4 || parameter.bytes != 4 || value.size() != 8) return false;
  Address address = 0;
  std::memcpy(&address, value.data(), 8);
  return address < kShortEnd;
}

// A texture reference is a texture object that the host fills in.
uint64_t room_of(const ptx::Variable& variable) {
  return variable.opaque == "texref" ? sizeof(TextureDescriptor) : variable.bytes();
}

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

void fill_row(std::byte* row, unsigned bytes, uint64_t value) {
  if (bytes == 0) {  // a predicate word
    std::memcpy(row, &value, 4);
    return;
  }
  for (unsigned lane = 0; lane < kRow; ++lane) std::memcpy(row + lane * bytes, &value, std::min(bytes, 8U));
}

}  // namespace

Gpu::Gpu(Config config, GpuOptions options)
    : config_(std::move(config)),
      options_(std::move(options)),
      watched_(!options_.instruments.empty() || !options_.observers.empty() || !options_.checks.empty()),
      memory_(options_.memory) {
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
  modules_.push_back({std::move(program), {}});
  place_variables(modules_.back(), placed);
  return modules_.size() - 1;
}

void Gpu::place_variables(Module& module, const std::map<std::string, Address>& placed) {
  for (const ptx::Variable& variable : module.program->variables()) {
    if (variable.is_extern && symbols_.contains(variable.name)) continue;
    const auto known = placed.find(variable.name);
    const Address address = known == placed.end() ? allocate(room_of(variable), variable.name) : known->second;
    memory_.check(address, room_of(variable), "variable");
    module.symbols[variable.name] = symbols_[variable.name] = address;
    if (variable.space == Space::Const) constants_.emplace_back(address, address + variable.bytes());
  }
  for (const ptx::Variable& variable : module.program->variables()) initialise(module, variable);
}

void Gpu::reset_variables(size_t module) {
  const Module& known = modules_.at(module);
  for (const ptx::Variable& variable : known.program->variables()) {
    const auto own = known.symbols.find(variable.name);
    if (own == known.symbols.end()) continue;
    std::memset(memory_.host(own->second), 0, room_of(variable));
    initialise(known, variable);
  }
}

void Gpu::initialise(const Module& module, const ptx::Variable& variable) {
  const auto& functions = module.program->function_addresses();
  const unsigned bytes = bytes_of(variable.type);
  for (const ptx::Variable::Value& value : variable.initialiser) {
    uint64_t bits = value.number.bits;
    if (value.number.kind == ptx::Immediate::Kind::Decimal && bytes == 4) {
      double wide;
      std::memcpy(&wide, &bits, 8);
      const auto narrow = static_cast<float>(wide);
      bits = 0;
      std::memcpy(&bits, &narrow, 4);
    }
    if (!value.symbol.empty()) {
      // What a class leaves to those derived from it: there is nothing to call.
      if (value.symbol == "__cxa_pure_virtual") continue;
      const auto function = functions.find(value.symbol);
      bits += function != functions.end() ? function->second : symbol_of(module, value.symbol);
      if (value.mask != ~uint64_t{0}) bits = (bits & value.mask) >> std::countr_zero(value.mask);
    }
    std::memcpy(memory_.host(symbol_of(module, variable.name) + value.index * bytes), &bits, std::min(bytes, 8U));
  }
}

Address Gpu::symbol_of(const Module& module, std::string_view name) const {
  const auto own = module.symbols.find(name);
  if (own != module.symbols.end()) return own->second;
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  throw Error(ExitCode::BadProgram, fmt::format("no variable '{}' in the loaded modules", name));
}

Address Gpu::symbol(size_t module, std::string_view name) const { return symbol_of(modules_.at(module), name); }

Address Gpu::symbol(std::string_view name) {
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  throw Error(ExitCode::BadProgram, fmt::format("no variable '{}' in the loaded modules", name));
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

size_t Gpu::module_of(std::string_view kernel) const {
  for (size_t module = 0; module < modules_.size(); ++module) {
    const auto names = modules_[module].program->kernel_names();
    if (modules_.size() == 1 || std::find(names.begin(), names.end(), kernel) != names.end()) return module;
  }
  throw Error(ExitCode::BadProgram, fmt::format("no kernel '{}' in the loaded modules", kernel));
}

std::shared_ptr<const Kernel> Gpu::kernel(std::string_view name) const { return kernel(module_of(name), name); }

std::shared_ptr<const Kernel> Gpu::kernel(size_t module, std::string_view name) const {
  return modules_.at(module).program->kernel(name);
}

Address Gpu::parameters(const Kernel& kernel, const Arguments& arguments) {
  const auto values = arguments.values();
  if (values.size() != kernel.parameters.size())
    throw Error(ExitCode::BadLaunch, fmt::format("kernel {} takes {} arguments, {} given", readable_name(kernel.name),
                                                 kernel.parameters.size(), values.size()));
  const Address address = allocate(std::max(1U, kernel.parameter_bytes), "parameters of " + readable_name(kernel.name));
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    if (is_short_pointer(values[i], parameter, kernel)) {
      std::memcpy(memory_.host(address + parameter.offset), values[i].data(), parameter.bytes);
      continue;
    }
    if (values[i].size() != parameter.bytes)
      throw Error(ExitCode::BadLaunch,
                  fmt::format("argument {} of kernel {} ('{}') has {} bytes, {} given", i, readable_name(kernel.name),
                              parameter.name, parameter.bytes, values[i].size()));
    std::memcpy(memory_.host(address + parameter.offset), values[i].data(), values[i].size());
  }
  return address;
}

std::vector<std::byte> Gpu::constant_plane(const Module& module, const Kernel& kernel, Address parameters) const {
  std::vector<std::byte> plane(kernel.constant_bytes);
  for (const ConstantRow& row : kernel.constants) {
    uint64_t value = row.bits;
    switch (row.kind) {
      case ConstantRow::Kind::Literal: break;
      case ConstantRow::Kind::Parameter: value = parameter_value(memory_.host(parameters + row.bits), row.type); break;
      case ConstantRow::Kind::ParamAddress: value = parameters + row.bits; break;
      case ConstantRow::Kind::Symbol: value = symbol_of(module, row.symbol) + row.bits; break;
    }
    fill_row(plane.data() + row.offset, row.bytes, value);
  }
  return plane;
}

void Gpu::check_shape(const Kernel& kernel, const LaunchShape& shape) const {
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::BadLaunch, fmt::format("launch of {}: {}", readable_name(kernel.name), what));
  };
  const uint64_t threads = shape.block.count();
  if (shape.grid.count() == 0 || threads == 0) refuse("a grid or block of no size");
  if (threads > 1024) refuse(fmt::format("{} threads in a block, at most 1024", threads));
  if (shape.block.z > 64) refuse(fmt::format("a block of depth {}, at most 64", shape.block.z));
  if (shape.grid.x > 0x7fffffffU || shape.grid.y > 65535 || shape.grid.z > 65535)
    refuse("the grid is too large: at most 2147483647 x 65535 x 65535");
  if (kernel.max_threads > 0 && threads > kernel.max_threads)
    refuse(fmt::format("{} threads in a block, the kernel allows {} (.maxntid)", threads, kernel.max_threads));
  const Dim3& required = kernel.required_block;
  if (required.x > 0 && required != shape.block)
    refuse(fmt::format("the kernel requires blocks of {}x{}x{} (.reqntid)", required.x, required.y, required.z));
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
  launch(module_of(name), name, shape, arguments);
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
  std::vector<std::byte> constants{};
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
  flight->info.parameters = parameters(kernel, arguments);
  if (shape.cooperative) flight->info.cooperative_workspace = allocate(64, "workspace of the cooperative launch");
  flight->constants = constant_plane(modules_[module], kernel, flight->info.parameters);
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
  if (constants_.empty()) return;
  context.is_constant = [this](Address address) {
    return std::any_of(constants_.begin(), constants_.end(),
                       [&](const auto& e) { return address >= e.first && address < e.second; });
  };
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
