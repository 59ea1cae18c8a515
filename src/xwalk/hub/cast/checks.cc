#include "xwalk/hub/cast/checks.h"

#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/cast/layouts.h"
#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/cast/texts.h"
#include "xwalk/hub/cast/unions.h"

namespace xwalk::hub::cast {
namespace {

/// Refuses the values that `fits` does not take. One flag is made of all of them first, nulls too,
/// so that the loop runs on whole vectors.
template <typename Value, typename Fits, typename Shown>
KernelPtr fitting_kernel(const Path& path, std::string expected, Fits fits, Shown shown) {
  return make_kernel([=, expected = std::move(expected)](const Array& in, const Scope& scope) {
    bool all = true;
    for (int64_t i = 0; i < in.length; ++i) all &= fits(in.value<Value>(i));
    for (int64_t i = 0; !all && i < in.length; ++i) {
      const auto value = in.value<Value>(i);
      if (fits(value) || !is_valid(in, i)) continue;
      scope.refuse(i, path, fmt::format("expected {}, found {}", expected, shown(value)));
    }
    return in;
  });
}

template <typename Value>
KernelPtr time_kernel(const Type& type, const Path& path) {
  const int64_t day = 86400 * ticks_per_second(type.unit());
  return fitting_kernel<Value>(
      path, "a time within a day", [day](Value value) { return value >= 0 && value < day; },
      [type](Value value) { return fmt::format("{} of {}", value, to_string(type)); });
}

template <typename Value>
KernelPtr decimal_kernel(const Type& type, const Path& path) {
  return fitting_kernel<Value>(
      path, fmt::format("a number of {} digits", type.precision()),
      [digits = type.precision()](const Value& value) {
        if constexpr (std::is_same_v<Value, Int256>) {
          return fits_digits(value, digits);
        } else {
          return fits_digits(Int128{value}, digits);
        }
      },
      [](const Value&) { return "one of more"; });
}

KernelPtr utf8_kernel(const Type& type, const Path& path) {
  static constexpr ContentRule kText = {"UTF-8", is_valid_utf8};
  return content_kernel(type, kText, path);
}

/// Looks at the values of dictionaries and of runs, and at those of rows only where one of these is
/// refused.
KernelPtr encoded_kernel(const Type& type, const Path& path) {
  const bool runs = type.kind() == Kind::RunEndEncoded;
  const Field& shown = type.child(runs ? 1 : 0);
  KernelPtr check = checks_kernel(shown, path);
  if (!check) return nullptr;
  const Kind number = runs ? type.child(0).type.kind() : type.index_kind();
  return make_kernel([check = std::move(check), runs, number, type = shown.type](
                         const Array& in, const Scope& scope) {
    const Array& distinct = runs ? in.children[1] : *in.dictionary;
    Refusals refused(0, distinct.length);
    check->run(distinct, {&refused});
    if (refused.empty()) return in;
    check->run(runs ? decode_runs(in, number, type) : decode_dictionary(in, number, type), scope);
    // What no row that stays shows goes with the rows all the same.
    std::vector<int64_t> kept(static_cast<size_t>(distinct.length));
    std::iota(kept.begin(), kept.end(), 0);
    for (const BadRow& bad : refused.take({})) kept[static_cast<size_t>(bad.index)] = -1;
    Array values = take(distinct, type, kept);
    Array out = in;
    if (runs) {
      out.children[1] = std::move(values);
    } else {
      out.dictionary = std::make_shared<Array>(std::move(values));
    }
    return out;
  });
}

}  // namespace

KernelPtr checks_kernel(const Field& field, const Path& path) {
  const Type& type = field.type;
  switch (type.kind()) {
    case Kind::Utf8:
      return utf8_kernel(Kind::Binary, path);
    case Kind::LargeUtf8:
      return utf8_kernel(Kind::LargeBinary, path);
    case Kind::Utf8View:
      return utf8_kernel(Kind::BinaryView, path);
    case Kind::Date64: {
      constexpr int64_t kDay = 86'400'000;
      return fitting_kernel<int64_t>(
          path, "milliseconds of whole days", [](int64_t value) { return value % kDay == 0; },
          [](int64_t value) { return value; });
    }
    case Kind::Time32:
      return time_kernel<int32_t>(type, path);
    case Kind::Time64:
      return time_kernel<int64_t>(type, path);
    case Kind::Decimal32:
      return decimal_kernel<int32_t>(type, path);
    case Kind::Decimal64:
      return decimal_kernel<int64_t>(type, path);
    case Kind::Decimal128:
      return decimal_kernel<Int128>(type, path);
    case Kind::Decimal256:
      return decimal_kernel<Int256>(type, path);
    case Kind::Struct: {
      std::vector<Member> members(type.children().size());
      for (size_t i = 0; i < members.size(); ++i) {
        const Field& child = type.child(i);
        members[i].source = i;
        members[i].kernel =
            checks_kernel(child, path.empty() ? Path::column(child.name) : path.field(child.name));
      }
      return struct_kernel(std::move(members), type.children().size());
    }
    case Kind::Map: {
      std::vector<Member> members(2);
      for (size_t i = 0; i < 2; ++i) {
        members[i].source = i;
        members[i].kernel =
            checks_kernel(type.child().type.child(i), i == 0 ? path.map_key() : path.map_value());
      }
      KernelPtr entries = struct_kernel(std::move(members), 2);
      return entries ? list_kernel(type, type, std::move(entries), path) : nullptr;
    }
    case Kind::List:
    case Kind::LargeList:
    case Kind::FixedSizeList:
    case Kind::ListView:
    case Kind::LargeListView: {
      KernelPtr items = checks_kernel(type.child(), path.item());
      return items ? list_kernel(type, type, std::move(items), path) : nullptr;
    }
    case Kind::Dictionary:
    case Kind::RunEndEncoded:
      return encoded_kernel(type, path);
    case Kind::DenseUnion:
    case Kind::SparseUnion:
      return alternatives_kernel(type, path, checks_kernel);
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int8:
    case Kind::Int16:
    case Kind::Int32:
    case Kind::Int64:
    case Kind::Uint8:
    case Kind::Uint16:
    case Kind::Uint32:
    case Kind::Uint64:
    case Kind::HalfFloat:
    case Kind::Float:
    case Kind::Double:
    case Kind::Binary:
    case Kind::LargeBinary:
    case Kind::BinaryView:
    case Kind::FixedSizeBinary:
    case Kind::Date32:
    case Kind::Timestamp:
    case Kind::Duration:
    case Kind::IntervalMonths:
    case Kind::IntervalDayTime:
    case Kind::IntervalMonthDayNano:
      return nullptr;
  }
  return nullptr;
}

}  // namespace xwalk::hub::cast
