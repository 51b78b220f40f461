// Small flow graphs with the ways of four threads, on which mechanisms are worked out by hand, and their notation.
//
// A graph lists its blocks in the order of their addresses. "A>C,B": the branch of A goes to C if taken, else to B,
// which comes next; "A>B,C,D": a table. "B(2)" has two instructions, the last of which is the branch. A block without
// ">" is the end. Ways are the blocks of each thread: "ABD ACD ACD ACD".
//
// A slot is the block and its threads, "C-111"; "x3": three times in a row. Empty slots have no thread.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "schedule/registry.h"
#include "support/scripted.h"

namespace heddle::scripted {

struct Graph {
  const char* blocks;
  const char* ways;
  std::map<std::string, unsigned> latency{};  // by block: cycles for which its threads cannot go on behind it
};

inline const Graph kIfElse{"A>C,B B(2)>D C(3)>D D", "ABD ACD ACD ACD"};
inline const Graph kLikely{"A>C,B B>E C>E,D D>F E>A,F F", "ABEF ACEABEF ACDF ACDF"};
inline const Graph kShortCircuit{"A>X,B B>X,Y Y>Z X(3)>Z Z", "AXZ ABXZ ABYZ ABYZ"};
inline const Graph kSharedTail{"A>X,B B>X,C C>Y,D D>Z X>Z,Y Y>Z Z", "AXYZ ABXYZ ABCYZ ABCDZ"};
inline const Graph kTwoLoads{"A>C,B B>D D(2)>F C>E E(2)>F F", "ABDF ABDF ACEF ACEF", {{"B", 10}, {"C", 10}}};
inline const Graph kThreeLoads{
    "A>C,B B>E,D D>K K>F E>L L>F F>G C>H H(2)>G G", "ABDKFG ABELFG ACHG ACHG", {{"D", 10}, {"E", 10}, {"C", 10}}};
inline const Graph kOneSided{"A>E,B B>D,C C>F D(2)>F F>G E>G G", "ABCFG ABCFG AEG AEG"};
inline const Graph kSpin{"A>W,S S>J W>W,J J", "AWWWJ ASJ ASJ ASJ"};
inline const Graph kSwitch{"A>B,C,D B>E C>E D>E E", "ADE ABE ABE ACE"};

inline std::vector<std::string> words_of(std::string_view text, char by) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, by);) words.push_back(word);
  return words;
}

// The blocks that the branch of a block names.
inline std::map<std::string, std::vector<std::string>> branches_of(const Graph& graph) {
  std::map<std::string, std::vector<std::string>> branches;
  for (const std::string& block : words_of(graph.blocks, ' ')) {
    const size_t to = block.find('>');
    branches[block.substr(0, 1)] =
        to == std::string::npos ? std::vector<std::string>{} : words_of(block.substr(to + 1), ',');
  }
  return branches;
}

inline std::string listing_of(const Graph& graph) {
  std::string text;
  for (const std::string& block : words_of(graph.blocks, ' ')) {
    const std::string name = block.substr(0, 1);
    const unsigned size = block.size() > 1 && block[1] == '(' ? static_cast<unsigned>(block[2] - '0') : 1;
    for (unsigned i = 1; i < size; ++i) text += name + ": op\n";
    const std::vector<std::string> to = branches_of(graph)[name];
    text += name + ": ";
    if (to.empty()) text += "exit\n";
    if (to.size() == 1) text += "br " + to[0] + "\n";
    if (to.size() == 2) text += "if " + to[0] + "\n";
    if (to.size() > 2) text += fmt::format("brx {}\n", fmt::join(to, " "));
  }
  return text;
}

// Each thread goes its way.
inline Choice choice_of(const Graph& graph) {
  return [ways = words_of(graph.ways, ' '), branches = branches_of(graph)](const Visit& visit) {
    const std::string& way = ways[visit.thread];
    size_t at = way.find(visit.at);
    for (unsigned time = 1; time < visit.time; ++time) at = way.find(visit.at, at + 1);
    const std::vector<std::string>& to = branches.at(std::string(visit.at));
    const auto target = static_cast<unsigned>(std::find(to.begin(), to.end(), way.substr(at + 1, 1)) - to.begin());
    return to.size() == 2 ? 1 - target : target;
  };
}

