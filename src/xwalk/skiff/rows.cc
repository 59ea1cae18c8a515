#include "xwalk/skiff/rows.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/node_codec.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/kinds.h"

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

/// Calls `take` with places of bytes and a zero as wide as the integer to load from there, so that
/// these integers are all of `size` bytes; some bytes may be in two of them. Short texts are seen
/// to without a loop, whose end no processor foresees.
template <typename Take>
[[gnu::always_inline]] inline void for_words(size_t size, const Take& take) {
  if (size >= sizeof(uint64_t)) {
    const size_t last = size - sizeof(uint64_t);
    for (size_t i = 0; i < last; i += sizeof(uint64_t)) take(i, uint64_t{0});
    take(last, uint64_t{0});
  } else if (size >= sizeof(uint32_t)) {
    take(0, uint32_t{0});
    take(size - sizeof(uint32_t), uint32_t{0});
  } else if (size > 0) {
    take(0, uint8_t{0});
    take(size / 2, uint8_t{0});
    take(size - 1, uint8_t{0});
  }
}

/// Returns true if two names are equal; most are short and equal.
[[gnu::always_inline]] inline bool same_name(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  const char* const left = a.data();
  const char* const right = b.data();
  uint64_t different = 0;
  for_words(a.size(), [&](size_t i, auto zero) {
    using Word = decltype(zero);
    different |= uint64_t{load_little_endian<Word>(left + i)} ^ load_little_endian<Word>(right + i);
  });
  return different == 0;
}

/// Returns true for UTF-8; most texts are short and of ASCII.
bool is_text(std::string_view bytes) {
  uint64_t all = 0;
  for_words(bytes.size(), [&](size_t i, auto zero) {
    all |= load_little_endian<decltype(zero)>(bytes.data() + i);
  });
  return (all & 0x8080808080808080) == 0 || is_valid_utf8(bytes);
}

}  // namespace

std::string unknown_table(size_t tables, uint16_t tag) {
  return fmt::format("expected a table index below {}, found {}", tables, tag);
}

std::string end_of_stream_hint(uint16_t tag) {
  if (tag != kEndOfStream) return "";
  return "A stream that ends with this tag is read with " + hub::mention(hub::Option::EndOfStream) +
         ".";
}

