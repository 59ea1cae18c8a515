#include "xwalk/convert/convert.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/room.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/engines/program_engine.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/folder_output.h"
#include "xwalk/io/places/hive_writer.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/reject_file.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/room.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/room.h"
#include "xwalk/skiff/table.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/room.h"

namespace xwalk::io {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;
using hub::mention;
using hub::Option;

/// Parses a schema argument in the words of the output's system; a file that already has the schema
/// does as well.
AnySchema parse_argument(System target, const std::string& argument, Option option,
                         const StorageOptions& storage) {
  try {
    AnySchema schema = crosswalk::parse_schema(target, schema_text(argument, storage));
    crosswalk::check_schema(schema);
    return schema;
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = mention(option);
    throw;
  }
}

/// Returns the schema of the output that the input's stands for.
std::optional<AnySchema> target_of_input(System source, System target, const std::string& schema) {
  const bool own = source != yt::kRoom && source != skiff::kRoom;
  if (target != skiff::kRoom && !(own && target == yt::kRoom)) return std::nullopt;
  if (!own) {
    // A table schema describes the rows that are read; the wire types are derived as always.
    try {
      (void)yt::parse_table_schema(schema);
      return std::nullopt;
    } catch (const Error&) {
      // Then it is the format of a Skiff stream.
    }
  }
  return parse_argument(target, schema, Option::Schema, {});
}

/// Returns the schema given for the output, if any.
std::optional<AnySchema> given_schema(System source, System target, const ConvertOptions& options) {
  if (const auto* given = std::get_if<SchemaArgument>(&options.target)) {
    return parse_argument(target, given->argument, given->option, options.output.storage);
  }
  if (const auto* given = std::get_if<AnySchema>(&options.target)) {
    const System its = given->system();
    if (its != target) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected a schema of {}, found one of {}", target->name, its->name));
    }
    return *given;
  }
  if (!options.input.schema) return std::nullopt;
  return target_of_input(source, target, *options.input.schema);
}

/// Leaves of a Skiff schema the columns that rows have; nothing if some were narrowed.
std::optional<skiff::Schema> with_columns_of(skiff::Schema given, const hub::Schema& rows) {
  if (given.format.tables.size() != 1) return given;
  const hub::Schema whole = skiff::to_arrow(given, 0);
  const auto has = [&](const std::string& name) {
    return std::ranges::find(rows.fields, name, &hub::Field::name) != rows.fields.end();
  };
  for (const hub::Field& field : rows.fields) {
    const auto own = std::ranges::find(whole.fields, field.name, &hub::Field::name);
    if (own != whole.fields.end() && own->type != field.type) return std::nullopt;
  }
  const auto without_others = [&](const skiff::Type& type) {
    std::vector<skiff::Type> left;
    for (const skiff::Type& column : type.children()) {
      if (column.name().starts_with('$') || has(column.name())) left.push_back(column);
    }
    return left;
  };
  skiff::Type& root = given.format.tables.front();
  std::vector<skiff::Type> columns = without_others(root);
  for (skiff::Type& column : columns) {
    if (column.name() != skiff::kSparseColumns) continue;
    column = skiff::Type(column.wire(), without_others(column), column.name());
  }
  // Columns that are not selected are not among the other columns.
  std::erase_if(columns, [&](const skiff::Type& column) {
    return (column.name() == skiff::kSparseColumns && column.children().empty()) ||
           (column.name() == skiff::kOtherColumns && !has(column.name()));
  });
  root = skiff::Type(root.wire(), std::move(columns), root.name());
  for (yt::TableSchema& table : given.table_schemas) {
    std::erase_if(table.columns, [&](const yt::ColumnSchema& column) { return !has(column.name); });
  }
  return given;
}

/// Gives a bare Skiff format the table schema that the rows have, so that its columns mean what the
/// rows' columns mean and not only their wire types. What no column is for goes into
/// `$other_columns`, if the format has that and the table may have other columns.
skiff::Schema with_table_schema(skiff::Schema given, System source, const hub::Schema& hub,
                                const crosswalk::PlanOptions& options) {
  const bool complete = !given.table_schemas.empty() && given.table_schemas.front().strict;
  if (complete || given.format.tables.size() != 1) return given;
  const crosswalk::Plan natural = crosswalk::plan(source, hub, skiff::kRoom, options);
  const yt::TableSchema* rows = natural.target.as<skiff::Schema>().table_schema(0);
  if (rows == nullptr) return given;
  if (given.table_schemas.empty()) {
    given.table_schemas.push_back(*rows);
  } else {
    skiff::describe_others(&given, 0, *rows);
  }
  return given;
}

