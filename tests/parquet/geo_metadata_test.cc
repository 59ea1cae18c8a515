#include "xwalk/parquet/geo_metadata.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "xwalk/base/endian.h"
#include "xwalk/hub/builder.h"
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

/// Returns the facts that the key `geo` has about its column: the box of x, y and z, and the types.
std::string facts(std::string_view column) {
  hub::Metadata metadata;
  metadata.set("geo", of_column(column));
  std::vector<hub::ColumnFacts> columns(1);
  columns[0].path = Path::column("g");
  add_geo_facts(metadata, &columns);
  if (!columns[0].geospatial) return "none";
  std::string out;
  for (const auto& range : columns[0].geospatial->box) {
    if (range) out += fmt::format("{}…{} ", range->least, range->greatest);
  }
  for (const std::string& type : columns[0].geospatial->types) out += type + ";";
  return out;
}

TEST(GeoMetadata, BoxesAndTypesAreFacts) {
  EXPECT_EQ(facts(R"({"encoding":"WKB","bbox":[1,2,3,4.5],"geometry_types":["Point Z"]})"),
            "1…3 2…4.5 Point Z;");
  EXPECT_EQ(facts(R"({"encoding":"WKB","bbox":[1,2,3,4,5,6]})"), "1…4 2…5 3…6 ");
  for (const char* column :
       {R"({"encoding":"point","bbox":[1,2,3,4]})", R"({"encoding":"WKB"})",
        R"({"encoding":"WKB","bbox":[1,2,3]})", R"({"encoding":"WKB","bbox":[1,2,3,"4"]})",
        R"({"encoding":"WKB","bbox":{},"geometry_types":["Point","Circle"]})",
        R"({"encoding":"WKB","geometry_types":"Point"})", "1"}) {
    EXPECT_EQ(facts(column), "none") << column;
  }
}

/// Returns the key `geo` of a file with these columns, each with values of these types.
std::string written(const std::vector<Field>& fields, const std::vector<uint32_t>& codes,
                    const std::string& copied = "", bool describes_all = false) {
  GeoParquetWriter writer({fields, {}}, copied, copied.empty() || describes_all);
  hub::Batch batch;
  batch.array = hub::start(static_cast<int64_t>(codes.size()) + 1);
  for (const Field& field : fields) {
    hub::ColumnBuilder builder(field);
    for (const uint32_t code : codes) {
      std::string wkb(5, '\1');
      store_little_endian(code, wkb.data() + 1);
      builder.append_bytes(wkb.data(), wkb.size());
    }
    builder.append_null();
    batch.array.children.push_back(builder.finish());
  }
  writer.add(batch, fields);
  return writer.text().value_or("none");
}

TEST(GeoParquetWriter, DescribesColumnsOfGeometry) {
  const Field plain("id", Kind::Binary);
  const auto column = [](const char* name, const hub::Geospatial& type) {
    return hub::with_geospatial(Field(name, Kind::Binary), type);
  };
  EXPECT_EQ(written({plain}, {1}), "none");
  EXPECT_EQ(written({plain, column("g", {"", ""})}, {1, 1003, 1}),
            R"({"version":"1.1.0","primary_column":"g","columns":{"g":)"
            R"({"encoding":"WKB","geometry_types":["Point","Polygon Z"]}}})");
  EXPECT_EQ(
      written({column("a", {std::nullopt, "spherical"}), column("b", {R"({"t":1})", ""})}, {}),
      R"({"version":"1.1.0","primary_column":"a","columns":{)"
      R"("a":{"encoding":"WKB","geometry_types":[],"crs":null,"edges":"spherical"},)"
      R"("b":{"encoding":"WKB","geometry_types":[],"crs":{"t":1}}}})");
  // GeoParquet has no types with M, and no CRS that is not PROJJSON.
  EXPECT_EQ(written({column("g", {"EPSG:5070", "karney"})}, {1, 2001}),
            R"({"version":"1.1.0","primary_column":"g","columns":{"g":)"
            R"({"encoding":"WKB","geometry_types":[],"crs":null,"edges":"spherical"}}})");
}

