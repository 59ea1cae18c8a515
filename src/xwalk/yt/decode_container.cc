#include <bit>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/base/text.h"
#include "xwalk/yt/decode_container_internal.h"
#include "xwalk/yt/decode_token_internal.h"
#include "xwalk/yt/decode_value_internal.h"

namespace xwalk::yt {

using hub::ColumnBuilder;

namespace {

/// Appends the numbers at `p` that are doubles in binary form with a `;` after each, as lists
/// usually have many, and that the type has. Returns how many there are.
template <typename Real>
size_t decode_reals(ColumnBuilder& items, const char*& p, const char* end) {
  constexpr ptrdiff_t kSize = 1 + sizeof(double) + 1;
  const char* const first = p;
  for (; end - p >= kSize && *p == yson::marker::kDouble && p[kSize - 1] == ';'; p += kSize) {
    const auto value = std::bit_cast<double>(load_little_endian<uint64_t>(p + 1));
    if constexpr (sizeof(Real) < sizeof(double)) {
      if (!is_float_for(value)) break;
    }
    items.append(static_cast<Real>(value));
  }
  return static_cast<size_t>((p - first) / kSize);
}

size_t decode_run(const Step& item, ColumnBuilder& items, const char*& p, const char* end) {
  if (item.op == Op::Double) return decode_reals<double>(items, p, end);
  if (item.op == Op::Float) return decode_reals<float>(items, p, end);
  return 0;
}

}  // namespace

bool decode_list(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list")) return false;
  const Step& item = step.children[0];
  ColumnBuilder& items = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  for (size_t index = 0; !closed; ++index) {
    if (const size_t run = decode_run(item, items, p, context.end); run > 0) {
      index += run;
      if (p < context.end && *p == ']') {
        ++p;
        break;
      }
    }
    if (!decode_value(item, items, p, context) || !next_item(p, context, ']', &closed)) {
      return unwind_item(context, index);
    }
  }
  builder.append_list();
  return true;
}

// `[a;b;…]` of a known number of values.
bool decode_elements(const Step& step, ColumnBuilder& builder, const char*& p,
                     DecodeContext& context) {
  bool tuple = step.nesting == Nesting::Tuple;
  if (!open_bracket(p, context, '[',
                    tuple ? "a list of the tuple's elements" : "a list of the struct's fields")) {
    return false;
  }
  auto name_of = [&step, tuple](size_t index) {
    return tuple ? std::to_string(index) : step.type.members()[index].name;
  };
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  size_t count = step.children.size();
  size_t index = 0;
  for (; !closed; ++index) {
    if (index == count) {
      return fail(context, p, fmt::format("expected {} values, found more", count));
    }
    if (!decode_value(step.children[index], builder.child(index), p, context) ||
        !next_item(p, context, ']', &closed)) {
      return unwind_field(context, name_of(index));
    }
  }
  for (size_t rest = index; rest < count; ++rest) {
    // Only optional<T> may be left out at the end, not null, void or a tagged optional.
    if (tuple || !step.type.members()[rest].type.is(TypeKind::Optional)) {
      return fail(context, p - 1,
                  tuple ? fmt::format("expected {} values, found {}", count, index)
                        : fmt::format("expected field {}, found the end of the struct",
                                      quoted(name_of(rest))));
    }
    builder.child(rest).append_null();
  }
  builder.append_struct();
  return true;
}

bool decode_boxed(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  if (step.brackets) {
    if (!open_bracket(p, context, '[', "# or a list of one value")) return false;
    if (!at_token(p, context)) return false;
    if (*p == ']') {
      return fail(context, p, "expected a list of one value, found an empty list");
    }
    if (!decode_value(step.children[0], builder.child(0), p, context)) {
      return unwind_field(context, "value");
    }
    bool closed = false;
    if (!next_item(p, context, ']', &closed)) return false;
    if (!closed) return fail(context, p, "expected a list of one value, found more");
  } else if (!decode_value(step.children[0], builder.child(0), p, context)) {
    return unwind_field(context, "value");
  }
  builder.append_struct();
  return true;
}

bool decode_pairs(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list of pairs")) return false;
  ColumnBuilder& entries = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  for (size_t index = 0; !closed; ++index) {
    bool pair_closed = false;
    if (!open_bracket(p, context, '[', "a pair of key and value")) return false;
    if (!at_token(p, context)) return false;
    if (!decode_value(step.children[0], entries.child(0), p, context)) {
      return unwind_entry(context, step, true, index);
    }
    if (!next_item(p, context, ']', &pair_closed)) return false;
    if (pair_closed) return fail(context, p - 1, "expected a pair of key and value, found one");
    if (!decode_value(step.children[1], entries.child(1), p, context)) {
      return unwind_entry(context, step, false, index);
    }
    if (!next_item(p, context, ']', &pair_closed)) return false;
    if (!pair_closed) return fail(context, p, "expected a pair of key and value, found more");
    entries.append_struct();
    if (!next_item(p, context, ']', &closed)) return false;
  }
  builder.append_list();
  return true;
}

bool decode_map(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (!open_bracket(p, context, '{', "a map")) return false;
  ColumnBuilder& entries = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == '}';
  if (closed) ++p;
  while (!closed) {
    RawString key;
    if (!read_key(p, context, key)) return false;
    append_string(entries.child(0), key, context.end);
    if (!decode_value(step.children[1], entries.child(1), p, context)) {
      return unwind_entry(context, step, false, 0);
    }
    entries.append_struct();
    if (!next_item(p, context, '}', &closed)) return false;
  }
  builder.append_list();
  return true;
}

}  // namespace xwalk::yt
