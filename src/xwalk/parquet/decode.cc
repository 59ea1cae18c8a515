#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast.h"
#include "xwalk/parquet/column_internal.h"
#include "xwalk/parquet/level_internal.h"
#include "xwalk/parquet/map_keys_internal.h"
#include "xwalk/parquet/values.h"
#include "xwalk/parquet/wide_internal.h"

namespace xwalk::parquet {

using Kind = LogicalType::Kind;

/// What becomes of one column of raw nesting.
struct Decoder::Program {
  enum class Op : uint8_t {
    Same,  ///< the buffers are right as they are
    Null,  ///< no values: a null type has no buffers
    Utf8,  ///< as it is, after a look at the bytes
    Json,
    Bson,
    TimeOfDay32,
    TimeOfDay64,
    Narrow8,  ///< int32 to a byte
    Narrow8U,
    Narrow16,
    Narrow16U,
    Int96,
    Instant12,  ///< 96-bit little-endian count
    Interval,
    Decimal,      ///< two's complement of any storage to 128 bits
    WideDecimal,  ///< to 256 bits
    BigDecimal,   ///< more than 76 digits: stays bytes, only looked at
    Struct,
    ThreeLevel,  ///< struct<list<struct<element>>>
    TwoLevel,    ///< struct<list<element>>
    Entries,     ///< struct<list<struct<key, value>>>
    Repeated,    ///< list<element>
  };
  Op op = Op::Same;
  Path path;
  std::string type;  ///< for messages
  PhysicalType physical = PhysicalType::Boolean;
  int32_t width = 0;  ///< bytes of a fixed value
  int64_t limit = 0;  ///< end of the day; the unit's ticks a second
  Int128 decimal_limit = 0;
  std::string magnitude;  ///< decimals beyond 38 digits
  bool key_may_be_null = false;
  hub::Type key_type;  ///< of Entries
  std::vector<Program> children;
};

namespace {

using Program = Decoder::Program;
using Op = Program::Op;

constexpr std::string_view kRepeatedKeys = "keys.duplicates";
constexpr std::string_view kMoreBytes = "decimal.more-bytes";

int64_t ticks(hub::TimeUnit unit) {
  switch (unit) {
    case hub::TimeUnit::Second:
      return 1;
    case hub::TimeUnit::Milli:
      return 1'000;
    case hub::TimeUnit::Micro:
      return 1'000'000;
    case hub::TimeUnit::Nano:
      return 1'000'000'000;
  }
  return 1;
}

Program compile_leaf(const Resolved& resolved, const ToArrowOptions& options) {
  const Node& node = resolved.node;
  const LogicalType& logical = node.logical();
  Program program;
  program.path = resolved.path;
  program.type = logical ? to_string(logical) : std::string(to_string(node.physical()));
  program.physical = node.physical();
  program.width = node.length();
  const hub::Type& type = resolved.field.type;
  switch (logical.kind()) {
    case Kind::String:
    case Kind::Enum:
      program.op = Op::Utf8;
      break;
    case Kind::Json:
      program.op = Op::Json;
      break;
    case Kind::Bson:
      program.op = Op::Bson;
      break;
    case Kind::Unknown:
      program.op = Op::Null;
      break;
    case Kind::Time:
      program.op = node.physical() == PhysicalType::Int32 ? Op::TimeOfDay32 : Op::TimeOfDay64;
      program.limit = 86400 * ticks(type.unit());
      break;
    case Kind::Timestamp:
      if (node.physical() == PhysicalType::FixedLenByteArray && !options.storage) {
        program.op = Op::Instant12;
      }
      break;
    case Kind::Interval:
      if (!options.storage) program.op = Op::Interval;
      break;
    case Kind::Integer:
      if (logical.bits() == 8) program.op = logical.is_signed() ? Op::Narrow8 : Op::Narrow8U;
      if (logical.bits() == 16) program.op = logical.is_signed() ? Op::Narrow16 : Op::Narrow16U;
      break;
    case Kind::Decimal:
      if (type.kind() == hub::Kind::Decimal128) {
        program.op = Op::Decimal;
        program.decimal_limit = power_of_ten(logical.precision());
      } else {
        program.op = type.kind() == hub::Kind::Decimal256 ? Op::WideDecimal : Op::BigDecimal;
        program.magnitude = largest_magnitude(logical.precision());
      }
      break;
    case Kind::None:
      if (node.physical() == PhysicalType::Int96 && !options.storage) {
        program.op = Op::Int96;
        program.limit = ticks(options.int96_unit);
      }
      break;
    case Kind::Date:
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
      break;
  }
  return program;
}

Program compile(const Resolved& resolved, const ToArrowOptions& options) {
  if (resolved.rule == Rule::Leaf) return compile_leaf(resolved, options);
  Program program;
  program.path = resolved.path;
  for (const Resolved& child : resolved.children) {
    program.children.push_back(compile(child, options));
  }
  switch (resolved.rule) {
    case Rule::Leaf:
    case Rule::Struct:
      program.op = Op::Struct;
      break;
    case Rule::ListThreeLevel:
      program.op = Op::ThreeLevel;
      break;
    case Rule::ListPrimitive:
    case Rule::ListManyFields:
    case Rule::ListOneRepeated:
    case Rule::ListArrayOrTuple:
      program.op = Op::TwoLevel;
      break;
    case Rule::Map:
    case Rule::MapByPosition:
    case Rule::MapKeyValueAsMap:
      program.op = Op::Entries;
      break;
    case Rule::MapWithoutValue:
      program.op = Op::ThreeLevel;
      break;
    case Rule::Repeated:
      program.op = Op::Repeated;
      break;
  }
  if (resolved.rule == Rule::Map || resolved.rule == Rule::MapByPosition ||
      resolved.rule == Rule::MapKeyValueAsMap || resolved.rule == Rule::MapWithoutValue) {
    program.key_may_be_null = resolved.node.child().child().is(Repetition::Optional);
    program.key_type = resolved.children[0].field.type;
  }
  return program;
}

class Run {
 public:
  explicit Run(int64_t first_row) : first_row_(first_row) {}