TEST(GeoParquetWriter, RenewsWhatACopiedKeySaysOfValues) {
  const Field column = hub::with_geospatial(Field("g", Kind::Binary), {"", ""});
  EXPECT_EQ(written({column}, {1003, 2},
                    R"({"version":"1.0.0","columns":{"g":{"encoding":"WKB","epoch":2020.5,)"
                    R"("geometry_types":["Point"],"bbox":[0,1,0,1]},"n":{"encoding":"point",)"
                    R"("geometry_types":["Point"],"bbox":[0,1,0,1]},"o":1}})"),
            R"({"version":"1.0.0","columns":{"g":{"encoding":"WKB","epoch":2020.5,)"
            R"("geometry_types":["LineString","Polygon Z"]},"n":{"encoding":"point",)"
            R"("geometry_types":[]},"o":1}})");
  EXPECT_EQ(written({column}, {1}, "x"), "none");
  // A column that the key lacks is added on request, in the version that has columns of bytes.
  const std::string two = R"({"version":"2.0.0","primary_column":"o","columns":{"o":1}})";
  EXPECT_EQ(written({column}, {1}, two), two);
  EXPECT_EQ(written({column}, {1}, two, true),
            R"({"version":"1.1.0","primary_column":"o","columns":{"o":1,)"
            R"("g":{"encoding":"WKB","geometry_types":["Point"]}}})");
}

TEST(GeoParquetWriter, WhatIsWrittenIsReadAgain) {
  for (const hub::Geospatial& type :
       {hub::Geospatial{"", ""}, {std::nullopt, ""}, {R"({"t":1})", "spherical"}}) {
    const Field field = hub::with_geospatial(Field("g", Kind::Binary), type);
    const hub::Schema file =
        with_geo_metadata({{Field("g", Kind::Binary)}, {{"geo", written({field}, {1})}}});
    EXPECT_EQ(hub::geospatial_of(file.fields[0]), type);
    EXPECT_EQ(beyond_geoparquet(type), "");
  }
}

TEST(GeoParquetWriter, SaysWhatTheKeyLacks) {
  EXPECT_EQ(
      beyond_geoparquet({"EPSG:5070", ""}),
      "GeoParquet has no place for the CRS \"EPSG:5070\", which is not PROJJSON: its key says "
      "that the CRS is unknown");
  EXPECT_EQ(beyond_geoparquet({"", "karney"}),
            "GeoParquet has no edges karney: its key says spherical");
}

TEST(GeoParquetWriter, DefinesKnownCodes) {
  for (const char* crs : {"EPSG:4326", "srid:4326", "EPSG:3857", "srid:3857"}) {
    EXPECT_EQ(beyond_geoparquet({crs, ""}), "") << crs;
    const Field field = hub::with_geospatial(Field("g", Kind::Binary), {crs, ""});
    const hub::Schema file =
        with_geo_metadata({{Field("g", Kind::Binary)}, {{"geo", written({field}, {1})}}});
    const std::string code(crs + std::string_view(crs).find(':') + 1);
    EXPECT_EQ(hub::projjson_code(hub::geospatial_of(file.fields[0])->crs.value()), "EPSG:" + code);
  }
}

TEST(GeoParquetWriter, TheColumnIsBytesInParquet) {
  const Field field = hub::with_geospatial(Field("g", Kind::Binary), {"EPSG:3857", ""});
  const FromArrow out = from_arrow({{as_geoparquet(field)}, {}});
  EXPECT_EQ(print_field(out.schema.columns()[0]), print_field(parse_field("optional binary g;")));
  EXPECT_TRUE(out.findings.empty());
  // No CRS is assumed for bytes.
  const Field unknown = hub::with_geospatial(Field("g", Kind::Binary), {std::nullopt, ""});
  EXPECT_TRUE(from_arrow({{as_geoparquet(unknown)}, {}}).findings.empty());
  EXPECT_FALSE(from_arrow({{unknown}, {}}).findings.empty());
  EXPECT_EQ(as_geoparquet(Field("g", Kind::Binary)), Field("g", Kind::Binary));
}

}  // namespace
}  // namespace xwalk::parquet
