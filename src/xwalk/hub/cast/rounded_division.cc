#include "xwalk/hub/cast/rounded_division.h"

#include <algorithm>
#include <bit>

#include "xwalk/base/processor.h"

namespace xwalk::hub::cast {
namespace {

/// Added to 1.5 × 2^52 an integer is in the low bits of a double, and a fraction is rounded half to
/// even; added to 1.5 × 2^53 it becomes an even integer.
constexpr double kMagic = 6755399441055744.0;
constexpr double kEvenMagic = 2 * kMagic;
constexpr uint64_t kMagicBits = std::bit_cast<uint64_t>(kMagic);
/// Values from -2^51 to below 2^51 are near.
constexpr uint64_t kNear = uint64_t{1} << 51;
/// More than any quotient by 1,000, the least ratio of two units, and so little that no difference
/// with one overflows: the sign then tells which is greater.
constexpr int64_t kQuotients = int64_t{1} << 60;
/// Values after which it is asked whether all were near.
constexpr int64_t kBlock = 512;

/// Divides by doubles, which costs a tenth of a division of 64 bits and needs no division at all.
class Divider {
 public:
  explicit Divider(int64_t divisor)
      : divisor_(divisor),
        exact_(static_cast<double>(divisor)),
        inverse_(1 / exact_),
        settling_(1 / (exact_ + 0.5)) {}

  /// Of near values. The nearest even quotient by an inexact product leaves a rest of at most one
  /// divisor, which is exact. A rest of a half must then round to 0, because the quotient is even,
  /// and a larger rest to 1. The rest is multiplied by slightly less than the inverse so that a
  /// half never rounds up. This is correct whether or not products are rounded.
  [[gnu::always_inline]] int64_t near(int64_t value) const {
    const double number = std::bit_cast<double>(static_cast<uint64_t>(value) + kMagicBits) - kMagic;
    const double shifted = number * inverse_ + kEvenMagic;
    const double rest = number - (shifted - kEvenMagic) * exact_;
    const double settled = (shifted - kMagic) + rest * settling_;
    return static_cast<int64_t>(std::bit_cast<uint64_t>(settled) - kMagicBits);
  }
  /// For any value: an even estimate, and the remainder, which is near.
  [[gnu::always_inline]] int64_t any(int64_t value) const {
    const auto estimate = static_cast<int64_t>(static_cast<double>(value) * inverse_) & ~int64_t{1};
    const uint64_t rest = static_cast<uint64_t>(value) -
                          static_cast<uint64_t>(estimate) * static_cast<uint64_t>(divisor_);
    return estimate + near(static_cast<int64_t>(rest));
  }

 private:
  int64_t divisor_;
  double exact_;
  double inverse_;
  double settling_;
};

/// Sets the sign bit where a quotient lies beyond; what `near` makes of other values may be
/// anything.
[[gnu::always_inline]] inline uint64_t beyond(int64_t quotient, int64_t least, int64_t greatest) {
  const auto bits = static_cast<uint64_t>(quotient);
  return (bits - static_cast<uint64_t>(least)) | (static_cast<uint64_t>(greatest) - bits);
}

template <typename From, typename To>
[[gnu::always_inline]] inline bool divide_all(const RoundedDivision& division, const From* values,
                                              int64_t count, To* out) {
  const Divider divider(division.divisor);
  const int64_t least = std::clamp(division.least, -kQuotients, kQuotients);
  const int64_t greatest = std::clamp(division.greatest, -kQuotients, kQuotients);
  const auto farthest = static_cast<int64_t>(kNear) / division.divisor + 1;
  const bool near_fits = least <= -farthest && farthest <= greatest;
  uint64_t outside = 0;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(count, begin + kBlock);
    uint64_t far = 0;
    uint64_t misfits = 0;
    if (near_fits) {
      for (int64_t i = begin; i < end; ++i) {
        far |= static_cast<uint64_t>(values[i]) + kNear;
        out[i] = static_cast<To>(divider.near(values[i]));
      }
    } else {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t quotient = divider.near(values[i]);
        far |= static_cast<uint64_t>(values[i]) + kNear;
        misfits |= beyond(quotient, least, greatest);
        out[i] = static_cast<To>(quotient);
      }
    }
    if (far >> 52 != 0) {
      misfits = 0;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t quotient = divider.any(values[i]);
        misfits |= beyond(quotient, least, greatest);
        out[i] = static_cast<To>(quotient);
      }
    }
    outside |= misfits;
  }
  return outside >> 63 == 0;
}

#if defined(__x86_64__)

template <typename From, typename To>
[[gnu::target("avx2,fma")]] bool divide_avx2(const RoundedDivision& division, const From* values,
                                             int64_t count, To* out) {
  return divide_all(division, values, count, out);
}

template <typename From, typename To>
[[gnu::target("avx512f,avx512dq,avx512vl")]] bool divide_avx512(const RoundedDivision& division,
                                                                const From* values, int64_t count,
                                                                To* out) {
  return divide_all(division, values, count, out);
}

#endif

}  // namespace

template <typename From, typename To>
bool divide_rounded(const RoundedDivision& division, const From* values, int64_t count, To* out) {
#if defined(__x86_64__)
  const Processor with = processor_at_hand();
  if (with == Processor::Avx512) return divide_avx512(division, values, count, out);
  if (with == Processor::Avx2) return divide_avx2(division, values, count, out);
#endif
  return divide_all(division, values, count, out);
}

template bool divide_rounded(const RoundedDivision&, const int32_t*, int64_t, int32_t*);
template bool divide_rounded(const RoundedDivision&, const int32_t*, int64_t, int64_t*);
template bool divide_rounded(const RoundedDivision&, const int64_t*, int64_t, int32_t*);
template bool divide_rounded(const RoundedDivision&, const int64_t*, int64_t, int64_t*);

}  // namespace xwalk::hub::cast
