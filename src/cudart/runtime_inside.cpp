// Programs that have NVIDIA's CUDA runtime inside them, as nvcc links them unless it is told otherwise. That runtime
// works with NVIDIA's driver alone. But its functions have their names in the program's symbol table, and so, before
// anything of the program runs, each of them is made a jump to ours. A program without that table (a stripped one) is
// refused by heddle exec.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cudart/own_library.h"
#include "cudart/simulator.h"

namespace heddle::shim {
namespace {

// Instructions that jump to the address behind them.
struct Jump {
#if defined(__aarch64__)
  uint32_t code[3] = {0xd503245f, 0x58000050, 0xd61f0200};  // bti c; ldr x16, [pc, 8]; br x16
#elif defined(__x86_64__)
  uint8_t code[6] = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip]
#else
#error "a jump of this processor"
#endif
  void* target;
} __attribute__((packed));
constexpr uint64_t kAlignment = 16;  // of functions: what is behind one, up to there, is nobody's

// The program's own file, mapped.
class ProgramFile {
 public:
  ProgramFile() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (file >= 0 && fstat(file, &facts) == 0) {
      bytes_ = static_cast<uint64_t>(facts.st_size);
      begin_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
  }
  ~ProgramFile() {
    if (begin_ != MAP_FAILED) munmap(begin_, bytes_);
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  // `count` values of a type at a place; or null, where they are not in the file.
  template <class T>
  const T* at(uint64_t place, uint64_t count = 1) const {
    if (begin_ == MAP_FAILED || place > bytes_ || (bytes_ - place) / sizeof(T) < count) return nullptr;
    return reinterpret_cast<const T*>(static_cast<const char*>(begin_) + place);
  }

 private:
  void* begin_ = MAP_FAILED;
  uint64_t bytes_ = 0;
};

template <class Each>
void for_each_function(const ProgramFile& file, Each&& each) {
  const auto* const elf = file.at<Elf64_Ehdr>(0);
  if (!elf || std::memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 || elf->e_ident[EI_CLASS] != ELFCLASS64) return;
  const auto* const sections = file.at<Elf64_Shdr>(elf->e_shoff, elf->e_shnum);
  for (unsigned i = 0; sections && i < elf->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= elf->e_shnum) continue;
    const Elf64_Shdr& names = sections[sections[i].sh_link];
    const char* const text = file.at<char>(names.sh_offset, names.sh_size);
    const uint64_t count = sections[i].sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = file.at<Elf64_Sym>(sections[i].sh_offset, count);
    for (uint64_t k = 0; text && symbols && k < count; ++k)
      if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC && symbols[k].st_shndx != SHN_UNDEF &&
          symbols[k].st_name < names.sh_size)
        each(text + symbols[k].st_name, symbols[k]);
  }
}

// Where the loader has put the program.
uint64_t program_base() {
  uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uint64_t*>(result) = info->dlpi_addr;
        return 1;  // the program is the first
      },
      &base);
  return base;
}

bool write_jump(uint64_t place, void* target) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t begin = place / page * page, bytes = place + sizeof(Jump) - begin;
  void* const pages = reinterpret_cast<void*>(begin);
  Jump jump;
  jump.target = target;
  if (mprotect(pages, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  auto* const to = reinterpret_cast<char*>(place);
  std::memcpy(to, &jump, sizeof jump);
  __builtin___clear_cache(to, to + sizeof jump);
  return mprotect(pages, bytes, PROT_READ | PROT_EXEC) == 0;
}

// The version of the runtime, as some of its functions tell.
const char* version_of(const ProgramFile& file) {
  bool of_12 = false, of_13 = false;
  for_each_function(file, [&](std::string_view name, const Elf64_Sym&) {
    of_12 |= name == "cudaGetDeviceProperties_v2";
    of_13 |= name == "__cudaLaunchKernel";
  });
  return of_12 ? "libcudart.so.12" : of_13 ? "libcudart.so.13" : "libcudart.so.11.0";
}

void* ours(const char* name, const char* version) {
  void* const versioned = own_function(name, version);
  return versioned ? versioned : own_function(name);
}

void replace_runtime(const ProgramFile& file) {
  const char* const version = version_of(file);
  const uint64_t base = program_base();
  bool possible = true;
  for_each_function(file, [&](const char* name, const Elf64_Sym& symbol) {
    if (!std::string_view(name).starts_with("cuda") && !std::string_view(name).starts_with("__cuda")) return;
    void* const target = ours(name, version);
    const uint64_t room =
        (symbol.st_value + symbol.st_size + kAlignment - 1) / kAlignment * kAlignment - symbol.st_value;
    if (target && room >= sizeof(Jump)) possible = write_jump(base + symbol.st_value, target) && possible;
  });
  if (!possible)
    complain("error: the CUDA runtime inside this program cannot be replaced; build it with nvcc --cudart shared");
}

[[gnu::constructor]] void look_at_program() {
  if (!std::getenv(runtime::kSocketVariable)) return;
  const ProgramFile file;
  bool inside = false;
  for_each_function(file,
                    [&](std::string_view name, const Elf64_Sym&) { inside |= name == "__cudaRegisterFatBinary"; });
  if (inside) replace_runtime(file);
}

}  // namespace
}  // namespace heddle::shim
