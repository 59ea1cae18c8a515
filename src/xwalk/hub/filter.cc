#include "xwalk/hub/filter.h"

#include "xwalk/hub/cast/take.h"

namespace xwalk::hub {

namespace {

Batch slice_of(const Batch& batch, int64_t offset, int64_t length) {
  const Array& rows = batch.array;
  Batch out;
  out.first_row = batch.first_row + offset;
  for (const BadRow& row : batch.bad) {
    if (row.index < offset || row.index >= offset + length) continue;
    out.bad.push_back(row);
    out.bad.back().index -= offset;
  }
  // The offset goes down to the columns: many readers forget that of a struct.
  std::vector<Array> columns;
  columns.reserve(rows.children.size());
  for (const Array& column : rows.children) {
    columns.push_back(slice(column, rows.offset + offset, length));
  }
  out.array = start_like(slice(rows, offset, length));
  out.array.children = std::move(columns);
  if (!batch.controls.empty()) {
    const auto first = batch.controls.begin() + offset;
    out.controls.assign(first, first + length);
  }
  return out;
}

/// Returns the controls of the rows that are kept; a key begins with the first that is left of it.
std::vector<RowControl> controls_of(const std::vector<RowControl>& all,
                                    std::span<const int64_t> kept) {
  std::vector<RowControl> out;
  out.reserve(kept.size());
  int64_t next = 0;
  for (const int64_t row : kept) {
    out.push_back(all[static_cast<size_t>(row)]);
    for (; next < row; ++next) out.back().key_switch |= all[static_cast<size_t>(next)].key_switch;
    ++next;
  }
  return out;
}

}  // namespace

Batch drop_bad_rows(Batch batch, const Schema& schema, std::vector<BadRow>* dropped) {
  if (batch.bad.empty()) return batch;
  std::vector<int64_t> kept;
  kept.reserve(static_cast<size_t>(batch.rows()));
  auto bad = batch.bad.begin();
  for (int64_t row = 0; row < batch.rows(); ++row) {
    while (bad != batch.bad.end() && bad->index < row) ++bad;
    if (bad == batch.bad.end() || bad->index != row) kept.push_back(row);
  }
  if (dropped != nullptr) {
    for (BadRow& row : batch.bad) {
      if (!row.error.place().row) {
        row.error.place().row = static_cast<uint64_t>(batch.first_row + row.index);
      }
      dropped->push_back(std::move(row));
    }
  }
  return take_rows(batch, schema, kept);
}

void count_dropped(std::span<const BadRow> dropped, std::vector<BadRow>* rows) {
  int64_t before = 0;
  for (BadRow& row : *rows) {
    while (before < std::ssize(dropped) &&
           dropped[static_cast<size_t>(before)].index <= row.index + before) {
      ++before;
    }
    row.index += before;
  }
}

Batch take_rows(const Batch& batch, const Schema& schema, std::span<const int64_t> rows) {
  Batch out;
  out.first_row = batch.first_row;
  out.array = cast::take(batch.array, struct_(schema.fields), rows);
  if (!batch.controls.empty()) out.controls = controls_of(batch.controls, rows);
  return out;
}

Batch slice(Batch batch, int64_t offset, int64_t length) { return slice_of(batch, offset, length); }

std::vector<Batch> slices(Batch batch, int64_t rows) {
  std::vector<Batch> out;
  const int64_t count = batch.rows();
  for (int64_t at = 0; at < count; at += rows) {
    out.push_back(slice_of(batch, at, std::min(rows, count - at)));
  }
  return out;
}

}  // namespace xwalk::hub
