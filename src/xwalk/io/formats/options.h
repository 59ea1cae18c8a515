#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/limits.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/handle.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/row_csv.h"
#include "xwalk/hub/storing.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/io/rows/row_choice.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::io {

class EngineProgram;
struct ProgramReadOptions;
class DeltaTables;
class IcebergTables;

/// The origin of the schema of rows that do not contain one.
enum class SchemaOrigin : uint8_t {
  Input,     ///< the input's own
  Given,     ///< the caller
  SideFile,  ///< IN.schema next to it
  Inferred,  ///< a first pass over the rows
};

/// Additional columns of Skiff rows, and of YSON rows from control entities.
struct SkiffReading {
  /// Special columns after the others, under their names: `$table_index`, `$range_index`,
  /// `$row_index`, `$key_switch`. A skiff schema must have them.
  bool table_index = false;
  bool range_index = false;
  bool row_index = false;
  bool key_switch = false;
  /// The stream must end with the tag 0xFFFF.
  bool end_of_stream = false;
};

struct YsonReading {
  /// Takes the last value of a key repeated in a row, instead of rejecting the row.
  bool last_of_repeated_keys = false;
};

struct ParquetReading {
  /// INT96 becomes microseconds.
  bool int96_micros = false;
};

struct LanceReading {
  /// The version of the dataset: a number, a tag, a branch, or `BRANCH:NUMBER`; of a table of
  /// Iceberg, as `iceberg::read_table` takes it; of Delta, as `delta_place` does. The latest if it
  /// is not given.
  std::optional<std::string> version;
  /// Paths and URIs of folders outside of the dataset that its references may lead to. Others are
  /// not followed.
  std::vector<std::string> follow;
};

/// A schema that was inferred from the values of rows without one.
struct InferredSchema {
  yt::TableSchema table;
  /// Number of rows read to infer it, if not all.
  std::optional<uint64_t> first_rows;
  /// True if all rows of all files were read for it, so that it is the schema of each file.
  bool of_all_files = false;
  /// Places with integers that no type holds.
  std::vector<Path> beyond;
  /// Schema files with names close to those of the rows, which are not used.
  std::vector<std::string> near_schemas;
};

/// What the use of an input needs beyond what its user asks for, decided before the rows are
/// opened.
struct ReadPlan {
  /// YSON and Skiff: fills `Batch::controls`.
  bool controls = false;
  /// Skiff: columns to find in `$other_columns` if no table schema describes it.
  std::optional<yt::TableSchema> others;
  /// YSON and Skiff: nan and infinities of decimals are the numbers that YTsaurus stores for them;
  /// see yt::ValueOptions::specials_as_stored.
  bool special_decimals = false;
  /// Parquet: INTERVAL, INT96 and other types that Arrow cannot hold are read as their stored
  /// bytes.
  bool stored_values = false;
  /// Finds out how the first file stores its rows, for an output that does the same.
  bool layout = false;
  /// Arrow: a given table schema is that of the output, so the rows may be of other types.
  bool schema_of_output = false;

  friend bool operator==(const ReadPlan&, const ReadPlan&) = default;
};

/// How an input is opened.
struct InputOptions {
  InputOptions();
  InputOptions(const InputOptions&);
  InputOptions(InputOptions&&) noexcept;
  InputOptions& operator=(const InputOptions&);
  InputOptions& operator=(InputOptions&&) noexcept;
  ~InputOptions();

  /// The format; detected if it is not given.
  std::optional<Format> format;
  /// The text of a schema for rows that have none: a table schema for YSON; what skiff/schema.h
  /// reads for Skiff. Without it IN.schema is read, and without that YSON rows are inferred.
  std::optional<std::string> schema;
  /// Refuses rows whose schema would be inferred.
  bool require_schema = false;
  /// A file for the table schema by which YSON and JSON rows are read. A file that has the same
  /// schema stays; any other is refused.
  std::optional<std::string> save_schema;
  /// The schema of all files without one, inferred before they are opened; see inferred.h.
  std::shared_ptr<const InferredSchema> inferred;
  /// Paths of the selected columns, in output order; empty for all. `a`, `a.b`,
  /// `orders.items[].price`. A struct has only the selected members.
  std::vector<std::string> select;
  /// Paths of columns, and of members of structs, that are left out of those.
  std::vector<std::string> exclude;
  /// Folders `day=2024-01-01` between a folder that was named and its files are columns.
  bool partitions = true;
  /// Inputs may have different schemas: rows come in one that holds those of all; see
  /// hub/unify.h. Without it the inputs must have the schema of the first.
  bool unify = false;
  /// The inputs are parts of one table, in the order of its rows.
  bool one_table = false;
  /// Rows to read, over all inputs.
  std::optional<int64_t> limit;
  /// Of all rows a sample, which depends on the seed; see row_choice.h.
  std::optional<Sample> sample;
  uint64_t seed = 0;
  /// Of those the last; `limit` counts from the first of these.
  std::optional<int64_t> tail;
  int64_t batch_rows = limits::kBatchRows;
  int64_t batch_bytes = limits::kBatchBytes;
  /// Limit for the input's memory in bytes. A row may have a 64th of it. Compressed bytes of
  /// formats that are read from their end may expand to a 32nd of it, or to 100 times their size.
  uint64_t max_memory = limits::kMemory;
  /// Reads Lance and Vortex rows through their engine's program even if the interface has the
  /// engine in its own process; see engine_host.h.
  bool separate_engine = false;
  /// Threads an engine may use for itself. A pipeline has its own.
  int threads = 1;
  /// Keeps bad rows in `Batch::bad` and goes on, instead of throwing the first.
  bool skip_bad_rows = false;
  /// Trusts xwalk's annotations: values that violate them are bad.
  bool annotations = true;
  /// The options that the caller was given, by name; those that the format does not take are
  /// refused. See taken_options.h.
  std::set<hub::Option> given;

