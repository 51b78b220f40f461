// Random kernels as PTX text.
#include <fmt/format.h>

#include "support/random_kernel.h"

namespace heddle::test {
namespace {

using Kind = Statement::Kind;
using Body = std::vector<Statement>;

// One function, or the kernel. %r1 to %r6 are the thread's values, %t and %p1, %p2 are free between statements.
class Renderer {
 public:
  Renderer(const RandomKernel& kernel, int function) : kernel_(kernel), function_(function) {}

  std::string render(const Body& body) {
    statements(body);
    return text_;
  }
  unsigned counters() const { return counters_; }

 private:
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... arguments) {
    text_ += "    " + fmt::format(format, std::forward<T>(arguments)...) + "\n";
  }
  void label(const std::string& name) { text_ += "  " + name + ":\n"; }
  std::string fresh(const char* what) { return fmt::format("{}_{}_{}", what, function_ + 1, labels_++); }
  static std::string value(uint32_t number) { return fmt::format("%r{}", 1 + number % 6); }

  void statements(const Body& body) {
    for (const Statement& s : body) statement(s);
  }

  // %p{index} = some bits of a value compare somehow.
  void condition(uint32_t number, unsigned index = 1) {
    const char* compare[] = {"lt", "ge", "eq", "ne"};
    const uint32_t mask = 7U << (number >> 8 & 15);
    line("and.b32 %t, {}, {};", value(number), mask);
    line("setp.{}.u32 %p{}, %t, {};", compare[number >> 16 & 3], index, (number >> 20 & 7) << (number >> 8 & 15));
  }

  void compute(const Statement& s, const std::string& guard) {
    const char* operations[] = {"add.u32", "sub.u32", "xor.b32", "mul.lo.u32",
                                "min.u32", "max.s32", "and.b32", "or.b32"};
    const auto& n = s.numbers;
    const std::string last = n[3] & 1 ? value(n[2]) : std::to_string(n[2] % 1000);
    line("{}{} {}, {}, {};", guard, operations[n[4] % 8], value(n[0]), value(n[1]), last);
  }

  void statement(const Statement& s) {
    const auto& n = s.numbers;
    switch (s.kind) {
      case Kind::Compute: return compute(s, "");
      case Kind::Guarded: condition(n[4] >> 3); return compute(s, n[3] & 2 ? "@%p1 " : "@!%p1 ");
      case Kind::Remember:
        line("st.local.u32 [room+{}], {};", 4 * (n[0] % 4), value(n[1]));
        return line("ld.local.u32 {}, [room+{}];", value(n[2]), 4 * (n[0] % 4));
      case Kind::If: return choice(s);
      case Kind::IfBoth: return short_circuit(s);
      case Kind::Loop:
      case Kind::SameLoop: return loop(s);
      case Kind::Break:
      case Kind::Continue: return leave_loop(s);
      case Kind::Switch: return table(s);
      case Kind::Call:
      case Kind::CallTable:
      case Kind::Recurse: return call(s);
      case Kind::Return: return leave_function(s);
      case Kind::Exit: return leave_kernel(s);
      case Kind::IfBlock: return by_block(s);
      case Kind::ExitBlock: return exit_by_block(s);
      case Kind::Exchange: return exchange(s);
      case Kind::Shuffle:
        line("shfl.sync.bfly.b32 {}, {}, {}, 31, -1;", value(n[0]), value(n[1]), n[2] & 31);
        condition(n[3]);
        line("vote.sync.ballot.b32 %t, %p1, -1;");
        return line("xor.b32 {0}, {0}, %t;", value(n[4]));
    }
  }

  void choice(const Statement& s) {
    condition(s.numbers[0]);
    arms(s, s.numbers[1] & 1 ? "@!%p1" : "@%p1");
  }

  void arms(const Statement& s, std::string_view skips) {
    const std::string other = fresh("ELSE"), join = fresh("JOIN");
    line("{} bra {};", skips, other);
    statements(s.bodies[0]);
    if (s.bodies.size() > 1) line("bra {};", join);
    label(other);
    if (s.bodies.size() > 1) statements(s.bodies[1]);
    label(join);
  }

  void short_circuit(const Statement& s) {
    const std::string join = fresh("JOIN"), then = fresh("THEN");
    condition(s.numbers[0]);
    line("@%p1 bra {};", s.numbers[1] & 1 ? join : then);  // a && b, or a || b
    condition(s.numbers[2]);
    line("@%p1 bra {};", join);
    label(then);
    statements(s.bodies[0]);
    label(join);
  }

  // %p1 = the block has this number.
  void is_block(unsigned number) {
    line("mov.u32 %t, %ctaid.x;");
    line("setp.eq.u32 %p1, %t, {};", number);
  }

