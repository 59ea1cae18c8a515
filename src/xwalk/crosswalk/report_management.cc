#include "xwalk/crosswalk/report_management.h"

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
#include "xwalk/crosswalk/markup.h"
#include "xwalk/crosswalk/report_html_style.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/crosswalk/unaccepted.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"

namespace xwalk::crosswalk {
namespace {

using hub::Verdict;

/// Columns that the page names for a rule of a table.
constexpr size_t kColumnsOfRule = 8;

/// The state of a table, worst last.
enum class State : uint8_t { Ready, Decide, Stopped };

struct ShownState {
  std::string_view name;
  std::string_view colour;
};

ShownState shown(State state) {
  switch (state) {
    case State::Ready:
      return {"ready", "green"};
    case State::Decide:
      return {"needs a decision", "amber"};
    case State::Stopped:
      return {"does not pass", "red"};
  }
  return {"", ""};
}

/// What must be decided about findings of one verdict, and by whom.
struct Decision {
  std::string_view question;
  std::string_view who;
};

Decision decision_on(Verdict verdict) {
  switch (verdict) {
    case Verdict::Exact:
    case Verdict::Annotated:
      return {};
    case Verdict::Widened:
      return {"Does a program that reads the table need the original type or property?",
              "the teams that read the table"};
    case Verdict::Inferred:
      return {"Are the types that xwalk inferred from the values right?", "the owner of the data"};
    case Verdict::Checked:
      return {"What happens to rows whose values do not fit: correct, leave out, or stop?",
              "the owner of the data"};
    case Verdict::Lossy:
      return {"May these values change?", "the owner of the data"};
    case Verdict::Unsupported:
      return {"Is the column left out, or converted to another type first?",
              "the owner of the data, with the teams that read the table"};
  }
  return {};
}

/// A rule, and where it was met.
struct Use {
  Verdict verdict = Verdict::Exact;
  bool fails = false;
  /// By table, the paths in the order of the schema.
  std::map<size_t, std::vector<std::string>> paths;
  std::string example;
  std::set<std::string> accepted;
  /// Paths whose finding is not accepted.
  size_t open = 0;
};

/// Reports of the set whose tables have one schema, and of which the page says the same.
struct Table {
  /// In the order of the reports.
  std::vector<std::string> names;
  std::string target;
  /// Of all tables; empty if one does not state it.
  std::optional<uint64_t> rows;
  std::optional<uint64_t> columns;
  State state = State::Ready;
  std::string summary;
  /// Empty for a report that is not a check.
  std::string schema = {};
  std::vector<const Check*> checks = {};

  std::string name() const {
    return names.size() == 1 ? names.front()
                             : fmt::format("{} and {} of this schema", names.front(),
                                           counted(names.size() - 1, "more table"));
  }
};

class ManagementPage {
 public:
  explicit ManagementPage(const ReportSet& set) : set_(set) {
    for (size_t i = 0; i < set.reports.size(); ++i) {
      std::visit([&](const auto& found) { add_table(found, i); }, set.reports[i]);
    }
  }

  std::string print() {
    head();
    tables();
    problems();
    uses(true);
    evidence();
    uses(false);
    out_ += "</main>\n<footer></footer>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
  }

  void add_table(const Check& check, size_t number) {
    Table one;
    one.names = {visible(shown_name(check.name))};
    one.target = check.target();
    one.columns = check.plan->source_hub.fields.size();
    if (check.rows) {
      one.rows = check.rows->read;
    } else if (number < set_.recorded_rows.size()) {
      one.rows = set_.recorded_rows[number];
    }
    one.summary = visible(summary(*check.plan));
    one.schema = hub::to_string(check.plan->source_hub);
    for (const PathReport& path : check.plan->paths) {
      if (open_verdict(check, path) >= Verdict::Checked) one.state = State::Decide;
      for (const Reason& reason : path.reasons) {
        one.schema += '\n' + decided(check, path, reason);
      }
    }
    if (check.fails()) one.state = State::Stopped;
    const auto same = std::ranges::find_if(tables_, [&](const Table& table) {
      return table.schema == one.schema && table.target == one.target && table.state == one.state &&
             table.summary == one.summary;
    });
    if (same != tables_.end()) {
      same->names.push_back(std::move(one.names.front()));
      same->rows = same->rows && one.rows ? std::optional(*same->rows + *one.rows) : std::nullopt;
      same->checks.push_back(&check);
      return;
    }
    for (const PathReport& path : check.plan->paths) {
      for (const Reason& reason : path.reasons) add_use(check, path, reason, tables_.size());
    }
    one.checks = {&check};
    tables_.push_back(std::move(one));
  }

