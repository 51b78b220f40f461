// The checks of one GPU: what kernels do that is right only by luck (docs/checks.md).
//
// Life cycle: one per GPU. It is told of memory that the host allocates and writes, and of each launch before its
// threads are made; watch() then looks at the threads of each core. What was found is good at any time.
#pragma once

#include <memory>

#include "check/check_set.h"
#include "check/collector.h"
#include "check/timeline.h"
#include "exec/context.h"

namespace heddle::check {

struct RaceMemory;
class WrittenBits;

class Checker {
 public:
  Checker(const CheckSet& set, const GlobalMemory& memory);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void allocated(Address address, uint64_t bytes);
  void wrote(Address address, uint64_t bytes);
  void launch_began(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch, const LaunchOrder& order);
  void launch_failed(const Kernel& kernel, const Error& error);
  void watch(Context& context);

  void leaked(std::string what);  // something the host never freed
  const CheckSet& set() const { return set_; }
  const Findings& findings() const { return found_.findings(); }

 private:
  const CheckSet set_;
  const GlobalMemory& memory_;
  Collector found_;
  std::unique_ptr<RaceMemory> race_;
  std::unique_ptr<WrittenBits> written_;
};

}  // namespace heddle::check
