#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/half_float.h"
#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/option.h"

// Floats of 16, 32 and 64 bits, and integers that a float holds exactly.

namespace xwalk::hub::cast {
namespace {

template <typename T>
double as_double(T value) {
  return static_cast<double>(value);
}
template <>
double as_double(Half value) {
  return static_cast<double>(widened(value));
}

template <typename To>
To as_float(double value) {
  return static_cast<To>(value);
}
template <>
Half as_float(double value) {
  return narrowed(value);
}

/// Returns true if narrowing lost nothing, or only digits when rounding is allowed.
template <typename To>
bool narrowing_holds(double value, To narrow, bool round) {
  const double back = as_double(narrow);
  if (std::isnan(value)) return true;
  return round ? std::isfinite(back) == std::isfinite(value) : back == value;
}

template <typename From, typename To>
KernelPtr float_kernel(bool round, bool check, Path path) {
  return make_kernel([round, check, path = std::move(path)](const Array& in, const Scope& scope) {
    const From* values = in.values<From>();
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    To* to = buffer.as<To>();
    bool misfit = false;
    if (check) {
      for (int64_t i = 0; i < in.length; ++i) {
        const double value = as_double(values[i]);
        to[i] = as_float<To>(value);
        misfit |= !narrowing_holds(value, to[i], round);
      }
    } else {
      for (int64_t i = 0; i < in.length; ++i) to[i] = as_float<To>(as_double(values[i]));
    }
    attach(out, buffer);
    if (misfit) {
      for (int64_t i = 0; i < in.length; ++i) {
        const double value = as_double(values[i]);
        if (narrowing_holds(value, to[i], round) || !is_valid(in, i)) continue;
        scope.refuse(
            i, path,
            fmt::format("expected a number that fits {} bits, found {}", sizeof(To) * 8, value),
            round ? ""
                  : mention(Option::Round) + " rounds such values instead (needs " +
                        mention(Option::Allow, "lossy") + ")");
      }
    }
    return out;
  });
}

/// Returns true if the integer survives the float: below 2^63 or 2^64 the way back is defined.
template <typename From, typename To>
bool integer_holds(From value, To stored) {
  const double back = as_double(stored);
  constexpr double kLimit = std::is_signed_v<From> ? 0x1p63 : 0x1p64;
  if (!(back < kLimit && back >= (std::is_signed_v<From> ? -kLimit : 0.0))) return false;
  if (sizeof(From) < 8) return back == static_cast<double>(value);
  if constexpr (std::is_signed_v<From>) {
    return static_cast<int64_t>(back) == static_cast<int64_t>(value);
  } else {
    return static_cast<uint64_t>(back) == static_cast<uint64_t>(value);
  }
}

template <typename To, typename From>
To float_of_integer(From value) {
  if constexpr (std::is_same_v<To, Half>) {
    return as_float<Half>(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
Array integers_to_floats(const Array& in, const Scope& scope, const Path& path) {
  const From* values = in.values<From>();
  Array out = start_like(in);
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  bool misfit = false;
  for (int64_t i = 0; i < in.length; ++i) {
    to[i] = float_of_integer<To>(values[i]);
    misfit |= !integer_holds(values[i], to[i]);
  }
  attach(out, buffer);
  if (misfit) {
    for (int64_t i = 0; i < in.length; ++i) {
      if (integer_holds(values[i], to[i]) || !is_valid(in, i)) continue;
      scope.refuse(i, path,
                   fmt::format("expected an integer that a float of {} bits holds, found {}",
                               sizeof(To) * 8, values[i]));
    }
  }
  return out;
}

template <typename To>
bool float_is_integer(double value, double low, double limit) {
  // -0 has no integer: it would come back as 0.
  return value >= low && value < limit && value == std::trunc(value) &&
         !(value == 0 && std::signbit(value));
}

template <typename From, typename To>
Array floats_to_integers(const Array& in, const Scope& scope, const Path& path) {
  const From* values = in.values<From>();
  Array out = start_like(in);
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  const auto low = static_cast<double>(std::numeric_limits<To>::min());
  const double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
  bool misfit = false;
  for (int64_t i = 0; i < in.length; ++i) {
    const double value = as_double(values[i]);
    const bool fits = float_is_integer<To>(value, low, limit);
    to[i] = fits ? static_cast<To>(value) : To{0};
    misfit |= !fits;
  }
  attach(out, buffer);
  if (misfit) {
    for (int64_t i = 0; i < in.length; ++i) {
      const double value = as_double(values[i]);
      if (float_is_integer<To>(value, low, limit) || !is_valid(in, i)) continue;
      scope.refuse(i, path,
                   fmt::format("expected an integer of {} bits, found {}", sizeof(To) * 8, value));
    }
  }
  return out;
}

template <typename From, typename To>
KernelPtr mixed_kernel(Path path) {
  return make_kernel([path = std::move(path)](const Array& in, const Scope& scope) {
    if constexpr (std::is_integral_v<From>) {
      return integers_to_floats<From, To>(in, scope, path);
    } else {
      return floats_to_integers<From, To>(in, scope, path);
    }
  });
}

bool is_float(Kind kind) {
  return kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double;
}

KernelPtr float_kernel_of(Kind from, Kind to, bool round, bool check, const Path& path) {
  return with_float(from, [&](auto given) {
    return with_float(to, [&](auto wanted) {
      return float_kernel<decltype(given), decltype(wanted)>(round, check, path);
    });
  });
}

KernelPtr mixed_kernel_of(Kind integer, Kind floating, bool to_float, const Path& path) {
  return with_integer(integer, [&](auto whole) {
    return with_float(floating, [&](auto real) {
      return to_float ? mixed_kernel<decltype(whole), decltype(real)>(path)
                      : mixed_kernel<decltype(real), decltype(whole)>(path);
    });
  });
}

void note_integers_in_floats(Compiler& compiler, const Field& from, const Field& to,
                             const Path& path) {
  const Domain integers = domain_of(from, compiler.source(from));
  const Int128 limit = Int128{1} << domain_of(to).mantissa_bits;
  const bool half_overflows =
      to.type.kind() == Kind::HalfFloat && !Range{-65504, 65504}.contains(integers.range);
  if (Range{-limit, limit}.contains(integers.range) && !half_overflows) {
    compiler.note("type.as-storage", path);
    return;
  }
  Finding& finding =
      compiler.note("range.narrowed", path, Effect::Refused,
                    fmt::format("cannot store every integer beyond {}", xwalk::to_string(limit)));
  finding.witness = xwalk::to_string(limit + 1);
}

}  // namespace

Compiled compile_floats(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind a = from.type.kind();
  const Kind b = to.type.kind();
  if (is_float(a) && is_float(b)) {
    if (a == b) return KernelPtr();
    const std::vector<Narrowing> narrow = narrowings(domain_of(from), domain_of(to));
    for (const Narrowing& narrowing : narrow) {
      compiler.narrow(narrowing, path, compiler.options.round);
    }
    if (narrow.empty()) compiler.note("type.widened", path);
    return float_kernel_of(a, b, compiler.options.round, !narrow.empty(), path);
  }
  if (is_integer(a) && is_float(b)) {
    note_integers_in_floats(compiler, from, to, path);
    return mixed_kernel_of(a, b, true, path);
  }
  if (is_float(a) && is_integer(b)) {
    Finding& finding = compiler.note("range.narrowed", path, Effect::Refused,
                                     "stores integers only: no fractions, NaN or ±Inf");
    finding.witness = "0.5";
    return mixed_kernel_of(b, a, false, path);
  }
  return std::nullopt;
}

}  // namespace xwalk::hub::cast
