#include "xwalk/convert/row_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan_keys.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/hive_writer.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/parquet/module.h"
#include "xwalk/report/report.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/module.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/read_options.h"

namespace xwalk::io {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;
using hub::mention;
using hub::Option;

/// Returns true if a schema argument is the name of rows that have their own schema. Files of YSON
/// and JSON may be schemas.
bool is_data_file(const std::string& argument) {
  if (is_schema_text(argument) || Location(argument).is_table()) return false;
  const std::optional<Format> named = format_of_name(argument);
  return named && ((*named)->begins != nullptr || (*named)->is_dataset != nullptr);
}

/// Reads the schema of rows of the output's system.
AnySchema schema_of_rows(System target, const std::string& argument,
                         const StorageOptions& storage) {
  InputOptions reading;
  reading.storage = storage;
  SchemaInput found = read_schema(Location(argument), {}, reading, Meaning::IfAny);
  if (found.system == target) return std::move(found.schema);
  throw Error(ErrorCode::Usage,
              fmt::format("expected a schema of {}, or rows with one, found rows of {}",
                          target->name, found.system->name),
              {.file = argument},
              fmt::format("`xwalk schema {} --to {}` prints the schema that they have there",
                          argument, target->name));
}

/// Parses a schema argument in the notation of the output's system, or reads it from a file of a
/// schema or of rows.
AnySchema parse_argument(System target, const std::string& argument, Option option,
                         const StorageOptions& storage) {
  try {
    if (is_data_file(argument)) return schema_of_rows(target, argument, storage);
    AnySchema schema = crosswalk::parse_schema(target, schema_text(argument, storage));
    crosswalk::check_schema(schema);
    return schema;
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = mention(option);
    throw;
  }
}

/// Returns the schema of the output that `schema`, given for the input, is meant for.
std::optional<AnySchema> target_of_input(System source, System target, const std::string& schema) {
  const bool own = source != yt::kModule && source != skiff::kModule;
  if (target != skiff::kModule && !(own && target == yt::kModule)) return std::nullopt;
  if (!own) {
    // A table schema describes the rows that are read; the wire types are derived from it.
    try {
      (void)yt::parse_table_schema(schema);
      return std::nullopt;
    } catch (const Error&) {
      // It is the format of a Skiff stream, then.
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

/// Reduces a Skiff schema to the columns that rows have; nothing if some of them were narrowed.
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

/// Adds the table schema of the rows to a bare Skiff format, so that its columns have the types of
/// the rows' columns and not only wire types. Columns that the format does not name go into
/// `$other_columns`, if the format has that and the table may have other columns.
skiff::Schema with_table_schema(skiff::Schema given, System source, const hub::Schema& hub,
                                const crosswalk::PlanOptions& options) {
  const bool complete = !given.table_schemas.empty() && given.table_schemas.front().strict;
  if (complete || given.format.tables.size() != 1) return given;
  const crosswalk::Plan natural = crosswalk::plan(source, hub, skiff::kModule, options);
  const yt::TableSchema* rows = natural.target.as<skiff::Schema>().table_schema(0);
  if (rows == nullptr) return given;
  if (given.table_schemas.empty()) {
    given.table_schemas.push_back(*rows);
  } else {
    skiff::describe_others(&given, 0, *rows);
  }
  return given;
}

/// Returns which table of a stream is read. Its schema may describe only that one.
size_t table_of(const skiff::Schema& stream, const ConvertOptions& options) {
  return stream.format.tables.size() == 1 ? 0 : options.input.table.value_or(0);
}

bool is_control(const skiff::Slot& slot) {
  using skiff::Role;
  return slot.role == Role::KeySwitch || slot.role == Role::RowIndex ||
         slot.role == Role::RangeIndex;
}

/// Returns true for lines of JSON whose readers know no control entities: all but YTsaurus's own.
bool is_for_other_readers(const OutputOptions& output) {
  const yt::JsonForm& form = output.values.json;
  return output.format && *output.format == Format(kJsonRows) && (!form.living || form.plain);
}

/// Returns true if the output of a plan keeps the values of a control column.
bool keeps_control(const crosswalk::Plan& plan, std::string_view name,
                   const OutputOptions& output) {
  if (plan.target_system == yt::kModule) {
    // A control entity in an output of one table has no table.
    const bool is_of_stream = name == yt::kTableIndex || name == yt::kTabletIndex;
    return !is_of_stream && !is_for_other_readers(output);
  }
  const auto* stream = plan.target.get_if<skiff::Schema>();
  if (stream == nullptr) return false;
  const skiff::TableLayout layout = layout_of(*stream, 0);
  return std::ranges::any_of(layout.slots, [&](const skiff::Slot& slot) {
    return is_control(slot) && slot.type.name() == name;
  });
}

/// Adds a control column to a table of a Skiff schema, before the columns that must be last.
void add_slot(skiff::Type slot, skiff::Schema* schema) {
  skiff::Type& root = schema->format.tables.front();
  std::vector<skiff::Type> children(root.children().begin(), root.children().end());
  const auto last = std::ranges::find_if(children, [](const skiff::Type& child) {
    return child.name() == skiff::kSparseColumns || child.name() == skiff::kOtherColumns;
  });
  children.insert(last, std::move(slot));
  root = skiff::Type(root.wire(), std::move(children), root.name());
}

/// Returns true if values of any type are in a column.
bool has_any_values(const hub::Field& field, const hub::Refine& refine) {
  if (!refine) return false;
  return refine(field).yson || std::ranges::any_of(field.type.children(), [&](const auto& child) {
           return has_any_values(child, refine);
         });
}

/// Returns how rows are read for an output of a system.
ReadPlan read_plan(System target, const ConvertOptions& options) {
  ReadPlan out;
  out.layout = target == parquet::kModule || target == arrow::kModule;
  const bool given = !std::holds_alternative<std::monostate>(options.target);
  out.stored_values = target == parquet::kModule && keeps_stored(options);
  const bool has_yt_types = target->types() == yt::kModule;
  out.special_decimals = has_yt_types;
  out.schema_of_output = has_yt_types;
  out.controls = has_yt_types && !is_for_other_readers(options.output);
  if (!has_yt_types || !given) return out;
  const std::optional<AnySchema> wanted = given_schema(target, target, options);
  if (const auto* table = wanted->get_if<yt::TableSchema>()) {
    out.others = *table;
  } else {
    out.others = skiff::columns_of(wanted->as<skiff::Schema>(), 0);
  }
  return out;
}

/// Reports for members of structs that the existing rows lack that only columns are added.
void explain_members(crosswalk::Plan* plan) {
  for (crosswalk::PathReport& report : plan->paths) {
    if (report.path.size() < 2) continue;
    for (crosswalk::Reason& reason : report.reasons) {
      if (reason.rule != "member.left-out") continue;
      reason.lost = fmt::format("the existing rows have no such field, and {} adds only columns",
                                mention(Option::Evolve));
      reason.hint =
          fmt::format("leave it out with {}, or write another output", mention(Option::Exclude));
    }
  }
}

}  // namespace

bool keeps_stored(const ConvertOptions& options) {
  return std::holds_alternative<std::monostate>(options.target) && !options.input.schema &&
         options.plan.casts.empty() && options.output.mode != OutputMode::Append &&
         options.output.partition_by.empty();
}

void set_reading(System target, ConvertOptions* options) {
  // A store that only holds a schema counts, too.
  if (const auto* given = std::get_if<SchemaArgument>(&options->target)) {
    if (is_uri(given->argument)) options->input.given.erase(Option::Storage);
  }
  const std::optional<Format>& output = options->output.format;
  if (options->output.evolve && options->output.mode != OutputMode::Append) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} is about rows that are added", hub::mention(Option::Evolve)), {},
                fmt::format("Give {} as well.", hub::mention(Option::Mode, "append")));
  }
  UpsertOptions& upsert = options->output.upsert;
  upsert.key_bytes = options->input.max_memory / UpsertOptions::kKeyShare;
  check_output_options(output ? std::vector<Format>{*output} : formats_of(target), options);
  options->input.annotations = options->plan.annotations;
  options->input.plan = read_plan(target, *options);
  if (target != skiff::kModule) return;
  // A Skiff schema has control columns for them.
  options->output.skiff.range_index = std::exchange(options->input.skiff.range_index, false);
  options->output.skiff.row_index = std::exchange(options->input.skiff.row_index, false);
}

