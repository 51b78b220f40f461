#include "experiment/originals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

class OriginalsFile : public testing::Test {
 protected:
  ~OriginalsFile() override { std::filesystem::remove(path_); }
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }

 private:
  std::string path_ = testing::TempDir() + "originals.json";
};

std::string row(const std::string& machine, const std::string& mechanism, const std::string& rest) {
  return R"({"workload": "bfs", "program": "P", "input": "i", "compiler": "era", "machine": ")" + machine +
         R"(", "mechanism": ")" + mechanism + R"(", )" + rest + "}";
}

constexpr char kRan[] =
    R"("exit_code": 0, "thread_instructions": 14900000, "simd_efficiency": 0.347, "deepest": 3, "over_pdom": 1.15)";

constexpr char kElsewhere[] =  // of the same program
    R"("exit_code": 0, "thread_instructions": 9000000, "simd_efficiency": 0.9, "deepest": 9, "over_pdom": 1)";

TEST_F(OriginalsFile, BecomesARowPerProgramAndAColumnPerMechanismAndMachine) {
  const Originals originals = read_originals(
      write(R"({"schema": "heddle-originals-1", "rows": [)" + row("a", "pdom", kRan) + "," + row("a", "tbc", kRan) +
            "," + row("b", "pdom", kElsewhere) + "," + row("b", "lwm", R"("error": "it does not build")") + "]}"));
  EXPECT_THAT(originals.columns, ElementsAre("tbc, a"));
  ASSERT_EQ(originals.rows.size(), 1U);
  EXPECT_THAT(originals_table(originals), ContainsRegex("bfs +P +era +14.9 M +34.7 % +3 +\\+15.0 %"));
  EXPECT_THAT(originals_section(originals), HasSubstr("| bfs | P | era | 14.9 M | 34.7 % | 3 | +15.0 % |"));
}

TEST_F(OriginalsFile, OfAnotherKindIsRefused) {
  const auto message = [&](const std::string& text) -> std::string {
    try {
      read_originals(write(text));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("{"), HasSubstr("no table of tools/measure-originals"));
  EXPECT_THAT(message(R"({"schema": "heddle-run-1"})"), HasSubstr("another schema"));
  EXPECT_THAT(message(R"({"schema": "heddle-originals-1", "rows": [{"exit_code": 0}]})"), HasSubstr("program"));
  EXPECT_THROW(read_originals("/no/such/file"), Error);
}

}  // namespace
}  // namespace heddle
