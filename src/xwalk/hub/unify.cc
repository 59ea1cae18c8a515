#include "xwalk/hub/unify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/meaning.h"

namespace xwalk::hub {
namespace {

/// Integers with up to this many bits are exact in a float; 0 for other kinds.
int exact_bits(Kind kind) {
  if (kind == Kind::HalfFloat) return 11;
  if (kind == Kind::Float) return 24;
  if (kind == Kind::Double) return 53;
  return 0;
}

int value_bits(Kind integer) {
  return kind_row(integer).bits - (is_signed_integer(integer) ? 1 : 0);
}

/// Returns the smallest of kinds that has as many bits.
std::optional<Type> with_bits(std::initializer_list<Kind> kinds, int bits, int (*bits_of)(Kind)) {
  for (const Kind kind : kinds) {
    if (bits_of(kind) >= bits) return Type(kind);
  }
  return std::nullopt;
}

std::optional<Type> wider_number(Kind a, Kind b) {
  const int floating = std::max(exact_bits(a), exact_bits(b));
  const auto is_number = [](Kind kind) { return is_integer(kind) || exact_bits(kind) > 0; };
  if (!is_number(a) || !is_number(b)) return std::nullopt;
  const auto bits_of = [](Kind kind) { return is_integer(kind) ? value_bits(kind) : 0; };
  const int whole = std::max(bits_of(a), bits_of(b));
  if (floating > 0) {
    return with_bits({Kind::HalfFloat, Kind::Float, Kind::Double}, std::max(floating, whole),
                     exact_bits);
  }
  if (is_signed_integer(a) || is_signed_integer(b)) {
    return with_bits({Kind::Int8, Kind::Int16, Kind::Int32, Kind::Int64}, whole, value_bits);
  }
  return Type(std::max(a, b));
}

/// Returns the decimal of an integer's digits; other types as they are.
Type as_decimal(const Type& type) {
  if (!is_integer(type.kind())) return type;
  constexpr std::array<int, 4> kDigits = {3, 5, 10, 19};
  const int bits = kind_row(type.kind()).bits;
  const bool most = type.kind() == Kind::Uint64;
  const int digits = most ? 20 : kDigits.at(static_cast<size_t>(std::countr_zero(bits / 8U)));
  return decimal(digits > 9 ? (digits > 18 ? 128 : 64) : 32, digits, 0);
}

std::optional<Type> wider_decimal(const Type& first, const Type& second) {
  if (!is_decimal(first.kind()) && !is_decimal(second.kind())) return std::nullopt;
  const Type a = as_decimal(first);
  const Type b = as_decimal(second);
  if (!is_decimal(a.kind()) || !is_decimal(b.kind())) return std::nullopt;
  const int scale = std::max(a.scale(), b.scale());
  const int precision = scale + std::max(a.precision() - a.scale(), b.precision() - b.scale());
  const int least = std::max(kind_row(a.kind()).bits, kind_row(b.kind()).bits);
  constexpr std::pair<int, int> kDigits[] = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
  for (const auto& [bits, digits] : kDigits) {
    if (bits >= least && digits >= precision) return decimal(bits, precision, scale);
  }
  return std::nullopt;
}

std::optional<Type> wider_time(const Type& a, const Type& b) {
  const auto is_time = [](Kind kind) { return kind == Kind::Time32 || kind == Kind::Time64; };
  const bool times = is_time(a.kind()) && is_time(b.kind());
  const auto is_date = [](Kind kind) { return kind == Kind::Date32 || kind == Kind::Date64; };
  if (is_date(a.kind()) && is_date(b.kind())) return Kind::Date64;
  if (!times && a.kind() != b.kind()) return std::nullopt;
  const bool units = times || a.kind() == Kind::Timestamp || a.kind() == Kind::Duration;
  if (!units) return std::nullopt;
  const TimeUnit unit = std::max(a.unit(), b.unit());
  if (times) return unit > TimeUnit::Milli ? time64(unit) : time32(unit);
  if (a.kind() == Kind::Duration) return duration(unit);
  return a.zone() == b.zone() ? std::optional(timestamp(unit, a.zone())) : std::nullopt;
}

/// Of texts, and of bytes: the large layout where either is, else the usual one.
std::optional<Type> wider_bytes(Kind a, Kind b) {
  if (is_utf8(a) && is_utf8(b)) {
    return a == Kind::LargeUtf8 || b == Kind::LargeUtf8 ? Kind::LargeUtf8 : Kind::Utf8;
  }
  if (is_binary(a) && is_binary(b)) {
    return a == Kind::LargeBinary || b == Kind::LargeBinary ? Kind::LargeBinary : Kind::Binary;
  }
  return std::nullopt;
}

Field unify(const Field& first, const Field& second, const Path& path);

std::vector<Field> unify_members(std::span<const Field> first, std::span<const Field> second,
                                 const Path& path) {
  const auto find = [](std::span<const Field> fields, const std::string& name) {
    return std::ranges::find(fields, name, &Field::name);
  };
  std::vector<Field> out;
  for (const Field& field : first) {
    const auto other = find(second, field.name);
    out.push_back(other == second.end() ? field : unify(field, *other, path.field(field.name)));
    if (other == second.end()) out.back().nullable = true;
  }
  for (const Field& field : second) {
    if (find(first, field.name) != first.end()) continue;
    out.push_back(field);
    out.back().nullable = true;
  }
  return out;
}

std::optional<Type> wider_list(const Type& a, const Type& b, const Path& path) {
  if (!is_list(a.kind()) || !is_list(b.kind())) return std::nullopt;
  Field item = unify(a.child(), b.child(), path.item());
  const bool one_size = a.kind() == Kind::FixedSizeList && b.kind() == a.kind();
  if (one_size && a.size() == b.size()) return fixed_size_list(std::move(item), a.size());
  const auto is_large = [](Kind kind) {
    return kind == Kind::LargeList || kind == Kind::LargeListView;
  };
  if (a.kind() == b.kind() && !one_size) return list(std::move(item), a.kind());
  return list(std::move(item),
              is_large(a.kind()) || is_large(b.kind()) ? Kind::LargeList : Kind::List);
}

std::optional<Type> wider_map(const Type& a, const Type& b, const Path& path) {
  if (a.kind() != Kind::Map || b.kind() != Kind::Map) return std::nullopt;
  Field entries = a.child();
  entries.type = struct_(
      {unify(a.key(), b.key(), path.map_key()), unify(a.value(), b.value(), path.map_value())});
  return map_of_entries(std::move(entries), a.flag() && b.flag());
}

/// Alternatives by name: those of the first in their order, then those that only the second has, by
/// the next codes. Nothing if there are too many for a code.
std::optional<Type> wider_union(const Type& a, const Type& b, const Path& path) {
  if (!is_union(a.kind()) || !is_union(b.kind())) return std::nullopt;
  std::vector<Field> alternatives(a.children().begin(), a.children().end());
  std::vector<int8_t> codes(a.type_codes().begin(), a.type_codes().end());
  for (const Field& field : b.children()) {
    const auto mine = std::ranges::find(alternatives, field.name, &Field::name);
    if (mine != alternatives.end()) {
      *mine = unify(*mine, field, path.alternative(field.name));
      continue;
    }
    const int8_t last = codes.empty() ? int8_t{-1} : std::ranges::max(codes);
    if (last == std::numeric_limits<int8_t>::max()) return std::nullopt;
    alternatives.push_back(field);
    codes.push_back(static_cast<int8_t>(last + 1));
  }
  return union_(std::move(alternatives), a.kind() == b.kind() ? a.kind() : Kind::DenseUnion,
                std::move(codes));
}

/// The type of the values of a dictionary or of runs.
const Type& plain(const Type& type) {
  if (type.kind() == Kind::Dictionary) return plain(type.child().type);
  if (type.kind() == Kind::RunEndEncoded) return plain(type.child(1).type);
  return type;
}

Type unify(const Type& a, const Type& b, const Path& path) {
  if (a == b) return a;
  if (a.kind() == Kind::Null) return b;
  if (b.kind() == Kind::Null) return a;
  const Type& first = plain(a);
  const Type& second = plain(b);
  if (&first != &a || &second != &b) return unify(first, second, path);
  if (a.kind() == Kind::Struct && b.kind() == Kind::Struct) {
    return struct_(unify_members(a.children(), b.children(), path));
  }
  std::optional<Type> wider = wider_number(a.kind(), b.kind());
  if (!wider) wider = wider_decimal(a, b);
  if (!wider) wider = wider_time(a, b);
  if (!wider) wider = wider_bytes(a.kind(), b.kind());
  if (!wider) wider = wider_list(a, b, path);
  if (!wider) wider = wider_map(a, b, path);
  if (!wider) wider = wider_union(a, b, path);
  if (!wider) refuse_to_unify(path, fmt::format("{} and {}", to_string(a), to_string(b)));
  return *std::move(wider);
}

/// Keeps what both say. An extension of both has one meaning, however its parameters are spelled.
Metadata unify(const Metadata& first, const Metadata& second) {
  Metadata out;
  for (const auto& [key, value] : first) {
    const bool extends = key == kExtensionName || key == kExtensionMetadata;
    if (extends || second.find(key) == value) out.append(key, value);
  }
  return out;
}

Field unify(const Field& first, const Field& second, const Path& path) {
  const bool nothing = first.type.kind() == Kind::Null && second.type.kind() != Kind::Null;
  return {first.name, unify(first.type, second.type, path),
          first.nullable || second.nullable || first.type.kind() == Kind::Null ||
              second.type.kind() == Kind::Null,
          nothing ? second.metadata : unify(first.metadata, second.metadata)};
}

}  // namespace

Schema unify(const Schema& first, const Schema& second) {
  if (first == second) return first;
  for (const Field& field : first.fields) {
    const auto other = std::ranges::find(second.fields, field.name, &Field::name);
    if (other == second.fields.end()) continue;
    const Disagreements found = judge(field, *other, Path::column(field.name));
    if (const Disagreement* differs = first_beyond(Fit::Same, found)) {
      refuse_to_unify(differs->path, differs->reason);
    }
  }
  return {.fields = unify_members(first.fields, second.fields, Path()),
          .metadata = unify(first.metadata, second.metadata),
          .nullable_rows = first.nullable_rows || second.nullable_rows,
          .bare_rows = first.bare_rows && second.bare_rows};
}

void refuse_to_unify(const Path& path, std::string_view why) {
  throw Error(ErrorCode::Input, fmt::format("no type holds the values of both: {}", why),
              {.path = path}, "Convert one of them by itself first, with `cast`.");
}

}  // namespace xwalk::hub
