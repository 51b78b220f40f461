// With a clock an instruction takes time, and other warps begin and complete meanwhile. Whatever the order, every
// thread must go its way, warps in flight must stay what they are, and everybody must end.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text.h"
#include "support/amount.h"
#include "support/scripted.h"

namespace heddle::scripted::in_flight_test {
namespace {

// Branches in branches, a loop of different trips, a function, a barrier for all, early exits.
const char* const kProgram = R"(
  A:  op
  B:  if E
  C:  if F
  D:  br G
  E:  op
  F:  call X
  G:  bar
  H:  op
  I:  if H
  J:  if L
  K:  exit
  L:  bar
  M:  exit
  X:  if Z
  Y:  op
  Z:  ret)";

// The same for mechanisms that have no calls.
std::string without_calls(std::string program) { return program.replace(program.find("call X"), 6, "if G  "); }

// Threads of one warp wait at different barriers, at a time.
const char* const kTwoBarriers = R"(
  A: if D
  B: bar
  C: br F
  D: op
  E: bar
  F: op
  G: if A
  H: bar
  I: exit)";

unsigned path(const Visit& v) {
  if (v.at == "I" || v.at == "G") return v.time < 1 + v.thread * 7 % 4;  // a loop
  return ((v.thread * 2654435761U >> 16) + static_cast<unsigned>(v.at[0]) * 5U + v.time) % 2;
}

using Ways = std::map<std::pair<int, std::string>, unsigned>;  // by thread and name: how often it was there

Ways ways_of(const std::vector<Slot>& slots) {
  Ways ways;
  for (const Slot& slot : slots)
    for (int thread : slot.lanes)
      if (thread >= 0) ++ways[{thread, slot.name}];
  return ways;
}

// Begins any ready warp or completes any that is in flight, at most `most` at a time.
void run_overlapping(ScriptedMachine& machine, std::mt19937& random, size_t most) {
  std::vector<WarpId> in_flight;
  const auto pick = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
  while (!machine.done()) {
    std::vector<WarpId> ready;
    if (machine.host().ready().empty() && in_flight.empty()) machine.mechanism().starved();
    machine.host().ready().for_each([&](WarpId id) { ready.push_back(id); });
    ASSERT_TRUE(!ready.empty() || !in_flight.empty()) << "deadlock: " << machine.warps();
    ASSERT_EQ(machine.host().count(WarpState::InFlight), in_flight.size());
    const bool begins = !ready.empty() && in_flight.size() < most && (in_flight.empty() || pick(3) > 0);
    if (begins) {
      const WarpId id = ready[pick(ready.size())];
      machine.begin(id);
      in_flight.push_back(id);
    } else {
      const size_t i = pick(in_flight.size());
      const WarpId id = in_flight[i];
      in_flight.erase(in_flight.begin() + static_cast<ptrdiff_t>(i));
      machine.complete(id);
    }
    ASSERT_LT(machine.slots().size(), 100000U);
  }
}

struct Case {
  std::string mechanism;
  std::vector<std::string> set;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.mechanism;
  for (const std::string& each : c.set) *out << " " << each;
}

// Other values than the initial one: all of a choice, the smallest and a small one of a number.
std::vector<std::string> other_values(const Key& key) {
  std::vector<std::string> values;
  switch (key.kind) {
    case Key::Kind::Boolean: values = {"true", "false"}; break;
    case Key::Kind::Choice:
      for (std::string_view each : split(key.choices, ' ')) values.emplace_back(each);
      break;
    case Key::Kind::Integer: values = {std::string(split(key.choices, ' ').at(0)), "5"}; break;
    case Key::Kind::Names:
    case Key::Kind::Numbers:
    case Key::Kind::Text:
    case Key::Kind::PerKernel: break;
  }
  std::erase(values, key.initial);
  return values;
}

