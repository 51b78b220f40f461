// Values that many share, each once in a list: whoever refers to one says its place.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/page/filled_page.h"

namespace heddle {

class DistinctJson {
 public:
  using Json = nlohmann::ordered_json;
  size_t place_of(const Json& value) {
    const auto [entry, fresh] = places_.try_emplace(json_text(value), list.size());
    if (fresh) list.push_back(value);
    return entry->second;
  }
  Json list = Json::array();

 private:
  std::map<std::string, size_t> places_;
};

}  // namespace heddle
