#include "program/special.h"

#include <unordered_map>

namespace heddle {
namespace {

struct Named {
  std::string_view name;
  Special special;
};

// A block is its own cluster, and a grid has as many clusters as blocks.
constexpr Named kSpecials[] = {
    {"%tid.x", Special::TidX},
    {"%tid.y", Special::TidY},
    {"%tid.z", Special::TidZ},
    {"%ntid.x", Special::NtidX},
    {"%ntid.y", Special::NtidY},
    {"%ntid.z", Special::NtidZ},
    {"%ctaid.x", Special::CtaidX},
    {"%ctaid.y", Special::CtaidY},
    {"%ctaid.z", Special::CtaidZ},
    {"%nctaid.x", Special::NctaidX},
    {"%nctaid.y", Special::NctaidY},
    {"%nctaid.z", Special::NctaidZ},
    {"%laneid", Special::LaneId},
    {"%warpid", Special::WarpId},
    {"%nwarpid", Special::NwarpId},
    {"%smid", Special::SmId},
    {"%nsmid", Special::NsmId},
    {"%gridid", Special::GridId},
    {"%lanemask_eq", Special::LanemaskEq},
    {"%lanemask_le", Special::LanemaskLe},
    {"%lanemask_lt", Special::LanemaskLt},
    {"%lanemask_ge", Special::LanemaskGe},
    {"%lanemask_gt", Special::LanemaskGt},
    {"%envreg1", Special::EnvReg1},
    {"%envreg2", Special::EnvReg2},
    {"%envreg0", Special::Zero},
    {"%dynamic_smem_size", Special::DynamicShared},
    {"%total_smem_size", Special::TotalShared},
    {"%is_explicit_cluster", Special::Zero},
    {"%clusterid.x", Special::CtaidX},
    {"%clusterid.y", Special::CtaidY},
    {"%clusterid.z", Special::CtaidZ},
    {"%nclusterid.x", Special::NctaidX},
    {"%nclusterid.y", Special::NctaidY},
    {"%nclusterid.z", Special::NctaidZ},
    {"%cluster_ctaid.x", Special::Zero},
    {"%cluster_ctaid.y", Special::Zero},
    {"%cluster_ctaid.z", Special::Zero},
    {"%cluster_nctaid.x", Special::One},
    {"%cluster_nctaid.y", Special::One},
    {"%cluster_nctaid.z", Special::One},
    {"%cluster_ctarank", Special::Zero},
    {"%cluster_nctarank", Special::One},
};

}  // namespace

std::optional<Special> special_named(std::string_view name) {
  static const auto map = [] {
    std::unordered_map<std::string_view, Special> names;
    for (const Named& row : kSpecials) names.emplace(row.name, row.special);
    return names;
  }();
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

bool is_clock(std::string_view name) {
  return name == "%clock" || name == "%clock_hi" || name == "%clock64" || name.starts_with("%globaltimer");
}

std::optional<uint32_t> reserved_place(std::string_view name) {
  constexpr std::string_view kBefore = "%reserved_smem_offset_";
  if (!name.starts_with(kBefore)) return std::nullopt;
  name.remove_prefix(kBefore.size());
  if (name == "begin" || name == "0") return 0;
  if (name == "1") return 64;
  if (name == "end" || name == "cap") return kReservedShared;
  return std::nullopt;
}

std::vector<std::string_view> special_names() {
  std::vector<std::string_view> names;
  for (const Named& row : kSpecials) names.push_back(row.name);
  return names;
}

bool differs_by_thread(Special special) {
  switch (special) {
    case Special::TidX:
    case Special::TidY:
    case Special::TidZ:
    case Special::LaneId:
    case Special::WarpId:
    case Special::LanemaskEq:
    case Special::LanemaskLe:
    case Special::LanemaskLt:
    case Special::LanemaskGe:
    case Special::LanemaskGt: return true;
    default: return false;
  }
}

bool is_size_of_launch(Special special) {
  switch (special) {
    case Special::NtidX:
    case Special::NtidY:
    case Special::NtidZ:
    case Special::NctaidX:
    case Special::NctaidY:
    case Special::NctaidZ: return true;
    default: return false;
  }
}

}  // namespace heddle
