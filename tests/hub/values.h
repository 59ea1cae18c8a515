#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"

// A plain model of values, and arrays of any type from it and back: slow, short, and written apart
// from the library's kernels, so that it can judge them.

namespace xwalk::hub::testing {

struct Value {
  enum class Tag { Null, Number, Real, Text, Items };
  Tag tag = Tag::Null;
  Int256 number;  ///< integers, ticks, unscaled decimals, bools; a union's alternative
  double real = 0;
  std::string text;
  std::vector<Value> items;  ///< list items, members, pairs, parts of an interval, the alternative

  Value() = default;
  Value(int value) : tag(Tag::Number), number(value) {}
  Value(int64_t value) : tag(Tag::Number), number(value) {}
  Value(Int128 value) : tag(Tag::Number), number(value) {}
  Value(Int256 value) : tag(Tag::Number), number(value) {}
  Value(double value) : tag(Tag::Real), real(value) {}
  Value(const char* value) : tag(Tag::Text), text(value) {}
  Value(std::string value) : tag(Tag::Text), text(std::move(value)) {}
  Value(std::vector<Value> values) : tag(Tag::Items), items(std::move(values)) {}

  friend bool operator==(const Value& a, const Value& b) {
    if (a.tag != b.tag) return false;
    if (a.tag == Tag::Real) {
      if (std::isnan(a.real) && std::isnan(b.real)) return true;
      return a.real == b.real && std::signbit(a.real) == std::signbit(b.real);
    }
    return a.number == b.number && a.text == b.text && a.items == b.items;
  }
};

inline Value null() { return {}; }
inline Value items(std::vector<Value> values) { return Value(std::move(values)); }
inline Value alternative(int index, Value value) {
  Value out(std::vector<Value>{std::move(value)});
  out.number = Int256(index);
  return out;
}

inline std::string to_text(const Value& value) {
  switch (value.tag) {
    case Value::Tag::Null:
      return "null";
    case Value::Tag::Number:
      return to_decimal_text(value.number);
    case Value::Tag::Real:
      return std::to_string(value.real);
    case Value::Tag::Text:
      return '"' + value.text + '"';
    case Value::Tag::Items:
      break;
  }
  std::string out = value.number == Int256(0) ? "[" : to_decimal_text(value.number) + ":[";
  for (const Value& item : value.items) out += to_text(item) + ", ";
  return out + "]";
}
inline void PrintTo(const Value& value, std::ostream* out) { *out << to_text(value); }

namespace internal {

inline void put_number(const Value& value, int64_t width, char* out) {
  char bytes[32];
  store_little_endian(value.tag == Value::Tag::Number ? value.number : Int256(0), bytes);
  std::memcpy(out, bytes, static_cast<size_t>(width));
}

inline uint16_t half_bits(double value) {
  // By search: the halves of one sign ascend with their bits.
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  auto at = [](uint16_t bits) -> double {
    const int exponent = bits >> 10;
    const double mantissa = bits & 0x3ff;
    if (exponent == 31) return mantissa == 0 ? INFINITY : NAN;
    return exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  };
  if (std::isnan(value)) return 0x7e00;
  uint16_t low = 0;
  uint16_t high = 0x7c00;
  while (low < high) {
    const auto middle = static_cast<uint16_t>((low + high) / 2);
    if (at(middle) < std::fabs(value)) {
      low = static_cast<uint16_t>(middle + 1);
    } else {
      high = middle;
    }
  }
  return static_cast<uint16_t>(sign | low);
}

inline double half_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double mantissa = bits & 0x3ff;
  double value = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(mantissa + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <typename Offset>
void put_offsets(Array& out, const std::vector<int64_t>& offsets) {
  Buffer buffer(static_cast<int64_t>(offsets.size() * sizeof(Offset)));
  for (size_t i = 0; i < offsets.size(); ++i) {
    buffer.as<Offset>()[i] = static_cast<Offset>(offsets[i]);
  }
  attach(out, buffer);
}

inline void put_bytes(Array& out, const std::string& bytes) {
  Buffer buffer(static_cast<int64_t>(bytes.size()));
  std::memcpy(buffer.as<char>(), bytes.data(), bytes.size());
  attach(out, buffer);
}

}  // namespace internal

/// Builds an array. Nulls of a level become zeros below it.
inline Array build(const Type& type, const std::vector<Value>& values) {
  const Kind kind = type.kind();
  const auto length = static_cast<int64_t>(values.size());
  Array out;
  out.length = length;
  out.null_count = 0;
  if (has_validity(kind)) {
    Buffer bits((length + 7) / 8);
    std::memset(bits.as<char>(), 0, static_cast<size_t>((length + 7) / 8));
    for (int64_t i = 0; i < length; ++i) {
      if (values[static_cast<size_t>(i)].tag == Value::Tag::Null) {
        ++out.null_count;
      } else {
        set_bit(bits.as<uint8_t>(), i);
      }
    }
    if (out.null_count == 0) {
      out.buffers.push_back(nullptr);
    } else {
      attach(out, bits);
    }
  }
  auto item_lists = [&] {
    std::vector<int64_t> offsets = {0};
    std::vector<Value> all;
    for (const Value& value : values) {
      all.insert(all.end(), value.items.begin(), value.items.end());
      offsets.push_back(static_cast<int64_t>(all.size()));
    }
    out.children.push_back(build(type.child().type, all));
    return offsets;
  };
  auto views = [&](std::vector<int64_t> offsets, auto offset_of) {
    using Offset = decltype(offset_of);
    std::vector<int64_t> sizes;
    for (size_t i = 0; i + 1 < offsets.size(); ++i) sizes.push_back(offsets[i + 1] - offsets[i]);
    offsets.pop_back();
    internal::put_offsets<Offset>(out, offsets);
    internal::put_offsets<Offset>(out, sizes);
  };
  switch (kind) {
    case Kind::Null:
      out.null_count = length;
      return out;
    case Kind::Bool: {
      Buffer bits((length + 7) / 8);
      std::memset(bits.as<char>(), 0, static_cast<size_t>((length + 7) / 8));
      for (int64_t i = 0; i < length; ++i) {
        if (values[static_cast<size_t>(i)].number != Int256(0)) {
          set_bit(bits.as<uint8_t>(), i);
        }
      }
      attach(out, bits);
      return out;
    }
    case Kind::HalfFloat: {
      std::string bytes;
      for (const Value& value : values) {
        const uint16_t bits = internal::half_bits(value.real);
        bytes.append(static_cast<const char*>(static_cast<const void*>(&bits)), 2);
      }
      internal::put_bytes(out, bytes);
      return out;
    }
    case Kind::Float:
    case Kind::Double: {
      std::string bytes;
      for (const Value& value : values) {
        const auto narrow = static_cast<float>(value.real);
        const void* at = kind == Kind::Float ? static_cast<const void*>(&narrow)
                                             : static_cast<const void*>(&value.real);
        bytes.append(static_cast<const char*>(at), kind == Kind::Float ? 4 : 8);
      }
      internal::put_bytes(out, bytes);
      return out;
    }
    case Kind::IntervalDayTime:
    case Kind::IntervalMonthDayNano: {
      std::string bytes;
      for (const Value& value : values) {
        const std::vector<int64_t> widths = kind == Kind::IntervalDayTime
                                                ? std::vector<int64_t>{4, 4}
                                                : std::vector<int64_t>{4, 4, 8};
        for (size_t i = 0; i < widths.size(); ++i) {
          char part[8] = {};
          if (!value.items.empty()) internal::put_number(value.items[i], widths[i], part);
          bytes.append(part, static_cast<size_t>(widths[i]));
        }
      }
      internal::put_bytes(out, bytes);
      return out;
    }
    case Kind::FixedSizeBinary: {
      std::string bytes;
      for (const Value& value : values) {
        std::string text = value.text;
        text.resize(static_cast<size_t>(type.size()));
        bytes += text;
      }
      internal::put_bytes(out, bytes);
      return out;
    }
    case Kind::Utf8:
    case Kind::Binary:
    case Kind::LargeUtf8:
    case Kind::LargeBinary: {
      std::vector<int64_t> offsets = {0};
      std::string bytes;
      for (const Value& value : values) {
        bytes += value.text;
        offsets.push_back(static_cast<int64_t>(bytes.size()));
      }
      if (kind == Kind::Utf8 || kind == Kind::Binary) {
        internal::put_offsets<int32_t>(out, offsets);
      } else {
        internal::put_offsets<int64_t>(out, offsets);
      }
      internal::put_bytes(out, bytes);
      return out;
    }
    case Kind::Utf8View:
    case Kind::BinaryView: {
      std::string bytes;
      std::string long_ones;
      for (const Value& value : values) {
        int32_t words[4] = {static_cast<int32_t>(value.text.size()), 0, 0, 0};
        if (value.text.size() <= 12) {
          std::memcpy(&words[1], value.text.data(), value.text.size());
        } else {
          std::memcpy(&words[1], value.text.data(), 4);
          words[3] = static_cast<int32_t>(long_ones.size());
          long_ones += value.text;
        }
        bytes.append(static_cast<const char*>(static_cast<const void*>(words)), 16);
      }
      internal::put_bytes(out, bytes);
      internal::put_bytes(out, long_ones);
      internal::put_offsets<int64_t>(out, {static_cast<int64_t>(long_ones.size())});
      return out;
    }
    case Kind::List:
    case Kind::Map:
      internal::put_offsets<int32_t>(out, item_lists());
      return out;
    case Kind::LargeList:
      internal::put_offsets<int64_t>(out, item_lists());
      return out;
    case Kind::ListView:
      views(item_lists(), int32_t{});
      return out;
    case Kind::LargeListView:
      views(item_lists(), int64_t{});
      return out;
    case Kind::FixedSizeList: {
      std::vector<Value> all;
      for (const Value& value : values) {
        std::vector<Value> padded = value.items;
        padded.resize(static_cast<size_t>(type.size()));
        all.insert(all.end(), padded.begin(), padded.end());
      }
      out.children.push_back(build(type.child().type, all));
      return out;
    }
    case Kind::Struct:
      for (size_t child = 0; child < type.children().size(); ++child) {
        std::vector<Value> column;
        for (const Value& value : values) {
          column.push_back(value.tag == Value::Tag::Null ? null() : value.items[child]);
        }
        out.children.push_back(build(type.child(child).type, column));
      }
      return out;
    case Kind::DenseUnion:
    case Kind::SparseUnion: {
      const bool dense = kind == Kind::DenseUnion;
      std::vector<std::vector<Value>> columns(type.children().size());
      std::string codes;
      std::vector<int64_t> offsets;
      for (const Value& value : values) {
        const auto chosen = static_cast<size_t>(value.number.low128());
        codes.push_back(static_cast<char>(type.type_codes()[chosen]));
        for (size_t child = 0; child < columns.size(); ++child) {
          if (child == chosen) {
            offsets.push_back(static_cast<int64_t>(columns[child].size()));
            columns[child].push_back(value.items.empty() ? null() : value.items[0]);
          } else if (!dense) {
            columns[child].push_back(null());
          }
        }
      }
      internal::put_bytes(out, codes);
      if (dense) internal::put_offsets<int32_t>(out, offsets);
      for (size_t child = 0; child < columns.size(); ++child) {
        out.children.push_back(build(type.child(child).type, columns[child]));
      }
      return out;
    }
    case Kind::Dictionary: {
      // Every value has its own entry, in reverse, so that indices matter.
      std::vector<Value> entries(values.rbegin(), values.rend());
      std::string bytes;
      const int64_t width = *fixed_bits(Type(type.index_kind())) / 8;
      for (size_t i = 0; i < values.size(); ++i) {
        char index[32];
        internal::put_number(Value(static_cast<int64_t>(values.size() - 1 - i)), width, index);
        bytes.append(index, static_cast<size_t>(width));
      }
      internal::put_bytes(out, bytes);
      out.dictionary = std::make_shared<Array>(build(type.child().type, entries));
      return out;
    }
    case Kind::RunEndEncoded: {
      std::vector<Value> ends;
      std::vector<Value> runs;
      for (size_t i = 0; i < values.size(); ++i) {
        if (!runs.empty() && runs.back() == values[i]) {
          ends.back() = Value(static_cast<int64_t>(i + 1));
        } else {
          runs.push_back(values[i]);
          ends.emplace_back(static_cast<int64_t>(i + 1));
        }
      }
      out.children = {build(type.child(0).type, ends), build(type.child(1).type, runs)};
      return out;
    }
    default: {
      const int64_t width = *fixed_bits(type) / 8;
      std::string bytes;
      for (const Value& value : values) {
        char number[32];
        internal::put_number(value, width, number);
        bytes.append(number, static_cast<size_t>(width));
      }
      internal::put_bytes(out, bytes);
      return out;
    }
  }
}

/// Reads one element of an array.
inline Value read(const Array& array, const Type& type, int64_t index) {
  const Kind kind = type.kind();
  if (kind == Kind::Null || (has_validity(kind) && !is_valid(array, index))) {
    return null();
  }
  auto number = [](const Array& from, int64_t at, int64_t width, bool is_signed) {
    Int256 value(0);
    const auto* bytes = from.raw<uint8_t>(1) + (from.offset + at) * width;
    if (is_signed && (bytes[width - 1] & 0x80) != 0) value = Int256(-1);
    std::memcpy(value.limbs.data(), bytes, static_cast<size_t>(width));
    return Value(value);
  };
  auto list_of = [&](const Array& child, int64_t first, int64_t count) {
    std::vector<Value> out;
    for (int64_t i = 0; i < count; ++i) out.push_back(read(child, type.child().type, first + i));
    return Value(std::move(out));
  };
  switch (kind) {
    case Kind::Bool:
      return Value(bit_is_set(array.raw<uint8_t>(1), array.offset + index) ? 1 : 0);
    case Kind::HalfFloat:
      return Value(internal::half_value(array.values<uint16_t>()[index]));
    case Kind::Float:
      return Value(static_cast<double>(array.values<float>()[index]));
    case Kind::Double:
      return Value(array.values<double>()[index]);
    case Kind::IntervalDayTime: {
      const auto* at = array.raw<int32_t>(1) + (array.offset + index) * 2;
      return items({Value(at[0]), Value(at[1])});
    }
    case Kind::IntervalMonthDayNano: {
      const char* at = array.raw<char>(1) + (array.offset + index) * 16;
      int32_t words[2];
      int64_t nanos;
      std::memcpy(words, at, 8);
      std::memcpy(&nanos, at + 8, 8);
      return items({Value(words[0]), Value(words[1]), Value(nanos)});
    }
    case Kind::FixedSizeBinary:
      return Value(std::string(array.raw<char>(1) + (array.offset + index) * type.size(),
                               static_cast<size_t>(type.size())));
    case Kind::Utf8:
    case Kind::Binary: {
      const auto* offsets = array.values<int32_t>(1);
      return Value(std::string(array.raw<char>(2) + offsets[index],
                               static_cast<size_t>(offsets[index + 1] - offsets[index])));
    }
    case Kind::LargeUtf8:
    case Kind::LargeBinary: {
      const auto* offsets = array.values<int64_t>(1);
      return Value(std::string(array.raw<char>(2) + offsets[index],
                               static_cast<size_t>(offsets[index + 1] - offsets[index])));
    }
    case Kind::Utf8View:
    case Kind::BinaryView: {
      const char* view = array.raw<char>(1) + (array.offset + index) * 16;
      int32_t words[4];
      std::memcpy(words, view, 16);
      const auto size = static_cast<size_t>(words[0]);
      if (size <= 12) return Value(std::string(view + 4, size));
      return Value(
          std::string(array.raw<char>(2 + static_cast<size_t>(words[2])) + words[3], size));
    }
    case Kind::List:
    case Kind::Map: {
      const auto* offsets = array.values<int32_t>(1);
      return list_of(array.children[0], offsets[index], offsets[index + 1] - offsets[index]);
    }
    case Kind::LargeList: {
      const auto* offsets = array.values<int64_t>(1);
      return list_of(array.children[0], offsets[index], offsets[index + 1] - offsets[index]);
    }
    case Kind::ListView:
      return list_of(array.children[0], array.values<int32_t>(1)[index],
                     array.values<int32_t>(2)[index]);
    case Kind::LargeListView:
      return list_of(array.children[0], array.values<int64_t>(1)[index],
                     array.values<int64_t>(2)[index]);
    case Kind::FixedSizeList:
      return list_of(array.children[0], (array.offset + index) * type.size(), type.size());
    case Kind::Struct: {
      std::vector<Value> out;
      for (size_t child = 0; child < type.children().size(); ++child) {
        out.push_back(read(array.children[child], type.child(child).type, array.offset + index));
      }
      return Value(std::move(out));
    }
    case Kind::DenseUnion:
    case Kind::SparseUnion: {
      const int8_t code = array.values<int8_t>(0)[index];
      size_t child = 0;
      while (type.type_codes()[child] != code) ++child;
      const int64_t at =
          kind == Kind::DenseUnion ? array.values<int32_t>(1)[index] : array.offset + index;
      return alternative(static_cast<int>(child),
                         read(array.children[child], type.child(child).type, at));
    }
    case Kind::Dictionary: {
      const Value at = number(array, index, *fixed_bits(Type(type.index_kind())) / 8, true);
      return read(*array.dictionary, type.child().type, static_cast<int64_t>(at.number.low128()));
    }
    case Kind::RunEndEncoded: {
      int64_t run = 0;
      while (read(array.children[0], type.child(0).type, run).number <=
             Int256(array.offset + index)) {
        ++run;
      }
      return read(array.children[1], type.child(1).type, run);
    }
    default:
      return number(array, index, *fixed_bits(type) / 8,
                    !(kind >= Kind::Uint8 && kind <= Kind::Uint64));
  }
}

/// Makes a batch of one row struct a row; `rows[i]` has one item a column.
inline Batch make_batch(const Schema& schema, const std::vector<Value>& rows) {
  Batch batch;
  batch.array = build(struct_(schema.fields), rows);
  return batch;
}

/// Reads every row of a batch.
inline std::vector<Value> read_batch(const Schema& schema, const Batch& batch) {
  const Array& rows = batch.array;
  std::vector<Value> out;
  for (int64_t i = 0; i < rows.length; ++i) out.push_back(read(rows, struct_(schema.fields), i));
  return out;
}

}  // namespace xwalk::hub::testing
