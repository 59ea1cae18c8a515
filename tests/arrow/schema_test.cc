#include "xwalk/arrow/schema.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/error.h"

namespace xwalk::arrow {
namespace {

using hub::Field;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;

/// Every type of the format, with what makes each of its parameters count.
std::vector<Type> every_type() {
  std::vector<Type> out;
  for (int i = 0; i <= static_cast<int>(Kind::RunEndEncoded); ++i) {
    auto kind = static_cast<Kind>(i);
    switch (kind) {
      case Kind::FixedSizeBinary:
        out.push_back(hub::fixed_size_binary(7));
        break;
      case Kind::Time32:
        out.push_back(hub::time32(TimeUnit::Milli));
        break;
      case Kind::Time64:
        out.push_back(hub::time64(TimeUnit::Nano));
        break;
      case Kind::Duration:
        out.push_back(hub::duration(TimeUnit::Second));
        break;
      case Kind::Timestamp:
        out.push_back(hub::timestamp(TimeUnit::Micro));
        out.push_back(hub::timestamp(TimeUnit::Nano, "America/Argentina/Buenos_Aires"));
        out.push_back(hub::timestamp(TimeUnit::Nano, "+05:30"));
        out.push_back(hub::timestamp(TimeUnit::Nano, "odd], \"zone\""));
        break;
      case Kind::Decimal32:
        out.push_back(hub::decimal(32, 9, 2));
        break;
      case Kind::Decimal64:
        out.push_back(hub::decimal(64, 18, 0));
        break;
      case Kind::Decimal128:
        out.push_back(hub::decimal(128, 38, -3));
        break;
      case Kind::Decimal256:
        out.push_back(hub::decimal(256, 76, 76));
        break;
      case Kind::List:
      case Kind::LargeList:
      case Kind::ListView:
      case Kind::LargeListView:
        out.push_back(hub::list(Field("item", Kind::Int64, false), kind));
        break;
      case Kind::FixedSizeList:
        out.push_back(hub::fixed_size_list(Field("x y", Kind::Float), 3));
        break;
      case Kind::Struct:
        out.push_back(hub::struct_({}));
        out.push_back(hub::struct_({Field("a", Kind::Int8), Field("", Kind::Utf8, false)}));
        break;
      case Kind::Map:
        out.push_back(hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Int32)));
        out.push_back(hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Int32, false),
                               /*keys_sorted=*/true));
        out.push_back(hub::map(Field("k", Kind::Utf8), Field("value", Kind::Int32)));
        out.push_back(hub::map_of_entries(
            Field("key_value",
                  hub::struct_({Field("key", Kind::Utf8, false), Field("value", Kind::Int32)}),
                  false),
            true));
        break;
      case Kind::DenseUnion:
      case Kind::SparseUnion:
        out.push_back(hub::union_({Field("a", Kind::Int8), Field("b", Kind::Utf8)}, kind, {5, 0}));
        out.push_back(hub::union_({}, kind));
        break;
      case Kind::Dictionary:
        out.push_back(hub::dictionary(Kind::Uint16, Kind::Utf8, true));
        out.push_back(hub::dictionary(Kind::Int8, hub::list(Field("item", Kind::Int8))));
        break;
      case Kind::RunEndEncoded:
        out.push_back(hub::run_end_encoded(Kind::Int16, Field("values", Kind::Utf8, false)));
        break;
      default:
        out.emplace_back(kind);
    }
  }
  return out;
}