/// Returns the options of a plan for rows that are read in a way.
crosswalk::PlanOptions planning_of(const ConvertOptions& options) {
  crosswalk::PlanOptions planning = options.plan;
  if (options.input.values.decimal_special == yt::DecimalSpecial::Null) {
    planning.special_decimals = crosswalk::SpecialDecimals::Null;
  }
  planning.numbered_zones = options.output.values.tz_form == yt::TzForm::Index;
  return planning;
}

void add_to(Progress* sum, const Progress& one) {
  sum->rows += one.rows;
  sum->bad_rows += one.bad_rows;
  sum->bytes_read += one.bytes_read;
  sum->bytes_written += one.bytes_written;
  if (!sum->first_bad) sum->first_bad = one.first_bad;
}

using RunRows = std::function<Progress(const PipelineOptions&, RejectFile*)>;

/// Runs a pipeline with the file of rejected rows, which is complete even where a row ends the
/// pipeline, and gives all outputs their names.
Progress run_with_rejects(const ConvertOptions& options, const std::string& output,
                          const RunRows& run) {
  OutputSet rejected;
  std::unique_ptr<RejectFile> rejects;
  if (options.rejects) {
    rejects = std::make_unique<RejectFile>(
        *options.rejects,
        SinkOptions{.mode = options.output.mode,
                    .durable = options.output.durable,
                    .set = &rejected,
                    .storage = options.output.storage},
        [&](const std::string& path) { check_other_output(path, output, options.output); });
  }
  PipelineOptions pipeline = options.pipeline;
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (rejects) rejects->add(bad);
    if (options.pipeline.on_bad_row) options.pipeline.on_bad_row(bad);
  };
  // Of several outputs, one may be without rows.
  const bool is_one = !is_table_pattern(output) && !output.ends_with('/');
  if (is_one) pipeline.before_finish = [&](const Progress& now) { check_rejects(now, pipeline); };
  Progress done;
  try {
    done = run(pipeline, rejects.get());
    if (!is_one) check_rejects(done, pipeline);
  } catch (Error& error) {
    // Rows that were bad tell why it failed; where something else did, they are not all there are.
    const bool is_input = error.code() == ErrorCode::Input;
    if (rejects && is_input) {
      rejects->finish();
      rejected.commit();
    }
    const bool is_row =
        error.code() == ErrorCode::Input && error.place().row && error.hint().empty();
    if (is_row && !pipeline.skip_bad_rows) {
      error.with_hint(fmt::format("Skip such rows with {} {}.", mention(Option::OnError, "skip"),
                                  mention(Option::Rejects, "FILE")));
    }
    throw;
  }
  if (rejects) rejects->finish();
  options.output.set->add(std::move(rejected));
  // An output that the engine has committed is complete: a signal comes too late.
  const bool is_complete = options.output.set->is_empty();
  if (!is_complete && pipeline.cancelled != nullptr && pipeline.cancelled->load()) {
    throw Error(ErrorCode::Interrupted, "interrupted");
  }
  options.output.set->commit();
  return done;
}

skiff::TableLayout layout_of(const skiff::Schema& stream, size_t table) {
  if (table >= stream.format.tables.size()) return skiff::TableLayout();
  return skiff::table_layout(stream.format.tables[table]);
}

/// Returns which table of a stream is read; a schema may have been told of that one alone.
size_t table_of(const skiff::Schema& stream, const ConvertOptions& options) {
  return stream.format.tables.size() == 1 ? 0 : options.input.table.value_or(0);
}

bool is_control(const skiff::Slot& slot) {
  using skiff::Role;
  return slot.role == Role::KeySwitch || slot.role == Role::RowIndex ||
         slot.role == Role::RangeIndex;
}

/// Returns true if the output of a plan can tell what a special column says of rows.
bool tells(const crosswalk::Plan& plan, std::string_view name) {
  if (plan.target_system == yt::kRoom) return true;
  const auto* stream = plan.target.get_if<skiff::Schema>();
  if (stream == nullptr) return false;
  const skiff::TableLayout layout = layout_of(*stream, 0);
  return std::ranges::any_of(layout.slots, [&](const skiff::Slot& slot) {
    return is_control(slot) && slot.type.name() == name;
  });
}

/// Gives a table's skiff schema a special column, before those that come last.
void add_slot(skiff::Type slot, skiff::Schema* schema) {
  skiff::Type& root = schema->format.tables.front();
  std::vector<skiff::Type> children(root.children().begin(), root.children().end());
  const auto last = std::ranges::find_if(children, [](const skiff::Type& child) {
    return child.name() == skiff::kSparseColumns || child.name() == skiff::kOtherColumns;
  });
  children.insert(last, std::move(slot));
  root = skiff::Type(root.wire(), std::move(children), root.name());
}

