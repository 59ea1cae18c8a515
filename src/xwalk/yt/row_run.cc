#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/block_masks.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/decode_fields_internal.h"
#include "xwalk/yt/decode_token_internal.h"
#include "xwalk/yt/row_boundary_internal.h"
#include "xwalk/yt/row_run_internal.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using yson::Status;

constexpr ptrdiff_t kCountedBytes = 8192;
/// Columns from which rows are likely to lack most.
constexpr size_t kWide = 256;
constexpr const char* kTruncated = "expected more bytes, found the end of the input inside a row";
constexpr const char* kLost = "expected a row, found brackets that do not match";

/// Adds the columns of what control entities say.
hub::Schema shown_schema(hub::Schema schema, const ReadOptions& options) {
  const auto add = [&](bool shown, std::string_view name, hub::Kind kind, bool nullable) {
    if (shown) schema.fields.emplace_back(std::string(name), kind, nullable);
  };
  add(options.table_index, kTableIndex, hub::Kind::Uint32, false);
  add(options.range_index, kRangeIndex, hub::Kind::Int64, true);
  add(options.row_index, kRowIndex, hub::Kind::Int64, true);
  return schema;
}

}  // namespace

int64_t batch_rows(const RowProgram& program, const ReadOptions& options) {
  const size_t fit = options.batch_bytes / std::max<size_t>(program.fixed_row_bytes, 1);
  return std::max<int64_t>(1, std::min(options.batch_rows, static_cast<int64_t>(fit)));
}

RowRun::RowRun(std::shared_ptr<const RowProgram> program, const ReadOptions& options)
    : program_(std::move(program)),
      options_(options),
      schema_(shown_schema(program_->schema, options)),
      block_(*program_) {
  builders_.reserve(program_->schema.fields.size());
  auto pool = std::make_shared<hub::BufferPool>();
  for (const hub::Field& field : program_->schema.fields) builders_.emplace_back(field, pool);
  for (size_t i = 0; i < program_->targets.size(); ++i) {
    int target = program_->targets[i];
    ColumnBuilder* builder = target < 0 ? nullptr : &builders_[static_cast<size_t>(target)];
    columns_.push_back(builder);
    if (program_->row.children[i].op == Op::Utf8) texts_.emplace_back(builder, i);
  }
  // A skipped column is never appended to; the loop still looks at its length.
  if (!builders_.empty()) {
    std::replace(columns_.begin(), columns_.end(), static_cast<ColumnBuilder*>(nullptr),
                 &builders_[0]);
  } else {
    none_ = std::make_unique<ColumnBuilder>(hub::Field("", hub::Kind::Null));
    std::fill(columns_.begin(), columns_.end(), none_.get());
  }
  if (program_->other_columns >= 0) {
    other_ = &builders_[static_cast<size_t>(program_->other_columns)];
  }
  const std::vector<Step>& steps = program_->row.children;
  if (!block_.suits() && steps.size() > kWide) {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].op != Op::Skip && !steps[i].nullable) {
        required_.push_back(static_cast<uint32_t>(i));
      }
    }
    context_.required = &required_;
  }
  context_.repeated_keys = options_.repeated_keys;
  context_.integers_in_doubles = options_.integers_in_doubles;
}

void RowRun::set_place(const RowsPlace& place) {
  place_ = place;
  text_known_ = !place.line.has_value();
  after_row_ = false;
}

void RowRun::restart(int64_t first_row, const RowsPlace& place) {
  first_row_ = first_row;
  error_.reset();
  rows_seen_ = false;
  table_seen_ = place.table != 0;
  controls_.clear();
  set_place(place);
  const hub::RowControl& control = place.control;
  if (table_seen_ || control.range_index || control.row_index || control.key_switch) {
    controls_.push_back({0, place.table, control});
  }
}

void RowRun::advance(const char* to) {
  place_.byte += static_cast<uint64_t>(to - base_);
  if (place_.line) {
    const auto size = static_cast<size_t>(to - base_);
    count_ahead(to);
    if (ahead_lines_ > 0) {
      *place_.line += ahead_lines_;
      const char* last = base_ + std::string_view(base_, size).rfind('\n');
      place_.column = static_cast<uint64_t>(to - last);
    } else {
      place_.column += size;
    }
  }
  base_ = ahead_ = to;
  ahead_lines_ = 0;
  counted_ = nullptr;
}

void RowRun::count_ahead(const char* to) {
  if (place_.line) ahead_lines_ += yson::count_newlines({ahead_, static_cast<size_t>(to - ahead_)});
  ahead_ = to;
}

