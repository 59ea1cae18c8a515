#include "xwalk/io/places/open_output.h"

#include "xwalk/io/places/hive_writer.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {

std::unique_ptr<hub::BatchWriter> open_output(const std::string& path, const OutputSchema& schema,
                                              const OutputOptions& options) {
  if (options.partition_by.empty()) return open_file_output(path, schema, options);
  OutputOptions settled = options;
  settled.format = output_format(path, options);
  return open_partitioned(path, schema, settled);
}

}  // namespace xwalk::io
