#include <array>
#include <string>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/dictionary_fields_internal.h"
#include "xwalk/yt/encode_value_internal.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/other_columns.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

using hub::Array;

/// Space for a bracket, a separator and a scalar.
constexpr size_t kSpace = yson::kMaxScalarBytes + 8;

[[gnu::noinline]] bool fail(EncodeContext& context, std::string message) {
  context.message = std::move(message);
  return false;
}

[[gnu::noinline]] bool unwind_item(EncodeContext& context, int64_t index) {
  context.path.push_back({Path::Step::Kind::ItemAt, {}, static_cast<size_t>(index)});
  return false;
}

[[gnu::noinline]] bool unwind_field(EncodeContext& context, std::string name) {
  context.path.push_back({Path::Step::Kind::Field, std::move(name), 0});
  return false;
}

[[gnu::noinline]] bool unwind_entry(EncodeContext& context, const Step& dict, bool key,
                                    int64_t index) {
  unwind_entry(dict, key, static_cast<size_t>(index), &context.path);
  return false;
}

template <typename T>
[[gnu::noinline]] bool fail_range(EncodeContext& context, const Step& step, T value) {
  return fail(context, range_fault(step.scalar.kind, value));
}

/// Functions that take `out` and return the end of what they wrote keep it in a register: written
/// through the context, each byte would wait for the place of the one before. Null if the value is
/// out of range.
template <bool kBinary>
[[gnu::always_inline]] inline char* put_signed(const Step& step, int64_t value, char* out,
                                               EncodeContext& context) {
  if (!step.in_range(value)) [[unlikely]] {
    fail_range(context, step, value);
    return nullptr;
  }
  return kBinary ? yson::write_binary_int64(out, value) : yson::write_text_int64(out, value);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_unsigned(const Step& step, uint64_t value, char* out,
                                                 EncodeContext& context) {
  if (!step.in_range(value)) [[unlikely]] {
    fail_range(context, step, value);
    return nullptr;
  }
  return kBinary ? yson::write_binary_uint64(out, value) : yson::write_text_uint64(out, value);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_real(double value, char* out) {
  return kBinary ? yson::write_binary_double(out, value) : yson::write_text_double(out, value);
}

/// Writes a value of fixed width that is not null, into space for kSpace bytes; `op` is the step's.
template <bool kBinary, typename Values>
[[gnu::always_inline]] inline char* put_scalar(Op op, const Step& step, const Values& array,
                                               int64_t index, char* out, EncodeContext& context) {
  switch (op) {
    case Op::Signed8:
      return put_signed<kBinary>(step, array.template value<int8_t>(index), out, context);
    case Op::Signed16:
      return put_signed<kBinary>(step, array.template value<int16_t>(index), out, context);
    case Op::Signed32:
      return put_signed<kBinary>(step, array.template value<int32_t>(index), out, context);
    case Op::Signed64:
      return put_signed<kBinary>(step, array.template value<int64_t>(index), out, context);
    case Op::Unsigned8:
      return put_unsigned<kBinary>(step, array.template value<uint8_t>(index), out, context);
    case Op::Unsigned16:
      return put_unsigned<kBinary>(step, array.template value<uint16_t>(index), out, context);
    case Op::Unsigned32:
      // Dates are signed in Arrow: a negative one becomes a number beyond every range.
      return put_unsigned<kBinary>(
          step,
          step.scalar.kind == TypeKind::Date
              ? static_cast<uint64_t>(static_cast<int64_t>(array.template value<int32_t>(index)))
              : array.template value<uint32_t>(index),
          out, context);
    case Op::Unsigned64:
      return put_unsigned<kBinary>(step, array.template value<uint64_t>(index), out, context);
    case Op::Float:
      return put_real<kBinary>(static_cast<double>(array.template value<float>(index)), out);
    case Op::Double:
      return put_real<kBinary>(array.template value<double>(index), out);
    case Op::Bool:
      return kBinary ? yson::write_binary_boolean(out, array.bit(index))
                     : yson::write_text_boolean(out, array.bit(index));
    case Op::Null:
    case Op::String:
    case Op::Utf8:
    case Op::Json:
    case Op::Yson:
    case Op::Coded:
    case Op::List:
    case Op::Struct:
    case Op::PositionalStruct:
    case Op::Tuple:
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
    case Op::Dict:
    case Op::NamedDict:
    case Op::Boxed:
    case Op::Skip:
      break;
  }
  *out = '#';
  return out + 1;
}

/// Strings from this size are written in parts, so that a buffer with a drain stays short.
constexpr size_t kLongString = size_t{1} << 20;

template <bool kBinary>
[[gnu::noinline]] char* put_long_string(std::string_view bytes, char* out, EncodeContext& context,
                                        size_t more) {
  context.out = out;
  context.close();
  (kBinary ? yson::append_binary_string : yson::append_text_string)(bytes, context.buffer());
  context.open(more + EncodeContext::kChunk);
  return context.out;
}

/// Writes a string and makes space for `more` bytes after it. Bytes up to `readable` may be read.
template <bool kBinary>
[[gnu::always_inline]] inline char* put_string(std::string_view bytes, const char* readable,
                                               char* out, EncodeContext& context, size_t more) {
  if (bytes.size() >= kLongString) [[unlikely]] {
    return put_long_string<kBinary>(bytes, out, context, more);
  }
  out = context.need(out, (kBinary ? yson::max_binary_string_bytes(bytes.size())
                                   : yson::max_text_string_bytes(bytes.size())) +
                              32 + more);
  return kBinary ? yson::write_binary_string(out, bytes, readable)
                 : yson::write_text_string(out, bytes, readable);
}

template <bool kBinary>
[[gnu::always_inline]] inline char* put_string(const Array& array, int64_t index, char* out,
                                               EncodeContext& context, size_t more) {
  return put_string<kBinary>(array.text(index), array.raw<char>(2) + array.first_item(array.length),
                             out, context, more);
}

template <bool kBinary>
void put_string(std::string_view bytes, EncodeContext& context) {
  context.out =
      put_string<kBinary>(bytes, bytes.data() + bytes.size(), context.out, context, kSpace);
}

template <bool kBinary>
bool put_yson(std::string_view bytes, EncodeContext& context) {
  context.close();
  size_t before = context.buffer()->size();
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  yson::Status status = yson::transcode(p, end, kBinary ? yson::Format::Binary : yson::Format::Text,
                                        context.buffer(), kAnyDepth);
  yson::skip_space(p, end);
  bool whole = status == yson::Status::Ok && p == end;
  bool bare =
      whole && context.buffer()->view()[before] != '<' && context.buffer()->view()[before] != '#';
  context.open(EncodeContext::kChunk);
  if (whole && bare) return true;
  return fail(context, whole ? "expected yson without attributes at its top and not #"
                             : fmt::format("expected YSON, found {}", clipped(bytes)));
}

template <bool kBinary>
bool put(const Step& step, const Array& array, int64_t index, EncodeContext& context);

template <bool kBinary>
bool put_list(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  *context.out++ = '[';
  int64_t begin = array.first_item(index);
  int64_t end = array.end_item(index);
  for (int64_t i = begin; i < end; ++i) {
    context.need(kSpace);
    if (!put<kBinary>(step.children[0], array.children[0], i, context)) {
      return unwind_item(context, i - begin);
    }
    *context.out++ = ';';
  }
  *context.out++ = ']';
  return true;
}

template <bool kBinary>
bool put_elements(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  *context.out++ = '[';
  int64_t slot = array.slot(index);
  for (size_t i = 0; i < step.children.size(); ++i) {
    context.need(kSpace);
    if (!put<kBinary>(step.children[i], array.children[i], slot, context)) {
      return unwind_field(context,
                          step.op == Op::Tuple ? std::to_string(i) : step.type.members()[i].name);
    }
    *context.out++ = ';';
  }
  *context.out++ = ']';
  return true;
}

bool is_absent(const Step& step, const Array& array, int64_t index) {
  return step.op == Op::Null || (step.nullable && array.is_null(index));
}

template <bool kBinary>
bool put_fields(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  *context.out++ = '{';
  int64_t slot = array.slot(index);
  for (size_t i = 0; i < step.children.size(); ++i) {
    const Step& child = step.children[i];
    if (context.skip_nulls && is_absent(child, array.children[i], slot)) continue;
    const std::string& key = (kBinary ? step.keys.binary() : step.keys.text())[i].bytes;
    context.need(key.size() + kSpace);
    std::memcpy(context.out, key.data(), key.size());
    context.out += key.size();
    if (!put<kBinary>(child, array.children[i], slot, context)) {
      return unwind_field(context, step.keys.name(i));
    }
    *context.out++ = ';';
  }
  *context.out++ = '}';
  return true;
}

template <bool kBinary>
bool put_variant(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  size_t chosen = step.children.size();
  int64_t inner = 0;
  if (step.op == Op::Variant || step.op == Op::NamedVariant) {
    auto code = array.type_code(index);
    // Codes are 0, 1, … in the schema that rows are written with.
    if (code >= 0) chosen = static_cast<size_t>(code);
    inner = array.union_slot(index);
  } else {
    inner = array.slot(index);
    size_t set = 0;
    for (size_t i = 0; i < step.children.size(); ++i) {
      if (array.children[i].is_null(inner)) continue;
      chosen = i;
      ++set;
    }
    if (set != 1) {
      return fail(context, fmt::format("expected exactly one alternative, found {}", set));
    }
  }
  if (chosen >= step.children.size()) {
    return fail(context, fmt::format("expected an alternative below {}, found {}",
                                     step.children.size(), chosen));
  }
  *context.out++ = '[';
  if (step.op == Op::NamedVariant || step.op == Op::NamedWideVariant) {
    put_string<kBinary>(step.keys.name(chosen), context);
  } else {
    auto tag = static_cast<int64_t>(chosen);
    context.out = kBinary ? yson::write_binary_int64(context.out, tag)
                          : yson::write_text_int64(context.out, tag);
  }
  *context.out++ = ';';
  context.need(kSpace);
  if (!put<kBinary>(step.children[chosen], array.children[chosen], inner, context)) {
    unwind_alternative(step, chosen, &context.path);
    return false;
  }
  *context.out++ = ';';
  *context.out++ = ']';
  return true;
}

template <bool kBinary>
bool put_dict(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  bool named = step.op == Op::NamedDict;
  *context.out++ = named ? '{' : '[';
  const Array& entries = array.children[0];
  int64_t end = array.end_item(index);
  for (int64_t i = array.first_item(index); i < end; ++i) {
    context.need(kSpace);
    int64_t slot = entries.slot(i);
    if (!named) *context.out++ = '[';
    if (!put<kBinary>(step.children[0], entries.children[0], slot, context)) {
      return unwind_entry(context, step, true, i - array.first_item(index));
    }
    *context.out++ = named ? '=' : ';';
    context.need(kSpace);
    if (!put<kBinary>(step.children[1], entries.children[1], slot, context)) {
      return unwind_entry(context, step, false, i - array.first_item(index));
    }
    *context.out++ = ';';
    if (!named) {
      *context.out++ = ']';
      *context.out++ = ';';
    }
  }
  *context.out++ = named ? '}' : ']';
  return true;
}

template <bool kBinary>
bool put_boxed(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  if (step.brackets) *context.out++ = '[';
  context.need(kSpace);
  if (!put<kBinary>(step.children[0], array.children[0], array.slot(index), context)) {
    return unwind_field(context, "value");
  }
  if (step.brackets) {
    *context.out++ = ';';
    *context.out++ = ']';
  }
  return true;
}

/// Writes a string that Arrow has in another form.
template <bool kBinary>
bool put_coded(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  const ScalarCodec& scalar = step.scalar;
  const Array* value = &array;
  std::string_view zone;
  if (scalar.form == ScalarForm::Tz) {
    index = array.slot(index);
    value = &array.children[0];
    zone = array.children[1].text(index);
  }
  std::array<char, kMaxScalarBytes> bytes;
  const char* from = value->fixed(index, scalar.width);
  char* end = write_scalar(scalar, from, zone, bytes.data());
  if (end == nullptr) return fail(context, fault_of_value(scalar, from, zone));
  put_string<kBinary>({bytes.data(), static_cast<size_t>(end - bytes.data())}, context);
  return true;
}

/// Returns false if a null is not allowed.
[[gnu::always_inline]] inline bool may_be_null(const Step& step, EncodeContext& context) {
  if (step.nullable || step.op == Op::Null) [[likely]]
    return true;
  return fail(context, "expected a value, found a null");
}

/// Writes one value. There must be space for kSpace bytes before it and, after it, for its
/// separator.
template <bool kBinary>
bool put_step(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  if (array.is_null(index)) {
    *context.out++ = '#';
    return may_be_null(step, context);
  }
  switch (step.op) {
    case Op::Signed8:
    case Op::Signed16:
    case Op::Signed32:
    case Op::Signed64:
    case Op::Unsigned8:
    case Op::Unsigned16:
    case Op::Unsigned32:
    case Op::Unsigned64:
    case Op::Float:
    case Op::Double:
    case Op::Bool:
    case Op::Null: {
      char* end = put_scalar<kBinary>(step.op, step, array, index, context.out, context);
      if (end == nullptr) return false;
      context.out = end;
      return true;
    }
    case Op::String:
    case Op::Utf8:
    case Op::Json:
      context.out = put_string<kBinary>(array, index, context.out, context, kSpace);
      return true;
    case Op::Yson:
      return put_yson<kBinary>(array.text(index), context);
    case Op::Coded:
      return put_coded<kBinary>(step, array, index, context);
    case Op::List:
      return put_list<kBinary>(step, array, index, context);
    case Op::Struct:
      return put_fields<kBinary>(step, array, index, context);
    case Op::PositionalStruct:
    case Op::Tuple:
      return put_elements<kBinary>(step, array, index, context);
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
      return put_variant<kBinary>(step, array, index, context);
    case Op::Dict:
    case Op::NamedDict:
      return put_dict<kBinary>(step, array, index, context);
    case Op::Boxed:
      return put_boxed<kBinary>(step, array, index, context);
    case Op::Skip:
      break;
  }
  return fail(context, "expected a column to be encoded, found one that is left out");
}

template <bool kBinary>
bool put(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  bool done = put_step<kBinary>(step, array, index, context);
  // The caller goes on with brackets and separators.
  context.need(kSpace);
  return done;
}

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
  /// Writes the field of a row at `out`, with its `;`. The caller provides space for all fields
  /// except strings, for which it is allocated here. Returns the end, or null for a failure.
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

template <bool kBinary, Op kOp>
char* put_scalar_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  if (column.is_null(slot)) return put_null(column, out, context);
  out = put_key(column, out);
  out = put_scalar<kBinary>(kOp, *column.step, column, slot, out, context);
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

/// Writes a single field whose value is an entry of a dictionary.
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

/// Copies the field of an entry, or of a null, which is after the last entry.
template <bool kBinary>
char* put_made_field(const Column& column, int64_t slot, char* out, EncodeContext& context) {
  const int64_t entries = column.array->dictionary->length;
  const int64_t index = column.value<int32_t>(slot);
  const int64_t field = column.is_null(slot) ? entries : index < entries ? index : -1;
  char* end = column.fields->write(static_cast<uint64_t>(field), out);
  return end != nullptr ? end : put_entry<kBinary>(column, slot, out, context);
}

template <bool kBinary>
Column::Put put_of(Op op) {
  switch (op) {
    case Op::Signed8:
      return put_scalar_field<kBinary, Op::Signed8>;
    case Op::Signed16:
      return put_scalar_field<kBinary, Op::Signed16>;
    case Op::Signed32:
      return put_scalar_field<kBinary, Op::Signed32>;
    case Op::Signed64:
      return put_scalar_field<kBinary, Op::Signed64>;
    case Op::Unsigned8:
      return put_scalar_field<kBinary, Op::Unsigned8>;
    case Op::Unsigned16:
      return put_scalar_field<kBinary, Op::Unsigned16>;
    case Op::Unsigned32:
      return put_scalar_field<kBinary, Op::Unsigned32>;
    case Op::Unsigned64:
      return put_scalar_field<kBinary, Op::Unsigned64>;
    case Op::Float:
      return put_scalar_field<kBinary, Op::Float>;
    case Op::Double:
      return put_scalar_field<kBinary, Op::Double>;
    case Op::Bool:
      return put_scalar_field<kBinary, Op::Bool>;
    case Op::String:
    case Op::Utf8:
    case Op::Json:
      return put_string_field<kBinary>;
    case Op::Null:
    case Op::Yson:
    case Op::Coded:
    case Op::List:
    case Op::Struct:
    case Op::PositionalStruct:
    case Op::Tuple:
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
    case Op::Dict:
    case Op::NamedDict:
    case Op::Boxed:
    case Op::Skip:
      break;
  }
  return put_any_field<kBinary>;
}

/// Prepares what rows of a column need. The array must have at least one row.
template <bool kBinary>
Column make_column(const Step& step, const KeyPrefix& key, const Array& array,
                   const DictionaryFields* fields, size_t row_space) {
  Column column;
  column.put = put_of<kBinary>(step.op);
  column.step = &step;
  column.array = &array;
  column.key = key.bytes.data();
  column.key_size = key.size;
  column.row_space = row_space;
  if (column.put != put_any_field<kBinary> || array.dictionary != nullptr) {
    column.validity = hub::validity(array);
    int64_t width = step.op >= Op::String ? 4 : step.scalar.width;
    if (array.dictionary != nullptr) {
      column.put = fields != nullptr ? put_made_field<kBinary> : put_entry<kBinary>;
      column.fields = fields;
      width = 4;
    } else if (step.op >= Op::String) {
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
    // Reserved ahead once per row, and after each string.
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

bool encode_value(const Step& step, const Array& array, int64_t index, bool binary,
                  EncodeContext& context) {
  context.need(kSpace);
  bool done =
      binary ? put<true>(step, array, index, context) : put<false>(step, array, index, context);
  context.close();
  return done;
}

}  // namespace xwalk::yt
