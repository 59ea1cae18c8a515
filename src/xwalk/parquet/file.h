#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/random_access.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Size of a footer: what a 32-bit length allows is more than any writer makes.
inline constexpr uint64_t kFooterBytes = uint64_t{512} << 20;

/// What a file's footer says, read natively, the row groups skipped over.
struct Footer {
  int32_t version = 0;
  Schema schema;
  int64_t rows = 0;
  int64_t row_groups = 0;
  /// Key-value metadata in its order. A value may be absent.
  std::vector<std::pair<std::string, std::optional<std::string>>> metadata;
  std::string created_by;
  /// For how many leaves the file states an order of values; empty if it states none.
  std::optional<size_t> column_orders;

  /// Returns true for orders of another number of leaves than the schema has.
  bool miscounts_orders() const;
  /// Returns the first value of a key, or nothing.
  std::optional<std::string_view> find(std::string_view key) const;
};

/// Returns true for bytes that begin as a Parquet file does: `PAR1`, or `PARE` if the footer is
/// encrypted.
bool is_parquet(std::string_view bytes);

/// Returns how many bytes of FileMetaData a file has. Throws Error (Input) if it is not a Parquet
/// file or is truncated, Error (Unsupported) if its footer is encrypted.
uint64_t footer_size(const RandomAccess& file);

/// Returns the bytes of FileMetaData out of a file. Throws as `footer_size`.
std::string read_footer_bytes(const RandomAccess& file);

/// Reads FileMetaData in compact Thrift. Throws Error (Input) with the byte, counted from `origin`,
/// on malformed bytes. Nothing is allocated on the word of the input.
Footer parse_footer(std::string_view bytes, uint64_t origin = 0);

/// Reads the footer of a file: as above, with the file's name in errors.
Footer read_footer(const RandomAccess& file);

/// Returns the Arrow schema another writer kept in the metadata: base64 of an Arrow IPC message.
inline constexpr std::string_view kArrowSchemaKey = "ARROW:schema";

/// Returns FileMetaData with another schema and other key-value metadata, the rest byte for byte.
std::string replace_schema(std::string_view footer, const Schema& schema,
                           const std::vector<std::pair<std::string, std::string>>& metadata);

/// Returns FileMetaData of a file without rows.
std::string empty_footer(const Schema& schema);

}  // namespace xwalk::parquet
