#include "xwalk/io/formats/parquet_input.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/ordered_dictionary.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/julian_times.h"
#include "xwalk/io/rows/bounded_reader.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/arrow_schema.h"
#include "xwalk/parquet/decode.h"
#include "xwalk/parquet/engine_footer.h"
#include "xwalk/parquet/geo_metadata.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/pages.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/row_groups.h"

namespace xwalk::io {
namespace {

/// A page of a writer that ends pages by their size has about a megabyte, and its last value.
constexpr int64_t kLargePageBytes = int64_t{64} << 20;

/// A row group of at most this part of the memory is fetched as a whole before it is decoded.
constexpr uint64_t kFetchedPart = 8;
/// The rows of a small file take at most this part of the memory of a thread.
constexpr uint64_t kPartOfMemory = 8;

/// The columns of a file that are wanted, and their leaves in the engine's numbering.
struct Selection {
  std::vector<size_t> columns;
  std::vector<int> leaves;
};

Selection select(const parquet::Schema& schema,
                 const std::optional<std::vector<std::string>>& names) {
  if (names) {
    for (const std::string& name : *names) {
      bool known = std::ranges::any_of(
          schema.columns(), [&](const parquet::Node& column) { return column.name() == name; });
      if (!known) {
        std::vector<std::string> column_names;
        for (const parquet::Node& column : schema.columns()) column_names.push_back(column.name());
        throw Error(ErrorCode::Usage, "no column " + xwalk::quoted(name), {},
                    column_hint(name, column_names, [](const std::string& close) {
                      return Path::column(close).text();
                    }));
      }
    }
  }
  Selection selection;
  int leaf = 0;
  for (size_t i = 0; i < schema.columns().size(); ++i) {
    const parquet::Node& column = schema.columns()[i];
    int leaves = parquet::count_leaves(column);
    bool wanted = !names || std::ranges::find(*names, column.name()) != names->end();
    if (wanted && leaves == 0) {
      throw Error(ErrorCode::Unsupported,
                  "a group without fields has no column that stores its values",
                  {.path = Path::column(column.name())}, "leave the column out");
    }
    if (wanted) {
      selection.columns.push_back(i);
      for (int k = 0; k < leaves; ++k) selection.leaves.push_back(leaf + k);
    }
    leaf += leaves;
  }
  return selection;
}

parquet::ToArrowOptions rules(const ParquetInputOptions& options) {
  return {.int96_unit = options.int96_micros ? hub::TimeUnit::Micro : hub::TimeUnit::Nano,
          .storage = options.storage};
}

/// Returns a schema that describes none of the columns, which says why.
hub::Schema unknown_schema(const std::string& why) {
  hub::Schema schema;
  hub::annotate(schema, hub::kArrowSystem, std::string(arrow::kUnknownNote) + why);
  return schema;
}

/// Returns the fields of a schema for columns, by name: another tool may have changed the columns
/// and kept the schema. A column without a field, or with two, gets an empty one.
hub::Schema by_name(const hub::Schema& written, std::span<const parquet::Node> columns) {
  std::unordered_map<std::string_view, const hub::Field*> known;
  for (const hub::Field& field : written.fields) {
    const auto [place, fresh] = known.try_emplace(field.name, &field);
    if (!fresh) place->second = nullptr;
  }
  hub::Schema out;
  out.metadata = written.metadata;
  for (const parquet::Node& column : columns) {
    const auto found = known.find(column.name());
    const bool is_described = found != known.end() && found->second != nullptr;
    out.fields.push_back(is_described ? *found->second : hub::Field(column.name(), hub::Type()));
  }
  return out;
}

/// Returns the Arrow schema of another writer, cut to the columns wanted, if the file has one. A
/// field of an unknown type has a note instead, and so has a schema that cannot be read.
std::optional<hub::Schema> written_schema(const parquet::Footer& footer,
                                          const Selection& selection) {
  auto text = footer.find(parquet::kArrowSchemaKey);
  if (!text) return std::nullopt;
  hub::Schema written;
  try {
    written = arrow::read_ipc_schema(from_base64(*text), arrow::UnknownTypes::Noted);
  } catch (const Error& error) {
    written = unknown_schema(error.message());
  }
  const std::span<const parquet::Node> columns = footer.schema.columns();
  const bool same_names = std::ranges::equal(
      written.fields, columns, [](const hub::Field& field, const parquet::Node& column) {
        return field.name == column.name();
      });
  if (!same_names) written = by_name(written, columns);
  if (selection.columns.size() == written.fields.size()) return written;
  hub::Schema cut;
  cut.metadata = written.metadata;
  for (size_t column : selection.columns) cut.fields.push_back(written.fields[column]);
  return cut;
}

/// Applies the other writer's annotations to the natural schema, column by column, if the values
/// can be converted.
hub::Schema restore(const hub::Schema& natural, const hub::Schema& written) {
  hub::Schema restored = parquet::with_arrow_schema(natural, written);
  std::vector<size_t> changed;
  hub::Schema from;
  hub::Schema to;
  for (size_t i = 0; i < natural.fields.size(); ++i) {
    if (restored.fields[i].type == natural.fields[i].type) continue;
    changed.push_back(i);
    from.fields.push_back(natural.fields[i]);
    to.fields.push_back(restored.fields[i]);
  }
  hub::NoCast none;
  (void)hub::find_cast(from, to, {}, &none);
  for (const auto& [place, why] : none.of_source) {
    restored.fields[changed[place]] = natural.fields[changed[place]];
  }
  return restored;
}

/// Returns true for keys about how one file is stored, which are true of no other: the types of its
/// columns in Arrow, and how DuckDB hashed intervals for the file's Bloom filters.
bool is_of_file(std::string_view key) {
  return key == parquet::kArrowSchemaKey || key == "duckdb.interval_bloom_filter";
}

/// Returns a field whose dictionaries, at any depth, have no order; `lost` gets the paths of those
/// that had one.
hub::Field without_order(hub::Field field, const Path& path, std::vector<Path>* lost) {
  const hub::Type& type = field.type;
  if (type.kind() == hub::Kind::Dictionary) {
    if (!hub::is_ordered(type)) return field;
    lost->push_back(path);
    field.type = hub::without_order(type);
    return field;
  }
  std::vector<hub::Field> children;
  for (const hub::Field& child : type.children()) {
    children.push_back(without_order(child, path.field(child.name), lost));
  }
  if (!std::ranges::equal(children, type.children())) {
    field.type = hub::with_children(type, std::move(children));
  }
  return field;
}

/// Returns true if the dictionary pages of a file have the values of ordered dictionaries in their
/// order. Other writers number the values as they come.
bool keeps_order(const parquet::Footer& footer) {
  return footer.created_by.starts_with("parquet-cpp-arrow");
}

/// Drops the order of dictionaries that are not read from dictionary pages: only text and bytes in
/// a column by themselves are. Returns their paths.
std::vector<Path> drop_lost_orders(const parquet::Footer& footer, const hub::Schema& natural,
                                   hub::Schema* restored) {
  std::vector<Path> lost;
  for (size_t i = 0; i < restored->fields.size(); ++i) {
    const hub::Kind kind = natural.fields[i].type.kind();
    const bool is_bytes = kind == hub::Kind::Utf8 || kind == hub::Kind::Binary;
    if (is_bytes && keeps_order(footer)) continue;
    hub::Field& field = restored->fields[i];
    const Path path = Path::column(field.name);
    field = without_order(std::move(field), path, &lost);
  }
  return lost;
}

void add_metadata(const parquet::Footer& footer, hub::Schema* schema) {
  for (const auto& [key, value] : footer.metadata) {
    if (is_of_file(key) || schema->metadata.find(key)) continue;
    schema->metadata.append(key, value.value_or(""));
  }
}

/// A schema that `restored_schema` made, and what it was made from.
struct Restored {
  decltype(parquet::Footer::metadata) metadata;
  hub::Schema natural;
  hub::Schema restored;
  std::vector<Path> lost_orders;
  bool keeps_order = false;
};

/// The schema that was restored last: most files of a folder have the same schema and metadata.
/// Not a variable of each thread: its destructor would be registered under a lock that a plugin
/// whose loading failed keeps for ever.
class LastRestored {
 public:
  std::shared_ptr<const Restored> get() {
    const std::lock_guard guard(mutex_);
    return last_;
  }
  void set(std::shared_ptr<const Restored> restored) {
    const std::lock_guard guard(mutex_);
    last_.swap(restored);
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Restored> last_;
};

/// `lost_orders` gets the ordered dictionaries of the writer that have no order in the rows.
hub::Schema restored_schema(const parquet::Footer& footer, const Selection& selection,
                            hub::Schema natural, const ParquetInputOptions& options,
                            std::vector<Path>* lost_orders = nullptr) {
  static LastRestored last;
  const bool has_schema = options.arrow_schema && footer.find(parquet::kArrowSchemaKey);
  const bool is_whole = selection.columns.size() == footer.schema.columns().size();
  const bool is_kept = has_schema && is_whole;
  if (is_kept) {
    const std::shared_ptr<const Restored> known = last.get();
    if (known != nullptr && known->metadata == footer.metadata && known->natural == natural &&
        known->keeps_order == keeps_order(footer)) {
      if (lost_orders != nullptr) *lost_orders = known->lost_orders;
      return known->restored;
    }
  }
  Restored made;
  if (has_schema) {
    made = {footer.metadata, natural, {}, {}, keeps_order(footer)};
    const std::optional<hub::Schema> written = written_schema(footer, selection);
    hub::Schema restored =
        crosswalk::with_arrow_types(parquet::kModule, restore(natural, *written));
    made.lost_orders = drop_lost_orders(footer, natural, &restored);
    if (lost_orders != nullptr) *lost_orders = made.lost_orders;
    natural = std::move(restored);
  }
  add_metadata(footer, &natural);
  drop_calendar_keys(&natural.metadata);
  if (options.arrow_schema) natural = parquet::with_geo_metadata(std::move(natural));
  // A large one is not kept for longer than it is needed.
  constexpr size_t kMostColumns = 1000;
  if (is_kept && natural.fields.size() <= kMostColumns) {
    made.restored = natural;
    last.set(std::make_shared<const Restored>(std::move(made)));
  }
  return natural;
}

/// Compares the rows that come with those that the file says it has.
class CountedRows {
 public:
  CountedRows(std::string file, std::shared_ptr<parquet::RowCounts> counts, int64_t batch_rows)
      : file_(std::move(file)), counts_(std::move(counts)), batch_rows_(batch_rows) {}