  /// Only a check is about a conversion; other reports are a line of the table.
  template <typename Found>
  void add_table(const Found& found, size_t /*number*/) {
    const Report report = report_of(found);
    tables_.push_back({.names = {report.left_name},
                       .target = report.right_name,
                       .rows = {},
                       .columns = {},
                       .state = report.fails ? State::Stopped : State::Ready,
                       .summary = report.summary});
  }

  /// Returns who has accepted a finding, and until when; the path and the rule if it is not
  /// accepted.
  static std::string decided(const Check& check, const PathReport& path, const Reason& reason) {
    const std::string text = path.path.text();
    return accepted(check.accepted, text, reason.rule) != nullptr
               ? statement_of(check, path, reason).hint
               : fmt::format("{} {}", text, reason.rule);
  }

  void add_use(const Check& check, const PathReport& path, const Reason& reason, size_t number) {
    Use& use = uses_[reason.rule];
    const std::string text = path.path.text();
    // A reason that changes neither values nor a label is about the type.
    const bool is_type = reason.values == hub::Values::Kept && reason.label.empty();
    const Verdict verdict = hub::verdict_of(
        reason.values, is_type ? path.type : hub::TypeKept::Self, !reason.label.empty());
    use.verdict = std::max(use.verdict, verdict);
    use.paths[number].push_back(text.empty() ? std::string(kTablePath) : visible(text));
    if (use.example.empty()) use.example = visible(reason.witness);
    if (accepted(check.accepted, text, reason.rule) != nullptr) {
      use.accepted.insert(decided(check, path, reason));
    } else {
      ++use.open;
      use.fails = use.fails || verdict >= check.fail_on;
    }
  }

  size_t count(std::optional<State> state = std::nullopt) const {
    size_t out = 0;
    for (const Table& table : tables_) {
      if (!state || table.state == *state) out += table.names.size();
    }
    return out;
  }

  void head() {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"generator\" content=\"xwalk\">\n<title>{0}</title>\n<style>\n{1}\n"
        "main h3{{margin:1.2rem 0 .2rem;font-size:1rem}}main p,main dl{{margin:.2rem 0}}\n"
        "main dt{{float:left;clear:left;width:9rem;color:var(--faint)}}"
        "main dd{{margin:0 0 .2rem 9rem;overflow-wrap:anywhere}}\n"
        "@media print{{main section{{break-inside:avoid}}}}\n</style>\n</head>\n<body>\n"
        "<header>\n<p class=\"eyebrow\">Report on a migration</p>\n<h1>{0}</h1>\n",
        shown_markup(visible(shown_name(set_.name))), kPageStyle);
    add("<p class=\"lead\">{}: {} ready, {} with a decision to make, {} that {} not pass the "
        "check.</p>\n",
        counted(count(), "table"), grouped(count(State::Ready)), grouped(count(State::Decide)),
        grouped(count(State::Stopped)), count(State::Stopped) == 1 ? "does" : "do");
    out_ +=
        "<p class=\"sum\">Ready: every value is kept. Values that do not fit are rejected and "
        "counted; they never change without a decision.</p>\n</header>\n<main>\n";
  }

  void tables() {
    out_ +=
        "<h2>Tables by severity</h2>\n<table class=\"legend\">\n<thead><tr>"
        "<th scope=\"col\">Table</th><th scope=\"col\">Becomes</th>"
        "<th scope=\"col\" class=\"count\">Rows</th><th scope=\"col\" class=\"count\">Columns</th>"
        "<th scope=\"col\">State</th><th scope=\"col\">Columns by verdict</th></tr></thead>\n"
        "<tbody>\n";
    std::vector<const Table*> order;
    for (const Table& table : tables_) order.push_back(&table);
    std::ranges::stable_sort(order, std::ranges::greater(), &Table::state);
    const auto number = [](const std::optional<uint64_t>& known) {
      return known ? grouped(*known) : std::string("—");
    };
    for (const Table* table : order) {
      const ShownState state = shown(table->state);
      add("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"count\">{}</td>"
          "<td class=\"count\">{}</td><td><strong style=\"color:var(--{})\">{}</strong></td>"
          "<td>{}</td></tr>\n",
          names_of(*table), shown_markup(table->target), number(table->rows),
          number(table->columns), state.colour, state.name, shown_markup(table->summary));
    }
    out_ += "</tbody>\n</table>\n";
  }

  /// Returns the name of a table, or a list that opens.
  static std::string names_of(const Table& table) {
    const std::string name = fmt::format("<bdi>{}</bdi>", shown_markup(table.name()));
    if (table.names.size() == 1) return name;
    std::string list;
    for (const std::string& one : table.names) {
      list += fmt::format("<li><bdi>{}</bdi></li>", shown_markup(one));
    }
    return fmt::format("<details><summary>{}</summary><ul>{}</ul></details>", name, list);
  }

