#include "experiment/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/table.h"
#include "run/runner.h"

namespace heddle {
namespace {

const ClaimResult* find_claim(const VariantResult& variant, const Claim& claim) {
  for (const ClaimResult& each : variant.claims)
    if (each.claim == &claim) return &each;
  return nullptr;
}

Swing swing_of(const ExperimentResult& result, const ClaimResult& claim, size_t part) {
  const double ours = *claim.parts[part].measured.figure;
  Swing swing{&claim, part, ours, ours, ours, "", "", {}};
  for (const VariantResult& variant : result.variants) {
    const ClaimResult* const other = find_claim(variant, *claim.claim);
    if (!other) continue;
    if (other->verdict != claim.verdict && other->verdict != Verdict::Unmeasured)
      swing.turned_by.push_back(fmt::format("{}: {}", variant.variant->name, name_of(other->verdict)));
    const std::optional<double>& figure = other->parts[part].measured.figure;
    if (figure && *figure < swing.least) {
      swing.least = *figure;
      swing.least_by = variant.variant->name;
    }
    if (figure && *figure > swing.most) {
      swing.most = *figure;
      swing.most_by = variant.variant->name;
    }
  }
  return swing;
}

std::string end_text(FigureUnit unit, double value, const std::string& by) {
  return by.empty() ? "as it is" : fmt::format("{} ({})", figure_text(unit, value), by);
}

}  // namespace

std::vector<Variant> plausible_variants(const Experiment& experiment) {
  std::set<std::string> presets;
  for (const auto& [name, run] : experiment.runs) presets.insert(run.preset);
  std::vector<Variant> variants;
  std::set<std::string> settings;
  for (const std::string& preset : presets) {
    const Config config = make_config(preset, {});
    for (const Plausible& each : config.plausible())
      for (const std::string& value : each.values) {
        const std::string setting = fmt::format("{}={}", each.key, value);
        if (value == config.text(each.key) || !settings.insert(setting).second) continue;
        Variant variant;
        variant.name = fmt::format("{} = {}", each.key, value);
        variant.settings = {setting};
        variants.push_back(std::move(variant));
      }
  }
  return variants;
}

std::vector<Swing> swings_of(const ExperimentResult& result) {
  std::vector<Swing> swings;
  for (const ClaimResult& claim : result.claims)
    for (size_t part = 0; part < claim.parts.size(); ++part)
      if (claim.parts[part].measured.figure) swings.push_back(swing_of(result, claim, part));
  return swings;
}

std::string sensitivity_table(const ExperimentResult& result) {
  Table table({{"claim", false}, {"", false}, {"ours", false}, {"least", false}, {"most", false}, {"verdict", false}});
  std::string turned;
  const ClaimResult* last = nullptr;
  for (const Swing& swing : swings_of(result)) {
    const ClaimResult& claim = *swing.claim;
    const Part& part = *claim.parts[swing.part].part;
    const bool first = &claim != last;
    table.add({first ? claim.claim->id : "", part.name, figure_text(part.unit, swing.ours),
               end_text(part.unit, swing.least, swing.least_by), end_text(part.unit, swing.most, swing.most_by),
               first ? std::string(name_of(claim.verdict)) : ""});
    if (first && !swing.turned_by.empty())
      turned += fmt::format("{}, which {}, would be otherwise with {}\n", claim.claim->id, name_of(claim.verdict),
                            fmt::join(swing.turned_by, ", "));
    last = &claim;
  }
  return fmt::format("{} (size {}): {} values as plausible as the preset's, one at a time\n{}{}",
                     result.experiment->title, result.size, result.variants.size(), table.text(),
                     turned.empty() ? "no verdict hangs on one of them\n" : turned);
}

}  // namespace heddle
