// The pages of web/, built into the program, with their data inside.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace heddle {

// On one line; bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);
// `page`: "page.html", "view.html".
std::string filled_page(std::string_view page, const nlohmann::ordered_json& data);

}  // namespace heddle
