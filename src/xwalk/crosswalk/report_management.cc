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

/// A report of the set.
struct Table {
  std::string name;
  std::string target;
  std::optional<uint64_t> rows;
  std::optional<uint64_t> columns;
  State state = State::Ready;
  std::string summary;
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
    Table& table = tables_.emplace_back();
    table.name = visible(shown_name(check.name));
    table.target = check.target();
    table.columns = check.plan->source_hub.fields.size();
    if (check.rows) {
      table.rows = check.rows->read;
    } else if (number < set_.recorded_rows.size()) {
      table.rows = set_.recorded_rows[number];
    }
    table.summary = visible(summary(*check.plan));
    for (const PathReport& path : check.plan->paths) {
      if (open_verdict(check, path) >= Verdict::Checked) table.state = State::Decide;
      for (const Reason& reason : path.reasons) add_use(check, path, reason, number);
    }
    if (check.fails()) table.state = State::Stopped;
  }

  /// Only a check is about a conversion; other reports are a line of the table.
  template <typename Found>
  void add_table(const Found& found, size_t /*number*/) {
    const Report report = report_of(found);
    tables_.push_back({report.left_name,
                       report.right_name,
                       {},
                       {},
                       report.fails ? State::Stopped : State::Ready,
                       report.summary});
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
      use.accepted.insert(statement_of(check, path, reason).hint);
    } else {
      ++use.open;
      use.fails = use.fails || verdict >= check.fail_on;
    }
  }

  size_t count(State state) const {
    return static_cast<size_t>(std::ranges::count(tables_, state, &Table::state));
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
        counted(tables_.size(), "table"), grouped(count(State::Ready)),
        grouped(count(State::Decide)), grouped(count(State::Stopped)),
        count(State::Stopped) == 1 ? "does" : "do");
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
      add("<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td><td class=\"count\">{}</td>"
          "<td class=\"count\">{}</td><td><strong style=\"color:var(--{})\">{}</strong></td>"
          "<td>{}</td></tr>\n",
          shown_markup(table->name), shown_markup(table->target), number(table->rows),
          number(table->columns), state.colour, state.name, shown_markup(table->summary));
    }
    out_ += "</tbody>\n</table>\n";
  }

  void problems() {
    if (set_.problems.empty()) return;
    out_ += "<h2>Not checked, or out of date</h2>\n<ul>\n";
    for (const Problem& problem : set_.problems) {
      add("<li><bdi>{}</bdi>: {}</li>\n", shown_markup(visible(shown_name(problem.subject))),
          shown_markup(visible(shown_name(problem.text))));
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
                                          : fmt::format("{} → {}: {}", tables_[table].name,
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
    for (size_t i = 0; i < set_.reports.size(); ++i) {
      const auto* check = std::get_if<Check>(&set_.reports[i]);
      if (check == nullptr || !check->rows) continue;
      any = true;
      add("<p><bdi>{}</bdi>: {} read, {} would be rejected.</p>\n", shown_markup(tables_[i].name),
          counted(check->rows->read, "row"), grouped(check->rows->rejected));
      for (const PathRows& path : check->rows->paths) {
        if (path.rejected == 0) continue;
        add("<p class=\"note\">{}: {} rejected. The first: {}</p>\n",
            shown_markup(visible(path.path.text())), counted(path.rejected, "row"),
            shown_markup(visible(path.first)));
      }
    }
    if (!any) {
      out_ +=
          "<p>No rows were read: this report is about schemas. <code>--rows</code> counts the "
          "rows that do not fit.</p>\n";
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
