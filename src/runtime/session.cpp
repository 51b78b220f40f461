#include "runtime/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/occupancy.h"
#include "runtime/fat_binary.h"
#include "runtime/machine_facts.h"
#include "runtime/ptx_linker.h"
#include "wire/descriptor_passing.h"

namespace heddle::runtime {
namespace {

std::vector<FatBinaryEntry> ptx_in(std::string_view image) { return ptx_of(read_image(image)); }

using Units = std::vector<std::vector<FatBinaryEntry>>;

// Those without PTX are left out: NVIDIA's device runtime is linked to every program, and may have machine code only.
Units units_with_ptx(const std::vector<std::string_view>& binaries) {
  Units units;
  for (const std::string_view each : binaries) {
    const std::vector<FatBinaryEntry> entries = read_image(each);
    if (std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.is_ptx; }))
      units.push_back(ptx_of(entries));
  }
  if (units.empty()) ptx_in(binaries.front());  // says so
  return units;
}

// One text for each architecture of the smallest unit, which is the program's own: with the others' text of the same
// architecture, or else their newest.
std::vector<FatBinaryEntry> linked_ptx(const std::vector<std::string_view>& binaries) {
  const Units units = units_with_ptx(binaries);
  const auto size = [](const std::vector<FatBinaryEntry>& unit) { return unit.front().text.size(); };
  std::vector<FatBinaryEntry> result =
      *std::min_element(units.begin(), units.end(), [&](const auto& a, const auto& b) { return size(a) < size(b); });
  for (FatBinaryEntry& entry : result) {
    std::vector<std::string> texts;
    for (const auto& unit : units) {
      const auto same = std::find_if(unit.begin(), unit.end(), [&](const FatBinaryEntry& each) {
        return each.architecture == entry.architecture;
      });
      texts.push_back(same == unit.end() ? unit.front().text : same->text);
    }
    entry.text = link_ptx(texts);
  }
  return result;
}

std::map<std::string, Address> take_places(MessageReader& message) {
  std::map<std::string, Address> placed;
  for (auto count = message.take<uint32_t>(); count > 0; --count) {
    const std::string name(message.take_text());
    placed[name] = message.take<uint64_t>();
  }
  return placed;
}

std::vector<std::string_view> take_texts(MessageReader& message) {
  std::vector<std::string_view> texts(message.take_count());
  for (std::string_view& each : texts) each = message.take_text();
  return texts;
}

// A number that an earlier answer has given to the program.
template <class T>
const T& numbered(const std::vector<T>& all, uint32_t number) {
  if (number >= all.size()) throw BadMessage("a number nobody gave out");
  return all[number];
}

}  // namespace

bool receive_greeting(int socket, Greeting& greeting) {
  Header header;
  std::string payload;
  if (!receive_message(socket, header, payload)) return false;
  if (static_cast<Request>(header.kind) != Request::Hello) return false;
  MessageReader message(payload);
  try {
    if (message.take<uint32_t>() != kProtocol) return false;
    greeting.base = message.take<uint64_t>();
    greeting.program = message.take_text();
  } catch (const BadMessage&) {
    return false;
  }
  return greeting.base >= kShortGlobalBase;
}

Session::Session(int socket, Gpu& gpu, std::string program, std::string& printed, SessionHooks hooks)
    : socket_(socket),
      gpu_(gpu),
      program_(std::move(program)),
      printed_(printed),
      hooks_(std::move(hooks)),
      queue_(gpu) {}

bool Session::answer(CudaError error, const MessageWriter& payload) {
  return send_all(socket_, payload.with_header(static_cast<uint32_t>(error)));
}

bool Session::greet() {
  Machine machine = machine_of(gpu_);
  const check::CheckSet& checks = gpu_.options().checks;
  if (checks.has(check::Check::Init)) machine.wants |= kWantsWrites;
  if (checks.has(check::Check::Leak)) machine.wants |= kWantsObjects;
  if (hooks_.fetched) machine.wants |= kWantsReads;
  return answer(CudaError::Success, MessageWriter().add(machine)) &&
         send_descriptor(socket_, gpu_.memory().descriptor());
}

void Session::serve() {
  Header header;
  std::string payload;
  for (bool going = greet(); going && receive_message(socket_, header, payload);) {
    MessageReader message(payload);
    try {
      going = handle(static_cast<Request>(header.kind), message);
    } catch (const BadMessage& error) {
      fail(Error(ExitCode::BadProgram, fmt::format("what {} asked for makes no sense: {}. Is its libcuda.so.1 of this "
                                                   "heddle?",
                                                   program_, error.what())),
           CudaError::Unknown);
      return;
    }
  }
  guarded(false, [&] { queue_.finish_all(); });
  tell_leaks();
}

