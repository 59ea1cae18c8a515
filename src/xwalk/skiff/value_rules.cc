#include "xwalk/skiff/value_rules.h"

#include <cfloat>
#include <cmath>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::skiff {
namespace {

using yson::Node;
using yt::TypeKind;

[[noreturn]] void fail(std::string message) { throw Error(ErrorCode::Input, std::move(message)); }

template <typename Integer>
void check_integer(TypeKind kind, Integer value) {
  yt::IntegerRange range = yt::integer_range(kind);
  if (range.contains(value)) return;
  fail(fmt::format("expected a {} in [{}, {}], found {}", yt::kind_name(kind), range.min, range.max,
                   value));
}

const Node& expect_kind(const Node& node, Node::Kind kind, std::string_view word) {
  if (!node.is(kind)) {
    fail(fmt::format("expected {}, found {}", word, yson::kind_name(node.kind())));
  }
  return node;
}

}  // namespace

void check_range(TypeKind kind, int64_t value) { check_integer(kind, value); }
void check_range(TypeKind kind, uint64_t value) { check_integer(kind, value); }

void check_float(double value) {
  if (std::isfinite(value) && std::fabs(value) > static_cast<double>(FLT_MAX)) {
    fail(fmt::format("expected a float, found {}, which is beyond its range", value));
  }
}

void check_string(TypeKind kind, std::string_view bytes) {
  if (kind == TypeKind::Utf8) {
    if (!is_valid_utf8(bytes)) fail(fmt::format("expected UTF-8, found {}", clipped(bytes)));
  } else if (kind == TypeKind::Json) {
    if (!is_valid_json(bytes)) fail(fmt::format("expected JSON, found {}", clipped(bytes)));
  } else if (kind == TypeKind::Uuid) {
    if (bytes.size() != yt::kUuidSize) {
      fail(fmt::format("expected the 16 bytes of a uuid, found {}", bytes.size()));
    }
  } else if (yt::is_tz(kind)) {
    yt::tz_from_bytes(kind, bytes);
  }
}

void check_decimal(const yt::Type& type, std::string_view bytes) {
  yt::check_decimal(bytes, type.precision(), type.scale());
}

void check_node(const yt::Type& type, const Node& node) {
  if (node.has_attributes()) fail("expected a value without attributes, found attributes");
  TypeKind kind = type.kind();
  if (kind == TypeKind::Decimal) {
    check_decimal(type, expect_kind(node, Node::Kind::String, "a string").as_string());
  } else if (kind == TypeKind::Bool) {
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
    check_string(kind, expect_kind(node, Node::Kind::String, "a string").as_string());
  }
}

void check_any(const Node& node) {
  if (node.has_attributes()) fail("expected a yson value without attributes, found attributes");
  if (node.is(Node::Kind::Entity)) fail("expected a yson value, found #");
}

Node parse_any(std::string_view bytes) {
  Node node = yson::parse(bytes);
  check_any(node);
  return node;
}

bool fits_wire(WireType wire, int64_t value) {
  switch (wire) {
    case WireType::Int8:
      return value == static_cast<int8_t>(value);
    case WireType::Int16:
      return value == static_cast<int16_t>(value);
    case WireType::Int32:
      return value == static_cast<int32_t>(value);
    default:
      return true;
  }
}

bool fits_wire(WireType wire, uint64_t value) {
  switch (wire) {
    case WireType::Uint8:
      return value == static_cast<uint8_t>(value);
    case WireType::Uint16:
      return value == static_cast<uint16_t>(value);
    case WireType::Uint32:
      return value == static_cast<uint32_t>(value);
    default:
      return true;
  }
}

}  // namespace xwalk::skiff
