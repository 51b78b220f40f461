// Modules and libraries, which are the same here, and so are a kernel of a library and a function of a module: the
// handle of either is the address of its name in Module::names, by which State knows the kernel.
#include "cuda/driver.h"
#include "cuda/jit.h"
#include "cudart/image.h"

using namespace heddle::shim;
using heddle::runtime::MessageReader;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

using Handle = const std::string*;

Status load_image(Module** result, const Image& image, const JitOptions& options) {
  return gpu_api([&](State& state) {
    if (!result) return Status::InvalidValue;
    auto module = std::make_unique<Module>();
    module->image = image.bytes;
    module->linked = image.linked;
    const Status status = state.load(*module);
    options.write_logs(module->problem);
    if (status != Status::Success) return status;
    module->image = {};  // it is the program's, which may free it
    module->linked.clear();
    *result = module.get();
    state.modules.push_back(std::move(module));
    return Status::Success;
  });
}
Status load_memory(Module** result, const void* begin, const JitOptions& options) {
  return begin ? load_image(result, image_at(begin), options) : Status::InvalidValue;
}
Status load_file(Module** result, const char* path, const JitOptions& options) {
  std::string bytes;
  if (!path || !read_file(path, bytes)) return Status::FileNotFound;
  return load_image(result, {bytes, {}}, options);
}

template <class Body>
Status with_module(Module* module, Body&& body) {
  return gpu_api([&](State& state) { return state.has(module) ? body(state) : Status::InvalidResourceHandle; });
}

Handle handle_of(Module* module, std::string_view name) { return &*module->names.emplace(name).first; }

Status find_kernel(State& state, Handle* result, Module* module, std::string_view name) {
  const Handle handle = handle_of(module, name);
  Function& function = state.functions[handle];
  function.module = module;
  function.name = name;
  const Status status = state.find(function);
  if (status == Status::Success)
    *result = handle;
  else
    state.functions.erase(handle);
  return status;
}
Status find_kernel(Handle* result, Module* module, const char* name) {
  return with_module(module, [&](State& state) {
    return result && name ? find_kernel(state, result, module, std::string_view(name)) : Status::InvalidValue;
  });
}

Status find_variable(void** address, size_t* bytes, Module* module, const char* name) {
  return with_module(module, [&](State& state) {
    if (!name) return Status::InvalidValue;
    const Handle handle = handle_of(module, name);
    Variable& variable = state.variables[handle];
    variable.module = module;
    variable.name = name;
    const Status status = state.find(variable);
    if (status != Status::Success) {
      state.variables.erase(handle);
      return status;
    }
    if (address) *address = reinterpret_cast<void*>(variable.address);
    if (bytes) *bytes = variable.bytes;
    return status;
  });
}

Status list_kernels(State& state, const Module* module, std::vector<std::string>& names) {
  std::string reply;
  const Status status = state.simulator.ask(Request::ListKernels, MessageWriter().add(module->number), reply);
  if (status != Status::Success) return status;
  MessageReader message(reply);
  names.resize(message.take_count());
  for (std::string& name : names) name = message.take_text();
  return status;
}
Status count_kernels(unsigned* count, Module* module) {
  return with_module(module, [&](State& state) {
    std::vector<std::string> names;
    const Status status = list_kernels(state, module, names);
    *count = static_cast<unsigned>(names.size());
    return status;
  });
}
Status give_kernels(Handle* room, unsigned count, Module* module) {
  return with_module(module, [&](State& state) {
    std::vector<std::string> names;
    Status status = list_kernels(state, module, names);
    for (unsigned i = 0; i < count && i < names.size() && status == Status::Success; ++i)
      status = find_kernel(state, room + i, module, names[i]);
    return status;
  });
}

Status unload(Module* module) {
  return with_module(module, [&](State& state) {
    const Status status = state.synchronize();
    state.unload(module);
    return status;
  });
}

