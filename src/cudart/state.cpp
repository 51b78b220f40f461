#include "cudart/state.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cudart/host_memory.h"

namespace heddle::shim {

using runtime::MessageReader;
using runtime::MessageWriter;
using runtime::Request;

State& State::get() {
  static State* const state = new State;
  return *state;
}

State::State() {
  pthread_atfork(nullptr, nullptr, [] { get().give_up_in_child(); });
}

ThreadState& this_thread() {
  thread_local ThreadState state;
  return state;
}

void State::give_up_in_child() { simulator.forget(); }

// Such code is not NVIDIA's any more, and nobody compresses it: `heddle cc` wrote it.
bool State::has_short_addresses() const {
  return std::any_of(modules.begin(), modules.end(), [](const auto& module) {
    return module->image.find(".address_size 32") != std::string_view::npos;
  });
}

Status State::ready() {
  if (lost_ != Status::Success) return lost_;
  if (simulator.connected()) return Status::Success;
  const Status status = simulator.connect(has_short_addresses());
  // What was launched is measured to its end, and what was printed is seen, before the program is gone.
  if (status == Status::Success) std::atexit([] { api([](State& state) { return state.synchronize(); }); });
  return status;
}

Status State::tell(Request request, const MessageWriter& message) {
  under_way_ = true;
  return simulator.tell(request, message);
}

Status State::synchronize() {
  const Status status = wait_for(runtime::WaitFor::All, 0);
  under_way_ = false;
  return status;
}

Status State::wait_for(runtime::WaitFor what, uint64_t number) {
  if (lost_ != Status::Success) return lost_;
  if (!under_way_) return Status::Success;
  std::string reply;
  const Status status = simulator.ask(Request::Synchronize, MessageWriter().add(what).add(number), reply);
  if (!reply.empty()) {
    const std::string_view text = MessageReader(reply).take_text();
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (simulator.machine().launches == 1) under_way_ = false;  // all that was given is done
  if (status != Status::Success) lost_ = status;
  return status;
}

Status State::load(Module& module) {
  if (module.loaded) return module.status;
  module.loaded = true;
  MessageWriter message;
  message.add_text(module.image).add(static_cast<uint32_t>(module.linked.size()));
  for (const std::string_view each : module.linked) message.add_text(each);
  message.add(static_cast<uint32_t>(module.shadowed.size()));
  for (const auto& [name, shadow] : module.shadowed) message.add_text(name).add(moved_at(shadow)->device);
  std::string reply;
  module.status = simulator.ask(Request::Load, message, reply);
  if (module.status == Status::Success)
    module.number = MessageReader(reply).take<uint32_t>();
  else if (!reply.empty())
    module.problem = MessageReader(reply).take_text();
  return module.status;
}

bool State::has(const Module* module) const {
  return std::any_of(modules.begin(), modules.end(), [&](const auto& each) { return each.get() == module; });
}

// The simulator keeps it: kernels of it may be under way.
void State::unload(const Module* module) {
  std::erase_if(functions, [&](const auto& each) { return each.second.module == module; });
  std::erase_if(variables, [&](const auto& each) { return each.second.module == module; });
  std::erase_if(modules, [&](const auto& each) { return each.get() == module; });
}

Status State::find(Function& function) {
  if (function.known) return function.status;
  function.status = load(*function.module);
  function.known = true;
  if (function.status != Status::Success) return function.status;
  std::string reply;
  function.status =
      simulator.ask(Request::FindKernel, MessageWriter().add(function.module->number).add_text(function.name), reply);
  if (function.status != Status::Success) return function.status;
  MessageReader message(reply);
  function.number = message.take<uint32_t>();
  function.facts = message.take<runtime::KernelFacts>();
  function.parameters.resize(message.take<uint32_t>());
  for (Function::Parameter& parameter : function.parameters) parameter = message.take<Function::Parameter>();
  return Status::Success;
}

Status State::find(Variable& variable) {
  if (variable.address != 0) return Status::Success;
  Status status = load(*variable.module);
  if (status != Status::Success) return status;
  std::string reply;
  status =
      simulator.ask(Request::FindSymbol, MessageWriter().add(variable.module->number).add_text(variable.name), reply);
  if (status != Status::Success) return status;
  MessageReader message(reply);
  variable.address = message.take<uint64_t>();
  variable.bytes = message.take<uint64_t>();
  return Status::Success;
}

Function* State::function_of(const void* stub) {
  const auto found = functions.find(stub);
  if (found != functions.end()) return &found->second;
  for (auto& [key, function] : functions)
    if (&function == stub) return &function;
  return nullptr;
}

Status State::allocate(uint64_t bytes, MemoryKind kind, const char* label, void** pointer) {
  std::string reply;
  const Status status = simulator.ask(Request::Allocate, MessageWriter().add(bytes).add_text(label), reply);
  if (status != Status::Success) return status;
  const auto address = MessageReader(reply).take<uint64_t>();
  allocations[address] = {bytes, kind};
  allocated += bytes;
  *pointer = reinterpret_cast<void*>(address);
  if (kind != MemoryKind::Device) tell_written(*pointer, bytes);  // the program writes there unseen
  return Status::Success;
}

Status State::release(void* pointer) {
  const auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (found == allocations.end()) return Status::InvalidValue;
  allocated -= found->second.bytes;
  const uint64_t address = found->first;
  allocations.erase(found);
  return simulator.tell(Request::Release, MessageWriter().add(address));
}

void State::tell_written(const void* pointer, size_t bytes) {
  if ((simulator.machine().wants & runtime::kWantsWrites) == 0) return;
  simulator.tell(Request::Wrote, MessageWriter().add(reinterpret_cast<uint64_t>(pointer)).add(uint64_t{bytes}));
}

Status State::tell_fetched(const void* pointer, size_t bytes) {
  if ((simulator.machine().wants & runtime::kWantsReads) == 0) return Status::Success;
  std::string reply;
  return simulator.ask(Request::Fetched, MessageWriter().add(reinterpret_cast<uint64_t>(pointer)).add(uint64_t{bytes}),
                       reply);
}

void State::tell_made(const void* handle, const char* what) {
  if ((simulator.machine().wants & runtime::kWantsObjects) == 0) return;
  simulator.tell(Request::Made, MessageWriter().add(reinterpret_cast<uint64_t>(handle)).add_text(what));
}

void State::tell_gone(const void* handle) {
  if ((simulator.machine().wants & runtime::kWantsObjects) == 0) return;
  simulator.tell(Request::Gone, MessageWriter().add(reinterpret_cast<uint64_t>(handle)));
}

const Allocation* State::allocation_at(const void* pointer, uint64_t* begin) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return nullptr;
  const auto& [start, allocation] = *std::prev(after);
  if (address - start >= allocation.bytes) return nullptr;
  if (begin) *begin = start;
  return &allocation;
}

bool State::range_at(const void* pointer, uint64_t& begin, uint64_t& bytes) const {
  if (const Allocation* allocation = allocation_at(pointer, &begin)) {
    bytes = allocation->bytes;
    return true;
  }
  const Variable* const variable = variable_at(pointer);
  if (!variable) return false;
  begin = variable->address;
  bytes = variable->bytes;
  return true;
}

const Variable* State::variable_at(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  for (const auto& [shadow, variable] : variables)
    if (variable.address != 0 && address >= variable.address && address - variable.address <= variable.bytes)
      return &variable;
  return nullptr;
}

bool State::holds(const void* pointer, size_t bytes) const {
  uint64_t begin = 0, size = 0;
  if (!range_at(pointer, begin, size)) return false;
  return size - (reinterpret_cast<uint64_t>(pointer) - begin) >= bytes;
}

Status State::reset() {
  if (!simulator.connected()) return Status::Success;
  synchronize();
  std::string reply;
  const Status status = simulator.ask(Request::Reset, {}, reply);
  allocations.clear();
  allocated = 0;
  lost_ = Status::Success;
  for (auto& [stub, function] : functions) function.max_dynamic_shared = 0;
  return status;
}

}  // namespace heddle::shim
