#include "xwalk/report/report.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/reader_choice.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/hub/module.h"
#include "xwalk/report/headline.h"
#include "xwalk/report/reason_paths.h"

namespace xwalk::report {
namespace {

using hub::Verdict;

constexpr size_t kNamedColumns = 8;

Severity severity_of(Verdict verdict, Verdict fail_on) {
  // Called for every line.
  static const std::vector<Grade> grades = verdict_grades();
  return verdict >= fail_on ? Severity::Error : grades[static_cast<size_t>(verdict)].severity;
}

/// The types of one schema in the notation of its system, each printed once.
class TypeTexts {
 public:
  explicit TypeTexts(System system) : system_(system) {}

  /// Takes what a plan has put into words already.
  void tell(const Path& path, const std::string& text) { texts_.try_emplace(path, text); }

  ReportSide side_of(const crosswalk::SchemaNode& node) {
    const std::string& text = of(node.path, node.field);
    ReportSide side;
    side.path = visible(node.path.text());
    side.label = visible(node.label);
    const std::vector<crosswalk::Child> children = children_of(node.field.type, node.path);
    side.layer =
        visible(children.empty()
                    ? crosswalk::layer_text(node.field, text, "")
                    : crosswalk::layer_text(node.field, text,
                                            of(children.front().path, *children.front().field)));
    side.type = visible(crosswalk::shown_type(text));
    return side;
  }

 private:
  const std::string& of(const Path& path, const hub::Field& field) {
    const auto [text, fresh] = texts_.try_emplace(path);
    if (fresh) text->second = crosswalk::type_text(system_, field);
    return text->second;
  }

  System system_;
  std::unordered_map<Path, std::string, Path::Hash> texts_;
};

/// The lines of two schemas side by side, without statements yet. `known` are reports on paths
/// of the left one.
std::vector<ReportLine> lines_of(System left_system, const hub::Schema& left, System right_system,
                                 const hub::Schema& right, const crosswalk::PairingOptions& options,
                                 const std::vector<PathReport>& known = {}) {
  const std::vector<crosswalk::PairedNode> nodes = crosswalk::pair_schemas(left, right, options);
  TypeTexts lefts(left_system);
  TypeTexts rights(right_system);
  std::unordered_map<Path, const std::string*, Path::Hash> targets;
  for (const PathReport& report : known) {
    if (report.path.empty()) continue;
    lefts.tell(report.path, report.source);
    if (!report.target.empty()) targets.emplace(report.path, &report.target);
  }
  for (const crosswalk::PairedNode& node : nodes) {
    if (!node.left || !node.right) continue;
    const auto target = targets.find(node.left->path);
    if (target != targets.end()) rights.tell(node.right->path, *target->second);
  }
  std::vector<ReportLine> lines(1);
  lines[0].left.emplace();
  lines[0].right.emplace();
  lines.reserve(nodes.size() + 1);
  for (const crosswalk::PairedNode& node : nodes) {
    ReportLine& line = lines.emplace_back();
    line.depth = node.depth;
    if (node.left) line.left = lefts.side_of(*node.left);
    if (node.right) line.right = rights.side_of(*node.right);
  }
  return lines;
}

/// Finds lines by path; a path that has no line of its own belongs to its nearest parent.
class LineIndex {
 public:
  explicit LineIndex(std::vector<ReportLine>* lines) : lines_(lines) {
    index_.reserve(lines->size());
    for (size_t i = 0; i < lines->size(); ++i) index_[(*lines)[i].path()].push_back(i);
  }

  /// Of lines that have one path because they have one name, the `which`-th.
  ReportLine& at(Path path, size_t which = 0) {
    for (path = path.in_schema(); !path.empty(); path = path.parent()) {
      const auto found = index_.find(visible(path.text()));
      if (found == index_.end()) continue;
      return (*lines_)[found->second[std::min(which, found->second.size() - 1)]];
    }
    return lines_->front();
  }

  ReportLine& at(const std::string& text) {
    for (std::string path = visible(text); !path.empty();) {
      const auto found = index_.find(path);
      if (found != index_.end()) return (*lines_)[found->second.front()];
      const size_t step = path.find_last_of(".[{<");
      path.resize(step == std::string::npos ? 0 : step);
    }
    return lines_->front();
  }

