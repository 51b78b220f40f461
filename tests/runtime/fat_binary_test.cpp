// The container of device code: what compilers write is read, the best PTX is chosen, damage is named.
#include "runtime/fat_binary.h"

#include <gmock/gmock.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>

#include "base/error.h"

namespace heddle::test {
namespace {

using runtime::FatBinaryEntry;
using testing::HasSubstr;

constexpr std::string_view kPtx = ".version 8.0\n.target sm_75\n.address_size 64\n// text text text text text\n";

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// An entry as nvcc 13 writes it: a header of 80 bytes.
std::string entry(uint16_t kind, uint32_t architecture, std::string payload, uint64_t flags = 0x11,
                  uint32_t compressed = 0, uint64_t unpacked = 0) {
  payload.resize((payload.size() + 7) / 8 * 8);
  std::string bytes;
  put(bytes, kind);
  put(bytes, uint16_t{0x0101});
  put(bytes, uint32_t{80});
  put(bytes, uint64_t{payload.size()});
  put(bytes, compressed);
  put(bytes, uint32_t{64});
  put(bytes, uint16_t{0});
  put(bytes, uint16_t{9});
  put(bytes, architecture);
  put(bytes, uint64_t{0});
  put(bytes, flags);
  put(bytes, uint64_t{0});
  put(bytes, unpacked);
  bytes.append(16, '\0');
  return bytes + payload;
}

std::string container(const std::string& entries) {
  std::string bytes;
  put(bytes, runtime::kFatBinaryMagic);
  put(bytes, uint16_t{1});
  put(bytes, uint16_t{16});
  put(bytes, uint64_t{entries.size()});
  return bytes + entries;
}

std::vector<FatBinaryEntry> read(std::string_view bytes) {
  return runtime::read_fat_binary(std::as_bytes(std::span(bytes)));
}

std::string error_of(std::string_view bytes) {
  try {
    runtime::ptx_of(read(bytes));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadProgram);
    return error.what();
  }
  return "no error";
}

TEST(FatBinary, plain_text_is_read_without_its_padding) {
  const auto entries = read(container(entry(1, 75, "\n\n\n" + std::string(kPtx) + '\0')));
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].text, kPtx);
  EXPECT_EQ(entries[0].architecture, 75u);
  EXPECT_EQ(entries[0].language_major, 9u);
}

TEST(FatBinary, text_compressed_with_lz4_is_read) {
  std::string packed(LZ4_compressBound(static_cast<int>(kPtx.size())), '\0');
  const int bytes =
      LZ4_compress_default(kPtx.data(), packed.data(), static_cast<int>(kPtx.size()), static_cast<int>(packed.size()));
  packed.resize(static_cast<size_t>(bytes));
  const auto entries = read(container(entry(1, 75, packed, 0x2011, static_cast<uint32_t>(bytes), kPtx.size())));
  EXPECT_EQ(entries.at(0).text, kPtx);
}

TEST(FatBinary, text_compressed_with_zstd_is_read) {
  std::string packed(ZSTD_compressBound(kPtx.size()), '\0');
  const size_t bytes = ZSTD_compress(packed.data(), packed.size(), kPtx.data(), kPtx.size(), 3);
  packed.resize(bytes);
  const auto entries = read(container(entry(1, 75, packed, 0x8011, static_cast<uint32_t>(bytes), kPtx.size())));
  EXPECT_EQ(entries.at(0).text, kPtx);
}

TEST(FatBinary, what_we_write_we_read) {
  const std::string bytes = runtime::write_fat_binary(kPtx, 70);
  EXPECT_EQ(runtime::fat_binary_bytes(bytes.data()), bytes.size());
  const auto entries = runtime::ptx_of(read(bytes));
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].text, kPtx);
  EXPECT_EQ(entries[0].architecture, 70u);
}

TEST(Image, may_be_a_container_or_a_text_or_machine_code) {
  EXPECT_EQ(runtime::read_image(container(entry(1, 75, std::string(kPtx)))).at(0).text, kPtx);
  const auto text = runtime::read_image(".version 8.3\n.target sm_90a\n.address_size 64\n");
  ASSERT_EQ(text.size(), 1u);
  EXPECT_TRUE(text[0].is_ptx);
  EXPECT_EQ(text[0].architecture, 90u);
  EXPECT_EQ(text[0].language_major * 10 + text[0].language_minor, 83u);
  EXPECT_FALSE(runtime::read_image("\177ELF and more").at(0).is_ptx);
  for (const char* nothing : {"", "no code"}) EXPECT_THROW(runtime::read_image(nothing), runtime::NoCode);
}

TEST(FatBinary, of_several_texts_the_newest_architecture_comes_first) {
  const auto entries = runtime::ptx_of(read(
      container(entry(1, 60, "sixty") + entry(2, 90, "machine code") + entry(1, 80, "eighty") + entry(1, 75, "x"))));
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].text, "eighty");
  EXPECT_EQ(entries[2].text, "sixty");
}

TEST(FatBinary, machine_code_alone_is_refused_with_advice) {
  const std::string message = error_of(container(entry(2, 90, "machine code") + entry(2, 80, "machine code")));
  EXPECT_THAT(message, HasSubstr("machine code only (sm_90, sm_80), and no PTX"));
  EXPECT_THAT(message, HasSubstr("-gencode arch=compute_75,code=compute_75"));
}

TEST(FatBinary, damage_is_named) {
  EXPECT_THAT(error_of("short"), HasSubstr("shorter than its header"));
  EXPECT_THAT(error_of(std::string(64, 'x')), HasSubstr("magic number"));
  EXPECT_THAT(error_of(container("cut")), HasSubstr("an entry is cut off"));
  std::string too_long = container(entry(1, 75, "text"));
  too_long[16 + 8] = 100;  // the payload's size
  EXPECT_THAT(error_of(too_long), HasSubstr("longer than the container"));
  EXPECT_THAT(error_of(container(entry(1, 75, "no frame", 0x8011, 8, 100))), HasSubstr("zstd"));
  EXPECT_THAT(error_of(container(entry(1, 75, "\xff\xff\xff\xff\xff\xff\xff\xff", 0x2011, 8, 4))), HasSubstr("LZ4"));
  EXPECT_THAT(error_of(container(entry(1, 75, "huge", 0x8011, 4, uint64_t{1} << 60))), HasSubstr("absurd size"));
}

}  // namespace
}  // namespace heddle::test
