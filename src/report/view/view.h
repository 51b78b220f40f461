// The viewer: recordings of runs, put into the page that plays them (web/src/view).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/recording.h"
#include "run/run_result.h"

namespace heddle {

struct Shown {
  RunResult result;
  Recording recording;
};

// Something that was run under several mechanisms.
struct ViewExample {
  std::string name, title;
  std::string text;     // paragraphs about it, with an empty line between them; may be empty
  std::string program;  // where its sources are looked for (source_text.h)
  std::vector<Shown> runs;
};

// "heddle-view-1" (docs/json.md). `command` is what makes it again.
nlohmann::ordered_json view_json(const std::vector<ViewExample>& examples, const std::string& command);
std::string view_html(const nlohmann::ordered_json& view);

}  // namespace heddle
