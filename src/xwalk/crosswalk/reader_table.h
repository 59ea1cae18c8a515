#pragma once

#include <span>
#include <string>
#include <string_view>

#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/value_condition.h"
#include "xwalk/hub/finding.h"
#include "xwalk/lance/type.h"
#include "xwalk/vortex/type.h"

namespace xwalk::crosswalk {

/// How the facts about a reader are known.
enum class Known : uint8_t {
  Ran,     ///< the program was run, and a test runs it again if it is installed
  Source,  ///< it was read in the program's source: running it takes a cluster
};

/// A program that reads files or tables of one system, in the tested version.
struct Reader {
  System system;
  std::string_view name;
  /// Of a source that was read, the commit.
  std::string_view version;
  Known known = Known::Ran;
  /// The day it was last checked, if the tests' requirements do not install it; else "".
  std::string_view day{};
};

/// Returns `DuckDB 2.0`, or `CHYT 2dd26c6 (read, not run)`.
std::string title_of(const Reader& reader);

/// Returns all readers, grouped by system.
std::span<const Reader> known_readers();
/// Returns the readers of one system; empty if no reader is known.
std::span<const Reader> readers_of(System system);

/// What is written instead of the geometry types of Parquet, for readers that do not know them.
inline constexpr std::string_view kGeoparquet = "geoparquet";

/// How a reader interprets a column by its type alone. Types without a row are read correctly.
/// Shapes of Parquet files that are misread for any type are in readers.cc.
template <typename Kind, typename Type>
struct ReaderRow {
  std::string_view reader;
  Kind kind;
  /// Which columns of the kind; null for all of them.
  bool (*when)(const Type& type);
  /// `refuses the file: …`, `refuses the table: …`, `cannot read … (not run since …)`
  /// for a type that ends its program, or the type as which it is
  /// misread: `int64: a number…`. In a remark on some values only, {} stands for `values`.
  std::string_view remark;
  /// Altered if values come out as others.
  hub::Effect effect = hub::Effect::None;
  /// A type in Arrow's notation that the reader reads instead, if each of its values is one of the
  /// column's or is found by its check; or `kGeoparquet`.
  std::string_view instead{};
  /// The values that the remark is about.
  ValueCondition values{};
};

using LanceRow = ReaderRow<lance::Kind, lance::LogicalType>;
using VortexRow = ReaderRow<vortex::Kind, vortex::DType>;

std::span<const LanceRow> lance_rows();
std::span<const VortexRow> vortex_rows();

}  // namespace xwalk::crosswalk
