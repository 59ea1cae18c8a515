#pragma once

#include <string>

namespace xwalk {

/// 128-bit integers of the compiler, without its warning about the standard.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

inline constexpr Int128 kInt128Max = static_cast<Int128>(~Uint128{0} >> 1);
inline constexpr Int128 kInt128Min = -kInt128Max - 1;

/// Returns the decimal digits of a number.
std::string to_string(Int128 value);

}  // namespace xwalk
