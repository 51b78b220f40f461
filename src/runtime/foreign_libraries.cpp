#include "runtime/foreign_libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace heddle::runtime {
namespace {

constexpr std::string_view kAsksTheDriver =
    "it works with NVIDIA's driver alone, so that calls to it fail; kernels of the program's own, and those of headers "
    "(Thrust, CUB, curand_kernel.h), run";

struct Foreign {
  std::string_view file;  // up to ".so"
  std::string_view name;
  std::string_view why;
};
constexpr Foreign kForeign[] = {
    {"libcublas", "cuBLAS", kAsksTheDriver},
    {"libcublasLt", "cuBLASLt", kAsksTheDriver},
    {"libcufft", "cuFFT", kAsksTheDriver},
    {"libcufftw", "cuFFTW", kAsksTheDriver},
    {"libcurand", "cuRAND", kAsksTheDriver},
    {"libcusolver", "cuSOLVER", kAsksTheDriver},
    {"libcusparse", "cuSPARSE", kAsksTheDriver},
    {"libcudnn", "cuDNN", kAsksTheDriver},
    {"libcutensor", "cuTENSOR", kAsksTheDriver},
    {"libnccl", "NCCL", kAsksTheDriver},
    {"libmpi", "MPI", "every process has a simulated GPU of its own, and none reads another's memory"},
};

bool is_library(std::string_view file, std::string_view name) {
  return file.starts_with(name) && file.substr(name.size()).starts_with(".so");
}

}  // namespace

std::vector<std::string> notes_on_foreign_libraries(const Executable& executable) {
  std::vector<std::string> notes;
  for (const std::string& file : executable.needed) {
    const auto* const found = std::find_if(std::begin(kForeign), std::end(kForeign),
                                           [&](const Foreign& each) { return is_library(file, each.file); });
    if (found != std::end(kForeign))
      notes.push_back(fmt::format("{} asks for {} ({}): {}", executable.path, found->name, file, found->why));
  }
  return notes;
}

}  // namespace heddle::runtime
