#include "xwalk/parquet/encode.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/parquet/shred.h"
#include "xwalk/parquet/stored.h"
#include "xwalk/parquet/variant.h"

// Kernels from logical arrays to Parquet's nesting: one per level, compiled once per schema.

namespace xwalk::parquet {

using hub::Array;
using hub::Buffer;
using hub::cast::KernelPtr;
using hub::cast::make_kernel;
using hub::cast::Scope;

namespace {

using Kind = LogicalType::Kind;

void refuse(const Leaf& leaf, int64_t index, const Scope& scope, std::string_view found) {
  scope.refuse(index, leaf.path, fmt::format("expected a value of {}, found {}", leaf.type, found));
}

/// Drops the validity bitmap of a required field. Rejects rows in which the field itself is null.
KernelPtr required_kernel(Leaf leaf) {
  return make_kernel([leaf = std::move(leaf)](const Array& in, const Scope& scope) {
    const bool nulls = count_nulls(in) > 0;
    for (int64_t i = 0; nulls && i < in.length; ++i) {
      if (!is_valid(in, i)) refuse(leaf, i, scope, "null");
    }
    Array out = in;
    out.buffers[0] = nullptr;
    out.null_count = 0;
    return out;
  });
}

/// Converts a null array, which has no buffers, to nulls of the physical type.
KernelPtr null_kernel(Leaf leaf, hub::Type stored, bool nullable) {
  return make_kernel([leaf = std::move(leaf), stored = std::move(stored), nullable](
                         const Array& in, const Scope& scope) {
    for (int64_t i = 0; !nullable && i < in.length; ++i) refuse(leaf, i, scope, "null");
    return null_array(stored, in.length);
  });
}

/// Widens 8 or 16 bits to int32.
template <typename T>
Array widened(const Array& in, const Scope&) {
  const T* values = in.values<T>();
  Array out = start_like(in);
  Buffer buffer(in.length * 4);
  auto* to = buffer.as<int32_t>();
  for (int64_t i = 0; i < in.length; ++i) to[i] = values[i];
  attach(out, buffer);
  return out;
}

/// A little-endian count of 96 bits.
Array instants(const Array& in, const Scope&) {
  const auto* values = in.values<int64_t>();
  return filled(in, 12, [values](int64_t i, char* to) {
    store_little_endian(values[i], to);
    std::memset(to + 8, values[i] < 0 ? 0xff : 0, 4);
  });
}

/// Nanoseconds of a day and a Julian day.
KernelPtr int96_kernel(hub::TimeUnit unit) {
  const int64_t per_second = hub::ticks_per_second(unit);
  return make_kernel([per_second](const Array& in, const Scope&) {
    const auto* values = in.values<int64_t>();
    const int64_t per_day = 86400 * per_second;
    const int64_t nanos_per_tick = 1'000'000'000 / per_second;
    return filled(in, 12, [=](int64_t i, char* to) {
      const int64_t rest = values[i] % per_day;
      const int64_t day = values[i] / per_day - (rest < 0 ? 1 : 0);
      store_little_endian((rest < 0 ? rest + per_day : rest) * nanos_per_tick, to);
      store_little_endian(static_cast<int32_t>(day + kJulianEpoch), to + 8);
    });
  });
}

/// Months, days and milliseconds. A cast has already rejected values that do not fit.
Array intervals(const Array& in, const Scope&) {
  const auto* values = in.values<MonthDayNano>();
  return filled(in, 12, [values](int64_t i, char* to) {
    store_little_endian(values[i].months, to);
    store_little_endian(values[i].days, to + 4);
    store_little_endian(static_cast<uint32_t>(values[i].nanos / 1'000'000), to + 8);
  });
}

/// Decimals in the fewest bytes that keep the sign.
template <typename Number, typename Load>
Array binary_decimals(const Array& in, Load load) {
  Array out = start_like(in);
  Buffer offsets((in.length + 1) * 4);
  Buffer bytes(in.length * static_cast<int64_t>(sizeof(Number)));
  auto* ends = offsets.as<int32_t>();
  char* to = bytes.as<char>();
  size_t size = 0;
  ends[0] = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    if (is_valid(in, i)) {
      const Number number = load(i);
      const size_t needed = needed_bytes(number);
      store_big_endian(number, to + size, needed);
      size += needed;
    }
    ends[i + 1] = static_cast<int32_t>(size);
  }
  attach(out, offsets);
  attach(out, bytes);
  return out;
}

uint64_t low_bits(Int128 number) { return static_cast<uint64_t>(number); }
uint64_t low_bits(const Int256& number) { return number.limbs[0]; }

/// Decimals of 128 or 256 bits, as integers or big-endian bytes.
template <typename Number>
KernelPtr decimal_kernel(Leaf leaf, int precision) {
  return make_kernel([leaf = std::move(leaf), precision](const Array& in, const Scope& scope) {
    const char* values = in.raw<char>(1) + in.offset * static_cast<int64_t>(sizeof(Number));
    auto load = [&](int64_t i) {
      Number number;
      std::memcpy(&number, values + i * static_cast<int64_t>(sizeof(Number)), sizeof(Number));
      if (!fits_digits(number, precision)) refuse(leaf, i, scope, "one of more digits");
      return number;
    };
    switch (leaf.physical) {
      case PhysicalType::Int32:
        return filled(in, 4, [&](int64_t i, char* to) {
          const auto number = static_cast<int32_t>(low_bits(load(i)));
          std::memcpy(to, &number, 4);
        });
      case PhysicalType::Int64:
        return filled(in, 8, [&](int64_t i, char* to) {
          const auto number = static_cast<int64_t>(low_bits(load(i)));
          std::memcpy(to, &number, 8);
        });
      case PhysicalType::FixedLenByteArray: {
        const auto width = static_cast<size_t>(leaf.width);
        return filled(in, width,
                      [&](int64_t i, char* to) { store_big_endian(load(i), to, width); });
      }
      case PhysicalType::ByteArray:
      case PhysicalType::Boolean:
      case PhysicalType::Int96:
      case PhysicalType::Float:
      case PhysicalType::Double:
        break;
    }
    return binary_decimals<Number>(in, load);
  });
}

/// Checks the magnitude of decimals with more than 76 digits, which are stored as bytes.
KernelPtr big_decimal_kernel(Leaf leaf, int precision) {
  std::string most = largest_magnitude(leaf, precision);
  return make_kernel(
      [leaf = std::move(leaf), limit = std::move(most)](const Array& in, const Scope& scope) {
        const StoredBytes bytes(in, leaf);
        for (int64_t i = 0; i < in.length; ++i) {
          if (!is_valid(in, i) || within_magnitude(bytes[i], limit)) continue;
          refuse(leaf, i, scope, "one of more digits");
        }
        return in;
      });
}

/// Splits a list into the outer group, which carries its nulls, and the repeated field.
Array split(const Array& in, const Scope&) {
  Array repeated = hub::start(in.length);
  repeated.buffers.push_back(in.values<int32_t>());
  repeated.owners = in.owners;
  repeated.children = in.children;
  Array outer = start_like(in);
  outer.children.push_back(std::move(repeated));
  return outer;
}

/// Wraps an element in a struct that has no nulls.
Array wrapped(const Array& in, const Scope&) {
  Array out = hub::start(in.length);
  out.children.push_back(in);
  return out;
}

class LevelCompiler {
 public:
  explicit LevelCompiler(const ToArrowOptions& options) : options_(options) {}

