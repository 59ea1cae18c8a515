#include "xwalk/hub/checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
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
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t word = 0;
  for (; left >= sizeof(word); at += sizeof(word), left -= sizeof(word)) {
    std::memcpy(&word, at, sizeof(word));
    hash = with_word(hash, word);
  }
  if (left == 0) return hash;
  if (bytes.size() >= sizeof(word)) {
    // The last bytes, of which the first belong to the word before.
    std::memcpy(&word, at + left - sizeof(word), sizeof(word));
    return with_word(hash, word >> (8 * (sizeof(word) - left)));
  }
  word = 0;
  for (size_t i = 0; i < left; ++i) word |= uint64_t{static_cast<uint8_t>(at[i])} << (8 * i);
  return with_word(hash, word);
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

/// Rows whose hashes are computed together, so that they stay in the cache.
constexpr size_t kBlock = 1024;

/// Fills in the hashes of numbers, those of nulls with any value. `T` is how a number is stored.
template <typename T>
void hash_numbers(const Array& array, int64_t first, std::span<uint64_t> hashes) {
  const T* values = array.values<T>() + first;
  for (size_t i = 0; i < hashes.size(); ++i) {
    uint64_t word;
    if constexpr (std::is_floating_point_v<T>) {
      word = real_bits(static_cast<double>(values[i]));
    } else {
      word = static_cast<uint64_t>(static_cast<int64_t>(values[i]));
    }
    hashes[i] = with_word(0, word);
  }
}

/// Does so for text and bytes. `Offset` is how an offset is stored.
template <typename Offset>
void hash_texts(const Array& array, int64_t first, std::span<uint64_t> hashes) {
  const Offset* offsets = array.values<Offset>() + first;
  const char* bytes = array.raw<char>(2);
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] =
        with_bytes(0, {bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])});
  }
}

template <typename Int8, typename Int16, typename Int32, typename Int64>
void hash_integers(int bits, const Array& array, int64_t first, std::span<uint64_t> hashes) {
  if (bits == 8) return hash_numbers<Int8>(array, first, hashes);
  if (bits == 16) return hash_numbers<Int16>(array, first, hashes);
  if (bits == 32) return hash_numbers<Int32>(array, first, hashes);
  hash_numbers<Int64>(array, first, hashes);
}

/// Does so for the kinds that most columns have. Returns false for others.
bool hash_fast(Kind kind, const Array& array, int64_t first, std::span<uint64_t> hashes) {
  const int bits = kind_row(kind).bits;
  if (kind == Kind::Float) {
    hash_numbers<float>(array, first, hashes);
  } else if (kind == Kind::Double) {
    hash_numbers<double>(array, first, hashes);
  } else if (kind == Kind::Bool) {
    const uint64_t of[] = {with_word(0, 0), with_word(0, 1)};
    for (size_t i = 0; i < hashes.size(); ++i) {
      hashes[i] = of[array.bit(first + static_cast<int64_t>(i)) ? 1 : 0];
    }
  } else if (kind == Kind::Utf8 || kind == Kind::Binary) {
    hash_texts<int32_t>(array, first, hashes);
  } else if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
    hash_texts<int64_t>(array, first, hashes);
  } else if (is_integer(kind) && !is_signed_integer(kind)) {
    hash_integers<uint8_t, uint16_t, uint32_t, uint64_t>(bits, array, first, hashes);
  } else if (is_integer(kind) || kind_row(kind).form == Form::Unit || kind == Kind::Timestamp ||
             kind == Kind::Date32 || kind == Kind::Date64) {
    hash_integers<int8_t, int16_t, int32_t, int64_t>(bits, array, first, hashes);
  } else {
    return false;
  }
  return true;
}

/// Fills in the hashes of a column's values, 0 for rows that have none.
void hash_values(const Type& type, const Array& array, int64_t first,
                 std::span<const uint8_t> has_value, std::span<uint64_t> hashes) {
  if (hash_fast(type.kind(), array, first, hashes)) {
    for (size_t i = 0; i < hashes.size(); ++i) hashes[i] &= -uint64_t{has_value[i]};
    return;
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = has_value[i] != 0 ? value_hash(type, array, first + static_cast<int64_t>(i)) : 0;
  }
}

/// Returns 0 for each bad row of a batch, 1 for the others.
std::vector<uint8_t> good_rows(const Batch& batch) {
  std::vector<uint8_t> good(static_cast<size_t>(batch.rows()), 1);
  for (const BadRow& bad : batch.bad) good[static_cast<size_t>(bad.index)] = 0;
  return good;
}

}  // namespace

uint64_t value_hash(const Type& type, const Array& array, int64_t index) {
  return with_value(0, type, array, index);
}

void RowSums::add(const Schema& schema, const Batch& batch) {
  const std::vector<uint8_t> good = good_rows(batch);
  std::vector<uint8_t> has_row = good;
  if (schema.nullable_rows && batch.array.null_count != 0) {
    for (size_t row = 0; row < has_row.size(); ++row) {
      if (batch.array.is_null(static_cast<int64_t>(row))) has_row[row] = 0;
    }
  }
  std::array<uint64_t, kBlock> of_rows;
  std::array<uint64_t, kBlock> of_values;
  std::array<uint8_t, kBlock> has_value;
  for (size_t begin = 0; begin < good.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, good.size() - begin);
    const auto added =
        static_cast<uint64_t>(std::count(&good[begin], &good[begin] + count, uint8_t{1}));
    const int64_t first = batch.array.slot(static_cast<int64_t>(begin));
    of_rows.fill(0);
    for (size_t column = 0; column < columns_.size(); ++column) {
      const Type& type = schema.fields[column].type;
      const Array& array = batch.array.children[column];
      std::copy_n(&has_row[begin], count, has_value.begin());
      if (type.kind() == Kind::Null) has_value.fill(0);
      for (size_t i = 0; array.null_count != 0 && i < count; ++i) {
        if (array.is_null(first + static_cast<int64_t>(i))) has_value[i] = 0;
      }
      hash_values(type, array, first, {has_value.data(), count}, {of_values.data(), count});
      uint64_t values = 0;
      uint64_t sum = 0;
      for (size_t i = 0; i < count; ++i) {
        values += has_value[i];
        sum += of_values[i];
        of_rows[i] = with_word(of_rows[i], of_values[i]);
      }
      columns_[column].values += values;
      columns_[column].nulls += added - values;
      columns_[column].sum += sum;
    }
    rows_ += added;
    for (size_t i = 0; i < count; ++i) sum_ += of_rows[i] & -uint64_t{good[begin + i]};
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
