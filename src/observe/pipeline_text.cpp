#include "observe/pipeline_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "divergence/host.h"
#include "program/disassembly.h"

namespace heddle {

PipelineText::PipelineText(std::FILE* to, Range cycles) : Timeline(to, cycles) { std::fputs("Kanata\t0004\n", to_); }

void PipelineText::advance_to(uint64_t cycle) {
  if (!began_)
    fmt::print(to_, "C=\t{}\n", cycle);
  else if (cycle > now_)
    fmt::print(to_, "C\t{}\n", cycle - now_);
  began_ = true;
  now_ = std::max(now_, cycle);
}

// Groups of one instruction are one row: a warp comes to no instruction twice without another between.
void PipelineText::begin(const Scene& scene, WarpId warp, Pc pc) {
  if (!range_.contains(scene.host.now.count())) return;
  std::vector<Row>& rows = under_way_[{scene.core, warp}];
  if (!rows.empty() && rows.back().pc == pc) return;
  advance_to(scene.host.now.count());
  Row row{next_id_++, pc, nullptr};
  const BlockId block = scene.host.warp(warp).block;
  fmt::print(to_, "I\t{}\t{}\t{}\n", row.id, pc, warp.value());
  fmt::print(to_, "L\t{}\t0\tcore {} warp {}: {}\n", row.id, scene.core, warp.value(),
             instruction_text(scene.kernel, pc));
  fmt::print(to_, "L\t{}\t1\t{}, block {}, pc {} {}\n", row.id, scene.kernel.name, scene.host.block(block).order, pc,
             source_place(scene.kernel, pc));
  enter(row, "Ex");
  rows.push_back(row);
}

void PipelineText::issued(const Scene& scene, const Issued& event) { begin(scene, event.warp, event.first); }
void PipelineText::synced(const Scene& scene, const Synced& event) { begin(scene, event.warp, event.pc); }

void PipelineText::enter(Row& row, const char* stage) {
  if (row.stage) fmt::print(to_, "E\t{}\t0\t{}\n", row.id, row.stage);
  fmt::print(to_, "S\t{}\t0\t{}\n", row.id, stage);
  row.stage = stage;
}

void PipelineText::end(const Row& row, bool flushed) {
  fmt::print(to_, "E\t{}\t0\t{}\nR\t{}\t{}\t{}\n", row.id, row.stage, row.id, retired_++, flushed ? 1 : 0);
}

void PipelineText::accessed(const Scene& scene, const Accessed& event) {
  for (Row& row : under_way_[{scene.core, event.warp}]) {
    if (row.pc != event.pc) continue;
    const char* const stage = event.misses > 0 ? "Mi" : "Hi";
    if (row.stage == stage || row.stage == std::string_view("Mi")) return;
    advance_to(scene.host.now.count());
    return enter(row, stage);
  }
}

void PipelineText::completed(const Scene& scene, const Completed& event) {
  std::vector<Row>& rows = under_way_[{scene.core, event.warp}];
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.pc == event.pc; });
  if (found == rows.end()) return;
  advance_to(scene.host.now.count());
  end(*found, false);
  rows.erase(found);
}

void PipelineText::flush() {
  for (auto& [where, rows] : under_way_)
    for (const Row& row : rows) end(row, true);
  under_way_.clear();
}

// After an error instructions may be left over.
void PipelineText::launch_ended(KernelStats& stats) {
  Timeline::launch_ended(stats);
  flush();
}

void PipelineText::finish() { flush(); }

}  // namespace heddle
