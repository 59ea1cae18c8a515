#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/writer.h"

namespace xwalk::hub::cast {

/// The values of a column of bytes with 32-bit offsets, written one after the other.
class BytesColumn {
 public:
  explicit BytesColumn(int64_t rows) : ends_((rows + 1) * static_cast<int64_t>(sizeof(int32_t))) {
    ends_.as<int32_t>()[0] = 0;
  }
  /// The bytes of all values up to now.
  yson::Buffer* bytes() { return &bytes_; }
  /// Ends the value of a row. Throws Error (Unsupported) if the column is too large.
  void end(int64_t row) {
    if (bytes_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      throw Error(ErrorCode::Unsupported, "expected at most 2 GiB in one column of a batch", {},
                  "use smaller batches: " + mention(Option::BatchRows));
    }
    ends_.as<int32_t>()[row + 1] = static_cast<int32_t>(bytes_.size());
  }
  /// Gives the buffers to an array that has validity. To be called once.
  void attach_to(Array* out) {
    attach(*out, ends_);
    bytes_.reserve(kPadding);
    const auto bytes = std::make_shared<const yson::Buffer>(std::move(bytes_));
    out->buffers.push_back(bytes->view().data());
    out->owners.push_back(bytes);
  }

 private:
  /// Readers may load whole vectors at the end.
  static constexpr size_t kPadding = 64;

  Buffer ends_;
  yson::Buffer bytes_;
};

}  // namespace xwalk::hub::cast
