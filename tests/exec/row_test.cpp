// The handlers that execute a whole row at once mean what the scalars mean: for every value instruction of the table,
// on full rows, on masked rows, and on lists of threads from several rows.
#include "exec/row/row.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>

#include "exec/handlers.h"
#include "exec/row/level.h"
#include "exec/scalar/scalar.h"
#include "support/value_forms.h"

namespace heddle::test {
namespace {

constexpr unsigned kRows = 3, kThreads = kRows * kRow;
constexpr uint32_t kSlot = 16 * kRow;  // bytes of the widest register row
constexpr uint32_t kFirstSource = 2 * kSlot, kSources = 6, kPlane = kFirstSource + kSources * kSlot;

// Bit patterns at which arithmetic goes wrong first, of all widths at once.
constexpr uint64_t kSpecials[] = {
    0,
    1,
    2,
    31,
    32,
    33,
    63,
    64,
    255,
    ~uint64_t{0},
    0x7f,
    0x80,
    0x7fff,
    0x8000,
    0x7fff'ffff,
    0x8000'0000,
    0xffff'0000,
    0x8000'8000,
    0x7fff'ffff'ffff'ffff,
    0x8000'0000'0000'0000,
    0x3c00,
    0xbc00,
    0x7bff,
    0x7c00,
    0xfc00,
    0x7e00,
    0x0001'0001,
    0x03ff,
    0x0400,
    0x3c00'bc00,  // f16
    0x3f80,
    0x7f80,
    0xff80,
    0x7fc0,
    0x007f,
    0x3f80'bf80,  // bf16
    0x3f80'0000,
    0xbf80'0000,
    0x4000'0000,
    0x7f7f'ffff,
    0x7f80'0000,
    0xff80'0000,
    0x7fc0'0000,
    0x7f80'0001,
    0x007f'ffff,
    0x0080'0000,
    0x8000'0001,
    0x4f00'0000,
    0xcf00'0000,
    0x5f00'0000,
    0x3eff'ffff,  // f32
    0x3ff0'0000'0000'0000,
    0xbff0'0000'0000'0000,
    0x7fef'ffff'ffff'ffff,
    0x7ff0'0000'0000'0000,
    0xfff0'0000'0000'0000,
    0x7ff8'0000'0000'0000,
    0x7ff0'0000'0000'0001,
    0x000f'ffff'ffff'ffff,
    0x0010'0000'0000'0000,
    0x43e0'0000'0000'0000,
};

Operand operand_at(uint32_t at, unsigned bytes) {
  return {at, static_cast<uint8_t>(bytes == 0 ? 0 : std::max(2U, bytes)), false};
}

// One instruction on a core of three rows.
class Core {
 public:
  explicit Core(const Instruction& instruction, std::mt19937_64& random) : random_(random) {
    kernel_.name = "row";
    kernel_.code = {instruction};
    kernel_.functions.push_back({"row", 0, 1, {}, 0, 0, false});
    kernel_.plane_bytes = kPlane;
    kernel_.constant_bytes = kPlane;
    LaunchInfo launch;
    launch.block = {kThreads, 1, 1};
    std::vector<std::byte> constants(kPlane);
    for (std::byte& byte : constants) byte = static_cast<std::byte>(random_());
    for (unsigned k = 0; k < instruction.src_count; ++k) {  // a constant is the same for all lanes
      const Operand& source = instruction.src[k];
      if (!source.constant()) continue;
      const uint64_t value = source.bytes == 0 ? (random_() & 1 ? ~uint64_t{0} : 0) : pattern();
      for (unsigned lane = 0; lane < kRow; ++lane)
        std::memcpy(&constants[source.offset() + lane * source.bytes], &value, std::max<size_t>(source.bytes, 4));
    }
    context_ = std::make_unique<Context>(kernel_, launch, memory(), constant_plane_of(constants), kRows);
    context_->start_block(BlockId(0), Hw(0), {0, 0, 0});
  }

