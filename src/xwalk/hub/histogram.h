#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xwalk::hub {

/// Counts values in at most 64 ranges of one width, a power of two, that are found while the values
/// are met: the ranges widen when a value lies outside. Values are rounded to doubles. Of parts
/// that are merged, the result is that of the whole. Not thread-safe.
class Histogram {
 public:
  /// How many values are in each of up to 16 ranges that follow each other, empty ones included.
  struct Bars {
    /// Where the first range begins, and how wide each is.
    double least = 0;
    double width = 0;
    std::vector<uint64_t> counts;
  };

  /// With `is_whole`, each range is at least 1 wide.
  explicit Histogram(bool is_whole = false) : is_whole_(is_whole) {}

  /// Makes room for finite values from `low` to `high`.
  void extend(double low, double high);
  /// Counts a value of that room.
  void add(double value) { ++counts_[place_of(value)]; }
  void merge(const Histogram& other);
  /// Returns no counts if no value was met.
  Bars bars() const;

 private:
  /// Returns the number of the range of a width that a value is in, from that of 0.
  static double range_of(double value, int exponent);
  size_t place_of(double value) const;
  /// Widens the ranges to 2^exponent, the first being the `first`-th.
  void arrange(int exponent, double first);

  bool is_whole_;
  /// The width of a range is 2^exponent_; counts_[0] is the range with the number first_.
  int exponent_ = 0;
  double scale_ = 1;
  double first_ = 0;
  double low_ = 0;
  double high_ = 0;
  /// Empty before the first value.
  std::vector<uint64_t> counts_;
};

}  // namespace xwalk::hub