  Column decode(const Program& program, Column column, const Level* up) {
    if (column.dictionary != nullptr) {
      const Column& values = *column.dictionary;
      bool sound = all_sound(program, values);
      column = expand(column, values);
      if (sound) return column;
    }
    switch (program.op) {
      case Op::Same:
        return column;
      case Op::Null:
        return null(program, column, up);
      case Op::Utf8:
        return utf8(program, std::move(column), up);
      case Op::Json:
        each(program, column, up, "JSON",
             [&](int64_t i) { return is_valid_json(column.value(i)); });
        return column;
      case Op::Bson:
        each(program, column, up, "a BSON document",
             [&](int64_t i) { return is_valid_bson(column.value(i)); });
        return column;
      case Op::TimeOfDay32:
        return time_of_day<int32_t>(program, std::move(column), up);
      case Op::TimeOfDay64:
        return time_of_day<int64_t>(program, std::move(column), up);
      case Op::Narrow8:
        return narrow<int8_t>(program, std::move(column), up);
      case Op::Narrow8U:
        return narrow<uint8_t>(program, std::move(column), up);
      case Op::Narrow16:
        return narrow<int16_t>(program, std::move(column), up);
      case Op::Narrow16U:
        return narrow<uint16_t>(program, std::move(column), up);
      case Op::Int96:
        return int96(program, std::move(column), up);
      case Op::Instant12:
        return instant12(program, std::move(column), up);
      case Op::Interval:
        return interval(program, std::move(column), up);
      case Op::Decimal:
        note_padding(program, column, up);
        return decimal(program, std::move(column), up);
      case Op::WideDecimal:
        note_padding(program, column, up);
        return wide_decimal(program, std::move(column), up);
      case Op::BigDecimal:
        note_padding(program, column, up);
        return big_decimal(program, std::move(column), up);
      case Op::Struct:
        return group(program, std::move(column), up);
      case Op::ThreeLevel:
      case Op::TwoLevel:
      case Op::Entries:
        return list(program, std::move(column), up);
      case Op::Repeated: {
        fold_offset(&column);
        Level level{up, &column, true};
        Column item = decode(program.children[0], std::move(column.children[0]), &level);
        column.children[0] = std::move(item);
        return column;
      }
    }
    throw Error(ErrorCode::Internal, "a column without a program");
  }

