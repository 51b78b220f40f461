#include "report/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

using check::Finding;
using Json = nlohmann::ordered_json;

std::string times(uint64_t count) { return count == 1 ? "" : fmt::format(", {} times", count); }

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("{}: {}{}\n", check::name_of(check::check_of(finding.kind)),
                                 check::title_of(finding.kind), times(finding.count));
  if (!finding.kernel.empty()) text += fmt::format("  in kernel {}\n", finding.kernel);
  if (!finding.what.empty()) text += fmt::format("  {}\n", finding.what);
  for (const Finding::Access& access : finding.accesses)
    text += fmt::format("  {}: {}\n    at {}: {}\n", access.what, access.thread, access.where, access.text);
  return text;
}

std::string summary(const RunResult& result) {
  const uint64_t all = result.findings.size(), harmful = check::harmful(result.findings);
  const std::string names = fmt::format("{}", fmt::join(result.spec.checks.names(), ", "));
  if (all == 0) return fmt::format("checked ({}): nothing found\n", names);
  return fmt::format("checked ({}): {} found{}\n", names, all,
                     harmful < all ? fmt::format(", {} of them harmless", all - harmful) : "");
}

Json finding_json(const Finding& finding) {
  Json json{{"check", check::name_of(check::check_of(finding.kind))},
            {"kind", check::name_of(finding.kind)},
            {"title", check::title_of(finding.kind)},
            {"harmless", finding.harmless()},
            {"kernel", finding.kernel.empty() ? Json() : Json(finding.kernel)},
            {"what", finding.what},
            {"count", finding.count},
            {"accesses", Json::array()}};
  for (const Finding::Access& access : finding.accesses)
    json["accesses"].push_back(
        {{"what", access.what}, {"thread", access.thread}, {"where", access.where}, {"text", access.text}});
  return json;
}

}  // namespace

std::string check_text(const RunResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) text += finding_text(finding) + '\n';
  return text + summary(result);
}

Json check_json(const RunResult& result) {
  Json json{{"asked", result.spec.checks.names()}, {"findings", Json::array()}};
  for (const Finding& finding : result.findings) json["findings"].push_back(finding_json(finding));
  return json;
}

}  // namespace heddle
