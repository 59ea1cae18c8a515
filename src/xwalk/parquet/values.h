#pragma once

#include <memory>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/finding.h"
#include "xwalk/parquet/hub.h"

namespace xwalk::hub::cast {
class Kernel;
}

namespace xwalk::parquet {

/// Returns the schema of raw nesting: every annotation left out, INT96 as 12 bytes. A footer that
/// carries it makes any engine give the values as they are stored.
Schema physical_schema(const Schema& schema);

/// Returns the Arrow schema in which an engine reads and writes raw nesting: structs and lists as
/// the groups stand, leaves by physical type.
hub::Schema physical_arrow(const Schema& schema);

/// Turns batches of raw nesting into batches of the meaning that the rules give: lists and maps
/// re-wrapped without a copy, leaves converted where their layout differs. Immutable; `decode` may
/// be called from several threads.
class Decoder {
 public:
  /// Whether a bad row comes with the first reason, once, or once for each reason.
  enum class Reasons : uint8_t { First, Every };

  /// Throws as `resolve`.
  explicit Decoder(const Schema& schema, const ToArrowOptions& options = {},
                   Reasons reasons = Reasons::First);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Returns what batches come out as: `to_arrow` of the schema.
  const hub::Schema& schema() const { return schema_; }

  /// Converts a batch of `physical_arrow`, in which bytes may also come as dictionaries of 32-bit
  /// indices. A value outside its annotation marks its row bad: an
  /// integer of more bits, a decimal of more digits, text that is not UTF-8, JSON or BSON, a time
  /// beyond a day, an instant or interval that Arrow cannot hold, a null key. Where a map has a key
  /// twice, the last value stands at the place of the first.
  hub::Batch decode(hub::Batch raw) const;

  /// Returns what was decided about the schema (annotations that are ignored, keys that may be
  /// null) and what decoding met so far that no schema tells, each with how often and the first
  /// row: `keys.duplicates`, the pairs that gave way; `decimal.more-bytes`, the binary decimals
  /// that do not stand in the fewest bytes.
  hub::Findings findings() const;

  class Notes;

 private:
  hub::Schema schema_;
  Reasons reasons_;
  std::shared_ptr<const hub::cast::Kernel> kernel_;
  std::shared_ptr<Notes> notes_;
  hub::Findings decided_;
};

/// What an engine is given to write a file of a schema: batches of `arrow`, leaf by leaf of the
/// schema `written`, whose annotations are those that order statistics and that it knows; without
/// statistics for the leaves named. The footer is completed afterwards with the real schema.
struct EnginePlan {
  hub::Schema arrow;
  Schema written;
  std::vector<int> without_statistics;
};
EnginePlan plan_write(const Schema& schema, const ToArrowOptions& options = {});

/// Turns batches of the meaning into batches of raw nesting, the way back of Decoder. Takes values
/// as a cast with `refine` has left them. Immutable.
class Encoder {
 public:
  /// Throws as `resolve`, and Error (Unsupported) for a group without fields.
  explicit Encoder(const Schema& schema, const ToArrowOptions& options = {});
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// Returns what batches it takes: `to_arrow` of the schema.
  const hub::Schema& schema() const { return schema_; }
  /// Returns a batch of `plan_write().arrow`. Throws Error (Input) with row and path for values
  /// outside their Arrow type: a decimal of more digits, a null where there is none.
  hub::Array encode(hub::Batch batch) const;

 private:
  hub::Schema schema_;
  std::shared_ptr<const hub::cast::Kernel> kernel_;
};

/// Returns what the format says of the values of a field of `to_arrow` beyond its Arrow type: keys
/// of a map are unique, times are within a day, parts of an interval unsigned, BSON is BSON.
hub::Refinement refine(const hub::Field& field);

/// Returns true if the bytes are one BSON document: sizes, element types and nesting.
bool is_valid_bson(std::string_view bytes);

}  // namespace xwalk::parquet
