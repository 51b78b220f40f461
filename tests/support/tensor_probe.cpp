#include "support/tensor_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace heddle::test {
namespace {

// Registers of a lane: how many, and of how many words.
struct Fragment {
  Element element;
  unsigned registers;
  unsigned words() const { return registers * (element == Element::F64 ? 2 : 1); }
};

const char* register_type(Element element) {
  return element == Element::F64 ? "f64" : element == Element::F32 ? "f32" : "b32";
}

std::string braces(char name, unsigned registers) {
  std::string text;
  for (unsigned i = 0; i < registers; ++i) text += fmt::format("{}%{}{}", i ? ", " : "", name, i);
  return "{" + text + "}";
}

std::string declared(char name, const Fragment& fragment) {
  return fmt::format("  .reg .{} %{}<{}>;\n", register_type(fragment.element), name, fragment.registers);
}

// Words of a tile lie [register][lane], so that neighbours in memory are neighbours in a register only where these
// have several elements.
std::string moved(bool load, char name, const Fragment& fragment, unsigned first_word) {
  std::string text;
  const unsigned bytes = fragment.element == Element::F64 ? 8 : 4;
  for (unsigned i = 0; i < fragment.registers; ++i) {
    const unsigned offset = first_word * kProbeLanes * 4 + i * kProbeLanes * bytes;
    const char* at = bytes == 8 ? "8" : "4";
    if (load)
      text += fmt::format("  ld.global.{} %{}{}, [%in{}+{}];\n", register_type(fragment.element), name, i, at, offset);
    else
      text += fmt::format("  st.global.{} [%out{}+{}], %{}{};\n", register_type(fragment.element), at, offset, name, i);
  }
  return text;
}

struct Mma {
  const char* text;
  Fragment a, b, c;  // d is as c, but where it says otherwise
  unsigned tiles;
};

TensorProbe mma(const Mma& each) {
  TensorProbe probe;
  probe.name = each.text;
  const std::string_view text = each.text;
  // Of D and C of different widths: D is the first type.
  Fragment d = each.c;
  if (text.find(".f32.f16.f16.f16") != text.npos) d = {Element::F32, each.c.registers * 2};
  if (text.find(".f16.f16.f16.f32") != text.npos) d = {Element::F16, each.c.registers / 2};
  const unsigned a = each.a.words(), b = each.b.words(), c = each.c.words();
  std::string body = declared('a', each.a) + declared('b', each.b) + declared('c', each.c) + declared('d', d);
  body += moved(true, 'a', each.a, 0) + moved(true, 'b', each.b, a) + moved(true, 'c', each.c, a + b);
  const auto operand = [](char name, const Fragment& fragment) {
    return fragment.registers == 1 ? fmt::format("{{%{}0}}", name) : braces(name, fragment.registers);
  };
  body += fmt::format("  {} {}, {}, {}, {};\n", text, operand('d', d), operand('a', each.a), operand('b', each.b),
                      operand('c', each.c));
  body += moved(false, 'd', d, 0);
  probe.inputs = {
      {each.a.element, a * kProbeLanes}, {each.b.element, b * kProbeLanes}, {each.c.element, c * kProbeLanes}};
  probe.out_words = d.words() * kProbeLanes;
  probe.ptx = probe_module(body, (a + b + c) * kProbeLanes, probe.out_words);
  probe.tiles = each.tiles;
  return probe;
}

void add_mma(std::vector<TensorProbe>& all) {
  using enum Element;
  const auto add = [&](const std::string& text, Fragment a, Fragment b, Fragment c, unsigned tiles) {
    all.push_back(mma({("mma.sync.aligned." + text).c_str(), a, b, c, tiles}));
  };
  constexpr unsigned kFloat = 32, kInteger = 2;
  for (const char* shape : {"m16n8k8", "m16n8k16"}) {
    const unsigned k = std::string_view(shape) == "m16n8k8" ? 1 : 2;
    const std::string start = std::string(shape) + ".row.col.";
    add(start + "f16.f16.f16.f16", {F16, 2 * k}, {F16, k}, {F16, 2}, kFloat);
    add(start + "f32.f16.f16.f32", {F16, 2 * k}, {F16, k}, {F32, 4}, kFloat);
    add(start + "f32.bf16.bf16.f32", {Bf16, 2 * k}, {Bf16, k}, {F32, 4}, kFloat);
  }
  add("m16n8k4.row.col.f32.tf32.tf32.f32", {Tf32, 2}, {Tf32, 1}, {F32, 4}, kFloat);
  add("m16n8k8.row.col.f32.tf32.tf32.f32", {Tf32, 4}, {Tf32, 2}, {F32, 4}, kFloat);
  for (const auto& [a, name_a] : {std::pair(E4m3, "e4m3"), std::pair(E5m2, "e5m2")})
    for (const auto& [b, name_b] : {std::pair(E4m3, "e4m3"), std::pair(E5m2, "e5m2")})
      add(fmt::format("m16n8k32.row.col.f32.{}.{}.f32", name_a, name_b), {a, 4}, {b, 2}, {F32, 4}, kFloat);
  for (const char* layouts : {"row.row", "row.col", "col.row", "col.col"}) {
    const std::string start = std::string("m8n8k4.") + layouts;
    add(start + ".f16.f16.f16.f16", {F16, 2}, {F16, 2}, {F16, 4}, kFloat / 4);
    add(start + ".f32.f16.f16.f32", {F16, 2}, {F16, 2}, {F32, 8}, kFloat / 4);
    add(start + ".f32.f16.f16.f16", {F16, 2}, {F16, 2}, {F16, 4}, kFloat / 4);
  }
  for (const char* rounding : {"", ".rz", ".rm", ".rp"})
    add(fmt::format("m8n8k4.row.col{}.f64.f64.f64.f64", rounding), {F64, 1}, {F64, 1}, {F64, 2}, kFloat);
  add("m16n8k4.row.col.f64.f64.f64.f64", {F64, 2}, {F64, 1}, {F64, 4}, kFloat);
  add("m16n8k8.row.col.f64.f64.f64.f64", {F64, 4}, {F64, 2}, {F64, 4}, kFloat);
  add("m16n8k16.row.col.f64.f64.f64.f64", {F64, 8}, {F64, 4}, {F64, 4}, kFloat);
  struct Whole {
    const char* shape;
    const char* width;
    unsigned a, b, c;
  };
  for (const Whole& each :
       {Whole{"m8n8k16", "8", 1, 1, 2}, Whole{"m16n8k16", "8", 2, 1, 4}, Whole{"m16n8k32", "8", 4, 2, 4},
        Whole{"m8n8k32", "4", 1, 1, 2}, Whole{"m16n8k32", "4", 2, 1, 4}, Whole{"m16n8k64", "4", 4, 2, 4}})
    for (const char* a : {"s", "u"})
      for (const char* b : {"s", "u"})
        for (const char* limit : {"", ".satfinite"})
          add(fmt::format("{}.row.col{}.s32.{}{}.{}{}.s32", each.shape, limit, a, each.width, b, each.width),
              {Bits, each.a}, {Bits, each.b}, {Bits, each.c}, kInteger);
  for (const Whole& each :
       {Whole{"m8n8k128", "", 1, 1, 2}, Whole{"m16n8k128", "", 2, 1, 4}, Whole{"m16n8k256", "", 4, 2, 4}})
    for (const char* how : {"xor", "and"})
      add(fmt::format("{}.row.col.s32.b1.b1.s32.{}.popc", each.shape, how), {Bits, each.a}, {Bits, each.b},
          {Bits, each.c}, kInteger);
}

// Shared memory as it is given; the lanes' row addresses are a shuffle of the 32 rows of 16 bytes.
constexpr const char* kRows = R"(  .reg .u32 %row, %at, %word;
  shl.b32 %at, %lane, 2;
  add.u32 %at, %at, %shared;
  mul.lo.u32 %row, %lane, 13;
  add.u32 %row, %row, 5;
  and.b32 %row, %row, 31;
  shl.b32 %row, %row, 4;
  add.u32 %row, %row, %shared;
)";

