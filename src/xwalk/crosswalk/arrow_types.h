#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/batch.h"

namespace xwalk::crosswalk {

/// Returns the annotation text for a type's own layer: `duration[ms]`, `large_list`,
/// `dense_union[0,1?]` (the type codes; `?` if the alternative is nullable), `map[keys_sorted]`.
/// Empty for other maps and structs.
std::optional<std::string> arrow_layer_text(const hub::Type& type);

/// Records the Arrow type of the source's field in the annotation `xwalk:arrow` of the target's, if
/// the target system stores it as another type that can be restored: unions, durations and calendar
/// intervals in Vortex, maps with sorted keys, views, dictionaries, layouts of lists, zones and
/// seconds in Parquet. Own layer only: children have their own annotations. `source` is lowered. An
/// annotation from that step stays if readers will apply it; otherwise it is removed with the
/// annotations that need it.
void note_arrow_type(System target, const hub::Field& source, hub::Field* field);

/// Gives a target's field, which has all its annotations, the extension type of the source's field
/// if the target's reader restores the storage of that type.
void carry_extension(System target, const hub::Field& source, hub::Field* field);

/// Which noted types are restored: each, or those that every reader of a Parquet file's
/// `ARROW:schema` finds in the columns that are stored (a union's are a struct's).
enum class Restored : uint8_t { Every, InPlace };

/// Returns a stored schema with the Arrow types that `xwalk:arrow` annotations name, at every
/// depth, and without those annotations. An annotation whose type the system would not store as the
/// existing one is stale, and has no effect.
hub::Schema with_arrow_types(System system, const hub::Schema& stored,
                             Restored which = Restored::Every);

/// Returns the annotation `xwalk:arrow` of a field if it has no effect: it is stale, or names a
/// type that this version of xwalk does not know (`arrow::kUnknownNote`).
std::optional<std::string_view> ignored_note(System system, const hub::Field& field);

/// Returns a schema without those notes, at every depth.
hub::Schema without_ignored_notes(System system, hub::Schema schema);

/// Wraps a reader of a system's rows: batches come with the types of `with_arrow_types`.
std::unique_ptr<hub::BatchReader> with_arrow_types(System system,
                                                   std::unique_ptr<hub::BatchReader> reader);

}  // namespace xwalk::crosswalk
