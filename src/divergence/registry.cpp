#include "divergence/registry.h"

#include "base/nearest.h"
#include "divergence/pdom_stack.h"

namespace heddle {
namespace {

template <class M>
std::unique_ptr<Mechanism> make(Host& host, const Config&) {
  return std::make_unique<M>(host);
}

constexpr MechanismRow kMechanisms[] = {
    {"pdom", "a stack per warp, reconvergence at immediate post-dominators (the baseline)", {}, &make<PdomStack>},
};

}  // namespace

std::span<const MechanismRow> mechanisms() { return kMechanisms; }

const MechanismRow& mechanism_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : kMechanisms) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage, "no mechanism '" + std::string(name) + "'" + did_you_mean(name, names) + " (" + joined(names) + ")");
}

}  // namespace heddle
