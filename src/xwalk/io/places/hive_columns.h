#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// Makes the column of a value that all rows have. The value must be one of those that gave the
/// field its type.
hub::Array column_of_value(const hub::Field& field, const std::optional<std::string>& value,
                           int64_t rows);

/// Returns true if a folder with a value can join those whose values gave a key its type: the key
/// keeps the type.
bool keeps_type(const hub::Field& key, const std::string& value);

/// The columns that the folders of files stand for, as Hive writes tables: all rows of
/// `day=2024-01-01/part-0.parquet` have that day.
class Partitions {
 public:
  /// Gives each key a type that all its values have: int64 if all are written like integers, date32
  /// if all look like `2024-01-01`, else text. Throws Error (Input) naming a file whose folders
  /// have other keys than those of the first. `listed` and `keys` are those of the files'
  /// InputFiles.
  explicit Partitions(const std::vector<InputFile>& files, bool listed = false,
                      const std::vector<hub::Field>& keys = {});

  /// Returns true if the files were found in folders, and none may be a pipe.
  bool are_listed() const { return listed_; }
  /// The columns; none if the folders have no keys.
  const std::vector<hub::Field>& fields() const { return fields_; }

  /// Wraps the reader of one of the files so that its rows have these columns after their own. A
  /// column that the rows already have is kept: some writers keep it in both places.
  std::unique_ptr<SplitReader> add_to(std::unique_ptr<SplitReader> reader,
                                      const Location& file) const;

 private:
  std::vector<hub::Field> fields_;
  bool listed_;
  /// By the path of the file, one value for each field.
  std::unordered_map<std::string, std::vector<PartitionValue>> values_;
};

}  // namespace xwalk::io