void RowRun::count_lines(const char* to) const {
  if (counted_ == nullptr || to < counted_) {
    counted_ = counted_start_ = base_;
    counted_lines_ = 0;
  }
  while (counted_ < to) {
    const auto* newline =
        static_cast<const char*>(std::memchr(counted_, '\n', static_cast<size_t>(to - counted_)));
    counted_ = newline == nullptr ? to : newline + 1;
    if (newline == nullptr) break;
    counted_start_ = counted_;
    ++counted_lines_;
  }
}

Error RowRun::make_error(std::string message, const char* at, Extent row, std::string hint) const {
  Place place;
  place.file = place_.file;
  place.byte = place_.byte + static_cast<uint64_t>(at - base_);
  if (place_.line) {
    count_lines(at);
    uint64_t lines = counted_lines_;
    const char* line = counted_start_;
    place.line = *place_.line + lines;
    place.column = static_cast<uint64_t>(at - line) + (lines == 0 ? place_.column : 1);
    // Only bytes of the row itself.
    constexpr ptrdiff_t kAround = 40;
    const char* from = std::max({line, row.begin, at - std::min(at - base_, kAround)});
    const char* to = std::max(at, std::min(row.end, at + std::min(context_.end - at, kAround)));
    if (const void* newline = std::memchr(at, '\n', static_cast<size_t>(to - at))) {
      to = static_cast<const char*>(newline);
    }
    place.snippet.assign(from, to);
    place.snippet_offset = static_cast<size_t>(at - from);
    place.snippet_length = at < to ? 1 : 0;
  }
  place.row = static_cast<uint64_t>(first_row_ + rows_);
  if (table_seen_) place.table = place_.table;
  place.path = unwound_path(context_.path);
  return Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
}

