#include "xwalk/io/formats/table_writer.h"

#include <algorithm>
#include <cerrno>
#include <random>

#include <fmt/format.h>

#include "xwalk/hub/facts.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/upload.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {
namespace {

/// Bytes of a data file after which the next one is begun, as Iceberg's own writers do.
constexpr uint64_t kFileBytes = uint64_t{512} << 20;
/// Files that are open at a time; beyond, the one that was not written to for longest is closed.
constexpr size_t kMostOpen = 64;

/// Returns a name that no other run gives to its files.
std::string new_run() {
  std::random_device random;
  return fmt::format("xwalk-{:08x}{:08x}", random(), random());
}

/// Data files that are all there, and that no commit names yet.
class PendingCommit final : public Pending {
 public:
  PendingCommit(Location path, std::unique_ptr<EngineProgram> program, nlohmann::json order,
                std::shared_ptr<Upserted> upserted)
      : path_(std::move(path)),
        program_(std::move(program)),
        order_(std::move(order)),
        upserted_(std::move(upserted)) {}

  void complete() override {
    naming_table(path_, [&] {
      send_order(*program_, {{"commit", order_}});
      program_->finish();
    });
    if (upserted_ != nullptr) {
      upserted_->updated = static_cast<uint64_t>(program_->report().done_updated.value_or(0));
      upserted_->inserted = order_["rows"].get<uint64_t>() - upserted_->updated;
    }
    program_.reset();
  }
  void take_back() noexcept override {}

 private:
  Location path_;
  std::unique_ptr<EngineProgram> program_;
  nlohmann::json order_;
  std::shared_ptr<Upserted> upserted_;
};

}  // namespace

void send_order(EngineProgram& program, const nlohmann::json& order) {
  const std::string line = print_for_engine(order) + "\n";
  program.write(line.data(), line.size());
}

void add_inputs(const OutputOptions& options, CommitUse use, nlohmann::json* order) {
  (*order)["checks"] = use == CommitUse::Ask;
  (*order)["inputs"] = options.identities;
  (*order)["again"] = options.again;
}

void add_key(const OutputOptions& options, nlohmann::json* order) {
  if (options.upsert.wanted) (*order)["key"] = options.upsert.key;
}

std::string mode_word(OutputMode mode) {
  return mode == OutputMode::Create   ? "create"
         : mode == OutputMode::Append ? "append"
                                      : "overwrite";
}

void refuse_existing_table(bool exists, OutputMode mode) {
  if (!exists || mode != OutputMode::Create) return;
  throw Error(ErrorCode::Io, "the table already exists", {},
              "Add rows with `mode=append`, replace them with `mode=overwrite`, or choose "
              "another name.");
}

TableWriter::TableWriter(Location path, const OutputOptions& options)
    : path_(std::move(path)), options_(options), set_(options.set), run_(new_run()) {
  options_.store_schema = false;
  options_.side_schema = false;
  options_.set = nullptr;
  options_.partition_by.clear();
  options_.format = kParquetRows;
}

void TableWriter::begin_files(std::unique_ptr<EngineProgram> program, std::string folder,
                              const hub::Schema& given, TableFiles files) {
  program_ = std::move(program);
  folder_ = std::move(folder);
  rows_of_table_ = std::move(files.rows);
  hub::CompiledCast cast = hub::compile_cast(given, rows_of_table_);
  for (const hub::Finding& finding : cast.findings()) {
    if (finding.effect == hub::Effect::None) continue;
    throw Error(ErrorCode::Unsupported, "the schema of the table was changed meanwhile",
                {.path = finding.path}, "Run it again.");
  }
  if (!cast.is_identity()) cast_ = std::move(cast);
  rows_of_files_.hub = rows_of_table_;
  if (files.partitions.empty()) return;
  if (!files.stores_partitions) {
    rows_of_files_.hub.fields.clear();
    stored_.emplace();
    for (size_t i = 0; i < rows_of_table_.fields.size(); ++i) {
      const hub::Field& field = rows_of_table_.fields[i];
      if (std::ranges::find(files.partitions, field.name, &PartitionField::column) !=
          files.partitions.end()) {
        continue;
      }
      stored_->push_back(i);
      rows_of_files_.hub.fields.push_back(field);
    }
  }
  partitioner_.emplace(std::move(files.partitions), rows_of_table_);
}

void TableWriter::write(hub::Batch batch) { write_rows(std::move(batch), nullptr); }

std::vector<hub::BadRow> TableWriter::write_good(hub::Batch batch) {
  std::vector<hub::BadRow> refused;
  write_rows(std::move(batch), &refused);
  return refused;
}

