#include "xwalk/hub/wkb.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/base/endian.h"

namespace xwalk::hub {
namespace {

/// Levels of collections in collections. Each level is a call, and takes nine bytes of the input.
constexpr int kDepth = 100;
/// Bytes of a byte order, a type code and a count.
constexpr size_t kHeader = 9;
/// The flags of EWKB: Z, M and a spatial reference id.
constexpr uint32_t kEwkbFlags = 0xe0000000U;

enum class Shape : uint8_t { None, Point, Line, Polygon, MultiPoint, MultiLine, MultiPolygon, Any };

constexpr std::array<std::string_view, 8> kNames = {
    "",           "Point",           "LineString",   "Polygon",
    "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"};

/// A type code, taken apart.
struct TypeCode {
  Shape shape = Shape::None;
  /// Numbers of a point: 2, 3 or 4.
  size_t numbers = 0;
  /// The axes of the numbers: x, y, z and m are 0 to 3.
  std::array<uint8_t, 4> axes = {0, 1, 2, 3};
};

TypeCode parse_code(uint32_t code) {
  constexpr std::array<size_t, 4> kNumbers = {2, 3, 3, 4};
  const uint32_t dimensions = code / 1000;
  const uint32_t shape = code % 1000;
  if (dimensions >= kNumbers.size() || shape == 0 || shape >= kNames.size()) return {};
  TypeCode out = {static_cast<Shape>(shape), kNumbers.at(dimensions)};
  constexpr uint32_t kWithM = 2;
  if (dimensions == kWithM) out.axes[2] = 3;
  return out;
}

/// Returns what the members of a multi-geometry are; None if it has no members, Any for a
/// collection.
Shape member_of(Shape shape) {
  switch (shape) {
    case Shape::MultiPoint:
      return Shape::Point;
    case Shape::MultiLine:
      return Shape::Line;
    case Shape::MultiPolygon:
      return Shape::Polygon;
    case Shape::Any:
      return Shape::Any;
    case Shape::None:
    case Shape::Point:
    case Shape::Line:
    case Shape::Polygon:
      return Shape::None;
  }
  return Shape::None;
}

/// Walks one value. A step returns false at a fault, which `offset` and `what` describe.
class Walk {
 public:
  enum class What : uint8_t {
    Nothing,
    ByteOrder,
    Ewkb,
    Type,
    Member,
    Count,
    Short,
    Depth,
    Trailing
  };

  /// Adds the coordinates to `box` unless it is null.
  explicit Walk(std::string_view bytes, GeospatialFacts* box = nullptr)
      : bytes_(bytes), box_(box) {}

  bool value() {
    if (!geometry(Shape::Any, 0)) return false;
    return at_ == bytes_.size() || fail(What::Trailing, at_, bytes_.size() - at_);
  }

  WkbFault fault() const { return {offset_, reason()}; }

 private:
  size_t left() const { return bytes_.size() - at_; }

  bool fail(What what, size_t offset, uint64_t number = 0) {
    what_ = what;
    offset_ = offset;
    number_ = number;
    return false;
  }

  bool number(bool little, uint32_t* out) {
    if (left() < sizeof *out) return fail(What::Short, at_, sizeof *out);
    const auto value = load_little_endian<uint32_t>(bytes_.data() + at_);
    *out = little ? value : load_big_endian<uint32_t>(bytes_.data() + at_);
    at_ += sizeof *out;
    return true;
  }

  /// Reads a count of elements that take at least `size` bytes each.
  bool count(bool little, size_t size, uint32_t* out) {
    const size_t start = at_;
    if (!number(little, out)) return false;
    return *out <= left() / size || fail(What::Count, start, *out);
  }

  bool points(bool little, const TypeCode& type) {
    uint32_t many = 0;
    if (!count(little, type.numbers * sizeof(double), &many)) return false;
    take(little, type, many);
    return true;
  }

  /// Moves past points whose bytes are there.
  void take(bool little, const TypeCode& type, size_t many) {
    if (box_ == nullptr) {
      at_ += many * type.numbers * sizeof(double);
      return;
    }
    for (size_t i = 0; i < many * type.numbers; ++i, at_ += sizeof(double)) {
      const char* const at = bytes_.data() + at_;
      const auto value = std::bit_cast<double>(little ? load_little_endian<uint64_t>(at)
                                                      : load_big_endian<uint64_t>(at));
      if (std::isnan(value)) continue;
      std::optional<GeospatialFacts::Range>& range = box_->box.at(type.axes.at(i % type.numbers));
      if (!range) range = {.least = value, .greatest = value};
      range->least = std::min(range->least, value);
      range->greatest = std::max(range->greatest, value);
    }
  }

