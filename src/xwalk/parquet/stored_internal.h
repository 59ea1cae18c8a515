#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/parquet/hub.h"

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

/// Returns the Arrow type in which an engine takes a leaf: by its physical type, INT96 as the
/// timestamp it is.
hub::Type engine_leaf(const Resolved& resolved);

/// Returns the big-endian magnitude of 10^digits - 1, of any size, without leading zeros.
std::string largest_magnitude(int32_t digits);

/// Returns true if the two's complement big-endian number has at most the digits that `limit`, a
/// result of `largest_magnitude`, stands for. An empty number has none.
bool within_magnitude(std::string_view number, std::string_view limit);

}  // namespace xwalk::parquet
