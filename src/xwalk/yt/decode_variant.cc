#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yt/decode_token_internal.h"
#include "xwalk/yt/decode_value_internal.h"
#include "xwalk/yt/decode_variant_internal.h"

namespace xwalk::yt {
namespace {

bool read_alternative(const Step& step, const char*& p, DecodeContext& context, size_t* index) {
  const char* at = p;
  size_t count = step.children.size();
  if (step.named) {
    RawString name;
    if (!read_string(p, context, name, "the name of an alternative")) return false;
    std::string_view bytes = plain_bytes(name, context);
    uint32_t found = step.keys.find(bytes);
    if (found == KeyTable::kMissing) {
      return fail(context, at, "expected the name of an alternative, found " + clipped(bytes));
    }
    *index = found;
    return true;
  }
  int64_t tag = 0;
  if (!read_signed(p, context, tag, "the index of an alternative as int64")) return false;
  if (tag < 0 || static_cast<uint64_t>(tag) >= count) {
    return fail(context, at,
                fmt::format("expected the index of an alternative in the range [0, {}), found {}",
                            count, tag));
  }
  *index = static_cast<size_t>(tag);
  return true;
}

}  // namespace

bool decode_variant(const Step& step, hub::ColumnBuilder& builder, const char*& p,
                    DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list of alternative and value")) return false;
  if (!at_token(p, context)) return false;
  if (*p == ']') return fail(context, p, "expected alternative and value, found an empty list");
  size_t index = 0;
  if (!read_alternative(step, p, context, &index)) return false;
  bool closed = false;
  if (!next_item(p, context, ']', &closed)) return false;
  if (closed) return fail(context, p - 1, "expected a value after the alternative, found ]");
  if (step.is_union) {
    builder.append_union(index);
  } else {
    for (size_t other = 0; other < step.children.size(); ++other) {
      if (other != index) builder.child(other).append_null();
    }
  }
  if (!decode_value(step.children[index], builder.child(index), p, context)) {
    unwind_alternative(step, index, &context.path);
    return false;
  }
  if (!next_item(p, context, ']', &closed)) return false;
  if (!closed) return fail(context, p, "expected alternative and value, found more");
  if (!step.is_union) builder.append_struct();
  return true;
}

}  // namespace xwalk::yt