  ReadPlan plan;

  /// How the stores of names are reached.
  StorageOptions storage;

  /// YSON and Skiff: how values are written.
  yt::ValueOptions values;
  /// YSON and Skiff: takes rows of this table only.
  std::optional<uint32_t> table;
  /// Takes this part of the only file, as `parts_of` has cut it.
  std::optional<Part> part;
  SkiffReading skiff;
  YsonReading yson;
  ParquetReading parquet;
  LanceReading lance;
  /// The tables of Iceberg that were looked up for this input, so that schema and rows are of one
  /// version. Copies share them.
  std::shared_ptr<IcebergTables> tables;
  /// The same for tables of Delta.
  std::shared_ptr<DeltaTables> delta_tables;
};

/// Facts to report about the files that rows come from.
struct FileNotes {
  /// A file of those that may have different schemas.
  struct Unified {
    std::string path;
    hub::Schema schema;
    /// By column, in a few words: widened types and missing columns.
    std::vector<std::pair<Path, std::string>> changes;
  };
  /// The schema that was inferred from rows without one; null if they have one.
  std::shared_ptr<const InferredSchema> inferred;
  /// Files of folders that are not read, since they are of another format or of none.
  std::vector<std::string> left_aside;
  std::vector<Unified> unified;
  /// How the first file stores its rows, if the options ask for it and it is known.
  std::optional<hub::Storing> storing;
  /// About metadata that the files do not have in common, as far as it is known.
  hub::Findings differing;
  /// Whether the rows come from several files, which are not sorted as a whole.
  bool several = false;
};

/// An input, open for reading.
struct Input {
  Input();
  Input(Input&&) noexcept;
  Input& operator=(Input&&) noexcept;
  ~Input();

  Format format = kParquetRows;
  /// The files it consists of, in order; {"-"} for standard input.
  Locations files;
  /// The rows, selected and limited. Its schema is the hub schema.
  std::unique_ptr<SplitReader> reader;
  /// Returns the schema of a file after the first. Throws Error if it cannot be read, or its rows
  /// do not have the first one's schema, as `reader` does when it comes to the file. Null for one
  /// file, and for files whose schemas were unified.
  std::function<hub::Schema(const Location& file)> check_file;
  SchemaOrigin schema_origin = SchemaOrigin::Input;
  /// The first file, if it is read in memory.
  std::shared_ptr<const Original> file;
  /// Columns from the names of folders, after the files' own.
  std::vector<hub::Field> partitions;
  FileNotes file_notes;
  /// YSON and Skiff: the table schema of the rows, before selection.
  std::optional<yt::TableSchema> table_schema;
  /// Skiff: the schema of the stream, all tables.
  std::optional<skiff::Schema> skiff_schema;
  /// A library that is loading for a conversion of it; see RowFormat::load_ahead.
  std::shared_ptr<const void> loading;
};

struct ParquetWriting {
  /// Describes columns of geometry in the key `geo`; see GeoParquetWriter.
  bool geoparquet = false;
  /// Writes maps that repeat a key, instead of rejecting them.
  bool keep_repeated_keys = false;
};

struct LanceWriting {
  /// The version of the data files; if not set, the default.
  std::optional<lance::DataVersion> data_version;
};

struct VortexWriting {
  /// The edition of the file; if not set, the newest.
  std::optional<vortex::Edition> edition;
};

struct SkiffWriting {
  /// The table whose rows these are, and the tag 0xFFFF at the end.
  uint32_t table = 0;
  bool end_of_stream = false;
  /// Special columns to read if no schema is given.
  bool range_index = false;
  bool row_index = false;
};

/// Attributes of a table on a cluster, by name; values are YSON.
using TableAttributes = std::map<std::string, std::string>;

/// The rows of a table that an upsert has inserted and replaced.
struct Upserted {
  uint64_t inserted = 0;
  uint64_t updated = 0;
};

/// How rows replace those of a table that have the same key.
struct UpsertOptions {
  /// Whether they do; otherwise rows are added only.
  bool wanted = false;
  /// The columns of the key.
  std::vector<std::string> key;
  /// Bytes that the keys of all rows may take.
  uint64_t key_bytes = limits::kMemory / kKeyShare;
  /// What was done, which is known once the table has the rows.
  std::shared_ptr<Upserted> done;

