#include "runtime/executable.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>

#include "base/error.h"

namespace heddle::runtime {
namespace {

// Reads values out of a file's bytes; what lies outside is absent, not an accident.
class Image {
 public:
  explicit Image(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  bool get(uint64_t at, T& value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return true;
  }
  // Is that text there, with the zero behind it?
  bool has(uint64_t at, std::string_view text) const {
    return at <= bytes_.size() && bytes_.size() - at > text.size() &&
           std::memcmp(bytes_.data() + at, text.data(), text.size()) == 0 && bytes_[at + text.size()] == '\0';
  }
  std::string text(uint64_t at) const {
    if (at >= bytes_.size()) return {};
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at);
    return {begin, std::find(begin, bytes_.end(), '\0')};
  }

 private:
  std::vector<char> bytes_;
};

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// Of a file that is no ELF of 64 bits.
std::string obstacle_of_other(const Image& image) {
  char start[EI_NIDENT] = {};
  for (uint64_t i = 0; i < sizeof start; ++i) image.get(i, start[i]);
  if (std::memcmp(start, ELFMAG, SELFMAG) == 0)
    return start[EI_CLASS] == ELFCLASS32 ? "it is a program of 32 bits" : "it is cut off";
  if (start[0] != '#' || start[1] != '!') return "it is neither a program nor a script that begins with #!";
  std::istringstream line(image.text(2));
  std::string interpreter;
  line >> interpreter;
  return is_file(interpreter) ? "" : fmt::format("the script's interpreter {} is not there", interpreter);
}

// A program for the processor that runs heddle has the machine number that heddle itself has.
std::string obstacle_of_elf(const Elf64_Ehdr& elf) {
  static const Elf64_Half own = [] {
    Elf64_Ehdr self{};
    std::ifstream("/proc/self/exe", std::ios::binary).read(reinterpret_cast<char*>(&self), sizeof self);
    return self.e_machine;
  }();
  if (elf.e_machine != own) return "it is a program for another processor";
  if (elf.e_type == ET_REL) return "it is an object file, not linked to a program yet";
  return "";
}

struct Section {
  std::string name;
  Elf64_Shdr header;
};

std::vector<Section> sections_of(const Image& image, const Elf64_Ehdr& elf) {
  std::vector<Section> sections;
  Elf64_Shdr names{};
  if (!image.get(elf.e_shoff + uint64_t{elf.e_shstrndx} * sizeof names, names)) return sections;
  for (unsigned i = 0; i < elf.e_shnum; ++i) {
    Section section;
    if (!image.get(elf.e_shoff + uint64_t{i} * sizeof section.header, section.header)) break;
    section.name = image.text(names.sh_offset + section.header.sh_name);
    sections.push_back(std::move(section));
  }
  return sections;
}

void read_dynamic(const Image& image, const Elf64_Shdr& dynamic, uint64_t strings, Executable& executable) {
  for (uint64_t at = dynamic.sh_offset; at < dynamic.sh_offset + dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry{};
    if (!image.get(at, entry) || entry.d_tag == DT_NULL) return;
    if (entry.d_tag == DT_NEEDED) executable.needed.push_back(image.text(strings + entry.d_un.d_val));
    if (entry.d_tag == DT_RPATH) executable.has_rpath = true;
  }
}

// Is a function of that name part of the program?
bool defines(const Image& image, const Elf64_Shdr& table, uint64_t strings, std::string_view name) {
  for (uint64_t at = table.sh_offset; at < table.sh_offset + table.sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol{};
    if (!image.get(at, symbol)) return false;
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        image.has(strings + symbol.st_name, name))
      return true;
  }
  return false;
}

}  // namespace

bool Executable::needs_cuda() const {
  return std::any_of(needed.begin(), needed.end(), [](const std::string& library) {
    return library.starts_with("libcudart.so") || library.starts_with("libcuda.so");
  });
}

std::string find_executable(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto runs = [&](const fs::path& path) {
    return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, ignored);
  };
  if (name.find('/') != std::string::npos) {
    if (runs(name)) return name;
    const char* why = fs::is_directory(name, ignored) ? "it is a folder" : "it is not executable";
    throw Error(ExitCode::Usage,
                fmt::format("cannot run '{}': {}", name, fs::exists(name, ignored) ? why : "there is no such file"));
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; runs(file)) return file.string();
  throw Error(ExitCode::Usage,
              fmt::format("cannot run '{}': it is not on PATH (for a program in this folder: ./{})", name, name));
}

Executable read_executable(const std::string& path) {
  Executable executable;
  executable.path = path;
  std::ifstream file(path, std::ios::binary);
  const Image image(std::vector<char>(std::istreambuf_iterator<char>(file), {}));
  Elf64_Ehdr elf{};
  if (!image.get(0, elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64) {
    executable.obstacle = obstacle_of_other(image);
    return executable;
  }
  executable.is_elf = true;
  executable.obstacle = obstacle_of_elf(elf);
  const std::vector<Section> sections = sections_of(image, elf);
  for (const Section& section : sections) {
    if (section.name == ".nv_fatbin") executable.has_device_code = true;
    if (section.header.sh_link >= sections.size()) continue;
    const uint64_t strings = sections[section.header.sh_link].header.sh_offset;
    if (section.header.sh_type == SHT_DYNAMIC) read_dynamic(image, section.header, strings, executable);
    if (section.header.sh_type == SHT_SYMTAB)
      executable.has_runtime_inside = defines(image, section.header, strings, "__cudaRegisterFatBinary");
  }
  return executable;
}

void check_executable(const Executable& executable) {
  if (!executable.obstacle.empty())
    throw Error(ExitCode::Usage, fmt::format("cannot run '{}': {}", executable.path, executable.obstacle));
  if (!executable.is_elf || !executable.has_device_code || executable.needs_cuda() || executable.has_runtime_inside)
    return;
  throw Error(ExitCode::BadProgram,
              fmt::format("{} has NVIDIA's CUDA runtime inside it, and no symbols by which heddle could put its own in "
                          "the place of it: it was stripped. Build it again without stripping it, or with the shared "
                          "runtime: nvcc --cudart shared …",
                          executable.path));
}

}  // namespace heddle::runtime
