#include "runtime/service.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace heddle::runtime {
namespace {

int listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw Error(ExitCode::Host, fmt::format("the path {} is too long for a socket: choose a shorter TMPDIR", path));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (result < 0 || bind(result, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(result, 16) != 0)
    throw Error(ExitCode::Host, fmt::format("cannot listen at {}: {}", path, std::strerror(errno)));
  return result;
}

}  // namespace

Service::Service(std::function<void(int)> serve)
    : serve_(std::move(serve)), path_((folder_.path() / "simulator").string()), listening_(listen_at(path_)) {
  acceptor_ = std::thread([this] { accept_all(); });
}

Service::~Service() {
  finish();
  if (listening_ >= 0) close(listening_);
}

void Service::accept_all() {
  for (;;) {
    const int connection = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    const int why = errno;
    const std::lock_guard lock(mutex_);
    if (connection < 0) return stop_listening(why);
    open_.insert(connection);
    try {
      connections_.emplace_back([this, connection] {
        serve_(connection);
        const std::lock_guard closing(mutex_);
        drop(connection);
      });
    } catch (const std::system_error& error) {  // no thread for it
      refused_ = error.code().value();
      drop(connection);
    }
  }
}

// finish() has shut it, or there are no more files: then who has not been heard yet is not to wait for ever.
void Service::stop_listening(int error) {
  if (finishing_) return;
  refused_ = error;
  close(std::exchange(listening_, -1));
}

void Service::drop(int connection) {
  open_.erase(connection);
  close(connection);
}

std::string Service::refused() const {
  return refused_ == 0 ? "" : fmt::format("cannot take the program's connection: {}", std::strerror(refused_));
}

void Service::kill_all() {
  const std::lock_guard lock(mutex_);
  for (const int connection : open_) {
    ucred peer{};
    socklen_t bytes = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0) kill(peer.pid, SIGKILL);
    shutdown(connection, SHUT_RDWR);
  }
}

void Service::finish() {
  if (!acceptor_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    if (listening_ >= 0) shutdown(listening_, SHUT_RDWR);
  }
  acceptor_.join();
  for (std::thread& connection : connections_) connection.join();
}

}  // namespace heddle::runtime
