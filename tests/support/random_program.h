// Random programs of bare control flow: branches forward and back, tables, barrier-free. Whatever the grouping, a
// thread's own path is the same: its choices depend on the thread, the place and how often it has been there.
#pragma once

#include <fmt/format.h>

#include <map>
#include <random>
#include <string>

#include "support/scripted.h"

namespace heddle::scripted {

inline std::string random_listing(unsigned seed, unsigned lines = 14) {
  std::mt19937 random(seed);
  const auto line = [](unsigned i) { return fmt::format("L{}", i); };
  std::string text;
  for (unsigned i = 0; i + 1 < lines; ++i) {
    const unsigned ahead = i + 1 + random() % (lines - i - 1), any = random() % lines;
    text += line(i) + ": ";
    switch (random() % 8) {
      case 0:
      case 1: text += "op"; break;
      case 2: text += "ld"; break;
      case 3:
      case 4: text += "if " + line(ahead); break;
      case 5: text += "if " + line(any); break;
      case 6: text += "br " + line(ahead); break;
      default: text += "brx " + line(ahead) + " " + line(i + 1); break;
    }
    text += "\n";
  }
  return text + line(lines - 1) + ": exit\n";
}

// Taken at most twice at each place, so that every loop ends.
inline unsigned random_choice(const Visit& visit) {
  uint32_t hash = visit.thread * 2654435761U + visit.time * 40503U;
  for (char c : visit.at) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return visit.time <= 2 && (hash >> 15) % 2 == 1 ? 1 : 0;
}

// What each thread executed, in its order: "L0 L3 L4 …" by thread.
inline std::map<int, std::string> paths_of(const std::vector<Slot>& slots) {
  std::map<int, std::string> paths;
  for (const Slot& slot : slots)
    for (int thread : slot.lanes)
      if (thread >= 0) paths[thread] += slot.name + " ";
  return paths;
}

}  // namespace heddle::scripted
