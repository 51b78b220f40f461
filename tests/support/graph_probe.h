// A flow graph as a program that writes down who runs together: every block logs its number, the active mask and the
// clock, and takes the next of its thread's choices. What an H200 answers to such programs is committed
// (tests/data/its); the same programs run here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::test {

struct GraphProbe {
  static constexpr unsigned kThreads = 32, kSteps = 64;  // no thread takes more blocks than that

  std::vector<std::vector<unsigned>> next;   // by block: nobody (exit), one, or taken and not taken
  std::array<uint64_t, kThreads> choices{};  // by thread: a bit per branch with two ways, the lowest first

  // "2,1 3 3 -": a block each; then, behind a colon, the choices of the threads in hexadecimal.
  static GraphProbe parse(std::string_view line);
  std::string text() const;
  // A kernel `probe` of one parameter: where to log, zero everywhere, kSteps x kThreads entries.
  std::string ptx() const;
};

// A kernel of tests/data/its/probes.cu and what it is given: "name n", then a digit for each thread, and another.
struct KernelProbe {
  std::string kernel;
  int n = 0;
  std::vector<int> figures;
  static KernelProbe parse(const std::string& line);
};

struct ProbeEntry {
  uint32_t block_plus_one;
  uint32_t mask;
  uint64_t clock;
};

// The groups in the order of the clock: "0:ffffffff 2:0000ffff …". Threads that ran together logged the same clock.
std::string groups_of(const std::vector<ProbeEntry>& log);

}  // namespace heddle::test
