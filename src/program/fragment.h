// Matrices in the registers of a warp: which lane holds which element in which of its registers, and how many registers
// that takes. These are the fragments of mma; those of wmma are put together from them (decode_tensor.cpp).
#pragma once

#include "program/instruction.h"

namespace heddle {

enum class Part : uint8_t { A, B, C };  // D is as C

struct TensorShape {
  unsigned m, n, k;
};

struct MatrixElement {
  unsigned row, column;
};

TensorShape tensor_shape(const ModSet& mods);
unsigned element_bits(Type type);

// What a lane has of a matrix.
unsigned fragment_elements(Part part, TensorShape shape);
unsigned fragment_registers(Part part, TensorShape shape, Type type);  // of 32 bits; of 64 for f64
// Element number `index` of a lane, in the order of its registers and of the elements in them.
MatrixElement fragment_element(Part part, TensorShape shape, Type type, unsigned lane, unsigned index);

// mma.m8n8k4 of f16, in which four pairs of quads (lanes 0 to 3 with 16 to 19, and so on) each multiply matrices of
// their own.
inline constexpr unsigned kQuadPairs = 4;
bool is_quad_pairs(const Instruction& instruction);
unsigned quad_pair(unsigned lane);
MatrixElement quad_pair_element(Part part, const Instruction& instruction, Type type, unsigned lane, unsigned index);

}  // namespace heddle
