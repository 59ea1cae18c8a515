#pragma once

#include <memory>
#include <string>

#include "xwalk/io/source.h"

namespace xwalk::io {

/// Holds the bytes of a source against their SHA-256, in hexadecimal digits, while they are read in
/// order. Throws Error (Input) at their end with both sums where they differ.
std::unique_ptr<Source> summed_source(std::unique_ptr<Source> source, std::string sha256);

}  // namespace xwalk::io