 private:
  std::vector<ReportLine>* lines_;
  /// The lines of each path, in their order.
  std::unordered_map<std::string, std::vector<size_t>> index_;
};

void drop_silent_table_line(Report& report) {
  if (report.lines.front().statements.empty()) report.lines.erase(report.lines.begin());
}

std::string rows_text(const PathRows& path) {
  std::string text = "no row rejected";
  if (path.rejected > 0) {
    text = fmt::format("{} rejected", counted(path.rejected, "row"));
    if (path.first_row) text += fmt::format(", row {} first", *path.first_row);
    text += ": " + visible(path.first);
  }
  if (path.smallest.empty()) return text;
  return text + fmt::format("; seen: {} to {}", visible(path.smallest), visible(path.largest));
}

enum DiffGrade : size_t { kSame, kAdded, kChanged, kRemoved };

std::vector<Grade> diff_grades() {
  return {{"same", "nothing differs", Severity::Good},
          {"added", "only in the second table", Severity::Notice},
          {"changed", "different in the two tables", Severity::Warning},
          {"removed", "only in the first table", Severity::Error}};
}

ReportSide side_of(const crosswalk::DiffSide& side) {
  return {visible(side.path.text()), visible(side.label), visible(crosswalk::shown_type(side.type)),
          visible(side.layer)};
}

/// The severity of the worst line.
Severity severity_of(const Report& report) {
  Severity worst = report.fails ? Severity::Error : Severity::Good;
  for (const ReportLine& line : report.lines) worst = std::max(worst, line.severity);
  return worst;
}

/// The severity of a finding: of one that needs no decision, a notice.
Severity severity_of(const Judgement& one, Verdict fail_on) {
  if (one.state == DecisionState::Fails) return Severity::Error;
  const bool is_closed = one.state == DecisionState::Settled || one.state == DecisionState::Decided;
  return is_closed ? Severity::Notice : severity_of(one.verdict, fail_on);
}

size_t grade_of(const crosswalk::DiffLine& line) {
  if (!line.in_left()) return kAdded;
  if (!line.in_right()) return kRemoved;
  return line.differences.empty() ? kSame : kChanged;
}

/// Returns a remark and, if the rows were read, how many of their values it is about.
std::string counted_text(const crosswalk::ReaderRemark& remark) {
  if (!remark.count) return remark.remark;
  if (remark.is_absent()) return remark.remark + " (no such value)";
  return fmt::format("{} ({} of {})", remark.remark, grouped(remark.count->affected),
                     counted(remark.count->values, "value"));
}

std::string text_of(const crosswalk::Difference& difference) {
  std::string text;
  if (difference.from.empty()) {
    text = difference.to;
  } else if (difference.to.empty()) {
    text = difference.change == crosswalk::Change::Removed
               ? difference.from
               : fmt::format("{} → none", difference.from);
  } else {
    text = fmt::format("{} → {}", difference.from, difference.to);
  }
  if (difference.from.empty() && difference.change != crosswalk::Change::Added)
    text = "none → " + text;
  if (!difference.detail.empty()) text += fmt::format(" ({})", difference.detail);
  return visible(text);
}

std::string counts_of(const std::vector<Verdict>& verdicts) {
  std::vector<std::string> parts;
  for (size_t i = 0; i <= static_cast<size_t>(Verdict::Unsupported); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    const auto count = std::ranges::count(verdicts, verdict);
    if (count > 0) parts.push_back(fmt::format("{} {}", count, hub::to_string(verdict)));
  }
  return join(parts, ", ");
}

}  // namespace

std::vector<Grade> verdict_grades() {
  return {
      {"exact", "comes back as it was: type, values and labels", Severity::Good},
      {"annotated", "every value is kept; xwalk's metadata restores the type", Severity::Notice},
      {"widened", "every value is kept; the type or a label is not", Severity::Warning},
      {"inferred", "every value is kept; types inferred from values", Severity::Warning},
      {"checked", "values that don't fit are rejected, never changed", Severity::Warning},
      {"lossy", "some values are changed, as an option asks", Severity::Error},
      {"unsupported", "cannot be converted", Severity::Error}};
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Good:
      return "good";
    case Severity::Notice:
      return "notice";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "";
}

std::string Statement::sentence(Dress dress, Dress value, Dress help) const {
  std::string out = dress(text);
  if (!witness.empty()) {
    out += text.empty() ? "example: " + value(witness) : " (example: " + value(witness) + ")";
  }
  if (!hint.empty()) out += (out.empty() ? "" : "; ") + help(hint);
  return out;
}

std::string Statement::sentence() const {
  const Dress plain = [](std::string_view part) { return std::string(part); };
  return sentence(plain, plain, plain);
}

const std::string& ReportLine::path() const { return left ? left->path : right->path; }

std::string_view answer_text(yt::Compatibility answer) {
  switch (answer) {
    case yt::Compatibility::FullyCompatible:
      return "compatible";
    case yt::Compatibility::RequireValidation:
      return "needs validation";
    case yt::Compatibility::Incompatible:
      return "incompatible";
  }
  return "";
}

std::vector<Fact> facts_of(const Check& check) {
  std::vector<Fact> facts;
  if (check.rows) {
    for (const PathRows& path : check.rows->paths) {
      facts.push_back({path.path, Severity::Good, {"rows", rows_text(path), "", ""}});
    }
  }
  if (check.readers && check.readers->are_chosen) {
    for (const crosswalk::ReaderRemark& remark : check.readers->remarks) {
      facts.push_back(
          {remark.path,
           remark.is_absent() ? Severity::Good : Severity::Warning,
           {"reader", fmt::format("{}: {}", remark.reader, counted_text(remark)), "", ""}});
    }
  }
  return facts;
}

namespace {

/// Adds a line for each reader that has remarks, unless the columns show them, and what was
/// compared.
void add_readers(const Misreadings& readers, hub::Interface interface,
                 std::vector<std::string>* notes) {
  std::vector<std::string> titles;
  for (const crosswalk::Reader& reader : crosswalk::readers_of(readers.system)) {
    if (std::ranges::find(readers.compared, reader.name) == readers.compared.end()) continue;
    titles.push_back(title_of(reader));
    if (readers.are_chosen) continue;
    const auto is_of = [&](const crosswalk::ReaderRemark& remark) {
      return remark.reader == reader.name && !remark.is_absent();
    };
    const auto first = std::ranges::find_if(readers.remarks, is_of);
    if (first == readers.remarks.end()) continue;
    const auto more = std::count_if(first + 1, readers.remarks.end(), is_of);
    std::string line =
        fmt::format("{}: {}: {}", reader.name, visible(shortened_path(first->path.text())),
                    counted_text(*first));
    if (more > 0) {
      const char* const form =
          interface == hub::Interface::Program ? "--readers {0}" : "readers=\"{0}\"";
      line += fmt::format("; {} more ({} lists them)", more,
                          fmt::format(fmt::runtime(form), word_of(reader)));
    }
    notes->push_back(std::move(line));
  }
  const std::string compared = join(titles, ", ");
  const auto absent = static_cast<uint64_t>(
      std::ranges::count_if(readers.remarks, [](const auto& one) { return one.is_absent(); }));
  const uint64_t found = readers.remarks.size() - absent;
  std::string line =
      found == 0 ? fmt::format("{} read every column correctly", compared)
                 : fmt::format("{}; readers compared: {}", counted(found, "misreading"), compared);
  if (absent > 0) {
    line += fmt::format("; of values that no row has: {}", counted(absent, "misreading"));
  }
  notes->push_back(std::move(line));
}

}  // namespace

std::vector<std::string> notes_of(const Check& check) {
  std::vector<std::string> notes;
  if (check.rows) {
    const uint64_t rejected = check.rows->rejected;
    if (rejected > 0 && !check.rows_fail()) notes.push_back(rejected_rows_text(check));
    notes.push_back(fmt::format(
        "{} read, {}", counted(check.rows->read, "row"),
        rejected == 0 ? "none would be rejected" : grouped(rejected) + " would be rejected"));
  }
  if (check.inserted && check.updated) {
    notes.push_back(
        fmt::format("inserted {}, updated {}", grouped(*check.inserted), grouped(*check.updated)));
  }
  if (check.readers) add_readers(*check.readers, check.interface, &notes);
  for (const auto& [path, change] : check.changes) {
    notes.push_back(fmt::format("{}: {}", path.text(), visible(change)));
  }
  if (!check.files.empty()) {
    const auto other = std::ranges::count_if(
        check.files, [](const FileCheck& file) { return !file.changes.empty(); });
    notes.push_back(fmt::format("{}, {} of which differ from the combined schema",
                                counted(check.files.size(), "file"),
                                grouped(static_cast<uint64_t>(other))));
  }
  for (const hub::Finding& note : check.notes) {
    notes.push_back(fmt::format("note: {}{}{} ({})", note.path.text(),
                                note.path.empty() ? "" : ": ",
                                hub::spelled(note.lost, check.interface), note.rule));
  }
  return notes;
}

std::string summary(const Plan& plan) {
  const std::vector<Verdict> verdicts = plan.column_verdicts();
  std::string text = fmt::format("{} column{}", verdicts.size(), verdicts.size() == 1 ? "" : "s");
  if (!verdicts.empty()) text += ": " + counts_of(verdicts);
  std::vector<std::string> names;
  size_t worse = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] <= Verdict::Annotated) continue;
    if (++worse <= kNamedColumns) {
      names.push_back(Path::column(plan.source_hub.fields[i].name).text());
    }
  }
  if (worse > kNamedColumns) names.push_back(fmt::format("{} more", worse - kNamedColumns));
  if (!names.empty()) text += " (" + join(names, ", ") + ")";
  return text;
}

