#include "xwalk/report/json.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/hub/module.h"

namespace xwalk::report {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Json& json) {
  return visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string dumped(const Json& json) { return printed(json) + "\n"; }

void add_acceptance(const Acceptance* agreed, Json& json) {
  if (agreed == nullptr) return;
  json["accepted"] = {{"reason", agreed->reason}, {"expires", agreed->expires}};
}

Json json_of(const Reason& reason, hub::Interface interface) {
  Json json;
  json["rule"] = reason.rule;
  json["values"] = hub::to_string(reason.values);
  if (!reason.label.empty()) json["labels"] = Json::array({reason.label});
  if (!reason.lost.empty()) json["lost"] = reason.lost;
  if (!reason.witness.empty()) json["witness"] = reason.witness;
  if (!reason.hint.empty()) json["hint"] = hub::spelled(reason.hint, interface);
  return json;
}

/// Adds what is kept of a path, and why not all is.
void add_findings(const PathReport& report, const Check& check, Json& json) {
  json["verdict"] = hub::to_string(report.verdict());
  json["values"] = hub::to_string(report.values);
  json["type"] = hub::to_string(report.type);
  json["labels"] = report.labels;
  json["reasons"] = Json::array();
  for (const Reason& reason : report.reasons) {
    Json& entry = json["reasons"].emplace_back(json_of(reason, check.interface));
    add_acceptance(accepted(check.accepted, report.path.text(), reason.rule), entry);
  }
}

Json json_of(const PathReport& report, const Check& check) {
  Json json;
  json["path"] = report.path.text();
  if (!report.path.empty()) {
    json["source"] = report.source;
    json["target"] = report.target;
  }
  add_findings(report, check, json);
  return json;
}

/// Prints the paths of a report as items of its array, without a tree of all: of a wide table, many
/// differ in their path and their types alone.
class PathTexts {
 public:
  /// Nothing may have been accepted, for that is accepted of one path.
  explicit PathTexts(const Check& check) : check_(check) {}

  void append(const PathReport& report, std::string& out) {
    out += "    {\n      \"path\": ";
    append_string(report.path.text(), out);
    if (!report.path.empty()) {
      out += ",\n      \"source\": ";
      append_string(report.source, out);
      out += ",\n      \"target\": ";
      append_string(report.target, out);
    }
    out += ",\n";
    const auto [rest, fresh] = rest_.try_emplace(&report);
    if (fresh) rest->second = rest_of(report);
    out += rest->second;
  }

 private:
  struct Hash {
    size_t operator()(const PathReport* report) const {
      const std::hash<std::string_view> hash;
      size_t out = report->labels.size();
      for (const Reason& reason : report->reasons) out = 31 * out + hash(reason.lost);
      return out;
    }
  };
  struct Equal {
    bool operator()(const PathReport* a, const PathReport* b) const {
      const auto same = [](const Reason& left, const Reason& right) {
        return left.rule == right.rule && left.values == right.values &&
               left.label == right.label && left.lost == right.lost &&
               left.witness == right.witness && left.hint == right.hint;
      };
      return a->values == b->values && a->type == b->type && a->labels == b->labels &&
             std::ranges::equal(a->reasons, b->reasons, same);
    }
  };

  static void append_string(const std::string& text, std::string& out) {
    const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, is_plain)) {
      out.append(1, '"').append(text).append(1, '"');
    } else {
      out += printed(text);
    }
  }

  /// Returns all but the path and the types, with the brace that ends the item.
  std::string rest_of(const PathReport& report) const {
    Json json;
    add_findings(report, check_, json);
    constexpr std::string_view kBefore = "{\n  \"paths\": [\n    {\n";
    constexpr std::string_view kSuffix = "\n  ]\n}";
    const std::string text = printed({{"paths", Json::array({json})}});
    return text.substr(kBefore.size(), text.size() - kBefore.size() - kSuffix.size());
  }

  const Check& check_;
  std::unordered_map<const PathReport*, std::string, Hash, Equal> rest_;
};

Json json_of(const Rows& rows) {
  Json json;
  json["read"] = rows.read;
  json["refused"] = rows.rejected;
  json["paths"] = Json::array();
  for (const PathRows& path : rows.paths) {
    Json& entry = json["paths"].emplace_back();
    entry["path"] = path.path.text();
    entry["refused"] = path.rejected;
    if (path.rejected > 0) {
      entry["first"] = path.first;
      if (path.first_row) entry["first_row"] = *path.first_row;
    }
    if (!path.smallest.empty()) {
      entry["smallest"] = path.smallest;
      entry["largest"] = path.largest;
    }
  }
  return json;
}

Json side_json(const crosswalk::DiffSide& side) {
  return {{"path", side.path.text()}, {"type", side.type}};
}