  std::vector<hub::BadRow> take_bad(bool every_reason) {
    std::stable_sort(bad_.begin(), bad_.end(),
                     [](const hub::BadRow& a, const hub::BadRow& b) { return a.index < b.index; });
    if (every_reason) return std::move(bad_);
    // The first reason of a row stands for all.
    auto last =
        std::unique(bad_.begin(), bad_.end(),
                    [](const hub::BadRow& a, const hub::BadRow& b) { return a.index == b.index; });
    bad_.erase(last, bad_.end());
    return std::move(bad_);
  }

  std::vector<Decoder::Seen> take_seen() { return std::move(seen_); }

 private:
  /// Marks the row of a value.
  void bad(const Program& program, const Level* up, int64_t index, std::string message,
           std::string_view hint = {}) {
    std::optional<int64_t> row = row_of(up, index);
    if (!row) return;
    Place place;
    place.row = static_cast<uint64_t>(first_row_ + *row);
    place.path = program.path;
    bad_.push_back(
        {*row,
         Error(ErrorCode::Input, std::move(message), std::move(place), std::string(hint)),
         {}});
  }

  template <typename Valid>
  void each(const Program& program, const Column& column, const Level* up, std::string_view what,
            Valid valid) {
    const bool nulls = column.has_nulls();
    for (int64_t i = 0; i < column.length; ++i) {
      if (nulls && !column.valid(i)) continue;
      if (valid(i)) continue;
      bad(program, up, i, fmt::format("expected {}, found {}", what, clipped(column.value(i))));
    }
  }

  Column null(const Program& program, const Column& column, const Level* up) {
    // Booleans, numbers and bytes alike: any value that is there is one too many.
    if (column.null_count != column.length) {
      for (int64_t i = 0; i < column.length; ++i) {
        if (column.valid(i)) bad(program, up, i, "expected null, found a value");
      }
    }
    Column out;
    out.length = column.length;
    out.null_count = column.length;
    return out;
  }

  Column utf8(const Program& program, Column column, const Level* up) {
    if (column.length == 0) return column;
    const int32_t* at = column.offsets() + column.offset;
    std::string_view all(column.bytes() + at[0], static_cast<size_t>(at[column.length] - at[0]));
    bool whole = is_valid_utf8(all);
    // Text cut within a character is valid as a whole and wrong in both parts.
    for (int64_t i = 1; whole && i < column.length; ++i) {
      if (at[i] == at[column.length]) break;
      whole = (static_cast<uint8_t>(column.bytes()[at[i]]) & 0xC0) != 0x80;
    }
    if (!whole) {
      each(program, column, up, "UTF-8 text",
           [&](int64_t i) { return is_valid_utf8(column.value(i)); });
    }
    return column;
  }

  /// Returns true if every value of a dictionary is what its annotation asks for and stays as it
  /// is, so that the values it stands for need no look.
  static bool all_sound(const Program& program, const Column& values) {
    auto all = [&](auto valid) {
      for (int64_t i = 0; i < values.length; ++i) {
        if (!valid(values.value(i))) return false;
      }
      return true;
    };
    switch (program.op) {
      case Op::Same:
        return true;
      case Op::Utf8:
        return all([](std::string_view text) { return is_valid_utf8(text); });
      case Op::Json:
        return all([](std::string_view text) { return is_valid_json(text); });
      case Op::Bson:
        return all([](std::string_view bytes) { return is_valid_bson(bytes); });
      default:
        return false;
    }
  }

