#include "xwalk/report/management.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
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

/// What a problem of a table asks, and whom.
struct ProblemQuestion {
  std::string_view kind;
  std::string_view title;
  std::string_view text;
  std::string_view who;
};

constexpr ProblemQuestion kProblemQuestions[] = {
    {"error", "The table could not be read or compared.",
     "Is it complete, and the one that was meant?", "the owner of the data"},
    {"differs", "Files of one folder have different columns or types.",
     "Are they one table, with nulls for the columns that a file lacks, or several tables?",
     "the owner of the data, with the teams that read the table"},
    {"unpaired", "Only one of the two sides has the table.",
     "Is it new, was it removed, or is it missing?", "the owner of the data"}};

/// Tables of the set of which the page says the same.
struct ManagedTable {
  std::vector<std::string> names;
  const TableSummary* summary = nullptr;
  std::optional<uint64_t> rows;

  /// Returns what they become: of one table its output, of several their format.
  const std::string& becomes() const {
    return names.size() == 1 ? summary->becomes() : summary->target;
  }

  std::string name() const {
    return names.size() == 1 ? names.front()
                             : fmt::format("{} (and {} of this schema)", names.front(),
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
      : report_(report_of(set)), problems_(set.problems), origin_(origin) {
    std::map<std::string, size_t> met;
    for (size_t i = 0; i < report_.files.size(); ++i) add_table(report_.files[i], i, &met);
    for (const TableSummary& table : report_.tables) inputs_.insert(table.input);
    for (size_t i = report_.files.size(); i < report_.tables.size(); ++i) {
      const TableSummary& summary = report_.tables[i];
      tables_.push_back({{summary.input}, &summary, summary.rows});
    }
  }

  std::string print() {
    head();
    decisions(DecisionState::Fails, "Stops the migration");
    decisions(DecisionState::Open, "To decide");
    entries();
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
    std::string likeness = fmt::format("{} {} {} {} ", summary.target, summary.verdict,
                                       static_cast<int>(summary.state), summary.output.empty());
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
    if (!fresh && std::ranges::find(tables_[same->second].names, summary.input) ==
                      tables_[same->second].names.end()) {
      ManagedTable& table = tables_[same->second];
      table.names.push_back(summary.input);
      table.rows =
          table.rows && summary.rows ? std::optional(*table.rows + *summary.rows) : std::nullopt;
      return;
    }
    tables_.push_back({{summary.input}, &summary, summary.rows});
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
    const size_t pairs = report_.tables.size();
    add("<p class=\"lead\">{}{}: {} ready, {} with a decision to make, {} that {} not pass.</p>\n",
        counted(pairs, word()),
        inputs_.size() == pairs ? "" : " of " + counted(inputs_.size(), "table"),
        grouped(count(DecisionState::Settled)), grouped(count(DecisionState::Open)),
        grouped(count(DecisionState::Fails)), count(DecisionState::Fails) == 1 ? "does" : "do");
    facts();
    out_ +=
        "<p class=\"sum\">Ready: nothing must be decided. A value that does not fit is rejected "
        "with its row and counted; it never changes without a decision.</p>\n</header>\n<main>\n";
  }

  /// Returns what a line of the page is about: a table, unless a table has several lines.
  std::string_view word() const {
    if (inputs_.size() == report_.tables.size()) return "table";
    const auto is_check = [](const Report& file) { return file.kind == "check"; };
    return std::ranges::all_of(report_.files, is_check) ? "conversion" : "pair";
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
                                          counted(rows, "row"), counted(read, word()),
                                          counted(bytes, "byte"), grouped(rejected)));
    out_ += "<p class=\"facts\">";
    for (const std::string& one : all) add("<span>{}</span>", shown_markup(one));
    out_ += "</p>\n";
  }

