#include "xwalk/io/engines/program_engine.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/type_texts.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/temporary_file.h"
#include "xwalk/io/engines/engine_host.h"
#include "xwalk/io/engines/engine_segments.h"
#include "xwalk/io/engines/engine_segments_out.h"
#include "xwalk/io/engines/passage.h"
#include "xwalk/io/engines/row_labels.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {

std::string options_of(const ProgramReadOptions& options, const TemporaryFolder* links) {
  // guard(follow): what an engine reads for a project file is checked with all links below it.
  check_read_all(options.path);
  nlohmann::json json = {
      {"path", for_engine(options.path)}, {"contract", kEngineContract}, {"segments", true}};
  if (!options.metadata.empty()) json["metadata_location"] = options.metadata;
  if (options.limit) json["limit"] = *options.limit;
  if (options.batch_rows > 0) json["batch_rows"] = options.batch_rows;
  if (options.version) json["version"] = *options.version;
  if (!options.follow.empty()) json["follow"] = options.follow;
  if (options.identity) json["identity"] = *options.identity;
  if (options.snapshot) json["snapshot"] = *options.snapshot;
  if (options.schema_id) json["schema_id"] = *options.schema_id;
  if (links != nullptr) json.update({{"links", links->path()}, {"manifest", *options.manifest}});
  const StorageOptions storage = reached_with(options.path, options.storage);
  if (!storage.empty()) json["storage"] = storage;
  std::string without = print_for_engine(json);
  if (!options.columns) return without;
  json["columns"] = *options.columns;
  std::string text = print_for_engine(json);
  // One argument of a program has 128 KiB at most. A longer list of columns is left out.
  return text.size() > size_t{100} << 10 ? without : text;
}

namespace {

/// Where the arrays of an engine come from. Methods throw what it told.
class EngineRows {
 public:
  virtual ~EngineRows() = default;
  virtual hub::Schema schema() = 0;
  virtual std::optional<hub::Array> next() = 0;
  /// Waits until it has ended well.
  virtual void finish() = 0;
  virtual EngineReport report() = 0;
  virtual uint64_t bytes() const = 0;
};

/// How offsets of text and bytes count: of one size only, or of either.
enum class Offsets : uint8_t { AsTheyAre, OfEitherSize };

/// Returns a type without the metadata of its members.
hub::Type bare(const hub::Type& type, Offsets offsets) {
  if (offsets == Offsets::OfEitherSize) {
    if (hub::is_utf8(type.kind())) return hub::Kind::Utf8;
    if (hub::is_binary(type.kind())) return hub::Kind::Binary;
  }
  if (type.children().empty()) return type;
  std::vector<hub::Field> children;
  for (const hub::Field& child : type.children()) {
    children.emplace_back(child.name, bare(child.type, offsets), child.nullable);
  }
  return hub::with_children(type, std::move(children));
}

/// Returns true for columns of the same names and layouts. Metadata of the columns may differ.
bool same_columns(const hub::Schema& a, const hub::Schema& b, Offsets offsets) {
  return std::ranges::equal(a.fields, b.fields, [&](const auto& left, const auto& right) {
    return left.name == right.name && bare(left.type, offsets) == bare(right.type, offsets);
  });
}

void give_order(EngineProgram& program, const std::string& line) {
  program.write(line.data(), line.size());
}

/// Runs a call. If it fails with a broken stream, the error that the engine itself reported is
/// thrown instead.
template <typename Call, typename Fail>
auto or_its_report(Call call, Fail fail) -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    fail(error);
    throw;
  }
}

class ProgramRows final : public EngineRows, public OpenedRows {
 public:
  ProgramRows(std::string_view engine, std::unique_ptr<EngineProgram> program)
      : engine_(engine), program_(std::move(program)), stream_(open_stream()) {}

  hub::Schema schema() override {
    // The stream has it once.
    if (!schema_) schema_ = guarded([&] { return stream_->schema(); });
    return *schema_;
  }
  std::optional<hub::Array> next() override {
    if (program_ == nullptr) return std::nullopt;
    return guarded([&] {
      if (!std::exchange(ordered_, true) && takes_orders()) {
        (void)stream_->next();  // the end of a stream that had the schema alone
        const bool in_segments = program_->report().segments;
        give_order(*program_, in_segments ? kSendSegments : kSend);
        stream_ = in_segments ? open_segments() : open_stream();
        (void)stream_->schema();
      }
      return stream_->next();
    });
  }
  void start() override { (void)schema(); }
  void finish() override {
    ended_ = true;
    program_->finish();
  }
  EngineReport report() override { return program_->report(); }
  uint64_t bytes() const override { return bytes_; }

