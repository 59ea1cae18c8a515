#include "xwalk/io/engines/plugin_engine.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/plugins/engine_abi.h"
#include "xwalk/io/plugins/engine_load.h"

namespace xwalk::io {
namespace {

/// What the engine says and what the host's own bytes met; shared by the C structs of one input or
/// output.
struct Conversation {
  std::string name;
  std::string code;
  std::string message;
  /// An exception of xwalk's own source or sink, which must survive the call through the engine.
  std::exception_ptr own_error;

  XwalkEngineHost host() {
    XwalkEngineHost out{};
    out.context = this;
    out.fail = [](void* context, const char* word, const char* text) {
      auto* self = static_cast<Conversation*>(context);
      try {
        self->code = word;
        self->message = text;
      } catch (...) {
        self->own_error = std::current_exception();
      }
    };
    return out;
  }

  /// Throws the error if `status` reports one, with the position read so far.
  void check(int status, std::optional<uint64_t> byte = std::nullopt) {
    if (status == 0) return;
    if (own_error) std::rethrow_exception(std::exchange(own_error, nullptr));
    Place place;
    place.file = name;
    place.byte = byte;
    if (code == "memory") {
      throw Error(
          ErrorCode::Input, message, place,
          fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
    }
    ErrorCode kind = code == "input"         ? ErrorCode::Input
                     : code == "unsupported" ? ErrorCode::Unsupported
                     : code == "usage"       ? ErrorCode::Usage
                     : code == "io"          ? ErrorCode::Io
                                             : ErrorCode::Internal;
    throw Error(kind,
                message.empty() ? fmt::format("the engine failed with errno {}", status) : message,
                place);
  }
};

/// The host's side of an XwalkEngineSource.
struct SharedSource {
  std::unique_ptr<Source> source;
  Conversation* conversation;
  std::shared_ptr<std::atomic<uint64_t>> position;
  std::mutex mutex;

  void failed() {
    const std::lock_guard guard(mutex);
    conversation->own_error = std::current_exception();
  }
};

XwalkEngineSource export_source(std::unique_ptr<Source> source, Conversation* conversation,
                                std::shared_ptr<std::atomic<uint64_t>> position) {
  XwalkEngineSource out{};
  if (auto contents = source->contents()) {
    // An empty input still has contents: null would mean a pipe.
    out.data = contents->data() == nullptr ? "" : contents->data();
    out.size = contents->size();
  } else if (const auto window = source->window()) {
    out.size = window->size();
    out.read_at = [](XwalkEngineSource* self, uint64_t offset, uint64_t size, void* to) {
      auto* shared = static_cast<SharedSource*>(self->private_data);
      try {
        const ByteRange range{offset, size};
        shared->source->need({&range, 1});
        (void)shared->source->window()->copy(static_cast<char*>(to), size, offset);
        return 0;
      } catch (...) {
        shared->failed();
        return -1;
      }
    };
    out.want = [](XwalkEngineSource* self, const uint64_t* ranges, uint64_t count) {
      auto* shared = static_cast<SharedSource*>(self->private_data);
      try {
        std::vector<ByteRange> wanted;
        for (uint64_t i = 0; i < count; ++i) wanted.push_back({ranges[2 * i], ranges[2 * i + 1]});
        shared->source->want(wanted);
      } catch (...) {
        return;  // the reader tries again and gets the error
      }
    };
  }
  out.private_data = new SharedSource{std::move(source), conversation, std::move(position), {}};
  out.read = [](XwalkEngineSource* self, void* to, uint64_t size) -> int64_t {
    auto* shared = static_cast<SharedSource*>(self->private_data);
    try {
      auto got = static_cast<int64_t>(shared->source->read(static_cast<char*>(to), size));
      *shared->position = shared->source->position();
      return got;
    } catch (...) {
      shared->failed();
      return -1;
    }
  };
  out.consumed = [](XwalkEngineSource* self, uint64_t offset, uint64_t size) {
    auto* shared = static_cast<SharedSource*>(self->private_data);
    try {
      shared->source->consumed(offset, size);
    } catch (...) {
      return;  // what could be given back stays
    }
    *shared->position = shared->source->position();
  };
  out.release = [](XwalkEngineSource* self) {
    delete static_cast<SharedSource*>(self->private_data);
    *self = {};
  };
  return out;
}

XwalkEngineBytes bytes_of(const std::string& text) { return {text.data(), text.size()}; }

XwalkEngineLeaves leaves_of(const std::vector<int32_t>& leaves) {
  return {leaves.data(), leaves.size()};
}

/// Returns the options as a struct that points into them and into `columns`.
XwalkEngineReadOptions as_struct(const EngineReadOptions& options,
                                 std::vector<XwalkEngineBytes>* columns) {
  for (const std::string& column : options.columns) columns->push_back(bytes_of(column));
  XwalkEngineReadOptions out{};
  out.struct_size = sizeof(out);
  out.format = options.format;
  out.threads = options.threads;
  out.batch_rows = options.batch_rows;
  out.batch_bytes = options.batch_bytes;
  out.max_memory = options.max_memory;
  out.columns = columns->data();
  out.column_count = columns->size();
  out.footer = bytes_of(options.footer);
  out.leaves = leaves_of(options.leaves);
  out.dictionaries = leaves_of(options.dictionaries);
  out.large_chunks = options.large_chunks.data();
  out.large_chunk_count = options.large_chunks.size();
  out.one_row_more = options.one_row_more ? 1 : 0;
  return out;
}

/// Returns the options as a struct that points into them and into `codecs`.
XwalkEngineWriteOptions as_struct(const EngineWriteOptions& options,
                                  std::vector<XwalkEngineLeafCodec>* codecs) {
  for (const auto& [leaf, codec] : options.leaf_compression) {
    codecs->push_back({leaf, 0, codec.c_str()});
  }
  XwalkEngineWriteOptions out{};
  out.struct_size = sizeof(out);
  out.format = options.format;
  out.threads = options.threads;
  out.compression = options.compression.c_str();
  out.compression_level = options.compression_level.value_or(0);
  out.has_compression_level = options.compression_level ? 1 : 0;
  out.row_group_rows = options.row_group_rows;
  out.footer = bytes_of(options.footer);
  out.without_statistics = leaves_of(options.without_statistics);
  out.leaf_compression = codecs->data();
  out.leaf_compression_count = codecs->size();
  out.sorted_by = options.sorted_by.data();
  out.sorted_by_count = options.sorted_by.size();
  out.page_index = options.page_index ? 1 : 0;
  return out;
}

class PluginReader final : public hub::BatchReader {
 public:
  PluginReader(const XwalkEngine& engine, std::unique_ptr<Source> source,
               const EngineReadOptions& options)
      : conversation_(std::make_unique<Conversation>()),
        position_(std::make_shared<std::atomic<uint64_t>>(source->position())),
        in_order_(options.format == XWALK_ENGINE_ARROW_STREAM),
        total_bytes_(source->size()) {
    conversation_->name = source->name();
    XwalkEngineHost host = conversation_->host();
    XwalkEngineSource exported = export_source(std::move(source), conversation_.get(), position_);
    std::vector<XwalkEngineBytes> columns;
    const XwalkEngineReadOptions given = as_struct(options, &columns);
    int64_t rows = -1;
    const int status = engine.open(&given, &host, &exported, stream_.get(), &rows);
    // Without memory it may not even have taken the source.
    if (exported.release != nullptr) exported.release(&exported);
    check(status);
    hub::SchemaHandle schema;
    check(stream_->get_schema(stream_.get(), schema.get()));
    schema_ = hub::import_schema(*schema);
    type_ = hub::struct_(schema_.fields);
    if (rows >= 0) total_rows_ = rows;
  }

