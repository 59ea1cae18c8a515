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

/// Wraps a reader so that a sample of its rows comes, in their order: those whose numbers are the
/// smallest when they are mixed with the seed. It is the same for the same rows and seed, whatever
/// the threads and batches. A sample of a number of rows holds up to twice as many where the source
/// does not know how many there are. `counted` rows are decoded when they are taken, for those who
/// go by `rows_taken`. `keeps_bytes` holds the bytes of such rows in the input too, for
/// `Piece::locate`.
std::unique_ptr<SplitReader> sample_rows(std::unique_ptr<SplitReader> reader, const Sample& sample,
                                         uint64_t seed, bool counted, bool keeps_bytes = false);

/// Wraps a reader whose `rows_taken` counts rows so that only its last rows come; the others are
/// taken and not decoded.
std::unique_ptr<SplitReader> last_rows(std::unique_ptr<SplitReader> reader, int64_t rows);

}  // namespace xwalk::io