bool Session::handle(Request request, MessageReader& message) {
  switch (request) {
    case Request::Hello: return false;
    case Request::Load: return load(message);
    case Request::FindKernel: return find_kernel(message);
    case Request::FindSymbol: return find_symbol(message);
    case Request::Allocate: return allocate(message);
    case Request::Release: return release(message);
    case Request::Launch: return launch(message);
    case Request::Copy: return copy(message);
    case Request::Fill: return fill(message);
    case Request::Record: return record(message);
    case Request::Wait: return wait(message);
    case Request::EventTime: return event_time(message);
    case Request::Occupancy: return occupancy(message);
    case Request::Synchronize: return synchronize(message);
    case Request::Wrote: return wrote(message);
    case Request::Fetched: return fetched(message);
    case Request::Made: return made(message);
    case Request::Gone: return gone(message);
    case Request::Reset: return reset();
    case Request::Link: return link(message);
    case Request::ListKernels: return list_kernels(message);
  }
  return false;
}

// Of several texts the first that can run whole; else the first.
std::shared_ptr<const Program> Session::best_program(const std::vector<FatBinaryEntry>& entries, uint32_t& architecture,
                                                     uint32_t& language) {
  const std::string base = std::filesystem::path(program_).filename().string();
  const std::string name =
      modules_.empty() ? fmt::format("{}.ptx", base) : fmt::format("{}.{}.ptx", base, modules_.size() + 1);
  std::shared_ptr<const Program> best;
  std::string problems;
  for (const FatBinaryEntry& entry : entries) {
    auto program = Program::load(std::make_shared<ptx::Source>(name, entry.text));
    std::string its_problems = program->problems();
    if (best && !its_problems.empty()) continue;
    best = std::move(program);
    problems = std::move(its_problems);
    architecture = entry.architecture;
    language = entry.language_major * 10 + entry.language_minor;
    if (problems.empty()) break;
  }
  if (!problems.empty() && hooks_.warn) hooks_.warn("some kernels of this program cannot run\n" + problems);
  if (hooks_.loaded) hooks_.loaded(name, std::string(best->module().source->text()));
  return best;
}

bool Session::load(MessageReader& message) {
  try {
    LoadedModule module{};
    const std::string_view binary = message.take_text();
    const std::vector<std::string_view> linked = take_texts(message);
    const std::map<std::string, Address> placed = take_places(message);
    const std::vector<FatBinaryEntry> entries = linked.empty() ? ptx_in(binary) : linked_ptx(linked);
    module.program = best_program(entries, module.architecture, module.language);
    module.number = gpu_.load(module.program, placed);
    modules_.push_back(std::move(module));
    return answer(CudaError::Success, MessageWriter().add(static_cast<uint32_t>(modules_.size() - 1)));
  } catch (const Error& error) {
    return refuse_code(error);
  }
}

bool Session::refuse_code(const Error& error) {
  CudaError code = CudaError::InvalidPtx;
  if (dynamic_cast<const NoPtx*>(&error)) code = CudaError::NoKernelImageForDevice;
  if (dynamic_cast<const NoCode*>(&error)) code = CudaError::InvalidKernelImage;
  if (!failure_) failure_ = error;
  hooks_.complain(error.what());
  return answer(code, MessageWriter().add_text(error.what()));
}

bool Session::link(MessageReader& message) {
  const std::vector<std::string_view> texts = take_texts(message);
  if (texts.empty()) throw BadMessage("nothing to link");
  try {
    return answer(CudaError::Success, MessageWriter().add_text(linked_ptx(texts).front().text));
  } catch (const Error& error) {
    return refuse_code(error);
  }
}

bool Session::list_kernels(MessageReader& message) {
  const auto names = numbered(modules_, message.take<uint32_t>()).program->kernel_names();
  MessageWriter reply;
  reply.add(static_cast<uint32_t>(names.size()));
  for (const auto& name : names) reply.add_text(name);
  return answer(CudaError::Success, reply);
}