  /// Puts the values in place of their indices. Dictionaries are so small that the bytes of a batch
  /// stay within what 32-bit offsets reach.
  static Column expand(const Column& indices, const Column& values) {
    const auto* index = indices.values<int32_t>() + indices.offset;
    const int32_t* starts = values.offsets() + values.offset;
    auto length = static_cast<size_t>(indices.length);
    auto valid_index = [&](int64_t i) {
      return index[i] >= 0 && index[i] < values.length && indices.valid(i);
    };
    auto offsets = allocate((length + 1) * 4);
    auto* ends = static_cast<int32_t*>(offsets.get());
    const bool nulls = indices.has_nulls();
    int64_t total = 0;
    for (size_t i = 0; i < length; ++i) {
      ends[i] = static_cast<int32_t>(total);
      if (nulls && !valid_index(static_cast<int64_t>(i))) continue;
      total += starts[index[i] + 1] - starts[index[i]];
    }
    if (total > INT32_MAX)
      throw Error(ErrorCode::Unsupported, "a batch of more than 2 GiB of text");
    ends[length] = static_cast<int32_t>(total);
    // Values are copied by whole words: what is written too far is written over by the next.
    constexpr size_t kWord = 16;
    auto bytes = allocate(static_cast<size_t>(total) + kWord);
    char* to = static_cast<char*>(bytes.get());
    const char* from = values.bytes();
    const int32_t readable = values.length == 0 ? 0 : starts[values.length];
    for (size_t i = 0; i < length; ++i) {
      auto size = static_cast<size_t>(ends[i + 1] - ends[i]);
      if (size == 0) continue;
      int32_t start = starts[index[i]];
      if (size <= kWord && start + static_cast<int32_t>(kWord) <= readable) {
        std::memcpy(to + ends[i], from + start, kWord);
      } else {
        std::memcpy(to + ends[i], from + start, size);
      }
    }
    Column out;
    out.length = indices.length;
    out.null_count = indices.null_count;
    out.owners = indices.owners;
    out.buffers.resize(3, nullptr);
    if (nulls) {
      out.buffers[0] = indices.buffers[0];
      out.offset = indices.offset;
    }
    if (out.offset != 0) {
      // The validity keeps its offset, so the offsets get as many before them.
      auto shifted = allocate((length + 1 + static_cast<size_t>(out.offset)) * 4);
      auto* moved = static_cast<int32_t*>(shifted.get());
      std::fill(moved, moved + out.offset, 0);
      std::memcpy(moved + out.offset, ends, (length + 1) * 4);
      offsets = std::move(shifted);
    }
    out.set_buffer(1, std::move(offsets));
    out.set_buffer(2, std::move(bytes));
    return out;
  }

  template <typename T>
  Column time_of_day(const Program& program, Column column, const Level* up) {
    const T* values = column.values<T>() + column.offset;
    bool outside = false;
    for (int64_t i = 0; i < column.length; ++i) {
      outside |= values[i] < 0 || values[i] >= program.limit;
    }
    if (outside) {
      for (int64_t i = 0; i < column.length; ++i) {
        if ((values[i] < 0 || values[i] >= program.limit) && column.valid(i)) {
          bad(program, up, i,
              fmt::format("expected a time within a day, found {} of {}", values[i], program.type));
        }
      }
    }
    return column;
  }

  template <typename T>
  Column narrow(const Program& program, Column column, const Level* up) {
    const int32_t* values = column.values<int32_t>();
    auto total = static_cast<size_t>(column.offset + column.length);
    auto out = allocate(total * sizeof(T));
    T* narrow = static_cast<T*>(out.get());
    bool outside = false;
    for (size_t i = static_cast<size_t>(column.offset); i < total; ++i) {
      narrow[i] = static_cast<T>(values[i]);
      outside |= static_cast<int32_t>(narrow[i]) != values[i];
    }
    if (outside) {
      for (int64_t i = 0; i < column.length; ++i) {
        int32_t value = values[column.offset + i];
        if (static_cast<int32_t>(static_cast<T>(value)) != value && column.valid(i)) {
          bad(program, up, i, fmt::format("expected a value of {}, found {}", program.type, value));
        }
      }
    }
    column.set_buffer(1, std::move(out));
    return column;
  }

