#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// A leaf as its kernels and their messages need it.
struct Leaf {
  explicit Leaf(const Resolved& resolved);

  Path path;
  std::string type;  ///< the annotation, or else the physical type
  PhysicalType physical;
  int32_t width;  ///< bytes of a fixed value
};

/// Reads the bytes of values, of a fixed width or between offsets.
class StoredBytes {
 public:
  StoredBytes(const hub::Array& in, const Leaf& leaf);
  std::string_view operator[](int64_t index) const {
    if (offsets_ == nullptr) {
      return {bytes_ + index * width_, static_cast<size_t>(width_)};
    }
    return {bytes_ + offsets_[index], static_cast<size_t>(offsets_[index + 1] - offsets_[index])};
  }

 private:
  const int32_t* offsets_ = nullptr;
  const char* bytes_ = nullptr;
  int64_t width_ = 0;
};

/// The Julian day of 1970-01-01, from which INT96 counts days.
inline constexpr int64_t kJulianEpoch = 2'440'588;

/// Writes an instant, whose nanoseconds may be of another day.
std::string instant_text(int64_t day, int64_t nanos);

/// Writes the instant that the 12 bytes of an INT96 are.
std::string text_of_int96(const char* bytes);

/// Months, days and nanoseconds, as Arrow lays out an interval.
struct MonthDayNano {
  int32_t months;
  int32_t days;
  int64_t nanos;
};

/// Fills values of `width` bytes by `store(i, to)`. They are zero at nulls.
template <typename Store>
hub::Array filled(const hub::Array& in, size_t width, Store store) {
  hub::Array out = start_like(in);
  hub::Buffer buffer(in.length * static_cast<int64_t>(width));
  char* to = buffer.as<char>();
  const uint8_t* bits = validity(in);
  for (int64_t i = 0; i < in.length; ++i, to += width) {
    if (bits == nullptr || hub::bit_is_set(bits, in.offset + i)) {
      store(i, to);
    } else {
      std::memset(to, 0, width);
    }
  }
  attach(out, buffer);
  return out;
}

/// Returns the Arrow type in which an engine takes a leaf: by its physical type, INT96 as the bytes
/// it is.
hub::Type engine_leaf(const Resolved& resolved);

/// Returns the big-endian magnitude of 10^digits - 1, without leading zeros. Throws Error
/// (Unsupported) for more than 20,000 digits.
std::string largest_magnitude(const Leaf& leaf, int32_t digits);

/// Returns true if the two's complement big-endian number has at most the digits that `limit`, a
/// result of `largest_magnitude`, stands for. An empty number has none.
bool within_magnitude(std::string_view number, std::string_view limit);

}  // namespace xwalk::parquet
