#pragma once

#include <memory>
#include <string>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/skiff/values.h"

namespace xwalk::io {

/// Reads the rows of one table of a Skiff stream. Finding where rows end is most of the work, so
/// pieces come decoded. Throws as `skiff::read_rows` does, with the name of the source.
std::unique_ptr<SplitReader> read_skiff(std::unique_ptr<Source> source, const skiff::Schema& schema,
                                        const skiff::ReadOptions& options);

/// Writes rows of one table of a Skiff stream that do not carry their number.
std::unique_ptr<SplitWriter> write_skiff_rows(std::unique_ptr<ByteSink> sink,
                                              const skiff::Schema& schema,
                                              const skiff::WriteOptions& options);

/// Writes rows of one table of a Skiff stream; any thread encodes, unless rows carry their number.
std::unique_ptr<hub::BatchWriter> write_skiff(std::unique_ptr<ByteSink> sink,
                                              const skiff::Schema& schema,
                                              const skiff::WriteOptions& options);

}  // namespace xwalk::io
