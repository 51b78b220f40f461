// Memory of a core's threads, given from one to the next.
#include "exec/thread_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

namespace heddle::test {
namespace {

using Holds = ThreadMemory::Holds;

constexpr size_t kBytes = 3 << 16;

TEST(ThreadMemory, is_given_to_the_next_and_never_to_two) {
  std::optional<ThreadMemory> first(std::in_place, kBytes, Holds::Anything);
  ThreadMemory other(kBytes, Holds::Anything);
  EXPECT_NE(first->begin(), other.begin());
  std::memset(first->begin(), 7, kBytes);
  std::byte* const was = first->begin();
  first.reset();
  ThreadMemory next(kBytes + 1, Holds::Anything);  // as much, for that
  EXPECT_EQ(next.begin(), was);
  ThreadMemory another(kBytes, Holds::Anything);
  EXPECT_NE(another.begin(), was);
  EXPECT_NE(another.begin(), other.begin());
}

TEST(ThreadMemory, that_is_to_be_zero_is_so_whatever_others_wrote) {
  for (const Holds what : {Holds::Zero, Holds::Nothing})
    for (int time = 0; time < 3; ++time) {
      const ThreadMemory memory(kBytes, what);
      for (size_t i = 0; i < kBytes; ++i) ASSERT_EQ(memory.begin()[i], std::byte{0}) << time;
      if (what == Holds::Zero) std::memset(memory.begin(), 7, kBytes);
      const ThreadMemory registers(kBytes, Holds::Anything);
      std::memset(registers.begin(), 7, kBytes);
    }
}

TEST(ThreadMemory, of_no_bytes_is_nowhere) { EXPECT_EQ(ThreadMemory(0, Holds::Anything).begin(), nullptr); }

}  // namespace
}  // namespace heddle::test
