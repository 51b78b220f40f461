// The kernels of recordings with their text: code by PC, and the lines of the source it was made from.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/kernel.h"
#include "report/profile/source_text.h"

namespace heddle {

class KernelList {
 public:
  // `program`: where to look for sources (source_text.h).
  explicit KernelList(const std::string& program) : texts_(program) {}

  // Its place in the list; it is added if it is new. Kernels of the same name and text are the same.
  size_t place_of(const Kernel& kernel);
  nlohmann::ordered_json kernels() const { return kernels_; }
  nlohmann::ordered_json sources() const { return sources_; }

 private:
  nlohmann::ordered_json kernel_json(const Kernel& kernel);
  // [source, line] of an instruction; [-1, 0] where nobody knows.
  std::pair<int, uint32_t> line_of(const Kernel& kernel, Pc pc);
  int source_place(const std::string& file);

  SourceTexts texts_;
  std::map<std::pair<std::string, std::string>, size_t> places_;  // by name and text
  std::map<std::string, int> source_places_;
  nlohmann::ordered_json kernels_ = nlohmann::ordered_json::array(), sources_ = nlohmann::ordered_json::array();
};

}  // namespace heddle
