#include "xwalk/io/places/file_output.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/compress.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/added_order.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/upsert.h"
#include "xwalk/io/rows/row_order.h"

namespace xwalk::io {
namespace {

[[noreturn]] void refuse_options(std::string message) {
  throw Error(ErrorCode::Usage, std::move(message));
}

/// Returns the schema file of an output; null for a format that needs none.
std::shared_ptr<SideSchema> side_schema(const OutputPlace& place, Format format,
                                        const WritePlan& plan, const OutputOptions& options) {
  if (!options.side_schema || format->has_own_schema()) return nullptr;
  if (!place.path.is_remote() && is_written_in_place(place.path)) return nullptr;
  // New rows get a new schema file, never an addition to an existing one.
  const bool begins = options.mode == OutputMode::Append && place.mode != OutputMode::Append;
  return std::make_shared<SideSchema>(
      place.path, format->side_text(plan), format->side_canonical,
      SinkOptions{.mode = begins ? OutputMode::Create : options.mode,
                  .durable = options.durable,
                  .staged = options.staged,
                  .storage = options.storage},
      options.inputs);
}

/// Opens the writer of a format that consists of bytes in order.
std::unique_ptr<hub::BatchWriter> open_writer(Format format, std::unique_ptr<ByteSink> sink,
                                              const WritePlan& plan, const OutputOptions& options) {
  if (format->write == nullptr) {
    refuse_options(fmt::format("{} rows are written to a path, not to a pipe", format->name));
  }
  return format->write(std::move(sink), plan, options);
}

/// Returns true if readers of an output see the promises of its schema.
bool keeps_promises(Format format, const OutputOptions& options) {
  const bool in_file = format == kParquetRows || format == kVortexRows;
  return format->open != nullptr && (!in_file || options.store_schema);
}

/// Has every row that is written checked against the order that the schema of the output promises.
std::unique_ptr<hub::BatchWriter> in_order(Format format, const WritePlan& plan,
                                           const OutputOptions& options,
                                           std::unique_ptr<hub::BatchWriter> writer) {
  if (!keeps_promises(format, options)) return writer;
  return in_promised_order(
      plan.hub, options.values.uuid_order,
      fmt::format("The schema of the output says that rows are sorted: sort them, or give another "
                  "schema with {}.",
                  hub::mention(hub::Option::TargetSchema)),
      std::move(writer));
}

}  // namespace

std::unique_ptr<hub::BatchWriter> open_file_output(const Destination& output, const WritePlan& plan,
                                                   const OutputOptions& options) {
  const Format format = output.format;
  const OutputPlace& place = output.place;
  // A dataset checks this itself, column by column.
  if (place.rows && format->adding != Adding::ToDataset) {
    check_same_columns(format->system, *place.rows, plan.hub, output.path);
  }
  const auto checked = [&](std::unique_ptr<hub::BatchWriter> writer) {
    writer = after_categories(place, format, plan.hub, options, std::move(writer));
    return follows_rows(place, format)
               ? after_rows(place, format, plan.hub, options, std::move(writer))
               : in_order(format, plan, options, std::move(writer));
  };
  if (format->write_path != nullptr && !output.path.is_standard()) {
    std::unique_ptr<hub::BatchWriter> writer = format->write_path(place, plan, options);
    if (!options.upsert.wanted) return checked(std::move(writer));
    return with_keys(place, plan.hub, options, std::move(writer));
  }
  if (format->compressed_by_name && !options.compression.empty()) {
    check_codec_of_name(options.compression, place.path);
  }
  auto sink = open_sink(
      place.path, {.mode = place.mode,
                   .durable = options.durable,
                   .level = format->compressed_by_name ? options.compression_level : std::nullopt,
                   .set = options.set,
                   .staged = options.staged,
                   .storage = options.storage,
                   .side = side_schema(place, format, plan, options)});
  WritePlan writing = plan;
  if (place.mode == OutputMode::Append) sink->write(format->between(output.path, &writing));
  return checked(open_writer(format, std::move(sink), writing, options));
}

std::unique_ptr<hub::BatchWriter> open_output(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                              const OutputOptions& options) {
  if (!options.format) refuse_options("expected the format of an output without a name");
  if ((*options.format)->compressed_by_name && !options.compression.empty()) {
    check_codec_of_name(options.compression, "OUT");
  }
  return in_order(*options.format, plan, options,
                  open_writer(*options.format, std::move(sink), plan, options));
}

}  // namespace xwalk::io
