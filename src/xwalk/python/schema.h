#pragma once

#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/plan.h"

namespace xwalk::python {

/// A schema of any system, as Python holds it.
struct Schema {
  crosswalk::System system = arrow::kModule;
  crosswalk::AnySchema value;
  /// As the hub sees it, with what its rows say beside it.
  hub::Schema hub;
  /// Of several files that it was read from.
  io::FileNotes file_notes;
};

Schema make_schema(crosswalk::AnySchema value);

/// The names of one side of a comparison, and the options it is read with.
using Side = std::pair<std::vector<std::string>,
                       nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>>;

/// Reads the tables of two sides as `io::read_pairs` does, and warns of schemas that were inferred.
/// `format` is the system of both, if given.
std::shared_ptr<io::PairedTables> read_pairs(const Side& left, const Side& right,
                                             const std::optional<std::string>& format);

void bind_schema(nanobind::module_& module);

}  // namespace xwalk::python
