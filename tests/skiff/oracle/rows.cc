#include "tests/skiff/oracle/rows.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include <fmt/format.h>

#include "tests/skiff/oracle/node_codec.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::skiff {
namespace {

using yson::Node;

[[noreturn]] void fail(const Path& path, std::string message,
                       std::optional<uint64_t> byte = std::nullopt, std::string hint = {}) {
  Place place;
  place.path = path;
  place.byte = byte;
  throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
}

}  // namespace

OthersCheck::OthersCheck(const BoundTable& table) {
  const bool anything = table.others.columns.empty() && !table.others.strict;
  if (!table.layout.has_other_columns || anything) return;
  yt::ReadOptions read;
  read.values = codec_options(yt::UuidOrder::Raw, true);
  decoder_.emplace(table.others, read);
}

void OthersCheck::check(const Node& map) {
  if (!decoder_) return;
  try {
    decoder_->decode(yson::print(map, yson::Format::Binary), 0);
  } catch (const Error& error) {
    Place place;
    place.path = error.place().path.empty() ? Path::column(kOtherColumns) : error.place().path;
    throw Error(ErrorCode::Input, error.message(), std::move(place), error.hint());
  }
}

RowReader::RowReader(std::vector<BoundTable> tables, Input& input, const RowReaderOptions& options)
    : tables_(std::move(tables)),
      others_(tables_.begin(), tables_.end()),
      reader_(input),
      options_(options) {}

std::optional<Row> RowReader::next() {
  std::optional<uint32_t> table;
  try {
    std::optional<Row> row = read_row(&table);
    if (row) ++rows_;
    return row;
  } catch (Error& error) {
    Place& place = error.place();
    // A place within a value, such as a YSON text, is not one of the stream.
    place.line = place.column = std::nullopt;
    if (table) place.table = table;
    place.row = rows_;
    if (!place.byte) place.byte = reader_.position();
    throw;
  }
}

std::optional<Row> RowReader::read_row(std::optional<uint32_t>* table) {
  if (reader_.at_end()) {
    if (!options_.require_end_of_stream) return std::nullopt;
    fail({}, "expected the tag 65535 at the end of the stream, found the end", reader_.position());
  }
  const uint64_t start = reader_.position();
  const uint16_t tag = reader_.read<WireType::Variant16>();
  if (tag == kEndOfStream && options_.require_end_of_stream) {
    if (!reader_.at_end()) {
      fail({}, "expected the end after the tag 65535, found more bytes", start);
    }
    options_.require_end_of_stream = false;
    return std::nullopt;
  }
  if (tag >= tables_.size()) {
    fail({}, unknown_table(tables_.size(), tag), start, end_of_stream_hint(tag));
  }
  *table = tag;
  Row row;
  row.table = tag;
  tracker_.begin_row(tag);
  read_columns(tag, &row);
  const uint64_t size = reader_.position() - start;
  if (size > limits::kRowBytes) {
    fail({}, fmt::format("expected a row of at most {} bytes, found {}", limits::kRowBytes, size),
         start);
  }
  return row;
}

void RowReader::read_columns(uint32_t index, Row* row) {
  const BoundTable& table = tables_[index];
  size_t column_index = 0;
  bool range_implied = false;
  bool row_implied = false;
  for (const Slot& slot : table.layout.slots) {
    const Path path = Path::column(slot.type.name());
    switch (slot.role) {
      case Role::Dense: {
        const BoundColumn& column = table.columns[column_index++];
        Node value = read_node(column.binding, &reader_, path);
        if (value.is(Node::Kind::Entity) && !value.has_attributes()) break;
        row->columns.add(column.name, std::move(value));
        break;
      }
      case Role::KeySwitch:
        try {
          row->key_switch = reader_.read<WireType::Boolean>();
        } catch (Error& error) {
          error.place().path = path;
          throw;
        }
        break;
      case Role::RangeIndex:
        row->range_index = read_index(slot.type, tracker_.range_index(), path, &range_implied);
        break;
      case Role::RowIndex: {
        std::optional<int64_t> implied = tracker_.row_index();
        if (implied) implied = static_cast<int64_t>(static_cast<uint64_t>(*implied) + 1);
        row->row_index = read_index(slot.type, implied, path, &row_implied);
        break;
      }
      case Role::Sparse:
        read_sparse(table, path, row);
        break;
      case Role::Other:
        read_other(index, row);
        break;
    }
  }
  // The range may come after the row index, yet decides whether that was implied.
  if (table.layout.range_index) {
    if (row_implied && row->range_index != tracker_.range_index()) {
      fail(Path::column(kRowIndex), "expected $row_index in full in a new range, found none");
    }
    tracker_.set_range(row->range_index);
  }
  if (table.layout.row_index) tracker_.set_row(row->row_index);
  for (size_t i = table.dense_columns; i < table.columns.size(); ++i) {
    const BoundColumn& column = table.columns[i];
    if (!column.nullable && row->columns.find(column.name) == nullptr) {
      fail(Path::column(column.name), "expected a value of a required column, found none");
    }
  }
}

