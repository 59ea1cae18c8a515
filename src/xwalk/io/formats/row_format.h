#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/yson/node.h"

namespace xwalk::crosswalk {
struct Plan;
struct PlanOptions;
}  // namespace xwalk::crosswalk

namespace xwalk::yt {
class SchemaInference;
}  // namespace xwalk::yt

namespace xwalk::hub {
struct FileFacts;
struct Storing;
}  // namespace xwalk::hub

namespace xwalk::io {

struct FormatWord;
struct Input;
struct InputOptions;
struct OutputOptions;
struct OutputPlace;
struct WritePlan;

/// How rows are added to existing ones.
enum class Adding : uint8_t {
  Never,
  ToFile,     ///< at the end of a file
  ToFolder,   ///< as one more file of a folder
  ToDataset,  ///< as a new version of a dataset, which is a folder itself
};

/// Whether rows can replace those of a dataset that have the same key.
enum class Upserts : uint8_t {
  Never,
  SameColumns,  ///< rows of the columns that the dataset has
  NewColumns,   ///< also rows with columns that it gets in the same version
};

/// Inputs that a version of a table keeps one by one, and those that the name of a file does.
inline constexpr size_t kInputsOfVersion = 10'000;
inline constexpr size_t kInputsInName = 8;

/// Opens one file of an input. The source is null if the format is read by path. `selection` has
/// the columns that are needed, all if it is empty: other columns may be left out.
using OpenFile = std::function<std::unique_ptr<SplitReader>(
    const std::string& path, std::unique_ptr<Source> source, const std::vector<Path>& selection)>;

/// Returns the top-level columns of a selection, each once.
std::vector<std::string> columns_of(const std::vector<Path>& selection);

/// The capabilities of a row format. Each format defines one, next to its reader and writer.
struct RowFormat {
  /// Word for it on the command line and in options.
  std::string_view word;
  /// Name in messages; both of Arrow's are `arrow`.
  std::string_view name;
  /// The system whose types the rows have.
  hub::System system;
  /// Description of the rows and of the software that reads and writes them; "" if another format's
  /// covers it.
  std::string_view about;
  /// The usual one first, with their dot.
  std::span<const std::string_view> extensions;
  /// Returns true for the first bytes of this format and no other; null if rows may begin with any
  /// bytes, so that the name decides.
  bool (*begins)(std::string_view first_bytes) = nullptr;
  /// Returns true for a folder that is one input as a whole; null if the format has none.
  bool (*is_dataset)(const Location& path, const StorageOptions& storage) = nullptr;
  /// The subfolder by which the folder is recognized.
  std::string_view dataset_mark;
  /// The format's form in pipes, if it is different.
  const RowFormat* in_pipes = nullptr;
  /// Begins to load the library that reads and writes its rows. Releasing the result waits for it.
  /// Null if it needs none.
  std::shared_ptr<const void> (*load_ahead)() = nullptr;
  /// Whether an engine program reads and writes it, by path.
  bool by_path = false;
  /// Parses the attributes before the format's name: `<format=binary>yson`; null if it has none.
  /// `text` is the whole.
  void (*take_attributes)(const yson::Node& node, const std::string& text,
                          FormatWord* out) = nullptr;
  /// The tables on a cluster whose rows travel in this format; null if tables do not use it.
  const RowFormat* on_cluster = nullptr;

  /// Prepares reading: finds a schema that the rows do not have themselves, in the options or next
  /// to the first file, and stores it in the input. `source` is the first file; null if it is read
  /// by path. Throws Error. Null for a format that is only written.
  OpenFile (*open)(const Location& path, Source* source, const InputOptions& options,
                   Input* input) = nullptr;
  /// Returns the schema of a file's rows as `open` gives it, without an engine; null if only
  /// reading the rows shows it. `source` is null for a format that is read by path. Throws Error.
  hub::Schema (*own_schema)(const Location& path, Source* source,
                            const InputOptions& options) = nullptr;
  /// Infers the schema of a source's rows; null for a format whose rows have a schema, or need a
  /// given one. Throws Error.
  void (*infer)(Source& source, const InputOptions& options,
                yt::SchemaInference* inference) = nullptr;
  /// Whether integers are marked as signed or unsigned in its rows.
  bool marks_unsigned = false;
  /// The options of `hub::Option` that only some formats take, as far as this one does: when it is
  /// read, and when it is written. What neither end takes is refused; see taken_options.h.
  std::span<const hub::Option> takes;
  std::span<const hub::Option> takes_to_write;
  /// Whether its files are compressed if their name ends with .gz or .zst.
  bool compressed_by_name = false;
  /// Whether rows are decoded in runs of bytes, whose number of rows is unknown.
  bool by_bytes = false;
  /// Returns the facts that a file states about itself, without reading its rows; null if it states
  /// none. `source` is null for formats that only an engine opens. Throws Error.
  hub::FileFacts (*facts)(const Location& path, Source* source,
                          const InputOptions& options) = nullptr;
  /// Returns how a file stores its rows, without reading them; null if outputs cannot keep any of
  /// it. Throws Error.
  hub::Storing (*storing)(const Location& path, Source& source) = nullptr;
  /// Cuts a file into parts; null if it is only read whole.
  std::vector<Part> (*parts)(Source& source, const Location& path, uint64_t bytes) = nullptr;

