#include "divergence/mechanisms/tbc.h"

#include <bit>
#include <utility>

namespace heddle {
namespace {

// By PC: the next control instruction at or behind it.
std::vector<Pc> next_controls(const Kernel& kernel) {
  std::vector<Pc> result(kernel.code.size(), kNoPc);
  Pc next = kNoPc;
  for (size_t pc = kernel.code.size(); pc-- > 0;) {
    if (kernel.code[pc].flow == Flow::Branch) next = static_cast<Pc>(pc);
    result[pc] = next;
  }
  return result;
}

}  // namespace

Tbc::Tbc(Host& host, const Rules& rules)
    : Mechanism(host), rules_(rules), next_control_(next_controls(host.kernel())) {}

auto Tbc::rules_from(const Config& config) -> Rules {
  return {.likely = config.boolean("lcp"), .compact_cycles = static_cast<uint64_t>(config.integer("compact_cycles"))};
}

std::unique_ptr<Mechanism> Tbc::make(Host& host, const Config& config) {
  Rules rules = rules_from(config);
  rules.wait_at_all = config.text("wait_at") == "all";
  if (!config.boolean("compaction") || config.names("uncompacted", host.kernel().name))
    rules.forming = Compactor::Rule::StaticWarps;
  return std::unique_ptr<Mechanism>(new Tbc(host, rules));
}

std::unique_ptr<Mechanism> Tbc::make_plus(Host& host, const Config& config) {
  return std::unique_ptr<Mechanism>(new Tbc(host, rules_from(config)));
}

std::unique_ptr<Mechanism> Tbc::make_ideal(Host& host, const Config& config) {
  Rules rules = rules_from(config);
  rules.wait_at_all = config.text("wait_at") == "all";
  rules.forming = Compactor::Rule::AnyLane;
  return std::unique_ptr<Mechanism>(new Tbc(host, rules));
}

// ---- what the machine tells

void Tbc::block_start(BlockId block) {
  if (blocks_.size() <= block) blocks_.resize(block + 1U);
  const unsigned threads = host_.block(block).threads;
  block_threads_ = std::max(block_threads_, threads);
  blocks_[block] = {};
  blocks_[block].stack.start(BlockMask::range(0, threads), {.likely = rules_.likely});
  begin_top(block);
  for (WarpId id : blocks_[block].warps) host_.warp(id).not_before = host_.now;  // static warps need no compactor
}

void Tbc::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const Outcome& outcome = outcomes[0];
  switch (outcome.kind) {
    case Outcome::Kind::Exit: return leave(id, outcome.group);
    case Outcome::Kind::Call: return come_to_branch(id, outcome);
    case Outcome::Kind::Return: {
      const CodePoint& back = block_of(id).stack.top().reconvergence;
      require(outcome.targets.size() == 1 && outcome.targets[0].pc == back.pc,
              "threads return to where they do not reconverge");
      return wait_to_meet(id, back.pc);
    }
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (rules_.wait_at_all || host_.kernel().may_diverge(host_.warp(id).pc)) return come_to_branch(id, outcome);
      require(outcome.targets.size() == 1, "threads diverge at a branch that was proven uniform");
      tell_arrival(host_.warp(id).block, host_.warp(id).pc, outcome, false);
      return go_on(id, outcome.targets[0].pc);
  }
}

// At branches where nobody waits, unless somebody wants to hear of them.
std::optional<Pc> Tbc::goes_on(WarpId id, Pc pc) const {
  const Warp& warp = host_.warp(id);
  if (rules_.wait_at_all || host_.kernel().may_diverge(warp.pc) || host_.watch.wants(Observer::kArrivals))
    return std::nullopt;
  return blocks_[BlockId(warp.block)].stack.goes_on(pc);
}

// A warp of the top is at the RPC or LPC; one that went ahead may go no further.
void Tbc::arrive(WarpId id) {
  Whereabouts& where = whereabouts_[id];
  if (where.standing == Standing::Top) return wait_to_meet(id, host_.warp(id).pc);
  if (host_.warp(id).pc == where.meets) where.standing = Standing::Met;
  host_.set_state(id, WarpState::Held);
}

// ---- arriving

void Tbc::go_on(WarpId id, Pc pc) {
  Warp& warp = host_.warp(id);
  const Stack& stack = block_of(id).stack;
  warp.pc = pc;
  warp.ask_at = stack.ask_at(pc);
  host_.set_state(id, WarpState::Ready);
  if (stack.stops_at(pc)) wait_to_meet(id, pc);
}

