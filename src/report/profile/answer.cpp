#include "report/profile/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "report/breakdown.h"
#include "report/profile/time_table.h"
#include "report/table.h"

namespace heddle {
namespace {

using Cause = IdleCause;
using Weight = std::function<uint64_t(const ProfileLine&)>;

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

uint64_t waited(const PcTiming& timing, std::initializer_list<Cause> causes) {
  uint64_t cycles = 0;
  for (const Cause cause : causes) cycles += timing.waited[static_cast<size_t>(cause)];
  return cycles;
}

const char* advice_for(Bound bound) {
  switch (bound) {
    case Bound::Nothing: return "";
    case Bound::Launches: return "launch less often, and let a launch do more";
    case Bound::Blocks: return "launch more blocks, or smaller ones";
    case Bound::Barriers: return "share the work between barriers more evenly";
    case Bound::Latency: return "touch fewer lines, use what was loaded again, or keep more loads and warps under way";
    case Bound::Bandwidth: return "move fewer bytes: use whole sectors, and what was loaded again";
    case Bound::MemoryStage:
      return "let neighbouring threads touch neighbouring words, so that an access takes fewer lines";
    case Bound::Banks: return "pad or permute the array, so that neighbouring threads fall into different banks";
    case Bound::Warps: return "give a core more warps, or a thread more independent work";
    case Bound::Units: return "use cheaper operations there, or spread them";
    case Bound::Fetch: return "make the loop's code smaller";
    case Bound::Divergence: return "let neighbouring threads take the same way; --what-if says what hardware could do";
    case Bound::Compute: return "nothing waits: fewer instructions or cheaper ones are what is left";
  }
  return "";
}

class Words {
 public:
  explicit Words(const Profile& profile) : profile_(profile), busy_(profile.use.cycles - no_block()) {}

