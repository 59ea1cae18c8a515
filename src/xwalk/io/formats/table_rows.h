#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/formats/reject_form.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/yt/json_transcoder.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

// Shared by the formats whose rows need a table schema next to them.
namespace xwalk::io {

/// `RowFormat::takes` and `takes_to_write` of rows whose values have YTsaurus's modes.
inline constexpr std::array kTableRowsTake = {
    hub::Option::Schema,          hub::Option::SaveSchema,
    hub::Option::Table,           hub::Option::TableIndex,
    hub::Option::RangeIndex,      hub::Option::RowIndex,
    hub::Option::ComplexTypeMode, hub::Option::StringKeyedDictMode,
    hub::Option::DecimalMode,     hub::Option::TimeMode,
    hub::Option::UuidMode,        hub::Option::UuidOrder,
    hub::Option::DecimalSpecial};
inline constexpr std::array kTableRowsTakeToWrite = {
    hub::Option::Schema,         hub::Option::ComplexTypeMode, hub::Option::StringKeyedDictMode,
    hub::Option::DecimalMode,    hub::Option::TimeMode,        hub::Option::UuidMode,
    hub::Option::UuidOrder,      hub::Option::DecimalSpecial,  hub::Option::TzForm,
    hub::Option::SkipNullValues, hub::Option::ClusterVersion};

/// Finds the table schema of rows in a format: given, next to the file, or inferred, earlier by
/// `infer_first` or here from bytes that can be read twice. Sets its origin in the input. If the
/// rows are rejects, `rejects` is set to the content for the schema file next to them. Null if they
/// never are rejects. Throws Error.
void find_table_schema(const RowFormat& format, const Location& path, Source* opened,
                       const InputOptions& options, Input* input,
                       std::optional<std::vector<RejectForm>>* rejects = nullptr);

/// Returns true if rows get columns that no file has: those of --table-index and the like.
bool adds_columns(const InputOptions& options);

/// Returns the options of a decoder of these rows.
yt::ReadOptions read_options(const InputOptions& options, const Input& input);

/// Returns options to read only some of the columns of a table; all if there is no selection.
yt::ReadOptions of_columns(yt::ReadOptions options, const std::vector<Path>& selection);

/// Returns how many bytes of rows are decoded together. Rows of many columns get more, since each
/// column of a batch has a cost however few its rows are.
size_t piece_bytes(const yt::TableSchema& schema, const yt::ReadOptions& options);

/// Findings of decoding one file that are in no schema. Notes keep them without the decoders and
/// bytes, since there is one per file.
struct RowsMet {
  std::mutex mutex;
  yt::ControlsMet controls;
  /// Integers that were read as doubles.
  uint64_t integers = 0;
  yt::JsonTranscoder::Strings strings;
};

/// Returns the note on integers that were read as doubles, if there are any.
hub::Findings integer_notes(uint64_t integers);

/// Returns findings about control entities whose contents no column has.
hub::Findings control_notes(const yt::ControlsMet& met, const yt::ReadOptions& options);

/// Returns the table schema of an output.
yt::TableSchema table_schema_of(const WritePlan& plan);

/// `RowFormat::schema_there`, `side_text` and `side_canonical`.
crosswalk::AnySchema table_schema_there(const Location& path, const StorageOptions& storage);
std::string table_schema_text(const WritePlan& plan);
std::string canonical_table_schema(std::string_view text);

}  // namespace xwalk::io
