#include <malloc.h>

#include "cli/command_line.h"

namespace {

// Launch after launch wants the same memory for its cores: what one frees is kept for the next, not given back to the
// system, which would have to clear its pages again.
void keep_freed_memory() {
  constexpr int kLargest = 32 << 20, kKept = 1 << 30;  // bytes: of one piece, the most there may be; of what is free
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return heddle::cli::run_command_line(argc, argv);
}