/// Settles what becomes of what a Skiff stream tells of rows beside their columns: an output whose
/// schema follows from the input's can tell it again, too, any other says that it does not.
void plan_controls(const skiff::TableLayout& from, bool given, const ConvertOptions& options,
                   crosswalk::Plan* plan) {
  std::vector<skiff::Type> told;
  for (const skiff::Slot& slot : from.slots) {
    if (is_control(slot)) told.push_back(slot.type);
  }
  if (plan->target_system == skiff::kRoom && !given) {
    std::vector<skiff::Type> wanted = told;
    const skiff::Type index = skiff::optional_of(skiff::Type(skiff::WireType::Int64));
    if (options.output.skiff.range_index)
      wanted.push_back(index.named(std::string(skiff::kRangeIndex)));
    if (options.output.skiff.row_index)
      wanted.push_back(index.named(std::string(skiff::kRowIndex)));
    skiff::Schema schema = plan->target.as<skiff::Schema>();
    for (skiff::Type& slot : wanted) {
      const auto placed = schema.format.tables.front().children();
      if (std::ranges::find(placed, slot.name(), &skiff::Type::name) != placed.end()) continue;
      add_slot(std::move(slot), &schema);
    }
    plan->target = AnySchema(skiff::kRoom, std::move(schema));
  }
  for (const skiff::Type& slot : told) {
    const bool shown = (slot.name() == skiff::kRangeIndex && options.input.skiff.range_index) ||
                       (slot.name() == skiff::kRowIndex && options.input.skiff.row_index);
    const bool to_table = options.output.format && is_table_format(*options.output.format);
    if (shown || (!to_table && tells(*plan, slot.name()))) continue;
    crosswalk::PathReport& table = plan->paths.front();
    table.labels.push_back(slot.name());
    table.reasons.push_back(
        {"metadata.lost", hub::Values::Kept, slot.name(), slot.name() + " of the rows", "", ""});
  }
}

/// One table on its way.
struct Table {
  std::unique_ptr<hub::BatchWriter> writer;
  uint64_t rows = 0;
};

/// A conversion that has its plan and its output, and moves no rows yet.
struct Begun {
  Input input;
  Converted result;
  std::unique_ptr<hub::BatchWriter> writer;
  /// Rows that the engine of both ends moves by itself; null where they come here.
  std::shared_ptr<OpenedRows> opened;
  /// The table of a stream whose rows these are.
  std::optional<uint32_t> table = std::nullopt;
};

/// Returns true if nobody has to look at the rows on their way between files: what the plan changes
/// is a layout that the files do not have.
bool keeps_rows(const Input& input, const crosswalk::Plan& plan, const ConvertOptions& options) {
  if (plan.cast.is_identity()) return true;
  const System source = input.format->system;
  const auto only_layouts = [](const hub::Schema& a, const hub::Schema& b) {
    return std::ranges::equal(a.fields, b.fields, crosswalk::is_other_layout);
  };
  if (!only_layouts(input.reader->schema(), plan.target_hub)) return false;
  // What else a plan may ask of values is asked of those that the files hold.
  const crosswalk::Plan stored =
      plan_conversion(source, plan.target_hub, plan.target_system, options);
  return stored.cast.is_identity() && only_layouts(stored.target_hub, plan.target_hub);
}

/// Begins a conversion; the output is to get its name with the others of `options.output.set`.
Begun begin(Input input, Output output, ConvertOptions options) {
  std::optional<Destination> to;
  if (const auto* path = std::get_if<std::string>(&output)) {
    options.output.inputs = files_read(input);
    to = locate(*path, &options.output, &options.plan);
    if (const RowsThere* there = to->rows()) {
      if (!std::holds_alternative<std::monostate>(options.target)) {
        throw Error(ErrorCode::Usage, "added rows must have the schema of the existing ones", {},
                    "Name no other schema.");
      }
      check_added_columns(*to, input.reader->schema(), options.plan, !options.input.select.empty());
      options.target = there->schema;
      options.meaning = there->meaning;
    }
  }
  Converted result = {
      to ? to->path : "", plan_rows(input, (*options.output.format)->system, options), {}, {}};
  *input.special_decimals = result.plan.special_decimals;
  result.notes = result.plan.notes;
  if (input.file_notes.inferred) result.notes.push_back(finding_of(*input.file_notes.inferred));
  options.output.like = stored_alike(input.file_notes, result.plan, options.output, &result.notes);
  std::shared_ptr<OpenedRows> opened = input.reader->opened_rows();
  // Rows whose order is promised come here to be compared.
  const bool has_order =
      std::ranges::any_of(result.plan.target_hub.fields, crosswalk::is_sorted_by);
  if (opened != nullptr && !has_order && keeps_rows(input, result.plan, options)) {
    // A version of a dataset is there with the commit.
    if (input.file) {
      opened->before_commit = [file = input.file] {
        file->check_at_its_place(/*must_answer=*/true);
      };
    }
    options.output.opened = opened;
  }
  const OutputSchema schema = output_schema(result.plan);
  auto writer = to ? open_output(*to, schema, options.output)
                   : open_output(std::move(std::get<std::unique_ptr<ByteSink>>(output)), schema,
                                 options.output);
  if (opened != nullptr && !opened->is_taken()) opened = nullptr;
  return {std::move(input), std::move(result), std::move(writer), std::move(opened), {}};
}

