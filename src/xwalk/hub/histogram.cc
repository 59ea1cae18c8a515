#include "xwalk/hub/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace xwalk::hub {
namespace {

constexpr size_t kRanges = 64;
constexpr size_t kBars = 16;
/// Below this, the scale of a range would overflow.
constexpr int kLeastExponent = -1000;

}  // namespace

double Histogram::range_of(double value, int exponent) {
  return std::floor(std::ldexp(value, -exponent));
}

size_t Histogram::place_of(double value) const {
  return static_cast<size_t>(std::floor(value * scale_) - first_);
}

void Histogram::arrange(int exponent, double first) {
  std::vector<uint64_t> counts(kRanges);
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const double range = range_of(first_ + static_cast<double>(i), exponent - exponent_);
    counts[static_cast<size_t>(range - first)] += counts_[i];
  }
  counts_ = std::move(counts);
  exponent_ = exponent;
  scale_ = std::ldexp(1.0, -exponent);
  first_ = first;
}

void Histogram::extend(double low, double high) {
  const bool is_first = counts_.empty();
  if (!is_first && low >= low_ && high <= high_) return;
  low_ = is_first ? low : std::min(low_, low);
  high_ = is_first ? high : std::max(high_, high);
  const double greatest = std::max(std::abs(low_), std::abs(high_));
  // Doubles of that size are no denser than this.
  const int finest =
      greatest == 0 ? kLeastExponent : std::ilogb(greatest) - std::numeric_limits<double>::digits;
  int exponent = std::max(finest, is_whole_ ? 0 : kLeastExponent);
  if (!is_first) exponent = std::max(exponent, exponent_);
  while (range_of(high_, exponent) - range_of(low_, exponent) >= kRanges) ++exponent;
  arrange(exponent, range_of(low_, exponent));
}

void Histogram::merge(const Histogram& other) {
  if (other.counts_.empty()) return;
  extend(other.low_, other.high_);
  const int exponent = std::max(exponent_, other.exponent_);
  if (exponent > exponent_) arrange(exponent, range_of(low_, exponent));
  for (size_t i = 0; i < other.counts_.size(); ++i) {
    if (other.counts_[i] == 0) continue;
    const double range =
        range_of(other.first_ + static_cast<double>(i), exponent_ - other.exponent_);
    counts_[static_cast<size_t>(range - first_)] += other.counts_[i];
  }
}

Histogram::Bars Histogram::bars() const {
  if (counts_.empty()) return {};
  const auto used = static_cast<size_t>(range_of(high_, exponent_) - first_) + 1;
  const size_t each = (used + kBars - 1) / kBars;
  Bars out;
  out.least = std::ldexp(first_, exponent_);
  out.width = std::ldexp(static_cast<double>(each), exponent_);
  out.counts.resize((used + each - 1) / each);
  for (size_t i = 0; i < used; ++i) out.counts[i / each] += counts_[i];
  return out;
}

}  // namespace xwalk::hub
