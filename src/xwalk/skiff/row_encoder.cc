#include "xwalk/skiff/row_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/encode.h"
#include "xwalk/skiff/field_sequence_internal.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/yt/other_columns.h"
#include "xwalk/yt/row_encoder.h"

namespace xwalk::skiff {
namespace {

/// Rows encoded at a time: what is made of their columns beforehand stays in the first-level cache.
constexpr size_t kBlockRows = 256;
/// Bytes of a block, by which its rows are cut.
constexpr uint64_t kBlockBytes = uint64_t{64} << 20;
/// Strings up to here are copied in two whole steps, which may write past them.
constexpr size_t kStep = 32;

/// Items of a list that are written at a time, more than there are, where these are read and what
/// lies behind is written later.
constexpr size_t kItems = 4;
/// Bytes that may be written past the last row.
constexpr size_t kSlack = kItems * (sizeof(uint16_t) + sizeof(uint64_t));
static_assert(kSlack >= kStep);

enum class Method : uint8_t { Nothing, KeySwitch, Integer, Real, Boolean, Bytes, List, Scratch };

/// A child of the root, or a member of a struct there, in its place.
struct Column {
  Method method = Method::Scratch;
  Role role = Role::Dense;
  bool optional = false;
  bool required = false;
  /// Place among the Arrow columns, and the way down from there; place among the columns made
  /// beforehand.
  size_t field = 0;
  std::vector<size_t> members;
  size_t scratch = 0;
  const Codec* codec = nullptr;
  const Codec* value = nullptr;
};

/// A struct whose members are columns: it is never null.
struct Outer {
  size_t field = 0;
  std::vector<size_t> members;
};

/// Bytes of a column that is encoded value by value, for a block.
struct Scratch {
  std::string bytes;
  std::array<uint32_t, kBlockRows> sizes;
};

/// Returns true for a list of integers or doubles, as wide in Arrow as in Skiff.
bool is_plain_list(const Codec& codec) {
  if (codec.form != Form::List || codec.children[0].any) return false;
  const Codec& item = codec.children[0];
  if (item.form == Form::Double) return item.scalar.width == sizeof(double);
  const bool is_integer = item.form == Form::Signed || item.form == Form::Unsigned;
  return is_integer && item.wire_width == item.scalar.width;
}

/// Returns true for a tuple whose members stand in Arrow one by one.
bool is_flat(const Codec& codec) {
  return codec.form == Form::Tuple &&
         std::ranges::none_of(codec.members, [](int i) { return i < 0; });
}

/// Unpacks bits into bytes of 0 or 1.
void unpack_bits(const uint8_t* bits, int64_t from, size_t count, uint8_t* out) {
  auto bit = [&](size_t i) {
    int64_t at = from + static_cast<int64_t>(i);
    return static_cast<uint8_t>((bits[at >> 3] >> (at & 7)) & 1);
  };
  size_t i = 0;
  for (; i < count && ((from + static_cast<int64_t>(i)) & 7) != 0; ++i) out[i] = bit(i);
  for (; i + 8 <= count; i += 8) {
    uint64_t spread = bits[(from + static_cast<int64_t>(i)) >> 3] * 0x0101010101010101u;
    // Byte k keeps bit k; adding carries it into the top bit.
    uint64_t kept = (spread & 0x8040201008040201u) + 0x00406070787C7E7Fu;
    uint64_t bytes = (kept >> 7) & 0x0101010101010101u;
    std::memcpy(out + i, &bytes, sizeof(bytes));
  }
  for (; i < count; ++i) out[i] = bit(i);
}

/// Returns true if the logical type holds fewer values than the Arrow type.
template <typename Value>
bool narrowed(const Codec& codec) {
  if constexpr (std::is_signed_v<Value>) {
    constexpr int64_t kMax = std::numeric_limits<Value>::max();
    return codec.form == Form::Unsigned || codec.scalar.range.min > -kMax - 1 ||
           codec.scalar.range.max < static_cast<uint64_t>(kMax);
  } else {
    return codec.scalar.range.max < std::numeric_limits<Value>::max();
  }
}

/// Calls an action with a zero of the integer type that a column has in Arrow.
template <typename Action>
void with_integer(const yt::ScalarCodec& scalar, const Action& action) {
  const bool is_signed = hub::is_signed_integer(scalar.arrow) || !hub::is_integer(scalar.arrow);
  switch (scalar.width) {
    case 1:
      return is_signed ? action(int8_t{}) : action(uint8_t{});
    case 2:
      return is_signed ? action(int16_t{}) : action(uint16_t{});
    case 4:
      return is_signed ? action(int32_t{}) : action(uint32_t{});
    default:
      return is_signed ? action(int64_t{}) : action(uint64_t{});
  }
}

}  // namespace

class RowEncoder::Impl {
 public:
  Impl(const Schema& schema, const WriteOptions& options) : table_index_(options.table) {
    if (options.table >= schema.format.tables.size()) {
      throw Error(ErrorCode::Usage, fmt::format("expected a table below {}, found {}",
                                                schema.format.tables.size(), options.table));
    }
    table_ = bind_table(schema.format.tables[options.table], schema.table_schema(options.table),
                        Flow::Write);
    arrow_ = to_arrow(table_);
    yt::ValueOptions values = codec_options(options.uuid_order, options.specials_as_stored);
    values.tz_form = options.tz_form;
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      const BoundColumn& column = table_.columns[i];
      codecs_.push_back(
          make_codec(column.binding, yt::shape_of(column.type, arrow_.fields[i]), values));
    }
    if (table_.layout.has_other_columns) {
      values.skip_null_values = true;
      others_.emplace(table_.others, values);
    }
    size_t dense = 0;
    for (const Slot& slot : table_.layout.slots) add_step(slot, &dense);
  }

