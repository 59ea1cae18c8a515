// Readers that know where a token ends against those that look for it.

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/yson/scan.h"
#include "xwalk/yson/wide_scan.h"

namespace xwalk::yson {
namespace {

constexpr size_t kHand = 64;

std::string random_digits(std::mt19937_64& random, size_t most) {
  std::string digits;
  for (size_t left = random() % (most + 1); left > 0; --left) {
    digits += static_cast<char>('0' + random() % 10);
    if (random() % 97 == 0) digits.back() = "/:. +-eu"[random() % 8];
  }
  return digits;
}

TEST(KnownEnd, DigitsAreThoseOfReadNumber) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    std::string digits = random_digits(random, 21);
    if (i % 16 == 0) digits = std::to_string(UINT64_MAX - random() % 20 * (i % 32 == 0 ? 1 : 0));
    if (i % 64 == 0) digits.back() = static_cast<char>('0' + random() % 10);
    const std::string bytes = digits + "u" + std::string(kHand, ';');
    const char* p = bytes.data();
    Number number;
    const Status status = read_number(p, bytes.data() + bytes.size(), number);
    const bool expected = status == Status::Ok && number.kind == NumberKind::Uint64 &&
                          p == bytes.data() + digits.size() + 1 && digits.front() != '+' &&
                          digits.size() <= 20;  // more of them begin with zeros
    uint64_t value = 0;
    ASSERT_EQ(read_known_digits(bytes.data(), bytes.data() + digits.size(), value), expected)
        << digits;
    if (expected) {
      ASSERT_EQ(value, number.uint64) << digits;
    }
  }
}

TEST(KnownEnd, DoublesAreThoseOfReadNumber) {
  std::mt19937_64 random(2);
  int read = 0;
  for (int i = 0; i < 400'000; ++i) {
    std::string text =
        (random() % 2 == 0 ? "-" : "") + random_digits(random, 8) + "." + random_digits(random, 18);
    const std::string bytes = text + std::string(kHand, ';');
    const char* p = bytes.data();
    const char* const end = p + text.size();
    double value = 0;
    if (!read_known_double(p, end, value)) continue;
    Number number;
    ASSERT_EQ(read_number(p, p + text.size(), number), Status::Ok) << text;
    ASSERT_EQ(p, end) << text;
    ASSERT_EQ(number.kind, NumberKind::Double) << text;
    ASSERT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(number.real)) << text;
    ++read;
  }
  EXPECT_GT(read, 100'000);
}

#if defined(XWALK_FOR_AVX512)

/// The bytes alone, so that a sanitizer sees what is read beside them.
std::vector<char> alone(const std::string& text) { return {text.begin(), text.end()}; }

TEST(KnownEnd, WideDigitsAreThoseOfReadKnownDigits) {
  if (processor_at_hand() != Processor::Avx512) GTEST_SKIP() << "no AVX-512 here";
  std::mt19937_64 random(4);
  for (int i = 0; i < 200'000; ++i) {
    std::string digits = random_digits(random, 21);
    if (i % 16 == 0) digits = std::to_string(UINT64_MAX - random() % 20 * (i % 32 == 0 ? 1 : 0));
    if (i % 64 == 0) digits.back() = static_cast<char>('0' + random() % 10);
    const std::string bytes = digits + std::string(kHand, ';');
    uint64_t expected = 0;
    uint64_t value = 0;
    const bool known = read_known_digits(bytes.data(), bytes.data() + digits.size(), expected);
    const std::vector<char> near = alone(digits);
    ASSERT_EQ(wide::read_known_digits(near.data(), near.data() + near.size(), value), known)
        << digits;
    if (known) {
      ASSERT_EQ(value, expected) << digits;
    }
  }
}

TEST(KnownEnd, WideDoublesAreThoseOfReadNumber) {
  if (processor_at_hand() != Processor::Avx512) GTEST_SKIP() << "no AVX-512 here";
  std::mt19937_64 random(5);
  int read = 0;
  for (int i = 0; i < 400'000; ++i) {
    const std::string text = (random() % 2 == 0 ? "-" : "") + random_digits(random, 19) +
                             (random() % 64 == 0 ? "" : ".") + random_digits(random, 18);
    if (text.empty()) continue;
    const std::vector<char> near = alone(text);
    const char* p = near.data();
    const char* const end = p + near.size();
    double value = 0;
    if (!wide::read_known_double(p, end, value)) continue;
    Number number;
    ASSERT_EQ(read_number(p, end, number), Status::Ok) << text;
    ASSERT_EQ(p, end) << text;
    ASSERT_EQ(number.kind, NumberKind::Double) << text;
    ASSERT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(number.real)) << text;
    ++read;
  }
  EXPECT_GT(read, 100'000);
}

#endif

TEST(KnownEnd, StringsAreThoseOfUnescape) {
  std::mt19937_64 random(3);
  constexpr std::string_view kBytes = "\\\\\\\\\"xu0U7nt9aF;";
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (size_t left = random() % 40; left > 0; --left) text += kBytes[random() % kBytes.size()];
    const char* const end = text.data() + text.size();
    const char* p = text.data();
    std::string_view raw;
    bool escaped = false;
    const Status status = read_quoted(p, end, raw, escaped);
    std::string out(text.size() + 16, '\0');
    char* to = out.data();
    const char* const found = unescape_quoted(text.data(), end, to);
    if (status != Status::Ok) {
      ASSERT_EQ(found, nullptr) << text;
      continue;
    }
    ASSERT_EQ(found, p) << text;
    std::string expected(raw.size(), '\0');
    expected.resize(unescape(raw, expected.data()));
    ASSERT_EQ(out.substr(0, static_cast<size_t>(to - out.data())), expected) << text;
  }
}

}  // namespace
}  // namespace xwalk::yson
