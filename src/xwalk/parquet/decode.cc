#include "xwalk/parquet/decode.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast/layouts.h"
#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/maps.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/texts.h"
#include "xwalk/hub/cast/variants.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/hub/variant.h"
#include "xwalk/hub/wkb.h"
#include "xwalk/parquet/bson.h"
#include "xwalk/parquet/stored.h"
#include "xwalk/parquet/unshred.h"
#include "xwalk/parquet/variant.h"

// One kernel per level, from raw nesting to the meaning: compiled once per schema.

namespace xwalk::parquet {

using hub::Array;
using hub::Buffer;
using hub::cast::KernelPtr;
using hub::cast::make_kernel;
using hub::cast::Scope;

/// Findings of decoding that are not in the schema. Kernels of all threads add to it, once per
/// column of a batch or once per map.
class Decoder::Notes {
 public:
  /// Adds `count` values of a path, the first of them in a row of the whole input.
  void add(std::string_view rule, const Path& path, int64_t count, int64_t row) {
    std::lock_guard lock(mutex_);
    for (Seen& seen : seen_) {
      if (seen.rule != rule || seen.path != path) continue;
      seen.count += count;
      seen.first_row = std::min(seen.first_row, row);
      return;
    }
    seen_.push_back({rule, path, count, row});
  }

  hub::Findings findings() const;

 private:
  struct Seen {
    std::string_view rule;
    Path path;
    int64_t count;
    int64_t first_row;
  };

  mutable std::mutex mutex_;
  std::vector<Seen> seen_;
};

namespace {

constexpr std::string_view kRepeatedKeys = "keys.duplicates";
constexpr std::string_view kMoreBytes = "decimal.more-bytes";

/// Fills values of one type, zero also where `load` returns false, which then has rejected the
/// value.
template <typename Out, typename Load>
Array loaded(const Array& in, Load load) {
  return filled(in, sizeof(Out), [&](int64_t i, char* to) {
    Out value{};
    if (!load(i, &value)) value = Out{};
    std::memcpy(to, &value, sizeof(Out));
  });
}

/// Null types have no buffers. Any non-null value is an error.
KernelPtr null_kernel(Leaf leaf) {
  return make_kernel([leaf = std::move(leaf)](const Array& in, const Scope& scope) {
    for (int64_t i = 0; in.null_count != in.length && i < in.length; ++i) {
      if (is_valid(in, i)) scope.refuse(i, leaf.path, "expected null, found a value");
    }
    Array out;
    out.length = in.length;
    out.null_count = in.length;
    return out;
  });
}

/// Looks whether times of day are less than `limit`.
template <typename T>
KernelPtr time_kernel(Leaf leaf, int64_t limit) {
  return make_kernel([leaf = std::move(leaf), limit](const Array& in, const Scope& scope) {
    const T* values = in.values<T>();
    bool outside = false;
    for (int64_t i = 0; i < in.length; ++i) outside |= values[i] < 0 || values[i] >= limit;
    for (int64_t i = 0; outside && i < in.length; ++i) {
      if ((values[i] >= 0 && values[i] < limit) || !is_valid(in, i)) continue;
      scope.refuse(
          i, leaf.path,
          fmt::format("expected a time within a day, found {} of {}", values[i], leaf.type));
    }
    return in;
  });
}

/// Narrows int32 to 8 or 16 bits.
template <typename T>
KernelPtr narrow_kernel(Leaf leaf) {
  return make_kernel([leaf = std::move(leaf)](const Array& in, const Scope& scope) {
    const auto* values = in.values<int32_t>();
    Array out = start_like(in);
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(T)));
    T* to = buffer.as<T>();
    bool outside = false;
    for (int64_t i = 0; i < in.length; ++i) {
      to[i] = static_cast<T>(values[i]);
      outside |= to[i] != values[i];
    }
    for (int64_t i = 0; outside && i < in.length; ++i) {
      if (to[i] == values[i] || !is_valid(in, i)) continue;
      scope.refuse(i, leaf.path,
                   fmt::format("expected a value of {}, found {}", leaf.type, values[i]));
    }
    attach(out, buffer);
    return out;
  });
}

using TextOfBytes = std::function<std::string(const char* bytes)>;