  /// Looks at the row groups that the next piece may be of.
  void before(int64_t rows_taken) {
    in_file([&] { counts_->check_until(rows_taken + batch_rows_); });
  }
  hub::Findings findings() const { return counts_->findings(); }
  void at_end(int64_t rows_taken) const {
    if (rows_taken == counts_->rows()) return;
    throw Error(ErrorCode::Input,
                fmt::format("expected {} rows, found {}", counts_->rows(), rows_taken),
                {.file = file_});
  }

 private:
  template <typename Call>
  void in_file(Call call) const {
    try {
      call();
    } catch (Error& error) {
      error.place().file = file_;
      throw;
    }
  }

  std::string file_;
  std::shared_ptr<parquet::RowCounts> counts_;
  int64_t batch_rows_;
};

/// How batches of raw nesting become batches of the meaning.
struct Meaning {
  std::shared_ptr<const parquet::Decoder> decoder;
  hub::Schema schema;
  /// Empty if the decoder's batches have the schema already.
  std::optional<hub::CompiledCast> restore;

  Meaning(std::shared_ptr<const parquet::Decoder> by, hub::Schema restored)
      : decoder(std::move(by)), schema(std::move(restored)) {
    // The decoder has looked at every value: a cast to the same types would only look again.
    const auto same_type = [](const hub::Field& a, const hub::Field& b) {
      return a.type == b.type;
    };
    if (!std::ranges::equal(decoder->schema().fields, schema.fields, same_type)) {
      restore = hub::compile_cast(decoder->schema(), schema);
    }
  }
};

/// Returns true for text and bytes that are read as the file stores them, in any layout.
bool is_stored_so(const hub::Type& natural, const hub::Type& restored) {
  using hub::Kind;
  const Kind layout = hub::without_encoding(restored).kind();
  if (natural.kind() == Kind::Utf8) {
    return layout == Kind::Utf8 || layout == Kind::LargeUtf8 || layout == Kind::Utf8View;
  }
  return natural.kind() == Kind::Binary &&
         (layout == Kind::Binary || layout == Kind::LargeBinary || layout == Kind::BinaryView);
}

/// Returns which columns of a selection can stay dictionaries because their leaves are read as
/// dictionaries.
std::vector<size_t> may_stay(const parquet::Schema& selected, const Selection& selection,
                             const std::vector<int>& dictionaries, const Meaning& meaning) {
  std::vector<size_t> columns;
  size_t leaf = 0;
  for (size_t i = 0; i < selected.columns().size(); ++i) {
    const int number = selection.leaves[leaf];
    leaf += static_cast<size_t>(parquet::count_leaves(selected.columns()[i]));
    if (std::ranges::find(dictionaries, number) != dictionaries.end() &&
        is_stored_so(meaning.decoder->schema().fields[i].type, meaning.schema.fields[i].type)) {
      columns.push_back(i);
    }
  }
  return columns;
}

/// Returns the meaning in which ordered dictionaries stay dictionaries, made by `decoder`. Those
/// that cannot stay lose their order, and are added to `lost`.
template <typename MakeDecoder>
Meaning in_order(Meaning meaning, const std::vector<size_t>& stay, const MakeDecoder& decoder,
                 std::vector<Path>* lost) {
  std::vector<size_t> kept;
  bool is_changed = false;
  for (size_t i = 0; i < meaning.schema.fields.size(); ++i) {
    hub::Field& field = meaning.schema.fields[i];
    if (!hub::is_ordered(field.type)) continue;
    is_changed = true;
    if (std::ranges::find(stay, i) != stay.end()) {
      kept.push_back(i);
    } else {
      const Path path = Path::column(field.name);
      field = without_order(std::move(field), path, lost);
    }
  }
  if (!is_changed) return meaning;
  return Meaning(kept.empty() ? meaning.decoder : decoder(kept), std::move(meaning.schema));
}

/// Returns rows with a note for each ordered dictionary that they were written from and that has no
/// order in the file.
std::unique_ptr<SplitReader> with_lost_orders(std::unique_ptr<SplitReader> rows,
                                              std::vector<Path> lost) {
  hub::Findings notes;
  for (Path& path : lost) {
    notes.push_back({.rule = "metadata.lost",
                     .path = std::move(path),
                     .lost = "the file does not have the order of the dictionary"});
  }
  return notes.empty() ? std::move(rows) : add_notes(std::move(rows), std::move(notes));
}

using OpenRaw = std::function<std::unique_ptr<SplitReader>()>;

/// All rows of a small file. The thread that decodes the piece opens the engine, so that the files
/// of a folder are read by several threads.
class SmallFile final : public Piece {
 public:
  SmallFile(OpenRaw open, std::shared_ptr<std::atomic<uint64_t>> bytes_read)
      : open_(std::move(open)), bytes_read_(std::move(bytes_read)) {}
  hub::Batch decode() override {
    const std::unique_ptr<SplitReader> rows = open_();
    std::optional<hub::Batch> batch = rows->next();
    // At its end the engine compares the rows with the footer.
    if (!batch || rows->next()) {
      throw Error(ErrorCode::Input, "expected all rows in one batch by the sizes in the footer");
    }
    *bytes_read_ = rows->bytes_read();
    return std::move(*batch);
  }