/// Takes the rows of a dataset as a conversion to the format of its output reads them.
Input take_for(Dataset& rows, ConvertOptions* options) {
  const Format output = *options->output.format;
  set_reading(output->system, options);
  // Both ends are looked at while it loads.
  std::shared_ptr<const void> loading;
  std::vector<std::optional<Format>> ends = {output};
  if (!rows.names().empty()) ends.push_back(format_of_name(rows.names().front()));
  for (const std::optional<Format>& end : ends) {
    if (end && (*end)->load_ahead != nullptr && !loading) loading = (*end)->load_ahead();
  }
  Input input = rows.take(options->input);
  input.loading = std::move(loading);
  if (options->on_open) options->on_open(input);
  return input;
}

/// The same for files that are named for one output.
Input open_for(const std::vector<std::string>& inputs, const std::string& output,
               ConvertOptions* options) {
  options->output.format = output_format(output, options->output);
  Dataset rows(inputs, options->input);
  return take_for(rows, options);
}

/// Returns the name of the only file; "" for several.
std::string only_file(const std::vector<std::string>& files) {
  if (files.size() != 1) return "";
  return files.front() == "-" ? "<stdin>" : shown_name(files.front());
}

/// Moves rows so that the rows that are left out name their file.
Progress naming_file(PipelineOptions pipeline, const std::string& file,
                     const std::function<Progress(const PipelineOptions&)>& run) {
  if (!pipeline.skip_bad_rows || file.empty()) return run(pipeline);
  pipeline.on_bad_row = [&file, next = std::move(pipeline.on_bad_row)](const hub::BadRow& bad) {
    if (!bad.error.place().file.empty()) return next(bad);
    hub::BadRow named = bad;
    named.error.place().file = file;
    next(named);
  };
  Progress done = run(pipeline);
  if (done.first_bad && done.first_bad->place().file.empty()) {
    Error first = *done.first_bad;
    first.place().file = file;
    done.first_bad = std::make_shared<const Error>(std::move(first));
  }
  return done;
}

/// Moves the rows of a conversion.
Progress move_rows(Begun& begun, const InputOptions& reading, const PipelineOptions& given,
                   RejectFile* rejects) {
  Converted& result = begun.result;
  const SplitReader& reader = *begun.input.reader;
  PipelineOptions pipeline = given;
  if (rejects != nullptr) rejects->begin(begun.input, reading);
  const auto run = [&](const PipelineOptions& named) {
    return while_unchanged(begun.input.file, [&] {
      if (begun.opened != nullptr) return begun.opened->finish(begun.writer.get(), named);
      return run_pipeline(*begun.input.reader, &result.plan.cast, begun.writer.get(), named);
    });
  };
  result.done = naming_file(std::move(pipeline), only_file(begun.input.files), run);
  std::ranges::move(notes_of(reader), std::back_inserter(result.notes));
  std::ranges::move(notes_of(begun.writer.get()), std::back_inserter(result.notes));
  if (!is_cluster(result.output)) result.notes = untold(std::move(result.notes), result.plan);
  return result.done;
}

/// Rows of YSON say themselves which table they are of, and all have one schema.
/// Returns the name of a table's output. Throws Error (Io) for a link, which the user did not name.
std::string output_of_table(const std::string& pattern, size_t table) {
  std::string path = table_path(pattern, table);
  if (!is_remote(path) && std::filesystem::is_symlink(local_path(path))) {
    Place place;
    place.file = path;
    throw Error(ErrorCode::Io, "expected a file or nothing under this name, found a link", place,
                "Remove the link, or choose another name.");
  }
  return path;
}

