#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"
#include "xwalk/io/open.h"
#include "xwalk/io/schema_input.h"

namespace xwalk::cli {

/// Tells the person of a schema that a first pass over the rows has found: a line a column.
void tell_inferred(const std::string& path, yt::TableSchema schema, Session& session);
void tell_inferred(const std::string& path, const io::Input& input, Session& session);

/// Tells the person which files of a folder are not read, and what became of the schema of each
/// where they were unified.
void tell_files(const io::FileNotes& notes, Session& session);

/// Opens rows and tells the person of their schema when it was inferred, and of their files.
io::Input open_rows(const std::vector<std::string>& paths, const io::InputOptions& options,
                    Session& session);

/// Who shows a schema that was inferred: whoever reads it, or the verb, as what it prints.
enum class Inferred : uint8_t { Told, Printed };

/// Reads a schema as `io::read_schema` does, with the options of rows, and tells the person what
/// they should know of it.
io::SchemaInput read_schema(const std::vector<std::string>& paths, const RowOptions& options,
                            Session& session, io::Meaning meaning = io::Meaning::Needed,
                            Inferred inferred = Inferred::Told);

/// The same with what `convert` reads the rows with.
io::SchemaInput read_schema(const std::vector<std::string>& paths, const RowOptions& options,
                            const io::InputOptions& reading, Session& session,
                            io::Meaning meaning = io::Meaning::Needed,
                            Inferred inferred = Inferred::Told);

/// Returns the system of a word on the command line. Throws Error (Usage) with the words there are.
crosswalk::System system_argument(const std::string& option, const std::string& word);

/// Returns the system that --from names, if any. Throws Error (Usage) with the words there are.
std::optional<crosswalk::System> source_system(const RowOptions& options);

/// Names inputs in a report: the first, and how many there are besides.
std::string name_of(const std::vector<std::string>& paths);

/// Prints findings on standard error, one per line.
void print_notes(const hub::Findings& notes, Session& session);

}  // namespace xwalk::cli
