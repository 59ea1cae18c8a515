#pragma once

#include <cstddef>
#include <vector>

namespace xwalk::io {

/// A SplitReader that can decode columns of `any` as VARIANT.
class VariantReader {
 public:
  VariantReader() = default;
  VariantReader(const VariantReader&) = delete;
  VariantReader& operator=(const VariantReader&) = delete;
  virtual ~VariantReader() = default;

  /// Decodes those of the columns that are `any` as VARIANT; the reader's schema then shows it. The
  /// columns are named by their index in the schema. Called as `SplitReader::keep_dictionaries`.
  virtual void decode_variants(const std::vector<size_t>& columns) = 0;
};

}  // namespace xwalk::io