  std::shared_ptr<EngineProgram> take(std::string_view engine, const hub::Schema& plain) override {
    // Engines take plain text of others as it comes.
    const Offsets offsets = engine == engine_ ? Offsets::AsTheyAre : Offsets::OfEitherSize;
    if (ordered_ || !takes_orders() || !does(engine) || !same_columns(*schema_, plain, offsets)) {
      return nullptr;
    }
    taken_ = program_;
    return std::move(program_);
  }
  std::string_view engine() const override { return engine_; }
  bool is_taken() const override { return program_ == nullptr; }

  Progress finish(hub::BatchWriter* writer, const PipelineOptions& options) override {
    Progress progress;
    const auto look = [&] {
      if (const auto program = taken_.lock()) {
        const EngineReport& report = program->report();
        progress.rows = static_cast<uint64_t>(report.done_rows.value_or(report.rows_so_far));
        progress.bytes_read = report.bytes_so_far;
        progress.total_rows = report.total_rows;
      }
      progress.bytes_written = writer->bytes_written();
      if (options.on_progress) options.on_progress(progress);
    };
    const Waiting* outer = waiting();
    Waiting meanwhile{options.cancelled, [&] {
                        if (outer != nullptr && outer->ask) outer->ask();
                        look();
                      }};
    if (meanwhile.cancelled == nullptr && outer != nullptr) meanwhile.cancelled = outer->cancelled;
    const WaitScope scope(&meanwhile);
    writer->finish();
    look();
    return progress;
  }

 private:
  static constexpr const char* kSend = "{\"send\":{}}\n";
  static constexpr const char* kSendSegments = "{\"send\":{\"segments\":true}}\n";

  template <typename Call>
  auto guarded(Call call) -> decltype(call()) {
    return or_its_report(call, [&](const Error& error) {
      if (!ended_) program_->fail(error.message());
    });
  }

  std::unique_ptr<IpcStreamReader> open_stream() {
    return std::make_unique<IpcStreamReader>([this](void* out, size_t size) {
      const size_t got = program_->read(out, size);
      bytes_ += got;
      return got;
    });
  }

  std::unique_ptr<IpcStreamReader> open_segments() {
    segments_ = std::make_unique<EngineSegments>(
        program_->take_socket(), [this](int socket) { return program_->await(socket); });
    return std::make_unique<IpcStreamReader>([this](void* out, size_t size) {
      const size_t got = segments_->read(out, size);
      bytes_ += got;
      return got;
    });
  }

  /// Returns true if it can do the work of an engine itself.
  bool does(std::string_view engine) {
    return engine == engine_ || (std::ranges::count(program_->report().writes, engine) > 0 &&
                                 program_->shares_folder_with(engine));
  }
  /// It announced this before its schema.
  bool takes_orders() { return program_ != nullptr && program_->report().contract >= 2; }

  std::string engine_;
  /// Null once it is taken.
  std::shared_ptr<EngineProgram> program_;
  std::weak_ptr<EngineProgram> taken_;
  std::unique_ptr<EngineSegments> segments_;
  std::unique_ptr<IpcStreamReader> stream_;
  std::optional<hub::Schema> schema_;
  uint64_t bytes_ = 0;
  bool ordered_ = false;
  bool ended_ = false;
};

class RowsHere final : public EngineRows {
 public:
  explicit RowsHere(std::unique_ptr<HostedRows> hosted)
      : hosted_(std::move(hosted)),
        rows_(guarded([&] { return hub::import_stream(hosted_->take()); })) {}

  hub::Schema schema() override { return rows_->schema(); }
  std::optional<hub::Array> next() override {
    std::optional<hub::Batch> batch = guarded([&] { return rows_->next(); });
    if (!batch) return std::nullopt;
    count_ += batch->rows();
    return std::move(batch->array);
  }
  void finish() override {}
  EngineReport report() override {
    EngineReport report = hosted_->report();
    report.done_rows = count_;
    return report;
  }
  uint64_t bytes() const override { return 0; }

 private:
  template <typename Call>
  auto guarded(Call call) -> decltype(call()) {
    return or_its_report(call, [&](const Error&) { throw_reported(hosted_->report()); });
  }

