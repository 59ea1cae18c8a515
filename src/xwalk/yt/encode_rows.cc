#include <cstring>
#include <string>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/dictionary_fields_internal.h"
#include "xwalk/yt/encode_rows_internal.h"
#include "xwalk/yt/encode_token_internal.h"
#include "xwalk/yt/other_columns.h"

namespace xwalk::yt {
namespace {

using hub::Array;

template <bool kBinary>
bool put_others(const Step& row, std::string_view map, EncodeContext& context) {
  if (map.empty() || map == "{}") return true;
  std::string fault = others_fault(
      map, [&row](std::string_view key) { return row.keys.find(key) != KeyTable::kMissing; });
  if (!fault.empty()) return fail(context, std::move(fault));
  context.close();
  size_t before = context.buffer()->size();
  const char* p = map.data();
  const char* end = p + map.size();
  yson::Status status = yson::transcode(p, end, kBinary ? yson::Format::Binary : yson::Format::Text,
                                        context.buffer(), kAnyDepth);
  std::string_view written = context.buffer()->view().substr(before);
  bool valid = status == yson::Status::Ok && p == end && written.size() >= 2 &&
               written.front() == '{' && written.back() == '}';
  std::string inner(valid ? written.substr(1, written.size() - 2) : std::string_view());
  context.buffer()->truncate(before);
  context.open(inner.size() + EncodeContext::kChunk);
  if (!valid) return fail(context, "expected a YSON map of further columns, found " + clipped(map));
  std::memcpy(context.out, inner.data(), inner.size());
  context.out += inner.size();
  return true;
}

/// A column of a batch, and what each of its rows would have to look up again.
struct Column {
  /// Writes the field of a row at `out`, with its `;`, and returns its end, or null for a failure.
  /// There is space for all fields except strings, which make space for the rest of the row.
  using Put = char* (*)(const Column& column, int64_t slot, char* out, EncodeContext& context);

  Put put = nullptr;
  const Step* step = nullptr;
  const Array* array = nullptr;
  const DictionaryFields* fields = nullptr;
  const char* key = nullptr;
  size_t key_size = 0;
  /// What all keys and scalars of a row take at most.
  size_t row_space = 0;
  const uint8_t* validity = nullptr;
  /// The values of fixed width, offsets or indices, from the first element on; the bits of
  /// booleans.
  const char* values = nullptr;
  const char* bytes = nullptr;
  const char* readable = nullptr;

  bool is_null(int64_t slot) const {
    return validity != nullptr && !hub::bit_is_set(validity, array->offset + slot);
  }
  template <typename T>
  T value(int64_t slot) const {
    T loaded;
    std::memcpy(&loaded, values + slot * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return loaded;
  }
  bool bit(int64_t slot) const { return array->bit(slot); }
  std::string_view text(int64_t slot) const {
    const auto begin = value<int32_t>(slot);
    return {bytes + begin, static_cast<size_t>(value<int32_t>(slot + 1) - begin)};
  }
};

[[gnu::always_inline]] inline char* put_key(const Column& column, char* out) {
  std::memcpy(out, column.key, KeyPrefix::kStep);
  if (column.key_size > KeyPrefix::kStep) [[unlikely]] {
    std::memcpy(out, column.key, column.key_size);
  }
  return out + column.key_size;
}

/// Writes a field without a value.
[[gnu::noinline]] char* put_null(const Column& column, char* out, EncodeContext& context) {
  if (context.skip_nulls && (column.step->op == Op::Null || column.step->nullable)) return out;
  out = put_key(column, out);
  *out++ = '#';
  *out++ = ';';
  return may_be_null(*column.step, context) ? out : nullptr;
}

template <bool kBinary, typename Value, typename Token>
char* put_token_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  if (column.is_null(slot)) return put_null(column, out, context);
  out = put_key(column, out);
  out = put_token<kBinary>(*column.step, load_token<Value, Token>(column, slot), out, context);
  if (out == nullptr) [[unlikely]]
    return nullptr;
  *out++ = ';';
  return out;
}

template <bool kBinary>
char* put_string_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  if (column.is_null(slot)) return put_null(column, out, context);
  out = put_key(column, out);
  out = put_string<kBinary>(column.text(slot), column.readable, out, context, column.row_space);
  *out++ = ';';
  return out;
}

/// Writes the field of a value of any type, which is an element of the column or of its dictionary.
template <bool kBinary>
char* put_element(const Column& column, const Array& values, int64_t index, char* out,
                  EncodeContext& context) {
  if (column.step->op == Op::Null || values.is_null(index)) return put_null(column, out, context);
  context.out = put_key(column, out);
  if (!put_step<kBinary>(*column.step, values, index, context)) return nullptr;
  *context.out++ = ';';
  return context.need(context.out, column.row_space);
}

template <bool kBinary>
char* put_any_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  return put_element<kBinary>(column, *column.array, slot, out, context);
}

/// Writes the field of a row by itself whose value is an entry of a dictionary.
template <bool kBinary>
[[gnu::noinline]] char* put_entry(const Column& column, int64_t slot, char* out,
                                  EncodeContext& context) {
  if (column.is_null(slot)) return put_null(column, out, context);
  const Array& entries = *column.array->dictionary;
  const auto index = column.value<int32_t>(slot);
  if (index < 0 || index >= entries.length) {
    fail(context,
         fmt::format("expected a dictionary index below {}, found {}", entries.length, index));
    return nullptr;
  }
  return put_element<kBinary>(column, entries, index, out, context);
}

