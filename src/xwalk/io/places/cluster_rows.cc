#include "xwalk/io/places/cluster_rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/bytes/upload.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_rows.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

using hub::Option;

constexpr std::string_view kEngine = "yt";
constexpr std::string_view kPackage = "ytsaurus-client";
/// Bytes taken from the engine at a time, and the most that `peek` gives.
constexpr size_t kBlock = size_t{256} << 10;

/// Runs a call, and names the table in its errors.
template <typename Call>
auto of_table(const Location& path, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

/// Starts the engine for a table.
std::unique_ptr<EngineProgram> start(std::string_view verb, const yt::RichPath& path,
                                     nlohmann::json options = nlohmann::json::object()) {
  options["path"] = path.with_ranges();
  options["cluster"] = path.cluster;
  options["answer_bytes"] = schema_bytes_limit();
  if (!may_get_credentials(LocationKind::Cluster, path.cluster)) options["anonymous"] = true;
  return std::make_unique<EngineProgram>(kEngine, kPackage, verb, print_for_engine(options));
}

void give_order(EngineProgram& program, const nlohmann::json& order) {
  const std::string line = print_for_engine(order) + "\n";
  program.write(line.data(), line.size());
}

/// Returns the schema of rows with only some columns. Omitted columns are treated as missing, so
/// that they are not other columns. A column that only the rows may have is of type any.
yt::TableSchema cut(yt::TableSchema table, const std::vector<std::string>& columns) {
  const auto wanted = [&](const std::string& name) {
    return std::ranges::find(columns, name) != columns.end();
  };
  // Rows that are sorted by a and b are so by a, and not by b.
  bool is_key = true;
  for (yt::ColumnSchema& column : table.columns) {
    is_key = is_key && column.sort_order && wanted(column.name);
    if (is_key || !column.sort_order) continue;
    column.sort_order.reset();
    table.unique_keys = false;
  }
  std::vector<yt::ColumnSchema> kept;
  for (yt::ColumnSchema& column : table.columns) {
    if (wanted(column.name)) kept.push_back(std::move(column));
  }
  table.columns = std::move(kept);
  for (const std::string& name : columns) {
    if (table.find(name) != nullptr) continue;
    if (table.strict) {
      throw Error(ErrorCode::Usage, fmt::format("the table has no column {}", xwalk::quoted(name)));
    }
    table.columns.emplace_back(name, yt::optional(yt::TypeKind::Yson));
  }
  table.strict = true;
  return table;
}

/// A table whose engine has told its schema, and waits for an order.
struct OpenTable {
  std::string name;
  yt::RichPath path;
  std::unique_ptr<EngineProgram> program;
  /// Of the columns that the path names.
  yt::TableSchema schema;
  std::optional<int64_t> rows;
};

OpenTable open_table(const std::string& name) {
  return of_table(name, [&] {
    OpenTable table{name, yt::parse_rich_path(name), nullptr, {}, {}};
    if (table.path.append || !table.path.storage.empty()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{} is an attribute of a table that is written, found one to read",
                              table.path.append ? "append" : table.path.storage.front().first));
    }
    table.program = start("read", table.path);
    const EngineReport& report = table.program->await_info(1);
    table.schema = yt::parse_table_schema(yson::parse(report.schema));
    table.rows = report.total_rows;
    if (table.path.columns) table.schema = cut(std::move(table.schema), *table.path.columns);
    return table;
  });
}

/// The bytes of rows, as the engine gives them.
class EngineSource final : public Source {
 public:
  EngineSource(std::string name, std::unique_ptr<EngineProgram> program)
      : name_(std::move(name)), program_(std::move(program)) {}

  const std::string& name() const override { return name_; }
  uint64_t position() const override { return position_; }

  std::string_view peek(size_t size) override {
    ahead_.erase(0, std::exchange(from_, 0));
    size = std::min(size, kBlock);
    while (ahead_.size() < size) {
      const size_t had = ahead_.size();
      ahead_.resize(kBlock);
      const size_t got = fill(ahead_.data() + had, kBlock - had);
      ahead_.resize(had + got);
      if (got == 0) break;
    }
    return std::string_view(ahead_).substr(0, size);
  }

  size_t read(char* out, size_t size) override {
    size_t got = ahead_.copy(out, size, from_);
    from_ += got;
    if (got == 0) got = fill(out, size);
    position_ += got;
    return got;
  }

