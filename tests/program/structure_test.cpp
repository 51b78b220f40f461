// The structured form of small control flow, written as
//   A>C2   threads at the end of block A that go to C leave two regions       A^L1   … wait for the loop's next
//   iteration [ ]    a region that ends where a branch goes to     { }   the same behind a loop      ( )   a loop
// Ways that are not shown go on to the next block.
#include "program/structure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/decoded.h"
#include "support/random_kernel.h"
#include "support/scripted.h"

namespace heddle::test {
namespace {

using scripted::Listing;

std::string shape_of(const Listing& listing, uint32_t function = 0) {
  const Kernel& kernel = listing.kernel();
  const Structure& structure = *kernel.structure;
  std::string text;
  for (uint32_t i = structure.begins[function] + 1;
       i < structure.regions[structure.items[structure.begins[function]].region].end; ++i) {
    const Structure::Item& item = structure.items[i];
    const bool begins = item.kind == Structure::Item::Kind::Begin;
    if (item.kind != Structure::Item::Kind::Block) {
      switch (structure.region_of(item).kind) {
        case Structure::Region::Kind::Function: break;
        case Structure::Region::Kind::If: text += begins ? "[" : "]"; break;
        case Structure::Region::Kind::Exit: text += begins ? "{" : "}"; break;
        case Structure::Region::Kind::Loop: text += begins ? "(" : ")"; break;
      }
      continue;
    }
    if (!text.empty() && text.back() != '[' && text.back() != '{' && text.back() != '(') text += " ";
    text += listing.name(kernel.blocks[item.block].begin);
    for (const Structure::Edge& edge : item.edges)
      if (edge.levels > 0)
        text += fmt::format(
            "{}{}{}",
            structure.region_of(structure.items[edge.waits_at]).kind == Structure::Region::Kind::Loop ? "^" : ">",
            listing.name(edge.target), edge.levels);
  }
  return text;
}

std::string shape_of(std::string_view text) { return shape_of(Listing(text)); }

TEST(Structure, AnIfIsARegion) {
  EXPECT_EQ(shape_of(R"(
    A: if C
    B: op
    C: exit)"),
            "[A>C1 B] C");
}

TEST(Structure, AnElseIsARegionInsideTheIf) {
  EXPECT_EQ(shape_of(R"(
    A: if C
    B: br D
    C: op
    D: exit)"),
            "[[A>C1 B>D2] C] D");
}

TEST(Structure, AWhileLoopIsLeftAtItsHead) {
  EXPECT_EQ(shape_of(R"(
    A: op
    L: if X
    B: br L
    X: exit)"),
            "A{(L>X2 B^L1)} X");
}

TEST(Structure, ADoWhileLoopIsLeftAtItsEnd) {
  EXPECT_EQ(shape_of(R"(
    L: op
    M: if L
    X: exit)"),
            "{(L>X2^L1)} X");
}

TEST(Structure, ALoopWithTwoExitsToDifferentPlacesIsInTwoRegions) {
  EXPECT_EQ(shape_of(R"(
    L: if X
    B: if Y
    C: br L
    X: br Z
    Y: op
    Z: exit)"),
            "[[{(L>X2 B>Y3 C^L1)} X>Z2] Y] Z");
}

TEST(Structure, AShortCircuitJoinsBeforeThePostDominator) {
  EXPECT_EQ(shape_of(R"(
    A: if X
    B: if Y
    X: op
    Y: exit)"),
            "[[A>X1 B>Y2] X] Y");
}

TEST(Structure, AnEarlyReturnInALoopIsBehindIt) {
  EXPECT_EQ(shape_of(R"(
    L: if R
    B: if L
    C: exit
    R: op
    S: exit)"),
            "[{(L>R3 B>C2^L1)} C] R");
}

TEST(Structure, AnEarlyReturnFromALoopWithABarrierDoesNotWait) {
  EXPECT_EQ(shape_of(R"(
    L: if R
    B: bar
    D: if L
    C: op
    E: bar
    F: exit
    R: op
    S: exit)"),
            "{([L>B1 R] B>C2^L1)} C");
}

TEST(Structure, WhatComesBehindALoopWithABarrierStaysBehindIt) {
  EXPECT_EQ(shape_of(R"(
    L: bar
    B: if L
    C: op
    D: exit)"),
            "{(L>C2^L1)} C");
}

TEST(Structure, ABreakLeavesTwoLoops) {
  EXPECT_EQ(shape_of(R"(
    O: op
    I: if X
    J: if I
    K: if O
    X: exit)"),
            "{(O{(I>X4 J>K2^I1)} K>X2^O1)} X");
}

TEST(Structure, AContinueWaitsForTheEndOfTheLoop) {
  EXPECT_EQ(shape_of(R"(
    L: if X
    A: if L
    B: br L
    X: exit)"),
            "{(L>X2 A^L1 B^L1)} X");
}

TEST(Structure, LoopsThatShareTheirHeadAreTwoIfTheInnerOneHasAnEndOfItsOwn) {
  // while (…) { while (…) A; B }, as compilers rotate it.
  EXPECT_EQ(shape_of(R"(
    A: op
    I: if A
    B: op
    O: if A
    X: exit)"),
            "{({(A>B2^A1)} B>X2^A1)} X");
}

TEST(Structure, CodeThatIsNotInOrderIsPutInOrder) {
  // Unlikely code at the end, and a loop that is rotated.
  EXPECT_EQ(shape_of(R"(
    A: if U
    B: br M
    L: op
    M: if L
    D: exit
    U: br B)"),
            "[A>B1 U] B{(M>D2 L^M1)} D");
}

TEST(Structure, AnEarlyExitBeforeABarrierHasItsOwnExit) {
  const Listing listing(R"(
    A: if X
    B: bar
    X: exit)");
  EXPECT_EQ(shape_of(listing), "[A>B1 X] B X");
  EXPECT_EQ(listing.kernel().structure->instructions_before, 3U);
  EXPECT_EQ(listing.kernel().structure->instructions, 4U);
}

TEST(Structure, AnArmWithoutABarrierSharesOnlyTheExitWithTheOther) {
  const Listing listing(R"(
    A: if C
    B: bar
    G: br X
    C: op
    X: exit)");
  EXPECT_EQ(shape_of(listing), "[A>B1 C X] B X");
  EXPECT_EQ(listing.kernel().structure->instructions_before, 5U);
  EXPECT_EQ(listing.kernel().structure->instructions, 6U);
}

TEST(Structure, OfThreeWaysToAnExitTheLastKeepsIt) {
  EXPECT_EQ(shape_of(R"(
    A: if D
    B: if E
    C: bar
    G: br X
    D: op
    E: op
    X: exit)"),
            "[A>B1 D E X][B>C1 E X] C X");
}

TEST(Structure, ALoopWithTwoEntriesIsSplit) {
  const Listing listing(R"(
    A: if C
    B: op
    C: op
    D: if B
    E: exit)");
  const Structure& structure = *listing.kernel().structure;
  EXPECT_EQ(shape_of(listing), "[A>C1 B]{(C>E2 B^C1)} E");
  EXPECT_EQ(structure.instructions_before, 5U);
  EXPECT_EQ(structure.instructions, 6U);
  EXPECT_NEAR(structure.growth(), 1.2, 0.001);
}

TEST(Structure, FunctionsAreOnTheirOwn) {
  const Listing listing(R"(
    A: call F
    B: exit
    F: if H
    G: op
    H: ret)");
  EXPECT_EQ(shape_of(listing, 0), "A");
  EXPECT_EQ(shape_of(listing, 1), "[F>H1 G] H");
}

TEST(Structure, CodeThatIsNeverReachedIsLeftOut) {
  const Listing listing(R"(
    A: br C
    B: op
    C: exit)");
  EXPECT_EQ(shape_of(listing), "A C");
  EXPECT_EQ(listing.kernel().structure->instructions_before, 2U);
}

TEST(Structure, ALoopWithoutAnEndIsALoop) {
  EXPECT_EQ(shape_of(R"(
    L: op
    M: br L)"),
            "(L^L1)");
}

// The block that comes next in the order, from an item on.
uint32_t block_from(const Structure& structure, uint32_t item) {
  while (structure.items[item].kind != Structure::Item::Kind::Block) ++item;
  return structure.items[item].block;
}

// Edges leave what is around them and come to where they go; regions nest; a function begins with its first block.
TEST(Structure, HoldsTogetherForRandomKernels) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const auto program = Program::load(std::make_shared<ptx::Source>("random.ptx", random_kernel(seed).ptx()));
    const auto kernel = program->kernel("k");
    const Structure& structure = *kernel->structure;
    ASSERT_EQ(structure.problem, "");
    std::vector<uint32_t> open;
    for (size_t function = 0; function < structure.begins.size(); ++function)
      EXPECT_EQ(block_from(structure, structure.begins[function]), kernel->block_of[kernel->functions[function].begin])
          << seed;
    for (uint32_t i = 0; i < structure.items.size(); ++i) {
      const Structure::Item& item = structure.items[i];
      if (item.kind == Structure::Item::Kind::Begin) {
        EXPECT_EQ(structure.region_of(item).begin, i);
        open.push_back(item.region);
        EXPECT_EQ(structure.region_of(item).depth, open.size());
      }
      ASSERT_EQ(open.back(), item.region) << seed;
      if (item.kind == Structure::Item::Kind::End) {
        EXPECT_EQ(structure.region_of(item).end, i);
        open.pop_back();
      }
      if (item.kind != Structure::Item::Kind::Block) continue;
      for (const Structure::Edge& edge : item.edges) {
        uint32_t on = i + 1;
        if (edge.levels > 0) {
          ASSERT_LE(edge.levels, open.size());
          const Structure::Region& left = structure.regions[open[open.size() - edge.levels]];
          EXPECT_EQ(left.end, edge.waits_at);
          on = left.kind == Structure::Region::Kind::Loop ? left.begin + 1 : left.end + 1;
        }
        EXPECT_EQ(kernel->blocks[block_from(structure, on)].begin, edge.target) << seed;
      }
    }
    EXPECT_TRUE(open.empty());
  }
}

TEST(Structure, IsShownToAPerson) {
  const auto kernel = kernel_of(R"(
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra END;
    mov.u32 %r2, 1;
    END: ret;)");
  const std::string text = structure_text(*kernel);
  EXPECT_NE(text.find("4 instructions, 4 before (x 1.00)"), std::string::npos) << text;
  EXPECT_NE(text.find("B2: leave 1"), std::string::npos) << text;
  EXPECT_NE(text.find("endif"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::test
