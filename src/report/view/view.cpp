#include "report/view/view.h"

#include <algorithm>

#include "divergence/registry.h"
#include "report/comparison.h"
#include "report/page/filled_page.h"
#include "report/view/recording_json.h"
#include "run/command.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json shown_json(const Shown& run, KernelList& kernels) {
  Json json{{"mechanism", run.result.spec.mechanism},
            {"command", command_of(run.result.spec)},
            {"outcome", outcome_of(run.result)},
            {"error", run.result.failure ? Json(run.result.failure->message) : Json()}};
  // For so long a slot takes the issue port.
  const auto width = static_cast<unsigned>(run.result.config.integer("simd_width"));
  json["issue_cycles"] = run.recording.timed && width > 0 ? std::max(1U, run.result.warp_size() / width) : 1U;
  json.update(recording_json(run.recording, kernels));
  return json;
}

Json example_json(const ViewExample& example) {
  KernelList kernels(example.program);
  Json recordings = Json::array();
  for (const Shown& run : example.runs) recordings.push_back(shown_json(run, kernels));
  return {{"name", example.name},         {"title", example.title},       {"text", example.text},
          {"kernels", kernels.kernels()}, {"sources", kernels.sources()}, {"recordings", std::move(recordings)}};
}

}  // namespace

Json view_json(const std::vector<ViewExample>& examples, const std::string& command) {
  Json json{{"schema", "heddle-view-1"}, {"command", command}};
  json["mechanisms"] = Json::array();
  for (const MechanismRow& row : mechanisms())
    json["mechanisms"].push_back({{"name", row.name}, {"summary", row.summary}});
  json["examples"] = Json::array();
  for (const ViewExample& example : examples) json["examples"].push_back(example_json(example));
  return json;
}

std::string view_html(const Json& view) { return filled_page("view.html", view); }

}  // namespace heddle
