#include "divergence/state.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string text_of(const StateField& field) {
  const StateValue& value = field.value;
  const std::string name = std::string(field.name) + " ";
  switch (value.kind) {
    case StateValue::Kind::Number: return name + std::to_string(value.number);
    case StateValue::Kind::Code: return name + (value.number == kNoPc ? "-" : std::to_string(value.number));
    case StateValue::Kind::Threads: return name + heddle::text_of(value.threads);
    case StateValue::Kind::Text: break;
  }
  return name + value.text;
}

}  // namespace

ThreadSet lanes_of_warp(unsigned width, LaneMask row) {
  const unsigned first = row.empty() ? 0 : row.lowest() / width * width;
  return {width, {row.bits() >> first}};
}

ThreadSet threads_of_block(unsigned width, unsigned threads, const BlockMask& mask) {
  ThreadSet set{width, {}};
  for (unsigned first = 0; first < threads; first += width)
    set.words.push_back(mask.row(first / kRow).bits() >> first % kRow & LaneMask::first(width).bits());
  return set;
}

std::string text_of(const ThreadSet& threads) {
  std::string text;
  for (uint32_t word : threads.words)
    text += fmt::format("{}{:0{}x}", text.empty() ? "" : ".", word, (threads.width + 3) / 4);
  return text;
}

std::string state_text(const State& state) {
  std::string text;
  for (const StateRow& row : state) {
    text += fmt::format("  {} {}:", row.what, row.number);
    for (const StateEntry& entry : row.entries) {
      std::string inner(entry.word);
      for (const StateField& field : entry.fields) inner += (inner.empty() ? "" : " ") + text_of(field);
      text += fmt::format(" [{}]", inner);
    }
    text += "\n";
  }
  return text;
}

State without_running_pcs(State state) {
  for (StateRow& row : state)
    for (StateEntry& entry : row.entries)
      std::erase_if(entry.fields, [](const StateField& field) { return field.name == "pc"; });
  return state;
}

}  // namespace heddle
