#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/variant/writer.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/read_options.h"
#include "xwalk/yt/row_program_internal.h"

namespace xwalk::yt {

/// Open brackets that a value may still have below the row and the schema around it.
inline constexpr int kFreeDepth = kAnyDepth - kMaxTypeDepth;

/// Why a value was rejected, and what decoders share while they walk a row.
struct DecodeContext {
  const char* end = nullptr;
  /// The bytes ended before the value did.
  bool incomplete = false;
  const char* at = nullptr;
  std::string message;
  std::string hint;
  /// The way to the value as a failure unwinds: the innermost step comes first.
  std::vector<Path::Step> path;
  RepeatedKeys repeated_keys = RepeatedKeys::Error;
  bool integers_in_doubles = false;
  /// How many integers were read as doubles.
  uint64_t integers_met = 0;
  yson::Buffer scratch;
  /// Values of `any` that become VARIANT.
  variant::Writer variants;
  /// Columns that every row must have, if the others are left shorter than the rows are; null if
  /// each row fills every column.
  const std::vector<uint32_t>* required = nullptr;
};

}  // namespace xwalk::yt
