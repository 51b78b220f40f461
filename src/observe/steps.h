// Calls a function for every issue slot, with all that can be known of it: for tests and small tools.
#pragma once

#include <functional>

#include "divergence/mechanism.h"

namespace heddle {

struct Step {
  uint64_t slot;
  const Warp& warp;
  const Group& group;
  const Kernel& kernel;
  const Mechanism& mechanism;
  const Host& host;
};
using Tracer = std::function<void(const Step&)>;

class Steps : public Observer {
 public:
  explicit Steps(Tracer call) : call_(std::move(call)) {}
  uint32_t wants() const override { return kSteps; }
  void issued(const Scene& scene, const Issued& event) override {
    call_({scene.slot, scene.host.warp(event.warp), event.group, scene.kernel, scene.mechanism, scene.host});
  }

 private:
  Tracer call_;
};

}  // namespace heddle
