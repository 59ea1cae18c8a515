#include "xwalk/yt/cluster_version.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::yt {
namespace {

constexpr std::array<std::string_view, 7> kVersions = {"23.2", "24.1", "24.2", "25.1",
                                                       "25.2", "25.3", "25.4"};

constexpr ClusterVersion k24_1{24, 1};
constexpr ClusterVersion k24_2{24, 2};
constexpr ClusterVersion k25_3{25, 3};
constexpr ClusterVersion k25_4{25, 4};

template <TypeKind kKind>
bool is_kind(const Type& type) {
  return type.is(kKind);
}

bool has_renamed_members(const Type& type) {
  const auto renamed = [](const Member& member) { return member.stable_name != member.name; };
  return type.is_named() &&
         (!type.removed_members().empty() || std::ranges::any_of(type.members(), renamed));
}

// Where releases come from: "reign" is the list of versions of the master's snapshots
// (yt/yt/server/master/cell_master/serialize.h of ytsaurus/ytsaurus), whose sections begin with the
// release that they belong to. What no source dates has no row: uuid, json, renamed and deleted
// columns, dict_sum, xdelta, max_inline_hunk_size, the index form of time zones.
constexpr Feature kFeatures[] = {
    // "timestamp64 has been introduced in a 24.1 YTsaurus release" (github.com/ytsaurus/ytsaurus,
    // issue 933); the four came together (ytsaurus-ui, pull request 623).
    {"date32", k24_1, "date, from 1970 to 2105", false, is_kind<TypeKind::Date32>},
    {"datetime64", k24_1, "datetime, from 1970 to 2105", false, is_kind<TypeKind::Datetime64>},
    {"timestamp64", k24_1, "timestamp, from 1970 to 2105", false, is_kind<TypeKind::Timestamp64>},
    {"interval64", k24_1, "interval, of at most 136 years", false, is_kind<TypeKind::Interval64>},
    // Pull request 798; reign Decimal256 in 24.2.
    {"decimals of more than 35 digits", k24_2, "decimals of at most 35 digits, or string", false,
     [](const Type& type) {
       return type.is(TypeKind::Decimal) && type.precision() > kSpecDecimalPrecision;
     }},
    // Reign NestedAggregateColumns in 24.2.
    {"the aggregates nested_key and nested_value", k24_2, "a column without an aggregate", false,
     nullptr,
     [](const ColumnSchema& column) {
       return column.aggregate && column.aggregate->starts_with("nested_");
     }},
    // Reign AddTtlSystemColumn in 24.2.
    {"the column $ttl", k24_2, "a schema without it", false, nullptr,
     [](const ColumnSchema& column) { return column.name == "$ttl"; }},
    // "added in version 25.3": the documentation of data types. (Reign SupportTzTypes is in 25.2.)
    {"types with a time zone", k25_3, "a struct of the instant and of the zone's name as utf8",
     true, [](const Type& type) { return is_tz(type.kind()); }},
    // Reign ColumnConstraintsForTablesOnMaster in 25.4.
    {"constraints of columns", k25_4, "a column without one", false, nullptr,
     [](const ColumnSchema& column) { return column.constraint.has_value(); }},
    // Reign StructFieldRenamingAndRemoval in 25.4.
    {"renamed and removed members of structs", k25_4, "a struct of the members as they are stored",
     false, has_renamed_members},
};

/// What a column has, and where: ` (at a.<list-element>)`, or "" for the column itself.
struct FoundFeature {
  const Feature* feature;
  std::string where;
};

/// Adds the first place of each feature within a type; `path` is in YTsaurus notation.
void find_in(const Type& type, const std::string& column, std::string* path,
             std::vector<FoundFeature>* out) {
  for (const Feature& feature : kFeatures) {
    if (feature.of_type == nullptr || !feature.of_type(type)) continue;
    if (std::ranges::find(*out, &feature, &FoundFeature::feature) != out->end()) continue;
    out->push_back({&feature, *path == column ? "" : fmt::format(" (at {})", *path)});
  }
  const size_t size = path->size();
  for (size_t i = 0; i < type.members().size(); ++i) {
    *path += '.';
    *path += step_name(type, i);
    find_in(type.members()[i].type, column, path, out);
    path->resize(size);
  }
}

std::vector<FoundFeature> features_of(const ColumnSchema& column) {
  std::vector<FoundFeature> found;
  for (const Feature& feature : kFeatures) {
    if (feature.of_column != nullptr && feature.of_column(column)) found.push_back({&feature, ""});
  }
  std::string path = column.name;
  find_in(column.type, column.name, &path, &found);
  return found;
}

}  // namespace

std::span<const std::string_view> cluster_versions() { return kVersions; }

ClusterVersion parse_cluster_version(std::string_view word) {
  if (std::ranges::find(kVersions, word) == kVersions.end()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a release of YTsaurus ({}), found {}",
                            join({kVersions.begin(), kVersions.end()}, ", "), quoted(word)));
  }
  ClusterVersion version;
  const size_t dot = word.find('.');
  std::from_chars(word.data(), word.data() + dot, version.year);
  std::from_chars(word.data() + dot + 1, word.data() + word.size(), version.number);
  return version;
}

std::string to_string(ClusterVersion version) {
  return fmt::format("{}.{}", version.year, version.number);
}

std::optional<ClusterVersion> documented_since(const Type& type) {
  for (const Feature& feature : kFeatures) {
    if (feature.documented && feature.of_type(type)) return feature.since;
  }
  return std::nullopt;
}

hub::Findings lacking(const TableSchema& schema, ClusterVersion version) {
  hub::Findings findings;
  for (const ColumnSchema& column : schema.columns) {
    for (const FoundFeature& found : features_of(column)) {
      if (version >= found.feature->since) continue;
      findings.push_back({.rule = "spec.version",
                          .path = Path::column(column.name),
                          .effect = hub::Effect::Forbidden,
                          .lost = fmt::format("{} came with YTsaurus {}, the cluster has {}{}",
                                              found.feature->what, to_string(found.feature->since),
                                              to_string(version), found.where),
                          .hint = fmt::format("use {}", found.feature->instead)});
    }
  }
  return findings;
}

}  // namespace xwalk::yt
