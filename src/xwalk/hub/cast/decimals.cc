#include "xwalk/hub/cast/decimals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/cast/text_values.h"
#include "xwalk/hub/option.h"

// Decimals of every width, integers as decimals of scale 0, floats as decimals, and decimals as
// big-endian bytes.

namespace xwalk::hub::cast {
namespace {

std::string decimal_text(const Int256& value, int scale) {
  std::string text(scaled_text_size(scale), '\0');
  text.resize(static_cast<size_t>(write_scaled_text(value, scale, text.data()) - text.data()));
  return text;
}

struct DecimalPlan {
  int from_scale = 0;
  int to_scale = 0;
  int to_precision = 0;
  bool round = false;
  Path path;

  void refuse(const Int256& value, int64_t index, const Scope& scope) const {
    scope.refuse(index, path,
                 fmt::format("expected at most {} digits before the point and {} after, found {}",
                             to_precision - to_scale, to_scale, decimal_text(value, from_scale)),
                 round || from_scale <= to_scale
                     ? ""
                     : mention(Option::Round) + " rounds such values instead (needs " +
                           mention(Option::Allow, "lossy") + ")");
  }
};

/// The stored integer of 32, 64 or 128 bits.
template <typename T>
Int128 load(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

template <typename T>
void store(void* data, int64_t index, Int128 value) {
  const auto narrow = static_cast<T>(value);
  std::memcpy(static_cast<char*>(data) + index * static_cast<int64_t>(sizeof(T)), &narrow,
              sizeof(T));
}

/// Divides, taking the short way for numbers of 64 bits: a 128-bit division costs ten times more.
inline Int128 quotient_of(Int128 value, Int128 divisor, bool short_divisor) {
  if (short_divisor && value == static_cast<int64_t>(value)) {
    return static_cast<int64_t>(value) / static_cast<int64_t>(divisor);
  }
  return value / divisor;
}

inline Int128 rounded_quotient(Int128 value, Int128 divisor, bool short_divisor) {
  Int128 quotient = quotient_of(value, divisor, short_divisor);
  const Int128 rest = value - quotient * divisor;
  const Int128 twice = (rest < 0 ? -rest : rest) - (divisor - (rest < 0 ? -rest : rest));
  if (twice > 0 || (twice == 0 && (quotient & 1) != 0)) quotient += value < 0 ? -1 : 1;
  return quotient;
}

/// Rescales within 128 bits. A range test on the argument replaces overflow tests.
template <typename From, typename To>
KernelPtr narrow_kernel(DecimalPlan plan) {
  const int shift = plan.to_scale - plan.from_scale;
  const Int128 factor = power_of_ten_128(shift < 0 ? -shift : shift);
  const Int128 greatest = power_of_ten_128(plan.to_precision) - 1;
  return make_kernel([plan = std::move(plan), shift, factor, greatest](const Array& in,
                                                                       const Scope& scope) {
    const void* values = in.raw<char>(1) + in.offset * static_cast<int64_t>(sizeof(From));
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    void* to = buffer.as<void>();
    unsigned misfit = 0;
    const Int128 bound = shift >= 0 ? greatest / factor : greatest;
    const bool short_divisor = factor <= std::numeric_limits<int64_t>::max();
    if (shift >= 0) {
      for (int64_t i = 0; i < in.length; ++i) {
        const Int128 value = load<From>(values, i);
        misfit |= static_cast<unsigned>(value > bound) | static_cast<unsigned>(value < -bound);
        const auto product = static_cast<Uint128>(value) * static_cast<Uint128>(factor);
        store<To>(to, i, static_cast<Int128>(product));
      }
    } else {
      for (int64_t i = 0; i < in.length; ++i) {
        const Int128 value = load<From>(values, i);
        const Int128 quotient = plan.round ? rounded_quotient(value, factor, short_divisor)
                                           : quotient_of(value, factor, short_divisor);
        misfit |=
            static_cast<unsigned>(quotient > bound) | static_cast<unsigned>(quotient < -bound);
        if (!plan.round) misfit |= static_cast<unsigned>(quotient * factor != value);
        store<To>(to, i, quotient);
      }
    }
    attach(out, buffer);
    if (misfit != 0) {
      for (int64_t i = 0; i < in.length; ++i) {
        const Int128 value = load<From>(values, i);
        bool fits = value <= bound && value >= -bound;
        if (shift < 0) {
          const Int128 quotient = plan.round ? rounded_quotient(value, factor, short_divisor)
                                             : quotient_of(value, factor, short_divisor);
          fits =
              quotient <= bound && quotient >= -bound && (plan.round || quotient * factor == value);
        }
        if (!fits && is_valid(in, i)) plan.refuse(Int256(value), i, scope);
      }
    }
    return out;
  });
}

/// Rescales from up to 128 bits to 256, digits added or none.
template <typename From>
KernelPtr widen_kernel(DecimalPlan plan) {
  const int shift = plan.to_scale - plan.from_scale;
  const int digits = plan.to_precision - shift;
  const bool check = digits <= kInt128Digits;
  const Int128 bound = check ? power_of_ten_128(std::max(digits, 0)) - 1 : 0;
  return make_kernel(
      [plan = std::move(plan), shift, check, bound](const Array& in, const Scope& scope) {
        const void* values = in.raw<char>(1) + in.offset * static_cast<int64_t>(sizeof(From));
        const auto fits = [bound](Int128 value) { return value <= bound && value >= -bound; };
        Array out = start_like(in);
        Buffer buffer(in.length * static_cast<int64_t>(sizeof(Int256)));
        auto* to = buffer.as<uint64_t>();
        if (shift == 0) {
          for (int64_t i = 0; i < in.length; ++i) {
            const Int128 value = load<From>(values, i);
            const auto high = static_cast<int64_t>(value >> 64);
            to[4 * i] = static_cast<uint64_t>(value);
            to[4 * i + 1] = static_cast<uint64_t>(high);
            to[4 * i + 2] = to[4 * i + 3] = static_cast<uint64_t>(high >> 63);
          }
        } else {
          for (int64_t i = 0; i < in.length; ++i) {
            Int256 value(load<From>(values, i));
            multiply_by_power_of_ten(&value, shift);
            std::memcpy(to + 4 * i, value.limbs.data(), sizeof(value));
          }
        }
        attach(out, buffer);
        unsigned misfit = 0;
        for (int64_t i = 0; check && i < in.length; ++i) {
          misfit |= static_cast<unsigned>(!fits(load<From>(values, i)));
        }
        for (int64_t i = 0; misfit != 0 && i < in.length; ++i) {
          const Int128 value = load<From>(values, i);
          if (!fits(value) && is_valid(in, i)) plan.refuse(Int256(value), i, scope);
        }
        return out;
      });
}

/// Returns `call(T())` with the C++ type of the values of a decimal of up to 128 bits.
template <typename Call>
auto with_decimal(Kind kind, const Call& call) {
  if (kind == Kind::Decimal32) return call(int32_t());
  if (kind == Kind::Decimal64) return call(int64_t());
  return call(Int128());
}

/// Rescales a number; returns false if digits do not fit.
bool rescale(Int256& value, const DecimalPlan& plan) {
  const int shift = plan.to_scale - plan.from_scale;
  if (shift >= 0) {
    if (!multiply_by_power_of_ten(&value, shift)) return false;
  } else {
    const bool negative = value.is_negative();
    const PowerOfTenRemainder rest = divide_by_power_of_ten(&value, -shift);
    if (!rest.exact && !plan.round) return false;
    if (rest.half > 0 || (rest.half == 0 && (value.limbs[0] & 1) != 0)) {
      value = value + Int256(negative ? -1 : 1);
    }
  }
  return fits_digits(value, plan.to_precision);
}

Int256 sign_extended(const uint8_t* little_endian, int64_t size) {
  Int256 value;
  const bool negative = size > 0 && (little_endian[size - 1] & 0x80) != 0;
  if (negative) value.limbs.fill(~uint64_t{0});
  for (int64_t i = 0; i < size; ++i) {
    uint64_t& limb = value.limbs[static_cast<size_t>(i / 8)];
    const int shift = static_cast<int>(i % 8) * 8;
    limb = (limb & ~(uint64_t{0xff} << shift)) | uint64_t{little_endian[i]} << shift;
  }
  return value;
}

/// Decodes a whole column to 256-bit integers; nulls are zero.
std::vector<Int256> decode(const Array& in, const Type& type, const DecimalPlan& plan,
                           const Scope& scope) {
  std::vector<Int256> out(static_cast<size_t>(in.length));
  const Kind kind = type.kind();
  const std::optional<int> bits = fixed_bits(type);
  for (int64_t i = 0; i < in.length; ++i) {
    if (!is_valid(in, i)) continue;
    Int256& value = out[static_cast<size_t>(i)];
    if (bits && kind != Kind::FixedSizeBinary) {
      const int64_t width = *bits / 8;
      const auto* at = in.raw<uint8_t>(1) + (in.offset + i) * width;
      value = sign_extended(at, width);
      if (kind >= Kind::Uint8 && kind <= Kind::Uint64) {
        value.limbs[1] = value.limbs[2] = value.limbs[3] = 0;
        if (width < 8) value.limbs[0] &= (uint64_t{1} << (width * 8)) - 1;
      }
      continue;
    }
    const char* at = nullptr;
    int64_t size = type.size();
    if (kind == Kind::FixedSizeBinary) {
      at = in.raw<char>(1) + (in.offset + i) * size;
    } else {
      const auto* offsets = in.values<int32_t>(1);
      at = in.raw<char>(2) + offsets[i];
      size = offsets[i + 1] - offsets[i];
    }
    // No bytes are zero here.
    if (size == 0 || load_big_endian({at, static_cast<size_t>(size)}, &value)) continue;
    value = Int256{};
    scope.refuse(i, plan.path, fmt::format("expected a number of 256 bits, found {} bytes", size));
  }
  return out;
}

/// Returns binary or text with 32-bit offsets: `append` adds the bytes of a number.
template <typename Append>
Array as_bytes(const std::vector<Int256>& values, const Array& in, const Append& append) {
  Array out = start_like(in);
  GrowingBytes bytes;
  Buffer offsets((in.length + 1) * 4);
  auto* at = offsets.as<int32_t>();
  at[0] = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    append(values[static_cast<size_t>(i)], bytes);
    at[i + 1] = static_cast<int32_t>(bytes.size());
  }
  attach(out, offsets);
  bytes.attach(out);
  return out;
}

Array encode(const std::vector<Int256>& values, const Array& in, const Type& type,
             const DecimalPlan& plan, const Scope& scope) {
  if (type.kind() == Kind::Binary) {
    return as_bytes(values, in, [](const Int256& value, GrowingBytes& bytes) {
      const size_t size = needed_bytes(value);
      std::array<char, sizeof(Int256)> number;
      store_big_endian(value, number.data(), size);
      bytes.append(number.data(), static_cast<int64_t>(size));
    });
  }
  Array out = start_like(in);
  const auto width = static_cast<size_t>(*fixed_bits(type) / 8);
  Buffer buffer(in.length * static_cast<int64_t>(width));
  char* to = buffer.as<char>();
  for (int64_t i = 0; i < in.length; ++i, to += width) {
    const Int256& value = values[static_cast<size_t>(i)];
    if (type.kind() == Kind::FixedSizeBinary) {
      if (needed_bytes(value) > width && is_valid(in, i)) {
        scope.refuse(i, plan.path,
                     fmt::format("expected a number of {} bytes, found {}", width,
                                 decimal_text(value, plan.from_scale)));
      }
      store_big_endian(value, to, width);
    } else {
      std::memcpy(to, value.limbs.data(), width);
    }
  }
  attach(out, buffer);
  return out;
}

/// Returns true if an integer type holds the number.
bool fits_integer(const Int256& value, Kind kind) {
  return value.fits_int128() && domain_of(Field("", Type(kind))).range.contains(value.low128());
}

KernelPtr wide_kernel(Type from, Type to, DecimalPlan plan) {
  return make_kernel([from = std::move(from), to = std::move(to), plan = std::move(plan)](
                         const Array& in, const Scope& scope) {
    std::vector<Int256> values = decode(in, from, plan, scope);
    for (int64_t i = 0; i < in.length; ++i) {
      Int256& value = values[static_cast<size_t>(i)];
      const Int256 before = value;
      bool fits = rescale(value, plan);
      if (fits && is_integer(to.kind())) fits = fits_integer(value, to.kind());
      if (fits) continue;
      if (is_valid(in, i)) plan.refuse(before, i, scope);
      value = Int256{};
    }
    return encode(values, in, to, plan, scope);
  });
}

/// The integers that stand for nan, inf and -inf among those of a precision; see
/// Refinement::special_values.
std::array<Int256, 3> special_decimals(int precision) {
  Int256 greatest = Int256::max();
  if (precision <= 38) greatest = Int256(kInt128Max);
  if (precision <= 18) greatest = Int256(std::numeric_limits<int64_t>::max());
  if (precision <= 9) greatest = Int256(std::numeric_limits<int32_t>::max());
  return {greatest, greatest - Int256(1), Int256(1) - greatest};
}

/// Returns the places of nan, inf and -inf among decimals, and which of `specials` each is.
std::vector<std::pair<int64_t, size_t>> find_specials(const Array& in, size_t size,
                                                      const std::array<Int256, 3>& specials) {
  const auto* values = in.raw<char>(1) + in.offset * static_cast<int64_t>(size);
  std::vector<std::pair<int64_t, size_t>> found;
  for (int64_t i = 0; i < in.length; ++i) {
    const char* value = values + i * static_cast<int64_t>(size);
    uint32_t low;
    std::memcpy(&low, value, sizeof(low));
    for (size_t which = 0; which < specials.size(); ++which) {
      if (low != static_cast<uint32_t>(specials[which].limbs[0])) continue;
      if (std::memcmp(value, specials[which].limbs.data(), size) == 0) found.emplace_back(i, which);
    }
  }
  return found;
}

size_t size_of(const Type& decimal) { return static_cast<size_t>(*fixed_bits(decimal) / 8); }

KernelPtr finite_kernel(const Type& type, const Path& path) {
  return make_kernel([size = size_of(type), path, specials = special_decimals(type.precision())](
                         const Array& in, const Scope& scope) {
    for (const auto& [at, which] : find_specials(in, size, specials)) {
      if (!is_valid(in, at)) continue;
      scope.refuse(at, path, "expected a finite decimal, found nan or an infinity");
    }
    return in;
  });
}

/// Runs a cast of the numbers of a decimal on one that holds nan and infinities as well.
KernelPtr with_specials(KernelPtr numbers, const Type& from, const Type& to) {
  return make_kernel(
      [numbers = std::move(numbers), from_size = size_of(from), to_size = size_of(to),
       own = special_decimals(from.precision()),
       there = special_decimals(to.precision())](const Array& in, const Scope& scope) {
        const auto* values = in.raw<char>(1) + in.offset * static_cast<int64_t>(from_size);
        const auto found = find_specials(in, from_size, own);
        if (found.empty()) return run(numbers, in, scope);
        Buffer plain(in.length * static_cast<int64_t>(from_size));
        std::memcpy(plain.as<char>(), values, static_cast<size_t>(in.length) * from_size);
        for (const auto& [at, which] : found) {
          std::memset(plain.as<char>() + at * static_cast<int64_t>(from_size), 0, from_size);
        }
        Array rest = start_like(in);
        attach(rest, plain);
        rest = run(numbers, rest, scope);
        Array out = start_like(rest);
        Buffer all(in.length * static_cast<int64_t>(to_size));
        std::memcpy(all.as<char>(), rest.raw<char>(1) + rest.offset * static_cast<int64_t>(to_size),
                    static_cast<size_t>(in.length) * to_size);
        for (const auto& [at, which] : found) {
          std::memcpy(all.as<char>() + at * static_cast<int64_t>(to_size),
                      there[which].limbs.data(), to_size);
        }
        attach(out, all);
        return out;
      });
}

/// Returns the decimal that is nearest to a float; empty if it has too many digits, or if it would
/// convert back to another float and rounding is not allowed.
template <typename From>
std::optional<Int256> nearest_decimal(From value, const DecimalPlan& plan) {
  // A decimal has no -0.
  const bool negative_zero = value == 0 && std::signbit(value);
  if (!std::isfinite(value) || (negative_zero && !plan.round)) return std::nullopt;
  // A sign, the digits of the greatest double, the point and the digits after it.
  constexpr size_t kLongest = 1 + 309 + 1 + 76;
  std::array<char, kLongest> text;
  char* end = std::to_chars(text.data(), text.data() + kLongest, value, std::chars_format::fixed,
                            plan.to_scale)
                  .ptr;
  if (!plan.round) {
    From back = 0;
    std::from_chars(text.data(), end, back);
    if (back != value) return std::nullopt;
  }
  end = std::remove(text.data(), end, '.');
  Int256 out;
  const std::string_view digits(text.data(), static_cast<size_t>(end - text.data()));
  if (!parse_decimal_text(digits, &out) || !rescale(out, plan)) return std::nullopt;
  return out;
}

template <typename From>
KernelPtr float_kernel(Type to, DecimalPlan plan) {
  return make_kernel(
      [to = std::move(to), plan = std::move(plan)](const Array& in, const Scope& scope) {
        const From* floats = in.values<From>();
        std::vector<Int256> values(static_cast<size_t>(in.length));
        for (int64_t i = 0; i < in.length; ++i) {
          if (!is_valid(in, i)) continue;
          if (const std::optional<Int256> value = nearest_decimal(floats[i], plan)) {
            values[static_cast<size_t>(i)] = *value;
            continue;
          }
          scope.refuse(i, plan.path,
                       fmt::format("expected a number that decimal({}, {}) holds, found {}",
                                   plan.to_precision, plan.to_scale, floats[i]),
                       plan.round ? ""
                                  : mention(Option::Round) + " rounds such values instead (needs " +
                                        mention(Option::Allow, "lossy") + ")");
        }
        return encode(values, in, to, plan, scope);
      });
}

/// Compiles floats into decimals: a float with few enough digits becomes the shortest decimal for
/// it, 0.1 becomes 0.10.
KernelPtr compile_float(Compiler& compiler, const Field& from, const Field& to, DecimalPlan plan) {
  const Type& decimal = to.type;
  compiler
      .note("range.narrowed", plan.path, Effect::Refused,
            fmt::format("cannot store NaN or ±Inf, and stores at most {} digits before the decimal "
                        "point",
                        std::max(0, decimal.precision() - decimal.scale())))
      .witness = "nan";
  compiler
      .note("digits.fewer", plan.path, plan.round ? Effect::Altered : Effect::Refused,
            fmt::format("stores at most {} digits after the decimal point", decimal.scale()))
      .witness = "0." + std::string(static_cast<size_t>(decimal.scale()), '0') + "1";
  plan.to_scale = plan.from_scale = decimal.scale();
  plan.to_precision = decimal.precision();
  if (from.type.kind() == Kind::Float) return float_kernel<float>(decimal, std::move(plan));
  return float_kernel<double>(decimal, std::move(plan));
}

/// Returns true for a decimal that needs more digits than 128 bits hold with a scale from 0 to the
/// precision: text stands for it in systems without others.
bool is_beyond_digits(const Type& type) {
  const int digits = type.precision() - std::min(type.scale(), 0);
  return std::max(digits, type.scale()) > kInt128Digits;
}

/// Takes the sign, digits and point of a decimal; returns false for anything else. Fails if there
/// are more digits than fit in 256 bits.
bool parse_scaled(std::string_view text, Int256* value, int* scale) {
  constexpr size_t kLongest = 2 * kWideTextSize;
  if (text.size() > kLongest) return false;
  const size_t point = text.find('.');
  *scale = 0;
  if (point == std::string_view::npos) return parse_decimal_text(text, value);
  const size_t digits_after = text.size() - point - 1;
  // A point needs digits on both sides.
  if (digits_after == 0 || point == 0 || text[point - 1] == '-') return false;
  std::array<char, kLongest> digits;
  char* end = std::copy_n(text.data(), point, digits.data());
  end = std::copy_n(text.data() + point + 1, digits_after, end);
  *scale = static_cast<int>(digits_after);
  return parse_decimal_text({digits.data(), end}, value);
}

/// Digits of an integer type's greatest value.
int integer_digits(Kind kind) {
  const int bits = fixed_bits(kind).value_or(0);
  return bits == 8 ? 3 : bits == 16 ? 5 : bits == 32 ? 10 : is_signed_integer(kind) ? 19 : 20;
}

bool is_plain_bytes(Kind kind) { return kind == Kind::Binary || kind == Kind::FixedSizeBinary; }

/// Records the finding for an integer cast to a decimal, or a decimal to an integer.
void note_integer(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const bool from_integer = is_integer(from.type.kind());
  const Type& number = from_integer ? to.type : from.type;
  if (from_integer) {
    const Domain integers = domain_of(from, compiler.source(from));
    const int digits = number.precision() - number.scale();
    const Int128 limit = digits >= 38 ? kInt128Max : power_of_ten_128(std::max(digits, 0)) - 1;
    if (Range{-limit, limit}.contains(integers.range)) {
      compiler.note("type.as-storage", path);
      return;
    }
    compiler
        .note("range.narrowed", path, Effect::Refused,
              fmt::format("stores at most {} digits before the decimal point", digits))
        .witness = xwalk::to_string(limit + 1);
    return;
  }
  Finding& finding = compiler.note(
      number.scale() > 0 ? "digits.fewer" : "range.narrowed", path,
      compiler.options.round && number.scale() > 0 ? Effect::Altered : Effect::Refused,
      "holds integers of its own range");
  finding.witness = number.scale() > 0
                        ? "0." + std::string(static_cast<size_t>(number.scale() - 1), '0') + "1"
                        : "1" + std::string(static_cast<size_t>(number.precision() - 1), '0');
}

}  // namespace

KernelPtr decimal_as_text(const Type& from) {
  return make_kernel([from, plan = DecimalPlan{}](const Array& in, const Scope& scope) {
    return as_bytes(decode(in, from, plan, scope), in,
                    [scale = from.scale()](const Int256& value, GrowingBytes& bytes) {
                      const std::string text = decimal_text(value, scale);
                      bytes.append(text.data(), static_cast<int64_t>(text.size()));
                    });
  });
}

KernelPtr finite_only(Compiler& compiler, const Field& from, const Path& path, KernelPtr cast) {
  if (!compiler.source(from).special_values) return cast;
  compiler.note("decimal.special-values", path, Effect::Refused, "cannot store NaN or ±Inf")
      .witness = "nan";
  return chain(finite_kernel(from.type, path), std::move(cast));
}

KernelPtr text_as_decimal(const Type& from, const Type& to, bool round, const Path& path) {
  DecimalPlan plan;
  plan.to_scale = to.scale();
  plan.to_precision = to.precision();
  plan.round = round;
  plan.path = path;
  return make_kernel([from, to, plan = std::move(plan)](const Array& in, const Scope& scope) {
    std::vector<Int256> values(static_cast<size_t>(in.length));
    with_text_reader(in, from, [&](auto read) {
      DecimalPlan scaled = plan;
      for (int64_t i = 0; i < in.length; ++i) {
        if (!is_valid(in, i)) continue;
        Int256& value = values[static_cast<size_t>(i)];
        if (!parse_scaled(read(i), &value, &scaled.from_scale)) {
          value = Int256{};
          scope.refuse(i, plan.path,
                       fmt::format("expected a decimal number, found {}", clipped(read(i))));
          continue;
        }
        const Int256 before = value;
        if (rescale(value, scaled)) continue;
        scaled.refuse(before, i, scope);
        value = Int256{};
      }
      return 0;
    });
    return encode(values, in, to, plan, scope);
  });
}

namespace {

/// Compiles decimals into decimals of other digits or another width.
KernelPtr compile_rescaling(Compiler& compiler, const Field& from, const Field& to,
                            DecimalPlan plan) {
  const Type& a = from.type;
  const Type& b = to.type;
  const Path path = plan.path;
  const Domain source = domain_of(from, compiler.source(from));
  const Domain target = domain_of(to, compiler.target(to));
  for (const Narrowing& narrowing : narrowings(source, target)) {
    compiler.narrow(narrowing, plan.path, plan.round && narrowing.rule == "digits.fewer");
  }
  const bool same_digits = a.precision() == b.precision() && a.scale() == b.scale();
  if (same_digits && a.kind() == b.kind()) return nullptr;
  compiler.note(same_digits ? "layout.flattened" : "type.widened", plan.path);
  plan.from_scale = a.scale();
  plan.to_scale = b.scale();
  plan.to_precision = b.precision();
  const int shift = std::abs(plan.to_scale - plan.from_scale);
  const bool wide = a.kind() == Kind::Decimal256 || b.kind() == Kind::Decimal256;
  KernelPtr numbers;
  if (!wide && shift <= 38 && b.precision() <= 38) {
    numbers = with_decimal(a.kind(), [&](auto stored) {
      return with_decimal(b.kind(), [&](auto wanted) {
        return narrow_kernel<decltype(stored), decltype(wanted)>(std::move(plan));
      });
    });
  } else if (a.kind() != Kind::Decimal256 && wide && b.scale() >= a.scale()) {
    numbers = with_decimal(
        a.kind(), [&](auto stored) { return widen_kernel<decltype(stored)>(std::move(plan)); });
  } else {
    numbers = wide_kernel(a, b, std::move(plan));
  }
  if (!source.special_values) return numbers;
  return target.special_values ? with_specials(std::move(numbers), a, b)
                               : chain(finite_kernel(a, path), std::move(numbers));
}

Compiled compile_numbers(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Type& a = from.type;
  const Type& b = to.type;
  if (!is_decimal(a.kind()) && !is_decimal(b.kind())) return std::nullopt;
  DecimalPlan plan;
  plan.round = compiler.options.round;
  plan.path = path;
  if (is_utf8(b.kind()) && is_beyond_digits(a)) {
    compiler.note("type.as-storage", path);
    Compiled layout =
        compile_texts(compiler, Field(from.name, Kind::Utf8, from.nullable), to, path);
    if (!layout) return std::nullopt;
    return chain(decimal_as_text(a), std::move(*layout));
  }
  const bool floats = a.kind() == Kind::Float || a.kind() == Kind::Double;
  if (floats && b.scale() >= 0) return compile_float(compiler, from, to, std::move(plan));
  const bool both = is_decimal(a.kind()) && is_decimal(b.kind());
  if (!both && !is_integer(a.kind()) && !is_integer(b.kind()) && !is_plain_bytes(a.kind()) &&
      !is_plain_bytes(b.kind())) {
    return std::nullopt;
  }
  if (both) return compile_rescaling(compiler, from, to, std::move(plan));
  if (is_decimal(a.kind()) && is_plain_bytes(b.kind())) {
    compiler.note("type.as-storage", path, Effect::None,
                  "stored as bytes: the unscaled number, big-endian");
    if (b.kind() == Kind::FixedSizeBinary &&
        needed_bytes(power_of_ten_256(a.precision())) > static_cast<size_t>(b.size())) {
      compiler.note("range.narrowed", path, Effect::Refused,
                    fmt::format("stores at most {} bytes", b.size()));
    }
    plan.from_scale = plan.to_scale = a.scale();
    plan.to_precision = 76;
    return wide_kernel(a, b, std::move(plan));
  }
  if (is_plain_bytes(a.kind())) {
    Finding& finding = compiler.note("range.narrowed", path, Effect::Refused,
                                     "accepts only big-endian numbers within the precision");
    finding.witness =
        b.precision() < 76 ? "1" + std::string(static_cast<size_t>(b.precision()), '0') : "";
    plan.from_scale = plan.to_scale = b.scale();
    plan.to_precision = b.precision();
    return wide_kernel(a, b, std::move(plan));
  }
  note_integer(compiler, from, to, path);
  plan.from_scale = is_decimal(a.kind()) ? a.scale() : 0;
  plan.to_scale = is_decimal(b.kind()) ? b.scale() : 0;
  plan.to_precision = is_decimal(b.kind()) ? b.precision() : integer_digits(b.kind());
  return wide_kernel(a, b, std::move(plan));
}

}  // namespace

Compiled compile_decimals(Compiler& compiler, const Field& from, const Field& to,
                          const Path& path) {
  Compiled cast = compile_numbers(compiler, from, to, path);
  if (!cast || !is_decimal(from.type.kind()) || is_decimal(to.type.kind())) return cast;
  return finite_only(compiler, from, path, std::move(*cast));
}

}  // namespace xwalk::hub::cast