Error RowRun::too_long(const char* row, const char* end) const {
  return make_error(
      fmt::format("expected a row of at most {} bytes, found a longer one", options_.row_bytes),
      row, {row, end},
      fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
}

void RowRun::complete_rows(int64_t rows) {
  for (ColumnBuilder& builder : builders_) {
    builder.truncate(rows);
    if (builder.length() < rows && !may_lag(builder)) builder.append_placeholder();
  }
}

void RowRun::add_bad(const char* row, const char* row_end, int64_t index, Error error) {
  error.place().row = static_cast<uint64_t>(first_row_ + index);
  bad_.push_back({index, std::move(error), std::string(row, row_end)});
}

bool RowRun::refuse_row(const char* row, const char*& p, const char* end, bool last) {
  const char* at = row;
  Boundary boundary = find_row_end(at, end);
  Error error = make_error(context_.message, context_.at,
                           {row, boundary == Boundary::Found ? at : end}, context_.hint);
  for (ColumnBuilder& builder : builders_) builder.truncate(rows_);
  if (boundary == Boundary::Truncated) {
    if (!last && end - row <= static_cast<ptrdiff_t>(options_.row_bytes)) {
      p = row;
      return false;
    }
    context_.path.clear();
    error_ = last ? make_error(kTruncated, end, {row, end}, kFetchAgain) : too_long(row, end);
    return false;
  }
  if (boundary == Boundary::Lost) {
    if (context_.incomplete) error = make_error(kLost, at, {row, end});
    error_ = std::move(error);
    return false;
  }
  if (!options_.skip_bad_rows) {
    error_ = std::move(error);
    return false;
  }
  add_bad(row, at, rows_, std::move(error));
  complete_rows(rows_ + 1);
  p = at;
  return true;
}

bool RowRun::skip_row(const char*& p, const char* end, bool last) {
  const char* at = p;
  Boundary boundary = find_row_end(at, end);
  if (boundary == Boundary::Found) {
    p = at;
    return true;
  }
  context_.path.clear();
  if (boundary == Boundary::Lost) {
    error_ = make_error(kLost, at, {p, end});
  } else if (last) {
    error_ = make_error(kTruncated, end, {p, end}, kFetchAgain);
  } else if (end - p > static_cast<ptrdiff_t>(options_.row_bytes)) {
    error_ = too_long(p, end);
  }
  return false;
}

bool RowRun::take_control(const char*& p, const char* end, bool last) {
  const char* at = p;
  Status status = yson::skip_value(at, end);
  context_.path.clear();
  context_.end = end;
  if (status != Status::Ok && !last) {
    // What the bytes at hand cut short looks wrong, not short, in a number: `1e`, `+`.
    const char* past_row = p;
    if (find_row_end(past_row, end) == Boundary::Truncated) status = Status::Truncated;
  }
  if (status == Status::Truncated) {
    if (last) {
      error_ = make_error(kTruncated, end, {p, end}, kFetchAgain);
    } else if (end - p > static_cast<ptrdiff_t>(options_.row_bytes)) {
      error_ = too_long(p, end);
    }
    return false;
  }
  if (status != Status::Ok) {
    error_ = make_error(std::string(yson::describe(status)), at, {p, end});
    return false;
  }
  yson::Node node = yson::parse({p, static_cast<size_t>(at - p)});
  if (!node.is(yson::Node::Kind::Entity)) {
    context_.message =
        fmt::format("expected a row without attributes or a control entity, found {}",
                    "attributes of a " + std::string(kind_name(node.kind())));
    context_.at = p;
    context_.hint.clear();
    const char* row = p;
    if (!refuse_row(row, p, end, last)) return false;
    if (!texts_.empty()) row_starts_.push_back(row);
    ++rows_;
    rows_seen_ = true;
    return true;
  }
  const uint32_t table = place_.table;
  const bool seen = table_seen_;
  if (const std::optional<std::string> wrong = take_attributes(node)) {
    error_ = make_error(*wrong, p, {p, at});
    return false;
  }
  const bool one_table = !options_.table && !options_.table_index;
  if (one_table && rows_seen_ && table != place_.table) {
    const uint32_t found = std::exchange(place_.table, table);
    table_seen_ = seen;
    error_ = make_error(
        fmt::format("expected rows of one table, found table {} after table {}", found, table), p,
        {p, at}, "Choose one with " + hub::mention(hub::Option::Table, "N"));
    return false;
  }
  p = at;
  return true;
}

std::optional<std::string> RowRun::take_attributes(const yson::Node& entity) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  std::optional<std::string> wrong;
  const auto integer = [&](std::string_view key, int64_t most) -> std::optional<int64_t> {
    const yson::Node* value = entity.find_attribute(key);
    if (value == nullptr) return std::nullopt;
    const bool valid = value->is(yson::Node::Kind::Int64) && value->as_int64() >= 0;
    if (valid && value->as_int64() <= most) return value->as_int64();
    wrong = fmt::format("expected {} as int64 from 0, found {}", key, yson::print(*value));
    return std::nullopt;
  };
  for (const auto& [key, value] : entity.attributes()) {
    if (key == "table_index" || key == "row_index" || key == "range_index" || key == "key_switch" ||
        key == "end_of_stream" || key == "tablet_index") {
      continue;
    }
    return "expected a control attribute (table_index, row_index, range_index, key_switch, "
           "end_of_stream, tablet_index), found " +
           quoted(key);
  }
  const std::optional<int64_t> table = integer("table_index", UINT32_MAX);
  const std::optional<int64_t> range = integer("range_index", kMost);
  const std::optional<int64_t> row = integer("row_index", kMost);
  const yson::Node* key_switch = entity.find_attribute("key_switch");
  if (key_switch != nullptr && !key_switch->is(yson::Node::Kind::Boolean)) {
    wrong = "expected key_switch as boolean, found " + yson::print(*key_switch);
  }
  if (wrong) return wrong;

  ControlRun run = {rows_, place_.table, place_.control};
  if (!controls_.empty()) {
    run = controls_.back();
    if (run.first < rows_) {
      run.control.key_switch = false;
      if (run.control.row_index) *run.control.row_index += rows_ - run.first;
      run.first = rows_;
    } else {
      controls_.pop_back();
    }
  }
  // Another table or range resets the positions.
  if (table && *table != run.table) run.control = {.key_switch = run.control.key_switch};
  if (range && range != run.control.range_index) run.control.row_index.reset();
  if (table) run.table = place_.table = static_cast<uint32_t>(*table);
  if (range) run.control.range_index = range;
  if (row) run.control.row_index = row;
  if (key_switch != nullptr && key_switch->as_boolean()) run.control.key_switch = true;
  controls_.push_back(run);
  table_seen_ = table_seen_ || table.has_value();
  met_.range_index = met_.range_index || range;
  met_.row_index = met_.row_index || row;
  met_.key_switch = met_.key_switch || run.control.key_switch;
  met_.table_index = met_.table_index || table;
  met_.tablet_index = met_.tablet_index || entity.find_attribute("tablet_index") != nullptr;
  return std::nullopt;
}