  void fill_planes() {
    for (unsigned row = 0; row < kRows; ++row) {
      std::byte* plane = context_->plane(static_cast<Hw>(row * kRow));
      for (uint32_t at = 0; at < kPlane; at += 8) {
        const uint64_t bits = random_();
        std::memcpy(plane + at, &bits, 8);
      }
    }
    const Instruction& i = kernel_.code[0];
    for (unsigned k = 0; k < i.src_count; ++k)
      if (!i.src[k].constant())
        for (unsigned t = 0; t < kThreads; ++t)
          context_->set_bits(i.src[k], static_cast<Hw>(t), i.src[k].bytes == 0 ? random_() & 1 : pattern());
  }

  // Runs the handler and says for which thread something is not as the scalar has it; "" if all is well.
  std::string check(Handler handler, const Lanes& lanes) {
    const Instruction& i = kernel_.code[0];
    std::array<std::array<uint64_t, kThreads>, 2> expected;
    for (unsigned k = 0; k < i.dst_count; ++k)
      for (unsigned t = 0; t < kThreads; ++t) expected[k][t] = context_->get_bits(i.dst[k], static_cast<Hw>(t));
    for_each_lane(lanes.mask, [&](unsigned lane) {
      const Hw thread = lanes.thread(lane);
      uint64_t source[9] = {};
      for (unsigned k = 0; k < i.src_count; ++k) source[k] = context_->get_bits(i.src[k], thread);
      const Results results = context_->scalars[0](i, source);
      expected[0][thread] = narrowed(results.first, i.dst[0]);
      if (i.dst_count > 1) expected[1][thread] = narrowed(results.second, i.dst[1]);
    });
    context_->pc = 0;
    handler(*context_, i, lanes);
    for (unsigned k = 0; k < i.dst_count; ++k)
      for (unsigned t = 0; t < kThreads; ++t) {
        const uint64_t got = context_->get_bits(i.dst[k], static_cast<Hw>(t));
        if (got == expected[k][t]) continue;
        std::ostringstream text;
        text << "destination " << k << " of thread " << t << ": " << std::hex << got << " and not " << expected[k][t];
        return text.str();
      }
    return "";
  }

 private:
  static GlobalMemory& memory() {
    static GlobalMemory memory;
    return memory;
  }
  static uint64_t narrowed(uint64_t value, const Operand& operand) {
    if (operand.bytes == 0) return value != 0;
    return operand.bytes == 8 ? value : value & ((uint64_t{1} << (8 * operand.bytes)) - 1);
  }
  uint64_t pattern() {
    const uint64_t choice = random_();
    return choice & 1 ? kSpecials[(choice >> 1) % std::size(kSpecials)] : random_();
  }

