#include "runtime/cuda_compiler.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <type_traits>

#include "base/embedded_text.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "runtime/child_process.h"
#include "runtime/fat_binary.h"
#include "runtime/program_process.h"

namespace heddle {
std::span<const EmbeddedText> cuda_headers();  // made by embed_texts
}

namespace heddle::runtime {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr uint32_t kArchitecture = 75;

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(ExitCode::Usage, fmt::format("cannot write '{}'", path.string()));
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void unpack_headers(const fs::path& folder) {
  for (const EmbeddedText& header : cuda_headers()) {
    const fs::path path = folder / header.file;
    fs::create_directories(path.parent_path());
    write_file(path, header.text);
  }
}

bool is_command(const std::string& name) {
  std::istringstream folders(getenv("PATH") ? getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return true;
  return false;
}

// clang 14, which Debian 12 calls clang++, gets structs with padding wrong that kernels pass by value.
std::string newest_clang() {
  for (unsigned version = 30; version > 14; --version)
    if (std::string name = fmt::format("clang++-{}", version); is_command(name)) return name;
  return "clang++";
}

// Flags of clang whose value is the next word.
bool takes_next_word(std::string_view flag) {
  constexpr std::string_view kFlags[] = {"-I",       "-D",      "-U",         "-L",      "-l",       "-include",
                                         "-isystem", "-iquote", "-idirafter", "-Xclang", "-Xlinker", "-T"};
  return std::find(std::begin(kFlags), std::end(kFlags), flag) != std::end(kFlags);
}

bool is_cuda_source(const fs::path& file) { return file.extension() == ".cu"; }

bool is_c_source(const fs::path& file) { return file.extension() == ".c"; }

// They may include cuda_runtime.h, so they are compiled like the host's side of a .cu file; but not unless they ask for
// it: they may have names of their own that CUDA has too.
bool is_host_source(const fs::path& file) {
  return file.extension() == ".cpp" || file.extension() == ".cc" || file.extension() == ".cxx" || is_c_source(file);
}

// The folders of Thrust, CUB and libcu++ where a toolkit has them (the second: before CUDA 13), or their repository.
// Links to them stand in `links`, since beside them may lie headers of the toolkit that ours are in the place of.
void link_libraries(const fs::path& toolkit, const fs::path& links) {
  constexpr std::array<std::string_view, 3> kPlaces[] = {
      {"include/cccl/thrust", "include/thrust", "thrust/thrust"},
      {"include/cccl/cub", "include/cub", "cub/cub"},
      {"include/cccl/cuda", "include/cuda", "libcudacxx/include/cuda"},
      {"include/cccl/nv", "include/nv", "libcudacxx/include/nv"}};
  fs::create_directories(links);
  for (const auto& places : kPlaces) {
    const auto place = std::find_if(std::begin(places), std::end(places),
                                    [&](std::string_view each) { return fs::is_directory(toolkit / each); });
    if (place == std::end(places))
      throw Error(ExitCode::Usage,
                  fmt::format("--cuda-path: there is no '{}' in '{}', nor what else a toolkit may have", places.front(),
                              toolkit.string()));
    fs::create_directory_symlink(fs::absolute(toolkit / *place), links / fs::path(*place).filename());
  }
}

// One run of `heddle cc`.
class Compilation {
 public:
  explicit Compilation(const CudaCompiler& options) : options_(options) {
    unpack_headers(folder_.path());
    if (!options_.cuda_path.empty()) link_libraries(options_.cuda_path, libraries());
    sort_words();
    if (sources_.empty() && inputs_.empty()) throw Error(ExitCode::Usage, "no source given: heddle cc app.cu -o app");
    if (!options_.ptx.empty() && std::count_if(sources_.begin(), sources_.end(), is_cuda_source) != 1)
      throw Error(ExitCode::Usage, "--ptx is for the kernels of one .cu file");
  }

  void objects() {
    if (sources_.size() > 1 && !options_.output.empty())
      throw Error(ExitCode::Usage, "-o names one object, and there are several sources");
    for (const std::string& source : sources_)
      compile(source, options_.output.empty() ? fs::path(source).stem().string() + ".o" : options_.output);
  }

  void program() {
    Words link = {options_.compiler};
    for (const std::string& source : sources_) {
      const std::string object = temporary(".o");
      compile(source, object);
      link.push_back(object);
    }
    link.insert(link.end(), inputs_.begin(), inputs_.end());
    link.insert(link.end(), flags_.begin(), flags_.end());
    const Words library = {"-L" + shim_folder(), "-l:libcudart.so.13", "-pthread", "-o",
                           options_.output.empty() ? "a.out" : options_.output};
    link.insert(link.end(), library.begin(), library.end());
    command(link, "link", sources_.empty() ? inputs_.front() : sources_.front());
  }

 private:
  fs::path libraries() const { return folder_.path() / "libraries"; }

  void sort_words() {
    bool is_value = false;
    for (const std::string& word : options_.words) {
      const bool is_flag = is_value || word.starts_with('-');
      const bool is_source = is_cuda_source(word) || is_host_source(word);
      (is_flag ? flags_ : is_source ? sources_ : inputs_).push_back(word);
      is_value = !is_value && takes_next_word(word);
    }
  }

  std::string temporary(const char* extension) {
    return (folder_.path() / fmt::format("{}{}", number_++, extension)).string();
  }

  void compile(const std::string& source, const std::string& object) {
    if (!fs::exists(source)) throw Error(ExitCode::Usage, fmt::format("there is no file '{}'", source));
    if (is_c_source(source)) return plain_c(source, object);
    if (!is_cuda_source(source)) return side(source, {"--cuda-host-only", "-c"}, object, "compile");
    const std::string fat = temporary(".fatbin");
    write_file(fat, write_fat_binary(kernels_of(source), kArchitecture));
    side(source, {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fat, "-c"}, object,
         "compile for the host");
  }

  std::string kernels_of(const std::string& source) {
    if (!options_.ptx.empty()) {
      if (!fs::exists(options_.ptx)) throw Error(ExitCode::Usage, fmt::format("there is no file '{}'", options_.ptx));
      return read_file(options_.ptx);
    }
    const std::string ptx = temporary(".ptx");
    Words flags = {"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx63", "-gline-tables-only", "-S"};
    if (options_.era) {
      const Words era = era_flags();
      flags.insert(flags.end(), era.begin(), era.end());
    }
    side(source, flags, ptx, "compile for the GPU");
    return read_file(ptx);
  }

  // The target has 32 bits, the headers are those of this machine. char has the sign that it has in host code.
  Words era_flags() {
    std::istringstream text(read_file(folder_.path() / "workloads" / "era_flags.txt"));
    Words flags = {std::is_signed_v<char> ? "-fsigned-char" : "-funsigned-char", "-nostdinc"};
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line.starts_with('#') ? "" : line);
      flags.insert(flags.end(), std::istream_iterator<std::string>(words), {});
    }
    for (const std::string& folder : header_folders()) flags.insert(flags.end(), {"-isystem", folder});
    return flags;
  }

