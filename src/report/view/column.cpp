#include "report/view/column.h"

#include <string>
#include <string_view>

namespace heddle {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k)
      three = three << 8U | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (unsigned k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63U];
  }
  return text;
}

void add_leb128(std::string& bytes, uint64_t value) {
  for (; value > 127; value >>= 7U) bytes += static_cast<char>((value & 127U) | 128U);
  bytes += static_cast<char>(value);
}

bool is_even(const std::vector<uint64_t>& numbers) {
  for (size_t i = 2; i < numbers.size(); ++i)
    if (numbers[i] - numbers[i - 1] != numbers[1] - numbers[0]) return false;
  return true;
}

}  // namespace

nlohmann::ordered_json column_json(const std::vector<uint64_t>& numbers) {
  if (is_even(numbers)) {
    const uint64_t first = numbers.empty() ? 0 : numbers[0], step = numbers.size() < 2 ? 0 : numbers[1] - first;
    return {first, static_cast<int64_t>(step), numbers.size()};
  }
  std::string bytes;
  uint64_t before = 0;
  for (const uint64_t number : numbers) {
    const uint64_t step = number - before;
    add_leb128(bytes, step << 1U ^ (step >> 63U != 0 ? ~uint64_t{0} : 0));
    before = number;
  }
  return base64(bytes);
}

}  // namespace heddle
