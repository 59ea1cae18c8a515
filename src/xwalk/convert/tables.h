#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/report/report_set.h"

// The tables that the names of an input stand for. Every file is opened, so that no answer is about
// the first one only.

namespace xwalk::io {

/// One table of an input: files of one schema, which follow each other.
struct InputTable {
  /// The names that open it.
  Locations paths;
  /// Its name in reports.
  std::string name;
  /// Its path below the folder that was named, by which the tables of two folders are paired.
  std::string below;
  SchemaInput schema;
  /// False if not all files of `paths` are of this schema, so that their rows cannot be read.
  bool is_whole = true;
};

struct InputTables {
  /// The name of the whole in reports.
  std::string name;
  std::vector<InputTable> tables;
  /// Files that cannot be read, and files that are not of the table they were named with.
  std::vector<report::Problem> problems;
  /// The errors of those that cannot be read, and their paths as `InputTable::below`.
  std::vector<Error> errors;
  std::vector<std::string> unreadable;

  /// Returns true if the names stand for one table, all of whose files can be read.
  bool is_one() const { return tables.size() == 1 && problems.empty(); }
  /// Removes the problems of tables that have their own result: for commands that show tables, and
  /// do not read them as one.
  void forget_differences();
};

/// Returns true if an error is about its input, so that others can still be checked.
bool is_about_input(const Error& error);
/// Returns the problem of an input that an error is about.
report::Problem problem_of(const std::string& input, const Error& error);

/// Returns problems with the options in their texts spelled for an interface.
std::vector<report::Problem> spelled(std::vector<report::Problem> problems,
                                     hub::Interface interface);

/// Returns true if names may stand for several tables, so that their schemas are read before their
/// rows.
bool may_be_several(const Locations& names, const StorageOptions& storage);

/// Returns the name of an input in reports: the first of its names, and how many more there are.
std::string name_of(const Locations& paths);

/// A file that names stand for.
struct FoundFile {
  InputFile file;
  /// Why a name stands for no file. `file.path` is then the name.
  std::optional<Error> error;
};

/// Finds the files of every name, apart from the other names. Throws Error if it is not about a
/// name.
std::vector<FoundFile> find_files(const Locations& names, const InputOptions& options);

/// Reads the schemas of all files that names stand for, as `read_schema` does.
///
/// Files that `convert` reads as one input are one table. Otherwise a folder with partitions stays
/// one table, with a problem for each file that differs; other files become a table each, but files
/// that have one schema and names that differ only in digits become one. Files that were named one
/// by one, or that share more than half of their columns, belong together: there, each table that
/// differs from the first of those is a problem too. Throws Error if nothing can be read, and for
/// one file.
InputTables read_tables(const Locations& names, std::optional<crosswalk::System> system = {},
                        const InputOptions& options = {}, Meaning meaning = Meaning::Needed);

/// The same, with a table for each file.
InputTables read_files_apart(const Locations& names, std::optional<crosswalk::System> system,
                             const InputOptions& options, Meaning meaning = Meaning::Needed);

/// Opens the rows of a table. A schema that was inferred is not inferred again.
Input open_table(const InputTable& table, InputOptions options);

/// Returns how many rows the files of a table record; nothing if one of them does not.
std::optional<uint64_t> recorded_rows(const InputTable& table, const InputOptions& options);

/// The names of one of two inputs that are compared, and how they are read.
struct InputSide {
  Locations names;
  std::optional<crosswalk::System> system;
  InputOptions options;
};

/// The tables of two inputs, by places in `left` and `right`.
struct PairedTables {
  InputOptions left_options;
  InputTables left;
  InputTables right;
  std::vector<std::pair<const InputTable*, const InputTable*>> pairs;
  /// The problems of both, and the tables that only one side has.
  std::vector<report::Problem> problems;

  /// Returns true if the names stand for one table each, all of whose files can be read.
  bool is_one() const { return pairs.size() == 1 && problems.empty(); }
  /// Returns a set for the reports on the pairs, with the problems in an interface's spelling.
  report::ReportSet set(hub::Interface interface) const;
};

/// Reads the tables of two inputs and pairs them: one and one, or else every file with the file of
/// its name in the other folder. Throws as `read_tables` does.
std::unique_ptr<PairedTables> read_pairs(const InputSide& left, const InputSide& right);

}  // namespace xwalk::io
