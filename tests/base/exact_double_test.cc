#include "xwalk/base/exact_double.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "xwalk/base/half_float.h"

namespace xwalk {
namespace {

double nearest_double(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool is_half(std::string_view text) {
  return is_number_of(widened(narrowed(nearest_double(text))), text);
}

TEST(ExactDouble, NumbersThatATextMayBecome) {
  struct Case {
    std::string_view text;
    bool is_double;
    bool is_float;
    bool is_half;
  };
  for (const Case& c : {
           Case{"0", true, true, true},
           Case{"-0.0e9", true, true, true},
           Case{"0.1", true, true, true},
           Case{"0.333333343267440795898", true, true, true},
           Case{"00012", true, true, true},
           Case{"2049", true, true, false},
           Case{"2049.0", true, true, false},
           Case{"2.049e3", true, true, false},
           Case{"2049.5", true, true, true},
           Case{"16777216.0", true, true, false},
           Case{"16777217", true, false, false},
           Case{"-16777217.0", true, false, false},
           Case{"16777217e0", true, false, false},
           Case{"1.6777217e7", true, false, false},
           Case{"167772170.e-1", true, false, false},
           Case{"0.16777217E+8", true, false, false},
           Case{"0.0000000016777217E+16", true, false, false},
           Case{"16777217.5", true, true, false},
           Case{"9007199254740992", true, true, false},
           Case{"9007199254740993", false, false, false},
           Case{"9007199254740993.0", false, false, false},
           Case{"9007199254740993.5", true, true, false},
           Case{"9007199254740993e0", false, false, false},
           Case{"9007199254740993e1", false, false, false},
           Case{"900719925474099.3e1", false, false, false},
           Case{"9007199254740993000e-3", false, false, false},
           Case{"9007199254740993000.000", true, false, false},
           Case{"9007199254740993000", false, false, false},
           Case{"1e22", true, true, false},
           Case{"1e23", true, true, false},
           Case{"100000000000000000000000.0", true, true, false},
           Case{"100000000000000000000000", false, false, false},
           Case{"6.02214076e23", true, false, false},
           Case{"3.4028235e38", true, true, false},
           Case{"1e39", true, false, false},
           Case{"1.7976931348623157e308", true, false, false},
           Case{"17976931348623157e292", true, false, false},
           Case{"1e-46", true, false, false},
           Case{"1e-9", true, true, false},
           Case{"65519.9", true, true, true},
           Case{"65520", true, true, false},
           Case{"5e-324", true, false, false},
       }) {
    const double read = nearest_double(c.text);
    EXPECT_EQ(is_number_of(read, c.text), c.is_double) << c.text;
    EXPECT_EQ(number_of(read, c.text, kFloatBits).has_value(), c.is_float) << c.text;
    EXPECT_EQ(is_half(c.text), c.is_half) << c.text;
  }
  EXPECT_FALSE(is_number_of(0.0, "1e-400"));
  EXPECT_FALSE(is_number_of(0.0, "1e-99999999999999999999"));
  EXPECT_FALSE(is_number_of(std::numeric_limits<double>::infinity(), "1e400"));
  EXPECT_TRUE(is_number_of(std::numeric_limits<double>::infinity(), "-inf"));
  const std::string zeros(400, '0');
  EXPECT_TRUE(is_number_of(7.0, "7" + zeros + "e-400"));
  EXPECT_TRUE(is_number_of(7.0, "7." + zeros));
  EXPECT_FALSE(is_number_of(7.0, "7." + zeros + "1e401"));
}

/// Checks that the number is read from the texts of writers: the fewest digits, all digits with
/// a point, and 17 digits.
template <typename Real>
void expect_comes_back(Real value) {
  std::array<char, 512> out;
  const auto check = [&](std::to_chars_result end) {
    const std::string_view text(out.data(), static_cast<size_t>(end.ptr - out.data()));
    EXPECT_TRUE(is_number_of(value, text)) << text;
  };
  check(std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::scientific));
  if (std::fabs(value) >= 1) {
    check(std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::fixed, 1));
  }
  check(
      std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::scientific, 16));
}

TEST(ExactDouble, WrittenNumbersAreRead) {
  for (int power = -1074; power < 1024; ++power) {
    const double two = std::ldexp(1.0, power);
    for (double value : {two, std::nextafter(two, 0.0), std::nextafter(two, HUGE_VAL)}) {
      if (value != 0 && std::isfinite(value)) expect_comes_back(value);
    }
    const auto single = static_cast<float>(two);
    for (float value : {single, std::nextafter(single, 0.0F), std::nextafter(single, HUGE_VALF)}) {
      if (value != 0 && std::isfinite(value)) expect_comes_back(value);
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) expect_comes_back(value);
    const auto single = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(single)) expect_comes_back(single);
    EXPECT_TRUE(is_float_for(static_cast<double>(single)));
  }
}

TEST(ExactDouble, DoublesThatAFloatMayStandFor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (double value : {0.0, -0.0, 0.1, 1e-40, 1e-45, 1e22, 1e38, 16777216.0, 16777217.5,
                       3.4028235e38, -kInfinity, std::nan("")}) {
    EXPECT_TRUE(is_float_for(value)) << value;
  }
  for (double value : {1e-46, -5e-324, 16777217.0, -123456789.0, 6.02214076e23, 3.5e38, 1e39}) {
    EXPECT_FALSE(is_float_for(value)) << value;
  }
}

}  // namespace
}  // namespace xwalk
