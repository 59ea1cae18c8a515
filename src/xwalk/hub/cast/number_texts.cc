#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/exact_double.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/cast/decimals.h"
#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/cast/text_values.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/yson/writer.h"

// Numbers, booleans, dates, times and timestamps as readable text, and text as values. Only if the
// user asked for the type.

namespace xwalk::hub::cast {
namespace {

constexpr int64_t kDayMillis = 86'400'000;

/// Makes text with 32-bit offsets: `write` writes the text of an element, at most kMaxScalarBytes,
/// and returns its end.
template <typename Write>
KernelPtr writing_kernel(Write write) {
  return make_kernel([write](const Array& in, const Scope&) {
    Array out = start_like(in);
    Buffer offsets((in.length + 1) * static_cast<int64_t>(sizeof(int32_t)));
    auto* ends = offsets.as<int32_t>();
    ends[0] = 0;
    yson::Buffer texts;
    constexpr int64_t kBlock = 256;
    for (int64_t begin = 0; begin < in.length; begin += kBlock) {
      const int64_t end = std::min(in.length, begin + kBlock);
      char* at = texts.reserve(kBlock * yson::kMaxScalarBytes);
      const char* const first = at - texts.size();
      for (int64_t i = begin; i < end; ++i) {
        if (is_valid(in, i)) at = write(in, i, at);
        ends[i + 1] = static_cast<int32_t>(at - first);
      }
      texts.set_end(at);
      if (texts.size() > std::numeric_limits<int32_t>::max()) {
        throw Error(ErrorCode::Unsupported,
                    "expected at most 2 GiB of text in one column of a batch", {},
                    "use smaller batches: " + mention(Option::BatchRows));
      }
    }
    Buffer bytes(static_cast<int64_t>(texts.size()));
    if (!texts.empty()) std::memcpy(bytes.as<char>(), texts.view().data(), texts.size());
    attach(out, offsets);
    attach(out, bytes);
    return out;
  });
}

char* write_real(char* out, float value) { return yson::write_text_float(out, value); }
char* write_real(char* out, double value) { return yson::write_text_double(out, value); }
char* write_real(char* out, Half value) { return yson::write_text_float(out, widened(value)); }

/// Writes the fewest digits that are read as the same number, with a digit after each point, or
/// nan, inf, -inf.
template <typename Real>
char* write_float(char* out, Real value) {
  char* end = write_real(out, value);
  if (*out == '%') return std::copy(out + 1, end, out);
  if (end[-1] == '.') *end++ = '0';
  return end;
}

/// The whole way from a field to Utf8. Decimals have theirs, of any size.
KernelPtr text_of(const Type& type) {
  const Kind kind = type.kind();
  if (kind == Kind::Bool) {
    return writing_kernel([](const Array& in, int64_t i, char* out) {
      const std::string_view text = in.bit(i) ? "true" : "false";
      return std::copy(text.begin(), text.end(), out);
    });
  }
  if (is_integer(kind)) {
    return with_integer(kind, [](auto zero) {
      using Integer = decltype(zero);
      return writing_kernel([](const Array& in, int64_t i, char* out) {
        const auto value = in.value<Integer>(i);
        auto size = static_cast<uint64_t>(value);
        if constexpr (std::is_signed_v<Integer>) {
          if (value < 0) {
            *out++ = '-';
            size = 0 - size;
          }
        }
        return yson::write_digits(out, size);
      });
    });
  }
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return with_float(kind, [](auto zero) {
      return writing_kernel([](const Array& in, int64_t i, char* out) {
        return write_float(out, in.value<decltype(zero)>(i));
      });
    });
  }
  if (kind == Kind::Date32) {
    return writing_kernel([](const Array& in, int64_t i, char* out) {
      return write_date(in.value<int32_t>(i), out);
    });
  }
  if (kind == Kind::Date64) {
    return writing_kernel([](const Array& in, int64_t i, char* out) {
      const auto value = in.value<int64_t>(i);
      return write_date(value / kDayMillis - (value % kDayMillis < 0 ? 1 : 0), out);
    });
  }
  if (kind == Kind::Timestamp) {
    return writing_kernel(
        [unit = type.unit(), zoned = !type.zone().empty()](const Array& in, int64_t i, char* out) {
          out = write_instant(in.value<int64_t>(i), unit, out);
          if (zoned) *out++ = 'Z';
          return out;
        });
  }
  if (kind == Kind::Time32) {
    return writing_kernel([unit = type.unit()](const Array& in, int64_t i, char* out) {
      return write_time(in.value<int32_t>(i), unit, out);
    });
  }
  return writing_kernel([unit = type.unit()](const Array& in, int64_t i, char* out) {
    return write_time(in.value<int64_t>(i), unit, out);
  });
}

/// The result of parsing text as a value.
enum class Reading : uint8_t { Ok, Malformed, OutOfRange, Finer };

/// Names for the error about rejected text.
struct Wanted {
  /// What the text should be: "a whole number".
  std::string what;
  /// What a value of that kind should be in: "-128 to 127".
  std::string range;
  Path path;

