#include "xwalk/io/rows/key_writer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/key_bytes.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {
namespace {

/// Slots of a set that has no keys yet.
constexpr size_t kFirstSlots = 1024;

/// Returns true for types of which equal values are the same bytes, in each format.
bool is_comparable(const hub::Type& type) {
  using hub::Kind;
  const Kind kind = type.kind();
  return hub::is_integer(kind) || hub::is_utf8(kind) || hub::is_binary(kind) ||
         hub::is_decimal(kind) || kind == Kind::Bool || kind == Kind::FixedSizeBinary ||
         kind == Kind::Date32 || kind == Kind::Time32 || kind == Kind::Time64 ||
         kind == Kind::Timestamp;
}

std::string key_names(const hub::Schema& rows, const std::vector<size_t>& columns) {
  std::vector<std::string> names;
  for (const size_t column : columns)
    names.push_back(Path::column(rows.fields[column].name).text());
  return join(names, ", ");
}

}  // namespace

std::optional<RowPlace> KeySet::add(std::string_view key, RowPlace place) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const uint64_t hash = std::hash<std::string_view>()(key);
  size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const size_t entry = slots_[slot] - 1;
    if (entries_[entry].hash == hash && key_of(entry) == key) return entries_[entry].place;
  }
  bytes_.insert(bytes_.end(), key.begin(), key.end());
  entries_.push_back({bytes_.size(), hash, place});
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  return std::nullopt;
}

uint64_t KeySet::bytes() const {
  return bytes_.capacity() + entries_.capacity() * sizeof(Entry) +
         slots_.capacity() * sizeof(uint32_t);
}

std::string_view KeySet::key_of(size_t entry) const {
  const uint64_t begin = entry == 0 ? 0 : entries_[entry - 1].end;
  return {bytes_.data() + begin, entries_[entry].end - begin};
}

void KeySet::grow() {
  slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), 0);
  for (size_t entry = 0; entry < entries_.size(); ++entry) {
    size_t slot = entries_[entry].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(entry + 1);
  }
}

KeyWriter::KeyWriter(std::unique_ptr<hub::BatchWriter> writer, hub::Schema rows,
                     const std::vector<std::string>& key, uint64_t most_bytes)
    : writer_(std::move(writer)),
      refusing_(dynamic_cast<RefusingWriter*>(writer_.get())),
      rows_(std::move(rows)),
      most_bytes_(most_bytes) {
  for (const std::string& name : key) {
    const auto found = std::ranges::find(rows_.fields, name, &hub::Field::name);
    if (found == rows_.fields.end()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: the rows have no column {}", hub::mention(hub::Option::Key),
                              xwalk::quoted(name)));
    }
    const auto column = static_cast<size_t>(found - rows_.fields.begin());
    if (std::ranges::find(columns_, column) != columns_.end()) continue;
    columns_.push_back(column);
    const hub::Field& field = *found;
    if (is_comparable(field.type)) continue;
    throw Error(ErrorCode::Unsupported,
                fmt::format("expected a column of integers, text, bytes, decimals, booleans, dates "
                            "or times in the key, found {}",
                            hub::to_string(field.type)),
                {.path = Path::column(name)},
                "Equal values of this type may differ in their bytes: name another column.");
  }
  files_.emplace_back();
}

void KeyWriter::begin_piece(const Piece& piece) {
  piece_ = &piece;
  if (files_.back() != piece.file()) files_.emplace_back(piece.file());
  if (refusing_ != nullptr) refusing_->begin_piece(piece);
}

Error KeyWriter::repeated(const hub::Batch& batch, int64_t row, RowPlace first) const {
  std::vector<std::string> parts;
  for (const size_t column : columns_) {
    const hub::Field& field = rows_.fields[column];
    parts.push_back(
        fmt::format("{}={}", Path::column(field.name).text(),
                    hub::cell_text(field, batch.array.children[column], row, /*most=*/100)));
  }
  const std::string& file = files_[first.file];
  return {
      ErrorCode::Input,
      fmt::format("expected each key {} once, found {} again, as in row {}{}",
                  key_names(rows_, columns_), join(parts, ", "), first.row,
                  file.empty() ? "" : " of " + file),
      {.path = Path::column(rows_.fields[columns_.front()].name)},
      "Of several rows with one key, which is the last is not known: leave in the input the one "
      "that counts."};
}

