// What the compiler puts into a program to make its device code known, before main() begins. Nothing is sent to the
// simulator here: a program that never uses its GPU never connects.
#include "cudart/image.h"
#include "cudart/state.h"

using namespace heddle::shim;

namespace {

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

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

HEDDLE_API void __cudaRegisterFatBinaryEnd(void**) {}
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
}

HEDDLE_API void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t, int,
                                         int) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  module_of(handle)->managed.push_back({pointer, name});
  Variable& variable = state.variables[pointer];
  variable.module = module_of(handle);
  variable.name = name;
}

// Asked for before the program touches a managed variable: from then on its pointers point.
HEDDLE_API char __cudaInitModule(void** handle) {
  const Status status = gpu_api([&](State& state) {
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
HEDDLE_API void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
