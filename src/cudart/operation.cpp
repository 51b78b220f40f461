#include "cudart/operation.h"

#include "cudart/api.h"

namespace heddle::shim {

std::vector<void*> KernelLaunch::pointers() const {
  std::vector<void*> result;
  for (const std::string& bytes : arguments) result.push_back(const_cast<char*>(bytes.data()));
  return result;
}

namespace {

struct Performer {
  Stream* stream;

  Status operator()(const KernelLaunch& kernel) const {
    return launch(stream, kernel.stub, kernel.shape, kernel.pointers().data());
  }
  Status operator()(const Copy3D& copy) const { return cudaMemcpy3DAsync(&copy, stream); }
  Status operator()(const Fill& what) const {
    return gpu_api([&](State& state) { return fill(state, what, stream); });
  }
  Status operator()(const HostCall& call) const {
    const Status status = gpu_api([&](State& state) { return wait_for(state, stream); });
    if (status == Status::Success) call.function(call.argument);
    return status;
  }
  Status operator()(const ChildGraph& child) const { return perform_all(*child.graph, stream); }
  Status operator()(const Nothing&) const { return Status::Success; }
  Status operator()(const EventWait& what) const { return cudaStreamWaitEvent(stream, what.event, 0); }
  Status operator()(const EventRecord& what) const { return record(what.event, stream); }
  Status operator()(const Allocate&) const { return Status::Success; }
  Status operator()(const Release&) const { return Status::Success; }
};

}  // namespace

Status perform(const Operation& operation, Stream* stream) { return std::visit(Performer{stream}, operation); }

}  // namespace heddle::shim
