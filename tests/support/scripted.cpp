#include "support/scripted.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "program/analysis.h"

namespace heddle::scripted {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// A guard of its own: analyses must not take the branch for an unconditional one.
constexpr uint32_t kSomeGuard = 0;

Instruction instruction_of(const std::string& word) {
  Instruction instruction;
  const auto set = [&](Op op, bool guarded = false) {
    instruction.op = op;
    instruction.flow = flow_of(op);
    if (guarded) instruction.guard = kSomeGuard;
  };
  if (word == "op")
    set(Op::Mov);
  else if (word == "ld")
    set(Op::Ld), instruction.space = Space::Global;
  else if (word == "br")
    set(Op::Bra);
  else if (word == "if" || word == "if.uni")
    set(Op::Bra, true);
  else if (word == "brx")
    set(Op::Brx);
  else if (word == "call")
    set(Op::Call);
  else if (word == "ret")
    set(Op::Ret);
  else if (word == "exit")
    set(Op::Exit);
  else if (word == "bar")
    set(Op::BarSync);
  else
    throw InternalError("a listing has no instruction '" + word + "'");
  instruction.uniform_hint = word == "if.uni";
  return instruction;
}

Outcome::Kind kind_of(Op op) {
  if (op == Op::Brx) return Outcome::Kind::Indirect;
  if (op == Op::Call) return Outcome::Kind::Call;
  if (op == Op::Ret) return Outcome::Kind::Return;
  if (op == Op::Exit) return Outcome::Kind::Exit;
  return Outcome::Kind::Branch;
}

}  // namespace

// ---- Listing

Listing::Listing(std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (split(line).empty()) continue;
    require(colon != std::string::npos, "a line of a listing has a label");
    add(split(line.substr(0, colon)).at(0), std::string_view(line).substr(colon + 1));
  }
  link();
  find_functions();
  find_blocks(kernel_);
  find_dominators(kernel_);
  find_block_order(kernel_);
  find_waiting(kernel_);
  find_convergence_points(kernel_);
  find_structure(kernel_);
  kernel_.uniform.assign(kernel_.code.size(), false);
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
    const Instruction& instruction = kernel_.code[pc];
    kernel_.uniform[pc] = instruction.op == Op::Bra && (!instruction.guarded() || instruction.uniform_hint);
  }
}

void Listing::add(std::string_view label, std::string_view text) {
  std::vector<std::string> words = split(text);
  require(!words.empty(), "a line of a listing has an instruction");
  kernel_.code.push_back(instruction_of(words[0]));
  names_.emplace_back(label);
  words_.emplace_back(words.begin() + 1, words.end());
}

Pc Listing::at(std::string_view label) const {
  const auto found = std::find(names_.begin(), names_.end(), label);
  if (found == names_.end()) throw InternalError("a listing has no label '" + std::string(label) + "'");
  return static_cast<Pc>(found - names_.begin());
}

void Listing::link() {
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
    Instruction& instruction = kernel_.code[pc];
    std::vector<Pc> targets;
    for (const std::string& word : words_[pc]) targets.push_back(at(word));
    if (!targets.empty()) instruction.target = targets[0];
    if (instruction.op == Op::Brx) {
      instruction.table = static_cast<uint32_t>(kernel_.tables.size());
      kernel_.tables.push_back(targets);
    }
    if (instruction.op == Op::Call) {
      instruction.table = static_cast<uint32_t>(kernel_.calls.size());
      kernel_.calls.emplace_back();
      kernel_.calls.back().indirect = targets.size() > 1;
      kernel_.has_calls = true;
    }
    kernel_.has_indirect |= targets.size() > 1;
    kernel_.has_barrier |= instruction.op == Op::BarSync;
    targets_.push_back(std::move(targets));
  }
}

void Listing::find_functions() {
  kernel_.name = "listing";
  std::vector<Pc> begins{0};
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc)
    if (kernel_.code[pc].op == Op::Call) begins.insert(begins.end(), targets_[pc].begin(), targets_[pc].end());
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  for (size_t i = 0; i < begins.size(); ++i) {
    FunctionRange range;
    range.name = names_[begins[i]];
    range.begin = begins[i];
    range.end = i + 1 < begins.size() ? begins[i + 1] : static_cast<Pc>(kernel_.code.size());
    kernel_.functions.push_back(range);
  }
  for (FunctionRange& range : kernel_.functions)  // direct recursion is all that examples need
    for (Pc pc = range.begin; pc < range.end; ++pc)
      if (kernel_.code[pc].op == Op::Call && std::count(targets_[pc].begin(), targets_[pc].end(), range.begin) > 0)
        range.recursive = kernel_.recursive = true;
}

