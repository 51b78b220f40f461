#include "exec/atomic_value.h"

#include <bit>

#include "base/error.h"
#include "exec/numeric/atomic.h"
#include "exec/numeric/min_max.h"

namespace heddle {
namespace {

using numeric::Bf16;
using numeric::F16;

template <class T>
uint64_t ordered(const Instruction& i, uint64_t old, uint64_t a) {
  const auto x = static_cast<T>(old), y = static_cast<T>(a);
  const T result = i.has(Mod::Min) ? (y < x ? y : x) : (y > x ? y : x);
  return static_cast<std::make_unsigned_t<T>>(result);
}

template <class Half>
uint16_t half(const Instruction& i, uint16_t old, uint16_t a) {
  if (i.has(Mod::Add)) return numeric::atomic_add(Half{old}, Half{a}).bits;
  return i.has(Mod::Min) ? numeric::min(Half{old}, Half{a}).bits : numeric::max(Half{old}, Half{a}).bits;
}

template <class Half>
uint64_t two_halves(const Instruction& i, uint64_t old, uint64_t a) {
  const uint32_t low = half<Half>(i, static_cast<uint16_t>(old), static_cast<uint16_t>(a));
  const uint32_t high = half<Half>(i, static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(a >> 16));
  return low | high << 16;
}

uint64_t add(Type type, bool shared, uint64_t old, uint64_t a) {
  if (type == Type::F32) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(old)), y = std::bit_cast<float>(static_cast<uint32_t>(a));
    return std::bit_cast<uint32_t>(shared ? numeric::atomic_add_shared(x, y) : numeric::atomic_add_global(x, y));
  }
  if (type == Type::F64) {
    const auto x = std::bit_cast<double>(old), y = std::bit_cast<double>(a);
    return std::bit_cast<uint64_t>(shared ? numeric::atomic_add_shared(x, y) : numeric::atomic_add_global(x, y));
  }
  return old + a;  // the caller keeps as many bytes as the type has
}

}  // namespace

uint64_t atomic_value(const Instruction& i, bool shared, uint64_t old, uint64_t a, uint64_t b) {
  switch (i.type) {
    case Type::F16: return half<F16>(i, static_cast<uint16_t>(old), static_cast<uint16_t>(a));
    case Type::BF16: return half<Bf16>(i, static_cast<uint16_t>(old), static_cast<uint16_t>(a));
    case Type::F16x2: return two_halves<F16>(i, old, a);
    case Type::BF16x2: return two_halves<Bf16>(i, old, a);
    default: break;
  }
  if (i.has(Mod::Add)) return add(i.type, shared, old, a);
  if (i.has(Mod::And)) return old & a;
  if (i.has(Mod::Or)) return old | a;
  if (i.has(Mod::Xor)) return old ^ a;
  if (i.has(Mod::Exch)) return a;
  if (i.has(Mod::Cas)) return numeric::atomic_cas(old, a, b);
  if (i.has(Mod::Inc)) return numeric::atomic_inc(static_cast<uint32_t>(old), static_cast<uint32_t>(a));
  if (i.has(Mod::Dec)) return numeric::atomic_dec(static_cast<uint32_t>(old), static_cast<uint32_t>(a));
  switch (i.type) {
    case Type::U32: return ordered<uint32_t>(i, old, a);
    case Type::S32: return ordered<int32_t>(i, old, a);
    case Type::U64: return ordered<uint64_t>(i, old, a);
    default: return ordered<int64_t>(i, old, a);
  }
}

}  // namespace heddle
