#include "tests/skiff/oracle/value_checks.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/scalar_codec.h"

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
  if (!is_float_for(value)) fail(yt::float_fault(value));
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

}  // namespace xwalk::skiff
