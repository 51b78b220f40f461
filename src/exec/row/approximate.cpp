// Row forms of the f32 approximations.
#include "exec/numeric/approximate.h"

#include "exec/handlers.h"
#include "exec/row/row.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

using Approximate = void (*)(const float* from, float* to, bool ftz);

// So few threads are quicker one by one.
constexpr unsigned kTooFewLanes = 8;

template <Approximate approximate>
void approximate_row(Context& context, const Instruction& instruction, const Lanes& lanes) {
  if (!lanes.is_row() || lanes.mask.count() <= kTooFewLanes) return interpret(context, instruction, lanes);
  float* const to = context.row<float>(instruction.dst[0], lanes.first);
  alignas(64) float result[kRow];
  approximate(context.source_row<float>(instruction.src[0], lanes.first), result, instruction.has(Mod::Ftz));
  blend(to, result, lanes.mask);
}

}  // namespace

Handler select_row_approximate(const Instruction& i) {
  if (!i.has(Mod::Approx) || i.type != Type::F32) return nullptr;
  switch (i.op) {
    case Op::Rcp: return &approximate_row<numeric::rcp_approx>;
    case Op::Sqrt: return &approximate_row<numeric::sqrt_approx>;
    case Op::Rsqrt: return &approximate_row<numeric::rsqrt_approx>;
    case Op::Sin: return &approximate_row<numeric::sin_approx>;
    case Op::Cos: return &approximate_row<numeric::cos_approx>;
    case Op::Lg2: return &approximate_row<numeric::lg2_approx>;
    case Op::Ex2: return &approximate_row<numeric::ex2_approx>;
    default: return nullptr;
  }
}

}  // namespace heddle
