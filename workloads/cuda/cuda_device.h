// A real GPU behind the Device interface, through the CUDA driver API: the same host code that drives the simulator
// drives the hardware. A module is machine code or PTX; each workload gets a context of its own, so that an error
// (which spoils a context for good) stays with the workload that caused it.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::workloads {

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int number = 0);
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string name() const;

  void load(std::string_view name, std::string_view image) override;
  Address allocate(size_t bytes, std::string_view label) override;
  void free(Address address) override;
  void write(Address to, const void* from, size_t bytes) override;
  void read(void* to, Address from, size_t bytes) override;
  Address symbol(std::string_view name) override;
  void launch(std::string_view kernel, const LaunchShape& shape, const Arguments& arguments) override;

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  std::vector<CUmodule> modules_;
};

}  // namespace heddle::workloads
