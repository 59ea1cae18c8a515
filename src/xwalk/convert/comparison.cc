#include "xwalk/convert/comparison.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/names.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/hive_columns.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

using crosswalk::Plan;
using hub::Option;
using report::ProvenTable;

/// Returns the form of values of any type that a field of an output needs instead of the default
/// one; nothing for a field in which the source has no such values.
std::optional<hub::AnyValues> any_as_written(const hub::Field& source, const hub::Field& output,
                                             bool by_variant) {
  const hub::Type& type = hub::without_encoding(output.type);
  if (crosswalk::holds_yson(source)) {
    // Bytes in two members are a VARIANT.
    const hub::AnyValues form = hub::is_binary(type.kind())        ? hub::AnyValues::Yson
                                : type.kind() == hub::Kind::Struct ? hub::AnyValues::Variant
                                                                   : hub::AnyValues::Json;
    const hub::AnyValues usual = by_variant ? hub::AnyValues::Variant : hub::AnyValues::Yson;
    return form == usual ? std::nullopt : std::optional(form);
  }
  const auto before = hub::without_encoding(source.type).children();
  const auto after = type.children();
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (const auto found = any_as_written(before[i], after[i], by_variant)) return found;
  }
  return std::nullopt;
}

/// Adds a cast for each place where the source has values of any type and the output has JSON text,
/// which rows had from a reader that knows no such type.
void add_json_casts(const hub::Field& source, const hub::Field& output, const Path& path,
                    std::vector<crosswalk::CastOption>* casts) {
  const hub::Type& type = hub::without_encoding(output.type);
  if (crosswalk::holds_yson(source)) {
    const bool is_text = type.kind() == hub::Kind::Utf8;
    if (is_text && std::ranges::find(*casts, path, &crosswalk::CastOption::path) == casts->end()) {
      casts->push_back({path, false, "json"});
    }
    return;
  }
  const std::vector<hub::Child> before = hub::children_of(hub::without_encoding(source.type), path);
  const auto after = type.children();
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    add_json_casts(*before[i].field, after[i], before[i].path, casts);
  }
}

/// Returns false for tables of other systems, which keep no note of the types that columns had.
bool notes_types(crosswalk::System system) {
  return system->keeps_metadata || system->types() == yt::kModule;
}

/// Returns how the columns of an output differ from those that the plan has: in name, type or
/// place. A schema that is inferred from rows says nothing; names of folders give columns of other
/// types, which come last.
std::vector<crosswalk::ColumnDifference> schema_differences(const Plan& plan, const Input& written,
                                                            const OutputOptions& options) {
  std::vector<crosswalk::ColumnDifference> out;
  if (written.schema_origin == SchemaOrigin::Inferred) return out;
  const crosswalk::System system = plan.target_system;
  const hub::Schema& there = written.reader->schema();
  const hub::Schema meant =
      notes_types(system) ? plan.target_hub : hub::without_annotations(plan.target_hub);
  const crosswalk::ColumnJudge columns({system, meant}, {system, there});
  // It has its own order of columns.
  const bool is_by_name = options.format && (*options.format)->keeps_schema;
  // Several types have one wire type of Skiff.
  const auto text = [&](const hub::Field& field) {
    return crosswalk::type_text(system->types(), field);
  };
  const bool has_folders = writes_folders(options);
  for (size_t i = 0; i < plan.target_hub.fields.size(); ++i) {
    const hub::Field& wanted = plan.target_hub.fields[i];
    const std::string path = Path::column(wanted.name).text();
    const auto found = std::ranges::find(there.fields, wanted.name, &hub::Field::name);
    if (found == there.fields.end()) {
      out.push_back({path, text(wanted), ""});
      continue;
    }
    const auto place = static_cast<size_t>(found - there.fields.begin());
    const bool is_folder = has_folders && std::ranges::find(options.partition_by, wanted.name) !=
                                              options.partition_by.end();
    // The reader restores types that the plan stores as others.
    const bool same = columns.judge(i, place).empty() &&
                      (text(wanted) == text(*found) || crosswalk::has_type(wanted, *found) ||
                       crosswalk::has_type(columns.from(i), columns.to(place)));
    if (!is_folder && !same) {
      out.push_back({path, text(wanted), text(*found)});
    } else if (place != i && !has_folders && !is_by_name) {
      out.push_back({path, fmt::format("column {}", i + 1), fmt::format("column {}", place + 1)});
    }
  }
  for (const hub::Field& field : there.fields) {
    const auto same = std::ranges::find(plan.target_hub.fields, field.name, &hub::Field::name);
    if (same != plan.target_hub.fields.end()) continue;
    out.push_back({Path::column(field.name).text(), "", text(field)});
  }
  return out;
}

