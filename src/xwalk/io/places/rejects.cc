#include "xwalk/io/places/rejects.h"

#include <string_view>
#include <utility>

#include "xwalk/base/shown_name.h"
#include "xwalk/io/formats/reject_form.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/transcode.h"

namespace xwalk::io {
namespace {

/// Appends a row's bytes as a value in the format; false if they are not a YSON map.
bool append_value(std::string_view bytes, yson::Format format, yson::Buffer* out) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  yson::skip_space(p, end);
  if (p == end || *p != '{') return false;
  size_t before = out->size();
  bool whole = yson::transcode(p, end, format, out, 255, 1) == yson::Status::Ok;
  if (whole) yson::skip_space(p, end);
  if (whole && p == end) return true;
  out->truncate(before);
  return false;
}

}  // namespace

RejectWriter::RejectWriter(std::unique_ptr<ByteSink> sink, yson::Format format)
    : sink_(std::move(sink)), format_(format) {}

void RejectWriter::add(const hub::BadRow& row, size_t form, std::string_view columns, bool binary) {
  const Place& place = row.error.place();
  yson::Node::Map about;
  auto number = [&about](std::string_view key, uint64_t value) {
    about.emplace_back(std::string(key), yson::Node::int64(static_cast<int64_t>(value)));
  };
  auto text = [&about](std::string_view key, std::string value) {
    about.emplace_back(std::string(key), yson::Node::string(std::move(value)));
  };
  number("row", place.row ? *place.row : static_cast<uint64_t>(row.index));
  text("reason", shown_text(row.error.message()));
  if (!place.path.empty()) text("path", place.path.text());
  if (!place.file.empty()) text("file", shown_name(place.file));
  if (place.line) number("line", *place.line);
  if (place.column) number("column", *place.column);
  if (place.byte) number("byte", *place.byte);
  if (place.table) number("table_index", *place.table);
  if (form > 0) number(kRejectForm, form);

  buffer_.clear();
  buffer_.append('{');
  bool pretty = format_ == yson::Format::Pretty;
  auto key = [&](std::string_view name) {
    if (pretty) buffer_.append("\n    ");
    yson::write_string(name, format_, &buffer_);
    buffer_.append(pretty ? " = " : "=");
  };
  for (const auto& [name, value] : about) {
    key(name);
    buffer_.append(yson::print(value, format_));
    buffer_.append(';');
  }
  const auto bytes = [&](std::string_view as_map, std::string_view as_string,
                         std::string_view its) {
    if (its.empty()) return;
    const size_t before = buffer_.size();
    key(as_map);
    if (binary || !append_value(its, format_, &buffer_)) {
      buffer_.truncate(before);
      key(as_string);
      yson::write_string(its, format_, &buffer_);
    }
    buffer_.append(';');
  };
  bytes(kRejectColumns, kRejectColumns, columns);
  bytes("value", "source", row.source_bytes);
  if (pretty) buffer_.append('\n');
  buffer_.append("};");
  if (format_ != yson::Format::Binary) buffer_.append('\n');
  sink_->write(buffer_.view());
  ++rows_;
}

void RejectWriter::finish() { sink_->finish(); }

}  // namespace xwalk::io