  /// Returns how many rows the engine counts; nothing before the end, or where it cannot tell.
  std::optional<int64_t> rows() const { return rows_; }

 private:
  /// The end of the bytes is valid only if the engine reports that these were all.
  size_t fill(char* out, size_t size) {
    if (program_ == nullptr) return 0;
    return of_table(name_, [&] {
      const size_t got = program_->read(out, size);
      received_ += got;
      if (got > 0) return got;
      program_->finish();
      const EngineReport& report = program_->report();
      if (report.done_bytes != received_) {
        throw Error(ErrorCode::Io, fmt::format("expected {} bytes from the engine, found {}",
                                               report.done_bytes.value_or(0), received_));
      }
      if (report.done_rows >= 0) rows_ = report.done_rows;
      program_.reset();
      return got;
    });
  }

  std::string name_;
  std::unique_ptr<EngineProgram> program_;
  std::string ahead_;
  size_t from_ = 0;
  uint64_t position_ = 0;
  uint64_t received_ = 0;
  std::optional<int64_t> rows_;
};

/// Rows whose bytes are those of the engine, which no file has.
class RowsPiece final : public PieceOver {
 public:
  using PieceOver::PieceOver;
  hub::Batch decode() override {
    hub::Batch batch = inner_->decode();
    for (hub::BadRow& row : batch.bad) row.source_bytes.clear();
    return batch;
  }
  void locate(std::vector<hub::BadRow>& /*rows*/) const override {}
};

/// Rows of a table, which are counted.
class TableReader final : public SplitReader {
 public:
  TableReader(std::unique_ptr<SplitReader> rows, const EngineSource* source, hub::Schema schema,
              std::optional<int64_t> total)
      : rows_(std::move(rows)), source_(source), schema_(std::move(schema)), total_(total) {}

  const hub::Schema& schema() const override { return schema_; }
  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = rows_->take();
    if (piece == nullptr && source_->rows() && *source_->rows() != rows_->rows_taken()) {
      throw Error(ErrorCode::Io,
                  fmt::format("expected {} rows of the table, found {}", *source_->rows(),
                              rows_->rows_taken()),
                  {.file = source_->name()});
    }
    if (piece == nullptr) return nullptr;
    return std::make_unique<RowsPiece>(std::move(piece));
  }
  int64_t rows_taken() const override { return rows_->rows_taken(); }
  Notes notes() const override { return rows_->notes(); }
  std::optional<int64_t> total_rows() const override { return total_; }
  uint64_t bytes_read() const override { return source_->position(); }

 private:
  std::unique_ptr<SplitReader> rows_;
  const EngineSource* source_;  ///< of `rows_`
  hub::Schema schema_;
  std::optional<int64_t> total_;
};

/// Returns the Skiff schema of a table's rows; empty if Skiff cannot represent a type.
std::optional<skiff::Schema> skiff_schema_of(const yt::TableSchema& table) {
  try {
    skiff::Schema schema = skiff::schema_of(table);
    (void)skiff::to_arrow(schema);
    return schema;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported) throw;
    return std::nullopt;
  }
}

std::string format_text(const skiff::Schema& schema) {
  return yson::print(skiff::to_node(schema.format));
}

/// YSON as tables store it, so that nothing is reported twice or rewritten.
yt::ValueOptions yson_values(const yt::ValueOptions& given) {
  yt::ValueOptions values = yt::stored_form();
  values.format = yson::Format::Binary;
  values.uuid_order = given.uuid_order;
  values.decimal_special = given.decimal_special;
  return values;
}

bool requests_yson(const std::optional<Format>& format) {
  return format && (*format == kYsonRows || *format == kClusterYsonTables);
}

