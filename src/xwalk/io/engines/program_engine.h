#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/engines/idle_engine.h"
#include "xwalk/io/engines/ipc_stream.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::io {

class TemporaryFolder;

/// Rows that an engine program has opened and not begun to give: if they are copied unchanged to
/// the same engine, or to another whose code it has, it writes them itself, and they do not leave
/// its process.
class OpenedRows {
 public:
  virtual ~OpenedRows() = default;
  /// Waits until the engine has opened the rows. Called before anything is written, since only a
  /// running engine removes an output whose host was killed.
  virtual void start() = 0;
  /// Returns the program if it can write directly for a sink of that engine and that plain schema.
  /// Null if it cannot, or if it implements the first version of the contract. The reader then
  /// returns no rows.
  virtual std::shared_ptr<EngineProgram> take(std::string_view engine,
                                              const hub::Schema& plain) = 0;
  /// Returns the engine that reads.
  virtual std::string_view engine() const = 0;
  virtual bool is_taken() const = 0;
  /// Is called when all rows were taken and none is committed; what it throws ends the conversion.
  std::function<void()> before_commit;
  /// Finishes the writer that has taken the rows, as a pipeline does.
  virtual Progress finish(hub::BatchWriter* writer, const PipelineOptions& options) = 0;
};

/// Options of an engine program that reads.
struct ProgramReadOptions {
  std::string path;
  /// Top-level columns wanted; nothing for all.
  std::optional<std::vector<std::string>> columns;
  std::optional<int64_t> limit;
  /// Rows of the whole file, if it states them.
  std::optional<int64_t> rows;
  int64_t batch_rows = 0;
  /// Lance: the version of the dataset; the latest if not set.
  std::optional<uint64_t> version;
  /// Lance: folders that references out of the dataset may lead to.
  std::vector<std::string> follow;
  /// Device and number of the local file, or of the first folder to follow. The engine refuses
  /// another one in its place.
  std::optional<std::array<uint64_t, 2>> identity;
  /// Lance: the file of the version, for an engine that opens all files of the dataset itself, step
  /// by step without links.
  std::optional<std::string> manifest;
  /// Iceberg: the metadata file of the table, the snapshot (nothing if it has no rows) and the
  /// schema.
  std::string metadata;
  std::optional<int64_t> snapshot;
  std::optional<int32_t> schema_id;
  /// How the store of the path is reached; secrets are in the environment of both.
  StorageOptions storage;
  /// Requires the program, even if the interface has the engine in its own process.
  bool separate = false;
  /// A program that may be running already, or null.
  std::shared_ptr<IdleEngine> idle;
};

/// Returns the options of an engine in JSON. `links` is an empty folder for an engine that opens
/// files itself. Throws Error for what may not be read.
std::string options_of(const ProgramReadOptions& options, const TemporaryFolder* links = nullptr);

/// Opens rows that an engine reads: its program, or the one that the interface has in this process
/// (engine_host.h), unless the path leads to a store. The engine starts when the first row is
/// needed. `labels` is the schema that the file states. The rows have it in plain layouts, cut to
/// the wanted columns. At the end the number of rows is compared with those that the engine and
/// the file report, so that a truncated stream is an error. Throws Error with the path as file;
/// reading does, too: Unsupported for a column that the engine gives as another type.
std::unique_ptr<hub::BatchReader> open_program_rows(std::string_view engine,
                                                    std::string_view package,
                                                    const ProgramReadOptions& options,
                                                    const hub::Schema& labels);

/// Makes a split reader of rows of a file that come from `open_program_rows`, at whatever depth,
/// with the Arrow types that a system's annotations name. Rows with values that their types do not
/// have are bad (`check_values`).
std::unique_ptr<SplitReader> split_program_rows(crosswalk::System system, std::string file,
                                                std::unique_ptr<hub::BatchReader> reader);

/// How rows reach an engine.
class EngineTransport;

/// Sends rows to an engine that writes them: its program, or the one that the interface has in this
/// process, unless `separate`.
class ProgramSink {
 public:
  /// `options_json` has the engine's options. Batches are of `schema`, and are sent in plain
  /// layouts with `stream_metadata` in addition to their own metadata. If `opened` is not null, the
  /// engine of those rows writes them, and no batch must be written.
  ProgramSink(std::string_view engine, std::string_view package, const std::string& options_json,
              const hub::Schema& schema, const hub::Metadata& stream_metadata, bool separate,
              OpenedRows* opened);
  ~ProgramSink();

  void write(hub::Batch batch);
  /// Ends the rows, and waits until the program has stored them.
  void finish();
  /// Returns true if the program exited without an error message. Its output may still be
  /// complete.
  bool is_in_doubt() const;
  int64_t rows() const { return rows_; }
  /// Returns how many of the rows replaced others, once finished; 0 if the program reports none.
  int64_t updated() const { return updated_; }
  /// Bytes of the output once finished, if the program reports them; before that, the bytes sent.
  uint64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<EngineTransport> engine_;
  std::optional<hub::CompiledCast> cast_;
  bool has_answered_ = false;
  int64_t rows_ = 0;
  int64_t updated_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace xwalk::io
