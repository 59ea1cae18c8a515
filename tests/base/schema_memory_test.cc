#include "xwalk/base/schema_memory.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

/// Returns how many bytes a budget has.
uint64_t budget(size_t bytes) {
  SchemaMemory memory(bytes);
  uint64_t taken = 0;
  try {
    for (;; taken += kMebibyte / 4) memory.take(kMebibyte / 4);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_FALSE(error.hint().empty());
  }
  return taken;
}

TEST(SchemaMemory, GrowsWithTheBytesRead) {
  EXPECT_EQ(budget(0), kMebibyte);
  EXPECT_EQ(budget(kMebibyte), 64 * kMebibyte);
  EXPECT_EQ(budget(4 * kMebibyte), 256 * kMebibyte);
}

TEST(SchemaMemory, IsWithinTheLimitOfTheInput) {
  {
    const SchemaMemoryScope scope(16 * kMebibyte);
    EXPECT_EQ(budget(kMebibyte), 4 * kMebibyte);
    EXPECT_EQ(schema_bytes_limit(), kMebibyte / 4);
    EXPECT_NO_THROW(check_schema_size(kMebibyte / 4));
    EXPECT_THROW(check_schema_size(kMebibyte / 4 + 1), Error);
    const SchemaMemoryScope smaller(1);
    EXPECT_EQ(budget(kMebibyte), kMebibyte);
    EXPECT_GT(schema_bytes_limit(), 1000);
  }
  EXPECT_EQ(budget(kMebibyte), 64 * kMebibyte);
  EXPECT_EQ(schema_bytes_limit(), limits::kMemory / 64);
}

TEST(SchemaMemory, BoundsWhatIsMadeOfASchema) {
  EXPECT_NO_THROW(check_schema_memory(limits::kMemory));
  EXPECT_THROW(check_schema_memory(limits::kMemory + 1), Error);
  const SchemaMemoryScope scope(16 * kMebibyte);
  EXPECT_NO_THROW(check_schema_memory(16 * kMebibyte));
  EXPECT_THROW(check_schema_memory(16 * kMebibyte + 1), Error);
  const SchemaMemoryScope smaller(1);
  EXPECT_NO_THROW(check_schema_memory(8 * kMebibyte));
}

TEST(SchemaMemory, TakesNothingThatOverflows) {
  SchemaMemory memory(kMebibyte);
  EXPECT_THROW(memory.take(UINT64_MAX), Error);
}

}  // namespace
}  // namespace xwalk
