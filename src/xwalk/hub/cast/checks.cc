#include "xwalk/hub/cast/checks.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/layouts.h"
#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/cast/texts.h"
#include "xwalk/hub/cast/unions.h"
#include "xwalk/hub/cast/variants.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/hub/variant.h"

namespace xwalk::hub::cast {
namespace {

/// Rejects the values that `fits` does not take. One flag is made of all of them first, nulls too,
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

/// Compiles the check of one level of a field; null if there is nothing to check.
using LevelCheck = std::function<KernelPtr(const Field& field, const Path& path)>;

KernelPtr all_levels(const Field& field, const Path& path, const LevelCheck& level);

/// Checks the values of dictionaries and of runs, and those of rows only if one of these is
/// rejected.
KernelPtr encoded_kernel(const Field& field, const Path& path, const LevelCheck& level) {
  const Type& type = field.type;
  const bool runs = type.kind() == Kind::RunEndEncoded;
  Field shown = type.child(runs ? 1 : 0);
  // Metadata of a dictionary's values is at the field. Metadata of run values may be there too.
  if (!runs || shown.metadata.empty()) shown.metadata = field.metadata;
  KernelPtr check = all_levels(shown, path, level);
  if (!check) return nullptr;
  const Kind number = runs ? type.child(0).type.kind() : type.index_kind();
  return make_kernel([check = std::move(check), runs, number, type = shown.type](
                         const Array& in, const Scope& scope) {
    const Array& distinct = runs ? in.children[1] : *in.dictionary;
    Refusals refused(0, distinct.length);
    check->run(distinct, {&refused});
    if (refused.empty()) return in;
    check->run(runs ? decode_runs(in, number, type) : decode_dictionary(in, number, type), scope);
    // Rejected entries become nulls. The rows that show them are rejected as well.
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

/// Compiles the checks of the levels below a field.
KernelPtr lower_levels(const Field& field, const Path& path, const LevelCheck& level) {
  const Type& type = field.type;
  if (type.kind() == Kind::Dictionary || type.kind() == Kind::RunEndEncoded) {
    return encoded_kernel(field, path, level);
  }
  if (type.children().empty()) return nullptr;
  if (is_union(type.kind())) {
    return alternatives_kernel(type, path, [&](const Field& child, const Path& its) {
      return all_levels(child, its, level);
    });
  }
  if (type.kind() == Kind::Struct) {
    std::vector<Member> members(type.children().size());
    for (size_t i = 0; i < members.size(); ++i) {
      const Field& child = type.child(i);
      members[i].source = i;
      members[i].kernel = all_levels(
          child, path.empty() ? Path::column(child.name) : path.field(child.name), level);
    }
    return struct_kernel(std::move(members), type.children().size());
  }
  KernelPtr items;
  if (type.kind() == Kind::Map) {
    std::vector<Member> members(2);
    for (size_t i = 0; i < 2; ++i) {
      members[i].source = i;
      members[i].kernel =
          all_levels(type.child().type.child(i), i == 0 ? path.map_key() : path.map_value(), level);
    }
    items = struct_kernel(std::move(members), 2);
  } else {
    items = all_levels(type.child(), path.item(), level);
  }
  return items ? list_kernel(type, type, std::move(items), path) : nullptr;
}

KernelPtr all_levels(const Field& field, const Path& path, const LevelCheck& level) {
  return chain(level(field, path), lower_levels(field, path, level));
}

/// Looks at what the Arrow type itself asks for.
KernelPtr type_kernel(const Field& field, const Path& path) {
  const Type& type = field.type;
  const Kind kind = type.kind();
  if (kind == Kind::Utf8) return utf8_kernel(Kind::Binary, path);
  if (kind == Kind::LargeUtf8) return utf8_kernel(Kind::LargeBinary, path);
  if (kind == Kind::Utf8View) return utf8_kernel(Kind::BinaryView, path);
  if (kind == Kind::Date64) {
    constexpr int64_t kDay = 86'400'000;
    return fitting_kernel<int64_t>(
        path, "milliseconds of whole days", [](int64_t value) { return value % kDay == 0; },
        [](int64_t value) { return value; });
  }
  if (kind == Kind::Time32) return time_kernel<int32_t>(type, path);
  if (kind == Kind::Time64) return time_kernel<int64_t>(type, path);
  if (kind == Kind::Decimal32) return decimal_kernel<int32_t>(type, path);
  if (kind == Kind::Decimal64) return decimal_kernel<int64_t>(type, path);
  if (kind == Kind::Decimal128) return decimal_kernel<Int128>(type, path);
  if (kind == Kind::Decimal256) return decimal_kernel<Int256>(type, path);
  return nullptr;
}

template <typename Value>
KernelPtr range_kernel(const Domain& domain, const Path& path) {
  const Range range = domain.range;
  return fitting_kernel<Value>(
      path, fmt::format("{} to {}", value_text(domain, range.low), value_text(domain, range.high)),
      [range](Value value) { return range.contains(Int128{value}); },
      [domain](Value value) { return value_text(domain, Int128{value}); });
}

/// Checks the promises about values beyond the Arrow type.
KernelPtr promise_kernel(const Field& field, const Refinement& promise, const Path& path) {
  const Type& type = field.type;
  const Kind kind = type.kind();
  if (promise.zone_names && kind == Kind::Struct && type.children().size() == 2) {
    static constexpr ContentRule kZone = {"the name of a time zone", is_zone_name};
    const Field& time = type.child(0);
    const Field& zone = type.child(1);
    std::vector<Member> members(2);
    members[0].source = 0;
    members[0].kernel = promise_kernel(time, {.range = promise.range}, path.field(time.name));
    members[1].source = 1;
    members[1].kernel = content_kernel(zone.type, kZone, path.field(zone.name));
    return struct_kernel(std::move(members), 2);
  }
  if (kind == Kind::Dictionary || kind == Kind::RunEndEncoded) return nullptr;
  if (is_variant(field)) return variant_check_kernel(type, path);
  const Domain domain = domain_of(field, promise);
  if (domain.family == Family::Text) {
    KernelPtr json =
        domain.content == Content::Json ? content_kernel(type, kJsonContent, path) : nullptr;
    return domain.rule == nullptr
               ? json
               : chain(std::move(json), content_kernel(type, *domain.rule, path));
  }
  if (!promise.range || domain.range == domain_of(field).range) return nullptr;
  if (kind >= Kind::Int8 && kind <= Kind::Uint64) {
    return with_integer(kind,
                        [&](auto zero) { return range_kernel<decltype(zero)>(domain, path); });
  }
  return fixed_bits(type) == 32 ? range_kernel<int32_t>(domain, path)
                                : range_kernel<int64_t>(domain, path);
}

}  // namespace

std::string_view bytes_of(const Array& array, const Type& type, int64_t index) {
  if (type.kind() == Kind::RunEndEncoded) {
    return bytes_of(array.children[1], type.child(1).type, run_at(array, type, index));
  }
  if (type.kind() == Kind::Dictionary) {
    return bytes_of(*array.dictionary, type.child().type,
                    integer_at(array, type.index_kind(), index));
  }
  return array.is_null(index) ? std::string_view() : bytes_at(array, type, index);
}

namespace {

/// Checks that the last column, which holds additional columns of a row, is valid. Null if it holds
/// none.
KernelPtr rest_kernel(const Field& rows, const Refine& refine) {
  if (!refine || rows.type.children().empty()) return nullptr;
  const Field& last = rows.type.child(rows.type.children().size() - 1);
  const auto fault_of = refine(last).rest_fault;
  if (fault_of == nullptr) return nullptr;
  return make_kernel([type = rows.type, fault_of](const Array& in, const Scope& scope) {
    const std::span<const Field> columns = type.children().first(type.children().size() - 1);
    const auto is_column = [columns](std::string_view name) {
      return std::ranges::find(columns, name, &Field::name) != columns.end();
    };
    const Array& rest = in.children.back();
    const Field& field = type.children().back();
    for (int64_t i = 0; i < in.length; ++i) {
      if (rest.is_null(in.slot(i))) continue;
      const std::string fault = fault_of(bytes_of(rest, field.type, in.slot(i)), is_column);
      if (!fault.empty()) scope.refuse(i, Path::column(field.name), fault);
    }
    return in;
  });
}

}  // namespace

KernelPtr checks_kernel(const Field& field, const Path& path) {
  return all_levels(field, path, type_kernel);
}

KernelPtr promises_kernel(const Field& field, const Refine& refine, const std::vector<Path>& kept) {
  KernelPtr levels = all_levels(field, Path(), [&](const Field& level, const Path& path) {
    const bool known = std::ranges::find(kept, path) != kept.end();
    return known ? nullptr : promise_kernel(level, refine ? refine(level) : Refinement{}, path);
  });
  return chain(std::move(levels), rest_kernel(field, refine));
}

std::vector<Path> promised_paths(const Field& field, const Refine& refine) {
  std::vector<Path> paths;
  (void)all_levels(field, Path(), [&](const Field& level, const Path& path) -> KernelPtr {
    if (promise_kernel(level, refine ? refine(level) : Refinement{}, path)) paths.push_back(path);
    return nullptr;
  });
  return paths;
}

}  // namespace xwalk::hub::cast