Report report_of(const Check& check) {
  const Plan& plan = *check.plan;
  Report report;
  report.kind = "check";
  report.left_name = visible(shown_name(check.name));
  report.left_system = plan.source_system->name;
  report.right_name = report.left_name;
  report.right_system = check.target();
  report.output = visible(shown_name(check.output));
  report.summary = visible(summary(plan));
  report.grades = verdict_grades();
  for (size_t i = static_cast<size_t>(check.fail_on); i < report.grades.size(); ++i) {
    report.grades[i].severity = Severity::Error;
  }
  report.grade = static_cast<size_t>(plan.verdict());
  report.fails = check.fails();
  report.lines = lines_of(plan.source_system, plan.source_hub, plan.target_system, plan.target_hub,
                          {.ids = false, .renames = &plan.renames, .guesses = false}, plan.paths);
  LineIndex index(&report.lines);
  std::unordered_map<Path, size_t, Path::Hash> met;
  std::vector<size_t> which;
  for (const PathReport& path : plan.paths) which.push_back(met[path.path]++);
  for (const Judgement& one : judged(check)) {
    ReportLine& line =
        one.path == nullptr
            ? index.at(one.rows->path)
            : index.at(one.path->path, which[static_cast<size_t>(one.path - plan.paths.data())]);
    const auto grade = static_cast<size_t>(one.verdict);
    if (one.path != nullptr) line.grade = std::max(line.grade, grade);
    if (one.path != nullptr && one.accepted == nullptr) {
      line.unaccepted_verdict = std::max(line.unaccepted_verdict, grade);
    }
    line.severity = std::max(line.severity, severity_of(one, check.fail_on));
    line.fails = line.fails || one.state == DecisionState::Fails;
    if (one.reason != nullptr) {
      line.statements.push_back(statement_of(check, *one.path, *one.reason));
    }
  }
  report.decisions = decisions_of(check);
  report.columns_by_grade.resize(report.grades.size());
  for (const Verdict verdict : plan.column_verdicts()) {
    ++report.columns_by_grade[static_cast<size_t>(verdict)];
    ++report.columns;
  }
  if (check.rows) {
    report.rows_read = check.rows->read;
    report.rows_rejected = check.rows->rejected;
    report.bytes_read = check.rows->bytes;
  }
  for (const Fact& fact : facts_of(check)) {
    ReportLine& line = index.at(fact.path);
    line.severity = std::max(line.severity, fact.severity);
    line.statements.push_back(fact.statement);
  }
  report.notes = notes_of(check);
  drop_silent_table_line(report);
  report.headline = headline_of(check, report);
  report.severity = severity_of(report);
  for (const FileCheck& file : check.files)
    report.files.push_back(report_of(check_of(check, file)));
  return report;
}