void RowRun::finish_controls(hub::Batch* batch, std::vector<hub::Array>* columns) {
  std::vector<hub::ColumnBuilder> shown;
  for (size_t i = program_->schema.fields.size(); i < schema_.fields.size(); ++i) {
    shown.emplace_back(schema_.fields[i]);
  }
  const bool tell = options_.controls && !controls_.empty();
  if (!shown.empty() || tell) {
    if (controls_.empty()) controls_.push_back({0, place_.table, place_.control});
    size_t next = 0;
    hub::RowControl control;
    uint32_t table = place_.table;
    const auto append_index = [](std::optional<int64_t> index, hub::ColumnBuilder* out) {
      index ? out->append(*index) : out->append_null();
    };
    for (int64_t row = 0; row < rows_; ++row) {
      control.key_switch = false;
      if (next < controls_.size() && controls_[next].first == row) {
        control = controls_[next].control;
        table = controls_[next++].table;
      } else if (control.row_index) {
        ++*control.row_index;
      }
      if (tell) batch->controls.push_back(control);
      size_t column = 0;
      if (options_.table_index) shown[column++].append(table);
      if (options_.range_index) append_index(control.range_index, &shown[column++]);
      if (options_.row_index) append_index(control.row_index, &shown[column++]);
    }
  }
  for (hub::ColumnBuilder& builder : shown) columns->push_back(builder.finish());
  if (controls_.empty()) return;
  ControlRun last = controls_.back();
  if (last.first < rows_) {
    last.control.key_switch = false;
    if (last.control.row_index) *last.control.row_index += rows_ - last.first;
  }
  last.first = 0;
  place_.control = last.control;
  controls_.assign(1, last);
}

void RowRun::check_text(const char* end) {
  row_starts_.push_back(end);
  auto start_of = [this](int64_t row) {
    return row_starts_[static_cast<size_t>(row - text_checked_)];
  };
  std::vector<hub::BadRow> found;
  for (const auto& [builder, column] : texts_) {
    if (rows_ == text_checked_) break;
    // All of it is null so far.
    if (builder->length() <= text_checked_) continue;
    builder->append_nulls(rows_ - builder->length());
    const int32_t* offsets = builder->offsets();
    auto begin = static_cast<size_t>(offsets[text_checked_]);
    auto stop = static_cast<size_t>(offsets[rows_]);
    std::string_view all = builder->bytes().substr(begin, stop - begin);
    bool valid = is_valid_utf8(all);
    // Valid as a whole, a value can still begin in the middle of a character.
    for (int64_t row = text_checked_; valid && row < rows_; ++row) {
      auto at = static_cast<size_t>(offsets[row]);
      if (at < stop) valid = (static_cast<unsigned char>(builder->bytes()[at]) & 0xC0) != 0x80;
    }
    if (valid) continue;
    for (int64_t row = text_checked_; row < rows_; ++row) {
      auto at = static_cast<size_t>(offsets[row]);
      auto size = static_cast<size_t>(offsets[row + 1]) - at;
      std::string_view value = builder->bytes().substr(at, size);
      if (is_valid_utf8(value)) continue;
      context_.path = {{Path::Step::Kind::Field, program_->row.keys.name(column), 0}};
      const char* row_start = start_of(row);
      const char* row_end = row_start;
      if (find_row_end(row_end, end) != Boundary::Found) row_end = start_of(row + 1);
      found.push_back({row,
                       make_error("expected UTF-8, found string " + clipped(value), row_start,
                                  {row_start, row_end}),
                       std::string(row_start, row_end)});
      found.back().error.place().row = static_cast<uint64_t>(first_row_ + row);
      // The column as a whole must be UTF-8.
      builder->fill_bytes(row, '?');
    }
  }
  context_.path.clear();
  if (!found.empty()) {
    for (hub::BadRow& row : found) {
      auto place =
          std::lower_bound(bad_.begin(), bad_.end(), row.index,
                           [](const hub::BadRow& bad, int64_t index) { return bad.index < index; });
      if (place == bad_.end() || place->index != row.index) bad_.insert(place, std::move(row));
    }
    if (!options_.skip_bad_rows) {
      // The first one ends the stream, before any other error met later.
      error_ = bad_.front().error;
      int64_t good = bad_.front().index;
      bad_.clear();
      for (ColumnBuilder& builder : builders_) builder.truncate(good);
      rows_ = good;
    }
  }
  text_checked_ = rows_;
  row_starts_.clear();
}

int64_t RowRun::take_rows(const char*& p, int64_t most, const char* enough) {
  std::vector<const char*>* const begins = texts_.empty() ? nullptr : &row_starts_;
  return block_.decode(columns_.data(), rows_, most, enough, p, context_, begins);
}

