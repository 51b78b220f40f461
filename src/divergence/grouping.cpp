#include "divergence/grouping.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/kernel_name.h"

namespace heddle {
namespace {

constexpr unsigned kMaxGroups = 512;  // sub-warps of one large warp

}  // namespace

Grouping::Grouping(const Kernel& kernel, unsigned warp_size, LaneMap lanes, const MechanismRow& mechanism,
                   const Config& config)
    : kernel_(kernel),
      host_(kernel, warp_size, lanes),
      mechanism_(make_mechanism(mechanism, host_, config)),
      traits_(mechanism_->traits()),
      groups_(kMaxGroups) {
  if (const std::string why = mechanism_->refuses(kernel); !why.empty())
    throw Error(ExitCode::Refused, fmt::format("mechanism '{}' cannot run kernel {}: {}", mechanism.name,
                                               readable_name(kernel.name), why));
}

void Grouping::watch(const Observers& observers, unsigned core, bool timed) {
  if (!observers.empty()) host_.watch = Watch(observers, {kernel_, host_, *mechanism_, core, timed, 0});
}

void Grouping::start_block(BlockId block, const BlockShape& shape) {
  host_.start_block(block, shape);
  if (host_.watch.wants(Observer::kBlocks)) host_.watch.tell<&Observer::block_started>(Observer::kBlocks, block);
  mechanism_->block_start(block);
}

void Grouping::end_block(BlockId block) {
  mechanism_->block_end(block);
  if (host_.watch.wants(Observer::kBlocks)) host_.watch.tell<&Observer::block_ended>(Observer::kBlocks, block);
}

std::span<const Group> Grouping::groups_of(WarpId id) {
  const Warp& warp = host_.warp(id);
  groups_[0] = warp.group;
  unsigned count = 1;
  if (warp.groups > 1) count = mechanism_->expand(id, kernel_.code[warp.pc], groups_);
  return {groups_.data(), count};
}

unsigned Grouping::look_at(WarpId id, std::span<Group> groups) const {
  const Warp& warp = host_.warp(id);
  groups[0] = warp.group;
  return warp.groups > 1 ? mechanism_->expand(id, Instruction{}, groups) : 1;
}

void Grouping::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const unsigned before = host_.warp(id).group.count;
  mechanism_->resolve(id, outcomes);
  if (host_.watch.wants(Observer::kMerges)) [[unlikely]]
    tell_merge(id, before);
}

void Grouping::tell_branch(WarpId id, std::span<const Outcome> outcomes, Observer::Wish wish) const {
  const Warp& warp = host_.warp(id);
  host_.watch.tell<&Observer::branched>(wish, Branched{id, warp.block, warp.pc, outcomes});
}

// More threads than before: they have been joined by others.
void Grouping::tell_merge(WarpId id, unsigned before) const {
  const Warp& warp = host_.warp(id);
  if (warp.state == WarpState::Free || warp.group.count <= before) return;
  host_.watch.tell<&Observer::merged>(Observer::kMerges, Merged{id, warp.pc, before, warp.group.count});
}

}  // namespace heddle