 private:
  OpenRaw open_;
  std::shared_ptr<std::atomic<uint64_t>> bytes_read_;
};

/// Batches of raw nesting, whose engine opens the file for the first of them: of most files of a
/// folder only the schema is asked.
class RawRows {
 public:
  /// `rows` and `bytes` are what the file has in all. The rows of a small file are one batch.
  RawRows(OpenRaw open, int64_t rows, std::optional<uint64_t> bytes, bool small)
      : open_(std::move(open)), rows_(rows), bytes_(bytes), small_(small) {}

  std::unique_ptr<Piece> take() {
    if (small_) {
      if (ended_.exchange(true)) return nullptr;
      return std::make_unique<SmallFile>(std::move(open_), bytes_read_);
    }
    if (reader_ == nullptr) {
      reader_ = open_();
      open_ = nullptr;
      opened_.store(reader_.get(), std::memory_order_release);
    }
    return reader_->take();
  }
  int64_t rows_taken() const {
    if (small_) return ended_ ? rows_ : 0;
    return reader_ == nullptr ? 0 : reader_->rows_taken();
  }
  int64_t total_rows() const { return rows_; }
  std::optional<uint64_t> total_bytes() const { return bytes_; }
  /// Also called by the thread that shows progress.
  uint64_t bytes_read() const {
    if (small_) return *bytes_read_;
    const SplitReader* opened = opened_.load(std::memory_order_acquire);
    return opened == nullptr ? 0 : opened->bytes_read();
  }

