#include "xwalk/hub/letter_case.h"

namespace xwalk::hub {
namespace {

/// Returns the lower case that Java gives a letter, of the alphabets with two cases whose letters
/// take two bytes in UTF-8: Latin, Greek and Cyrillic.
unsigned lower_case_of(unsigned letter) {
  const auto is_in = [&](unsigned first, unsigned last) {
    return letter >= first && letter <= last;
  };
  if (is_in(0xC0, 0xDE) && letter != 0xD7) return letter + 0x20;
  if (is_in(0x391, 0x3AB) && letter != 0x3A2) return letter + 0x20;
  if (is_in(0x400, 0x40F)) return letter + 0x50;
  if (is_in(0x410, 0x42F)) return letter + 0x20;
  // Pairs, the capital first.
  const bool even = (is_in(0x100, 0x137) && letter != 0x130) || is_in(0x14A, 0x177) ||
                    is_in(0x460, 0x481) || is_in(0x48A, 0x4BF) || is_in(0x4D0, 0x52F);
  const bool odd = is_in(0x139, 0x148) || is_in(0x179, 0x17E) || is_in(0x4C1, 0x4CE);
  if (letter == 0x4C0) return 0x4CF;
  return (even && letter % 2 == 0) || (odd && letter % 2 == 1) ? letter + 1 : letter;
}

}  // namespace

std::string in_upper_case(std::string_view word) {
  std::string out(word);
  for (char& letter : out) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return out;
}

std::string in_lower_case(std::string_view name, Letters letters) {
  std::string out(name);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    if (byte >= 'A' && byte <= 'Z') out[i] = static_cast<char>(byte - 'A' + 'a');
    if (letters == Letters::Ascii || (byte & 0xE0U) != 0xC0 || i + 1 == out.size()) continue;
    const auto next = static_cast<unsigned char>(out[i + 1]);
    if ((next & 0xC0U) != 0x80) continue;
    const unsigned lower = lower_case_of((byte & 0x1FU) << 6U | (next & 0x3FU));
    out[i] = static_cast<char>(0xC0U | lower >> 6U);
    out[++i] = static_cast<char>(0x80U | (lower & 0x3FU));
  }
  return out;
}

}  // namespace xwalk::hub