  void by_block(const Statement& s) {
    is_block(s.numbers[0] % 3);
    arms(s, "@%p1");
  }

  void exit_by_block(const Statement& s) {
    const std::string skip = fresh("SKIP");
    is_block(s.numbers[0] % 4);
    line("@!%p1 bra {};", skip);
    for (const Body& body : s.bodies) statements(body);
    line("st.global.u32 [%out+28], {};", value(s.numbers[1]));
    line("{}", s.numbers[2] % 4 == 0 ? "exit;" : "bra LEAVE;");
    label(skip);
  }

  struct Loop {
    std::string next, end;
  };

  void loop(const Statement& s) {
    const Loop labels{fresh("NEXT"), fresh("END")};
    const std::string top = fresh("LOOP"), counter = fmt::format("%c{}", counters_++);
    const bool test_first = s.numbers[1] & 1, same = s.kind == Kind::SameLoop;
    if (same)
      line("mov.u32 {}, {};", counter, 1 + s.numbers[0] % 3);
    else
      line("and.b32 {}, {}, 3;", counter, value(s.numbers[0]));
    if (!test_first && !same) line("add.u32 {0}, {0}, 1;", counter);
    label(top);
    if (test_first) {
      line("setp.eq.u32 %p1, {}, 0;", counter);
      line("@%p1 bra {};", labels.end);
      line("sub.u32 {0}, {0}, 1;", counter);
    }
    std::vector<Loop> outside;
    if (same)
      outside.swap(loops_);
    else
      loops_.push_back(labels);
    statements(s.bodies[0]);
    if (same)
      outside.swap(loops_);
    else
      loops_.pop_back();
    label(labels.next);
    if (test_first) {
      line("bra {};", top);
    } else {
      line("sub.u32 {0}, {0}, 1;", counter);
      line("setp.ne.u32 %p1, {}, 0;", counter);
      line("@%p1 bra {};", top);
    }
    label(labels.end);
  }

  void leave_loop(const Statement& s) {
    if (loops_.empty()) return;
    const Loop& loop = loops_[loops_.size() - 1 - s.numbers[1] % loops_.size()];
    condition(s.numbers[0]);
    line("@%p1 bra {};", s.kind == Kind::Break ? loop.end : loop.next);
  }

  void table(const Statement& s) {
    const std::string name = fresh("TABLE"), join = fresh("JOIN");
    std::vector<std::string> cases;
    std::string listed;
    for (size_t i = 0; i < s.bodies.size(); ++i) cases.push_back(fresh("CASE"));
    for (unsigned i = 0; i < 8; ++i) listed += (i ? ", " : "") + cases[(i * (s.numbers[1] | 1)) % cases.size()];
    line("and.b32 %t, {}, 7;", value(s.numbers[0]));
    line("{}: .branchtargets {};", name, listed);
    line("brx.idx %t, {};", name);
    for (size_t i = 0; i < s.bodies.size(); ++i) {
      label(cases[i]);
      statements(s.bodies[i]);
      if (!(s.numbers[2] >> i & 1)) line("bra {};", join);  // else falls into the next case
    }
    label(join);
  }

  void call(const Statement& s) {
    const auto& n = s.numbers;
    const unsigned callable =
        function_ < 0 ? static_cast<unsigned>(kernel_.functions.size()) : static_cast<unsigned>(function_);
    if (s.kind == Kind::Recurse ? function_ < 0 : callable == 0) return;
    const std::string skip = fresh("SKIP");
    std::string target =
        fmt::format("f{}", s.kind == Kind::Recurse ? static_cast<unsigned>(function_) : n[0] % std::max(1U, callable));
    if (s.kind == Kind::Recurse) {
      line("setp.eq.u32 %p1, %depth, 0;");
      line("@%p1 bra {};", skip);
      line("sub.u32 %t, %depth, 1;");
    } else {
      line("mov.u32 %t, {};", n[3] % 3);
    }
    line("{{ .param .b32 a; .param .b32 b; .param .b32 c;");
    line("st.param.b32 [a], {};", value(n[1]));
    line("st.param.b32 [b], %t;");
    if (s.kind == Kind::CallTable) {
      line("rem.u32 %t, {}, {};", value(n[4]), callable);
      line("mov.u64 %x, table;");
      line("mad.wide.u32 %x, %t, 8, %x;");
      line("ld.global.u64 %x, [%x];");
      const std::string prototype = fresh("PROTOTYPE");
      line("{}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);", prototype);
      line("call (c), %x, (a, b), {};", prototype);
    } else {
      line("call (c), {}, (a, b);", target);
    }
    line("ld.param.b32 {}, [c]; }}", value(n[2]));
    label(skip);
  }

  void leave_function(const Statement& s) {
    if (function_ < 0) return;
    condition(s.numbers[0]);
    line("@%p1 st.param.b32 [result], {};", value(s.numbers[1]));
    line("@%p1 ret;");
  }

