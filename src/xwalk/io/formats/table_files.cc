#include "xwalk/io/formats/table_files.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/cast.h"
#include "xwalk/io/engines/idle_engine.h"
#include "xwalk/io/engines/row_labels.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::io {
namespace {

/// Returns true if a field of a file is the one of the table, and so is what is below it: by ids,
/// or by the names of columns and members, and without nulls if the table has none.
bool is_its_field(const hub::Field& file, const hub::Field& table, bool by_ids, bool is_named) {
  if (file.nullable && !table.nullable) return false;
  if (is_named && file.name != table.name) return false;
  if (by_ids && file.metadata.find(parquet::kFieldId) != table.metadata.find(parquet::kFieldId)) {
    return false;
  }
  const bool is_struct = table.type.kind() == hub::Kind::Struct;
  return std::ranges::equal(file.type.children(), table.type.children(),
                            [&](const hub::Field& a, const hub::Field& b) {
                              return is_its_field(a, b, by_ids, is_struct);
                            });
}

/// The data files of a table, which have its columns.
class DataFiles {
 public:
  DataFiles(hub::Schema schema, const TableOfFiles& table, const InputOptions& options)
      : schema_(std::move(schema)), by_ids_(table.by_ids), storage_(options.storage) {
    parquet_.columns.emplace();
    for (const hub::Field& field : schema_.fields) parquet_.columns->push_back(field.name);
    parquet_.batch_rows = options.batch_rows;
    parquet_.batch_bytes = options.batch_bytes;
    parquet_.max_memory = options.max_memory;
    parquet_.threads = options.threads;
    // The types are those of the table.
    parquet_.arrow_schema = false;
  }

  /// Returns how many rows a file has; nothing if its columns are not those of the table as they
  /// are. Throws Error.
  std::optional<int64_t> rows_of(const Location& file) const {
    const SchemaMemoryScope scope(parquet_.max_memory);
    const std::unique_ptr<Source> source = open_listed(file, storage_);
    if (!source->contents()) return std::nullopt;
    const parquet::Footer footer = parquet::read_footer(*memory_access(*source->contents(), file));
    const hub::Schema own = parquet_arrow_schema(footer, parquet_);
    for (const hub::Field& wanted : schema_.fields) {
      const auto field = std::ranges::find(own.fields, wanted.name, &hub::Field::name);
      if (field == own.fields.end() || !is_its_field(*field, wanted, by_ids_, true) ||
          !crosswalk::is_other_layout(wanted, with_labels(*field, wanted))) {
        return std::nullopt;
      }
    }
    return footer.rows;
  }

  /// Returns the rows of files, in the layouts of `accepted` if that is given and there is one.
  std::unique_ptr<SplitReader> open(Locations files, const Location& table,
                                    const RowLayout* accepted) const {
    std::unique_ptr<SplitReader> first =
        open(files.front(), files.size() == 1 ? accepted : nullptr);
    auto next = [*this, files = std::move(files),
                 at = size_t{1}]() mutable -> std::unique_ptr<SplitReader> {
      return at == files.size() ? nullptr : open(files[at++], nullptr);
    };
    return chain_all(std::move(first), std::move(next), table);
  }

 private:
  std::unique_ptr<SplitReader> open(const Location& file, const RowLayout* accepted) const {
    auto rows = open_parquet(open_listed(file, storage_), parquet_);
    hub::Schema schema = schema_;
    if (accepted != nullptr) {
      rows->lay_out(*accepted);
      for (const hub::Field& own : rows->schema().fields) {
        if (own.type.kind() != hub::Kind::Dictionary) continue;
        std::ranges::find(schema.fields, own.name, &hub::Field::name)->type = own.type;
      }
    }
    hub::CompiledCast cast = hub::compile_cast(rows->schema(), schema);
    return cast_pieces(std::move(rows), std::move(cast));
  }

  hub::Schema schema_;
  bool by_ids_;
  StorageOptions storage_;
  ParquetInputOptions parquet_;
};

/// Rows whose reader is chosen when they are needed.
class TableReader final : public SplitReader {
 public:
  TableReader(const Location& path, const TableOfFiles& table, ProgramReadOptions wanted,
              const InputOptions& options)
      : path_(path),
        wanted_(std::move(wanted)),
        by_engine_(split_program_rows(
            table.system, path,
            open_program_rows(table.engine, table.package, wanted_, table.schema))),
        schema_(by_engine_->schema()),
        total_rows_(by_engine_->total_rows()),
        files_(schema_, table, options) {}

  const hub::Schema& schema() const override {
    return rows_ == nullptr ? schema_ : rows_->schema();
  }
  void lay_out(const RowLayout& accepted) override { open(&accepted); }
  std::unique_ptr<Piece> take() override {
    open(nullptr);
    return rows_->take();
  }
  int64_t rows_taken() const override { return rows_ == nullptr ? 0 : rows_->rows_taken(); }
  std::optional<int64_t> total_rows() const override { return total_rows_; }
  uint64_t bytes_read() const override {
    const SplitReader* rows = opened_.load(std::memory_order_acquire);
    return rows == nullptr ? 0 : rows->bytes_read();
  }
  Notes notes() const override {
    return [known = notes_] {
      const std::lock_guard lock(known->mutex);
      return known->rows ? known->rows() : hub::Findings();
    };
  }

 private:
  struct LateNotes {
    std::mutex mutex;
    Notes rows;
  };

  void open(const RowLayout* accepted) {
    if (rows_ != nullptr) return;
    rows_ = by_files(accepted);
    if (rows_ == nullptr) rows_ = std::move(by_engine_);
    by_engine_ = nullptr;
    const std::lock_guard lock(notes_->mutex);
    notes_->rows = rows_->notes();
    opened_.store(rows_.get(), std::memory_order_release);
  }

  /// Returns the rows of the data files; null if the engine must read them.
  std::unique_ptr<SplitReader> by_files(const RowLayout* accepted) const try {
    nlohmann::json question = nlohmann::json::parse(options_of(wanted_));
    question.update({{"names", true}, {"waits", true}});
    const nlohmann::json named =
        nlohmann::json::parse(wanted_.idle->ask(print_for_engine(question)));
    if (!named.is_array() || named.empty()) return nullptr;
    Locations files;
    int64_t rows = 0;
    for (const nlohmann::json& one : named) {
      if (wanted_.limit && rows >= *wanted_.limit) break;
      const Location file = path_.renamed(one.at("name").get<std::string>());
      const std::optional<int64_t> own = files_.rows_of(file);
      if (!own || (!one.at("rows").is_null() && one.at("rows") != *own)) return nullptr;
      rows += *own;
      files.push_back(file);
    }
    return files.empty() ? nullptr : files_.open(std::move(files), path_, accepted);
  } catch (const nlohmann::json::exception&) {
    return nullptr;
  } catch (const Error&) {
    // The engine says what is wrong, about the table.
    return nullptr;
  }

  Location path_;
  ProgramReadOptions wanted_;
  std::unique_ptr<SplitReader> by_engine_;
  hub::Schema schema_;
  std::optional<int64_t> total_rows_;
  DataFiles files_;
  std::unique_ptr<SplitReader> rows_;
  std::atomic<const SplitReader*> opened_ = nullptr;
  std::shared_ptr<LateNotes> notes_ = std::make_shared<LateNotes>();
};

}  // namespace

std::unique_ptr<SplitReader> open_table_files(const Location& path, const TableOfFiles& table,
                                              const ProgramReadOptions& wanted,
                                              const InputOptions& options) {
  return std::make_unique<TableReader>(path, table, wanted, options);
}

}  // namespace xwalk::io
