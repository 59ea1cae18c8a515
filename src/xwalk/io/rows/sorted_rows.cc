#include "xwalk/io/rows/sorted_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <queue>
#include <span>
#include <string_view>
#include <utility>

#include "xwalk/base/endian.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/filter.h"

namespace xwalk::io {
namespace {

using hub::Array;

/// Rows per batch of a run. One batch of each merged run is in memory.
constexpr int64_t kRunRows = 4096;

/// Runs that are merged at a time: few enough that their batches fit in the memory of one.
constexpr size_t kMostRuns = 64;

/// Returns the bytes of a batch such that one of each merged run fits in the memory of a run.
int64_t batch_bytes(int64_t memory) {
  constexpr int64_t kLeast = 64 << 10;
  return std::max(kLeast, memory / static_cast<int64_t>(kMostRuns));
}

Array take(const Array& rows, const hub::Type& type, std::span<const int64_t> indices) {
  hub::Batch batch;
  batch.array = rows;
  const std::vector<hub::Field> fields(type.children().begin(), type.children().end());
  return hub::take_rows(batch, {.fields = fields}, indices).array;
}

/// The first bytes of a key, which mostly decide.
struct Entry {
  uint64_t first = 0;
  uint64_t second = 0;
  int64_t row = 0;
};

Entry entry_of(std::string_view key, int64_t row) {
  char bytes[16] = {};
  std::memcpy(bytes, key.data(), std::min(key.size(), sizeof bytes));
  return {load_big_endian<uint64_t>(bytes), load_big_endian<uint64_t>(bytes + 8), row};
}

}  // namespace

/// Merges runs.
class RowSorter::Merger {
 public:
  /// A batch ends once its rows have about `bytes`.
  Merger(const hub::Type& type, size_t key, int64_t bytes, std::vector<SpilledRows> runs)
      : type_(type), key_(key), bytes_(bytes), runs_(std::move(runs)), cursors_(runs_.size()) {
    for (size_t i = 0; i < runs_.size(); ++i) {
      if (begin_batch(i)) queue_.push(i);
    }
  }

  std::optional<Array> next() {
    // Batches that rows are taken from, and those rows of each.
    std::vector<Array> sources;
    std::vector<std::vector<int64_t>> rows;
    std::vector<std::pair<size_t, int64_t>> order;
    std::vector<size_t> source_of(runs_.size(), SIZE_MAX);
    int64_t bytes = 0;
    while (!queue_.empty() && order.size() < static_cast<size_t>(kRunRows) && bytes < bytes_) {
      const size_t run = queue_.top();
      queue_.pop();
      Cursor& cursor = cursors_[run];
      if (source_of[run] == SIZE_MAX) {
        source_of[run] = sources.size();
        sources.push_back(cursor.rows);
        rows.emplace_back();
      }
      std::vector<int64_t>& taken = rows[source_of[run]];
      order.emplace_back(source_of[run], static_cast<int64_t>(taken.size()));
      taken.push_back(cursor.row++);
      bytes += cursor.row_bytes;
      if (cursor.row == cursor.rows.length) {
        source_of[run] = SIZE_MAX;
        if (!begin_batch(run)) continue;
      }
      queue_.push(run);
    }
    if (order.empty()) return std::nullopt;
    std::vector<int64_t> starts;
    int64_t total = 0;
    for (size_t i = 0; i < sources.size(); ++i) {
      starts.push_back(total);
      total += static_cast<int64_t>(rows[i].size());
      sources[i] = take(sources[i], type_, rows[i]);
    }
    std::vector<int64_t> indices;
    indices.reserve(order.size());
    for (const auto& [source, row] : order) indices.push_back(starts[source] + row);
    return take(hub::concat(type_, sources), type_, indices);
  }

 private:
  struct Cursor {
    Array rows;
    int64_t row = 0;
    int64_t row_bytes = 0;  ///< the mean
    size_t next_batch = 0;
  };

