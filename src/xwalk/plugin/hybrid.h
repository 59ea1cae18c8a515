#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace xwalk::plugin {

/// Values of a bit-packed run, so that its header is one byte: 63 groups of eight.
constexpr int64_t kPackedValues = int64_t{63} * 8;

/// Returns how many bytes may be touched to write values of `width` bits.
constexpr int64_t hybrid_bound(int64_t count, int width) {
  return (count / 8 + 1) * width + count / kPackedValues + 16;
}

/// Packs values of `kWidth` bits, the first in the lowest bits, the last group of eight filled with
/// zeros. Returns the end.
template <int kWidth, typename Value>
uint8_t* pack(const Value* values, int64_t count, uint8_t* to) {
  Value last[8] = {};
  for (; count > 0; count -= 8, values += 8, to += kWidth) {
    if (count < 8) {
      std::copy_n(values, count, last);
      values = last;
    }
    uint64_t bits = 0;
    int used = 0;
    uint8_t* at = to;
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      bits |= uint64_t{values[i]} << used;
      used += kWidth;
      if (used < 32) continue;
      const auto low = static_cast<uint32_t>(bits);
      std::memcpy(at, &low, sizeof low);
      at += sizeof low;
      bits >>= 32;
      used -= 32;
    }
    // The bytes after these come next.
    const auto rest = static_cast<uint32_t>(bits);
    if (used > 0) std::memcpy(at, &rest, sizeof rest);
  }
  return to;
}

/// The same with a width of 1 to 32 that is known at run time.
template <typename Value>
uint8_t* pack_bits(const Value* values, int64_t count, int width, uint8_t* to) {
  using Pack = uint8_t* (*)(const Value*, int64_t, uint8_t*);
  static constexpr auto kPacks = []<int... kWidths>(std::integer_sequence<int, kWidths...>) {
    return std::array<Pack, sizeof...(kWidths)>{&pack<kWidths + 1, Value>...};
  }
  (std::make_integer_sequence<int, 32>());
  return kPacks[static_cast<size_t>(width) - 1](values, count, to);
}

/// Returns where the run of equal values ends that begins at `at`.
template <typename Value>
int64_t end_of_run(const Value* values, int64_t at, int64_t count) {
  constexpr int64_t kWord = sizeof(uint64_t) / sizeof(Value);
  constexpr uint64_t kOnes = sizeof(Value) == 1 ? 0x0101'0101'0101'0101 : 0x0000'0001'0000'0001;
  const Value value = values[at];
  int64_t end = at + 1;
  for (; end + kWord <= count; end += kWord) {
    uint64_t word = 0;
    std::memcpy(&word, values + end, sizeof word);
    if (word != value * kOnes) break;
  }
  while (end < count && values[end] == value) ++end;
  return end;
}

/// Writes bytes or numbers of `width` bits, 1 to 32, as Parquet's hybrid of runs and packed groups.
/// Returns the end.
template <typename Value>
uint8_t* write_hybrid(const Value* values, int64_t count, int width, uint8_t* to) {
  static_assert(std::endian::native == std::endian::little);
  // A shorter run takes more bytes than its packed values, with the header of those after it.
  const int64_t least_run = width == 1 ? 24 : width == 2 ? 16 : 8;
  int64_t start = 0;
  const auto pack_until = [&](int64_t end) {
    while (start < end) {
      const int64_t here = std::min(kPackedValues, end - start);
      *to++ = static_cast<uint8_t>(((here + 7) / 8) << 1 | 1);
      to = pack_bits(values + start, here, width, to);
      start += here;
    }
  };
  for (int64_t at = 0; at + 8 <= count;) {
    const bool may_run = values[at] == values[at + 1] && values[at] == values[at + 7];
    const int64_t end = may_run ? end_of_run(values, at, count) : at;
    if (end - at < least_run) {
      at += 8;
      continue;
    }
    pack_until(at);
    auto header = static_cast<uint64_t>(end - at) << 1;
    for (; header >= 0x80; header >>= 7) *to++ = static_cast<uint8_t>(header | 0x80);
    *to++ = static_cast<uint8_t>(header);
    const auto value = static_cast<uint32_t>(values[at]);
    std::memcpy(to, &value, sizeof value);
    to += (width + 7) / 8;
    start = at = end;
  }
  pack_until(count);
  return to;
}

}  // namespace xwalk::plugin