void KeyWriter::check_memory() const {
  if (keys_.bytes() <= most_bytes_) return;
  throw Error(
      ErrorCode::Unsupported,
      fmt::format("expected keys of at most {} bytes in memory, found more in the first {} rows",
                  grouped(most_bytes_), grouped(keys_.size())),
      {},
      fmt::format("Give a larger {}, of which keys may take a quarter, or the rows of fewer "
                  "inputs at a time.",
                  hub::mention(hub::Option::MaxMemory, "N")));
}

std::vector<hub::BadRow> KeyWriter::refused(const hub::Batch& batch) {
  std::vector<hub::Field> fields;
  std::vector<const hub::Array*> arrays;
  for (const size_t column : columns_) {
    fields.push_back(rows_.fields[column]);
    arrays.push_back(&batch.array.children[column]);
  }
  const hub::Array bytes = hub::key_bytes(fields, arrays, batch.rows());
  const auto* offsets = bytes.values<int32_t>();
  const char* data = bytes.raw<char>(2);
  std::vector<hub::BadRow> out;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    std::optional<Error> error;
    for (size_t i = 0; i < columns_.size() && !error; ++i) {
      if (!arrays[i]->is_null(row)) continue;
      error = Error(ErrorCode::Input, "expected a key, found null",
                    {.path = Path::column(fields[i].name)});
    }
    if (!error) {
      const int64_t number = batch.first_row + row;
      const RowPlace place{static_cast<uint32_t>(files_.size() - 1),
                           piece_ == nullptr ? number : piece_->row_number(number)};
      const std::string_view key(data + offsets[row],
                                 static_cast<size_t>(offsets[row + 1] - offsets[row]));
      const std::optional<RowPlace> first = keys_.add(key, place);
      if (first) error = repeated(batch, row, *first);
    }
    if (error) out.push_back({row, *std::move(error), ""});
  }
  check_memory();
  return out;
}

void KeyWriter::write(hub::Batch batch) {
  const int64_t first_row = batch.first_row;
  const std::vector<hub::BadRow> bad = write_good(std::move(batch));
  if (bad.empty()) return;
  Error error = bad.front().error;
  const int64_t row = first_row + bad.front().index;
  error.place().row = static_cast<uint64_t>(piece_ == nullptr ? row : piece_->row_number(row));
  if (error.place().file.empty() && piece_ != nullptr) error.place().file = piece_->file();
  throw error;
}

std::vector<hub::BadRow> KeyWriter::write_good(hub::Batch batch) {
  const int64_t rows = batch.rows();
  batch = hub::slice(std::move(batch), 0, rows);
  std::vector<hub::BadRow> out = refused(batch);
  std::vector<hub::BadRow> dropped = out;
  if (!out.empty()) {
    batch.bad = std::move(dropped);
    dropped.clear();
    batch = hub::drop_bad_rows(std::move(batch), rows_, &dropped);
  }
  if (writer_ == nullptr || batch.rows() == 0) return out;
  if (refusing_ == nullptr) {
    writer_->write(std::move(batch));
    return out;
  }
  std::vector<hub::BadRow> others = refusing_->write_good(std::move(batch));
  hub::count_dropped(dropped, &others);
  std::ranges::move(others, std::back_inserter(out));
  std::ranges::stable_sort(out, {}, &hub::BadRow::index);
  return out;
}

void KeyWriter::finish() {
  if (writer_ != nullptr) writer_->finish();
}

uint64_t KeyWriter::bytes_written() const {
  return writer_ == nullptr ? 0 : writer_->bytes_written();
}

}  // namespace xwalk::io
