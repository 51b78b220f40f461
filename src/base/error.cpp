#include "base/error.h"

#include <new>
#include <system_error>

namespace heddle {
namespace {

bool is_of_host(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::system_error*>(&error);
}

}  // namespace

ExitCode code_of(const std::exception& error) {
  if (const auto* const own = dynamic_cast<const Error*>(&error)) return own->code();
  return is_of_host(error) ? ExitCode::Host : ExitCode::Internal;
}

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error)) return error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error)) return "no memory is left on this machine";
  return (is_of_host(error) ? "this machine refuses: " : "internal error: ") + std::string(error.what());
}

}  // namespace heddle
