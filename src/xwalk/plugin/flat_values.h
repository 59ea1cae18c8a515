#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include <arrow/array.h>
#include <arrow/type.h>
#include <parquet/exception.h>

namespace xwalk::plugin {

// How the values of an array are seen. `end` is where the memory after bytes ends, as far as it is
// known.

template <typename T>
struct Numbers {
  explicit Numbers(const arrow::ArrayData& array) : values(array.GetValues<T>(1)) {}
  T operator[](int64_t i) const { return values[i]; }
  const char* end() const { return nullptr; }
  const T* values;
};

struct Bits {
  explicit Bits(const arrow::ArrayData& array)
      : bitmap(array.GetValues<uint8_t>(1, 0)), offset(array.offset) {}
  bool operator[](int64_t i) const {
    return ((bitmap[(offset + i) / 8] >> ((offset + i) % 8)) & 1) != 0;
  }
  const uint8_t* bitmap;
  int64_t offset;
};

struct FixedBytes {
  FixedBytes(const arrow::ArrayData& array, size_t size)
      : bytes(array.GetValues<char>(1, array.offset * static_cast<int64_t>(size))),
        limit(bytes + static_cast<size_t>(array.length) * size),
        width(size) {}
  std::string_view operator[](int64_t i) const {
    return {bytes + static_cast<size_t>(i) * width, width};
  }
  const char* end() const { return limit; }
  const char* bytes;
  const char* limit;
  size_t width;
};

template <typename Offset>
struct Texts {
  explicit Texts(const arrow::ArrayData& array) : offsets(array.GetValues<Offset>(1)) {
    if (array.buffers[2] == nullptr) return;
    bytes = array.GetValues<char>(2, 0);
    limit = bytes + array.buffers[2]->size();
  }
  std::string_view operator[](int64_t i) const {
    return {bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])};
  }
  const char* end() const { return limit; }
  const Offset* offsets;
  const char* bytes = "";
  const char* limit = bytes;
};

struct TextViews {
  explicit TextViews(const arrow::ArrayData& data)
      : array(std::make_shared<arrow::BinaryViewArray>(data.Copy())) {}
  std::string_view operator[](int64_t i) const { return array->GetView(i); }
  const char* end() const { return nullptr; }
  std::shared_ptr<arrow::BinaryViewArray> array;
};

/// Places in the dictionary of an array.
class Codes {
 public:
  explicit Codes(const arrow::ArrayData& array)
      : width_(static_cast<const arrow::DictionaryType&>(*array.type).bit_width() / 8),
        bytes_(array.GetValues<char>(1, array.offset * width_)),
        count_(static_cast<uint64_t>(array.dictionary->length)) {}
  int64_t operator[](int64_t i) const {
    uint64_t code = 0;
    if (width_ == 4) {
      std::memcpy(&code, bytes_ + i * 4, 4);
    } else {
      std::memcpy(&code, bytes_ + i * width_, static_cast<size_t>(width_));
    }
    if (code >= count_) {
      throw parquet::ParquetException("expected an index below ", count_,
                                      " in a dictionary, found ", code);
    }
    return static_cast<int64_t>(code);
  }

 private:
  int64_t width_;
  const char* bytes_;
  uint64_t count_;
};

/// Values of an array that has a dictionary.
template <typename Source>
struct Coded {
  auto operator[](int64_t i) const { return values[codes[i]]; }
  const char* end() const { return values.end(); }
  Codes codes;
  Source values;
};

}  // namespace xwalk::plugin
