#include "xwalk/convert/facade.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <type_traits>

#include "xwalk/base/error.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/upsert.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

using crosswalk::Plan;
using crosswalk::System;
using report::Check;
using report::ReportSet;

/// Sets the output of a conversion. Returns its system; nothing if only readers are checked.
std::optional<System> set_output(const Against& against, ConvertOptions* options) {
  return std::visit(
      [&](const auto& to) -> std::optional<System> {
        using To = std::decay_t<decltype(to)>;
        if constexpr (std::is_same_v<To, Addition>) {
          return set_addition(to.output, options);
        } else if constexpr (std::is_same_v<To, crosswalk::AnySchema>) {
          set_output_schema(to, options);
          return to.system();
        } else if constexpr (std::is_same_v<To, System>) {
          return to;
        } else if constexpr (std::is_same_v<To, std::string>) {
          if (!names_format(to)) return crosswalk::system_of_word(to);
          set_output_format(to, options);
          return (*options->output.format)->system;
        } else {
          return std::nullopt;
        }
      },
      against);
}

/// A question whose options are settled for reading.
struct Question {
  /// Nothing to check readers against the input as it is.
  std::optional<System> target;
  std::optional<Location> addition;
  const Ask& ask;
  const ConvertOptions& options;
};

Question question_of(const Against& against, std::optional<System> target, const Ask& ask,
                     const ConvertOptions& options) {
  const auto* addition = std::get_if<Addition>(&against);
  return {target, addition == nullptr ? std::nullopt : std::optional(addition->output), ask,
          options};
}

/// The check of a table, and its plan, which it refers to.
struct CheckedTable {
  std::unique_ptr<const Plan> plan;
  Check check;
};

/// Returns true for an input that may have rows, by its name.
bool may_have_rows(const Location& path) {
  if (path.is_standard()) return false;
  if (path.is_table()) return true;
  const std::optional<Format> named = format_of_name(path);
  return named ? (*named)->open != nullptr
               : !path.is_remote() && std::filesystem::is_directory(path.name());
}

/// Has the software that would add rows to an output say if it refuses them. Throws
/// Error as the conversion would.
void ask_output(const Destination& output, const Plan& plan, const OutputOptions& options) {
  if (options.upsert.wanted && plan.unsupported.empty()) {
    (void)with_keys(output.place, plan.target_hub, options, nullptr);
  }
  if (output.format->ask_commit == nullptr || !plan.unsupported.empty()) return;
  output.format->ask_commit(output.place, write_plan(plan), options);
}

/// Returns the files of a table; none if its rows are not read from files.
Locations files_of(const InputTable& table, const InputOptions& options) {
  Locations files;
  if (table.paths.empty() || std::ranges::any_of(table.paths, &Location::is_standard)) return files;
  for (InputFile& file : input_files(table.paths, options).files) {
    files.push_back(std::move(file.path));
  }
  return files;
}

/// Checks a table whose schema is known. Its paths are opened only to read rows.
CheckedTable check_table(const InputTable& table, const Question& question) {
  const SchemaInput& input = table.schema;
  const Ask& ask = question.ask;
  ConvertOptions options = question.options;
  const System target = question.target.value_or(input.system);
  // A schema without a path is that of rows in a host.
  const bool has_rows =
      ask.rows || table.paths.empty() || std::ranges::any_of(table.paths, may_have_rows);
  if (question.target && has_rows && !options.output.format) {
    // Rows of the system have one format only, whose own rules count.
    const std::vector<Format> formats = formats_of(target);
    if (formats.size() == 1) options.output.format = formats.front();
  }
  std::optional<Destination> output;
  if (question.addition) {
    output = locate_addition(*question.addition, files_of(table, options.input), &options);
  }
  CheckedTable out;
  auto plan = std::make_unique<Plan>(
      output ? plan_addition(input.schema, input.hub, input.file_notes, &*output, &options)
             : plan_check(input.schema, input.hub, input.file_notes, target, options));
  if (output) ask_output(*output, *plan, options.output);
  Check& check = out.check;
  check.plan = plan.get();
  check.name = table.name;
  check.interface = options.interface;
  set_tolerance(&options);
  prepare_check(input.schema, options, &check);
  if (ask.fail_on) check.fail_on = *ask.fail_on;
  if (question.target) check_files(input.file_notes, *plan, options, &check);
  if (ask.readers) {
    check.readers = crosswalk::misreadings(input.schema, *plan);
    if (!ask.only_readers.empty()) {
      check.readers = crosswalk::only_of(ask.only_readers, *std::move(check.readers));
    }
  }
  // Rows that cannot be added are not tried one by one.
  const bool tries = !output || plan->verdict() < hub::Verdict::Unsupported;
  if (ask.rows && tries && table.is_whole) {
    InputOptions opening = options.input;
    opening.skip_bad_rows = true;
    opening.plan.special_decimals = plan->special_decimals;
    check_rows(open_table(table, std::move(opening)), target, options, options.pipeline, &check,
               output ? &*output : nullptr);
  }
  out.plan = std::move(plan);
  return out;
}

