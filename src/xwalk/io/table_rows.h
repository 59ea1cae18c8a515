#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/open.h"
#include "xwalk/io/reject_form.h"
#include "xwalk/io/row_format.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

// What formats of rows share whose schema is a table schema that stands beside them.
namespace xwalk::io {

/// `RowFormat::takes` and `takes_to_write` of rows whose values have YTsaurus's modes.
inline constexpr std::array kTableRowsTake = {hub::Option::Schema,
                                              hub::Option::Table,
                                              hub::Option::TableIndex,
                                              hub::Option::RangeIndex,
                                              hub::Option::RowIndex,
                                              hub::Option::ComplexTypeMode,
                                              hub::Option::StringKeyedDictMode,
                                              hub::Option::DecimalMode,
                                              hub::Option::TimeMode,
                                              hub::Option::UuidMode,
                                              hub::Option::UuidOrder,
                                              hub::Option::DecimalSpecial};
inline constexpr std::array kTableRowsTakeToWrite = {
    hub::Option::Schema,         hub::Option::ComplexTypeMode, hub::Option::StringKeyedDictMode,
    hub::Option::DecimalMode,    hub::Option::TimeMode,        hub::Option::UuidMode,
    hub::Option::UuidOrder,      hub::Option::DecimalSpecial,  hub::Option::TzForm,
    hub::Option::SkipNullValues, hub::Option::ClusterVersion};

/// Finds the table schema of rows: given, beside the file, or inferred from bytes that can be read
/// twice. `rows` is what messages call them. If the rows are rejects, `rejects` is what is written
/// beside them instead; null if they never are. Throws Error.
yt::TableSchema find_table_schema(std::string_view rows, const std::string& path, Source* opened,
                                  const InputOptions& options, SchemaOrigin* origin,
                                  const std::function<yt::TableSchema(Source&)>& infer,
                                  std::optional<std::vector<RejectForm>>* rejects = nullptr);

/// Returns what a decoder of such rows is told.
yt::ReadOptions read_options(const Reading& reading, const Input& input);

/// Returns what control entities said that no column has.
hub::Findings control_notes(const yt::ControlsMet& met, const yt::ReadOptions& options);

/// Returns the table schema of an output.
yt::TableSchema table_schema_of(const OutputSchema& schema);

/// `RowFormat::schema_there`, `side_text` and `side_canonical`.
crosswalk::AnySchema table_schema_there(const std::string& path, const StorageOptions& storage);
std::string table_schema_text(const OutputSchema& schema);
std::string canonical_table_schema(std::string_view text);

}  // namespace xwalk::io
