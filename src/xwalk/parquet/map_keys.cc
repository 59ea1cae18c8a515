#include <algorithm>
#include <cmath>

#include "xwalk/parquet/map_keys_internal.h"

namespace xwalk::parquet {
namespace {

/// Up to here each key is compared with each other one; beyond, they are sorted.
constexpr int64_t kPairwise = 8;

/// Returns the bytes of a value by which it is compared; 0 for text and for what is compared some
/// other way.
size_t width_of(const hub::Type& type) {
  switch (type.kind()) {
    case hub::Kind::Int8:
    case hub::Kind::Uint8:
      return 1;
    case hub::Kind::Int16:
    case hub::Kind::Uint16:
      return 2;
    case hub::Kind::Int32:
    case hub::Kind::Uint32:
    case hub::Kind::Date32:
    case hub::Kind::Time32:
      return 4;
    case hub::Kind::Int64:
    case hub::Kind::Uint64:
    case hub::Kind::Time64:
    case hub::Kind::Timestamp:
      return 8;
    case hub::Kind::Decimal128:
    case hub::Kind::IntervalMonthDayNano:
      return 16;
    case hub::Kind::Decimal256:
      return 32;
    case hub::Kind::FixedSizeBinary:
      return static_cast<size_t>(type.size());
    default:
      return 0;
  }
}

bool is_text(const hub::Type& type) {
  return type.kind() == hub::Kind::Utf8 || type.kind() == hub::Kind::Binary;
}

template <typename T>
void append_float(T value, std::string* out) {
  if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void append_size(int64_t size, std::string* out) {
  out->append(reinterpret_cast<const char*>(&size), sizeof(size));
}

/// Writes a key so that equal keys, and only they, have equal bytes.
void append_key(const Column& column, const hub::Type& type, int64_t index, std::string* out) {
  if (type.kind() == hub::Kind::Null || !column.valid(index)) {
    out->push_back('\0');
    return;
  }
  out->push_back('\1');
  if (size_t width = width_of(type)) {
    out->append(column.values<char>() + static_cast<size_t>(column.offset + index) * width, width);
    return;
  }
  if (is_text(type)) {
    std::string_view text = column.value(index);
    append_size(static_cast<int64_t>(text.size()), out);
    out->append(text);
    return;
  }
  switch (type.kind()) {
    case hub::Kind::Bool: {
      int64_t bit = column.offset + index;
      out->push_back(static_cast<char>((column.values<uint8_t>()[bit >> 3] >> (bit & 7)) & 1));
      return;
    }
    case hub::Kind::HalfFloat: {
      uint16_t half = column.values<uint16_t>()[column.offset + index];
      if ((half & 0x7FFF) > 0x7C00) half = 0x7E00;
      out->append(reinterpret_cast<const char*>(&half), sizeof(half));
      return;
    }
    case hub::Kind::Float:
      append_float(column.values<float>()[column.offset + index], out);
      return;
    case hub::Kind::Double:
      append_float(column.values<double>()[column.offset + index], out);
      return;
    case hub::Kind::Struct:
      for (size_t i = 0; i < column.children.size(); ++i) {
        append_key(column.children[i], type.child(i).type, column.offset + index, out);
      }
      return;
    default: {  // lists and maps
      const int32_t* at = column.offsets() + column.offset + index;
      append_size(at[1] - at[0], out);
      for (int32_t i = at[0]; i < at[1]; ++i) {
        append_key(column.children[0], type.child().type, i, out);
      }
      return;
    }
  }
}

}  // namespace

RepeatedKeys::RepeatedKeys(const Column& keys, const hub::Type& type)
    : keys_(keys), type_(type), width_(width_of(type)), composite_(width_ == 0 && !is_text(type)) {}

std::string_view RepeatedKeys::bytes_of(int64_t index) {
  if (width_ > 0) {
    return {keys_.values<char>() + static_cast<size_t>(keys_.offset + index) * width_, width_};
  }
  return keys_.value(index);
}

int64_t RepeatedKeys::count(int64_t begin, int64_t end) {
  if (end - begin < 2) return 0;
  sorted_.clear();
  if (composite_) {
    written_.clear();
    ends_.clear();
    for (int64_t i = begin; i < end; ++i) {
      append_key(keys_, type_, i, &written_);
      ends_.push_back(written_.size());
    }
    size_t start = 0;
    for (size_t key_end : ends_) {
      sorted_.push_back(std::string_view(written_).substr(start, key_end - start));
      start = key_end;
    }
  } else {
    for (int64_t i = begin; i < end; ++i) sorted_.push_back(bytes_of(i));
  }
  int64_t repeated = 0;
  if (end - begin <= kPairwise) {
    for (size_t i = 1; i < sorted_.size(); ++i) {
      repeated += std::find(sorted_.begin(), sorted_.begin() + static_cast<ptrdiff_t>(i),
                            sorted_[i]) != sorted_.begin() + static_cast<ptrdiff_t>(i)
                      ? 1
                      : 0;
    }
    return repeated;
  }
  std::sort(sorted_.begin(), sorted_.end());
  for (size_t i = 1; i < sorted_.size(); ++i) repeated += sorted_[i] == sorted_[i - 1] ? 1 : 0;
  return repeated;
}

}  // namespace xwalk::parquet
