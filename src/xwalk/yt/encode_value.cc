#include <array>
#include <string>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/encode_token_internal.h"
#include "xwalk/yt/encode_value_internal.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

using hub::Array;

[[gnu::noinline]] bool unwind_item(EncodeContext& context, int64_t index) {
  context.path.push_back({Path::Step::Kind::ItemAt, {}, static_cast<size_t>(index)});
  return false;
}

[[gnu::noinline]] bool unwind_entry(EncodeContext& context, const Step& dict, bool key,
                                    int64_t index) {
  unwind_entry(dict, key, static_cast<size_t>(index), &context.path);
  return false;
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
                                        context.buffer(), kAnyDepth, 0, context.count());
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
      return unwind_field(context, step.nesting == Nesting::Tuple ? std::to_string(i)
                                                                  : step.type.members()[i].name);
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
  if (step.is_union) {
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
  if (step.named) {
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
  bool named = step.named;
  *context.out++ = named ? '{' : '[';
  const Array& entries = array.children[0];
  int64_t end = array.end_item(index);
  for (int64_t i = array.first_item(index); i < end; ++i) {
    context.need(kSpace);
    int64_t slot = entries.slot(i);
    if (entries.is_null(i)) {
      fail(context, "expected a key and a value, found a null");
      return unwind_entry(context, step, true, i - array.first_item(index));
    }
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

/// Writes a number or a boolean.
template <bool kBinary>
[[gnu::always_inline]] inline bool put_fixed(const Step& step, const Array& array, int64_t index,
                                             EncodeContext& context) {
  char* end = with_types(step, [&](auto value, auto token) {
    return put_token<kBinary>(step, load_token<decltype(value), decltype(token)>(array, index),
                              context.out, context);
  });
  if (end == nullptr) return false;
  context.out = end;
  return true;
}

template <bool kBinary>
bool put_nested(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  switch (step.nesting) {
    case Nesting::List:
      return put_list<kBinary>(step, array, index, context);
    case Nesting::Struct:
      if (step.named) return put_fields<kBinary>(step, array, index, context);
      [[fallthrough]];
    case Nesting::Tuple:
      return put_elements<kBinary>(step, array, index, context);
    case Nesting::Variant:
      return put_variant<kBinary>(step, array, index, context);
    case Nesting::Dict:
      return put_dict<kBinary>(step, array, index, context);
    case Nesting::Box:
      return put_boxed<kBinary>(step, array, index, context);
    case Nesting::Scalar:
      break;
  }
  return false;
}

}  // namespace

template <bool kBinary>
bool put_step(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  if (array.is_null(index)) {
    *context.out++ = '#';
    return may_be_null(step, context);
  }
  switch (step.op) {
    // One case each, so that the types need no second jump.
    case Op::Signed:
      return put_fixed<kBinary>(step, array, index, context);
    case Op::Unsigned:
      return put_fixed<kBinary>(step, array, index, context);
    case Op::Float:
      return put_fixed<kBinary>(step, array, index, context);
    case Op::Double:
      return put_fixed<kBinary>(step, array, index, context);
    case Op::Bool:
      return put_fixed<kBinary>(step, array, index, context);
    case Op::Null:
      *context.out++ = '#';
      return true;
    case Op::Yson:
      return put_yson<kBinary>(array.text(index), context);
    case Op::String:
    case Op::Utf8:
    case Op::Json:
      context.out = put_string<kBinary>(array, index, context.out, context, kSpace);
      return true;
    case Op::Coded:
      return put_coded<kBinary>(step, array, index, context);
    case Op::Nested:
      return put_nested<kBinary>(step, array, index, context);
    case Op::Skip:
      break;
  }
  return fail(context, "expected a column to be encoded, found one that is left out");
}

template bool put_step<true>(const Step&, const Array&, int64_t, EncodeContext&);
template bool put_step<false>(const Step&, const Array&, int64_t, EncodeContext&);

namespace {

template <bool kBinary>
bool put(const Step& step, const Array& array, int64_t index, EncodeContext& context) {
  bool done = put_step<kBinary>(step, array, index, context);
  // The caller goes on with brackets and separators.
  context.need(kSpace);
  return done;
}

}  // namespace

bool encode_value(const Step& step, const Array& array, int64_t index, bool binary,
                  EncodeContext& context) {
  context.need(kSpace);
  bool done =
      binary ? put<true>(step, array, index, context) : put<false>(step, array, index, context);
  context.close();
  return done;
}

}  // namespace xwalk::yt
