// Global memory: how far away each level is, what it delivers to a core and to all, and what scattered lanes cost.
#include <fmt/format.h>

#include <numeric>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

constexpr size_t kMegabyte = 1 << 20;

// Pushes what was used out of the caches of a real GPU; a simulated one does not cache what the host writes.
void forget_caches(Device& device) {
  const Address other = device.allocate(256 * kMegabyte, "other data");
  device.free(other);
}

// A ring of pointers, `stride` bytes apart and in an order that no prefetcher guesses, as far as `steps` need it.
Address ring(Device& device, size_t bytes, size_t stride, unsigned steps) {
  const Address at = device.allocate(bytes, "ring");
  const size_t places = bytes / stride;
  size_t jump = places * 3 / 8 + 1;  // visits all places
  while (std::gcd(jump, places) != 1) ++jump;
  size_t place = 0;
  for (unsigned i = 0; i < steps && i < places; ++i) {
    const size_t next = (place + jump) % places;
    const Address to = at + next * stride;
    device.write(at + place * stride, &to, sizeof to);
    place = next;
  }
  return at;
}

double chase(Device& device, const char* load, size_t bytes, size_t stride, unsigned passes) {
  constexpr unsigned kTrips = 16, kSteps = 128;
  const Address data = ring(device, bytes, stride, kTrips * kSteps);
  if (passes == 1) forget_caches(device);
  TimedKernel kernel;
  kernel.registers = "  .reg .u64 %p;\n  .reg .u32 %low;\n";
  kernel.before = "  mov.u64 %p, %data;\n";
  kernel.body = repeated(kSteps, fmt::format("  {} %p, [%p];\n", load));
  kernel.after = "  cvt.u32.u64 %low, %p;\n";
  kernel.result = "%low";
  const double cycles = run(device, kernel, {1, 32, kTrips, passes, data}).longest();
  device.free(data);
  return cycles / (kTrips * kSteps);
}

// Each thread takes `words` words at a time, its neighbour the next; then all of them what follows, in a window that
// they come back to.
struct Stream {
  unsigned words;
  bool store = false;
  size_t window = 0;  // bytes, a power of two; 0: none, all data is touched once
  const char* cache = "";
};

constexpr unsigned kUnroll = 8;

// The words %v that were loaded, in one: each step has a register of its own, as a compiler writes it.
std::string summed(const std::vector<unsigned>& words) {
  std::string text, last = "%sum";
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string next = i + 1 == words.size() ? "%sum" : fmt::format("%s{}", i);
    text += fmt::format("  xor.b32 {}, {}, %v{};\n", next, last, words[i]);
    last = next;
  }
  return text;
}

std::string access(const Stream& s, unsigned number, size_t offset) {
  const std::string type = s.words == 4 ? ".v4.u32" : s.words == 2 ? ".v2.u32" : ".u32";
  std::string values;
  for (unsigned w = 0; w < s.words; ++w) values += fmt::format("{}%v{}", w ? ", " : "", 4 * number + w);
  if (s.words > 1) values = "{" + values + "}";
  return s.store ? fmt::format("  st.global{}{} [%a+{}], {};\n", s.cache, type, offset, values)
                 : fmt::format("  ld.global{}{} {}, [%a+{}];\n", s.cache, type, values, offset);
}

// `step`: bytes that all threads take together.
TimedKernel kernel_of(const Stream& s, size_t step) {
  TimedKernel kernel;
  kernel.registers = "  .reg .u64 %from, %off, %a;\n  .reg .u32 %sum, %s<32>;\n  .reg .b32 %v<32>;\n";
  kernel.setup = fmt::format("  mul.wide.u32 %off, %thread, {};\n  add.u64 %from, %data, %off;\n  mov.u32 %sum, 0;\n",
                             4 * s.words);
  for (unsigned v = 0; v < 32; ++v) kernel.setup += fmt::format("  mov.b32 %v{}, %me;\n", v);
  kernel.before = "  mov.u64 %off, 0;\n";
  kernel.body = "  add.u64 %a, %from, %off;\n";
  for (unsigned i = 0; i < kUnroll; ++i) kernel.body += access(s, i, i * step);
  std::vector<unsigned> loaded;
  for (unsigned i = 0; i < kUnroll && !s.store; ++i)
    for (unsigned w = 0; w < s.words; ++w) loaded.push_back(4 * i + w);
  kernel.body += summed(loaded);
  kernel.body += fmt::format("  add.u64 %off, %off, {};\n", kUnroll * step);
  if (s.window > 0) kernel.body += fmt::format("  and.b64 %off, %off, {};\n", s.window - 1);
  kernel.result = "%sum";
  return kernel;
}

double bytes_per_cycle(Device& device, const Stream& s, unsigned blocks, unsigned threads, unsigned trips,
                       unsigned passes) {
  const size_t step = size_t{4} * s.words * blocks * threads;
  const size_t moved = step * kUnroll * trips;
  const size_t bytes = s.window == 0 ? moved : s.window + step * kUnroll;
  const Address data = device.allocate(bytes, "data");
  if (s.window == 0) forget_caches(device);
  const double cycles = run(device, kernel_of(s, step), {blocks, threads, trips, passes, data}).longest();
  device.free(data);
  return static_cast<double>(moved) / cycles;
}

