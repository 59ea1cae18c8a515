#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/reader_choice.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/finding.h"
#include "xwalk/lance/kinds.h"
#include "xwalk/vortex/kinds.h"
#include "xwalk/yt/cluster_version.h"

namespace xwalk::crosswalk {

/// A column or a member to be renamed in the target.
struct RenameOption {
  Path path;
  std::string name;
};

struct PlanOptions {
  /// Writes xwalk's annotations where the target keeps field metadata.
  bool annotations = true;
  /// Nan and the infinities of decimals are read as nulls if the column is nullable.
  bool special_decimals_as_null = false;
  /// The release of the cluster that a YTsaurus table is for; if not set, the newest.
  std::optional<yt::ClusterVersion> cluster;
  /// The version of the data files of a Lance dataset; if not set, the default.
  std::optional<lance::DataVersion> lance_version;
  /// The edition of a Vortex file; if not set, the newest.
  std::optional<vortex::Edition> vortex_edition;
  /// The readers that the target is for: what one of them refuses is unsupported, and what it
  /// alters is lossy.
  std::vector<ChosenReader> readers;
  /// Columns of geometry in Parquet are bytes, which the key `geo` of GeoParquet describes.
  bool geoparquet = false;
  /// Rows of YTsaurus's types are written with zones as numbers, which younger zones do not have.
  bool numbered_zones = false;
  /// New names. An unknown path, or a name that a sibling has, is an error (Usage).
  std::vector<RenameOption> rename;
  /// New types, for a target whose schema follows from the source's; by the names there.
  std::vector<CastOption> casts;
  /// Options that alter values; the cast's own `source`, `target` and `renames` are
  /// set by the plan.
  hub::CastOptions cast;
  /// A given target has the types that a host has for those of the source, or the reverse: Spark
  /// has bytes for a UUID. Columns of one storage then have one meaning.
  bool host_types = false;
  /// How VARIANT columns of Parquet are shredded; see `with_shredding`.
  std::vector<CastOption> shred;
};

/// Why a path is not exact.
struct Reason {
  /// A slug of hub::rules.
  std::string_view rule;
  /// What it does to the values of the path.
  hub::Values values = hub::Values::Kept;
  /// The label that is not carried, if it is about one.
  std::string label;
  /// What is lost or added, as a short text.
  std::string lost;
  /// A value that would be rejected or altered, in the source's text form, or "".
  std::string witness;
  /// The option or the other type that avoids it.
  std::string hint;
};

/// What a translation does to one path of the source, by the three axes.
struct PathReport {
  Path path;
  /// Each type in its own system's notation.
  std::string source;
  std::string target;
  hub::Values values = hub::Values::Kept;
  hub::TypeKept type = hub::TypeKept::Self;
  /// Labels that are not carried.
  std::vector<std::string> labels;
  /// Why, worst first; empty for an exact path.
  std::vector<Reason> reasons;

  hub::Verdict verdict() const { return hub::verdict_of(values, type, !labels.empty()); }
};

/// A planned conversion of one schema: the target's schema, the cast for batches, and what is kept.
struct Plan {
  System source_system = arrow::kModule;
  System target_system = arrow::kModule;
  AnySchema target;
  hub::Schema source_hub;
  /// What batches look like after the cast: `to_arrow` of the target, with the metadata and the
  /// annotations that the target keeps.
  hub::Schema target_hub;
  hub::CompiledCast cast;
  /// Whether nan and the infinities of decimals are passed as the source stores them, because both
  /// ends have the types of YTsaurus; otherwise the reader refuses them.
  bool special_decimals = false;
  /// New names in the target, by the path in the source.
  hub::Renames renames;
  /// The whole table (an empty path) first, then every path of the source in schema order.
  std::vector<PathReport> paths;
  /// Options that change nothing here (`option.unused`).
  hub::Findings notes;
  /// Why columns cannot be converted, one finding per column: those of the source in schema order,
  /// then those that the target requires and the source lacks. `target_hub` and `cast` are without
  /// these columns, and the plan cannot be carried out.
  hub::Findings unsupported;

  /// The worst of all paths.
  hub::Verdict verdict() const;
  /// One verdict per column: that of its worst path.
  std::vector<hub::Verdict> column_verdicts() const;
};

}  // namespace xwalk::crosswalk
