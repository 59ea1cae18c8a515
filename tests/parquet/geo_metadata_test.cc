#include "xwalk/parquet/geo_metadata.h"

#include <gtest/gtest.h>

#include "xwalk/hub/geospatial.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/message.h"

namespace xwalk::parquet {
namespace {

using hub::Field;
using hub::Kind;

/// Returns the GeoArrow metadata that a column gets from the key `geo`; "none" if it is not WKB.
std::string read(std::string geo, const Field& field = Field("g", Kind::Binary)) {
  const hub::Schema out = with_geo_metadata({{field}, {{"geo", std::move(geo)}}});
  const Field& first = out.fields[0];
  return first.extension_name() == hub::kWkbExtension ? std::string(first.extension_metadata())
                                                      : "none";
}

std::string of_column(std::string_view column) {
  return R"({"version":"1.1.0","columns":{"g":)" + std::string(column) + "}}";
}

TEST(GeoMetadata, AColumnOfWkbIsGeospatial) {
  EXPECT_EQ(read(of_column(R"({"encoding":"WKB"})")),
            R"({"crs":"OGC:CRS84","crs_type":"authority_code"})");
  EXPECT_EQ(read(of_column(R"({"encoding":"WKB","crs":null})")), "{}");
  EXPECT_EQ(read(of_column(R"({"encoding":"WKB","crs":{"b":1,"a":2},"edges":"spherical"})")),
            R"({"crs":{"b":1,"a":2},"crs_type":"projjson","edges":"spherical"})");
}

TEST(GeoMetadata, OtherColumnsAndMalformedTextAreLeftAlone) {
  const std::string wkb = of_column(R"({"encoding":"WKB"})");
  EXPECT_EQ(read(wkb, Field("h", Kind::Binary)), "none");
  EXPECT_EQ(read(wkb, Field("g", Kind::Utf8)), "none");
  EXPECT_EQ(read(wkb, hub::with_extension(Field("g", Kind::Binary), "acme.shape")), "none");
  for (const char* column :
       {R"({"encoding":"point"})", "{}", "1", R"({"encoding":"WKB","edges":"round"})"}) {
    EXPECT_EQ(read(of_column(column)), "none") << column;
  }
  for (const char* geo : {"", "x", "[]", "{}", R"({"columns":[]})", R"({"columns":1})"}) {
    EXPECT_EQ(read(geo), "none") << geo;
  }
}

TEST(GeoMetadata, TheColumnStaysBytesInParquet) {
  const hub::Schema schema = with_geo_metadata(
      {{Field("g", Kind::Binary)}, {{"geo", of_column(R"({"encoding":"WKB"})")}}});
  const FromArrow back = from_arrow(schema);
  EXPECT_EQ(print_field(back.schema.columns()[0]), print_field(parse_field("optional binary g;")));
  EXPECT_TRUE(back.findings.empty());
}

TEST(GeoMetadata, AKeyNamesProjjson) {
  const Field field = hub::with_geospatial(Field("g", Kind::Binary), {"projjson:k", ""});
  const auto crs = [&](std::string value) {
    const hub::Schema schema{{Field("s", hub::struct_({field}))}, {{"k", std::move(value)}}};
    return hub::geospatial_of(with_geo_metadata(schema).fields[0].type.child())->crs.value();
  };
  EXPECT_EQ(crs(R"({"type": "ProjectedCRS"})"), R"({"type":"ProjectedCRS"})");
  EXPECT_EQ(crs("{"), "projjson:k");
  EXPECT_EQ(with_geo_metadata({{field}, {}}).fields[0], field);
}

}  // namespace
}  // namespace xwalk::parquet
