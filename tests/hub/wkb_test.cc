#include "xwalk/hub/wkb.h"

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "xwalk/base/endian.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/geospatial.h"

namespace xwalk::hub {
namespace {

std::string number(uint32_t value) {
  std::string out(4, '\0');
  store_little_endian(value, out.data());
  return out;
}

std::string big_number(uint32_t value) {
  std::string out(4, '\0');
  store_big_endian(value, out.data());
  return out;
}

/// Returns a geometry, its least significant bytes first: a type code and what follows it.
std::string wkb(uint32_t code, const std::string& rest) { return "\x01" + number(code) + rest; }

/// Returns the bytes of `count` coordinates.
std::string coordinates(size_t count) { return std::string(count * 8, '\x3f'); }

std::string point(uint32_t dimensions = 0) {
  return wkb(1 + 1000 * dimensions, coordinates(dimensions == 0 ? 2 : dimensions == 3 ? 4 : 3));
}

std::string fault(const std::string& bytes) {
  const std::optional<WkbFault> found = find_wkb_fault(bytes);
  EXPECT_EQ(is_wkb(bytes), !found);
  return found ? std::to_string(found->offset) + ": " + found->reason : "none";
}

TEST(Wkb, EveryTypeAndDimensionIsAccepted) {
  for (uint32_t dimensions = 0; dimensions < 4; ++dimensions) {
    const uint32_t base = 1000 * dimensions;
    const size_t each = dimensions == 0 ? 2 : dimensions == 3 ? 4 : 3;
    const std::string line = wkb(base + 2, number(2) + coordinates(2 * each));
    const std::string ring = number(4) + coordinates(4 * each);
    const std::string polygon = wkb(base + 3, number(2) + ring + ring);
    const std::string empty = wkb(base + 7, number(0));
    for (const std::string& bytes :
         {point(dimensions), line, polygon, wkb(base + 4, number(2) + point() + point(dimensions)),
          wkb(base + 5, number(1) + line), wkb(base + 6, number(1) + polygon), empty,
          wkb(base + 7, number(3) + point() + polygon + empty)}) {
      EXPECT_EQ(fault(bytes), "none") << wkb_type(bytes);
      // Each prefix lacks bytes, and one more is too many.
      for (size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(is_wkb(bytes.substr(0, size))) << size;
      }
      EXPECT_EQ(fault(bytes + "\x01"),
                std::to_string(bytes.size()) + ": 1 bytes after the geometry");
    }
  }
}

TEST(Wkb, BothByteOrdersAreAccepted) {
  const std::string big = std::string(1, '\0') + big_number(3001) + coordinates(4);
  EXPECT_EQ(fault(big), "none");
  EXPECT_EQ(wkb_type(big), 3001U);
  // Members have byte orders of their own.
  EXPECT_EQ(fault(wkb(7, number(1) + big)), "none");
}

TEST(Wkb, AFaultHasAPlaceAndAReason) {
  EXPECT_EQ(fault(""), "0: expected 1 more bytes, found 0");
  EXPECT_EQ(fault("\x02"), "0: expected the byte order 0 or 1, found 2");
  EXPECT_EQ(fault("\x01\x01"), "1: expected 4 more bytes, found 1");
  EXPECT_EQ(fault(wkb(1, coordinates(1))), "5: expected 16 more bytes, found 8");
  for (const uint32_t code : {0U, 8U, 17U, 1000U, 1008U, 4001U}) {
    EXPECT_EQ(fault(wkb(code, coordinates(4))),
              "1: expected a type code 1 to 7, or with Z, M or ZM, found " + std::to_string(code));
  }
  EXPECT_EQ(fault(wkb(0x20000001, number(4326) + coordinates(2))),
            "1: the type 0x20000001 has flags of EWKB; ISO WKB has type codes");
  EXPECT_EQ(fault(wkb(2, number(0xffffffff) + coordinates(2))),
            "5: the count 4294967295 needs more bytes than are left");
  EXPECT_EQ(fault(wkb(3, number(1) + number(3) + coordinates(4))),
            "9: the count 3 needs more bytes than are left");
  EXPECT_EQ(fault(wkb(4, number(1) + wkb(2, number(0)))),
            "10: expected a member of type Point, found LineString");
}

TEST(Wkb, CollectionsAreNestedToALimit) {
  std::string bytes = point();
  for (int i = 0; i < 100; ++i) bytes = wkb(7, number(1) + bytes);
  EXPECT_EQ(fault(bytes), "none");
  bytes = wkb(7, number(1) + bytes);
  EXPECT_EQ(fault(bytes), "909: collections are nested more than 100 levels deep");
}

TEST(Wkb, TypesHaveTheNamesOfGeoParquet) {
  EXPECT_EQ(wkb_type_name(1), "Point");
  EXPECT_EQ(wkb_type_name(1005), "MultiLineString Z");
  EXPECT_EQ(wkb_type_name(2007), "GeometryCollection M");
  EXPECT_EQ(wkb_type_name(3003), "Polygon ZM");
  for (const uint32_t code : {0U, 8U, 1000U, 4001U}) EXPECT_EQ(wkb_type_name(code), "");
}

std::string numbers(const std::vector<double>& values, bool little = true) {
  std::string out;
  for (const double value : values) {
    std::string bytes(8, '\0');
    const auto bits = std::bit_cast<uint64_t>(value);
    if (little) {
      store_little_endian(bits, bytes.data());
    } else {
      store_big_endian(bits, bytes.data());
    }
    out += bytes;
  }
  return out;
}

/// Returns the bounding box of geometries, with a hyphen for an axis that it lacks.
std::string box(const std::vector<std::string>& geometries) {
  GeospatialFacts facts;
  for (const std::string& bytes : geometries) {
    EXPECT_EQ(fault(bytes), "none");
    add_to_box(bytes, &facts);
  }
  std::string out;
  for (const std::optional<GeospatialFacts::Range>& range : facts.box) {
    out += range ? fmt::format("{}…{} ", range->least, range->greatest) : "- ";
  }
  return out;
}

TEST(Wkb, ABoxHasEveryCoordinate) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::string flat = wkb(1, numbers({1, 2}));
  const std::string high = wkb(1001, numbers({-3, 4, 5}));
  EXPECT_EQ(box({}), "- - - - ");
  EXPECT_EQ(box({flat}), "1…1 2…2 - - ");
  EXPECT_EQ(box({flat, high}), "-3…1 2…4 5…5 - ");
  EXPECT_EQ(box({wkb(2002, number(2) + numbers({0, 1, 9, 3, -4, 8}))}), "0…3 -4…1 - 8…9 ");
  EXPECT_EQ(box({wkb(3003, number(1) + number(2) + numbers({1, 2, 3, 4, 5, 6, 7, 8}))}),
            "1…5 2…6 3…7 4…8 ");
  EXPECT_EQ(box({wkb(7, number(2) + wkb(4, number(1) + flat) + high)}), "-3…1 2…4 5…5 - ");
  EXPECT_EQ(box({std::string(1, '\0') + big_number(1) + numbers({1, 2}, /*little=*/false)}),
            "1…1 2…2 - - ");
  EXPECT_EQ(box({wkb(1, numbers({kNan, kNan}))}), "- - - - ");
}

TEST(Wkb, BytesBecomeGeometryIfTheyAreWkb) {
  const Field bytes("g", Kind::Binary);
  const Field geometry = with_geospatial(bytes, {});
  const CompiledCast cast = compile_cast({{bytes}, {}}, {{geometry}, {}});
  ASSERT_EQ(cast.findings().size(), 1U);
  EXPECT_EQ(cast.findings()[0].rule, "encoding.narrowed");
  EXPECT_EQ(cast.findings()[0].lost, "accepts only WKB, not arbitrary bytes");
  // The way back, and between layouts and reference systems, nothing is looked at.
  EXPECT_TRUE(compile_cast({{geometry}, {}}, {{bytes}, {}}).findings().empty());
  const Field large = with_geospatial(Field("g", Kind::LargeBinary), {"EPSG:3857", ""});
  const Findings wider = compile_cast({{geometry}, {}}, {{large}, {}}).findings();
  for (const Finding& found : wider) {
    EXPECT_EQ(found.effect, Effect::None) << found.rule;
  }
  EXPECT_FALSE(compile_promises({{geometry}, {}}, nullptr).is_identity());
  EXPECT_TRUE(compile_promises({{bytes}, {}}, nullptr).is_identity());
}

}  // namespace
}  // namespace xwalk::hub