  void problems() {
    if (set_.problems.empty()) return;
    out_ += "<h2>Not checked, or out of date</h2>\n<ul>\n";
    for (const Problem& problem : set_.problems) {
      add("<li><bdi>{}</bdi>: {}</li>\n", shown_markup(visible(shown_name(problem.subject))),
          shown_markup(visible(shown_text(problem.text))));
    }
    out_ += "</ul>\n";
  }

  static bool is_to_decide(const Use& use) { return use.fails || use.verdict >= Verdict::Checked; }

  /// The rules that need a decision, worst first, or the others.
  void uses(bool to_decide) {
    std::vector<std::pair<std::string_view, const Use*>> order;
    for (const auto& [rule, use] : uses_) {
      if (is_to_decide(use) == to_decide) order.emplace_back(rule, &use);
    }
    std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& one) {
      return std::pair(one.second->fails, one.second->verdict);
    });
    if (order.empty() && !to_decide) return;
    add("<h2>{}</h2>\n", to_decide ? "What is lost or rejected, and who decides"
                                   : "For information: every value is kept");
    if (order.empty()) out_ += "<p>Nothing is lost, and nothing must be decided.</p>\n";
    for (const auto& [rule, use] : order) section(rule, *use);
  }

  void section(std::string_view slug, const Use& use) {
    const hub::Rule& rule = *std::ranges::lower_bound(rules(), slug, {}, &hub::Rule::slug);
    add("<section>\n<h3>{}</h3>\n<p>{}</p>\n<dl>\n",
        shown_markup(hub::spelled(rule.meaning, hub::Interface::Program)),
        shown_markup(hub::spelled(rule.advice, hub::Interface::Program)));
    for (const auto& [table, paths] : use.paths) {
      const size_t shown = std::min(paths.size(), kColumnsOfRule);
      std::string names = join(
          std::vector<std::string>(paths.begin(), paths.begin() + static_cast<ptrdiff_t>(shown)),
          ", ");
      if (paths.size() > shown) names += fmt::format(" and {} more", grouped(paths.size() - shown));
      item("Columns", tables_.size() == 1 ? names
                                          : fmt::format("{} → {}: {}", tables_[table].name(),
                                                        tables_[table].target, names));
    }
    if (!use.example.empty()) item("Example value", use.example);
    Decision decision = decision_on(use.verdict);
    if (use.fails && decision.question.empty()) {
      decision = {"Is this difference acceptable?", "the owner of the check"};
    }
    if (use.open > 0 && !decision.question.empty()) {
      item("To decide", decision.question);
      item("Decided by", decision.who);
    }
    for (const std::string& text : use.accepted) item("Decided", text);
    item("Rule", fmt::format("{} ({})", slug, hub::to_string(use.verdict)));
    out_ += "</dl>\n</section>\n";
  }

  void item(std::string_view name, std::string_view text) {
    add("<dt>{}</dt><dd>{}</dd>\n", name, shown_markup(text));
  }

  /// What reading the rows found.
  void evidence() {
    out_ += "<h2>Evidence from rows</h2>\n";
    bool any = false;
    for (const Table& table : tables_) {
      uint64_t read = 0;
      uint64_t refused = 0;
      bool has_rows = false;
      for (const Check* check : table.checks) {
        if (!check->rows) continue;
        has_rows = true;
        read += check->rows->read;
        refused += check->rows->rejected;
      }
      if (!has_rows) continue;
      any = true;
      add("<p><bdi>{}</bdi>: {} read, {} would be rejected.</p>\n", shown_markup(table.name()),
          counted(read, "row"), grouped(refused));
      for (size_t i = 0; i < table.checks.size(); ++i) refused_in(table, i);
    }
    if (!any) {
      out_ +=
          "<p>No rows were read: this report is about schemas. <code>--rows</code> counts the "
          "rows that do not fit.</p>\n";
    }
  }

  /// Lists what one table of several rejects.
  void refused_in(const Table& table, size_t number) {
    const std::optional<Rows>& rows = table.checks[number]->rows;
    if (!rows) return;
    for (const PathRows& path : rows->paths) {
      if (path.rejected == 0) continue;
      const std::string name = table.names.size() == 1 ? "" : table.names[number] + ", ";
      add("<p class=\"note\">{}{}: {} rejected. The first: {}</p>\n", shown_markup(name),
          shown_markup(visible(path.path.text())), counted(path.rejected, "row"),
          shown_markup(visible(path.first)));
    }
  }

  const ReportSet& set_;
  std::vector<Table> tables_;
  std::map<std::string_view, Use> uses_;
  std::string out_;
};

}  // namespace

std::string print_management(const ReportSet& set) { return ManagementPage(set).print(); }

}  // namespace xwalk::crosswalk