bool Session::find_kernel(MessageReader& message) {
  const LoadedModule& module = numbered(modules_, message.take<uint32_t>());
  const std::string name(message.take_text());
  const auto names = module.program->kernel_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return answer(CudaError::InvalidDeviceFunction, {});
  try {
    const auto kernel = gpu_.kernel(module.number, name);
    kernels_.push_back({module.number, kernel});
    MessageWriter reply;
    reply.add(static_cast<uint32_t>(kernels_.size() - 1));
    KernelFacts facts = facts_of(*kernel, gpu_.config());
    facts.architecture = module.architecture;
    facts.language = module.language;
    reply.add(facts).add(static_cast<uint32_t>(kernel->parameters.size()));
    for (const Parameter& parameter : kernel->parameters) reply.add(parameter.offset).add(parameter.bytes);
    return answer(CudaError::Success, reply);
  } catch (const Error& error) {
    if (!failure_) failure_ = error;
    hooks_.complain(error.what());
    return answer(CudaError::InvalidPtx, {});
  }
}

bool Session::find_symbol(MessageReader& message) {
  const LoadedModule& module = numbered(modules_, message.take<uint32_t>());
  const std::string_view name = message.take_text();
  for (const ptx::Variable& variable : module.program->variables())
    if (variable.name == name) {
      const Address address = gpu_.symbol(module.number, name);
      return answer(CudaError::Success, MessageWriter().add(address).add(gpu_.memory().extent_at(address).bytes));
    }
  return answer(CudaError::InvalidSymbol, {});
}

bool Session::allocate(MessageReader& message) {
  const auto bytes = message.take<uint64_t>();
  try {
    const std::string label(message.take_text());
    const Address address = gpu_.allocate_unwritten(bytes, label);
    allocations_[address] = {bytes, fmt::format("{} bytes of {}, call {}", bytes, label, ++calls_[label])};
    return answer(CudaError::Success, MessageWriter().add(address));
  } catch (const Error&) {
    return answer(CudaError::MemoryAllocation, {});
  }
}

// What is of no allocation the program has no business with; nobody is harmed.
bool Session::wrote(MessageReader& message) {
  const auto address = message.take<Address>();
  const auto bytes = message.take<uint64_t>();
  const Extent extent = gpu_.memory().extent_at(address);
  if (bytes <= extent.bytes) gpu_.note_write(address, std::min(bytes, extent.begin + extent.bytes - address));
  return true;
}

bool Session::fetched(MessageReader& message) {
  const auto address = message.take<Address>();
  const auto bytes = message.take<uint64_t>();
  const Extent extent = gpu_.memory().extent_at(address);
  if (hooks_.fetched && bytes <= extent.bytes && extent.bytes - bytes >= address - extent.begin)
    hooks_.fetched({gpu_.memory().host(address), bytes});
  return answer(CudaError::Success, {});
}

bool Session::made(MessageReader& message) {
  const auto handle = message.take<uint64_t>();
  const std::string what(message.take_text());
  objects_[handle] = {++made_, fmt::format("{}, call {}", what, ++calls_[what])};
  return true;
}

bool Session::gone(MessageReader& message) {
  objects_.erase(message.take<uint64_t>());
  return true;
}

// What the program leaves behind.
void Session::tell_leaks() {
  for (const auto& [address, allocation] : allocations_) gpu_.note_leak(allocation.text);
  std::map<unsigned, std::string> in_order;
  for (const auto& [handle, object] : std::exchange(objects_, {})) in_order[object.number] = object.text;
  for (const auto& [number, text] : in_order) gpu_.note_leak(text);
}

bool Session::release(MessageReader& message) {
  const auto address = message.take<Address>();
  if (allocations_.erase(address) > 0) gpu_.free(address);
  return true;
}

void Session::run_launch(uint64_t stream, const LoadedKernel& loaded, const LaunchFacts& facts,
                         std::string_view parameters) {
  StreamQueue::Launch launch;
  launch.module = loaded.module;
  launch.kernel = loaded.kernel->name;
  for (const Parameter& parameter : loaded.kernel->parameters)
    launch.arguments.add(parameters.substr(parameter.offset, parameter.bytes).data(), parameter.bytes);
  launch.shape.grid = {facts.grid[0], facts.grid[1], facts.grid[2]};
  launch.shape.block = {facts.block[0], facts.block[1], facts.block[2]};
  launch.shape.dynamic_shared = facts.dynamic_shared;
  launch.shape.cooperative = facts.cooperative != 0;
  queue_.launch(stream, std::move(launch));
}

void Session::fail(const Error& error, CudaError code) {
  pending_ = code;
  if (!failure_) failure_ = error;
  if (error.code() != ExitCode::Interrupted) hooks_.complain(error.what());  // whoever asked for that knows
}

