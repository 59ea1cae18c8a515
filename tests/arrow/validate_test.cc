#include "xwalk/arrow/validate.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/arrow/schema.h"

namespace xwalk::arrow {
namespace {

using hub::Field;
using hub::Kind;
using hub::TimeUnit;

using Found = std::vector<std::string>;

/// Lists violations as `path rule`, notes with a `~` before them.
Found found(const hub::Schema& schema) {
  Found out;
  for (const hub::Finding& finding : validate(schema)) {
    out.push_back((is_violation(finding) ? "" : "~") + finding.path.text() + " " +
                  std::string(finding.rule));
  }
  return out;
}

Found found(hub::Type type) { return found(hub::Schema{{Field("a", std::move(type))}, {}}); }

const std::string kParameters = "type.parameters";

TEST(Validate, Parameters) {
  EXPECT_EQ(found(hub::time32(TimeUnit::Micro)), Found{"a " + kParameters});
  EXPECT_EQ(found(hub::time64(TimeUnit::Milli)), Found{"a " + kParameters});
  EXPECT_EQ(found(hub::time64(TimeUnit::Nano)), Found{});
  for (const auto& [bits, most] : {std::pair{32, 9}, {64, 18}, {128, 38}, {256, 76}}) {
    EXPECT_EQ(found(hub::decimal(bits, most, -3)), Found{}) << bits;
    EXPECT_EQ(found(hub::decimal(bits, most + 1, 2)), Found{"a " + kParameters}) << bits;
    EXPECT_EQ(found(hub::decimal(bits, 0, 0)), Found{"a " + kParameters}) << bits;
  }
  const std::vector<Field> two = {Field("x", Kind::Int8), Field("y", Kind::Int8)};
  EXPECT_EQ(found(hub::union_(two, Kind::SparseUnion, {7, 7})), Found{"a " + kParameters});
  EXPECT_EQ(found(hub::union_(two, Kind::DenseUnion, {-1, 2})), Found{"a " + kParameters});
  EXPECT_EQ(found(hub::union_(two, Kind::DenseUnion, {127, 0})), Found{});
  EXPECT_EQ(found(hub::run_end_encoded(Kind::Int8, Field("values", Kind::Utf8))),
            Found{"a " + kParameters});
}

TEST(Validate, ParametersBelowListsMapsDictionariesAndRuns) {
  const hub::Type wrong = hub::decimal(128, 77, 2);
  EXPECT_EQ(found(hub::list(Field("item", wrong))), Found{"a[] " + kParameters});
  EXPECT_EQ(found(hub::map(Field("key", Kind::Utf8, false), Field("value", wrong))),
            Found{"a{value} " + kParameters});
  EXPECT_EQ(found(hub::dictionary(Kind::Int32, wrong)), Found{"a " + kParameters});
  EXPECT_EQ(found(hub::run_end_encoded(Kind::Int32, Field("values", wrong))),
            Found{"a " + kParameters});
}

TEST(Validate, CanonicalExtensionsHaveTheirStorage) {
  const auto with = [](hub::Type type, std::string_view extension, std::string metadata = {}) {
    Field field = hub::with_extension(Field("a", std::move(type)), extension);
    field.metadata.set(hub::kExtensionMetadata, std::move(metadata));
    return found(hub::Schema{{std::move(field)}, {}});
  };
  EXPECT_EQ(with(hub::fixed_size_binary(16), "arrow.uuid"), Found{});
  EXPECT_EQ(with(Kind::Utf8, "arrow.uuid"), Found{"a " + kParameters});
  EXPECT_EQ(with(Kind::LargeUtf8, "arrow.json"), Found{});
  EXPECT_EQ(with(hub::dictionary(Kind::Int32, Kind::Utf8), "arrow.json"), Found{});
  EXPECT_EQ(with(Kind::Binary, "arrow.json"), Found{"a " + kParameters});
  EXPECT_EQ(with(Kind::Bool, "arrow.bool8"), Found{"a " + kParameters});
  EXPECT_EQ(with(Kind::Bool, "acme.bool"), Found{});
  EXPECT_EQ(with(Kind::Int8, "arrow.bool8"), Found{});
  EXPECT_EQ(with(Kind::Int8, "arrow.bool8", "{}"), Found{"a " + kParameters});
  EXPECT_EQ(with(hub::fixed_size_binary(16), "arrow.uuid", "4"), Found{"a " + kParameters});
  const hub::Type pairs = hub::fixed_size_list(Field("item", Kind::Int8), 6);
  EXPECT_EQ(with(pairs, "arrow.fixed_shape_tensor", R"({"shape":[2,3]})"), Found{});
  for (const char* wrong :
       {"", "[", "{}", R"({"shape":6})", R"({"shape":[5]})", R"({"shape":[-6]})",
        R"({"shape":[4294967296,4294967296,6]})", R"({"shape":["6"]})"}) {
    EXPECT_EQ(with(pairs, "arrow.fixed_shape_tensor", wrong), Found{"a " + kParameters}) << wrong;
  }
  EXPECT_EQ(with(Kind::Int8, "arrow.opaque", R"({"type_name":"x","vendor_name":"y"})"), Found{});
  EXPECT_EQ(with(Kind::Int8, "arrow.opaque", R"({"type_name":"x"})"), Found{"a " + kParameters});
}

TEST(Validate, GeoArrowHasBytesOrTextAndKnownEdges) {
  const auto with = [](hub::Type type, std::string_view extension, std::string_view metadata) {
    return found({{hub::with_extension(Field("a", std::move(type)), extension, metadata)}, {}});
  };
  const Found wrong{"a " + kParameters};
  EXPECT_EQ(with(Kind::BinaryView, "geoarrow.wkb", ""), Found{});
  EXPECT_EQ(with(Kind::Binary, "geoarrow.wkb", R"({"crs":{"type":"x"},"edges":"karney"})"),
            Found{});
  EXPECT_EQ(with(Kind::Utf8, "geoarrow.wkt", R"({"crs":"EPSG:3857"})"), Found{});
  EXPECT_EQ(with(Kind::Utf8, "geoarrow.wkb", ""), wrong);
  EXPECT_EQ(with(Kind::Binary, "geoarrow.wkt", ""), wrong);
  for (const char* metadata :
       {"x", "[]", R"({"crs":5070})", R"({"edges":"round"})", R"({"edges":1})"}) {
    EXPECT_EQ(with(Kind::Binary, "geoarrow.wkb", metadata), wrong) << metadata;
  }
}

TEST(Validate, ATimestampWithOffsetHasTwoFields) {
  const auto with = [](std::string_view storage) {
    const hub::Schema schema =
        parse_schema(std::string("a: ") + std::string(storage) + " [arrow.timestamp_with_offset]");
    return found(schema);
  };
  const Found wrong{"a " + kParameters};
  EXPECT_EQ(
      with("struct<timestamp: timestamp[ms, tz=UTC] not null, offset_minutes: int16 not null>"),
      Found{});
  EXPECT_EQ(with("struct<timestamp: timestamp[ms, tz=UTC] not null, offset_minutes: "
                 "dictionary<values=int16, indices=int8, ordered=0> not null>"),
            Found{});
  EXPECT_EQ(with("struct<timestamp: timestamp[ms] not null, offset_minutes: int16 not null>"),
            wrong);
  EXPECT_EQ(
      with("struct<timestamp: timestamp[ms, tz=UTC] not null, offset_minutes: int32 not null>"),
      wrong);
  EXPECT_EQ(with("struct<timestamp: timestamp[ms, tz=UTC], offset_minutes: int16 not null>"),
            wrong);
  EXPECT_EQ(with("struct<timestamp: timestamp[ms, tz=UTC] not null>"), wrong);
}

TEST(Validate, NamesAndNullability) {
  EXPECT_EQ(found(parse_schema("a: int8, a: int8, s: struct<b: int8, b: int8>")),
            (Found{"~a name.duplicate", "~s.b name.duplicate"}));
  EXPECT_EQ(found(hub::Schema{{Field("\xff", Kind::Int8)}, {}}).size(), 1u);
  EXPECT_EQ(found(hub::map(Field("key", Kind::Utf8, true), Field("value", Kind::Int8))),
            Found{"~a{key} map.key-optional"});
}

}  // namespace
}  // namespace xwalk::arrow