  bool geometry(Shape wanted, int depth) {
    const size_t start = at_;
    if (depth > kDepth) return fail(What::Depth, start);
    if (left() == 0) return fail(What::Short, start, 1);
    const auto order = static_cast<uint8_t>(bytes_[at_++]);
    if (order > 1) return fail(What::ByteOrder, start, order);
    const bool little = order == 1;
    uint32_t code = 0;
    if (!number(little, &code)) return false;
    const TypeCode type = parse_code(code);
    const Shape shape = type.shape;
    if (shape == Shape::None) {
      return fail((code & kEwkbFlags) != 0 ? What::Ewkb : What::Type, start + 1, code);
    }
    if (wanted != Shape::Any && shape != wanted) {
      wanted_ = wanted;
      return fail(What::Member, start + 1, code);
    }
    const size_t size = type.numbers * sizeof(double);
    uint32_t many = 0;
    switch (shape) {
      case Shape::Point:
        if (left() < size) return fail(What::Short, at_, size);
        take(little, type, 1);
        return true;
      case Shape::Line:
        return points(little, type);
      case Shape::Polygon:
        if (!count(little, sizeof(uint32_t), &many)) return false;
        for (uint32_t i = 0; i < many; ++i) {
          if (!points(little, type)) return false;
        }
        return true;
      case Shape::MultiPoint:
      case Shape::MultiLine:
      case Shape::MultiPolygon:
      case Shape::Any:
        if (!count(little, kHeader, &many)) return false;
        for (uint32_t i = 0; i < many; ++i) {
          if (!geometry(member_of(shape), depth + 1)) return false;
        }
        return true;
      case Shape::None:
        break;
    }
    return false;
  }

  std::string reason() const {
    switch (what_) {
      case What::ByteOrder:
        return fmt::format("expected the byte order 0 or 1, found {}", number_);
      case What::Ewkb:
        return fmt::format("the type 0x{:08x} has flags of EWKB; ISO WKB has type codes", number_);
      case What::Type:
        return fmt::format("expected a type code 1 to 7, or with Z, M or ZM, found {}", number_);
      case What::Member:
        return fmt::format("expected a member of type {}, found {}",
                           kNames.at(static_cast<size_t>(wanted_)),
                           wkb_type_name(static_cast<uint32_t>(number_)));
      case What::Count:
        return fmt::format("the count {} needs more bytes than are left", number_);
      case What::Short:
        return fmt::format("expected {} more bytes, found {}", number_, bytes_.size() - offset_);
      case What::Depth:
        return fmt::format("collections are nested more than {} levels deep", kDepth);
      case What::Trailing:
        return fmt::format("{} bytes after the geometry", number_);
      case What::Nothing:
        break;
    }
    return "";
  }

  std::string_view bytes_;
  GeospatialFacts* box_;
  size_t at_ = 0;
  What what_ = What::Nothing;
  size_t offset_ = 0;
  uint64_t number_ = 0;
  Shape wanted_ = Shape::None;
};

std::string fault_text(std::string_view bytes) {
  const std::optional<WkbFault> fault = find_wkb_fault(bytes);
  return fault ? fmt::format("wrong at byte {}: {}", fault->offset, fault->reason) : "";
}

}  // namespace

constinit const ContentRule kWkbContent = {"WKB", is_wkb, fault_text};

bool is_wkb(std::string_view bytes) { return Walk(bytes).value(); }

std::optional<WkbFault> find_wkb_fault(std::string_view bytes) {
  Walk walk(bytes);
  if (walk.value()) return std::nullopt;
  return walk.fault();
}

void add_to_box(std::string_view bytes, GeospatialFacts* facts) { Walk(bytes, facts).value(); }

uint32_t wkb_type(std::string_view bytes) {
  return bytes.front() == 1 ? load_little_endian<uint32_t>(bytes.data() + 1)
                            : load_big_endian<uint32_t>(bytes.data() + 1);
}

std::string wkb_type_name(uint32_t code) {
  if (parse_code(code).shape == Shape::None) return "";
  constexpr std::array<std::string_view, 4> kDimensions = {"", " Z", " M", " ZM"};
  return fmt::format("{}{}", kNames.at(code % 1000), kDimensions.at(code / 1000));
}

}  // namespace xwalk::hub
