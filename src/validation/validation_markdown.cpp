// The results part of docs/validation.md. Nothing in it depends on the host or the date.
#include <fmt/format.h>

#include "report/markdown.h"
#include "validation/validation_text.h"

namespace heddle {
namespace {

std::string micro_rows(const std::vector<ValidatedMicro>& rows) {
  std::string text = markdown_head({"microbenchmark", "hardware", "heddle", "error", "unit"});
  for (const ValidatedMicro& row : rows) {
    const bool failed = !row.failure.empty();
    text += markdown_row({row.name, fmt::format("{:.4g}", row.value.hardware),
                          failed ? "" : fmt::format("{:.4g}", row.value.simulated),
                          failed ? row.failure : error_text(row.value), row.unit});
  }
  return text;
}

std::string kernel_rows(const std::vector<ValidatedKernel>& rows) {
  std::vector<std::string> headings{"workload", "kernel", "launches", "hardware", "heddle"};
  for (const Measure& measure : shown_measures()) headings.emplace_back(measure.heading);
  headings.emplace_back("cores");
  std::string text = markdown_head(headings);
  for (const ValidatedKernel& row : rows) {
    const Beside* cycles = row.find("cycles");
    if (!cycles || !row.failure.empty()) {
      text += markdown_row({row.workload, row.kernel, "", "", "", row.failure});
      continue;
    }
    std::vector<std::string> cells{row.workload, row.kernel, fmt::to_string(row.launches),
                                   fmt::format("{:.0f}", cycles->hardware), fmt::format("{:.0f}", cycles->simulated)};
    for (const Measure& measure : shown_measures()) cells.push_back(error_cell(row, measure.name));
    cells.push_back(spent_text(row.spent));
    text += markdown_row(cells);
  }
  return text;
}

std::string agreement_rows(const Validation& validation) {
  std::string text = markdown_head({"what", "count", "mean absolute error", "Spearman", "the worst off by"});
  for (const auto& [name, what, agreement] : agreements_of(validation))
    text += markdown_row({what, fmt::to_string(agreement.count), fmt::format("{:.1f} %", 100 * agreement.mean_error),
                          fmt::format("{:.3f}", agreement.spearman), fmt::format("{:.2f} x", agreement.times_off)});
  return text;
}

std::string unfolding(std::string_view title, const std::string& rows) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, rows);
}

}  // namespace

std::string validation_markdown(const Validation& validation, const std::string& command) {
  std::string text = fmt::format("Written by `{}`, beside {} at {} MHz.\n", command, validation.hardware.device,
                                 validation.hardware.core_clock);
  if (!validation.kernels.empty())
    text += "\n" + agreement_rows(validation) + unfolding("Kernel by kernel", kernel_rows(validation.kernels));
  if (!validation.micro.empty())
    text += fmt::format("\nMicrobenchmarks: {}.\n", near_sentence(validation.micro)) +
            unfolding("Microbenchmark by microbenchmark", micro_rows(validation.micro));
  return text;
}

}  // namespace heddle
