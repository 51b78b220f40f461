// Results that have been measured, a file per run in one folder, named by the run's key.
//
// A file is written under a name of its own and then renamed, so that it is there whole or not at all, whenever the
// process is killed. Several processes may use one folder. A file that cannot be read, or holds another identity,
// counts as not there. Runs that were interrupted, ended in a bug of heddle, or for want of something of this machine,
// are not kept; those that ended in a wrong result, a refusal, a fault or a deadlock are: they would end so again.
#pragma once

#include <filesystem>
#include <optional>

#include "run/identity.h"
#include "run/run_result.h"

namespace heddle {

// What is kept of a run.
struct Record {
  int exit_code = 0;
  std::string error;             // or the detail of a failed check
  double seconds = 0;            // of the host
  nlohmann::ordered_json total;  // as in the JSON of `heddle run`, without the lists per branch and per core

  bool passed() const { return exit_code == 0; }
};

// "heddle-result-1": a record with who it is of, and the words that ask for it.
nlohmann::ordered_json result_json(const RunSpec& spec, const RunIdentity& identity, const Record& record);

bool worth_keeping(const Record& record);

class Store {
 public:
  explicit Store(std::filesystem::path folder);  // made if it is not there; Error (Usage) if that fails

  std::optional<Record> find(const RunIdentity& identity) const;
  // Error (Usage) if it cannot be written.
  void keep(const RunSpec& spec, const RunIdentity& identity, const Record& record) const;

 private:
  std::filesystem::path file_of(const RunIdentity& identity) const;
  void remove_leftovers() const;

  std::filesystem::path folder_;
};

}  // namespace heddle
