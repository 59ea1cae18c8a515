#pragma once

#include <cstddef>
#include <memory>

#include "xwalk/convert/convert_options.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"
#include "xwalk/skiff/table.h"

// Plans of rows with all options of a conversion, for `convert`, `check` and rows read as Arrow.

namespace xwalk::io {

struct Destination;

/// Checks the options of both ends, and sets how an input is read for an output of a system, before
/// it is opened (`input.plan`). Values that Arrow cannot hold keep the bytes of Parquet from
/// Parquet to Parquet, if the types follow from the input's. If the output has YTsaurus's types,
/// the control attributes of streams are read too, and columns of the output's schema are looked
/// for in
/// `$other_columns`. Throws Error (Usage).
void set_reading(crosswalk::System target, ConvertOptions* options);

/// Returns true if values that Parquet stores in 12 bytes can stay in that form: the output is of
/// the same schema, in a file of its own.
bool keeps_stored(const ConvertOptions& options);

/// Returns the options of a plan for rows that are read and written with these options.
crosswalk::PlanOptions planning_of(const ConvertOptions& options);

/// Plans the conversion of rows with a schema to a system as `convert` does, to the schema of the
/// output if one is given. Does not ask for consent. `stream` is the schema of Skiff rows, whose
/// special columns are no columns of `hub`. Throws as `convert` does.
crosswalk::Plan plan_conversion(crosswalk::System source, const hub::Schema& hub,
                                crosswalk::System target, const ConvertOptions& options,
                                const skiff::Schema* stream = nullptr);

/// Refuses a plan with a finding that fails and is not accepted. Throws Error (Unsupported) with
/// its path; a Refusal where consent would do.
void ask_consent(const crosswalk::Plan& plan, const ConvertOptions& options);

/// Gives existing rows the columns that `rows` of a system have and they do not; see `evolve`. The
/// types are those that a new output would have.
hub::Findings evolve_rows(crosswalk::System source, const hub::Schema& rows,
                          const ConvertOptions& options, Destination* output);

/// Plans the conversion of an input's rows to a system, and asks for consent. Throws as `convert`
/// does.
crosswalk::Plan plan_rows(const Input& input, crosswalk::System target,
                          const ConvertOptions& options);

/// Plans rows of a system as Arrow with the names and types of the options; nothing if the options
/// leave the rows unchanged. Throws Error as `plan_rows`.
std::optional<crosswalk::Plan> plan_shape(const hub::Schema& rows, crosswalk::System source,
                                          const ConvertOptions& options);

/// Returns the rows of that plan, or the unchanged rows. Bad rows come with their pieces.
std::unique_ptr<SplitReader> shaped(std::unique_ptr<SplitReader> rows, crosswalk::System source,
                                    const ConvertOptions& options);

/// Returns the layout of a table of a Skiff stream; an empty one if the stream has no such table.
skiff::TableLayout layout_of(const skiff::Schema& stream, size_t table);

/// Adds the control columns of a Skiff stream to a plan: a Skiff output whose schema follows from
/// the input's keeps them, and any other reports that they are lost.
void plan_controls(const skiff::TableLayout& from, bool given, const ConvertOptions& options,
                   crosswalk::Plan* plan);

/// Returns the findings of an input's reader that are in no schema.
hub::Findings notes_of(const SplitReader& reader);

/// Returns the notes without those about control columns that the output of a plan keeps.
hub::Findings lost_notes(hub::Findings notes, const crosswalk::Plan& plan,
                         const OutputOptions& output);

}  // namespace xwalk::io
