#include "xwalk/hub/checksum.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "xwalk/hub/distinct.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/value_at.h"

namespace xwalk::hub {
namespace {

constexpr uint64_t kStep = 0x9e3779b97f4a7c15U;

/// Continues a hash with one word.
uint64_t with_word(uint64_t hash, uint64_t word) { return mixed(hash + word + kStep); }

uint64_t with_bytes(uint64_t hash, std::string_view bytes) {
  hash = with_word(hash, bytes.size());
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = with_word(hash, word);
  }
  if (at == bytes.size()) return hash;
  uint64_t last = 0;
  std::memcpy(&last, bytes.data() + at, bytes.size() - at);
  return with_word(hash, last);
}

uint64_t real_bits(double value) {
  return std::isnan(value) ? 0x7ff8000000000000U : std::bit_cast<uint64_t>(value);
}

uint64_t with_value(uint64_t hash, const Type& type, const Array& array, int64_t index);

/// Continues with a value within another, which may be null.
uint64_t with_element(uint64_t hash, const Type& type, const Array& array, int64_t index) {
  if (type.kind() == Kind::Null || array.is_null(index)) return with_word(hash, 0);
  return with_value(with_word(hash, 1), type, array, index);
}

uint64_t with_items(uint64_t hash, const Type& type, const Array& array, int64_t index) {
  const auto [first, count] = items_at(array, type, index);
  hash = with_word(hash, static_cast<uint64_t>(count));
  const Type& item = type.child().type;
  for (int64_t i = first; i < first + count; ++i) {
    hash = with_element(hash, item, array.children[0], i);
  }
  return hash;
}

uint64_t with_interval(uint64_t hash, Kind kind, const Array& array, int64_t index) {
  const char* bytes = array.fixed(index, kind == Kind::IntervalDayTime ? 8 : 16);
  int32_t parts[2];
  std::memcpy(parts, bytes, sizeof(parts));
  hash = with_word(hash, static_cast<uint64_t>(int64_t{parts[0]}));
  hash = with_word(hash, static_cast<uint64_t>(int64_t{parts[1]}));
  if (kind == Kind::IntervalDayTime) return hash;
  int64_t nanos;
  std::memcpy(&nanos, bytes + 8, sizeof(nanos));
  return with_word(hash, static_cast<uint64_t>(nanos));
}

uint64_t with_plain(uint64_t hash, const Type& type, const Array& array, int64_t index) {
  const Kind kind = type.kind();
  if (kind == Kind::Null) return hash;
  if (kind == Kind::Bool) return with_word(hash, array.bit(index) ? 1 : 0);
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return with_word(hash, real_bits(real_at(array, kind, index)));
  }
  if (is_utf8(kind) || is_binary(kind)) return with_bytes(hash, bytes_at(array, type, index));
  if (kind == Kind::IntervalDayTime || kind == Kind::IntervalMonthDayNano) {
    return with_interval(hash, kind, array, index);
  }
  return with_word(hash, static_cast<uint64_t>(integer_at(array, kind, index)));
}

uint64_t with_value(uint64_t hash, const Type& type, const Array& array, int64_t index) {
  switch (kind_row(type.kind()).form) {
    case Form::Plain:
      return with_plain(hash, type, array, index);
    case Form::Unit:
    case Form::Timestamp:
      return with_word(hash, static_cast<uint64_t>(integer_at(array, type.kind(), index)));
    case Form::FixedSizeBinary:
      return with_bytes(hash, bytes_at(array, type, index));
    case Form::Decimal:
      for (const uint64_t limb : decimal_at(array, type.kind(), index).limbs) {
        hash = with_word(hash, limb);
      }
      return hash;
    case Form::List:
    case Form::FixedSizeList:
    case Form::Map:
      return with_items(hash, type, array, index);
    case Form::Struct:
      for (size_t i = 0; i < type.children().size(); ++i) {
        hash = with_element(hash, type.child(i).type, array.children[i], array.slot(index));
      }
      return hash;
    case Form::Union: {
      const auto [which, slot] = alternative_at(array, type, index);
      return with_element(with_word(hash, which), type.child(which).type, array.children[which],
                          slot);
    }
    case Form::Dictionary:
    case Form::RunEndEncoded:
      break;  // the types of sums have neither
  }
  return hash;
}

