#include "cudart/simulator.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/address_map.h"
#include "wire/descriptor_passing.h"

namespace heddle::shim {
namespace {

// Where GPU memory may lie: the first place that is free. The first of all is the usual one, so that addresses, and
// with them cycles, are the same in every run.
constexpr uint64_t kPlaces[] = {kGlobalBase, 0x0000'2000'0000'0000, 0x0000'0080'0000'0000, 0x0000'6000'0000'0000};
constexpr uint64_t kLargest = uint64_t{1} << 38;

int connect_to(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) return -1;
  std::strcpy(address.sun_path, path);
  const int result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (result >= 0 && ::connect(result, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return result;
  if (result >= 0) close(result);
  return -1;
}

std::string own_path() {
  char path[4096];
  const ssize_t bytes = readlink("/proc/self/exe", path, sizeof path);
  return bytes > 0 ? std::string(path, static_cast<size_t>(bytes)) : "program";
}

}  // namespace

void complain(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: %s\n", text.c_str());
}

void Simulator::forget() {
  if (connected()) close(socket_);
  socket_ = -1;
  forked_ = tried_;
}

Status Simulator::connect(bool short_addresses) {
  if (connected()) return Status::Success;
  short_addresses_ = short_addresses;
  if (tried_) return forked_ ? Status::InitializationError : Status::NoDevice;
  tried_ = true;
  const char* path = std::getenv(runtime::kSocketVariable);
  if (!path) {
    complain("error: this CUDA library is heddle's, and works under heddle exec only: heddle exec -- PROGRAM");
    return Status::NoDevice;
  }
  socket_ = connect_to(path);
  const Status status = connected() ? greet() : Status::NoDevice;
  if (status == Status::Success) return status;
  complain("error: the simulator of heddle exec does not answer");
  forget();
  return status;
}

bool Simulator::reserve_addresses() {
  if (short_addresses_) return reserve(kShortGlobalBase, kShortEnd - kShortGlobalBase);
  return std::any_of(std::begin(kPlaces), std::end(kPlaces), [&](uint64_t place) { return reserve(place, kLargest); });
}

bool Simulator::reserve(uint64_t place, uint64_t bytes) {
  void* const at = reinterpret_cast<void*>(place);
  void* const got =
      mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == at) {
    base_ = place;
    reserved_ = bytes;
    return true;
  }
  if (got != MAP_FAILED) munmap(got, bytes);  // a kernel that knows no NOREPLACE
  return false;
}

bool Simulator::map_memory() {
  void* const at = reinterpret_cast<void*>(base_);
  if (machine_.memory_capacity < reserved_)
    munmap(reinterpret_cast<void*>(base_ + machine_.memory_capacity), reserved_ - machine_.memory_capacity);
  const bool mapped = mmap(at, machine_.memory_capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                           memory_file_, 0) == at;
  return mapped;
}

Status Simulator::greet() {
  if (!reserve_addresses()) return Status::InitializationError;
  std::string reply;
  const Status status = ask(runtime::Request::Hello,
                            runtime::MessageWriter().add(runtime::kProtocol).add(base_).add_text(own_path()), reply);
  if (status != Status::Success) return status;
  machine_ = runtime::MessageReader(reply).take<runtime::Machine>();
  memory_file_ = runtime::receive_descriptor(socket_);
  if (memory_file_ < 0 || machine_.memory_capacity > reserved_ || !map_memory()) return Status::InitializationError;
  return Status::Success;
}

Status Simulator::ask(runtime::Request request, const runtime::MessageWriter& message, std::string& reply) {
  runtime::Header header;
  if (tell(request, message) != Status::Success || !runtime::receive_message(socket_, header, reply))
    return Status::Unknown;
  return static_cast<Status>(header.kind);
}

Status Simulator::tell(runtime::Request request, const runtime::MessageWriter& message) {
  if (!connected()) return Status::NoDevice;
  const bool sent = runtime::send_all(socket_, message.with_header(static_cast<uint32_t>(request)));
  return sent ? Status::Success : Status::Unknown;
}

}  // namespace heddle::shim
