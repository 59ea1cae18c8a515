#include "xwalk/hub/value_kinds.h"

#include <algorithm>

#include "xwalk/variant/kinds.h"
#include "xwalk/yson/scan.h"

namespace xwalk::hub {
namespace {

constexpr size_t kind(std::string_view word) {
  return static_cast<size_t>(std::ranges::find(kValueKinds, word) - kValueKinds.begin());
}

/// A number, a boolean or a string of text YSON.
size_t kind_of_text(std::string_view value) {
  const char first = value.front();
  if (first == '%') {
    return value.starts_with("%t") || value.starts_with("%f") ? kind("boolean") : kind("double");
  }
  const bool number = (first >= '0' && first <= '9') || first == '-' || first == '+';
  if (!number) return kind("string");
  while (!value.empty() && yson::is_space(value.back())) value.remove_suffix(1);
  if (value.ends_with('u')) return kind("uint64");
  return value.find_first_of(".eE") == std::string_view::npos ? kind("int64") : kind("double");
}

/// The kinds of `variant::Primitive`, in its order.
constexpr std::array<size_t, variant::kPrimitives> kPrimitiveKinds = {
    kind("null"),    kind("boolean"), kind("boolean"),   kind("int64"),     kind("int64"),
    kind("int64"),   kind("int64"),   kind("double"),    kind("decimal"),   kind("decimal"),
    kind("decimal"), kind("date"),    kind("timestamp"), kind("timestamp"), kind("float"),
    kind("binary"),  kind("string"),  kind("time"),      kind("timestamp"), kind("timestamp"),
    kind("uuid")};

}  // namespace

size_t kind_of_yson(std::string_view value) {
  while (!value.empty() && yson::is_space(value.front())) value.remove_prefix(1);
  if (value.empty()) return kind("other");
  switch (value.front()) {
    case '{':
      return kind("map");
    case '[':
      return kind("list");
    case '<':
      return kind("attributes");
    case '#':
      return kind("null");
    case yson::marker::kString:
      return kind("string");
    case yson::marker::kInt64:
      return kind("int64");
    case yson::marker::kUint64:
      return kind("uint64");
    case yson::marker::kDouble:
      return kind("double");
    case yson::marker::kFalse:
    case yson::marker::kTrue:
      return kind("boolean");
    default:
      return kind_of_text(value);
  }
}

size_t kind_of_variant(const variant::Encoded& value) {
  if (value.value.empty()) return kind("other");
  const char first = value.value.front();
  switch (variant::basic_type(first)) {
    case variant::BasicType::Object:
      return kind("map");
    case variant::BasicType::Array:
      return kind("list");
    case variant::BasicType::ShortString:
      return kind("string");
    case variant::BasicType::Primitive:
      break;
  }
  const auto primitive = static_cast<size_t>(variant::value_header(first));
  return primitive < kPrimitiveKinds.size() ? kPrimitiveKinds.at(primitive) : kind("other");
}

}  // namespace xwalk::hub