// Every mechanism of the registry as it is, and with each of its parameters changed.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MechanismRow& row : mechanisms()) {
    const std::string name(row.name);
    cases.push_back({name, {}});
    for (const Key& key : row.keys)
      for (const std::string& value : other_values(key)) cases.push_back({name, {std::string(key.name) + "=" + value}});
  }
  cases.push_back({"capri", {"history=always", "capt_entries=1"}});  // every branch drives another one out
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.mechanism;
  for (const std::string& each : info.param.set) name += "_" + each;
  name = std::to_string(info.index) + "_" + name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

class InFlight : public testing::TestWithParam<Case> {
 protected:
  Shape shape() const {
    Shape shape{.threads = 22, .blocks = 5, .resident = 3, .set = GetParam().set};
    shape.set.push_back("warp_size=4");
    shape.set.push_back("one_slot_jumps=false");
    return shape;
  }
  bool refused(const std::string& program) const {
    try {
      const Listing listing(program);
      ScriptedMachine(listing, GetParam().mechanism, shape(), path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Refused) << error.what();
      return true;
    }
    return false;
  }
  void expect_same_ways(const std::string& program, const char* reference) {
    const Listing listing(program);
    ScriptedMachine alone(listing, reference, shape(), path);
    alone.run();
    const Ways expected = ways_of(alone.slots());
    for (unsigned seed = 0; seed < test::amount(200, 30, 6); ++seed) {
      std::mt19937 random(seed);
      ScriptedMachine machine(listing, GetParam().mechanism, shape(), path);
      run_overlapping(machine, random, 1 + seed % 9);
      if (HasFatalFailure()) return;
      EXPECT_EQ(ways_of(machine.slots()), expected) << seed;
    }
  }
};

TEST_P(InFlight, EveryThreadGoesItsWay) {
  expect_same_ways(refused(kProgram) ? without_calls(kProgram) : kProgram, "pdom");
}

INSTANTIATE_TEST_SUITE_P(All, InFlight, testing::ValuesIn(all_cases()), name_of);

// Mechanisms that let the rest of a warp go on while some of it wait at a barrier. Those of this list cannot, or let
// threads wait at a join meanwhile.
constexpr std::string_view kWaitWhole[] = {"pdom",
                                           "tesla",
                                           "tbc",
                                           "tbc+",
                                           "tbc-ideal",
                                           "capri",
                                           "lwm",
                                           "dwf-wb",
                                           "chap",
                                           "amd",
                                           "pomp",
                                           "gma",
                                           "sandy-bridge",
                                           "dual-path",
                                           "multi-path",
                                           "its",
                                           "subwarp-interleaving",
                                           "vws"};

bool waits_whole(const Case& c) {
  const bool at_joins = c.mechanism == "aware" && std::ranges::count(c.set, "recv_timeout=0") > 0;
  const bool on_stack = c.mechanism == "dws";  // where its table is full
  return at_joins || on_stack || std::ranges::count(kWaitWhole, c.mechanism) > 0;
}

std::vector<Case> cases_where_others_go_on() {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, waits_whole);
  return cases;
}

class InFlightBarriers : public InFlight {};

TEST_P(InFlightBarriers, EveryThreadGoesItsWay) { expect_same_ways(kTwoBarriers, "stackless"); }

INSTANTIATE_TEST_SUITE_P(All, InFlightBarriers, testing::ValuesIn(cases_where_others_go_on()), name_of);

TEST(InFlightByHand, TheMechanismsThatAreLeftOutDoWaitWhole) {
  const Listing listing(kTwoBarriers);
  for (std::string_view mechanism : kWaitWhole) {
    ScriptedMachine machine(listing, mechanism, {.threads = 22, .set = {"warp_size=4"}}, path);
    EXPECT_THROW(machine.run(), Error) << mechanism;
  }
  ScriptedMachine by_stack(listing, "dws", {.threads = 22, .set = {"warp_size=4", "split_entries=0"}}, path);
  EXPECT_THROW(by_stack.run(), Error);
}

