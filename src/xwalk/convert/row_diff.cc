#include "xwalk/convert/row_diff.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/common_schema.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/compare.h"
#include "xwalk/hub/key_bytes.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/variant.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/rows/category_order.h"
#include "xwalk/io/rows/sorted_rows.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

using crosswalk::RowChange;
using hub::Array;

/// Batches of a side that wait to be compared.
constexpr size_t kAhead = 4;

/// Rows whose bytes are compared at once.
constexpr int64_t kRunRows = 1024;

/// Rows to compare: the common columns, followed by three more.
struct Layout {
  hub::Schema common;
  /// Indices of the columns that make the key.
  std::vector<size_t> key;
  /// Whether messages show the key.
  bool shows_key = true;

  size_t columns() const { return common.fields.size(); }
  /// The key as bytes, the number of the row, and the value that the common type cannot hold: the
  /// index of its column, its path and its text, with a zero byte after the first two.
  size_t keys() const { return columns(); }
  size_t numbers() const { return columns() + 1; }
  size_t unfit() const { return columns() + 2; }

  hub::Schema schema() const {
    hub::Schema all = common;
    all.nullable_rows = false;
    all.fields.emplace_back("key", hub::Kind::Binary, false);
    all.fields.emplace_back("row", hub::Kind::Int64, false);
    all.fields.emplace_back("unfit", hub::Kind::LargeBinary, true);
    return all;
  }
};

/// Text of the value that the common type cannot hold, in its own system's type.
std::string unfit_text(const Layout& layout, const hub::Schema& source, const Array& rows,
                       const hub::BadRow& bad) {
  const Path& path = bad.error.place().path;
  const std::string name = path.empty() ? "" : path.steps().front()->name;
  const auto column = std::ranges::find(layout.common.fields, name, &hub::Field::name);
  std::string text = std::to_string(column - layout.common.fields.begin());
  text += '\0';
  text += Path::column(name).text();
  text += '\0';
  const auto field = std::ranges::find(source.fields, name, &hub::Field::name);
  if (field == source.fields.end() || rows.is_null(bad.index)) return text + "null";
  hub::append_json(*field, rows.children[static_cast<size_t>(field - source.fields.begin())],
                   rows.slot(bad.index), &text, crosswalk::holds_yson);
  return text;
}

hub::Batch prepare(const Layout& layout, const hub::CompiledCast& cast, hub::Batch batch) {
  const Array source = batch.array;
  batch.controls.clear();
  std::vector<int64_t> refused;
  for (const hub::BadRow& bad : batch.bad) refused.push_back(bad.index);
  batch = cast.run(std::move(batch));
  // Rows that the source rejects stay bad. The others have a value that the common type lacks.
  const auto unfit_rows = std::stable_partition(
      batch.bad.begin(), batch.bad.end(),
      [&](const hub::BadRow& bad) { return std::ranges::binary_search(refused, bad.index); });
  const int64_t rows = batch.rows();
  std::vector<Array> columns;
  columns.reserve(layout.columns() + 3);
  for (size_t i = 0; i < layout.columns(); ++i) {
    const Array column = hub::slice(batch.array.children[i], batch.array.offset, rows);
    columns.push_back(hub::with_sorted_values(layout.common.fields[i], column));
  }
  std::vector<hub::Field> key_fields;
  std::vector<const Array*> key_columns;
  for (const size_t column : layout.key) {
    key_fields.push_back(layout.common.fields[column]);
    key_columns.push_back(&columns[column]);
  }
  Array keys = hub::key_bytes(key_fields, key_columns, rows);
  Array numbers = hub::start(rows);
  hub::Buffer buffer(rows * int64_t{sizeof(int64_t)});
  for (int64_t i = 0; i < rows; ++i) buffer.as<int64_t>()[i] = batch.first_row + i;
  hub::attach(numbers, buffer);
  Array unfit;
  if (unfit_rows == batch.bad.end()) {
    unfit = hub::null_array(hub::Kind::LargeBinary, rows);
  } else {
    unfit = hub::start(rows);
    hub::Buffer valid((rows + 7) / 8);
    std::memset(valid.as<void>(), 0, static_cast<size_t>((rows + 7) / 8));
    hub::Buffer offsets((rows + 1) * int64_t{sizeof(int64_t)});
    hub::GrowingBytes bytes;
    auto bad = unfit_rows;
    for (int64_t i = 0; i < rows; ++i) {
      offsets.as<int64_t>()[i] = bytes.size();
      if (bad == batch.bad.end() || bad->index != i) continue;
      const std::string text = unfit_text(layout, cast.from(), source, *bad++);
      bytes.append(text.data(), static_cast<int64_t>(text.size()));
      hub::set_bit(valid.as<uint8_t>(), i);
    }
    offsets.as<int64_t>()[rows] = bytes.size();
    unfit.null_count = -1;
    unfit.buffers.clear();
    hub::attach(unfit, valid);
    hub::attach(unfit, offsets);
    bytes.attach(unfit);
    batch.bad.erase(unfit_rows, batch.bad.end());
  }
  columns.push_back(std::move(keys));
  columns.push_back(std::move(numbers));
  columns.push_back(std::move(unfit));
  batch.array = hub::struct_of(std::move(columns), rows);
  return batch;
}