/// Reads 12 bytes per value. `load` returns false for values that Arrow cannot hold, `shown` writes
/// one, and `hint` names a way to read them anyway.
template <typename Out, typename Load>
KernelPtr twelve_bytes_kernel(Leaf leaf, Load load, TextOfBytes shown, TextOfBytes hint = {}) {
  return make_kernel([leaf = std::move(leaf), load, shown = std::move(shown),
                      hint = std::move(hint)](const Array& in, const Scope& scope) {
    const char* bytes = in.raw<char>(1) + in.offset * 12;
    return loaded<Out>(in, [&](int64_t i, Out* out) {
      const char* value = bytes + i * 12;
      if (load(value, out)) return true;
      scope.refuse(i, leaf.path,
                   fmt::format("expected a value of {} that Arrow can hold, found {}", leaf.type,
                               shown(value)),
                   hint ? hint(value) : "");
      return false;
    });
  });
}

constexpr int64_t kNanosPerDay = 86'400'000'000'000;

/// Writes 96 bits of nanoseconds since 1970.
std::string text_of_instant(const char* bytes) {
  const Int128 high = load_little_endian<int32_t>(bytes + 8);
  const Int128 nanos = high * (Int128{1} << 64) + load_little_endian<uint64_t>(bytes);
  return instant_text(static_cast<int64_t>(nanos / kNanosPerDay),
                      static_cast<int64_t>(nanos % kNanosPerDay));
}

std::string text_of_interval(const char* bytes) {
  return fmt::format("{} months, {} days, {} ms", load_little_endian<uint32_t>(bytes),
                     load_little_endian<uint32_t>(bytes + 4),
                     load_little_endian<uint32_t>(bytes + 8));
}

/// Returns what reads nanoseconds of a day and a Julian day as ticks since 1970, and is false for
/// what 64 bits of them do not hold.
auto int96_loader(hub::TimeUnit unit) {
  const int64_t per_second = hub::ticks_per_second(unit);
  const int64_t nanos_per_tick = 1'000'000'000 / per_second;
  return [per_second, nanos_per_tick](const char* bytes, int64_t* out) {
    const auto nanos = load_little_endian<int64_t>(bytes);
    const auto day = load_little_endian<int32_t>(bytes + 8);
    const Int128 ticks = (Int128{day} - kJulianEpoch) * 86400 * per_second + nanos / nanos_per_tick;
    *out = static_cast<int64_t>(ticks);
    // Digits finer than the unit would be lost.
    return ticks == *out && nanos % nanos_per_tick == 0;
  };
}

KernelPtr int96_kernel(Leaf leaf, hub::TimeUnit unit) {
  const bool is_nano = unit == hub::TimeUnit::Nano;
  auto hint = [is_nano, load = int96_loader(is_nano ? hub::TimeUnit::Micro : hub::TimeUnit::Nano)](
                  const char* bytes) -> std::string {
    int64_t ticks = 0;
    if (!load(bytes, &ticks)) return "";
    if (is_nano) {
      return hub::mention(hub::Option::Int96Unit, "us") + " reads years beyond 1677 to 2262";
    }
    return hub::mention(hub::Option::Int96Unit, "ns") + " reads digits finer than a microsecond";
  };
  return twelve_bytes_kernel<int64_t>(std::move(leaf), int96_loader(unit), text_of_int96, hint);
}

/// A little-endian count of 96 bits.
bool load_instant(const char* bytes, int64_t* out) {
  *out = load_little_endian<int64_t>(bytes);
  return load_little_endian<int32_t>(bytes + 8) == (*out < 0 ? -1 : 0);
}

bool load_interval(const char* bytes, MonthDayNano* out) {
  out->months = load_little_endian<int32_t>(bytes);
  out->days = load_little_endian<int32_t>(bytes + 4);
  out->nanos = int64_t{load_little_endian<uint32_t>(bytes + 8)} * 1'000'000;
  return out->months >= 0 && out->days >= 0;
}

void refuse_digits(const Leaf& leaf, int64_t index, const Scope& scope) {
  scope.refuse(
      index, leaf.path,
      fmt::format("expected a value of {}, found one of more digits or of no bytes", leaf.type));
}

/// Decimals of up to 38 or 76 digits, from integers or big-endian bytes.
template <typename Number>
KernelPtr decimal_kernel(Leaf leaf, int precision) {
  return make_kernel([leaf = std::move(leaf), precision](const Array& in, const Scope& scope) {
    auto from = [&](auto load) {
      return loaded<Number>(in, [&](int64_t i, Number* out) {
        if (load(i, out) && fits_digits(*out, precision)) return true;
        refuse_digits(leaf, i, scope);
        return false;
      });
    };
    auto from_integers = [&](const auto* values) {
      return from([values](int64_t i, Number* out) {
        *out = Number{values[i]};
        return true;
      });
    };
    if (leaf.physical == PhysicalType::Int32) return from_integers(in.values<int32_t>());
    if (leaf.physical == PhysicalType::Int64) return from_integers(in.values<int64_t>());
    const StoredBytes bytes(in, leaf);
    return from([&](int64_t i, Number* out) { return load_big_endian(bytes[i], out); });
  });
}