std::unique_ptr<SplitReader> read_rows(OpenTable table, const InputOptions& options,
                                       const std::vector<std::string>& columns) {
  const bool has_others = std::ranges::any_of(
      columns, [&](const std::string& name) { return table.schema.find(name) == nullptr; });
  nlohmann::json order = {{"limit", nullptr}, {"columns", nullptr}, {"threads", options.threads}};
  // Columns that the schema does not know are among the other columns, which cannot be read in
  // part. Names that are not UTF-8 cannot be requested.
  const bool are_texts =
      std::ranges::all_of(columns, [](const std::string& name) { return is_valid_utf8(name); });
  if (!columns.empty() && !has_others && are_texts) {
    table.schema = cut(std::move(table.schema), columns);
    order["columns"] = columns;
  } else if (table.path.columns) {
    order["columns"] = *table.path.columns;
  }
  if (options.limit) order["limit"] = *options.limit;
  hub::Schema schema = yt::to_arrow(table.schema);
  std::optional<int64_t> rows = table.rows;
  if (rows && options.limit) rows = std::min(*rows, *options.limit);

  const auto skiff = requests_yson(options.format) ? std::nullopt : skiff_schema_of(table.schema);
  const yt::ValueOptions values = yson_values(options.values);
  order["format"] = skiff ? format_text(*skiff) : yt::print_format(values);
  of_table(table.name, [&] { give_order(*table.program, order); });
  auto source = std::make_unique<EngineSource>(table.name, std::move(table.program));
  const EngineSource* bytes = source.get();
  std::unique_ptr<SplitReader> reader;
  if (skiff) {
    skiff::ReadOptions read = skiff_read_options(options);
    read.table = 0;
    read.controls = read.keep_bytes = false;
    reader = read_skiff(std::move(source), *skiff, read);
  } else {
    yt::ReadOptions read;
    read.values = values;
    read.values.specials_as_stored = options.plan.special_decimals;
    read.batch_rows = options.batch_rows;
    read.batch_bytes = static_cast<size_t>(options.batch_bytes);
    read.row_bytes = limits::row_bytes(options.max_memory);
    read.skip_bad_rows = options.skip_bad_rows;
    reader = read_yson(std::move(source), table.schema, read);
  }
  return std::make_unique<TableReader>(std::move(reader), bytes, std::move(schema), rows);
}

OpenFile open(const Location& path, Source*, const InputOptions& options, Input* input) {
  if (options.schema) {
    throw Error(ErrorCode::Usage,
                fmt::format("a table has its schema on the cluster, and takes none by {}",
                            hub::mention(hub::Option::Schema)));
  }
  const auto first = std::make_shared<std::optional<OpenTable>>(open_table(path));
  input->table_schema = (*first)->schema;
  return [first, options](const Location& file, std::unique_ptr<Source>,
                          const std::vector<Path>& selection) {
    std::optional<OpenTable> table;
    first->swap(table);
    if (!table || table->name != file) table = open_table(file);
    return read_rows(*std::move(table), options, columns_of(selection));
  };
}

/// A table whose rows are all there, in a transaction that the engine holds.
class PendingTable final : public Pending {
 public:
  PendingTable(std::string name, std::unique_ptr<EngineProgram> program, int64_t rows)
      : name_(std::move(name)), program_(std::move(program)), rows_(rows) {}

  void complete() override {
    of_table(name_, [&] {
      give_order(*program_, {{"commit", {{"rows", rows_}}}});
      program_->finish();
    });
  }
  void take_back() noexcept override {}

 private:
  std::string name_;
  std::unique_ptr<EngineProgram> program_;
  int64_t rows_;
};

/// Sends runs of whole rows to the engine.
class TableSink final : public ByteSink {
 public:
  TableSink(std::string name, std::unique_ptr<EngineProgram> program, OutputSet* set,
            std::shared_ptr<const std::atomic<int64_t>> rows)
      : name_(std::move(name)), program_(std::move(program)), set_(set), rows_(std::move(rows)) {}

  void write(std::string_view bytes) override {
    if (bytes.empty()) return;
    of_table(name_, [&] {
      write_size(bytes.size());
      program_->write(bytes.data(), bytes.size());
    });
    position_ += bytes.size();
  }

  void finish() override {
    of_table(name_, [&] {
      write_size(0);
      program_->await_info(3);
    });
    auto table = std::make_unique<PendingTable>(name_, std::move(program_), *rows_);
    OutputSet own;
    (set_ != nullptr ? set_ : &own)->add(std::unique_ptr<Pending>(std::move(table)));
    own.commit();
  }
  uint64_t position() const override { return position_; }

 private:
  void write_size(uint64_t size) {
    static_assert(std::endian::native == std::endian::little);
    char bytes[sizeof size];
    std::memcpy(bytes, &size, sizeof size);
    program_->write(bytes, sizeof bytes);
  }

