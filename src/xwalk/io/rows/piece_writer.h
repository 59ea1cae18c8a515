#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/finding.h"
#include "xwalk/yson/writer.h"

namespace xwalk::io {

/// Control attributes of the first and the last row of a batch.
struct BatchEnds {
  hub::RowControl first;
  hub::RowControl last;
  /// The number of the first row.
  int64_t row = 0;
};

inline BatchEnds ends_of(const hub::Batch& batch) {
  if (batch.controls.empty()) return {{}, {}, batch.first_row};
  return {batch.controls.front(), batch.controls.back(), batch.first_row};
}

/// Encodes the rows of a batch by `encode`. If it throws Error (Input), encodes each row
/// separately, and returns the rejected ones, which are omitted.
template <typename Encode>
std::vector<hub::BadRow> encode_rows(const hub::Batch& batch, yson::Buffer* out,
                                     const Encode& encode) {
  const size_t before = out->size();
  try {
    return encode(batch, out);
  } catch (const Error& error) {
    // Control attributes of rows depend on the rows before.
    if (error.code() != ErrorCode::Input || !batch.controls.empty()) throw;
  }
  out->truncate(before);
  std::vector<hub::BadRow> refused;
  for (int64_t index = 0; index < batch.rows(); ++index) {
    const size_t begin = out->size();
    try {
      for (hub::BadRow& row : encode(hub::slice(batch, index, 1), out)) {
        row.index += index;
        refused.push_back(std::move(row));
      }
    } catch (Error& error) {
      if (error.code() != ErrorCode::Input || !error.place().row) throw;
      out->truncate(begin);
      refused.push_back({index, std::move(error), ""});
    }
  }
  return refused;
}

/// A writer whose work comes in two parts: encoding a batch, by any thread, and writing the bytes,
/// by one thread at a time and in order. `write` does both.
class SplitWriter : public hub::BatchWriter {
 public:
  /// Appends the bytes of a batch, and returns the rows that the format cannot express, which are
  /// left out. Safe to call from several threads. Throws Error.
  virtual std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const = 0;
  virtual void write_encoded(std::string_view bytes) = 0;
  /// Returns true if `encode` flushes encoded bytes when the buffer has a drain.
  virtual bool drains() const { return false; }
  /// Returns true if a column may be a dictionary with 32-bit indices.
  virtual bool takes_dictionary(size_t /*column*/) const { return false; }
  /// Records the control attributes of a batch's ends before its bytes are written, in order.
  /// Throws Error (Input) if they cannot follow those of the rows before.
  virtual void follow(const BatchEnds&) {}
  /// Returns findings about the values encoded so far that no plan has.
  virtual hub::Findings notes() const { return {}; }

  void write(hub::Batch batch) override {
    buffer_.clear();
    const BatchEnds ends = ends_of(batch);
    const std::vector<hub::BadRow> refused = encode(std::move(batch), &buffer_);
    if (!refused.empty()) throw refused.front().error;
    follow(ends);
    write_encoded(buffer_.view());
  }

 private:
  yson::Buffer buffer_;
};

/// Returns the notes of a writer that has any; of none for a null writer.
inline hub::Findings notes_of(const hub::BatchWriter* writer) {
  const auto* split = dynamic_cast<const SplitWriter*>(writer);
  return split == nullptr ? hub::Findings{} : split->notes();
}

}  // namespace xwalk::io