// Threads of one static warp at B's barrier and others on their way; the barrier is for two threads.
TEST(InFlightByHand, StacklessGoesOnWithReleasedThreadsWhileOthersAreOnTheirWayToABarrier) {
  const Listing listing(R"(
    A: if D
    B: bar
    C: exit
    D: bar
    E: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 1; });
  machine.issue(WarpId(0));
  machine.begin(WarpId(0));
  machine.begin(WarpId(1));
  machine.mechanism().release(WarpId(0));
  EXPECT_EQ(machine.warps(), "C:2 D:2");
  EXPECT_EQ(machine.host().count(WarpState::Ready), 1U);
  machine.mechanism().release(WarpId(1));
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-) E(-,-,2,3)");
}

TEST(InFlightByHand, StacklessArbitratesForReleasedThreadsWhenTheInstructionUnderWayIsDone) {
  const Listing listing(R"(
    A: if D
    B: bar
    C: exit
    D: op
    E: exit)");
  ScriptedMachine machine(listing, "stackless", {.threads = 4, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread > 1; });
  machine.issue(WarpId(0));
  machine.begin(WarpId(0));
  machine.begin(WarpId(1));
  machine.mechanism().release(WarpId(0));
  EXPECT_EQ(machine.warps(), "D:2");
  machine.complete(WarpId(1));
  EXPECT_EQ(machine.warps(), "C:2");  // lower than E
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-) E(-,-,2,3)");
}

TEST(InFlightByHand, DwfDoesNotMergeIntoAWarpInFlight) {
  const Listing listing(R"(
    A: op
    B: op
    C: exit)");
  ScriptedMachine machine(listing, "dwf", {.threads = 2, .blocks = 2, .resident = 2, .set = {"warp_size=4"}},
                          [](const Visit&) { return 0; });
  machine.issue(WarpId(0));  // 0,1 are at B
  machine.begin(WarpId(0));
  machine.issue(WarpId(1));  // 2,3 would fit with them
  EXPECT_EQ(machine.warps(), "B:2 B:2");
  machine.complete(WarpId(0));
}

TEST(InFlightByHand, DwfCountsOnlyThePool) {
  // 0-3 in flight at A; of the others 4,5,6 go to C and 7 to B: C has the majority though A has more threads.
  const Listing listing(R"(
    A: if C
    B: exit
    C: op
    D: exit)");
  ScriptedMachine machine(listing, "dwf", {.threads = 12, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread % 4 != 3; });
  machine.begin(WarpId(0));
  machine.begin(WarpId(1));
  machine.complete(WarpId(1));
  EXPECT_EQ(machine.host().wished, 2U);  // A is being drained
  machine.begin(WarpId(2));
  EXPECT_EQ(machine.host().warp(machine.host().wished).pc, listing.at("C"));
  machine.complete(WarpId(0));
  EXPECT_EQ(machine.host().warp(machine.host().wished).pc, listing.at("C"));
}

TEST(InFlightByHand, DwfMayStillChooseOtherwiseUntilTheFirstWarpIsIssued) {
  const Listing listing(R"(
    A: if C
    B: exit
    C: exit)");
  // 0 alone goes to B, of 4-7 only 4 to C; with 1-3 and 5-7 the majority moves.
  ScriptedMachine machine(listing, "dwf", {.threads = 8, .set = {"warp_size=4"}},
                          [](const Visit& v) { return v.thread < 4; });
  machine.begin(WarpId(0));
  machine.begin(WarpId(1));
  EXPECT_EQ(machine.host().wished, kNoWarp);
  machine.complete(WarpId(0));
  EXPECT_EQ(machine.host().warp(machine.host().wished).pc, listing.at("C"));
  machine.complete(WarpId(1));  // as many at B: the lowest PC
  EXPECT_EQ(machine.host().warp(machine.host().wished).pc, listing.at("B"));
}

}  // namespace
}  // namespace heddle::scripted::in_flight_test