  /// Sets the file version that the plan is for. If none is given, rows appended to a dataset or
  /// replacing it use its version. Null if there is one version. Throws Error (Usage) if rows are
  /// appended to those of another version.
  void (*choose_version)(const Location& path, OutputOptions* output,
                         crosswalk::PlanOptions* plan) = nullptr;
  /// Adds to the plan of an output what its rows cannot express, beyond what their types imply;
  /// null if there is nothing.
  void (*judge)(const OutputOptions& options, crosswalk::Plan* plan) = nullptr;
  /// Opens a writer of sequential bytes; null if the format is written by path.
  std::unique_ptr<hub::BatchWriter> (*write)(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                             const OutputOptions& options) = nullptr;
  /// Opens a writer by path; null if the format is written as sequential bytes.
  std::unique_ptr<hub::BatchWriter> (*write_path)(const OutputPlace& place, const WritePlan& plan,
                                                  const OutputOptions& options) = nullptr;
  /// Returns a writer that keeps nothing, and refuses the rows that the format's own writer by path
  /// does. `there` is the dataset that they are added to, or null. Null if it refuses none.
  std::unique_ptr<hub::BatchWriter> (*try_rows)(const Location* there, const WritePlan& plan,
                                                const OutputOptions& options) = nullptr;
  /// Asks the software that commits rows whether it would take those of a plan, and writes nothing;
  /// null if it need not be asked. Throws Error as the writer would.
  void (*ask_commit)(const OutputPlace& place, const WritePlan& plan,
                     const OutputOptions& options) = nullptr;
  Adding adding = Adding::Never;
  /// Returns the schema of a file's or a dataset's rows, to which others are appended; null if that
  /// is not supported. Throws Error.
  hub::AnySchema (*schema_there)(const Location& path, const StorageOptions& storage) = nullptr;
  /// Returns the schema of existing rows of a dataset at `path` with those columns of `rows` that
  /// it does not have, none of them required, and with wider types of columns as far as the format
  /// allows that; null if a conversion cannot add columns. Throws Error (Unsupported) with the
  /// path.
  hub::AnySchema (*with_columns)(const Location& path, const StorageOptions& storage,
                                 const hub::AnySchema& schema, const hub::Schema& added) = nullptr;
  /// Whether rows are split by the values of columns in the dataset itself, not in folders.
  bool partitions = false;
  Upserts upserts = Upserts::Never;
  /// How many inputs of rows are kept one by one, so that none is added twice; more are one
  /// together. 0 if none are kept.
  size_t keeps_inputs = 0;
  /// Whether rows that replace those of a dataset have its schema.
  bool keeps_schema = false;
  /// Checks whether rows may be appended to those of a file, and returns the separator bytes; null
  /// if that is never possible. Sets `after_row` of the plan. Throws Error.
  std::string (*between)(const Location& path, WritePlan* plan) = nullptr;
  /// Returns the text of the schema next to the rows of an output, in one form; null if rows have
  /// their own schema.
  std::string (*side_text)(const WritePlan& plan) = nullptr;
  /// Returns the text of a schema like this in canonical form. Throws Error (Input).
  std::string (*side_canonical)(std::string_view text) = nullptr;

  /// A format stands for the address of its row.
  hub::Module::NotCopied not_copied{};

  bool has_own_schema() const { return side_text == nullptr; }
};

/// Returns true if an output is a folder of files that the values of columns name.
bool writes_folders(const OutputOptions& options);

/// Refuses rows for files of a system if they have no columns and it needs some. Throws Error
/// (Unsupported).
void check_has_columns(hub::System system, size_t columns);

}  // namespace xwalk::io
