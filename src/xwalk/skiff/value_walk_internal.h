#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "xwalk/base/endian.h"
#include "xwalk/base/path.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::skiff {

inline int64_t load_signed(size_t width, const char* at) {
  if (width == 1) return load_little_endian<int8_t>(at);
  if (width == 2) return load_little_endian<int16_t>(at);
  return width == 4 ? load_little_endian<int32_t>(at) : load_little_endian<int64_t>(at);
}

inline uint64_t load_unsigned(size_t width, const char* at) {
  if (width == 1) return load_little_endian<uint8_t>(at);
  if (width == 2) return load_little_endian<uint16_t>(at);
  return width == 4 ? load_little_endian<uint32_t>(at) : load_little_endian<uint64_t>(at);
}

inline double load_double(const char* at) {
  return std::bit_cast<double>(load_little_endian<uint64_t>(at));
}

/// Returns the width of a tag as a simple wire type, for messages.
inline WireType tag_token(WireType wire) {
  return tag_width(wire) == 1 ? WireType::Variant8 : WireType::Variant16;
}

// The grammar of values in Skiff. A context skips the values or appends them to Arrow. The context
// of a child is made from the one of its parent. Each function returns the end of its value. It
// returns null for a value that is broken or that the context rejects. `within` then adds the steps
// of the path to that value, innermost first. A context that appends has a place for each box. One
// that trusts gets only values whose structure was checked before.

/// Returns true if fewer bytes are left than a value needs.
template <typename Context>
[[gnu::always_inline]] inline bool is_cut(const char* at, const char* end, size_t size) {
  return !Context::kTrusts && static_cast<size_t>(end - at) < size;
}

/// Returns true for a tag that is not below the number of alternatives.
template <typename Context>
[[gnu::always_inline]] inline bool is_bad_tag(size_t tag, size_t count) {
  return !Context::kTrusts && tag >= count;
}

/// Reads a tag of a variant and moves `*at` after it. Returns false if the bytes end before.
template <typename Context>
[[gnu::always_inline]] inline bool walk_tag(WireType wire, const char** at, const char* end,
                                            Context context, size_t* tag) {
  const size_t width = tag_width(wire);
  if (is_cut<Context>(*at, end, width)) {
    context.cut(tag_token(wire), width, *at, end);
    return false;
  }
  *tag = width == 1 ? load_little_endian<uint8_t>(*at) : load_little_endian<uint16_t>(*at);
  *at += width;
  return true;
}

/// Walks over a value of a fixed number of bytes.
template <typename Context>
[[gnu::always_inline]] inline const char* walk_fixed(const Codec& codec, const char* at,
                                                     const char* end, Context context) {
  if (is_cut<Context>(at, end, codec.wire_width)) return context.cut_scalar(codec, at, end);
  return context.take(codec, at, at + codec.wire_width);
}

/// Walks over a string with its length.
template <typename Context>
[[gnu::always_inline]] inline const char* walk_string(const Codec& codec, const char* at,
                                                      const char* end, Context context) {
  if (is_cut<Context>(at, end, sizeof(uint32_t))) {
    return context.cut(codec.wire, sizeof(uint32_t), at, end);
  }
  const auto size = load_little_endian<uint32_t>(at);
  const char* const text = at + sizeof(size);
  if (is_cut<Context>(text, end, size)) return context.cut(codec.wire, size, text, end);
  return context.take(codec, at, text + size);
}

/// Walks over the value of an optional level. The value of a box is a member of a struct.
template <typename Context>
[[gnu::always_inline]] inline const char* walk_present(const Codec& codec, const char* at,
                                                       const char* end, Context context) {
  if (!Context::kAppends || !codec.wrapped) return walk_value(codec.children[0], at, end, context);
  at = walk_value(codec.children[0], at, end, context.child(0));
  if (at != nullptr) context.close_struct();
  return at;
}

/// Walks over the alternative of a tag, which begins at `tag_at`.
template <typename Context>
[[gnu::noinline]] const char* walk_alternative(const Codec& codec, size_t tag, const char* tag_at,
                                               const char* at, const char* end, Context context) {
  if (is_bad_tag<Context>(tag, codec.children.size())) {
    return context.bad_tag(codec, codec.children.size(), tag, tag_at);
  }
  const Codec& chosen = codec.children[tag];
  context.open_variant(codec, tag);
  // The box of an alternative adds no step: the path of the alternative names it.
  const bool boxed =
      Context::kAppends && !codec.is_union && chosen.form == Form::Present && chosen.wrapped;
  at = boxed ? walk_present(chosen, at, end, context.child(tag))
             : walk_value(chosen, at, end, context.child(tag));
  if (at == nullptr) {
    return context.within(
        [&](const Path& path) { return yt::alternative_path(codec.type, tag, path); });
  }
  context.close_variant(codec);
  return at;
}

