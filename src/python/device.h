// A GPU that stays: modules, memory and launches one after another, from Python.
//
// Its memory is numpy's memory: arrays lie in it, and freeing them frees it, at the next call. One thread at a time
// uses it; another one is refused.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "python/outcome.h"
#include "run/run_spec.h"

namespace heddle::python {

class Device : public std::enable_shared_from_this<Device> {
 public:
  explicit Device(RunSpec spec);

  std::vector<std::string> load(const std::string& text, const std::string& name);  // its kernels
  pybind11::array allocate(size_t bytes, const std::string& label);                 // of bytes, all zero
  pybind11::array symbol(const std::string& name);                                  // a module's variable, as bytes
  Address address(const pybind11::array& array);
  void launch(const std::string& kernel, const pybind11::sequence& arguments);  // shaped as the spec says
  void shape(const std::string& grid, const std::string& block, uint32_t shared, bool cooperative);
  Outcome outcome();

  void release(Address address);  // from any thread, at any time

 private:
  std::unique_lock<std::mutex> ours();
  pybind11::array bytes_at(Address address, size_t bytes, bool owned);
  Address address_in(const pybind11::array& array) const;
  const Program& program_with(std::string& kernel) const;

  RunSpec spec_;
  std::atomic<bool> stop_ = false;
  std::string printed_;
  std::mutex mutex_, releasing_;
  std::vector<Address> released_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::optional<Gpu> gpu_;
};

void declare_device(pybind11::module_& module);

}  // namespace heddle::python