Check check_of(const Check& check, const FileCheck& file) {
  Check own;
  own.plan = &file.plan;
  own.name = file.name;
  own.target_name = check.target_name;
  own.fail_on = check.fail_on;
  own.max_rejected = check.max_rejected;
  own.changes = file.changes;
  own.interface = check.interface;
  own.accepted = check.accepted;
  return own;
}

Report report_of(const CompatCheck& check) {
  Report report;
  report.kind = "compat";
  report.left_name = visible(shown_name(check.old_name));
  report.left_system = check.old_system->name;
  report.right_name = visible(shown_name(check.new_name));
  report.right_system = check.new_system->name;
  report.grades = {{"compatible", "all data of one can be read as the other", Severity::Good},
                   {"needs validation", "values must be looked at", Severity::Warning},
                   {"incompatible", "data of one cannot be read as the other", Severity::Error}};
  auto grade_of_answer = [](yt::Compatibility answer) {
    return static_cast<size_t>(yt::Compatibility::FullyCompatible) - static_cast<size_t>(answer);
  };
  report.grade = grade_of_answer(check.compat->answer);
  report.fails = check.fails();
  report.summary = fmt::format("{}: {}", to_string(check.mode), answer_text(check.compat->answer));
  report.lines = lines_of(check.old_system, *check.old_schema, check.new_system, *check.new_schema,
                          {.ids = true, .guesses = false});
  LineIndex index(&report.lines);
  const ReasonPaths paths(report.lines, *check.old_schema, *check.new_schema);
  for (const CompatReason& reason : check.compat->reasons) {
    const std::string place = paths.of(reason.path);
    ReportLine& line = index.at(place);
    const size_t grade = grade_of_answer(reason.answer);
    line.grade = std::max(line.grade, grade);
    if (accepted(check.accepted, reason.path, reason.direction) == nullptr) {
      line.unaccepted_verdict = std::max(line.unaccepted_verdict, grade);
      line.severity = std::max(line.severity, report.grades[grade].severity);
      line.fails = true;
    } else {
      line.severity = std::max(line.severity, Severity::Notice);
    }
    // A path without a line of its own (YTsaurus writes paths its own way) is part of the text.
    const std::string path = visible(place);
    const bool is_own_path = path.empty() || path == line.path();
    line.statements.push_back({std::string(reason.direction),
                               (is_own_path ? "" : path + ": ") + text_of(check, reason), "", ""});
  }
  drop_silent_table_line(report);
  report.decisions = decisions_of(check);
  report.columns = check.new_schema->fields.size();
  report.severity = severity_of(report);
  return report;
}

