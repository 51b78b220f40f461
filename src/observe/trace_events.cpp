#include "observe/trace_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "divergence/host.h"
#include "exec/context.h"
#include "program/disassembly.h"
#include "stats/kernel_stats.h"

namespace heddle {
namespace {

constexpr uint64_t kSampleEvery = 50;

// Processes and the tracks in them.
constexpr unsigned kGpu = 1, kFirstCore = 2;
constexpr unsigned kLaunchTrack = 1, kPortTracks = 1, kBlockTracks = 10, kWarpTracks = 2000, kRowsOfWarp = 256;

const char* words_of(IdleCause cause) {
  switch (cause) {
    case IdleCause::Memory: return "waits for memory";
    case IdleCause::Dependency: return "waits for a result";
    case IdleCause::Barrier: return "waits at a barrier";
    case IdleCause::MemoryStage: return "stall: memory stage";
    case IdleCause::Unit: return "stall: unit busy";
    case IdleCause::Fetch: return "waits for code";
    case IdleCause::Port: return "waits for the next group";
    case IdleCause::NoWarp: return "no block";
    case IdleCause::Other: return "waits for the mechanism";
    case IdleCause::Count_: break;
  }
  return "";
}

std::string shape(const Dim3& dim) { return fmt::format("[{},{},{}]", dim.x, dim.y, dim.z); }

}  // namespace

uint64_t TraceEvents::sample_every() const { return kSampleEvery; }

// Of what reaches over an end of the range, the part inside.
void TraceEvents::cut_slice(Track track, std::string_view name, uint64_t from, uint64_t to,
                            std::string_view arguments) {
  from = std::max(from, range_.from);
  to = std::min(to, range_.to);
  if (from < to) writer_.slice(track, name, from, to - from, arguments);
}

const std::string& TraceEvents::text_of(const Kernel& kernel, Pc pc) {
  std::string& text = texts_[pc];
  if (text.empty()) text = instruction_text(kernel, pc);
  return text;
}

void TraceEvents::launch_began(const LaunchBegan& launch) {
  launch_ = launch.kernel.name;
  launch_arguments_ = fmt::format(R"("grid":{},"block":{},"mechanism":{})", shape(launch.launch.grid),
                                  shape(launch.launch.block), json_text(launch.mechanism));
  texts_.assign(launch.kernel.code.size(), "");
  last_ = {};
}

void TraceEvents::block_started(const Scene& scene, BlockId block) {
  Place& place = places_[{scene.core, block.value()}];
  place = {scene.host.block(block).order, place.order, scene.host.now, true};
}

void TraceEvents::block_ended(const Scene& scene, BlockId block) { end_block(scene.core, block, scene.host.now); }

void TraceEvents::end_block(unsigned core, BlockId block, CoreCycle now) {
  Place& place = places_[{core, block.value()}];
  place.taken = false;
  const Track track{kFirstCore + core, kBlockTracks + block.value()};
  writer_.name(track, fmt::format("core {}", core), fmt::format("blocks, place {}", block.value()));
  cut_slice(track, fmt::format("block {}", place.order), place.since.count(), now.count());
}

// The first of its warp's tracks on which nothing is under way since then. Completions come in the order of time, so
// that what is on a track before has ended before.
Track TraceEvents::row_of(const Scene& scene, const Completed& event) {
  std::vector<CoreCycle>& rows = rows_[{scene.core, event.warp.value()}];
  size_t row = 0;
  while (row < rows.size() && rows[row] > event.issued) ++row;
  if (row == rows.size()) rows.push_back(event.issued);
  rows[row] = scene.host.now;
  const Track track{kFirstCore + scene.core, kWarpTracks + kRowsOfWarp * event.warp.value() +
                                                 std::min<unsigned>(static_cast<unsigned>(row), kRowsOfWarp - 1)};
  if (!writer_.is_named(track))
    writer_.name(track, fmt::format("core {}", scene.core),
                 fmt::format("warp {}{}", event.warp.value(), row == 0 ? "" : fmt::format(" ({})", row + 1)));
  return track;
}

void TraceEvents::completed(const Scene& scene, const Completed& event) {
  auto& served = accesses_[{scene.core, event.warp.value()}];
  const auto access = served.find(event.pc);
  if (range_.contains(event.issued.count())) {
    // A block may be gone, and the next in its place, when its last store is.
    const Place& place = places_[{scene.core, event.block.value()}];
    std::string arguments =
        fmt::format(R"("block":{},"pc":{})", event.issued < place.since ? place.before : place.order, event.pc);
    if (const std::string source = source_place(scene.kernel, event.pc); !source.empty())
      arguments += fmt::format(R"(,"line":{})", json_text(source));
    if (access != served.end())
      arguments += fmt::format(R"(,"lines":{},"misses":{},"bank passes":{})", access->second.lines,
                               access->second.misses, access->second.bank_passes);
    writer_.slice(row_of(scene, event), text_of(scene.kernel, event.pc), event.issued.count(),
                  scene.host.now - event.issued, arguments);
  }
  if (access != served.end()) served.erase(access);
}

void TraceEvents::accessed(const Scene& scene, const Accessed& event) {
  Access& access = accesses_[{scene.core, event.warp.value()}][event.pc];
  access.lines += event.lines;
  access.misses += event.misses;
  access.bank_passes += event.bank_passes;
}

void TraceEvents::idled(const Scene& scene, const Idled& event) {
  const Track track{kFirstCore + scene.core, kPortTracks + event.port};
  writer_.name(track, fmt::format("core {}", scene.core),
               event.port == 0 ? "issue port" : fmt::format("issue port {}", event.port + 1));
  std::string arguments;
  if (event.waited_for != kNoPc)
    arguments =
        fmt::format(R"("waited for":{},"pc":{})", json_text(text_of(scene.kernel, event.waited_for)), event.waited_for);
  cut_slice(track, words_of(event.cause), event.from.count(), event.from.count() + event.cycles, arguments);
}

// What has come since the last sample.
void TraceEvents::sampled(const Sample& sample) {
  const uint64_t at = cycles() + sample.cycle;
  const auto each = [&](uint64_t now, uint64_t before) { return static_cast<double>(now - before) / kSampleEvery; };
  if (range_.contains(at)) {
    const CacheStats &l1 = sample.cores.l1, &l1_before = last_.cores.l1;
    const MemoryStats &memory = sample.memory, &before = last_.memory;
    writer_.name({kGpu, kLaunchTrack}, "GPU", "launches");
    writer_.counter(kGpu, "instructions per cycle", at,
                    fmt::format(R"("threads":{:.3f})", each(sample.thread_instructions, last_.thread_instructions)));
    writer_.counter(kGpu, "L1 accesses per cycle", at,
                    fmt::format(R"("hits":{:.3f},"misses":{:.3f})",
                                each(l1.accesses() - l1.misses(), l1_before.accesses() - l1_before.misses()),
                                each(l1.misses(), l1_before.misses())));
    writer_.counter(
        kGpu, "L2 accesses per cycle", at,
        fmt::format(R"("hits":{:.3f},"misses":{:.3f})",
                    each(memory.l2.accesses() - memory.l2.misses(), before.l2.accesses() - before.l2.misses()),
                    each(memory.l2.misses(), before.l2.misses())));
    writer_.counter(kGpu, "network bytes per cycle", at,
                    fmt::format(R"("to memory":{:.3f},"to cores":{:.3f})",
                                each(memory.network.request_bytes, before.network.request_bytes),
                                each(memory.network.reply_bytes, before.network.reply_bytes)));
    writer_.counter(kGpu, "DRAM bytes per cycle", at,
                    fmt::format(R"("bytes":{:.3f})", each(memory.dram.bytes, before.dram.bytes)));
  }
  last_ = sample;
}

// Blocks that a launch leaves behind which has ended in an error end with it.
void TraceEvents::launch_ended(KernelStats& stats) {
  const uint64_t began = cycles();
  Timeline::launch_ended(stats);
  for (auto& [where, place] : places_)
    if (place.taken) end_block(where.first, BlockId(where.second), CoreCycle(cycles()));
  writer_.name({kGpu, kLaunchTrack}, "GPU", "launches");
  cut_slice({kGpu, kLaunchTrack}, launch_, began, cycles(), launch_arguments_);
  accesses_.clear();
}

}  // namespace heddle