  uint64_t no_block() const { return profile_.nobodys[static_cast<size_t>(Cause::NoWarp)]; }
  double of_busy(uint64_t cycles) const { return share(cycles, busy_); }
  // "82 % of the cycles": those of cores without a block are no part of it, which is said where there are many.
  std::string part(uint64_t cycles) const {
    const bool all = share(no_block(), profile_.use.cycles) < kLimits.few_without_block;
    return whole_percent(of_busy(cycles)) + (all ? " of the cycles" : " of the busy cycles");
  }
  // The line with most of it.
  const ProfileLine* top(const Weight& weight) const {
    const auto most = std::max_element(profile_.lines.begin(), profile_.lines.end(),
                                       [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
    return most == profile_.lines.end() || weight(*most) == 0 ? nullptr : &*most;
  }
  std::string place(const std::string& file, uint32_t line) const {
    return profile_.sources.size() > 1 ? place_text(file, line) : fmt::format("line {}", line);
  }
  std::string place(const ProfileLine& line) const { return place(line.file, line.line); }
  std::string what_at(const ProfileLine& line) const { return fmt::format("the {} in {}", line.what, place(line)); }

  // "82 % of the cycles wait for the load in line 14", or for many, and most of them for it.
  std::string wait_for(uint64_t all, const ProfileLine& line, uint64_t own, std::string_view many) const {
    if (2 * own >= all) return fmt::format("{} wait for {}", part(own), what_at(line));
    return fmt::format("{} wait for {}, {} for {}", part(all), many, whole_percent(of_busy(own)), what_at(line));
  }

 private:
  const Profile& profile_;
  const uint64_t busy_;
};

std::string apart(const AccessCounts& access) {
  if (access.pairs == 0) return "";
  if (share(access.strided, access.pairs) < kLimits.stride) return ", neighbouring threads go to unrelated addresses";
  if (access.stride == 0) return ", neighbouring threads go to the same address";
  return fmt::format(", neighbouring threads are {} bytes apart", std::abs(access.stride));
}

// ": 15.3 lines per access, neighbouring threads are 128 bytes apart"
std::string access_words(const PcTiming& timing) {
  const AccessCounts& access = timing.access;
  if (access.shared_groups > 0)
    return fmt::format(": {:.1f} passes over the banks per access{}", share(access.bank_passes, access.shared_groups),
                       apart(access));
  if (access.groups == 0) return "";
  return fmt::format(": {:.1f} lines per access{}", share(access.lines, access.groups), apart(access));
}

std::string latency_words(const PcTiming& timing) {
  std::string text;
  if (timing.access.groups > 0)
    text +=
        fmt::format("; {} of the lines are in the L1", whole_percent(share(timing.access.hits, timing.access.lines)));
  if (timing.completed > 0)
    text += fmt::format(", it takes {:.0f} cycles", share(timing.cycles_to_complete, timing.completed));
  return text;
}

std::string warps_words(const MachineUse& use) {
  return fmt::format("{:.0f} of {:.0f} warps", use.warps_per_core, use.most_warps);
}

bool has_conflicts(const PcTiming& timing) {
  return share(timing.access.bank_passes, timing.access.shared_groups) >= kLimits.passes;
}

Answer at(const ProfileLine& line, Bound bound, double share, std::string sentence) {
  return {bound, share, line.file, line.line, std::move(sentence), advice_for(bound)};
}

Answer nowhere(Bound bound, double share, std::string sentence) {
  return {bound, share, "", 0, std::move(sentence), advice_for(bound)};
}

// ---- the forms

Answer too_few_blocks(const Profile& profile, const Words& words) {
  const double part = share(words.no_block(), profile.use.cycles);
  const bool few = profile.use.blocks < profile.use.cores;
  return nowhere(
      Bound::Blocks, part,
      fmt::format("{} of the cores' cycles have no block: {} {:.0f} for {} cores", whole_percent(part),
                  few ? "a launch has" : "launches are short, a launch has", profile.use.blocks, profile.use.cores));
}

Answer launches(const Profile& profile, const Spent& spent) {
  const double part = share(spent.overhead, spent.cycles);
  return nowhere(Bound::Launches, part,
                 fmt::format("{} of the cycles are overhead of launches, which take {:.0f} cycles each, and no core "
                             "has a block",
                             whole_percent(part), profile.use.launch_cycles));
}

Answer barriers(const Words& words, uint64_t behind) {
  const ProfileLine* const barrier = words.top([](const auto& line) { return line.time.waits.behind_barrier; });
  const ProfileLine* const late = words.top([](const auto& line) { return line.time.waits.others_at_barrier; });
  const double part = words.of_busy(behind);
  std::string text =
      fmt::format("{} most warps wait at the barrier in {} for others", words.part(behind), words.place(*barrier));
  if (late) text += fmt::format(", which wait for {}{}", words.what_at(*late), access_words(late->slowest));
  return at(*barrier, Bound::Barriers, part, text);
}

// Why the memory stage is held, where it is not by the lines or passes of an access itself.
const char* obstacle_words(MemoryStall cause) {
  switch (cause) {
    case MemoryStall::Mshr: return "; no more misses can be waited for";
    case MemoryStall::Merge: return "; too many wait for the same line";
    case MemoryStall::Set: return "; all ways of the cache's set wait for lines";
    case MemoryStall::Network: return "; the network is full";
    case MemoryStall::Port: return "; the cache's port is taken";
    case MemoryStall::Lines:
    case MemoryStall::Banks:
    case MemoryStall::Constants:
    case MemoryStall::Count_: break;
  }
  return "";
}

Answer full_stage(const Profile& profile, const Words& words, uint64_t all) {
  const auto weight = [](const ProfileLine& line) { return waited(line.time.waits, {Cause::MemoryStage}); };
  const ProfileLine& line = *words.top(weight);
  const double own = share(weight(line), all);
  return at(line, Bound::MemoryStage, words.of_busy(all),
            fmt::format("{} wait for the memory stage, which {} holds{}{}{}", words.part(all), words.what_at(line),
                        own >= 0.5 ? "" : fmt::format(" most ({})", whole_percent(own)), access_words(line.slowest),
                        obstacle_words(profile.use.held_by)));
}

uint64_t waited_for_memory(const ProfileLine& line) {
  return waited(line.time.waits, {Cause::Memory, Cause::MemoryStage});
}

// Cycles that wait for conflicts of shared memory's banks: none, where the line that is waited for most has no such.
uint64_t conflicts_in(const Profile& profile, const Words& words) {
  const ProfileLine* const line = words.top(waited_for_memory);
  if (!line || !has_conflicts(line->slowest)) return 0;
  uint64_t conflicts = 0;
  for (const ProfileLine& each : profile.lines) conflicts += has_conflicts(each.slowest) ? waited_for_memory(each) : 0;
  return conflicts;
}

// For loads, or for the stage they pass.
Answer memory(const Profile& profile, const Words& words, const Spent& spent, Bound bound) {
  if (bound == Bound::MemoryStage) return full_stage(profile, words, spent.memory_stage);
  const uint64_t all = spent.memory + spent.memory_stage;
  const ProfileLine& line = *words.top(waited_for_memory);
  const uint64_t own = waited_for_memory(line);
  const std::string details = access_words(line.slowest);
  if (bound == Bound::Banks)
    return at(line, bound, words.of_busy(spent.conflicts),
              words.wait_for(spent.conflicts, line, own, "shared memory whose banks are in conflict") + details);
  if (bound == Bound::Bandwidth)
    return at(line, bound, words.of_busy(all),
              fmt::format("memory is busy {} of the time, and {}{}", whole_percent(profile.use.dram),
                          words.wait_for(all, line, own, "it"), details));
  return at(line, bound, words.of_busy(all),
            words.wait_for(all, line, own, "memory") + details + latency_words(line.slowest));
}

Answer results(const Profile& profile, const Words& words, uint64_t all) {
  const auto weight = [](const ProfileLine& line) {
    return waited(line.time.waits, {Cause::Dependency, Cause::Barrier});
  };
  const ProfileLine& line = *words.top(weight);
  return at(line, Bound::Warps, words.of_busy(all),
            fmt::format("{} wait for results of instructions, most in {} ({}): {} are too few to hide "
                        "them, or do not have enough to do",
                        words.part(all), words.place(line), whole_percent(words.of_busy(weight(line))),
                        warps_words(profile.use)));
}

Answer other_wait(const Words& words, Cause cause, Bound bound, uint64_t all, const char* what) {
  const auto weight = [&](const ProfileLine& line) { return waited(line.time.waits, {cause}); };
  const ProfileLine& line = *words.top(weight);
  return at(line, bound, words.of_busy(all),
            fmt::format("{} wait for {}, most in {} ({})", words.part(all), what, words.place(line),
                        whole_percent(words.of_busy(weight(line)))));
}

// "the branch in line 14 is to blame for 80 % of them": of lanes that idle.
std::string blame_words(const Profile& profile, const Words& words) {
  if (profile.branches.empty() || profile.branches[0].lanes_lost <= profile.lanes_lost_by_nobody)
    return "; no branch is to blame for most of them, but warps that begin with few threads: blocks that do not fill "
           "them, functions that few call";
  const ProfileBranch& worst = profile.branches[0];
  return fmt::format(": the branch in {} is to blame for {} of them", words.place(worst.file, worst.line),
                     whole_percent(worst.lanes_lost / static_cast<double>(profile.total.lanes_lost)));
}

double active_lanes(const Profile& profile) {
  return share(profile.total.active, profile.total.slots * profile.use.warp_size);
}

Answer lanes(const Profile& profile, const Words& words, const std::string& before, double part) {
  const double active = active_lanes(profile);
  const ProfileLine& most = *words.top([](const auto& line) { return line.cost.slots; });
  if (active >= kLimits.simd_efficiency)
    return at(most, Bound::Compute, part,
              fmt::format("{}{} of the lanes are active: what it takes is computing, most in {} ({} of the slots)",
                          before, whole_percent(active), words.place(most),
                          whole_percent(share(most.cost.slots, profile.total.slots))));
  Answer answer =
      nowhere(Bound::Divergence, part,
              fmt::format("{}{} of the lanes idle{}", before, whole_percent(1 - active), blame_words(profile, words)));
  if (!profile.branches.empty()) answer.file = profile.branches[0].file, answer.line = profile.branches[0].line;
  return answer;
}

Spent spent_in(const Profile& profile, const Words& words) {
  const PcTiming& waits = profile.time.waits;
  Spent spent;
  spent.cycles = profile.use.cycles;
  spent.no_block = words.no_block();
  spent.overhead = profile.use.overhead;
  spent.issued = profile.use.issued;
  spent.memory = waited(waits, {Cause::Memory});
  spent.memory_stage = waited(waits, {Cause::MemoryStage});
  spent.result = waited(waits, {Cause::Dependency, Cause::Barrier});
  spent.unit = waited(waits, {Cause::Unit});
  spent.fetch = waited(waits, {Cause::Fetch});
  spent.conflicts = conflicts_in(profile, words);
  spent.behind_barrier = waits.behind_barrier;
  spent.all_waited = waits.all_waited();
  spent.dram = profile.use.dram;
  spent.active = active_lanes(profile);
  return spent;
}

// What cores that have blocks do.
Answer busy_answer(const Profile& profile, const Words& words, const Spent& spent) {
  switch (const Bound bound = bound_where_busy(spent)) {
    case Bound::Nothing:
    case Bound::Launches:
    case Bound::Blocks: return {};
    case Bound::Barriers: return barriers(words, spent.behind_barrier);
    case Bound::Latency:
    case Bound::Bandwidth:
    case Bound::MemoryStage:
    case Bound::Banks: return memory(profile, words, spent, bound);
    case Bound::Warps: return results(profile, words, spent.result);
    case Bound::Units: return other_wait(words, Cause::Unit, bound, spent.unit, "a unit that is busy");
    case Bound::Fetch:
      return other_wait(words, Cause::Fetch, bound, spent.fetch, "instructions that are not in the cache");
    case Bound::Divergence:
    case Bound::Compute:
      return lanes(profile, words, words.part(spent.issued) + " issue an instruction, and ",
                   words.of_busy(spent.issued));
  }
  return {};
}

Answer timed_answer(const Profile& profile) {
  const Words words(profile);
  const Spent spent = spent_in(profile, words);
  Answer busy = busy_answer(profile, words, spent);
  const Bound bound = bound_of(spent);
  if (bound != Bound::Launches && bound != Bound::Blocks) return busy;
  Answer answer = bound == Bound::Blocks ? too_few_blocks(profile, words) : launches(profile, spent);
  answer.sentence += "; where there is one, " + busy.sentence;
  return answer;
}

}  // namespace

Answer answer_of(const Profile& profile) {
  if (profile.total.slots == 0) return {};
  Answer answer;
  if (profile.use.timed)
    answer = timed_answer(profile);
  else
    answer = lanes(profile, Words(profile), "",
                   share(profile.total.lanes_lost, profile.total.slots * profile.use.warp_size));
  if (!answer.sentence.empty()) answer.sentence[0] = static_cast<char>(std::toupper(answer.sentence[0]));
  return answer;
}

}  // namespace heddle