  std::string name_;
  std::unique_ptr<EngineProgram> program_;
  OutputSet* set_;
  std::shared_ptr<const std::atomic<int64_t>> rows_;
  uint64_t position_ = 0;
};

/// Counts the rows that another writer encodes.
class TableWriter final : public SplitWriter {
 public:
  TableWriter(std::unique_ptr<SplitWriter> writer, std::shared_ptr<std::atomic<int64_t>> rows)
      : writer_(std::move(writer)), rows_(std::move(rows)) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    const int64_t rows = batch.rows();
    // A table does not keep control attributes of rows.
    batch.controls.clear();
    std::vector<hub::BadRow> refused = writer_->encode(std::move(batch), out);
    *rows_ += rows - static_cast<int64_t>(refused.size());
    return refused;
  }
  bool takes_dictionary(size_t column) const override { return writer_->takes_dictionary(column); }
  void write_encoded(std::string_view bytes) override { writer_->write_encoded(bytes); }
  void finish() override { writer_->finish(); }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }

 private:
  std::unique_ptr<SplitWriter> writer_;
  std::shared_ptr<std::atomic<int64_t>> rows_;
};

std::string_view word_of(OutputMode mode) {
  switch (mode) {
    case OutputMode::Create:
      return "create";
    case OutputMode::Append:
      return "append";
    case OutputMode::Overwrite:
      return "overwrite";
  }
  return "";
}

/// Returns the attributes of a table, by its path and by the options.
TableAttributes attributes_of(const yt::RichPath& path, const OutputOptions& options) {
  TableAttributes out = options.table_attributes;
  for (const auto& [name, value] : path.storage) {
    const std::string text = yson::print(value);
    const auto [entry, fresh] = out.try_emplace(name, text);
    if (fresh || entry->second == text) continue;
    throw Error(ErrorCode::Usage, fmt::format("{} is {} by the path, and {} by {}", name, text,
                                              entry->second, hub::mention(Option::YtAttribute)));
  }
  return out;
}

/// Refuses several writers of rows that have an order.
void check_writers(const yt::TableSchema& table, const OutputOptions& options) {
  if (options.table_writers <= 1) return;
  const auto key = std::ranges::find_if(
      table.columns, [](const yt::ColumnSchema& column) { return column.sort_order.has_value(); });
  if (key == table.columns.end()) return;
  throw Error(ErrorCode::Usage,
              fmt::format("several writers keep no order of rows, and the table is sorted by {}",
                          xwalk::quoted(key->name)),
              {},
              fmt::format("Leave {} out, or write without sort_order and run `yt sort`.",
                          hub::mention(Option::YtWriters)));
}

/// Starts the engine for rows of a table to write, which reports what exists and waits for an
/// order.
std::unique_ptr<EngineProgram> start_write(const yt::RichPath& path, OutputMode mode) {
  if (path.columns || !path.ranges.empty() || !path.limits.empty()) {
    throw Error(ErrorCode::Usage, "expected a table to write, found a part of one");
  }
  auto program = start("write", path, {{"mode", word_of(mode)}});
  program->await_info(1);
  return program;
}

std::unique_ptr<hub::BatchWriter> write(const OutputPlace& place, const WritePlan& plan,
                                        const OutputOptions& options) {
  const yt::TableSchema table =
      plan.written ? plan.written->as<yt::TableSchema>() : yt::from_arrow(plan.hub).schema;
  const auto skiff = requests_yson(options.format) ? std::nullopt : skiff_schema_of(table);
  yt::ValueOptions values = yson_values(options.values);
  values.specials_as_stored = plan.special_decimals;
  return of_table(place.path, [&] {
    const yt::RichPath path = yt::parse_rich_path(place.path);
    check_writers(table, options);
    const nlohmann::json order = {
        {"format", skiff ? format_text(*skiff) : yt::print_format(values)},
        {"schema", yson::print(yt::to_node(table))},
        {"attributes", attributes_of(path, options)},
        {"writers", options.table_writers}};
    auto program =
        place.engine ? std::exchange(*place.engine, nullptr) : start_write(path, place.mode);
    give_order(*program, order);
    program->await_info(2);
    auto rows = std::make_shared<std::atomic<int64_t>>(0);
    auto sink = std::make_unique<TableSink>(place.path, std::move(program), options.set, rows);
    std::unique_ptr<SplitWriter> writer;
    if (skiff) {
      skiff::WriteOptions write;
      write.uuid_order = options.values.uuid_order;
      write.specials_as_stored = values.specials_as_stored;
      writer = write_skiff_rows(std::move(sink), *skiff, write);
    } else {
      writer = write_yson(std::move(sink), table, values);
    }
    return std::make_unique<TableWriter>(std::move(writer), std::move(rows));
  });
}

