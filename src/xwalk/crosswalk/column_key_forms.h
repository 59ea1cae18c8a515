#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

using KeyJson = nlohmann::ordered_json;

/// The members of a struct after a change, in their order, with what each was.
class ChangedMembers {
 public:
  struct Member {
    /// Null for a member that is new.
    const hub::Field* was = nullptr;
    const hub::Field* is = nullptr;
    /// The path that it had.
    Path path;
  };

  /// Pairs the members of two structs. The types must outlive this.
  ChangedMembers(const hub::Type& was, const hub::Type& is, const Path& path,
                 const hub::Renames& renames);

  const std::vector<Member>& all() const { return members_; }
  /// Returns the member that had a name; null if it is gone.
  const Member* of(std::string_view name) const;

 private:
  std::vector<Member> members_;
};

/// Returns true if two fields have the same type: the same names, values and extensions at every
/// depth, in any layout and with any metadata.
bool is_same_type(const hub::Field& was, const hub::Field& is);

/// A change of a table's columns.
struct ColumnChange {
  ChangedMembers columns;
  const hub::Renames& renames;
  /// What the renewed key no longer has, each as the end of a sentence.
  std::vector<std::string> lost;
};

// Each changes the parsed text of a key so that it describes the columns after the change, and
// returns false if it cannot.

/// The schema of a data frame of Spark.
bool renew_spark(ColumnChange& change, KeyJson* key);
/// A record of Avro, or the schema of a table of Iceberg: columns are items of `fields`.
bool renew_fields(ColumnChange& change, KeyJson* key);
/// The columns and the index of a data frame of pandas.
bool renew_pandas(ColumnChange& change, KeyJson* key);
/// Returns the features in a key of Hugging Face; null if it has none.
const KeyJson* features_of(const KeyJson& key);
/// The features of a data set of Hugging Face.
bool renew_huggingface(ColumnChange& change, KeyJson* key);
/// The columns of GeoParquet.
bool renew_geo(ColumnChange& change, KeyJson* key);

// Each makes the parsed text of a key what it and that of another file say. Parts that only one of
// them says, or that describe the rows of one, are left out; `lost` gets those of the first kind,
// each as the beginning of a sentence. Each returns false if the key is left out as a whole. The
// columns have one meaning in both files.

/// Spark's: columns are nullable if they are in one of the files.
bool combine_spark(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost);
/// Avro's or Iceberg's: all fields must be the same.
bool combine_fields(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost);
/// pandas': the range of an index counts the rows of one file.
bool combine_pandas(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost);
/// Hugging Face's: the fingerprint names one state of a data set.
bool combine_huggingface(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost);
/// GeoParquet's: boxes and types of geometries are those of the rows of one file.
bool combine_geo(KeyJson* key, const KeyJson& other, std::vector<std::string>* lost);

/// Returns true if two texts of a key describe values alike (the names of labels), or the key does
/// not describe values. An empty text describes none.
bool describes_same_values(std::string_view key, std::string_view one, std::string_view other);

}  // namespace xwalk::crosswalk
