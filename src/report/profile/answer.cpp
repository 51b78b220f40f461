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

// For loads, or for the stage they pass.
Answer memory(const Profile& profile, const Words& words) {
  const auto waits_of = [](const PcTiming& waits) { return waited(waits, {Cause::Memory, Cause::MemoryStage}); };
  const auto weight = [&](const ProfileLine& line) { return waits_of(line.time.waits); };
  const uint64_t all = waits_of(profile.time.waits), stage = waited(profile.time.waits, {Cause::MemoryStage});
  const ProfileLine& line = *words.top(weight);
  const std::string details = access_words(line.slowest);
  uint64_t conflicts = 0;
  for (const ProfileLine& each : profile.lines) conflicts += has_conflicts(each.slowest) ? weight(each) : 0;
  if (has_conflicts(line.slowest) && 2 * conflicts >= all)
    return at(line, Bound::Banks, words.of_busy(conflicts),
              words.wait_for(conflicts, line, weight(line), "shared memory whose banks are in conflict") + details);
  if (profile.use.dram >= kLimits.dram_busy)
    return at(line, Bound::Bandwidth, words.of_busy(all),
              fmt::format("memory is busy {} of the time, and {}{}", whole_percent(profile.use.dram),
                          words.wait_for(all, line, weight(line), "it"), details));
  if (2 * stage > all) return full_stage(profile, words, stage);
  return at(line, Bound::Latency, words.of_busy(all),
            words.wait_for(all, line, weight(line), "memory") + details + latency_words(line.slowest));
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

Answer lanes(const Profile& profile, const Words& words, const std::string& before, double part) {
  const double active = share(profile.total.active, profile.total.slots * profile.use.warp_size);
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

// What cores that have blocks do.
Answer busy_answer(const Profile& profile, const Words& words) {
  const PcTiming& waits = profile.time.waits;
  if (words.of_busy(waits.behind_barrier) >= kLimits.barrier &&
      share(waits.behind_barrier, waits.all_waited()) >= kLimits.barrier_waits)
    return barriers(words, waits.behind_barrier);
  const uint64_t memory_waits = waited(waits, {Cause::Memory, Cause::MemoryStage}), unit = waited(waits, {Cause::Unit}),
                 fetch = waited(waits, {Cause::Fetch}), result = waited(waits, {Cause::Dependency, Cause::Barrier}),
                 issue = profile.use.issued;
  const double issuing = words.of_busy(issue);
  if (issuing >= kLimits.issue)
    return lanes(profile, words, words.part(issue) + " issue an instruction, and ", issuing);
  const uint64_t most = std::max({memory_waits, unit, fetch, result});
  if (most == 0) return {};
  if (most == memory_waits) return memory(profile, words);
  if (most == result) return results(profile, words, result);
  if (most == unit) return other_wait(words, Cause::Unit, Bound::Units, unit, "a unit that is busy");
  return other_wait(words, Cause::Fetch, Bound::Fetch, fetch, "instructions that are not in the cache");
}

Answer timed_answer(const Profile& profile) {
  const Words words(profile);
  Answer busy = busy_answer(profile, words);
  if (share(words.no_block(), profile.use.cycles) < kLimits.no_block) return busy;
  Answer answer = too_few_blocks(profile, words);
  answer.sentence += "; where there is one, " + busy.sentence;
  return answer;
}

}  // namespace

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::Nothing: return "nothing";
    case Bound::Blocks: return "blocks";
    case Bound::Barriers: return "barriers";
    case Bound::Latency: return "latency";
    case Bound::Bandwidth: return "bandwidth";
    case Bound::MemoryStage: return "memory stage";
    case Bound::Banks: return "banks";
    case Bound::Warps: return "warps";
    case Bound::Units: return "units";
    case Bound::Fetch: return "fetch";
    case Bound::Divergence: return "divergence";
    case Bound::Compute: return "compute";
  }
  return "";
}

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