  KernelPtr fields(const std::vector<Resolved>& fields) {
    std::vector<hub::cast::Member> members(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) {
      members[i].source = i;
      members[i].kernel = level(fields[i]);
    }
    return hub::cast::struct_kernel(std::move(members), fields.size());
  }

 private:
  KernelPtr level(const Resolved& resolved) {
    if (resolved.node.is_group() && resolved.node.children().empty()) {
      throw Error(ErrorCode::Unsupported,
                  "a group without fields has no column to store its values in",
                  {.path = resolved.path});
    }
    KernelPtr kernel = values(resolved);
    if (resolved.field.nullable || !has_validity(resolved.field.type.kind())) return kernel;
    return chain(required_kernel(Leaf(resolved)), std::move(kernel));
  }

  KernelPtr values(const Resolved& resolved) {
    const auto& children = resolved.children;
    switch (resolved.rule) {
      case Rule::Leaf:
        return leaf(resolved);
      case Rule::Struct:
        if (!is_shredded_variant(resolved.node)) return fields(children);
        return chain(shred_kernel(resolved), fields(children));
      case Rule::Repeated:
        return hub::cast::items_kernel(level(children[0]));
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
        return list(level(children[0]));
      case Rule::ListThreeLevel:
      case Rule::MapWithoutValue:
        return list(chain(level(children[0]), make_kernel(wrapped)));
      case Rule::Map:
      case Rule::MapByPosition:
      case Rule::MapKeyValueAsMap:
        return list(chain(required_kernel(Leaf(resolved)), fields(children)));
    }
    return nullptr;
  }

