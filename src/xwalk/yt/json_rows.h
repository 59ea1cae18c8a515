#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/json_transcoder.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"

namespace xwalk::yt {

class KnownJson;

/// Returns true for a line without a value.
inline bool is_blank_line(std::string_view line) {
  // In line, since nearly all end with their first character.
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r') return false;
  }
  return true;
}

/// Takes the next line off, without its newline.
std::string_view take_line(std::string_view* lines);

/// Some programs begin UTF-8 with this.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Returns true for a line that is a control entity, `{"$value":null,"$attributes":{…}}`, or a row
/// that has attributes: its first key begins with one dollar sign.
bool is_control_line(std::string_view line);

/// Returns each line that is a row, as `rows_in` does. `JsonTranscoder::kPadding` bytes after the
/// lines must be readable.
std::vector<std::string_view> rows_in_lines(std::string_view lines, const ValueOptions& options,
                                            std::optional<uint32_t> wanted, uint32_t table);

/// Decodes runs of lines, each a row in JSON. Can be copied for another thread, as `RowDecoder`
/// can.
class JsonRowDecoder {
 public:
  /// Throws as `RowDecoder` does.
  JsonRowDecoder(const TableSchema& schema, const ReadOptions& options);
  JsonRowDecoder(const JsonRowDecoder& other) = default;

  const hub::Schema& schema() const { return rows_.schema(); }

  /// Decodes whole lines. Only the last may lack its newline. `JsonTranscoder::kPadding` bytes
  /// after them must be readable. Otherwise like `RowDecoder::decode`; positions are those of the
  /// JSON.
  hub::Batch decode(std::string_view lines, int64_t first_row, const RowsPlace& place);
  int64_t batch_rows() const { return rows_.batch_rows(); }
  /// Returns the current table and the pending attributes of the next row.
  const RowsPlace& end() const { return rows_.end(); }
  ControlsMet met() const { return rows_.met(); }
  const JsonTranscoder::Strings& strings() const { return lines_.strings(); }

 private:
  struct Row {
    std::string_view line;
    size_t in_yson;
    uint64_t number;  ///< of the line, from 0
  };

  /// The YSON of transcoded lines, in memory that is reused for the next lines.
  struct Transcoded {
    Transcoded() = default;
    /// A copy of a decoder begins with its own memory.
    Transcoded(const Transcoded&) {}
    Transcoded& operator=(const Transcoded&) = delete;

    yson::Buffer yson;
    std::vector<Row> rows;
  };

  RowDecoder rows_;
  JsonTranscoder lines_;
  Transcoded transcoded_;
  bool skip_bad_rows_;
};

/// Turns JSON lines into a stream of YSON, each value with its JSON type. Invalid lines become
/// invalid rows. For `infer_schema`.
class JsonAsYson final : public ByteSource {
 public:
  /// The source outlives it. A longer line than `row_bytes` is rejected. Lines that `known`
  /// recognizes are left out, except the first row and those after a control entity.
  JsonAsYson(ByteSource* source, const ValueOptions& options, size_t row_bytes,
             KnownJson* known = nullptr);

  size_t read(char* out, size_t size) override;
  const std::string& name() const override { return source_->name(); }
  uint64_t position() const override { return source_->position(); }

 private:
  bool fill();

  ByteSource* source_;
  JsonTranscoder transcoder_;
  size_t row_bytes_;
  /// Bytes to read next. Starts small: many inputs are small files.
  size_t block_ = size_t{8} << 10;
  std::string lines_;
  size_t used_ = 0;
  /// Bytes after the used ones that are known to hold no newline.
  size_t searched_ = 0;
  yson::Buffer yson_;
  size_t given_ = 0;
  bool ended_ = false;
  /// The first bytes were looked at.
  bool begun_ = false;
  KnownJson* known_;
  /// A row was given.
  bool has_row_ = false;
};

/// Encodes batches as lines of JSON; as `RowEncoder` otherwise.
class JsonRowEncoder {
 public:
  JsonRowEncoder(const TableSchema& schema, const ValueOptions& options);

  bool takes_dictionary(size_t column) const { return rows_.takes_dictionary(column); }

  /// Appends all rows of a batch except those that JSON cannot represent, which it returns: strings
  /// that are not UTF-8, nan and the infinities, and attributes, unless the settings define a form
  /// for them. Throws as `RowEncoder::encode` does.
  std::vector<hub::BadRow> encode(const hub::Batch& batch, yson::Buffer* out) const;

 private:
  RowEncoder rows_;
  JsonForm form_;
  std::vector<std::string> names_;
  /// Whether a column holds values of any type.
  std::vector<bool> any_;
};

/// Returns true if values of the type hold values of any type.
bool holds_any(const Type& type);

}  // namespace xwalk::yt