std::vector<Converted> convert_yson_tables(const std::vector<std::string>& inputs,
                                           const std::string& pattern, ConvertOptions options) {
  if (inputs.front() == "-") {
    throw Error(ErrorCode::Usage, "{table} in the output needs YSON rows that can be read twice");
  }
  OutputSet outputs;
  options.output.set = &outputs;
  std::vector<Begun> tables;
  for (const uint32_t table : yson_tables(open_source(inputs.front(), options.input.storage))) {
    ConvertOptions one = options;
    one.input.table = table;
    const std::string output = output_of_table(pattern, table);
    Input input = open_for(inputs, output, &one);
    tables.push_back(begin(std::move(input), output, std::move(one)));
    tables.back().table = table;
  }
  options.output.inputs = inputs;
  run_with_rejects(options, pattern, [&](const PipelineOptions& pipeline, RejectFile* rejects) {
    Progress done;
    for (Begun& table : tables) {
      InputOptions reading = options.input;
      reading.table = table.table;
      add_to(&done, move_rows(table, reading, pipeline, rejects));
    }
    return done;
  });
  std::vector<Converted> results;
  for (Begun& table : tables) results.push_back(std::move(table.result));
  return results;
}

std::vector<Converted> convert_tables(const std::vector<std::string>& inputs,
                                      const std::string& pattern, ConvertOptions options) {
  if (inputs.size() != 1) {
    throw Error(ErrorCode::Usage, "{table} in the output needs one input of YSON or Skiff rows");
  }
  const InputOptions& input_options = options.input;
  if (!input_options.select.empty() || !input_options.exclude.empty() || input_options.limit ||
      input_options.sample || input_options.tail || input_options.table) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("{}, {}, {}, {}, {} and {} choose rows of one table; {{table}} means all",
                    mention(Option::Select), mention(Option::Exclude), mention(Option::Limit),
                    mention(Option::Sample), mention(Option::Tail), mention(Option::Table)));
  }
  const System first_target = output_format(table_path(pattern, 0), options.output)->system;
  const auto format = options.input.format ? options.input.format : format_of_name(inputs.front());
  if (format && *format == kYsonRows) return convert_yson_tables(inputs, pattern, options);
  set_reading(first_target, &options);
  TablesInput input = open_tables(inputs.front(), options.input);
  options.output.inputs = inputs;
  if (input.schema_origin == SchemaOrigin::SideFile) {
    options.output.inputs.push_back(side_schema_path(inputs.front()));
  }
  OutputSet outputs;
  options.output.set = &outputs;
  // Each output may have a version of its own.
  const size_t count = input.reader->table_count();
  std::vector<OutputOptions> writing(count, options.output);
  std::vector<crosswalk::PlanOptions> versions(count, planning_of(options));
  std::vector<Destination> places;
  for (size_t table = 0; table < count; ++table) {
    places.push_back(locate(output_of_table(pattern, table), &writing[table], &versions[table]));
  }
  const auto plan_of = [&](size_t table, const crosswalk::PlanOptions& all) {
    const Destination& to = places[table];
    const hub::Schema& rows = input.reader->schema(table);
    crosswalk::PlanOptions planning = versions[table];
    planning.special_decimals = all.special_decimals;
    const RowsThere* there = to.rows();
    check_added_columns(to, rows, planning, false);
    crosswalk::Plan plan =
        there != nullptr
            ? crosswalk::plan_to(skiff::kRoom, rows, there->schema, planning, &there->meaning)
            : crosswalk::plan(skiff::kRoom, rows, to.format->system, planning);
    plan_controls(layout_of(input.schema, table), there != nullptr, options, &plan);
    return plan;
  };
  std::vector<Converted> results;
  for (crosswalk::Plan& plan : plan_tables(count, planning_of(options), plan_of)) {
    crosswalk::ask_consent(plan, options.allow_lossy);
    *input.special_decimals = plan.special_decimals;
    results.push_back({places[results.size()].path, std::move(plan), {}, {}});
  }
  // No output is begun before every table is known to have a way.
  std::vector<Table> tables(results.size());
  std::vector<TableRoute> routes;
  for (size_t i = 0; i < results.size(); ++i) {
    tables[i].writer = open_output(places[i], output_schema(results[i].plan), writing[i]);
    routes.push_back({&results[i].plan.cast, tables[i].writer.get(), &tables[i].rows});
  }
  const auto run = [&](const PipelineOptions& given, RejectFile* rejects) {
    if (rejects != nullptr) rejects->begin(input.schema);
    PipelineOptions pipeline = given;
    pipeline.on_bad_row = [&](const hub::BadRow& bad) {
      Progress& its = results[bad.error.place().table.value_or(0)].done;
      if (its.bad_rows++ == 0) its.first_bad = std::make_shared<const Error>(bad.error);
      given.on_bad_row(bad);
    };
    return naming_file(std::move(pipeline), only_file(inputs), [&](const PipelineOptions& named) {
      return while_unchanged(input.file, [&] { return run_tables(*input.reader, routes, named); });
    });
  };
  const Progress done = run_with_rejects(options, pattern, run);
  for (size_t i = 0; i < results.size(); ++i) {
    Progress& its = results[i].done;
    its.bytes_read = done.bytes_read;
    its.total_bytes = done.total_bytes;
    its.rows = tables[i].rows;
    its.bytes_written = tables[i].writer->bytes_written();
  }
  return results;
}

