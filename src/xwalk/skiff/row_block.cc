#include "xwalk/skiff/row_block.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/yt/other_columns.h"

namespace xwalk::skiff {
namespace {

/// A block of more bytes is cut.
constexpr uint64_t kBlockBytes = uint64_t{64} << 20;

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

/// Returns the bytes of a list item with its tag.
size_t item_bytes(const RowColumn& column) {
  return tag_width(column.value->wire) + column.value->children[0].wire_width;
}

void set_step(const RowColumn& column, size_t width, RowField* field) {
  const bool optional = column.optional;
  switch (width) {
    case 1:
      field->step = optional ? RowStep::Optional1 : RowStep::Fixed1;
      break;
    case 2:
      field->step = optional ? RowStep::Optional2 : RowStep::Fixed2;
      break;
    case 4:
      field->step = optional ? RowStep::Optional4 : RowStep::Fixed4;
      break;
    default:
      field->step = optional ? RowStep::Optional8 : RowStep::Fixed8;
      break;
  }
}

}  // namespace

RowBlock::RowBlock(const RowPlan& plan, const hub::Array& batch, int64_t first_row,
                   int64_t first_index, int64_t begin, std::span<const hub::RowControl> controls)
    : plan_(plan),
      batch_(batch),
      first_row_(first_row),
      first_index_(first_index),
      indexed_row_(begin),
      controls_(controls),
      present_(plan.columns.size() * kRows),
      all_present_(plan.columns.size()),
      scratches_(plan.scratches) {
  wires_.resize(plan.columns.size());
  const size_t columns = plan.arrow.fields.size();
  if (batch.children.size() != columns) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected {} columns, found {}", columns, batch.children.size()));
  }
  for (const RowColumn& column : plan.columns) {
    const bool has_values = column.role == Role::Dense;
    inputs_.push_back(has_values ? input_of(column.field, column.members) : Input{});
  }
  for (const OuterStruct& outer : plan.outers) {
    outers_.push_back(input_of(outer.field, outer.members));
  }
  if (!plan.others) return;
  others_ = batch;
  const auto first = others_.children.begin();
  const auto placed = static_cast<ptrdiff_t>(plan.bound.columns.size());
  others_.children.erase(first, first + placed);
}

