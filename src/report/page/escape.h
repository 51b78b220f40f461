// Text that others wrote, inside HTML.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// For text and for attributes in quotes.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

// JSON inside a script element: nothing in it may end the element.
inline std::string in_script(std::string_view json) {
  std::string result;
  for (char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

}  // namespace heddle
