#include "bench/hardware/microbenchmark.h"

namespace heddle::hardware {

std::vector<Microbenchmark> microbenchmarks() {
  std::vector<Microbenchmark> all;
  add_arithmetic(all);
  add_tensor(all);
  add_shared_memory(all);
  add_global_memory(all);
  add_local_memory(all);
  add_atomics(all);
  add_control(all);
  return all;
}

}  // namespace heddle::hardware