/// Returns the report on a conversion, which refers to it.
Check check_of(const Converted& converted, std::string name, hub::Interface interface) {
  Check check;
  check.plan = &converted.plan;
  check.name = std::move(name);
  check.notes = converted.notes;
  check.interface = interface;
  if (converted.upserted != nullptr) {
    check.inserted = converted.upserted->inserted;
    check.updated = converted.upserted->updated;
  }
  return check;
}

/// Keeps results in places that do not change, for a report that refers to them.
template <typename Result>
struct Kept {
  std::shared_ptr<const PairedTables> tables;
  std::deque<Result> results;
};

/// Reports on the tables of two inputs; on a single pair alone.
AnyReport report_on_pairs(const PairedTables& tables, ReportSet set,
                          std::shared_ptr<const void> owner) {
  std::vector<Error> errors = tables.left.errors;
  errors.insert(errors.end(), tables.right.errors.begin(), tables.right.errors.end());
  AnyReport::Facts facts{.owner = std::move(owner), .errors = std::move(errors)};
  if (!tables.is_one()) return {std::move(set), std::move(facts)};
  return std::visit([&](auto& only) { return AnyReport(std::move(only), std::move(facts)); },
                    set.reports.front());
}

report::CompatCheck compat_check(const SchemaInput& older, const SchemaInput& newer,
                                 PairNames names, const CompatQuestion& question,
                                 std::deque<crosswalk::Compat>* results) {
  report::CompatCheck check;
  check.compat = &results->emplace_back(crosswalk::check_compat(
      older.schema, older.hub, newer.schema, newer.hub, question.mode, question.allowed));
  check.old_name = std::move(names.first);
  check.new_name = std::move(names.second);
  check.old_system = older.system;
  check.new_system = newer.system;
  check.old_schema = &older.hub;
  check.new_schema = &newer.hub;
  check.mode = question.mode;
  check.accepted = question.accepted;
  return check;
}

}  // namespace

AnyReport check(const Locations& names, std::optional<System> source, const Against& against,
                const Ask& ask, ConvertOptions options) {
  if (names.size() == 1 && is_schema_text(names.front())) {
    if (ask.rows) {
      throw Error(ErrorCode::Usage, "expected rows to read, found the text of a schema", {},
                  "Name files with rows, or check the schema alone.");
    }
    return check(parse_schema_input(source, names.front().name()), "schema", against, ask,
                 std::move(options));
  }
  const std::optional<System> target = set_output(against, &options);
  if (target) {
    set_reading(*target, &options);
  } else {
    // Readers of the files as they are meet each value in its stored form.
    options.input.plan.stored_values = keeps_stored(options);
  }
  const Question question = question_of(against, target, ask, options);
  InputTables found = ask.apart ? read_files_apart(names, source, options.input)
                                : read_tables(names, source, options.input);
  AnyReport::Facts facts;
  facts.errors = std::move(found.errors);
  const bool is_one = found.is_one();
  auto plans = std::make_shared<std::vector<std::unique_ptr<const Plan>>>();
  ReportSet set;
  set.kind = "tables";
  set.name = found.name;
  set.problems = std::move(found.problems);
  for (const InputTable& table : found.tables) {
    if (options.on_open) options.on_open(table.paths.front(), table.schema.file_notes);
    try {
      CheckedTable checked = check_table(table, question);
      plans->push_back(std::move(checked.plan));
      set.reports.emplace_back(std::move(checked.check));
    } catch (const Error& error) {
      if (is_one || !is_about_input(error)) throw;
      set.problems.push_back(problem_of(table.name, error));
      facts.errors.push_back(error);
      continue;
    }
    if (!is_one) set.recorded_rows.push_back(recorded_rows(table, options.input));
  }
  if (set.reports.empty()) throw Error(facts.errors.front());
  facts.owner = std::move(plans);
  if (is_one) {
    const InputTable& only = found.tables.front();
    if (ask.counts_files && only.schema.file_notes.several) {
      facts.files = find_files(only.paths, options.input).size();
    }
    return {std::get<Check>(std::move(set.reports.front())), std::move(facts)};
  }
  set.problems = spelled(std::move(set.problems), options.interface);
  return {std::move(set), std::move(facts)};
}