void Tbc::come_to_branch(WarpId id, const Outcome& outcome) {
  const Warp& warp = host_.warp(id);
  const BlockId block_id = warp.block;
  Block& block = blocks_[block_id];
  note_branch(block, warp.pc);
  for (const Target& target : outcome.targets)
    add_threads(host_, block_id, outcome.group, target.who, come_to_path(block, target.pc).who);
  const bool waiting = waits(block_id, block.branch, outcome.targets.size() > 1);
  tell_arrival(block_id, block.branch, outcome, waiting);
  if (waiting)
    host_.set_state(id, WarpState::Held);
  else
    pass_on(id, outcome);
  count_arrival(block_id);
}

void Tbc::note_branch(Block& block, Pc branch) const {
  require(block.branch == kNoPc || block.branch == branch, "warps of one stack entry wait at different branches");
  block.branch = branch;
}

Tbc::Path& Tbc::come_to_path(Block& block, Pc pc) const {
  Path& path = path_to(block.paths, pc);
  path.extra.branch = block.branch;
  ++path.extra.arrived;
  return path;
}

void Tbc::tell_arrival(BlockId block_id, Pc branch, const Outcome& outcome, bool waits) const {
  if (!host_.watch.wants(Observer::kArrivals)) return;
  const Block& block = blocks_[block_id];
  const Pc meets = block.stack.met_at(meeting_of(block, branch));
  host_.watch.tell<&Observer::came>(Observer::kArrivals, Came{block_id, branch, outcome, meets, waits});
}

void Tbc::tell_all(BlockId block, Pc branch, std::span<const Path> paths) const {
  if (!host_.watch.wants(Observer::kArrivals)) return;
  const Block& of = blocks_[block];
  const Pc meets = of.stack.met_at(meeting_of(of, branch));
  const std::vector<BlockPath> plain(paths.begin(), paths.end());
  host_.watch.tell<&Observer::all_came>(Observer::kArrivals, AllCame{block, branch, meets, plain});
}

void Tbc::wait_to_meet(WarpId id, Pc at) {
  const Warp& warp = host_.warp(id);
  Block& block = block_of(id);
  require(block.meeting == kNoPc || block.meeting == at, "warps of one stack entry wait to meet at different places");
  block.meeting = at;
  host_.set_state(id, WarpState::Held);
  count_arrival(warp.block);
}

void Tbc::leave(WarpId id, const Group& gone) {
  const BlockId block = host_.warp(id).block;
  BlockMask threads;
  add_threads(host_, block, gone, gone.mask, threads);
  blocks_[block].stack.exit(threads);
  std::erase(blocks_[block].warps, id);
  host_.close(id);
  count_arrival(block);
}

void Tbc::count_arrival(BlockId block) {
  if (--blocks_[block].pending == 0) all_arrived(block);
}

// ---- when all have arrived

void Tbc::all_arrived(BlockId block_id) {
  Block& block = blocks_[block_id];
  const Pc branch = std::exchange(block.branch, kNoPc);
  paths_.clear();
  paths_.swap(block.paths);
  if (branch != kNoPc) {
    forget(block_id);
    tell_all(block_id, branch, paths_);
  }
  if (const Pc meeting = std::exchange(block.meeting, kNoPc); meeting != kNoPc) {
    Stack::Entry& top = block.stack.top();
    top.at = top.reconvergence.pc == meeting ? top.reconvergence : top.likely;
  } else if (branch != kNoPc && host_.kernel().code[branch].op == Op::Call) {
    block.stack.call(branch, std::span(paths_));
  } else if (branch != kNoPc && host_.kernel().may_diverge(branch)) {
    block.stack.diverge(host_.kernel(), branch, std::span(paths_));
  } else if (branch != kNoPc) {
    block.pending = static_cast<unsigned>(block.warps.size());
    const Pc next = paths_[0].pc;
    for (WarpId id : std::vector<WarpId>(block.warps)) go_on(id, next);
    return;
  }
  note_depth(block.stack);
  begin_top(block_id);
}

void Tbc::note_depth(const Stack& stack) {
  if (stack.size() <= entries_) return;
  entries_ = stack.size();
  deepest_ = std::max(deepest_, stack.depth());
}

void Tbc::begin_top(BlockId block_id) {
  Block& block = blocks_[block_id];
  bool began = false;
  do {
    before_.swap(block.warps);
    block.warps.clear();
    reopened_ = 0;
    block.stack.settle([&](Pc at) { tell_likely_merge(host_, block_id, at); });
    began = block.stack.empty() || start_top(block_id);
    for (size_t i = before_.size(); i-- > reopened_;) host_.close(before_[i]);
  } while (!began);
}

