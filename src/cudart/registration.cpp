// What the compiler puts into a program to make its device code known, before main() begins. Nothing is sent to the
// simulator here: a program that never uses its GPU never connects.
#include "cudart/host_memory.h"
#include "cudart/image.h"
#include "cudart/state.h"

using namespace heddle::shim;

namespace {

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

// Where `heddle cc` has put the managed variables of the program: clang knows of none, so it takes them for variables
// of kernels with a shadow on the host. These are moved to the GPU, and are the variables.
std::string_view managed_section;
bool managed_moved = false;

bool is_managed(const void* shadow) {
  return static_cast<const char*>(shadow) - managed_section.data() < static_cast<ptrdiff_t>(managed_section.size()) &&
         shadow >= managed_section.data();
}

}  // namespace

HEDDLE_API void** __cudaRegisterFatBinary(const void* given) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.modules.push_back(std::make_unique<Module>());
  Image image = image_at(given);
  state.modules.back()->image = image.bytes;
  state.modules.back()->linked = std::move(image.linked);
  return reinterpret_cast<void**>(state.modules.back().get());
}

// The program may look at its managed variables from here on, so their values must be there.
HEDDLE_API void __cudaRegisterFatBinaryEnd(void** handle) {
  Module& module = *module_of(handle);
  if (module.shadowed.empty()) return;
  gpu_api([&](State& state) {
    const Status status =
        managed_moved ? Status::Success : move_managed(state, managed_section.data(), managed_section.size());
    managed_moved = status == Status::Success;
    return managed_moved ? state.load(module) : status;
  });
}
HEDDLE_API void __cudaUnregisterFatBinary(void**) {}

HEDDLE_API void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*, void*,
                                       void*, void*, int*) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  Function& function = state.functions[stub];
  function.module = module_of(handle);
  function.name = name;
}

HEDDLE_API void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t, int, int) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  Variable& variable = state.variables[shadow];
  variable.module = module_of(handle);
  variable.name = name;
  variable.managed = is_managed(shadow);
  if (variable.managed) variable.module->shadowed.emplace_back(name, shadow);
}

HEDDLE_API void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t, int,
                                         int) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  module_of(handle)->managed.push_back({pointer, name});
  Variable& variable = state.variables[pointer];
  variable.module = module_of(handle);
  variable.name = name;
  variable.managed = true;
}

// Asked for before the program touches a managed variable: from then on its pointers point, also where a kernel has
// failed, for the program goes on to touch it.
HEDDLE_API char __cudaInitModule(void** handle) {
  const Status status = api([&](State& state) {
    if (const Status ready = state.ready(); ready != Status::Success && !state.simulator.connected()) return ready;
    for (const Module::Managed& managed : module_of(handle)->managed) {
      Variable& variable = state.variables[managed.pointer];
      if (const Status found = state.find(variable); found != Status::Success) return found;
      *managed.pointer = reinterpret_cast<void*>(variable.address);
      state.variables[*managed.pointer] = variable;
    }
    return Status::Success;
  });
  return status == Status::Success ? 1 : 0;
}

// Texture and surface references went away with CUDA 12; a program that has some fails when it binds them.
HEDDLE_API void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
HEDDLE_API void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}
// `heddle cc` tells by it where managed variables are.
HEDDLE_API void __cudaRegisterHostVar(void** handle, const char*, char* begin, size_t bytes) {
  if (!handle) managed_section = {begin, bytes};
}
