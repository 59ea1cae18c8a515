#include "xwalk/duckdb/answers.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/word_list.h"
#include "xwalk/convert/facade.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/crosswalk/type_table.h"
#include "xwalk/duckdb/access.h"
#include "xwalk/duckdb/answer.h"
#include "xwalk/duckdb/options.h"
#include "xwalk/duckdb/table_function.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::duckdb {
namespace {

using Cell = Answer::Cell;

Cell unless_empty(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

template <typename Number>
Cell cell_of(const std::optional<Number>& number) {
  if (!number) return std::nullopt;
  return std::to_string(*number);
}

/// Throws Error if the configuration does not allow a call to read its input.
void check_access(duckdb_bind_info info, const io::Locations& names,
                  const io::ConvertOptions& options) {
  const Context context = context_of(info);
  const Access access(context.get());
  access.check_options(options);
  access.check_input(names, options.input);
}

std::string parameter(duckdb_bind_info info, idx_t index) {
  return read_text(Value(duckdb_bind_get_parameter(info, index)).get());
}

std::vector<Cell> line_of(const std::string& input, const crosswalk::PathReport& report,
                          const crosswalk::Reason* reason) {
  std::vector<Cell> line = {report.path.text(),
                            unless_empty(report.source),
                            unless_empty(report.target),
                            std::string(hub::to_string(report.verdict())),
                            std::string(hub::to_string(report.values)),
                            std::string(hub::to_string(report.type))};
  if (reason == nullptr) {
    line.resize(line.size() + 5);
    line.emplace_back(input);
    return line;
  }
  line.emplace_back(std::string(reason->rule));
  line.push_back(unless_empty(reason->lost));
  line.push_back(unless_empty(reason->label));
  line.push_back(unless_empty(reason->witness));
  line.push_back(unless_empty(hub::spelled(reason->hint, hub::Interface::Sql)));
  line.emplace_back(input);
  return line;
}

/// One row for each reason of a path, the table's path "" first; one for a path without. Of several
/// tables, one after the other; a row for each file that cannot be read, or is not of its table.
Answer check_answer(duckdb_bind_info info) {
  io::ConvertOptions options = read_options(info);
  const std::string target = parameter(info, 1);
  const std::vector<std::string> names =
      read_texts(Value(duckdb_bind_get_parameter(info, 0)).get());
  check_access(info, names, options);
  const io::AnyReport found = io::check(names, std::nullopt, target, {}, std::move(options));
  Answer answer;
  answer.columns = {{"path"}, {"source"}, {"target"}, {"verdict"}, {"values"}, {"type"},
                    {"rule"}, {"lost"},   {"label"},  {"witness"}, {"hint"},   {"input"}};
  std::vector<Answer::Line> lines;
  for (const report::Check* table : found.checks()) {
    for (const crosswalk::PathReport& report : table->plan->paths) {
      const std::string& its = table->name;
      if (report.reasons.empty()) lines.push_back(line_of(its, report, nullptr));
      for (const crosswalk::Reason& reason : report.reasons) {
        lines.push_back(line_of(its, report, &reason));
      }
    }
  }
  for (const report::Problem& problem : found.problems()) {
    Answer::Line line(answer.columns.size());
    line[0] = "";
    line[3] = std::string(problem.kind);
    line[7] = problem.whole();
    line.back() = problem.subject;
    lines.push_back(std::move(line));
  }
  answer.set_lines(std::move(lines));
  return answer;
}

/// The parameter of `xwalk_verify` for the columns that pair rows, separated by commas.
constexpr const char* kKey = "key";

std::string difference_text(const crosswalk::RowDiff& diff) {
  if (!diff.columns.empty()) return "not compared: " + diff.columns.front().path;
  if (diff.first.empty()) return "";
  const crosswalk::RowDifference& first = diff.first.front();
  const std::string place = first.path.empty() ? "" : " " + first.path;
  return fmt::format("row {}{}: {} in the input, {} in the output", crosswalk::place_of(first),
                     place, first.left.empty() ? "nothing" : first.left,
                     first.right.empty() ? "nothing" : first.right);
}

Answer::Line line_of(const report::ProvenTable& table) {
  const crosswalk::RowDiff& diff = table.diff;
  std::vector<std::string> columns;
  for (const crosswalk::ColumnDifference& column : diff.columns) columns.push_back(column.path);
  for (const crosswalk::ColumnCount& column : diff.counts) columns.push_back(column.name);
  if (!table.failure.empty()) {
    Answer::Line line(12);
    line[0] = shown_name(table.inputs.front().name);
    line[1] = shown_name(table.output.name);
    line[2] = "false";
    line[9] = shown_text(table.failure);
    return line;
  }
  return {shown_name(table.inputs.front().name),
          shown_name(table.output.name),
          std::string(table.passes() ? "true" : "false"),
          std::string(hub::to_string(table.verdict)),
          std::to_string(diff.left_rows + table.rejected),
          std::to_string(table.rejected),
          std::to_string(diff.right_rows),
          std::to_string(diff.differing_rows()),
          unless_empty(join(columns, ", ")),
          unless_empty(difference_text(diff)),
          fmt::format("{:016x}", table.source_rows_sum),
          fmt::format("{:016x}", table.output_rows_sum)};
}

/// One row for each output.
Answer verify_answer(duckdb_bind_info info) {
  const io::ConvertOptions options = read_options(info);
  const std::vector<std::string> inputs =
      read_texts(Value(duckdb_bind_get_parameter(info, 0)).get());
  const std::string output = parameter(info, 1);
  check_access(info, inputs, options);
  check_access(info, {output}, options);
  io::VerifyOptions how;
  if (const Value given(duckdb_bind_get_named_parameter(info, kKey)); given) {
    how.key = split_list(read_text(given.get()));
  }
  Answer answer;
  answer.columns = {{"input"},
                    {"output"},
                    {"verified", DUCKDB_TYPE_BOOLEAN},
                    {"verdict"},
                    {"rows_read", DUCKDB_TYPE_BIGINT},
                    {"rows_rejected", DUCKDB_TYPE_BIGINT},
                    {"rows_written", DUCKDB_TYPE_BIGINT},
                    {"differing_rows", DUCKDB_TYPE_BIGINT},
                    {"differing_columns"},
                    {"first_difference"},
                    {"input_checksum"},
                    {"output_checksum"}};
  std::vector<Answer::Line> lines;
  for (const report::ProvenTable& table : io::verify(inputs, output, options, how).tables) {
    lines.push_back(line_of(table));
  }
  answer.set_lines(std::move(lines));
  return answer;
}

/// The parameter of `xwalk_schema` for the form of the schema, which is the default one without it.
constexpr const char* kForm = "form";

Answer schema_answer(duckdb_bind_info info) {
  const io::ConvertOptions options = read_options(info);
  const std::string name = parameter(info, 0);
  check_access(info, {name}, options);
  const io::SchemaInput input = io::read_schema(name, std::nullopt, options.input);
  std::string form;
  if (const Value given(duckdb_bind_get_named_parameter(info, kForm)); given) {
    form = read_text(given.get());
  }
  const bool binary = !form.empty() && crosswalk::is_binary_form(input.system, form);
  Answer answer;
  answer.columns = {{"system"}, {"schema", binary ? DUCKDB_TYPE_BLOB : DUCKDB_TYPE_VARCHAR}};
  answer.set_lines(
      {{std::string(input.system->name), crosswalk::print_schema(input.schema, form)}});
  return answer;
}

Answer types_answer() {
  Answer answer;
  answer.columns = {{"from_system"}, {"to_system"}, {"source"}, {"target"}, {"verdict"}, {"rules"}};
  std::vector<Answer::Line> lines;
  for (crosswalk::TypeCell& cell : crosswalk::type_table(std::nullopt, std::nullopt)) {
    lines.push_back({std::string(cell.from->name), std::string(cell.to->name),
                     std::move(cell.source), std::move(cell.target),
                     std::string(hub::to_string(cell.verdict)),
                     unless_empty(join(cell.rules, ", "))});
  }
  answer.set_lines(std::move(lines));
  return answer;
}

Answer rejects_answer(const Rejects& rejects, uint64_t connection) {
  Answer answer;
  answer.columns = {{"scan", DUCKDB_TYPE_BIGINT},
                    {"file"},
                    {"row", DUCKDB_TYPE_BIGINT},
                    {"line", DUCKDB_TYPE_BIGINT},
                    {"column", DUCKDB_TYPE_BIGINT},
                    {"byte", DUCKDB_TYPE_BIGINT},
                    {"path"},
                    {"reason"},
                    {"source", DUCKDB_TYPE_BLOB}};
  std::vector<std::shared_ptr<const Reject>> found = rejects.of(connection);
  answer.rows = found.size();
  answer.line = [found = std::move(found)](size_t row) -> Answer::Line {
    const Reject& reject = *found[row];
    const Error& error = reject.row.error;
    const Place& place = error.place();
    return {std::to_string(reject.scan),
            shown_name(place.file.empty() ? reject.input : place.file),
            cell_of(place.row),
            cell_of(place.line),
            cell_of(place.column),
            cell_of(place.byte),
            unless_empty(place.path.text()),
            error.message(),
            unless_empty(reject.row.source_bytes)};
  };
  return answer;
}

Answer notes_answer(const Notes& notes, uint64_t connection) {
  Answer answer;
  answer.columns = {{"input"}, {"path"}, {"rule"}, {"lost"}, {"witness"}, {"hint"}, {"verdict"}};
  std::vector<Answer::Line> lines;
  for (const Note& note : notes.of(connection)) {
    const hub::Finding& finding = note.finding;
    const Cell verdict =
        note.verdict ? Cell(std::string(hub::to_string(*note.verdict))) : std::nullopt;
    lines.push_back({note.file, finding.path.text(), std::string(finding.rule),
                     unless_empty(finding.lost), unless_empty(finding.witness),
                     unless_empty(hub::spelled(finding.hint, hub::Interface::Sql)), verdict});
  }
  answer.set_lines(std::move(lines));
  return answer;
}

}  // namespace

void register_answers(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                      const std::shared_ptr<Notes>& notes) {
  register_answer(connection, "xwalk_check", {DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR}, true,
                  check_answer);
  register_answer(connection, "xwalk_verify", {DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR}, true,
                  verify_answer, {kKey});
  register_answer(connection, "xwalk_schema", {DUCKDB_TYPE_VARCHAR}, true, schema_answer, {kForm});
  register_answer(connection, "xwalk_types", {}, false,
                  [](duckdb_bind_info) { return types_answer(); });
  register_answer(connection, "xwalk_rejects", {}, false, [rejects](duckdb_bind_info info) {
    return rejects_answer(*rejects, connection_of(info));
  });
  register_answer(connection, "xwalk_notes", {}, false, [notes](duckdb_bind_info info) {
    return notes_answer(*notes, connection_of(info));
  });
}

}  // namespace xwalk::duckdb
