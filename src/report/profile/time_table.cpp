#include "report/profile/time_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/breakdown.h"
#include "report/kernel_names.h"
#include "report/table.h"

namespace heddle {
namespace {

constexpr size_t kWidestSource = 60;

std::string mean(uint64_t sum, uint64_t count) { return count == 0 ? "" : fmt::format("{:.1f}", share(sum, count)); }

std::string main_cause(const PcTiming& waits) {
  const auto most = std::max_element(waits.waited.begin(), waits.waited.end());
  return *most == 0 ? "" : std::string(name_of(static_cast<IdleCause>(most - waits.waited.begin())));
}

std::string stride_text(const AccessCounts& access) {
  if (access.pairs == 0) return "";
  return share(access.strided, access.pairs) < kLimits.stride ? "none" : fmt::format("{} B", std::abs(access.stride));
}

std::vector<std::string> time_cells(const std::string& place, const Time& time, uint64_t all) {
  const AccessCounts& access = time.waits.access;
  return {place,
          grouped(time.cycles()),
          percent(share(time.cycles(), all)),
          grouped(time.issued),
          grouped(time.waits.all_waited()),
          main_cause(time.waits),
          mean(access.lines, access.groups),
          mean(access.sectors, access.groups),
          stride_text(access),
          access.groups == 0 ? "" : percent(share(access.hits, access.lines)),
          mean(access.bank_passes, access.shared_groups)};
}

std::vector<std::string> cycle_cells(const std::string& what, uint64_t cycles, uint64_t all) {
  return {what, grouped(cycles), percent(share(cycles, all))};
}

}  // namespace

std::string place_text(const std::string& file, uint32_t line) {
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
}

std::string short_text(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  std::string rest = text.substr(begin);
  std::replace(rest.begin(), rest.end(), '\t', ' ');
  return rest.size() <= kWidestSource ? rest : rest.substr(0, kWidestSource) + "…";
}

std::string time_table(const Profile& profile, size_t rows) {
  Table table({{"line", false},
               {"cycles"},
               {"share"},
               {"issue"},
               {"wait"},
               {"mostly for", false},
               {"lines/access"},
               {"sectors"},
               {"apart"},
               {"L1 hits"},
               {"passes"},
               {"source", false}});
  std::vector<const ProfileLine*> lines;
  for (const ProfileLine& line : profile.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto* a, const auto* b) { return a->time.cycles() > b->time.cycles(); });
  const uint64_t all = profile.use.cycles;
  for (size_t i = 0; i < std::min(rows, lines.size()); ++i) {
    std::vector<std::string> cells = time_cells(place_text(lines[i]->file, lines[i]->line), lines[i]->time, all);
    cells.push_back(short_text(lines[i]->text));
    table.add(std::move(cells));
  }
  Time rest;
  for (size_t i = rows; i < lines.size(); ++i) rest.add(lines[i]->time);
  if (rows < lines.size()) {
    rest.waits.access = {};
    table.add(time_cells(fmt::format("{} more lines", lines.size() - rows), rest, all));
  }
  const uint64_t no_block = profile.nobodys[static_cast<size_t>(IdleCause::NoWarp)];
  const uint64_t charged = profile.time.cycles() + no_block;
  if (no_block > 0) table.add(cycle_cells("no block", no_block, all));
  if (charged < all) table.add(cycle_cells("no line", all - charged, all));
  table.rule();
  table.add(cycle_cells("all cores", all, all));
  return table.text();
}

std::string kernel_table(const RunResult& result, const Profile& profile) {
  const KernelNames names(result.launches);
  Table table({{"kernel", false}, {"launches"}, {profile.use.timed ? "cycles" : ""}, {"slots"}, {"why", false}});
  for (const ProfileKernel& kernel : profile.kernels)
    table.add({names.of(kernel.kernel), std::to_string(kernel.launches),
               profile.use.timed ? grouped(kernel.cycles) : "", grouped(kernel.cost.slots), kernel.answer.sentence});
  return table.text();
}

}  // namespace heddle
