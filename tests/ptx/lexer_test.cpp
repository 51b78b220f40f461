#include "ptx/lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::ptx {
namespace {

// The texts of all tokens, with a letter for the kind of each.
std::vector<std::string> tokens_of(const std::string& text) {
  static constexpr char letters[] = {'E', 'W', 'D', 'N', 'S', 'Y'};
  const Source source("k.ptx", text);
  Lexer lexer(source);
  std::vector<std::string> tokens;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next())
    tokens.push_back(letters[static_cast<int>(token.kind)] + std::string(":") + std::string(token.text));
  return tokens;
}

std::string error_of_text(const std::string& text) {
  try {
    tokens_of(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
  }
  return "no error";
}

using Texts = std::vector<std::string>;

TEST(Lexer, AnInstructionIsAWordAndItsDottedNames) {
  EXPECT_EQ(tokens_of("add.rn.f32 %f1;"), (Texts{"W:add", "D:.rn", "D:.f32", "W:%f1", "Y:;"}));
}

TEST(Lexer, DoubleColonsBelongToTheDottedName) {
  EXPECT_EQ(tokens_of("ld.L1::no_allocate.L2::128B.mbarrier::complete_tx::bytes"),
            (Texts{"W:ld", "D:.L1::no_allocate", "D:.L2::128B", "D:.mbarrier::complete_tx::bytes"}));
}

TEST(Lexer, ADottedNameMayBeginWithADigitBehindAWord) {
  EXPECT_EQ(tokens_of("tex.2d.v4"), (Texts{"W:tex", "D:.2d", "D:.v4"}));
}

TEST(Lexer, AFractionMayBeginWithAPoint) {
  EXPECT_EQ(tokens_of("{.5, .25e-3}"), (Texts{"Y:{", "N:.5", "Y:,", "N:.25e-3", "Y:}"}));
}

TEST(Lexer, WordsMayBeginWithPercentDollarAndUnderscore) {
  EXPECT_EQ(tokens_of("%p1 $L__BB0_2 _ZN3fooEv _ a$b"), (Texts{"W:%p1", "W:$L__BB0_2", "W:_ZN3fooEv", "W:_", "W:a$b"}));
}

TEST(Lexer, APercentThatBeginsNoWordIsAnOperator) { EXPECT_EQ(tokens_of("5 % 3"), (Texts{"N:5", "Y:%", "N:3"})); }

TEST(Lexer, NumbersKeepEverythingThatTouchesThem) {
  EXPECT_EQ(tokens_of("0x1FU 0f3F800000 1.5e+3 12ab 1e5 0x1e+4"),
            (Texts{"N:0x1FU", "N:0f3F800000", "N:1.5e+3", "N:12ab", "N:1e5", "N:0x1e", "Y:+", "N:4"}));
}

TEST(Lexer, TwoCharacterOperatorsAreOneToken) {
  EXPECT_EQ(tokens_of("<< >> <= >= == != && || < |"),
            (Texts{"Y:<<", "Y:>>", "Y:<=", "Y:>=", "Y:==", "Y:!=", "Y:&&", "Y:||", "Y:<", "Y:|"}));
}

TEST(Lexer, CommentsAndHashLinesAreBlank) {
  EXPECT_EQ(tokens_of("# 1 \"a.cu\"\na // b\n /* c\n d */ e\n  #pragma\nf/**/g"), (Texts{"W:a", "W:e", "W:f", "W:g"}));
}

TEST(Lexer, StringsKeepEscapedQuotes) { EXPECT_EQ(tokens_of(R"("a\"b" c)"), (Texts{R"(S:"a\"b")", "W:c"})); }

TEST(Lexer, PlacesCountLinesAndColumnsFromOne) {
  const Source source("k.ptx", "a\n\t/* x\n*/ b");
  Lexer lexer(source);
  const Token a = lexer.next(), b = lexer.next(), end = lexer.next();
  EXPECT_EQ(source.at(a.place), "k.ptx:1:1");
  EXPECT_EQ(source.at(b.place), "k.ptx:3:4");
  EXPECT_EQ(source.at(end.place), "k.ptx:3:5");
}

TEST(Lexer, AByteOrderMarkIsSkipped) { EXPECT_EQ(tokens_of("\xEF\xBB\xBF.version"), Texts{"D:.version"}); }

TEST(Lexer, ACommentThatDoesNotEndIsAnErrorWhereItBegins) {
  EXPECT_EQ(error_of_text("a\n  /* b\n"), "k.ptx:2:3: error: expected '*/' to close this comment, found end of file");
}

TEST(Lexer, AStringThatDoesNotEndIsAnErrorWhereItBegins) {
  const std::string expected = "k.ptx:1:3: error: expected '\"' to close this string, found the end of the line";
  EXPECT_EQ(error_of_text("a \"b\nc\""), expected);
  EXPECT_EQ(error_of_text("a \"b\\"), expected);
}

TEST(Lexer, CharactersThatBeginNothingAreErrors) {
  EXPECT_EQ(error_of_text("a `"), "k.ptx:1:3: error: '`' begins nothing in PTX");
  EXPECT_EQ(error_of_text("a # b"), "k.ptx:1:3: error: '#' begins nothing in PTX");
  EXPECT_EQ(error_of_text(std::string("a\0b", 3)), "k.ptx:1:2: error: byte 0x00 begins nothing in PTX");
  EXPECT_EQ(error_of_text("\xC3\xA4"), "k.ptx:1:1: error: byte 0xC3 begins nothing in PTX");
}

}  // namespace
}  // namespace heddle::ptx
