#include "run/schedules.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace heddle {
namespace {

// Unlike each other in who goes with whom, and when.
constexpr std::array<std::string_view, 5> kOthers{"its", "dwf", "stackless", "tbc", "multi-path"};

std::string some_bytes(std::span<const std::byte> bytes, size_t from) {
  std::string text;
  for (size_t at = from; at < std::min(bytes.size(), from + 4); ++at)
    text += fmt::format("{}{:02x}", at == from ? "" : " ", std::to_integer<unsigned>(bytes[at]));
  return text;
}

std::string line_at(const std::string& text, size_t at) {
  const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

std::string piece_difference(const ProgramOutput::Piece& piece, const ProgramOutput::Piece& expected) {
  if (piece.name != expected.name || piece.bytes.size() != expected.bytes.size())
    return fmt::format("{} of {} bytes, not {} of {} bytes", piece.name, piece.bytes.size(), expected.name,
                       expected.bytes.size());
  const auto [here, there] = std::mismatch(piece.bytes.begin(), piece.bytes.end(), expected.bytes.begin());
  if (here == piece.bytes.end()) return "";
  const size_t at = static_cast<size_t>(here - piece.bytes.begin()) / 4 * 4;
  return fmt::format("{} differs, first at byte {}: {}, not {}", piece.name, at, some_bytes(piece.bytes, at),
                     some_bytes(expected.bytes, at));
}

// A file without a name, in memory.
class Captured {
 public:
  Captured() : file_(memfd_create("heddle-output", MFD_CLOEXEC)) {}
  ~Captured() { close(file_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  int file() const { return file_; }
  std::string text() const {
    std::string text(static_cast<size_t>(std::max<off_t>(0, lseek(file_, 0, SEEK_END))), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
    return text;
  }

 private:
  int file_;
};

}  // namespace

std::string difference(const ProgramOutput& output, const ProgramOutput& expected) {
  if (output.printed != expected.printed) {
    const auto [here, there] =
        std::mismatch(output.printed.begin(), output.printed.end(), expected.printed.begin(), expected.printed.end());
    const auto at = static_cast<size_t>(here - output.printed.begin());
    return fmt::format("it prints '{}', not '{}'", line_at(output.printed, at), line_at(expected.printed, at));
  }
  for (size_t k = 0; k < std::min(output.pieces.size(), expected.pieces.size()); ++k)
    if (std::string text = piece_difference(output.pieces[k], expected.pieces[k]); !text.empty()) return text;
  if (output.pieces.size() != expected.pieces.size())
    return fmt::format("{} pieces of memory, not {}", output.pieces.size(), expected.pieces.size());
  if (output.exit_code != expected.exit_code)
    return fmt::format("it ends with {}, not {}", output.exit_code, expected.exit_code);
  return "";
}

std::vector<RunSpec> schedules_of(const RunSpec& spec, unsigned count) {
  std::vector<RunSpec> runs;
  for (unsigned k = 0; k < count; ++k) {
    RunSpec run = spec;
    run.timed = false;
    if (k > 0) {
      if (k % 2 == 0) run.mechanism = kOthers[(k / 2 - 1) % kOthers.size()];
      run.schedule = "random";
      run.settings.emplace_back("interleave=true");
      run.settings.push_back(fmt::format("schedule_seed={}", k));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string schedule_text(const RunSpec& spec) {
  for (const std::string& setting : spec.settings)
    if (key_of(setting) == "schedule_seed")
      return fmt::format("{}, seed {}", spec.mechanism, setting.substr(setting.find('=') + 1));
  return spec.mechanism;
}

RunResult execute(const RunSpec& spec, RunHooks hooks, ProgramOutput& output) {
  std::mutex mutex;  // a program may have several processes
  const Captured captured;
  if (spec.kind == RunSpec::Kind::CudaProgram) {
    hooks.output = captured.file();
    hooks.fetched = [&](std::span<const std::byte> bytes) {
      const std::lock_guard lock(mutex);
      output.pieces.push_back(
          {fmt::format("copy {}", output.pieces.size() + 1), std::vector<std::byte>(bytes.begin(), bytes.end())});
    };
  }
  hooks.finished = [&](const Gpu& gpu) {
    gpu.memory().for_each_live([&](const std::string& label, std::span<const std::byte> bytes) {
      output.pieces.push_back({fmt::format("'{}'", label), std::vector<std::byte>(bytes.begin(), bytes.end())});
    });
  };
  RunResult result = execute(spec, hooks);
  output.printed = captured.text();
  output.exit_code = result.ended_with.value_or(0);
  return result;
}

}  // namespace heddle