/// Copies the field of an entry, or of a null, which comes after the last entry.
template <bool kBinary>
char* put_made_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  const int64_t entries = column.array->dictionary->length;
  const int64_t index = column.value<int32_t>(slot);
  const int64_t field = column.is_null(slot) ? entries : index < entries ? index : -1;
  char* end = column.fields->write(static_cast<uint64_t>(field), out);
  return end != nullptr ? end : put_entry<kBinary>(column, slot, out, context);
}

template <bool kBinary>
Column::Put put_of(const Step& step) {
  const bool is_string = is_text(step.op) && step.op != Op::Yson;
  const Column::Put other = is_string ? put_string_field<kBinary> : put_any_field<kBinary>;
  const Column::Put put = with_types(step, [](auto value, auto token) -> Column::Put {
    return put_token_field<kBinary, decltype(value), decltype(token)>;
  });
  return put != nullptr ? put : other;
}

/// Prepares a column for its rows. The array has at least one element.
template <bool kBinary>
Column make_column(const Step& step, const KeyPrefix& key, const Array& array,
                   const DictionaryFields* fields, size_t row_space) {
  Column column;
  column.put = put_of<kBinary>(step);
  column.step = &step;
  column.array = &array;
  column.key = key.bytes.data();
  column.key_size = key.size;
  column.row_space = row_space;
  if (column.put != put_any_field<kBinary> || array.dictionary != nullptr) {
    column.validity = hub::validity(array);
    const bool has_offsets = is_text(step.op);
    int64_t width = has_offsets ? 4 : step.scalar.width;
    if (array.dictionary != nullptr) {
      column.put = fields != nullptr ? put_made_field<kBinary> : put_entry<kBinary>;
      column.fields = fields;
      width = 4;
    } else if (has_offsets) {
      column.bytes = array.raw<char>(2);
      column.readable = column.bytes + array.first_item(array.length);
    }
    column.values = array.raw<char>(1) + array.offset * width;
  }
  return column;
}

template <bool kBinary>
std::vector<Column> make_columns(
    const Step& row, const std::vector<KeyPrefix>& keys, const Array& batch,
    std::span<const std::shared_ptr<const DictionaryFields>> dictionaries) {
  size_t space = 2 * KeyPrefix::kStep + kSpace;
  for (const KeyPrefix& key : keys) space += key.size + KeyPrefix::kStep + kSpace;
  for (const auto& fields : dictionaries) {
    if (fields != nullptr) space += fields->longest() + DictionaryFields::kStep;
  }
  std::vector<Column> columns;
  columns.reserve(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    const DictionaryFields* fields = dictionaries.empty() ? nullptr : dictionaries[i].get();
    columns.push_back(
        make_column<kBinary>(row.children[i], keys[i], batch.children[i], fields, space));
  }
  return columns;
}

template <bool kBinary>
int64_t put_rows(const Step& row, const std::vector<KeyPrefix>& keys, const Array& batch,
                 std::span<const std::shared_ptr<const DictionaryFields>> dictionaries,
                 int other_columns, int64_t begin, int64_t end, EncodeContext& context) {
  if (begin >= end) return 0;
  const std::vector<Column> columns = make_columns<kBinary>(row, keys, batch, dictionaries);
  const size_t space = columns.empty() ? kSpace : columns.front().row_space;
  context.close();
  size_t good = context.buffer()->size();
  auto stop = [&context, &good](const std::string& column) {
    unwind_field(context, column);
    context.buffer()->truncate(good);
  };
  for (int64_t index = begin; index < end; ++index) {
    // Space for a row, made again after each string.
    char* out = context.need(context.out, space);
    *out++ = '{';
    const int64_t slot = batch.slot(index);
    for (const Column& column : columns) {
      out = column.put(column, slot, out, context);
      if (out == nullptr) [[unlikely]] {
        stop(row.keys.name(static_cast<size_t>(&column - columns.data())));
        return index - begin;
      }
    }
    context.out = out;
    if (other_columns >= 0) {
      const Array& others = batch.children[static_cast<size_t>(other_columns)];
      if (!others.is_null(slot) && !put_others<kBinary>(row, others.text(slot), context)) {
        stop("$other_columns");
        return index - begin;
      }
    }
    *context.out++ = '}';
    *context.out++ = ';';
    if (!kBinary) *context.out++ = '\n';
    context.close();
    good = context.buffer()->size();
  }
  return end - begin;
}

}  // namespace

int64_t encode_rows(const Step& row, const std::vector<KeyPrefix>& keys, const Array& batch,
                    std::span<const std::shared_ptr<const DictionaryFields>> dictionaries,
                    int other_columns, int64_t begin, int64_t end, bool binary,
                    EncodeContext& context) {
  const auto put_all = binary ? put_rows<true> : put_rows<false>;
  return put_all(row, keys, batch, dictionaries, other_columns, begin, end, context);
}

}  // namespace xwalk::yt
