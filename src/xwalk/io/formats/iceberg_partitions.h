#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"

namespace xwalk::io {

/// How the values of a column make parts of a table: they themselves, or the time that they are of.
enum class PartitionTransform : uint8_t { Identity, Year, Month, Day, Hour };

/// One field of a partition spec.
struct PartitionField {
  /// The name of a top-level column.
  std::string column;
  PartitionTransform transform = PartitionTransform::Identity;

  friend bool operator==(const PartitionField&, const PartitionField&) = default;
};

/// Returns the word of a transform in Iceberg's metadata: `identity`, `day`.
std::string_view word_of(PartitionTransform transform);

/// Parses a column, or a time of one: `city`, `day(ts)`.
PartitionField parse_partition(std::string_view text);

/// Returns a field of a table's own spec. Throws Error (Unsupported) for other transforms, such as
/// buckets.
PartitionField partition_of(const std::string& column, std::string_view transform);

/// The parts that rows belong to. Batches are of one schema, which has every column.
class Partitioner {
 public:
  /// Throws Error: Usage for a column that does not exist, Unsupported for one whose type has no
  /// such parts, as floats have none.
  Partitioner(std::vector<PartitionField> fields, const hub::Schema& rows);

  /// Returns the values of a row's part, one for each field: null, a boolean, a number or text.
  nlohmann::json values_of(const hub::Batch& batch, int64_t row) const;

  /// Writes a key that only rows of the same part have.
  void write_key(const hub::Batch& batch, int64_t row, std::string* out) const;

 private:
  struct Source {
    size_t column = 0;
    hub::Type type;
    PartitionTransform transform = PartitionTransform::Identity;
  };

  std::vector<Source> sources_;
};

}  // namespace xwalk::io