/// Returns a name with the extension of another format.
std::string renamed(const std::string& name, Format format) {
  std::string_view bare = without_compression(name);
  if (const std::optional<Format> its = format_of_name(bare)) {
    for (const std::string_view extension : (*its)->extensions) {
      if (!bare.ends_with(extension)) continue;
      bare.remove_suffix(extension.size());
      break;
    }
  }
  return std::string(bare) + std::string(format->extensions.front());
}

/// Converts each file to one of its name in a folder, which appears when all are there.
std::vector<Converted> convert_each(const std::vector<std::string>& inputs,
                                    const std::string& folder, ConvertOptions options) {
  if (options.input.unify || options.input.limit || options.input.sample || options.input.tail) {
    throw Error(ErrorCode::Usage,
                fmt::format("{}, {}, {} and {} are about one output, found a folder of several",
                            mention(Option::Unify), mention(Option::Limit), mention(Option::Sample),
                            mention(Option::Tail)));
  }
  const InputFiles found = input_files(with_folders_named(inputs, options.input.storage),
                                       options.input.format, options.input.storage);
  const std::vector<InputFile>& files = found.files;
  const Format format = output_format(folder, options.output);
  options.output.format = format;
  OutputSet outputs;
  options.output.set = &outputs;
  for (const InputFile& file : files) options.output.inputs.push_back(file.path);
  SchemasOfParts schemas(options.output.inputs, found.listed);
  FolderOutput output(folder, folder_place(folder, options.output), options.output);
  // What the names of folders say stays in them.
  options.input.partitions = false;
  std::vector<Converted> results;
  std::unordered_set<std::string> names;
  run_with_rejects(options, folder, [&](const PipelineOptions& pipeline, RejectFile* rejects) {
    Progress all;
    for (const InputFile& file : files) {
      const std::string name = renamed(file.below, format);
      if (!names.insert(name).second) {
        Place place;
        place.file = file.path;
        throw Error(ErrorCode::Usage,
                    fmt::format("two inputs would be written as {}", xwalk::quoted(name)), place);
      }
      ConvertOptions one = options;
      schemas.settle(file.path, &one.input);
      const std::string path = output.begin(name, &one.output);
      Input input = open_for({file.path}, path, &one);
      Begun begun = begin(std::move(input), path, std::move(one));
      const Progress done = move_rows(begun, options.input, pipeline, rejects);
      add_to(&all, done);
      output.wrote(name, done.rows, done.bytes_written);
      begun.result.output = path_in(folder, name);
      results.push_back(std::move(begun.result));
    }
    output.finish();
    return all;
  });
  return results;
}

/// Returns true if values of any type are in a column.
bool has_any_values(const hub::Field& field, const hub::Refine& refine) {
  if (!refine) return false;
  return refine(field).yson || std::ranges::any_of(field.type.children(), [&](const auto& child) {
           return has_any_values(child, refine);
         });
}

/// Refuses options of stores where nothing lies in one, and leaves the input out of it.
void check_store_options(std::vector<std::string> names, const std::string& output,
                         ConvertOptions* options) {
  names.push_back(output);
  if (const auto* given = std::get_if<SchemaArgument>(&options->target)) {
    if (is_uri(given->argument)) names.push_back(given->argument);
  }
  if (options->input.given.contains(Option::Storage)) check_storage(options->input.storage, names);
  options->given.erase(Option::Storage);
  options->input.given.erase(Option::Storage);
}

}  // namespace

