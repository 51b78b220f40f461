#include "run/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "run/command.h"
#include "run/runner.h"
#include "run/spec_json.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "heddle-result-1", kUnfinished = ".unfinished-";

Error cannot_write(const fs::path& path, const std::string& why) {
  return Error(ExitCode::Usage, fmt::format("cannot write '{}': {}", path.string(), why));
}

// On disk when it returns, so that the rename behind it never shows an empty file, even after a power cut.
void write_through(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw cannot_write(path, std::strerror(errno));
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) break;
    done += static_cast<size_t>(wrote);
  }
  const bool whole = done == text.size() && fsync(file) == 0;
  const std::string why = std::strerror(errno);
  close(file);
  if (whole) return;
  unlink(path.c_str());
  throw cannot_write(path, why);
}

std::string host_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "host";
}

bool alive(std::string_view process) {
  pid_t id = 0;
  const auto [end, error] = std::from_chars(process.data(), process.data() + process.size(), id);
  return error == std::errc{} && id > 0 && (kill(id, 0) == 0 || errno == EPERM);
}

}  // namespace

Json result_json(const RunSpec& spec, const RunIdentity& identity, const Record& record) {
  return {{"schema", kSchema},           {"identity", identity.content},  {"run", spec_json(spec, config_of(spec))},
          {"command", command_of(spec)}, {"exit_code", record.exit_code}, {"error", record.error},
          {"seconds", record.seconds},   {"total", record.total}};
}

bool worth_keeping(const Record& record) {
  const auto code = static_cast<ExitCode>(record.exit_code);
  return code != ExitCode::Interrupted && code != ExitCode::Internal && code != ExitCode::Host;
}

Store::Store(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || !fs::is_directory(folder_))
    throw Error(ExitCode::Usage, fmt::format("cannot keep results in '{}': {}", folder_.string(),
                                             error ? error.message() : "it is no folder"));
  remove_leftovers();
}

// What processes of this machine that are gone were writing when they were killed: of others one does not know.
void Store::remove_leftovers() const {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    const size_t mark = name.find(kUnfinished);
    if (mark == std::string::npos) continue;
    const std::string own = fmt::format("{}-", host_name());
    std::string_view process = std::string_view(name).substr(mark + kUnfinished.size());
    if (!process.starts_with(own)) continue;
    process.remove_prefix(own.size());
    if (!alive(process.substr(0, process.find('-')))) fs::remove(entry.path(), ignored);
  }
}

fs::path Store::file_of(const RunIdentity& identity) const { return folder_ / (identity.key + ".json"); }

std::optional<Record> Store::find(const RunIdentity& identity) const {
  std::ifstream file(file_of(identity));
  if (!file) return std::nullopt;
  const Json json = Json::parse(file, nullptr, false);
  try {
    if (json.at("schema") != kSchema || json.at("identity") != identity.content || !json.at("total").is_object())
      return std::nullopt;
    return Record{json.at("exit_code").get<int>(), json.at("error").get<std::string>(),
                  json.at("seconds").get<double>(), json.at("total")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void Store::keep(const RunSpec& spec, const RunIdentity& identity, const Record& record) const {
  static std::atomic<unsigned> number = 0;
  const Json json = result_json(spec, identity, record);
  const fs::path unfinished =
      folder_ / fmt::format("{}{}{}-{}-{}", identity.key, kUnfinished, host_name(), getpid(), number++);
  write_through(unfinished, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  std::error_code error;
  fs::rename(unfinished, file_of(identity), error);
  if (error) throw cannot_write(file_of(identity), error.message());
}

}  // namespace heddle
