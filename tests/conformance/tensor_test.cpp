// Instructions on matrices against an H200 (tests/data/tensor): every word of every answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "gpu/gpu.h"
#include "support/tensor_probe.h"

namespace heddle::test {
namespace {

std::map<std::string, std::vector<uint32_t>> answers() {
  std::map<std::string, std::vector<uint32_t>> all;
  std::ifstream file(HEDDLE_SOURCE "/tests/data/tensor/h200.bin", std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const size_t space = line.rfind(' ');
    std::vector<uint32_t>& words = all[line.substr(0, space)];
    words.resize(std::stoul(line.substr(space + 1)));
    file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
    std::getline(file, line);
  }
  return all;
}

std::vector<uint32_t> ours(const TensorProbe& probe, unsigned tiles) {
  Gpu gpu(make_config("default", {}), {});
  return tensor_answer(gpu, probe, tiles);
}

// The order in which the assembler adds the products of this shape is not wholly known (docs/deviations.md).
unsigned known_differences(const std::string& name) {
  return name == "mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16" ? 1 : 0;
}

TEST(Tensor, GivesTheBitsOfAnH200) {
  const auto recorded = answers();
  const std::vector<TensorProbe> probes = tensor_probes();
  ASSERT_EQ(recorded.size(), probes.size());
  for (const TensorProbe& probe : probes) {
    const auto found = recorded.find(probe.name);
    ASSERT_NE(found, recorded.end()) << probe.name;
    const std::vector<uint32_t>& expected = found->second;
    const std::vector<uint32_t> got = ours(probe, static_cast<unsigned>(expected.size()) / probe.out_words);
    ASSERT_EQ(got.size(), expected.size()) << probe.name;
    unsigned different = 0;
    std::string first;
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] == expected[i]) continue;
      if (++different == 1)
        first = fmt::format("tile {}, word {}: {:08x}, the H200 {:08x}", i / probe.out_words, i % probe.out_words,
                            got[i], expected[i]);
    }
    EXPECT_EQ(different, known_differences(probe.name)) << probe.name << ": " << first;
  }
}

}  // namespace
}  // namespace heddle::test
