#pragma once

#include <nanobind/nanobind.h>
#include <optional>
#include <string>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/open.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::python {

/// What the keyword arguments of the module's functions say.
struct Options {
  io::InputOptions input;
  io::OutputOptions output;
  io::PipelineOptions pipeline;
  crosswalk::PlanOptions plan;
  bool allow_lossy = false;
};

/// Reads keyword arguments; those of `None` are as if they were not given. Throws Error (Usage) for
/// a name or a word that is not known.
Options read_options(const nanobind::dict& given);

}  // namespace xwalk::python
