#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::io {

/// Maximum number of bad rows of a file that are described. The rest are counted.
inline constexpr uint64_t kDescribedRows = 20;

/// How rows are validated.
struct ValidationOptions {
  /// How the rows are opened.
  InputOptions reading;
  /// The names and types that the rows must fit.
  crosswalk::PlanOptions columns;
  /// Checks every value of a Parquet file against its annotation.
  bool values = false;
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(const Progress&)> on_progress;
};

/// Receives problems as they are found, from one thread at a time.
class ValidationEvents {
 public:
  virtual ~ValidationEvents() = default;
  /// Called for an input that is open, with the name of its first file.
  virtual void opened(const std::string& name, const FileNotes& notes) = 0;
  /// Called for the first `kDescribedRows` bad rows of a file, then once with the number of others.
  virtual void bad_row(const Error& error) = 0;
  virtual void more_bad_rows(uint64_t count) = 0;
  /// Called for a rule of the file's format: a violation or a note.
  virtual void finding(const std::string& file, const hub::Finding& finding) = 0;
  /// Called with what reading the rows found.
  virtual void notes(const hub::Findings& notes) = 0;
  /// Called for a file that cannot be read, if others are checked.
  virtual void unreadable(const Error& error) = 0;
};

/// The rows of one file.
struct FileRows {
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
  /// Whether the schema breaks rules, so that the rows are not read.
  bool broken = false;
  /// Whether reading ended with an error.
  bool unreadable = false;
};

/// The result of a validation.
struct Validation {
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
  bool breaks_rules = false;
  /// False if the only file breaks rules so that its rows cannot be read.
  bool rows_were_read = true;
  /// Findings that are not errors.
  hub::Findings notes;
  /// By file, in the order in which they were read.
  std::vector<std::string> names;
  std::map<std::string, FileRows, std::less<>> files;
  /// The errors of files that cannot be read.
  std::vector<Error> unreadable;

  bool is_valid() const { return bad_rows == 0 && !breaks_rules && unreadable.empty(); }
};

/// Reads all rows of files, folders and patterns, and checks them against their schema, and Parquet
/// and Arrow files against the rules of their format. Files of different schemas are checked one by
/// one. Throws Error: Usage for options that the format does not take; the error of an only file
/// that cannot be read; Interrupted.
Validation validate(const Locations& names, const ValidationOptions& options,
                    ValidationEvents* events);

}  // namespace xwalk::io
