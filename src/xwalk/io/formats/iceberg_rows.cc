#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/unsupported_columns.h"
#include "xwalk/hub/facts.h"
#include "xwalk/iceberg/evolution.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/io/formats/iceberg_place.h"
#include "xwalk/io/formats/iceberg_writer.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_files.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::io {
namespace {

std::shared_ptr<const IcebergPlace> place_of(const Location& path, const InputOptions& options) {
  return options.tables->find(path, options.lance.version, options.storage);
}

/// Opens the rows of a table at its version, with the schema of `iceberg::to_arrow`.
std::unique_ptr<SplitReader> open_iceberg(const Location& path, const InputOptions& options,
                                          const std::vector<Path>& selection) {
  const auto place = place_of(path, options);
  ProgramReadOptions wanted = program_options(path, options, columns_of(selection));
  wanted.identity.reset();
  wanted.separate = true;
  wanted.metadata = place->metadata;
  wanted.idle = place->engine;
  wanted.snapshot = place->table.snapshot;
  wanted.schema_id = place->table.schema.schema_id.value_or(0);
  if (!place->folder.empty()) wanted.follow.push_back(place->folder);
  wanted.follow.insert(wanted.follow.end(), options.lance.follow.begin(),
                       options.lance.follow.end());
  hub::Schema recorded = iceberg::to_arrow(place->table.schema);
  // The engine's own message for a missing column would differ.
  if (!selection.empty()) (void)select(recorded, selection);
  return open_table_files(path,
                          {.system = iceberg::kModule,
                           .engine = kIcebergEngine,
                           .package = kIcebergPackage,
                           .schema = std::move(recorded),
                           .by_ids = true},
                          wanted, options);
}

OpenFile open(const Location&, Source*, const InputOptions& options, Input*) {
  return
      [options](const Location& path, std::unique_ptr<Source>, const std::vector<Path>& selection) {
        return open_iceberg(path, options, selection);
      };
}

hub::Schema own_schema(const Location& path, Source*, const InputOptions& options) {
  return crosswalk::with_arrow_types(iceberg::kModule,
                                     iceberg::to_arrow(place_of(path, options)->table.schema));
}

hub::FileFacts facts(const Location& path, Source*, const InputOptions& options) {
  const iceberg::TableVersion& table = place_of(path, options)->table;
  hub::FileFacts out;
  out.rows = table.snapshot ? table.rows : 0;
  out.bytes = table.bytes;
  out.pieces_are = "data files";
  out.pieces = table.files.value_or(0);
  if (!table.writer.empty()) out.writers.insert(table.writer);
  out.versions.insert(std::to_string(table.schema.format_version));
  return out;
}

constexpr std::array<std::string_view, 2> kExtensions = {".iceberg", ".metadata.json"};
constexpr std::array kTakes = {hub::Option::Version, hub::Option::Follow};
constexpr std::array kTakesToWrite = {hub::Option::Compression, hub::Option::RowGroupRows,
                                      hub::Option::PartitionBy};

crosswalk::AnySchema schema_there(const Location& path, const StorageOptions& storage) {
  return {iceberg::kModule, iceberg_place(path, {}, storage).table.schema};
}

/// Returns what to do about a type of a later version of the table format, as part of a sentence.
std::string hint_of(iceberg::Kind kind, const Path& path) {
  const std::string without =
      fmt::format("leave it out with {}", hub::mention(hub::Option::Exclude));
  if (kind == iceberg::Kind::Variant) {
    return fmt::format("{} stores text of JSON, or {}", hub::mention(hub::Option::Any, "json"),
                       without);
  }
  const bool is_local = kind == iceberg::Kind::TimestampNs;
  if (is_local || kind == iceberg::Kind::TimestamptzNs) {
    const std::string micros = path.text() + (is_local ? "=timestamp" : "=timestamptz");
    return fmt::format("{} stores microseconds, and rejects times with more digits, or {}",
                       hub::mention(hub::Option::Cast, micros), without);
  }
  return fmt::format("give the column another type with {}, or {}", hub::mention(hub::Option::Cast),
                     without);
}

/// Refuses types and defaults of a version of the table format that pyiceberg does not commit.
void refuse_newer(const std::vector<iceberg::Field>& fields, iceberg::Kind above, const Path& path,
                  crosswalk::Plan* plan) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const iceberg::Field& field = fields[i];
    const Path below = path_below(above, path, field, i);
    const int version = own_version(field);
    if (version > kWrittenVersion) {
      crosswalk::refuse_in_output(
          {.rule = "spec.version",
           .path = below,
           .lost = fmt::format("{} needs version {} of the table format, and pyiceberg commits "
                               "rows up to version {}",
                               iceberg::print_type_text(field.type), version, kWrittenVersion),
           .hint = hint_of(field.type.kind, below)},
          plan);
    }
    refuse_newer(field.type.children, field.type.kind, below, plan);
  }
}

