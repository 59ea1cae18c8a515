#include "xwalk/io/formats/iceberg_writer.h"

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <random>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/facts.h"
#include "xwalk/hub/filter.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/upload.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/iceberg_partitions.h"
#include "xwalk/io/formats/iceberg_place.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// The format version of new tables, and the one of tables with newer types.
constexpr int kUsualVersion = 2;
/// Bytes of a data file after which the next one is begun, as Iceberg's own writers do.
constexpr uint64_t kFileBytes = uint64_t{512} << 20;
/// Files that are open at a time; beyond, the one that was not written to for longest is closed.
constexpr size_t kMostOpen = 64;

/// Runs a call, and names the table in its errors.
template <typename Call>
auto naming_table(const Location& path, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

void send_order(EngineProgram& program, const nlohmann::json& order) {
  const std::string line = print_for_engine(order) + "\n";
  program.write(line.data(), line.size());
}

std::string mode_word(OutputMode mode) {
  return mode == OutputMode::Create   ? "create"
         : mode == OutputMode::Append ? "append"
                                      : "overwrite";
}

/// Starts the engine for a table to write, which reports the metadata of an existing one.
std::unique_ptr<EngineProgram> start_iceberg(const Location& path, OutputMode mode) {
  check_write(path);
  std::string name = path;
  if (!path.is_catalog()) {
    if (path.is_remote()) {
      throw Error(ErrorCode::Unsupported,
                  "expected a table of a catalog or a local folder, found "
                  "an object of a store",
                  {.file = path},
                  "Name the table by its catalog: iceberg://CATALOG/namespace.table.");
    }
    name = fs::absolute(path.name()).lexically_normal().string();
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  }
  auto program = std::make_unique<EngineProgram>(
      kIcebergEngine, kIcebergPackage, "write",
      print_for_engine({{"path", name}, {"mode", mode_word(mode)}}));
  program->await_info(1);
  return program;
}

/// Returns the format version that has the types and defaults of fields.
int version_needed(const std::vector<iceberg::Field>& fields) {
  int out = 1;
  for (const iceberg::Field& field : fields) {
    const bool has_default = field.initial_default || field.write_default;
    out =
        std::max({out, iceberg::kind_row(field.type.kind).since,
                  has_default ? iceberg::kDefaultsSince : 1, version_needed(field.type.children)});
  }
  return out;
}

/// Adds the id of each field, by its path.
void add_ids(const std::vector<iceberg::Field>& fields, iceberg::Kind above, const Path& path,
             std::map<std::string, int32_t>* out) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const iceberg::Field& field = fields[i];
    const Path below = above == iceberg::Kind::List  ? path.item()
                       : above == iceberg::Kind::Map ? (i == 0 ? path.map_key() : path.map_value())
                       : path.empty()                ? Path::column(field.name)
                                                     : path.field(field.name);
    out->emplace(below.text(), field.id);
    add_ids(field.type.children, field.type.kind, below, out);
  }
}

/// Returns a name that no other run gives to its files.
std::string new_run() {
  std::random_device random;
  return fmt::format("xwalk-{:08x}{:08x}", random(), random());
}

/// Data files that are all there, and that no snapshot names yet.
class PendingSnapshot final : public Pending {
 public:
  PendingSnapshot(Location path, std::unique_ptr<EngineProgram> program, nlohmann::json order)
      : path_(std::move(path)), program_(std::move(program)), order_(std::move(order)) {}

  void complete() override {
    naming_table(path_, [&] {
      send_order(*program_, {{"commit", order_}});
      program_->finish();
    });
    program_.reset();
  }
  void take_back() noexcept override {}

 private:
  Location path_;
  std::unique_ptr<EngineProgram> program_;
  nlohmann::json order_;
};

class IcebergWriter final : public hub::BatchWriter {
 public:
  IcebergWriter(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options)
      : path_(place.path), options_(options), run_(new_run()) {
    naming_table(path_, [&] {
      program_ =
          place.engine ? std::exchange(*place.engine, nullptr) : start_iceberg(path_, place.mode);
      begin(plan, place.mode);
    });
    options_.store_schema = false;
    options_.side_schema = false;
    options_.set = nullptr;
    options_.partition_by.clear();
    options_.format = kParquetRows;
  }