void RowReader::read_sparse(const BoundTable& table, const Path& path, Row* row) {
  std::vector<bool> seen(table.layout.sparse.size());
  while (true) {
    const uint64_t byte = reader_.position();
    const uint16_t tag = reader_.read<WireType::RepeatedVariant16>();
    if (tag == kEndTag16) return;
    if (tag >= seen.size()) {
      fail(path,
           fmt::format("expected an index of a sparse column below {}, found {}", seen.size(), tag),
           byte);
    }
    const BoundColumn& column = table.columns[table.dense_columns + tag];
    const Path below = Path::column(column.name);
    if (seen[tag]) fail(below, "expected each column once in a row, found it twice", byte);
    seen[tag] = true;
    Node value = read_node(column.binding, &reader_, below);
    if (!value.is(Node::Kind::Entity)) row->columns.add(column.name, std::move(value));
  }
}

std::optional<int64_t> RowReader::read_index(const Type& type, std::optional<int64_t> implied,
                                             const Path& path, bool* was_implied) {
  uint64_t byte = reader_.position();
  uint8_t tag = 0;
  *was_implied = false;
  try {
    tag = reader_.read<WireType::Variant8>();
    if (tag == 1) return reader_.read<WireType::Int64>();
  } catch (Error& error) {
    error.place().path = path;
    throw;
  }
  if (tag >= type.children().size()) {
    fail(path,
         fmt::format("expected a tag of variant8 below {}, found {}", type.children().size(), tag),
         byte);
  }
  if (tag == 2) return std::nullopt;
  if (!implied) {
    fail(path,
         fmt::format("expected {} in full in the first row of a table or range, found none",
                     type.name()),
         byte);
  }
  *was_implied = true;
  return implied;
}

void RowReader::read_other(uint32_t index, Row* row) {
  const BoundTable& table = tables_[index];
  Path path = Path::column(kOtherColumns);
  uint64_t byte = reader_.position();
  Node map;
  try {
    map = yson::parse(reader_.read<WireType::Yson32>());
  } catch (Error& error) {
    error.place().path = path;
    error.place().byte = byte;
    throw;
  }
  if (!map.is(Node::Kind::Map) || map.has_attributes()) {
    fail(path,
         fmt::format("expected a map without attributes, found {}",
                     map.has_attributes() ? "attributes" : yson::kind_name(map.kind())),
         byte);
  }
  std::set<std::string_view> seen;
  for (auto& [name, value] : map.as_map()) {
    Path below = Path::column(name);
    bool placed = std::ranges::find(table.columns, name, &BoundColumn::name) != table.columns.end();
    if (placed || !seen.insert(name).second) {
      fail(below, "expected each column once in a row, found it twice", byte);
    }
    if (value.is(Node::Kind::Entity) && !value.has_attributes()) continue;
    row->columns.add(name, value);
  }
  try {
    others_[index].check(map);
  } catch (Error& error) {
    error.place().byte = byte;
    throw;
  }
}

RowWriter::RowWriter(std::vector<BoundTable> tables, std::string* out)
    : tables_(std::move(tables)), others_(tables_.begin(), tables_.end()), out_(out), writer_(out) {
  for (const BoundTable& table : tables_) {
    auto& places = places_.emplace_back();
    for (size_t i = 0; i < table.columns.size(); ++i) places.emplace(table.columns[i].name, i);
  }
}

