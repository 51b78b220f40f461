// The tables of CUDA functions are what each library exports, under the versions that programs ask for.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "runtime/cuda_functions.h"

namespace heddle::test {
namespace {

std::string library(const std::string& name) {
  return (std::filesystem::path(HEDDLE_PROGRAM).parent_path() / "cudart" / name).string();
}

class Functions : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    handle_ = dlopen(library(GetParam()).c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << dlerror();
  }
  void TearDown() override {}  // it stays: it has registered for the end of the process
  void* handle_ = nullptr;
};

TEST_P(Functions, all_that_the_table_lists_are_there) {
  std::set<std::string_view> seen;
  for (const runtime::CudaFunction& function : runtime::cuda_functions()) {
    EXPECT_NE(dlsym(handle_, std::string(function.name).c_str()), nullptr) << function.name;
    EXPECT_TRUE(seen.insert(function.name).second) << function.name << " stands twice";
  }
}

TEST_P(Functions, device_properties_have_the_version_of_each_toolkit) {
  for (const char* version : {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"})
    EXPECT_NE(dlvsym(handle_, "cudaGetDeviceProperties", version), nullptr) << version;
  EXPECT_NE(dlvsym(handle_, "cudaGetDeviceProperties", "libcudart.so.11.0"),
            dlvsym(handle_, "cudaGetDeviceProperties", "libcudart.so.13"));
}

TEST_P(Functions, per_thread_default_streams_have_their_names) {
  for (const char* name : {"cudaMemcpy_ptds", "cudaLaunchKernel_ptsz", "__cudaLaunchKernel_ptsz", "cuLaunchKernel_ptsz",
                           "cuMemcpyHtoD_v2_ptds"})
    EXPECT_NE(dlsym(handle_, name), nullptr) << name;
  EXPECT_EQ(dlsym(handle_, "cudaMemcpy_ptds"), dlsym(handle_, "cudaMemcpy"));
}

TEST_P(Functions, nothing_of_its_inside_is_visible) {
  for (const char* name : {"_ZN6heddle4shim5State3getEv", "_ZSt4cout"})
    EXPECT_EQ(dlsym(handle_, name), nullptr) << name;
}

// There is one state in a process, however its libraries were loaded.
TEST_P(Functions, are_those_of_libcuda) {
  void* const driver = dlopen(library("libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(driver, nullptr) << dlerror();
  for (const char* name : {"cudaMalloc", "cudaLaunchKernel", "cuMemAlloc_v2"})
    EXPECT_EQ(dlsym(handle_, name), dlsym(driver, name)) << name;
}

INSTANTIATE_TEST_SUITE_P(Libraries, Functions,
                         testing::Values("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libcuda.so.1"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace heddle::test
