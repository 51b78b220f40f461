// The trace-event format: a JSON object with `traceEvents`, of which we write complete slices (X), counters (C) and the
// names of processes and threads (M). A process is a core or the GPU, a thread is a track of it; both are named when
// they are first used. Slices of one track must come in the order of time, and may not overlap. A microsecond is a
// cycle.
#pragma once

#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>

namespace heddle {

struct Track {
  unsigned process = 0, thread = 0;
  bool operator<(const Track& other) const {
    return process != other.process ? process < other.process : thread < other.thread;
  }
};

class TraceWriter {
 public:
  explicit TraceWriter(std::FILE* to);

  // Names are given as they are; `arguments` is the inside of a JSON object, or empty.
  bool is_named(Track track) const { return named_.contains(track); }
  void name(Track track, std::string_view process, std::string_view thread);
  void slice(Track track, std::string_view name, uint64_t from, uint64_t cycles, std::string_view arguments = "");
  void counter(unsigned process, std::string_view name, uint64_t at, std::string_view values);
  void finish();

 private:
  void begin_event();

  std::FILE* to_;
  std::set<Track> named_;
  std::set<unsigned> processes_;
  bool first_ = true;
};

std::string json_text(std::string_view text);  // in quotes

}  // namespace heddle