/// Decimals with more than 76 digits stay bytes. Their magnitude is checked.
KernelPtr big_decimal_kernel(Leaf leaf, int precision) {
  std::string most = largest_magnitude(leaf, precision);
  return make_kernel(
      [leaf = std::move(leaf), limit = std::move(most)](const Array& in, const Scope& scope) {
        const StoredBytes bytes(in, leaf);
        for (int64_t i = 0; i < in.length; ++i) {
          if (is_valid(in, i) && !within_magnitude(bytes[i], limit)) refuse_digits(leaf, i, scope);
        }
        return in;
      });
}

/// Notes values of a binary decimal whose first byte only repeats the sign. Not a reason to refuse
/// them: the format says which bytes to write, and the number is the same.
KernelPtr padding_kernel(const Leaf& leaf, std::shared_ptr<Decoder::Notes> notes) {
  if (leaf.physical != PhysicalType::ByteArray) return nullptr;
  return make_kernel([leaf, notes = std::move(notes)](const Array& in, const Scope& scope) {
    const StoredBytes bytes(in, leaf);
    int64_t count = 0;
    int64_t first = 0;
    for (int64_t i = 0; i < in.length; ++i) {
      if (!is_valid(in, i)) continue;
      const std::string_view number = bytes[i];
      if (number.size() < 2) continue;
      const char sign = static_cast<signed char>(number[1]) < 0 ? '\xff' : '\0';
      if (number[0] == sign && count++ == 0) first = i;
    }
    if (count == 0) return in;
    if (const std::optional<int64_t> row = scope.row_of(first)) {
      notes->add(kMoreBytes, leaf.path, count, scope.refusals->first_row() + *row);
    }
    return in;
  });
}

/// Replaces indices by bytes.
Array decoded(const Array& in) {
  return hub::cast::decode_dictionary(in, hub::Kind::Int32, hub::Kind::Binary);
}

/// Says whether a kernel that only looks at values takes all those of the dictionary.
bool takes_entries(const KernelPtr& look, const Array& in) {
  if (!look) return true;
  hub::cast::Refusals refused(0, in.dictionary->length);
  look->run(*in.dictionary, {&refused});
  return refused.empty();
}

/// Replaces indices of dictionary columns by bytes. A kernel that only checks values checks those
/// of the dictionary, and the others only if one of these is rejected.
KernelPtr through_dictionary(KernelPtr leaf, bool only_looks) {
  return make_kernel([leaf = std::move(leaf), only_looks](const Array& in, const Scope& scope) {
    if (in.dictionary == nullptr) return run(leaf, in, scope);
    Array plain = decoded(in);
    if (only_looks && takes_entries(leaf, in)) return plain;
    return run(leaf, plain, scope);
  });
}

/// The same for a column that stays a dictionary.
KernelPtr within_dictionary(KernelPtr look) {
  return make_kernel([look = std::move(look)](const Array& in, const Scope& scope) {
    if (!takes_entries(look, in)) look->run(decoded(in), scope);
    return in;
  });
}

/// Merges the outer group, which may be null, and the repeated field in it into one list.
Array merged(const Array& in, const Scope&) {
  const Array& repeated = in.children[0];
  Array list = start_like(in);
  list.buffers.push_back(repeated.values<int32_t>() + in.offset);
  list.owners.insert(list.owners.end(), repeated.owners.begin(), repeated.owners.end());
  list.children = repeated.children;
  return list;
}

/// Takes the one field out of the struct that an item is.
Array only_field(const Array& in, const Scope&) {
  return slice(in.children[0], in.offset, in.length);
}

/// Rejects entries whose first field is null; `entries` is false if the elements are the keys
/// themselves.
KernelPtr key_kernel(Path path, bool entries) {
  return make_kernel([path = std::move(path), entries](const Array& in, const Scope& scope) {
    const Array keys = entries ? only_field(in, scope) : in;
    for (int64_t i = 0; validity(keys) != nullptr && i < keys.length; ++i) {
      if (!is_valid(keys, i)) scope.refuse(i, path, "expected a key, found null");
    }
    return in;
  });
}

