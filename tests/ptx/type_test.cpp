#include "ptx/type.h"

#include <gtest/gtest.h>

namespace heddle::ptx {
namespace {

TEST(Type, EveryTypeIsFoundByItsName) {
  for (int i = static_cast<int>(Type::Pred); i <= static_cast<int>(Type::U4); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(type_named(name_of(type)), type) << name_of(type);
  }
}

TEST(Type, OtherNamesAreNoTypes) {
  for (const char* name : {"", "none", "b33", "B32", "u32x", ".u32", "rn", "veryverylong"})
    EXPECT_EQ(type_named(name), std::nullopt) << name;
}

TEST(Type, BytesAreThoseOfStorage) {
  EXPECT_EQ(bytes_of(Type::Pred), 0u);
  EXPECT_EQ(bytes_of(Type::S8), 1u);
  EXPECT_EQ(bytes_of(Type::U4), 1u);
  EXPECT_EQ(bytes_of(Type::E4M3x2), 2u);
  EXPECT_EQ(bytes_of(Type::BF16), 2u);
  EXPECT_EQ(bytes_of(Type::U8x4), 4u);
  EXPECT_EQ(bytes_of(Type::TF32), 4u);
  EXPECT_EQ(bytes_of(Type::F32x2), 8u);
  EXPECT_EQ(bytes_of(Type::B128), 16u);
}

TEST(Type, OnlyTheSTypesAreSigned) {
  for (int i = static_cast<int>(Type::Pred); i <= static_cast<int>(Type::U4); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(is_signed(type), name_of(type)[0] == 's') << name_of(type);
  }
}

TEST(Type, FloatingPointTypesAreThoseWithAnExponent) {
  for (int i = static_cast<int>(Type::Pred); i <= static_cast<int>(Type::U4); ++i) {
    const auto type = static_cast<Type>(i);
    const std::string_view name = name_of(type);
    const bool expected = name.find('f') != std::string_view::npos || name[0] == 'e';
    EXPECT_EQ(is_float(type), expected) << name;
  }
}

}  // namespace
}  // namespace heddle::ptx