/// The row of both formats, which differ in the transfer format of the rows.
constexpr std::array kTakes = {hub::Option::Schema,     hub::Option::TableIndex,
                               hub::Option::RangeIndex, hub::Option::RowIndex,
                               hub::Option::UuidOrder,  hub::Option::DecimalSpecial};
constexpr std::array kTakesToWrite = {hub::Option::Schema,         hub::Option::UuidOrder,
                                      hub::Option::DecimalSpecial, hub::Option::TzForm,
                                      hub::Option::ClusterVersion, hub::Option::YtAttribute,
                                      hub::Option::YtWriters};

constexpr RowFormat tables_on_a_cluster() {
  return {
      .word = "yt",
      .name = "yt",
      .system = yt::kModule,
      .about = "by the engine xwalk-engine-yt",
      .by_path = true,
      .open = open,
      .takes = kTakes,
      .takes_to_write = kTakesToWrite,
      .write_path = write,
      .adding = Adding::ToDataset,
  };
}

}  // namespace

bool is_table_format(Format format) {
  return format == kClusterTables || format == kClusterYsonTables;
}

OutputMode cluster_mode(const Location& path, const OutputOptions& options) {
  const std::optional<bool> append = yt::parse_rich_path(path).append;
  const bool adds = options.mode == OutputMode::Append;
  if (!append || *append == adds) return options.mode;
  if (*append && !options.mode_given) return OutputMode::Append;
  if (!*append && !adds) return options.mode;
  throw Error(ErrorCode::Usage,
              fmt::format("the path says append={}, and {} is {}", *append ? "%true" : "%false",
                          hub::mention(Option::Mode), word_of(options.mode)),
              {.file = path});
}

Format cluster_format(std::optional<Format> requested) {
  if (!requested) return kClusterTables;
  if (is_table_format(*requested)) return *requested;
  if ((*requested)->on_cluster != nullptr) return *(*requested)->on_cluster;
  throw Error(ErrorCode::Usage,
              fmt::format("expected skiff or yson, in which the rows of a table travel, found {}",
                          (*requested)->word),
              {}, "A table has types of YTsaurus; a file of another format is no table.");
}

yt::TableSchema read_cluster_schema(const Location& path, const InputOptions& options) {
  (void)cluster_format(options.format);
  OpenTable table = open_table(path);
  of_table(path, [&] { table.program->finish(); });
  return table.schema;
}

std::optional<yt::TableSchema> begin_append(OutputPlace* place) {
  return of_table(place->path, [&]() -> std::optional<yt::TableSchema> {
    auto program = start_write(yt::parse_rich_path(place->path), place->mode);
    const std::string schema = program->report().schema;
    place->engine = std::make_shared<std::unique_ptr<EngineProgram>>(std::move(program));
    if (schema.empty()) return std::nullopt;
    return yt::parse_table_schema(yson::parse(schema));
  });
}

constinit const RowFormat kClusterTables = tables_on_a_cluster();
constinit const RowFormat kClusterYsonTables = tables_on_a_cluster();

void add_table_attribute(const std::string& name, const std::string& value, TableAttributes* out) {
  if (name.empty() || name == "schema" || name == "dynamic" || name == "type") {
    throw Error(ErrorCode::Usage, fmt::format("expected an attribute that is for you to choose, "
                                              "such as optimize_for, found {}",
                                              xwalk::quoted(name)));
  }
  try {
    (*out)[name] = yson::print(yson::parse(value));
  } catch (const Error& error) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a value in YSON for {}, found {}: {}", name,
                            xwalk::quoted(value), error.message()),
                {}, "Text of more than one word belongs in quotes: \"2026-01-01\".");
  }
}

void add_table_attribute(std::string_view text, TableAttributes* out) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected NAME=VALUE, found {}", xwalk::quoted(text)));
  }
  add_table_attribute(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)),
                      out);
}

}  // namespace xwalk::io