hub::Schema every_field() {
  hub::Schema out;
  for (const Type& type : every_type()) {
    out.fields.emplace_back("c" + std::to_string(out.fields.size()), type,
                            out.fields.size() % 2 == 0);
  }
  out.fields.push_back(hub::with_extension(Field("id", hub::fixed_size_binary(16)), "arrow.uuid"));
  out.fields.push_back(
      hub::with_extension(Field("opaque", Kind::Binary), "arrow.opaque",
                          R"({"type_name": "geometry", "vendor_name": "postgis"})"));
  out.fields.push_back(hub::with_extension(Field("odd", Kind::Binary), "our own [ext]", "]\n"));
  out.fields.emplace_back("not", Kind::Int8);
  out.fields.emplace_back("metadata", Kind::Int8);
  out.fields.emplace_back("naïve \"name\"\n\\", Kind::Int8, true,
                          hub::Metadata{{"k\x01", "v\xFF"}, {"", ""}, {"xwalk:yt", "\"utf8\""}});
  out.fields.emplace_back(
      "deep",
      hub::list(Field(
          "item", hub::struct_({Field("m", Kind::Utf8, true, hub::Metadata{{"doc", "inner"}})}))));
  out.metadata = hub::Metadata{{"origin", "test"}, {"a", "b"}};
  return out;
}

TEST(ArrowSchemaText, EveryTypeParsesBack) {
  for (const Type& type : every_type()) {
    std::string text = print_type(type);
    EXPECT_EQ(print_type(parse_type(text)), text);
    EXPECT_TRUE(parse_type(text) == type) << text;
  }
}

TEST(ArrowSchemaText, RunEndsAreReadAsReportsShowThem) {
  for (const bool nullable : {true, false}) {
    const Type type = hub::run_end_encoded(Kind::Int32, Field("values", Kind::Double, nullable));
    EXPECT_TRUE(parse_type(hub::to_string(type)) == type) << hub::to_string(type);
  }
  EXPECT_THROW((void)parse_type("run_end_encoded<run_ends=utf8, values=double>"), Error);
  EXPECT_THROW((void)parse_type("run_end_encoded<run_ends=int32, values=double not>"), Error);
}

TEST(ArrowSchemaText, EveryFieldParsesBack) {
  hub::Schema schema = every_field();
  std::string text = print_schema(schema);
  hub::Schema back = parse_schema(text);
  ASSERT_EQ(back.fields.size(), schema.fields.size());
  for (size_t i = 0; i < back.fields.size(); ++i) {
    EXPECT_TRUE(back.fields[i] == schema.fields[i]) << print_field(schema.fields[i]) << "\nbecame\n"
                                                    << print_field(back.fields[i]);
  }
  EXPECT_TRUE(back.metadata == schema.metadata);
  EXPECT_EQ(print_schema(back), text);
}

TEST(ArrowSchemaText, PrintsWhatPeopleKnow) {
  hub::Schema schema;
  schema.fields = {
      Field("id", Kind::Int64, false), Field("at", hub::timestamp(TimeUnit::Micro, "UTC")),
      Field("tags", hub::map(Field("key", Kind::Utf8, false), Field("value", Kind::Double))),
      hub::with_extension(Field("key", hub::fixed_size_binary(16)), "arrow.uuid")};
  EXPECT_EQ(print_schema(schema),
            "id: int64 not null\n"
            "at: timestamp[us, tz=UTC]\n"
            "tags: map<string, double>\n"
            "key: fixed_size_binary[16] [arrow.uuid]\n");
}

TEST(ArrowSchemaText, ReadsOtherSpellings) {
  hub::Schema schema = parse_schema(
      "a: utf8, b: float64 not null,\n"
      "c : decimal( 10 , 2 )\r\n"
      "d: date32[day]\n\n"
      "e: extension<arrow.uuid>\n"
      "f: struct<x: boolean,\n  y: date64[ms]>");
  ASSERT_EQ(schema.fields.size(), 6U);
  EXPECT_TRUE(schema.fields[0] == Field("a", Kind::Utf8));
  EXPECT_TRUE(schema.fields[1] == Field("b", Kind::Double, false));
  EXPECT_TRUE(schema.fields[2] == Field("c", hub::decimal(128, 10, 2)));
  EXPECT_TRUE(schema.fields[3] == Field("d", Kind::Date32));
  EXPECT_EQ(schema.fields[4].extension_name(), "arrow.uuid");
  EXPECT_TRUE(schema.fields[5].type ==
              hub::struct_({Field("x", Kind::Bool), Field("y", Kind::Date64)}));
  EXPECT_TRUE(parse_schema("").fields.empty());
  EXPECT_EQ(parse_type("STRUCT<a: LIST<INT64>, b: list<string not null>>"),
            hub::struct_({Field("a", hub::list(Field("item", Kind::Int64))),
                          Field("b", hub::list(Field("item", Kind::Utf8, false)))}));
}

