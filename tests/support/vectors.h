// Reads the H200 vectors (tests/data): index.tsv, inputs.bin, outputs.bin and the PTX modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/types.h"

namespace heddle::test {

struct Field {
  std::string name, type;
  size_t offset = 0, bytes = 0;
};

struct VectorCase {
  std::string id, kind, family, variant, module, kernel, body;
  uint32_t n = 0, shared = 0;
  Dim3 grid, block;
  std::vector<Field> inputs, outputs;
  size_t in_stride = 0, in_offset = 0, in_bytes = 0, out_stride = 0, out_offset = 0, out_bytes = 0;
  std::vector<std::vector<std::byte>> extra_parameters;
};

class VectorSet {
 public:
  explicit VectorSet(const std::string& folder);
  const std::vector<VectorCase>& cases() const { return cases_; }
  const std::byte* inputs(const VectorCase& c) const {
    return reinterpret_cast<const std::byte*>(inputs_.data()) + c.in_offset;
  }
  const std::byte* outputs(const VectorCase& c) const {
    return reinterpret_cast<const std::byte*>(outputs_.data()) + c.out_offset;
  }
  std::string module_path(const VectorCase& c) const { return folder_ + "/" + c.module; }

 private:
  std::string folder_, inputs_, outputs_;
  std::vector<VectorCase> cases_;
};

std::string read_file(const std::string& path);
std::vector<std::string> split(const std::string& text, char separator);
uint64_t bits_at(const std::byte* record, const Field& field);
bool is_nan(uint64_t bits, const std::string& type);  // of one value, not packed
// Equal, where NaNs of any payload count as equal; packed halves one by one.
bool same_value(uint64_t a, uint64_t b, const std::string& type);
double value_of(uint64_t bits, const std::string& type);
// Distance in units of the last place between two values of a float type.
uint64_t ulp_distance(uint64_t a, uint64_t b, const std::string& type);

}  // namespace heddle::test
