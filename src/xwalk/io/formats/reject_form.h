#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::io {

/// Of a rejected row, the number of its form, if that is not 0.
inline constexpr std::string_view kRejectForm = "form";

/// The format and schema of rejected rows, so that they can be read again as before.
struct RejectForm {
  /// The word of a format whose rows are bytes; the name of a system for others, whose rows are
  /// YSON that `hub::append_yson` writes.
  std::string format;
  /// How values are written in a format whose rows are bytes.
  yt::ValueOptions values;
  /// A table schema, a Skiff schema, or an Arrow schema in base64.
  std::string schema;
  /// How many of the first columns of Skiff are those of folders.
  size_t folder_columns = 0;

  friend bool operator==(const RejectForm&, const RejectForm&) = default;
};

/// Prints forms as the schema next to rejected rows, and parses that text; nothing for another
/// text. Throws Error (Input).
std::string print_forms(const std::vector<RejectForm>& forms);
std::optional<std::vector<RejectForm>> parse_forms(std::string_view text);

/// Columns of folders that the rows of an input lack in their own bytes.
struct FolderColumns {
  std::vector<hub::Field> fields;
  /// Prints the values of one row: a map in YSON, the text of an object in JSON, the bytes of the
  /// first columns of a Skiff row.
  std::function<std::string(const hub::Array&)> print;
};

/// Of a rejected row, the columns of its folders.
inline constexpr std::string_view kRejectColumns = "columns";

/// Returns the form of the rows of an input that `options` opened, from one file or from files
/// whose rows are no bytes. Columns of folders are part of it: the first ones of Skiff.
RejectForm form_of(const Input& input, const InputOptions& options);

/// Returns the columns of folders for the rows of an input; none if its rows have no bytes.
FolderColumns folder_columns(const Input& input, const InputOptions& options);

}  // namespace xwalk::io