  std::unique_ptr<HostedRows> hosted_;
  std::unique_ptr<hub::BatchReader> rows_;
  int64_t count_ = 0;
};

/// Runs a call, and names the path in its errors.
template <typename Call>
auto in_path(const std::string& path, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

std::unique_ptr<EngineRows> open_engine(std::string_view engine, std::string_view package,
                                        const ProgramReadOptions& options,
                                        const TemporaryFolder* links) {
  const std::string text = options_of(options, links);
  if (engine_host() != nullptr && !options.separate) {
    auto hosted = engine_host()->read(engine, text);
    if (hosted != nullptr) return std::make_unique<RowsHere>(std::move(hosted));
  }
  return std::make_unique<ProgramRows>(
      engine, options.idle == nullptr
                  ? std::make_unique<EngineProgram>(engine, package, "read", text)
                  : options.idle->read(text));
}

/// Rows whose engine starts when the first of them is needed, or a writer asks for them. Names the
/// path in its errors.
class LateRows final : public OpenedRows {
 public:
  LateRows(std::string_view engine, std::string_view package, ProgramReadOptions options)
      : engine_(engine), package_(package), options_(std::move(options)) {}

  template <typename Call>
  auto with(Call call) -> decltype(call(std::declval<EngineRows&>())) {
    return in_path(options_.path, [&] {
      if (!rows_) {
        if (options_.manifest) links_ = std::make_unique<TemporaryFolder>();
        rows_ = open_engine(engine_, package_, options_, links_.get());
      }
      return call(*rows_);
    });
  }
  uint64_t bytes() const { return rows_ ? rows_->bytes() : 0; }

  void start() override {
    with([](EngineRows& rows) { (void)rows.schema(); });
  }
  std::shared_ptr<EngineProgram> take(std::string_view engine, const hub::Schema& plain) override {
    start();
    return with(
        [&](EngineRows&) { return opened() == nullptr ? nullptr : opened()->take(engine, plain); });
  }
  std::string_view engine() const override { return engine_; }
  bool is_taken() const override { return opened() != nullptr && opened()->is_taken(); }
  Progress finish(hub::BatchWriter* writer, const PipelineOptions& options) override {
    return opened()->finish(writer, options);
  }

 private:
  /// Null before the start, and for an engine that cannot write what it reads.
  OpenedRows* opened() const { return dynamic_cast<OpenedRows*>(rows_.get()); }

  std::string engine_;
  std::string package_;
  ProgramReadOptions options_;
  /// It is removed after the engine has ended.
  std::unique_ptr<TemporaryFolder> links_;
  std::unique_ptr<EngineRows> rows_;
};

/// Returns the schema of the rows that an engine will read, as the file describes them.
hub::Schema expected_rows(const hub::Schema& labels, const ProgramReadOptions& options) {
  hub::Schema out = labels;
  if (options.columns) {
    std::erase_if(out.fields, [&](const hub::Field& field) {
      return std::ranges::find(*options.columns, field.name) == options.columns->end();
    });
  }
  for (hub::Field& field : out.fields) {
    const hub::Type plain = plain_layout({.fields = {field}}).fields.front().type;
    field = hub::Field(field.name, bare(plain, Offsets::AsTheyAre), field.nullable);
  }
  out.fields = with_labels(std::move(out.fields), labels);
  return out;
}

/// The rows of an engine, as the file describes them, counted.
class EngineReader final : public hub::BatchReader {
 public:
  EngineReader(std::string_view engine, std::string_view package, const ProgramReadOptions& options,
               const hub::Schema& labels)
      : engine_(std::make_shared<LateRows>(engine, package, options)),
        path_(options.path),
        labels_(labels),
        schema_(expected_rows(labels, options)),
        limit_(options.limit),
        total_rows_(options.rows) {
    if (limit_ && total_rows_) total_rows_ = std::min(*total_rows_, *limit_);
  }

  const hub::Schema& schema() const override { return schema_; }

  std::optional<hub::Batch> next() override {
    if (ended_) return std::nullopt;
    if (!std::exchange(started_, true)) start();
    std::optional<hub::Array> array = engine_->with([](EngineRows& rows) { return rows.next(); });
    if (!array) {
      ended_ = true;
      engine_->with([&](EngineRows& rows) { check_count(rows); });
      return std::nullopt;
    }
    hub::Batch batch;
    batch.array = rows_are_column_ ? hub::slice(array->children[0], array->offset, array->length)
                                   : std::move(*array);
    batch.first_row = rows_;
    rows_ += batch.rows();
    return cast_ ? cast_->run(std::move(batch)) : std::move(batch);
  }

  std::optional<int64_t> total_rows() const override { return total_rows_; }
  uint64_t bytes_read() const override { return engine_->bytes(); }

  std::shared_ptr<OpenedRows> opened_rows() const {
    // A limit and a column of rows are cut here.
    return labels_.nullable_rows || limit_ ? nullptr : engine_;
  }

 private:
  /// Compares what the engine gives with what the file says.
  void start() {
    hub::Schema found = engine_->with([](EngineRows& rows) { return rows.schema(); });
    // A batch cannot be null itself: rows that may be null are one column of structs.
    rows_are_column_ = labels_.nullable_rows && found.fields.size() == 1 &&
                       found.fields[0].type.kind() == hub::Kind::Struct;
    if (rows_are_column_) {
      const hub::Type rows = found.fields[0].type;
      found.fields.assign(rows.children().begin(), rows.children().end());
    }
    found.fields = with_labels(std::move(found.fields), labels_);
    found.metadata = schema_.metadata;
    found.nullable_rows = schema_.nullable_rows;
    found.bare_rows = schema_.bare_rows;
    if (found == schema_) return;
    for (const hub::Field& field : schema_.fields) {
      const auto its = std::ranges::find(found.fields, field.name, &hub::Field::name);
      if (its != found.fields.end() && crosswalk::is_other_layout(field, *its)) continue;
      const auto [wanted, given] = its == found.fields.end() ? std::pair(hub::to_string(field.type),
                                                                         std::string("no column"))
                                                             : hub::texts_apart(field, *its);
      throw Error(ErrorCode::Unsupported,
                  fmt::format("expected the type {} from the engine xwalk-engine-{}, found {}",
                              wanted, engine_->engine(), given),
                  {.file = path_, .path = Path::column(field.name)},
                  "Another version of its package may read the file.");
    }
    cast_ = hub::compile_cast(found, schema_);
  }

  void check_count(EngineRows& rows) {
    rows.finish();
    const EngineReport report = rows.report();
    if (report.done_rows != rows_) {
      throw Error(ErrorCode::Io, fmt::format("expected {} rows from the engine, found {}",
                                             report.done_rows.value_or(0), rows_));
    }
    const std::optional<int64_t> in_file = total_rows_ ? total_rows_ : report.total_rows;
    if (in_file && (limit_ ? std::min(*in_file, *limit_) : *in_file) != rows_) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected {} rows in the file, found {}", *in_file, rows_));
    }
  }

  std::shared_ptr<LateRows> engine_;
  std::string path_;
  hub::Schema labels_;
  hub::Schema schema_;
  std::optional<int64_t> limit_;
  std::optional<int64_t> total_rows_;
  /// From the layouts of the engine to those of `schema_`.
  std::optional<hub::CompiledCast> cast_;
  bool rows_are_column_ = false;
  bool started_ = false;
  bool ended_ = false;
  int64_t rows_ = 0;
};

