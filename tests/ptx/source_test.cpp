#include "ptx/source.h"

#include <gtest/gtest.h>

namespace heddle::ptx {
namespace {

TEST(Source, LinesCountFromOneAndHaveNoLineEnds) {
  const Source source("k.ptx", "one\ntwo\r\n\nfour");
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "four");
}

TEST(Source, LinesThatAreNotThereAreEmpty) {
  const Source source("k.ptx", "one");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(2), "");
}

TEST(Source, DescribesAPlaceWithTheLineAndACaret) {
  const Source source("k.ptx", "ret;\nadd.s32 a b;");
  EXPECT_EQ(source.describe({2, 11}, "expected ','"),
            "k.ptx:2:11: error: expected ','\n"
            "add.s32 a b;\n"
            "          ^");
}

TEST(Source, TheCaretStaysUnderItsColumnBehindTabs) {
  const Source source("k.ptx", "\tadd\tx;");
  EXPECT_EQ(source.describe({1, 6}, "m"), "k.ptx:1:6: error: m\n\tadd\tx;\n\t   \t^");
}

TEST(Source, AMessageWithoutAPlaceNamesOnlyTheFile) {
  EXPECT_EQ(Source("k.ptx", "ret;").describe({}, "m"), "k.ptx: error: m");
}

TEST(Source, OfAVeryLongLineOnlyThePartAroundThePlaceIsShown) {
  const Source source("k.ptx", std::string(100000, 'a') + "X" + std::string(100000, 'b'));
  const std::string text = source.describe({1, 100001}, "m");
  EXPECT_LT(text.size(), 400u);
  const size_t line = text.find('\n') + 1, caret_line = text.find('\n', line) + 1;
  EXPECT_EQ(text[line + text.substr(caret_line).find('^')], 'X');
}

TEST(Source, ControlCharactersDoNotReachTheTerminal) {
  const Source source("k.ptx", "a\x1b[31m");
  EXPECT_EQ(source.describe({1, 1}, "m"), "k.ptx:1:1: error: m\na?[31m\n^");
}

TEST(Source, AColumnBehindTheLineIsShownAtItsEnd) {
  EXPECT_EQ(Source("k.ptx", "ab").describe({1, 99}, "m"), "k.ptx:1:99: error: m\nab\n  ^");
}

TEST(Source, ErrorsAreOfTheProgram) { EXPECT_EQ(Source("k.ptx", "").error({1, 1}, "m").code(), ExitCode::BadProgram); }

void expect_unreadable(const std::string& path, const std::string& message) {
  try {
    Source::from_file(path);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Source, AFileThatIsNotThereIsAnErrorOfUsage) {
  expect_unreadable("/nowhere/k.ptx", "cannot read '/nowhere/k.ptx': No such file or directory");
}

TEST(Source, ADirectoryIsAnErrorOfUsage) { expect_unreadable("/", "cannot read '/': Is a directory"); }

}  // namespace
}  // namespace heddle::ptx