  void tables() {
    constexpr std::string_view kHead =
        "<table class=\"tables\">\n<thead><tr><th scope=\"col\">Table</th>"
        "<th scope=\"col\">Becomes</th><th scope=\"col\" class=\"count\">Rows</th>"
        "<th scope=\"col\" class=\"count\">Rejected</th>"
        "<th scope=\"col\" class=\"count\">Columns</th><th scope=\"col\">By verdict</th>"
        "<th scope=\"col\">State</th></tr></thead>\n<tbody>\n";
    constexpr std::string_view kEnd = "</tbody>\n</table>\n";
    out_ += "<h2>Tables</h2>\n";
    std::vector<const ManagedTable*> order;
    for (const ManagedTable& table : tables_) order.push_back(&table);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [](const ManagedTable* table) { return table->summary->state; });
    const auto ready =
        order.size() <= kOpenTables
            ? order.end()
            : std::ranges::find(order, DecisionState::Settled,
                                [](const ManagedTable* table) { return table->summary->state; });
    if (ready != order.begin()) {
      out_ += kHead;
      std::for_each(order.begin(), ready, [&](const ManagedTable* one) { table_line(*one); });
      out_ += kEnd;
    }
    key();
    if (ready == order.end()) return;
    const size_t count_ready = count(DecisionState::Settled);
    add("<details{}><summary>{} {} ready</summary>\n{}", ready == order.begin() ? " open" : "",
        counted(count_ready, word()), count_ready == 1 ? "is" : "are", kHead);
    std::for_each(ready, order.end(), [&](const ManagedTable* one) { table_line(*one); });
    add("{}</details>\n", kEnd);
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
        names_of(table), shown_markup(table.becomes()), number(table.rows), number(line.rejected),
        number(line.columns), columns_bar(report_.grades, line.columns_by_grade), state.colour,
        state.name,
        line.finding().empty()
            ? ""
            : fmt::format("<br><small>{}</small>", shown_markup(line.finding())));
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

  /// Prints a section for each kind of problem that tables have.
  void problems() {
    for (const ProblemQuestion& question : kProblemQuestions) {
      std::vector<std::string> where;
      for (const Problem& problem : problems_) {
        if (problem.kind != question.kind) continue;
        const std::string becomes = visible(shown_name(problem.becomes));
        where.push_back(fmt::format("<strong><bdi>{}</bdi></strong>{}: {}",
                                    shown_markup(visible(shown_name(problem.subject))),
                                    becomes.empty() ? "" : " → " + shown_markup(becomes),
                                    shown_markup(visible(shown_text(problem.text)))));
        if (!problem.hint.empty()) {
          hints_.emplace(shown_name(problem.subject), problem.hint);
        }
      }
      if (where.empty()) continue;
      add("<section>\n<h3>{}</h3>\n<dl>\n", question.title);
      item("Question", question.text);
      item("Decided by", question.who);
      places(where);
      out_ += "</dl>\n</section>\n";
    }
  }

  /// Prints the entries of a project that do not hold any more.
  void entries() {
    std::string list;
    for (size_t i = 0; i < problems_.size(); ++i) {
      if (problems_[i].is_about_table()) continue;
      const ReportLine& line = report_.lines[i];
      list += fmt::format("<li><bdi>{}</bdi>: {}</li>\n", shown_markup(line.path()),
                          shown_markup(line.statements.front().text));
    }
    if (!list.empty()) add("<h2>Decisions that are out of date</h2>\n<ul>\n{}</ul>\n", list);
  }

  /// Prints a section for each rule of one state, the worst verdict first.
  void decisions(DecisionState state, std::string_view title) {
    std::vector<const DecisionGroup*> order;
    for (const DecisionGroup& group : groups_) {
      if (group.state == state) order.push_back(&group);
    }
    const bool is_ready = count(DecisionState::Open) + count(DecisionState::Fails) == 0;
    const bool has_problems =
        state == DecisionState::Fails && std::ranges::any_of(problems_, &Problem::is_about_table);
    if (order.empty() && !has_problems) {
      if (state == DecisionState::Open && is_ready && problems_.empty()) {
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
    if (has_problems) problems();
    for (const DecisionGroup* group : order) section(*group);
  }

  void section(const DecisionGroup& group) {
    add("<section>\n<h3>{}</h3>\n<dl>\n", shown_markup(title_of_rule(group.rule)));
    if (group.state >= DecisionState::Open) {
      const Question question = question_on(group.verdict);
      item("Question", shown_markup(question.text));
      item("Decided by", shown_markup(question.who));
    }
    std::vector<std::string> where;
    for (const auto& [table, uses] : group.uses) where.push_back(columns_text(table, uses));
    places(where);
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
                       shown_markup(tables_[table].becomes()), shown_markup(text));
  }

  /// Prints where something is, a line for each table; the reader opens those after the first.
  void places(const std::vector<std::string>& where) {
    std::string rest;
    for (size_t i = 0; i < where.size(); ++i) {
      if (i < kOpenTables) {
        item(i == 0 ? "Where" : "", where[i]);
      } else {
        rest += fmt::format("<li>{}</li>", where[i]);
      }
    }
    if (rest.empty()) return;
    item("", fmt::format("<details><summary>{}</summary><ul>{}</ul></details>",
                         counted(where.size() - kOpenTables, "more table"), rest));
  }

  void item(std::string_view name, std::string_view markup) {
    add("<dt>{}</dt><dd>{}</dd>\n", name, markup);
  }

  /// What groups of decisions are about.
  struct Extent {
    std::set<std::pair<std::string, std::string>> fields;
    std::map<std::string, uint64_t> rows;

    size_t tables() const { return rows.size(); }
    /// Returns `3 fields of 2 tables`.
    std::string text() const {
      return fmt::format("{} of {}", counted(fields.size(), "field"), counted(tables(), "table"));
    }
  };

  /// Adds the fields of a group. Each table counts once, also if it is converted twice.
  void add_extent(const DecisionGroup& group, Extent* extent) const {
    for (const auto& [number, uses] : group.uses) {
      const ManagedTable& table = tables_[number];
      for (size_t i = 0; i < table.names.size(); ++i) {
        extent->rows.emplace(table.names[i], i == 0 ? table.rows.value_or(0) : 0);
        for (const Decision* one : uses) extent->fields.emplace(table.names[i], one->path);
      }
    }
  }

  /// Prints one line on what the rows settle.
  void settled() {
    Extent extent;
    for (const DecisionGroup& group : groups_) {
      if (group.state == DecisionState::Settled) add_extent(group, &extent);
    }
    if (extent.fields.empty()) return;
    uint64_t rows = 0;
    for (const auto& [table, its_rows] : extent.rows) rows += its_rows;
    add("<h2>Settled by the rows</h2>\n<p>{} could hold values that do not fit. All {} were "
        "read, and none does.</p>\n",
        extent.text(), counted(rows, "row"));
  }

  /// Prints one line for each rule that needs no decision.
  void information() {
    std::map<std::string, Extent> known;
    for (const DecisionGroup& group : groups_) {
      if (group.state == DecisionState::Known) add_extent(group, &known[group.rule]);
    }
    if (known.empty()) return;
    out_ += "<h2>For information: every value is kept</h2>\n<ul>\n";
    for (const auto& [rule, extent] : known) {
      add("<li>{} <small>{}</small></li>\n", shown_markup(title_of_rule(rule)), extent.text());
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
    for (const auto& [subject, hint] : hints_) {
      list += fmt::format("<dt><bdi>{}</bdi></dt><dd>{}</dd>\n", shown_markup(visible(subject)),
                          shown_markup(visible(hint)));
    }
    if (!list.empty()) {
      add("<h2>Appendix: the rules, and what can be done</h2>\n<dl class=\"appendix\">\n{}"
          "</dl>\n",
          list);
    }
  }

  const Report report_;
  const std::vector<Problem>& problems_;
  const PageOrigin& origin_;
  /// The tables, each once.
  std::set<std::string> inputs_;
  std::vector<ManagedTable> tables_;
  std::vector<DecisionGroup> groups_;
  std::set<std::string> rules_;
  /// What to do about problems, by table.
  std::map<std::string, std::string> hints_;
  std::string out_;
};

}  // namespace

std::string print_management(const ReportSet& set, const PageOrigin& origin) {
  return ManagementPage(set, origin).print();
}

}  // namespace xwalk::report