void set_reading(System target, ConvertOptions* options) {
  // A store that only a schema lies in is one as well.
  if (const auto* given = std::get_if<SchemaArgument>(&options->target)) {
    if (is_uri(given->argument)) options->input.given.erase(Option::Storage);
  }
  const std::optional<Format>& output = options->output.format;
  check_output_options(output ? std::vector<Format>{*output} : formats_of(target), options);
  options->input.annotations = options->plan.annotations;
  options->input.keep_layout = target == parquet::kRoom || target == arrow::kRoom;
  const bool given = !std::holds_alternative<std::monostate>(options->target);
  options->input.parquet.storage =
      target == parquet::kRoom && !given && !options->input.schema && options->plan.casts.empty() &&
      options->output.mode != OutputMode::Append && options->output.partition_by.empty();
  if (target->types() != yt::kRoom) return;
  options->input.controls = true;
  if (target == skiff::kRoom) {
    // Such a schema has a place of its own for them.
    options->output.skiff.range_index = std::exchange(options->input.skiff.range_index, false);
    options->output.skiff.row_index = std::exchange(options->input.skiff.row_index, false);
  }
  if (!given) return;
  const std::optional<AnySchema> wanted = given_schema(target, target, *options);
  if (const auto* table = wanted->get_if<yt::TableSchema>()) {
    options->input.others = *table;
  } else {
    options->input.others = skiff::columns_of(wanted->as<skiff::Schema>(), 0);
  }
}

crosswalk::Plan plan_conversion(System source, const hub::Schema& hub, System target,
                                const ConvertOptions& options, const skiff::Schema* stream) {
  const crosswalk::PlanOptions planning = planning_of(options);
  std::optional<AnySchema> given = given_schema(source, target, options);
  const bool is_of_input = std::holds_alternative<std::monostate>(options.target);
  const bool selects = !options.input.select.empty() || !options.input.exclude.empty();
  if (given && is_of_input && selects && source == skiff::kRoom && target == skiff::kRoom) {
    // The schema describes the input, also its columns that are left out.
    auto left = with_columns_of(given->as<skiff::Schema>(), hub);
    given.reset();
    if (left) given = AnySchema(skiff::kRoom, std::move(*left));
  }
  if (given) {
    if (const auto* own = given->get_if<skiff::Schema>()) {
      skiff::Schema streams = with_table_schema(*own, source, hub, planning);
      if (streams.format.tables.size() != 1) {
        throw Error(ErrorCode::Usage,
                    "expected the schema of one table to write, found one of several", {},
                    "One output holds the rows of one table.");
      }
      given = AnySchema(skiff::kRoom, std::move(streams));
    }
  }
  const hub::Schema* meaning = options.meaning ? &*options.meaning : nullptr;
  crosswalk::Plan plan = given ? crosswalk::plan_to(source, hub, *given, planning, meaning)
                               : crosswalk::plan(source, hub, target, planning);
  const size_t table = stream == nullptr ? 0 : table_of(*stream, options);
  plan_controls(stream == nullptr ? skiff::TableLayout() : layout_of(*stream, table),
                given.has_value(), options, &plan);
  if (given) add_unfit(stream, table, &plan);
  plan_partitions(options.output.partition_by, &plan);
  const std::optional<Format>& format = options.output.format;
  if (format && (*format)->judge != nullptr) (*format)->judge(options.output, &plan);
  return plan;
}

crosswalk::Plan plan_rows(const Input& input, System target, const ConvertOptions& options) {
  crosswalk::Plan plan =
      plan_conversion(input.format->system, input.reader->schema(), target, options,
                      input.skiff_schema ? &*input.skiff_schema : nullptr);
  mark_inferred(input.file_notes, &plan);
  crosswalk::ask_consent(plan, options.allow_lossy);
  return plan;
}

std::unique_ptr<SplitReader> shaped(std::unique_ptr<SplitReader> rows, System source,
                                    const ConvertOptions& options) {
  const crosswalk::PlanOptions& plan = options.plan;
  const bool as_json =
      plan.cast.any != hub::AnyValues::Yson &&
      std::ranges::any_of(rows->schema().fields,
                          [refine = crosswalk::source_refinement(source, plan.annotations)](
                              const hub::Field& field) { return has_any_values(field, refine); });
  const bool alters = !plan.casts.empty() || plan.cast.drop_zone ||
                      plan.cast.duplicate_keys == hub::DuplicateKeys::Last;
  if (plan.rename.empty() && !alters && !as_json) return rows;
  ConvertOptions shaping = options;
  hub::DuplicateKeys& keys = shaping.plan.cast.duplicate_keys;
  // Without these options no pair of a map is checked either.
  if (keys == hub::DuplicateKeys::AsTarget) keys = hub::DuplicateKeys::Keep;
  crosswalk::Plan planned = plan_conversion(source, rows->schema(), arrow::kRoom, shaping);
  crosswalk::require_all_columns(planned);
  if (alters) crosswalk::ask_consent(planned, options.allow_lossy);
  return cast_pieces(std::move(rows), std::move(planned.cast));
}

