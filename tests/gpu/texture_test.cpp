// Texture look-ups, against values worked out by the rules of the CUDA programming guide.
#include <gtest/gtest.h>

#include <bit>

#include "exec/texture_descriptor.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kLookUp = R"(
.visible .entry look(.param .u64 texture, .param .u64 out, .param .f32 x, .param .f32 y) {
  .reg .f32 %f<8>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [out];
  ld.param.f32 %f1, [x];
  ld.param.f32 %f2, [y];
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
  st.global.v4.f32 [%rd2], {%f3, %f4, %f5, %f6};
  ret;
}
.visible .entry fetch(.param .u64 texture, .param .u64 out, .param .u32 x) {
  .reg .b32 %r<8>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [x];
  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];
  st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};
  ret;
})";

// 4 x 2 elements: 0 10 20 30 above 40 50 60 70.
class Texture : public testing::Test {
 protected:
  Texture() {
    const std::vector<float> values = {0, 10, 20, 30, 40, 50, 60, 70};
    image.upload(values);
    texture.level[0] = {image.address(), 16, 0, 4, 2, 0};
    texture.bits = 32;
    texture.channels = 1;
    texture.kind = TextureDescriptor::Float;
    for (uint32_t& mode : texture.address) mode = TextureDescriptor::Clamp;
  }

  std::vector<float> look(float x, float y) {
    const Buffer<TextureDescriptor> object(gpu, std::vector{texture}, "texture");
    gpu.launch("look", {{1}, {1}}, Arguments(object.address(), out.address(), x, y));
    return out.download();
  }
  float first(float x, float y) { return look(x, y)[0]; }

  SmallGpu gpu{kLookUp};
  Buffer<float> image{gpu, 8, "image"}, out{gpu, 4, "out"};
  TextureDescriptor texture;
};

TEST_F(Texture, the_nearest_element_is_the_one_around_the_point) {
  EXPECT_EQ(first(0.0F, 0.0F), 0);
  EXPECT_EQ(first(2.99F, 0.5F), 20);
  EXPECT_EQ(first(3.0F, 1.0F), 70);
}

TEST_F(Texture, channels_that_are_not_there_read_as_zero_and_one) {
  EXPECT_EQ(look(1.5F, 1.5F), (std::vector<float>{50, 0, 0, 1}));
}

TEST_F(Texture, filtering_is_the_weighted_mean_of_the_four_around) {
  texture.linear = 1;
  EXPECT_EQ(first(1.0F, 1.0F), 25);                // between 0, 10, 40 and 50
  EXPECT_EQ(first(1.5F, 0.5F), 10);                // in the middle of an element
  EXPECT_EQ(first(1.75F, 0.5F), 12.5F);            // a quarter of the way
  EXPECT_EQ(first(0.0F, 0.0F), 0);                 // clamped
  EXPECT_EQ(first(1.5F + 1.0F / 1024, 0.5F), 10);  // weights have eight bits
}

TEST_F(Texture, coordinates_outside_are_clamped_wrapped_mirrored_or_the_border) {
  EXPECT_EQ(first(-3, 0), 0);
  EXPECT_EQ(first(9, 9), 70);
  texture.border[0] = -1;
  for (uint32_t& mode : texture.address) mode = TextureDescriptor::Border;
  EXPECT_EQ(first(4, 0), -1);
  EXPECT_EQ(first(3.5F, 0), 30);
  texture.normalised = 1;
  for (uint32_t& mode : texture.address) mode = TextureDescriptor::Wrap;
  EXPECT_EQ(first(1.25F, 0.0F), 10);
  EXPECT_EQ(first(-0.25F, 0.0F), 30);
  for (uint32_t& mode : texture.address) mode = TextureDescriptor::Mirror;
  EXPECT_EQ(first(1.0F, 0.0F), 30);
  EXPECT_EQ(first(1.3F, 0.0F), 20);
}

TEST_F(Texture, integers_are_read_as_they_are_or_as_fractions) {
  const Buffer<uint8_t> bytes(gpu, std::vector<uint8_t>{0, 51, 102, 255}, "bytes");
  texture.level[0] = {bytes.address(), 4, 0, 1, 1, 0};
  texture.bits = 8;
  texture.channels = 4;
  texture.kind = TextureDescriptor::Unsigned;
  texture.normalised_float = 1;
  EXPECT_EQ(look(0, 0), (std::vector<float>{0, 0.2F, 0.4F, 1}));
  texture.normalised_float = 0;
  EXPECT_EQ(std::bit_cast<uint32_t>(look(0, 0)[3]), 255u);
}