// ---- slots

std::string Slot::text() const {
  if (phantom) return fmt::format("{}[{}]", name, count);
  std::string inner;
  for (int thread : lanes)
    inner += (inner.empty() ? "" : ",") + (thread < 0 ? std::string("-") : std::to_string(thread));
  return fmt::format("{}({})", name, inner);
}

std::string text_of(const std::vector<Slot>& slots) {
  std::string text;
  for (const Slot& slot : slots) text += (text.empty() ? "" : " ") + slot.text();
  return text;
}

std::string counts_of(const std::vector<Slot>& slots) {
  std::string text;
  for (const Slot& slot : slots) text += fmt::format("{}{}({})", text.empty() ? "" : " ", slot.name, slot.count);
  return text;
}

std::map<std::string, unsigned> executions_of(const std::vector<Slot>& slots) {
  std::map<std::string, unsigned> executions;
  for (const Slot& slot : slots) ++executions[slot.name];
  return executions;
}

// ---- ScriptedMachine

ScriptedMachine::ScriptedMachine(const Listing& listing, std::string_view mechanism, Shape shape, Choice choice)
    : listing_(listing),
      shape_(std::move(shape)),
      choice_(std::move(choice)),
      config_(make_config("default", shape_.set)),
      grouping_(listing.kernel(), static_cast<unsigned>(config_.integer("warp_size")), LaneMap::named(shape_.lanes),
                mechanism_named(mechanism), config_),
      host_(grouping_.host()),
      blocks_(shape_.resident) {
  const unsigned rows = (shape_.threads + kRow - 1) / kRow;
  returns_.resize(size_t{shape_.resident} * rows * kRow);
  pcs_.resize(returns_.size());
  for (unsigned block = shape_.resident; block-- > 0;) free_blocks_.push_back(static_cast<BlockId>(block));
  admit_blocks();
}

void ScriptedMachine::watch(std::shared_ptr<Observer> observer) {
  observer->launch_began({listing_.kernel(), LaunchInfo{}, "", host_.warp_size()});
  grouping_.watch({std::move(observer)}, 0, false);
}

void ScriptedMachine::admit_blocks() {
  while (next_block_ < shape_.blocks && !free_blocks_.empty()) {
    const BlockId block = free_blocks_.back();
    free_blocks_.pop_back();
    running_.push_back(block);
    const unsigned rows = (shape_.threads + kRow - 1) / kRow;
    const Hw first = static_cast<Hw>(block * rows * kRow);
    blocks_[block] = {0, next_block_ * shape_.threads, {}};
    std::fill_n(pcs_.begin() + first, shape_.threads, Pc{0});
    grouping_.start_block(block, {first, shape_.threads, next_block_++});
  }
}

unsigned ScriptedMachine::number_of(BlockId block, Hw thread) const {
  return blocks_[block].first_number + thread - host_.block(block).first;
}

void ScriptedMachine::run() {
  constexpr size_t kLimit = 100000;
  while (step()) require(slots_.size() < kLimit, "a scripted run does not end");
}

bool ScriptedMachine::step() {
  if (done()) return false;
  WarpId warp = next_warp();
  if (warp == kNoWarp && mechanism().starved()) warp = next_warp();
  if (warp == kNoWarp) {
    std::string text = "deadlock in a scripted run\n";
    for (BlockId block : running_) text += state_text(mechanism().state(block));
    throw Error(ExitCode::Deadlock, text);
  }
  issue(warp);
  return true;
}

// The warp that ran last goes on while it can; then the others in the order of their ids. Wishes come first.
WarpId ScriptedMachine::next_warp() {
  WarpSet ready = host_.ready();
  if (grouping_.traits().wishes) host_.keep_first_wishes(ready);
  WarpId next = ready.next_from(current_);
  if (next == kNoWarp) next = ready.next_from(0);
  if (next != kNoWarp) current_ = next;
  return next;
}

void ScriptedMachine::issue(WarpId id) {
  begin(id);
  complete(id);
}