// Runs launches, perhaps. After one has failed the program's GPU is lost, until it resets it, as CUDA has it. False:
// the program is not to go on.
template <class Body>
bool Session::guarded(bool cooperative, Body&& body) {
  if (pending_ != CudaError::Success) return true;
  try {
    body();
  } catch (const Error& error) {
    fail(error, cuda_error_of(error, cooperative));
    return error.code() != ExitCode::Interrupted;
  } catch (const std::exception& error) {
    fail(InternalError(error.what()), CudaError::Unknown);
  }
  return true;
}

bool Session::launch(MessageReader& message) {
  const auto stream = message.take<uint64_t>();
  const LoadedKernel& kernel = numbered(kernels_, message.take<uint32_t>());
  const auto facts = message.take<LaunchFacts>();
  const std::string_view parameters = message.take_text();
  if (parameters.size() < kernel.kernel->parameter_bytes) throw BadMessage("too few bytes of parameters");
  return guarded(facts.cooperative != 0, [&] { run_launch(stream, kernel, facts, parameters); });
}

// The program has seen to it that both ends are there.
bool Session::copy(MessageReader& message) {
  const auto stream = message.take<uint64_t>();
  const auto facts = message.take<CopyFacts>();
  return guarded(false, [&] {
    queue_.call(stream, [this, facts] {
      for (uint64_t z = 0; z < facts.depth; ++z)
        for (uint64_t y = 0; y < facts.height; ++y)
          std::memmove(gpu_.memory().host(facts.to + z * facts.to_slice + y * facts.to_pitch),
                       gpu_.memory().host(facts.from + z * facts.from_slice + y * facts.from_pitch), facts.width);
    });
  });
}

bool Session::fill(MessageReader& message) {
  const auto stream = message.take<uint64_t>();
  const auto facts = message.take<FillFacts>();
  if (facts.element == 0 || facts.element > sizeof facts.value) throw BadMessage("elements of no size");
  return guarded(false, [&] {
    queue_.call(stream, [this, facts] {
      for (uint64_t z = 0; z < facts.depth; ++z)
        for (uint64_t y = 0; y < facts.height; ++y)
          for (uint64_t x = 0; x < facts.width; ++x)
            std::memcpy(gpu_.memory().host(facts.to + z * facts.slice + y * facts.pitch + x * facts.element),
                        &facts.value, facts.element);
    });
  });
}

bool Session::record(MessageReader& message) {
  const auto stream = message.take<uint64_t>();
  return guarded(false, [&] { queue_.record(stream, message.take<uint64_t>()); });
}

bool Session::wait(MessageReader& message) {
  const auto stream = message.take<uint64_t>();
  return guarded(false, [&] { queue_.wait(stream, message.take<uint64_t>()); });
}

bool Session::event_time(MessageReader& message) {
  const auto event = message.take<uint64_t>();
  if (!guarded(false, [&] { queue_.finish_event(event); })) return false;
  if (!queue_.recorded(event)) return answer(CudaError::InvalidResourceHandle, {});
  return answer(CudaError::Success, MessageWriter().add(queue_.seconds_of(event) * 1e3));
}

bool Session::occupancy(MessageReader& message) {
  const LoadedKernel& loaded = numbered(kernels_, message.take<uint32_t>());
  LaunchInfo info;
  info.block = {message.take<uint32_t>(), 1, 1};
  info.dynamic_shared = message.take<uint32_t>();
  uint32_t blocks = 0;
  try {
    blocks = heddle::occupancy(*loaded.kernel, info, gpu_.config());
  } catch (const Error&) {  // not even one
  }
  return answer(CudaError::Success, MessageWriter().add(blocks));
}

bool Session::synchronize(MessageReader& message) {
  const auto what = message.take<WaitFor>();
  const auto number = message.take<uint64_t>();
  const bool goes_on = guarded(false, [&] {
    switch (what) {
      case WaitFor::All: return queue_.finish_all();
      case WaitFor::Stream: return queue_.finish_stream(number);
      case WaitFor::Event: return queue_.finish_event(number);
    }
  });
  if (!goes_on) return false;
  const std::string text = std::exchange(printed_, {});
  return answer(pending_, MessageWriter().add_text(text));
}

bool Session::reset() {
  if (!guarded(false, [&] { queue_.finish_all(); })) return false;
  tell_leaks();
  for (const auto& [address, allocation] : allocations_) gpu_.free(address);
  allocations_.clear();
  for (const LoadedModule& module : modules_) gpu_.reset_variables(module.number);
  pending_ = CudaError::Success;
  return answer(CudaError::Success, {});
}

}  // namespace heddle::runtime