 private:
  OpenRaw open_;
  int64_t rows_;
  std::optional<uint64_t> bytes_;
  bool small_;
  // Of a small file.
  std::atomic<bool> ended_ = false;
  std::shared_ptr<std::atomic<uint64_t>> bytes_read_ = std::make_shared<std::atomic<uint64_t>>(0);
  std::unique_ptr<SplitReader> reader_;
  std::atomic<const SplitReader*> opened_ = nullptr;
};

/// Converts batches of Parquet's physical nesting to logical arrays, in the thread that decodes a
/// piece.
class ParquetReader final : public SplitReader {
 public:
  /// `kept` makes the logical arrays in which dictionaries stay; null if none stay.
  ParquetReader(std::unique_ptr<RawRows> raw, CountedRows counted, Meaning meaning,
                std::function<Meaning()> kept)
      : raw_(std::move(raw)),
        counted_(std::move(counted)),
        meaning_(std::move(meaning)),
        kept_(std::move(kept)) {}

  const hub::Schema& schema() const override { return meaning_.schema; }
  const hub::Schema* kept_schema() const override { return &meaning_.decoder->schema(); }
  void lay_out(const RowLayout& accepted) override {
    if (accepted.dictionaries && kept_) meaning_ = kept_();
  }
  std::unique_ptr<Piece> take() override {
    counted_.before(raw_->rows_taken());
    std::unique_ptr<Piece> piece = raw_->take();
    if (piece == nullptr) {
      counted_.at_end(raw_->rows_taken());
      return nullptr;
    }
    return std::make_unique<RawPiece>(std::move(piece), meaning_.decoder, meaning_.restore);
  }
  int64_t rows_taken() const override { return raw_->rows_taken(); }
  std::optional<int64_t> total_rows() const override { return raw_->total_rows(); }
  uint64_t bytes_read() const override { return raw_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return raw_->total_bytes(); }
  Notes notes() const override {
    return [decoder = meaning_.decoder, counted = counted_] {
      hub::Findings findings = counted.findings();
      std::ranges::move(decoder->findings(), std::back_inserter(findings));
      return findings;
    };
  }

