#include "xwalk/hub/geospatial.h"

#include <gtest/gtest.h>

namespace xwalk::hub {
namespace {

Field wkb(std::string_view metadata, Type storage = Kind::Binary) {
  return with_extension(Field("a", std::move(storage)), kWkbExtension, metadata);
}

TEST(Geospatial, MetadataIsParsed) {
  const auto parsed = [](std::string_view metadata) {
    return parse_geoarrow_metadata(metadata).value();
  };
  EXPECT_EQ(parsed(""), Geospatial{});
  EXPECT_EQ(parsed(R"({"crs":null,"edges":null})"), Geospatial{});
  EXPECT_EQ(parsed(R"({"crs":"OGC:CRS84","edges":"planar"})"), (Geospatial{"", ""}));
  EXPECT_EQ(parsed(R"({"crs":{"id":{"authority":"OGC","code":"CRS84"}}})"), (Geospatial{"", ""}));
  EXPECT_EQ(parsed(R"({"crs":"5070","crs_type":"srid"})"), (Geospatial{"srid:5070", ""}));
  EXPECT_EQ(parsed(R"({"crs":"GEOGCRS[\"x\"]","crs_type":"wkt2:2019","edges":"thomas"})"),
            (Geospatial{R"(GEOGCRS["x"])", "thomas"}));
  EXPECT_EQ(parsed(R"({"crs":{"b":1, "a":2}})"), (Geospatial{R"({"b":1,"a":2})", ""}));
}

TEST(Geospatial, MalformedMetadataIsNone) {
  for (const char* wrong : {"x", "[]", "1", R"({"crs":1})", R"({"crs":[]})", R"({"edges":"flat"})",
                            R"({"edges":1})", "{"}) {
    EXPECT_FALSE(parse_geoarrow_metadata(wrong)) << wrong;
  }
  const std::string deep(100'000, '[');
  EXPECT_FALSE(parse_geoarrow_metadata(R"({"crs":)" + deep));
}

TEST(Geospatial, MetadataComesBack) {
  for (const char* crs : {"", "srid:3857", "EPSG:3857", "projjson:key", R"({"b":1,"a":2})",
                          R"(GEOGCRS["x"])", "{", "any words"}) {
    for (const std::string_view edges : {std::string_view(""), kEdges[0], kEdges[4]}) {
      const Geospatial type{crs, std::string(edges)};
      EXPECT_EQ(geospatial_of(with_geospatial(Field("a", Kind::Binary), type)), type) << crs;
    }
  }
  EXPECT_EQ(with_geospatial(Field("a", Kind::Binary), {"\xff", ""}).extension_name(), "");
  EXPECT_EQ(with_geospatial(Field("a", Kind::Binary), {"", "flat"}).extension_name(), "");
}

TEST(Geospatial, TheStorageIsBytes) {
  for (const Kind kind : {Kind::Binary, Kind::LargeBinary, Kind::BinaryView}) {
    EXPECT_TRUE(geospatial_of(wkb("", kind)));
  }
  EXPECT_FALSE(geospatial_of(wkb("", Kind::Utf8)));
  EXPECT_FALSE(geospatial_of(Field("a", Kind::Binary)));
  EXPECT_TRUE(
      same_geospatial(wkb(R"({"crs":"EPSG:1"})"), wkb(R"({"edges": "planar", "crs": "EPSG:1"})")));
  // No reference system is not the default.
  EXPECT_FALSE(same_geospatial(wkb(""), wkb(R"({"crs":"OGC:CRS84"})")));
}

TEST(Geospatial, ProjjsonMayHaveACode) {
  EXPECT_EQ(projjson_code(R"({"id":{"authority":"EPSG","code":5070}})"), "EPSG:5070");
  EXPECT_EQ(projjson_code(R"({"id":{"authority":"OGC","code":"CRS84"}})"), "OGC:CRS84");
  EXPECT_EQ(describe({R"({"id":{"authority":"EPSG","code":5070}})", ""}),
            "geometry with the CRS EPSG:5070…");
  for (const char* none : {"EPSG:1", "{}", R"({"id":1})", R"({"id":{"authority":"a b","code":1}})",
                           R"({"id":{"authority":"EPSG","code":1.5}})"}) {
    EXPECT_FALSE(projjson_code(none)) << none;
  }
}

TEST(Geospatial, TypesForPeopleHaveAShortCrs) {
  EXPECT_EQ(with_short_crs("GEOMETRY(EPSG:3857)"), "GEOMETRY(EPSG:3857)");
  EXPECT_EQ(with_short_crs(R"(a ("{\"id\":{\"authority\":\"EPSG\",\"code\":5070}}",spherical) b)"),
            "a (EPSG:5070…,spherical) b");
  EXPECT_EQ(with_short_crs("(\"{\n\\\"name\\\":\\\"my \\\\\\\"plane\\\"}\") (\"{}\")"),
            R"(("my \"plane"…) ({…}))");
  // Other texts stay.
  for (const char* other : {R"("{a)", R"("{)", R"("{\)", R"("{\"a":)", R"(Struct<"{a}": int>)"}) {
    EXPECT_EQ(with_short_crs(other), other);
  }
}

}  // namespace
}  // namespace xwalk::hub
