#include "xwalk/report/management.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/html_names.h"
#include "xwalk/report/html_style.h"
#include "xwalk/report/markup.h"
#include "xwalk/version.h"

namespace xwalk::report {
namespace {

/// Columns that the page names for a rule of a table.
constexpr size_t kColumnsOfRule = 8;
/// Tables of one rule, and names of tables that are ready, before the reader opens the others.
constexpr size_t kOpenTables = 12;

constexpr std::string_view kManagementStyle = R"css(
main h3{margin:0 0 .2rem;font-size:1rem}main section{padding:.7rem 0;border-top:1px solid var(--rule)}
main p{margin:.2rem 0}main dl{margin:.3rem 0 0;display:grid;grid-template-columns:8rem minmax(0,1fr);gap:.15rem 1rem}
main dt{color:var(--faint)}main dd{margin:0;overflow-wrap:anywhere}main summary{cursor:pointer;color:var(--soft)}
.tables{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
.tables th,.tables td{padding:.4rem .9rem .4rem 0;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--rule);font-weight:400}
.tables thead th{color:var(--faint);font-size:.8rem}.tables tbody th{overflow-wrap:anywhere;font-weight:600;min-width:14rem}
.tables .count{text-align:right;white-space:nowrap}.tables .state{white-space:nowrap;font-weight:600}
.tables td small{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}.facts{margin:0 0 1rem;color:var(--soft)}
.facts span+span::before{content:" · "}.appendix{font-size:.88rem}
.key{margin:.5rem 0;font-size:.8rem;color:var(--faint)}.key i{display:inline-block;width:.8em;height:.8em;margin:0 .35em 0 .9em;border-radius:.2em;background:var(--c);print-color-adjust:exact;-webkit-print-color-adjust:exact}
@media (max-width:46rem){main{padding:0 1rem}main h2,main .note{padding:0}
.tables,.tables tbody{display:block}.tables thead{display:none}
.tables tr{display:flex;flex-wrap:wrap;gap:.1rem .9rem;padding:.5rem 0;border-bottom:1px solid var(--rule)}
.tables th,.tables td{border:0;padding:0;min-width:0!important}.tables tbody th,.tables td.wide,.tables td.verdicts{flex:1 0 100%}
.tables td.count::after{content:" " attr(data-unit);color:var(--faint)}main dl{display:block}main dd{margin:0 0 .3rem}}
@media print{main section,.tables tr{break-inside:avoid}.tables tbody th{min-width:7rem}.tables td.wide{min-width:13rem}
.columns{width:4rem}.tables th,.tables td{padding-right:.6rem}})css";

struct ShownState {
  std::string_view name;
  std::string_view colour;
};

ShownState shown(DecisionState state) {
  switch (state) {
    case DecisionState::Known:
    case DecisionState::Settled:
    case DecisionState::Decided:
      return {"ready", "green"};
    case DecisionState::Open:
      return {"needs a decision", "amber"};
    case DecisionState::Fails:
      return {"does not pass", "red"};
  }
  return {"", ""};
}

/// What must be decided about findings of one verdict, and by whom.
struct Question {
  std::string_view verdict;
  std::string_view text;
  std::string_view who;
};

Question question_on(std::string_view verdict) {
  constexpr Question kQuestions[] = {
      {"widened", "Does a program that reads the table need the original type or property?",
       "the teams that read the table"},
      {"inferred", "Are the types that xwalk inferred from the values right?",
       "the owner of the data"},
      {"checked", "What happens to rows whose values do not fit: correct, leave out, or stop?",
       "the owner of the data"},
      {"lossy", "May these values change?", "the owner of the data"},
      {"unsupported", "Is the column left out, or converted to another type first?",
       "the owner of the data, with the teams that read the table"}};
  const auto found = std::ranges::find(kQuestions, verdict, &Question::verdict);
  return found == std::end(kQuestions)
             ? Question{"", "Is this difference acceptable?", "the owner of the check"}
             : *found;
}

/// Reports of the set of which the page says the same, and the decisions of the first.
struct ManagedTable {
  std::vector<std::string> names;
  const TableSummary* summary = nullptr;
  const Report* report = nullptr;
  std::optional<uint64_t> rows;

