#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/formats/options.h"

// Schemas of rows that have none, inferred from their values: once for all files of an input,
// before the first is opened.
namespace xwalk::io {

/// Infers one schema from all files that have none, and puts it into the options. Does nothing for
/// rows with a schema, and for rows that can be read only once. `listed` says that the files were
/// found in folders. Throws Error.
void infer_first(const Locations& files, bool listed, InputOptions* options);

/// Returns a path with one `#` for each run of digits: files of one such path are parts of one
/// table.
std::string without_digits(std::string_view path);

/// The inferred schemas of files that are opened one by one: one schema for all parts of a table.
class SchemasOfParts {
 public:
  /// `listed` is that of `infer_first`.
  SchemasOfParts(const Locations& files, bool listed);

  /// Puts the schema of the table that a file is a part of into the options, if the file has none.
  /// Throws as `infer_first`.
  void set_schema_of(const Location& file, InputOptions* options);

 private:
  struct Table {
    Locations files;
    std::shared_ptr<const InferredSchema> schema;
  };

  bool listed_;
  std::map<std::string, Table> tables_;
};

/// Infers the schema of one source. Throws Error.
std::shared_ptr<const InferredSchema> infer_schema(const RowFormat& format, Source& source,
                                                   const InputOptions& options);

/// Refuses rows whose schema would have to be inferred: throws Error (Input) naming the rows, and
/// schema files with close names.
[[noreturn]] void refuse_inferring(const Location& path, const Source* opened);

/// Saves the table schema that an input is read by, if the options ask for it. A file that has the
/// same schema stays. Throws Error: Io for another file of that name, Usage for an input of several
/// schemas.
void save_schema(const Input& input, const InputOptions& options);

/// Returns a note on integers that no type holds: "integers beyond 64 bits are rejected in a, b.c".
std::string note_of_beyond(const InferredSchema& inferred);

/// Returns the finding on an inferred schema: what it was inferred from, and which files may be
/// meant instead.
hub::Finding finding_of(const InferredSchema& inferred);

/// Reports in a plan that the types of its source were inferred, if `notes` say so.
void mark_inferred(const FileNotes& notes, crosswalk::Plan* plan);

}  // namespace xwalk::io
