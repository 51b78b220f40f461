#include "exec/print.h"

#include <fmt/printf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "exec/resolve.h"

namespace heddle {
namespace {

std::string device_string(Context& context, Hw thread, Address address) {
  std::string text;
  for (; text.size() < 65536; ++address) {
    const char c = static_cast<char>(*resolve_generic(context, thread, address, 1, false));
    if (c == 0) break;
    text += c;
  }
  return text;
}

// Takes the next argument out of vprintf's buffer, where values lie aligned to their size.
class ArgumentReader {
 public:
  ArgumentReader(Context& context, Hw thread, Address buffer) : context_(context), thread_(thread), at_(buffer) {}
  uint64_t next(unsigned bytes) {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    std::memcpy(&value, resolve_generic(context_, thread_, at_, bytes, false), bytes);
    at_ += bytes;
    return value;
  }

 private:
  Context& context_;
  Hw thread_;
  Address at_;
};

// An integer of 8 bytes; long, size_t and ptrdiff_t are as wide as pointers.
bool is_wide(const std::string& spec, unsigned pointer_bytes) {
  if (spec.find("ll") != std::string::npos || spec.find('j') != std::string::npos) return true;
  return pointer_bytes == 8 && spec.find_first_of("lzt") != std::string::npos;
}

std::string format_one(Context& context, Hw thread, const std::string& spec, ArgumentReader& arguments) {
  const char kind = spec.back();
  const unsigned pointer = context.kernel.pointer_bytes;
  const bool wide = is_wide(spec, pointer);
  std::string plain;
  for (char c : spec)
    if (std::strchr("hljzt", c) == nullptr) plain += c;
  switch (kind) {
    case 'd':
    case 'i':
      if (wide) return fmt::sprintf(plain, static_cast<int64_t>(arguments.next(8)));
      return fmt::sprintf(plain, static_cast<int32_t>(arguments.next(4)));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (wide) return fmt::sprintf(plain, arguments.next(8));
      return fmt::sprintf(plain, static_cast<uint32_t>(arguments.next(4)));
    case 'c': return fmt::sprintf(plain, static_cast<char>(arguments.next(4)));
    case 'p': return fmt::format("{:#x}", arguments.next(pointer));
    case 's': return fmt::sprintf(plain, device_string(context, thread, arguments.next(pointer)));
    default: {
      const uint64_t bits = arguments.next(8);
      double value;
      std::memcpy(&value, &bits, 8);
      return fmt::sprintf(plain, value);
    }
  }
}

std::string format_all(Context& context, Hw thread, const std::string& format, Address buffer) {
  ArgumentReader arguments(context, thread, buffer);
  std::string text;
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      text += format[at];
      continue;
    }
    if (at + 1 < format.size() && format[at + 1] == '%') {
      text += '%';
      ++at;
      continue;
    }
    std::string spec = "%";
    while (++at < format.size()) {
      if (format[at] == '*') {
        spec += std::to_string(static_cast<int32_t>(arguments.next(4)));
        continue;
      }
      spec += format[at];
      if (std::strchr("diuxXocpsfFeEgGaA", format[at])) break;
    }
    if (std::strchr("diuxXocpsfFeEgGaA", spec.back()) && spec.size() > 1)
      text += format_one(context, thread, spec, arguments);
    else
      text += spec;
  }
  return text;
}

uint64_t argument(Context& context, const CallSite& site, size_t index, Hw thread) {
  const CallSite::Item& item = site.arguments[index];
  if (!item.in_frame) return context.get_bits(item.reg, thread);
  uint64_t value = 0;
  std::memcpy(&value, context.local(thread) + context.get<uint64_t>(context.kernel.frame, thread) + item.offset,
              std::min(item.bytes, 8U));
  return value;
}

void set_result(Context& context, const CallSite& site, Hw thread, uint64_t value) {
  for (const CallSite::Item& item : site.results) {
    if (item.in_frame)
      std::memcpy(context.local(thread) + context.get<uint64_t>(context.kernel.frame, thread) + item.offset, &value,
                  std::min(item.bytes, 8U));
    else
      context.set_bits(item.reg, thread, value);
  }
}

void print(Context& context, const CallSite& site, Hw thread) {
  const std::string format = device_string(context, thread, argument(context, site, 0, thread));
  const std::string text = format_all(context, thread, format, argument(context, site, 1, thread));
  if (context.printed)
    *context.printed += text;
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
  set_result(context, site, thread, static_cast<uint32_t>(text.size()));
}

[[noreturn]] void fail_assertion(Context& context, const CallSite& site, Hw thread) {
  const auto text = [&](size_t index) {
    return device_string(context, thread, argument(context, site, index, thread));
  };
  throw context.fault(thread,
                      fmt::format("assertion `{}` failed in {} ({}:{})", text(0), text(3), text(1),
                                  static_cast<uint32_t>(argument(context, site, 2, thread))),
                      Fault::Kind::Assertion);
}

// What a kernel allocates is memory like any other, and lives on after it. Null when there is no more.
void allocate(Context& context, const CallSite& site, Hw thread) {
  Address address = 0;
  try {
    address =
        context.memory.allocate(argument(context, site, 0, thread), std::string(kKernelHeap) + context.kernel.name);
  } catch (const Error&) {
  }
  set_result(context, site, thread, address);
}

void release(Context& context, const CallSite& site, Hw thread) {
  const Address address = argument(context, site, 0, thread);
  if (address == 0) return;
  try {
    context.memory.free(address);
  } catch (const Error& error) {
    throw context.fault(thread, error.what());
  }
  std::fill(context.hints.begin(), context.hints.end(), Extent{});  // they may name what is gone
}

}  // namespace

void call_builtin(Context& context, const Instruction& instruction, const Lanes& lanes) {
  const CallSite& site = context.kernel.calls[instruction.table];
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    switch (site.builtin) {
      case CallSite::Builtin::None: break;
      case CallSite::Builtin::Printf: return print(context, site, thread);
      case CallSite::Builtin::AssertFail: fail_assertion(context, site, thread);
      case CallSite::Builtin::Malloc: return allocate(context, site, thread);
      case CallSite::Builtin::Free: return release(context, site, thread);
    }
  });
}

}  // namespace heddle
