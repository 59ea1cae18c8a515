#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/unsupported_columns.h"
#include "xwalk/delta/hub.h"
#include "xwalk/delta/module.h"
#include "xwalk/delta/validate.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/facts.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/delta_writer.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_files.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::io {
namespace {

std::shared_ptr<const DeltaPlace> delta_at(const Location& path, const InputOptions& options) {
  return options.delta_tables->find(path, options.lance.version);
}

/// Opens the rows of a table at its version, with the schema of `delta::to_arrow`.
std::unique_ptr<SplitReader> open_delta(const Location& path, const InputOptions& options,
                                        const std::vector<Path>& selection) {
  const auto place = delta_at(path, options);
  ProgramReadOptions wanted = program_options(path, options, columns_of(selection));
  wanted.path = delta_folder(path);
  wanted.identity.reset();
  wanted.separate = true;
  wanted.version = place->version;
  wanted.idle = place->engine;
  hub::Schema recorded = delta::to_arrow(place->schema);
  // The engine's own message for a missing column would differ.
  if (!selection.empty()) (void)select(recorded, selection);
  return open_table_files(path,
                          {.system = delta::kModule,
                           .engine = kDeltaEngine,
                           .package = kDeltaPackage,
                           .schema = std::move(recorded)},
                          wanted, options);
}

OpenFile open_delta_rows(const Location&, Source*, const InputOptions& options, Input*) {
  return
      [options](const Location& path, std::unique_ptr<Source>, const std::vector<Path>& selection) {
        return open_delta(path, options, selection);
      };
}

hub::Schema schema_of_delta(const Location& path, Source*, const InputOptions& options) {
  return crosswalk::with_arrow_types(delta::kModule,
                                     delta::to_arrow(delta_at(path, options)->schema));
}

hub::FileFacts facts_of_delta(const Location& path, Source*, const InputOptions& options) {
  const auto place = delta_at(path, options);
  hub::FileFacts out;
  out.rows = place->rows;
  out.bytes = place->bytes;
  out.pieces_are = "data files";
  out.pieces = place->files;
  if (!place->writer.empty()) out.writers.insert(place->writer);
  out.versions.insert(std::to_string(place->version));
  return out;
}

constexpr std::array<std::string_view, 1> kDeltaExtensions = {".delta"};
constexpr std::array kDeltaTakes = {hub::Option::Version};
constexpr std::array kDeltaTakesToWrite = {hub::Option::Compression, hub::Option::RowGroupRows,
                                           hub::Option::PartitionBy};

crosswalk::AnySchema delta_schema_there(const Location& path, const StorageOptions&) {
  return {delta::kModule, delta_place(path, {}).schema};
}

/// Refuses columns of nulls only, at any depth, which data files of a table do not have.
void refuse_void(const hub::Field& field, const Path& path, crosswalk::Plan* plan) {
  if (field.type.kind() == hub::Kind::Null) {
    crosswalk::refuse_in_output(
        {.rule = "type.unsupported",
         .path = path,
         .lost = "expected a type that data files of Delta store, found void",
         .hint = hub::mention(hub::Option::Cast, "COLUMN=TYPE") + " gives it another type"},
        plan);
  }
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    refuse_void(*child.field, child.path, plan);
  }
}

/// Refuses what a table does not have.
void judge_delta(const OutputOptions& options, crosswalk::Plan* plan) {
  if (!plan->unsupported.empty()) return;
  for (const hub::Field& field : plan->target_hub.fields) {
    refuse_void(field, Path::column(field.name), plan);
  }
  check_delta_partitions(options.partition_by, plan->target_hub);
}

hub::AnySchema delta_with_columns(const Location&, const StorageOptions&,
                                  const hub::AnySchema& schema, const hub::Schema& rows) {
  delta::Schema out = schema.as<delta::Schema>();
  const size_t own = out.fields.size();
  for (delta::Field& column : delta::from_arrow(rows).schema.fields) {
    const auto existing = std::span(out.fields).first(own);
    if (std::ranges::find(existing, column.name, &delta::Field::name) != existing.end()) continue;
    column.nullable = true;
    out.fields.push_back(std::move(column));
  }
  for (const hub::Finding& finding : delta::validate(out)) {
    if (!hub::is_violation(finding)) continue;
    throw Error(ErrorCode::Unsupported, finding.lost, {.path = finding.path},
                fmt::format("Give the column another name with {}, or leave it out with {}.",
                            hub::mention(hub::Option::Rename), hub::mention(hub::Option::Exclude)));
  }
  return {delta::kModule, std::move(out)};
}

}  // namespace

constinit const RowFormat kDeltaRows = {
    .word = "delta",
    .name = "delta",
    .system = delta::kModule,
    .about = "by the engine xwalk-engine-delta",
    .extensions = kDeltaExtensions,
    .is_dataset = is_delta_table,
    .by_path = true,
    .open = open_delta_rows,
    .own_schema = schema_of_delta,
    .takes = kDeltaTakes,
    .takes_to_write = kDeltaTakesToWrite,
    .facts = facts_of_delta,
    .judge = judge_delta,
    .write_path = write_delta,
    .try_rows = try_delta,
    .ask_commit = ask_delta,
    .adding = Adding::ToDataset,
    .schema_there = delta_schema_there,
    .with_columns = delta_with_columns,
    .partitions = true,
    .upserts = Upserts::SameColumns,
    .keeps_inputs = kInputsOfVersion,
    .keeps_schema = true,
};

}  // namespace xwalk::io
