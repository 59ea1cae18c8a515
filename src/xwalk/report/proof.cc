#include "xwalk/report/proof.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/hub/module.h"
#include "xwalk/report/json.h"

namespace xwalk::report {
namespace {

using Json = nlohmann::ordered_json;

/// The rule of columns that are not those of the plan.
constexpr std::string_view kSchemaRule = "schema.differs";

std::string hex(uint64_t sum) { return fmt::format("{:016x}", sum); }

std::string shown(const std::string& name) { return visible(shown_name(name)); }

/// Returns the names of the inputs in a few words.
std::string inputs_of(const ProvenTable& table) {
  const std::string first = shown(table.inputs.front().name);
  if (table.inputs.size() == 1) return first;
  return fmt::format("{} and {} more", first, table.inputs.size() - 1);
}

std::string rejected_text(const ProvenTable& table) {
  return fmt::format("{} rejected, the first: {}", counted(table.rejected, "row"),
                     visible(table.first_rejected));
}

/// Returns what was counted and the verdict: `3 rows, 2 columns: verified`.
std::string finding_of(const ProvenTable& table) {
  if (!table.failure.empty()) return "not verified: " + visible(shown_text(table.failure));
  std::string out = fmt::format("{}, {}", counted(table.diff.right_rows, "row"),
                                counted(table.diff.all_columns, "column"));
  if (table.rejected > 0) out += fmt::format(", {} rejected", grouped(table.rejected));
  return out + (table.passes() ? ": verified" : ": differs") +
         (table.by_checksums ? " by checksums" : "");
}

std::string column_text(const ProofColumn& column) {
  std::string out =
      fmt::format("{} ({}, {}): {}, {}, checksum {}", visible(column.name), visible(column.type),
                  hub::to_string(column.verdict), counted(column.output.values, "value"),
                  counted(column.output.nulls, "null"), hex(column.output.sum));
  if (column.source == column.output) return out;
  return out + fmt::format("; source: {}, {}, checksum {}", counted(column.source.values, "value"),
                           counted(column.source.nulls, "null"), hex(column.source.sum));
}

/// Returns a line for each difference of the checksums and the numbers of rows.
std::vector<std::string> sums_texts(const ProvenTable& table) {
  std::vector<std::string> out;
  if (table.same_sums()) return out;
  if (table.diff.left_rows != table.diff.right_rows) {
    out.push_back(fmt::format("{} in the source, {} in the output",
                              counted(table.diff.left_rows, "row"),
                              counted(table.diff.right_rows, "row")));
  }
  for (const ProofColumn& column : table.columns) {
    if (column.source != column.output) out.push_back(column_text(column));
  }
  if (out.empty()) out.emplace_back("each column has the same values, but in other rows");
  return out;
}

/// Returns a line for each column that is not as in the plan.
std::vector<std::string> schema_texts(const ProvenTable& table) {
  const auto shown_type = [](const std::string& type) {
    return type.empty() ? std::string("no such column") : visible(type);
  };
  std::vector<std::string> out;
  for (const crosswalk::ColumnDifference& column : table.diff.columns) {
    out.push_back(fmt::format("{}: expected {}, found {} ({})", visible(column.path),
                              shown_type(column.left), shown_type(column.right), kSchemaRule));
  }
  return out;
}

Json json_of(const ProofFile& file) {
  Json json = {{"name", shown_name(file.name)}};
  if (file.bytes) json["bytes"] = *file.bytes;
  return json;
}

Json json_of(const hub::ColumnSum& sum) {
  return {{"values", sum.values}, {"nulls", sum.nulls}, {"checksum", hex(sum.sum)}};
}

Json json_of(const ProvenTable& table) {
  Json json;
  json["inputs"] = Json::array();
  for (const ProofFile& input : table.inputs) json["inputs"].push_back(json_of(input));
  json["output"] = json_of(table.output);
  json["verified"] = table.passes();
  if (!table.failure.empty()) {
    json["failure"] = shown_text(table.failure);
    return json;
  }
  json["in_order"] = table.in_order;
  if (table.by_checksums) json["compared"] = "checksums";
  json["verdict"] = hub::to_string(table.verdict);
  json["rows_read"] = table.diff.left_rows + table.rejected;
  json["rows_rejected"] = table.rejected;
  if (table.rejected > 0) json["first_rejected"] = table.first_rejected;
  json["rows_written"] = table.diff.right_rows;
  json["row_checksum"] = {{"source", hex(table.source_rows_sum)},
                          {"output", hex(table.output_rows_sum)}};
  json["columns"] = Json::array();
  for (const ProofColumn& column : table.columns) {
    json["columns"].push_back({{"name", column.name},
                               {"type", column.type},
                               {"verdict", hub::to_string(column.verdict)},
                               {"source", json_of(column.source)},
                               {"output", json_of(column.output)},
                               {"differing_rows", column.differing}});
  }
  json["schema_differences"] = Json::array();
  for (const crosswalk::ColumnDifference& column : table.diff.columns) {
    json["schema_differences"].push_back(
        {{"path", column.path}, {"expected", column.left}, {"found", column.right}});
  }
  json["decisions"] = Json::parse(print_json(table.decisions));
  // Different checksums do not tell how many rows differ.
  if (table.same_sums()) json["diff"] = Json::parse(print_json(table.diff));
  return json;
}

/// Returns the facts about the whole proof.
std::vector<std::string> facts_of(const Proof& proof) {
  std::vector<std::string> out;
  if (!proof.owner.empty()) out.push_back("owner: " + visible(proof.owner));
  if (!proof.command.empty()) out.push_back("command: " + visible(proof.command));
  out.push_back(fmt::format("xwalk {}, {}, {:.2f} s", proof.version, proof.time, proof.seconds));
  return out;
}

Report report_of_table(const ProvenTable& table) {
  Report report = report::report_of(table.diff);
  report.kind = "verify";
  report.decisions = table.decisions;
  if (!table.same_sums()) {
    const auto changed = std::ranges::find(report.grades, "changed", &Grade::word);
    report.grade = static_cast<size_t>(changed - report.grades.begin());
    report.severity = changed->severity;
    report.fails = true;
    report.headline = "The checksums differ.";
  }
  if (!table.passes()) report.notes.push_back(finding_of(table));
  std::ranges::move(schema_texts(table), std::back_inserter(report.notes));
  std::ranges::move(sums_texts(table), std::back_inserter(report.notes));
  if (table.rejected > 0) report.notes.push_back(rejected_text(table));
  const auto size = [](const ProofFile& file) {
    return shown(file.name) + (file.bytes ? ": " + counted(*file.bytes, "byte") : "");
  };
  for (const ProofFile& input : table.inputs) report.notes.push_back("input " + size(input));
  report.notes.push_back("output " + size(table.output));
  report.notes.push_back(fmt::format("checksum of rows: {} in the source, {} in the output ({})",
                                     hex(table.source_rows_sum), hex(table.output_rows_sum),
                                     hub::kChecksumName));
  for (const ProofColumn& column : table.columns) report.notes.push_back(column_text(column));
  return report;
}

/// Returns the reports on several tables, or on one that was not compared, as one.
Report report_of_tables(const Proof& proof) {
  ReportSet set;
  set.kind = "tables";
  set.name = proof.tables.front().output.name;
  std::vector<std::vector<std::string>> notes;
  std::vector<std::vector<Decision>> decisions;
  std::vector<const ProvenTable*> compared;
  for (const ProvenTable& table : proof.tables) {
    if (table.failure.empty()) {
      set.reports.emplace_back(table.diff);
      notes.push_back(report_of_table(table).notes);
      decisions.push_back(table.decisions);
      compared.push_back(&table);
    } else {
      set.problems.push_back(
          {.kind = "error",
           .subject = table.inputs.empty() ? table.output.name : table.inputs.front().name,
           .text = table.failure,
           .becomes = table.inputs.empty() ? "" : table.output.name});
    }
  }
  Report report = report::report_of(set);
  if (const size_t more = proof.tables.size() - 1; more > 0) {
    report.left_name += fmt::format(" and {} more", grouped(more));
    report.right_name = report.left_name;
  }
  for (size_t i = 0; i < report.files.size(); ++i) {
    report.files[i].kind = "verify";
    report.files[i].notes = std::move(notes[i]);
    report.files[i].decisions = std::move(decisions[i]);
    TableSummary& line = report.tables[i];
    line.rejected = compared[i]->rejected;
    if (compared[i]->rejected == 0) continue;
    line.decision += (line.decision.empty() ? "" : "; ") + rejected_text(*compared[i]);
  }
  // Each has an output of its own.
  for (TableSummary& line : report.tables) line.output = line.target;
  return report;
}

}  // namespace

bool ProvenTable::same_sums() const {
  const auto same = [](const ProofColumn& column) { return column.source == column.output; };
  return !by_checksums ||
         (diff.left_rows == diff.right_rows && source_rows_sum == output_rows_sum &&
          std::ranges::all_of(columns, same));
}

bool Proof::passes() const { return std::ranges::all_of(tables, &ProvenTable::passes); }

std::string summary(const Proof& proof) {
  if (proof.tables.size() == 1) return finding_of(proof.tables.front());
  const auto passed = std::ranges::count_if(proof.tables, &ProvenTable::passes);
  return fmt::format("{}: {} verified, {} failed", counted(proof.tables.size(), "table"), passed,
                     std::ssize(proof.tables) - passed);
}

Report report_of(const Proof& proof) {
  const ProvenTable& first = proof.tables.front();
  Report report = proof.tables.size() == 1 && first.failure.empty() ? report_of_table(first)
                                                                    : report_of_tables(proof);
  report.title = visible(proof.title);
  report.owner = visible(proof.owner);
  report.summary = summary(proof);
  if (proof.passes() && !report.is_set()) report.headline = report.summary + ".";
  const std::vector<std::string> facts = facts_of(proof);
  report.notes.insert(report.notes.begin(), facts.begin(), facts.end());
  return report;
}

std::string print_json(const Proof& proof) {
  Json json;
  json["report"] = "proof";
  json["verified"] = proof.passes();
  json["version"] = proof.version;
  if (!proof.title.empty()) json["title"] = proof.title;
  if (!proof.owner.empty()) json["owner"] = proof.owner;
  if (!proof.command.empty()) json["command"] = proof.command;
  json["time"] = proof.time;
  json["seconds"] = proof.seconds;
  json["checksum"] = hub::kChecksumName;
  json["tables"] = Json::array();
  for (const ProvenTable& table : proof.tables) json["tables"].push_back(json_of(table));
  return visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string print_text(const Proof& proof, const ReportStyle& style) {
  std::string out;
  for (const ProvenTable& table : proof.tables) {
    out +=
        fmt::format("{} → {}: {}\n", inputs_of(table), shown(table.output.name), finding_of(table));
    if (table.rejected > 0) out += "  " + rejected_text(table) + "\n";
    if (style.all) {
      for (const ProofColumn& column : table.columns) out += "  " + column_text(column) + "\n";
    }
    if (table.passes() || !table.failure.empty()) continue;
    for (const std::string& one : schema_texts(table)) out += "  " + one + "\n";
    for (const std::string& one : sums_texts(table)) out += "  " + one + "\n";
    if (table.diff.differing_rows() > 0) out += print_text(table.diff, style);
  }
  if (proof.tables.size() > 1) out += summary(proof) + "\n";
  return out;
}

}  // namespace xwalk::report
