#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

struct KeptInput;

/// A schema that was found in an input, in its own system's model and as the hub sees it.
struct SchemaInput {
  crosswalk::System system = arrow::kModule;
  crosswalk::AnySchema schema;
  /// With the annotations that the input keeps in addition to the schema (ARROW:schema of Parquet).
  hub::Schema hub;
  /// Why `hub` is empty, if the schema need not be mappable.
  std::optional<Error> meaningless;
  /// Of several files.
  FileNotes file_notes;
};

/// Whether a schema must be mappable to the hub, is only printed in its own notation, or is
/// accepted even if its system refuses it.
enum class Meaning : uint8_t { Needed, IfAny, Unchecked };

/// Reads the schema of a data file (natively, no engine), of a schema file in any form, or of
/// standard input for "-". `system` is the system of a schema file's notation, by default detected.
/// Rows that do not contain a schema get it as in `convert`. Throws Error.
SchemaInput read_schema(const Location& path, std::optional<crosswalk::System> system = {},
                        const InputOptions& options = {}, Meaning meaning = Meaning::Needed,
                        std::vector<Error>* faults = nullptr);

/// The same for the rows of several data files, as `open_input` takes them; one path may be any of
/// the above. Every file is opened: with `faults`, the errors of files after the first that cannot
/// be read or have another schema go there; without, the first of them is thrown. Uses the files
/// and bytes that `kept` has.
SchemaInput read_schema(const Locations& paths, std::optional<crosswalk::System> system = {},
                        const InputOptions& options = {}, Meaning meaning = Meaning::Needed,
                        std::vector<Error>* faults = nullptr, KeptInput* kept = nullptr);

/// Opens every file of an input after the first, as reading its rows does when it comes to the
/// file, but without an engine program. Errors of files that cannot be read or have another schema
/// go to `faults`; without it, the first of them is thrown. Returns the schema of the rows with the
/// metadata that all files have in common; `notes` gets findings on the rest.
hub::Schema check_alike(const Input& input, const InputOptions& options, std::vector<Error>* faults,
                        hub::Findings* notes = nullptr);

/// The same for data files that were found already. With `alike`, they are known to have one
/// schema, and only the first is opened.
SchemaInput read_schema(InputFiles found, const InputOptions& options, bool alike,
                        KeptInput* kept = nullptr);

/// The same for the bytes of a file; errors name `path`.
SchemaInput read_schema_of(std::string_view contents, const Location& path,
                           std::optional<crosswalk::System> system, const InputOptions& options,
                           Meaning meaning);

/// The same for text that is not a path. Throws Error (Input).
SchemaInput parse_schema_input(std::optional<crosswalk::System> system, std::string_view text);

/// Returns true if `read_schema` reads a file as a schema: it is not known as rows by its name, by
/// its first bytes, or by a table schema that describes it. Throws Error (Io).
bool is_schema_file(const Location& path, const InputOptions& options);

/// Returns true if an argument is the text of a schema and not a path: every text form has a
/// bracket, a brace, a parenthesis or a space, and no file has that name.
bool is_schema_text(const std::string& argument);

/// Returns the text of a schema argument: a file's contents, or the argument itself if no file has
/// that name and it looks like a schema. Throws Error (Io).
std::string schema_text(const std::string& argument, const StorageOptions& storage = {});

/// Reads one type from text, of the system given or else of the first whose syntax fits.
SchemaInput parse_type_input(std::optional<crosswalk::System> system, std::string_view text);

}  // namespace xwalk::io
