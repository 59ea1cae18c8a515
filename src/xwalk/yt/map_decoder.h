#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Decodes YSON maps of columns, each by itself, into builders that somebody else owns: what
/// `$other_columns` of a Skiff row holds.
class MapDecoder {
 public:
  MapDecoder(const TableSchema& schema, const ValueOptions& options);
  ~MapDecoder();
  MapDecoder(MapDecoder&&) noexcept;
  MapDecoder& operator=(MapDecoder&&) = delete;

  /// Appends row `row` to the builders: a value for each column of the schema and, where that is
  /// not strict, the map of all other keys, `{}` for none. Returns false for bytes that are not
  /// such a map; what was appended of it is then the caller's to take back.
  bool decode(std::string_view map, hub::ColumnBuilder* builders, int64_t row);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xwalk::yt
