#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns true for an entry of a table's metadata by which another tool describes the columns:
/// their names, types or order. The entry is wrong if the columns change and it does not.
bool is_column_key(std::string_view key, std::string_view value);

/// Returns true if metadata has an entry of this kind.
bool has_column_keys(const hub::Metadata& metadata);

/// Returns true if a schema, or a column at any depth, has metadata of another tool or the user, or
/// if the values of a dictionary are in an order.
bool has_keys(const hub::Schema& schema);

/// Returns metadata without these entries.
hub::Metadata without_column_keys(const hub::Metadata& metadata);

/// The keys by which Spark says that a file has dates and times, and times of INT96, in the Julian
/// calendar. In the schema of rows of Parquet, whose reader changes the calendar, one has the name
/// of the zone in which it does not know the times before 1900.
inline constexpr std::string_view kJulianTimes = "org.apache.spark.legacyDateTime";
inline constexpr std::string_view kJulianInt96 = "org.apache.spark.legacyINT96";

/// A key that no longer describes the columns, or not all that it did.
struct StaleKey {
  /// `metadata "pandas"`, as in reports.
  std::string label;
  std::string why;
};

/// What a change of columns does to the keys that describe them.
struct RenewedKeys {
  /// The keys that describe the columns after the change, in the order of the metadata.
  hub::Metadata kept;
  std::vector<StaleKey> stale;
};

/// Returns the keys of `was.metadata` for the columns of `is`, which are paired by name. Entries of
/// columns that exist no longer are left out. Keys whose form is unknown, or that cannot describe
/// the columns, are kept only if no column changed.
RenewedKeys renewed_keys(const hub::Schema& was, const hub::Schema& is,
                         const hub::Renames& renames);

/// Returns the metadata of `was` for some of its columns.
hub::Metadata renewed_metadata(const hub::Schema& was, const hub::Schema& is);

/// Returns the schema of the first of two files with that metadata and those orders of other tools
/// and users, of the table and of columns at any depth, which describes the rows of both. Columns
/// are paired by name. A `second` without columns is unknown. A part that describes only the rows
/// of one (a range index of pandas, the box of geometries) is left out. `differing` gets the keys
/// that differ, quoted.
hub::Schema common_keys(hub::Schema first, const hub::Schema& second,
                        std::vector<std::string>* differing);

/// Returns the findings on keys that differ between files.
hub::Findings differing_keys(const std::vector<std::string>& keys);

/// Returns a schema without the keys of its columns that describe other values than those that a
/// source puts there, whose columns are paired by name after `renames`. They are added to
/// `differing`, quoted.
hub::Schema keys_of_values(hub::Schema there, const hub::Schema& source,
                           const hub::Renames& renames, std::vector<std::string>* differing);

/// Returns a schema whose fields have what the table's metadata says about the meaning of their
/// values in metadata of their own: the names of labels, at every depth, and the epochs of
/// coordinates.
hub::Schema with_described_values(hub::Schema schema);

/// Returns the names of labels there: that of 0, of 1, and so on. Empty for other fields.
std::vector<std::string> label_names(const hub::Field& field);
/// Returns the epoch there, a year; "" for other fields.
std::string coordinate_epoch(const hub::Field& field);

/// Returns a column without such keys, at any depth.
hub::Field without_value_keys(hub::Field field);

/// Returns the metadata of a file of which some columns are read, and only some members of these if
/// `cuts_members`, without the keys that still describe all. They are added to `stale`, quoted.
hub::Metadata keys_of_some(const hub::Metadata& metadata, bool cuts_members,
                           std::vector<std::string>* stale);

/// Returns the report on a key that is left out.
StaleKey stale_key(std::string_view key, std::string why);

}  // namespace xwalk::crosswalk