AnyReport check(const SchemaInput& schema, const std::string& name, const Against& against,
                const Ask& ask, ConvertOptions options) {
  const std::optional<System> target = set_output(against, &options);
  set_reading(target.value_or(schema.system), &options);
  check_taken_by(schema.system, options.input);
  CheckedTable checked = check_table({.paths = {}, .name = name, .below = {}, .schema = schema},
                                     question_of(against, target, ask, options));
  return {std::move(checked.check),
          {.owner = std::shared_ptr<const Plan>(std::move(checked.plan))}};
}

SchemaInput schema_of(crosswalk::AnySchema schema) {
  SchemaInput out;
  out.system = schema.system();
  out.hub = crosswalk::with_arrow_types(out.system, crosswalk::to_arrow(schema));
  out.schema = std::move(schema);
  return out;
}

SchemaInput schema_of(const Dataset& rows) {
  const System system = rows.format()->system;
  return {.system = system,
          .schema = crosswalk::from_arrow(system, rows.schema()).schema,
          .hub = rows.schema(),
          .meaningless = {},
          .file_notes = rows.notes()};
}

SchemaInput parse_schema(std::string_view text, std::optional<std::string_view> system) {
  return schema_of(crosswalk::parse_schema_of(system, text));
}

SchemaInput import_schema(const ArrowSchema& schema) {
  if (schema.release == nullptr) {
    throw Error(ErrorCode::Usage, "expected an Arrow schema, found a released one");
  }
  crosswalk::AnySchema value{arrow::kModule, hub::import_schema(schema)};
  crosswalk::check_schema(value);
  return schema_of(std::move(value));
}

SchemaInput read_schema_or_text(const std::vector<std::string>& names, std::optional<System> system,
                                const InputOptions& options) {
  const bool is_text = names.size() == 1 && is_schema_text(names.front());
  return is_text ? parse_schema_input(system, names.front()) : read_schema(names, system, options);
}

SchemaInput SchemaConversion::schema() const {
  crosswalk::require_all_columns(*plan);
  return schema_of(plan->target);
}

SchemaConversion convert_schema(const SchemaInput& source, const Against& target,
                                ConvertOptions options) {
  const System system = set_output(target, &options).value_or(source.system);
  const hub::Interface interface = options.interface;
  auto plan = std::make_shared<const Plan>(
      plan_schema(source.schema, source.hub, source.file_notes, system, std::move(options)));
  return {plan, report_on(plan, std::string(source.system->name), interface)};
}

AnyReport report_on(std::shared_ptr<const Plan> plan, std::string name, hub::Interface interface,
                    hub::Findings notes, std::optional<AnyReport::Counts> counts) {
  Check check;
  check.plan = plan.get();
  check.name = std::move(name);
  check.notes = std::move(notes);
  check.interface = interface;
  AnyReport::Facts facts{.owner = std::move(plan)};
  if (counts) facts.counts = {counts};
  return {std::move(check), std::move(facts)};
}

AnyReport report_on(Converted converted, std::string name, hub::Interface interface) {
  const AnyReport::Counts counts{converted.done.rows, converted.done.bad_rows};
  auto owner = std::make_shared<const Converted>(std::move(converted));
  Check check = check_of(*owner, std::move(name), interface);
  return {std::move(check), {.owner = std::move(owner), .counts = {counts}}};
}

AnyReport report_on(std::vector<Converted> outputs, const std::string& output,
                    hub::Interface interface) {
  if (outputs.size() == 1) {
    const std::string name = outputs.front().output;
    return report_on(std::move(outputs.front()), name, interface);
  }
  auto owner = std::make_shared<const std::vector<Converted>>(std::move(outputs));
  ReportSet set;
  set.kind = "tables";
  set.name = output;
  AnyReport::Facts facts{.owner = owner};
  for (const Converted& one : *owner) {
    Check check = check_of(one, one.output, interface);
    facts.counts.emplace_back(AnyReport::Counts{one.done.rows, one.done.bad_rows});
    set.recorded_rows.emplace_back(one.done.rows);
    set.reports.emplace_back(std::move(check));
  }
  return {std::move(set), std::move(facts)};
}

