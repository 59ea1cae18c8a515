#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/cast.h"
#include "xwalk/io/bytes/folder_at.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/engines/engine_program.h"
#include "xwalk/io/formats/iceberg_partitions.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/refusing_writer.h"

namespace xwalk::io {

/// Runs a call, and names the table in its errors.
template <typename Call>
auto naming_table(const Location& path, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = path;
    throw;
  }
}

/// Sends one line to an engine that commits files.
void send_order(EngineProgram& program, const nlohmann::json& order);

/// What an engine that commits files is started for.
enum class CommitUse : uint8_t {
  Write,
  Ask,  ///< only to find out if it would refuse the rows
};

/// Adds to an order the use, and the inputs by which the engine finds out if their rows were added
/// before.
void add_inputs(const OutputOptions& options, CommitUse use, nlohmann::json* order);

/// Adds to an order the key by which rows replace those of a table that exists.
void add_key(const OutputOptions& options, nlohmann::json* order);

/// Returns the word of a mode in the options of engines.
std::string mode_word(OutputMode mode);

/// Refuses to make a table that exists. Throws Error (Io).
void refuse_existing_table(bool exists, OutputMode mode);

/// The rows of a table's data files.
struct TableFiles {
  /// The schema of the table, which rows are cast to.
  hub::Schema rows;
  std::vector<PartitionField> partitions;
  /// Whether the columns of the partitions are in the files.
  bool stores_partitions = true;
};

/// Writes rows to data files of a table, which an engine adds to it at the end in one commit: files
/// of Parquet by xwalk's own writer, one for each part at least. The engine knows of each file
/// before it exists, and removes the files if there is no commit.
class TableWriter : public RefusingWriter {
 public:
  void write(hub::Batch batch) final;
  std::vector<hub::BadRow> write_good(hub::Batch batch) final;
  void finish() final;
  uint64_t bytes_written() const final;

 protected:
  TableWriter(Location path, const OutputOptions& options);

  /// Begins with a schema and a folder that the engine agreed to. `given` is the schema of the
  /// batches.
  void begin_files(std::unique_ptr<EngineProgram> program, std::string folder,
                   const hub::Schema& given, TableFiles files);

  /// Returns the values of the part of a row. Throws Error (Input) with the path of the column for
  /// a row that no part takes.
  virtual nlohmann::json part_of(const Partitioner& parts, const hub::Batch& batch,
                                 int64_t row) const {
    return parts.values_of(batch, row);
  }

  /// Returns the folder of a part's files, below the one of the table; "" for that one.
  virtual std::string folder_of(const nlohmann::json& /*values*/) const { return ""; }

  /// Returns the order to the engine about a file with a part's values.
  virtual nlohmann::json entry_of(const std::string& file, const nlohmann::json& values) = 0;

  /// Returns how many NaNs a file has, by the paths of its columns of floats.
  std::vector<std::pair<std::string, uint64_t>> nans_in(const std::string& file) const;

 private:
  struct Part {
    std::unique_ptr<hub::BatchWriter> writer;
    std::string file;
    nlohmann::json values = nlohmann::json::array();
    /// Why no row of these values has a part, if it is so.
    std::optional<Error> refusal;
    uint64_t rows = 0;
    std::list<Part*>::iterator place;
  };

  /// Writes rows. Those without a part are appended to `refused`; if that is null, the error of the
  /// first one is thrown.
  void write_rows(hub::Batch batch, std::vector<hub::BadRow>* refused);
  void write_parts(hub::Batch batch, std::vector<hub::BadRow>* refused);
  void write_part(Part* part, hub::Batch batch);
  void open(Part* part);
  void close(Part* part);

  Location path_;
  OutputOptions options_;
  OutputSet* set_ = nullptr;
  /// What the names of this run's files begin with.
  std::string run_;
  std::unique_ptr<EngineProgram> program_;
  /// The place of data files.
  std::string folder_;
  /// The schema of the table, and what files have of it.
  hub::Schema rows_of_table_;
  WritePlan rows_of_files_;
  /// The columns that files have; nothing if they have all.
  std::optional<std::vector<size_t>> stored_;
  std::optional<hub::CompiledCast> cast_;
  std::optional<Partitioner> partitioner_;
  /// The folders of parts; they outlive the writers of files in them.
  MadeFolders made_;
  std::unordered_map<std::string, Part> parts_;
  /// Those with a writer, the last written to first.
  std::list<Part*> open_;
  std::string key_;
  uint64_t number_ = 0;
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
  nlohmann::json files_ = nlohmann::json::array();
};

}  // namespace xwalk::io
