#pragma once

#include <optional>
#include <string>

#include "xwalk/parquet/type.h"
#include "xwalk/variant/leaf_types.h"

namespace xwalk::parquet {

/// Returns what is wrong with the shape of a group that is a VARIANT, by the rules of how it is
/// stored whole and shredded: required metadata, and value or typed_value or both; in typed_value
/// primitives of the types a variant has, lists, and groups of fields that are shredded again.
std::optional<std::string> variant_problem(const Node& node);

/// Returns true for a primitive that may be the typed_value of a part.
bool is_shredded_type(const Node& node);

/// Returns true for a VARIANT group that has a typed_value and no problem. Its meaning is
/// the whole value, so its hub type is that of a VARIANT that is not shredded.
bool is_shredded_variant(const Node& node);

/// Returns a schema in which shredded VARIANTs are the groups that store them.
Schema with_stored_variants(const Schema& schema);

/// Returns the types by which a VARIANT group without a problem is shredded and that JSON or YSON
/// lack.
variant::LeafTypes leaf_types_of(const Node& node);

}  // namespace xwalk::parquet