Report report_of(const DiffCheck& check) {
  const Diff& diff = *check.diff;
  Report report;
  report.kind = "diff";
  report.left_name = visible(shown_name(check.left_name));
  report.left_system = diff.left_system->name;
  report.right_name = visible(shown_name(check.right_name));
  report.right_system = diff.right_system->name;
  report.grades = diff_grades();
  std::map<crosswalk::Change, size_t> counts;
  for (const crosswalk::DiffLine& from : diff.lines) {
    ReportLine& line = report.lines.emplace_back();
    if (from.in_left()) line.left = side_of(from.left);
    if (from.in_right()) line.right = side_of(from.right);
    line.depth = from.depth;
    line.grade = line.unaccepted_verdict = grade_of(from);
    line.severity = report.grades[line.grade].severity;
    line.fails = !from.differences.empty();
    const std::string& path = line.path();
    for (const crosswalk::Difference& difference : from.differences) {
      report.decisions.push_back({.path = path.empty() ? std::string(kTablePath) : path,
                                  .column = path,
                                  .rule = std::string(to_string(difference.change)),
                                  .verdict = report.grades[line.grade].word,
                                  .state = DecisionState::Fails});
      ++counts[difference.change];
      line.statements.push_back(
          {std::string(to_string(difference.change)), text_of(difference), "", ""});
    }
  }
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [change, count] : counts) {
    parts.push_back(fmt::format("{} {}", count, to_string(change)));
  }
  report.fails = !counts.empty();
  report.grade = report.fails ? kChanged : kSame;
  report.summary = fmt::format("{} and {}: {}", counted(diff.left_columns, "column"),
                               counted(diff.right_columns, "column"),
                               parts.empty() ? std::string("no difference") : join(parts, ", "));
  drop_silent_table_line(report);
  report.columns = diff.right_columns;
  report.severity = severity_of(report);
  return report;
}

