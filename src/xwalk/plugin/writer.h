#pragma once

#include <memory>

#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>

#include "xwalk/plugin/failure.h"
#include "xwalk/plugin/options.h"

namespace xwalk::plugin {

/// What each format's writer offers to the C struct.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual arrow::Status write(std::shared_ptr<arrow::RecordBatch> batch) = 0;
  virtual arrow::Status finish() = 0;
};

/// Wraps a writer as the C struct that reports failures to the host.
void make_writer(std::unique_ptr<Writer> writer, std::shared_ptr<arrow::Schema> schema,
                 Failures failures, XwalkEngineWriter* out);

/// Returns the codec of a name ("" means `otherwise`), or an Invalid status that lists the names.
arrow::Result<arrow::Compression::type> codec_of(const std::string& name,
                                                 arrow::Compression::type otherwise);

}  // namespace xwalk::plugin
