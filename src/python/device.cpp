#include "python/device.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "python/arguments.h"
#include "python/interruptible.h"
#include "run/kernel_choice.h"
#include "run/runner.h"

namespace heddle::python {
namespace {

namespace py = pybind11;

struct Owned {  // what an array holds of the GPU's memory
  std::shared_ptr<Device> device;
  Address address;
  bool freed_with_it;
};

void let_go(void* pointer) {
  const std::unique_ptr<Owned> owned(static_cast<Owned*>(pointer));
  if (owned->freed_with_it) owned->device->release(owned->address);
}

}  // namespace

Device::Device(RunSpec spec) : spec_(std::move(spec)) {
  spec_.kind = RunSpec::Kind::PtxFile;
  shape("1", "1", 0, false);
  check_names(spec_);
  const RunParts parts = parts_of(spec_);
  check_read(spec_.settings, config_of(spec_), {&parts, 1});
  RunHooks hooks;
  hooks.stop = &stop_;
  hooks.printed = &printed_;
  gpu_.emplace(config_of(spec_), gpu_options_of(spec_, hooks));
}

// What arrays have let go of meanwhile is freed by whoever comes next.
std::unique_lock<std::mutex> Device::ours() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) throw Error(ExitCode::Usage, "this GPU is running a kernel for another thread");
  std::vector<Address> released;
  {
    const std::lock_guard guard(releasing_);
    released.swap(released_);
  }
  for (const Address address : released) gpu_->free(address);
  return lock;
}

void Device::release(Address address) {
  const std::lock_guard guard(releasing_);
  released_.push_back(address);
}

std::vector<std::string> Device::load(const std::string& text, const std::string& name) {
  const auto lock = ours();
  auto program = Program::load(std::make_shared<ptx::Source>(name, text));
  gpu_->load(program);
  spec_.program = name;
  programs_.push_back(std::move(program));
  return programs_.back()->kernel_names();
}

py::array Device::bytes_at(Address address, size_t bytes, bool owned) {
  const py::capsule holder(new Owned{shared_from_this(), address, owned}, &let_go);
  return {py::dtype::of<uint8_t>(), {bytes}, {}, gpu_->memory().host(address), holder};
}

py::array Device::allocate(size_t bytes, const std::string& label) {
  const auto lock = ours();
  return bytes_at(gpu_->allocate(bytes, label), bytes, true);
}

py::array Device::symbol(const std::string& name) {
  const auto lock = ours();
  const Address address = gpu_->symbol(name);
  return bytes_at(address, gpu_->memory().extent_at(address).bytes, false);
}

Address Device::address_in(const py::array& array) const {
  check_array(array);
  if (array.size() == 0) return 0;
  const GlobalMemory& memory = gpu_->memory();
  const auto* const data = static_cast<const std::byte*>(array.data());
  const std::byte* const begin = memory.host(memory.base());
  if (std::less<>()(data, begin) || !std::less<>()(data, begin + memory.capacity()))
    throw py::value_error("the array is not in this GPU's memory: allocate() and array() make such");
  return memory.base() + static_cast<Address>(data - begin);
}

Address Device::address(const py::array& array) {
  const auto lock = ours();
  return address_in(array);
}

// The program that has the kernel, whose name becomes the compiler's.
const Program& Device::program_with(std::string& kernel) const {
  std::vector<std::string> all;
  for (const auto& program : programs_)
    for (std::string& name : program->kernel_names()) all.push_back(std::move(name));
  if (all.empty()) throw Error(ExitCode::Usage, "no module with a kernel is loaded");
  kernel = kernel_named(kernel, all, "the loaded modules");
  const auto has = [&](const auto& program) {
    const std::vector<std::string> names = program->kernel_names();
    return std::find(names.begin(), names.end(), kernel) != names.end();
  };
  return **std::find_if(programs_.begin(), programs_.end(), has);
}

void Device::shape(const std::string& grid, const std::string& block, uint32_t shared, bool cooperative) {
  spec_.launch = {grid, block, shared, cooperative, {}};
}

void Device::launch(const std::string& kernel, const py::sequence& given) {
  const auto lock = ours();
  std::string name = kernel;
  const Program& program = program_with(name);
  const std::vector<ptx::Variable>& parameters = parameters_of(program, name, given.size());
  Arguments arguments;
  for (size_t i = 0; i < given.size(); ++i) {
    const py::object value = given[i];
    if (py::isinstance<py::array>(value)) {
      const Address address = address_in(value);
      arguments.add(&address, sizeof address);
    } else {
      const std::vector<std::byte> bytes = value_bytes(value, parameters[i], address_bytes_of(program));
      arguments.add(bytes.data(), bytes.size());
    }
  }
  const KernelLaunch& launch = spec_.launch;
  const LaunchShape shape{parse_dimensions("grid", launch.grid), parse_dimensions("block", launch.block), launch.shared,
                          launch.cooperative};
  stop_ = false;
  interruptible(stop_, [&] { gpu_->launch(name, shape, arguments); });
}

Outcome Device::outcome() {
  const auto lock = ours();
  const RunResult result = measure(*gpu_, spec_, [] { return std::nullopt; });
  Outcome outcome = outcome_of(result, false);
  outcome.printed = printed_;
  return outcome;
}

void declare_device(py::module_& module) {
  py::class_<Device, std::shared_ptr<Device>>(module, "Device")
      .def(py::init<RunSpec>(), py::arg("spec"))
      .def("load", &Device::load, py::arg("text"), py::arg("name"))
      .def("allocate", &Device::allocate, py::arg("bytes"), py::arg("label"))
      .def("symbol", &Device::symbol, py::arg("name"))
      .def("address", &Device::address, py::arg("array"))
      .def("shape", &Device::shape, py::arg("grid"), py::arg("block"), py::arg("shared"), py::arg("cooperative"))
      .def("launch", &Device::launch, py::arg("kernel"), py::arg("arguments"))
      .def("outcome", &Device::outcome);
}

}  // namespace heddle::python
