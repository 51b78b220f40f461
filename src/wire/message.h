// Messages of protocol.h, put together, taken apart, and moved over a socket. Both sides use it; the shim is no part of
// the simulator, so this needs nothing but the C++ library.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "wire/protocol.h"

namespace heddle::runtime {

// What the other side has said makes no sense.
struct BadMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MessageWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> MessageWriter& add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  MessageWriter& add_text(std::string_view text) {
    add(static_cast<uint32_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  // The whole message.
  std::string with_header(uint32_t kind) const {
    const Header header{kind, static_cast<uint32_t>(bytes_.size())};
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + bytes_;
  }

 private:
  std::string bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    std::memcpy(&value, part(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take_text() { return part(take<uint32_t>()); }
  // How many texts follow.
  uint32_t take_count() {
    const auto count = take<uint32_t>();
    if (count > bytes_.size() / sizeof(uint32_t)) throw BadMessage("a list is cut off");
    return count;
  }

 private:
  std::string_view part(size_t bytes) {
    if (bytes > bytes_.size()) throw BadMessage("a message is cut off");
    const std::string_view result = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return result;
  }
  std::string_view bytes_;
};

// False when the other side is gone.
inline bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

inline bool receive_all(int socket, void* to, size_t bytes) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = recv(socket, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

// The payload grows as its bytes come: a size that nothing follows costs nothing.
inline bool receive_message(int socket, Header& header, std::string& payload) {
  constexpr size_t step = size_t{16} << 20;
  if (!receive_all(socket, &header, sizeof header)) return false;
  payload.clear();
  while (payload.size() < header.bytes) {
    const size_t have = payload.size(), more = std::min(step, header.bytes - have);
    payload.resize(have + more);
    if (!receive_all(socket, payload.data() + have, more)) return false;
  }
  return true;
}

}  // namespace heddle::runtime
