#include "xwalk/yt/json_rows.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/json_text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/known_json_internal.h"

namespace xwalk::yt {

std::string_view take_line(std::string_view* lines) {
  const size_t end = lines->find('\n');
  const std::string_view line = lines->substr(0, end);
  lines->remove_prefix(end == std::string_view::npos ? lines->size() : end + 1);
  return line;
}

namespace {

/// Replaces a line that is not a row. The decoder refuses it when it reads it.
constexpr std::string_view kNoRow = "#;";

/// Returns the error for an invalid line, with its place.
Error fault_of(const JsonLineFault& fault, std::string_view line, const RowsPlace& place,
               uint64_t byte, uint64_t number) {
  Place where = place_in_text(line, std::min(fault.offset, line.size()));
  where.file = place.file;
  where.byte = byte + fault.offset;
  where.line = place.line.value_or(1) + number;
  where.path = fault.path;
  return Error(ErrorCode::Input, fault.message, std::move(where), fault.hint);
}

}  // namespace

bool is_control_line(std::string_view line) {
  const char* p = line.data();
  const char* const end = p + line.size();
  const auto skip = [&] {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
  };
  skip();
  if (p == end || *p != '{') return false;
  ++p;
  skip();
  if (end - p < 2 || p[0] != '"' || p[1] != '$') return false;
  return end - p == 2 || p[2] != '$';
}

std::vector<std::string_view> rows_in_lines(std::string_view lines, const ValueOptions& options,
                                            std::optional<uint32_t> wanted, uint32_t table) {
  JsonTranscoder transcoder(nullptr, options);
  yson::Buffer yson;
  std::vector<std::string_view> out;
  while (!lines.empty()) {
    const std::string_view line = take_line(&lines);
    if (is_blank_line(line)) continue;
    yson.clear();
    if (!is_control_line(line) || !transcoder.row(line, &yson)) {
      if (!wanted || *wanted == table) out.push_back(line);
    } else if (!rows_in(yson.view(), wanted, &table).empty()) {
      out.push_back(line);
    }
  }
  return out;
}

JsonRowDecoder::JsonRowDecoder(const TableSchema& schema, const ReadOptions& options)
    : rows_(schema, options),
      lines_(&schema, options.values),
      skip_bad_rows_(options.skip_bad_rows) {}

hub::Batch JsonRowDecoder::decode(std::string_view lines, int64_t first_row,
                                  const RowsPlace& place) {
  yson::Buffer& yson = transcoded_.yson;
  std::vector<Row>& rows = transcoded_.rows;
  yson.clear();
  rows.clear();
  /// Lines that are not rows, by their index among the rows.
  std::vector<std::pair<size_t, Error>> faults;
  uint64_t number = 0;
  for (std::string_view rest = lines; !rest.empty(); ++number) {
    const std::string_view line = take_line(&rest);
    if (is_blank_line(line)) continue;
    rows.push_back({line, yson.size(), number});
    if (lines_.row(line, &yson)) continue;
    const auto byte = place.byte + static_cast<uint64_t>(line.data() - lines.data());
    faults.emplace_back(rows.size() - 1, fault_of(lines_.fault(), line, place, byte, number));
    yson.append(kNoRow);
    if (!skip_bad_rows_) break;
  }
  RowsPlace in_yson = place;
  in_yson.byte = 0;
  in_yson.line.reset();
  const auto settle = [&](Error* error, std::string* source) {
    const size_t at = error->place().byte.value_or(0);
    const auto after =
        std::upper_bound(rows.begin(), rows.end(), at,
                         [](size_t wanted, const Row& row) { return wanted < row.in_yson; });
    if (after == rows.begin()) return;
    const auto index = static_cast<size_t>(after - rows.begin()) - 1;
    const auto fault =
        std::lower_bound(faults.begin(), faults.end(), index,
                         [](const auto& one, size_t wanted) { return one.first < wanted; });
    if (fault != faults.end() && fault->first == index) {
      Error own = fault->second;
      own.place().row = error->place().row;
      own.place().table = error->place().table;
      *error = std::move(own);
    } else {
      const Row& row = rows[index];
      const size_t offset = lines_.place_in_line(row.line, at - row.in_yson);
      Place where = place_in_text(row.line, offset);
      Place& its = error->place();
      its.line = place.line.value_or(1) + row.number;
      its.column = where.column;
      its.byte = place.byte + static_cast<uint64_t>(row.line.data() - lines.data()) + offset;
      its.snippet = std::move(where.snippet);
      its.snippet_offset = where.snippet_offset;
      its.snippet_length = where.snippet_length;
    }
    if (source != nullptr) *source = rows[index].line;
  };
  try {
    hub::Batch batch = rows_.decode(yson.view(), first_row, in_yson);
    for (hub::BadRow& bad : batch.bad) settle(&bad.error, &bad.source_bytes);
    return batch;
  } catch (Error& error) {
    if (error.code() == ErrorCode::Input) settle(&error, nullptr);
    throw;
  }
}

JsonAsYson::JsonAsYson(ByteSource* source, const ValueOptions& options, size_t row_bytes,
                       KnownJson* known)
    : source_(source), transcoder_(nullptr, options), row_bytes_(row_bytes), known_(known) {}

size_t JsonAsYson::read(char* out, size_t size) {
  while (given_ == yson_.size()) {
    yson_.clear();
    given_ = 0;
    if (!fill()) return 0;
  }
  const size_t count = std::min(size, yson_.size() - given_);
  std::memcpy(out, yson_.view().data() + given_, count);
  given_ += count;
  return count;
}

bool JsonAsYson::fill() {
  constexpr size_t kMostBlock = size_t{256} << 10;
  const std::string_view left = std::string_view(lines_).substr(used_);
  // Bytes that were searched before are not searched again: a line may be long.
  size_t end = left.substr(searched_).rfind('\n');
  if (end != std::string_view::npos) end += searched_;
  if (end == std::string_view::npos && !ended_) {
    lines_.erase(0, used_);
    used_ = 0;
    searched_ = lines_.size();
    if (lines_.size() > row_bytes_ + kMostBlock) {
      throw Error(
          ErrorCode::Input,
          fmt::format("expected a row of at most {} bytes, found a longer one", row_bytes_),
          {.file = source_->name()},
          fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
    }
    const size_t before = lines_.size();
    lines_.resize(before + block_);
    const size_t count = source_->read(lines_.data() + before, block_);
    lines_.resize(before + count);
    block_ = std::min(2 * block_, kMostBlock);
    ended_ = count == 0;
    return true;
  }
  if (left.empty()) return false;
  lines_.reserve(lines_.size() + JsonTranscoder::kPadding);
  std::string_view rest =
      std::string_view(lines_).substr(used_, end == std::string_view::npos ? end : end + 1);
  used_ += rest.size();
  searched_ = 0;
  if (!std::exchange(begun_, true) && rest.starts_with(kByteOrderMark)) {
    rest.remove_prefix(kByteOrderMark.size());
  }
  while (!rest.empty()) {
    const std::string_view line = take_line(&rest);
    if (is_blank_line(line)) continue;
    if (has_row_ && known_ != nullptr && line.size() <= row_bytes_ && known_->row(line)) continue;
    if (is_control_line(line)) {
      known_ = nullptr;
    } else {
      has_row_ = true;
    }
    if (!transcoder_.row(line, &yson_)) yson_.append(kNoRow);
  }
  return true;
}

bool holds_any(const Type& type) {
  const Type& bare = without_tags(type);
  if (bare.is(TypeKind::Yson)) return true;
  return std::ranges::any_of(bare.members(),
                             [](const Member& member) { return holds_any(member.type); });
}

namespace {

yson::JsonRowStyle style_of(const JsonForm& form) {
  return {.wrappers = !form.plain,
          .encode_utf8 = form.encode_utf8,
          .stringify = form.stringify,
          .annotate_with_types = form.annotate_with_types,
          .unquoted_infinity = form.not_finite == NotFinite::Unquoted,
          .quoted_specials = form.not_finite == NotFinite::Quoted};
}

std::string_view hint_of(yson::JsonFault fault) {
  switch (fault) {
    case yson::JsonFault::NotText:
      return "Bytes are written with <encode_utf8=%true>json.";
    case yson::JsonFault::NotFinite:
      return "They are words with <stringify_nan_and_infinity=%true;encode_utf8=%false>json.";
    case yson::JsonFault::Attributes:
      return "Attributes are written without plain.";
    case yson::JsonFault::None:
    case yson::JsonFault::Malformed:
      return "";
  }
  return "";
}

}  // namespace

JsonRowEncoder::JsonRowEncoder(const TableSchema& schema, const ValueOptions& options)
    : rows_(schema, options), form_(options.json) {
  for (const ColumnSchema& column : schema.columns) {
    names_.push_back(column.name);
    any_.push_back(holds_any(column.type));
  }
}

std::vector<hub::BadRow> JsonRowEncoder::encode(const hub::Batch& batch, yson::Buffer* out) const {
  /// Rows that are in YSON at a time, so that they stay in the cache.
  constexpr int64_t kStep = 256;
  std::vector<hub::BadRow> refused;
  yson::Buffer yson;
  yson::JsonRowWriter json(style_of(form_), out);
  int64_t row = 0;
  const int64_t step = batch.controls.empty() ? kStep : batch.rows();
  for (int64_t begin = 0; begin < batch.rows(); begin += step) {
    yson.clear();
    rows_.encode(batch.array, begin, std::min(begin + step, batch.rows()), batch.first_row, &yson,
                 batch.controls);
    const char* p = yson.view().data();
    const char* const end = p + yson.size();
    while (p < end) {
      if (*p == '<') {
        (void)json.value(p, end, false);
      } else {
        const size_t before = out->size();
        yson::JsonFault fault = yson::JsonFault::None;
        std::string_view faulty;
        size_t expected = 0;
        char separator = '{';
        ++p;
        if (*p == '}') out->append('{');
        while (*p != '}') {
          std::string_view name;
          (void)yson::read_binary_string(++p, end, name);
          ++p;
          out->append(separator);
          separator = ',';
          while (expected < names_.size() && names_[expected] != name) ++expected;
          // What no column has is a value of any type.
          const bool any = expected == names_.size() || any_[expected];
          yson::JsonFault found = json.key(name);
          const yson::JsonFault its = json.value(p, end, any);
          if (found == yson::JsonFault::None) found = its;
          if (found != yson::JsonFault::None && fault == yson::JsonFault::None) {
            fault = found;
            faulty = name;
          }
          ++p;
        }
        ++p;
        out->append('}');
        json.count();
        if (fault != yson::JsonFault::None) {
          out->truncate(before);
          Place place;
          place.row = static_cast<uint64_t>(batch.first_row + row);
          place.path = Path::column(faulty);
          refused.push_back({row,
                             Error(ErrorCode::Input,
                                   fmt::format("expected a value that JSON holds, found {}",
                                               yson::describe(fault)),
                                   std::move(place), std::string(hint_of(fault))),
                             ""});
        }
        ++row;
        if (fault != yson::JsonFault::None) {
          ++p;
          continue;
        }
      }
      ++p;
      out->append('\n');
    }
  }
  return refused;
}

}  // namespace xwalk::yt
