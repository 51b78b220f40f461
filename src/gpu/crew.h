// Threads of the host that do small pieces of work together, many times a second.
//
// Life cycle: put() the pieces of a round, each for one of the threads; then run() does them all and returns. Thread 0
// is whoever calls it. Each does its own pieces first, in the order they were put, so that what a piece touches stays
// in one thread's cache; who has no more waits a little and then takes what others have not begun, so that nobody is
// waited for that sleeps. Who waits looks at what nobody writes meanwhile.
// Between rounds threads spin for a moment, then sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "base/types.h"

namespace heddle {

class Crew {
 public:
  using Work = std::function<void(unsigned)>;  // does a piece, and must not throw

  explicit Crew(unsigned threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned threads() const { return static_cast<unsigned>(shares_.size()); }
  void put(unsigned thread, unsigned piece) { given_[thread].push_back(piece); }
  void run(const Work& work);

 private:
  // Of one thread. What is left is one word, so that a piece is taken of the round it belongs to: the round, the place
  // of the next piece, and of the end.
  struct alignas(kApart) Share {
    std::atomic<uint64_t> left{0};
  };
  void live(unsigned thread);
  uint32_t wait_for_round(uint32_t behind);
  unsigned work_on(unsigned thread);
  unsigned help(unsigned thread);  // the others
  template <class F>
  static void wait_a_little(F&& until);

  std::vector<std::vector<unsigned>> given_;  // by thread
  std::vector<Share> shares_;
  const Work* work_ = nullptr;    // of the round
  std::vector<uint16_t> pieces_;  // of the round, those of a thread together: few lines of the cache for all
  alignas(kApart) std::atomic<uint32_t> round_{0};
  std::atomic<uint32_t> asleep_{0};
  std::atomic<bool> over_{false};
  alignas(kApart) std::atomic<unsigned> done_{0};  // pieces, by others than thread 0
  std::vector<std::thread> others_;
};

}  // namespace heddle
