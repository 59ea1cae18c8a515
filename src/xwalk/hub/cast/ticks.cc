#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/cast/rounded_division.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/option.h"

// Integers, and everything that Arrow stores as an integer of ticks: dates, times, instants,
// durations, months.

namespace xwalk::hub::cast {
namespace {

/// What a tick kernel must know; bounds are of the source's values.
struct TickPlan {
  TickRatio ratio;
  Range accepted;
  bool round = false;
  Domain from;
  Domain to;
  Path path;

  void refuse(Int128 value, int64_t index, const Scope& scope) const {
    if (accepted.contains(value)) {
      scope.refuse(index, path,
                   fmt::format("expected a whole number of {}, found {}",
                               to.family == Family::Date ? "days" : unit_name(to.unit),
                               value_text(from, value)),
                   mention(Option::Round) + " rounds such values instead (needs " +
                       mention(Option::Allow, "lossy") + ")");
      return;
    }
    scope.refuse(
        index, path,
        fmt::format("expected a value from {} to {}, found {}", value_text(to, to.range.low),
                    value_text(to, to.range.high), value_text(from, value)));
  }
};

template <typename T>
bool covers(const Range& range) {
  return range.contains(Range{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()});
}

template <typename T>
T clamped(Int128 value) {
  if (value < Int128{std::numeric_limits<T>::min()}) return std::numeric_limits<T>::min();
  if (value > Int128{std::numeric_limits<T>::max()}) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// Rejects each valid element that fails a test. Runs only when one is known to fail.
template <typename T, typename Fits>
void refuse_misfits(const Array& in, const T* values, const TickPlan& plan, const Scope& scope,
                    Fits fits) {
  for (int64_t i = 0; i < in.length; ++i) {
    if (!fits(values[i]) && is_valid(in, i)) plan.refuse(values[i], i, scope);
  }
}

/// Same ticks, another width. Buffers of one width are shared; only the range is checked.
template <typename From, typename To>
KernelPtr narrow_kernel(TickPlan plan) {
  const bool check = !covers<From>(plan.accepted);
  if constexpr (sizeof(From) == sizeof(To)) {
    if (!check) return nullptr;
  }
  const bool nothing_fits = plan.accepted.low > plan.accepted.high ||
                            plan.accepted.high < Int128{std::numeric_limits<From>::min()} ||
                            plan.accepted.low > Int128{std::numeric_limits<From>::max()};
  const From low = nothing_fits ? From{1} : clamped<From>(plan.accepted.low);
  const From high = nothing_fits ? From{0} : clamped<From>(plan.accepted.high);
  return make_kernel([plan = std::move(plan), check, low, high](const Array& in,
                                                                const Scope& scope) {
    static_cast<void>(check);  // unused if the widths are equal
    const From* values = in.values<From>();
    const int64_t length = in.length;
    unsigned outside = 0;
    Array out;
    if constexpr (sizeof(From) == sizeof(To)) {
      out = in;
      for (int64_t i = 0; i < length; ++i) {
        outside |= static_cast<unsigned>(values[i] < low) | static_cast<unsigned>(values[i] > high);
      }
    } else {
      out = start_like(in);
      Buffer buffer(length * static_cast<int64_t>(sizeof(To)));
      To* to = buffer.as<To>();
      if (check) {
        for (int64_t i = 0; i < length; ++i) {
          outside |=
              static_cast<unsigned>(values[i] < low) | static_cast<unsigned>(values[i] > high);
          to[i] = static_cast<To>(values[i]);
        }
      } else {
        for (int64_t i = 0; i < length; ++i) to[i] = static_cast<To>(values[i]);
      }
      attach(out, buffer);
    }
    if (outside != 0) {
      refuse_misfits(in, values, plan, scope, [&](From v) { return v >= low && v <= high; });
    }
    return out;
  });
}

template <typename From, typename To>
KernelPtr multiply_kernel(TickPlan plan) {
  const From low = clamped<From>(plan.accepted.low);
  const From high = clamped<From>(plan.accepted.high);
  return make_kernel([plan = std::move(plan), low, high](const Array& in, const Scope& scope) {
    const From* values = in.values<From>();
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    To* to = buffer.as<To>();
    const auto factor = static_cast<uint64_t>(plan.ratio.multiply);
    unsigned outside = 0;
    for (int64_t i = 0; i < in.length; ++i) {
      outside |= static_cast<unsigned>(values[i] < low) | static_cast<unsigned>(values[i] > high);
      to[i] = static_cast<To>(static_cast<uint64_t>(static_cast<int64_t>(values[i])) * factor);
    }
    attach(out, buffer);
    if (outside != 0) {
      refuse_misfits(in, values, plan, scope, [&](From v) { return v >= low && v <= high; });
    }
    return out;
  });
}

/// Rounds half to even.
inline int64_t rounded_quotient(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  int64_t rest = value % divisor;
  if (rest < 0) {
    rest += divisor;
    --quotient;
  }
  const int64_t twice = rest - (divisor - rest);
  if (twice > 0 || (twice == 0 && (quotient & 1) != 0)) ++quotient;
  return quotient;
}

/// Rounds down: the day in which a time lies.
inline int64_t floor_quotient(int64_t value, int64_t divisor) {
  return value / divisor - static_cast<int64_t>(value % divisor < 0);
}

/// Divides what divides evenly, without dividing: the odd part of the divisor has an inverse modulo
/// 2^64, and the product is the quotient exactly where it lies within the range of quotients.
struct ExactDivisor {
  explicit ExactDivisor(int64_t divisor)
      : shift(std::countr_zero(static_cast<uint64_t>(divisor))),
        odd(static_cast<uint64_t>(divisor) >> shift) {
    inverse = odd;
    for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
    limit = std::numeric_limits<int64_t>::max() / divisor;
  }
  /// Sets bits of `inexact` when `value` is no multiple.
  int64_t divide(int64_t value, uint64_t& inexact) const {
    inexact |= static_cast<uint64_t>(value) & ((uint64_t{1} << shift) - 1);
    const auto quotient = static_cast<int64_t>(static_cast<uint64_t>(value >> shift) * inverse);
    inexact |=
        static_cast<uint64_t>(quotient > limit + 1) | static_cast<uint64_t>(quotient < -limit - 1);
    return quotient;
  }

  int shift;
  uint64_t odd;
  uint64_t inverse;
  int64_t limit;
};

template <typename From, typename To>
KernelPtr divide_kernel(TickPlan plan) {
  const int64_t multiply = plan.ratio.multiply;
  const Range quotients = {plan.to.range.low / multiply, plan.to.range.high / multiply};
  const auto low = clamped<int64_t>(quotients.low);
  const auto high = clamped<int64_t>(quotients.high);
  return make_kernel([plan = std::move(plan), low, high, multiply](const Array& in,
                                                                   const Scope& scope) {
    const From* values = in.values<From>();
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    To* to = buffer.as<To>();
    const int64_t divisor = plan.ratio.divide;
    // An evening does not become the next day.
    const bool days = plan.to.family == Family::Date;
    uint64_t misfits = 0;
    if (plan.round && days) {
      for (int64_t i = 0; i < in.length; ++i) {
        const int64_t day = floor_quotient(values[i], divisor);
        misfits |= static_cast<uint64_t>(day < low) | static_cast<uint64_t>(day > high);
        to[i] = static_cast<To>(day);
      }
    } else if (plan.round) {
      misfits = divide_rounded({divisor, low, high}, values, in.length, to) ? 0 : 1;
    } else {
      const ExactDivisor exact(divisor);
      for (int64_t i = 0; i < in.length; ++i) {
        const int64_t quotient = exact.divide(values[i], misfits);
        misfits |= static_cast<uint64_t>(quotient < low) | static_cast<uint64_t>(quotient > high);
        to[i] = static_cast<To>(quotient);
      }
    }
    for (int64_t i = 0; multiply > 1 && i < in.length; ++i) {
      to[i] = static_cast<To>(static_cast<uint64_t>(static_cast<int64_t>(to[i])) *
                              static_cast<uint64_t>(multiply));
    }
    attach(out, buffer);
    if (misfits != 0) {
      refuse_misfits(in, values, plan, scope, [&](From v) {
        if (!plan.round && v % divisor != 0) return false;
        const int64_t quotient = days ? floor_quotient(v, divisor) : rounded_quotient(v, divisor);
        return quotient >= low && quotient <= high;
      });
    }
    return out;
  });
}

template <typename From, typename To>
KernelPtr tick_kernel(TickPlan plan) {
  if (plan.ratio.multiply == 1 && plan.ratio.divide == 1) {
    return narrow_kernel<From, To>(std::move(plan));
  }
  // Only time has a ratio, and Arrow stores time in signed 32 or 64 bits.
  if constexpr (std::is_signed_v<From> && std::is_signed_v<To> && sizeof(From) >= 4 &&
                sizeof(To) >= 4) {
    if (plan.ratio.divide == 1) return multiply_kernel<From, To>(std::move(plan));
    return divide_kernel<From, To>(std::move(plan));
  }
  throw Error(ErrorCode::Internal, "expected a unit of time in 32 or 64 bits");
}

/// The integer that stores a type.
Kind storage(Kind kind) {
  const KindRow& row = kind_row(kind);
  const bool counts = row.form == Form::Unit || row.form == Form::Timestamp ||
                      kind == Kind::Date32 || kind == Kind::Date64 || kind == Kind::IntervalMonths;
  if (!counts) return kind;
  return row.bits == 32 ? Kind::Int32 : Kind::Int64;
}

KernelPtr tick_kernel_of(Kind from, Kind to, TickPlan plan) {
  return with_integer(from, [&](auto given) {
    return with_integer(to, [&](auto wanted) {
      return tick_kernel<decltype(given), decltype(wanted)>(std::move(plan));
    });
  });
}

/// Families between which ticks have a meaning: each with itself, a date with an instant, and an
/// integer with all, as their storage.
bool related(Family a, Family b) {
  if (a == b) return true;
  if (a == Family::Integer || b == Family::Integer) return true;
  return (a == Family::Date && b == Family::Instant) || (a == Family::Instant && b == Family::Date);
}

/// Says what happens to the meaning of the clock.
void note_zone(Compiler& compiler, const Domain& a, const Domain& b, const Path& path) {
  if (a.family == Family::Date && b.family == Family::Instant && b.zone != Zone::Local) {
    compiler.note("zone.assumed", path, Effect::None, "a date is stored as midnight UTC");
  }
  if (a.family != Family::Instant || b.family != Family::Instant || a.zone_name == b.zone_name) {
    return;
  }
  if (a.zone == Zone::Local) {
    compiler.note("zone.assumed", path, Effect::None, "local times are stored as if they were UTC");
  } else if (a.zone != b.zone) {
    compiler.note("zone.dropped", path, Effect::None,
                  b.zone == Zone::Local
                      ? "stored as local time, as a clock in UTC shows it"
                      : "the time zone " + a.zone_name + " is not preserved; instants are");
  }
}

bool is_tick_kind(const Field& field) {
  const bool is_truth =
      field.type.kind() == Kind::Int8 && field.extension_name() == kBool8Extension;
  return is_integer(storage(field.type.kind())) && !is_truth;
}

}  // namespace

Compiled compile_ticks(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  if (!is_tick_kind(from) || !is_tick_kind(to)) return std::nullopt;
  TickPlan plan;
  plan.from = domain_of(from);
  plan.to = domain_of(to, compiler.target(to));
  if (!related(plan.from.family, plan.to.family)) return std::nullopt;
  plan.ratio = tick_ratio(plan.from, plan.to);
  plan.round = compiler.options.round;
  plan.path = path;
  const Int128 multiply = plan.ratio.multiply;
  const Int128 divide = plan.ratio.divide;
  const Int128 low = plan.to.range.low * divide;
  const Int128 high = plan.to.range.high * divide;
  plan.accepted = {low >= 0 ? (low + multiply - 1) / multiply : low / multiply,
                   high >= 0 ? high / multiply : (high - multiply + 1) / multiply};

  // The claim knows what the source promises; the kernel trusts only the Arrow type.
  const Domain promised = domain_of(from, compiler.source(from));
  for (const Narrowing& narrowing : narrowings(promised, plan.to)) {
    compiler.narrow(narrowing, path, plan.round && narrowing.rule == "unit.coarser");
  }
  if (plan.from.family != plan.to.family) {
    compiler.note("type.as-storage", path);
  } else if (from.type.kind() != to.type.kind() &&
             !(plan.from.family == Family::Integer && plan.from.range == plan.to.range)) {
    compiler.note("type.widened", path);
  }
  note_zone(compiler, promised, plan.to, path);
  if (plan.from.family == Family::Integer && plan.ratio.divide > 1) {
    TickPlan first;
    first.from = plan.from;
    first.to = domain_of(Field("", Kind::Int64));
    first.accepted = first.to.range;
    first.path = path;
    plan.from.range = first.to.range;
    return chain(tick_kernel_of(from.type.kind(), Kind::Int64, std::move(first)),
                 tick_kernel_of(Kind::Int64, Kind::Int64, std::move(plan)));
  }
  return tick_kernel_of(storage(from.type.kind()), storage(to.type.kind()), std::move(plan));
}

}  // namespace xwalk::hub::cast
