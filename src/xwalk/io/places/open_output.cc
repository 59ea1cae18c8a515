#include "xwalk/io/places/open_output.h"

#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/hive_writer.h"
#include "xwalk/io/places/part_names.h"

namespace xwalk::io {

std::unique_ptr<hub::BatchWriter> open_output(const Destination& output, const WritePlan& plan,
                                              const OutputOptions& options) {
  auto writer = writes_folders(options) ? open_partitioned(output, plan, options)
                                        : open_file_output(output, plan, options);
  refuse_repeated_at_commit(output.path, options);
  return writer;
}

std::unique_ptr<hub::BatchWriter> open_output(const Location& path, const WritePlan& plan,
                                              OutputOptions options) {
  crosswalk::PlanOptions versions;
  versions.lance_version = options.lance.data_version;
  versions.vortex_edition = options.vortex.edition;
  const Destination output = locate(path, &options, &versions);
  return open_output(output, plan, options);
}

}  // namespace xwalk::io
