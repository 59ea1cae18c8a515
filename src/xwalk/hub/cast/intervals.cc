#include <array>

#include <fmt/format.h>

#include "xwalk/hub/cast/kernel.h"

// Calendar intervals: months, days and milliseconds, months and days and nanoseconds; as structs
// of their parts, and as the twelve bytes of Parquet (months, days, milliseconds, each uint32,
// little-endian).

namespace xwalk::hub::cast {
namespace {

/// The widest form, as Arrow lays it out.
struct Parts {
  int32_t months;
  int32_t days;
  int64_t nanoseconds;
};
static_assert(sizeof(Parts) == 16);

constexpr int64_t kNanosPerMilli = 1'000'000;

bool is_interval(Kind kind) {
  return kind == Kind::IntervalMonths || kind == Kind::IntervalDayTime ||
         kind == Kind::IntervalMonthDayNano;
}

/// Reads one element of an interval type or of the twelve bytes.
Parts read(const Array& in, Kind kind, int64_t i) {
  if (kind == Kind::IntervalMonths) return {in.values<int32_t>()[i], 0, 0};
  if (kind == Kind::IntervalMonthDayNano) return in.values<Parts>()[i];
  if (kind == Kind::IntervalDayTime) {
    const auto* at = in.raw<int32_t>(1) + (in.offset + i) * 2;
    return {0, at[0], at[1] * kNanosPerMilli};
  }
  std::array<uint32_t, 3> fields;
  std::memcpy(fields.data(), in.raw<char>(1) + (in.offset + i) * 12, 12);
  return {static_cast<int32_t>(fields[0]), static_cast<int32_t>(fields[1]),
          fields[2] * kNanosPerMilli};
}

/// Writes one element; returns false if the parts do not fit.
bool write(const Parts& parts, Kind kind, char* out) {
  const int64_t millis = parts.nanoseconds / kNanosPerMilli;
  const bool whole = millis * kNanosPerMilli == parts.nanoseconds;
  if (kind == Kind::IntervalMonths) {
    std::memcpy(out, &parts.months, 4);
    return parts.days == 0 && parts.nanoseconds == 0;
  }
  if (kind == Kind::IntervalMonthDayNano) {
    std::memcpy(out, &parts, 16);
    return true;
  }
  if (kind == Kind::IntervalDayTime) {
    const std::array<int32_t, 2> fields = {parts.days, static_cast<int32_t>(millis)};
    std::memcpy(out, fields.data(), 8);
    return parts.months == 0 && whole && fields[1] == millis;
  }
  const std::array<uint32_t, 3> fields = {static_cast<uint32_t>(parts.months),
                                          static_cast<uint32_t>(parts.days),
                                          static_cast<uint32_t>(millis)};
  std::memcpy(out, fields.data(), 12);
  return parts.months >= 0 && parts.days >= 0 && whole && millis >= 0 && millis == fields[2];
}

/// The twelve bytes hold uint32; the parts of Arrow are signed.
bool readable(const Array& in, Kind kind, int64_t i) {
  if (kind != Kind::FixedSizeBinary) return true;
  std::array<uint32_t, 3> fields;
  std::memcpy(fields.data(), in.raw<char>(1) + (in.offset + i) * 12, 12);
  return (fields[0] >> 31) == 0 && (fields[1] >> 31) == 0;
}

KernelPtr convert_kernel(Type from, Type to, Path path) {
  return make_kernel([from = std::move(from), to = std::move(to), path = std::move(path)](
                         const Array& in, const Scope& scope) {
    Array out = start_like(in);
    const int64_t width = *fixed_bits(to) / 8;
    Buffer buffer(in.length * width);
    char* at = buffer.as<char>();
    for (int64_t i = 0; i < in.length; ++i, at += width) {
      const Parts parts = read(in, from.kind(), i);
      const bool fits = write(parts, to.kind(), at) && readable(in, from.kind(), i);
      if (fits || !is_valid(in, i)) continue;
      scope.refuse(i, path,
                   fmt::format("expected an interval that {} holds, found {} months {} days {} "
                               "nanoseconds",
                               hub::to_string(to), parts.months, parts.days, parts.nanoseconds));
    }
    attach(out, buffer);
    return out;
  });
}

/// Rejects what does not fit three unsigned numbers, of which the last counts milliseconds.
KernelPtr unsigned_kernel(Path path) {
  return make_kernel([path = std::move(path)](const Array& in, const Scope& scope) {
    const auto* values = in.values<Parts>();
    for (int64_t i = 0; i < in.length; ++i) {
      const Parts& parts = values[i];
      const int64_t millis = parts.nanoseconds / kNanosPerMilli;
      const bool fits = parts.months >= 0 && parts.days >= 0 && parts.nanoseconds >= 0 &&
                        millis * kNanosPerMilli == parts.nanoseconds && millis <= UINT32_MAX;
      if (fits || !is_valid(in, i)) continue;
      scope.refuse(i, path,
                   fmt::format("expected an interval without negative parts, in whole "
                               "milliseconds of 32 bits, found {} months {} days {} nanoseconds",
                               parts.months, parts.days, parts.nanoseconds));
    }
    return in;
  });
}

/// The struct of an interval's parts.
Type parts_struct(Kind kind) {
  if (kind == Kind::IntervalDayTime) {
    return struct_({Field("days", Kind::Int32, false), Field("milliseconds", Kind::Int32, false)});
  }
  return struct_({Field("months", Kind::Int32, false), Field("days", Kind::Int32, false),
                  Field("nanoseconds", Kind::Int64, false)});
}

/// Splits elements into the columns of `parts_struct`.
Array split(const Array& in, Kind kind) {
  Array out = start_like(in);
  auto column = [&](auto of) {
    using T = decltype(of(int64_t{0}));
    Array child = start(in.length);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(T)));
    T* to = buffer.as<T>();
    for (int64_t i = 0; i < in.length; ++i) to[i] = of(i);
    attach(child, buffer);
    out.children.push_back(std::move(child));
  };
  if (kind == Kind::IntervalDayTime) {
    const auto* fields = in.raw<int32_t>(1) + in.offset * 2;
    column([=](int64_t i) { return fields[2 * i]; });
    column([=](int64_t i) { return fields[2 * i + 1]; });
    return out;
  }
  const auto* parts = in.values<Parts>();
  column([=](int64_t i) { return parts[i].months; });
  column([=](int64_t i) { return parts[i].days; });
  column([=](int64_t i) { return parts[i].nanoseconds; });
  return out;
}