void ScriptedMachine::begin(WarpId id) {
  require(host_.warp(id).state == WarpState::Ready, "a scripted test issued a warp that is not ready");
  std::vector<Slot>& slots = in_flight_[id];
  slots.clear();
  for (const Group& group : grouping_.groups_of(id)) slots.push_back(record(id, group));
  grouping_.begin(id);
}

void ScriptedMachine::complete(WarpId id) {
  require(host_.warp(id).state == WarpState::InFlight, "a scripted test completed a warp that is not in flight");
  const Pc pc = host_.warp(id).pc;
  const std::vector<Slot> slots = std::move(in_flight_[id]);
  const std::span<const Group> groups = grouping_.groups_of(id);
  require(groups.size() == slots.size(), "a warp changed in flight");
  for (size_t i = 0; i < groups.size(); ++i)
    require(slot_of(id, groups[i]).text() == slots[i].text(), "a warp changed in flight");
  if (listing_.kernel().code[pc].flow != Flow::Branch)
    for (const Group& group : groups) for_each_lane(group.mask, [&](unsigned k) { pcs_[group.thread(k)] = pc + 1; });
  grouping_.complete(id, *this);
  if (after_slot)
    for (const Slot& slot : slots) after_slot(slot);
}

const Slot& ScriptedMachine::record(WarpId id, const Group& group) {
  slots_.push_back(slot_of(id, group));
  if (before_slot) before_slot(slots_.back());
  return slots_.back();
}

Slot ScriptedMachine::slot_of(WarpId id, const Group& group) const {
  const Warp& warp = host_.warp(id);
  Slot slot{warp.pc, listing_.name(warp.pc), std::vector<int>(host_.warp_size(), -1), false, group.count};
  slot.phantom = group.kind == Group::Kind::Phantom;
  if (slot.phantom) return slot;
  for_each_lane(group.mask, [&](unsigned k) {
    const Hw thread = group.thread(k);
    BlockId block = warp.block;  // a dwf warp may mix blocks
    for (BlockId each : running_)
      if (thread >= host_.block(each).first && thread < host_.block(each).first + host_.block(each).threads)
        block = each;
    // A list's positions are lanes; a row's threads sit at home.
    const unsigned lane = group.kind == Group::Kind::List ? k : host_.home_lane(block, thread);
    require(lane < slot.lanes.size() && slot.lanes[lane] < 0, "two threads in one lane");
    slot.lanes[lane] = static_cast<int>(number_of(block, thread));
  });
  return slot;
}

Pc ScriptedMachine::next_pc(const Instruction& instruction, Pc pc, Hw thread) {
  const std::vector<Pc>& targets = listing_.targets(pc);
  const auto choose = [&] {
    BlockId block{0};
    for (BlockId each : running_)
      if (thread >= host_.block(each).first && thread < host_.block(each).first + host_.block(each).threads)
        block = each;
    const unsigned number = number_of(block, thread);
    return choice_({number, listing_.name(pc), ++visits_[{number, pc}]});
  };
  switch (instruction.op) {
    case Op::Call: returns_[thread].push_back(pc + 1); return targets.size() == 1 ? targets[0] : targets.at(choose());
    case Op::Brx: return targets.at(choose());
    case Op::Ret: {
      require(!returns_[thread].empty(), "a scripted thread returns without a call");
      const Pc back = returns_[thread].back();
      returns_[thread].pop_back();
      return back;
    }
    default:
      if (!instruction.guarded()) return instruction.target;
      return choose() != 0 ? instruction.target : pc + 1;
  }
}

std::vector<Target> ScriptedMachine::targets_of(const Instruction& instruction, Pc pc, const Group& group) {
  std::map<Pc, LaneMask> targets;
  for_each_lane(group.mask, [&](unsigned k) {
    const Pc next = next_pc(instruction, pc, group.thread(k));
    pcs_[group.thread(k)] = next;
    targets[next].add(k);
  });
  std::vector<Target> result;
  for (const auto& [target, who] : targets) result.push_back({target, who});
  return result;
}

std::span<const Outcome> ScriptedMachine::branch(WarpId id, const Instruction& instruction,
                                                 std::span<const Group> groups) {
  const Pc pc = host_.warp(id).pc;
  const Outcome::Kind kind = kind_of(instruction.op);
  branch_targets_.assign(groups.size(), {});
  outcomes_.clear();
  for (size_t g = 0; g < groups.size(); ++g) {
    if (kind != Outcome::Kind::Exit) branch_targets_[g] = targets_of(instruction, pc, groups[g]);
    outcomes_.push_back({kind, groups[g], branch_targets_[g]});
  }
  return outcomes_;
}