  static KernelPtr list(KernelPtr item) {
    return chain(hub::cast::items_kernel(std::move(item)), make_kernel(split));
  }

  KernelPtr leaf(const Resolved& resolved) const;

  const ToArrowOptions& options_;
};

KernelPtr LevelCompiler::leaf(const Resolved& resolved) const {
  const LogicalType& logical = resolved.node.logical();
  const Leaf leaf(resolved);
  switch (logical.kind()) {
    case Kind::Timestamp:
      if (leaf.physical != PhysicalType::FixedLenByteArray || options_.storage) return nullptr;
      return make_kernel(instants);
    case Kind::Interval:
      return options_.storage ? nullptr : make_kernel(intervals);
    case Kind::Integer:
      if (logical.bits() == 8) {
        return make_kernel(logical.is_signed() ? widened<int8_t> : widened<uint8_t>);
      }
      if (logical.bits() == 16) {
        return make_kernel(logical.is_signed() ? widened<int16_t> : widened<uint16_t>);
      }
      return nullptr;
    case Kind::Decimal: {
      const int digits = logical.precision();
      if (digits > 76) return big_decimal_kernel(leaf, digits);
      return digits > 38 ? decimal_kernel<Int256>(leaf, digits)
                         : decimal_kernel<Int128>(leaf, digits);
    }
    case Kind::Unknown:
      return null_kernel(leaf, engine_leaf(resolved), resolved.field.nullable);
    case Kind::None:
      if (leaf.physical != PhysicalType::Int96 || options_.storage) return nullptr;
      return int96_kernel(options_.int96_unit);
    case Kind::String:
    case Kind::Enum:
    case Kind::Json:
    case Kind::Bson:
    case Kind::Date:
    case Kind::Time:
    case Kind::Uuid:
    case Kind::Float16:
    case Kind::Geometry:
    case Kind::Geography:
    case Kind::Future:
    case Kind::Map:
    case Kind::List:
    case Kind::Variant:
    case Kind::File:
    case Kind::MapKeyValue:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

Encoder::Encoder(const Schema& schema, const ToArrowOptions& options) {
  const std::vector<Resolved> columns = resolve(schema, options).columns;
  for (const Resolved& column : columns) schema_.fields.push_back(column.field);
  kernel_ = LevelCompiler(options).fields(columns);
}

Encoder::~Encoder() = default;

hub::Array Encoder::encode(hub::Batch batch) const {
  if (!batch.bad.empty()) throw Error(ErrorCode::Internal, "a bad row came to a sink");
  const Array& rows = batch.array;
  if (rows.children.size() != schema_.fields.size()) {
    throw Error(ErrorCode::Internal, fmt::format("expected {} columns, found {}",
                                                 schema_.fields.size(), rows.children.size()));
  }
  hub::cast::Refusals refusals(batch.first_row, rows.length);
  Array raw = hub::cast::run(kernel_, rows, {&refusals});
  if (!refusals.empty()) throw refusals.take({}).front().error;
  return raw;
}

}  // namespace xwalk::parquet