// Cycles of a core per load that hits the first level, lanes `stride` bytes apart. So many loads in a trip that the
// wait for the last of them counts for little, and so many trips that it does not count how far apart warps end.
double scattered(Device& device, unsigned stride) {
  constexpr unsigned kThreads = 512, kTrips = 256, kLoads = 32;
  const Address data = device.allocate(size_t{kThreads} * stride + 40960, "data");
  TimedKernel kernel;
  kernel.registers = "  .reg .u64 %a, %b;\n  .reg .u32 %n, %sum, %s<32>;\n  .reg .b32 %v<32>;\n";
  kernel.setup = fmt::format("  mul.wide.u32 %a, %me, {};\n  add.u64 %a, %a, %data;\n  mov.u32 %sum, 0;\n", stride);
  kernel.body = "  and.b32 %n, %i, 1;\n  mul.wide.u32 %b, %n, 2048;\n  add.u64 %b, %b, %a;\n";
  for (unsigned i = 0; i < kLoads; ++i)
    kernel.body += fmt::format("  ld.global.ca.u32 %v{}, [%b+{}];\n", i, 4096 * (i % 8) + 512 * (i / 8));
  std::vector<unsigned> loaded(kLoads);
  std::iota(loaded.begin(), loaded.end(), 0U);
  kernel.body += summed(loaded);
  kernel.result = "%sum";
  const double cycles = run(device, kernel, {1, kThreads, kTrips, 2, data}).longest();
  device.free(data);
  return cycles / (kTrips * kLoads * (kThreads / 32));
}

}  // namespace

void add_global_memory(std::vector<Microbenchmark>& all) {
  const auto add = [&](const char* name, const char* unit, const char* meaning, std::function<double(Device&)> how) {
    all.push_back({name, unit, meaning, std::move(how)});
  };
  add("l1.latency", "cycles", "of a load whose address is the result of the one before; 16 kB",
      [](Device& d) { return chase(d, "ld.global.ca.u64", 16384, 128, 2); });
  add("l2.latency", "cycles", "the same past the first level; 1 MB",
      [](Device& d) { return chase(d, "ld.global.cg.u64", kMegabyte, 512, 2); });
  add("l2.latency.large", "cycles", "the same; 24 MB",
      [](Device& d) { return chase(d, "ld.global.cg.u64", 24 * kMegabyte, 12288, 2); });
  add("dram.latency", "cycles", "the same; 32 MB that no cache holds",
      [](Device& d) { return chase(d, "ld.global.cg.u64", 32 * kMegabyte, 16384, 1); });
  for (const unsigned words : {1, 2, 4})
    all.push_back({fmt::format("l1.bandwidth.b{}", 32 * words), "bytes/cycle/core", "loads of a core that hit",
                   [words](Device& d) {
                     return bytes_per_cycle(d, {words, false, 16384, ".ca"}, 1, 256, 512, 2);
                   }});
  add("l2.bandwidth.one", "bytes/cycle", "loads of one core that pass the first level, 1 MB", [](Device& d) {
    return bytes_per_cycle(d, {4, false, kMegabyte, ".cg"}, 1, 1024, 16, 2);
  });
  add("l2.bandwidth", "bytes/cycle", "the same of all cores, 16 MB", [](Device& d) {
    return bytes_per_cycle(d, {4, false, 16 * kMegabyte, ".cg"}, cores_of(d), 1024, 8, 2);
  });
  add("l2.bandwidth.store", "bytes/cycle", "stores of all cores, 16 MB", [](Device& d) {
    return bytes_per_cycle(d, {4, true, 16 * kMegabyte, ""}, cores_of(d), 1024, 8, 2);
  });
  add("l2.bandwidth.store.one", "bytes/cycle", "stores of one core, 1 MB", [](Device& d) {
    return bytes_per_cycle(d, {4, true, kMegabyte, ""}, 1, 1024, 16, 2);
  });
  add("dram.bandwidth.one", "bytes/cycle", "loads of one core of data that no cache holds", [](Device& d) {
    return bytes_per_cycle(d, {4, false, 0, ""}, 1, 1024, 32, 1);
  });
  add("dram.bandwidth", "bytes/cycle", "loads of all cores, of data that no cache holds", [](Device& d) {
    return bytes_per_cycle(d, {4, false, 0, ""}, 2 * cores_of(d), 1024, 8, 1);
  });
  add("dram.bandwidth.store", "bytes/cycle", "stores of all cores, each byte once", [](Device& d) {
    return bytes_per_cycle(d, {4, true, 0, ""}, 2 * cores_of(d), 1024, 8, 1);
  });
  for (const unsigned stride : {4, 8, 16, 32, 64, 128})
    all.push_back({fmt::format("l1.load.stride{}", stride), "cycles/warp instruction",
                   fmt::format("of a core, hits, lanes {} bytes apart", stride),
                   [stride](Device& d) { return scattered(d, stride); }});
}

}  // namespace heddle::hardware
