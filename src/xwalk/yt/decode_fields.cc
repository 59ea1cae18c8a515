#include <array>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/decode_fields_internal.h"
#include "xwalk/yt/decode_value_internal.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using yson::Status;

[[gnu::noinline]] bool take_other(std::string key, yson::Buffer* others, const char*& p,
                                  DecodeContext& context) {
  if (others->empty()) others->append('{');
  char* out = others->reserve(yson::max_binary_string_bytes(key.size()) + 1);
  out = yson::write_binary_string(out, key);
  *out++ = '=';
  others->set_end(out);
  Status status = yson::transcode(p, context.end, yson::Format::Binary, others, kFreeDepth);
  if (status != Status::Ok) {
    fail_status(context, p, status);
    return unwind_field(context, std::move(key));
  }
  others->append(';');
  return true;
}

[[gnu::noinline]] bool fail_unknown(const Step& step, std::string_view key, bool column,
                                    const char* p, DecodeContext& context) {
  std::vector<std::string> names;
  for (size_t i = 0; i < step.keys.size(); ++i) names.push_back(step.keys.name(i));
  return fail(context, p,
              fmt::format("expected {} of the schema, found {}", column ? "a column" : "a field",
                          clipped(key)),
              did_you_mean(key, names, [](const std::string& close) { return quoted(close); }));
}

[[gnu::noinline]] bool fail_repeated(const Step& step, size_t index, bool column, const char* p,
                                     DecodeContext& context) {
  fail(context, p,
       fmt::format("expected {} {} once, found it twice", column ? "column" : "field",
                   quoted(step.keys.name(index))),
       column ? "take the last one with " + hub::mention(hub::Option::DuplicateKeys, "last") : "");
  return unwind_field(context, step.keys.name(index));
}

[[gnu::noinline]] bool fill_missing(const Step& step, ColumnBuilder* const* columns, int64_t row,
                                    bool top, const char* p, DecodeContext& context) {
  const auto fail_missing = [&](size_t i) {
    fail(context, p,
         fmt::format("expected {} {}, found none", top ? "column" : "field",
                     quoted(step.keys.name(i))));
    return unwind_field(context, step.keys.name(i));
  };
  if (top && context.required != nullptr) {
    for (const uint32_t i : *context.required) {
      if (columns[i]->length() == row) return fail_missing(i);
    }
    return true;
  }
  for (size_t i = 0; i < step.children.size(); ++i) {
    const Step& child = step.children[i];
    if (child.op == Op::Skip || columns[i]->length() != row) continue;
    if (!child.nullable) return fail_missing(i);
    columns[i]->append_null();
  }
  return true;
}

/// Decodes the value of a member whose key has been read.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_field(const Step& step, size_t index,
                                                ColumnBuilder& builder, int64_t row, size_t* filled,
                                                const char*& p, DecodeContext& context) {
  const Step& child = step.children[index];
  if (builder.length() != row && child.op != Op::Skip) [[unlikely]] {
    if (kTop && context.required != nullptr && builder.length() < row) {
      builder.append_nulls(row - builder.length());
    } else if (context.repeated_keys == RepeatedKeys::Error || !kTop) {
      return fail_repeated(step, index, kTop, p, context);
    } else {
      builder.truncate(row);
      --*filled;
    }
  }
  const char* at = p;
  if (!decode_step<kTop>(child, builder, at, context)) [[unlikely]] {
    return unwind_field(context, step.keys.name(index));
  }
  p = at;
  ++*filled;
  return true;
}

/// Moves past the `;` after a member. Leaves a `}`.
[[gnu::always_inline]] inline bool end_field(const char*& p, DecodeContext& context) {
  if (p == context.end || *p != ';') [[unlikely]] {
    if (!at_token(p, context)) return false;
    if (*p == '}') return true;
    if (*p != ';') return fail_status(context, p, Status::ExpectedEntryEnd);
  }
  ++p;
  return true;
}

/// Decodes `key=value;…}`, with `p` after the `{`.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_fields(const Step& step, ColumnBuilder* const* columns,
                                                 int64_t row, yson::Buffer* others,
                                                 const char*& position, DecodeContext& context) {
  const char* p = position;
  const size_t count = step.children.size();
  const KeyForm* binary = step.keys.binary();
  const KeyForm* text = step.keys.text();
  size_t expected = 0;
  size_t filled = 0;
  for (;;) {
    size_t index = expected;
    bool matched = false;
    if (context.end - p >= static_cast<ptrdiff_t>(KeyForm::kWindow)) [[likely]] {
      const KeyForm* forms = *p == yson::marker::kString ? binary : text;
      if (forms[expected].matches(p)) {
        matched = true;
      } else {
        uint32_t found = step.keys.find_form(p);
        matched = found != KeyTable::kMissing;
        if (matched) index = found;
      }
      if (matched) [[likely]]
        p += forms[index].bytes.size();
    }
    if (!matched) {
      if (!at_token(p, context)) return false;
      if (*p == '}') {
        ++p;
        break;
      }
      const char* at = p;
      RawString key;
      if (!read_key(p, context, key)) return false;
      std::string_view name = plain_bytes(key, context);
      uint32_t found = step.keys.find(name);
      if (found == KeyTable::kMissing) [[unlikely]] {
        if (!kTop || others == nullptr) return fail_unknown(step, name, kTop, at, context);
        if (!take_other(std::string(name), others, p, context)) return false;
        if (!end_field(p, context)) return false;
        continue;
      }
      index = found;
    }
    if (!decode_field<kTop>(step, index, *columns[index], row, &filled, p, context)) return false;
    expected = index + 1;
    if (!end_field(p, context)) return false;
  }
  if (filled != count) [[unlikely]] {
    if (!fill_missing(step, columns, row, kTop, p - 1, context)) return false;
  }
  position = p;
  return true;
}

}  // namespace

bool decode_struct(const Step& step, ColumnBuilder& builder, const char*& p,
                   DecodeContext& context) {
  if (!open_bracket(p, context, '{', "a map of the struct's fields")) return false;
  constexpr size_t kOnStack = 32;
  std::array<ColumnBuilder*, kOnStack> few;
  std::vector<ColumnBuilder*> many;
  ColumnBuilder** columns = few.data();
  size_t count = step.children.size();
  if (count > kOnStack) {
    many.resize(count);
    columns = many.data();
  }
  for (size_t i = 0; i < count; ++i) columns[i] = &builder.child(i);
  if (!decode_fields<false>(step, columns, builder.length(), nullptr, p, context)) return false;
  builder.append_struct();
  return true;
}

bool decode_row(const Step& row, ColumnBuilder* const* columns, int64_t index, yson::Buffer* others,
                const char*& p, DecodeContext& context) {
  return decode_fields<true>(row, columns, index, others, p, context);
}

}  // namespace xwalk::yt