  void leave_kernel(const Statement& s) {
    condition(s.numbers[0]);
    if (function_ < 0) line("@%p1 st.global.u32 [%out+28], {};", value(s.numbers[1]));
    if (s.numbers[2] & 1) return line("@%p1 exit;");
    const std::string skip = fresh("SKIP");
    line("@!%p1 bra {};", skip);
    line("exit;");
    label(skip);
  }

  void exchange(const Statement& s) {
    line("st.shared.u32 [%mine], {};", value(s.numbers[0]));
    line("bar.sync 0;");
    line("ld.shared.u32 {}, [%other];", value(s.numbers[1]));
    if (s.numbers[2] & 1) {
      condition(s.numbers[3]);
      line("bar.red.popc.u32 %t, 0, %p1;");
      line("add.u32 {0}, {0}, %t;", value(s.numbers[4]));
    } else {
      line("bar.sync 0;");
    }
  }

  const RandomKernel& kernel_;
  const int function_;
  std::string text_;
  std::vector<Loop> loops_;
  unsigned labels_ = 0, counters_ = 0;
};

constexpr std::string_view kFunction = R"(
.func (.param .b32 result) f{0}(.param .b32 x, .param .b32 depth) {{
    .local .align 4 .b8 room[16];
    .reg .pred %p<3>;
    .reg .b32 %r<7>, %t, %depth, %c<{1}>;
    ld.param.u32 %r1, [x];
    ld.param.u32 %depth, [depth];
    add.u32 %r2, %r1, %depth;
    mad.lo.u32 %r3, %r1, 77, 5;
    shr.u32 %r4, %r1, 7;
    not.b32 %r5, %r1;
    mov.u32 %r6, {0};
    st.local.v2.u32 [room], {{%r2, %r3}};
    st.local.v2.u32 [room+8], {{%r4, %r5}};
{2}    xor.b32 %r1, %r1, %r2;
    add.u32 %r1, %r1, %r3;
    xor.b32 %r1, %r1, %r4;
    add.u32 %r1, %r1, %r5;
    xor.b32 %r1, %r1, %r6;
    st.param.b32 [result], %r1;
    ret;
}}
)";

constexpr std::string_view kKernel = R"(
.visible .entry k(.param .u64 data) {{
    .shared .align 4 .b8 shared[{0}];
    .local .align 4 .b8 room[16];
    .reg .pred %p<3>;
    .reg .b32 %r<7>, %t, %mine, %other, %c<{1}>;
    .reg .b64 %out, %x;
    ld.param.u64 %out, [data];
    mov.u32 %r1, %tid.x;
    shl.b32 %mine, %r1, 2;
    add.u32 %other, %r1, {2};
    rem.u32 %other, %other, {3};
    shl.b32 %other, %other, 2;
    mov.u32 %t, %ctaid.x;
    mad.lo.u32 %r1, %t, {3}, %r1;
    mad.wide.u32 %out, %r1, {4}, %out;
    mad.lo.u32 %r2, %r1, 0x9e3779b1, {5};
    shr.u32 %t, %r2, 15;
    xor.b32 %r2, %r2, %t;
    mul.lo.u32 %r3, %r2, 0x85ebca6b;
    shr.u32 %t, %r3, 13;
    xor.b32 %r3, %r3, %t;
    mul.lo.u32 %r4, %r3, 0xc2b2ae35;
    shr.u32 %r5, %r4, 9;
    and.b32 %r6, %r1, 3;
    st.local.v2.u32 [room], {{%r2, %r3}};
    st.local.v2.u32 [room+8], {{%r4, %r5}};
{6}    st.global.v4.u32 [%out], {{%r1, %r2, %r3, %r4}};
    st.global.v2.u32 [%out+16], {{%r5, %r6}};
  LEAVE:
    ret;
}}
)";

}  // namespace

std::string RandomKernel::ptx() const {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n", table;
  for (size_t f = 0; f < functions.size(); ++f) {
    Renderer renderer(*this, static_cast<int>(f));
    const std::string inside = renderer.render(functions[f]);
    text += fmt::format(fmt::runtime(kFunction), f, renderer.counters() + 1, inside);
    table += fmt::format("{}f{}", f ? ", " : "", f);
  }
  if (!table.empty()) text += fmt::format(".global .align 8 .u64 table[{}] = {{{}}};\n", functions.size(), table);
  Renderer renderer(*this, -1);
  const std::string inside = renderer.render(body);
  return text + fmt::format(fmt::runtime(kKernel), 4 * threads, renderer.counters() + 1, 1 + seed % threads, threads,
                            4 * kWords, static_cast<uint32_t>(seed * 2654435761U), inside);
}

}  // namespace heddle::test
