// Operands of video instructions: registers with selectors, and what excludes what.
#include <fmt/format.h>

#include "program/function_decoder.h"

namespace heddle {

void FunctionDecoder::video_operand(const ptx::Operand& written, Instruction& out, bool is_destination) {
  constexpr unsigned c = 2;
  ptx::Operand plain = written;
  auto* name = std::get_if<ptx::Name>(&plain.value);
  const size_t dot = name ? name->text.rfind('.') : std::string::npos;
  if (dot != std::string::npos && scopes_.find_register(name->text.substr(0, dot)).size() == 1) {
    const std::string selector = name->text.substr(dot + 1);
    name->text.resize(dot);
    Video& video = out.video;
    const bool fits =
        is_destination
            ? read_destination_selector(selector, video.lanes, video.d)
            : out.src_count < c && read_source_selector(selector, video.lanes, out.src_count == 0 ? video.a : video.b);
    if (!fits) return problem(written.place, fmt::format("the selector '.{}' does not exist here", selector));
  }
  if (is_destination) {
    out.dst[out.dst_count++] = destination(plain, 4, Type::None);
    return;
  }
  if (written.minus) {
    bool& minus = out.src_count < c ? out.video.minus_product : out.video.minus_c;
    minus = !minus;
  }
  out.src[out.src_count++] = value(plain, 4, Type::None);
}

void FunctionDecoder::check_video(const ptx::Instruction& written, const Instruction& out) {
  const Video& video = out.video;
  if (out.op == Op::VideoMad) {
    const bool minus = video.minus_product || video.minus_c;
    if (minus && out.has(Mod::PlusOne)) problem(written.place, "'.po' and a negated operand exclude each other");
    if (video.minus_product && video.minus_c)
      problem(written.place, "'vmad' negates the product or the sum's other part, not both");
    return;
  }
  if (video.lanes > 1) return;
  const bool second = out.has(Mod::Add) || out.has(Mod::Min) || out.has(Mod::Max);
  const bool merges = video.d.bits < 32;
  if (second && merges)
    problem(written.place, "a selector of the destination and a second operation exclude each other");
  if (out.src_count == 3 && !second && !merges)
    problem(written.place, "a third source is for a second operation, or for a destination with a selector");
  if (out.src_count == 2 && merges)
    problem(written.place, "a destination with a selector needs a third source, whose other bits it keeps");
}

}  // namespace heddle
