#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/finding.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::hub::cast {
class Kernel;
}

namespace xwalk::parquet {

/// Turns batches of raw nesting into batches of the meaning that the rules give: lists and maps
/// re-wrapped without a copy, leaves converted where their layout differs. Immutable; `decode` may
/// be called from several threads.
class Decoder {
 public:
  /// Whether a bad row comes with the first reason, once, or once for each reason.
  enum class Reasons : uint8_t { First, Every };

  /// `kept` has the indices of the text or bytes columns that stay dictionaries and must always be
  /// read as dictionaries. Throws as `resolve`.
  explicit Decoder(const Schema& schema, const ToArrowOptions& options = {},
                   Reasons reasons = Reasons::First, const std::vector<size_t>& kept = {});
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Returns the schema of decoded batches: `to_arrow` of the schema, with the kept dictionaries.
  const hub::Schema& schema() const { return schema_; }

  /// Converts a batch of `physical_arrow`, in which bytes may also be dictionaries with 32-bit
  /// indices. A value outside its annotation marks its row bad: an integer of more bits, a decimal
  /// of more digits, text that is not UTF-8, JSON or BSON, a time beyond a day, an instant or
  /// interval that Arrow cannot hold, a null key. Maps keep all pairs, also those that repeat a
  /// key.
  hub::Batch decode(hub::Batch raw) const;

  /// Returns what was decided about the schema (annotations that are ignored, keys that may be
  /// null) and what decoding found so far in the values, each with a count and the first row:
  /// `keys.duplicates`, the pairs that repeat a key; `decimal.more-bytes`, the binary decimals that
  /// use more bytes than needed.
  hub::Findings findings() const;

  class Notes;

 private:
  hub::Schema schema_;
  Reasons reasons_;
  std::shared_ptr<const hub::cast::Kernel> kernel_;
  std::shared_ptr<Notes> notes_;
  hub::Findings decided_;
};

}  // namespace xwalk::parquet
