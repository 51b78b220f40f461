// Options of the compiler inside the driver, which here is the simulator's parser: of them only the logs have a
// meaning.
#pragma once

#include <string>

namespace heddle::shim {

struct JitOptions {
  unsigned count = 0;
  const int* options = nullptr;
  void** values = nullptr;

  // A size is given in the place of a pointer, and the bytes that were written are put there.
  void write_logs(const std::string& problem) const;

 private:
  void** value_of(int option) const;
  void write_log(int buffer, int size, const std::string& text) const;
};

}  // namespace heddle::shim