std::string shared_words(bool load, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    if (load)
      text +=
          fmt::format("  ld.global.b32 %word, [%in4+{0}];\n  st.shared.b32 [%at+{0}], %word;\n", i * kProbeLanes * 4);
    else
      text +=
          fmt::format("  ld.shared.b32 %word, [%at+{0}];\n  st.global.b32 [%out4+{0}], %word;\n", i * kProbeLanes * 4);
  }
  return text + "  bar.warp.sync -1;\n";
}

void add_matrix_moves(std::vector<TensorProbe>& all) {
  constexpr unsigned kRoom = 4 * kProbeLanes;  // words of 32 rows
  for (const char* transposed : {"", ".trans"})
    for (const unsigned count : {1U, 2U, 4U}) {
      const Fragment d{Element::Bits, count};
      const std::string load = fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16", count, transposed);
      std::string body = kRows + declared('d', d) + shared_words(true, 4);
      body += fmt::format("  {} {}, [%row];\n", load, braces('d', count)) + moved(false, 'd', d, 0);
      all.push_back(
          {load, probe_module(body, kRoom, count * kProbeLanes), {{Element::Bits, kRoom}}, count * kProbeLanes, 1});
      const std::string store = fmt::format("stmatrix.sync.aligned.m8n8.x{}{}.shared.b16", count, transposed);
      body = kRows + declared('d', d) + shared_words(true, 4) + moved(true, 'd', d, 4);
      body +=
          fmt::format("  {} [%row], {};\n  bar.warp.sync -1;\n", store, braces('d', count)) + shared_words(false, 4);
      all.push_back({store,
                     probe_module(body, kRoom + count * kProbeLanes, kRoom),
                     {{Element::Bits, kRoom + count * kProbeLanes}},
                     kRoom,
                     1});
    }
  const Fragment one{Element::Bits, 1};
  const std::string move = "movmatrix.sync.aligned.m8n8.trans.b16";
  const std::string body = declared('a', one) + declared('d', one) + moved(true, 'a', one, 0) +
                           fmt::format("  {} %d0, %a0;\n", move) + moved(false, 'd', one, 0);
  all.push_back({move, probe_module(body, kProbeLanes, kProbeLanes), {{Element::Bits, kProbeLanes}}, kProbeLanes, 1});
}

}  // namespace