  /// Fills a new buffer of `Out` from fixed values of `width` bytes, one function call a value.
  template <typename Out, typename Convert>
  Column convert_fixed(const Program& program, Column column, const Level* up, size_t width,
                       Convert convert, std::string_view hint = {}) {
    const char* in = column.values<char>();
    auto out = allocate(static_cast<size_t>(column.offset + column.length) * sizeof(Out));
    char* to = static_cast<char*>(out.get());
    const bool nulls = column.has_nulls();
    for (int64_t i = 0; i < column.length; ++i) {
      auto at = static_cast<size_t>(column.offset + i);
      Out value{};
      if (!nulls || column.valid(i)) {
        if (!convert(in + at * width, &value)) [[unlikely]] {
          bad(program, up, i,
              fmt::format("expected a value of {} that Arrow can hold, found the bytes {}",
                          program.type, to_hex({in + at * width, width})),
              hint);
          value = Out{};
        }
      }
      std::memcpy(to + at * sizeof(Out), &value, sizeof(Out));
    }
    column.set_buffer(1, std::move(out));
    return column;
  }

  Column int96(const Program& program, Column column, const Level* up) {
    constexpr int64_t kJulianEpoch = 2'440'588;
    const int64_t per_second = program.limit;
    const int64_t nanos_per_tick = 1'000'000'000 / per_second;
    return convert_fixed<int64_t>(
        program, std::move(column), up, 12,
        [&](const char* bytes, int64_t* out) {
          int64_t nanos = 0;
          uint32_t day = 0;
          std::memcpy(&nanos, bytes, 8);
          std::memcpy(&day, bytes + 8, 4);
          if constexpr (std::endian::native == std::endian::big) {
            nanos = static_cast<int64_t>(__builtin_bswap64(static_cast<uint64_t>(nanos)));
            day = __builtin_bswap32(day);
          }
          Int128 ticks_of_days =
              (Int128{static_cast<int32_t>(day)} - kJulianEpoch) * 86400 * per_second;
          Int128 total = ticks_of_days + nanos / nanos_per_tick;
          *out = static_cast<int64_t>(total);
          // Digits finer than the unit would be lost.
          return total >= INT64_MIN && total <= INT64_MAX && nanos % nanos_per_tick == 0;
        },
        nanos_per_tick == 1 ? "--int96-unit us reads years beyond 1677 to 2262"
                            : "--int96-unit ns reads digits finer than a microsecond");
  }

  Column instant12(const Program& program, Column column, const Level* up) {
    return convert_fixed<int64_t>(program, std::move(column), up, 12,
                                  [](const char* bytes, int64_t* out) {
                                    uint64_t low = 0;
                                    for (int i = 7; i >= 0; --i)
                                      low = low << 8 | static_cast<uint8_t>(bytes[i]);
                                    uint32_t high = 0;
                                    for (int i = 11; i >= 8; --i)
                                      high = high << 8 | static_cast<uint8_t>(bytes[i]);
                                    *out = static_cast<int64_t>(low);
                                    return high == (*out < 0 ? UINT32_MAX : 0);
                                  });
  }

  struct MonthDayNano {
    int32_t months;
    int32_t days;
    int64_t nanos;
  };

  Column interval(const Program& program, Column column, const Level* up) {
    return convert_fixed<MonthDayNano>(
        program, std::move(column), up, 12, [](const char* bytes, MonthDayNano* out) {
          uint32_t part[3] = {};
          for (int k = 0; k < 3; ++k) {
            for (int i = 3; i >= 0; --i) {
              part[k] = part[k] << 8 | static_cast<uint8_t>(bytes[4 * k + i]);
            }
          }
          out->months = static_cast<int32_t>(part[0]);
          out->days = static_cast<int32_t>(part[1]);
          out->nanos = static_cast<int64_t>(part[2]) * 1'000'000;
          return part[0] <= INT32_MAX && part[1] <= INT32_MAX;
        });
  }

