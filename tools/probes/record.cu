// Records what this machine's GPU answers to the probes of tests/data/its: a line for each, the question, " = ", the
// groups in their order.
//   nvcc -std=c++20 -I tests -o record tools/probes/record.cu tests/support/graph_probe.cpp -lcuda
//   record random FIRST_SEED COUNT     random graphs (tests/support/graph_probe.h)
//   record graphs < LINES              graphs given
//   record PTX < LINES                 kernels of probes.ptx: name, n, a digit for each thread, another
#include <cuda.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include "support/graph_probe.h"

using heddle::test::GraphProbe;
using heddle::test::KernelProbe;
using heddle::test::ProbeEntry;

namespace {

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(result));
  std::exit(1);
}

// A module of its own for every answer, so that its variables start at zero.
class Launch {
 public:
  Launch(const std::string& ptx, const char* kernel, size_t steps) : log_(steps * GraphProbe::kThreads) {
    check(cuModuleLoadData(&module_, ptx.c_str()), "load");
    check(cuModuleGetFunction(&function_, module_, kernel), kernel);
  }
  ~Launch() { cuModuleUnload(module_); }
  std::vector<ProbeEntry>& log() { return log_; }
  std::string groups(const std::vector<int>& figures = {}, int n = 0) {
    CUdeviceptr memory, a;
    const size_t bytes = log_.size() * sizeof(ProbeEntry);
    check(cuMemAlloc(&memory, bytes), "allocate");
    check(cuMemAlloc(&a, 2 * GraphProbe::kThreads * sizeof(int)), "allocate");
    check(cuMemcpyHtoD(memory, log_.data(), bytes), "copy");
    if (!figures.empty()) check(cuMemcpyHtoD(a, figures.data(), figures.size() * sizeof(int)), "copy");
    CUdeviceptr b = a + GraphProbe::kThreads * sizeof(int);
    void* arguments[] = {&memory, &a, &b, &n};
    check(cuLaunchKernel(function_, 1, 1, 1, GraphProbe::kThreads, 1, 1, 0, nullptr, arguments, nullptr), "launch");
    check(cuMemcpyDtoH(log_.data(), memory, bytes), "copy back");
    cuMemFree(memory);
    cuMemFree(a);
    return groups_of(log_);
  }

 private:
  std::vector<ProbeEntry> log_;
  CUmodule module_;
  CUfunction function_;
};

std::string answer(const GraphProbe& probe) {
  Launch launch(probe.ptx(), "probe", GraphProbe::kSteps);
  for (unsigned i = 0; i < GraphProbe::kThreads; ++i)
    *reinterpret_cast<uint64_t*>(&launch.log()[i]) = probe.choices[i];
  return launch.groups();
}

std::string answer(const std::string& ptx, const std::string& question) {
  const KernelProbe probe = KernelProbe::parse(question);
  return Launch(ptx, probe.kernel.c_str(), 4 * GraphProbe::kSteps).groups(probe.figures, probe.n);
}

using Random = std::mt19937_64;

unsigned below(Random& random, unsigned bound) { return static_cast<unsigned>(random() % bound); }

std::vector<std::vector<unsigned>> random_graph(Random& random) {
  const unsigned blocks = 5 + below(random, 8), back = below(random, 3) == 0 ? 25 : 0;  // percent of ways that go back
  std::vector<std::vector<unsigned>> next(blocks);
  for (unsigned i = 0; i + 1 < blocks; ++i) {
    const auto way = [&] {
      if (below(random, 100) < back) return 1 + below(random, i + 1 < blocks ? i + 1 : i);
      const unsigned room = blocks - 1 - i, reach = below(random, 3) == 0 ? room : std::min(room, 3U);
      return i + 1 + below(random, reach);
    };
    next[i].push_back(way());
    if (below(random, 4) == 0) continue;
    const unsigned other = way();
    if (other != next[i][0]) next[i].push_back(other);
  }
  return next;
}

// Is every block reached, and does it reach an exit?
bool sound(const std::vector<std::vector<unsigned>>& next) {
  std::vector<bool> reached(next.size()), ends(next.size());
  reached[0] = true;
  for (size_t round = 0; round < next.size(); ++round)
    for (size_t i = 0; i < next.size(); ++i) {
      ends[i] = ends[i] || next[i].empty();
      for (unsigned way : next[i]) {
        if (reached[i]) reached[way] = true;
        if (ends[way]) ends[i] = true;
      }
    }
  for (size_t i = 0; i < next.size(); ++i)
    if (!reached[i] || !ends[i]) return false;
  return true;
}

bool walk(Random& random, const GraphProbe& probe, const std::vector<unsigned>& taken, uint64_t& choices) {
  choices = 0;
  unsigned at = 0, choice = 0;
  for (unsigned step = 1; step < GraphProbe::kSteps / 2; ++step) {
    const std::vector<unsigned>& ways = probe.next[at];
    if (ways.empty()) return true;
    unsigned way = 0;
    if (ways.size() == 2) {
      way = below(random, 100) < taken[at] ? 0 : 1;
      if (way == 0) choices |= uint64_t{1} << choice;
      ++choice;
    }
    at = ways[way];
  }
  return false;
}

GraphProbe random_probe(Random& random) {
  for (;;) {
    GraphProbe probe;
    probe.next = random_graph(random);
    if (!sound(probe.next)) continue;
    std::vector<unsigned> taken;
    for (size_t i = 0; i < probe.next.size(); ++i) taken.push_back(20 + 30 * below(random, 3));
    bool ended = true;
    for (uint64_t& choices : probe.choices) {
      unsigned tries = 0;
      while (ended && !walk(random, probe, taken, choices)) ended = ++tries < 100;
    }
    if (ended) return probe;
  }
}

}  // namespace

int main(int count, char** words) {
  check(cuInit(0), "init");
  CUdevice device;
  CUcontext context;
  check(cuDeviceGet(&device, 0), "device");
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "context");
  const std::string what = count > 1 ? words[1] : "";
  if (what == "random" && count == 4) {
    const unsigned long first = std::stoul(words[2]), graphs = std::stoul(words[3]);
    for (unsigned long seed = first; seed < first + graphs; ++seed) {
      Random random(seed);
      const GraphProbe probe = random_probe(random);
      std::cout << probe.text() << " = " << answer(probe) << "\n";
    }
    return 0;
  }
  std::ostringstream ptx;
  if (what != "graphs") ptx << std::ifstream(what).rdbuf();
  for (std::string line; std::getline(std::cin, line);) {
    const std::string question = line.substr(0, line.find(" = "));
    std::cout << question << " = "
              << (what == "graphs" ? answer(GraphProbe::parse(question)) : answer(ptx.str(), question)) << "\n";
  }
}