Array joined(const Array& in, Kind kind) {
  Array out = start_like(in);
  auto child = [&](size_t index, auto zero) {
    using T = decltype(zero);
    return in.children[index].values<T>() + in.offset;
  };
  if (kind == Kind::IntervalDayTime) {
    Buffer buffer(in.length * 8);
    auto* to = buffer.as<int32_t>();
    const auto* days = child(0, int32_t{});
    const auto* millis = child(1, int32_t{});
    for (int64_t i = 0; i < in.length; ++i) {
      to[2 * i] = days[i];
      to[2 * i + 1] = millis[i];
    }
    attach(out, buffer);
    return out;
  }
  Buffer buffer(in.length * 16);
  Parts* to = buffer.as<Parts>();
  const auto* months = child(0, int32_t{});
  const auto* days = child(1, int32_t{});
  const auto* nanos = child(2, int64_t{});
  for (int64_t i = 0; i < in.length; ++i) to[i] = {months[i], days[i], nanos[i]};
  attach(out, buffer);
  return out;
}

/// Returns true if the struct names the parts of the interval.
bool names_parts(const Type& type, Kind kind) {
  const Type parts = parts_struct(kind);
  if (type.children().size() != parts.children().size()) return false;
  for (const Field& part : parts.children()) {
    bool found = false;
    for (const Field& child : type.children()) {
      found = found || (child.name == part.name && is_integer(child.type.kind()));
    }
    if (!found) return false;
  }
  return true;
}

void note_narrowing(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  if (to.type.kind() == Kind::IntervalMonthDayNano) {
    if (from.type.kind() == Kind::FixedSizeBinary) {
      compiler.note("range.narrowed", path, Effect::Refused,
                    "months and days narrow from 32 to 31 bits");
    }
    compiler.note("type.as-storage", path);
    return;
  }
  Finding& finding = compiler.note("range.narrowed", path, Effect::Refused);
  if (to.type.kind() == Kind::IntervalMonths) {
    finding.lost = "stores months only";
    finding.witness = "0 months 1 day";
  } else if (to.type.kind() == Kind::IntervalDayTime) {
    finding.lost = "holds days and milliseconds only";
    finding.witness = "1 month";
  } else {
    finding.lost = "holds no negative parts and nothing finer than a millisecond";
    finding.witness = "-1 months";
  }
}

}  // namespace

Compiled compile_intervals(Compiler& compiler, const Field& from, const Field& to,
                           const Path& path) {
  const Kind a = from.type.kind();
  const Kind b = to.type.kind();
  const bool from_bytes = a == Kind::FixedSizeBinary && from.type.size() == 12;
  const bool to_bytes = b == Kind::FixedSizeBinary && to.type.size() == 12;
  if ((is_interval(a) || from_bytes) && (is_interval(b) || to_bytes) &&
      (is_interval(a) || is_interval(b))) {
    const Domain target = domain_of(to, compiler.target(to));
    const Domain source = domain_of(from, compiler.source(from));
    const bool only_unsigned = b == Kind::IntervalMonthDayNano && target.unsigned_millis &&
                               is_interval(a) && !source.unsigned_millis;
    if (only_unsigned) {
      for (const Narrowing& narrowing : narrowings(source, target)) {
        compiler.narrow(narrowing, path);
      }
    }
    KernelPtr check = only_unsigned ? unsigned_kernel(path) : nullptr;
    if (a == b) return check;
    note_narrowing(compiler, from, to, path);
    return chain(convert_kernel(from.type, to.type, path), std::move(check));
  }
  Field parts("", Kind::Null, true);
  if (is_interval(a) && a != Kind::IntervalMonths && b == Kind::Struct && names_parts(to.type, a)) {
    compiler.note("type.as-storage", path);
    parts.type = parts_struct(a);
    parts.nullable = from.nullable;
    return chain(make_kernel([a](const Array& in, const Scope&) { return split(in, a); }),
                 compiler.field(parts, to, path));
  }
  if (is_interval(b) && b != Kind::IntervalMonths && a == Kind::Struct &&
      names_parts(from.type, b)) {
    compiler.note("type.as-storage", path);
    parts.type = parts_struct(b);
    parts.nullable = to.nullable;
    KernelPtr join =
        chain(compiler.field(from, parts, path),
              make_kernel([b](const Array& in, const Scope&) { return joined(in, b); }));
    const Domain target = domain_of(to, compiler.target(to));
    if (!target.unsigned_millis) return join;
    parts.type = b;
    for (const Narrowing& narrowing : narrowings(domain_of(parts), target)) {
      compiler.narrow(narrowing, path);
    }
    return chain(std::move(join), unsigned_kernel(path));
  }
  return std::nullopt;
}

}  // namespace xwalk::hub::cast
