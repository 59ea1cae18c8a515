#pragma once

#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/convert/facade.h"

namespace xwalk::python {

/// A schema of any system, as Python holds it.
using Schema = io::SchemaInput;

/// The names of one side of a comparison, and the options it is read with.
using Side = std::pair<std::vector<std::string>,
                       nanobind::typed<nanobind::dict, nanobind::str, nanobind::any>>;

/// Reads the tables of two sides as `io::read_pairs` does, and warns of schemas that were inferred.
/// `format` is the system of both, if given.
std::shared_ptr<io::PairedTables> read_pairs(const Side& left, const Side& right,
                                             const std::optional<std::string>& format);

void bind_schema(nanobind::module_& module);

}  // namespace xwalk::python