  std::string name() const {
    return names.size() == 1 ? names.front()
                             : fmt::format("{} and {} of this schema", names.front(),
                                           counted(names.size() - 1, "more table"));
  }
};

/// The decisions of one rule and one verdict that have one state.
struct DecisionGroup {
  std::string rule;
  std::string verdict;
  DecisionState state = DecisionState::Open;
  /// By table, the decisions in the order of the schema.
  std::map<size_t, std::vector<const Decision*>> uses;
};

class ManagementPage {
 public:
  ManagementPage(const ReportSet& set, const PageOrigin& origin)
      : report_(report_of(set)), origin_(origin) {
    std::map<std::string, size_t> met;
    for (size_t i = 0; i < report_.files.size(); ++i) add_table(report_.files[i], i, &met);
  }

  std::string print() {
    head();
    decisions(DecisionState::Fails, "Stops the migration");
    decisions(DecisionState::Open, "To decide");
    problems();
    tables();
    decisions(DecisionState::Decided, "Decided");
    settled();
    information();
    appendix();
    out_ += "</main>\n<footer>\n" + html_origin(origin_) + "</footer>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
  }

  void add_table(const Report& file, size_t number, std::map<std::string, size_t>* met) {
    const TableSummary& summary = report_.tables[number];
    std::string likeness =
        fmt::format("{} {} {} ", summary.target, summary.verdict, static_cast<int>(summary.state));
    for (const ReportLine& line : file.lines) {
      likeness +=
          fmt::format("{}\n{}\n{}\n", line.depth, line.path(), line.left ? line.left->type : "");
    }
    for (const Decision& one : file.decisions) {
      likeness += fmt::format("{}\n{}\n{}\n{}\n", one.path, one.rule, one.rejected.value_or(0),
                              one.decided);
    }
    // Tables that fail have lines of their own.
    if (summary.state == DecisionState::Fails) likeness += std::to_string(number);
    const auto [same, fresh] = met->try_emplace(likeness, tables_.size());
    if (!fresh) {
      ManagedTable& table = tables_[same->second];
      table.names.push_back(summary.input);
      table.rows =
          table.rows && summary.rows ? std::optional(*table.rows + *summary.rows) : std::nullopt;
      return;
    }
    tables_.push_back({{summary.input}, &summary, &file, summary.rows});
    for (const Decision& one : file.decisions) add_decision(one, tables_.size() - 1);
  }

  void add_decision(const Decision& one, size_t table) {
    const auto same = std::ranges::find_if(groups_, [&](const DecisionGroup& group) {
      return group.rule == one.rule && group.verdict == one.verdict && group.state == one.state;
    });
    DecisionGroup& group =
        same != groups_.end()
            ? *same
            : groups_.emplace_back(DecisionGroup{one.rule, one.verdict, one.state, {}});
    group.uses[table].push_back(&one);
    if (one.state >= DecisionState::Decided) rules_.insert(one.rule);
  }

  size_t count(DecisionState state) const {
    return static_cast<size_t>(std::ranges::count_if(report_.tables, [&](const TableSummary& one) {
      return shown(one.state).name == shown(state).name;
    }));
  }

