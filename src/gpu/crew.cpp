#include "gpu/crew.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heddle {
namespace {

constexpr unsigned kSpins = 4096;  // some ten microseconds and more
// Until pieces are taken from another thread, whose cache has what they touch. By the clock: a pause takes ten times as
// long on one processor as on another.
constexpr std::chrono::microseconds kGrace{2};

constexpr uint64_t kPieceBits = 16, kPieceMask = (uint64_t{1} << kPieceBits) - 1;
constexpr uint64_t kOnePiece = uint64_t{1} << kPieceBits;

uint64_t all_left(uint32_t round, size_t begin, size_t end) {
  return uint64_t{round} << 2 * kPieceBits | begin << kPieceBits | end;
}

void pause() {
#if defined(__aarch64__)
  asm volatile("isb");
#elif defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(unsigned threads) : given_(threads), shares_(threads) {
  for (unsigned thread = 1; thread < threads; ++thread) others_.emplace_back([this, thread] { live(thread); });
}

Crew::~Crew() {
  over_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Crew::run(const Work& work) {
  work_ = &work;
  const uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  done_.store(0, std::memory_order_relaxed);
  pieces_.clear();
  for (const std::vector<unsigned>& given : given_) pieces_.insert(pieces_.end(), given.begin(), given.end());
  size_t pieces = 0;
  for (size_t thread = 0; thread < shares_.size(); ++thread) {
    const size_t begin = std::exchange(pieces, pieces + given_[thread].size());
    shares_[thread].left.store(all_left(round, begin, pieces), std::memory_order_release);
    given_[thread].clear();
  }
  round_.store(round);
  if (asleep_.load() > 0) round_.notify_all();
  size_t own = work_on(0);
  const auto all_done = [&] { return own + done_.load(std::memory_order_acquire) == pieces; };
  wait_a_little(all_done);
  if (!all_done()) own += help(0);
  for (unsigned spins = 0; !all_done(); ++spins) {
    if (spins < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
}

void Crew::live(unsigned thread) {
  for (uint32_t round = 0;;) {
    round = wait_for_round(round);
    if (over_.load(std::memory_order_relaxed)) return;
    if (const unsigned done = work_on(thread); done > 0) done_.fetch_add(done, std::memory_order_release);
    const auto goes_on = [&] { return round_.load(std::memory_order_relaxed) != round; };
    wait_a_little(goes_on);
    if (goes_on()) continue;
    if (const unsigned done = help(thread); done > 0) done_.fetch_add(done, std::memory_order_release);
  }
}

uint32_t Crew::wait_for_round(uint32_t behind) {
  for (unsigned spins = 0; spins < kSpins; ++spins) {
    if (const uint32_t round = round_.load(std::memory_order_acquire); round != behind) return round;
    pause();
  }
  asleep_.fetch_add(1);
  round_.wait(behind);
  asleep_.fetch_sub(1);
  return round_.load(std::memory_order_acquire);
}

template <class F>
void Crew::wait_a_little(F&& until) {
  const auto end = std::chrono::steady_clock::now() + kGrace;
  while (!until() && std::chrono::steady_clock::now() < end) pause();
}

// Its pieces that nobody has begun. Returns how many there were.
unsigned Crew::work_on(unsigned thread) {
  Share& share = shares_[thread];
  unsigned done = 0;
  uint64_t left = share.left.load(std::memory_order_acquire);
  while ((left >> kPieceBits & kPieceMask) < (left & kPieceMask)) {
    if (!share.left.compare_exchange_weak(left, left + kOnePiece, std::memory_order_acq_rel)) continue;
    (*work_)(pieces_[left >> kPieceBits & kPieceMask]);
    ++done;
    left = share.left.load(std::memory_order_acquire);
  }
  return done;
}

unsigned Crew::help(unsigned thread) {
  unsigned done = 0;
  for (unsigned i = 1; i < shares_.size(); ++i) done += work_on((thread + i) % static_cast<unsigned>(shares_.size()));
  return done;
}

}  // namespace heddle
