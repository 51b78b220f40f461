// Where CUDA programs find the simulator: a socket in a folder that only this user can enter. Every process that
// connects is served in a thread of its own.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"

namespace heddle::runtime {

class Service {
 public:
  // `serve` is called in its own thread for each connection, and closes nothing.
  explicit Service(std::function<void(int socket)> serve);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  const std::string& path() const { return path_; }
  void kill_all();              // processes that are connected
  void finish();                // takes no more connections, and waits until those there are have ended
  std::string refused() const;  // when all have: why one could not be taken; "": all were

 private:
  void accept_all();
  void drop(int connection);
  void stop_listening(int error);

  std::function<void(int)> serve_;
  TemporaryFolder folder_;
  std::string path_;
  int listening_ = -1;
  bool finishing_ = false;
  int refused_ = 0;  // errno
  std::mutex mutex_;
  std::set<int> open_;
  std::vector<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace heddle::runtime