/// Rows of an engine whose source the writer must know.
class OpenedReader final : public WrappedReader {
 public:
  OpenedReader(std::unique_ptr<SplitReader> reader, std::shared_ptr<OpenedRows> opened)
      : WrappedReader(std::move(reader)), opened_(std::move(opened)) {}

  std::unique_ptr<Piece> take() override { return inner_->take(); }
  std::shared_ptr<OpenedRows> opened_rows() const override { return opened_; }

 private:
  std::shared_ptr<OpenedRows> opened_;
};

}  // namespace

/// How batches in plain layouts reach an engine. Methods throw what it told.
class EngineTransport {
 public:
  virtual ~EngineTransport() = default;
  virtual void write(hub::Array batch) = 0;
  /// Reports that these were all rows, and returns the engine's report when they are in place. Sets
  /// the number of rows if they did not pass through this process.
  virtual EngineReport finish(int64_t* rows) = 0;
  virtual uint64_t bytes() const = 0;
  /// Returns true if it has reported an error.
  virtual bool has_refused() const = 0;
};

namespace {

/// Has a program make good what it has written, and waits for its end.
void commit(EngineProgram& program, int64_t rows) {
  give_order(program, fmt::format("{{\"commit\":{{\"rows\":{}}}}}\n", rows));
  program.finish();
}

/// A program that reads and writes the rows itself.
class CopyTransport final : public EngineTransport {
 public:
  /// Writes what `program` has opened for an engine.
  CopyTransport(std::shared_ptr<EngineProgram> program, const OpenedRows& opened,
                std::string_view engine, const std::string& options, const hub::Schema& plain)
      : program_(std::move(program)),
        before_commit_(opened.before_commit),
        expected_(program_->report().total_rows) {
    const std::string_view other = opened.engine() == engine ? "" : engine;
    const std::string by = other.empty() ? "" : fmt::format(",\"engine\":\"{}\"", other);
    give_order(*program_, fmt::format("{{\"write\":{}{}}}\n", options, by));
    IpcStreamWriter stream(plain,
                           [this](const void* data, size_t size) { program_->write(data, size); });
    stream.finish();
  }

