// Probes of wmma: matrices from memory, their fragments written down, their product, stored.
#include <fmt/format.h>

#include "support/tensor_probe.h"

namespace heddle::test {
namespace {

struct Wmma {
  unsigned m, n, k;
  const char* type;  // of A and B
  Element element;
  unsigned width;   // bits of it
  unsigned a, b;    // registers
  const char* sum;  // type of C and D
  Element sum_element;
  unsigned c;              // registers
  const char* how = "";    // operation on bits
  const char* limit = "";  // .satfinite
};

struct Matrix {
  char name;
  unsigned words;   // in memory
  unsigned stride;  // elements
  unsigned registers;
  std::string type, layout;
};

const char* register_of(const std::string& type) { return type == "f64" ? "f64" : type == "f32" ? "f32" : "b32"; }

std::string list(char name, unsigned registers) {
  std::string text = "{";
  for (unsigned i = 0; i < registers; ++i) text += fmt::format("{}%{}{}", i ? ", " : "", name, i);
  return text + "}";
}

class WmmaKernel {
 public:
  WmmaKernel(const Wmma& each, const char* a_layout, const char* b_layout) : each_(each) {
    const bool a_row = std::string(a_layout) == "row", b_row = std::string(b_layout) == "row";
    a_ = {'a', each.m * each.k * each.width / 32, a_row ? each.k : each.m, each.a, each.type, a_layout};
    b_ = {'b', each.k * each.n * each.width / 32, b_row ? each.n : each.k, each.b, each.type, b_layout};
    c_ = {'c', each.m * each.n * bits_of_sum() / 32, a_row ? each.n : each.m, each.c, each.sum, a_layout};
    shape_ = fmt::format("m{}n{}k{}", each.m, each.n, each.k);
  }

  TensorProbe probe() {
    TensorProbe probe;
    probe.name = product();
    probe.inputs = {{each_.element, a_.words}, {each_.element, b_.words}, {each_.sum_element, c_.words}};
    std::string body = "  .reg .u64 %at;\n";
    for (const Matrix* matrix : {&a_, &b_, &c_}) body += load(*matrix);
    body += fmt::format("  .reg .{} %d<{}>;\n", register_of(c_.type), c_.registers);
    body += fmt::format("  {} {}, {}, {}, {};\n", product(), list('d', c_.registers), list('a', a_.registers),
                        list('b', b_.registers), list('c', c_.registers));
    body += fmt::format("  add.u64 %at, %tile_out, {};\n  wmma.store.d.sync.aligned.{}.{}.global.{} [%at], {}, {};\n",
                        written_ * 4, c_.layout, shape_, c_.type, list('d', c_.registers), c_.stride);
    probe.out_words = written_ + c_.words;
    probe.ptx = probe_module(body, a_.words + b_.words + c_.words, probe.out_words);
    probe.tiles = 2;
    return probe;
  }

 private:
  unsigned bits_of_sum() const {
    return each_.sum_element == Element::F64 ? 64 : each_.sum_element == Element::F16 ? 16 : 32;
  }

  std::string product() const {
    const std::string f16 = fmt::format(".{}.{}", each_.sum, each_.sum);
    const std::string types =
        std::string(each_.type) == "f16" ? f16 : fmt::format(".{0}.{1}.{1}.{0}", each_.sum, each_.type);
    return fmt::format("wmma.mma{}.sync.aligned.{}.{}.{}{}{}", each_.how, a_.layout, b_.layout, shape_, types,
                       each_.limit);
  }

  // Loads a matrix, and writes its fragment down.
  std::string load(const Matrix& matrix) {
    std::string text = fmt::format("  .reg .{} %{}<{}>;\n  add.u64 %at, %tile_in, {};\n", register_of(matrix.type),
                                   matrix.name, matrix.registers, read_ * 4);
    text += fmt::format("  wmma.load.{}.sync.aligned.{}.{}.global.{} {}, [%at], {};\n", matrix.name, matrix.layout,
                        shape_, matrix.type, list(matrix.name, matrix.registers), matrix.stride);
    const unsigned words = matrix.type == "f64" ? 2 : 1;
    for (unsigned i = 0; i < matrix.registers; ++i) {
      text += fmt::format("  st.global.{} [%out{}+{}], %{}{};\n", register_of(matrix.type), words * 4, written_ * 4,
                          matrix.name, i);
      written_ += words * kProbeLanes;
    }
    read_ += matrix.words;
    return text;
  }

  Wmma each_;
  Matrix a_, b_, c_;
  std::string shape_;
  unsigned read_ = 0, written_ = 0;
};

}  // namespace

void add_wmma_probes(std::vector<TensorProbe>& all) {
  using enum Element;
  const auto add = [&](const Wmma& each) {
    for (const char* a : {"row", "col"})
      for (const char* b : {"row", "col"}) {
        const bool fixed = each.width < 8;  // these have one layout
        if (!fixed || (std::string(a) == "row" && std::string(b) == "col"))
          all.push_back(WmmaKernel(each, a, b).probe());
      }
  };
  struct Size {
    unsigned m, n, a, b;  // registers of matrices of bytes
  };
  for (const auto& [m, n, a, b] : {Size{16, 16, 2, 2}, Size{8, 32, 1, 4}, Size{32, 8, 4, 1}}) {
    add({m, n, 16, "f16", F16, 16, 8, 8, "f16", F16, 4});
    add({m, n, 16, "f16", F16, 16, 8, 8, "f32", F32, 8});
    add({m, n, 16, "bf16", Bf16, 16, 2 * a, 2 * b, "f32", F32, 8});
    for (const char* type : {"s8", "u8"}) add({m, n, 16, type, Bits, 8, a, b, "s32", Bits, 8});
    add({m, n, 16, "s8", Bits, 8, a, b, "s32", Bits, 8, "", ".satfinite"});
  }
  add({16, 16, 8, "tf32", Tf32, 32, 4, 4, "f32", F32, 8});
  add({8, 8, 4, "f64", F64, 64, 1, 1, "f64", F64, 2});
  for (const char* type : {"s4", "u4"}) add({8, 8, 32, type, Bits, 4, 1, 1, "s32", Bits, 2});
  for (const char* how : {".xor.popc", ".and.popc"}) add({8, 8, 128, "b1", Bits, 1, 1, 1, "s32", Bits, 2, how});
}

}  // namespace heddle::test
