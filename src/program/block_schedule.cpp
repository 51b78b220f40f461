#include "program/block_schedule.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

// What a scheduler reckons with, not what a machine takes; the estimate of registers hardly changes when these are
// halved or doubled.
constexpr unsigned kLatency = 4, kLoadLatency = 8;
constexpr size_t kWindow = 32;  // how far ahead it looks

bool is_load(const Instruction& instruction) {
  return instruction.op == Op::Ld || instruction.op == Op::Tex || instruction.op == Op::Gather;
}

bool loads_constants(const Instruction& instruction) {
  return is_load(instruction) && (instruction.space == Space::Const || instruction.has(Mod::Nc));
}

// Do loads and others of this kind keep their order with it?
bool keeps_order(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::St:
    case Op::Atom:
    case Op::Red:
    case Op::CpAsync:
    case Op::CpBulk:
    case Op::Fence:
    case Op::Clock:
    case Op::ActiveMask:
    case Op::Sleep:
    case Op::Trap:
    case Op::Builtin: return true;
    default: return instruction.flow != Flow::Plain;
  }
}

// Beyond these, what a kernel that runs in the new order must keep.
bool is_seen_by_others(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Hint:
    case Op::VoteNow:
    case Op::Alloca:
    case Op::StackSave:
    case Op::StackRestore:
    case Op::MbarInit:
    case Op::MbarArrive:
    case Op::MbarTest:
    case Op::MbarInval:
    case Op::MbarTx:
    case Op::CpArrive: return true;
    case Op::Ld:
      return instruction.has(Mod::Volatile) || instruction.has(Mod::Relaxed) || instruction.has(Mod::Acquire) ||
             instruction.has(Mod::Mmio);
    default: return false;
  }
}

constexpr unsigned kSpaces = 3;  // a bit each: shared, local, global; generic addresses may be in any

unsigned spaces_of(const Instruction& instruction) {
  if (instruction.op == Op::Ld || instruction.op == Op::St || instruction.op == Op::Atom || instruction.op == Op::Red) {
    if (instruction.space == Space::Shared) return 1;
    if (instruction.space == Space::Local) return 2;
    if (instruction.space == Space::Global) return 4;
  }
  return 7;
}

enum class Purpose : uint8_t { Estimate, Run };

class BlockSchedule {
 public:
  BlockSchedule(const Kernel& kernel, const std::vector<Accesses>& accesses, const BasicBlock& block, Purpose purpose)
      : kernel_(kernel), accesses_(accesses), runs_(purpose == Purpose::Run) {
    for (Pc pc = block.begin; pc < block.end; ++pc)
      if (runs_ || !accesses[pc].reads.empty() || !accesses[pc].writes.empty() || keeps_order(kernel.code[pc]))
        code_.push_back(pc);
    nodes_.resize(code_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) depend_on_registers(i);
    if (runs_)
      for (unsigned space = 0; space < kSpaces; ++space) depend_on_memory(1U << space);
    else
      depend_on_memory(~0U);
    if (!nodes_.empty() && at(nodes_.size() - 1).flow == Flow::Branch)
      for (size_t i = 0; i + 1 < nodes_.size(); ++i) add(i, nodes_.size() - 1, 0);
    for (size_t i = nodes_.size(); i-- > 0;)
      for (const Edge& edge : nodes_[i].after)
        nodes_[i].height = std::max(nodes_[i].height, nodes_[edge.to].height + edge.wait);
  }

  std::vector<Pc> order() {
    std::vector<Pc> order;
    unsigned now = 0;
    for (size_t first = 0; order.size() < nodes_.size();) {
      while (nodes_[first].done) ++first;
      const size_t next = best(first, now);
      now = std::max(now, nodes_[next].ready) + 1;
      nodes_[next].done = true;
      order.push_back(code_[next]);
      for (const Edge& edge : nodes_[next].after) {
        --nodes_[edge.to].before;
        nodes_[edge.to].ready = std::max(nodes_[edge.to].ready, now - 1 + edge.wait);
      }
    }
    return order;
  }

 private:
  struct Edge {
    size_t to;
    unsigned wait;
  };
  struct Node {
    std::vector<Edge> after;
    unsigned before = 0;  // edges from nodes that are not done
    unsigned ready = 0, height = 0;
    bool done = false;
  };

  const Instruction& at(size_t i) const { return kernel_.code[code_[i]]; }
  void add(size_t from, size_t to, unsigned wait) {
    if (from == to) return;
    nodes_[from].after.push_back({to, wait});
    ++nodes_[to].before;
  }
  unsigned latency(size_t i) const { return is_load(at(i)) && at(i).space != Space::Const ? kLoadLatency : kLatency; }

  void depend_on_registers(size_t i) {
    for (const Operand& read : accesses_[code_[i]].reads) {
      if (const auto writer = writer_.find(read.at); writer != writer_.end())
        add(writer->second, i, latency(writer->second));
      readers_[read.at].push_back(i);
    }
    for (const Operand& written : accesses_[code_[i]].writes) {
      for (size_t reader : readers_[written.at]) add(reader, i, 0);
      if (const auto writer = writer_.find(written.at); writer != writer_.end()) add(writer->second, i, 1);
      writer_[written.at] = i;
      readers_[written.at].clear();
    }
  }

  // Among those that touch one of the spaces.
  void depend_on_memory(unsigned spaces) {
    std::vector<size_t> loads;  // since the last that keeps its order
    const size_t none = nodes_.size();
    size_t last = none;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if ((spaces_of(at(i)) & spaces) == 0) continue;
      const bool fixed = keeps_order(at(i)) || (runs_ && is_seen_by_others(at(i)));
      const bool load = is_load(at(i)) && !loads_constants(at(i));
      if ((fixed || load) && last != none) add(last, i, 0);
      if (load) loads.push_back(i);
      if (!fixed) continue;
      for (size_t each : loads) add(each, i, 0);
      loads.clear();
      last = i;
    }
  }

  // What can go now before what cannot, then the longest way, then the order of the text.
  size_t best(size_t first, unsigned now) const {
    size_t best = first;  // it waits for nobody: all before it is done
    const auto rank = [&](size_t i) { return std::max(nodes_[i].ready, now); };
    for (size_t i = first + 1; i < std::min(first + kWindow, nodes_.size()); ++i) {
      if (nodes_[i].done || nodes_[i].before > 0) continue;
      if (rank(i) < rank(best) || (rank(i) == rank(best) && nodes_[i].height > nodes_[best].height)) best = i;
    }
    return best;
  }

  const Kernel& kernel_;
  const std::vector<Accesses>& accesses_;
  const bool runs_;
  std::vector<Pc> code_;     // what is scheduled
  std::vector<Node> nodes_;  // for each of it
  std::map<uint32_t, size_t> writer_;
  std::map<uint32_t, std::vector<size_t>> readers_;
};

}  // namespace

std::vector<Pc> scheduled(const Kernel& kernel, const std::vector<Accesses>& accesses, const BasicBlock& block) {
  return BlockSchedule(kernel, accesses, block, Purpose::Estimate).order();
}

std::vector<Pc> rearranged(const Kernel& kernel, const std::vector<Accesses>& accesses, const BasicBlock& block) {
  return BlockSchedule(kernel, accesses, block, Purpose::Run).order();
}

}  // namespace heddle
