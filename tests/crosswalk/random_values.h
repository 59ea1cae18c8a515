#pragma once

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "tests/hub/values.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/type.h"
#include "xwalk/hub/wkb.h"

// Random Arrow types, and values at the edges of any field's domain.

namespace xwalk::hub {

/// Names a system in the name of a test.
inline void PrintTo(System system, std::ostream* out) { *out << system->name; }

}  // namespace xwalk::hub

namespace xwalk::crosswalk::testing {

using hub::Field;
using hub::Kind;
using hub::Type;
using hub::testing::Value;

/// Returns numbers at the edges of a domain of integers, dates, times, instants or durations:
/// least, greatest, around zero, around the units coarser than its own. All are within the range.
inline std::vector<Int128> boundary_values(const hub::Domain& domain) {
  std::vector<Int128> values = {
      domain.range.low, domain.range.low + 1, domain.range.high - 1, domain.range.high, -1, 0, 1};
  const Int128 day = domain.days ? 1 : Int128{86'400} * hub::ticks_per_second(domain.unit);
  std::vector<Int128> units = {1, 1'000, 1'000'000, 1'000'000'000, day};
  if (domain.family == hub::Family::Integer) {
    units.clear();
    for (const int bits : {7, 8, 15, 16, 24, 31, 32, 53, 63, 64})
      units.push_back(Int128{1} << bits);
  }
  for (const Int128 unit : units) {
    for (const Int128 value : {unit, -unit}) {
      values.insert(values.end(), {value - 1, value, value + 1});
    }
  }
  if (domain.family == hub::Family::Date && !domain.days) {
    for (Int128& value : values) value -= (value % day + day) % day;
  }
  std::erase_if(values, [&](Int128 value) { return !domain.range.contains(value); });
  return values;
}

class RandomData {
 public:
  explicit RandomData(uint64_t seed) : random_(seed) {}

  size_t below(size_t count) { return static_cast<size_t>(random_() % count); }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  Field field(std::string name, int depth) {
    Field out(std::move(name), type(depth), below(2) == 0);
    if (out.type.kind() == Kind::FixedSizeBinary && out.type.size() == 16 && below(2) == 0) {
      out = hub::with_extension(out, "arrow.uuid");
    }
    if (out.type.kind() == Kind::Utf8 && below(4) == 0)
      out = hub::with_extension(out, "arrow.json");
    return out;
  }

  Type type(int depth) {
    if (depth == 0 || below(2) == 0) return simple();
    switch (below(9)) {
      case 0:
        return hub::list(field("item", depth - 1));
      case 1:
        return hub::list(field("item", depth - 1), Kind::LargeList);
      case 2:
        return hub::list(field("item", depth - 1), Kind::ListView);
      case 3:
        return hub::fixed_size_list(field("item", depth - 1), 2);
      case 4:
        return hub::struct_(fields(1 + below(3), depth - 1));
      case 5: {
        Field key("key", key_type(depth - 1), false);
        return hub::map(std::move(key), field("value", depth - 1));
      }
      case 6:
        return hub::union_(fields(1 + below(3), depth - 1));
      case 7:
        return hub::union_(fields(1 + below(3), depth - 1), Kind::SparseUnion);
      default:
        return hub::dictionary(Kind::Int16, key_type());
    }
  }

  std::vector<Field> fields(size_t count, int depth) {
    std::vector<Field> out;
    for (size_t i = 0; i < count; ++i) out.push_back(field("f" + std::to_string(i), depth));
    return out;
  }

  Type key_type() { return one_of<Type>({Kind::Utf8, Kind::Int32, Kind::Int64, Kind::Utf8}); }

  /// Composite at times, as keys of YTsaurus's dicts may be.
  Type key_type(int depth) {
    if (depth == 0 || below(4) != 0) return key_type();
    Field item("item", key_type(), below(2) == 0);
    if (below(2) == 0) return hub::list(std::move(item));
    return hub::struct_({Field("k", key_type(), false), std::move(item)});
  }

  Type simple() {
    using hub::TimeUnit;
    static const std::vector<Type> kTypes = {Kind::Null,
                                             Kind::Bool,
                                             Kind::Int8,
                                             Kind::Int16,
                                             Kind::Int32,
                                             Kind::Int64,
                                             Kind::Uint8,
                                             Kind::Uint16,
                                             Kind::Uint32,
                                             Kind::Uint64,
                                             Kind::HalfFloat,
                                             Kind::Float,
                                             Kind::Double,
                                             Kind::Utf8,
                                             Kind::LargeUtf8,
                                             Kind::Utf8View,
                                             Kind::Binary,
                                             Kind::LargeBinary,
                                             Kind::BinaryView,
                                             hub::fixed_size_binary(16),
                                             hub::fixed_size_binary(3),
                                             Kind::Date32,
                                             Kind::Date64,
                                             hub::time32(TimeUnit::Second),
                                             hub::time32(TimeUnit::Milli),
                                             hub::time64(TimeUnit::Micro),
                                             hub::time64(TimeUnit::Nano),
                                             hub::timestamp(TimeUnit::Second),
                                             hub::timestamp(TimeUnit::Milli, "UTC"),
                                             hub::timestamp(TimeUnit::Micro, "UTC"),
                                             hub::timestamp(TimeUnit::Nano),
                                             hub::timestamp(TimeUnit::Nano, "Europe/Moscow"),
                                             hub::duration(TimeUnit::Second),
                                             hub::duration(TimeUnit::Micro),
                                             hub::duration(TimeUnit::Nano),
                                             Kind::IntervalMonths,
                                             Kind::IntervalDayTime,
                                             Kind::IntervalMonthDayNano,
                                             hub::decimal(128, 10, 2),
                                             hub::decimal(128, 38, 38),
                                             hub::decimal(256, 76, 10),
                                             hub::decimal(32, 9, 0),
                                             hub::decimal(64, 18, 3)};
    return one_of(kTypes);
  }

  /// A value of a field, at an edge more often than not, within what its system promises.
  Value value(const Field& field, const hub::Refine& refine) {
    const Type& type = field.type;
    if (type.kind() == Kind::Null) return {};
    const bool own_null =
        field.nullable && type.kind() != Kind::DenseUnion && type.kind() != Kind::SparseUnion;
    if (own_null && below(5) == 0) return {};
    const hub::Refinement refinement = refine ? refine(field) : hub::Refinement{};
    const hub::Domain domain = hub::domain_of(field, refinement);
    switch (domain.family) {
      case hub::Family::Bool:
      case hub::Family::Integer:
      case hub::Family::Date:
      case hub::Family::TimeOfDay:
      case hub::Family::Instant:
      case hub::Family::Duration:
        return Value(one_of(boundary_values(domain)));
      case hub::Family::Decimal: {
        const Int256 limit = power_of_ten_256(domain.precision) - Int256(1);
        return Value(
            one_of<Int256>({Int256(0), Int256(1), Int256(-1), limit, -limit, Int256(100)}));
      }
      case hub::Family::Float:
        return Value(
            one_of<double>({0.0, -0.0, 1.0, -1.5, 65504.0, std::nan(""), HUGE_VAL, -HUGE_VAL}));
      case hub::Family::Calendar:
        if (domain.unsigned_millis) {
          return hub::testing::items(
              {Value(static_cast<int>(below(50))), Value(5), Value(int64_t{7'000'000})});
        }
        if (type.kind() == Kind::IntervalMonths) return Value(static_cast<int>(below(100)) - 50);
        return type.kind() == Kind::IntervalDayTime
                   ? hub::testing::items({Value(-3), Value(5)})
                   : hub::testing::items({Value(-3), Value(5), Value(int64_t{7000000001})});
      case hub::Family::Text:
        return text(field, domain);
      case hub::Family::List: {
        std::vector<Value> out;
        const size_t count = domain.length >= 0 ? static_cast<size_t>(domain.length) : below(4);
        for (size_t i = 0; i < count; ++i) out.push_back(value(type.child(), refine));
        return Value(std::move(out));
      }
      case hub::Family::Map: {
        std::vector<Value> out;
        for (size_t i = below(3); i > 0; --i) {
          Value pair = value(type.child(), refine);
          const bool again = std::ranges::any_of(
              out, [&](const Value& other) { return other.items[0] == pair.items[0]; });
          if (!again || !domain.unique_keys) out.push_back(std::move(pair));
        }
        return Value(std::move(out));
      }
      case hub::Family::Struct: {
        std::vector<Value> out;
        for (const Field& child : type.children()) out.push_back(value(child, refine));
        if (refinement.zone_names) out[1] = Value("Europe/Moscow");
        return Value(std::move(out));
      }
      case hub::Family::Union: {
        const size_t chosen = below(type.children().size());
        return hub::testing::alternative(static_cast<int>(chosen),
                                         value(type.child(chosen), refine));
      }
      case hub::Family::Null:
        return {};
    }
    return {};
  }

 private:
  Value text(const Field& field, const hub::Domain& domain) {
    if (domain.length >= 0) {
      return Value(std::string(static_cast<size_t>(domain.length), below(2) == 0 ? 'a' : '\xff'));
    }
    if (domain.content == hub::Content::Json)
      return Value(one_of<std::string>({"{}", "[1, 2.50]"}));
    if (domain.rule == &hub::kWkbContent) {
      const std::string empty_collection("\x01\x07\0\0\0\0\0\0\0", 9);
      const std::string point = std::string("\x01\x01\0\0\0", 5) + std::string(16, '@');
      return Value(one_of<std::string>({empty_collection, point}));
    }
    if (field.metadata.find("xwalk:yt")) {
      // Bytes of `any` are YSON; plain strings take this too.
      return Value(one_of<std::string>({"#", "1"}));
    }
    if (domain.content == hub::Content::Utf8) {
      return Value(
          one_of<std::string>({"", "twelve bytes", "\xd1\x82\xd0\xb5\xd0\xba\xd1\x81\xd1\x82",
                               "more than twelve bytes of text"}));
    }
    return Value(one_of<std::string>({"", "\xff\xfe", std::string("a\0b", 3), "plain"}));
  }

  std::mt19937_64 random_;
};

}  // namespace xwalk::crosswalk::testing
