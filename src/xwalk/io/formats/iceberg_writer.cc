#include "xwalk/io/formats/iceberg_writer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/iceberg_partitions.h"
#include "xwalk/io/formats/iceberg_place.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_writer.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Starts the engine for a table to write, which reports the metadata of an existing one.
std::unique_ptr<EngineProgram> start_iceberg(const Location& path, OutputMode mode) {
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

/// Returns the engine of a place, which may run already.
std::unique_ptr<EngineProgram> take_iceberg_engine(const OutputPlace& place) {
  return place.engine ? std::exchange(*place.engine, nullptr)
                      : start_iceberg(place.path, place.mode);
}

/// Sends the engine what the rows of a plan need of the table.
void send_iceberg_begin(EngineProgram& program, const OutputPlace& place, const WritePlan& plan,
                        const OutputOptions& options, CommitUse use) {
  const bool exists = !program.report().schema.empty();
  refuse_existing_table(exists, place.mode);
  nlohmann::json spec = nlohmann::json::array();
  for (const std::string& text : options.partition_by) {
    const PartitionField field = parse_partition(text);
    spec.push_back({{"source", field.column}, {"transform", word_of(field.transform)}});
  }
  nlohmann::json order = {{"spec", spec}};
  add_inputs(options, use, &order);
  if (exists) add_key(options, &order);
  if (!exists || options.evolve) {
    const iceberg::Schema schema =
        plan.written ? plan.written->as<iceberg::Schema>() : iceberg::from_arrow(plan.hub).schema;
    check_has_columns(iceberg::kModule, schema.fields.size());
    order["schema"] = iceberg::write_json(schema, -1);
    order["format_version"] = kWrittenVersion;
  }
  send_order(program, {{"begin", order}});
}

/// Adds the id of each field, by its path.
void add_ids(const std::vector<iceberg::Field>& fields, iceberg::Kind above, const Path& path,
             std::map<std::string, int32_t>* out) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const iceberg::Field& field = fields[i];
    const Path below = path_below(above, path, field, i);
    out->emplace(below.text(), field.id);
    add_ids(field.type.children, field.type.kind, below, out);
  }
}

class IcebergWriter final : public TableWriter {
 public:
  IcebergWriter(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options)
      : TableWriter(place.path, options) {
    naming_table(place.path, [&] {
      check_write(place.path);
      begin(place, plan, options);
    });
  }

 private:
  /// Agrees with the engine on the schema of the table, its parts and the place of its files.
  void begin(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options) {
    std::unique_ptr<EngineProgram> program = take_iceberg_engine(place);
    send_iceberg_begin(*program, place, plan, options, CommitUse::Write);
    program->await_info(2);
    const nlohmann::json table = nlohmann::json::parse(program->report().schema);
    const iceberg::Schema schema = iceberg::read_json(table["schema"].get<std::string>());
    add_ids(schema.fields, iceberg::Kind::Struct, Path(), &ids_);
    hub::Schema rows = iceberg::to_arrow(schema);
    rows.metadata = {};
    std::vector<PartitionField> fields;
    for (const nlohmann::json& field : table["spec"]) {
      fields.push_back(
          partition_of(field["source"].get<std::string>(), field["transform"].get<std::string>()));
    }
    begin_files(std::move(program), table["data"].get<std::string>(), plan.hub,
                {.rows = std::move(rows), .partitions = std::move(fields)});
  }

  nlohmann::json entry_of(const std::string& file, const nlohmann::json& values) override {
    nlohmann::json nans = nlohmann::json::object();
    for (const auto& [path, count] : nans_in(file)) {
      const auto id = ids_.find(path);
      if (id != ids_.end()) nans[std::to_string(id->second)] = count;
    }
    return {{"file", file}, {"partition", values}, {"nans", std::move(nans)}};
  }

  std::map<std::string, int32_t> ids_;
};

}  // namespace

int own_version(const iceberg::Field& field) {
  const bool has_default = field.initial_default || field.write_default;
  return std::max(iceberg::kind_row(field.type.kind).since,
                  has_default ? iceberg::kDefaultsSince : 1);
}

int version_needed(const std::vector<iceberg::Field>& fields) {
  int out = 1;
  for (const iceberg::Field& field : fields) {
    out = std::max({out, own_version(field), version_needed(field.type.children)});
  }
  return out;
}

Path path_below(iceberg::Kind above, const Path& path, const iceberg::Field& field, size_t place) {
  if (above == iceberg::Kind::List) return path.item();
  if (above == iceberg::Kind::Map) return place == 0 ? path.map_key() : path.map_value();
  return path.empty() ? Path::column(field.name) : path.field(field.name);
}

std::optional<iceberg::Schema> begin_iceberg(OutputPlace* place) {
  return naming_table(place->path, [&]() -> std::optional<iceberg::Schema> {
    check_write(place->path);
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

void ask_iceberg(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options) {
  naming_table(place.path, [&] {
    const std::unique_ptr<EngineProgram> program = take_iceberg_engine(place);
    send_iceberg_begin(*program, place, plan, options, CommitUse::Ask);
    program->finish();
  });
}

void check_iceberg_partitions(const std::vector<std::string>& partition_by,
                              const hub::Schema& rows) {
  std::vector<PartitionField> fields;
  for (const std::string& text : partition_by) fields.push_back(parse_partition(text));
  Partitioner(std::move(fields), rows);
}

}  // namespace xwalk::io
