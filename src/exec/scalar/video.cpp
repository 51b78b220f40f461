// Video instructions: pieces of words, selected, saturated and put together again.
#include "exec/numeric/video.h"

#include "exec/scalar/form.h"

namespace heddle {
namespace {

struct Signs {
  bool a, b, d;
};
// vset has no type of its result: a number without a sign.
Signs signs_of(const Instruction& i) {
  const bool sets = i.op == Op::VideoSet;
  const Type a = sets ? i.type : i.source_type;
  return {a == Type::S32, i.second_source_type == Type::S32, !sets && i.type == Type::S32};
}

bool video_compare(const Instruction& i, int64_t a, int64_t b) {
  if (i.has(Mod::Eq)) return a == b;
  if (i.has(Mod::Ne)) return a != b;
  if (i.has(Mod::Lt)) return a < b;
  if (i.has(Mod::Le)) return a <= b;
  return i.has(Mod::Gt) ? a > b : a >= b;
}

bool is_shift(const Instruction& i) { return i.op == Op::VideoShl || i.op == Op::VideoShr; }

int64_t operate(const Instruction& i, int64_t a, int64_t b) {
  switch (i.op) {
    case Op::VideoAdd: return a + b;
    case Op::VideoSub: return a - b;
    case Op::VideoAbsDiff: return a < b ? b - a : a - b;
    case Op::VideoAverage: return numeric::rounded_average(a, b);
    case Op::VideoMin: return std::min(a, b);
    case Op::VideoMax: return std::max(a, b);
    case Op::VideoSet: return video_compare(i, a, b);
    default: return numeric::shifted(a, static_cast<uint32_t>(b), i.has(Mod::Wrap), i.op == Op::VideoShl);
  }
}

int64_t saturate_one(const Instruction& i, int64_t x, bool is_signed) {
  if (!i.has(Mod::Sat)) return x;
  // A shifted number is saturated as a word, whatever it then goes into.
  if (is_shift(i)) return numeric::saturated(x, 32, is_signed);
  return numeric::saturated_as_assembled(x, i.video.d.bits, is_signed);
}

Results one_lane(const Instruction& i, const uint64_t* source) {
  const VideoPart &a = i.video.a, &b = i.video.b, &d = i.video.d;
  const Signs sign = signs_of(i);
  const int64_t left = numeric::piece_of(source[0], a.bits, a.pieces, sign.a);
  const int64_t right = numeric::piece_of(source[1], b.bits, b.pieces, sign.b);
  const auto x = static_cast<uint32_t>(saturate_one(i, operate(i, left, right), sign.d));
  const uint32_t c = i.src_count > 2 ? static_cast<uint32_t>(source[2]) : 0;
  if (i.has(Mod::Add)) return {x + c, 0};
  if (i.has(Mod::Min) || i.has(Mod::Max)) return {numeric::second_min_max(x, c, sign.d, i.has(Mod::Max)), 0};
  return {d.bits < 32 ? numeric::merged(x, c, d.bits, d.pieces) : x, 0};
}

// Lanes that are not written keep those of c, or add nothing to it.
Results several_lanes(const Instruction& i, const uint64_t* source) {
  const Video& video = i.video;
  const unsigned bits = video.d.bits;
  const Signs sign = signs_of(i);
  const uint64_t both = source[1] << 32 | source[0];
  const auto c = static_cast<uint32_t>(source[2]);
  uint32_t sum = c, joined = c;
  for (unsigned lane = 0; lane < video.lanes; ++lane) {
    if ((video.d.pieces >> lane & 1) == 0) continue;
    const int64_t a = numeric::piece_of(both, bits, video.a.pieces >> (4 * lane) & 15, sign.a);
    const int64_t b = numeric::piece_of(both, bits, video.b.pieces >> (4 * lane) & 15, sign.b);
    int64_t x = operate(i, a, b);
    if (i.has(Mod::Sat)) x = numeric::saturated(x, bits, sign.d);
    sum += static_cast<uint32_t>(x);
    const uint32_t mask = static_cast<uint32_t>(numeric::greatest(bits, false)) << (bits * lane);
    joined = (joined & ~mask) | (static_cast<uint32_t>(x) << (bits * lane) & mask);
  }
  return {i.has(Mod::Add) ? sum : joined, 0};
}

Results multiply_add(const Instruction& i, const uint64_t* source) {
  const Video& video = i.video;
  const Signs sign = signs_of(i);
  const numeric::VideoMadModifiers how{.is_signed = sign.a || sign.b,
                                       .minus_product = video.minus_product,
                                       .minus_c = video.minus_c,
                                       .plus_one = i.has(Mod::PlusOne),
                                       .saturate = i.has(Mod::Sat),
                                       .shift = i.has(Mod::Shr7)    ? 7U
                                                : i.has(Mod::Shr15) ? 15U
                                                                    : 0U};
  return {numeric::video_mad(numeric::piece_of(source[0], video.a.bits, video.a.pieces, sign.a),
                             numeric::piece_of(source[1], video.b.bits, video.b.pieces, sign.b),
                             static_cast<uint32_t>(source[2]), how),
          0};
}

}  // namespace

Scalar select_video(const Instruction& i) {
  if (!is_video(i.op)) return nullptr;
  if (i.op == Op::VideoMad) return multiply_add;
  return i.video.lanes == 1 ? one_lane : several_lanes;
}

}  // namespace heddle
