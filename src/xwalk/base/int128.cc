#include "xwalk/base/int128.h"

#include <algorithm>

namespace xwalk {

std::string to_string(Int128 value) {
  Uint128 rest = value < 0 ? ~static_cast<Uint128>(value) + 1 : static_cast<Uint128>(value);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace xwalk