uint64_t RowBlock::prepare(int64_t first, int64_t end) {
  first_ = first;
  first_slot_ = batch_.slot(first);
  rows_ = std::min(kRows, static_cast<size_t>(end - first));
  uint64_t bound = 0;
  while (true) {
    bound = find_bound();
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
  return bound;
}

RowBlock::Input RowBlock::input_of(size_t field, const std::vector<size_t>& members) const {
  Input input{&batch_.children[field], batch_.offset};
  for (size_t member : members) {
    input.slot = input.array->slot(input.slot);
    input.array = &input.array->children[member];
  }
  return input;
}

/// Returns the array of a column, and in `first` the element of the block's first row.
const hub::Array& RowBlock::array_of(size_t index, int64_t* first) const {
  *first = inputs_[index].slot + first_;
  return *inputs_[index].array;
}

Place RowBlock::place_of(size_t row) const {
  Place place;
  place.row = static_cast<uint64_t>(first_row_ + first_) + row;
  return place;
}

void RowBlock::refuse(size_t column, size_t row, Refusal refusal) const {
  Place place = place_of(row);
  const BoundTable& table = plan_.bound;
  place.path = Path::column(table.columns[column].name);
  std::string wire = to_string(table.columns[column].binding.wire.named(""));
  std::string message;
  switch (refusal) {
    case Refusal::Null:
      message = fmt::format("expected a value, which {} requires, found null", wire);
      break;
    case Refusal::Range:
      message =
          fmt::format("expected a value in the range of the column and of {}, found another", wire);
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
uint64_t RowBlock::find_bound() {
  uint64_t bound = plan_.fixed_bytes * rows_;
  check_outers();
  for (size_t i = 0; i < plan_.columns.size(); ++i) {
    const RowColumn& column = plan_.columns[i];
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

void RowBlock::check_outers() const {
  for (size_t i = 0; i < outers_.size(); ++i) {
    const hub::Array& array = *outers_[i].array;
    if (hub::validity(array) == nullptr) continue;
    for (size_t row = 0; row < rows_; ++row) {
      if (!array.is_null(outers_[i].slot + first_ + static_cast<int64_t>(row))) continue;
      refuse(plan_.outers[i].field, row, Refusal::Null);
    }
  }
}

/// Rejects a list with an item that is null or not of the type.
void RowBlock::check_items(size_t index, const hub::Array& array, const int32_t* offsets) {
  const RowColumn& column = plan_.columns[index];
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

void RowBlock::find_nulls(size_t index, const hub::Array& array, int64_t first) {
  const RowColumn& column = plan_.columns[index];
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

uint64_t RowBlock::make_scratch(size_t index) {
  const RowColumn& column = plan_.columns[index];
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

/// Returns an index of a row: the source's, else the number of rows written, all in one range.
/// Returns nothing if the source has none and the schema can write that.
std::optional<int64_t> RowBlock::index_of(Role role, int64_t row) const {
  const bool is_range = role == Role::RangeIndex;
  const TableLayout& layout = plan_.bound.layout;
  if (!controls_.empty()) {
    const hub::RowControl& control = controls_[static_cast<size_t>(row)];
    const std::optional<int64_t>& reported = is_range ? control.range_index : control.row_index;
    const IndexShape shape = is_range ? *layout.range_index : *layout.row_index;
    if (reported || shape == IndexShape::ThreeWay) return reported;
  }
  return is_range ? 0 : first_index_ + row;
}

/// Returns true if an index of a row follows from the row before.
bool RowBlock::is_implied(Role role, int64_t row) const {
  if (row == indexed_row_) return false;
  const bool is_range = role == Role::RangeIndex;
  if (plan_.bound.layout.range_index) {
    const bool same = index_of(Role::RangeIndex, row) == index_of(Role::RangeIndex, row - 1);
    if (is_range || !same) return same;
  }
  const std::optional<int64_t> before = index_of(role, row - 1);
  return before && index_of(role, row) == *before + 1;
}

void RowBlock::make_index(Role role, int64_t row, std::string* out) const {
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

/// Returns true for a row without further columns, if any columns are allowed.
bool RowBlock::is_empty_map(int64_t row) const {
  if (!plan_.bound.others.columns.empty() || plan_.bound.others.strict) return false;
  const hub::Array& maps = others_.children.front();
  const int64_t slot = others_.slot(row);
  return maps.is_null(slot) || maps.text(slot) == "{}";
}

/// Writes the map of the columns without a place; nulls are left out of it.
void RowBlock::make_other(int64_t row, std::string* out) {
  std::string_view map = "{}";
  if (!is_empty_map(row)) {
    map_.clear();
    plan_.others->encode(others_, row, row + 1, first_row_, &map_);
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
void RowBlock::check_unplaced(int64_t row, std::string_view map) const {
  const std::vector<BoundColumn>& columns = plan_.bound.columns;
  std::string fault = yt::others_fault(map, [&columns](std::string_view name) {
    return std::ranges::find(columns, name, &BoundColumn::name) != columns.end();
  });
  if (fault.empty()) return;
  throw Error(
      ErrorCode::Input, std::move(fault),
      {.row = static_cast<uint64_t>(first_row_ + row), .path = Path::column(kOtherColumns)});
}

void RowBlock::make_sparse(size_t index, int64_t slot, std::string* out) const {
  const BoundTable& table = plan_.bound;
  for (size_t i = table.dense_columns; i < table.columns.size(); ++i) {
    const BoundColumn& column = table.columns[i];
    if (batch_.children[i].is_null(slot) && column.nullable) continue;
    out->push_back(static_cast<char>(column.tag));
    out->push_back(static_cast<char>(column.tag >> 8));
    Refusal refusal = encode_value(plan_.codecs[i], batch_.children[i], slot, out);
    if (refusal != Refusal::None) refuse(i, index, refusal);
  }
  out->append("\xff\xff");
}

/// Finds the values of all fields. Makes wires of those that have another width in Arrow, and
/// rejects values out of range.
void RowBlock::find_fields() {
  fields_.clear();
  for (size_t i = 0; i < plan_.columns.size(); ++i) {
    if (plan_.columns[i].method == Method::Nothing) continue;
    RowField field;
    field.present = present(i);
    find_field(i, &field);
    fields_.push_back(field);
  }
  merge_eights();
}

void RowBlock::find_field(size_t index, RowField* field) {
  const RowColumn& column = plan_.columns[index];
  switch (column.method) {
    case Method::Nothing:
      break;
    case Method::KeySwitch:
      make_wires<uint8_t>(index, field, [&](size_t row) {
        const size_t place = static_cast<size_t>(first_) + row;
        return !controls_.empty() && controls_[place].key_switch;
      });
      break;
    case Method::Integer:
      with_integer(column.value->scalar,
                   [&](auto zero) { find_integers<decltype(zero)>(index, field); });
      break;
    case Method::Real:
      find_reals(index, field);
      break;
    case Method::Boolean:
      find_booleans(index, field);
      break;
    case Method::Bytes:
    case Method::List:
      find_varying(index, field);
      break;
    case Method::Scratch: {
      const Scratch& scratch = scratches_[column.scratch];
      field->step = RowStep::Scratch;
      field->values = scratch.bytes.data();
      field->sizes = scratch.sizes.data();
      break;
    }
  }
}

/// Makes one field of eights that follow each other.
void RowBlock::merge_eights() {
  eights_.clear();
  size_t kept = 0;
  for (const RowField& field : fields_) {
    const bool is_eight = field.step == RowStep::Fixed8;
    if (is_eight) eights_.push_back(field.values);
    if (is_eight && kept > 0 && fields_[kept - 1].step == RowStep::Fixed8) {
      ++fields_[kept - 1].eights;
      continue;
    }
    fields_[kept] = field;
    if (is_eight) fields_[kept].first_eight = static_cast<uint32_t>(eights_.size() - 1);
    ++kept;
  }
  fields_.resize(kept);
}

RowBlock::Wires& RowBlock::wires_of(size_t index) {
  std::unique_ptr<Wires>& wires = wires_[index];
  if (wires == nullptr) wires = std::make_unique<Wires>();
  return *wires;
}

template <typename Wire, typename Load>
void RowBlock::make_wires(size_t index, RowField* field, const Load& load) {
  Wires& wires = wires_of(index);
  for (size_t i = 0; i < rows_; ++i) {
    const auto value = static_cast<Wire>(load(i));
    std::memcpy(wires.data() + i * sizeof(value), &value, sizeof(value));
  }
  field->values = wires.data();
  set_step(plan_.columns[index], sizeof(Wire), field);
}

template <typename Value>
void RowBlock::find_integers(size_t index, RowField* field) {
  const RowColumn& column = plan_.columns[index];
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

/// Rejects a value out of range. If all are in range, one pass without branches finds that.
template <typename Load>
void RowBlock::check_ranges(size_t index, const Load& load) {
  const RowColumn& column = plan_.columns[index];
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

void RowBlock::find_reals(size_t index, RowField* field) {
  const RowColumn& column = plan_.columns[index];
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

void RowBlock::find_booleans(size_t index, RowField* field) {
  int64_t first = 0;
  const hub::Array& array = array_of(index, &first);
  Wires& wires = wires_of(index);
  auto* bytes = static_cast<uint8_t*>(static_cast<void*>(wires.data()));
  unpack_bits(array.raw<uint8_t>(1), array.slot(first), rows_, bytes);
  field->values = wires.data();
  set_step(plan_.columns[index], 1, field);
}

/// Finds the values of a column of strings or of lists of simple values.
void RowBlock::find_varying(size_t index, RowField* field) {
  const RowColumn& column = plan_.columns[index];
  int64_t first = 0;
  const hub::Array& array = array_of(index, &first);
  field->offsets = array.values<int32_t>() + first;
  if (column.method == Method::Bytes) {
    field->step = column.optional ? RowStep::OptionalBytes : RowStep::Bytes;
    field->values = array.raw<char>(2);
    field->last_step = int64_t{array.values<int32_t>()[array.length]} - static_cast<int64_t>(kStep);
    return;
  }
  field->step = column.optional ? RowStep::OptionalList : RowStep::List;
  const hub::Array& items = array.children[0];
  field->width = column.value->children[0].wire_width;
  field->tag_bytes = static_cast<uint8_t>(tag_width(column.value->wire));
  field->values = items.fixed(0, field->width);
  field->last_step = items.length - static_cast<int64_t>(kItems);
}

}  // namespace xwalk::skiff