  /// Later keys, and of one key the rows of later runs, come last.
  struct Later {
    const Merger* merger;
    bool operator()(size_t a, size_t b) const {
      const std::string_view left = merger->key_at(a);
      const std::string_view right = merger->key_at(b);
      return left == right ? a > b : left > right;
    }
  };

  std::string_view key_at(size_t run) const {
    return cursors_[run].rows.children[key_].text(cursors_[run].row);
  }

  bool begin_batch(size_t run) {
    Cursor& cursor = cursors_[run];
    if (cursor.next_batch > 0) runs_[run].give_back(cursor.next_batch - 1);
    if (cursor.next_batch == runs_[run].batches()) return false;
    cursor.rows = runs_[run].read(cursor.next_batch++);
    cursor.row = 0;
    cursor.row_bytes = hub::bytes_of(type_, cursor.rows) / std::max<int64_t>(1, cursor.rows.length);
    return true;
  }

  hub::Type type_;
  size_t key_;
  int64_t bytes_;
  std::vector<SpilledRows> runs_;
  std::vector<Cursor> cursors_;
  std::priority_queue<size_t, std::vector<size_t>, Later> queue_{Later{this}};
};

RowSorter::RowSorter(hub::Type type, size_t key, uint64_t memory)
    : type_(std::move(type)), key_(key), memory_(static_cast<int64_t>(memory)), runs_(1) {}

void RowSorter::write(hub::Batch batch) {
  const int64_t bytes = hub::bytes_of(type_, batch.array);
  if (!held_.empty() && held_bytes_ + bytes > memory_) spill(take_sorted());
  held_.push_back(std::move(batch.array));
  held_bytes_ += bytes;
}

void RowSorter::finish() {
  Array last = take_sorted();
  const bool is_only = runs_.front().empty() && runs_.size() == 1;
  if (is_only) {
    only_ = std::move(last);
    return;
  }
  spill(last);
  std::vector<SpilledRows> all;
  for (size_t level = runs_.size(); level-- > 0;) {
    std::ranges::move(runs_[level], std::back_inserter(all));
  }
  merger_ = std::make_shared<Merger>(type_, key_, batch_bytes(memory_), std::move(all));
}

std::optional<Array> RowSorter::next() {
  if (merger_) return merger_->next();
  std::optional<Array> rows = std::exchange(only_, std::nullopt);
  if (rows && rows->length == 0) return std::nullopt;
  return rows;
}

Array RowSorter::take_sorted() {
  const Array rows = hub::concat(type_, held_);
  held_.clear();
  held_bytes_ = 0;
  const Array& keys = rows.children[key_];
  std::vector<Entry> entries;
  entries.reserve(static_cast<size_t>(rows.length));
  for (int64_t row = 0; row < rows.length; ++row) {
    entries.push_back(entry_of(keys.text(row), row));
  }
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    const int whole = keys.text(a.row).compare(keys.text(b.row));
    return whole == 0 ? a.row < b.row : whole < 0;
  };
  if (std::ranges::is_sorted(entries, before)) return rows;
  std::ranges::sort(entries, before);
  std::vector<int64_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.row);
  return take(rows, type_, order);
}

void RowSorter::spill(const Array& sorted) {
  SpilledRows run(type_);
  for (int64_t at = 0; at < sorted.length; at += kRunRows) {
    const Array rows = hub::slice(sorted, at, std::min(kRunRows, sorted.length - at));
    run.write(hub::concat(type_, {&rows, 1}));
  }
  run.finish();
  add_run(std::move(run), 0);
}

void RowSorter::add_run(SpilledRows run, size_t level) {
  if (level == runs_.size()) runs_.emplace_back();
  runs_[level].push_back(std::move(run));
  if (runs_[level].size() < kMostRuns) return;
  Merger merger(type_, key_, batch_bytes(memory_), std::exchange(runs_[level], {}));
  SpilledRows merged(type_);
  while (std::optional<Array> rows = merger.next()) merged.write(*rows);
  merged.finish();
  add_run(std::move(merged), level + 1);
}

}  // namespace xwalk::io
