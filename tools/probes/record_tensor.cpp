// Records what this machine's GPU answers to the probes of tensor-core instructions (tests/support/tensor_probe.h):
// for each a line, its name and how many words follow, and these words.
//   g++ -std=c++20 -O2 -DFMT_HEADER_ONLY -I. -Isrc -Itests -I$CUDA_HOME/include tools/probes/record_tensor.cpp
//     tests/support/tensor_*.cpp workloads/cuda/cuda_device.cpp -L$CUDA_HOME/lib64/stubs -lcuda -o record_tensor
//   record_tensor [TIMES] > tests/data/tensor/h200.bin     TIMES: as many tiles, for a closer look
//   record_tensor --ptx FOLDER                             the kernels, and no GPU
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "support/tensor_probe.h"
#include "workloads/cuda/cuda_device.h"

namespace {

using namespace heddle::test;

void write_kernels(const std::string& folder) {
  for (const TensorProbe& probe : tensor_probes()) std::ofstream(folder + "/" + probe.name + ".ptx") << probe.ptx;
}

// Answers twice, which must be the same. What this GPU does not take has no words.
int record(unsigned times) {
  int failed = 0;
  for (const TensorProbe& probe : tensor_probes()) {
    std::vector<uint32_t> words;
    try {
      heddle::workloads::CudaDevice device;
      words = tensor_answer(device, probe, times * probe.tiles);
      if (words != tensor_answer(device, probe, times * probe.tiles)) throw std::runtime_error("not the same twice");
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", probe.name.c_str(), error.what());
      words.clear();
      failed = 1;
    }
    std::printf("%s %zu\n", probe.name.c_str(), words.size());
    std::fwrite(words.data(), sizeof(uint32_t), words.size(), stdout);
    std::printf("\n");
  }
  return failed;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "--ptx") {
    write_kernels(words[2]);
    return 0;
  }
  return record(count > 1 ? static_cast<unsigned>(std::stoul(words[1])) : 1);
}
