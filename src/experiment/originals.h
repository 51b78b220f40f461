// The programs that the papers ran, as tools/measure-originals has measured them: referees of our own workloads.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle {

// One program as one compiler wrote it.
struct Original {
  std::string program, workload, input, compiler;
  double instructions = 0, simd_efficiency = 0;  // under pdom, on the first machine of the file
  unsigned deepest = 0;
  std::map<std::string, double> over_pdom;  // by column
};

struct Originals {
  std::vector<std::string> columns;  // "tbc, tbc-hpca11": a mechanism on a machine
  std::vector<Original> rows;        // as in the file
  nlohmann::ordered_json json;       // the file's rows
};

// Error (Usage) if the file is not one of these. Rows of programs that did not run are left out.
Originals read_originals(const std::string& path);

std::string originals_table(const Originals& originals);    // for the terminal
std::string originals_section(const Originals& originals);  // of the page

}  // namespace heddle
