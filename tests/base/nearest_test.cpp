#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

const std::vector<std::string_view> kNames = {"pdom", "tbc", "lwm", "stackless", "dwf"};

TEST(Nearest, counts_insertions_deletions_and_substitutions) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("abc", "abd"), 1U);
  EXPECT_EQ(edit_distance("abc", "ab"), 1U);
  EXPECT_EQ(edit_distance("abc", "xabc"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, offers_the_names_that_are_close_nearest_first) {
  EXPECT_EQ(did_you_mean("stackles", kNames), "; did you mean 'stackless'?");
  EXPECT_EQ(did_you_mean("pdon", kNames), "; did you mean 'pdom'?");
  EXPECT_EQ(did_you_mean("lwf", kNames), "; did you mean 'dwf' or 'lwm'?");
}

TEST(Nearest, offers_nothing_when_nothing_is_close) {
  EXPECT_EQ(did_you_mean("mandelbrot", kNames), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'x'), kNames), "");
  EXPECT_EQ(did_you_mean("pdom", std::vector<std::string_view>{}), "");
}

TEST(Nearest, joins_names_with_commas) {
  EXPECT_EQ(joined(std::vector<std::string_view>{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined(std::vector<std::string_view>{"a"}), "a");
  EXPECT_EQ(joined(std::vector<std::string_view>{}), "");
}

}  // namespace
}  // namespace heddle
