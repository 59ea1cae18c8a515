#pragma once

#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// A writer that finds out only while it writes that the output has no place for some rows. `write`
/// throws the error of the first one.
class RefusingWriter : public hub::BatchWriter {
 public:
  /// Writes the rows of a batch except those without a place, and returns these by their indices,
  /// in order.
  virtual std::vector<hub::BadRow> write_good(hub::Batch batch) = 0;
  /// Called before the rows of a piece, which messages may name until they are written.
  virtual void begin_piece(const Piece& /*piece*/) {}
};

}  // namespace xwalk::io