  const hub::Schema& arrow() const { return arrow_; }
  const TableLayout& layout() const { return table_.layout; }

 private:
  friend class BlockWriter;

  void add_step(const Slot& slot, size_t* dense) {
    Column column;
    column.role = slot.role;
    switch (slot.role) {
      case Role::Dense:
        column.field = (*dense)++;
        column.codec = &codecs_[column.field];
        add_dense(column);
        return;
      case Role::KeySwitch:
        column.method = Method::KeySwitch;
        break;
      case Role::Other:
        column.field = table_.columns.size();
        break;
      case Role::Sparse:
      case Role::RowIndex:
      case Role::RangeIndex:
        break;
    }
    place(column);
  }

  /// Adds a column, of a struct those of its members.
  void add_dense(Column column) {
    if (!is_flat(*column.codec)) {
      choose_method(&column);
      place(column);
      return;
    }
    outers_.push_back({column.field, column.members});
    const Codec& tuple = *column.codec;
    for (size_t i = 0; i < tuple.children.size(); ++i) {
      Column member;
      member.field = column.field;
      member.members = column.members;
      member.members.push_back(static_cast<size_t>(tuple.members[i]));
      member.codec = &tuple.children[i];
      add_dense(std::move(member));
    }
  }

  /// Adds a column behind those that are there.
  void place(Column column) {
    if (column.optional) fixed_ += 1;
    if (column.method == Method::KeySwitch) fixed_ += 1;
    if (column.method == Method::Scratch) column.scratch = scratches_++;
    const bool is_fixed = column.method == Method::Integer || column.method == Method::Real ||
                          column.method == Method::Boolean;
    if (is_fixed) fixed_ += column.value->wire_width;
    columns_.push_back(std::move(column));
  }

  void choose_method(Column* column) {
    const Codec* value = column->codec;
    bool optional = false;
    if (value->form == Form::Optional && !value->wrapped) {
      optional = true;
      column->required = value->required;
      value = &value->children[0];
    } else if (value->form == Form::Present && !value->wrapped && value->wire != WireType::Yson32) {
      value = &value->children[0];
    }
    column->value = value;
    bool plain_text = value->form == Form::String && !value->scalar.is_coded();
    if (value->form == Form::Nothing && !optional && !value->any) {
      column->method = Method::Nothing;
    } else if (value->any && value->form != Form::Yson) {
      column->method = Method::Scratch;
    } else if (value->form == Form::Signed || value->form == Form::Unsigned) {
      column->method = Method::Integer;
    } else if (value->form == Form::Double) {
      column->method = Method::Real;
    } else if (value->form == Form::Boolean) {
      column->method = Method::Boolean;
    } else if (plain_text || value->form == Form::Yson) {
      column->method = Method::Bytes;
    } else if (is_plain_list(*value)) {
      column->method = Method::List;
    }
    // What is made beforehand has its tag in it.
    column->optional = optional && column->method != Method::Scratch;
  }

  uint32_t table_index_;
  BoundTable table_;
  hub::Schema arrow_;
  std::vector<Codec> codecs_;
  std::vector<Column> columns_;
  std::vector<Outer> outers_;
  /// Writes the map of `$other_columns`.
  std::optional<yt::RowEncoder> others_;
  /// Bytes of a row without those of strings, lists and what is made beforehand.
  size_t fixed_ = sizeof(uint16_t);
  size_t scratches_ = 0;
};

/// What one field of a row is written from.
enum class Step : uint8_t {
  /// A value of so many bytes, the last one with its neighbours; behind a tag that says whether it
  /// is there.
  Fixed1,
  Fixed2,
  Fixed4,
  Words,
  Optional1,
  Optional2,
  Optional4,
  Optional8,
  Bytes,
  OptionalBytes,
  List,
  OptionalList,
  Scratch,
};

/// Where the values of a field are, from the first row of the block on.
struct Field {
  Step step = Step::Fixed1;
  /// Words: how many fields of this kind follow each other, and which of the block's words the
  /// first one is.
  uint32_t words = 1;
  uint32_t first_word = 0;
  /// Values of the width of the step; bytes of strings; items of lists; what is made beforehand.
  const char* values = nullptr;
  const uint8_t* present = nullptr;
  const int32_t* offsets = nullptr;
  const uint32_t* sizes = nullptr;
  /// Where a whole step may begin to be read at the latest.
  int64_t last_step = 0;
  /// Lists: bytes of an item and of a tag.
  uint8_t width = 0;
  uint8_t tag_bytes = 0;
};

