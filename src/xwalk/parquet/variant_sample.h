#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/array.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Finds the types of the values in the VARIANT columns of some rows.
class VariantSample {
 public:
  /// The columns of a schema, of which those are looked at that are not shredded.
  explicit VariantSample(const Schema& schema);
  ~VariantSample();
  VariantSample(const VariantSample&) = delete;
  VariantSample& operator=(const VariantSample&) = delete;

  /// Adds rows of `to_arrow` of the schema. Bytes that are not a VARIANT are skipped.
  void add(const hub::Array& rows);

  /// Returns the schema with typed values for the columns of these paths, or for all. A value gets
  /// the type that nine of ten values have, integers int64; an object gets the fields that one of
  /// ten objects has. Columns whose values have no common type stay whole.
  Schema shredded(const std::optional<std::vector<Path>>& columns) const;

 private:
  struct Shape;
  class Sink;

  void add(const Resolved& resolved, const hub::Array& array, size_t* next);

  Schema schema_;
  std::vector<Resolved> columns_;
  /// One for each of `variants_of`.
  std::vector<std::unique_ptr<Shape>> shapes_;
};

}  // namespace xwalk::parquet