  void write(hub::Batch batch) override {
    if (batch.rows() == 0) return;
    if (cast_) batch = cast_->run(std::move(batch));
    if (!batch.bad.empty()) throw batch.bad.front().error;
    naming_table(path_, [&] {
      if (!partitioner_) return write_part(&parts_[""], std::move(batch));
      const int64_t rows = batch.rows();
      write_parts(hub::slice(std::move(batch), 0, rows));
    });
  }

  void finish() override {
    naming_table(path_, [&] {
      while (!open_.empty()) close(open_.back());
    });
    nlohmann::json order = {{"rows", rows_}, {"run", run_}, {"files", std::move(files_)}};
    OutputSet own;
    OutputSet* set = set_ != nullptr ? set_ : &own;
    set->add(std::unique_ptr<Pending>(
        std::make_unique<PendingSnapshot>(path_, std::move(program_), std::move(order))));
    if (set == &own) own.commit();
  }

  uint64_t bytes_written() const override {
    uint64_t out = bytes_;
    for (const Part* part : open_) out += part->writer->bytes_written();
    return out;
  }

 private:
  struct Part {
    std::unique_ptr<hub::BatchWriter> writer;
    std::string file;
    nlohmann::json values = nlohmann::json::array();
    uint64_t rows = 0;
    std::list<Part*>::iterator place;
  };

  /// Agrees with the engine on the schema of the table, its parts and the place of its files.
  void begin(const WritePlan& plan, OutputMode mode) {
    set_ = options_.set;
    const std::string existing = program_->report().schema;
    if (!existing.empty() && mode == OutputMode::Create) {
      throw Error(ErrorCode::Io, "the table already exists", {},
                  "Add rows with `mode=append`, replace them with `mode=overwrite`, or choose "
                  "another name.");
    }
    nlohmann::json spec = nlohmann::json::array();
    for (const std::string& text : options_.partition_by) {
      const PartitionField field = parse_partition(text);
      spec.push_back({{"source", field.column}, {"transform", word_of(field.transform)}});
    }
    nlohmann::json order = {{"spec", spec}};
    if (existing.empty()) {
      const iceberg::Schema schema =
          plan.written ? plan.written->as<iceberg::Schema>() : iceberg::from_arrow(plan.hub).schema;
      check_has_columns(iceberg::kModule, schema.fields.size());
      order["schema"] = iceberg::write_json(schema, -1);
      order["format_version"] = std::max(kUsualVersion, version_needed(schema.fields));
    }
    send_order(*program_, {{"begin", order}});
    program_->await_info(2);
    const nlohmann::json table = nlohmann::json::parse(program_->report().schema);
    const iceberg::Schema schema = iceberg::read_json(table["schema"].get<std::string>());
    folder_ = table["data"].get<std::string>();
    add_ids(schema.fields, iceberg::Kind::Struct, Path(), &ids_);
    rows_of_files_.hub = iceberg::to_arrow(schema);
    rows_of_files_.hub.metadata = {};
    hub::CompiledCast cast = hub::compile_cast(plan.hub, rows_of_files_.hub);
    for (const hub::Finding& finding : cast.findings()) {
      if (finding.effect == hub::Effect::None) continue;
      throw Error(ErrorCode::Unsupported, "the schema of the table was changed meanwhile",
                  {.path = finding.path}, "Run it again.");
    }
    if (!cast.is_identity()) cast_ = std::move(cast);
    std::vector<PartitionField> fields;
    for (const nlohmann::json& field : table["spec"]) {
      fields.push_back(
          partition_of(field["source"].get<std::string>(), field["transform"].get<std::string>()));
    }
    if (!fields.empty()) partitioner_.emplace(std::move(fields), rows_of_files_.hub);
  }

