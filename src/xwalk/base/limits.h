#pragma once

#include <cstddef>
#include <cstdint>

/// Limits shared by every parser. Each has its reason; modules have their own if a system defines
/// them.
namespace xwalk::limits {

/// Nesting of any schema: deeper than every system here allows, shallow enough for one stack frame
/// per level on a default thread stack.
inline constexpr int kSchemaDepth = 256;

/// Size of a schema given as text or bytes: a schema of 100,000 columns takes a tenth of it.
inline constexpr size_t kSchemaBytes = size_t{256} << 20;

/// Memory that an input may use, which the option `max_memory` raises: enough for the largest
/// values of real data, of which a reader holds several copies, and too little to endanger other
/// programs of the machine. Data to which a few bytes of input can expand, such as pages of
/// Parquet, compressed buffers and lists, counts against it.
inline constexpr uint64_t kMemory = uint64_t{8} << 30;

/// Maximum bytes of one row of a row stream for a memory limit. The default is what a YTsaurus
/// cluster allows for a row's weight. Offsets within a row are 32 bits wide.
constexpr size_t row_bytes(uint64_t memory) {
  constexpr uint64_t kMost = uint64_t{1} << 30;
  return static_cast<size_t>(memory / 64 < kMost ? memory / 64 : kMost);
}
inline constexpr size_t kRowBytes = row_bytes(kMemory);

/// Bytes to which compressed bytes may expand if all are needed at once, for small inputs; and the
/// maximum ratio for larger ones.
constexpr uint64_t unpacked_bytes(uint64_t memory) { return memory / 32; }
inline constexpr uint64_t kMostExpansion = 100;

/// Rows of a batch unless the user says otherwise: large enough to amortise a batch, small enough
/// that the columns of a wide row stay in the cache of one core.
inline constexpr int64_t kBatchRows = 65536;

/// Bytes of one batch, after which it is cut short: bounds memory for wide rows, of which several
/// batches live at a time.
inline constexpr size_t kBatchBytes = size_t{8} << 20;

}  // namespace xwalk::limits
