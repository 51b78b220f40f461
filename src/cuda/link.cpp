// The linker inside the driver: several PTX texts, or fat binaries with PTX, become one PTX text, which stands for the
// machine code that the driver's would make.
#include "cuda/driver.h"
#include "cuda/jit.h"
#include "cudart/image.h"

using namespace heddle::shim;
using heddle::runtime::MessageReader;
using heddle::runtime::MessageWriter;
using heddle::runtime::Request;

namespace {

struct Linker {  // CUlinkState
  JitOptions options;
  std::vector<std::string> inputs;
  std::string output;
};

Status link_inputs(Linker& linker) {
  return gpu_api([&](State& state) {
    MessageWriter message;
    message.add(static_cast<uint32_t>(linker.inputs.size()));
    for (const std::string& input : linker.inputs) message.add_text(input);
    std::string reply;
    const Status status = state.simulator.ask(Request::Link, message, reply);
    const std::string text(reply.empty() ? std::string_view() : MessageReader(reply).take_text());
    linker.options.write_logs(status == Status::Success ? "" : text);
    if (status == Status::Success) linker.output = text;
    return status;
  });
}

}  // namespace

HEDDLE_API Status cuLinkCreate_v2(unsigned count, const int* options, void** values, Linker** linker) {
  return in_context([&] {
    *linker = new Linker{{count, options, values}, {}, {}};
    return Status::Success;
  });
}
HEDDLE_API Status cuLinkCreate(unsigned count, const int* options, void** values, Linker** linker) {
  return cuLinkCreate_v2(count, options, values, linker);
}
HEDDLE_API Status cuLinkAddData_v2(Linker* linker, int, const void* data, size_t bytes, const char*, unsigned,
                                   const int*, void**) {
  return in_context([&] {
    if (!linker || !data || bytes == 0) return Status::InvalidValue;
    linker->inputs.emplace_back(static_cast<const char*>(data), bytes);
    return Status::Success;
  });
}
HEDDLE_API Status cuLinkAddData(Linker* linker, int kind, const void* data, size_t bytes, const char* name,
                                unsigned count, const int* options, void** values) {
  return cuLinkAddData_v2(linker, kind, data, bytes, name, count, options, values);
}
HEDDLE_API Status cuLinkAddFile_v2(Linker* linker, int, const char* path, unsigned, const int*, void**) {
  return in_context([&] {
    std::string bytes;
    if (!linker || !path) return Status::InvalidValue;
    if (!read_file(path, bytes)) return Status::FileNotFound;
    linker->inputs.push_back(std::move(bytes));
    return Status::Success;
  });
}
HEDDLE_API Status cuLinkAddFile(Linker* linker, int kind, const char* path, unsigned count, const int* options,
                                void** values) {
  return cuLinkAddFile_v2(linker, kind, path, count, options, values);
}
HEDDLE_API Status cuLinkComplete(Linker* linker, void** code, size_t* bytes) {
  return in_context([&] {
    if (!linker || !code || linker->inputs.empty()) return Status::InvalidValue;
    const Status status = link_inputs(*linker);
    *code = linker->output.data();
    if (bytes) *bytes = linker->output.size() + 1;
    return status;
  });
}
HEDDLE_API Status cuLinkDestroy(Linker* linker) {
  return in_context([&] {
    delete linker;
    return linker ? Status::Success : Status::InvalidValue;
  });
}
