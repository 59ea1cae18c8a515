#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// How many rows a sample has.
struct Sample {
  /// So many, or all there are.
  std::optional<int64_t> rows;
  /// Without a number, each row with this probability.
  double share = 1;
};

/// Parses `1000`, or a share: `2.5%`, or from `0.0` to `1.0`. Throws Error (Usage).
Sample parse_sample(std::string_view text);

/// Wraps a reader so that it returns a sample of its rows, in order: those whose numbers are the
/// smallest when they are mixed with the seed. It is the same for the same rows and seed,
/// independent of threads and batches. A sample of a fixed number of rows holds up to twice as many
/// in memory if the source does not know the total. `counted` rows are decoded when they are taken,
/// for callers that use `rows_taken`. `keeps_bytes` also keeps the input bytes of these rows, for
/// `Piece::locate`.
std::unique_ptr<SplitReader> sample_rows(std::unique_ptr<SplitReader> reader, const Sample& sample,
                                         uint64_t seed, bool counted, bool keeps_bytes = false);

/// Wraps a reader whose `rows_taken` counts rows so that it returns only its last rows. The others
/// are taken but not decoded.
std::unique_ptr<SplitReader> last_rows(std::unique_ptr<SplitReader> reader, int64_t rows);

}  // namespace xwalk::io