  std::mt19937_64& random_;
  Kernel kernel_;
  std::unique_ptr<Context> context_;
};

// Full row, masked row, a list of threads from everywhere.
std::vector<Lanes> shapes(std::mt19937_64& random, std::array<Hw, kThreads>& shuffled) {
  std::iota(shuffled.begin(), shuffled.end(), Hw{0});
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  const LaneMask some(static_cast<uint32_t>(random())), one = LaneMask::of(static_cast<unsigned>(random() % kRow));
  return {{LaneMask::all(), Hw{kRow}, nullptr},
          {some, Hw{0}, nullptr},
          {one, Hw{2 * kRow}, nullptr},
          {LaneMask::all(), Hw{0}, shuffled.data()},
          {some, Hw{0}, shuffled.data()}};
}

std::string failure_of(const Instruction& instruction, Handler handler, unsigned rounds, std::mt19937_64& random) {
  Core core(instruction, random);
  std::array<Hw, kThreads> shuffled;
  for (unsigned round = 0; round < rounds; ++round)
    for (const Lanes& lanes : shapes(random, shuffled)) {
      core.fill_planes();
      if (const std::string wrong = core.check(handler, lanes); !wrong.empty())
        return wrong + (lanes.is_row() ? " (row)" : " (list)") + (lanes.mask.full() ? "" : " (masked)");
    }
  return "";
}

// The instruction with registers, and the same with what decoding may also make of it.
std::vector<std::pair<const char*, Instruction>> variants(const Form& form, Instruction plain) {
  const OperandWidths widths = operand_widths(form, plain.type, plain.source_type);
  for (unsigned k = 0; k < plain.dst_count; ++k) plain.dst[k] = operand_at(k * kSlot, widths.destinations[k]);
  for (unsigned k = 0; k < plain.src_count; ++k) plain.src[k] = operand_at(kFirstSource + k * kSlot, widths.sources[k]);
  std::vector<std::pair<const char*, Instruction>> result{{"", plain}};
  if (widths.least_destinations < plain.dst_count) {
    result.push_back({" without the second destination", plain});
    result.back().second.dst_count = static_cast<uint8_t>(widths.least_destinations);
  }
  if (plain.src_count > 0 && plain.dst[0].bytes == plain.src[0].bytes) {
    result.push_back({" in place", plain});
    result.back().second.dst[0] = plain.src[0];
  }
  if (plain.src_count > 0) {
    result.push_back({" with a constant", plain});
    Operand& last = result.back().second.src[plain.src_count - 1U];
    last.at |= Operand::kConstant;
  }
  const auto predicate = std::find_if(plain.src.begin(), plain.src.begin() + plain.src_count,
                                      [](const Operand& o) { return o.bytes == 0; });
  if (predicate != plain.src.begin() + plain.src_count) {
    result.push_back({" with a negated predicate", plain});
    result.back().second.src[static_cast<size_t>(predicate - plain.src.begin())].negated = true;
  }
  if (plain.op == Op::Cvt && plain.src_count == 1) {  // registers may be wider than the types
    result.push_back({" with wide registers", plain});
    result.back().second.dst[0].bytes = result.back().second.src[0].bytes = 8;
    if (plain.dst[0].bytes < 4) {
      result.push_back({" into 32 bits", plain});
      result.back().second.dst[0].bytes = 4;
    }
  }
  return result;
}

TEST(RowForms, equal_the_scalars_for_every_value_instruction_on_rows_masked_rows_and_lists) {
  const unsigned rounds = std::getenv("HEDDLE_FULL") ? 40 : 3;
  std::mt19937_64 random(1);
  unsigned checked = 0, with_row_form = 0;
  for_each_value_instruction([&](const Form& form, const Words& words, const Instruction& instruction) {
    if (instruction.type == Type::B128) return;  // no scalar; moves of it have their own test
    for (const auto& [what, variant] : variants(form, instruction)) {
      const std::string name = fmt::format("{}{}, {} sources", text_of(form, words), what, variant.src_count);
      EXPECT_EQ(failure_of(variant, select_handler(variant), rounds, random), "") << name;
      for (const RowLevel& level : row_levels()) {
        const Handler handler = level.available ? level.forms.select(variant) : nullptr;
        if (!handler) continue;
        EXPECT_EQ(failure_of(variant, handler, rounds, random), "") << name << ", level " << level.name;
      }
      with_row_form += select_handler(variant) != &interpret;
      ++checked;
    }
  });
  EXPECT_GT(checked, 8000U);
  EXPECT_GT(with_row_form, 300U);
  RecordProperty("checked", static_cast<int>(checked));
  RecordProperty("with_row_form", static_cast<int>(with_row_form));
}

TEST(RowForms, are_taken_from_the_best_level_of_this_processor_or_the_one_that_is_named) {
  ASSERT_EQ(row_levels().front().name, "base");
  for (const RowLevel& level : row_levels()) {
    if (level.available) {
      EXPECT_EQ(&row_level_named(level.name), &level);
      EXPECT_GE(&row_level_named(""), &level);
    } else {
      EXPECT_THROW(row_level_named(level.name), Error);
    }
  }
  EXPECT_THROW(row_level_named("v9"), Error);
}

TEST(RowForms, blend_replaces_the_lanes_of_the_mask_and_no_others) {
  std::mt19937_64 random(2);
  const auto holds = [&]<class T>(T) {
    T to[kRow], from[kRow];
    for (unsigned lane = 0; lane < kRow; ++lane)
      to[lane] = static_cast<T>(lane), from[lane] = static_cast<T>(100 + lane);
    const LaneMask mask(static_cast<uint32_t>(random()));
    blend(to, from, mask);
    for (unsigned lane = 0; lane < kRow; ++lane)
      EXPECT_EQ(to[lane], static_cast<T>(mask.has(lane) ? 100 + lane : lane));
  };
  for (unsigned round = 0; round < 100; ++round) {
    holds(uint16_t{});
    holds(int32_t{});
    holds(float{});
    holds(uint64_t{});
    holds(double{});
  }
}

}  // namespace
}  // namespace heddle::test
