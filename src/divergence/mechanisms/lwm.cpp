#include "divergence/mechanisms/lwm.h"

namespace heddle {
namespace {

bool may_touch_global(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Ld:
    case Op::St:
    case Op::Atom:
    case Op::Red: return instruction.space == Space::Global || instruction.space == Space::None;
    case Op::Tex:
    case Op::Gather:
    case Op::CpAsync:
    case Op::CpBulk: return true;
    default: return false;
  }
}

bool is_jump(const Instruction& instruction) { return instruction.op == Op::Bra && !instruction.guarded(); }

}  // namespace

Lwm::Lwm(Host& host, const Config& config)
    : Mechanism(host),
      size_(static_cast<unsigned>(config.integer("large_warp_size"))),
      row_memory_(config.boolean("row_memory")),
      one_slot_jumps_(config.boolean("one_slot_jumps")) {}

void Lwm::block_start(BlockId block) {
  const unsigned threads = host_.block(block).threads;
  for (unsigned first = 0; first < threads; first += size_) {
    const WarpId id = host_.open(block, 0, host_.static_warp(block, first / host_.warp_size()));
    if (warps_.size() <= id) warps_.resize(id + 1U);
    warps_[id].stack.start(BlockMask::range(first, std::min(size_, threads - first)));
    warps_[id].active = {};
    settle(id);
  }
}

void Lwm::resolve(WarpId id, std::span<const Outcome> outcomes) {
  Stack& stack = warps_[id].stack;
  const BlockId block = host_.warp(id).block;
  const Pc pc = host_.warp(id).pc;
  paths_.clear();
  for (const Outcome& outcome : outcomes) add_paths(host_, block, outcome, paths_);
  switch (outcomes[0].kind) {
    case Outcome::Kind::Exit: stack.exit(BlockMask(stack.top().mask)); break;
    case Outcome::Kind::Call: stack.call(pc, std::span(paths_)); break;
    case Outcome::Kind::Return:
      require(paths_.size() == 1, "threads of one stack entry return to different places");
      stack.leave(paths_[0].pc);
      break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (paths_.size() == 1)
        stack.top().at.pc = paths_[0].pc;
      else
        stack.diverge(host_.kernel(), pc, std::span(paths_));
      break;
  }
  settle(id);
}

void Lwm::arrive(WarpId id) {
  warps_[id].stack.top().at.pc = host_.warp(id).pc;
  settle(id);
}

void Lwm::settle(WarpId id) {
  Matrix& matrix = warps_[id];
  deepest_ = std::max(deepest_, static_cast<unsigned>(matrix.stack.size()));
  matrix.stack.settle([](Pc) {});
  if (matrix.stack.empty()) return host_.close(id);
  const Stack::Entry& top = matrix.stack.top();
  Warp& warp = host_.warp(id);
  warp.pc = top.at.pc;
  warp.depth = static_cast<uint8_t>(std::min(top.at.depth, 255U));
  host_.set_state(id, WarpState::Ready);
  warp.ask_at = matrix.stack.ask_at(warp.pc);
  if (matrix.active == top.mask) return;
  matrix.active = top.mask;
  const auto packed = matrix.packed.compact(host_, warp.block, top.mask);
  const auto rows = matrix.rows.keep_static(host_, warp.block, top.mask);
  host_.set_group(id, packed[0]);
  warp.groups = static_cast<uint16_t>(rows.size());  // the most any instruction takes; with one row all take one
}

unsigned Lwm::expand(WarpId id, const Instruction& instruction, std::span<Group> groups) {
  const Matrix& matrix = warps_[id];
  if (one_slot_jumps_ && is_jump(instruction)) {
    groups[0] = matrix.packed.formed()[0];
    groups[0].count = static_cast<uint8_t>(std::min(matrix.active.count(), host_.warp_size()));
    groups[0].along = static_cast<uint16_t>(matrix.active.count() - groups[0].count);
    return 1;
  }
  const bool by_row = row_memory_ && may_touch_global(instruction);
  const std::span<const Group> formed = by_row ? matrix.rows.formed() : matrix.packed.formed();
  std::copy(formed.begin(), formed.end(), groups.begin());
  return static_cast<unsigned>(formed.size());
}

State Lwm::state(BlockId block) const {
  State state;
  host_.warps_in(block).for_each([&](WarpId id) {
    state.push_back({"large warp", id, warps_[id].stack.state(host_.warp(id).pc, [&](const BlockMask& mask) {
                       return threads_of_block(host_.warp_size(), host_.block(block).threads, mask);
                     })});
  });
  return state;
}

StateCost Lwm::cost() const {
  // Per row of W threads, to compare with others: its share of entries that hold two PCs and a bit per thread.
  const unsigned rows = size_ / host_.warp_size();
  return {deepest_, (uint64_t{deepest_} * (64 + size_) + rows - 1) / rows, false};
}

}  // namespace heddle
