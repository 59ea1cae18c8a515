#pragma once

#include <cstddef>
#include <cstdint>

/// Limits shared by every parser. Each has its reason; rooms keep their own where a system says so.
namespace xwalk::limits {

/// Nesting of any schema: deeper than every system here allows, shallow enough for one stack frame
/// per level on a default thread stack.
inline constexpr int kSchemaDepth = 256;

/// Size of a schema given as text or bytes: a schema of 100,000 columns takes a tenth of it.
inline constexpr size_t kSchemaBytes = size_t{256} << 20;

/// Bytes of one row of a row stream: what a YTsaurus cluster allows for a row's weight.
inline constexpr size_t kRowBytes = size_t{128} << 20;

/// Rows of a batch unless the user says otherwise: large enough to amortise a batch, small enough
/// that the columns of a wide row stay in the cache of one core.
inline constexpr int64_t kBatchRows = 65536;

/// Bytes of one batch, after which it is cut short: bounds memory for wide rows.
inline constexpr size_t kBatchBytes = size_t{32} << 20;

}  // namespace xwalk::limits
