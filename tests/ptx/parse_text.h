// Short ways to PTX text and its parts for the tests of `ptx`.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

#include "ptx/module.h"

namespace heddle::ptx {

inline Module parse_text(std::string text) { return parse(std::make_shared<const Source>("k.ptx", std::move(text))); }

// A module with one kernel `k` whose body, on line 2, is the text.
inline std::string in_kernel(const std::string& body) {
  return ".version 8.0 .target sm_80 .entry k {\n" + body + "\n}";
}

inline Function parse_body(const std::string& body) { return std::move(parse_text(in_kernel(body)).functions.at(0)); }

inline Instruction parse_one(const std::string& instruction) {
  return std::get<Instruction>(std::move(parse_body(instruction).body.statements.at(0)));
}

// The operand `x` of `op x;`.
inline Operand parse_operand_text(const std::string& operand) {
  return std::move(parse_one("op " + operand + ";").operands.at(0));
}

// The message of the Error that the text ends with.
inline std::string error_of(const std::string& text) {
  try {
    parse_text(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadProgram);
    return error.what();
  }
  return "no error";
}

inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The first line of the message, without the name of the file.
inline std::string complaint_of(const std::string& text) {
  const std::string line = first_line(error_of(text));
  return line.starts_with("k.ptx:") ? line.substr(6) : line;
}

}  // namespace heddle::ptx