OthersCheck::OthersCheck(const BoundTable& table) {
  const bool anything = table.others.columns.empty() && !table.others.strict;
  if (!table.layout.has_other_columns || anything) return;
  yt::ReadOptions read;
  read.values = codec_options(yt::UuidOrder::Raw, std::make_shared<bool>(true));
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
      options_(options) {
  for (const BoundTable& table : tables_) {
    std::vector<Path>& paths = paths_.emplace_back();
    for (const Slot& slot : table.layout.slots) paths.push_back(Path::column(slot.type.name()));
    std::vector<Usual>& usual = usual_.emplace_back(table.layout.slots.size() + 1);
    size_t column = 0;
    for (size_t slot = 0; slot < table.layout.slots.size(); ++slot) {
      if (table.layout.slots[slot].role != Role::Dense) continue;
      usual[slot] = usual_of(table.columns[column++]);
    }
  }
}

RowReader::Usual RowReader::usual_of(const BoundColumn& column) {
  Usual usual;
  usual.name = column.name;
  const Binding& binding = column.binding;
  const Binding* value = &binding;
  if (binding.form == Form::Optional && tag_width(binding.wire.wire()) == 1 && !binding.required &&
      !binding.children[0].any) {
    usual.optional = true;
    value = &binding.children[0];
  }
  const yt::TypeKind type = value->type.kind();
  const yt::IntegerRange range =
      value->any ? yt::IntegerRange{INT64_MIN, UINT64_MAX} : yt::integer_range(type);
  // An unsigned integer never has a range that begins below zero.
  const bool is_signed = value->form == Form::Signed;
  usual.low = is_signed ? static_cast<uint64_t>(range.min) : 0;
  usual.span = (is_signed ? std::min(range.max, uint64_t{INT64_MAX}) : range.max) - usual.low;
  switch (value->form) {
    case Form::Boolean:
      usual.kind = Usual::Kind::Boolean;
      break;
    case Form::Signed:
      if (value->wire.wire() == WireType::Int64) usual.kind = Usual::Kind::Int64;
      break;
    case Form::Unsigned:
      if (value->wire.wire() == WireType::Uint64) usual.kind = Usual::Kind::Uint64;
      break;
    case Form::Double:
      if (type != yt::TypeKind::Float) usual.kind = Usual::Kind::Double;
      break;
    case Form::String:
      if (value->any || type == yt::TypeKind::String) usual.kind = Usual::Kind::String;
      if (!value->any && type == yt::TypeKind::Utf8) usual.kind = Usual::Kind::Utf8;
      break;
    case Form::Nothing:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
    case Form::Optional:
    case Form::Present:
    case Form::List:
    case Form::Dict:
    case Form::Tuple:
    case Form::Variant:
      break;
  }
  return usual;
}

inline const char* RowReader::take_value(const Usual& usual, const char* at, const char* end,
                                         Node* out) {
  const auto left = static_cast<size_t>(end - at);
  switch (usual.kind) {
    case Usual::Kind::None:
      return nullptr;
    case Usual::Kind::Boolean:
      if (left == 0 || static_cast<uint8_t>(*at) > 1) return nullptr;
      out->set_boolean(*at != 0);
      return at + 1;
    case Usual::Kind::Int64:
    case Usual::Kind::Uint64: {
      if (left < sizeof(uint64_t)) return nullptr;
      const auto value = load_little_endian<uint64_t>(at);
      if (value - usual.low > usual.span) return nullptr;
      if (usual.kind == Usual::Kind::Int64) {
        out->set_int64(static_cast<int64_t>(value));
      } else {
        out->set_uint64(value);
      }
      return at + sizeof(value);
    }
    case Usual::Kind::Double:
      if (left < sizeof(double)) return nullptr;
      out->set_real(std::bit_cast<double>(load_little_endian<uint64_t>(at)));
      return at + sizeof(double);
    case Usual::Kind::String:
    case Usual::Kind::Utf8: {
      if (left < sizeof(uint32_t)) return nullptr;
      const size_t size = load_little_endian<uint32_t>(at);
      if (left - sizeof(uint32_t) < size) return nullptr;
      const std::string_view bytes(at + sizeof(uint32_t), size);
      if (usual.kind == Usual::Kind::Utf8 && !is_text(bytes)) return nullptr;
      out->set_string(bytes);
      return bytes.data() + size;
    }
  }
  return nullptr;
}

inline size_t RowReader::take_usual(uint32_t table, size_t slot, Node::Map* columns,
                                    size_t* filled) {
  Input& input = reader_.input();
  const char* const begin = input.data();
  const char* const end = begin + input.available();
  const char* at = begin;
  const Usual* const first = &usual_[table][slot];
  const Usual* usual = first;
  auto* entry = columns->data() + *filled;
  auto* entries_end = columns->data() + columns->size();
  for (; usual->kind != Usual::Kind::None; ++usual) {
    const char* value = at;
    if (usual->optional) {
      if (at == end || static_cast<uint8_t>(*at) > 1) break;
      value = at + 1;
      if (*at == 0) {
        at = value;
        continue;
      }
    }
    if (entry == entries_end) [[unlikely]] {
      entry = &columns->emplace_back(usual->name, Node());
      entries_end = entry + 1;
    }
    const char* next = take_value(*usual, value, end, &entry->second);
    if (next == nullptr) break;
    at = next;
    if (!same_name(entry->first, usual->name)) [[unlikely]]
      entry->first = usual->name;
    ++entry;
  }
  *filled = static_cast<size_t>(entry - columns->data());
  input.advance(static_cast<size_t>(at - begin));
  return static_cast<size_t>(usual - first);
}

std::optional<Row> RowReader::next() {
  Row row;
  if (!next(&row)) return std::nullopt;
  return row;
}

bool RowReader::next(Row* row) {
  std::optional<uint32_t> table;
  try {
    if (reader_.at_end()) {
      if (options_.require_end_of_stream) {
        fail({}, "expected the tag 65535 at the end of the stream, found the end",
             reader_.position());
      }
      return false;
    }
    uint64_t start = reader_.position();
    uint16_t tag = reader_.read<WireType::Variant16>();
    if (tag == kEndOfStream && options_.require_end_of_stream) {
      if (!reader_.at_end())
        fail({}, "expected the end after the tag 65535, found more bytes", start);
      options_.require_end_of_stream = false;
      return false;
    }
    if (tag >= tables_.size()) {
      fail({}, unknown_table(tables_.size(), tag), start, end_of_stream_hint(tag));
    }
    table = row->table = tag;
    tracker_.begin_row(tag);
    read_columns(tag, row);
    if (reader_.position() - start > limits::kRowBytes) {
      fail({},
           fmt::format("expected a row of at most {} bytes, found {}", limits::kRowBytes,
                       reader_.position() - start),
           start);
    }
  } catch (Error& error) {
    Place& place = error.place();
    // Place within a value, such as a YSON text, says nothing about the stream.
    place.line = place.column = std::nullopt;
    if (table) place.table = table;
    place.row = rows_;
    if (!place.byte) place.byte = reader_.position();
    throw;
  }
  ++rows_;
  return true;
}

Row RowReader::read_behind_tag(const IndexTracker& before) {
  tracker_ = before;
  Row row;
  try {
    read_columns(0, &row);
  } catch (Error& error) {
    error.place().line = error.place().column = std::nullopt;
    if (!error.place().byte) error.place().byte = reader_.position();
    throw;
  }
  return row;
}

void RowReader::read_columns(uint32_t index, Row* row) {
  const BoundTable& table = tables_[index];
  size_t column_index = 0;
  bool range_implied = false;
  bool row_implied = false;
  row->row_index = row->range_index = std::nullopt;
  row->key_switch = false;
  if (!row->columns.is(Node::Kind::Map) || row->columns.has_attributes())
    row->columns = Node::map();
  Node::Map& columns = row->columns.as_map();
  if (columns.empty()) columns.reserve(table.layout.slots.size());
  // Entries of the row before are written over; how many are of this one.
  size_t filled = 0;
  for (size_t place = 0; place < table.layout.slots.size(); ++place) {
    const size_t taken = take_usual(index, place, &columns, &filled);
    column_index += taken;
    place += taken;
    if (place == table.layout.slots.size()) break;
    const Slot& slot = table.layout.slots[place];
    const Path& path = paths_[index][place];
    uint64_t byte = reader_.position();
    switch (slot.role) {
      case Role::Dense: {
        const BoundColumn& column = table.columns[column_index++];
        if (filled == columns.size()) columns.emplace_back(column.name, Node());
        auto& [name, value] = columns[filled];
        read_node(column.binding, &reader_, path, &value);
        if (value.is(Node::Kind::Entity) && !value.has_attributes()) break;
        if (!same_name(name, column.name)) name = column.name;
        ++filled;
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
      case Role::Sparse: {
        columns.erase(columns.begin() + static_cast<ptrdiff_t>(filled), columns.end());
        std::vector<bool> seen(table.layout.sparse.size());
        while (true) {
          byte = reader_.position();
          uint16_t tag = reader_.read<WireType::RepeatedVariant16>();
          if (tag == kEndTag16) break;
          if (tag >= seen.size()) {
            fail(path,
                 fmt::format("expected an index of a sparse column below {}, found {}", seen.size(),
                             tag),
                 byte);
          }
          const BoundColumn& column = table.columns[table.dense_columns + tag];
          Path below = Path::column(column.name);
          if (seen[tag]) fail(below, "expected each column once in a row, found it twice", byte);
          seen[tag] = true;
          Node value = read_node(column.binding, &reader_, below);
          if (!value.is(Node::Kind::Entity)) row->columns.add(column.name, std::move(value));
        }
        filled = columns.size();
        break;
      }
      case Role::Other:
        columns.erase(columns.begin() + static_cast<ptrdiff_t>(filled), columns.end());
        read_other(index, row);
        filled = columns.size();
        break;
    }
  }
  if (filled < columns.size()) {
    columns.erase(columns.begin() + static_cast<ptrdiff_t>(filled), columns.end());
  }
  // The range may stand behind the row index, yet decides whether that was implied.
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
         fmt::format("expected {} in full, as no row of this table stands before, found none",
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
           "Use variant8<nothing;int64;nothing> where it may be unknown.");
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