template <class Body>
Status with_kernel(const void* kernel, Body&& body) {
  return driver([&] {
    return gpu_api([&](State& state) {
      Function* const function = state.function_of(kernel);
      if (!function) return Status::InvalidResourceHandle;
      body(*function);
      return Status::Success;
    });
  });
}

}  // namespace

HEDDLE_API Status cuModuleLoadDataEx(Module** module, const void* image, unsigned count, const int* options,
                                     void** values) {
  return in_context([&] { return load_memory(module, image, {count, options, values}); });
}
HEDDLE_API Status cuModuleLoadData(Module** module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
HEDDLE_API Status cuModuleLoadFatBinary(Module** module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
HEDDLE_API Status cuModuleLoad(Module** module, const char* path) {
  return in_context([&] { return load_file(module, path, {}); });
}
HEDDLE_API Status cuModuleUnload(Module* module) {
  return in_context([&] { return unload(module); });
}
HEDDLE_API Status cuModuleGetFunction(Handle* function, Module* module, const char* name) {
  return in_context([&] { return find_kernel(function, module, name); });
}
HEDDLE_API Status cuModuleGetGlobal_v2(void** address, size_t* bytes, Module* module, const char* name) {
  return in_context([&] { return find_variable(address, bytes, module, name); });
}
HEDDLE_API Status cuModuleGetFunctionCount(unsigned* count, Module* module) {
  return in_context([&] { return count_kernels(count, module); });
}
HEDDLE_API Status cuModuleEnumerateFunctions(Handle* functions, unsigned count, Module* module) {
  return in_context([&] { return give_kernels(functions, count, module); });
}
HEDDLE_API Status cuModuleGetLoadingMode(int* mode) {
  *mode = 1;  // eager
  return Status::Success;
}

HEDDLE_API Status cuLibraryLoadData(Module** library, const void* image, const int* options, void** values,
                                    unsigned count, const int*, void**, unsigned) {
  return driver([&] { return load_memory(library, image, {count, options, values}); });
}
HEDDLE_API Status cuLibraryLoadFromFile(Module** library, const char* path, const int* options, void** values,
                                        unsigned count, const int*, void**, unsigned) {
  return driver([&] { return load_file(library, path, {count, options, values}); });
}
HEDDLE_API Status cuLibraryUnload(Module* library) {
  return driver([&] { return unload(library); });
}
HEDDLE_API Status cuLibraryGetKernel(Handle* kernel, Module* library, const char* name) {
  return driver([&] { return find_kernel(kernel, library, name); });
}
HEDDLE_API Status cuLibraryGetModule(Module** module, Module* library) {
  *module = library;
  return driver([&] { return with_module(library, [](State&) { return Status::Success; }); });
}
HEDDLE_API Status cuLibraryGetGlobal(void** address, size_t* bytes, Module* library, const char* name) {
  return driver([&] { return find_variable(address, bytes, library, name); });
}
HEDDLE_API Status cuLibraryGetManaged(void** address, size_t* bytes, Module* library, const char* name) {
  return cuLibraryGetGlobal(address, bytes, library, name);
}
HEDDLE_API Status cuLibraryGetKernelCount(unsigned* count, Module* library) {
  return driver([&] { return count_kernels(count, library); });
}
HEDDLE_API Status cuLibraryEnumerateKernels(Handle* kernels, unsigned count, Module* library) {
  return driver([&] { return give_kernels(kernels, count, library); });
}

HEDDLE_API Status cuKernelGetFunction(const void** function, const void* kernel) {
  return with_kernel(kernel, [&](const Function&) { *function = kernel; });
}
HEDDLE_API Status cuKernelGetLibrary(Module** library, const void* kernel) {
  return with_kernel(kernel, [&](const Function& function) { *library = function.module; });
}
HEDDLE_API Status cuFuncGetModule(Module** module, const void* function) {
  return with_kernel(function, [&](const Function& found) { *module = found.module; });
}