void TableWriter::write_rows(hub::Batch batch, std::vector<hub::BadRow>* refused) {
  if (batch.rows() == 0) return;
  if (cast_) batch = cast_->run(std::move(batch));
  if (!batch.bad.empty()) throw batch.bad.front().error;
  naming_table(path_, [&] {
    if (!partitioner_) return write_part(&parts_[""], std::move(batch));
    const int64_t rows = batch.rows();
    write_parts(hub::slice(std::move(batch), 0, rows), refused);
  });
}

void TableWriter::finish() {
  naming_table(path_, [&] {
    while (!open_.empty()) close(open_.back());
  });
  nlohmann::json order = {{"rows", rows_}, {"run", run_}, {"files", std::move(files_)}};
  OutputSet own;
  OutputSet* set = set_ != nullptr ? set_ : &own;
  set->add(std::unique_ptr<Pending>(std::make_unique<PendingCommit>(
      path_, std::move(program_), std::move(order), options_.upsert.done)));
  if (set == &own) own.commit();
}

uint64_t TableWriter::bytes_written() const {
  uint64_t out = bytes_;
  for (const Part* part : open_) out += part->writer->bytes_written();
  return out;
}

/// Writes each row to its part.
void TableWriter::write_parts(hub::Batch batch, std::vector<hub::BadRow>* refused) {
  std::unordered_map<Part*, std::vector<int64_t>> rows_of;
  std::vector<Part*> order;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    partitioner_->write_key(batch, row, &key_);
    const auto [found, fresh] = parts_.try_emplace(key_);
    if (fresh) {
      try {
        found->second.values = part_of(*partitioner_, batch, row);
      } catch (Error& error) {
        found->second.refusal = std::move(error);
      }
    }
    if (found->second.refusal) {
      Error error = *found->second.refusal;
      error.place().row = static_cast<uint64_t>(batch.first_row + row);
      if (refused == nullptr) throw error;
      refused->push_back({row, std::move(error), ""});
      continue;
    }
    std::vector<int64_t>& rows = rows_of[&found->second];
    if (rows.empty()) order.push_back(&found->second);
    rows.push_back(row);
  }
  for (Part* part : order) {
    const std::vector<int64_t>& rows = rows_of[part];
    const bool all = std::ssize(rows) == batch.rows();
    write_part(part, all ? batch : hub::take_rows(batch, rows_of_table_, rows));
  }
}

void TableWriter::write_part(Part* part, hub::Batch batch) {
  if (part->writer == nullptr) {
    if (open_.size() >= kMostOpen) close(open_.back());
    open(part);
  } else {
    open_.splice(open_.begin(), open_, part->place);
  }
  if (stored_) {
    std::vector<hub::Array> kept;
    kept.reserve(stored_->size());
    for (const size_t column : *stored_) {
      kept.push_back(std::move(batch.array.children[column]));
    }
    batch.array.children = std::move(kept);
  }
  part->rows += static_cast<uint64_t>(batch.rows());
  part->writer->write(std::move(batch));
  if (part->writer->bytes_written() >= kFileBytes) close(part);
}

void TableWriter::open(Part* part) {
  const std::string folder = folder_of(part->values);
  part->file = fmt::format("{}/{}{}-{:05}.parquet", folder_, folder, run_, number_++);
  send_order(*program_, {{"file", part->file}});
  if (!folder.empty() && !made_.open(folder_ + "/" + folder, folder_.size())) {
    io_error(folder_ + "/" + folder, "cannot create a folder", errno);
  }
  auto sink =
      open_sink(Location(part->file), {.durable = options_.durable, .storage = options_.storage});
  part->writer = kParquetRows.write(std::move(sink), rows_of_files_, options_);
  open_.push_front(part);
  part->place = open_.begin();
}

void TableWriter::close(Part* part) {
  part->writer->finish();
  bytes_ += part->writer->bytes_written();
  rows_ += part->rows;
  part->writer = nullptr;
  part->rows = 0;
  files_.push_back(entry_of(part->file, part->values));
  open_.erase(part->place);
}

std::vector<std::pair<std::string, uint64_t>> TableWriter::nans_in(const std::string& file) const {
  std::vector<std::pair<std::string, uint64_t>> out;
  auto source = with_window(open_source(Location(file), options_.storage));
  for (const hub::ColumnFacts& fact : kParquetRows.facts(file, source.get(), {}).columns) {
    if (fact.nans) out.emplace_back(fact.path.text(), *fact.nans);
  }
  return out;
}

}  // namespace xwalk::io