template <typename Context>
[[gnu::noinline]] const char* walk_items(const Codec& codec, const char* at, const char* end,
                                         Context context) {
  const size_t last = max_children(codec.wire);
  const Codec& first = codec.children[0];
  const Context items = context.child(0);
  for (size_t index = 0;; ++index) {
    const char* const tag_at = at;
    size_t tag = 0;
    if (!walk_tag(codec.wire, &at, end, context, &tag)) return nullptr;
    if (tag == last) break;
    if (codec.form == Form::Dict) {
      if (is_bad_tag<Context>(tag, 1)) return context.bad_tag(codec, 1, tag, tag_at);
      for (const size_t part : {0, 1}) {
        at = walk_value(codec.children[part], at, end, items.child(part));
        if (at != nullptr) continue;
        return context.within(
            [&](const Path& path) { return yt::entry_path(codec.type, part == 0, index, path); });
      }
      items.close_struct();
      continue;
    }
    if (first.shares_tag) {
      at = walk_alternative(first, tag, tag_at, at, end, items);
    } else if (is_bad_tag<Context>(tag, 1)) {
      at = context.bad_tag(codec, 1, tag, tag_at);
    } else {
      at = walk_value(first, at, end, items);
    }
    if (at == nullptr) return context.within([&](const Path& path) { return path.item(index); });
  }
  context.close_list();
  return at;
}

template <typename Context>
[[gnu::noinline]] const char* walk_tuple(const Codec& codec, const char* at, const char* end,
                                         Context context) {
  for (size_t i = 0; i < codec.children.size(); ++i) {
    at = walk_value(codec.children[i], at, end,
                    context.child(static_cast<size_t>(codec.members[i])));
    if (at == nullptr) {
      return context.within([&](const Path& path) { return path.field(member_name(codec, i)); });
    }
  }
  context.close_tuple(codec);
  return at;
}

template <typename Context>
const char* walk_value(const Codec& codec, const char* at, const char* end, Context context) {
  const char* const begin = at;
  switch (codec.form) {
    case Form::Nothing:
      return context.take(codec, at, at);
    // One case each, so that a context need not ask for the form again.
    case Form::Boolean:
      return walk_fixed(codec, at, end, context);
    case Form::Signed:
      return walk_fixed(codec, at, end, context);
    case Form::Unsigned:
      return walk_fixed(codec, at, end, context);
    case Form::Double:
      return walk_fixed(codec, at, end, context);
    case Form::Uuid:
      return walk_fixed(codec, at, end, context);
    case Form::Decimal:
      return walk_fixed(codec, at, end, context);
    case Form::Wide:
      return walk_fixed(codec, at, end, context);
    case Form::Zone:
      return walk_fixed(codec, at, end, context);
    case Form::String:
      return walk_string(codec, at, end, context);
    case Form::Yson:
      return walk_string(codec, at, end, context);
    case Form::YsonOf:
      return walk_string(codec, at, end, context);
    case Form::Optional: {
      size_t tag = 0;
      if (!walk_tag(codec.wire, &at, end, context, &tag)) return nullptr;
      if (is_bad_tag<Context>(tag, 2)) return context.bad_tag(codec, 2, tag, begin);
      if (tag == 0) return context.take(codec, begin, at);
      break;
    }
    case Form::Present:
      // The null of a column of YSON is the entity.
      if (codec.wire == WireType::Yson32) return walk_string(codec, at, end, context);
      break;
    case Form::List:
    case Form::Dict:
      return walk_items(codec, at, end, context);
    case Form::Tuple:
      return walk_tuple(codec, at, end, context);
    case Form::Variant: {
      size_t tag = 0;
      if (!walk_tag(codec.wire, &at, end, context, &tag)) return nullptr;
      return walk_alternative(codec, tag, begin, at, end, context);
    }
  }
  at = walk_present(codec, at, end, context);
  if (!Context::kAppends || at != nullptr || !codec.wrapped) return at;
  return context.within([](const Path& path) { return path.field(yt::kBoxMember); });
}

}  // namespace xwalk::skiff
