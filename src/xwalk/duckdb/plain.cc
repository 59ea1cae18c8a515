#include "xwalk/duckdb/plain.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"

namespace xwalk::duckdb {
namespace {

using hub::Array;
using hub::Field;
using hub::Kind;

constexpr std::string_view kHugeint = "hugeint";
constexpr std::string_view kUnsignedHugeint = "uhugeint";

/// Returns the name of a type that DuckDB marks as its own, or "".
std::string own_type(const Field& field) {
  if (field.extension_name() != "arrow.opaque") return "";
  const auto mark = nlohmann::json::parse(field.extension_metadata(), nullptr, false);
  if (!mark.is_object() || mark.value("vendor_name", "") != "DuckDB") return "";
  return mark.value("type_name", "");
}

bool is_huge(std::string_view own) { return own == kHugeint || own == kUnsignedHugeint; }

bool is_bool8(const Field& field) { return field.extension_name() == hub::kBool8Extension; }

Array packed(Array array) {
  const int64_t end = array.offset + array.length;
  hub::Buffer bits((end + 7) / 8);
  auto* const out = bits.as<uint8_t>();
  std::fill_n(out, (end + 7) / 8, uint8_t{0});
  const auto* const bytes = array.raw<int8_t>(1);
  for (int64_t i = array.offset; i < end; ++i) {
    if (bytes[i] != 0) hub::set_bit(out, i);
  }
  array.buffers[1] = bits.as<void>();
  array.owners.push_back(bits.owner());
  return array;
}

/// The highest byte of a 128-bit integer is its last.
constexpr int64_t kWidth = 16;
bool is_too_large(const uint8_t* integer) { return (integer[kWidth - 1] & 0x80) != 0; }

Array signed_integers(Array array) {
  const int64_t end = array.offset + array.length;
  const auto* const bytes = array.raw<uint8_t>(1);
  int64_t first = array.offset;
  while (first < end && !is_too_large(bytes + first * kWidth)) ++first;
  if (first == end) return array;
  hub::Buffer copy(end * kWidth);
  auto* const out = copy.as<uint8_t>();
  std::memcpy(out, bytes, static_cast<size_t>(end * kWidth));
  for (int64_t i = first; i < end; ++i) {
    uint8_t* const integer = out + i * kWidth;
    if (!is_too_large(integer)) continue;
    std::fill_n(integer, kWidth - 1, uint8_t{0xff});
    integer[kWidth - 1] = 0x7f;
  }
  array.buffers[1] = copy.as<void>();
  array.owners.push_back(copy.owner());
  return array;
}

/// A value of Arrow's intervals.
struct Interval {
  int32_t months;
  int32_t days;
  int64_t nanoseconds;
};

bool any_fine(const Array& array, int64_t begin, int64_t end) {
  const auto* const values = array.raw<Interval>(1);
  for (int64_t i = begin; i < end; ++i) {
    if (values[i].nanoseconds % 1000 != 0 && !array.is_null(i - array.offset)) return true;
  }
  return false;
}

template <typename Value>
bool any_infinite(const Array& array, int64_t begin, int64_t end) {
  constexpr Value kInfinite = std::numeric_limits<Value>::max();
  const auto* const values = array.raw<Value>(1);
  for (int64_t i = begin; i < end; ++i) {
    const bool infinite = values[i] == kInfinite || values[i] == -kInfinite;
    if (infinite && !array.is_null(i - array.offset)) return true;
  }
  return false;
}

/// Whether an array has a value that is looked for among some; nothing if it is not looked for in
/// values of this type.
using IsFound = std::optional<bool> (*)(const Array& array, const hub::Type& type, int64_t begin,
                                        int64_t end);

std::optional<bool> is_infinite(const Array& array, const hub::Type& type, int64_t begin,
                                int64_t end) {
  if (type.kind() == Kind::Date32) return any_infinite<int32_t>(array, begin, end);
  if (type.kind() == Kind::Timestamp) return any_infinite<int64_t>(array, begin, end);
  return std::nullopt;
}

std::optional<bool> is_fine(const Array& array, const hub::Type& type, int64_t begin, int64_t end) {
  if (type.kind() != Kind::IntervalMonthDayNano) return std::nullopt;
  return any_fine(array, begin, end);
}

/// Returns the first item of a list; for fixed-size lists that of the place.
int64_t item_of(const Array& array, const hub::Type& type, int64_t place) {
  if (type.kind() == Kind::FixedSizeList) return place * type.size();
  if (type.kind() == Kind::LargeList) return array.raw<int64_t>(1)[place];
  return array.raw<int32_t>(1)[place];
}

/// Returns the path of a value that is looked for among some of an array; positions count from its
/// first element.
std::optional<Path> find(const Array& array, const hub::Type& type, int64_t begin, int64_t end,
                         const Path& path, IsFound is_found) {
  begin += array.offset;
  end += array.offset;
  const Kind kind = type.kind();
  if (const std::optional<bool> found = is_found(array, type, begin, end)) {
    return *found ? std::optional(path) : std::nullopt;
  }
  if (kind == Kind::Dictionary || begin == end) return std::nullopt;
  if (array.children.empty()) return std::nullopt;
  // The keys and the values of a map are below its entries.
  const Array& holder = kind == Kind::Map ? array.children.front() : array;
  int64_t first = begin;
  int64_t last = end;
  if (hub::is_list(kind) || kind == Kind::Map) {
    first = item_of(array, type, begin) + (kind == Kind::Map ? holder.offset : 0);
    last = item_of(array, type, end) + (kind == Kind::Map ? holder.offset : 0);
  }
  const std::vector<hub::Child> children = hub::children_of(type, path);
  for (size_t i = 0; i < children.size(); ++i) {
    const Array& child = holder.children[i];
    // A dense union has its values in places of their own.
    const bool whole = hub::is_union(kind);
    auto found = find(child, children[i].field->type, whole ? 0 : first,
                      whole ? child.length : last, children[i].path, is_found);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

void refuse_infinity(const Array& array, const hub::Type& type, const Path& path) {
  if (!find(array, type, 0, array.length, path, is_infinite)) return;
  for (int64_t row = 0; row < array.length; ++row) {
    if (const auto found = find(array, type, row, row + 1, path, is_infinite)) {
      throw Error(ErrorCode::Input, "expected a date or a time that others have, found infinity",
                  {.row = static_cast<uint64_t>(row), .path = *found},
                  "Replace it in the query, such as by NULL: CASE WHEN isfinite(value) THEN value "
                  "END.");
    }
  }
}

bool has_interval(const hub::Type& type) {
  return type.kind() == Kind::IntervalMonthDayNano ||
         std::ranges::any_of(type.children(),
                             [](const Field& child) { return has_interval(child.type); });
}

void refuse_fine_intervals(const Array& array, const hub::Type& type, const Path& path) {
  if (!has_interval(type)) return;
  const auto found = find(array, type, 0, array.length, path, is_fine);
  if (!found) return;
  throw Error(ErrorCode::Input,
              "expected an interval of whole microseconds, which DuckDB counts, found nanoseconds",
              {.path = *found}, "Leave the column out with `exclude`.");
}

Field plain_field(const Field& field) {
  Field out = field;
  const std::string own = own_type(field);
  if (!own.empty() || is_bool8(field)) {
    out.metadata.erase(hub::kExtensionName);
    out.metadata.erase(hub::kExtensionMetadata);
    if (is_bool8(field)) out.type = Kind::Bool;
    if (is_huge(own)) out.type = hub::decimal(128, 38, 0);
    return out;
  }
  if (field.type.children().empty() || field.type.kind() == Kind::Dictionary) return out;
  std::vector<Field> children;
  for (const Field& child : field.type.children()) children.push_back(plain_field(child));
  out.type = hub::with_children(field.type, std::move(children));
  return out;
}

void refuse_own_types(const Field& field, const Path& path) {
  std::string own = own_type(field);
  if (own.empty() || is_huge(own)) {
    for (const hub::Child& child : hub::children_of(field.type, path)) {
      refuse_own_types(*child.field, child.path);
    }
    return;
  }
  if (own == "time_tz") own = "timetz";
  std::ranges::transform(own, own.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  throw Error(ErrorCode::Unsupported,
              fmt::format("expected a type that other software knows, found {}", own),
              {.path = path}, "Cast the values to a type that holds them, such as VARCHAR.");
}

Array plain_array(Array array, const Field& field) {
  if (is_bool8(field)) return packed(std::move(array));
  if (own_type(field) == kUnsignedHugeint) return signed_integers(std::move(array));
  const auto children = field.type.children();
  if (field.type.kind() == Kind::Dictionary) return array;
  for (size_t i = 0; i < array.children.size(); ++i) {
    array.children[i] = plain_array(std::move(array.children[i]), children[i]);
  }
  return array;
}

}  // namespace xwalk::duckdb