  void write(hub::Array) override {
    throw Error(ErrorCode::Internal, "a batch came to an engine that reads by itself");
  }
  EngineReport finish(int64_t* rows) override {
    *rows = program_->await_info(2).total_rows.value_or(0);
    if (*rows < 0 || (expected_ && *expected_ != *rows)) {
      throw Error(ErrorCode::Input, fmt::format("expected {} rows in the file, found {}",
                                                expected_.value_or(0), *rows));
    }
    if (before_commit_) before_commit_();
    commit(*program_, *rows);
    return program_->report();
  }
  uint64_t bytes() const override { return program_->report().bytes_so_far; }
  bool has_refused() const override { return program_->has_refused(); }

 private:
  std::shared_ptr<EngineProgram> program_;
  std::function<void()> before_commit_;
  /// The rows that it found before.
  std::optional<int64_t> expected_;
};

/// Returns the options of a writer that may take rows in shared memory.
std::string with_segments(const std::string& options) {
  nlohmann::json json = nlohmann::json::parse(options);
  json["contract"] = kEngineContract;
  json["segments"] = true;
  return json.dump(-1, ' ', true);
}

class ProgramTransport final : public EngineTransport {
 public:
  ProgramTransport(std::string_view engine, std::string_view package, const std::string& options,
                   const hub::Schema& plain)
      : program_(engine, package, "write", with_segments(options)),
        stream_(plain, [this](const void* data, size_t size) {
          program_.write(data, size);
          bytes_ += size;
        }) {}

  void write(hub::Array batch) override {
    // It announces this while it starts. Batches before that go through its pipe.
    if (!segments_ && program_.report().segments) {
      stream_.finish();
      segments_ = std::make_unique<EngineSegmentsOut>(
          program_.take_socket(), [this](int socket) { return program_.await(socket); });
    }
    if (!segments_) return stream_.write(batch);
    try {
      stream_.write(batch, segments_.get());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Io) program_.fail(error.message());
      throw;
    }
  }
  EngineReport finish(int64_t* rows) override {
    if (segments_) {
      segments_->finish();
    } else {
      stream_.finish();
      program_.close_socket();
    }
    commit(program_, *rows);
    return program_.report();
  }
  uint64_t bytes() const override { return bytes_ + (segments_ ? segments_->bytes() : 0); }
  bool has_refused() const override { return program_.has_refused(); }

 private:
  EngineProgram program_;
  IpcStreamWriter stream_;
  std::unique_ptr<EngineSegmentsOut> segments_;
  uint64_t bytes_ = 0;
};

class TransportHere final : public EngineTransport {
 public:
  /// Returns null if the engine is not available.
  static std::unique_ptr<TransportHere> make(std::string_view engine, const std::string& options,
                                             const hub::Schema& plain) {
    if (engine_host() == nullptr) return nullptr;
    auto passage = std::make_shared<Passage>(plain);
    hub::StreamHandle rows = hub::export_stream(std::make_unique<PassageReader>(passage));
    auto hosted = engine_host()->write(engine, options, &rows);
    if (hosted == nullptr) return nullptr;
    return std::unique_ptr<TransportHere>(new TransportHere(std::move(passage), std::move(hosted)));
  }

  ~TransportHere() override {
    // It takes back what it has written, and ends, before what it writes to is removed.
    passage_->end(/*whole=*/false);
    hosted_.reset();
  }