void set_tolerance(ConvertOptions* options) {
  const PipelineOptions& limits = options->pipeline;
  const bool limited = limits.max_bad_rows || limits.max_bad_share;
  if (!options->rejects && !limited) return;
  if (!options->given.contains(Option::OnError)) {
    options->pipeline.skip_bad_rows = options->input.skip_bad_rows = true;
  } else if (!limits.skip_bad_rows) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} and {} contradict each other", mention(Option::OnError, "fail"),
                            mention(limited ? Option::MaxRejects : Option::Rejects)),
                {}, "Give one of the two.");
  }
}

namespace {

/// Moves rows to one output.
Converted convert_one(Input input, Output output, ConvertOptions options) {
  OutputSet outputs;
  options.output.set = &outputs;
  options.output.inputs = files_read(input);
  Begun begun = begin(std::move(input), std::move(output), options);
  run_with_rejects(options, begun.result.output,
                   [&](const PipelineOptions& pipeline, RejectFile* rejects) {
                     return move_rows(begun, options.input, pipeline, rejects);
                   });
  return std::move(begun.result);
}

/// Returns true if each file of an input should become one in a folder.
bool writes_each(const std::string& output, const OutputOptions& options) {
  return output.ends_with('/') && options.partition_by.empty() &&
         options.mode != OutputMode::Append && (*options.format)->adding != Adding::ToDataset;
}

/// Checks options against rows that are open, which the options were not given for, and takes over
/// those that the rows were opened with.
void use_open_rows(const Dataset& rows, const std::string* output, ConvertOptions* options) {
  if (options->given.contains(Option::Storage)) {
    check_storage(options->output.storage, {output, output == nullptr ? size_t{0} : 1});
  }
  if (options->output.format) {
    check_open_options(rows.format(), rows.options().given, *options->output.format, options);
  }
  options->input = rows.options();
  if (!options->given.contains(Option::OnError)) {
    options->pipeline.skip_bad_rows |= rows.options().skip_bad_rows;
  }
}

}  // namespace

std::vector<Converted> convert(Dataset& rows, Output output, ConvertOptions options) {
  auto* path = std::get_if<std::string>(&output);
  const bool is_named = !rows.names().empty();
  const bool by_table = path != nullptr && is_named && is_table_pattern(*path);
  // A path that names no format is an error before anything is read.
  if (path != nullptr && !by_table) {
    options.output.format = output_format(*path, options.output);
  }
  if (!by_table && !options.output.format) {
    throw Error(ErrorCode::Usage, "expected the format of an output without a name", {},
                fmt::format("Name it with {}.", mention(Option::To, "FORMAT")));
  }
  if (rows.is_open()) {
    use_open_rows(rows, path, &options);
  } else {
    check_store_options(rows.names(), path == nullptr ? "" : *path, &options);
  }
  set_tolerance(&options);
  options.input.skip_bad_rows = options.pipeline.skip_bad_rows;
  if (path != nullptr && !is_remote(*path)) *path = local_path(*path);
  if (by_table) return convert_tables(rows.names(), *path, options);
  if (path != nullptr && is_named && writes_each(*path, options.output)) {
    return convert_each(rows.names(), *path, std::move(options));
  }
  Input input = take_for(rows, &options);
  std::vector<Converted> results;
  results.push_back(convert_one(std::move(input), std::move(output), std::move(options)));
  return results;
}

std::vector<Converted> convert(const std::vector<std::string>& inputs, const std::string& output,
                               ConvertOptions options) {
  Dataset rows(inputs, options.input);
  return convert(rows, output, std::move(options));
}

Progress sum_of(const std::vector<Converted>& all) {
  Progress sum;
  for (const Converted& one : all) add_to(&sum, one.done);
  return sum;
}

size_t worst_of(const std::vector<Converted>& all) {
  const auto verdict = [](const Converted& one) { return one.plan.verdict(); };
  return static_cast<size_t>(std::ranges::max_element(all, {}, verdict) - all.begin());
}

hub::Findings untold(hub::Findings notes, const crosswalk::Plan& plan) {
  // What the output tells of rows was not lost.
  std::erase_if(notes, [&](const hub::Finding& note) {
    return note.rule == "metadata.lost" && tells(plan, note.path.text());
  });
  return notes;
}

hub::Findings notes_of(const SplitReader& reader) {
  const SplitReader::Notes notes = reader.notes();
  return notes ? notes() : hub::Findings{};
}

}  // namespace xwalk::io