  /// Writes each row to its part.
  void write_parts(hub::Batch batch) {
    std::unordered_map<Part*, std::vector<int64_t>> rows_of;
    std::vector<Part*> order;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      partitioner_->write_key(batch, row, &key_);
      const auto [found, fresh] = parts_.try_emplace(key_);
      if (fresh) found->second.values = partitioner_->values_of(batch, row);
      std::vector<int64_t>& rows = rows_of[&found->second];
      if (rows.empty()) order.push_back(&found->second);
      rows.push_back(row);
    }
    for (Part* part : order) {
      const std::vector<int64_t>& rows = rows_of[part];
      const bool all = std::ssize(rows) == batch.rows();
      write_part(part, all ? batch : hub::take_rows(batch, rows_of_files_.hub, rows));
    }
  }

  void write_part(Part* part, hub::Batch batch) {
    if (part->writer == nullptr) {
      if (open_.size() >= kMostOpen) close(open_.back());
      open(part);
    } else {
      open_.splice(open_.begin(), open_, part->place);
    }
    part->rows += static_cast<uint64_t>(batch.rows());
    part->writer->write(std::move(batch));
    if (part->writer->bytes_written() >= kFileBytes) close(part);
  }

  void open(Part* part) {
    part->file = fmt::format("{}/{}-{:05}.parquet", folder_, run_, number_++);
    send_order(*program_, {{"file", part->file}});
    auto sink =
        open_sink(Location(part->file), {.durable = options_.durable, .storage = options_.storage});
    part->writer = kParquetRows.write(std::move(sink), rows_of_files_, options_);
    open_.push_front(part);
    part->place = open_.begin();
  }

  void close(Part* part) {
    part->writer->finish();
    bytes_ += part->writer->bytes_written();
    rows_ += part->rows;
    part->writer = nullptr;
    part->rows = 0;
    files_.push_back(
        {{"file", part->file}, {"partition", part->values}, {"nans", nans_in(part->file)}});
    open_.erase(part->place);
  }

  /// Returns how many NaNs a file has, by the ids of its columns of floats.
  nlohmann::json nans_in(const std::string& file) const {
    nlohmann::json out = nlohmann::json::object();
    auto source = with_window(open_source(Location(file), options_.storage));
    for (const hub::ColumnFacts& fact : kParquetRows.facts(file, source.get(), {}).columns) {
      const auto id = ids_.find(fact.path.text());
      if (fact.nans && id != ids_.end()) out[std::to_string(id->second)] = *fact.nans;
    }
    return out;
  }

  Location path_;
  OutputOptions options_;
  OutputSet* set_ = nullptr;
  /// What the names of this run's files begin with.
  std::string run_;
  std::unique_ptr<EngineProgram> program_;
  /// The place of data files.
  std::string folder_;
  std::map<std::string, int32_t> ids_;
  WritePlan rows_of_files_;
  std::optional<hub::CompiledCast> cast_;
  std::optional<Partitioner> partitioner_;
  std::unordered_map<std::string, Part> parts_;
  /// Those with a writer, the last written to first.
  std::list<Part*> open_;
  std::string key_;
  uint64_t number_ = 0;
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
  nlohmann::json files_ = nlohmann::json::array();
};

}  // namespace

std::optional<iceberg::Schema> begin_iceberg(OutputPlace* place) {
  return naming_table(place->path, [&]() -> std::optional<iceberg::Schema> {
    auto program = start_iceberg(place->path, place->mode);
    const std::string metadata = program->report().schema;
    place->engine = std::make_shared<std::unique_ptr<EngineProgram>>(std::move(program));
    if (metadata.empty()) return std::nullopt;
    return iceberg::read_table(metadata).schema;
  });
}

std::unique_ptr<hub::BatchWriter> write_iceberg(const OutputPlace& place, const WritePlan& plan,
                                                const OutputOptions& options) {
  return std::make_unique<IcebergWriter>(place, plan, options);
}

void check_iceberg_partitions(const std::vector<std::string>& partition_by,
                              const hub::Schema& rows) {
  std::vector<PartitionField> fields;
  for (const std::string& text : partition_by) fields.push_back(parse_partition(text));
  Partitioner(std::move(fields), rows);
}

}  // namespace xwalk::io
