#include "xwalk/hub/cast/text_views.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "xwalk/base/endian.h"
#include "xwalk/base/int128.h"
#include "xwalk/base/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xwalk::hub::cast {
namespace {

/// An inline view as machine words, by size, with the bytes after the text masked off.
struct InlineMask {
  uint64_t first;
  uint64_t last;
};
constexpr std::array<InlineMask, kInlineBytes + 1> kInlineMasks = [] {
  std::array<InlineMask, kInlineBytes + 1> masks{};
  for (unsigned size = 0; size <= kInlineBytes; ++size) {
    const Uint128 mask = (Uint128{1} << (8 * (size + sizeof(int32_t)) - 1) << 1) - 1;
    masks[size] = {static_cast<uint64_t>(mask), static_cast<uint64_t>(mask >> 64)};
  }
  return masks;
}();

/// Writes views of the texts from `begin` to `end`. It does not branch on sizes: short texts are
/// loaded whole and the bytes after them are masked.
bool put_some(const TextsToView& texts, int64_t begin, int64_t end, View* out) {
  const int32_t first = texts.offsets[0];
  const int32_t last = texts.offsets[texts.count];
  bool outside = false;
  for (int64_t i = begin; i < end; ++i) {
    const int32_t place = texts.offsets[i];
    const bool valid = texts.validity == nullptr || bit_is_set(texts.validity, texts.first_bit + i);
    // No branch asks for the null.
    const uint32_t size =
        static_cast<uint32_t>(texts.offsets[i + 1] - place) & (0U - static_cast<uint32_t>(valid));
    const char* from = texts.data + place;
    std::array<char, kInlineBytes> copied{};
    if (place > last - kInlineBytes) [[unlikely]] {
      std::copy_n(from, std::min<size_t>(size, kInlineBytes), copied.data());
      from = copied.data();
    }
    const auto head = load_little_endian<uint64_t>(from);
    const auto tail = load_little_endian<uint32_t>(from + 8);
    const bool is_long = size > kInlineBytes;
    const InlineMask& mask = kInlineMasks[is_long ? kInlineBytes : size];
    const std::array<uint64_t, 2> halves = {
        (size | head << 32) & mask.first, is_long
                                              ? uint64_t{static_cast<uint32_t>(place - first)} << 32
                                              : (head >> 32 | uint64_t{tail} << 32) & mask.last};
    std::memcpy(out + i, halves.data(), sizeof halves);
    outside |= is_long;
  }
  return outside;
}

#if defined(__x86_64__)

constexpr int64_t kStep = 8;

/// Returns eight bits of validity.
inline int validity_of_eight(const uint8_t* validity, int64_t bit) {
  const unsigned low = validity[bit >> 3];
  const unsigned high = validity[(bit + kStep - 1) >> 3];
  return static_cast<int>((low | high << 8) >> (bit & 7) & 0xFFU);
}

[[gnu::target("avx2")]] inline __m256i load_eight(const int32_t* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)));
}

/// Loads the first bytes of a text after four bytes that precede it.
[[gnu::target("avx2")]] inline __m128i load_text(const char* text) {
  return _mm_loadu_si128(
      static_cast<const __m128i*>(static_cast<const void*>(text - sizeof(int32_t))));
}

[[gnu::target("avx2")]] inline void store_view(__m128i view, View* out) {
  _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(out)), view);
}

/// Writes the views of two texts: their bytes before `ends`, and the other fields.
[[gnu::target("avx2")]] inline void put_two(const char* low, const char* high, __m256i ends,
                                            __m256i other, View* out) {
  // The places in a view, of which those of the size come before no end.
  const __m256i places = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(127, 127, 127, 127, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m256i bytes =
      _mm256_inserti128_si256(_mm256_castsi128_si256(load_text(low)), load_text(high), 1);
  const __m256i views =
      _mm256_or_si256(_mm256_and_si256(bytes, _mm256_cmpgt_epi8(ends, places)), other);
  store_view(_mm256_castsi256_si128(views), out);
  store_view(_mm256_extracti128_si256(views, 1), out + kStep / 2);
}

/// Eight texts at a time: their sizes side by side, then the views of two in one register.
[[gnu::target("avx2")]] bool put_views_avx2(const TextsToView& texts, View* out) {
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i first = _mm256_set1_epi32(texts.offsets[0]);
  const __m256i most = _mm256_set1_epi32(kInlineBytes);
  const __m256i before = _mm256_set1_epi32(sizeof(int32_t));
  const __m256i even = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, 4, 5, 6, 7));
  const __m256i odd = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1, 12, 13, 14, 15));
  const int32_t last = texts.offsets[texts.count];
  __m256i any_long = _mm256_setzero_si256();
  bool outside = false;
  int64_t i = 0;
  for (; i + kStep <= texts.count; i += kStep) {
    const int32_t* at = texts.offsets + i;
    // Sixteen bytes from four before each text are loaded.
    if (at[0] < static_cast<int32_t>(sizeof(int32_t)) || at[kStep - 1] > last - kInlineBytes)
        [[unlikely]] {
      outside |= put_some(texts, i, i + kStep, out);
      continue;
    }
    const __m256i begins = load_eight(at);
    __m256i sizes = _mm256_sub_epi32(load_eight(at + 1), begins);
    if (texts.validity != nullptr) {
      const __m256i valid =
          _mm256_set1_epi32(validity_of_eight(texts.validity, texts.first_bit + i));
      sizes = _mm256_and_si256(sizes, _mm256_cmpeq_epi32(_mm256_and_si256(valid, bits), bits));
    }
    const __m256i is_long = _mm256_cmpgt_epi32(sizes, most);
    any_long = _mm256_or_si256(any_long, is_long);
    const __m256i offsets = _mm256_and_si256(_mm256_sub_epi32(begins, first), is_long);
    // A long text keeps only its first four bytes.
    const __m256i ends =
        _mm256_blendv_epi8(_mm256_add_epi32(sizes, before), _mm256_slli_epi32(before, 1), is_long);
    // Text k and text k + 4 are in one register.
    const __m256i low = _mm256_unpacklo_epi32(sizes, offsets);
    const __m256i high = _mm256_unpackhi_epi32(sizes, offsets);
    const char* data = texts.data;
    put_two(data + at[0], data + at[4], _mm256_shuffle_epi8(ends, _mm256_set1_epi8(0)),
            _mm256_shuffle_epi8(low, even), out + i);
    put_two(data + at[1], data + at[5], _mm256_shuffle_epi8(ends, _mm256_set1_epi8(4)),
            _mm256_shuffle_epi8(low, odd), out + i + 1);
    put_two(data + at[2], data + at[6], _mm256_shuffle_epi8(ends, _mm256_set1_epi8(8)),
            _mm256_shuffle_epi8(high, even), out + i + 2);
    put_two(data + at[3], data + at[7], _mm256_shuffle_epi8(ends, _mm256_set1_epi8(12)),
            _mm256_shuffle_epi8(high, odd), out + i + 3);
  }
  outside |= _mm256_testz_si256(any_long, any_long) == 0;
  return outside | put_some(texts, i, texts.count, out);
}

#endif

}  // namespace

bool put_views(const TextsToView& texts, View* out) {
#if defined(__x86_64__)
  if (processor_at_hand() >= Processor::Avx2 && texts.count >= kStep) {
    return put_views_avx2(texts, out);
  }
#endif
  return texts.count != 0 && put_some(texts, 0, texts.count, out);
}

}  // namespace xwalk::hub::cast
