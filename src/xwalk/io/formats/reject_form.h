#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/row_text.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::io {

/// Of a rejected row, the number of its form, if that is not 0.
inline constexpr std::string_view kRejectForm = "form";

/// What rejected rows are, so that they can be read again as they were read before.
struct RejectForm {
  /// The word of a format whose rows are bytes; the name of a system for others, whose rows are
  /// YSON that `hub::append_yson` writes.
  std::string format;
  /// How values are written in a format whose rows are bytes.
  yt::ValueOptions values;
  /// A table schema, a Skiff schema, or an Arrow schema in base64.
  std::string schema;

  friend bool operator==(const RejectForm&, const RejectForm&) = default;
};

/// Prints forms as the schema beside rejected rows, and reads that; nothing for another text.
/// Throws Error (Input).
std::string print_forms(const std::vector<RejectForm>& forms);
std::optional<std::vector<RejectForm>> parse_forms(std::string_view text);

/// Returns the form of the rows of an input that `options` opened, from one file or from files
/// whose rows are no bytes.
RejectForm form_of(const Input& input, const InputOptions& options);

/// Returns the form of rows of a schema that are shown as YSON.
RejectForm shown_form(crosswalk::System system, const hub::Schema& schema);

/// Of a rejected row, the columns of its folders, which its own bytes do not have: a map in YSON,
/// or the text of an object in JSON.
inline constexpr std::string_view kRejectColumns = "columns";

/// Returns what makes the bytes of rows of an input that has none of its own.
std::shared_ptr<const RowText> row_text_of(const Input& input, const InputOptions& options);
/// The same for rows that have only the columns of folders; null if no folder has a value, or if
/// bytes of the format cannot be put together.
std::shared_ptr<const RowText> partition_text_of(const Input& input, const InputOptions& options);
/// The same for a table of a Skiff stream.
std::shared_ptr<const RowText> row_text_of(const skiff::Schema& table);

}  // namespace xwalk::io
