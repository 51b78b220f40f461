#include "gpu/core_crew.h"

#include <algorithm>
#include <utility>

namespace heddle {

CoreCrew::CoreCrew(unsigned threads, unsigned cores, unsigned together, std::function<void(unsigned)> tick,
                   std::function<void()> beside)
    : together_(together),
      tick_(std::move(tick)),
      beside_(std::move(beside)),
      pieces_((cores + together - 1) / together + 1),
      errors_(cores + 1),
      crew_(std::min(threads, static_cast<unsigned>(pieces_.size())), [this](unsigned piece) { work(piece); }) {}

void CoreCrew::run(std::span<const unsigned> due) {
  const auto beside = static_cast<unsigned>(pieces_.size() - 1);
  crew_.put(0, beside);
  for (const unsigned core : due) {
    const unsigned piece = core / together_;
    if (pieces_[piece].empty()) crew_.put(piece % crew_.threads(), piece);
    pieces_[piece].push_back(core);
  }
  crew_.run();
}

void CoreCrew::work(unsigned piece) {
  if (piece + 1 < pieces_.size()) return tick_piece(piece);
  try {
    beside_();
  } catch (...) {
    errors_.back() = std::current_exception();
  }
}

void CoreCrew::tick_piece(unsigned piece) {
  std::vector<unsigned>& cores = pieces_[piece];
  for (const unsigned core : cores) errors_[core] = nullptr;
  for (size_t i = 0; i < cores.size(); ++i) try {
      tick_(cores[i]);
    } catch (...) {
      errors_[cores[i]] = std::current_exception();
      break;
    }
  cores.clear();
}

void CoreCrew::throw_error(std::exception_ptr& error) {
  if (error) [[unlikely]]
    std::rethrow_exception(std::exchange(error, nullptr));
}

}  // namespace heddle