/// Returns the format of a folder that exists: of a dataset, or of its files. Nothing for other
/// outputs.
std::optional<Format> format_there(const Location& output, const StorageOptions& storage) {
  if (output.is_standard() || output.is_table()) return std::nullopt;
  if (look_at(output, storage) != NameKind::Folder) return std::nullopt;
  Listing listing(storage);
  if (const std::optional<Format> dataset = format_of_folder(listing, output)) return dataset;
  return files_in(output, {}, storage).format;
}

}  // namespace

void check_readable_again(Format format) {
  if (format->open != nullptr) return;
  throw Error(ErrorCode::Usage,
              fmt::format("expected an output that can be read, found one of {}", format->word), {},
              "xwalk only writes this format.");
}

std::optional<uint64_t> size_on_disk(const Location& name) {
  if (name.is_standard() || name.is_remote()) return std::nullopt;
  const std::filesystem::path path = name.name();
  std::error_code failed;
  if (std::filesystem::is_regular_file(path, failed)) return std::filesystem::file_size(path);
  if (!std::filesystem::is_directory(path, failed)) return std::nullopt;
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

InputOptions reading_of_output(Format source, const ConvertOptions& options) {
  InputOptions reading;
  reading.format = *options.output.format;
  reading.storage = options.output.storage;
  reading.values = options.output.values;
  reading.plan.special_decimals = true;
  reading.annotations = options.plan.annotations;
  // Rows of Parquet have such values as their bytes on both sides; those of others have none.
  reading.plan.stored_values =
      options.input.plan.stored_values && source->system == parquet::kModule;
  reading.max_memory = options.input.max_memory;
  reading.batch_rows = options.input.batch_rows;
  reading.threads = options.input.threads;
  reading.separate_engine = options.input.separate_engine;
  reading.skiff.end_of_stream = options.output.skiff.end_of_stream;
  return reading;
}

std::map<std::string, hub::Verdict> verdicts_of(const Plan& plan) {
  const hub::Type source = hub::struct_(plan.source_hub.fields);
  const std::vector<hub::Rename> names = hub::names_of(source, Path(), plan.renames);
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  std::map<std::string, hub::Verdict> out;
  for (size_t i = 0; i < names.size() && i < verdicts.size(); ++i) {
    out[names[i].name] = std::max(out[names[i].name], verdicts[i]);
  }
  return out;
}

void set_any(const hub::Schema& source, const hub::Schema& output, ConvertOptions* options) {
  const crosswalk::System target = (*options->output.format)->system;
  if (target->capabilities.any_values) {
    for (const hub::Field& field : source.fields) {
      const auto there = std::ranges::find(output.fields, field.name, &hub::Field::name);
      if (there == output.fields.end()) continue;
      add_json_casts(field, *there, Path::column(field.name), &options->plan.casts);
    }
    return;
  }
  if (options->given.contains(Option::Any)) return;
  const bool by_variant = target->prefers_variant;
  for (const hub::Field& field : source.fields) {
    const auto there = std::ranges::find(output.fields, field.name, &hub::Field::name);
    if (there == output.fields.end()) continue;
    if (const auto found = any_as_written(field, *there, by_variant)) {
      options->plan.cast.any = *found;
      return;
    }
  }
}

void add_columns(std::vector<crosswalk::ColumnDifference> found, crosswalk::RowDiff* diff) {
  for (crosswalk::ColumnDifference& one : found) {
    const bool known = std::ranges::find(diff->columns, one.path,
                                         &crosswalk::ColumnDifference::path) != diff->columns.end();
    if (known) continue;
    const auto counted = std::ranges::find(diff->counts, one.path, &crosswalk::ColumnCount::name);
    if (counted == diff->counts.end()) ++diff->differing_columns;
    diff->columns.push_back(std::move(one));
  }
}

void set_comparing(ConvertOptions* options) {
  set_tolerance(options);
  options->rejects.reset();
}

std::optional<Format> format_of_existing(const Location& output, const OutputOptions& options) {
  if (options.format) return options.format;
  if (const std::optional<Format> named = format_of_output_name(output)) return named;
  const bool is_local = !output.is_standard() && !output.is_remote() && !output.is_cluster();
  if (is_local && !is_table_pattern(output) && !std::filesystem::exists(output.name())) {
    throw Error(ErrorCode::Io, "there is no such file or folder", {.file = output.name()});
  }
  return format_there(output, options.storage);
}

namespace {

/// Opens an output with the columns of its folders' names as the types that a plan has: texts of
/// digits would be read as numbers, and booleans as text. Returns nothing if there is no such
/// column, or if a name does not have the type.
std::optional<Input> with_planned_folders(const Location& output, const Plan& plan, Format source,
                                          const Input& found, const ConvertOptions& options) {
  InputFiles files;
  for (const hub::Field& wanted : plan.target_hub.fields) {
    const hub::Type& type = hub::without_encoding(wanted.type);
    const bool is_text = hub::is_utf8(type.kind());
    if (!is_text && type.kind() != hub::Kind::Bool) continue;
    const auto there = std::ranges::find(found.partitions, wanted.name, &hub::Field::name);
    if (there == found.partitions.end()) continue;
    files.keys.emplace_back(wanted.name, is_text ? hub::Kind::Utf8 : hub::Kind::Bool);
  }
  if (files.keys.empty()) return std::nullopt;
  const InputOptions reading = reading_of_output(source, options);
  const std::vector<hub::Field> keys = std::move(files.keys);
  files = input_files({output}, reading);
  files.keys = keys;
  for (const InputFile& file : files.files) {
    for (const PartitionValue& value : file.partition) {
      const auto key = std::ranges::find(keys, value.key, &hub::Field::name);
      if (key != keys.end() && value.value && !keeps_type(*key, *value.value)) return std::nullopt;
    }
  }
  return open_input(std::move(files), reading);
}

}  // namespace

OpenComparison open_comparison(const OpenRows& open, const Location& output,
                               ConvertOptions* options) {
  options->output.format = output_format(output, options->output);
  Dataset rows = open(options->input);
  Input source = take_for(rows, options);
  ProvenTable table;
  for (const Location& file : source.files) table.inputs.push_back({file, size_on_disk(file)});
  if (table.inputs.empty()) table.inputs.push_back({"rows", std::nullopt});
  table.output = {output, size_on_disk(output)};
  check_readable_again(*options->output.format);
  Input there = open_input({output}, reading_of_output(source.format, *options));
  set_any(source.reader->schema(), there.reader->schema(), options);
  if (options->output.upsert.wanted) {
    // The rows were converted to those of the table.
    options->meaning = there.reader->schema();
    options->target =
        crosswalk::from_arrow((*options->output.format)->system, *options->meaning).schema;
  }
  Plan plan = plan_rows(source, (*options->output.format)->system, *options);
  table.verdict = plan.verdict();
  if (writes_folders(options->output)) {
    if (auto planned = with_planned_folders(output, plan, source.format, there, *options)) {
      there = *std::move(planned);
    }
  }
  std::vector<crosswalk::ColumnDifference> columns =
      schema_differences(plan, there, options->output);
  return {std::move(table), std::move(source), std::move(there), std::move(plan),
          std::move(columns)};
}

Input as_converted(Input source, const Plan& plan, const ConvertOptions& options) {
  source.format = *options.output.format;
  const bool notes = notes_types(plan.target_system);
  // A cast that passes every batch as it is may give columns new names, and durations the type of
  // the integers that store them.
  if (!plan.cast.is_identity() || !plan.renames.empty() || !notes) {
    source.reader = cast_pieces(std::move(source.reader), plan.cast);
  }
  if (options.pipeline.skip_bad_rows) {
    source.reader = as_written(std::move(source.reader), plan, options.output);
  }
  if (!notes) {
    const hub::Schema bare = hub::without_annotations(source.reader->schema());
    source.reader = change_pieces(std::move(source.reader), bare, std::identity());
  }
  return source;
}

}  // namespace xwalk::io
