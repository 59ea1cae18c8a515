#include "xwalk/base/protobuf_fields.h"

#include <string>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(ProtobufFields, EndsBehindTheLastWholeOne) {
  using namespace std::string_literals;
  // A varint, four bytes, eight bytes, two bytes with their length.
  const std::string message = "\x08\x96\x01\x15wxyz\x19stuvwxyz\x22\x02hi"s;
  const std::string ends = "\x00\x03\x08\x11\x15"s;
  size_t whole = 0;
  for (size_t size = 0; size <= message.size(); ++size) {
    if (ends.find(static_cast<char>(size)) != std::string::npos) whole = size;
    EXPECT_EQ(whole_protobuf_fields(message.substr(0, size)), whole) << size;
  }
  EXPECT_EQ(whole_protobuf_fields("\x08\x01\x0F"s), 2U);  // no wire type 7
  EXPECT_EQ(whole_protobuf_fields("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s), 0U);  // a length
  EXPECT_EQ(whole_protobuf_fields(std::string(12, '\xFF')), 0U);
}

}  // namespace
}  // namespace xwalk
