#pragma once

// The C++ interface of xwalk. Rows cross it as the Arrow C data interface. Functions throw
// xwalk::Error, whose hints name options as JSON does: `"round": true` is {"round", "true"} here.
// Threads may share a Schema and a Report. One thread at a time uses a Rows.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/arrow_abi.h"
#include "xwalk/version.h"

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk {

/// Options by name, each with its value as text: {{"select", "id,price"}, {"threads", "2"}}. The
/// names are those of the Python module and the C interface. Lists are separated by commas; objects
/// are pairs such as "price=decimal(18,2)". Lists and objects may be JSON. `target_schema` is the
/// schema of an output, as a path or as text in the syntax of its system. Functions throw Error
/// (Usage) for an unknown name, one that is given twice, a malformed value, and an option that does
/// not apply.
using Options = std::vector<std::pair<std::string, std::string>>;

/// The names of an input: paths, URIs, patterns or folders. One string is one name.
class Names {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a name may be written wherever names are expected.
  Names(const char* name) : all_{name} {}
  Names(std::string name) { all_.push_back(std::move(name)); }
  Names(std::vector<std::string> names) : all_(std::move(names)) {}
  // NOLINTEND(google-explicit-constructor)
  Names(std::initializer_list<std::string> names) : all_(names) {}

  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

/// What a conversion keeps of a column or of a table, best first. Without consent xwalk converts up
/// to Checked.
enum class Verdict : uint8_t {
  Exact,       ///< nothing is lost
  Annotated,   ///< the type comes back through an annotation that the target keeps
  Widened,     ///< values are kept, the type or a label is not
  Inferred,    ///< values are kept; their types were inferred
  Checked,     ///< values that do not fit are rejected
  Lossy,       ///< values are altered
  Unsupported  ///< the column cannot be converted
};

/// Returns the word of a verdict: "exact", "annotated"…
std::string_view to_string(Verdict verdict);

/// A reason for a verdict, or a difference.
struct Remark {
  std::string rule;     ///< its identifier, `decimal.narrowed`; `xwalk explain` describes it
  std::string text;     ///< what is lost, added or different
  std::string example;  ///< a value, or ""
  std::string hint;     ///< the option or the type that helps, or ""
};

/// A path of the schemas that a report compares.
struct ReportLine {
  std::string path;    ///< `items[].price`; "" for the whole table
  std::string source;  ///< its type before, in the notation of its system; "" if it is new
  std::string target;  ///< its type after; "" if it is gone
  std::string grade;   ///< the word of a verdict; in a comparison "same", "changed", "added"…
  std::vector<Remark> remarks;
};

/// What a conversion keeps, what differs between schemas, or whether data can be read as another
/// schema.
class Report {
 public:
  /// Returns "check", "diff" (also for `verify`) or "compat"; "tables" for the reports on several
  /// tables.
  std::string kind() const;
  /// Returns the name of the input, or of the output of `convert`.
  std::string name() const;
  /// Returns the verdict on the whole: the worst of all columns and tables. Throws Error (Usage)
  /// for a report of `diff` or `compat`.
  Verdict verdict() const;
  /// Returns the same as a word; also "same" or "changed", "compatible" or "incompatible".
  std::string grade() const;
  /// Returns one line: "5 columns: 4 exact, 1 checked (date)".
  std::string summary() const;
  /// Returns true if the verdict is Lossy or worse, more rows would be rejected than allowed, or
  /// the compared schemas or rows differ or are not compatible.
  bool fails() const;
  /// Returns how many rows were written or read, and how many rejected; nothing if none were read.
  std::optional<uint64_t> rows() const;
  std::optional<uint64_t> rejected() const;
  /// Returns a line per path, the whole table first. Several tables: a line per problem.
  std::vector<ReportLine> lines() const;
  /// Returns the report on each table; the report itself if there is one table.
  std::vector<Report> tables() const;

  /// Returns aligned text of `width` columns; `all` includes exact columns.
  std::string text(int width = 80, bool all = false) const;
  /// Returns the report as "text", "json", "html", "markdown", "junit" or "github". Throws Error
  /// (Usage) for another word.
  std::string print(std::string_view form) const;
  /// Throws Error (Unsupported) if the verdict is this one or a worse one; otherwise returns the
  /// report.
  const Report& raise_for(Verdict verdict) const;

  struct State;
  explicit Report(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

struct Conversion;

/// A table schema of one system: "yt", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg"
/// or "delta".
class Schema {
 public:
  /// Parses any written form of a schema, text or bytes. "" as `system` means that the syntax
  /// decides. Throws Error (Input) with line and column, or the byte.
  static Schema parse(std::string_view text, std::string_view system = {});
  /// Reads the schema of data files, a schema file or a Lance dataset, or parses text that is not a
  /// path. Rows without a schema are read as by `open`. The option `format` may name the system of
  /// a schema file.
  static Schema read(const Names& names, const Options& options = {});
  /// Copies an Arrow schema whose root is a struct; the caller still releases it.
  static Schema from_arrow(const ArrowSchema& schema);

  std::string system() const;
  /// Returns the names of the columns.
  std::vector<std::string> names() const;
  /// Writes the schema in a form of its system, "" for the usual one; `xwalk schema --help` lists
  /// them. Throws Error (Usage) for an unknown form.
  std::string dump(std::string_view form = {}) const;
  /// Returns a line for each thing that `dump` leaves out because the form cannot express it.
  std::vector<std::string> lost(std::string_view form = {}) const;
  /// Returns the Arrow form. The caller releases it.
  ArrowSchema to_arrow() const;
  /// Converts to a system, or reports how rows of this schema become rows of another. Throws Error
  /// (Unsupported) with the path of a column that cannot be converted; `check` reports all of them.
  Conversion to(std::string_view system, const Options& options = {}) const;
  Conversion to(const Schema& target, const Options& options = {}) const;

  friend bool operator==(const Schema& one, const Schema& other);

  struct State;
  explicit Schema(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

// A friend alone would not be shown.
bool operator==(const Schema& one, const Schema& other);

/// A schema in another system, and the report on what that keeps.
struct Conversion {
  Schema schema;
  Report report;
};

/// A run of rows: an Arrow struct array with a child per column. It owns the array.
class Batch {
 public:
  explicit Batch(const ArrowArray& array) : array_(array) {}
  ~Batch() {
    if (array_.release != nullptr) array_.release(&array_);
  }
  Batch(Batch&& other) noexcept : array_(other.take()) {}
  Batch& operator=(Batch&& other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }

  int64_t rows() const { return array_.length; }
  const ArrowArray& array() const { return array_; }
  /// Gives the array to the caller, who releases it.
  ArrowArray take() { return std::exchange(array_, ArrowArray{}); }

 private:
  ArrowArray array_;
};

/// Rows of files or of an Arrow stream. Each loop over them reads files again from the first row; a
/// stream and standard input can be read once. Copies share the rows.
class Rows {
 public:
  /// Takes over an Arrow stream of any producer; `stream` is left released.
  static Rows from_stream(ArrowArrayStream* stream);

  /// Returns the schema in the system of the format, "yt" for YSON.
  Schema schema() const;
  /// Returns the format: "yson", "parquet"…; "arrow" for a stream.
  std::string format() const;
  /// Returns the files, in the order in which they are read.
  std::vector<std::string> files() const;
  /// Returns the number of rows, if the input records it.
  std::optional<int64_t> total_rows() const;
  /// Returns how many rows the last reading has rejected so far, with {"on_error", "skip"}.
  int64_t rejected() const;
  /// Returns what opening and the last reading met that no schema describes, such as an inferred
  /// schema: a JSON list of objects with "path", "rule" and "found".
  std::string notes() const;

  /// Steps over batches; its step throws Error for a row that cannot be read.
  class Iterator {
   public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    struct State;
    explicit Iterator(std::shared_ptr<State> state);
    Batch& operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) { return at.is_at_end(); }

   private:
    bool is_at_end() const;
    std::shared_ptr<State> state_;
  };

  /// Begins a reading. Throws Error (Usage) for rows that were read and cannot be read again.
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }
  /// Begins a reading as an Arrow stream, which the caller releases. A row that cannot be read ends
  /// the stream with EINVAL and the text of the error.
  ArrowArrayStream stream() const;

  struct State;
  explicit Rows(std::shared_ptr<State> state) : state_(std::move(state)) {}
  State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

/// Opens rows of files, folders, patterns, URIs or YTsaurus tables. Only what the schema needs is
/// read here. Options are those for reading.
Rows open(const Names& names, const Options& options = {});

/// How far a conversion is.
struct Progress {
  uint64_t rows = 0;      ///< written
  uint64_t rejected = 0;  ///< skipped
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  std::optional<int64_t> total_rows;
  std::optional<uint64_t> total_bytes;
};

/// What to call while rows are converted, by one thread at a time. An exception of a callback ends
/// the conversion; no output appears.
struct Watch {
  /// Called about ten times per second.
  std::function<void(const Progress&)> on_progress;
  /// Called for each row that {"on_error", "skip"} rejects, with the reason and the row: its bytes
  /// in the input, or its values as YSON.
  std::function<void(const Error&, std::string_view)> on_rejected;
  /// Once it is true, the conversion ends with Error (Interrupted), and no output appears.
  const std::atomic<bool>* cancelled = nullptr;
};

/// Converts rows to an output in the format of its name or of the option `to`. The output appears
/// under its name when all of it is written. An existing output needs {"mode", "overwrite"} or
/// {"mode", "append"}. A conversion that alters values needs the option that alters and {"allow",
/// "lossy"}. A folder (`OUT/`) receives a file per input file, and `{table}` an output per table;
/// the report then has several tables. Throws Error: Unsupported with the path of a column, Input
/// with the number of a row that does not fit.
Report convert(const Names& input, const std::string& output, const Options& options = {},
               const Watch& watch = {});
/// Converts rows that are open. Options for reading are options of `open`.
Report convert(const Rows& input, const std::string& output, const Options& options = {},
               const Watch& watch = {});

/// Reads an output again and compares it with its inputs, as `convert` with these options writes
/// it: values, order and number of rows. Writes nothing. Rows are paired by the columns `key`, or
/// by position if it is empty. Report::fails() is true if anything differs, and `print("json")` is
/// the proof, with differences and checksums. `rows` of the report counts rows of the output.
Report verify(const Names& input, const std::string& output, const Options& options = {},
              std::vector<std::string> key = {});

/// What `check` reports besides the columns.
struct Ask {
  bool rows = false;     ///< reads all rows: how many would be rejected, and why
  bool readers = false;  ///< which programs would misread which columns
};

/// Reports what `convert` would keep with these options for an output of a system or a format;
/// writes nothing. "" as `target` asks about the readers of the input itself. Files that are
/// several tables are reported table by table.
Report check(const Names& input, std::string_view target, const Options& options = {},
             Ask ask = {});
/// Reports the same for rows of a schema, also for columns that cannot be converted.
Report check(const Schema& schema, std::string_view target, const Options& options = {});
/// Reports whether rows could be added to an existing output, and everything that prevents it.
/// Throws Error (Io) if the output has no rows.
Report check_append(const Names& input, const std::string& output, const Options& options = {},
                    Ask ask = {});

/// Compares two schemas of any systems. Columns are paired by field id if both schemas have ids,
/// then by name.
Report diff(const Schema& left, const Schema& right);

/// How rows of two tables are compared.
struct RowPairing {
  /// Columns that pair rows; rows are paired by position if it is empty.
  std::vector<std::string> key;
  /// Floats are the same if they differ by at most this, times the larger of 1 and their size.
  std::optional<double> tolerance;
  /// How many differences the report lists.
  uint64_t limit = 10;
};

/// Compares the rows of two tables; columns are paired by name. Throws Error (Usage) for a key that
/// is not a column of both.
Report diff(const Rows& left, const Rows& right, const RowPairing& pairing = {});

/// Reports whether data of one schema can be read as the other. `mode` is "backward" (readers of
/// `newer`, data of `older`), "forward" or "full".
Report compat(const Schema& older, const Schema& newer, std::string_view mode = "backward");

/// Names the folder of the plugins and engine programs of xwalk, for a program that is installed
/// elsewhere. The CMake package does it. Call it before the first file is opened. Throws Error
/// (Usage) for a path that is not absolute.
void set_engine_folder(const std::string& folder);

#ifdef XWALK_ENGINE_FOLDER
/// Finds the engines of the installation that the program was built with.
inline const bool kHasEngineFolder = (set_engine_folder(XWALK_ENGINE_FOLDER), true);
#endif

}  // namespace xwalk

#pragma GCC visibility pop
