#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"
#include "xwalk/crosswalk/rooms.h"

namespace xwalk::cli {

/// A schema that was found in an input, in its own system's model and as the hub sees it.
struct SchemaInput {
  crosswalk::System system = crosswalk::System::Arrow;
  crosswalk::AnySchema schema;
  /// With the annotations that the input keeps beside the schema (ARROW:schema of Parquet).
  hub::Schema hub;
};

/// Returns the system of a word on the command line. Throws Error (Usage) with the words there are.
crosswalk::System system_argument(const std::string& option, const std::string& word);

/// Whether a schema must mean something to the hub, or is only to be shown in its own words: then
/// `hub` may be empty, and the person is told why.
enum class Meaning : uint8_t { Needed, IfAny };

/// Reads the schema of a data file (natively, no engine), of a schema file in any form, or of
/// standard input for "-". Rows without a schema of their own take it as `convert` does.
SchemaInput read_schema_input(const std::string& path, const RowOptions& options, Session& session,
                              Meaning meaning = Meaning::Needed);

/// Returns a schema in a written form, "" for its system's first. As JSON it stands in an object
/// beside its system's name and a summary, if any: as text, or in base64 where the form is binary.
std::string written_schema(const crosswalk::AnySchema& schema, const std::string& form,
                           bool as_json, const std::string& summary = "");

/// Reads one type from text, of the system given or else of the first whose syntax fits.
SchemaInput parse_type_input(std::optional<crosswalk::System> system, std::string_view text);

}  // namespace xwalk::cli
