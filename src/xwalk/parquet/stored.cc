#include "xwalk/parquet/stored.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/time_text.h"

namespace xwalk::parquet {
namespace {

/// An unannotated group has no physical type: its columns are below.
std::string type_of(const Node& node) {
  if (node.logical()) return to_string(node.logical());
  return node.is_group() ? "" : std::string(to_string(node.physical()));
}

/// Of a value, which takes a millisecond to look at: a file of a few bytes may claim any number.
constexpr int32_t kMostStoredDigits = 20'000;

}  // namespace

Leaf::Leaf(const Resolved& resolved)
    : path(resolved.path),
      type(type_of(resolved.node)),
      physical(resolved.node.is_group() ? PhysicalType{} : resolved.node.physical()),
      width(resolved.node.length()) {}

StoredBytes::StoredBytes(const hub::Array& in, const Leaf& leaf) {
  if (leaf.physical == PhysicalType::FixedLenByteArray || leaf.physical == PhysicalType::Int96) {
    width_ = leaf.physical == PhysicalType::Int96 ? 12 : leaf.width;
    bytes_ = in.raw<char>(1) + in.offset * width_;
  } else {
    offsets_ = in.values<int32_t>(1);
    bytes_ = in.raw<char>(2);
  }
}

hub::Type engine_leaf(const Resolved& resolved) {
  const Node& node = resolved.node;
  switch (node.physical()) {
    case PhysicalType::Boolean:
      return hub::Kind::Bool;
    case PhysicalType::Int32:
      return hub::Kind::Int32;
    case PhysicalType::Int64:
      return hub::Kind::Int64;
    case PhysicalType::Int96:
      return hub::fixed_size_binary(12);
    case PhysicalType::Float:
      return hub::Kind::Float;
    case PhysicalType::Double:
      return hub::Kind::Double;
    case PhysicalType::ByteArray:
      return hub::Kind::Binary;
    case PhysicalType::FixedLenByteArray:
      return hub::fixed_size_binary(node.length());
  }
  return hub::Kind::Null;
}

std::string largest_magnitude(const Leaf& leaf, int32_t digits) {
  if (digits > kMostStoredDigits) {
    throw Error(
        ErrorCode::Unsupported,
        fmt::format("expected values of at most {} digits, found {}", kMostStoredDigits, leaf.type),
        {.path = leaf.path});
  }
  constexpr int32_t kStep = 9;  // as many digits as 32 bits have
  std::vector<uint32_t> little;
  for (int32_t i = 0; i < digits; i += kStep) {
    uint64_t factor = 1;
    for (int32_t j = i; j < std::min(digits, i + kStep); ++j) factor *= 10;
    uint64_t carry = factor - 1;
    for (uint32_t& limb : little) {
      carry += limb * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) little.push_back(static_cast<uint32_t>(carry));
  }
  std::string big;
  std::ranges::reverse(little);
  for (const uint32_t limb : little) {
    for (int shift = 24; shift >= 0; shift -= 8) big += static_cast<char>(limb >> shift & 0xFF);
  }
  return big.substr(std::min(big.find_first_not_of('\0'), big.size()));
}

bool within_magnitude(std::string_view number, std::string_view limit) {
  if (number.empty()) return false;
  // A negative number's magnitude is its complement and one. Compared from the front, with the
  // bytes that only repeat the sign left out.
  std::string magnitude(number);
  if ((static_cast<uint8_t>(number[0]) & 0x80) != 0) {
    int carry = 1;
    for (size_t i = magnitude.size(); i-- > 0;) {
      int byte = (~static_cast<uint8_t>(magnitude[i]) & 0xFF) + carry;
      magnitude[i] = static_cast<char>(byte & 0xFF);
      carry = byte >> 8;
    }
  }
  const size_t zeros = std::min(magnitude.find_first_not_of('\0'), magnitude.size());
  const std::string_view digits = std::string_view(magnitude).substr(zeros);
  if (digits.size() != limit.size()) return digits.size() < limit.size();
  return digits <= limit;
}

std::string instant_text(int64_t day, int64_t nanos) {
  constexpr int64_t kNanosPerDay = 86'400'000'000'000;
  const int64_t before = nanos % kNanosPerDay < 0 ? 1 : 0;
  char text[2 * hub::kTimeTextSize];
  char* end = hub::write_date(day + nanos / kNanosPerDay - before, text);
  *end++ = 'T';
  end = hub::write_time(nanos % kNanosPerDay + before * kNanosPerDay, hub::TimeUnit::Nano, end);
  return {text, end};
}

std::string text_of_int96(const char* bytes) {
  return instant_text(load_little_endian<int32_t>(bytes + 8) - kJulianEpoch,
                      load_little_endian<int64_t>(bytes));
}

}  // namespace xwalk::parquet
