#include "xwalk/skiff/row_encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "xwalk/skiff/field_sequence_internal.h"
#include "xwalk/skiff/row_block.h"
#include "xwalk/skiff/row_plan.h"

namespace xwalk::skiff {
namespace {

/// Bytes that may be written past the last row.
constexpr size_t kSlack = RowBlock::kItems * (sizeof(uint16_t) + sizeof(uint64_t));
static_assert(kSlack >= RowBlock::kStep);

/// A row of a block: its eights, and its index.
struct Block {
  const char* const* eights;
  size_t row;
};

template <typename Wire>
char* put_fixed(const RowField& field, size_t row, char* to) {
  std::memcpy(to, field.values + row * sizeof(Wire), sizeof(Wire));
  return to + sizeof(Wire);
}

char* put_eights(const RowField& field, const Block& block, char* to) {
  const char* const* eights = block.eights + field.first_eight;
  const size_t at = block.row * sizeof(uint64_t);
  for (size_t i = 0; i < field.eights; ++i, to += sizeof(uint64_t)) {
    std::memcpy(to, eights[i] + at, sizeof(uint64_t));
  }
  return to;
}

template <typename Wire>
char* put_optional(const RowField& field, size_t row, char* to) {
  const uint8_t here = field.present[row];
  *to = static_cast<char>(here);
  std::memcpy(to + 1, field.values + row * sizeof(Wire), sizeof(Wire));
  return to + 1 + here * sizeof(Wire);
}

/// Writes a string with its length, and returns its end.
char* put_bytes(const RowField& field, int32_t from, uint32_t size, char* to) {
  std::memcpy(to, &size, sizeof(size));
  to += sizeof(size);
  if (size <= RowBlock::kStep && from <= field.last_step) [[likely]] {
    std::memcpy(to, field.values + from, RowBlock::kStep);
  } else if (size > 0) {
    std::memcpy(to, field.values + from, size);
  }
  return to + size;
}

char* put_string(const RowField& field, size_t row, char* to) {
  const int32_t from = field.offsets[row];
  return put_bytes(field, from, static_cast<uint32_t>(field.offsets[row + 1] - from), to);
}

char* put_optional_string(const RowField& field, size_t row, char* to) {
  const uint8_t here = field.present[row];
  *to++ = static_cast<char>(here);
  const int32_t from = field.offsets[row];
  const auto size = static_cast<uint32_t>(field.offsets[row + 1] - from) * here;
  // An absent string has no length either.
  return put_bytes(field, from, size, to) - (1 - here) * sizeof(uint32_t);
}

template <RowStep step>
char* put(const RowField& field, const Block& block, char* to) {
  if constexpr (step == RowStep::Fixed8) return put_eights(field, block, to);
  if constexpr (step == RowStep::Fixed1) return put_fixed<uint8_t>(field, block.row, to);
  if constexpr (step == RowStep::Optional8) return put_optional<uint64_t>(field, block.row, to);
  if constexpr (step == RowStep::Bytes) return put_string(field, block.row, to);
  if constexpr (step == RowStep::OptionalBytes) return put_optional_string(field, block.row, to);
}

template <typename Tag, typename Wire>
char* put_items(const RowField& list, int64_t from, uint32_t count, char* to) {
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
    for (size_t i = 0; i < RowBlock::kItems; ++i) put(i);
    if (left <= RowBlock::kItems) {
      left = 0;
      break;
    }
    left -= RowBlock::kItems;
    from += RowBlock::kItems;
    values += RowBlock::kItems * sizeof(Wire);
    to += RowBlock::kItems * kItemBytes;
  }
  for (size_t i = 0; i < left; ++i) put(i);
  std::memset(end, 0xFF, sizeof(Tag));
  return end + sizeof(Tag);
}

char* put_list(const RowField& list, size_t row, char* to) {
  if (list.step == RowStep::OptionalList) {
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

/// Writes a field of a kind that put_fields does not have.
char* put_other(RowField* field, const Block& block, char* to) {
  const size_t row = block.row;
  switch (field->step) {
    case RowStep::Fixed2:
      return put_fixed<uint16_t>(*field, row, to);
    case RowStep::Fixed4:
      return put_fixed<uint32_t>(*field, row, to);
    case RowStep::Optional1:
      return put_optional<uint8_t>(*field, row, to);
    case RowStep::Optional2:
      return put_optional<uint16_t>(*field, row, to);
    case RowStep::Optional4:
      return put_optional<uint32_t>(*field, row, to);
    case RowStep::List:
    case RowStep::OptionalList:
      return put_list(*field, row, to);
    case RowStep::Scratch: {
      const uint32_t size = field->sizes[row];
      std::memcpy(to, field->values, size);
      field->values += size;
      return to + size;
    }
    case RowStep::Fixed1:
    case RowStep::Fixed8:
    case RowStep::Optional8:
    case RowStep::Bytes:
    case RowStep::OptionalBytes:
      break;
  }
  return to;
}

/// Writes adjacent fields and returns their end.
using WriteFields = char* (*)(RowField* fields, const Block& block, char* to);
struct Run {
  WriteFields write;
  size_t first;
};

template <RowStep... steps>
char* put_fields(RowField* fields, const Block& block, char* to) {
  auto put_all = [&]<size_t... i>(std::index_sequence<i...>) {
    ((to = put<steps>(fields[i], block, to)), ...);
  };
  put_all(std::make_index_sequence<sizeof...(steps)>());
  return to;
}

/// The functions for sequences of adjacent fields of the usual kinds.
struct FieldWrites {
  using Function = WriteFields;
  static constexpr std::array kKinds = {RowStep::Fixed8, RowStep::Fixed1, RowStep::Optional8,
                                        RowStep::Bytes, RowStep::OptionalBytes};
  template <RowStep... steps>
  static constexpr Function kFunction = &put_fields<steps...>;
};
constexpr size_t kMostFields = 3;

/// Chooses functions for the fields: one jump for a few fields, by their kinds.
std::vector<Run> plan_runs(const std::vector<RowField>& fields) {
  std::vector<Run> runs;
  for (size_t i = 0; i < fields.size();) {
    FieldSequence<FieldWrites, kMostFields> sequence;
    while (i + sequence.count() < fields.size() &&
           sequence.add(fields[i + sequence.count()].step)) {
    }
    runs.push_back({sequence.count() == 0 ? &put_other : sequence.function(), i});
    i += std::max<size_t>(sequence.count(), 1);
  }
  return runs;
}

/// Writes the prepared rows, field after field, and returns their end. A field that is absent, or
/// shorter than the step it is written in, is overwritten by the next one.
char* write_rows(RowBlock* rows, uint16_t tag, char* to) {
  const std::vector<Run> runs = plan_runs(rows->fields());
  RowField* const fields = rows->fields().data();
  Block block{rows->eights().data(), 0};
  for (const size_t count = rows->rows(); block.row < count; ++block.row) {
    std::memcpy(to, &tag, sizeof(tag));
    to += sizeof(tag);
    for (const Run& run : runs) to = run.write(fields + run.first, block, to);
  }
  return to;
}

yt::ValueOptions value_options(const WriteOptions& options) {
  yt::ValueOptions values = codec_options(options.uuid_order, options.specials_as_stored);
  values.tz_form = options.tz_form;
  return values;
}

}  // namespace

RowEncoder::RowEncoder(const Schema& schema, const WriteOptions& options)
    : plan_(std::make_unique<const RowPlan>(schema, options.table, value_options(options))) {}
RowEncoder::~RowEncoder() = default;
RowEncoder::RowEncoder(RowEncoder&&) noexcept = default;

const hub::Schema& RowEncoder::schema() const { return plan_->arrow; }
const TableLayout& RowEncoder::layout() const { return plan_->bound.layout; }

void RowEncoder::encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                        int64_t first_index, yson::Buffer* out,
                        std::span<const hub::RowControl> controls) const {
  RowBlock block(*plan_, batch, first_row, first_index, begin, controls);
  while (begin < end) {
    const uint64_t bound = block.prepare(begin, end);
    char* to = out->reserve(bound + kSlack);
    out->set_end(write_rows(&block, plan_->table_index, to));
    begin += static_cast<int64_t>(block.rows());
  }
}

}  // namespace xwalk::skiff
