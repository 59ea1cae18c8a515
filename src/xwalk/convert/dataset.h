#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/handle.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// Rows to convert, check or read: those of files, of bytes in memory, or of an Arrow stream. Their
/// source is opened on first use, and again for every further use if it allows that. The schema
/// stays the same. Not for several threads at a time.
class Dataset {
 public:
  /// Opens the bytes of a host.
  using OpenBytes = std::function<std::unique_ptr<Source>()>;

  /// Rows of names, as `open_input` takes them.
  Dataset(Locations names, InputOptions options);
  /// Rows of bytes, which are the same each time if `again` is true.
  Dataset(OpenBytes open, bool again, InputOptions options);
  /// Rows of a stream, once. The options are those of an Arrow file.
  Dataset(hub::StreamHandle stream, InputOptions options);
  /// Rows that are open, once.
  Dataset(Input input, InputOptions options);

  const InputOptions& options() const { return options_; }
  /// The names, none for other sources.
  const Locations& names() const { return names_; }
  bool can_read_again() const { return again_; }
  bool is_open() const { return format_.has_value(); }

  /// Opens the rows unless they are open. Throws as `open_input`. Required before the functions
  /// below.
  void open();
  Format format() const { return *format_; }
  const Locations& files() const { return files_; }
  const hub::Schema& schema() const { return schema_; }
  const FileNotes& notes() const { return notes_; }
  /// Returns what opening the rows and the last `read` met that is not in their schema, in a form
  /// of `notes_json`.
  std::string notes_json(hub::Interface interface) const;
  std::optional<int64_t> total_rows() const { return total_rows_; }
  /// The columns that folders stand for, by name.
  const std::vector<std::string>& partitions() const { return partitions_; }

  /// Gives the rows away, read with these options: by the source that `open` opened, if the rows
  /// were not given away yet. Of a stream whose reader has begun, the options have no effect.
  /// Throws Error (Usage) for rows that were given away and cannot be read again.
  Input take(const InputOptions& options);
  Input take() { return take(options_); }
  /// The same for rows that are compared: values are those that are stored.
  Input take_to_compare();

  /// Gives the rows away as a stream of good rows: bad ones are counted in `rejected`, or the first
  /// is thrown, as the options say.
  std::unique_ptr<SplitReader> read();
  /// Returns how many rows the last `read` left out so far.
  int64_t rejected() const { return *rejected_; }

 private:
  /// Opens the rows. Unless it is null, uses what `kept` has, and fills it otherwise.
  Input open_with(const InputOptions& options, KeptInput* kept);
  /// Stores the properties of rows that were opened for the first time.
  void remember(const Input& input);

  Locations names_;
  OpenBytes bytes_;
  /// Until it is opened.
  hub::StreamHandle stream_;
  bool again_;
  InputOptions options_;
  /// The rows, unless they were given away, and what they were opened from.
  std::optional<Input> input_;
  KeptInput kept_;
  /// The findings of the last `read`; null if it has none.
  SplitReader::Notes met_;
  std::optional<Format> format_;
  Locations files_;
  std::vector<std::string> partitions_;
  hub::Schema schema_;
  FileNotes notes_;
  std::optional<int64_t> total_rows_;
  std::shared_ptr<std::atomic<int64_t>> rejected_ = std::make_shared<std::atomic<int64_t>>(0);
};

}  // namespace xwalk::io
