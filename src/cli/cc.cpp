// heddle cc: compiles a CUDA program by clang, without the CUDA toolkit.
#include <memory>

#include "cli/verb.h"
#include "runtime/cuda_compiler.h"

namespace heddle::cli {

Action declare_cc(CLI::App& command) {
  auto options = std::make_shared<runtime::CudaCompiler>();
  command.add_option("-o", options->output, "the program, or with -c the object");
  command.add_flag("-c", options->objects, "an object for each source, no program");
  command.add_option("--compiler", options->compiler,
                     "which clang; without it the newest there is, with --era clang++");
  command.add_flag("--era", options->era,
                   "kernels as compilers of 2010 wrote them: 32-bit addresses, the source's branches");
  command.add_option("--ptx", options->ptx, "take this PTX for the kernels of the source, instead of compiling them");
  command.add_option("--cuda-path", options->cuda_path,
                     "a CUDA toolkit, or a clone of CCCL: Thrust, CUB and libcu++ are taken from there");
  command.add_flag("--verbose", options->verbose, "print the commands");
  command.allow_extras();  // sources, objects, and clang's own flags
  return [options, &command] {
    options->words = command.remaining();
    options->run();
    return ExitCode::Ok;
  };
}

}  // namespace heddle::cli