TEST_F(Texture, a_fetch_outside_linear_memory_is_zero) {
  const Buffer<uint32_t> words(gpu, std::vector<uint32_t>{7, 8, 9}, "words");
  const Buffer<uint32_t> found(gpu, 4, "found");
  texture.level[0] = {words.address(), 0, 0, 3, 0, 0};
  texture.kind = TextureDescriptor::Unsigned;
  const Buffer<TextureDescriptor> object(gpu, std::vector{texture}, "texture");
  const auto fetch = [&](int32_t x) {
    gpu.launch("fetch", {{1}, {1}}, Arguments(object.address(), found.address(), x));
    return found.download()[0];
  };
  EXPECT_EQ(fetch(2), 9u);
  EXPECT_EQ(fetch(3), 0u);
  EXPECT_EQ(fetch(-1), 0u);
}

TEST_F(Texture, what_is_no_texture_object_is_a_fault) {
  EXPECT_NE(error_of(ExitCode::Fault,
                     [&] {
                       gpu.launch("look", {{1}, {1}}, Arguments(image.address(), out.address(), 0.0F, 0.0F));
                     })
                .find("is no texture object"),
            std::string::npos);
}

// What can be asked of images, and accesses under a guard.
constexpr std::string_view kImages = R"(
.visible .entry ask(.param .u64 texture, .param .u64 surface, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [texture];
  ld.param.u64 %rd2, [surface];
  ld.param.u64 %rd3, [out];
  txq.width.b32 %r1, [%rd1];
  txq.level.height.b32 %r2, [%rd1], 1;
  txq.num_mipmap_levels.b32 %r3, [%rd1];
  txq.channel_order.b32 %r4, [%rd1];
  suq.array_size.b32 %r5, [%rd2];
  suq.channel_data_type.b32 %r6, [%rd2];
  st.global.v4.u32 [%rd3], {%r1, %r2, %r3, %r4};
  st.global.v2.u32 [%rd3+16], {%r5, %r6};
  ret;
}
.visible .entry guarded(.param .u64 surface, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [surface];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  add.u32 %r3, %r1, 100;
  setp.lt.u32 %p1, %r1, 6;
  mov.u32 %r4, 7;
  @%p1 sust.b.a1d.b32.zero [%rd1, {1, %r2}], {%r3};
  @!%p1 suld.b.a1d.b32.clamp {%r4}, [%rd1, {0, %r2}];
  mov.u32 %r5, 8;
  @%p1 suld.b.a1d.b32.zero {%r5}, [%rd1, {1, %r2}];
  mul.wide.u32 %rd3, %r1, 8;
  add.u64 %rd4, %rd2, %rd3;
  st.global.v2.u32 [%rd4], {%r4, %r5};
  ret;
})";

class Images : public testing::Test {
 protected:
  // Two layers of four words.
  TextureDescriptor surface() const {
    TextureDescriptor made;
    made.magic = TextureDescriptor::kSurface;
    made.bits = 32;
    made.channels = made.layered = 1;
    made.level[0] = {image.address(), 16, 16, 4, 0, 2};
    return made;
  }
  SmallGpu gpu{kImages};
  Buffer<uint32_t> image{gpu, std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}, "image"};
};

TEST_F(Images, say_what_they_are) {
  TextureDescriptor texture;
  texture.bits = 8;
  texture.channels = 4;
  texture.levels = 2;
  texture.level[0] = {image.address(), 16, 0, 4, 2, 0};
  texture.level[1] = {image.address(), 16, 0, 2, 1, 0};
  const Buffer<TextureDescriptor> textures(gpu, std::vector{texture}, "texture");
  const Buffer<TextureDescriptor> surfaces(gpu, std::vector{surface()}, "surface");
  const Buffer<uint32_t> out(gpu, 6, "out");
  gpu.launch("ask", {{1}, {1}}, Arguments(textures.address(), surfaces.address(), out.address()));
  constexpr uint32_t kRgba = 0x10b5, kUnsigned32 = 0x10dc;
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{4, 1, 2, kRgba, 2, kUnsigned32}));
}

TEST_F(Images, are_written_and_read_by_those_whom_the_guard_lets) {
  const Buffer<TextureDescriptor> surfaces(gpu, std::vector{surface()}, "surface");
  const Buffer<uint32_t> out(gpu, 16, "out");
  gpu.launch("guarded", {{1}, {8}}, Arguments(surfaces.address(), out.address()));
  EXPECT_EQ(image.download(), (std::vector<uint32_t>{1, 2, 3, 4, 100, 101, 102, 103}));
  // Two threads behind the end read zero; two do not read the second time, and the last word the first time.
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{7, 100, 7, 101, 7, 102, 7, 103, 7, 0, 7, 0, 4, 8, 4, 8}));
}

}  // namespace
}  // namespace heddle::test
