// The instruments a run may ask for, one row each. Options, the command again, the JSON of a run and experiments go by
// the rows: who adds an instrument writes an observer and a row.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/config.h"
#include "divergence/observer.h"

namespace heddle {

// What an instrument is made for.
struct Watched {
  std::string_view mechanism;
  const Config& config;
  uint64_t number = 0;  // what was asked for, of one that takes a number
};

struct InstrumentRow {
  std::string_view name;                        // --name, and in JSON
  std::string_view help = "";                   // of the option; empty: a verb of its own asks for it
  bool everywhere = false;                      // an option of all verbs that run something, and of experiments
  bool takes_number = false;                    // --name N
  bool timed = false;                           // needs a clock
  bool follows_values = false;                  // needs to know what depends on data
  Observers (*make)(const Watched&) = nullptr;  // none where the mechanism has nothing of the kind
};
std::span<const InstrumentRow> instrument_rows();
const InstrumentRow& instrument_named(std::string_view name);

// Those of one run.
class Instruments {
 public:
  Instruments() = default;
  Instruments(std::initializer_list<std::string_view> names) {
    for (std::string_view name : names) add(name);
  }
  void add(std::string_view name, uint64_t number = 1) { asked_[std::string(instrument_named(name).name)] = number; }
  bool empty() const { return asked_.empty(); }
  bool has(std::string_view name) const { return asked_.contains(name); }
  uint64_t number(std::string_view name) const;  // 0: not asked for
  bool follow_values() const;
  // Behind those that every run has: branch records and likely merges.
  Observers observers(std::string_view mechanism, const Config& config) const;

 private:
  std::map<std::string, uint64_t, std::less<>> asked_;
};

}  // namespace heddle
