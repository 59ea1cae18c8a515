#include "xwalk/hub/domain.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/json.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/hub/wkb.h"

namespace xwalk::hub {
namespace {

constexpr int64_t kSecondsPerDay = 86400;

template <typename T>
constexpr Range range_of() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

Domain decimal_domain(const Type& type, const Refinement& refinement) {
  Domain domain;
  domain.family = Family::Decimal;
  domain.precision = type.precision();
  domain.scale = type.scale();
  domain.special_values = refinement.special_values;
  // Beyond 38 digits the interval is the precision's business.
  domain.range = type.precision() <= 38 ? Range{1 - power_of_ten_128(type.precision()),
                                                power_of_ten_128(type.precision()) - 1}
                                        : Range{kInt128Min, kInt128Max};
  return domain;
}

Domain text_domain(Content content, int64_t length = -1) {
  Domain domain;
  domain.family = Family::Text;
  domain.content = content;
  domain.length = length;
  return domain;
}

Domain ticks_domain(Family family, Range range, TimeUnit unit = TimeUnit::Second) {
  Domain domain;
  domain.family = family;
  domain.range = range;
  domain.unit = unit;
  return domain;
}

Domain family_domain(Family family) {
  Domain domain;
  domain.family = family;
  return domain;
}

Domain float_domain(int mantissa_bits) {
  Domain domain;
  domain.family = Family::Float;
  domain.mantissa_bits = mantissa_bits;
  return domain;
}

Domain integer_domain(Kind kind) {
  const int bits = kind_row(kind).bits;
  if (!is_signed_integer(kind)) return ticks_domain(Family::Integer, {0, (Int128{1} << bits) - 1});
  const Int128 end = Int128{1} << (bits - 1);
  return ticks_domain(Family::Integer, {-end, end - 1});
}

Domain date_domain(Kind kind) {
  if (kind == Kind::Date32) {
    Domain domain = ticks_domain(Family::Date, range_of<int32_t>());
    domain.days = true;
    return domain;
  }
  // Whole days only: the first and the last are whole days.
  constexpr Int128 kMillis = Int128{kSecondsPerDay} * 1000;
  const Range all = range_of<int64_t>();
  return ticks_domain(Family::Date, {all.low / kMillis * kMillis, all.high / kMillis * kMillis},
                      TimeUnit::Milli);
}

/// Returns the domain of a type without parameters.
Domain plain_domain(const Field& field) {
  const Kind kind = field.type.kind();
  const bool is_bool =
      kind == Kind::Bool || (kind == Kind::Int8 && field.extension_name() == kBool8Extension);
  if (is_bool) return ticks_domain(Family::Bool, {0, 1});
  if (is_integer(kind)) return integer_domain(kind);
  if (is_utf8(kind)) {
    return text_domain(field.extension_name() == kJsonExtension ? Content::Json : Content::Utf8);
  }
  if (is_binary(kind)) {
    Domain domain = text_domain(Content::Bytes);
    if (field.extension_name() == kWkbExtension) domain.rule = &kWkbContent;
    return domain;
  }
  if (kind == Kind::HalfFloat) return float_domain(11);
  if (kind == Kind::Float) return float_domain(24);
  if (kind == Kind::Double) return float_domain(53);
  if (kind == Kind::Date32 || kind == Kind::Date64) return date_domain(kind);
  if (kind == Kind::IntervalMonths) return ticks_domain(Family::Calendar, range_of<int32_t>());
  return family_domain(kind == Kind::Null ? Family::Null : Family::Calendar);
}

Domain timestamp_domain(const Type& type) {
  Domain domain = ticks_domain(Family::Instant, range_of<int64_t>(), type.unit());
  domain.zone_name = type.zone();
  domain.zone = type.zone().empty()                               ? Zone::Local
                : type.zone() == "UTC" || type.zone() == "+00:00" ? Zone::Utc
                                                                  : Zone::Named;
  return domain;
}

Domain type_domain(const Field& field, const Refinement& refinement) {
  const Type& type = field.type;
  Domain domain;
  switch (kind_row(type.kind()).form) {
    case Form::Plain:
      return plain_domain(field);
    case Form::FixedSizeBinary:
      return text_domain(Content::Bytes, type.size());
    case Form::Unit:
      if (type.kind() == Kind::Duration) {
        return ticks_domain(Family::Duration, range_of<int64_t>(), type.unit());
      }
      return ticks_domain(Family::TimeOfDay,
                          {0, Int128{kSecondsPerDay} * ticks_per_second(type.unit()) - 1},
                          type.unit());
    case Form::Timestamp:
      return timestamp_domain(type);
    case Form::Decimal:
      return decimal_domain(type, refinement);
    case Form::List:
      return family_domain(Family::List);
    case Form::FixedSizeList:
      domain = family_domain(Family::List);
      domain.length = type.size();
      return domain;
    case Form::Struct:
      return family_domain(Family::Struct);
    case Form::Map:
      domain = family_domain(Family::Map);
      domain.unique_keys = refinement.unique_keys;
      return domain;
    case Form::Union:
      return family_domain(Family::Union);
    case Form::Dictionary: {
      Field values = type.child(0);
      values.metadata = field.metadata;
      return type_domain(values, refinement);
    }
    case Form::RunEndEncoded:
      return type_domain(type.child(1), refinement);
  }
  return domain;
}

bool has_ticks(const Domain& domain) {
  switch (domain.family) {
    case Family::Bool:
    case Family::Integer:
    case Family::Date:
    case Family::TimeOfDay:
    case Family::Instant:
    case Family::Duration:
      return true;
    case Family::Calendar:
      return domain.range.high != 0;
    case Family::Null:
    case Family::Float:
    case Family::Decimal:
    case Family::Text:
    case Family::List:
    case Family::Map:
    case Family::Struct:
    case Family::Union:
      return false;
  }
  return false;
}

/// Ticks a day, for units that count time.
Int128 ticks_per_day(const Domain& domain) {
  return domain.days ? 1 : Int128{kSecondsPerDay} * ticks_per_second(domain.unit);
}

bool is_time(Family family) {
  return family == Family::Date || family == Family::TimeOfDay || family == Family::Instant ||
         family == Family::Duration;
}

Int128 floor_div(Int128 value, Int128 divisor) {
  const Int128 quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

void narrow_ticks(const Domain& from, const Domain& to, std::vector<Narrowing>& out) {
  const TickRatio ratio = tick_ratio(from, to);
  if (ratio.divide > 1) {
    // The smallest step that is not a step of the target, from zero if zero is a value.
    const Int128 base = from.range.contains(Int128{0}) ? 0 : from.range.low;
    const Int128 step = from.range.contains(base + 1) ? base + 1 : from.range.low;
    const bool whole_days = from.family == Family::Date;  // Date64 is whole days by definition
    if (!whole_days) {
      out.push_back(
          {"unit.coarser",
           to.family == Family::Date
               ? from.family == Family::Integer ? "accepts only milliseconds of whole days"
                                                : "cannot store a time of day"
               : fmt::format("unit goes from {} to {}", unit_name(from.unit), unit_name(to.unit)),
           value_text(from, step), Option::Round});
    }
  }
  const Int128 low = -floor_div(-to.range.low * ratio.divide, ratio.multiply);
  const Int128 high = floor_div(to.range.high * ratio.divide, ratio.multiply);
  const bool below = from.range.low < low;
  const bool above = from.range.high > high;
  if (below || above) {
    out.push_back(
        {"range.narrowed",
         fmt::format("range narrows from {}…{} to {}…{}", value_text(from, from.range.low),
                     value_text(from, from.range.high), value_text(to, to.range.low),
                     value_text(to, to.range.high)),
         value_text(from, above
                              ? std::clamp(high + ratio.divide, from.range.low, from.range.high)
                              : std::clamp(low - ratio.divide, from.range.low, from.range.high))});
  }
}

void narrow_decimals(const Domain& from, const Domain& to, std::vector<Narrowing>& out) {
  if (from.special_values && !to.special_values) {
    out.push_back({"decimal.special-values", "cannot store NaN or ±Inf", "nan"});
  }
  if (from.scale > to.scale) {
    const int digits = std::max(from.scale, 0);
    out.push_back(
        {"digits.fewer",
         fmt::format("digits after the decimal point go from {} to {}", from.scale, to.scale),
         digits == 0 ? "1" : "0." + std::string(static_cast<size_t>(digits - 1), '0') + "1",
         Option::Round});
  }
  if (from.precision - from.scale > to.precision - to.scale) {
    const int digits = std::max(to.precision - to.scale, 0);
    out.push_back({"range.narrowed",
                   fmt::format("digits before the decimal point go from {} to {}",
                               from.precision - from.scale, to.precision - to.scale),
                   "1" + std::string(static_cast<size_t>(digits), '0')});
  }
}

std::string_view content_name(Content content) {
  switch (content) {
    case Content::Json:
      return "JSON";
    case Content::Utf8:
      return "UTF-8";
    case Content::Bytes:
      return "bytes";
  }
  return "";
}

void narrow_texts(const Domain& from, const Domain& to, std::vector<Narrowing>& out) {
  if (to.rule != nullptr && to.rule != from.rule) {
    out.push_back({"encoding.narrowed",
                   fmt::format("accepts only {}, not arbitrary bytes", to.rule->name), "a"});
  }
  if (from.content > to.content) {
    out.push_back({"encoding.narrowed",
                   fmt::format("accepts only {}, not arbitrary {}", content_name(to.content),
                               from.content == Content::Utf8 ? "text" : "bytes"),
                   from.content == Content::Utf8 ? "{" : "\\xff"});
  }
  if (to.length >= 0 && from.length != to.length) {
    out.push_back({"size.narrowed", fmt::format("every value must be {} bytes long", to.length),
                   to.length == 0 ? "a" : ""});
  }
}

std::string decimal_text(Int128 value, int scale) {
  std::string digits = xwalk::to_string(value < 0 ? -value : value);
  if (scale < 0 && value != 0) digits += std::string(static_cast<size_t>(-scale), '0');
  if (scale > 0) {
    const auto point = static_cast<size_t>(scale);
    if (digits.size() <= point) digits.insert(0, point + 1 - digits.size(), '0');
    digits.insert(digits.size() - point, 1, '.');
  }
  return value < 0 ? "-" + digits : digits;
}

}  // namespace

constinit const ContentRule kJsonContent = {
    "JSON", is_valid_json,
    [](std::string_view text) { return fmt::format("wrong at byte {}", json_fault(text)); }};

int64_t ticks_per_second(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Second:
      return 1;
    case TimeUnit::Milli:
      return 1'000;
    case TimeUnit::Micro:
      return 1'000'000;
    case TimeUnit::Nano:
      return 1'000'000'000;
  }
  return 1;
}

Domain domain_of(const Field& field, const Refinement& refinement) {
  Domain domain = type_domain(field, refinement);
  domain.nullable = field.nullable;
  domain.unsigned_millis = domain.family == Family::Calendar && refinement.unsigned_millis;
  if (domain.family == Family::Text) {
    const ContentRule* rule = refinement.content;
    const bool is_fixed = field.type.kind() == Kind::FixedSizeBinary;
    if (rule != nullptr && (!is_fixed || rule->fault != nullptr)) domain.rule = rule;
    domain.yson = refinement.yson;
  }
  if (refinement.range && has_ticks(domain)) {
    domain.range.low = std::max(domain.range.low, refinement.range->low);
    domain.range.high = std::min(domain.range.high, refinement.range->high);
  }
  return domain;
}

TickRatio tick_ratio(const Domain& from, const Domain& to) {
  const bool to_days_in_millis = to.family == Family::Date && !to.days;
  if (to_days_in_millis && (from.family == Family::Integer || from.family == Family::Instant)) {
    const Int128 day = ticks_per_day(to);
    const Int128 own = from.family == Family::Integer ? day : ticks_per_day(from);
    return {static_cast<int64_t>(day), static_cast<int64_t>(own)};
  }
  if (!is_time(from.family) || !is_time(to.family)) return {};
  const Int128 source = ticks_per_day(from);
  const Int128 target = ticks_per_day(to);
  if (target >= source) return {static_cast<int64_t>(target / source), 1};
  return {1, static_cast<int64_t>(source / target)};
}

std::vector<Narrowing> narrowings(const Domain& from, const Domain& to) {
  std::vector<Narrowing> out;
  if (to.unsigned_millis) {
    if (from.family == Family::Calendar && !from.unsigned_millis) {
      out.push_back({"range.narrowed",
                     "cannot store negative parts, or anything finer than a millisecond",
                     "-1 months"});
    }
  } else if (has_ticks(from) && has_ticks(to)) {
    narrow_ticks(from, to, out);
  } else if (from.family == Family::Decimal && to.family == Family::Decimal) {
    narrow_decimals(from, to, out);
  } else if (from.family == Family::Float && to.family == Family::Float) {
    if (from.mantissa_bits > to.mantissa_bits) {
      out.push_back(
          {"float.narrowed",
           fmt::format("mantissa goes from {} to {} bits", from.mantissa_bits, to.mantissa_bits),
           "0.1", Option::Round});
    }
  } else if (from.family == Family::Text && to.family == Family::Text) {
    narrow_texts(from, to, out);
  } else if (from.family == Family::List && to.family == Family::List) {
    if (to.length >= 0 && from.length != to.length) {
      out.push_back({"size.narrowed", fmt::format("every list must have {} items", to.length), ""});
    }
  } else if (from.family == Family::Map && to.family == Family::Map) {
    if (to.unique_keys && !from.unique_keys) {
      out.push_back({"keys.duplicates", "cannot store a key twice", "", Option::DuplicateKeys});
    }
  }
  return out;
}

std::string value_text(const Domain& domain, Int128 value) {
  switch (domain.family) {
    case Family::Bool:
      return value != 0 ? "true" : "false";
    case Family::Decimal:
      return decimal_text(value, domain.scale);
    case Family::TimeOfDay: {
      std::array<char, kTimeTextSize> text;
      return {text.data(), write_time(static_cast<int64_t>(value), domain.unit, text.data())};
    }
    case Family::Date: {
      const auto days = static_cast<int64_t>(floor_div(value, ticks_per_day(domain)));
      std::array<char, kTimeTextSize> text;
      return {text.data(), write_date(days, text.data())};
    }
    case Family::Instant: {
      std::array<char, kTimeTextSize> text;
      char* end = write_instant(static_cast<int64_t>(value), domain.unit, text.data());
      if (domain.zone != Zone::Local) *end++ = 'Z';
      return {text.data(), end};
    }
    case Family::Null:
    case Family::Integer:
    case Family::Float:
    case Family::Text:
    case Family::Calendar:
    case Family::List:
    case Family::Map:
    case Family::Struct:
    case Family::Union:
      return xwalk::to_string(value);
    case Family::Duration:
      return xwalk::to_string(value) + std::string(unit_name(domain.unit));
  }
  return "";
}

}  // namespace xwalk::hub