std::string probe_module(const std::string& body, unsigned in_words, unsigned out_words) {
  return fmt::format(R"(.version 8.4
.target sm_90
.address_size 64
.visible .entry probe(.param .u64 p_in, .param .u64 p_out)
{{
  .shared .align 128 .b8 room[2048];
  .reg .u64 %tile_in, %tile_out, %in4, %in8, %out4, %out8;
  .reg .u32 %lane, %tile, %shared;
  ld.param.u64 %tile_in, [p_in];
  ld.param.u64 %tile_out, [p_out];
  cvta.to.global.u64 %tile_in, %tile_in;
  cvta.to.global.u64 %tile_out, %tile_out;
  mov.u32 %lane, %tid.x;
  mov.u32 %tile, %ctaid.x;
  mad.wide.u32 %tile_in, %tile, {}, %tile_in;
  mad.wide.u32 %tile_out, %tile, {}, %tile_out;
  mad.wide.u32 %in4, %lane, 4, %tile_in;
  mad.wide.u32 %in8, %lane, 8, %tile_in;
  mad.wide.u32 %out4, %lane, 4, %tile_out;
  mad.wide.u32 %out8, %lane, 8, %tile_out;
  mov.u32 %shared, room;
{}  ret;
}}
)",
                     in_words * 4, out_words * 4, body);
}

std::vector<TensorProbe> tensor_probes() {
  std::vector<TensorProbe> all;
  add_mma(all);
  add_matrix_moves(all);
  add_wmma_probes(all);
  return all;
}

std::vector<uint32_t> tensor_answer(Device& device, const TensorProbe& probe, unsigned tiles) {
  std::vector<uint32_t> input;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const std::vector<uint32_t> words = tile_input(probe, tile);
    input.insert(input.end(), words.begin(), words.end());
  }
  device.load(probe.name, probe.ptx);
  const Buffer<uint32_t> in(device, input, "in"), out(device, size_t{probe.out_words} * tiles, "out");
  device.launch("probe", {{tiles}, {kProbeLanes}}, Arguments(in.address(), out.address()));
  return out.download();
}

}  // namespace heddle::test
