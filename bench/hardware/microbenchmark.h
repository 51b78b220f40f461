// Small measurements of a GPU, each of one thing: how long an instruction takes, how many go in a cycle, how far away a
// memory is, how much it delivers. They are written once against Device, so that a real GPU (main.cpp) and a simulated
// one (`heddle validate`) run the same kernels and take the figure from the same clock readings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::hardware {

struct Microbenchmark {
  std::string name;  // group.what
  std::string unit;
  std::string meaning;
  std::function<double(Device&)> measure;
};

std::vector<Microbenchmark> microbenchmarks();

// The groups they come from.
void add_arithmetic(std::vector<Microbenchmark>& all);
void add_tensor(std::vector<Microbenchmark>& all);
void add_shared_memory(std::vector<Microbenchmark>& all);
void add_global_memory(std::vector<Microbenchmark>& all);
void add_local_memory(std::vector<Microbenchmark>& all);
void add_atomics(std::vector<Microbenchmark>& all);
void add_control(std::vector<Microbenchmark>& all);

}  // namespace heddle::hardware