inline std::string short_text(const std::vector<Slot>& slots) {
  std::vector<std::pair<std::string, unsigned>> runs;
  for (const Slot& slot : slots) {
    std::string text = slot.name;
    for (int thread : slot.lanes) text += thread < 0 ? '-' : '1';
    if (runs.empty() || runs.back().first != text) runs.emplace_back(text, 0);
    ++runs.back().second;
  }
  std::string text;
  for (const auto& [slot, times] : runs)
    text += (text.empty() ? "" : " ") + slot + (times > 1 ? fmt::format("x{}", times) : "");
  return text;
}

inline Shape shape_of(const std::vector<std::string>& set) {
  Shape shape{.threads = 4, .set = set};
  shape.set.emplace_back("warp_size=4");
  return shape;
}

// With a clock: one instruction per cycle, of a warp whose threads wait for nothing; among those the scheduler's
// choice, as a rule the one that went last while it can, else the oldest. Behind the last instruction of a block its
// threads wait for memory as the graph says.
struct ClockedRun {
  std::string slots;
  unsigned cycles = 0;
};
inline ClockedRun clocked_run(const Graph& graph, std::string_view mechanism, const std::vector<std::string>& set = {},
                              std::string_view schedule = "gto") {
  const Listing listing(listing_of(graph));
  ScriptedMachine machine(listing, mechanism, shape_of(set), choice_of(graph));
  machine.host().timed = true;
  const auto scheduler = make_scheduler(scheduler_named(schedule), machine.host(), make_config("default", set));
  std::vector<unsigned> waits(4);  // by thread: until then
  unsigned cycle = 0;
  machine.host().waits = [&](Pc, const Group& group) {
    Wait wait = Wait::Nothing;
    for_each_lane(group.mask, [&](unsigned lane) {
      if (waits[lane] > cycle) wait = Wait::Memory;
    });
    return wait;
  };
  const auto able_now = [&] {
    WarpSet able = machine.host().ready();
    able.for_each([&](WarpId id) {
      const Warp& warp = machine.host().warp(id);
      if (warp.not_before > machine.host().now || machine.host().wait_of(warp.pc, warp.group) != Wait::Nothing)
        able.erase(id);
    });
    return able;
  };
  for (; !machine.done(); ++cycle) {
    machine.host().now = CoreCycle(cycle);
    WarpSet able = able_now();
    if (able.empty() && machine.mechanism().traits().hears_stalls && machine.mechanism().starved()) able = able_now();
    if (able.empty()) continue;
    const WarpId id = scheduler->choose(able);
    scheduler->issued(id);
    machine.issue(id);
    const Slot& slot = machine.slots().back();
    const bool last = slot.pc + 1U == listing.kernel().code.size() || listing.name(slot.pc + 1) != slot.name;
    if (const auto latency = graph.latency.find(slot.name); last && latency != graph.latency.end())
      for (int thread : slot.lanes)
        if (thread >= 0) waits[static_cast<size_t>(thread)] = cycle + 1 + latency->second;
  }
  return {short_text(machine.slots()), cycle};
}

// Slots with their threads, whatever their order.
inline std::vector<std::string> sorted_slots(const ScriptedMachine& machine) {
  std::vector<std::string> slots;
  for (const Slot& slot : machine.slots()) slots.push_back(std::to_string(slot.pc) + slot.text());
  std::sort(slots.begin(), slots.end());
  return slots;
}

// The time without a clock.
inline void count_slots(ScriptedMachine& machine) {
  machine.before_slot = [&](const Slot&) { machine.host().now = CoreCycle(machine.slots().size()); };
}

// The slots of a graph, without a clock.
inline std::string slots_of(const Graph& graph, std::string_view mechanism, const std::vector<std::string>& set = {}) {
  const Listing listing(listing_of(graph));
  ScriptedMachine machine(listing, mechanism, shape_of(set), choice_of(graph));
  count_slots(machine);
  machine.run();
  return short_text(machine.slots());
}

}  // namespace heddle::scripted
