#include "xwalk/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace xwalk {
namespace {

using State = std::array<uint32_t, 8>;
using AddBlocks = void (*)(State*, const char*, size_t);

constexpr size_t kBlockBytes = 64;

alignas(16) constexpr std::array<uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t load_big(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return __builtin_bswap32(value);
}

void add_blocks(State* state, const char* bytes, size_t count) {
  for (; count > 0; --count, bytes += kBlockBytes) {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; ++i) w[i] = load_big(bytes + 4 * i);
    for (size_t i = 16; i < 64; ++i) {
      const uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    State s = *state;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t e = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
      const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
      const uint32_t first = s[7] + e + choice + kRounds[i] + w[i];
      const uint32_t a = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
      const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
      s = {first + a + majority, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (size_t i = 0; i < s.size(); ++i) (*state)[i] += s[i];
  }
}

#if defined(__x86_64__)

__m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

/// Returns the upper half of `low` and the lower half of `high`.
__m128i middle(__m128i high, __m128i low) {
  return _mm_unpacklo_epi64(_mm_unpackhi_epi64(low, low), high);
}

/// Returns the words of `low` but the first, and the first of `high`.
__attribute__((target("sse4.1"))) __m128i behind_first(__m128i high, __m128i low) {
  return _mm_shuffle_epi32(_mm_blend_epi16(low, high, 0x03), 0x39);
}

/// The same by the SHA extensions, which keep the state as ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) void add_blocks_by_hardware(State* state, const char* bytes,
                                                                  size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i front = _mm_shuffle_epi32(load(state->data()), 0xB1);
  const __m128i back = _mm_shuffle_epi32(load(state->data() + 4), 0x1B);
  __m128i abef = middle(front, back);
  __m128i cdgh = _mm_blend_epi16(back, front, 0xF0);
  for (; count > 0; --count, bytes += kBlockBytes) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (size_t i = 0; i < 16; ++i) {
      __m128i& now = w[i % 4];
      if (i < 4) {
        now = _mm_shuffle_epi8(load(bytes + 16 * i), swap);
      } else {
        const __m128i last = w[(i + 3) % 4];
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]),
                                          behind_first(last, w[(i + 2) % 4]));
        now = _mm_sha256msg2_epu32(sum, last);
      }
      const __m128i rounds = _mm_add_epi32(now, load(kRounds.data() + 4 * i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, rounds);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(rounds, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  const __m128i abcd = _mm_blend_epi16(feba, dchg, 0xF0);
  const __m128i efgh = middle(dchg, feba);
  std::memcpy(state->data(), &abcd, sizeof abcd);
  std::memcpy(state->data() + 4, &efgh, sizeof efgh);
}

bool has_hardware() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kSha = 1U << 29;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0 &&
         __builtin_cpu_supports("sse4.1") != 0;
}

#endif

AddBlocks fastest() {
#if defined(__x86_64__)
  if (has_hardware()) return add_blocks_by_hardware;
#endif
  return add_blocks;
}

void add_to(State* state, const char* bytes, size_t count) {
  static const AddBlocks kAdd = fastest();
  kAdd(state, bytes, count);
}

}  // namespace

void Sha256::add(std::string_view bytes) {
  const size_t had = size_ % kBlock;
  size_ += bytes.size();
  if (had > 0) {
    const size_t taken = bytes.copy(rest_.data() + had, kBlock - had);
    bytes.remove_prefix(taken);
    if (had + taken < kBlock) return;
    add_to(&state_, rest_.data(), 1);
  }
  const size_t whole = bytes.size() / kBlock;
  if (whole > 0) add_to(&state_, bytes.data(), whole);
  bytes.substr(whole * kBlock).copy(rest_.data(), kBlock);
}

std::string Sha256::finish() {
  const uint64_t bits = __builtin_bswap64(size_ * 8);
  const size_t had = size_ % kBlock;
  std::string end("\x80");
  end.append((kBlock + 55 - had) % kBlock, '\0');
  end.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  add(end);
  std::string text;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

}  // namespace xwalk
