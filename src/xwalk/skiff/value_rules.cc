#include "xwalk/skiff/value_rules.h"

#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/tz.h"

namespace xwalk::skiff {
namespace {

using yson::Node;
using yt::TypeKind;

[[noreturn]] void fail(std::string message) { throw Error(ErrorCode::Input, std::move(message)); }

const Node& expect_kind(const Node& node, Node::Kind kind, std::string_view word) {
  if (!node.is(kind)) {
    fail(fmt::format("expected {}, found {}", word, yson::kind_name(node.kind())));
  }
  return node;
}

}  // namespace

void check_range(TypeKind kind, int64_t value) {
  if (!yt::integer_range(kind).contains(value)) fail(yt::range_fault(kind, value));
}

void check_range(TypeKind kind, uint64_t value) {
  if (!yt::integer_range(kind).contains(value)) fail(yt::range_fault(kind, value));
}

void check_float(double value) {
  if (!yt::fits_float(value)) fail(yt::float_fault(value));
}

std::string stored_zone(TypeKind kind, const char* bytes) {
  const size_t size = yt::tz_integer_size(kind);
  uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  // Storing takes the low bytes: the sign need not be extended.
  const auto number = load_little_endian<uint16_t>(bytes + size);
  std::string zone(yt::zone_of_number(number));
  if (zone.empty()) {
    zone.resize(sizeof(number));
    store_big_endian(number, zone.data());
  }
  std::string stored(size + zone.size(), '\0');
  yt::write_tz(kind, static_cast<int64_t>(word), zone, stored.data());
  return stored;
}

std::string wire_zone(TypeKind kind, std::string_view stored) {
  const size_t size = yt::tz_integer_size(kind);
  int64_t instant = 0;
  std::string_view zone;
  yt::ZoneNames zones;
  if (yt::read_tz(kind, stored, &zones, &instant, &zone) != yt::TzStatus::Ok) return "";
  const std::optional<uint16_t> number = yt::number_of_zone(zone);
  if (!number) return "";
  std::string bytes(size + sizeof(*number), '\0');
  std::memcpy(bytes.data(), &instant, size);
  store_little_endian(*number, bytes.data() + size);
  return bytes;
}

void check_string(const yt::Type& type, std::string_view bytes) {
  yt::check_scalar(yt::stored_codec(type), bytes);
}

void check_node(const yt::Type& type, const Node& node) {
  if (node.has_attributes()) fail("expected a value without attributes, found attributes");
  TypeKind kind = type.kind();
  if (kind == TypeKind::Bool) {
    expect_kind(node, Node::Kind::Boolean, "a boolean");
  } else if (kind == TypeKind::Double || kind == TypeKind::Float) {
    double value = expect_kind(node, Node::Kind::Double, "a double").as_double();
    if (kind == TypeKind::Float) check_float(value);
  } else if (kind == TypeKind::Null || kind == TypeKind::Void) {
    expect_kind(node, Node::Kind::Entity, "#");
  } else if (yt::is_unsigned(kind)) {
    check_range(kind, expect_kind(node, Node::Kind::Uint64, "a uint64").as_uint64());
  } else if (yt::is_integral(kind)) {
    check_range(kind, expect_kind(node, Node::Kind::Int64, "an int64").as_int64());
  } else {
    check_string(type, expect_kind(node, Node::Kind::String, "a string").as_string());
  }
}

void check_any(const Node& node) {
  if (node.has_attributes()) fail("expected a yson value without attributes, found attributes");
  if (node.is(Node::Kind::Entity)) fail("expected a yson value, found #");
}

bool fits_wire(WireType wire, int64_t value) {
  size_t width = fixed_width(wire).value_or(sizeof(value));
  if (width >= sizeof(value)) return true;
  int64_t most = (int64_t{1} << (8 * width - 1)) - 1;
  return value >= -most - 1 && value <= most;
}

bool fits_wire(WireType wire, uint64_t value) {
  size_t width = fixed_width(wire).value_or(sizeof(value));
  return width >= sizeof(value) || value >> (8 * width) == 0;
}

}  // namespace xwalk::skiff
