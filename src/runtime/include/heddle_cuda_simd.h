// Functions on the two halves or four bytes of a word. Kernels of compute capability 7.5 have no instructions for most
// of them either: they are done part by part.
#pragma once

#define HEDDLE_PARTS(name, type, bits, value)                   \
  HEDDLE_INLINE unsigned name(unsigned x, unsigned y) {         \
    unsigned result = 0;                                        \
    _Pragma("unroll") for (int at = 0; at < 32; at += bits) {   \
      const int a = (type)(x >> at), b = (type)(y >> at);       \
      result |= ((unsigned)(value) & ((1u << bits) - 1)) << at; \
    }                                                           \
    return result;                                              \
  }
#define HEDDLE_SIGNED(name, value)             \
  HEDDLE_PARTS(__v##name##2, short, 16, value) \
  HEDDLE_PARTS(__v##name##4, signed char, 8, value)
#define HEDDLE_UNSIGNED(name, value)                    \
  HEDDLE_PARTS(__v##name##2, unsigned short, 16, value) \
  HEDDLE_PARTS(__v##name##4, unsigned char, 8, value)

HEDDLE_UNSIGNED(add, a + b)
HEDDLE_UNSIGNED(sub, a - b)
HEDDLE_PARTS(__vaddss2, short, 16, min(max(a + b, -32768), 32767))
HEDDLE_PARTS(__vaddss4, signed char, 8, min(max(a + b, -128), 127))
HEDDLE_PARTS(__vsubss2, short, 16, min(max(a - b, -32768), 32767))
HEDDLE_PARTS(__vsubss4, signed char, 8, min(max(a - b, -128), 127))
HEDDLE_PARTS(__vaddus2, unsigned short, 16, min(a + b, 65535))
HEDDLE_PARTS(__vaddus4, unsigned char, 8, min(a + b, 255))
HEDDLE_UNSIGNED(subus, max(a - b, 0))
HEDDLE_SIGNED(absdiffs, a > b ? a - b : b - a)
HEDDLE_UNSIGNED(absdiffu, a > b ? a - b : b - a)
HEDDLE_SIGNED(avgs, (a + b + (a + b >= 0)) >> 1)
HEDDLE_UNSIGNED(avgu, (a + b + 1) >> 1)
HEDDLE_UNSIGNED(haddu, (a + b) >> 1)
HEDDLE_SIGNED(mins, min(a, b))
HEDDLE_SIGNED(maxs, max(a, b))
HEDDLE_UNSIGNED(minu, min(a, b))
HEDDLE_UNSIGNED(maxu, max(a, b))

#define HEDDLE_COMPARISON(kind, name, sign) \
  HEDDLE_##kind(cmp##name, a sign b ? ~0 : 0) HEDDLE_##kind(set##name, a sign b ? 1 : 0)
HEDDLE_COMPARISON(UNSIGNED, eq, ==)
HEDDLE_COMPARISON(UNSIGNED, ne, !=)
HEDDLE_COMPARISON(UNSIGNED, ltu, <)
HEDDLE_COMPARISON(UNSIGNED, leu, <=)
HEDDLE_COMPARISON(UNSIGNED, gtu, >)
HEDDLE_COMPARISON(UNSIGNED, geu, >=)
HEDDLE_COMPARISON(SIGNED, lts, <)
HEDDLE_COMPARISON(SIGNED, les, <=)
HEDDLE_COMPARISON(SIGNED, gts, >)
HEDDLE_COMPARISON(SIGNED, ges, >=)
#undef HEDDLE_COMPARISON

#define HEDDLE_OF_ONE(name, from)                                                \
  HEDDLE_INLINE unsigned __v##name##2(unsigned a) { return __v##from##2(a, 0); } \
  HEDDLE_INLINE unsigned __v##name##4(unsigned a) { return __v##from##4(a, 0); }
HEDDLE_OF_ONE(abs, absdiffs)
HEDDLE_INLINE unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
HEDDLE_INLINE unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
HEDDLE_INLINE unsigned __vnegss2(unsigned a) { return __vsubss2(0, a); }
HEDDLE_INLINE unsigned __vnegss4(unsigned a) { return __vsubss4(0, a); }
HEDDLE_INLINE unsigned __vabsss2(unsigned a) { return __vmaxs2(a, __vnegss2(a)); }
HEDDLE_INLINE unsigned __vabsss4(unsigned a) { return __vmaxs4(a, __vnegss4(a)); }
#undef HEDDLE_OF_ONE

// ---- sums of differences

#define HEDDLE_SUM(name, from, bits)                                                                 \
  HEDDLE_INLINE unsigned name(unsigned x, unsigned y) {                                              \
    const unsigned parts = from(x, y);                                                               \
    unsigned sum = 0;                                                                                \
    _Pragma("unroll") for (int at = 0; at < 32; at += bits) sum += parts >> at & ((1u << bits) - 1); \
    return sum;                                                                                      \
  }
HEDDLE_SUM(__vsads2, __vabsdiffs2, 16)
HEDDLE_SUM(__vsads4, __vabsdiffs4, 8)
HEDDLE_SUM(__vsadu2, __vabsdiffu2, 16)
HEDDLE_SUM(__vsadu4, __vabsdiffu4, 8)
#undef HEDDLE_SUM
#undef HEDDLE_UNSIGNED
#undef HEDDLE_SIGNED
#undef HEDDLE_PARTS
