#include <arrow/c/bridge.h>
#include <arrow/config.h>

#include "xwalk/plugin/arrow_read.h"
#include "xwalk/plugin/arrow_write.h"
#include "xwalk/plugin/parquet_read.h"
#include "xwalk/plugin/parquet_write.h"
#include "xwalk/version.h"

namespace xwalk::plugin {
namespace {

int open(const XwalkEngineReadOptions* given, const XwalkEngineHost* host,
         XwalkEngineSource* source, ArrowArrayStream* out, int64_t* rows) {
  Failures failures(*host, Direction::Reading, source->size);
  return failures.guard([&]() -> arrow::Status {
    auto owner = std::make_shared<SourceOwner>(source);
    ARROW_ASSIGN_OR_RAISE(const ReadOptions options, copy_options(*given));
    ARROW_ASSIGN_OR_RAISE(auto reader, options.format == XWALK_ENGINE_PARQUET
                                           ? open_parquet(options, std::move(owner))
                                           : open_arrow(options, std::move(owner)));
    *rows = reader->rows().value_or(-1);
    make_stream(std::move(reader), failures, out);
    return arrow::Status::OK();
  });
}

/// Imports a schema without taking it: the C interface moves, and the caller keeps its own.
arrow::Result<std::shared_ptr<arrow::Schema>> import_copy(const ArrowSchema* schema) {
  ArrowSchema view = *schema;
  view.release = [](ArrowSchema* self) { self->release = nullptr; };
  return arrow::ImportSchema(&view);
}

int open_writer(const XwalkEngineWriteOptions* given, const XwalkEngineHost* host,
                const ArrowSchema* schema, XwalkEngineSink* sink, XwalkEngineWriter* out) {
  Failures failures(*host, Direction::Writing);
  return failures.guard([&]() -> arrow::Status {
    auto stream = open_sink(sink);
    ARROW_ASSIGN_OR_RAISE(const WriteOptions options, copy_options(*given));
    ARROW_ASSIGN_OR_RAISE(auto imported, import_copy(schema));
    ARROW_ASSIGN_OR_RAISE(auto writer, options.format == XWALK_ENGINE_PARQUET
                                           ? create_parquet(options, imported, std::move(stream))
                                           : create_arrow(options, imported, std::move(stream)));
    make_writer(std::move(writer), std::move(imported), failures, out);
    return arrow::Status::OK();
  });
}

const char* description() {
  static const std::string text =
      "xwalk-parquet " XWALK_VERSION " (Arrow " + arrow::GetBuildInfo().version_string + ")";
  return text.c_str();
}

}  // namespace
}  // namespace xwalk::plugin

extern "C" __attribute__((visibility("default"))) const XwalkEngine* xwalk_engine_v1() {
  static const XwalkEngine engine = {XWALK_ENGINE_VERSION, xwalk::plugin::description(),
                                     xwalk::plugin::open, xwalk::plugin::open_writer};
  return &engine;
}
