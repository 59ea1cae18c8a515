#pragma once

#include <optional>
#include <set>
#include <string>

#include <CLI/App.hpp>

#include "xwalk/io/formats/options.h"

namespace xwalk::cli {

/// Options of rows that several verbs share, as they were given.
struct RowOptions {
  /// Those that were given, of all that the verb has.
  std::set<hub::Option> given;
  std::optional<std::string> from;
  std::optional<std::string> schema;
  bool require_schema = false;
  std::optional<std::string> save_schema;
  std::vector<std::string> select;
  std::vector<std::string> exclude;
  std::optional<int64_t> limit;
  std::optional<std::string> sample;
  std::optional<int64_t> seed;
  std::optional<int64_t> tail;
  std::optional<int64_t> threads;
  std::optional<int64_t> batch_rows;
  std::optional<int64_t> max_memory;
  std::optional<int64_t> table;
  std::optional<std::string> version;
  std::vector<std::string> follow;
  bool no_partitions = false;
  bool unify = false;
  bool table_index = false;
  bool range_index = false;
  bool row_index = false;
  bool end_of_stream = false;
  bool int96_micros = false;
  yt::RepeatedKeys repeated_keys = yt::RepeatedKeys::Error;
  yt::ValueOptions values;
  io::StorageOptions storage;
};

/// Declares how stores are reached.
void declare_storage(CLI::App& app, RowOptions* options);
/// Declares what is done with several files, and how stores are reached.
void declare_files(CLI::App& app, RowOptions* options);
/// Declares --from, --schema, --version, --follow, and what `declare_files` does.
void declare_input(CLI::App& app, RowOptions* options);
/// Declares --select, --limit, --threads, --batch-rows.
void declare_selection(CLI::App& app, RowOptions* options);
/// Declares the options of Skiff rows.
void declare_skiff(CLI::App& app, RowOptions* options);
/// Declares the options of YSON formats. `writing` adds those that only make sense in output.
void declare_yson(CLI::App& app, RowOptions* options, bool writing);

/// Makes what io::open_input is told. A schema is the text of the named file, or the text itself
/// where there is no such file. Throws Error.
io::InputOptions input_options(const RowOptions& options);

/// The same for an input whose rows are read: throws Error (Usage) for a system that has none.
io::InputOptions options_of_rows(const RowOptions& options);

/// Returns what an input may ask for.
uint64_t max_memory(const RowOptions& options);

/// Returns how many threads to work with: those asked for, or as many as the machine has.
int thread_count(const RowOptions& options);

}  // namespace xwalk::cli
