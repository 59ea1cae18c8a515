#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "xwalk/convert/any_report.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/tables.h"
#include "xwalk/convert/verify.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/arrow_abi.h"
#include "xwalk/yt/merge.h"

// The operations that all interfaces offer: the program, Python, C, C++ and DuckDB read their
// arguments, call these, and show the result. `ConvertOptions` has the callbacks, and the interface
// in whose spelling texts name options. `convert` (convert.h), `table_infos` and `validate` are
// others.

namespace xwalk::io {

/// What rows would become.
struct Addition {
  /// The existing output that they would be added to.
  Location output;
};
/// An output to add to, a schema, a system, or the word of a system or of a format. With the first
/// alternative the input stays as it is, and only its readers are checked.
using Against =
    std::variant<std::monostate, Addition, crosswalk::AnySchema, crosswalk::System, std::string>;

/// What `check` finds out besides the verdict on each column.
struct Ask {
  /// Reads all rows: how many would be rejected, and why.
  bool rows = false;
  /// Which programs would misread which columns.
  bool readers = false;
  /// The readers that are asked; empty for all.
  std::vector<crosswalk::ChosenReader> only_readers = {};
  /// Counts the files of a single table, by a further listing of its folders.
  bool counts_files = false;
  /// Each file is a table, as for a conversion that writes an output for each.
  bool apart = false;
  /// The first verdict that fails; by default the first that `convert` refuses.
  std::optional<hub::Verdict> fail_on = {};
};

/// Reports what `convert` with these options would keep of each table of an input; writes nothing.
/// `source` is the system of schema files, and of a name that is the text of a schema. Throws Error
/// if nothing can be checked, Usage for options that neither end takes, Io for an addition to an
/// output without rows.
AnyReport check(const Locations& names, std::optional<crosswalk::System> source,
                const Against& against, const Ask& ask, ConvertOptions options);

/// Reports the same for rows of a schema, which has no rows to read.
AnyReport check(const SchemaInput& schema, const std::string& name, const Against& against,
                const Ask& ask, ConvertOptions options);

/// Returns a schema with its Arrow form.
SchemaInput schema_of(crosswalk::AnySchema schema);
/// Returns the schema of open rows in the system of their format.
SchemaInput schema_of(const Dataset& rows);
/// Parses a written schema, text or bytes, of a named system or of the system whose syntax it has.
/// Throws Error (Input), Usage for an unknown system.
SchemaInput parse_schema(std::string_view text, std::optional<std::string_view> system);
/// Copies an Arrow schema. Throws Error (Usage) for a released one, Input for an invalid one.
SchemaInput import_schema(const ArrowSchema& schema);
/// Reads the schema of names as `read_schema` does, or of a single one that is the text of one.
SchemaInput read_schema_or_text(const std::vector<std::string>& names,
                                std::optional<crosswalk::System> system,
                                const InputOptions& options);

/// A schema as it would be in another system.
struct SchemaConversion {
  std::shared_ptr<const crosswalk::Plan> plan;
  AnyReport report;

  /// Returns the schema. Throws Error (Unsupported) with the path of a column that cannot be
  /// converted.
  SchemaInput schema() const;
};
/// Converts a schema. Throws Error (Usage) for options that neither end takes.
SchemaConversion convert_schema(const SchemaInput& source, const Against& target,
                                ConvertOptions options);

/// Reports on the plan of a conversion.
AnyReport report_on(std::shared_ptr<const crosswalk::Plan> plan, std::string name,
                    hub::Interface interface, hub::Findings notes = {},
                    std::optional<AnyReport::Counts> counts = {});
/// Reports on a conversion under a name.
AnyReport report_on(Converted converted, std::string name, hub::Interface interface);
/// Reports on outputs, several as several tables; `output` is the name of the whole.
AnyReport report_on(std::vector<Converted> outputs, const std::string& output,
                    hub::Interface interface);

/// Returns the YTsaurus schema that holds the rows of both, as `yt::merge_table_schemas` does;
/// other systems' schemas are translated. Throws Error (Unsupported) for schemas that cannot be
/// merged.
yt::MergedSchema merge(const SchemaInput& first, const SchemaInput& second);

/// The names of two schemas in a report.
using PairNames = std::pair<std::string, std::string>;
/// How two schemas are checked for compatibility.
struct CompatQuestion {
  crosswalk::CompatMode mode = crosswalk::CompatMode::Backward;
  yt::CompatibilityOptions allowed = {};
  std::vector<report::Acceptance> accepted = {};
};

/// Compares two schemas.
AnyReport diff(const SchemaInput& left, const SchemaInput& right, PairNames names,
               const crosswalk::DiffOptions& options = {});
/// Reports whether data of one schema can be read as another.
AnyReport compat(const SchemaInput& older, const SchemaInput& newer, PairNames names,
                 const CompatQuestion& question);
/// Do the same for each pair of tables.
AnyReport diff(std::shared_ptr<const PairedTables> tables, const crosswalk::DiffOptions& options,
               hub::Interface interface);
AnyReport compat(std::shared_ptr<const PairedTables> tables, const CompatQuestion& question,
                 hub::Interface interface);
/// Compares the rows of each pair of tables. The options open the rows of each side. Throws Error
/// as `diff_rows`.
AnyReport diff_rows(std::shared_ptr<const PairedTables> tables, const InputOptions& left,
                    const InputOptions& right, const RowDiffOptions& options,
                    hub::Interface interface);
/// Compares the rows of two inputs under their names.
AnyReport diff_rows(Input left, Input right, PairNames names, const RowDiffOptions& options);
/// Returns options that open one of two sides that are read at the same time.
InputOptions opening_of_side(InputOptions options);

/// Converts rows without a name, such as a table in memory, and then compares the output with the
/// rows that `again` opens. Throws Error as `convert`.
std::vector<Converted> convert_verified(Dataset& rows, const Location& output,
                                        ConvertOptions options, const OpenRows& again);

}  // namespace xwalk::io
