// Statistics that nobody measured, to compute figures from by hand.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "experiment/measure.h"

namespace heddle {

class MadeUp {
 public:
  void add(const std::string& run, const std::string& workload, nlohmann::ordered_json total, int exit_code = 0) {
    records_[{run, workload}] = Record{exit_code, "", 0, std::move(total)};
  }
  void ipc(const std::string& run, const std::string& workload, double value) { add(run, workload, {{"ipc", value}}); }
  Records records() const {
    return [this](const std::string& run, const std::string& workload) -> const Record* {
      const auto found = records_.find({run, workload});
      return found == records_.end() ? nullptr : &found->second;
    };
  }

 private:
  std::map<std::pair<std::string, std::string>, Record> records_;
};

inline Part ipc_part(std::vector<std::string> workloads) {
  Part part;
  part.name = "part";
  part.value = {{"ipc"}, {}, {}};
  part.of = {"new"};
  part.over = {"old"};
  part.on = std::move(workloads);
  part.unit = FigureUnit::Change;
  return part;
}

}  // namespace heddle
