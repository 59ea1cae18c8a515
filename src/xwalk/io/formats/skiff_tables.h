#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/skiff/values.h"

namespace xwalk::io {

/// Finds the schema of Skiff rows: the one given, else IN.schema next to the file; `opened` as in
/// `find_side_schema`. Throws Error (Usage) if there is neither, Error (Input) for a text that is
/// not a schema.
skiff::Schema find_skiff_schema(const Location& path, const Source* opened,
                                const InputOptions& options, SchemaOrigin* origin);

/// Returns the options of a Skiff reader for the options of an input.
skiff::ReadOptions skiff_read_options(const InputOptions& options);

/// Fills in the bytes of a row that was left out, and where they begin.
void locate_row(const skiff::RowBytes& bytes, size_t index, hub::BadRow* row);

/// A stream of several tables, open for reading once.
struct TablesInput {
  skiff::Schema schema;
  SchemaOrigin schema_origin = SchemaOrigin::Input;
  std::unique_ptr<skiff::TablesReader> reader;
  /// The stream, if it is read in memory.
  std::shared_ptr<const Original> file;
};

/// Opens a Skiff stream with all its tables. `select`, `limit`, `table` and `threads` of the
/// options are not used. Throws as `open_input` does.
TablesInput open_tables(const Location& path, const InputOptions& options = {});

/// Destination of one table's rows. Without `cast`, rows are passed unchanged. Without `writer`,
/// they are dropped.
struct TableRoute {
  const hub::CompiledCast* cast = nullptr;
  hub::BatchWriter* writer = nullptr;
  /// Counts the rows that took it, where asked for; not if routes share a writer.
  uint64_t* rows = nullptr;
};

/// Moves the rows of every table along its route, one route per table, in one pass and one thread;
/// several routes may share a writer. Finishes each writer once. Options as for `run_pipeline`,
/// `threads` aside. Throws Error; then no writer is finished.
Progress run_tables(skiff::TablesReader& reader, std::span<const TableRoute> routes,
                    const PipelineOptions& options = {});

/// Returns the path of one table's output: `{table}` in the pattern becomes its index.
std::string table_path(std::string_view pattern, size_t table);
/// Returns true if the pattern names one output per table.
bool is_table_pattern(std::string_view pattern);

/// Adds findings to a plan for values that the wire types of its Skiff output cannot represent,
/// unless those of the input, a Skiff table, cannot either. `input` is null for other rows.
void add_unfit(const skiff::Schema* input, size_t table, crosswalk::Plan* plan);

/// The job side of a YTsaurus operation whose program is a conversion: rows of all input tables
/// come on one stream, and go to the output table of the same index, or all to the only one, cast
/// by column name.
class TableJob {
 public:
  /// Plans the conversions. `rename` applies to the columns of every input table. Columns that only
  /// one side names go into or come from the `$other_columns` of the other. Throws Error (Usage) if
  /// the tables do not match or have no such column, Error (Unsupported) with table and path for a
  /// column that cannot be converted.
  TableJob(skiff::Schema inputs, skiff::Schema outputs, const crosswalk::PlanOptions& options = {});

  /// The plan per input table. Does not check `allow_lossy`.
  const std::vector<crosswalk::Plan>& plans() const { return plans_; }
  /// Returns the output table of an input table.
  size_t output_of(size_t input) const { return outputs_.format.tables.size() == 1 ? 0 : input; }

  /// Runs the job over a source and a sink for each output table, and finishes the sinks. With
  /// `end_of_stream` the source must end with the tag 0xFFFF. Throws Error.
  Progress run(std::unique_ptr<ByteSource> source, std::vector<std::unique_ptr<ByteSink>> sinks,
               const PipelineOptions& options = {}, bool end_of_stream = false) const;
  /// Runs the job on the descriptors that the system gives it: input 0, output table i on 1 + 3 i.
  Progress run(const PipelineOptions& options = {}, bool end_of_stream = false) const;

 private:
  skiff::Schema inputs_;
  skiff::Schema outputs_;
  std::vector<crosswalk::Plan> plans_;
  yt::TzForm tz_form_;
};

}  // namespace xwalk::io
