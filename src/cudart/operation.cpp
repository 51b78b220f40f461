#include "cudart/operation.h"

#include "cudart/graph.h"

HEDDLE_API heddle::shim::Status cudaMemcpy3D(const heddle::shim::Copy3D* what);

namespace heddle::shim {

std::vector<void*> KernelLaunch::pointers() const {
  std::vector<void*> result;
  for (const std::string& bytes : arguments) result.push_back(const_cast<char*>(bytes.data()));
  return result;
}

namespace {

struct Performer {
  Status operator()(const KernelLaunch& kernel) const {
    return launch(kernel.stub, kernel.shape, kernel.pointers().data());
  }
  Status operator()(const Copy3D& copy) const { return cudaMemcpy3D(&copy); }
  Status operator()(const Fill& what) const {
    return gpu_api([&](State& state) { return fill(state, what); });
  }
  Status operator()(const HostCall& call) const {
    const Status status = gpu_api([](State& state) { return state.synchronize(); });
    if (status == Status::Success) call.function(call.argument);
    return status;
  }
  Status operator()(const ChildGraph& child) const { return perform_all(*child.graph); }
  Status operator()(const Nothing&) const { return Status::Success; }
  Status operator()(const EventWait&) const { return Status::Success; }
  Status operator()(const EventRecord& what) const { return record(what.event); }
  Status operator()(const Allocate&) const { return Status::Success; }
  Status operator()(const Release&) const { return Status::Success; }
};

}  // namespace

Status perform(const Operation& operation) { return std::visit(Performer(), operation); }

}  // namespace heddle::shim