void RowRun::start_run(std::string_view bytes, int64_t max_rows, size_t likely_bytes) {
  base_ = ahead_ = bytes.data();
  ahead_lines_ = 0;
  counted_ = nullptr;
  context_.end = bytes.data() + bytes.size();
  block_.forget();
  if (rows_ > 0 || builders_.empty() || context_.required != nullptr) return;
  // A value takes at least one byte, unless its row leaves it out.
  const auto likely_rows = static_cast<int64_t>(likely_bytes / builders_.size());
  const int64_t rows = std::min({max_rows, limits::kBatchRows, likely_rows});
  for (ColumnBuilder& builder : builders_) builder.reserve(rows);
}

void RowRun::find_form(const char* row, const char* end) {
  // Binary rows have no lines. The first key of the first row shows the form.
  const char* key = row + 1;
  yson::skip_space(key, end);
  text_known_ = key < end;
  if (text_known_ && *key == yson::marker::kString) place_.line.reset();
}

void RowRun::append_others() {
  if (other_ != nullptr) {
    if (others_.empty()) {
      other_->append_null();
    } else {
      others_.append('}');
      other_->append_bytes(others_.view());
    }
  }
  others_.clear();
}

bool RowRun::take_row(const char*& p, const char* end, bool last) {
  const char* const row = p;
  yson::Buffer* others = program_->strict ? nullptr : &others_;
  bool decoded = false;
  if (*p == '{') [[likely]] {
    ++p;
    decoded = decode_row(program_->row, columns_.data(), rows_, others, p, context_);
  } else {
    decoded = fail_type(context_, p, "a row as a map");
  }
  if (!decoded) [[unlikely]] {
    others_.clear();
    const bool refused = refuse_row(row, p, end, last);
    context_.path.clear();
    context_.hint.clear();
    if (!refused) {
      if (!error_) p = row;
      return false;
    }
  } else if (others != nullptr) {
    append_others();
  }
  if (!texts_.empty()) row_starts_.push_back(row);
  ++rows_;
  return true;
}

RowRun::Stop RowRun::run(std::string_view bytes, size_t* consumed, bool last, int64_t max_rows,
                         size_t max_bytes) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* p = begin;
  const char* const enough = max_bytes < bytes.size() ? begin + max_bytes : end;
  Stop stop = Stop::Input;
  start_run(bytes, max_rows, std::min(max_bytes, bytes.size()));
  for (;;) {
    if (p < end && *p == ';' && after_row_) {
      ++p;
      after_row_ = false;
    }
    yson::skip_space(p, end);
    if (p == end) break;
    if (after_row_) {
      if (*p == ';') continue;
      context_.path.clear();
      error_ = make_error(std::string(yson::describe(Status::ExpectedSeparator)), p, {p, end});
      break;
    }
    if (rows_ >= max_rows || (p >= enough && enough != end && p != begin)) {
      stop = Stop::Full;
      break;
    }
    // While they are in the cache.
    if (p - ahead_ >= kCountedBytes) count_ahead(p);
    if (*p == '<') [[unlikely]] {
      if (!take_control(p, end, last)) break;
      after_row_ = true;
      continue;
    }
    if (!text_known_) [[unlikely]]
      find_form(p, end);
    if (options_.table && *options_.table != place_.table) {
      if (!skip_row(p, end, last)) break;
      after_row_ = true;
      continue;
    }
    context_.incomplete = false;
    const int64_t taken = *p == '{' ? take_rows(p, max_rows - rows_, enough) : 0;
    if (taken > 0) {
      for (int64_t i = 0; other_ != nullptr && i < taken; ++i) other_->append_null();
      rows_ += taken;
    } else if (!take_row(p, end, last)) {
      break;
    }
    rows_seen_ = true;
    after_row_ = true;
  }
  if (!texts_.empty()) check_text(p);
  if (error_) stop = Stop::Error;
  advance(p);
  *consumed = static_cast<size_t>(p - begin);
  return stop;
}

hub::Batch RowRun::finish() {
  hub::Batch batch;
  std::vector<hub::Array> columns;
  for (size_t i = 0; i < builders_.size(); ++i) {
    ColumnBuilder& builder = builders_[i];
    if (may_lag(builder) && builder.length() == 0) {
      columns.push_back(hub::null_array(program_->schema.fields[i].type, rows_));
      continue;
    }
    if (may_lag(builder)) builder.append_nulls(rows_ - builder.length());
    columns.push_back(builder.finish());
  }
  finish_controls(&batch, &columns);
  batch.array = hub::struct_of(std::move(columns), rows_);
  batch.first_row = first_row_;
  batch.bad = std::move(bad_);
  bad_.clear();
  first_row_ += rows_;
  rows_ = 0;
  text_checked_ = 0;
  return batch;
}

}  // namespace xwalk::yt
