#pragma once

#include <string_view>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/open.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::io {

/// What options say that come by name, as the Python module and the C interface take them.
struct NamedOptions {
  InputOptions input;
  OutputOptions output;
  PipelineOptions pipeline;
  crosswalk::PlanOptions plan;
  bool allow_lossy = false;
};

/// Reads a JSON object of options, named as the program's with underscores: `{"format": "yson",
/// "on_error": "skip", "limit": 10}`. A null is as if it was not given, and so is empty text.
/// Throws Error (Usage) for what is no object, a name or a word that is not known, a value of
/// another type or out of range.
NamedOptions read_named_options(std::string_view json);

}  // namespace xwalk::io