  void write(hub::Array batch) override {
    while (!passage_->put(&batch)) {
      look_up();
      if (hosted_->ended()) fail("stopped taking rows");
    }
  }
  EngineReport finish(int64_t* rows) override {
    hosted_->promise(*rows);
    passage_->end(/*whole=*/true);
    while (!hosted_->ended()) look_up();
    EngineReport report = hosted_->report();
    if (!report.done_rows) fail("exited without an error message");
    return report;
  }
  uint64_t bytes() const override { return 0; }
  bool has_refused() const override { return hosted_->report().error.has_value(); }

 private:
  TransportHere(std::shared_ptr<Passage> passage, std::unique_ptr<HostedOutput> hosted)
      : passage_(std::move(passage)), hosted_(std::move(hosted)) {}

  [[noreturn]] void fail(const char* otherwise) {
    throw_reported(hosted_->report());
    throw Error(ErrorCode::Io, fmt::format("the engine {}", otherwise));
  }

  std::shared_ptr<Passage> passage_;
  std::unique_ptr<HostedOutput> hosted_;
};

}  // namespace

std::unique_ptr<hub::BatchReader> open_program_rows(std::string_view engine,
                                                    std::string_view package,
                                                    const ProgramReadOptions& options,
                                                    const hub::Schema& labels) {
  return std::make_unique<EngineReader>(engine, package, options, labels);
}

namespace {

/// Returns true if a column holds numbers with a layout that has more values than their type:
/// engines give decimals and times as they are stored.
bool has_bounded_numbers(const hub::Field& field) {
  const hub::Kind kind = field.type.kind();
  return hub::is_decimal(kind) || kind == hub::Kind::Time32 || kind == hub::Kind::Time64 ||
         std::ranges::any_of(field.type.children(), has_bounded_numbers);
}

}  // namespace

std::unique_ptr<SplitReader> split_program_rows(crosswalk::System system, std::string file,
                                                std::unique_ptr<hub::BatchReader> reader) {
  const auto* own = dynamic_cast<const EngineReader*>(reader.get());
  std::shared_ptr<OpenedRows> opened = own == nullptr ? nullptr : own->opened_rows();
  const hub::Schema given = reader->schema();
  std::unique_ptr<SplitReader> rows =
      check_values(split(crosswalk::with_arrow_types(system, std::move(reader))), std::move(file));
  // An engine that takes the rows itself checks no values, which other conversions may reject.
  const bool must_check =
      std::ranges::any_of(given.fields, has_bounded_numbers) ||
      !std::ranges::equal(given.fields, rows->schema().fields, crosswalk::is_other_layout);
  if (opened == nullptr || must_check) return rows;
  return std::make_unique<OpenedReader>(std::move(rows), std::move(opened));
}

ProgramSink::ProgramSink(std::string_view engine, std::string_view package,
                         const std::string& options_json, const hub::Schema& schema,
                         const hub::Metadata& stream_metadata, bool separate, OpenedRows* opened) {
  hub::Schema plain = plain_layout(schema);
  hub::CompiledCast cast = hub::compile_cast(schema, plain);
  if (!cast.is_identity()) cast_ = std::move(cast);
  for (const auto& [key, value] : stream_metadata) plain.metadata.set(key, value);
  if (opened != nullptr && !cast_) {
    if (auto program = opened->take(engine, plain)) {
      engine_ =
          std::make_unique<CopyTransport>(std::move(program), *opened, engine, options_json, plain);
      return;
    }
  }
  if (!separate) engine_ = TransportHere::make(engine, options_json, plain);
  if (!engine_) {
    engine_ = std::make_unique<ProgramTransport>(engine, package, options_json, plain);
  }
}

ProgramSink::~ProgramSink() = default;

bool ProgramSink::is_in_doubt() const { return !has_answered_ && !engine_->has_refused(); }

void ProgramSink::write(hub::Batch batch) {
  if (batch.rows() == 0) return;
  if (cast_) batch = cast_->run(std::move(batch));
  if (!batch.bad.empty()) throw batch.bad.front().error;
  rows_ += batch.rows();
  engine_->write(std::move(batch.array));
  bytes_ = engine_->bytes();
}

void ProgramSink::finish() {
  const EngineReport report = engine_->finish(&rows_);
  has_answered_ = true;
  if (report.done_rows != rows_) {
    throw Error(ErrorCode::Io, fmt::format("expected {} rows in the output, found {}", rows_,
                                           report.done_rows.value_or(0)));
  }
  bytes_ = report.done_bytes.value_or(engine_->bytes());
  updated_ = report.done_updated.value_or(0);
}

}  // namespace xwalk::io
