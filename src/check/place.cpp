#include "check/place.h"

#include <fmt/format.h>

namespace heddle::check {

std::string line_of(const Kernel& kernel, Pc pc) {
  const Instruction& i = kernel.code[pc];
  if (i.loc < 0) return fmt::format(":{}", i.place.line);
  const SourceLine& line = kernel.locs[static_cast<size_t>(i.loc)];
  return fmt::format("{}:{}", line.file, line.line);
}

std::string thread_text(const LaunchInfo& launch, uint32_t block, unsigned thread) {
  const Dim3 &grid = launch.grid, &size = launch.block;
  return fmt::format("block ({},{},{}), thread ({},{},{})", block % grid.x, block / grid.x % grid.y,
                     block / grid.x / grid.y, thread % size.x, thread / size.x % size.y, thread / size.x / size.y);
}

}  // namespace heddle::check
