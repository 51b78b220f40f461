#include "report/page/filled_page.h"

#include <span>

#include "base/embedded_text.h"
#include "base/error.h"

namespace heddle {

std::span<const EmbeddedText> page_templates();  // generated: tools/embed_texts.cmake

namespace {

constexpr std::string_view kPlace = "@DATA@";  // in web/page.html, before anything else that could hold it

// Nothing in JSON may end the script element it stands in.
std::string in_script(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string filled_page(std::string_view page, const nlohmann::ordered_json& data) {
  for (const EmbeddedText& text : page_templates()) {
    if (text.file != page) continue;
    std::string html(text.text);
    return html.replace(html.find(kPlace), kPlace.size(), in_script(json_text(data)));
  }
  throw InternalError("a page that was not built in");
}

}  // namespace heddle