/// A reader whose batches come prepared, on whatever thread decodes them.
class PreparedReader final : public WrappedReader {
 public:
  PreparedReader(SplitReader* reader, const Layout* layout, const hub::CompiledCast* cast,
                 RowDiffOptions::OnRows on_rows = nullptr)
      : WrappedReader(reader),
        layout_(layout),
        cast_(cast),
        on_rows_(std::move(on_rows)),
        schema_(layout->schema()) {}

  const hub::Schema& schema() const override { return schema_; }
  Notes notes() const override { return nullptr; }
  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    return std::make_unique<Prepared>(std::move(piece), this);
  }

 private:
  class Prepared final : public PieceOver {
   public:
    Prepared(std::unique_ptr<Piece> piece, const PreparedReader* reader)
        : PieceOver(std::move(piece)), reader_(reader) {}
    hub::Batch decode() override {
      hub::Batch batch = prepare(*reader_->layout_, *reader_->cast_, inner_->decode());
      if (reader_->on_rows_) reader_->on_rows_(reader_->layout_->common, batch);
      return batch;
    }

   private:
    const PreparedReader* reader_;
  };

  const Layout* layout_;
  const hub::CompiledCast* cast_;
  RowDiffOptions::OnRows on_rows_;
  hub::Schema schema_;
};

/// State shared by the threads of both sides.
struct Shared {
  std::mutex mutex;
  Condition changed;
  /// Has both sides end.
  std::atomic<bool> stop = false;
  Progress progress[2];
};

