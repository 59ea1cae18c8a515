#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/cli/json.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/session.h"
#include "xwalk/convert/tables.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::cli {

/// Whether an inferred schema is shown in a message, or in the output of the command.
enum class Inferred : uint8_t { InNote, InOutput };

/// Reports on the files of an input, whose first is `name`: a schema that was inferred, files of a
/// folder that are not read, and the changes to the schema of each file if they were unified.
void tell_files(const std::string& name, const io::FileNotes& notes, Session& session,
                Inferred inferred = Inferred::InNote);

/// Has a conversion report its files and its progress, and end when the person interrupts it.
void show_work(io::ConvertOptions* options, ProgressLine& line, Session& session);

/// Opens rows and reports their schema, if it was inferred, and their files.
io::Input open_rows(const io::Locations& paths, const io::InputOptions& options, Session& session);

/// Reads a schema as `io::read_schema` does, with the options of rows, and tells the person what
/// they should know of it.
io::SchemaInput read_schema(const io::Locations& paths, const io::OptionTokens& tokens,
                            Session& session, io::Meaning meaning = io::Meaning::Needed,
                            Inferred inferred = Inferred::InNote);

/// The same with what `convert` reads the rows with.
io::SchemaInput read_schema(const io::Locations& paths, const io::OptionTokens& tokens,
                            const io::InputOptions& reading, Session& session,
                            io::Meaning meaning = io::Meaning::Needed,
                            Inferred inferred = Inferred::InNote);

/// Makes room for the schemas and reports of a wide table, if a file has one.
void prepare_for(const io::Locations& paths);

/// Prints on standard error what people should know of a schema that was read.
void tell_schema(const std::string& path, const io::SchemaInput& input, Inferred inferred,
                 Session& session);

/// Prints the problems of an input's files on standard error, one line per problem.
void tell_problems(const std::vector<report::Problem>& problems, Session& session);
/// Returns the same as JSON.
Json problems_json(const std::vector<report::Problem>& problems);

/// Reads the tables of two inputs that are compared, and prints what people should know of their
/// schemas.
std::unique_ptr<io::PairedTables> read_pairs(const std::string& left,
                                             const io::OptionTokens& left_options,
                                             const std::string& right,
                                             const io::OptionTokens& right_options,
                                             Session& session);
/// Returns the system named on the command line. Throws Error (Usage) that lists the systems.
crosswalk::System system_argument(const std::string& option, const std::string& word);

/// Returns the system that --from names, if any. Throws Error (Usage) with the words there are.
std::optional<crosswalk::System> source_system(const io::OptionTokens& tokens);

/// Returns true for a note that even --quiet prints: other readers see other values in a map that
/// repeats a key.
bool is_about_values(const hub::Finding& note);

/// Prints findings on standard error, one per line.
void print_notes(const hub::Findings& notes, Session& session);

}  // namespace xwalk::cli