/// Fills in the hashes of a column's values, 0 for null. `T` is how a number is stored.
template <typename T>
void hash_numbers(const Array& array, int64_t first, std::vector<uint64_t>* hashes) {
  const T* values = array.values<T>() + first;
  for (size_t i = 0; i < hashes->size(); ++i) {
    uint64_t word;
    if constexpr (std::is_floating_point_v<T>) {
      word = real_bits(static_cast<double>(values[i]));
    } else {
      word = static_cast<uint64_t>(static_cast<int64_t>(values[i]));
    }
    (*hashes)[i] = with_word(0, word);
  }
}

/// Does so for the kinds that most numbers and times have. Returns false for others.
bool hash_fast(Kind kind, const Array& array, int64_t first, std::vector<uint64_t>* hashes) {
  const bool is_time = kind_row(kind).form == Form::Unit || kind == Kind::Timestamp ||
                       kind == Kind::Date32 || kind == Kind::Date64;
  const int bits = kind_row(kind).bits;
  if (kind == Kind::Float) {
    hash_numbers<float>(array, first, hashes);
  } else if (kind == Kind::Double) {
    hash_numbers<double>(array, first, hashes);
  } else if (kind == Kind::Uint32) {
    hash_numbers<uint32_t>(array, first, hashes);
  } else if ((is_time || is_integer(kind)) && bits == 32) {
    hash_numbers<int32_t>(array, first, hashes);
  } else if ((is_time || is_integer(kind)) && bits == 64) {
    hash_numbers<int64_t>(array, first, hashes);
  } else {
    return false;
  }
  return true;
}

}  // namespace

uint64_t value_hash(const Type& type, const Array& array, int64_t index) {
  return with_value(0, type, array, index);
}

void RowSums::add(const Schema& schema, const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.rows());
  std::vector<bool> is_bad(rows);
  for (const BadRow& bad : batch.bad) is_bad[static_cast<size_t>(bad.index)] = true;
  const bool has_null_rows = schema.nullable_rows && batch.array.null_count != 0;
  std::vector<uint64_t> of_rows(rows);
  std::vector<uint64_t> hashes(rows);
  const int64_t first = batch.array.offset;
  for (size_t column = 0; column < columns_.size(); ++column) {
    const Type& type = schema.fields[column].type;
    const Array& array = batch.array.children[column];
    ColumnSum& sum = columns_[column];
    const bool is_fast = hash_fast(type.kind(), array, first, &hashes);
    const bool is_null_type = type.kind() == Kind::Null;
    const bool is_whole =
        array.null_count == 0 && batch.bad.empty() && !is_null_type && !has_null_rows;
    for (size_t row = 0; row < rows; ++row) {
      const int64_t at = first + static_cast<int64_t>(row);
      if (!is_whole) {
        const bool is_null = is_null_type || array.is_null(at) ||
                             (has_null_rows && batch.array.is_null(static_cast<int64_t>(row)));
        if (is_bad[row] || is_null) {
          sum.nulls += is_bad[row] ? 0 : 1;
          of_rows[row] = with_word(of_rows[row], 0);
          continue;
        }
      }
      const uint64_t hash = is_fast ? hashes[row] : value_hash(type, array, at);
      ++sum.values;
      sum.sum += hash;
      of_rows[row] = with_word(of_rows[row], hash);
    }
  }
  for (size_t row = 0; row < rows; ++row) {
    if (is_bad[row]) continue;
    ++rows_;
    sum_ += of_rows[row];
  }
}

void RowSums::merge(const RowSums& other) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].values += other.columns_[i].values;
    columns_[i].nulls += other.columns_[i].nulls;
    columns_[i].sum += other.columns_[i].sum;
  }
  rows_ += other.rows_;
  sum_ += other.sum_;
}

}  // namespace xwalk::hub