 private:
  class RawPiece final : public PieceOver {
   public:
    RawPiece(std::unique_ptr<Piece> raw, std::shared_ptr<const parquet::Decoder> decoder,
             std::optional<hub::CompiledCast> restore)
        : PieceOver(std::move(raw)), decoder_(std::move(decoder)), restore_(std::move(restore)) {}
    hub::Batch decode() override {
      hub::Batch batch = decoder_->decode(inner_->decode());
      return restore_ ? restore_->run(std::move(batch)) : std::move(batch);
    }

   private:
    std::shared_ptr<const parquet::Decoder> decoder_;
    std::optional<hub::CompiledCast> restore_;
  };

  std::unique_ptr<RawRows> raw_;
  CountedRows counted_;
  Meaning meaning_;
  std::function<Meaning()> kept_;
};

/// Adds what the headers of all pages show: the leaves that can stay dictionaries, and the chunks
/// with large pages.
void add_facts_of_pages(std::string_view file, std::string_view footer,
                        const parquet::Schema& schema, int64_t batch_rows, EngineReadOptions* out) {
  // So small that a batch of the largest value stays within what 32-bit offsets reach.
  out->dictionaries =
      parquet::dictionary_leaves(file, footer, schema, out->leaves, INT32_MAX / batch_rows);
  for (const parquet::ChunkAt& chunk :
       parquet::large_chunks(file, footer, schema, out->leaves, kLargePageBytes)) {
    out->large_chunks.push_back({chunk.group, chunk.leaf});
  }
}

/// Returns true for a file in memory whose rows are one batch, even if each of them is as large as
/// the file. `memory`: the bytes of one thread.
bool is_small(Source* source, const parquet::RowCounts& counts, const ParquetInputOptions& options,
              uint64_t memory) {
  if (!source->contents() || options.part || counts.groups() != 1) return false;
  const auto rows = static_cast<uint64_t>(counts.rows());
  if (rows == 0 || counts.rows() >= options.batch_rows) return false;
  const uint64_t most =
      std::min(static_cast<uint64_t>(options.batch_bytes), memory / kPartOfMemory);
  // Some writers state no sizes.
  const uint64_t bytes = std::max<uint64_t>(counts.plain_bytes(), source->contents()->size());
  return bytes <= most / rows;
}

/// Returns the counts of rows of a file, by a footer of its row groups. Errors name the file.
std::shared_ptr<parquet::RowCounts> counted_rows(Source* source, const std::string& footer,
                                                 const parquet::Schema& schema,
                                                 const std::vector<int>& leaves,
                                                 const ParquetInputOptions& options) try {
  return std::make_shared<parquet::RowCounts>(
      *source->window(), source->name(), footer, schema, leaves,
      [source](std::span<const ByteRange> ranges) { source->need(ranges); },
      options.part ? options.part->first : 0, options.max_memory / kFetchedPart);
} catch (Error& error) {
  if (error.place().file.empty()) error.place().file = source->name();
  throw;
}

}  // namespace

hub::Schema parquet_arrow_schema(const parquet::Footer& footer,
                                 const ParquetInputOptions& options) {
  Selection selection = select(footer.schema, options.columns);
  parquet::Schema wanted = footer.schema.select(selection.columns);
  return restored_schema(footer, selection, parquet::to_arrow(wanted, rules(options)), options);
}

std::unique_ptr<SplitReader> open_parquet(std::unique_ptr<Source> source,
                                          const ParquetInputOptions& options) {
  // Files of a folder are opened by any thread.
  const SchemaMemoryScope scope(options.max_memory);
  const auto contents = source->window();
  if (!contents) throw Error(ErrorCode::Internal, "Parquet is read from its end");
  need_schema(*source);
  auto file = memory_access(*contents, source->name());
  std::string bytes = parquet::read_footer_bytes(*file);
  parquet::Footer footer = parquet::read_footer(*file);
  if (options.part) {
    bytes = parquet::keep_row_groups(bytes, options.part->first, options.part->count);
  }
  Selection selection = select(footer.schema, options.columns);
  const auto decoder = [selected = footer.schema.select(selection.columns), rules = rules(options),
                        every = options.every_reason](const std::vector<size_t>& kept) {
    using Reasons = parquet::Decoder::Reasons;
    return std::make_shared<const parquet::Decoder>(selected, rules,
                                                    every ? Reasons::Every : Reasons::First, kept);
  };
  auto usual = decoder({});

  const std::string name = source->name();
  auto counts = counted_rows(source.get(), bytes, footer.schema, selection.leaves, options);
  EngineReadOptions engine_options;
  engine_options.batch_rows = options.batch_rows;
  engine_options.batch_bytes = options.batch_bytes;
  engine_options.max_memory = options.max_memory;
  engine_options.threads = options.threads;
  engine_options.footer = parquet::physical_footer(bytes);
  engine_options.leaves = selection.leaves;
  if (counts->any_repeated()) {
    engine_options.footer = parquet::with_one_row_more(engine_options.footer);
    engine_options.one_row_more = true;
  }
  // Pages are not fetched only to look at them.
  if (source->contents()) {
    add_facts_of_pages(*contents, bytes, footer.schema, options.batch_rows, &engine_options);
  }
  const uint64_t memory = options.max_memory / static_cast<uint64_t>(std::max(1, options.threads));
  const bool small = is_small(source.get(), *counts, options, memory);
  if (small) {
    engine_options.max_memory = memory;
    engine_options.threads = 1;
  }
  const int64_t total_rows = counts->rows();
  const std::optional<uint64_t> total_bytes = source->size();
  CountedRows counted(source->name(), std::move(counts), options.batch_rows);
  const std::vector<int> dictionaries = engine_options.dictionaries;
  std::vector<Path> lost;
  hub::Schema schema = restored_schema(footer, selection, usual->schema(), options, &lost);
  Meaning meaning(std::move(usual), std::move(schema));
  std::function<Meaning()> kept;
  auto stay = may_stay(footer.schema.select(selection.columns), selection, dictionaries, meaning);
  meaning = in_order(std::move(meaning), stay, decoder, &lost);
  if (!stay.empty()) {
    kept = [decoder, stay = std::move(stay), schema = meaning.schema]() mutable {
      auto by = decoder(stay);
      for (const size_t i : stay) schema.fields[i].type = by->schema().fields[i].type;
      return Meaning(std::move(by), schema);
    };
  }
  const auto owned = std::make_shared<std::unique_ptr<Source>>(std::move(source));
  auto open = [owned, engine_options = std::move(engine_options), part = options.part, small,
               memory = options.max_memory] {
    auto engine = Engine::parquet().open(std::move(*owned), engine_options);
    // A small one comes in one batch.
    auto rows = split(small ? std::move(engine) : divide_batches(std::move(engine), memory));
    if (!part) return rows;
    // Below the rules, so that their errors have the row's number in the file.
    return number_rows_from(std::move(rows), static_cast<int64_t>(part->first_row));
  };
  auto rows = std::make_unique<ParquetReader>(
      std::make_unique<RawRows>(std::move(open), total_rows, total_bytes, small),
      std::move(counted), std::move(meaning), std::move(kept));
  return with_gregorian_times(with_lost_orders(std::move(rows), std::move(lost)), footer, name);
}

}  // namespace xwalk::io
