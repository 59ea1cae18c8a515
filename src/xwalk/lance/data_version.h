#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/lance/schema.h"

namespace xwalk::lance {

/// Returns the versions that data files are written in, oldest first, as words: "2.0", "2.1",
/// "2.2", "2.3", and "stable" for the default of pylance.
std::span<const std::string_view> data_versions();
/// Reads one of them. Throws Error (Usage) listing them.
DataVersion parse_data_version(std::string_view word);
/// Returns the version that a manifest names; nothing for one that is not known.
std::optional<DataVersion> find_data_version(std::string_view word);
/// Returns "0.1", "2.0" …
std::string_view to_string(DataVersion version);

/// Returns the default version of data files for a schema: the stable one, or 2.1 for blobs under
/// `lance-encoding:blob`.
DataVersion usual_data_version(const Schema& schema);

/// Returns the parts of a schema that data files of a version cannot hold (`spec.version`), each at
/// its field: Forbidden for types, Refused for nulls, None for remarks.
hub::Findings lacking(const Schema& schema, DataVersion version);

/// Returns the schema with no nulls where data files of a version do not keep them.
Schema with_nulls_kept_by(DataVersion version, Schema schema);

}  // namespace xwalk::lance
