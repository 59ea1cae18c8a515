#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

/// Returns the format an output will have.
Format output_format(const Location& path, const OutputOptions& options);

/// Refuses rows of a system that mean something else than those they are added to. Throws Error
/// (Usage) naming `path`.
void check_same_columns(crosswalk::System system, const RowsThere& there, const hub::Schema& rows,
                        const Location& path);

/// Decides where rows go, depending on what exists under the output's name. An existing output is
/// refused, unless the mode allows it: Overwrite replaces a file and makes a new version of a Lance
/// dataset; Append adds to a Lance dataset, to a file of YSON or Skiff rows that has its schema
/// next to it, and as one more file to a folder of Parquet or Arrow files. An output that is one of
/// `options.inputs`, under any name, is always refused. Standard output, pipes and devices are
/// written in place. Throws Error (Io) that lists the alternatives.
OutputPlace output_place(const Location& path, const OutputOptions& options);

/// An output that was examined once, before rows are planned for it.
struct Destination {
  Location path;
  Format format;
  /// The file or dataset to write; nothing for a folder by the values of columns.
  OutputPlace place;
  /// The existing files of the folder.
  InputFiles there;

  /// Returns the existing rows that others are added to, if any.
  const RowsThere* rows() const { return place.rows ? &*place.rows : nullptr; }
};

/// Finds out where an output is, what exists there, and which version of files it gets, which goes
/// into the options. Throws Error as `output_place` and `folder_place`, and Usage for another
/// version than that of existing rows.
Destination locate(const Location& path, OutputOptions* options, crosswalk::PlanOptions* plan);

/// Returns the index of each column among those of the existing rows; empty for a column that they
/// do not have. `plan` has new names for columns.
std::vector<std::optional<size_t>> places_there(const hub::Schema& rows,
                                                const crosswalk::AnySchema& there,
                                                const crosswalk::PlanOptions& plan);

/// Returns what to do about a column that existing rows of a system do not have. `selects` is true
/// if the user chose the columns by name.
std::string ways_with_column(crosswalk::System system, bool selects);

/// Returns the columns that existing rows do not have (`member.left-out`), so that they cannot be
/// appended. `selects` is true if the user chose the columns by name.
hub::Findings unknown_columns(const hub::Schema& rows, const crosswalk::AnySchema& there,
                              const crosswalk::PlanOptions& plan, bool selects);

/// Gives existing rows the columns that they do not have, none of them required, and columns the
/// wider types that the output's format allows. Returns a note on each (`member.added`,
/// `type.widened`). `added` are the rows that are added, with the types of the output's system.
/// Throws Error (Unsupported) for an output to whose rows no column can be added.
hub::Findings evolve(Destination* output, const hub::Schema& added, const StorageOptions& storage);

/// Returns whether values of a column can be added to an existing column of a system as they are.
bool is_same_column(crosswalk::System system, const hub::Field& there, const hub::Field& added);

/// Throws a finding against adding rows to an output as Error (Unsupported) with the path.
[[noreturn]] void refuse_addition(const std::string& output, const hub::Finding& finding);

/// Refuses rows with columns that the existing rows do not have. `plan` has new names for their
/// columns. Throws Error (Unsupported) with the path.
void check_added_columns(const Destination& output, const hub::Schema& rows,
                         const crosswalk::PlanOptions& plan, bool selects);

/// Decides whether an output may be a folder of several files under a name, and returns the files
/// there: nothing may be there with Create, only files of rows with the other two, and none of the
/// inputs. Throws Error (Io) with the ways on.
InputFiles folder_place(const Location& folder, const OutputOptions& options);

/// Refuses an output that is one of the inputs. Throws Error (Usage).
void check_is_no_input(const Location& output, const Locations& inputs);
/// Refuses an output other than rows, such as one of rejected rows, that is one of the inputs or
/// would get the name of another output. Throws Error (Io, Usage).
void check_other_output(const Location& path, const Location& rows_path,
                        const OutputOptions& options);

}  // namespace xwalk::io
