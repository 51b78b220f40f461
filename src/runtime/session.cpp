#include "runtime/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/occupancy.h"
#include "runtime/machine_facts.h"
#include "wire/descriptor_passing.h"

namespace heddle::runtime {

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
    fail(Error(code_of(error), text_of(error)), CudaError::Unknown);
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
