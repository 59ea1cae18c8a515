#pragma once

#include <string_view>

#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"
#include "xwalk/lance/schema.h"

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

/// Returns the Arrow schema of a Lance schema (specification, "Type Conversion Reference").
/// Throws Error (Input) with the path for what Arrow cannot hold: a list without a child, a
/// precision or size out of range, a dictionary whose index is no integer.
hub::Schema to_arrow(const Schema& schema);

using FromArrow = hub::FromArrow<Schema>;

/// Returns the Lance schema of an Arrow schema, ids from 0 depth-first. Without lowering, throws
/// Error (Unsupported) with the path for what the living system refuses; with lowering these become
/// their nearest storage, each with a finding.
FromArrow from_arrow(const hub::Schema& schema, const hub::FromArrowOptions& options = {});

}  // namespace xwalk::lance