/// Returns what must be decided or was; not what is only known.
Json json_of(const std::vector<Decision>& decisions) {
  Json out = Json::array();
  for (const Decision& one : decisions) {
    if (one.state == DecisionState::Known) continue;
    Json& entry = out.emplace_back();
    entry = {{"path", one.path},
             {"rule", one.rule},
             {"verdict", one.verdict},
             {"state", to_string(one.state)}};
    if (one.rejected) {
      entry["rejected"] = *one.rejected;
      entry["rows"] = one.rows;
    }
    if (!one.decided.empty()) entry["decided"] = one.decided;
  }
  return out;
}

enum class Paths : uint8_t { Listed, LeftOut };

Json json_of(const Check& check, Paths paths = Paths::Listed) {
  const Plan& plan = *check.plan;
  Json json;
  json["report"] = "check";
  json["input"] = shown_name(check.name);
  json["source"] = plan.source_system->name;
  json["target"] = check.target();
  json["verdict"] = hub::to_string(plan.verdict());
  json["fails"] = check.fails();
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  json["columns"] = verdicts.size();
  json["summary"] = Json::object();
  for (size_t i = 0; i <= static_cast<size_t>(hub::Verdict::Unsupported); ++i) {
    const auto verdict = static_cast<hub::Verdict>(i);
    json["summary"][std::string(hub::to_string(verdict))] = std::ranges::count(verdicts, verdict);
  }
  json["paths"] = Json::array();
  if (paths == Paths::Listed) {
    for (const PathReport& report : plan.paths) json["paths"].push_back(json_of(report, check));
  }
  json["decisions"] = json_of(decisions_of(check));
  if (check.rows) json["rows"] = json_of(*check.rows);
  if (check.inserted) json["inserted"] = *check.inserted;
  if (check.updated) json["updated"] = *check.updated;
  if (check.readers) {
    json["readers"] = Json::array();
    for (const crosswalk::ReaderRemark& reader : check.readers->remarks) {
      Json& entry = json["readers"].emplace_back();
      entry = {{"path", reader.path.text()}, {"reader", reader.reader}, {"remark", reader.remark}};
      if (reader.condition.is_given()) entry["about"] = reader.condition.text();
      if (!reader.count) continue;
      entry["affected"] = reader.count->affected;
      entry["values"] = reader.count->values;
    }
  }
  for (const hub::Finding& note : check.notes) {
    json["notes"].push_back({{"path", note.path.text()},
                             {"rule", note.rule},
                             {"found", hub::spelled(note.lost, check.interface)}});
  }
  for (const auto& [path, change] : check.changes) {
    json["changes"].push_back({{"path", path.text()}, {"change", change}});
  }
  for (const FileCheck& file : check.files) {
    json["files"].push_back(json_of(check_of(check, file)));
  }
  return json;
}

Json json_of(const CompatCheck& check) {
  Json json;
  json["report"] = "compat";
  json["old"] = {{"input", shown_name(check.old_name)}, {"system", check.old_system->name}};
  json["new"] = {{"input", shown_name(check.new_name)}, {"system", check.new_system->name}};
  json["mode"] = to_string(check.mode);
  json["answer"] = answer_text(check.compat->answer);
  json["fails"] = check.fails();
  json["reasons"] = Json::array();
  for (const CompatReason& reason : check.compat->reasons) {
    Json& entry = json["reasons"].emplace_back();
    entry = {{"direction", reason.direction},
             {"answer", answer_text(reason.answer)},
             {"path", reason.path},
             {"reason", reason.reason}};
    add_acceptance(accepted(check.accepted, reason.path, reason.direction), entry);
  }
  json["decisions"] = json_of(decisions_of(check));
  return json;
}

}  // namespace

std::string print_json(const Check& check) {
  const std::vector<PathReport>& paths = check.plan->paths;
  if (!check.accepted.empty() || paths.empty()) return dumped(json_of(check));
  const std::string around = dumped(json_of(check, Paths::LeftOut));
  // Line ends within strings are escaped, so this is the member of the report itself.
  constexpr std::string_view kArray = "\n  \"paths\": [";
  const size_t begin = around.find(kArray) + kArray.size();
  std::string out = around.substr(0, begin);
  PathTexts texts(check);
  for (const PathReport& report : paths) {
    out += &report == paths.data() ? "\n" : ",\n";
    texts.append(report, out);
  }
  return out.append("\n  ").append(around, begin);
}

namespace {

Json json_of(const DiffCheck& check) {
  const Diff& diff = *check.diff;
  Json json;
  json["report"] = "diff";
  auto party = [](const std::string& name, System system, size_t columns) -> Json {
    return {{"input", shown_name(name)}, {"system", system->name}, {"columns", columns}};
  };
  json["left"] = party(check.left_name, diff.left_system, diff.left_columns);
  json["right"] = party(check.right_name, diff.right_system, diff.right_columns);
  json["same"] = diff.same();
  json["differences"] = Json::array();
  for (const crosswalk::DiffLine& line : diff.lines) {
    if (line.differences.empty()) continue;
    Json& entry = json["differences"].emplace_back();
    if (line.in_left()) entry["left"] = side_json(line.left);
    if (line.in_right()) entry["right"] = side_json(line.right);
    if (line.in_left() && line.in_right()) entry["paired_by"] = to_string(line.by);
    entry["changes"] = Json::array();
    for (const crosswalk::Difference& difference : line.differences) {
      Json& change = entry["changes"].emplace_back();
      change["change"] = to_string(difference.change);
      if (!difference.from.empty()) change["from"] = difference.from;
      if (!difference.to.empty()) change["to"] = difference.to;
      if (!difference.detail.empty()) change["detail"] = difference.detail;
    }
  }
  return json;
}

}  // namespace

