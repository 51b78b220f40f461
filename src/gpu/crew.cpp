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

uint64_t all_left(uint32_t round, size_t pieces) { return uint64_t{round} << 2 * kPieceBits | pieces; }

void pause() {
#if defined(__aarch64__)
  asm volatile("isb");
#elif defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(unsigned threads, std::function<void(unsigned)> work) : work_(std::move(work)), shares_(threads) {
  for (unsigned thread = 1; thread < threads; ++thread) others_.emplace_back([this, thread] { live(thread); });
}

Crew::~Crew() {
  over_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Crew::run() {
  const uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  size_t pieces = 0;
  done_.store(0, std::memory_order_relaxed);
  for (Share& share : shares_) {
    pieces += share.pieces.size();
    share.left.store(all_left(round, share.pieces.size()), std::memory_order_release);
  }
  round_.store(round);
  if (asleep_.load() > 0) round_.notify_all();
  const size_t own = work_on(0);
  for (unsigned spins = 0; own + done_.load(std::memory_order_acquire) < pieces; ++spins) {
    if (spins < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
  for (Share& share : shares_) share.pieces.clear();
}

void Crew::live(unsigned thread) {
  for (uint32_t round = 0;;) {
    round = wait_for_round(round);
    if (over_.load(std::memory_order_relaxed)) return;
    if (const unsigned done = work_on(thread); done > 0) done_.fetch_add(done, std::memory_order_release);
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

bool Crew::some_left() const {
  return std::ranges::any_of(shares_, [](const Share& share) {
    const uint64_t left = share.left.load(std::memory_order_relaxed);
    return (left >> kPieceBits & kPieceMask) < (left & kPieceMask);
  });
}

void Crew::wait_a_little() const {
  if (!some_left()) return;
  const auto until = std::chrono::steady_clock::now() + kGrace;
  while (some_left() && std::chrono::steady_clock::now() < until) pause();
}

// The pieces of this thread, then of the others. Returns how many it has done.
unsigned Crew::work_on(unsigned thread) {
  unsigned done = 0;
  for (size_t i = 0; i < shares_.size(); ++i) {
    if (i == 1) wait_a_little();
    Share& share = shares_[(thread + i) % shares_.size()];
    uint64_t left = share.left.load(std::memory_order_acquire);
    while ((left >> kPieceBits & kPieceMask) < (left & kPieceMask)) {
      if (!share.left.compare_exchange_weak(left, left + kOnePiece, std::memory_order_acq_rel)) continue;
      work_(share.pieces[left >> kPieceBits & kPieceMask]);
      ++done;
      left = share.left.load(std::memory_order_acquire);
    }
  }
  return done;
}

}  // namespace heddle