bool Tbc::start_top(BlockId block_id) {
  Block& block = blocks_[block_id];
  Stack::Entry& top = block.stack.top();
  require(top.at.pc != kNoPc, "threads wait for the end of the kernel");
  block.pending = 0;
  if (block.gathers_at = gathers_at(block.stack); block.gathers_at != kNoPc) {
    open_gathering(block_id);
    return true;
  }
  const PassedOn passed = std::exchange(top.extra, {});
  for (WarpId id : passed.ahead) take_over(block_id, id);
  for (const KeptGroup& parked : passed.parked) open(block_id, parked.group(), host_.now);
  uint64_t formed = 0;
  if (const BlockMask waited = top.mask.without(passed.threads); !waited.empty())
    for (const Group& group : compactor_.form(rules_.forming, host_, block_id, waited))
      open(block_id, group, host_.now + rules_.compact_cycles * formed++);
  if (passed.branch != kNoPc) begins(passed, block_id, top.mask);
  if (block.pending > 0) return true;
  top.at = top.reconvergence;
  return false;
}

// New warps take the numbers of the old ones in order.
WarpId Tbc::next_warp(BlockId block_id, Block& block, const Group& group) {
  const Pc pc = block.stack.top().at.pc;
  WarpId id = kNoWarp;
  if (reopened_ < before_.size())
    host_.reopen(id = before_[reopened_++], pc, group);
  else
    id = host_.open(block_id, pc, group);
  if (whereabouts_.size() <= id) whereabouts_.resize(id + 1U);
  whereabouts_[id] = {};
  block.warps.push_back(id);
  return id;
}

void Tbc::open(BlockId block_id, const Group& group, CoreCycle not_before) {
  Block& block = blocks_[block_id];
  const CodePoint& at = block.stack.top().at;
  Warp& warp = host_.warp(next_warp(block_id, block, group));
  warp.depth = static_cast<uint8_t>(std::min(at.depth, 255U));
  warp.ask_at = block.stack.ask_at(at.pc);
  warp.not_before = not_before;
  ++block.pending;
}

// ---- for a person

State Tbc::state(BlockId block_id) const {
  const Block& block = blocks_[block_id];
  if (block.stack.empty()) return {};
  const auto threads = [&](const BlockMask& mask) {
    return threads_of_block(host_.warp_size(), host_.block(block_id).threads, mask);
  };
  State state{{"stack of block", host_.block(block_id).order, block.stack.state(block.stack.top().at.pc, threads)}};
  state[0].entries.push_back({"", {{"WCnt", uint64_t{block.pending}}}});
  for (const Path& path : block.paths)
    state[0].entries.push_back({"path",
                                {{"from", CodeAddress{block.branch}},
                                 {"to", CodeAddress{path.pc}},
                                 {"mask", threads(path.who)},
                                 {"waits", threads(path.who.without(path.extra.threads))}}});
  host_.warps_in(block_id).for_each([&](WarpId id) {
    const Warp& warp = host_.warp(id);
    const bool ahead = whereabouts_[id].standing != Standing::Top, held = warp.state == WarpState::Held;
    BlockMask mask;
    add_threads(host_, block_id, warp.group, warp.group.mask, mask);
    const std::string_view word = ahead ? (held ? "ahead, held" : "ahead") : (held ? "waits" : "runs");
    state.push_back({"warp", id, {{word, {{"pc", CodeAddress{warp.pc}}, {"mask", threads(mask)}}}}});
  });
  return state;
}

StateCost Tbc::cost() const {
  // For the block: entries of two PCs, WCnt and a bit per thread, with likely-convergence points a third PC and a
  // position. For each warp: which static warp each of its lanes' threads comes from, in the warp buffer.
  const unsigned width = host_.warp_size(), warps = std::max(1U, (block_threads_ + width - 1) / width);
  const unsigned id_bits = static_cast<unsigned>(std::bit_width(warps - 1)),
                 count_bits = static_cast<unsigned>(std::bit_width(warps));
  const uint64_t likely_bits = rules_.likely ? 32 + static_cast<uint64_t>(std::bit_width(entries_ - 1)) : 0;
  const uint64_t stack_bits = entries_ * (64 + likely_bits + count_bits + warps * width + extra_entry_bits(warps));
  return {static_cast<unsigned>(deepest_), (stack_bits + warps - 1) / warps + uint64_t{width} * id_bits, false};
}

}  // namespace heddle