crosswalk::PlanOptions planning_of(const ConvertOptions& options) {
  crosswalk::PlanOptions planning = options.plan;
  planning.special_decimals_as_null =
      options.input.values.decimal_special == yt::DecimalSpecial::Null;
  planning.numbered_zones = options.output.values.tz_form == yt::TzForm::Index;
  return planning;
}

skiff::TableLayout layout_of(const skiff::Schema& stream, size_t table) {
  if (table >= stream.format.tables.size()) return skiff::TableLayout();
  return skiff::table_layout(stream.format.tables[table]);
}

void plan_controls(const skiff::TableLayout& from, bool given, const ConvertOptions& options,
                   crosswalk::Plan* plan) {
  std::vector<skiff::Type> controls;
  for (const skiff::Slot& slot : from.slots) {
    if (is_control(slot)) controls.push_back(slot.type);
  }
  if (plan->target_system == skiff::kModule && !given) {
    std::vector<skiff::Type> wanted = controls;
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
    plan->target = AnySchema(skiff::kModule, std::move(schema));
  }
  for (const skiff::Type& slot : controls) {
    const bool shown = (slot.name() == skiff::kRangeIndex && options.input.skiff.range_index) ||
                       (slot.name() == skiff::kRowIndex && options.input.skiff.row_index);
    const bool to_table = options.output.format && is_table_format(*options.output.format);
    if (shown || (!to_table && keeps_control(*plan, slot.name(), options.output))) continue;
    crosswalk::PathReport& table = plan->paths.front();
    table.labels.push_back(slot.name());
    table.reasons.push_back(
        {"metadata.lost", hub::Values::Kept, slot.name(), slot.name() + " of the rows", "", ""});
  }
}