  void head() {
    const std::string title = report_.title.empty() ? report_.left_name : report_.title;
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"generator\" content=\"xwalk {3}\">\n<title>{0}</title>\n<style>\n{1}{2}\n"
        "</style>\n</head>\n<body>\n<header>\n<p class=\"eyebrow\">Report on a migration</p>\n"
        "<h1>{0}</h1>\n",
        shown_markup(title), kPageStyle, kManagementStyle, XWALK_VERSION);
    const std::string_view word = report_.kind == "project" ? "pair" : "table";
    add("<p class=\"lead\">{}: {} ready, {} with a decision to make, {} that {} not pass.</p>\n",
        counted(report_.tables.size(), word), grouped(count(DecisionState::Settled)),
        grouped(count(DecisionState::Open)), grouped(count(DecisionState::Fails)),
        count(DecisionState::Fails) == 1 ? "does" : "do");
    facts();
    out_ +=
        "<p class=\"sum\">Ready: nothing must be decided. A value that does not fit is rejected "
        "with its row and counted; it never changes without a decision.</p>\n</header>\n<main>\n";
  }

  /// Prints the day, the owner, the source, and how much was read.
  void facts() {
    std::vector<std::string> all = {day_of_page()};
    if (!report_.owner.empty()) all.push_back("owner: " + report_.owner);
    all.push_back("source: " + report_.left_name);
    uint64_t rows = 0;
    uint64_t rejected = 0;
    uint64_t bytes = 0;
    size_t read = 0;
    for (const TableSummary& table : report_.tables) {
      if (!table.rejected) continue;
      ++read;
      rows += table.rows.value_or(0);
      rejected += *table.rejected;
      bytes += table.bytes;
    }
    all.push_back(read == 0 ? "no rows were read: the report is about schemas"
                            : fmt::format("{} of {} read ({}), {} would be rejected",
                                          counted(rows, "row"), counted(read, "table"),
                                          counted(bytes, "byte"), grouped(rejected)));
    out_ += "<p class=\"facts\">";
    for (const std::string& one : all) add("<span>{}</span>", shown_markup(one));
    out_ += "</p>\n";
  }

