#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/reject_form.h"
#include "xwalk/io/places/rejects.h"

namespace xwalk::io {

/// A file of rejected rows, with a schema next to it with which `open_input` reads the rejected
/// rows as before. Rows of another schema go to a separate file: `bad-2.yson` next to `bad.yson`.
class RejectFile {
 public:
  /// Refuses a path that must not be written. Throws Error.
  using Check = std::function<void(const Location& path)>;

  /// The file exists even without rejected rows, unless `if_any` and nothing has its name. Throws
  /// as `open_sink`.
  RejectFile(const Location& path, const SinkOptions& options, bool if_any, Check check);

  /// Sets the input of the next rows; it outlives them.
  void begin(const Input& input, const InputOptions& options);
  /// Sets that the next rows are of the tables of a Skiff stream.
  void begin(const skiff::Schema& stream);

  /// Throws Error (Io).
  void add(const hub::BadRow& row);
  /// Completes the file and its schema.
  void finish();

 private:
  /// The rows of one schema.
  struct File {
    RejectWriter rows;
    /// Null for an output that is written in place.
    std::unique_ptr<ByteSink> side;
    /// The number of the form; nothing before the first row.
    std::optional<size_t> form;
  };

  /// The form of rejected rows of one file or table.
  struct Origin {
    size_t form = 0;
    FolderColumns folders;
  };

  Origin origin_of(const Input& input);
  const Origin& origin_of_row(const hub::BadRow& row);
  size_t number_of(RejectForm form);
  /// Returns the columns of the folders of a row, as text; "" if its file is in no such folder.
  const std::string& columns_of(const hub::BadRow& row, const FolderColumns& folders);
  void check_names(const Location& path) const;
  void open_file();
  File& file_of(size_t form);

  Location path_;
  SinkOptions options_;
  Check check_;
  std::vector<File> written_;
  std::vector<RejectForm> forms_;
  /// Of the current input: by table, or one for all rows, or one for each file.
  std::vector<Origin> tables_;
  std::map<std::string, Origin> files_;
  /// Files by the names that errors show.
  std::map<std::string, Location> names_;
  InputOptions reading_;
  std::vector<hub::Field> partitions_;
  /// The text of the columns of folders for each file.
  std::map<std::string, std::string> columns_;
  bool is_by_file_ = false;
};

}  // namespace xwalk::io
