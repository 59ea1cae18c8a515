// The tokens that the second codec reads and writes: every example of the specification, byte for
// byte. And the window on a stream, which the codec of the library reads through.

#include <gtest/gtest.h>

#include "tests/skiff/oracle/node_codec.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"

namespace xwalk::skiff {
namespace {

using namespace std::string_view_literals;

template <WireType wire>
void expect_token(wire_value_t<wire> value, std::string_view bytes) {
  std::string out;
  Writer(&out).write<wire>(value);
  EXPECT_EQ(to_hex(out), to_hex(bytes)) << wire_name(wire);
  Input input(bytes);
  Reader reader(input);
  EXPECT_EQ(reader.read<wire>(), value) << wire_name(wire);
  EXPECT_TRUE(reader.at_end());
}

TEST(Serialization, ExamplesOfTheSpecification) {
  expect_token<WireType::Boolean>(true, "\x01"sv);
  expect_token<WireType::Boolean>(false, "\x00"sv);
  expect_token<WireType::Int64>(42, "\x2a\x00\x00\x00\x00\x00\x00\x00"sv);
  expect_token<WireType::Uint64>(100500, "\x94\x88\x01\x00\x00\x00\x00\x00"sv);
  expect_token<WireType::Double>(2.718281828, "\x9B\x91\x04\x8B\x0A\xBF\x05\x40"sv);
  expect_token<WireType::String32>("foobar",
                                   "\x06\x00\x00\x00"
                                   "foobar"sv);
  expect_token<WireType::Yson32>("{foo=bar}", "\x09\x00\x00\x00{foo=bar}"sv);
  expect_token<WireType::Yson32>("100500u",
                                 "\x07\x00\x00\x00"
                                 "100500u"sv);
}

TEST(Serialization, EveryNumber) {
  expect_token<WireType::Int8>(-42, "\xd6"sv);
  expect_token<WireType::Int16>(-2, "\xfe\xff"sv);
  expect_token<WireType::Int32>(-3, "\xfd\xff\xff\xff"sv);
  expect_token<WireType::Uint8>(255, "\xff"sv);
  expect_token<WireType::Uint16>(258, "\x02\x01"sv);
  expect_token<WireType::Uint32>(1, "\x01\x00\x00\x00"sv);
  expect_token<WireType::Int128>(-2, from_hex("feffffffffffffffffffffffffffffff"));
  expect_token<WireType::Uint128>(1, from_hex("01000000000000000000000000000000"));
  expect_token<WireType::Int256>(
      Int256(-1), from_hex("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"));
  expect_token<WireType::Uint256>(
      Uint256{{1, 0, 0, 2}},
      from_hex("0100000000000000000000000000000000000000000000000200000000000000"));
}

/// A tree with every compound type, and one value of it by its tokens.
const char* const kTree =
    "tuple<'n':nothing;'v':variant16<nothing;tuple<>;int8>;"
    "'r':repeated_variant8<int8;repeated_variant16<string32>>;'e':tuple<tuple<>;boolean>>";

std::string tree_bytes() {
  std::string out;
  Writer writer(&out);
  writer.write<WireType::Variant16>(2);
  writer.write<WireType::Int8>(5);
  writer.write<WireType::RepeatedVariant8>(0);
  writer.write<WireType::Int8>(1);
  writer.write<WireType::RepeatedVariant8>(1);
  writer.write<WireType::RepeatedVariant16>(0);
  writer.write<WireType::String32>("ab");
  writer.write<WireType::RepeatedVariant16>(kEndTag16);
  writer.write<WireType::RepeatedVariant8>(0xFF);
  writer.write<WireType::Boolean>(true);
  return out;
}

TEST(Serialization, CompoundTypes) {
  std::string bytes = tree_bytes();
  EXPECT_EQ(to_hex(bytes),
            "0200"
            "05"
            "00"
            "01"
            "01"
            "0000"
            "02000000"
            "6162"
            "ffff"
            "ff"
            "01");
}

TEST(Serialization, EveryPrematureEndIsRefused) {
  const std::string bytes = tree_bytes();
  const Binding binding = bind_alone(parse_short(kTree));
  for (size_t size = 0; size < bytes.size(); ++size) {
    Input input(std::string_view(bytes).substr(0, size));
    Reader reader(input);
    EXPECT_THROW(read_node(binding, &reader), Error) << size;
  }
  Input input(bytes);
  Reader reader(input);
  EXPECT_NO_THROW(read_node(binding, &reader));
  EXPECT_EQ(reader.position(), bytes.size());
}

TEST(Serialization, BadBytesAreRefusedWithTheirPlace) {
  struct Case {
    const char* schema;
    const char* hex;
    uint64_t byte;
    const char* message;
  };
  const Case cases[] = {
      {"boolean", "02", 0, "expected boolean 0 or 1, found 2"},
      {"tuple<int8;variant8<nothing;int8>>", "0002", 1,
       "expected a tag of variant8 below 2, found 2"},
      {"repeated_variant8<nothing>", "000001", 2,
       "expected a tag of repeated_variant8 below 1, found 1"},
      {"string32", "ffffffff61", 4,
       "expected 4294967295 more bytes of string32, found the end "
       "after 1"},
  };
  for (const Case& c : cases) {
    std::string bytes = from_hex(c.hex);
    Input input(bytes);
    Reader reader(input);
    try {
      read_node(bind_alone(parse_short(c.schema)), &reader);
      ADD_FAILURE() << c.schema << " accepted " << c.hex;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), c.message);
      EXPECT_EQ(error.place().byte, c.byte) << c.message;
    }
  }
}

/// Gives its bytes out a few at a time.
class Trickle : public ByteSource {
 public:
  Trickle(std::string_view bytes, size_t step) : bytes_(bytes), step_(step) {}
  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - at_});
    bytes_.copy(out, count, at_);
    at_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return at_; }

 private:
  std::string_view bytes_;
  size_t step_;
  size_t at_ = 0;
  std::string name_ = "trickle";
};

TEST(Input, AnyCutOfAStreamGivesTheSameTokens) {
  const std::string bytes = tree_bytes() + tree_bytes();
  const Binding binding = bind_alone(parse_short(kTree));
  Input whole(bytes);
  Reader whole_reader(whole);
  const yson::Node expected = read_node(binding, &whole_reader);
  for (size_t step = 1; step <= bytes.size(); ++step) {
    Trickle source(bytes, step);
    Input input(source);
    Reader reader(input);
    EXPECT_EQ(read_node(binding, &reader), expected);
    EXPECT_EQ(reader.position(), bytes.size() / 2);
    EXPECT_EQ(read_node(binding, &reader), expected);
    EXPECT_TRUE(reader.at_end());
  }
}

}  // namespace
}  // namespace xwalk::skiff
