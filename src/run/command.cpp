#include "run/command.h"

#include <fmt/format.h>

#include "run/runner.h"

namespace heddle {
namespace {

// As a shell takes it.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

class Words {
 public:
  explicit Words(std::string text) : text_(std::move(text)) {}

  Words& word(const std::string& text) {
    text_ += (text_.empty() ? "" : " ") + quoted(text);
    return *this;
  }
  Words& option(const char* name, const std::string& value) { return word(name).word(value); }
  Words& unless(const std::string& usual, const char* name, const std::string& value) {
    return value == usual ? *this : option(name, value);
  }
  Words& flag(bool given, const char* name) { return given ? word(name) : *this; }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void add_size(Words& words, const RunSpec& spec) {
  if (spec.kind != RunSpec::Kind::Workload) return;
  words.option("--size", spec.size).unless(RunSpec().compiler, "--compiler", spec.compiler);
}

void add_launch(Words& words, const RunSpec& spec) {
  words.unless("", "--kernel", spec.kernel);
  if (spec.kind != RunSpec::Kind::PtxFile) return;
  words.unless("", "--grid", spec.launch.grid).unless("", "--block", spec.launch.block);
  if (spec.launch.shared > 0) words.option("--shared", fmt::to_string(spec.launch.shared));
  for (const std::string& argument : spec.launch.arguments) words.option("--arg", argument);
  words.flag(spec.launch.cooperative, "--cooperative");
}

void add_machine(Words& words, const RunSpec& spec, const std::vector<std::string>& settings) {
  const RunSpec usual;
  words.option("--preset", spec.preset);
  for (const std::string& setting : settings) words.option("--set", setting);
  words.unless(usual.lanes, "--lanes", spec.lanes).unless("", "--schedule", spec.schedule);
  if (spec.sample_launches > 0) words.word(fmt::format("--sample-launches={}", spec.sample_launches));
  words.flag(!spec.timed, "--emulate");  // --no-skip changes nothing but the time it takes
}

void add_watched(Words& words, const RunSpec& spec) {
  for (const InstrumentRow& row : instrument_rows()) {
    if (!spec.instruments.has(row.name) || row.help.empty()) continue;
    words.word(fmt::format("--{}", row.name));
    if (row.takes_number) words.word(fmt::to_string(spec.instruments.number(row.name)));
  }
}

void add_program(Words& words, const RunSpec& spec) {
  words.word("--").word(spec.program);
  for (const std::string& argument : spec.arguments) words.word(argument);
}

std::string_view verb_of(const RunSpec& spec) {
  if (spec.kind == RunSpec::Kind::CudaProgram && !spec.program.ends_with(".cu")) return "exec";
  return spec.instruments.has("profile") ? "profile" : "run";
}

std::string words_of(std::string_view verb, const RunSpec& spec, const std::string& mechanism,
                     const std::vector<std::string>& settings, const std::vector<std::string>& more) {
  const bool is_program = spec.kind == RunSpec::Kind::CudaProgram;
  Words words(fmt::format("heddle {}", verb));
  if (!is_program) words.word(spec.program);
  add_launch(words, spec);
  add_size(words, spec);
  words.option("--mechanism", mechanism);
  add_machine(words, spec, settings);
  add_watched(words, spec);
  if (!spec.checks.empty()) words.option("--check", spec.checks.text());
  words.flag(spec.strict, "--strict");
  words.flag(verb_of(spec) == "exec" && spec.instruments.has("profile"), "--profile");
  for (const std::string& word : more) words.word(word);
  if (is_program) add_program(words, spec);
  return std::move(words).text();
}

}  // namespace

std::string command_of(const RunSpec& spec, const std::vector<std::string>& more) {
  return words_of(verb_of(spec), spec, spec.mechanism, settings_read(spec), more);
}

std::string view_command(const RunSpec& spec, const std::vector<std::string>& mechanisms,
                         const std::vector<std::string>& more) {
  return words_of("view", spec, fmt::format("{}", fmt::join(mechanisms, ",")), spec.settings, more);
}

std::string command_of(const RunSpec& spec, const std::vector<std::string>& workloads,
                       const std::vector<std::string>& mechanisms) {
  Words words("heddle compare");
  for (const std::string& workload : workloads) words.word(workload);
  words.option("--mechanisms", fmt::format("{}", fmt::join(mechanisms, ",")));
  add_size(words, spec);
  add_machine(words, spec, spec.settings);
  add_watched(words, spec);
  return std::move(words).text();
}

std::string sweep_command(const RunSpec& spec, const std::vector<std::string>& workloads,
                          const std::vector<std::string>& axes) {
  const bool is_program = spec.kind == RunSpec::Kind::CudaProgram;
  Words words("heddle sweep");
  words.flag(is_program, "--exec");
  if (!is_program)
    for (const std::string& workload : workloads) words.word(workload);
  for (const std::string& axis : axes) words.option("--vary", axis);
  add_size(words, spec);
  add_machine(words, spec, spec.settings);
  add_watched(words, spec);
  if (is_program) add_program(words, spec);
  return std::move(words).text();
}

std::string validate_command(const RunSpec& spec, const std::vector<std::string>& names,
                             const std::vector<std::string>& more) {
  Words words("heddle validate");
  for (const std::string& name : names) words.word(name);
  for (const std::string& word : more) words.word(word);
  add_size(words, spec);
  words.option("--mechanism", spec.mechanism);
  add_machine(words, spec, spec.settings);
  return std::move(words).text();
}

std::string title_of(const RunSpec& spec) {
  return spec.kind == RunSpec::Kind::Workload ? fmt::format("{} ({})", spec.program, spec.size) : spec.program;
}

std::string launch_words(const RunSpec& spec) {
  if (spec.kind != RunSpec::Kind::PtxFile) return "";
  Words words("");
  add_launch(words, spec);
  return std::move(words).text();
}

}  // namespace heddle