void RowWriter::write(const Row& row) {
  size_t size = out_->size();
  IndexTracker before = tracker_;
  try {
    if (row.table >= tables_.size()) {
      fail({}, fmt::format("expected a table index below {}, found {}", tables_.size(), row.table));
    }
    write_row(row);
  } catch (Error& error) {
    out_->resize(size);
    tracker_ = before;
    error.place().table = row.table;
    error.place().row = rows_;
    throw;
  }
  ++rows_;
}

void RowWriter::write_row(const Row& row) {
  const BoundTable& table = tables_[row.table];
  const auto& places = places_[row.table];
  std::vector<const Node*> values(table.columns.size());
  Node other = Node::map();
  for (const auto& [name, value] : row.columns.as_map()) {
    if (value.is(Node::Kind::Entity) && !value.has_attributes()) continue;
    auto place = places.find(name);
    if (place != places.end()) {
      const Node*& slot = values[place->second];
      if (slot != nullptr) {
        fail(Path::column(name), "expected each column once in a row, found it twice");
      }
      slot = &value;
      continue;
    }
    if (!table.layout.has_other_columns) {
      fail(Path::column(name), "expected a column that the skiff schema has, found another",
           std::nullopt, "Add it to the schema, or add $other_columns of yson32.");
    }
    if (other.find(name) != nullptr) {
      fail(Path::column(name), "expected each column once in a row, found it twice");
    }
    other.add(name, value);
  }
  others_[row.table].check(other);
  static const Node kNull;
  writer_.write<WireType::Variant16>(static_cast<uint16_t>(row.table));
  tracker_.begin_row(row.table);
  if (table.layout.range_index && tracker_.range_index() != row.range_index) {
    tracker_.set_row(std::nullopt);
  }
  size_t column_index = 0;
  for (const Slot& slot : table.layout.slots) {
    Path path = Path::column(slot.type.name());
    switch (slot.role) {
      case Role::Dense: {
        const BoundColumn& column = table.columns[column_index];
        const Node* value = values[column_index++];
        if (value == nullptr && !column.nullable) {
          fail(path, "expected a value of a required column, found null");
        }
        write_node(column.binding, value == nullptr ? kNull : *value, &writer_, path);
        break;
      }
      case Role::KeySwitch:
        writer_.write<WireType::Boolean>(row.key_switch);
        break;
      case Role::RangeIndex:
        write_index(slot.type, row.range_index, tracker_.range_index(), path);
        break;
      case Role::RowIndex: {
        std::optional<int64_t> implied = tracker_.row_index();
        if (implied) implied = static_cast<int64_t>(static_cast<uint64_t>(*implied) + 1);
        write_index(slot.type, row.row_index, implied, path);
        break;
      }
      case Role::Sparse:
        for (size_t i = table.dense_columns; i < table.columns.size(); ++i) {
          const BoundColumn& column = table.columns[i];
          if (values[i] == nullptr) {
            if (!column.nullable) {
              fail(Path::column(column.name), "expected a value of a required column, found null");
            }
            continue;
          }
          writer_.write<WireType::RepeatedVariant16>(column.tag);
          write_node(column.binding, *values[i], &writer_, Path::column(column.name));
        }
        writer_.write<WireType::RepeatedVariant16>(kEndTag16);
        break;
      case Role::Other:
        writer_.write<WireType::Yson32>(yson::print(other, yson::Format::Binary));
        break;
    }
  }
  if (table.layout.range_index) tracker_.set_range(row.range_index);
  if (table.layout.row_index) tracker_.set_row(row.row_index);
}

void RowWriter::write_index(const Type& type, std::optional<int64_t> value,
                            std::optional<int64_t> implied, const Path& path) {
  if (!value) {
    if (type.children().size() != 3) {
      fail(path, fmt::format("expected a value of {}, found none", type.name()), std::nullopt,
           "Use variant8<nothing;int64;nothing> if it may be unknown.");
    }
    writer_.write<WireType::Variant8>(2);
  } else if (value == implied) {
    writer_.write<WireType::Variant8>(0);
  } else {
    writer_.write<WireType::Variant8>(1);
    writer_.write<WireType::Int64>(*value);
  }
}

void RowWriter::write_end_of_stream() { writer_.write<WireType::Variant16>(kEndOfStream); }

}  // namespace xwalk::skiff