/// Asks for as many raw fields as the schema has.
KernelPtr count_kernel(Path path, size_t count) {
  return make_kernel([path = std::move(path), count](const Array& in, const Scope&) {
    if (in.children.size() == count) return in;
    throw Error(ErrorCode::Internal, fmt::format("{}: expected {} raw fields, found {}",
                                                 path.text(), count, in.children.size()));
  });
}

class LevelCompiler {
 public:
  LevelCompiler(const ToArrowOptions& options, std::shared_ptr<Decoder::Notes> notes)
      : options_(options), notes_(std::move(notes)) {}

  /// `kept` are places of leaves that stay dictionaries.
  KernelPtr fields(const std::vector<Resolved>& fields, const Path& path,
                   const std::vector<size_t>& kept = {}) {
    std::vector<hub::cast::Member> members(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) {
      members[i].source = i;
      const bool stays = std::ranges::find(kept, i) != kept.end();
      members[i].kernel = stays ? kept_leaf(fields[i]) : level(fields[i]);
    }
    return chain(count_kernel(path, fields.size()),
                 hub::cast::struct_kernel(std::move(members), fields.size()));
  }

 private:
  KernelPtr level(const Resolved& resolved) {
    const auto& children = resolved.children;
    switch (resolved.rule) {
      case Rule::Leaf:
        return leaf(resolved);
      case Rule::Struct: {
        KernelPtr members = fields(children, resolved.path);
        if (is_shredded_variant(resolved.node)) {
          return chain(std::move(members), unshred_kernel(resolved));
        }
        if (!hub::is_variant(resolved.field)) return members;
        return chain(std::move(members),
                     hub::cast::variant_check_kernel(resolved.field.type, resolved.path));
      }
      case Rule::Repeated:
        return hub::cast::items_kernel(level(children[0]));
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
        return list(level(children[0]));
      case Rule::ListThreeLevel:
        return list(chain(make_kernel(only_field), level(children[0])));
      case Rule::MapWithoutValue: {
        KernelPtr key = chain(checked_key(resolved, false), level(children[0]));
        return list(chain(make_kernel(only_field), std::move(key)));
      }
      case Rule::Map:
      case Rule::MapByPosition:
      case Rule::MapKeyValueAsMap: {
        KernelPtr entry = chain(checked_key(resolved, true), fields(children, resolved.path));
        return chain(list(std::move(entry)), noted_keys(resolved));
      }
    }
    return nullptr;
  }

  static KernelPtr list(KernelPtr item) {
    return chain(make_kernel(merged), hub::cast::items_kernel(std::move(item)));
  }

  static KernelPtr checked_key(const Resolved& map, bool entries) {
    if (!map.node.child().child().is(Repetition::Optional)) return nullptr;
    return key_kernel(map.children[0].path, entries);
  }

  /// Counts the pairs that repeat a key of their map. All of them are kept: the options of the cast
  /// decide which are dropped or refused.
  KernelPtr noted_keys(const Resolved& map) {
    const hub::Type& type = map.field.type;
    return hub::cast::unique_keys_kernel(
        type.key().type, type.child().type, false,
        [notes = notes_, path = map.path](const Scope& scope, int64_t index, int32_t,
                                          int32_t repeated) {
          if (const std::optional<int64_t> row = scope.row_of(index)) {
            notes->add(kRepeatedKeys, path, repeated, scope.refusals->first_row() + *row);
          }
        });
  }

  KernelPtr leaf(const Resolved& resolved) {
    bool only_looks = false;
    KernelPtr kernel = leaf(resolved, &only_looks);
    if (resolved.node.physical() != PhysicalType::ByteArray) return kernel;
    return through_dictionary(std::move(kernel), only_looks);
  }

  KernelPtr kept_leaf(const Resolved& resolved) {
    bool only_looks = false;
    return within_dictionary(leaf(resolved, &only_looks));
  }

  KernelPtr leaf(const Resolved& resolved, bool* only_looks);

  const ToArrowOptions& options_;
  std::shared_ptr<Decoder::Notes> notes_;
};