  static bool load_decimal(const char* bytes, size_t width, Int128* out) {
    if (width == 0) return false;
    Uint128 value = static_cast<uint8_t>(bytes[0]) >= 0x80 ? ~Uint128{0} : Uint128{0};
    const Uint128 sign = value;
    size_t skip = width > 16 ? width - 16 : 0;
    // Longer than the number: what is more must repeat the sign.
    for (size_t i = 0; i < skip; ++i) {
      if (static_cast<uint8_t>(bytes[i]) != static_cast<uint8_t>(sign)) return false;
    }
    for (size_t i = skip; i < width; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
    *out = static_cast<Int128>(value);
    return skip == 0 || (*out < 0) == (sign != 0);
  }

  /// Notes values of a binary decimal whose first byte only repeats the sign. Not a reason to
  /// refuse them: the format says which bytes to write, and the number is the same.
  void note_padding(const Program& program, const Column& column, const Level* up) {
    if (program.physical != PhysicalType::ByteArray) return;
    int64_t count = 0;
    int64_t first = -1;
    for (int64_t i = 0; i < column.length; ++i) {
      const std::string_view bytes = column.value(i);
      if (bytes.size() < 2) continue;
      const auto sign = static_cast<uint8_t>(bytes[1]) >= 0x80 ? uint8_t{0xFF} : uint8_t{0};
      if (static_cast<uint8_t>(bytes[0]) != sign || !column.valid(i)) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) return;
    const std::optional<int64_t> row = row_of(up, first);
    if (row) seen_.push_back({kMoreBytes, program.path, count, first_row_ + *row});
  }

  template <typename Out, typename Load>
  Column convert_decimal(const Program& program, Column column, const Level* up, Load load) {
    auto out = allocate(static_cast<size_t>(column.offset + column.length) * sizeof(Out));
    char* to = static_cast<char*>(out.get());
    const bool nulls = column.has_nulls();
    for (int64_t i = 0; i < column.length; ++i) {
      Out value{};
      if (!nulls || column.valid(i)) {
        if (!load(i, &value)) [[unlikely]] {
          bad(program, up, i,
              fmt::format("expected a value of {}, found one of more digits or of "
                          "no bytes",
                          program.type));
          value = Out{};
        }
      }
      std::memcpy(to + static_cast<size_t>(column.offset + i) * sizeof(Out), &value, sizeof(Out));
    }
    column.buffers.resize(2);
    column.set_buffer(1, std::move(out));
    return column;
  }

  Column decimal(const Program& program, Column column, const Level* up) {
    const Int128 limit = program.decimal_limit;
    auto within = [limit](Int128 value) { return value < limit && value > -limit; };
    const Column in = column;
    switch (program.physical) {
      case PhysicalType::Int32:
        return convert_decimal<Int128>(program, std::move(column), up, [&](int64_t i, Int128* out) {
          *out = in.values<int32_t>()[in.offset + i];
          return within(*out);
        });
      case PhysicalType::Int64:
        return convert_decimal<Int128>(program, std::move(column), up, [&](int64_t i, Int128* out) {
          *out = in.values<int64_t>()[in.offset + i];
          return within(*out);
        });
      case PhysicalType::FixedLenByteArray: {
        const auto width = static_cast<size_t>(program.width);
        const char* bytes = in.values<char>() + static_cast<size_t>(in.offset) * width;
        return convert_decimal<Int128>(program, std::move(column), up, [&](int64_t i, Int128* out) {
          return load_decimal(bytes + static_cast<size_t>(i) * width, width, out) && within(*out);
        });
      }
      default:
        return convert_decimal<Int128>(program, std::move(column), up, [&](int64_t i, Int128* out) {
          std::string_view bytes = in.value(i);
          return load_decimal(bytes.data(), bytes.size(), out) && within(*out);
        });
    }
  }

  struct Words {
    uint64_t word[4];  // least first
  };

  Column wide_decimal(const Program& program, Column column, const Level* up) {
    const Column in = column;
    return convert_decimal<Words>(program, std::move(column), up, [&](int64_t i, Words* out) {
      std::string_view bytes = in.value_or_fixed(i, program.physical, program.width);
      if (!within_magnitude(bytes, program.magnitude)) return false;
      uint64_t sign = static_cast<uint8_t>(bytes[0]) >= 0x80 ? ~uint64_t{0} : 0;
      for (uint64_t& word : out->word) word = sign;
      size_t count = std::min<size_t>(bytes.size(), 32);
      for (size_t k = 0; k < count; ++k) {
        uint64_t byte = static_cast<uint8_t>(bytes[bytes.size() - 1 - k]);
        size_t shift = k % 8 * 8;
        out->word[k / 8] = (out->word[k / 8] & ~(uint64_t{0xFF} << shift)) | byte << shift;
      }
      return true;
    });
  }

  Column big_decimal(const Program& program, Column column, const Level* up) {
    const bool nulls = column.has_nulls();
    for (int64_t i = 0; i < column.length; ++i) {
      if (nulls && !column.valid(i)) continue;
      if (within_magnitude(column.value_or_fixed(i, program.physical, program.width),
                           program.magnitude))
        continue;
      bad(program, up, i,
          fmt::format("expected a value of {}, found one of more digits or of no bytes",
                      program.type));
    }
    return column;
  }

  Column group(const Program& program, Column column, const Level* up) {
    if (column.children.size() != program.children.size()) {
      throw Error(ErrorCode::Internal,
                  fmt::format("{}: expected {} raw fields, found {}", program.path.text(),
                              program.children.size(), column.children.size()));
    }
    std::vector<Column> raw = std::move(column.children);
    Level level{up, &column, false};
    std::vector<Column> decoded;
    for (size_t i = 0; i < raw.size(); ++i) {
      decoded.push_back(decode(program.children[i], std::move(raw[i]), &level));
    }
    column.children = std::move(decoded);
    return column;
  }

  /// Makes a list's offset 0 by moving the pointer to its offsets; its validity is not used.
  static void fold_offset(Column* list) {
    if (list->offset == 0) return;
    list->buffers[1] = list->offsets() + list->offset;
    list->buffers[0] = nullptr;
    list->null_count = 0;
    list->offset = 0;
  }

  /// Merges the outer group, which may be null, and the repeated field in it into one list.
  Column list(const Program& program, Column outer, const Level* up) {
    Column repeated = std::move(outer.children[0]);
    fold_offset(&repeated);
    Column list;
    list.length = outer.length;
    list.offset = outer.offset;
    list.null_count = outer.null_count;
    list.buffers = {outer.buffers[0], repeated.buffers[1]};
    list.owners = std::move(outer.owners);
    list.owners.insert(list.owners.end(), repeated.owners.begin(), repeated.owners.end());
    Level level{up, &list, true};
    Column item = std::move(repeated.children[0]);
    if (program.op == Op::TwoLevel) {
      list.children.push_back(decode(program.children[0], std::move(item), &level));
      return list;
    }
    if (program.op == Op::ThreeLevel) {
      Column element = std::move(item.children[0]);
      element.advance(item.offset, item.length);
      if (program.key_may_be_null) check_keys(program, element, &level);
      list.children.push_back(decode(program.children[0], std::move(element), &level));
      return list;
    }
    std::vector<Column> parts = std::move(item.children);
    item.buffers[0] = nullptr;
    item.null_count = 0;
    Level entry{&level, &item, false};
    if (program.key_may_be_null) check_keys(program, parts[0], &entry);
    for (size_t i = 0; i < parts.size(); ++i) {
      Column part = decode(program.children[i], std::move(parts[i]), &entry);
      item.children.push_back(std::move(part));
    }
    count_repeated_keys(program, list, item, up);
    list.children.push_back(std::move(item));
    return list;
  }

  void count_repeated_keys(const Program& program, const Column& list, const Column& item,
                           const Level* up) {
    RepeatedKeys keys(item.children[0], program.key_type);
    const int32_t* at = list.offsets() + list.offset;
    int64_t pairs = 0;
    std::optional<int64_t> first;
    for (int64_t i = 0; i < list.length; ++i) {
      if (at[i + 1] - at[i] < 2 || !list.valid(i)) continue;
      int64_t repeated = keys.count(item.offset + at[i], item.offset + at[i + 1]);
      if (repeated == 0) continue;
      std::optional<int64_t> row = row_of(up, i);
      if (!row) continue;
      pairs += repeated;
      if (!first) first = first_row_ + *row;
    }
    if (first) seen_.push_back({kRepeatedKeys, program.path, pairs, *first});
  }

  void check_keys(const Program& program, const Column& keys, const Level* up) {
    if (!keys.has_nulls()) return;
    for (int64_t i = 0; i < keys.length; ++i) {
      if (!keys.valid(i)) bad(program, up, i, "expected a key, found null");
    }
  }

  int64_t first_row_;
  std::vector<hub::BadRow> bad_;
  std::vector<Decoder::Seen> seen_;
};

bool has_entries(const Program& program) {
  return program.op == Op::Entries || std::ranges::any_of(program.children, has_entries);
}

Node physical_node(const Node& node) {
  NodeData data;
  data.name = node.name();
  data.repetition = node.repetition();
  data.physical = node.data().physical;
  data.length = node.length();
  data.id = node.id();
  if (data.physical == PhysicalType::Int96) {
    data.physical = PhysicalType::FixedLenByteArray;
    data.length = 12;
  }
  for (const Node& child : node.children()) data.children.push_back(physical_node(child));
  return Node(std::move(data));
}

}  // namespace

Schema physical_schema(const Schema& schema) { return Schema(physical_node(schema.root())); }

hub::Schema physical_arrow(const Schema& schema) {
  return hub::without_annotations(to_arrow(physical_schema(schema)));
}

Decoder::Decoder(const Schema& schema, const ToArrowOptions& options, Reasons reasons)
    : reasons_(reasons) {
  Resolution resolution = resolve(schema, options);
  decided_ = std::move(resolution.findings);
  for (const Resolved& column : resolution.columns) {
    schema_.fields.push_back(column.field);
    columns_.push_back(compile(column, options));
  }
  if (std::ranges::any_of(columns_, has_entries)) {
    last_values_ = std::make_unique<hub::CompiledCast>(
        hub::compile_cast(schema_, schema_, {.duplicate_keys = hub::DuplicateKeys::Last}));
  }
}

Decoder::~Decoder() = default;

hub::Batch Decoder::decode(hub::Batch raw) const {
  Column root = take_apart(std::move(raw.array));
  if (root.children.size() != columns_.size()) {
    throw Error(ErrorCode::Internal, fmt::format("expected {} raw columns, found {}",
                                                 columns_.size(), root.children.size()));
  }
  Run run(raw.first_row);
  std::vector<Column> children = std::move(root.children);
  Level level{nullptr, &root, false};
  for (size_t i = 0; i < children.size(); ++i) {
    Column column = run.decode(columns_[i], std::move(children[i]), &level);
    root.children.push_back(std::move(column));
  }
  hub::Batch out;
  out.first_row = raw.first_row;
  out.bad = run.take_bad(reasons_ == Reasons::Every);
  for (hub::BadRow& row : raw.bad) out.bad.push_back(std::move(row));
  out.array = put_together(std::move(root));
  const std::vector<Seen> seen = run.take_seen();
  if (!seen.empty()) note(seen);
  if (std::ranges::find(seen, kRepeatedKeys, &Seen::rule) == seen.end()) return out;
  std::vector<hub::BadRow> bad = std::move(out.bad);
  out.bad.clear();
  out = last_values_->run(std::move(out));
  out.bad = std::move(bad);
  return out;
}

void Decoder::note(const std::vector<Seen>& seen) const {
  std::lock_guard lock(mutex_);
  for (const Seen& found : seen) {
    auto known = std::ranges::find_if(seen_, [&](const Seen& other) {
      return other.rule == found.rule && other.path == found.path;
    });
    if (known == seen_.end()) {
      seen_.push_back(found);
      continue;
    }
    known->count += found.count;
    known->first_row = std::min(known->first_row, found.first_row);
  }
}

hub::Findings Decoder::findings() const {
  std::lock_guard lock(mutex_);
  hub::Findings findings = decided_;
  for (const Seen& seen : seen_) {
    const bool one = seen.count == 1;
    std::string lost =
        seen.rule == kRepeatedKeys
            ? fmt::format("{} of repeated keys gave way to the last of each key",
                          one ? "1 pair" : fmt::format("{} pairs", seen.count))
            : fmt::format("{} in more bytes than needed",
                          one ? "1 value stands" : fmt::format("{} values stand", seen.count));
    findings.push_back({.rule = seen.rule,
                        .path = seen.path,
                        .lost = fmt::format("{}, first in row {}", lost, seen.first_row)});
  }
  return findings;
}

}  // namespace xwalk::parquet
