#pragma once

#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <variant>

#include "xwalk/crosswalk/proof.h"
#include "xwalk/crosswalk/report_set.h"
#include "xwalk/python/schema.h"

namespace xwalk::python {

/// What `check` found.
struct Checked {
  crosswalk::Plan plan;
  /// All but the plan, whose place changes.
  crosswalk::Check check;
};

/// What `compat` found, with the schemas that its report shows.
struct Compared {
  crosswalk::Compat compat;
  Schema older;
  Schema newer;
  std::string old_name;
  std::string new_name;
  crosswalk::CompatMode mode = crosswalk::CompatMode::Backward;
};

/// What `diff` found.
struct Differing {
  crosswalk::Diff diff;
  std::string left_name;
  std::string right_name;
};

/// Reports on several tables, and what they refer to.
struct Tables {
  std::shared_ptr<const void> owner;
  crosswalk::ReportSet set;
};

/// A report of any of the six, as Python holds it; printed in every form from here.
struct Report {
  std::variant<Checked, Compared, Differing, crosswalk::RowDiff, Tables, crosswalk::Proof> found;
  /// The shape that most writers share, made when it is first asked for.
  mutable std::optional<crosswalk::Report> lines;
};

/// Makes the report on a plan.
Report checked(crosswalk::Plan plan, std::string name, hub::Findings notes = {});

void bind_report(nanobind::module_& module);

}  // namespace xwalk::python
