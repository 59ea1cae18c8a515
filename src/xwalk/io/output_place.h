#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/folder.h"
#include "xwalk/io/open.h"
#include "xwalk/io/sink.h"

namespace xwalk::io {

/// Rows that exist in an output and that others are added to.
struct RowsThere {
  crosswalk::AnySchema schema;
  /// The schema with the types and annotations that the output's own reader gives.
  hub::Schema meaning;
};

/// Where the rows of an output go, once it is clear that they may.
struct OutputPlace {
  /// The file or dataset that is written: the output's path, or one more file of a folder.
  std::string path;
  /// What becomes of a file that is there: none is where this is Create.
  OutputMode mode = OutputMode::Create;
  /// The rows that others are added to: the others must have their schema.
  std::optional<RowsThere> rows;
};

/// Decides where rows go by what stands under the output's name. What is there is refused, unless
/// the mode says otherwise: Overwrite replaces a file and makes a new version of a Lance dataset;
/// Append adds to a Lance dataset, to a file of YSON or Skiff rows that has its schema beside it,
/// and as one more file to a folder of Parquet or Arrow files. An output that is one of
/// `options.inputs`, by whatever name, is always refused. Standard output, pipes and devices are
/// written in place. Throws Error (Io) with the ways on.
OutputPlace output_place(const std::string& path, const OutputOptions& options);

/// Returns the place of each column of rows among those of rows which are there; nothing for one
/// that they do not have. `plan` has new names for columns.
std::vector<std::optional<size_t>> places_there(const hub::Schema& rows,
                                                const crosswalk::AnySchema& there,
                                                const crosswalk::PlanOptions& plan);

/// Returns the columns of rows that rows which are there do not have (`member.left-out`): to those
/// they cannot be added. `selects` tells whether the user chose the columns by name.
hub::Findings unknown_columns(const hub::Schema& rows, const crosswalk::AnySchema& there,
                              const crosswalk::PlanOptions& plan, bool selects);

/// Returns whether values of a column can be added to an existing column of a system as they are.
bool is_same_column(crosswalk::System system, const hub::Field& there, const hub::Field& added);

/// Decides the same for rows of a schema; returns those whose schema they must be given, if any.
/// `plan` has new names for their columns, `given` is true if the caller has named another schema.
/// Throws Error too: Usage if so, Unsupported with the path for a column that the existing rows do
/// not have.
std::optional<RowsThere> rows_to_add_to(const std::string& path, const OutputOptions& options,
                                        const hub::Schema& rows, const crosswalk::PlanOptions& plan,
                                        bool selects, bool given = false);

/// Settles which version of files an output is planned for and written in.
void settle_output_version(const std::string& path, OutputOptions* output,
                           crosswalk::PlanOptions* plan);

/// Decides whether an output may be a folder of several files under a name, and returns the files
/// there: nothing may be there with Create, only files of rows with the other two, and none of the
/// inputs. Throws Error (Io) with the ways on.
InputFiles folder_place(const std::string& folder, const OutputOptions& options);

/// Returns a name for one more file of a folder, which no other writer gives at the same time.
std::string name_of_part(uint64_t number, Format format);

/// Refuses an output other than rows, such as one of rejected rows, that is one of the inputs or
/// would get the name of another output. Throws Error (Io, Usage).
void check_other_output(const std::string& path, const std::string& rows_path,
                        const OutputOptions& options);

}  // namespace xwalk::io