  void refuse(Reading reading, std::string_view text, int64_t index, const Scope& scope) const {
    if (reading == Reading::Malformed) {
      scope.refuse(index, path, fmt::format("expected {}, found {}", what, clipped(text)));
    } else if (reading == Reading::OutOfRange) {
      scope.refuse(index, path, fmt::format("expected {}, found {}", range, clipped(text)));
    } else {
      scope.refuse(index, path,
                   fmt::format("expected no smaller parts of a second, found {}", clipped(text)));
    }
  }
};

/// Reads text into values of one size: `parse` sets a value and says how it went.
template <typename To, typename Parse>
KernelPtr reading_kernel(Type from, Wanted wanted, Parse parse) {
  return make_kernel([from = std::move(from), wanted = std::move(wanted), parse](
                         const Array& in, const Scope& scope) {
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    To* to = buffer.as<To>();
    with_text_reader(in, from, [&](auto read) {
      for (int64_t i = 0; i < in.length; ++i) {
        to[i] = To{};
        if (!is_valid(in, i)) continue;
        const Reading reading = parse(read(i), &to[i]);
        if (reading == Reading::Ok) [[likely]]
          continue;
        to[i] = To{};
        wanted.refuse(reading, read(i), i, scope);
      }
      return 0;
    });
    attach(out, buffer);
    return out;
  });
}

/// Takes the whole of a text, of which no white space and no plus is a part.
template <typename Number>
Reading parse_number(std::string_view text, Number* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, *value);
  if (failed == std::errc::invalid_argument || stop != end) return Reading::Malformed;
  return failed == std::errc() ? Reading::Ok : Reading::OutOfRange;
}

template <typename Real>
Reading parse_real(std::string_view text, Real* value) {
  // C++ allows implementation-defined text after nan.
  if (text.ends_with(')')) return Reading::Malformed;
  const Reading reading = parse_number(text, value);
  if (reading != Reading::Ok) return reading;
  return is_number_of(*value, text) ? Reading::Ok : Reading::OutOfRange;
}

template <>
Reading parse_real(std::string_view text, Half* value) {
  double nearest = 0;
  const Reading reading = parse_real(text, &nearest);
  if (reading != Reading::Ok) return reading;
  *value = narrowed(nearest);
  return is_number_of(widened(*value), text) ? Reading::Ok : Reading::OutOfRange;
}

Reading reading_of(TimeText text) {
  switch (text) {
    case TimeText::Ok:
      return Reading::Ok;
    case TimeText::Malformed:
      return Reading::Malformed;
    case TimeText::Finer:
      return Reading::Finer;
    case TimeText::TooFar:
      return Reading::OutOfRange;
  }
  return Reading::Malformed;
}