namespace {

/// Says how many rows and columns differ, each counted once.
std::string headline_of(const RowDiff& diff) {
  std::vector<std::string> parts;
  if (diff.changed > 0) {
    parts.push_back(fmt::format("{} {}", counted(diff.changed, "row"),
                                diff.changed == 1 ? "differs" : "differ"));
  }
  const auto count = [&](uint64_t rows, std::string_view what) {
    if (rows > 0) parts.push_back(fmt::format("{} {}", counted(rows, "row"), what));
  };
  count(diff.removed, "removed");
  count(diff.added, "added");
  std::string out = parts.empty() ? "No row differs" : join(parts, ", ");
  if (diff.differing_columns > 0) {
    out += fmt::format("; {} of {} {}", grouped(diff.differing_columns),
                       counted(diff.all_columns, "column"),
                       diff.differing_columns == 1 ? "differs" : "differ");
  }
  return out + ".";
}

std::string summary_of(const RowDiff& diff) {
  std::vector<std::string> parts;
  const auto count = [&](uint64_t number, std::string_view what) {
    if (number > 0) parts.push_back(fmt::format("{} {}", grouped(number), what));
  };
  count(diff.changed, "changed");
  count(diff.added, "added");
  count(diff.removed, "removed");
  if (!diff.columns.empty()) {
    parts.push_back(counted(diff.columns.size(), "column") + " not compared");
  }
  return fmt::format("{} and {}: {}", counted(diff.left_rows, "row"),
                     counted(diff.right_rows, "row"),
                     parts.empty() ? std::string("no difference") : join(parts, ", "));
}

ReportLine& add_line(crosswalk::RowChange change, Report* report) {
  ReportLine& line = report->lines.emplace_back();
  line.grade = line.unaccepted_verdict = change == crosswalk::RowChange::Added     ? kAdded
                                         : change == crosswalk::RowChange::Removed ? kRemoved
                                                                                   : kChanged;
  line.severity = report->grades[line.grade].severity;
  line.fails = true;
  return line;
}

ReportSide side_of(const std::string& path, const std::string& value) {
  return {visible(path), visible(path), visible(value), visible(value)};
}

/// Adds a line for the table, and one for each column and each row that differs.
void add_lines(const RowDiff& diff, Report* report) {
  ReportLine& whole = report->lines.emplace_back();
  whole.left = whole.right = ReportSide();
  whole.grade = whole.unaccepted_verdict = report->grade;
  whole.severity = report->severity;
  whole.fails = report->fails;
  if (report->fails) whole.statements.push_back({"rows", report->headline, "", ""});
  for (const crosswalk::ColumnDifference& column : diff.columns) {
    ReportLine& line = add_line(column.left.empty()    ? crosswalk::RowChange::Added
                                : column.right.empty() ? crosswalk::RowChange::Removed
                                                       : crosswalk::RowChange::Changed,
                                report);
    if (!column.left.empty()) line.left = side_of(column.path, column.left);
    if (!column.right.empty()) line.right = side_of(column.path, column.right);
    line.statements.push_back(
        {"column",
         column.left.empty() || column.right.empty() ? "only one side has it" : "the types differ",
         "", ""});
  }
  for (const crosswalk::RowDifference& found : diff.first) {
    ReportLine& line = add_line(found.change, report);
    const std::string path = found.path.empty() ? "(row)" : found.path;
    if (found.left_row) line.left = side_of(path, found.left);
    if (found.right_row) line.right = side_of(path, found.right);
    const std::string key = found.key.empty() ? "" : visible(found.key) + ", ";
    line.statements.push_back(
        {std::string(to_string(found.change)), key + "row " + place_of(found), "", ""});
  }
}

void add_notes(const RowDiff& diff, Report* report) {
  if (!diff.counts.empty()) report->notes.push_back(counts_of(diff));
  if (diff.left_repeated + diff.right_repeated > 0) {
    report->notes.push_back(
        fmt::format("repeated keys: {} and {}; rows that share a key are paired in order",
                    counted(diff.left_repeated, "row"), counted(diff.right_repeated, "row")));
  }
  if (diff.key.empty() && diff.left_rows != diff.right_rows) {
    report->notes.push_back(
        "Rows are compared by position. Give a key to match them by columns and detect inserted or "
        "removed rows.");
  }
}

}  // namespace

Report report_of(const RowDiff& diff) {
  Report report;
  report.kind = "diff";
  report.left_name = visible(shown_name(diff.left_name));
  report.left_system = diff.left_system->name;
  report.right_name = visible(shown_name(diff.right_name));
  report.right_system = diff.right_system->name;
  report.grades = diff_grades();
  report.fails = !diff.same();
  report.grade = report.fails ? kChanged : kSame;
  report.severity = report.grades[report.grade].severity;
  report.headline = headline_of(diff);
  report.rows = diff;
  report.rows_read = diff.right_rows;
  report.columns = diff.all_columns;
  report.summary = summary_of(diff);
  add_lines(diff, &report);
  add_notes(diff, &report);
  return report;
}

}  // namespace xwalk::report
