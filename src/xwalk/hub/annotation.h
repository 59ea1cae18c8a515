#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Prefix of every annotation key. The rest of the key is the system's name: `xwalk:yt`.
inline constexpr std::string_view kAnnotationPrefix = "xwalk:";

/// Arrow's name in annotation keys. The annotation is the Arrow type of a column that another
/// system stores as another type.
inline constexpr std::string_view kArrowSystem = "arrow";

/// Returns the metadata key of a system's annotation: `xwalk:<system>`. One key per system, so that
/// hops over several systems do not overwrite each other.
std::string annotation_key(std::string_view system);

/// Returns the system's annotation of a field: canonical text of its type's own layer, never of the
/// subtree. Empty if the field has no annotation.
std::optional<std::string_view> annotation(const Field& field, std::string_view system);
/// Returns the system's annotation of a whole schema.
std::optional<std::string_view> annotation(const Schema& schema, std::string_view system);

/// Sets the annotation of a system, replacing an existing one in place.
void annotate(Field& field, std::string_view system, std::string text);
void annotate(Schema& schema, std::string_view system, std::string text);

/// Annotates a schema with what a table has besides, by name: an object of JSON.
void annotate_table(Schema& schema, std::string_view system,
                    std::span<const std::pair<std::string, std::string>> labels);
/// Returns those of an annotation's text; nothing of another text.
Metadata table_labels(std::string_view text);

/// Returns true for a metadata key that xwalk wrote.
bool is_annotation_key(std::string_view key);

/// Returns the field or schema with no annotation of any system, at any depth; other metadata and
/// Arrow extension names stay.
Field without_annotations(Field field);
Schema without_annotations(Schema schema);

/// Returns true if an annotation still describes its field: `promised` is the type that `to_arrow`
/// returns for the annotation, and its own layer must be the field's: the same kind of type and
/// parameters, layout (large, view, list view, dictionary, run-end), list-child name, nullability
/// and the types of children aside. If this is false, the annotation is stale: other software
/// changed the column and kept the metadata.
bool annotation_fits(const Type& actual, const Type& promised);

}  // namespace xwalk::hub
