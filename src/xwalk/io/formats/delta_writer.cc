#include "xwalk/io/formats/delta_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/delta/hub.h"
#include "xwalk/delta/json.h"
#include "xwalk/delta/module.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/iceberg_partitions.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_writer.h"

namespace xwalk::io {
namespace {

/// Starts the engine for a table to write, which describes an existing one.
std::unique_ptr<EngineProgram> start_delta(const Location& path, OutputMode mode) {
  check_write(path);
  auto program = std::make_unique<EngineProgram>(
      kDeltaEngine, kDeltaPackage, "write",
      print_for_engine({{"path", delta_folder(path)}, {"mode", mode_word(mode)}}));
  program->await_info(1);
  return program;
}

std::vector<PartitionField> delta_partitions(const std::vector<std::string>& columns) {
  std::vector<PartitionField> out;
  for (const std::string& column : columns) out.push_back({.column = column});
  return out;
}

/// Refuses a column of nulls only, at any depth.
void refuse_void(const hub::Field& field, const Path& path) {
  if (field.type.kind() == hub::Kind::Null) {
    throw Error(ErrorCode::Unsupported,
                "expected a type that data files of Delta store, found void", {.path = path},
                hub::mention(hub::Option::Cast, "COLUMN=TYPE") + " gives it another type.");
  }
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    refuse_void(*child.field, child.path);
  }
}

class DeltaWriter final : public TableWriter {
 public:
  DeltaWriter(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options)
      : TableWriter(place.path, options) {
    naming_table(place.path, [&] { begin(place, plan, options); });
  }

 private:
  /// Agrees with the engine on the schema of the table and its parts.
  void begin(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options) {
    std::unique_ptr<EngineProgram> program = start_delta(place.path, place.mode);
    const std::string existing = program->report().schema;
    refuse_existing_table(!existing.empty(), place.mode);
    nlohmann::json order = {{"partitions", options.partition_by}};
    if (existing.empty()) {
      delta::Schema schema =
          plan.written ? plan.written->as<delta::Schema>() : delta::from_arrow(plan.hub).schema;
      check_has_columns(delta::kModule, schema.fields.size());
      order["schema"] = delta::write_json(schema, -1);
    }
    send_order(*program, {{"begin", order}});
    program->await_info(2);
    const DeltaPlace table = parse_delta_place(program->report().schema, place.path);
    hub::Schema rows = delta::to_arrow(table.schema);
    rows.metadata = {};
    // A data file has no metadata of the table's columns.
    for (hub::Field& field : rows.fields) {
      for (const std::string_view key : {delta::kComment, delta::kFieldMetadata}) {
        field.metadata.erase(key);
      }
    }
    begin_files(std::move(program), delta_folder(place.path), plan.hub,
                {.rows = std::move(rows),
                 .partitions = delta_partitions(table.partitions),
                 .stores_partitions = false});
  }

  nlohmann::json entry_of(const std::string& file, const nlohmann::json& values) override {
    nlohmann::json nans = nlohmann::json::array();
    for (const auto& [path, count] : nans_in(file)) {
      if (count > 0) nans.push_back(path);
    }
    return {{"file", file}, {"partition", values}, {"nans", std::move(nans)}};
  }
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_delta(const OutputPlace& place, const WritePlan& plan,
                                              const OutputOptions& options) {
  return std::make_unique<DeltaWriter>(place, plan, options);
}

void check_delta_rows(const std::vector<std::string>& partition_by, const hub::Schema& rows) {
  for (const hub::Field& field : rows.fields) refuse_void(field, Path::column(field.name));
  if (partition_by.empty()) return;
  for (const std::string& text : partition_by) {
    if (parse_partition(text).transform == PartitionTransform::Identity) continue;
    throw Error(ErrorCode::Unsupported,
                fmt::format("expected columns to partition by, found {}", xwalk::quoted(text)), {},
                "Tables of Delta are partitioned by columns only.");
  }
  (void)Partitioner(delta_partitions(partition_by), rows);
  if (partition_by.size() == rows.fields.size()) {
    throw Error(ErrorCode::Unsupported,
                "expected a column that the table is not partitioned by, found none");
  }
}

}  // namespace xwalk::io