  /// Of the memory that inputs may take, what keys may.
  static constexpr uint64_t kKeyShare = 4;
};

/// How an output is opened.
struct OutputOptions {
  OutputOptions();
  OutputOptions(const OutputOptions&);
  OutputOptions(OutputOptions&&) noexcept;
  OutputOptions& operator=(const OutputOptions&);
  OutputOptions& operator=(OutputOptions&&) noexcept;
  ~OutputOptions();

  /// The format; if not set, it follows the name. Standard output as `arrow` is a stream.
  std::optional<Format> format;
  /// How an existing output is treated; see output_place.h.
  OutputMode mode = OutputMode::Create;
  /// Whether the user set the mode, so that a path may not choose another.
  bool mode_given = false;
  /// Append: rows may have columns that the existing ones do not have; see `evolve`.
  bool evolve = false;
  /// Append: also rows of inputs that were added before.
  bool again = false;
  /// Append: rows may replace others.
  UpsertOptions upsert;
  /// What identifies the inputs and the choice of their rows, for formats that keep it with each
  /// version of a table; empty if it is not known.
  std::vector<std::string> identities;
  /// Columns whose values name folders: the output is a folder of files; see partitioned.h.
  std::vector<std::string> partition_by;
  /// The files that the rows come from (`files_read`), none of which is ever the output.
  Locations inputs;
  /// How the store of the name is reached.
  StorageOptions storage;
  /// Puts the output on the disk before it has its name.
  bool durable = false;
  /// Outputs that get their names together, once all are complete: `finish` adds the output to them
  /// and leaves the naming to their owner. Null for one that `finish` names. See atomic_path.h.
  OutputSet* set = nullptr;
  /// As of an input.
  bool separate_engine = false;
  /// One of many files of a folder in a store, which keep no memory until they have their names.
  bool staged = false;
  int threads = 1;
  /// Parquet: none, snappy, zstd, lz4, gzip, brotli; Arrow: none, zstd, lz4. Empty for the usual
  /// one. Rows of YSON, JSON and Skiff are compressed by the name: .gz, .zst.
  std::string compression;
  std::optional<int> compression_level;
  /// Parquet and Arrow: rows per row group; 0 for the default.
  int64_t row_group_rows = 0;
  /// Parquet: writes ARROW:schema, which keeps the annotations. Vortex: writes the slot of the
  /// postscript that does.
  bool store_schema = true;
  /// YSON and Skiff: writes OUT.schema next to the output.
  bool side_schema = true;
  /// YSON and Skiff: how values are written.
  yt::ValueOptions values;
  SkiffWriting skiff;
  ParquetWriting parquet;
  LanceWriting lance;
  VortexWriting vortex;
  /// CSV: how text is written that a spreadsheet runs as a formula.
  hub::CsvFormulas csv_formulas = hub::CsvFormulas::Keep;
  /// Tables on a cluster: optimize_for, compression_codec…
  TableAttributes table_attributes;
  /// Tables on a cluster: writers at a time; several do not keep the order of rows.
  int table_writers = 1;
  /// Parquet: VARIANT columns that are shredded by the types of the first rows.
  std::vector<crosswalk::CastOption> sampled;
};

/// What is written, as the plan of a conversion decides it before the output is opened.
struct WritePlan {
  /// What batches must look like: the hub schema that the output's system takes, with the metadata
  /// that the output keeps.
  hub::Schema hub;
  /// The schema that is written, exactly as given, with the types of `hub`; derived if not given.
  /// Skiff rows take a table schema, too, and derive the wire types.
  std::optional<crosswalk::AnySchema> written;
  /// YSON and Skiff: rows have nan and infinities of decimals as they are stored.
  bool special_decimals = false;
  /// Parquet and Arrow: how the input stores what the options leave open, by the output's columns.
  hub::Storing like;
  /// Rows still in an engine, which it may write directly.
  std::shared_ptr<OpenedRows> opened;
  /// YSON and Skiff: control attributes of the last of the rows to which these are added.
  std::optional<hub::RowControl> after_row;
};

/// Rows that exist in an output and that others are added to.
struct RowsThere {
  crosswalk::AnySchema schema;
  /// The schema with the types and annotations that the output's own reader gives.
  hub::Schema meaning;
  /// How many of its columns, the last ones, are added now: they have the types of the added rows.
  size_t added = 0;
};

/// The place of an output's rows, once it is decided that they may be written.
struct OutputPlace {
  /// The file or dataset that is written: the output's path, or one more file of a folder.
  Location path;
  /// How an existing file is treated: with Create it must not exist.
  OutputMode mode = OutputMode::Create;
  /// The rows that others are added to: the others must have their schema.
  std::optional<RowsThere> rows;
  /// The running engine of a table on a cluster that rows are appended to. The writer takes it.
  std::shared_ptr<std::unique_ptr<EngineProgram>> engine;
};

/// Returns what an output of a plan is opened with.
WritePlan write_plan(const crosswalk::Plan& plan);

/// Returns the options for a program that reads rows of the format.
ProgramReadOptions program_options(const Location& path, const InputOptions& options,
                                   const std::vector<std::string>& columns);

}  // namespace xwalk::io