  void tables() {
    out_ +=
        "<h2>Tables</h2>\n<table class=\"tables\">\n<thead><tr><th scope=\"col\">Table</th>"
        "<th scope=\"col\">Becomes</th><th scope=\"col\" class=\"count\">Rows</th>"
        "<th scope=\"col\" class=\"count\">Rejected</th>"
        "<th scope=\"col\" class=\"count\">Columns</th><th scope=\"col\">By verdict</th>"
        "<th scope=\"col\">State</th></tr></thead>\n<tbody>\n";
    std::vector<const ManagedTable*> order;
    for (const ManagedTable& table : tables_) order.push_back(&table);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [](const ManagedTable* table) { return table->summary->state; });
    std::vector<const ManagedTable*> ready;
    for (const ManagedTable* table : order) {
      if (table->summary->state == DecisionState::Settled && order.size() > kOpenTables) {
        ready.push_back(table);
      } else {
        table_line(*table);
      }
    }
    out_ += "</tbody>\n</table>\n";
    key();
    if (ready.empty()) return;
    add("<details><summary>{} ready</summary>\n<table class=\"tables\"><tbody>\n",
        count(DecisionState::Settled) == 1
            ? "1 table is"
            : fmt::format("{} are", counted(count(DecisionState::Settled), "table")));
    for (const ManagedTable* table : ready) table_line(*table);
    out_ += "</tbody></table></details>\n";
  }

  void table_line(const ManagedTable& table) {
    const TableSummary& line = *table.summary;
    const auto number = [](const std::optional<uint64_t>& known) {
      return known ? grouped(*known) : std::string("—");
    };
    const ShownState state = shown(line.state);
    add("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"count\" data-unit=\"rows\">{}</td>"
        "<td class=\"count\" data-unit=\"rejected\">{}</td>"
        "<td class=\"count\" data-unit=\"columns\">{}</td><td class=\"verdicts\">{}</td>"
        "<td class=\"wide\"><span class=\"state\" "
        "style=\"color:var(--{})\">{}</span>{}</td></tr>\n",
        names_of(table), shown_markup(line.target), number(table.rows), number(line.rejected),
        number(line.columns), columns_bar(report_.grades, line.columns_by_grade), state.colour,
        state.name,
        line.decision.empty() ? ""
                              : fmt::format("<br><small>{}</small>", shown_markup(line.decision)));
  }

  /// Says which colour is which verdict.
  void key() {
    std::string grades;
    for (size_t grade = 0; grade < report_.grades.size(); ++grade) {
      const bool is_used = std::ranges::any_of(report_.tables, [&](const TableSummary& table) {
        return grade < table.columns_by_grade.size() && table.columns_by_grade[grade] > 0;
      });
      if (!is_used) continue;
      grades += fmt::format("<i style=\"--c:var(--{})\"></i>{}: {}",
                            colour_of(report_.grades[grade].word), report_.grades[grade].word,
                            shown_markup(report_.grades[grade].meaning));
    }
    if (!grades.empty()) add("<p class=\"key\">{}</p>\n", grades);
  }

  /// Returns the name of a table, or a list that opens.
  static std::string names_of(const ManagedTable& table) {
    const std::string name = fmt::format("<bdi>{}</bdi>", shown_markup(table.name()));
    if (table.names.size() == 1) return name;
    std::string list;
    for (const std::string& one : table.names) {
      list += fmt::format("<li><bdi>{}</bdi></li>", shown_markup(one));
    }
    return fmt::format("<details><summary>{}</summary><ul>{}</ul></details>", name, list);
  }

  void problems() {
    // The table contains the problems of files that have a report.
    const auto is_in_table = [&](const ReportLine& line) {
      return report_.has_problems_in_table() &&
             std::ranges::find(report_.files, line.path(), &Report::left_name) !=
                 report_.files.end();
    };
    if (std::ranges::all_of(report_.lines, is_in_table)) return;
    out_ += "<h2>Not checked, or out of date</h2>\n<ul>\n";
    for (const ReportLine& line : report_.lines) {
      if (is_in_table(line)) continue;
      add("<li><bdi>{}</bdi>: {}</li>\n", shown_markup(line.path()),
          shown_markup(line.statements.front().text));
    }
    out_ += "</ul>\n";
  }

  /// Prints a section for each rule of one state, the worst verdict first.
  void decisions(DecisionState state, std::string_view title) {
    std::vector<const DecisionGroup*> order;
    for (const DecisionGroup& group : groups_) {
      if (group.state == state) order.push_back(&group);
    }
    const bool is_ready = count(DecisionState::Open) + count(DecisionState::Fails) == 0;
    if (order.empty()) {
      if (state == DecisionState::Open && is_ready && report_.lines.empty()) {
        out_ += "<h2>To decide</h2>\n<p>Nothing must be decided.</p>\n";
      }
      return;
    }
    const auto severity = [&](const DecisionGroup* group) {
      return std::ranges::find(report_.grades, group->verdict, &Grade::word) -
             report_.grades.begin();
    };
    std::ranges::stable_sort(order, std::ranges::greater(), severity);
    add("<h2>{}</h2>\n", title);
    for (const DecisionGroup* group : order) section(*group);
  }

  void section(const DecisionGroup& group) {
    add("<section>\n<h3>{}</h3>\n<dl>\n", shown_markup(title_of_rule(group.rule)));
    if (group.state >= DecisionState::Open) {
      const Question question = question_on(group.verdict);
      item("Question", shown_markup(question.text));
      item("Decided by", shown_markup(question.who));
    }
    size_t shown_tables = 0;
    std::string rest;
    for (const auto& [table, uses] : group.uses) {
      const std::string text = columns_text(table, uses);
      if (++shown_tables <= kOpenTables) {
        item(shown_tables == 1 ? "Where" : "", text);
      } else {
        rest += fmt::format("<li>{}</li>", text);
      }
    }
    if (!rest.empty()) {
      item("", fmt::format("<details><summary>{}</summary><ul>{}</ul></details>",
                           counted(group.uses.size() - kOpenTables, "more table"), rest));
    }
    const Decision& first = *group.uses.begin()->second.front();
    if (!first.example.empty()) item("Example", shown_markup(first.example));
    std::set<std::string> decided;
    for (const auto& [table, uses] : group.uses) {
      for (const Decision* one : uses) {
        if (!one->decided.empty()) decided.insert(one->decided);
      }
    }
    for (const std::string& one : decided) item("Decision", shown_markup(one));
    out_ += "</dl>\n</section>\n";
  }

  /// Names the columns of a decision in one table, with what the rows say.
  std::string columns_text(size_t table, const std::vector<const Decision*>& uses) const {
    std::vector<std::string> names;
    for (const Decision* one : uses) {
      if (names.size() == kColumnsOfRule) break;
      const std::string evidence = one->evidence();
      names.push_back(
          fmt::format("{}{}", one->path, evidence.empty() ? "" : " (" + evidence + ")"));
    }
    std::string text = join(names, ", ");
    if (uses.size() > names.size()) {
      text += fmt::format(" and {} more", grouped(uses.size() - names.size()));
    }
    if (tables_.size() == 1) return shown_markup(text);
    return fmt::format("<strong>{}</strong> → {}: {}", shown_markup(tables_[table].name()),
                       shown_markup(tables_[table].summary->target), shown_markup(text));
  }

  void item(std::string_view name, std::string_view markup) {
    add("<dt>{}</dt><dd>{}</dd>\n", name, markup);
  }

  /// Prints one line on what the rows settle.
  void settled() {
    size_t paths = 0;
    std::set<size_t> tables;
    for (const DecisionGroup& group : groups_) {
      if (group.state != DecisionState::Settled) continue;
      for (const auto& [table, uses] : group.uses) {
        paths += uses.size();
        tables.insert(table);
      }
    }
    if (paths == 0) return;
    uint64_t rows = 0;
    for (const size_t table : tables) rows += tables_[table].rows.value_or(0);
    add("<h2>Settled by the rows</h2>\n<p>{} of {} could hold values that do not fit. All {} were "
        "read, and none does.</p>\n",
        counted(paths, "field"), counted(tables.size(), "table"), counted(rows, "row"));
  }

  /// Prints one line for each rule that needs no decision.
  void information() {
    std::map<std::string, std::pair<size_t, std::set<size_t>>> known;
    for (const DecisionGroup& group : groups_) {
      if (group.state != DecisionState::Known) continue;
      auto& [fields, tables] = known[group.rule];
      for (const auto& [table, uses] : group.uses) {
        fields += uses.size();
        tables.insert(table);
      }
    }
    if (known.empty()) return;
    out_ += "<h2>For information: every value is kept</h2>\n<ul>\n";
    for (const auto& [rule, use] : known) {
      add("<li>{} <small>{} of {}</small></li>\n", shown_markup(title_of_rule(rule)),
          counted(use.first, "field"), counted(use.second.size(), "table"));
      rules_.insert(rule);
    }
    out_ += "</ul>\n";
  }

  /// Prints the rules and what can be done, for the people who convert the tables.
  void appendix() {
    std::string list;
    for (const std::string& slug : rules_) {
      const hub::Rule* rule = crosswalk::rule_of(slug);
      if (rule == nullptr) continue;
      list += fmt::format("<dt>{}</dt><dd>{} {}</dd>\n", slug,
                          shown_markup(hub::spelled(rule->meaning, hub::Interface::Program)),
                          shown_markup(hub::spelled(rule->advice, hub::Interface::Program)));
    }
    if (!list.empty()) {
      add("<h2>Appendix: the rules, and what can be done</h2>\n<dl class=\"appendix\">\n{}"
          "</dl>\n",
          list);
    }
  }

  const Report report_;
  const PageOrigin& origin_;
  std::vector<ManagedTable> tables_;
  std::vector<DecisionGroup> groups_;
  std::set<std::string> rules_;
  std::string out_;
};

}  // namespace

std::string print_management(const ReportSet& set, const PageOrigin& origin) {
  return ManagementPage(set, origin).print();
}

}  // namespace xwalk::report