  const hub::Schema& schema() const override { return schema_; }

  std::optional<hub::Batch> next() override {
    hub::ArrayHandle array;
    check(stream_->get_next(stream_.get(), array.get()));
    if (!array) {
      ended_ = true;
      if (total_rows_ && *total_rows_ != rows_) {
        throw Error(ErrorCode::Input,
                    fmt::format("expected {} rows, found {}", *total_rows_, rows_.load()),
                    {.file = conversation_->name});
      }
      return std::nullopt;
    }
    hub::Batch batch;
    batch.array = hub::import_array(std::move(array), type_);
    batch.first_row = rows_;
    rows_ += batch.rows();
    return batch;
  }

  std::optional<int64_t> total_rows() const override { return total_rows_; }
  /// The engine reports runs of row groups. Within one, progress follows the rows.
  uint64_t bytes_read() const override {
    if (ended_ || !total_bytes_ || !total_rows_ || *total_rows_ == 0) return *position_;
    const double part =
        std::min(1.0, static_cast<double>(rows_) / static_cast<double>(*total_rows_));
    const auto estimate = static_cast<uint64_t>(part * static_cast<double>(*total_bytes_));
    return std::max<uint64_t>(*position_, estimate);
  }
  std::optional<uint64_t> total_bytes() const override { return total_bytes_; }

 private:
  /// A file that is read from its end has no last byte.
  void check(int status) {
    conversation_->check(status, in_order_ ? std::optional<uint64_t>(*position_) : std::nullopt);
  }

