#include "experiment/variant_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "experiment/toml_reader.h"
#include "run/identity.h"
#include "run/runner.h"

namespace heddle {
namespace {

std::map<std::string, std::string> read_instead(TomlReader& reader) {
  std::map<std::string, std::string> result;
  const toml::table* table = reader.table("instead");
  if (!table) return result;
  for (const auto& [key, node] : *table) {
    const std::string workload(key.str());
    const std::vector<std::string> other = reader.texts_of(node, workload);
    if (other.size() != 1) throw Error(ExitCode::Usage, fmt::format("{}: one workload", reader.place_of(node)));
    workloads::find(workload);
    workloads::find(other[0]);
    result[workload] = other[0];
  }
  return result;
}

void check_claims(const Variant& variant, const Experiment& of) {
  std::vector<std::string_view> ids;
  for (const Claim& claim : of.claims) ids.push_back(claim.id);
  for (const std::string& id : variant.claims)
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      throw Error(ExitCode::Usage, fmt::format("there is no claim '{}'{}", id, did_you_mean(id, ids)));
}

// The claim on these workloads alone: parts that have none of them are gone, and orders that name such a part.
Claim narrowed(Claim claim, const std::vector<std::string>& on) {
  const auto others = [&](const std::string& each) { return std::find(on.begin(), on.end(), each) == on.end(); };
  for (Part& part : claim.parts) std::erase_if(part.on, others);
  std::erase_if(claim.parts, [](const Part& part) { return part.on.empty(); });
  const auto gone = [&](const std::string& name) {
    return std::none_of(claim.parts.begin(), claim.parts.end(), [&](const Part& part) { return part.name == name; });
  };
  std::erase_if(claim.orders,
                [&](const std::vector<std::string>& order) { return std::any_of(order.begin(), order.end(), gone); });
  return claim;
}

void narrow(Variant& variant, const Experiment& of) {
  if (variant.on.empty()) return;
  for (const std::string& workload : variant.on) workloads::find(workload);
  if (variant.column()) throw Error(ExitCode::Usage, "on: only of a variant that names its claims");
  for (const Claim& claim : of.claims) {
    if (!variant.about(claim.id)) continue;
    variant.narrowed.push_back(std::make_shared<Claim>(narrowed(claim, variant.on)));
    if (variant.narrowed.back()->parts.empty())
      throw Error(ExitCode::Usage, fmt::format("on: claim '{}' has none of these workloads", claim.id));
  }
}

// Names and values, and that a setting counts in some run.
void check_runs(const Variant& variant, const Experiment& of) {
  std::vector<RunParts> parts;
  std::optional<RunSpec> last;
  for (const auto& [name, run] : of.runs) {
    RunSpec spec = of.spec(name, std::string(workloads::all().front().name), true, &variant);
    identity_of(spec);
    parts.push_back(parts_of(spec));
    last = std::move(spec);
  }
  if (last && !variant.settings.empty()) check_read(variant.settings, config_of(*last), parts);
}

Variant read_variant(const std::string& name, const toml::table& table, const Experiment& of, const std::string& file) {
  TomlReader reader(table, file);
  Variant variant;
  variant.name = name;
  variant.compiler = reader.text("compiler").value_or("");
  variant.preset = reader.text("preset").value_or("");
  variant.settings = reader.texts("set");
  variant.claims = reader.texts("claims");
  variant.on = reader.texts("on");
  try {
    variant.instead = read_instead(reader);
    check_claims(variant, of);
    narrow(variant, of);
    check_runs(variant, of);
  } catch (const Error& error) {
    throw Error(ExitCode::Usage, fmt::format("{}: {}", reader.place(), error.what()));
  }
  reader.finish();
  return variant;
}

}  // namespace

std::vector<Variant> read_variants(const toml::table& table, const Experiment& of, const std::string& file) {
  std::vector<std::pair<toml::source_index, Variant>> rows;  // a table is sorted by name, the file is not
  for (const auto& [key, node] : table) {
    const TomlReader reader(table, file);
    if (!node.is_table())
      throw Error(ExitCode::Usage, fmt::format("{}: a variant is a [variants.NAME]", reader.place_of(node)));
    rows.emplace_back(key.source().begin.line, read_variant(std::string(key.str()), *node.as_table(), of, file));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> result;
  for (auto& [line, variant] : rows) result.push_back(std::move(variant));
  return result;
}

}  // namespace heddle
