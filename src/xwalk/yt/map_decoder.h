#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Decodes single YSON maps of columns into builders that the caller owns: the contents of
/// `$other_columns` of a Skiff row.
class MapDecoder {
 public:
  MapDecoder(const TableSchema& schema, const ValueOptions& options);
  ~MapDecoder();
  MapDecoder(MapDecoder&&) noexcept;
  MapDecoder& operator=(MapDecoder&&) = delete;

  /// Appends row `row` to the builders: a value for each column of the schema and, if the schema is
  /// not strict, the map of all other keys, which may be `{}`. Returns false for invalid bytes. The
  /// caller must then remove the values already appended.
  bool decode(std::string_view map, hub::ColumnBuilder* builders, int64_t row);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xwalk::yt
