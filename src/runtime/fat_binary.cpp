#include "runtime/fat_binary.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace heddle::runtime {
namespace {

constexpr uint16_t kPtx = 1, kMachineCode = 2;
constexpr uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr uint64_t kLargestText = uint64_t{1} << 31;  // beyond it a size is nonsense
constexpr uint64_t kMostLz4 = 256;       // bytes that one byte can stand for: a byte of a match's length is 255
constexpr uint64_t kMostZstd = 1 << 16;  // a block of up to 128 KB is 4 bytes at least

struct ContainerHeader {
  uint32_t magic = kFatBinaryMagic;
  uint16_t version = 1, bytes = sizeof(ContainerHeader);
  uint64_t entries = 0;
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
  uint16_t kind = 0, version = 0x0101;
  uint32_t bytes = sizeof(EntryHeader);
  uint64_t payload = 0;
  uint32_t compressed = 0, options = 0;
  uint16_t minor = 0, major = 0;
  uint32_t architecture = 0, name_at = 0, name_bytes = 0;
  uint64_t flags = 0, zero = 0, unpacked = 0;
};
static_assert(sizeof(EntryHeader) == 64);

[[noreturn]] void broken(const std::string& what) {
  throw Error(ExitCode::BadProgram, "the fat binary inside the program is damaged: " + what);
}

ContainerHeader header_at(const void* begin) {
  ContainerHeader header;
  std::memcpy(&header, begin, sizeof header);
  if (header.magic != kFatBinaryMagic) broken(fmt::format("magic number {:#x}", header.magic));
  if (header.version != 1 || header.bytes < sizeof header)
    broken(fmt::format("container version {}, which is not known", header.version));
  return header;
}

std::string unpacked(const EntryHeader& entry, std::span<const std::byte> payload) {
  if ((entry.flags & (kLz4 | kZstd)) == 0 || entry.compressed == 0)
    return {reinterpret_cast<const char*>(payload.data()), payload.size()};
  if (entry.compressed > payload.size()) broken("a compressed entry is longer than its room");
  const uint64_t most = entry.compressed * (entry.flags & kZstd ? kMostZstd : kMostLz4);
  if (entry.unpacked > std::min(kLargestText, most)) broken("a text of absurd size");
  std::string text(entry.unpacked, '\0');
  const char* from = reinterpret_cast<const char*>(payload.data());
  if (entry.flags & kZstd) {
    const size_t bytes = ZSTD_decompress(text.data(), text.size(), from, entry.compressed);
    if (ZSTD_isError(bytes)) broken(fmt::format("zstd: {}", ZSTD_getErrorName(bytes)));
    text.resize(bytes);
  } else {
    const int bytes =
        LZ4_decompress_safe(from, text.data(), static_cast<int>(entry.compressed), static_cast<int>(text.size()));
    if (bytes < 0) broken("an LZ4 block that cannot be unpacked");
    text.resize(static_cast<size_t>(bytes));
  }
  return text;
}

std::string trimmed(std::string text) {
  text.resize(std::min(text.find('\0'), text.size()));
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

FatBinaryEntry entry_of(const EntryHeader& header, std::span<const std::byte> payload) {
  FatBinaryEntry entry;
  entry.is_ptx = header.kind == kPtx;
  entry.architecture = header.architecture;
  entry.language_major = header.major;
  entry.language_minor = header.minor;
  if (entry.is_ptx) entry.text = trimmed(unpacked(header, payload));
  return entry;
}

// The number behind a directive of PTX, its digits alone: 75 of ".target sm_75", 90 of ".version 9.0".
uint32_t number_behind(std::string_view ptx, std::string_view directive) {
  const size_t at = ptx.find(directive);
  if (at == std::string_view::npos) return 0;
  uint32_t number = 0;
  for (const char c : ptx.substr(at + directive.size(), 8)) {
    if (c >= '0' && c <= '9')
      number = number * 10 + static_cast<uint32_t>(c - '0');
    else if (c != '.')
      break;
  }
  return number;
}

FatBinaryEntry entry_of_ptx(std::string text) {
  const uint32_t language = number_behind(text, ".version ");
  return {true, number_behind(text, ".target sm_"), language / 10, language % 10, std::move(text)};
}

}  // namespace

uint64_t fat_binary_bytes(const void* begin) {
  const ContainerHeader header = header_at(begin);
  return header.bytes + header.entries;
}

std::vector<FatBinaryEntry> read_fat_binary(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(ContainerHeader)) broken("it is shorter than its header");
  const ContainerHeader header = header_at(bytes.data());
  std::vector<FatBinaryEntry> entries;
  const uint64_t end = std::min<uint64_t>(bytes.size(), header.bytes + header.entries);
  for (uint64_t at = header.bytes; at < end;) {
    EntryHeader entry;
    if (end - at < sizeof entry) broken("an entry is cut off");
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.bytes < sizeof entry || entry.bytes > end - at || entry.payload > end - at - entry.bytes)
      broken("an entry is longer than the container");
    if (entry.kind == kPtx || entry.kind == kMachineCode)
      entries.push_back(entry_of(entry, bytes.subspan(at + entry.bytes, entry.payload)));
    at += entry.bytes + entry.payload;
  }
  return entries;
}

std::vector<FatBinaryEntry> read_image(std::string_view bytes) {
  uint32_t magic = 0;
  std::memcpy(&magic, bytes.data(), std::min(bytes.size(), sizeof magic));
  if (magic == kFatBinaryMagic) return read_fat_binary(std::as_bytes(std::span(bytes)));
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return {FatBinaryEntry{}};
  if (bytes.find(".version") == std::string_view::npos)
    throw NoCode("what the program wants to load is neither a fat binary nor PTX, which has a .version");
  return {entry_of_ptx(trimmed(std::string(bytes)))};
}

std::vector<FatBinaryEntry> ptx_of(std::vector<FatBinaryEntry> entries) {
  std::string machine_code;
  for (const FatBinaryEntry& entry : entries)
    if (!entry.is_ptx)
      machine_code += fmt::format("{}{}", machine_code.empty() ? "" : ", ",
                                  entry.architecture > 0 ? fmt::format("sm_{}", entry.architecture) : "a cubin");
  std::erase_if(entries, [](const FatBinaryEntry& entry) { return !entry.is_ptx; });
  if (entries.empty())
    throw NoPtx(
        fmt::format("the program holds {}, and no PTX. Build it again with PTX inside: "
                    "nvcc -gencode arch=compute_75,code=compute_75 …, or nvcc -arch=compute_75 …",
                    machine_code.empty() ? "no device code" : "machine code only (" + machine_code + ")"));
  std::stable_sort(entries.begin(), entries.end(),
                   [](const FatBinaryEntry& a, const FatBinaryEntry& b) { return a.architecture > b.architecture; });
  return entries;
}

std::string write_fat_binary(std::string_view ptx, uint32_t architecture) {
  const uint64_t padded = (ptx.size() + 8) / 8 * 8;  // a zero behind the text at least
  ContainerHeader header;
  header.entries = sizeof(EntryHeader) + padded;
  EntryHeader entry;
  entry.kind = kPtx;
  entry.payload = padded;
  entry.architecture = architecture;
  entry.flags = 0x11;  // 64 bits, Linux
  std::string bytes(sizeof header + header.entries, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &entry, sizeof entry);
  std::memcpy(bytes.data() + sizeof header + sizeof entry, ptx.data(), ptx.size());
  return bytes;
}

}  // namespace heddle::runtime