/// Refuses what a table does not have.
void judge(const OutputOptions& options, crosswalk::Plan* plan) {
  if (!plan->unsupported.empty()) return;
  if (const auto* schema = plan->target.get_if<iceberg::Schema>()) {
    refuse_newer(schema->fields, iceberg::Kind::Struct, Path(), plan);
  }
  check_iceberg_partitions(options.partition_by, plan->target_hub);
}

/// Returns true if a table of each format version can have a column of another type instead, and
/// the files of before are still read: int to long, float to double, a decimal with more digits.
bool widens(const iceberg::Type& from, const iceberg::Type& to) {
  using iceberg::Kind;
  const bool is_number =
      from.kind == Kind::Int || from.kind == Kind::Float || from.kind == Kind::Decimal;
  return is_number && from != to && iceberg::promotes_since(from, to) == 1;
}

hub::AnySchema with_columns(const Location&, const StorageOptions&, const hub::AnySchema& schema,
                            const hub::Schema& rows) {
  auto table = schema.as<iceberg::Schema>();
  std::vector<iceberg::Field> columns;
  std::vector<iceberg::Change> wider;
  for (iceberg::Field& column : iceberg::from_arrow(rows).schema.fields) {
    const auto own = std::ranges::find(table.fields, column.name, &iceberg::Field::name);
    if (own == table.fields.end()) {
      columns.push_back(std::move(column));
    } else if (widens(own->type, column.type)) {
      wider.push_back({"cast", fmt::format("{}={}", Path::column(column.name).text(),
                                           iceberg::print_type_text(column.type))});
    }
  }
  for (const iceberg::Field& column : columns) {
    const int version = version_needed({column});
    if (table.format_version == 0 || version <= table.format_version) continue;
    throw Error(ErrorCode::Unsupported,
                fmt::format("expected a type that tables of format version {} have, found {}, "
                            "which needs version {}",
                            table.format_version, iceberg::print_type_text(column.type), version),
                {.path = Path::column(column.name)},
                crosswalk::as_sentence(hint_of(column.type.kind, Path::column(column.name))));
  }
  return {iceberg::kModule,
          iceberg::add_columns(iceberg::evolve(std::move(table), wider), std::move(columns))};
}

}  // namespace

constinit const RowFormat kIcebergRows = {
    .word = "iceberg",
    .name = "iceberg",
    .system = iceberg::kModule,
    .about = "by the engine xwalk-engine-iceberg",
    .extensions = kExtensions,
    .is_dataset = is_iceberg_table,
    .by_path = true,
    .open = open,
    .own_schema = own_schema,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .judge = judge,
    .write_path = write_iceberg,
    .ask_commit = ask_iceberg,
    .adding = Adding::ToDataset,
    .schema_there = schema_there,
    .with_columns = with_columns,
    .partitions = true,
    .upserts = Upserts::NewColumns,
    .keeps_inputs = kInputsOfVersion,
    .keeps_schema = true,
};

}  // namespace xwalk::io
