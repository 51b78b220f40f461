#include "support/random_kernel.h"

#include <random>

namespace heddle::test {
namespace {

using Kind = Statement::Kind;
using Body = std::vector<Statement>;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  RandomKernel make(uint64_t seed) {
    RandomKernel kernel;
    kernel.seed = seed;
    kernel.blocks = 1 + below(3);
    kernel.threads = below(4) == 0 ? 1 + below(100) : 32 * (1 + below(3));
    kernel.warp_size = std::array{4U, 8U, 32U, 32U}[below(4)];
    functions_ = below(4);
    for (unsigned f = 0; f < functions_; ++f) {
      budget_ = 2 + below(8);
      kernel.functions.push_back(body({.function = static_cast<int>(f)}));
    }
    exits_ = below(2) == 0;  // a thread that has left waits at no barrier: a kernel has exits of threads or barriers
    budget_ = 4 + below(22);
    while (budget_ > 0) {
      Body more = body({.uniform = true});
      kernel.body.insert(kernel.body.end(), more.begin(), more.end());
    }
    return kernel;
  }

 private:
  struct Surroundings {
    int function = -1;     // -1: the kernel
    unsigned depth = 0;    // of nesting
    unsigned loops = 0;    // that can be left
    bool in_loop = false;  // of any kind
    bool uniform = false;  // all threads of a block come here together
  };

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

  Kind pick(const Surroundings& around) {
    const bool inner = around.depth < (around.function < 0 ? 4U : 3U);
    for (;;) {
      switch (below(25)) {
        case 0:
        case 1:
        case 2: return Kind::Compute;
        case 3:
        case 4: return Kind::Guarded;
        case 5: return Kind::Remember;
        case 6:
        case 7:
        case 8:
          if (inner) return Kind::If;
          break;
        case 9:
          if (inner) return Kind::IfBoth;
          break;
        case 10:
        case 11:
          if (inner && around.loops < 2) return Kind::Loop;
          break;
        case 12:
          if (around.loops > 0) return below(2) ? Kind::Break : Kind::Continue;
          break;
        case 13:
          if (inner) return Kind::Switch;
          break;
        case 14:
        case 15:
          if (around.function < 0 ? functions_ > 0 : around.function > 0) return Kind::Call;
          break;
        case 16:
          if (around.function < 0 && functions_ > 0) return Kind::CallTable;
          if (around.function >= 0 && !around.in_loop) return Kind::Recurse;
          break;
        case 17:
          if (around.function >= 0) return Kind::Return;
          break;
        case 18:
        case 19:
        case 20:
          if (around.uniform && inner) return std::array{Kind::SameLoop, Kind::IfBlock, Kind::ExitBlock}[below(3)];
          break;
        case 21:
          if (exits_ && below(3) == 0) return Kind::Exit;
          break;
        case 22:
        case 23:
        case 24:
          if (around.uniform && !exits_) return below(2) ? Kind::Exchange : Kind::Shuffle;
          break;
      }
    }
  }

  Body body(Surroundings around) {
    Body result;
    for (unsigned count = 1 + below(4); count > 0 && budget_ > 0; --count) result.push_back(statement(around));
    return result;
  }

  Statement statement(Surroundings around) {
    --budget_;
    Statement s;
    s.kind = pick(around);
    for (uint32_t& number : s.numbers) number = static_cast<uint32_t>(random_());
    ++around.depth;
    unsigned bodies = 0;
    switch (s.kind) {
      case Kind::If:
        bodies = 1 + below(2);
        around.uniform = false;
        break;
      case Kind::IfBoth:
        bodies = 1;
        around.uniform = false;
        break;
      case Kind::Switch:
        bodies = 2 + below(4);
        around.uniform = false;
        break;
      case Kind::Loop:
        bodies = 1;
        around.uniform = false;
        around.in_loop = true;
        ++around.loops;
        break;
      case Kind::SameLoop:
        bodies = 1;
        around.in_loop = true;
        around.loops = 0;  // nobody may leave it early
        break;
      case Kind::IfBlock: bodies = 1 + below(2); break;
      case Kind::ExitBlock: bodies = below(2); break;
      default: break;
    }
    for (unsigned i = 0; i < bodies; ++i) s.bodies.push_back(body(around));
    return s;
  }

  std::mt19937_64 random_;
  unsigned functions_ = 0, budget_ = 0;
  bool exits_ = false;
};

size_t count_of(const Body& body) {
  size_t count = body.size();
  for (const Statement& s : body)
    for (const Body& inner : s.bodies) count += count_of(inner);
  return count;
}

// Finds statement `n` in pre-order and does `change(list, position)` to it; n is used up on the way.
template <class F>
bool at_statement(Body& body, size_t& n, F&& change) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (n-- == 0) {
      change(body, i);
      return true;
    }
    for (Body& inner : body[i].bodies)
      if (at_statement(inner, n, change)) return true;
  }
  return false;
}

template <class F>
void change_statement(RandomKernel& kernel, size_t n, F&& change) {
  if (at_statement(kernel.body, n, change)) return;
  for (Body& function : kernel.functions)
    if (at_statement(function, n, change)) return;
}

void drop(Body& body, size_t i) { body.erase(body.begin() + static_cast<ptrdiff_t>(i)); }

void unwrap(Body& body, size_t i) {
  const Statement s = body[i];
  drop(body, i);
  for (const Body& inner : s.bodies) body.insert(body.begin() + static_cast<ptrdiff_t>(i), inner.begin(), inner.end());
}

}  // namespace

size_t RandomKernel::statements() const {
  size_t count = count_of(body);
  for (const Body& function : functions) count += count_of(function);
  return count;
}

RandomKernel random_kernel(uint64_t seed) { return Generator(seed).make(seed); }

RandomKernel shrunk(RandomKernel kernel, const std::function<bool(const RandomKernel&)>& fails) {
  const auto try_instead = [&](RandomKernel other) {
    if (!fails(other)) return false;
    kernel = std::move(other);
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const auto& change : {&drop, &unwrap})
      for (size_t n = kernel.statements(); n-- > 0;) {
        if (n >= kernel.statements()) continue;
        RandomKernel other = kernel;
        change_statement(other, n, change);
        if (change == &unwrap && other.statements() >= kernel.statements()) continue;
        smaller = try_instead(std::move(other)) || smaller;
      }
    RandomKernel fewer = kernel;
    fewer.blocks = 1;
    if (kernel.blocks > 1) smaller = try_instead(fewer) || smaller;
    fewer = kernel;
    fewer.threads = (kernel.threads + 1) / 2;
    if (kernel.threads > 1) smaller = try_instead(fewer) || smaller;
  }
  return kernel;
}

}  // namespace heddle::test