yt::MergedSchema merge(const SchemaInput& first, const SchemaInput& second) {
  crosswalk::check_mergeable({first.system, first.hub}, {second.system, second.hub});
  const auto table_of = [](const SchemaInput& input) {
    if (const auto* table = input.schema.get_if<yt::TableSchema>()) return *table;
    return crosswalk::from_arrow(yt::kModule, input.hub).schema.as<yt::TableSchema>();
  };
  return yt::merge_table_schemas(table_of(first), table_of(second));
}

AnyReport diff(const SchemaInput& left, const SchemaInput& right, PairNames names,
               const crosswalk::DiffOptions& options) {
  auto found = std::make_shared<const crosswalk::Diff>(
      crosswalk::diff(left.system, left.hub, right.system, right.hub, options));
  return {report::DiffCheck{found.get(), std::move(names.first), std::move(names.second)},
          {.owner = found}};
}

AnyReport compat(const SchemaInput& older, const SchemaInput& newer, PairNames names,
                 const CompatQuestion& question) {
  struct Owner {
    SchemaInput older;
    SchemaInput newer;
    std::deque<crosswalk::Compat> results;
  };
  auto owner = std::make_shared<Owner>(Owner{older, newer, {}});
  report::CompatCheck check =
      compat_check(owner->older, owner->newer, std::move(names), question, &owner->results);
  return {std::move(check), {.owner = std::move(owner)}};
}

AnyReport diff(std::shared_ptr<const PairedTables> tables, const crosswalk::DiffOptions& options,
               hub::Interface interface) {
  auto kept = std::make_shared<Kept<crosswalk::Diff>>();
  kept->tables = std::move(tables);
  ReportSet set = kept->tables->set(interface);
  for (const auto& [left, right] : kept->tables->pairs) {
    kept->results.push_back(crosswalk::diff(left->schema.system, left->schema.hub,
                                            right->schema.system, right->schema.hub, options));
    set.reports.emplace_back(report::DiffCheck{&kept->results.back(), left->name, right->name});
  }
  return report_on_pairs(*kept->tables, std::move(set), kept);
}

AnyReport compat(std::shared_ptr<const PairedTables> tables, const CompatQuestion& question,
                 hub::Interface interface) {
  auto kept = std::make_shared<Kept<crosswalk::Compat>>();
  kept->tables = std::move(tables);
  ReportSet set = kept->tables->set(interface);
  for (const auto& [older, newer] : kept->tables->pairs) {
    set.reports.emplace_back(compat_check(older->schema, newer->schema, {older->name, newer->name},
                                          question, &kept->results));
  }
  return report_on_pairs(*kept->tables, std::move(set), kept);
}

AnyReport diff_rows(std::shared_ptr<const PairedTables> tables, const InputOptions& left,
                    const InputOptions& right, const RowDiffOptions& options,
                    hub::Interface interface) {
  ReportSet set = tables->set(interface);
  for (const auto& [first, second] : tables->pairs) {
    crosswalk::RowDiff found = diff_rows(open_table(*first, opening_of_side(left)),
                                         open_table(*second, opening_of_side(right)), options);
    found.left_name = first->name;
    found.right_name = second->name;
    set.reports.emplace_back(std::move(found));
  }
  return report_on_pairs(*tables, std::move(set), tables);
}

AnyReport diff_rows(Input left, Input right, PairNames names, const RowDiffOptions& options) {
  crosswalk::RowDiff found = diff_rows(std::move(left), std::move(right), options);
  found.left_name = std::move(names.first);
  found.right_name = std::move(names.second);
  return {std::move(found), {}};
}

InputOptions opening_of_side(InputOptions options) {
  options.max_memory = std::max<uint64_t>(1, options.max_memory / 2);
  if (options.threads > 1) options.threads /= 2;
  options.plan.special_decimals = true;
  return options;
}

std::vector<Converted> convert_verified(Dataset& rows, const Location& output,
                                        ConvertOptions options, const OpenRows& again) {
  options.verify = false;
  check_comparable(output, options);
  ConvertOptions reading = options;
  reading.on_open = nullptr;
  reading.pipeline.on_bad_row = nullptr;
  std::vector<Converted> done = convert(rows, output, std::move(options));
  report_proof(verify(again, output, reading, {}), reading);
  return done;
}

}  // namespace xwalk::io