  // Where the compiler looks for the headers of this machine: it says so itself. Before them, one that is of 64 bits
  // only, and not needed.
  Words header_folders() {
    const std::string said = temporary(".txt");
    run_command({options_.compiler, "-x", "c++", "-E", "-v", "/dev/null", "-o", "/dev/null"}, said);
    fs::create_directories(folder_.path() / "stand-in" / "gnu");
    write_file(folder_.path() / "stand-in" / "gnu" / "stubs.h", "");
    Words folders = {(folder_.path() / "stand-in").string()};
    std::istringstream text(read_file(said));
    bool listed = false;
    for (std::string line; std::getline(text, line);) {
      if (listed && line.starts_with(' ')) folders.push_back(line.substr(1));
      listed = line.starts_with("#include <") || (listed && line.starts_with(' '));
    }
    return folders;
  }

  // -target-sdk-version: launches go through cudaLaunchKernel, not through the calls of CUDA 8.
  void side(const std::string& source, const Words& which, const std::string& output, std::string_view what) {
    const std::string include = (folder_.path() / "src" / "runtime" / "include").string();
    Words words = {options_.compiler,
                   "-x",
                   "cuda",
                   "-nocudainc",
                   "-nocudalib",
                   "--cuda-path=/nonexistent",
                   fmt::format("--cuda-gpu-arch=sm_{}", kArchitecture),
                   "-Xclang",
                   "-target-sdk-version=11.5",
                   "-Qunused-arguments",
                   "-std=c++17",
                   "-O2"};
    // Their concepts have functions of any arguments, which are never called; of numbers of 8 bits they want more kinds
    // than there are here.
    if (!options_.cuda_path.empty())
      words.insert(words.end(), {"-Xclang", "-fcuda-allow-variadic-functions", "-DCCCL_DISABLE_NVFP8_SUPPORT",
                                 "-isystem", libraries().string()});
    const std::string names = is_cuda_source(source) ? "cuda_runtime.h" : "heddle_cuda_qualifiers.h";
    words.insert(words.end(), {"-isystem", include, "-include", names});
    words.insert(words.end(), which.begin(), which.end());
    words.push_back(source);
    words.insert(words.end(), flags_.begin(), flags_.end());
    words.insert(words.end(), {"-o", output});
    command(words, what, source);
  }

  // C, without CUDA: flags that are about C++ are not for it.
  void plain_c(const std::string& source, const std::string& object) const {
    Words words = {options_.compiler, "-x", "c", "-Qunused-arguments", "-O2", "-c", source};
    std::copy_if(flags_.begin(), flags_.end(), std::back_inserter(words), [](const std::string& flag) {
      return !flag.starts_with("-std=c++") && !flag.starts_with("-std=gnu++");
    });
    words.insert(words.end(), {"-o", object});
    command(words, "compile", source);
  }

  void command(const Words& words, std::string_view what, const std::string& source) const {
    if (options_.verbose) fmt::print(stderr, "{}\n", fmt::join(words, " "));
    if (run_command(words) != 0)
      throw Error(ExitCode::BadProgram, fmt::format("{} could not {} {}", options_.compiler, what, source));
  }

  const CudaCompiler& options_;
  TemporaryFolder folder_;
  Words sources_, inputs_, flags_;  // inputs: objects and archives
  int number_ = 0;
};

}  // namespace

void CudaCompiler::run() const {
  CudaCompiler options = *this;
  if (compiler.empty()) options.compiler = era ? "clang++" : newest_clang();
  Compilation compilation(options);
  if (objects)
    compilation.objects();
  else
    compilation.program();
}

}  // namespace heddle::runtime
