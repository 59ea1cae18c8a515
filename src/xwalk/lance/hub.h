#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/type.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Name of this system in annotation keys. A field's annotation is what its Arrow type and metadata
/// do not give back, as `key=value` words: `type=blob id=7 key=1`.
inline constexpr std::string_view kSystem = "lance";
/// Arrow field metadata that says which id a field had; consumed on the way to Lance.
inline constexpr std::string_view kFieldIdKey = "lance:field_id";
inline constexpr std::string_view kPrimaryKey = "lance-schema:unenforced-primary-key";
inline constexpr std::string_view kPrimaryKeyPosition =
    "lance-schema:unenforced-primary-key:position";
inline constexpr std::string_view kClusteringKeyPosition =
    "lance-schema:unenforced-clustering-key:position";
/// Remembers an Arrow extension whose name Lance would act on: JSON columns go in as text, because
/// lance.json rewrites numbers and the order of keys.
inline constexpr std::string_view kExtensionAnnotation = "xwalk:extension";

/// The Arrow form of a JSON column: the bytes of Lance's binary form, as in its schema, or the text
/// that its readers return and its writers accept, `arrow.json`.
enum class Json : uint8_t { Bytes, Text };

/// Returns the Arrow schema of a Lance schema (specification, "Type Conversion Reference").
/// Throws Error (Input) with the path for what Arrow cannot hold: a list without a child, a
/// precision or size out of range, a dictionary whose index is no integer.
hub::Schema to_arrow(const Schema& schema, Json json = Json::Bytes);
/// Returns the Arrow schema of the rows of a Lance schema.
inline hub::Schema rows_to_arrow(const Schema& schema) { return to_arrow(schema, Json::Text); }

/// Returns what Lance requires of the values of a hub field: the JSON texts that its binary form
/// preserves.
hub::Refinement refine(const hub::Field& field);

/// Returns true for a fixed-size list whose type can name its items: structs, or types without
/// children.
bool fixed_list_of(const hub::Type& list);
/// Returns true for a dictionary whose type can name its values.
bool dictionary_of(const hub::Type& dictionary);
/// Takes the annotation of a dataset's Arrow schema apart, which lists its indices.
hub::Metadata table_labels(std::string_view text);
/// Returns true for text that is noted as Lance's own json.
bool holds(const hub::Field& field);
/// Returns a column's name with '_' for '.'.
hub::LegalName legal_name(const hub::Field& field, hub::NameOf of);

/// Types with an exact mapping: no unions, intervals, run-ends, views of lists, decimals of 32 and
/// 64 bits; keys that are neither null nor sorted; columns whose names differ. JSON is passed as
/// text, except that of Lance's own columns.
inline constexpr hub::Capabilities kCapabilities = {
    .system = kSystem,
    .unions = false,
    .nullable_keys = false,
    .sorted_keys = false,
    .list_views = false,
    .run_ends = false,
    .fixed_binary = hub::FixedBinary::NotEmpty,
    .intervals = false,
    .narrow_decimals = false,
    .json_note = kExtensionAnnotation,
    .distinct_metadata = kFieldIdKey,
    .distinct_columns = true,
    .distinct_members = true,
    .empty_structs = false,
    .folds_case = true,
    .legal_name = legal_name,
    .holds = holds,
    .fixed_list_of = fixed_list_of,
    .dictionary_of = dictionary_of,
};

using FromArrow = hub::FromArrow<Schema>;

/// Returns the Lance schema of an Arrow schema, ids from 0 depth-first. `refused` gets types
/// outside the capabilities, and repeated field ids; throws the first if it is null.
FromArrow from_arrow(const hub::Schema& schema, hub::Refused* refused = nullptr);

/// Returns a schema with the additional metadata of the fields of its rows: labels, and the
/// annotations of other systems. Throws Error (Unsupported) for a primary key on a field that
/// cannot have one.
Schema with_metadata_of(const hub::Schema& rows, Schema schema);

}  // namespace xwalk::lance