/// Writes the rows of one batch, a block at a time: first what is to be found out by column, then
/// row by row, each field behind the one before. A field that is absent, or shorter than the step
/// that it is written by, is written over by the next one.
class BlockWriter {
 public:
  BlockWriter(const RowEncoder::Impl& encoder, const hub::Array& batch, int64_t first_row,
              int64_t first_index, int64_t begin, std::span<const hub::RowControl> controls)
      : encoder_(encoder),
        batch_(batch),
        first_row_(first_row),
        first_index_(first_index),
        indexed_row_(begin),
        controls_(controls),
        present_(encoder.columns_.size() * kBlockRows),
        all_present_(encoder.columns_.size()),
        scratches_(encoder.scratches_) {
    wires_.resize(encoder.columns_.size());
    const size_t columns = encoder.arrow_.fields.size();
    if (batch.children.size() != columns) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected {} columns, found {}", columns, batch.children.size()));
    }
    for (const Column& column : encoder.columns_) {
      const bool has_values = column.role == Role::Dense;
      inputs_.push_back(has_values ? input_of(column.field, column.members) : Input{});
    }
    for (const Outer& outer : encoder.outers_) {
      outers_.push_back(input_of(outer.field, outer.members));
    }
    if (!encoder.others_) return;
    others_ = batch;
    const auto first = others_.children.begin();
    const auto placed = static_cast<ptrdiff_t>(encoder.table_.columns.size());
    others_.children.erase(first, first + placed);
  }

  /// Writes up to kBlockRows rows from `first` on and returns how many.
  size_t write(int64_t first, int64_t end, yson::Buffer* out) {
    first_ = first;
    first_slot_ = batch_.slot(first);
    rows_ = std::min(kBlockRows, static_cast<size_t>(end - first));
    uint64_t bound = 0;
    while (true) {
      bound = prepare();
      if (bound <= kBlockBytes) break;
      if (rows_ == 1) {
        if (bound <= limits::kRowBytes) break;
        throw Error(ErrorCode::Input,
                    fmt::format("expected a row of at most {} bytes, found one of about {}",
                                limits::kRowBytes, bound),
                    place_of(0));
      }
      rows_ = (rows_ + 1) / 2;
    }
    find_fields();
    char* to = out->reserve(bound + kSlack);
    out->set_end(write_rows(to));
    return rows_;
  }

 private:
  /// Where the values of a column are: that of a row is element `slot` + row.
  struct Input {
    const hub::Array* array = nullptr;
    int64_t slot = 0;
  };

  Input input_of(size_t field, const std::vector<size_t>& members) const {
    Input input{&batch_.children[field], batch_.offset};
    for (size_t member : members) {
      input.slot = input.array->slot(input.slot);
      input.array = &input.array->children[member];
    }
    return input;
  }
  /// Returns the array of a column, and in `first` the element of the block's first row.
  const hub::Array& array_of(size_t index, int64_t* first) const {
    *first = inputs_[index].slot + first_;
    return *inputs_[index].array;
  }

  uint8_t* present(size_t column) { return present_.data() + column * kBlockRows; }

  Place place_of(size_t row) const {
    Place place;
    place.row = static_cast<uint64_t>(first_row_ + first_) + row;
    return place;
  }

  [[noreturn]] void refuse(size_t column, size_t row, Refusal refusal) const {
    Place place = place_of(row);
    const BoundTable& table = encoder_.table_;
    place.path = Path::column(table.columns[column].name);
    std::string wire = to_string(table.columns[column].binding.wire.named(""));
    std::string message;
    switch (refusal) {
      case Refusal::Null:
        message = fmt::format("expected a value, which {} requires, found null", wire);
        break;
      case Refusal::Range:
        message = fmt::format(
            "expected a value in the range of the column and of {}, found another", wire);
        break;
      case Refusal::Large:
        message =
            fmt::format("expected a row of at most {} bytes, found one of more", limits::kRowBytes);
        break;
      case Refusal::None:
      case Refusal::Value:
        message = fmt::format("expected a value that {} carries, found another", wire);
        break;
    }
    throw Error(ErrorCode::Input, std::move(message), std::move(place));
  }

  /// Finds nulls, makes the bytes of columns that are encoded value by value, and returns an upper
  /// bound of the bytes of the rows.
  uint64_t prepare() {
    uint64_t bound = encoder_.fixed_ * rows_;
    check_outers();
    for (size_t i = 0; i < encoder_.columns_.size(); ++i) {
      const Column& column = encoder_.columns_[i];
      if (column.method == Method::Scratch) {
        bound += make_scratch(i);
        continue;
      }
      if (column.method == Method::Nothing || column.method == Method::KeySwitch) continue;
      int64_t first = 0;
      const hub::Array& array = array_of(i, &first);
      find_nulls(i, array, first);
      if (column.method == Method::Bytes) {
        const int32_t* offsets = array.values<int32_t>() + first;
        bound += static_cast<uint64_t>(offsets[rows_] - offsets[0]) + 4 * rows_;
      } else if (column.method == Method::List) {
        const int32_t* offsets = array.values<int32_t>() + first;
        const uint64_t tag = tag_width(column.value->wire);
        bound +=
            static_cast<uint64_t>(offsets[rows_] - offsets[0]) * item_bytes(column) + tag * rows_;
        check_items(i, array, offsets);
      }
    }
    return bound;
  }

  /// Bytes of an item of a list with its tag.
  static size_t item_bytes(const Column& column) {
    return tag_width(column.value->wire) + column.value->children[0].wire_width;
  }

  void check_outers() const {
    for (size_t i = 0; i < outers_.size(); ++i) {
      const hub::Array& array = *outers_[i].array;
      if (hub::validity(array) == nullptr) continue;
      for (size_t row = 0; row < rows_; ++row) {
        if (!array.is_null(outers_[i].slot + first_ + static_cast<int64_t>(row))) continue;
        refuse(encoder_.outers_[i].field, row, Refusal::Null);
      }
    }
  }

  /// Refuses a list with an item that is null or not of the type.
  void check_items(size_t index, const hub::Array& array, const int32_t* offsets) {
    const Column& column = encoder_.columns_[index];
    const Codec& item = column.value->children[0];
    const hub::Array& items = array.children[0];
    const bool has_nulls = hub::validity(items) != nullptr;
    bool narrow = false;
    if (item.form != Form::Double)
      with_integer(item.scalar, [&](auto zero) { narrow = narrowed<decltype(zero)>(item); });
    if (!has_nulls && !narrow) return;
    const uint8_t* here = present(index);
    for (size_t row = 0; row < rows_; ++row) {
      if (!all_present_[index] && here[row] == 0) continue;
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        if (has_nulls && items.is_null(i)) refuse(column.field, row, Refusal::Null);
        if (!narrow) continue;
        with_integer(item.scalar, [&](auto zero) {
          const auto value = static_cast<int64_t>(items.value<decltype(zero)>(i));
          if (!integer_fits(item, value)) refuse(column.field, row, Refusal::Range);
        });
      }
    }
  }

  void find_nulls(size_t index, const hub::Array& array, int64_t first) {
    const Column& column = encoder_.columns_[index];
    uint8_t* here = present(index);
    const uint8_t* validity = hub::validity(array);
    all_present_[index] = validity == nullptr;
    if (validity == nullptr) {
      if (column.optional) std::memset(here, 1, rows_);
      return;
    }
    unpack_bits(validity, array.slot(first), rows_, here);
    const void* absent = std::memchr(here, 0, rows_);
    all_present_[index] = absent == nullptr;
    if (absent == nullptr || (column.optional && !column.required)) return;
    auto row = static_cast<size_t>(static_cast<const uint8_t*>(absent) - here);
    refuse(column.field, row, Refusal::Null);
  }

  uint64_t make_scratch(size_t index) {
    const Column& column = encoder_.columns_[index];
    Scratch& scratch = scratches_[column.scratch];
    scratch.bytes.clear();
    for (size_t i = 0; i < rows_; ++i) {
      size_t before = scratch.bytes.size();
      int64_t row = first_ + static_cast<int64_t>(i);
      int64_t slot = first_slot_ + static_cast<int64_t>(i);
      if (column.role == Role::Dense) {
        Refusal refusal = encode_value(*column.codec, *inputs_[index].array,
                                       inputs_[index].slot + row, &scratch.bytes);
        if (refusal != Refusal::None) refuse(column.field, i, refusal);
      } else if (column.role == Role::Sparse) {
        make_sparse(i, slot, &scratch.bytes);
      } else if (column.role == Role::Other) {
        make_other(row, &scratch.bytes);
      } else {
        make_index(column.role, row, &scratch.bytes);
      }
      scratch.sizes[i] = static_cast<uint32_t>(scratch.bytes.size() - before);
      // A block of large values is cut before it is whole.
      if (scratch.bytes.size() > kBlockBytes) return scratch.bytes.size() * (rows_ > 1 ? 2 : 1);
    }
    return scratch.bytes.size();
  }

  /// Returns what an index says of a row: what the source told, else the count of rows written, of
  /// one range. Nothing where the source does not know, and the schema can say so.
  std::optional<int64_t> index_of(Role role, int64_t row) const {
    const bool is_range = role == Role::RangeIndex;
    const TableLayout& layout = encoder_.table_.layout;
    if (!controls_.empty()) {
      const hub::RowControl& control = controls_[static_cast<size_t>(row)];
      const std::optional<int64_t>& told = is_range ? control.range_index : control.row_index;
      const IndexShape shape = is_range ? *layout.range_index : *layout.row_index;
      if (told || shape == IndexShape::ThreeWay) return told;
    }
    return is_range ? 0 : first_index_ + row;
  }

  /// Returns true if an index of a row follows from the row before.
  bool is_implied(Role role, int64_t row) const {
    if (row == indexed_row_) return false;
    const bool is_range = role == Role::RangeIndex;
    if (encoder_.table_.layout.range_index) {
      const bool same = index_of(Role::RangeIndex, row) == index_of(Role::RangeIndex, row - 1);
      if (is_range || !same) return same;
    }
    const std::optional<int64_t> before = index_of(role, row - 1);
    return before && index_of(role, row) == *before + 1;
  }

  void make_index(Role role, int64_t row, std::string* out) {
    const std::optional<int64_t> index = index_of(role, row);
    if (!index) {
      out->push_back(2);
    } else if (is_implied(role, row)) {
      out->push_back(0);
    } else {
      out->push_back(1);
      std::array<char, sizeof(*index)> bytes;
      std::memcpy(bytes.data(), &*index, bytes.size());
      out->append(bytes.data(), bytes.size());
    }
  }

  /// Returns true for a row that has nothing but its columns, if any may be.
  bool is_empty_map(int64_t row) const {
    if (!encoder_.table_.others.columns.empty() || encoder_.table_.others.strict) return false;
    const hub::Array& maps = others_.children.front();
    const int64_t slot = others_.slot(row);
    return maps.is_null(slot) || maps.text(slot) == "{}";
  }

  /// Writes the map of the columns without a place; nulls are left out of it.
  void make_other(int64_t row, std::string* out) {
    std::string_view map = "{}";
    if (!is_empty_map(row)) {
      map_.clear();
      encoder_.others_->encode(others_, row, row + 1, first_row_, &map_);
      // Rows end with a separator.
      map = map_.view().substr(0, map_.size() - 1);
      check_unplaced(row, map);
    }
    std::array<char, sizeof(uint32_t)> size;
    auto count = static_cast<uint32_t>(map.size());
    std::memcpy(size.data(), &count, sizeof(count));
    out->append(size.data(), size.size());
    out->append(map);
  }

  /// Refuses a column in the map of the others that has a place of its own.
  void check_unplaced(int64_t row, std::string_view map) const {
    const std::vector<BoundColumn>& columns = encoder_.table_.columns;
    std::string fault = yt::others_fault(map, [&columns](std::string_view name) {
      return std::ranges::find(columns, name, &BoundColumn::name) != columns.end();
    });
    if (fault.empty()) return;
    Place place;
    place.row = static_cast<uint64_t>(first_row_ + row);
    place.path = Path::column(kOtherColumns);
    throw Error(ErrorCode::Input, std::move(fault), std::move(place));
  }

  void make_sparse(size_t index, int64_t slot, std::string* out) {
    const BoundTable& table = encoder_.table_;
    for (size_t i = table.dense_columns; i < table.columns.size(); ++i) {
      const BoundColumn& column = table.columns[i];
      if (batch_.children[i].is_null(slot) && column.nullable) continue;
      out->push_back(static_cast<char>(column.tag));
      out->push_back(static_cast<char>(column.tag >> 8));
      Refusal refusal = encode_value(encoder_.codecs_[i], batch_.children[i], slot, out);
      if (refusal != Refusal::None) refuse(i, index, refusal);
    }
    out->append("\xff\xff");
  }

  /// Finds the values of all fields, makes wires of those that are of another width in Arrow, and
  /// refuses those beyond their range.
  void find_fields() {
    fields_.clear();
    for (size_t i = 0; i < encoder_.columns_.size(); ++i) {
      const Column& column = encoder_.columns_[i];
      Field field;
      field.present = present(i);
      switch (column.method) {
        case Method::Nothing:
          continue;
        case Method::KeySwitch:
          make_wires<uint8_t>(i, &field, [&](size_t row) {
            const size_t place = static_cast<size_t>(first_) + row;
            return !controls_.empty() && controls_[place].key_switch;
          });
          break;
        case Method::Integer:
          with_integer(column.value->scalar,
                       [&](auto zero) { find_integers<decltype(zero)>(i, &field); });
          break;
        case Method::Real:
          find_reals(i, &field);
          break;
        case Method::Boolean: {
          int64_t first = 0;
          const hub::Array& array = array_of(i, &first);
          Wires& wires = wires_of(i);
          auto* bytes = static_cast<uint8_t*>(static_cast<void*>(wires.data()));
          unpack_bits(array.raw<uint8_t>(1), array.slot(first), rows_, bytes);
          field.values = wires.data();
          set_step(column, 1, &field);
          break;
        }
        case Method::Bytes:
        case Method::List:
          find_varying(i, &field);
          break;
        case Method::Scratch: {
          const Scratch& scratch = scratches_[column.scratch];
          field.step = Step::Scratch;
          field.values = scratch.bytes.data();
          field.sizes = scratch.sizes.data();
          break;
        }
      }
      fields_.push_back(field);
    }
    merge_words();
    plan_writes();
  }

  /// Makes one field of words that follow each other.
  void merge_words() {
    words_.clear();
    size_t kept = 0;
    for (const Field& field : fields_) {
      const bool is_word = field.step == Step::Words;
      if (is_word) words_.push_back(field.values);
      if (is_word && kept > 0 && fields_[kept - 1].step == Step::Words) {
        ++fields_[kept - 1].words;
        continue;
      }
      fields_[kept] = field;
      if (is_word) fields_[kept].first_word = static_cast<uint32_t>(words_.size() - 1);
      ++kept;
    }
    fields_.resize(kept);
  }

  /// Chooses functions for the fields, by which their kinds cost one jump a few of them.
  void plan_writes() {
    runs_.clear();
    for (size_t i = 0; i < fields_.size();) {
      FieldSequence<FieldWrites, kMostFields> fields;
      while (i + fields.count() < fields_.size() && fields.add(fields_[i + fields.count()].step)) {
      }
      runs_.push_back({fields.count() == 0 ? &put_other : fields.function(), i});
      i += std::max<size_t>(fields.count(), 1);
    }
  }

  /// Values of a column as they go on the wire, for a block.
  using Wires = std::array<char, kBlockRows * sizeof(uint64_t)>;

  Wires& wires_of(size_t index) {
    std::unique_ptr<Wires>& wires = wires_[index];
    if (wires == nullptr) wires = std::make_unique<Wires>();
    return *wires;
  }

  static void set_step(const Column& column, size_t width, Field* field) {
    const bool optional = column.optional;
    switch (width) {
      case 1:
        field->step = optional ? Step::Optional1 : Step::Fixed1;
        break;
      case 2:
        field->step = optional ? Step::Optional2 : Step::Fixed2;
        break;
      case 4:
        field->step = optional ? Step::Optional4 : Step::Fixed4;
        break;
      default:
        field->step = optional ? Step::Optional8 : Step::Words;
        break;
    }
  }

  template <typename Wire, typename Load>
  void make_wires(size_t index, Field* field, const Load& load) {
    Wires& wires = wires_of(index);
    for (size_t i = 0; i < rows_; ++i) {
      const auto value = static_cast<Wire>(load(i));
      std::memcpy(wires.data() + i * sizeof(value), &value, sizeof(value));
    }
    field->values = wires.data();
    set_step(encoder_.columns_[index], sizeof(Wire), field);
  }

  template <typename Value>
  void find_integers(size_t index, Field* field) {
    const Column& column = encoder_.columns_[index];
    const Codec& codec = *column.value;
    int64_t first = 0;
    const hub::Array& array = array_of(index, &first);
    const char* values = array.fixed(first, sizeof(Value));
    auto load = [values](size_t i) {
      Value value;
      std::memcpy(&value, values + i * sizeof(Value), sizeof(Value));
      return value;
    };
    // Whether every value of the Arrow type fits is known from the types alone in most cases.
    if (codec.wire_width < sizeof(Value) || narrowed<Value>(codec)) {
      check_ranges(index, load);
    }
    if (codec.wire_width == sizeof(Value)) {
      field->values = values;
      return set_step(column, sizeof(Value), field);
    }
    switch (codec.wire_width) {
      case 1:
        return make_wires<int8_t>(index, field, load);
      case 2:
        return make_wires<int16_t>(index, field, load);
      case 4:
        return make_wires<int32_t>(index, field, load);
      default:
        return make_wires<int64_t>(index, field, load);
    }
  }

  /// Refuses a value beyond its range. One look at all of them is enough where none is.
  template <typename Load>
  void check_ranges(size_t index, const Load& load) {
    const Column& column = encoder_.columns_[index];
    const Codec& codec = *column.value;
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    for (size_t i = 0; i < rows_; ++i) {
      const auto value = static_cast<int64_t>(load(i));
      low = std::min(low, value);
      high = std::max(high, value);
    }
    // A range has no holes; of unsigned values, those beyond int64 come out as negative ones.
    const bool one_sign = codec.form == Form::Signed || low >= 0;
    if (one_sign && integer_fits(codec, low) && integer_fits(codec, high)) return;
    const uint8_t* here = present(index);
    for (size_t i = 0; i < rows_; ++i) {
      if (!all_present_[index] && here[i] == 0) continue;
      if (!integer_fits(codec, static_cast<int64_t>(load(i)))) {
        refuse(column.field, i, Refusal::Range);
      }
    }
  }

  void find_reals(size_t index, Field* field) {
    const Column& column = encoder_.columns_[index];
    int64_t first = 0;
    const hub::Array& array = array_of(index, &first);
    if (column.value->scalar.width == sizeof(double)) {
      field->values = array.fixed(first, sizeof(double));
      return set_step(column, sizeof(double), field);
    }
    const char* values = array.fixed(first, sizeof(float));
    make_wires<double>(index, field, [values](size_t i) {
      float value;
      std::memcpy(&value, values + i * sizeof(value), sizeof(value));
      return static_cast<double>(value);
    });
  }

  /// Finds the values of a column of strings or of lists of simple values.
  void find_varying(size_t index, Field* field) {
    const Column& column = encoder_.columns_[index];
    int64_t first = 0;
    const hub::Array& array = array_of(index, &first);
    field->offsets = array.values<int32_t>() + first;
    if (column.method == Method::Bytes) {
      field->step = column.optional ? Step::OptionalBytes : Step::Bytes;
      field->values = array.raw<char>(2);
      field->last_step =
          int64_t{array.values<int32_t>()[array.length]} - static_cast<int64_t>(kStep);
      return;
    }
    field->step = column.optional ? Step::OptionalList : Step::List;
    const hub::Array& items = array.children[0];
    field->width = column.value->children[0].wire_width;
    field->tag_bytes = static_cast<uint8_t>(tag_width(column.value->wire));
    field->values = items.fixed(0, field->width);
    field->last_step = items.length - static_cast<int64_t>(kItems);
  }

  /// What the functions below write a row from.
  struct Block {
    const char* const* words;
    size_t row;
  };

  template <typename Wire>
  static char* put_fixed(const Field& field, size_t row, char* to) {
    std::memcpy(to, field.values + row * sizeof(Wire), sizeof(Wire));
    return to + sizeof(Wire);
  }

  static char* put_words(const Field& field, const Block& block, char* to) {
    const char* const* words = block.words + field.first_word;
    const size_t at = block.row * sizeof(uint64_t);
    for (size_t i = 0; i < field.words; ++i, to += sizeof(uint64_t)) {
      std::memcpy(to, words[i] + at, sizeof(uint64_t));
    }
    return to;
  }

  template <typename Wire>
  static char* put_optional(const Field& field, size_t row, char* to) {
    const uint8_t here = field.present[row];
    *to = static_cast<char>(here);
    std::memcpy(to + 1, field.values + row * sizeof(Wire), sizeof(Wire));
    return to + 1 + here * sizeof(Wire);
  }

  /// Writes a string with its length, and returns its end.
  static char* put_bytes(const Field& field, int32_t from, uint32_t size, char* to) {
    std::memcpy(to, &size, sizeof(size));
    to += sizeof(size);
    if (size <= kStep && from <= field.last_step) [[likely]] {
      std::memcpy(to, field.values + from, kStep);
    } else if (size > 0) {
      std::memcpy(to, field.values + from, size);
    }
    return to + size;
  }

  static char* put_string(const Field& field, size_t row, char* to) {
    const int32_t from = field.offsets[row];
    return put_bytes(field, from, static_cast<uint32_t>(field.offsets[row + 1] - from), to);
  }

  static char* put_optional_string(const Field& field, size_t row, char* to) {
    const uint8_t here = field.present[row];
    *to++ = static_cast<char>(here);
    const int32_t from = field.offsets[row];
    const auto size = static_cast<uint32_t>(field.offsets[row + 1] - from) * here;
    // An absent string has no length either.
    return put_bytes(field, from, size, to) - (1 - here) * sizeof(uint32_t);
  }

  template <Step step>
  static char* put(const Field& field, const Block& block, char* to) {
    if constexpr (step == Step::Words) return put_words(field, block, to);
    if constexpr (step == Step::Fixed1) return put_fixed<uint8_t>(field, block.row, to);
    if constexpr (step == Step::Optional8) return put_optional<uint64_t>(field, block.row, to);
    if constexpr (step == Step::Bytes) return put_string(field, block.row, to);
    if constexpr (step == Step::OptionalBytes) return put_optional_string(field, block.row, to);
  }

  /// Writes fields that follow each other, and returns their end.
  using WriteFields = char* (*)(Field* fields, const Block& block, char* to);
  struct Run {
    WriteFields write;
    size_t first;
  };

  template <Step... steps>
  static char* put_fields(Field* fields, const Block& block, char* to) {
    auto put_all = [&]<size_t... i>(std::index_sequence<i...>) {
      ((to = put<steps>(fields[i], block, to)), ...);
    };
    put_all(std::make_index_sequence<sizeof...(steps)>());
    return to;
  }

  /// The functions of fields of the usual kinds that follow each other.
  struct FieldWrites {
    using Function = WriteFields;
    static constexpr std::array kKinds = {Step::Words, Step::Fixed1, Step::Optional8, Step::Bytes,
                                          Step::OptionalBytes};
    template <Step... steps>
    static constexpr Function kFunction = &put_fields<steps...>;
  };
  static constexpr size_t kMostFields = 3;

  /// Writes a field of the other kinds.
  static char* put_other(Field* field, const Block& block, char* to) {
    const size_t row = block.row;
    switch (field->step) {
      case Step::Fixed2:
        return put_fixed<uint16_t>(*field, row, to);
      case Step::Fixed4:
        return put_fixed<uint32_t>(*field, row, to);
      case Step::Optional1:
        return put_optional<uint8_t>(*field, row, to);
      case Step::Optional2:
        return put_optional<uint16_t>(*field, row, to);
      case Step::Optional4:
        return put_optional<uint32_t>(*field, row, to);
      case Step::List:
      case Step::OptionalList:
        return put_list(*field, row, to);
      case Step::Scratch: {
        const uint32_t size = field->sizes[row];
        std::memcpy(to, field->values, size);
        field->values += size;
        return to + size;
      }
      case Step::Fixed1:
      case Step::Words:
      case Step::Optional8:
      case Step::Bytes:
      case Step::OptionalBytes:
        break;
    }
    return to;
  }

  /// Writes the rows of the block and returns their end.
  char* write_rows(char* to) {
    const auto tag = static_cast<uint16_t>(encoder_.table_index_);
    Field* const fields = fields_.data();
    Block block{words_.data(), 0};
    for (; block.row < rows_; ++block.row) {
      std::memcpy(to, &tag, sizeof(tag));
      to += sizeof(tag);
      for (const Run& run : runs_) to = run.write(fields + run.first, block, to);
    }
    return to;
  }

  static char* put_list(const Field& list, size_t row, char* to) {
    if (list.step == Step::OptionalList) {
      const uint8_t here = list.present[row];
      *to++ = static_cast<char>(here);
      if (here == 0) return to;
    }
    const int32_t from = list.offsets[row];
    const auto count = static_cast<uint32_t>(list.offsets[row + 1] - from);
    if (list.tag_bytes == 1 && list.width == 8)
      return put_items<uint8_t, uint64_t>(list, from, count, to);
    if (list.tag_bytes == 1 && list.width == 4)
      return put_items<uint8_t, uint32_t>(list, from, count, to);
    if (list.tag_bytes == 1 && list.width == 2)
      return put_items<uint8_t, uint16_t>(list, from, count, to);
    if (list.tag_bytes == 1) return put_items<uint8_t, uint8_t>(list, from, count, to);
    if (list.width == 8) return put_items<uint16_t, uint64_t>(list, from, count, to);
    if (list.width == 4) return put_items<uint16_t, uint32_t>(list, from, count, to);
    if (list.width == 2) return put_items<uint16_t, uint16_t>(list, from, count, to);
    return put_items<uint16_t, uint8_t>(list, from, count, to);
  }

  template <typename Tag, typename Wire>
  static char* put_items(const Field& list, int64_t from, uint32_t count, char* to) {
    constexpr size_t kItemBytes = sizeof(Tag) + sizeof(Wire);
    const char* values = list.values + from * static_cast<int64_t>(sizeof(Wire));
    char* end = to + count * kItemBytes;
    auto put = [&](size_t i) {
      std::memset(to + i * kItemBytes, 0, sizeof(Tag));
      std::memcpy(to + i * kItemBytes + sizeof(Tag), values + i * sizeof(Wire), sizeof(Wire));
    };
    size_t left = count;
    // One round for most lists: how many items there are is not a branch then.
    while (from <= list.last_step) {
      for (size_t i = 0; i < kItems; ++i) put(i);
      if (left <= kItems) {
        left = 0;
        break;
      }
      left -= kItems;
      from += kItems;
      values += kItems * sizeof(Wire);
      to += kItems * kItemBytes;
    }
    for (size_t i = 0; i < left; ++i) put(i);
    std::memset(end, 0xFF, sizeof(Tag));
    return end + sizeof(Tag);
  }

  const RowEncoder::Impl& encoder_;
  const hub::Array& batch_;
  int64_t first_row_;
  int64_t first_index_;
  /// The row whose index is given in full.
  int64_t indexed_row_;
  std::span<const hub::RowControl> controls_;
  /// By column, kBlockRows each: whether there is a value.
  std::vector<uint8_t> present_;
  std::vector<uint8_t> all_present_;
  std::vector<Scratch> scratches_;
  /// By column, where they are not those of Arrow.
  std::vector<std::unique_ptr<Wires>> wires_;
  /// In the order of the row.
  std::vector<Field> fields_;
  std::vector<const char*> words_;
  std::vector<Run> runs_;
  /// By column; by struct of columns.
  std::vector<Input> inputs_;
  std::vector<Input> outers_;
  /// The columns of `$other_columns`, and the map of a row.
  hub::Array others_;
  yson::Buffer map_;
  size_t rows_ = 0;
  int64_t first_ = 0;
  /// The index of the block's first row in the columns.
  int64_t first_slot_ = 0;
};

RowEncoder::RowEncoder(const Schema& schema, const WriteOptions& options)
    : impl_(std::make_unique<const Impl>(schema, options)) {}
RowEncoder::~RowEncoder() = default;
RowEncoder::RowEncoder(RowEncoder&&) noexcept = default;

const hub::Schema& RowEncoder::schema() const { return impl_->arrow(); }
const TableLayout& RowEncoder::layout() const { return impl_->layout(); }

void RowEncoder::encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                        int64_t first_index, yson::Buffer* out,
                        std::span<const hub::RowControl> controls) const {
  BlockWriter writer(*impl_, batch, first_row, first_index, begin, controls);
  while (begin < end) begin += static_cast<int64_t>(writer.write(begin, end, out));
}

}  // namespace xwalk::skiff
