#include "xwalk/parquet/stored.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/parquet/decode.h"
#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

Schema decimals_of(int precision) {
  return parse_message("message m { required binary a (DECIMAL(" + std::to_string(precision) +
                       ",0)); }");
}

std::string magnitude(int digits) {
  const Resolution resolved = resolve(decimals_of(digits));
  return to_hex(largest_magnitude(Leaf(resolved.columns[0]), digits));
}

TEST(Stored, MagnitudesOfDigits) {
  EXPECT_EQ(magnitude(1), "09");
  EXPECT_EQ(magnitude(9), "3b9ac9ff");
  EXPECT_EQ(magnitude(10), "02540be3ff");
  EXPECT_EQ(magnitude(20), "056bc75e2d630fffff");
  EXPECT_EQ(magnitude(77), "dd15fe86affad91249ef0eb713f39ebeaa987b6e6fd29fffffffffffffffffff");
}

TEST(Stored, ADecimalOfBillionsOfDigitsIsRefusedAtOnce) {
  EXPECT_NO_THROW(Decoder(decimals_of(20'000)));
  try {
    Decoder decoder(decimals_of(2'000'000'000));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(error.place().path.text(), "a");
  }
}

}  // namespace
}  // namespace xwalk::parquet