  // The conversation outlives the stream, which may still tell it something while it is released.
  std::unique_ptr<Conversation> conversation_;
  std::shared_ptr<std::atomic<uint64_t>> position_;
  const bool in_order_;
  hub::StreamHandle stream_;
  hub::Schema schema_;
  hub::Type type_;
  std::optional<uint64_t> total_bytes_;
  std::optional<int64_t> total_rows_;
  // Also read by the thread that shows progress.
  std::atomic<int64_t> rows_ = 0;
  std::atomic<bool> ended_ = false;
};

/// The host's side of an XwalkEngineSink. Bytes that come while the writer is thrown away, such as
/// the footer of an unfinished Parquet file, go nowhere.
struct SharedSink {
  ByteSink* sink;
  Conversation* conversation;
};

class EngineWriter final : public hub::BatchWriter {
 public:
  EngineWriter(const XwalkEngine& engine, std::unique_ptr<ByteSink> sink, const hub::Schema& schema,
               const EngineWriteOptions& options, std::string name)
      : sink_(std::move(sink)) {
    conversation_.name = std::move(name);
    // A footer has the names.
    const auto by = options.footer.empty() ? hub::FieldsBy::Name : hub::FieldsBy::Place;
    hub::SchemaHandle exported_schema = hub::export_schema(schema, by);
    XwalkEngineHost host = conversation_.host();
    shared_ = {sink_.get(), &conversation_};
    XwalkEngineSink exported{};
    exported.private_data = &shared_;
    exported.write = [](XwalkEngineSink* self, const void* data, uint64_t size) {
      auto* shared = static_cast<SharedSink*>(self->private_data);
      if (shared->sink == nullptr) return 0;
      try {
        shared->sink->write({static_cast<const char*>(data), size});
        return 0;
      } catch (...) {
        shared->conversation->own_error = std::current_exception();
        return EIO;
      }
    };
    exported.release = [](XwalkEngineSink* self) { *self = {}; };
    std::vector<XwalkEngineLeafCodec> codecs;
    const XwalkEngineWriteOptions given = as_struct(options, &codecs);
    int status = engine.open_writer(&given, &host, exported_schema.get(), &exported, &writer_);
    conversation_.check(status);
  }

  ~EngineWriter() override {
    shared_.sink = nullptr;
    if (writer_.release != nullptr) writer_.release(&writer_);
  }

  void write(hub::Batch batch) override {
    hub::ArrayHandle array = hub::export_array(batch.array);
    conversation_.check(writer_.write(&writer_, array.get()));
  }

  void finish() override {
    conversation_.check(writer_.finish(&writer_));
    sink_->finish();
  }

  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  Conversation conversation_;
  SharedSink shared_{};
  XwalkEngineWriter writer_{};
};

}  // namespace

namespace {

std::atomic<bool> is_loaded = false;

}  // namespace

const Engine& Engine::parquet() {
  static const Engine engine = [] {
    LoadedEngine loaded = load_engine("xwalk_parquet");
    is_loaded.store(true, std::memory_order_release);
    return Engine(loaded.engine, std::move(loaded.path));
  }();
  return engine;
}

namespace {

class Loading {
 public:
  Loading() : thread_(load) {}
  ~Loading() { thread_.join(); }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

 private:
  static void load() {
    try {
      (void)Engine::parquet();
    } catch (...) {  // NOLINT(bugprone-empty-catch): reported again, to a caller that can handle it
    }
  }

  std::thread thread_;
};

class WaitingWriter final : public hub::BatchWriter {
 public:
  WaitingWriter(std::unique_ptr<ByteSink> sink, hub::Schema schema, EngineWriteOptions options)
      : loading_(Engine::load_ahead()),
        sink_(std::move(sink)),
        schema_(std::move(schema)),
        options_(std::move(options)) {}

  void write(hub::Batch batch) override { opened().write(std::move(batch)); }
  void finish() override { opened().finish(); }
  uint64_t bytes_written() const override { return writer_ ? writer_->bytes_written() : 0; }

 private:
  hub::BatchWriter& opened() {
    if (!writer_) writer_ = Engine::parquet().open_writer(std::move(sink_), schema_, options_);
    return *writer_;
  }

  std::shared_ptr<const void> loading_;
  std::unique_ptr<ByteSink> sink_;
  hub::Schema schema_;
  EngineWriteOptions options_;
  std::unique_ptr<hub::BatchWriter> writer_;
};

}  // namespace

std::shared_ptr<const void> Engine::load_ahead() {
  if (is_loaded.load(std::memory_order_acquire)) return nullptr;
  // Both ends of a conversion ask, and hold the one that has begun.
  static std::mutex mutex;
  static std::weak_ptr<const Loading> current;
  const std::lock_guard guard(mutex);
  if (std::shared_ptr<const Loading> begun = current.lock()) return begun;
  try {
    auto begun = std::make_shared<const Loading>();
    current = begun;
    return begun;
  } catch (const std::system_error&) {
    return nullptr;  // without a thread it is loaded when it is needed
  }
}

std::unique_ptr<hub::BatchWriter> open_engine_writer(std::unique_ptr<ByteSink> sink,
                                                     const hub::Schema& schema,
                                                     const EngineWriteOptions& options) {
  return std::make_unique<WaitingWriter>(std::move(sink), schema, options);
}

std::string_view Engine::description() const { return engine_->description; }

std::unique_ptr<hub::BatchReader> Engine::open(std::unique_ptr<Source> source,
                                               const EngineReadOptions& options) const {
  return std::make_unique<PluginReader>(*engine_, std::move(source), options);
}

std::unique_ptr<hub::BatchWriter> Engine::open_writer(std::unique_ptr<ByteSink> sink,
                                                      const hub::Schema& schema,
                                                      const EngineWriteOptions& options) const {
  return std::make_unique<EngineWriter>(*engine_, std::move(sink), schema, options, "");
}

}  // namespace xwalk::io
