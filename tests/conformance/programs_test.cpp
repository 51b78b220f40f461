// Nine small CUDA programs whose results an H200 recorded, run from the PTX nvcc made of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

#include "gpu/gpu.h"
#include "support/vectors.h"

namespace heddle::test {
namespace {

// "kernel=k grid=1,1,1 …" as a map.
std::map<std::string, std::string> read_meta(const std::string& path) {
  std::map<std::string, std::string> meta;
  for (const std::string& word : split(read_file(path), ' '))
    if (const size_t equals = word.find('='); equals != std::string::npos)
      meta[word.substr(0, equals)] = word.substr(equals + 1);
  return meta;
}

Dim3 dim_of(const std::string& text) {
  const auto parts = split(text, ',');
  return {static_cast<uint32_t>(std::stoul(parts[0])), static_cast<uint32_t>(std::stoul(parts[1])),
          static_cast<uint32_t>(std::stoul(parts[2]))};
}

class Programs : public ::testing::TestWithParam<std::string> {};

TEST_P(Programs, gives_the_bytes_of_the_h200) {
  const std::string stem = std::string(HEDDLE_CONFORMANCE "/programs/") + GetParam();
  const std::string name = GetParam().substr(0, GetParam().find('.'));
  auto meta = read_meta(stem + ".meta");
  const std::string input = read_file(stem + ".in.bin"), expected = read_file(stem + ".out.bin");
  Gpu gpu(make_config("default", {}), {});
  gpu.load(Program::load(ptx::Source::from_file(std::string(HEDDLE_CONFORMANCE "/programs/") + name + ".ptx")));
  const Address in = gpu.allocate(input.size(), "in"), out = gpu.allocate(expected.size(), "out");
  std::string got(expected.size(), static_cast<char>(0xA5));
  gpu.write(in, input.data(), input.size());
  gpu.write(out, got.data(), got.size());
  const auto shared = static_cast<uint32_t>(std::stoul(meta["dynsmem"]));
  gpu.launch(meta["kernel"], {dim_of(meta["grid"]), dim_of(meta["block"]), shared, false},
             Arguments(in, out, std::stoi(meta["n"])));
  gpu.read(got.data(), out, got.size());
  size_t different = 0, first = got.size();
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i]) {
      ++different;
      first = std::min(first, i);
    }
  EXPECT_EQ(different, 0U) << "first different byte at " << first << " of " << got.size();
}

std::vector<std::string> recorded_programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_CONFORMANCE "/programs"))
    if (entry.path().extension() == ".meta") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(H200, Programs, ::testing::ValuesIn(recorded_programs()),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace
}  // namespace heddle::test
