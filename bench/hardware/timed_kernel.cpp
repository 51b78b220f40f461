#include "bench/hardware/timed_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::hardware {
namespace {

constexpr unsigned kWarp = 32;

std::string module_of(const TimedKernel& k) {
  return fmt::format(R"({header}
.address_size 64
{variables}
.visible .entry timed(.param .u64 p_out, .param .u64 p_data, .param .u32 p_trips, .param .u32 p_passes,
                      .param .u32 p_y, .param .u32 p_z)
{{
  .reg .u32 %me, %thread, %threads, %block, %size, %lane, %core, %trips, %passes, %i, %pass, %warp;
  .reg .b32 %y, %z;
  .reg .u64 %data, %out, %at, %t0, %t1, %wide;
  .reg .pred %more, %other;
{registers}
  ld.param.u64 %out, [p_out];
  ld.param.u64 %data, [p_data];
  ld.param.u32 %trips, [p_trips];
  ld.param.u32 %passes, [p_passes];
  ld.param.u32 %y, [p_y];
  ld.param.u32 %z, [p_z];
  cvta.to.global.u64 %out, %out;
  cvta.to.global.u64 %data, %data;
  mov.u32 %me, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mad.lo.u32 %thread, %block, %size, %me;
  mov.u32 %threads, %nctaid.x;
  mul.lo.u32 %threads, %threads, %size;
  mov.u32 %core, %smid;
{setup}
  mov.u32 %pass, 0;
PASS:
  .pragma "nounroll";
{before}
  bar.sync 0;
  mov.u32 %i, 0;
  mov.u64 %t0, %clock64;
TRIP:
  .pragma "nounroll";
{body}
  add.u32 %i, %i, 1;
  setp.lt.u32 %more, %i, %trips;
  @%more bra TRIP;
  mov.u64 %t1, %clock64;
  add.u32 %pass, %pass, 1;
  setp.lt.u32 %more, %pass, %passes;
  @%more bra PASS;
{after}
  mul.wide.u32 %wide, %thread, 4;
  add.u64 %at, %out, %wide;
  st.global.b32 [%at], {result};
  and.b32 %lane, %me, 31;
  setp.ne.u32 %other, %lane, 0;
  @%other bra END;
  shr.u32 %warp, %thread, 5;
  mul.wide.u32 %wide, %warp, 24;
  add.u64 %at, %out, %wide;
  mul.wide.u32 %wide, %threads, 4;
  add.u64 %at, %at, %wide;
  cvt.u64.u32 %wide, %core;
  st.global.u64 [%at], %wide;
  st.global.u64 [%at+8], %t0;
  st.global.u64 [%at+16], %t1;
END:
  ret;
}}
)",
                     fmt::arg("header", k.header), fmt::arg("variables", k.variables),
                     fmt::arg("registers", k.registers), fmt::arg("setup", k.setup), fmt::arg("before", k.before),
                     fmt::arg("body", k.body), fmt::arg("after", k.after), fmt::arg("result", k.result));
}

}  // namespace

double Times::longest() const {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> cores;
  for (const Warp& warp : warps) {
    const auto [at, fresh] = cores.try_emplace(warp.core, warp.start, warp.end);
    at->second = {std::min(at->second.first, warp.start), std::max(at->second.second, warp.end)};
  }
  uint64_t most = 0;
  for (const auto& [core, times] : cores) most = std::max(most, times.second - times.first);
  return static_cast<double>(most);
}

double Times::of_starts() const {
  std::map<uint64_t, std::vector<uint64_t>> cores;
  for (const Warp& warp : warps) cores[warp.core].push_back(warp.start);
  double between = 0;
  for (auto& [core, starts] : cores) {
    const auto [first, last] = std::minmax_element(starts.begin(), starts.end());
    between += static_cast<double>(*last - *first) / static_cast<double>(std::max<size_t>(1, starts.size() - 1));
  }
  return between / static_cast<double>(cores.size());
}

Times run(Device& device, const TimedKernel& kernel, const TimedRun& run) {
  const unsigned threads = run.blocks * run.threads, warps = threads / kWarp;
  device.load("microbenchmark", module_of(kernel));
  const size_t results = size_t{threads} * 4;
  const Address out = device.allocate(results + size_t{warps} * sizeof(Times::Warp), "times");
  device.launch("timed", {{run.blocks, 1, 1}, {run.threads, 1, 1}},
                Arguments(out, run.data, run.trips, run.passes, run.y, run.z));
  Times times;
  times.warps.resize(warps);
  device.read(times.warps.data(), out + results, times.warps.size() * sizeof(Times::Warp));
  device.free(out);
  return times;
}

std::string repeated(unsigned times, const std::string& text) {
  std::string all;
  for (unsigned i = 0; i < times; ++i)
    for (const char c : text)
      if (c == '@')
        all += std::to_string(i);
      else
        all += c;
  return all;
}

unsigned cores_of(Device& device) {
  device.load("cores", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry cores(.param .u64 out)
{
  .reg .u64 %to;
  .reg .u32 %n;
  ld.param.u64 %to, [out];
  cvta.to.global.u64 %to, %to;
  mov.u32 %n, %nsmid;
  st.global.u32 [%to], %n;
  ret;
}
)");
  const Buffer<uint32_t> count(device, 1, "cores");
  device.launch("cores", {{1, 1, 1}, {1, 1, 1}}, Arguments(count.address()));
  return count.download()[0];
}

}  // namespace heddle::hardware
