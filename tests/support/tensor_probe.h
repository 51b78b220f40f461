// Probes of tensor-core instructions: a kernel for each variant, and the numbers it is given. The same text runs on a
// real GPU (tools/probes/record_tensor.cpp, whose answers are tests/data/tensor) and here.
//
// A probe takes `in_words` words for each tile and gives `out_words`; one warp, a block of its own, does a tile. What a
// tile's numbers are like goes by its number: ordinary ones, all exponents, few and sparse ones, any bits at all,
// subnormal ones, products that cancel, one product far above the others, and sums that overflow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::test {

inline constexpr unsigned kProbeLanes = 32;

enum class Element { F16, Bf16, Tf32, E4m3, E5m2, F32, F64, Bits };

struct TensorProbe {
  struct Part {  // of the input of a tile, in order
    Element element;
    unsigned words;
  };
  std::string name;  // the instruction
  std::string ptx;   // a module with the kernel "probe" (in, out)
  std::vector<Part> inputs;
  unsigned out_words = 0;
  unsigned tiles = 0;  // of which the answers are kept
};

std::vector<TensorProbe> tensor_probes();
void add_wmma_probes(std::vector<TensorProbe>& all);
std::vector<uint32_t> tile_input(const TensorProbe& probe, unsigned tile);
std::vector<uint32_t> tensor_answer(Device& device, const TensorProbe& probe, unsigned tiles);

// A module whose kernel has %inN and %outN, the tile's input and output and N bytes for every lane before this one (N:
// 4 or 8), %tile_in and %tile_out, the same without the lane, and %shared, 2 KiB of shared memory.
std::string probe_module(const std::string& body, unsigned in_words, unsigned out_words);

}  // namespace heddle::test
