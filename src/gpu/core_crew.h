// Cores that tick side by side, on several threads of the host, and the memory system beside them.
//
// Cores that sit together at a port are one piece of work, and tick in their order. A core that throws has stopped
// there: whoever goes through the cores behind run() asks check(), and is thrown what it threw.
#pragma once

#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "gpu/crew.h"

namespace heddle {

class CoreCrew {
 public:
  // `together`: so many neighbours are one piece. `beside` is done once in each run.
  CoreCrew(unsigned threads, unsigned cores, unsigned together, std::function<void(unsigned)> tick,
           std::function<void()> beside);

  void run(std::span<const unsigned> due);
  void check(unsigned core) { throw_error(errors_[core]); }
  void check_beside() { throw_error(errors_.back()); }

 private:
  void work(unsigned piece);
  void tick_piece(unsigned piece);
  static void throw_error(std::exception_ptr& error);

  const unsigned together_;
  const std::function<void(unsigned)> tick_;
  const std::function<void()> beside_;
  std::vector<std::vector<unsigned>> pieces_;  // cores that are due; of the last one it is the other work
  std::vector<std::exception_ptr> errors_;     // by core, then of the other work
  Crew crew_;
};

}  // namespace heddle
