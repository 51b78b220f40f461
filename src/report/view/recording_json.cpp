#include "report/view/recording_json.h"

#include <fmt/format.h>

#include "report/page/distinct_json.h"
#include "report/view/column.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// Rows share their entries; entries share sets of threads, and what they have in common: the word, and names and kinds
// of the fields.
class StateTables {
 public:
  Json row_json(const StateRow& row) {
    Json json = Json::array({row.what, row.number});
    for (const StateEntry& entry : row.entries) json.push_back(entries.place_of(entry_json(entry)));
    return json;
  }
  DistinctJson sets, shapes, entries;

 private:
  static const char* kind_of(StateValue::Kind kind) {
    switch (kind) {
      case StateValue::Kind::Number: return "number";
      case StateValue::Kind::Code: return "code";
      case StateValue::Kind::Threads: return "threads";
      case StateValue::Kind::Text: return "text";
    }
    return "";
  }
  // Lanes by static warp, "f.0.3"; few sets are met over and over.
  Json set_json(const ThreadSet& threads) {
    std::string text;
    for (const uint32_t word : threads.words) text += fmt::format("{}{:x}", text.empty() ? "" : ".", word);
    return sets.place_of(text);
  }
  Json value_json(const StateValue& value) {
    switch (value.kind) {
      case StateValue::Kind::Number: return value.number;
      case StateValue::Kind::Code: return value.number == kNoPc ? Json(-1) : Json(value.number);
      case StateValue::Kind::Threads: return set_json(value.threads);
      case StateValue::Kind::Text: return value.text;
    }
    return {};
  }
  Json entry_json(const StateEntry& entry) {
    Json shape = Json::array({entry.word});
    for (const StateField& field : entry.fields) shape.push_back({field.name, kind_of(field.value.kind)});
    Json json = Json::array({shapes.place_of(shape)});
    for (const StateField& field : entry.fields) json.push_back(value_json(field.value));
    return json;
  }
};

Json launches_json(const Recording& recording, KernelList& kernels) {
  Json json = Json::array();
  for (const RecordedLaunch& launch : recording.launches)
    json.push_back({{"kernel", kernels.place_of(*launch.kernel)},
                    {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                    {"block", {launch.block.x, launch.block.y, launch.block.z}},
                    {"slots", launch.slots}});
  return json;
}

Json events_json(const std::vector<RecordedSlot>& events) {
  const auto column = [&](auto RecordedSlot::*member) {
    return column_of(events, [member](const RecordedSlot& slot) { return slot.*member; });
  };
  return {{"launch", column(&RecordedSlot::launch)},
          {"slot", column(&RecordedSlot::slot)},
          {"cycle", column(&RecordedSlot::cycle)},
          {"core", column(&RecordedSlot::core)},
          {"block", column(&RecordedSlot::block)},
          {"warp", column(&RecordedSlot::warp)},
          {"pc", column(&RecordedSlot::pc)},
          {"lanes", column(&RecordedSlot::lanes)},
          {"flags", column_of(events, [](const RecordedSlot& slot) {
             return (slot.beside ? 1 : 0) + (slot.diverged ? 2 : 0) + (slot.merged ? 4 : 0);
           })}};
}

Json lanes_json(const std::vector<RecordedLanes>& lanes) {
  std::vector<uint64_t> threads;
  for (const RecordedLanes& each : lanes)
    for (const int thread : each.threads) threads.push_back(static_cast<uint64_t>(thread + 1));
  return {{"threads", column_json(threads)},
          {"phantom", column_of(lanes, [](const RecordedLanes& each) { return each.phantom ? *each.phantom + 1 : 0; })},
          {"count", lanes.size()}};
}

Json changes_json(const std::vector<RecordedChange>& changes) {
  return {{"event", column_of(changes, [](const RecordedChange& change) { return change.event; })},
          {"place", column_of(changes, [](const RecordedChange& change) { return change.place; })},
          {"row", column_of(changes, [](const RecordedChange& change) { return uint32_t{change.row + 1}; })},
          {"count", changes.size()}};
}

// In the order of IdleCause.
const char* cause_name(IdleCause cause) {
  switch (cause) {
    case IdleCause::Memory: return "memory";
    case IdleCause::Dependency: return "a result";
    case IdleCause::Barrier: return "a barrier";
    case IdleCause::MemoryStage: return "a full memory stage";
    case IdleCause::Unit: return "a busy unit";
    case IdleCause::Fetch: return "an instruction";
    case IdleCause::Port: return "a group to form";
    case IdleCause::NoWarp: return "a block";
    case IdleCause::Other: return "the mechanism";
    case IdleCause::Count_: break;
  }
  return "";
}

Json waits_json(const std::vector<RecordedWait>& waits) {
  const auto column = [&](auto RecordedWait::*member) {
    return column_of(waits, [member](const RecordedWait& wait) { return wait.*member; });
  };
  Json causes = Json::array();
  for (size_t cause = 0; cause < kIdleCauses; ++cause) causes.push_back(cause_name(static_cast<IdleCause>(cause)));
  return {{"count", waits.size()},
          {"causes", causes},
          {"launch", column(&RecordedWait::launch)},
          {"core", column(&RecordedWait::core)},
          {"from", column(&RecordedWait::from)},
          {"cycles", column(&RecordedWait::cycles)},
          {"cause", column(&RecordedWait::cause)},
          {"pc", column_of(waits, [](const RecordedWait& wait) { return wait.pc == kNoPc ? 0 : wait.pc + 1; })}};
}

Json flights_json(const std::vector<RecordedFlight>& flights) {
  const auto column = [&](auto RecordedFlight::*member) {
    return column_of(flights, [member](const RecordedFlight& flight) { return flight.*member; });
  };
  return {{"count", flights.size()},
          {"launch", column(&RecordedFlight::launch)},
          {"core", column(&RecordedFlight::core)},
          {"warp", column(&RecordedFlight::warp)},
          {"pc", column(&RecordedFlight::pc)},
          {"issued", column(&RecordedFlight::issued)},
          {"done", column(&RecordedFlight::done)},
          {"missed", column(&RecordedFlight::missed)}};
}

}  // namespace

Json recording_json(const Recording& recording, KernelList& kernels) {
  StateTables tables;
  Json rows = Json::array();
  for (const StateRow& row : recording.rows) rows.push_back(tables.row_json(row));
  return {{"warp_size", recording.warp_size},
          {"timed", recording.timed},
          {"launches", launches_json(recording, kernels)},
          {"slots", recording.matched},
          {"launches_beside", recording.launches_beside},
          {"count", recording.events.size()},
          {"events", events_json(recording.events)},
          {"waits", waits_json(recording.waits)},
          {"flights", flights_json(recording.flights)},
          {"lanes", lanes_json(recording.lanes)},
          {"changes", changes_json(recording.changes)},
          {"sets", std::move(tables.sets.list)},
          {"shapes", std::move(tables.shapes.list)},
          {"entries", std::move(tables.entries.list)},
          {"rows", std::move(rows)}};
}

}  // namespace heddle
