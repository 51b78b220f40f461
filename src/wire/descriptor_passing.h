// An open file handed to the process at the other end of a socket, beside one byte.
#pragma once

#include <sys/socket.h>

#include <cstring>

namespace heddle::runtime {

// A message of one byte, with room for an open file.
class DescriptorMessage {
 public:
  DescriptorMessage() {
    header.msg_iov = &part_;
    header.msg_iovlen = 1;
    header.msg_control = space_.bytes;
    header.msg_controllen = sizeof space_.bytes;
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  msghdr header{};

 private:
  char byte_ = 0;
  iovec part_{&byte_, 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    cmsghdr align;
  } space_{};
};

inline bool send_descriptor(int socket, int file) {
  DescriptorMessage message;
  cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(control), &file, sizeof file);
  return sendmsg(socket, &message.header, MSG_NOSIGNAL) == 1;
}

// -1 if none came.
inline int receive_descriptor(int socket) {
  DescriptorMessage message;
  if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* control = CMSG_FIRSTHDR(&message.header);
  if (!control || control->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(control), sizeof file);
  return file;
}

}  // namespace heddle::runtime
