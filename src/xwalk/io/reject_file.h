#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/io/open.h"
#include "xwalk/io/reject_form.h"
#include "xwalk/io/rejects.h"
#include "xwalk/io/sink.h"

namespace xwalk::io {

/// A file of rejected rows, with the schema beside it by which `open_input` reads the rows in it as
/// they were read before.
class RejectFile {
 public:
  /// Throws as `open_sink`.
  RejectFile(const std::string& path, const SinkOptions& options);

  /// Says which input the next rows are of; it outlives them.
  void begin(const Input& input, const InputOptions& options);
  /// Says that the next rows are of a Skiff stream, of its tables.
  void begin(const skiff::Schema& stream);

  /// Throws Error (Io).
  void add(const hub::BadRow& row);
  /// Completes the file and its schema.
  void finish();

 private:
  size_t form_of_row(const hub::BadRow& row);
  size_t number_of(RejectForm form);

  RejectWriter rows_;
  /// Null for what is written in place.
  std::unique_ptr<ByteSink> side_;
  std::vector<RejectForm> forms_;
  /// Of the input at hand: by table, or one for all rows, or one for each file.
  std::vector<size_t> tables_;
  std::map<std::string, size_t> files_;
  /// Files by the names that errors show.
  std::map<std::string, std::string> names_;
  InputOptions reading_;
  bool is_by_file_ = false;
};

}  // namespace xwalk::io