std::string print_json(const DiffCheck& check) { return dumped(json_of(check)); }
std::string print_json(const CompatCheck& check) { return dumped(json_of(check)); }

namespace {

Json json_of(const RowDiff& diff) {
  Json json;
  json["report"] = "row-diff";
  const auto party = [](const std::string& name, System system, uint64_t rows) -> Json {
    return {{"input", shown_name(name)}, {"system", system->name}, {"rows", rows}};
  };
  json["left"] = party(diff.left_name, diff.left_system, diff.left_rows);
  json["right"] = party(diff.right_name, diff.right_system, diff.right_rows);
  json["same"] = diff.same();
  json["key"] = diff.key;
  json["added"] = diff.added;
  json["removed"] = diff.removed;
  json["changed"] = diff.changed;
  json["differing_rows"] = diff.differing_rows();
  json["differing_columns"] = diff.differing_columns;
  json["all_columns"] = diff.all_columns;
  if (!diff.key.empty()) {
    json["repeated"] = {{"left", diff.left_repeated}, {"right", diff.right_repeated}};
  }
  json["not_compared"] = Json::array();
  for (const crosswalk::ColumnDifference& column : diff.columns) {
    Json& entry = json["not_compared"].emplace_back();
    entry["path"] = column.path;
    if (!column.left.empty()) entry["left"] = column.left;
    if (!column.right.empty()) entry["right"] = column.right;
  }
  json["columns"] = Json::array();
  for (const crosswalk::ColumnCount& column : diff.counts) {
    json["columns"].push_back({{"name", column.name}, {"changed", column.rows}});
  }
  json["differences"] = Json::array();
  for (const crosswalk::RowDifference& found : diff.first) {
    Json& entry = json["differences"].emplace_back();
    entry["change"] = to_string(found.change);
    if (!found.key.empty()) entry["key"] = found.key;
    const auto side = [&](std::optional<uint64_t> row, const std::string& value) -> Json {
      return {{"row", *row}, {"value", value}};
    };
    if (!found.path.empty()) entry["path"] = found.path;
    if (found.left_row) entry["left"] = side(found.left_row, found.left);
    if (found.right_row) entry["right"] = side(found.right_row, found.right);
  }
  return json;
}

Json json_of(const TableSummary& table) {
  const auto number = [](const std::optional<uint64_t>& known) {
    return known ? Json(*known) : Json(nullptr);
  };
  return {{"input", table.input},
          {"target", table.target.empty() ? Json(nullptr) : Json(table.target)},
          {"output", table.output.empty() ? Json(nullptr) : Json(table.output)},
          {"rows", number(table.rows)},
          {"rejected", number(table.rejected)},
          {"columns", number(table.columns)},
          {"verdict", table.verdict},
          {"state", to_string(table.state)},
          {"decision", table.reason()}};
}

}  // namespace

std::string print_json(const std::vector<Decision>& decisions) {
  return json_of(decisions).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string print_json(const RowDiff& diff) { return dumped(json_of(diff)); }

std::string print_json(const ReportSet& set) {
  const bool is_project = set.kind == "project";
  Json json;
  json["report"] = set.kind;
  json[is_project ? "file" : "input"] = shown_name(set.name);
  json["fails"] = set.fails();
  const Report report = report_of(set);
  if (!is_project) json["verdict"] = report.grades[report.grade].word;
  json["summary"] = Json::array();
  for (const TableSummary& table : report.tables) json["summary"].push_back(json_of(table));
  Json& reports = json[is_project ? "pairs" : "tables"] = Json::array();
  for (size_t i = 0; i < set.reports.size(); ++i) {
    reports.push_back(std::visit([](const auto& found) { return json_of(found); }, set.reports[i]));
    // A problem of the table counts too.
    if (reports.back().contains("fails")) {
      reports.back()["fails"] = report.tables[i].state == DecisionState::Fails;
    }
  }
  json["problems"] = Json::array();
  for (const Problem& problem : set.problems) {
    Json& entry = json["problems"].emplace_back();
    entry["problem"] = problem.kind;
    if (is_project) entry["line"] = problem.line;
    entry["subject"] = shown_name(problem.subject);
    entry["text"] = shown_text(problem.whole());
  }
  return dumped(json);
}

}  // namespace xwalk::report