KernelPtr bool_of(Type from, Wanted wanted) {
  return make_kernel(
      [from = std::move(from), wanted = std::move(wanted)](const Array& in, const Scope& scope) {
        Array out = start_like(in);
        const int64_t size = (in.length + 7) / 8;
        Buffer buffer(size);
        auto* bits = buffer.as<uint8_t>();
        std::memset(bits, 0, static_cast<size_t>(size));
        with_text_reader(in, from, [&](auto read) {
          for (int64_t i = 0; i < in.length; ++i) {
            if (!is_valid(in, i)) continue;
            const std::string_view text = read(i);
            if (text == "true") {
              set_bit(bits, i);
            } else if (text != "false") {
              wanted.refuse(Reading::Malformed, text, i, scope);
            }
          }
          return 0;
        });
        attach(out, buffer);
        return out;
      });
}

template <typename Ticks>
KernelPtr time_of(Type from, TimeUnit unit, Wanted wanted) {
  return reading_kernel<Ticks>(std::move(from), std::move(wanted),
                               [unit](std::string_view text, Ticks* value) {
                                 int64_t ticks = 0;
                                 const Reading reading = reading_of(read_time(text, unit, &ticks));
                                 *value = static_cast<Ticks>(ticks);
                                 return reading;
                               });
}

template <typename Date>
KernelPtr date_of(Type from, int64_t ticks_per_day, Wanted wanted) {
  return reading_kernel<Date>(
      std::move(from), std::move(wanted), [ticks_per_day](std::string_view text, Date* value) {
        int64_t days = 0;
        if (!read_date(text, &days)) return Reading::Malformed;
        *value = static_cast<Date>(days * ticks_per_day);
        return *value == days * ticks_per_day ? Reading::Ok : Reading::OutOfRange;
      });
}

KernelPtr instant_of(Type from, const Type& to, Wanted wanted) {
  return reading_kernel<int64_t>(
      std::move(from), std::move(wanted),
      [unit = to.unit(), zoned = !to.zone().empty()](std::string_view text, int64_t* value) {
        return reading_of(read_instant(text, unit, zoned, value));
      });
}

/// How text of a type looks, for messages: "a whole number", "a date such as 2024-02-29".
std::string text_form(const Type& type) {
  const Kind kind = type.kind();
  if (kind == Kind::Bool) return "true or false";
  if (is_integer(kind)) return "a whole number";
  if (kind == Kind::Date32 || kind == Kind::Date64) return "a date such as 2024-02-29";
  if (kind == Kind::Timestamp) {
    return type.zone().empty() ? "a date and a time such as 2024-02-29T12:30:00, without a zone"
                               : "a date, a time and a zone such as 2024-02-29T12:30:00Z";
  }
  if (kind == Kind::Time32 || kind == Kind::Time64) return "a time such as 12:30:00";
  return "a number";
}

/// The whole way from text to a type. Decimals have theirs.
KernelPtr value_of(const Type& from, const Type& to, const Path& path) {
  const Kind kind = to.kind();
  Wanted wanted{text_form(to), {}, path};
  if (kind == Kind::Bool) return bool_of(from, std::move(wanted));
  if (is_integer(kind)) {
    const Range range = domain_of(Field("", to)).range;
    wanted.range = fmt::format("a value from {} to {}", xwalk::to_string(range.low),
                               xwalk::to_string(range.high));
    return with_integer(kind, [&](auto zero) {
      using Integer = decltype(zero);
      return reading_kernel<Integer>(from, std::move(wanted), parse_number<Integer>);
    });
  }
  wanted.range = fmt::format("a value that fits {}", to_string(to));
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return with_float(kind, [&](auto zero) {
      using Real = decltype(zero);
      return reading_kernel<Real>(from, std::move(wanted), parse_real<Real>);
    });
  }
  if (kind == Kind::Date32) return date_of<int32_t>(from, 1, std::move(wanted));
  if (kind == Kind::Date64) return date_of<int64_t>(from, kDayMillis, std::move(wanted));
  if (kind == Kind::Timestamp) return instant_of(from, to, std::move(wanted));
  if (kind == Kind::Time32) return time_of<int32_t>(from, to.unit(), std::move(wanted));
  return time_of<int64_t>(from, to.unit(), std::move(wanted));
}