struct BadText {
  std::string text;
  std::string message;
  uint64_t line;
  uint64_t column;
};

TEST(ArrowSchemaText, SaysWhereItIsWrong) {
  const BadText cases[] = {
      {"a: int65", "expected a type, found \"int65\"", 1, 4},
      {"a: int64\nb int32", "expected ':', found \"int32\"", 2, 3},
      {"a: int64 b: int32", "expected a line break or a comma, found \"b\"", 1, 10},
      {"a: list<item: int64", "expected '>', found the end", 1, 20},
      {"a: timestamp[hour]", "expected a unit of s, ms, us or ns, found \"hour\"", 1, 14},
      {"a: fixed_size_binary[-1]", "expected a size of at least 0, found \"-1\"", 1, 22},
      {"a: dense_union<x: int8=200>", "expected a type code of 0 to 127, found \"200\"", 1, 24},
      {"\"a: int64", "expected a closing quote, found the end", 1, 1},
      {"a: \"", "expected a type, found \"\\\"\"", 1, 4},
      {"a: dictionary<values=string, indices=float>", "expected an integer type for the indices", 1,
       43},
      {"a: extension<mine>",
       "the storage of extension mine is not known; write the storage type and [mine]", 1, 19},
  };
  for (const BadText& bad : cases) {
    try {
      (void)parse_schema(bad.text);
      ADD_FAILURE() << bad.text << " was parsed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Input);
      EXPECT_EQ(error.message(), bad.message) << bad.text;
      EXPECT_EQ(error.place().line, bad.line) << bad.text;
      EXPECT_EQ(error.place().column, bad.column) << bad.text;
    }
  }
}

TEST(ArrowSchemaText, RefusesEndlessDepth) {
  std::string text = "a: ";
  for (int i = 0; i < 100000; ++i) text += "list<item: ";
  EXPECT_THROW((void)parse_schema(text), Error);
}

TEST(ArrowSchemaIpc, EveryFieldComesBackInBase64) {
  hub::Schema schema = every_field();
  EXPECT_EQ(print_schema(parse_base64_schema(print_base64_schema(schema))), print_schema(schema));
  EXPECT_THROW((void)parse_base64_schema("!!!!"), Error);
  EXPECT_THROW((void)parse_base64_schema("AAAA"), Error);
}

/// A source that gives its bytes in small portions.
class Drip final : public ByteSource {
 public:
  explicit Drip(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t read(char* out, size_t size) override {
    size_t got = bytes_.copy(out, std::min<size_t>(size, 5), at_);
    at_ += got;
    return got;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return at_; }

 private:
  std::string bytes_;
  std::string name_ = "drip";
  size_t at_ = 0;
};

TEST(ArrowFile, ReadsTheSchemaAtTheFrontOfAStream) {
  hub::Schema schema = every_field();
  std::string bytes = write_ipc_schema(schema);
  Drip drip(bytes + std::string(1000, 'x'));
  EXPECT_EQ(print_schema(read_schema(drip)), print_schema(schema));
  EXPECT_LE(drip.position(), bytes.size());
}

TEST(ArrowFile, NamesTheSourceOfAnError) {
  std::string bytes = write_ipc_schema(every_field());
  for (size_t size = 0; size < bytes.size(); size += 13) {
    Drip drip(bytes.substr(0, size));
    try {
      (void)read_schema(drip);
      ADD_FAILURE() << size << " bytes were read";
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "drip");
    }
  }
}

}  // namespace
}  // namespace xwalk::arrow