void ScriptedMachine::left(BlockId block) {
  if (host_.live_threads(block) > 0) return complete_barrier(block);
  grouping_.end_block(block);
  std::erase(running_, block);
  free_blocks_.push_back(block);
  admit_blocks();
}

void ScriptedMachine::barrier(WarpId id, std::span<const Group> groups) {
  const BlockId block = host_.warp(id).block;
  for (const Group& group : groups) blocks_[block].at_barrier += group.count;
  blocks_[block].waiting.push_back(id);
  host_.set_state(id, WarpState::AtBarrier);
  complete_barrier(block);
}

void ScriptedMachine::complete_barrier(BlockId block_id) {
  Block& block = blocks_[block_id];
  if (block.at_barrier == 0 || block.at_barrier < host_.live_threads(block_id)) return;
  block.at_barrier = 0;
  const std::vector<WarpId> waiting = std::move(block.waiting);
  block.waiting.clear();
  for (WarpId id : waiting) mechanism().release(id);
  mechanism().released();
}

unsigned ScriptedMachine::active() const {
  unsigned sum = 0;
  for (const Slot& slot : slots_) sum += slot.count;
  return sum;
}

unsigned ScriptedMachine::thread_instructions() const {
  unsigned sum = 0;
  for (const Slot& slot : slots_) sum += slot.phantom ? 0 : slot.count;
  return sum;
}

std::string ScriptedMachine::warps() const {
  std::string text;
  for (WarpId id{0}; id < host_.size(); ++id) {
    const Warp& warp = host_.warp(id);
    if (warp.state == WarpState::Free) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", listing_.name(warp.pc), warp.group.count);
  }
  return text;
}

// ---- PTX

namespace {

// For each line of the text, the label it stands under.
std::vector<std::string> labels_by_line(std::string_view ptx) {
  std::vector<std::string> labels{""};
  std::istringstream lines{std::string(ptx)};
  std::string label;
  for (std::string line; std::getline(lines, line); labels.push_back(label)) {
    const std::vector<std::string> words = split(line);
    if (!words.empty() && words[0].size() > 1 && words[0].back() == ':')
      label = words[0].substr(0, words[0].size() - 1);
  }
  return labels;
}

Slot slot_of(const Step& step, const std::vector<std::string>& labels, unsigned warp_size, const LaneMap& lanes) {
  const Pc pc = step.warp.pc;
  const size_t line = step.kernel.code[pc].place.line;
  Slot slot{pc, labels[std::min(line, labels.size() - 1)], std::vector<int>(warp_size, -1), false, step.group.count};
  slot.phantom = step.group.kind == Group::Kind::Phantom;
  if (slot.phantom) return slot;
  for_each_lane(step.group.mask, [&](unsigned k) {
    const Hw thread = step.group.thread(k);
    const unsigned home = lanes.lane(thread / warp_size, thread % warp_size, warp_size);
    slot.lanes[step.group.kind == Group::Kind::List ? k : home] = thread;
  });
  return slot;
}

}  // namespace

PtxRun run_ptx(std::string_view ptx, std::string_view kernel, std::string_view mechanism, const PtxShape& shape) {
  PtxRun run;
  const std::vector<std::string> labels = labels_by_line(ptx);
  Config config = make_config("default", shape.set);
  const auto warp_size = static_cast<unsigned>(config.integer("warp_size"));
  GpuOptions options;
  options.mechanism = mechanism;
  options.lanes = LaneMap::named(shape.lanes);
  bool within = shape.from.empty();
  if (shape.record)
    options.observers.push_back(std::make_shared<Steps>([&](const Step& step) {
      Slot slot = slot_of(step, labels, warp_size, options.lanes);
      if (!shape.from.empty() && slot.name == shape.from) within = true;
      if (!shape.to.empty() && slot.name == shape.to) within = false;
      if (within) run.slots.push_back(std::move(slot));
    }));
  Gpu gpu(std::move(config), options);
  gpu.load("test", ptx);
  Buffer<uint32_t> buffer(gpu, shape.input, "words");
  gpu.launch(kernel, {{shape.blocks, 1, 1}, {shape.threads, 1, 1}, 0, false}, Arguments(buffer.address()));
  run.output = buffer.download();
  run.stats = gpu.launches().back();
  return run;
}

}  // namespace heddle::scripted
