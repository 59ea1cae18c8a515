#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// A reader over another one. The base forwards all calls except those about pieces.
class WrappedReader : public SplitReader {
 public:
  explicit WrappedReader(std::unique_ptr<SplitReader> inner)
      : owned_(std::move(inner)), inner_(owned_.get()) {}
  /// The reader must outlive this.
  explicit WrappedReader(SplitReader* inner) : inner_(inner) {}

  const hub::Schema& schema() const override { return inner_->schema(); }
  int64_t rows_taken() const override { return inner_->rows_taken(); }
  std::optional<int64_t> total_rows() const override { return inner_->total_rows(); }
  uint64_t bytes_read() const override { return inner_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return inner_->total_bytes(); }
  Notes notes() const override { return inner_->notes(); }

 private:
  std::unique_ptr<SplitReader> owned_;

 protected:
  SplitReader* inner_;
};

}  // namespace xwalk::io