/// Text and bytes of no fixed size that are nothing else: no JSON, no YSON, no document.
bool is_named(const Field& field, const Refinement& refinement) {
  const Kind kind = field.type.kind();
  if (!is_utf8(kind) && !is_binary(kind)) return false;
  const Domain domain = domain_of(field, refinement);
  return domain.content != Content::Json && domain.rule == nullptr && !domain.yson;
}

bool is_named_bool8(const Field& field) { return field.extension_name() == kBool8Extension; }

bool is_value(const Field& field) {
  constexpr std::array kKinds = {Kind::Bool,   Kind::HalfFloat, Kind::Float,
                                 Kind::Double, Kind::Date32,    Kind::Date64,
                                 Kind::Time32, Kind::Time64,    Kind::Timestamp};
  const Kind kind = field.type.kind();
  return is_integer(kind) || is_decimal(kind) || std::ranges::find(kKinds, kind) != kKinds.end();
}

/// The type between text and a value that is stored otherwise: bits.
Field between(const Field& value) {
  Field out(value.name, value.type, value.nullable);
  if (is_named_bool8(value)) out.type = Kind::Bool;
  return out;
}

/// Takes the kernel of a way that there is.
KernelPtr taken(Compiled compiled) { return compiled ? std::move(*compiled) : nullptr; }

Compiled compile_writing(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  compiler.note("text.from-value", path, Effect::None,
                "written as text; the same cast back reads every value exactly");
  Field value = from;
  KernelPtr first;
  if (is_named_bool8(from)) {
    value = between(from);
    Findings before = std::exchange(compiler.findings, {});
    first = taken(compile_bools(compiler, from, value, path));
    std::erase_if(compiler.findings, [](const auto& one) { return one.effect == Effect::None; });
    std::ranges::move(compiler.findings, std::back_inserter(before));
    compiler.findings = std::move(before);
  }
  KernelPtr text = is_decimal(value.type.kind())
                       ? finite_only(compiler, value, path, decimal_as_text(value.type))
                       : text_of(value.type);
  const Field utf8(from.name, Kind::Utf8, from.nullable);
  return chain(chain(std::move(first), std::move(text)),
               taken(compile_texts(compiler, utf8, to, path)));
}

Compiled compile_reading(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Field value = between(to);
  const bool decimal = is_decimal(to.type.kind());
  Finding& finding =
      compiler.note("text.to-value", path, Effect::Refused,
                    fmt::format("accepts only {}; how it is spelled is not preserved",
                                decimal ? "a decimal number" : text_form(value.type)));
  finding.witness = "a";
  KernelPtr read;
  if (decimal) {
    const int before = std::max(to.type.precision() - to.type.scale(), 0);
    const bool round = compiler.options.round;
    compiler
        .note("digits.fewer", path, round ? Effect::Altered : Effect::Refused,
              fmt::format("stores at most {} digits before the decimal point and {} after", before,
                          to.type.scale()))
        .witness = "0." + std::string(static_cast<size_t>(std::max(to.type.scale(), 0)), '0') + "1";
    read = text_as_decimal(from.type, to.type, round, path);
  } else {
    read = value_of(from.type, value.type, path);
  }
  // What the target asks for beyond its Arrow type, such as the years of its dates.
  KernelPtr rest;
  if (is_named_bool8(to)) {
    Findings before = std::exchange(compiler.findings, {});
    rest = taken(compile_bools(compiler, value, to, path));
    compiler.findings = std::move(before);
  } else if (!decimal) {
    rest = taken(compile_ticks(compiler, value, to, path));
  }
  return chain(std::move(read), std::move(rest));
}

}  // namespace

Compiled compile_number_texts(Compiler& compiler, const Field& from, const Field& to,
                              const Path& path) {
  const bool writes = is_value(from) && is_named(to, compiler.target(to));
  const bool reads = is_value(to) && is_named(from, compiler.source(from));
  if ((!writes && !reads) || !compiler.options.values_as_text) return std::nullopt;
  // Two spellings of one number would be one key twice.
  if (reads && path.last().kind == Path::Step::Kind::MapKey) return std::nullopt;
  return writes ? compile_writing(compiler, from, to, path)
                : compile_reading(compiler, from, to, path);
}

}  // namespace xwalk::hub::cast
