#include "xwalk/python/report.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <vector>

#include "xwalk/python/reading_report.h"
#include "xwalk/python/report_state.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

nb::tuple side(const std::optional<report::ReportSide>& side) {
  return side ? nb::make_tuple(side->path, side->type) : nb::make_tuple("", "");
}

/// Each line as (left path and type, right path and type, grade, remarks), for the caller's own
/// table.
nb::list lines(const Report& report) {
  const report::Report& all = report.lines();
  nb::list out;
  for (const report::ReportLine& line : all.lines) {
    nb::list remarks;
    for (const report::Statement& statement : line.statements) {
      remarks.append(nb::make_tuple(statement.rule, statement.text));
    }
    out.append(
        nb::make_tuple(side(line.left), side(line.right), all.grades[line.grade].word, remarks));
  }
  return out;
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<Report>(module, "Report")
      .def_prop_ro("kind", [](const Report& self) { return self.lines().kind; })
      .def_prop_ro("grades",
                   [](const Report& self) {
                     std::vector<std::string> names;
                     for (const auto& grade : self.lines().grades) names.push_back(grade.word);
                     return names;
                   })
      .def_prop_ro("grade", &Report::grade_word)
      .def_prop_ro("fails", &Report::fails)
      .def_prop_ro("summary", &Report::summary)
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
      .def(
          "text",
          [](const Report& self, int width, bool all) {
            return self.text({.width = width, .all = all});
          },
          nb::arg("width"), nb::arg("all"))
      .def("json", &Report::json)
      .def(
          "form",
          [](const Report& self, const std::string& word) {
            return io::print(self, io::parse_report_form(word));
          },
          nb::arg("word"))
      .def("lines", lines,
           nb::sig("def lines(self) -> list[tuple[tuple[str, str], tuple[str, str], str, "
                   "list[tuple[str, str]]]]"));
}

}  // namespace xwalk::python
