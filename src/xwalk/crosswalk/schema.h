#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns the names of all systems.
std::vector<std::string> system_names();
/// Returns the system with a name, if any.
std::optional<System> parse_system(std::string_view word);
/// The same for a required system. Throws Error (Usage) that lists the systems.
System system_of_word(std::string_view word);

/// Returns the Arrow schema of a schema, annotated.
hub::Schema to_arrow(const AnySchema& schema);

/// Returns the schema of a system for an Arrow schema: lowered to the system's types, then mapped
/// exactly. `refused` gets columns without a mapping; throws the first if it is null.
hub::FromArrow<AnySchema> from_arrow(System system, const hub::Schema& schema,
                                     hub::Refused* refused = nullptr);

/// Prints a schema in one of its system's forms, by default the first. Throws Error (Usage) for an
/// unknown form.
std::string print_schema(const AnySchema& schema, std::string_view form = {});
/// Returns what of a schema a form has no place for, as a line for each. Throws as above.
std::vector<std::string> lost_in_form(const AnySchema& schema, std::string_view form);
/// Returns the names of the forms of a system's schemas, the default first.
std::vector<std::string> form_names(System system);
/// Returns whether a form of a system's schemas is bytes, not text. Throws as above.
bool is_binary_form(System system, std::string_view form);
/// Parses a schema in any form of a system, or one type in its notation, which becomes the only
/// column. Throws Error (Input).
AnySchema parse_schema(System system, std::string_view bytes);

/// Refuses a schema that the system's software refuses. Throws Error (Input) with the path for the
/// first rule that is broken.
void check_schema(const AnySchema& schema);

/// Parses one type in its system's notation: `Optional<Int64>`, `variant8<nothing;int64>`,
/// `optional int64 t (TIMESTAMP(MICROS,true))`, `decimal:128:20:4`, `list(i32?)`, `timestamp[us,
/// tz=UTC]`. A schema of the system is accepted as well. Throws Error (Input).
AnySchema parse_type(System system, std::string_view text);

/// Parses text whose system is not named, with `parse_schema` or `parse_type`: the first system
/// whose syntax fits, most specific syntax first. Empty if none fits.
using Parse = AnySchema (*)(System, std::string_view);
std::optional<AnySchema> parse_guessing(Parse parse, std::string_view text);

/// Parses a schema of the named system, or of the first one whose syntax fits. Throws Error (Input,
/// or Usage for the name).
AnySchema parse_schema_of(std::optional<std::string_view> system, std::string_view text);

/// Returns the error about text that is not a schema of any system.
Error unknown_schema(Place place);

/// Returns the type of one hub field in the notation of a system that can hold it, else in Arrow's
/// notation.
std::string type_text(System system, const hub::Field& field);

}  // namespace xwalk::crosswalk
