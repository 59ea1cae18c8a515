#pragma once

#include <memory>

#include "xwalk/hub/batch.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::hub::cast {
class Kernel;
}

namespace xwalk::parquet {

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
  /// outside their Arrow type: a decimal of more digits, a null in a required field.
  hub::Array encode(hub::Batch batch) const;

 private:
  hub::Schema schema_;
  std::shared_ptr<const hub::cast::Kernel> kernel_;
};

}  // namespace xwalk::parquet
