// How far many runs have come, for a person who waits: how many are done, which are under way, and how long the rest
// will take. A run takes as long as others of its kind did, or as the mean of all.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace heddle {

// "12 s", "3 min", "1.5 h"
std::string duration_text(double seconds);

class RunsUnderWay {
 public:
  // So many are done before anything is run, on so many threads; then expect() each of the others.
  void start(size_t done, unsigned jobs);
  void expect(const std::string& kind);
  void took(const std::string& kind, double seconds);  // a run of it did, before
  // From any thread, in this order.
  void begins(size_t run, std::string name, const std::string& kind);
  void ends(size_t run, bool counts);

  std::string text() const;

 private:
  using Moment = std::chrono::steady_clock::time_point;
  struct Running {
    std::string name, kind;
    Moment since;
  };
  double usual(const std::string& kind) const;
  double seconds_left() const;  // negative: nobody knows

  mutable std::mutex mutex_;
  size_t done_ = 0, all_ = 0;
  unsigned jobs_ = 1;
  std::map<std::string, unsigned> waiting_;                   // by kind
  std::map<std::string, std::pair<double, unsigned>> spent_;  // seconds and runs, by kind
  std::map<size_t, Running> running_;
};

}  // namespace heddle