crosswalk::Plan plan_conversion(System source, const hub::Schema& rows, System target,
                                const ConvertOptions& options, const skiff::Schema* stream) {
  const SchemaMemoryScope scope(options.input.max_memory);
  const bool is_parquet = source == parquet::kModule;
  const hub::Schema hub = is_parquet ? crosswalk::without_unread_times(rows) : rows;
  const crosswalk::PlanOptions planning = planning_of(options);
  std::optional<AnySchema> given = given_schema(source, target, options);
  const bool is_of_input = std::holds_alternative<std::monostate>(options.target);
  const bool selects = !options.input.select.empty() || !options.input.exclude.empty();
  if (given && is_of_input && selects && source == skiff::kModule && target == skiff::kModule) {
    // The schema describes the input with the columns that are not selected.
    auto left = with_columns_of(given->as<skiff::Schema>(), hub);
    given.reset();
    if (left) given = AnySchema(skiff::kModule, std::move(*left));
  }
  if (given) {
    if (const auto* own = given->get_if<skiff::Schema>()) {
      skiff::Schema streams = with_table_schema(*own, source, hub, planning);
      if (streams.format.tables.size() != 1) {
        throw Error(ErrorCode::Usage,
                    "expected the schema of one table to write, found one of several", {},
                    "One output holds the rows of one table.");
      }
      given = AnySchema(skiff::kModule, std::move(streams));
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
  crosswalk::add_unread_times(rows.metadata, &plan);
  const std::optional<Format>& format = options.output.format;
  if (format && (*format)->judge != nullptr) (*format)->judge(options.output, &plan);
  if (options.output.evolve) explain_members(&plan);
  return plan;
}

void ask_consent(const crosswalk::Plan& plan, const ConvertOptions& options) {
  if (!options.fail_on && options.accepted.empty()) {
    return crosswalk::ask_consent(plan, options.allow_lossy);
  }
  report::Check check{.plan = &plan, .name = {}, .target_name = {}, .accepted = options.accepted};
  check.fail_on = options.fail_on.value_or(options.allow_lossy ? hub::Verdict::Unsupported
                                                               : hub::Verdict::Lossy);
  const std::vector<report::Judgement> all = report::judged(check);
  const auto failing = std::ranges::find_if(all, [](const report::Judgement& one) {
    return one.state == report::DecisionState::Fails && one.reason != nullptr;
  });
  // What cannot be converted is accepted in a report only.
  if (failing == all.end()) return crosswalk::ask_consent(plan, true);
  Place place;
  place.path = failing->path->path;
  std::string message = crosswalk::objection_text(*failing->reason, failing->verdict);
  if (failing->verdict == hub::Verdict::Lossy && !options.fail_on) {
    throw crosswalk::Refusal(std::move(message), std::move(place));
  }
  throw Error(ErrorCode::Unsupported, std::move(message), std::move(place),
              fmt::format("Verdicts from {} on fail here; an entry of accept admits this one.",
                          hub::to_string(check.fail_on)));
}

hub::Findings evolve_rows(System source, const hub::Schema& rows, const ConvertOptions& options,
                          Destination* output) {
  hub::Schema added =
      crosswalk::plan(source, rows, output->format->system, planning_of(options)).target_hub;
  const auto places = places_there(rows, output->rows()->schema, options.plan);
  if (std::ranges::all_of(places, [](const auto& place) { return place.has_value(); })) {
    // Names may differ from those of a new table. Only types may change.
    const auto& own = output->rows()->meaning.fields;
    std::erase_if(added.fields, [&](const hub::Field& field) {
      return std::ranges::find(own, field.name, &hub::Field::name) == own.end();
    });
  }
  return evolve(output, added, options.output.storage);
}

crosswalk::Plan plan_rows(const Input& input, System target, const ConvertOptions& options) {
  crosswalk::Plan plan =
      plan_conversion(input.format->system, input.reader->schema(), target, options,
                      input.skiff_schema ? &*input.skiff_schema : nullptr);
  mark_inferred(input.file_notes, &plan);
  ask_consent(plan, options);
  return plan;
}

std::optional<crosswalk::Plan> plan_shape(const hub::Schema& rows, System source,
                                          const ConvertOptions& options) {
  const crosswalk::PlanOptions& plan = options.plan;
  const bool replaces_any =
      plan.cast.any != hub::AnyValues::AsTarget && plan.cast.any != hub::AnyValues::Yson &&
      std::ranges::any_of(rows.fields,
                          [refine = crosswalk::source_refinement(source, plan.annotations)](
                              const hub::Field& field) { return has_any_values(field, refine); });
  const bool alters = !plan.casts.empty() || plan.cast.drop_zone ||
                      plan.cast.duplicate_keys == hub::DuplicateKeys::Last;
  const bool is_cut = !options.input.select.empty() || !options.input.exclude.empty();
  const bool is_stale = is_cut && crosswalk::has_column_keys(rows.metadata);
  if (plan.rename.empty() && !alters && !replaces_any && !is_stale) return std::nullopt;
  ConvertOptions shaping = options;
  if (!replaces_any) shaping.plan.cast.any = hub::AnyValues::Yson;
  hub::DuplicateKeys& keys = shaping.plan.cast.duplicate_keys;
  // Without these options no pair of a map is checked either.
  if (keys == hub::DuplicateKeys::AsTarget) keys = hub::DuplicateKeys::Keep;
  crosswalk::Plan planned = plan_conversion(source, rows, arrow::kModule, shaping);
  crosswalk::require_all_columns(planned);
  if (alters) ask_consent(planned, options);
  return planned;
}

std::unique_ptr<SplitReader> shaped(std::unique_ptr<SplitReader> rows, System source,
                                    const ConvertOptions& options) {
  std::optional<crosswalk::Plan> planned = plan_shape(rows->schema(), source, options);
  return planned ? cast_pieces(std::move(rows), std::move(planned->cast)) : std::move(rows);
}

hub::Findings lost_notes(hub::Findings notes, const crosswalk::Plan& plan,
                         const OutputOptions& output) {
  std::erase_if(notes, [&](const hub::Finding& note) {
    return note.rule == "metadata.lost" && keeps_control(plan, note.path.text(), output);
  });
  return notes;
}

hub::Findings notes_of(const SplitReader& reader) {
  const SplitReader::Notes notes = reader.notes();
  return notes ? notes() : hub::Findings{};
}

}  // namespace xwalk::io