KernelPtr LevelCompiler::leaf(const Resolved& resolved, bool* only_looks) {
  using Kind = LogicalType::Kind;
  static constexpr hub::ContentRule kText = {"UTF-8 text", is_valid_utf8};
  static constexpr hub::ContentRule kBson = {"a BSON document", is_valid_bson};
  const LogicalType& logical = resolved.node.logical();
  const hub::Type& type = resolved.field.type;
  const Leaf leaf(resolved);
  switch (logical.kind()) {
    case Kind::String:
    case Kind::Enum:
      *only_looks = true;
      return hub::cast::content_kernel(hub::Kind::Binary, kText, resolved.path);
    case Kind::Json:
      *only_looks = true;
      return hub::cast::content_kernel(hub::Kind::Binary, hub::kJsonContent, resolved.path);
    case Kind::Bson:
      *only_looks = true;
      return hub::cast::content_kernel(hub::Kind::Binary, kBson, resolved.path);
    case Kind::Geometry:
    case Kind::Geography:
      *only_looks = true;
      return hub::cast::content_kernel(hub::Kind::Binary, hub::kWkbContent, resolved.path);
    case Kind::Unknown:
      return null_kernel(leaf);
    case Kind::Time: {
      const int64_t day = 86400 * hub::ticks_per_second(type.unit());
      return leaf.physical == PhysicalType::Int32 ? time_kernel<int32_t>(leaf, day)
                                                  : time_kernel<int64_t>(leaf, day);
    }
    case Kind::Timestamp:
      if (leaf.physical != PhysicalType::FixedLenByteArray || options_.storage) return nullptr;
      return twelve_bytes_kernel<int64_t>(leaf, load_instant, text_of_instant);
    case Kind::Interval:
      if (options_.storage) return nullptr;
      return twelve_bytes_kernel<MonthDayNano>(leaf, load_interval, text_of_interval);
    case Kind::Integer:
      if (logical.bits() == 8) {
        return logical.is_signed() ? narrow_kernel<int8_t>(leaf) : narrow_kernel<uint8_t>(leaf);
      }
      if (logical.bits() == 16) {
        return logical.is_signed() ? narrow_kernel<int16_t>(leaf) : narrow_kernel<uint16_t>(leaf);
      }
      return nullptr;
    case Kind::Decimal: {
      const int digits = logical.precision();
      KernelPtr number = type.kind() == hub::Kind::Decimal128 ? decimal_kernel<Int128>(leaf, digits)
                         : type.kind() == hub::Kind::Decimal256
                             ? decimal_kernel<Int256>(leaf, digits)
                             : big_decimal_kernel(leaf, digits);
      return chain(padding_kernel(leaf, notes_), std::move(number));
    }
    case Kind::None:
      if (leaf.physical != PhysicalType::Int96 || options_.storage) return nullptr;
      return int96_kernel(leaf, options_.int96_unit);
    case Kind::Date:
    case Kind::Uuid:
    case Kind::Float16:
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

Decoder::Decoder(const Schema& schema, const ToArrowOptions& options, Reasons reasons,
                 const std::vector<size_t>& kept)
    : reasons_(reasons), notes_(std::make_shared<Notes>()) {
  Resolution resolution = resolve(schema, options);
  decided_ = std::move(resolution.findings);
  for (const Resolved& column : resolution.columns) schema_.fields.push_back(column.field);
  for (const size_t column : kept) {
    hub::Type& type = schema_.fields.at(column).type;
    type = hub::dictionary(hub::Kind::Int32, type);
  }
  kernel_ = LevelCompiler(options, notes_).fields(resolution.columns, Path(), kept);
}

Decoder::~Decoder() = default;

hub::Batch Decoder::decode(hub::Batch raw) const {
  hub::cast::Refusals refusals(raw.first_row, raw.rows(), reasons_ == Reasons::Every);
  hub::Batch out;
  out.first_row = raw.first_row;
  out.array = kernel_->run(raw.array, {&refusals});
  out.bad = refusals.take(std::move(raw.bad));
  return out;
}

hub::Findings Decoder::Notes::findings() const {
  std::lock_guard lock(mutex_);
  hub::Findings findings;
  for (const Seen& seen : seen_) {
    const bool one = seen.count == 1;
    std::string lost =
        seen.rule == kRepeatedKeys
            ? fmt::format("{} a key of the same map again",
                          one ? "1 pair has" : fmt::format("{} pairs have", seen.count))
            : fmt::format(
                  "{} in more bytes than needed",
                  one ? "1 value is stored" : fmt::format("{} values are stored", seen.count));
    findings.push_back({.rule = seen.rule,
                        .path = seen.path,
                        .lost = fmt::format("{}, first in row {}", lost, seen.first_row)});
  }
  return findings;
}

hub::Findings Decoder::findings() const {
  hub::Findings findings = decided_;
  std::ranges::move(notes_->findings(), std::back_inserter(findings));
  return findings;
}

}  // namespace xwalk::parquet
