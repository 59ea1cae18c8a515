#include "xwalk/parquet/thrift.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::parquet::thrift {
namespace {

/// A field of every type, each in its short form.
std::string plain_struct() {
  std::string out;
  Writer writer(&out);
  writer.bool_field(1, true);
  writer.bool_field(2, false);
  writer.field(Wire::Byte, 3);
  out.push_back('\x80');
  writer.i32_field(4, -3);
  writer.i64_field(5, int64_t{1} << 40);
  writer.field(Wire::Double, 6);
  out.append(8, '\xff');
  writer.binary_field(7, std::string(300, 'x'));
  writer.field(Wire::List, 8);
  writer.list(Wire::I32, 20);
  for (int i = 0; i < 20; ++i) writer.i64(1000 * i);
  writer.field(Wire::Set, 9);
  writer.list(Wire::True, 2);
  out.append("\1\2");
  writer.field(Wire::Struct, 10);
  writer.stop();
  writer.stop();
  return out;
}

/// Fields in forms that writers rarely use.
std::string rare_struct() {
  std::string out;
  Writer writer(&out);
  writer.i64_field(1, INT64_MIN);
  writer.i32_field(1000, 1);
  writer.field(Wire::Uuid, 1001);
  out.append(16, '\xff');
  writer.field(Wire::Map, 1002);
  writer.varint(1);
  out.push_back('\x58');
  writer.i64(7);
  writer.binary("value");
  writer.stop();
  return out;
}

/// Reads each field of a struct by itself.
size_t end_of_fields(std::string_view bytes) {
  Reader reader(bytes);
  for_each_field(&reader, [](FieldHeader) { return false; });
  return reader.position();
}

void expect_skipped(const std::string& value) {
  const std::string bytes = value + "rest";
  Reader reader(bytes);
  reader.skip(Wire::Struct);
  EXPECT_EQ(reader.position(), value.size());
  EXPECT_EQ(end_of_fields(bytes), value.size());
  for (size_t size = 0; size < value.size(); ++size) {
    Reader cut(std::string_view(value).substr(0, size));
    EXPECT_THROW(cut.skip(Wire::Struct), Error) << size;
  }
}

TEST(ThriftTest, SkipsStructsToTheirEnds) {
  expect_skipped(plain_struct());
  expect_skipped(rare_struct());
}

std::string nested(int depth) {
  std::string out;
  for (int i = 0; i < depth; ++i) out.push_back('\x1c');
  return out + std::string(static_cast<size_t>(depth) + 1, '\0');
}

TEST(ThriftTest, SkipsSoManyLevels) {
  expect_skipped(nested(kDepth));
  const std::string deep = nested(kDepth + 1);
  Reader reader(deep);
  EXPECT_THROW(reader.skip(Wire::Struct), Error);
}

TEST(ThriftTest, SkipsNothingMalformed) {
  using namespace std::string_literals;
  for (const std::string& bytes : {
           "\x1e\0"s,                                      // no such type
           "\x16"s + std::string(4, '\x80'),               // a number without an end
           "\x16"s + std::string(10, '\xff') + "\x01\0"s,  // a number of more than 64 bits
           "\x18\xff\xff\xff\xff\x0f"s,                    // more bytes than there are
           "\x19\xfe\x01\0"s,                              // a list of no type
           "\x19\xf5\xff\xff\xff\xff\x0f\0"s,              // more items than there are
           "\x05\xfe\xff\x03\x02\x11\0"s,                  // a field id beyond 16 bits
       }) {
    Reader reader(bytes);
    EXPECT_THROW(reader.skip(Wire::Struct), Error) << testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace xwalk::parquet::thrift