/// The rows of one side, read by separate threads.
class Side final : private hub::BatchWriter {
 public:
  Side(SplitReader* reader, size_t which, const Layout& layout, const RowDiffOptions& options,
       Shared* shared)
      : reader_(reader), which_(which), options_(options), shared_(*shared) {
    if (!layout.key.empty()) {
      sorter_.emplace(hub::struct_(layout.schema().fields), layout.keys(), options.sort_bytes);
    }
    thread_ = std::jthread([this] { read(); });
  }
  ~Side() override {
    const std::lock_guard lock(shared_.mutex);
    shared_.stop = true;
    shared_.changed.notify_all();
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  /// Returns the next rows, in the order of their key if they have one; nothing at the end.
  std::optional<Array> next() {
    ask_meanwhile();
    std::unique_lock lock(shared_.mutex);
    const auto ready = [this] { return ended_ || (!sorter_ && !waiting_.empty()); };
    while (!shared_.changed.wait_for(lock, std::chrono::milliseconds(100), ready)) {
      lock.unlock();
      look_up();
      if (options_.cancelled != nullptr && options_.cancelled->load()) {
        throw Error(ErrorCode::Interrupted, "interrupted");
      }
      lock.lock();
    }
    if (!waiting_.empty()) {
      Array rows = std::move(waiting_.front());
      waiting_.pop_front();
      shared_.changed.notify_all();
      return rows;
    }
    if (error_) std::rethrow_exception(error_);
    lock.unlock();
    return sorter_ ? sorter_->next() : std::nullopt;
  }

 private:
  void read() noexcept {
    const Waiting meanwhile{&shared_.stop, {}};
    const WaitScope scope(&meanwhile);
    std::exception_ptr error;
    try {
      PipelineOptions options;
      if (which_ == 0) options = options_.left;
      options.threads = std::max(1, options_.threads / 2);
      options.cancelled = &shared_.stop;
      if (options_.on_progress) {
        options.on_progress = [this](const Progress& progress) { report(progress); };
      }
      run_pipeline(*reader_, nullptr, sorter_ ? &*sorter_ : static_cast<BatchWriter*>(this),
                   options);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(shared_.mutex);
    error_ = std::move(error);
    ended_ = true;
    shared_.changed.notify_all();
  }

  void report(const Progress& progress) {
    const std::lock_guard lock(shared_.mutex);
    shared_.progress[which_] = progress;
    const Progress& left = shared_.progress[0];
    const Progress& right = shared_.progress[1];
    Progress both{.rows = left.rows + right.rows, .bytes_read = left.bytes_read + right.bytes_read};
    if (left.total_rows && right.total_rows) both.total_rows = *left.total_rows + *right.total_rows;
    if (left.total_bytes && right.total_bytes) {
      both.total_bytes = *left.total_bytes + *right.total_bytes;
    }
    options_.on_progress(both);
  }

  void write(hub::Batch batch) override {
    std::unique_lock lock(shared_.mutex);
    shared_.changed.wait(lock, [this] { return shared_.stop || waiting_.size() < kAhead; });
    if (shared_.stop) throw Error(ErrorCode::Interrupted, "interrupted");
    waiting_.push_back(std::move(batch.array));
    shared_.changed.notify_all();
  }
  void finish() override {}

  SplitReader* reader_;
  size_t which_;
  const RowDiffOptions& options_;
  Shared& shared_;
  std::optional<RowSorter> sorter_;
  std::deque<Array> waiting_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::jthread thread_;
};

/// The position of the comparison in the rows of a side.
class Cursor {
 public:
  Cursor(Side* side, const Layout& layout) : side_(side), layout_(layout) {}

  /// Returns how many rows are at hand, 0 at the end.
  int64_t at_hand() {
    while (row == rows.length) {
      std::optional<Array> more = side_->next();
      if (!more) return 0;
      rows = *std::move(more);
      row = 0;
    }
    return rows.length - row;
  }
  std::string_view key(int64_t ahead = 0) const {
    return rows.children[layout_.keys()].text(row + ahead);
  }
  uint64_t number(int64_t ahead = 0) const {
    return static_cast<uint64_t>(rows.children[layout_.numbers()].values<int64_t>()[row + ahead]);
  }
  const Array& unfit() const { return rows.children[layout_.unfit()]; }
  const Array& column(size_t index) const { return rows.children[index]; }

  Array rows;
  int64_t row = 0;

 private:
  Side* side_;
  const Layout& layout_;
};

/// The parts of a value that has no place in the common type.
struct Unfit {
  size_t column = 0;
  std::string_view path;
  std::string_view text;
};

Unfit parse_unfit(std::string_view text) {
  const size_t first = text.find('\0');
  const size_t second = text.find('\0', first + 1);
  return {static_cast<size_t>(std::stoull(std::string(text.substr(0, first)))),
          text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

class Comparer {
 public:
  Comparer(const Layout& layout, const RowDiffOptions& options, crosswalk::RowDiff* out)
      : layout_(layout),
        options_(options),
        how_{options.tolerance},
        out_(*out),
        counts_(layout.columns() + 1) {}

  /// Compares so many rows from where both are.
  void compare(const Cursor& left, const Cursor& right, int64_t count) {
    cells_.clear();
    for (size_t column = 0; column < layout_.columns(); ++column) {
      const hub::Type& type = layout_.common.fields[column].type;
      const Array& a = left.column(column);
      const Array& b = right.column(column);
      for (int64_t at = 0; at < count; at += kRunRows) {
        const int64_t run = std::min(kRunRows, count - at);
        if (hub::same_run(type, a, left.row + at, b, right.row + at, run)) continue;
        for (int64_t i = at; i < at + run; ++i) {
          if (!hub::same_value(type, a, left.row + i, b, right.row + i, how_)) {
            cells_.emplace_back(i, column);
          }
        }
      }
    }
    find_unfit(left, right, count);
    std::ranges::sort(cells_);
    int64_t last = -1;
    int64_t first = -1;
    for (const auto& [row, column] : cells_) {
      if (row != last) ++out_.changed;
      if (row > last + 1) {
        give_unequal(left, right, first, last + 1);
        first = row;
      }
      last = row;
      ++counts_[column];
      if (out_.first.size() < options_.limit) add_cell(left, right, row, column);
    }
    give_unequal(left, right, first, last + 1);
  }

  /// Takes the row of a side that the other does not have.
  void alone(const Cursor& side, RowChange change) {
    ++(change == RowChange::Added ? out_.added : out_.removed);
    give(change == RowChange::Added ? options_.on_right_unequal : options_.on_left_unequal, side, 0,
         1);
    if (out_.first.size() >= options_.limit) return;
    crosswalk::RowDifference found;
    found.change = change;
    found.key = key_text(side, 0);
    const bool is_left = change == RowChange::Removed;
    (is_left ? found.left_row : found.right_row) = side.number();
    hub::append_json_row(layout_.common, side.rows, side.row, is_left ? &found.left : &found.right,
                         {}, crosswalk::holds_yson);
    out_.first.push_back(std::move(found));
  }

  void finish() {
    for (size_t i = 0; i < layout_.columns(); ++i) {
      if (counts_[i] > 0) out_.counts.push_back({layout_.common.fields[i].name, counts_[i]});
    }
  }

 private:
  /// Calls a function with rows of a side, from `first` on.
  void give(const RowDiffOptions::OnRows& to, const Cursor& side, int64_t first,
            int64_t count) const {
    if (!to) return;
    hub::Batch batch;
    batch.array = hub::slice(side.rows, side.row + first, count);
    to(layout_.common, batch);
  }

  /// Gives the rows of both sides from `first` to before `end`; no rows if `first` is negative.
  void give_unequal(const Cursor& left, const Cursor& right, int64_t first, int64_t end) const {
    if (first < 0) return;
    give(options_.on_left_unequal, left, first, end - first);
    give(options_.on_right_unequal, right, first, end - first);
  }

  /// Rows with a value that the common type cannot hold differ in that column, regardless of the
  /// other value.
  void find_unfit(const Cursor& left, const Cursor& right, int64_t count) {
    const Array& a = left.unfit();
    const Array& b = right.unfit();
    if (a.null_count == a.length && b.null_count == b.length) return;
    for (int64_t i = 0; i < count; ++i) {
      for (const auto& [unfit, at] : {std::pair(&a, left.row + i), std::pair(&b, right.row + i)}) {
        if (unfit->is_null(at)) continue;
        const auto cell = std::pair(i, parse_unfit(unfit_at(*unfit, at)).column);
        if (std::ranges::find(cells_, cell) == cells_.end()) cells_.push_back(cell);
      }
    }
  }

  static std::string_view unfit_at(const Array& unfit, int64_t row) {
    const int64_t* offsets = unfit.values<int64_t>() + row;
    return {unfit.raw<char>(2) + offsets[0], static_cast<size_t>(offsets[1] - offsets[0])};
  }

  void add_cell(const Cursor& left, const Cursor& right, int64_t row, size_t column) {
    crosswalk::RowDifference found;
    found.left_row = left.number(row);
    found.right_row = right.number(row);
    found.key = key_text(left, row);
    const bool is_unfit_left = is_unfit(left, row, column);
    const bool is_unfit_right = is_unfit(right, row, column);
    if (is_unfit_left || is_unfit_right) {
      found.path = parse_unfit(is_unfit_left ? unfit_at(left.unfit(), left.row + row)
                                             : unfit_at(right.unfit(), right.row + row))
                       .path;
      found.left = value_text(left, row, column);
      found.right = value_text(right, row, column);
      out_.first.push_back(std::move(found));
      return;
    }
    const hub::Field& field = layout_.common.fields[column];
    hub::walk_differences(Path::column(field.name), field, left.column(column), left.row + row,
                          right.column(column), right.row + row, how_,
                          [&](const hub::ValuePlace& place) {
                            if (out_.first.size() >= options_.limit) return;
                            crosswalk::RowDifference& next = out_.first.emplace_back(found);
                            next.path = place.path.text();
                            hub::append_json(place.field, place.left, place.left_index, &next.left,
                                             crosswalk::holds_yson);
                            hub::append_json(place.field, place.right, place.right_index,
                                             &next.right, crosswalk::holds_yson);
                          });
  }

  static bool is_unfit(const Cursor& side, int64_t row, size_t column) {
    const Array& unfit = side.unfit();
    return !unfit.is_null(side.row + row) &&
           parse_unfit(unfit_at(unfit, side.row + row)).column == column;
  }

  std::string value_text(const Cursor& side, int64_t row, size_t column) const {
    if (is_unfit(side, row, column)) {
      return std::string(parse_unfit(unfit_at(side.unfit(), side.row + row)).text);
    }
    std::string text;
    if (column == layout_.columns()) return text;
    hub::append_json(layout_.common.fields[column], side.column(column), side.row + row, &text,
                     crosswalk::holds_yson);
    return text;
  }

  std::string key_text(const Cursor& side, int64_t row) const {
    std::vector<std::string> parts;
    if (!layout_.shows_key) return "";
    for (const size_t column : layout_.key) {
      const hub::Field& field = layout_.common.fields[column];
      parts.push_back(fmt::format("{}={}", field.name,
                                  hub::cell_text(field, side.column(column), side.row + row,
                                                 std::string::npos, crosswalk::holds_yson)));
    }
    return join(parts, ", ");
  }

  const Layout& layout_;
  const RowDiffOptions& options_;
  hub::Comparison how_;
  crosswalk::RowDiff& out_;
  /// Of each column, and of whole rows that are null.
  std::vector<uint64_t> counts_;
  /// Rows and columns that differ in the rows at hand.
  std::vector<std::pair<int64_t, size_t>> cells_;
};

/// Counts rows whose key the row before has.
class RepeatedKeys {
 public:
  explicit RepeatedKeys(uint64_t* count) : count_(*count) {}
  void add(std::string_view key) {
    if (any_ && key == last_) ++count_;
    any_ = true;
    last_.assign(key);
  }

 private:
  uint64_t& count_;
  std::string last_;
  bool any_ = false;
};

void compare_by_place(Cursor left, Cursor right, Comparer& comparer, crosswalk::RowDiff& out) {
  while (true) {
    const int64_t a = left.at_hand();
    const int64_t b = right.at_hand();
    if (a == 0 && b == 0) return;
    const int64_t both = std::min(a, b);
    if (both > 0) comparer.compare(left, right, both);
    for (int64_t i = 0; b == 0 && i < a; ++i, ++left.row, ++out.left_rows) {
      comparer.alone(left, RowChange::Removed);
    }
    for (int64_t i = 0; a == 0 && i < b; ++i, ++right.row, ++out.right_rows) {
      comparer.alone(right, RowChange::Added);
    }
    left.row += both;
    right.row += both;
    out.left_rows += static_cast<uint64_t>(both);
    out.right_rows += static_cast<uint64_t>(both);
  }
}

void compare_by_key(Cursor left, Cursor right, Comparer& comparer, crosswalk::RowDiff& out,
                    bool counts_others) {
  RepeatedKeys left_keys(&out.left_repeated);
  RepeatedKeys right_keys(&out.right_repeated);
  while (true) {
    const int64_t a = left.at_hand();
    const int64_t b = right.at_hand();
    if (a == 0 && b == 0) return;
    int64_t both = 0;
    while (both < a && both < b && left.key(both) == right.key(both)) {
      left_keys.add(left.key(both));
      right_keys.add(right.key(both));
      ++both;
    }
    if (both > 0) {
      comparer.compare(left, right, both);
      left.row += both;
      right.row += both;
      out.left_rows += static_cast<uint64_t>(both);
      out.right_rows += static_cast<uint64_t>(both);
    } else if (b == 0 || (a > 0 && left.key() < right.key())) {
      left_keys.add(left.key());
      comparer.alone(left, RowChange::Removed);
      ++left.row;
      ++out.left_rows;
    } else {
      if (!counts_others) {
        ++right.row;
        continue;
      }
      right_keys.add(right.key());
      comparer.alone(right, RowChange::Added);
      ++right.row;
      ++out.right_rows;
    }
  }
}

/// Finds the columns of a key in the schema that both sides have.
std::vector<size_t> key_columns(const CommonSchema& common, const std::vector<std::string>& key) {
  std::vector<std::string> names;
  for (const hub::Field& field : common.schema.fields) names.push_back(field.name);
  std::vector<size_t> columns;
  for (const std::string& name : key) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("the key column {} is not in both tables", xwalk::quoted(name)), {},
                  column_hint(name, names));
    }
    columns.push_back(static_cast<size_t>(found - names.begin()));
  }
  return columns;
}

}  // namespace

