#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::io {

/// A schema given for an output, in the notation of its system: a file or the text.
struct SchemaArgument {
  std::string argument;
  /// The option that gave it: TargetSchema, or Message for Parquet alone.
  hub::Option option = hub::Option::TargetSchema;
};

/// The options of a conversion.
struct ConvertOptions {
  /// The options that the caller gave: those that neither format takes are refused.
  std::set<hub::Option> given;
  InputOptions input;
  OutputOptions output;
  /// Callbacks for progress and bad rows, how many bad rows to accept, when to stop;
  /// `skip_bad_rows` applies to reading, too.
  PipelineOptions pipeline;
  crosswalk::PlanOptions plan;
  /// Accepts altered values.
  bool allow_lossy = false;
  /// The schema of the output. Without it `input.schema` is used if the rows contain their schema
  /// and the output's do not, or if it is the format of a Skiff output.
  using Target = std::variant<std::monostate, SchemaArgument, crosswalk::AnySchema>;
  Target target;
  /// What the rows mean that have this schema already; see RowsThere.
  std::optional<hub::Schema> meaning;
  /// A file for rejected rows, with their reasons; see RejectFile.
  std::optional<std::string> rejects;
  /// Called once the input is open.
  std::function<void(const Input&)> on_open;
};

}  // namespace xwalk::io
