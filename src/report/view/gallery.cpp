#include "report/view/gallery.h"

#include <algorithm>
#include <span>
#include <sstream>

#include "base/embedded_text.h"
#include "base/error.h"
#include "divergence/registry.h"

namespace heddle {

std::span<const EmbeddedText> gallery_texts();  // generated: tools/embed_texts.cmake

namespace {

void read_setting(GalleryExample& example, const std::string& key, const std::string& value) {
  RunSpec& spec = example.spec;
  if (key == "title") {
    example.title = value;
  } else if (key == "block") {
    spec.launch.block = value;
  } else if (key == "set") {
    spec.settings.push_back(value);
  } else if (key == "arg") {
    spec.launch.arguments.push_back(value);
  } else if (key == "clock") {
    spec.timed = value == "yes";
  } else if (key == "beside") {
    std::istringstream words(value);
    for (std::string word; words >> word;) example.beside.push_back(word);
  } else {
    throw InternalError("an example of the gallery says '" + key + "'");
  }
}

GalleryExample read_example(const EmbeddedText& file) {
  GalleryExample example;
  const size_t slash = file.file.find('/'), dot = file.file.rfind('.');
  example.name = file.file.substr(slash + 1, dot - slash - 1);
  example.spec.kind = RunSpec::Kind::PtxFile;
  example.spec.program = file.file;
  example.spec.text = file.text;
  example.spec.timed = false;
  example.spec.launch.grid = "1";
  std::istringstream lines(example.spec.text);
  bool settings = true;
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    const std::string text = line.substr(std::min<size_t>(3, line.size()));
    if (text.empty()) {
      if (!settings) example.text += "\n\n";
      settings = false;
    } else if (settings) {
      const size_t colon = text.find(": ");
      read_setting(example, text.substr(0, colon), text.substr(colon + 2));
    } else {
      example.text += (example.text.empty() || example.text.ends_with('\n') ? "" : " ") + text;
    }
  }
  return example;
}

}  // namespace

std::vector<GalleryExample> gallery() {
  std::vector<GalleryExample> examples;
  for (const EmbeddedText& file : gallery_texts()) examples.push_back(read_example(file));
  std::sort(examples.begin(), examples.end(),
            [](const GalleryExample& a, const GalleryExample& b) { return a.name < b.name; });
  return examples;
}

std::vector<std::string> mechanisms_for(const GalleryExample& example) {
  std::vector<std::string> names = example.beside;
  for (const MechanismRow& row : mechanisms())
    if (!row.bound && std::find(names.begin(), names.end(), row.name) == names.end()) names.emplace_back(row.name);
  return names;
}

}  // namespace heddle
