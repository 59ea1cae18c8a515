#include "xwalk/convert/check_inputs.h"

#include <optional>
#include <utility>

#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {

CheckedTable check_table(const InputTable& table, const InputsQuestion& question,
                         ConvertOptions options) {
  const SchemaInput& input = table.schema;
  // Without a target, readers are checked against the file as it is.
  const crosswalk::System target = question.target.value_or(input.system);
  std::optional<Destination> output;
  if (question.append) output = locate_addition(*question.append, &options);
  CheckedTable out;
  out.plan = std::make_unique<crosswalk::Plan>(
      output ? plan_addition(input.schema, input.hub, input.file_notes, *output, &options)
             : plan_check(input.schema, input.hub, input.file_notes, target, options));
  crosswalk::Check& check = out.check;
  check.plan = out.plan.get();
  check.name = table.name;
  check.interface = question.interface;
  set_tolerance(&options);
  prepare_check(input.schema, options, &check);
  if (question.fail_on) check.fail_on = *question.fail_on;
  if (question.target) check_files(input.file_notes, *out.plan, options, &check);
  if (question.readers) {
    check.readers = crosswalk::misreadings(input.schema, *out.plan);
    if (!question.only_readers.empty()) {
      check.readers = crosswalk::only_of(question.only_readers, *std::move(check.readers));
    }
  }
  // Rows that cannot be added are not tried one by one.
  const bool tries = !question.append || out.plan->verdict() < hub::Verdict::Unsupported;
  if (question.rows && tries && table.is_whole) {
    InputOptions opening = options.input;
    opening.skip_bad_rows = true;
    opening.plan.special_decimals = out.plan->special_decimals;
    check_rows(open_table(table, std::move(opening)), target, options, options.pipeline, &check,
               output ? &*output : nullptr);
  }
  return out;
}

crosswalk::ReportSet CheckedInputs::set() const {
  crosswalk::ReportSet out;
  out.kind = "tables";
  out.name = name;
  for (const CheckedTable& table : tables) out.reports.emplace_back(table.check);
  out.recorded_rows = recorded_rows;
  out.problems = spelled(problems, interface);
  return out;
}

CheckedInputs check_inputs(const InputsQuestion& question, const ConvertOptions& given) {
  ConvertOptions options = given;
  // Readers of the files as they are meet each value in its stored form.
  if (!question.target) options.input.plan.stored_values = keeps_stored(options);
  InputTables found = read_tables(question.names, question.source, options.input);
  CheckedInputs out;
  out.name = found.name;
  out.interface = question.interface;
  out.problems = std::move(found.problems);
  out.errors = std::move(found.errors);
  const bool is_one = found.tables.size() == 1 && out.problems.empty();
  for (const InputTable& table : found.tables) {
    if (question.on_table) question.on_table(table);
    try {
      out.tables.push_back(check_table(table, question, options));
    } catch (const Error& error) {
      if (is_one || !is_about_input(error)) throw;
      out.problems.push_back(problem_of(table.name, error));
      out.errors.push_back(error);
      continue;
    }
    if (!is_one) out.recorded_rows.push_back(recorded_rows(table, options.input));
  }
  if (is_one && question.counts_files && found.tables.front().schema.file_notes.several) {
    out.files = find_files(found.tables.front().paths, options.input).size();
  }
  if (out.tables.empty()) throw Error(out.errors.front());
  return out;
}

}  // namespace xwalk::io
