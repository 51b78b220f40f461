#include "experiment/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle {
namespace {

TEST(Condition, ReadsEveryFormAndKeepsItsEnds) {
  EXPECT_TRUE(Condition::parse("> 1", "here").contains(1.001));
  EXPECT_FALSE(Condition::parse("> 1", "here").contains(1));
  EXPECT_TRUE(Condition::parse(">= 1", "here").contains(1));
  EXPECT_FALSE(Condition::parse("< 0.5", "here").contains(0.5));
  EXPECT_TRUE(Condition::parse("<=0.5", "here").contains(0.5));
  EXPECT_TRUE(Condition::parse("= 0", "here").contains(0));
  EXPECT_FALSE(Condition::parse("= 0", "here").contains(1e-9));
  EXPECT_TRUE(Condition::parse("0.9 .. 1.1", "here").contains(1.1));
  EXPECT_FALSE(Condition::parse("0.9 .. 1.1", "here").contains(0.89));
  EXPECT_TRUE(Condition::parse("-2 .. -1", "here").contains(-1.5));
}

TEST(Condition, RefusesWhatItCannotReadAndNamesThePlace) {
  for (const char* text : {"", "1.2", "about 1", "> one", "> 1 2", "1 ..", "2 .. 1"}) {
    try {
      Condition::parse(text, "mine.toml:7");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage);
      EXPECT_THAT(error.what(), testing::StartsWith("mine.toml:7: "));
    }
  }
}

TEST(Condition, SaysItselfSoThatItReadsTheSame) {
  for (const char* text : {"> 1.02", ">= 1", "< 0.9", "<= 0", "= 3", "0.95 .. 1.05"})
    EXPECT_EQ(Condition::parse(text, "").text(), text);
}

}  // namespace
}  // namespace heddle