void count_columns(const hub::Schema& left, const hub::Schema& right, crosswalk::RowDiff* out) {
  std::set<std::string, std::less<>> names;
  for (const hub::Field& field : left.fields) names.insert(field.name);
  for (const hub::Field& field : right.fields) names.insert(field.name);
  out->all_columns = names.size();
  std::set<std::string, std::less<>> differing;
  for (const crosswalk::ColumnCount& column : out->counts) differing.insert(column.name);
  for (const crosswalk::ColumnDifference& column : out->columns) {
    for (const std::string& name : names) {
      const std::string path = Path::column(name).text();
      const std::string_view text = column.path;
      // The path of a member begins with the name of its column.
      const bool is_in =
          text.starts_with(path) && (text.size() == path.size() ||
                                     std::string_view(".[{<").find(text[path.size()]) != text.npos);
      if (is_in) differing.insert(name);
    }
  }
  out->differing_columns = differing.size();
}

crosswalk::RowDiff diff_rows(Input left, Input right, const RowDiffOptions& options) {
  crosswalk::RowDiff out;
  out.left_system = left.format->system;
  out.right_system = right.format->system;
  CommonSchema common = common_schema(out.left_system, left.reader->schema(), out.right_system,
                                      right.reader->schema());
  Layout layout{common.schema, key_columns(common, options.key), !options.any_order};
  if (options.any_order) {
    layout.key.resize(layout.columns());
    std::iota(layout.key.begin(), layout.key.end(), size_t{0});
  }
  out.columns = std::move(common.left_out);
  out.key = options.key;
  const auto left_orders = std::make_shared<CategoryOrders>();
  const auto right_orders = std::make_shared<CategoryOrders>();
  left.reader = in_one_order(std::move(left.reader), left_orders);
  right.reader = in_one_order(std::move(right.reader), right_orders);
  PreparedReader left_rows(left.reader.get(), &layout, &common.left, options.on_left);
  PreparedReader right_rows(right.reader.get(), &layout, &common.right);
  Comparer comparer(layout, options, &out);
  Shared shared;
  Side left_side(&left_rows, 0, layout, options, &shared);
  Side right_side(&right_rows, 1, layout, options, &shared);
  const Cursor left_cursor(&left_side, layout);
  const Cursor right_cursor(&right_side, layout);
  if (layout.key.empty()) {
    compare_by_place(left_cursor, right_cursor, comparer, out);
  } else {
    compare_by_key(left_cursor, right_cursor, comparer, out, !options.right_has_others);
  }
  comparer.finish();
  for (const auto& [path, order] : *left_orders) {
    const auto found = right_orders->find(path);
    if (found == right_orders->end()) continue;
    const std::vector<std::string> values = order.reversed_in(found->second);
    if (values.empty()) continue;
    out.columns.push_back({path.text(), fmt::format("the order {} < {}", values[0], values[1]),
                           fmt::format("the order {} < {}", values[1], values[0])});
  }
  if (options.any_order) out.left_repeated = out.right_repeated = 0;
  count_columns(left.reader->schema(), right.reader->schema(), &out);
  return out;
}

}  // namespace xwalk::io
