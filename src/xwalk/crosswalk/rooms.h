#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/lance/schema.h"
#include "xwalk/parquet/type.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/type.h"
#include "xwalk/yt/schema.h"

namespace xwalk::crosswalk {

enum class System : uint8_t { Yt, Skiff, Parquet, Lance, Vortex, Arrow };

inline constexpr std::array kSystems = {System::Yt,    System::Skiff,  System::Parquet,
                                        System::Lance, System::Vortex, System::Arrow};

/// A schema of any system, in the order of System.
using AnySchema = std::variant<yt::TableSchema, skiff::Schema, parquet::Schema, lance::Schema,
                               vortex::DType, hub::Schema>;

/// What every system offers, one row each.
struct Room {
  System system;
  std::string_view name;
  /// Whether a file of it keeps the metadata of Arrow fields, and with it annotations; for Vortex,
  /// whose types have none, in a slot beside them.
  bool keeps_metadata;
  hub::Schema (*to_arrow)(const AnySchema&);
  /// The exact mapping, and what it takes of Arrow.
  hub::FromArrow<AnySchema> (*from_arrow)(const hub::Schema&);
  const hub::Capabilities& capabilities;
  /// One field's type in the system's own words, in one line.
  std::string (*type_text)(const AnySchema&);
  std::span<const std::string_view> forms;
  /// Printing takes one of `forms`; parsing finds out which it is. Throws Error (Usage) for a form
  /// that is not there, Error (Input) for text that is none.
  std::string (*print)(const AnySchema&, std::string_view form);
  AnySchema (*parse)(std::string_view bytes);
  /// Parses one type in the system's own words; it becomes the only column, `value` if it has no
  /// name. Throws Error (Input).
  AnySchema (*parse_type)(std::string_view text);
};

const Room& room(System system);
System system_of(const AnySchema& schema);
std::string_view to_string(System system);
std::optional<System> parse_system(std::string_view name);
/// The same for a word that must be one. Throws Error (Usage) with the words there are.
System system_of_word(std::string_view word);

/// Returns the Arrow schema of a schema, annotated.
hub::Schema to_arrow(const AnySchema& schema);

/// Returns the schema of a system for an Arrow schema: lowered to what the system has, then mapped
/// exactly. Throws Error (Unsupported) with the path for what has no mapping.
hub::FromArrow<AnySchema> from_arrow(System system, const hub::Schema& schema);

/// Prints a schema in one of its system's forms, the first where none is named; parses one in any.
std::string print_schema(const AnySchema& schema, std::string_view form = {});
AnySchema parse_schema(System system, std::string_view bytes);

/// Parses one type in its system's words: `Optional<Int64>`, `variant8<nothing;int64>`,
/// `optional int64 t (TIMESTAMP(MICROS,true))`, `decimal:128:20:4`, `list(i32?)`,
/// `timestamp[us, tz=UTC]`. A schema of the system is taken as well. Throws Error (Input).
AnySchema parse_type(System system, std::string_view text);

/// Parses text of a system that nobody named, with `parse_schema` or `parse_type`: the first system
/// whose syntax fits, most telling syntax first. Nothing where none does.
using Parse = AnySchema (*)(System, std::string_view);
std::optional<AnySchema> parse_guessing(Parse parse, std::string_view text);

/// Parses a schema of the system a word names, or of whichever its syntax fits. Throws Error
/// (Input, or Usage for the word).
AnySchema parse_schema_of(std::optional<std::string_view> system, std::string_view text);

/// Returns the type of one hub field in the words of a system that can hold it; in Arrow's words
/// where it cannot.
std::string type_text(System system, const hub::Field& field);

/// Returns what a system says about the values of its fields beyond their Arrow types.
hub::Refine refinement_of(System system);

/// Returns what a field carries that is no type: ids, docs, sort order, metadata, in a few words
/// each, sorted.
std::vector<std::string> labels_of(const hub::Field& field);
std::vector<std::string> labels_of(System system, const hub::Schema& schema);

}  // namespace xwalk::crosswalk
