#pragma once

#include <cstdint>
#include <string>

namespace xwalk::cli {

/// Returns 3,000,000.
std::string grouped(uint64_t number);
/// Returns 512 B, 139.1 MB: powers of 1000, four digits at most.
std::string byte_size(uint64_t bytes);
/// Returns 0.21 s, 41 s, 3 min 20 s.
std::string duration(double seconds);
/// Returns "1 column" or "5 columns".
std::string counted(uint64_t number, const std::string& word);

}  // namespace xwalk::cli
