#include "observe/trace_writer.h"

#include <fmt/format.h>

namespace heddle {

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

TraceWriter::TraceWriter(std::FILE* to) : to_(to) {
  fmt::print(
      to_,
      "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"made by\":\"heddle\",\"time\":\"a microsecond is a cycle of "
      "the core clock\"}},\n\"traceEvents\":[");
}

void TraceWriter::begin_event() {
  std::fputs(first_ ? "\n" : ",\n", to_);
  first_ = false;
}

// Tracks are shown in the order of their numbers.
void TraceWriter::name(Track track, std::string_view process, std::string_view thread) {
  const auto tell = [&](const char* what, unsigned of, const std::string& value) {
    begin_event();
    fmt::print(to_, R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, track.process, of, value);
  };
  if (processes_.insert(track.process).second) {
    tell("process_name", 0, fmt::format("\"name\":{}", json_text(process)));
    tell("process_sort_index", 0, fmt::format("\"sort_index\":{}", track.process));
  }
  if (!named_.insert(track).second) return;
  tell("thread_name", track.thread, fmt::format("\"name\":{}", json_text(thread)));
  tell("thread_sort_index", track.thread, fmt::format("\"sort_index\":{}", track.thread));
}

void TraceWriter::slice(Track track, std::string_view name, uint64_t from, uint64_t cycles,
                        std::string_view arguments) {
  begin_event();
  fmt::print(to_, R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", json_text(name),
             track.process, track.thread, from, cycles, arguments);
}

void TraceWriter::counter(unsigned process, std::string_view name, uint64_t at, std::string_view values) {
  begin_event();
  fmt::print(to_, R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":{},"args":{{{}}}}})", json_text(name), process, at,
             values);
}

void TraceWriter::finish() { std::fputs("\n]}\n", to_); }

}  // namespace heddle
