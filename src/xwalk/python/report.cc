#include "xwalk/python/report.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <vector>

#include "xwalk/crosswalk/report_github.h"
#include "xwalk/crosswalk/report_html.h"
#include "xwalk/crosswalk/report_json.h"
#include "xwalk/crosswalk/report_junit.h"
#include "xwalk/crosswalk/report_markdown.h"
#include "xwalk/crosswalk/report_text.h"
#include "xwalk/python/reading_report.h"
#include "xwalk/python/report_state.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

crosswalk::Check view(const Checked& found) {
  crosswalk::Check check = found.check;
  check.plan = &found.plan;
  check.interface = hub::Interface::Python;
  return check;
}

crosswalk::CompatCheck view(const Compared& found) {
  crosswalk::CompatCheck check;
  check.compat = &found.compat;
  check.old_name = found.old_name;
  check.new_name = found.new_name;
  check.old_system = found.older.system;
  check.new_system = found.newer.system;
  check.old_schema = &found.older.hub;
  check.new_schema = &found.newer.hub;
  check.mode = found.mode;
  return check;
}

crosswalk::DiffCheck view(const Differing& found) {
  return {&found.diff, found.left_name, found.right_name};
}

const crosswalk::RowDiff& view(const crosswalk::RowDiff& found) { return found; }

const crosswalk::ReportSet& view(const Tables& found) { return found.set; }

const crosswalk::Proof& view(const crosswalk::Proof& found) { return found; }

/// Calls a function with what the writers of reports take.
template <typename Print>
auto with(const Report& report, Print print) {
  return std::visit([&](const auto& found) { return print(view(found)); }, report.found);
}

const crosswalk::Report& lines_of(const Report& report) {
  if (!report.lines) {
    report.lines = with(report, [](const auto& check) { return crosswalk::report_of(check); });
  }
  return *report.lines;
}

std::string text(const Report& report, int width, bool all) {
  return with(report, [&](const auto& check) {
    return crosswalk::print_text(check, {.width = width, .all = all});
  });
}

std::string json(const Report& report) {
  return with(report, [](const auto& check) { return crosswalk::print_json(check); });
}

std::string form(const Report& report, const std::string& word) {
  const crosswalk::Report& lines = lines_of(report);
  if (word == "html") return crosswalk::print_html(lines);
  if (word == "markdown") return crosswalk::print_markdown(lines);
  if (word == "junit") return crosswalk::print_junit(lines);
  return crosswalk::print_github(lines);
}

nb::tuple side(const std::optional<crosswalk::ReportSide>& side) {
  return side ? nb::make_tuple(side->path, side->type) : nb::make_tuple("", "");
}

/// Each line as (left path and type, right path and type, grade, remarks), for the caller's own
/// table.
nb::list lines(const Report& report) {
  const crosswalk::Report& all = lines_of(report);
  nb::list out;
  for (const crosswalk::ReportLine& line : all.lines) {
    nb::list remarks;
    for (const crosswalk::Statement& statement : line.statements) {
      remarks.append(nb::make_tuple(statement.rule, statement.text));
    }
    out.append(
        nb::make_tuple(side(line.left), side(line.right), all.grades[line.grade].word, remarks));
  }
  return out;
}

}  // namespace

Report checked(crosswalk::Plan plan, std::string name, hub::Findings notes) {
  Checked found{std::move(plan), {}};
  found.check.name = std::move(name);
  found.check.notes = std::move(notes);
  return {std::move(found), {}};
}

void bind_report(nb::module_& module) {
  nb::class_<Report>(module, "Report")
      .def_prop_ro("kind", [](const Report& self) { return lines_of(self).kind; })
      .def_prop_ro("grades",
                   [](const Report& self) {
                     std::vector<std::string> names;
                     for (const auto& grade : lines_of(self).grades) names.push_back(grade.word);
                     return names;
                   })
      .def_prop_ro("grade",
                   [](const Report& self) {
                     const crosswalk::Report& all = lines_of(self);
                     return all.grades[all.grade].word;
                   })
      .def_prop_ro("summary", [](const Report& self) { return lines_of(self).summary; })
      .def("state",
           [](const Report& self) {
             const std::string bytes = write_report(self);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_static(
          "restore",
          [](const nb::bytes& state) {
            return read_report({state.c_str(), state.size()});
          },
          nb::arg("state"))
      .def("changes_of_reading", changes_of_reading, nb::arg("column"), nb::arg("restored"))
      .def("after_reading", after_reading, nb::arg("readings"))
      .def("text", text, nb::arg("width"), nb::arg("all"))
      .def("json", json)
      .def("form", form, nb::arg("word"))
      .def("lines", lines,
           nb::sig("def lines(self) -> list[tuple[tuple[str, str], tuple[str, str], str, "
                   "list[tuple[str, str]]]]"));
}

}  // namespace xwalk::python
