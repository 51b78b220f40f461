// An open file handed to the process at the other end of a socket, beside one byte.
#pragma once

#include <sys/socket.h>

#include <cstring>

namespace heddle::runtime {

union DescriptorSpace {
  char bytes[CMSG_SPACE(sizeof(int))];
  cmsghdr align;
};

inline bool send_descriptor(int socket, int file) {
  char byte = 0;
  iovec part{&byte, 1};
  DescriptorSpace space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.bytes;
  message.msg_controllen = sizeof space.bytes;
  cmsghdr* control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(control), &file, sizeof file);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

// -1 if none came.
inline int receive_descriptor(int socket) {
  char byte = 0;
  iovec part{&byte, 1};
  DescriptorSpace space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.bytes;
  message.msg_controllen = sizeof space.bytes;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* control = CMSG_FIRSTHDR(&message);
  if (!control || control->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(control), sizeof file);
  return file;
}

}  // namespace heddle::runtime
