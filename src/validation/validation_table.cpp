#include <fmt/format.h>

#include "report/table.h"
#include "validation/validation_text.h"

namespace heddle {
namespace {

std::string micro_table(const std::vector<ValidatedMicro>& rows) {
  Table table({{"microbenchmark", false}, {"hardware"}, {"heddle"}, {"error"}, {"unit", false}});
  for (const ValidatedMicro& row : rows) {
    const bool failed = !row.failure.empty();
    table.add({row.name, fmt::format("{:.4g}", row.value.hardware),
               failed ? "-" : fmt::format("{:.4g}", row.value.simulated), failed ? row.failure : error_text(row.value),
               row.unit});
  }
  return table.text();
}

std::string kernel_table(const std::vector<ValidatedKernel>& rows) {
  std::vector<Table::Column> columns{{"workload", false}, {"kernel", false}, {"launches"}, {"hardware"}, {"heddle"}};
  for (const Measure& measure : shown_measures()) columns.push_back({std::string(measure.heading)});
  columns.push_back({"cores", false});
  Table table(columns);
  for (const ValidatedKernel& row : rows) {
    const Beside* cycles = row.find("cycles");
    if (!cycles || !row.failure.empty()) {
      table.add({row.workload, row.kernel, "", "", "", row.failure});
      continue;
    }
    std::vector<std::string> cells{row.workload, row.kernel, grouped(row.launches),
                                   fmt::format("{:.0f}", cycles->hardware), fmt::format("{:.0f}", cycles->simulated)};
    for (const Measure& measure : shown_measures()) cells.push_back(error_cell(row, measure.name));
    cells.push_back(spent_text(row.spent));
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::string validation_table(const Validation& validation) {
  std::string text;
  if (!validation.micro.empty()) text += micro_table(validation.micro) + near_sentence(validation.micro) + "\n\n";
  if (validation.kernels.empty()) return text;
  text += kernel_table(validation.kernels) + "\n";
  for (const Agreeing& each : agreements_of(validation))
    text += fmt::format("{}: {}\n", each.what, sentence_of(each.agreement));
  return text;
}

}  // namespace heddle
