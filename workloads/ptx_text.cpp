#include "workloads/ptx_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/embedded_text.h"
#include "base/error.h"

namespace heddle {

std::span<const EmbeddedText> workload_ptx();  // generated: tools/embed_texts.cmake

namespace workloads {

Compiler compiler_named(std::string_view name) {
  for (const Compiler compiler : kCompilers)
    if (name == name_of(compiler)) return compiler;
  throw Error(ExitCode::Usage, fmt::format("no compiler is called '{}'; there are nvcc, clang and era", name));
}

std::string_view name_of(Compiler compiler) {
  switch (compiler) {
    case Compiler::Nvcc: return "nvcc";
    case Compiler::Clang: return "clang";
    case Compiler::Era: return "era";
  }
  return "";
}

std::string ptx_file(std::string_view workload, Compiler compiler) {
  if (compiler == Compiler::Nvcc) return fmt::format("{}/kernel.ptx", workload);
  return fmt::format("{}/kernel.{}.ptx", workload, name_of(compiler));
}

std::optional<std::string_view> find_ptx(std::string_view workload, Compiler compiler) {
  const auto texts = workload_ptx();
  const auto found = std::ranges::find(texts, ptx_file(workload, compiler), &EmbeddedText::file);
  if (found == texts.end()) return std::nullopt;
  return found->text;
}

std::string_view ptx_of(std::string_view workload, Compiler compiler) {
  if (const auto text = find_ptx(workload, compiler)) return *text;
  throw Error(ExitCode::Usage, fmt::format("{} has no PTX made by {}", workload, name_of(compiler)));
}

}  // namespace workloads
}  // namespace heddle
