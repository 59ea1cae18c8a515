#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

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

/// Walks over a child. A context that explains gets the path of the child, which `step` returns
/// for the path of the parent. It keeps that path after a fault.
template <typename Context, typename Step>
const char* walk_child(const Codec& codec, const char* at, const char* end, Context& context,
                       const Step& step) {
  if constexpr (Context::kExplains) {
    const Path outer = context.path;
    context.path = step(outer);
    at = walk_value(codec, at, end, context);
    if (at != nullptr) context.path = outer;
    return at;
  } else {
    return walk_value(codec, at, end, context);
  }
}

/// Reads a tag of a variant and moves `*at` after it. Returns false if the bytes end before.
template <typename Context>
bool walk_tag(WireType wire, const char** at, const char* end, Context& context, size_t* tag) {
  const size_t width = tag_width(wire);
  if (static_cast<size_t>(end - *at) < width) {
    context.cut(tag_token(wire), width, *at, end);
    return false;
  }
  *tag = width == 1 ? load_little_endian<uint8_t>(*at) : load_little_endian<uint16_t>(*at);
  *at += width;
  return true;
}

/// Returns the end of a string with its length, or null if the bytes end before.
template <typename Context>
const char* walk_string(WireType wire, const char* at, const char* end, Context& context) {
  if (static_cast<size_t>(end - at) < sizeof(uint32_t)) {
    return context.cut(wire, sizeof(uint32_t), at, end);
  }
  const auto size = load_little_endian<uint32_t>(at);
  at += sizeof(size);
  if (static_cast<size_t>(end - at) < size) return context.cut(wire, size, at, end);
  return at + size;
}

/// Walks over the alternative of a tag, which begins at `tag_at`.
template <typename Context>
const char* walk_alternative(const Codec& codec, size_t tag, const char* tag_at, const char* at,
                             const char* end, Context& context) {
  if (tag >= codec.children.size()) {
    return context.bad_tag(codec, codec.children.size(), tag, tag_at);
  }
  const Codec& chosen = codec.children[tag];
  // The box of an alternative adds no step: the path of the alternative names it.
  const bool boxed = !codec.is_union && chosen.form == Form::Present && chosen.wrapped;
  return walk_child(boxed ? chosen.children[0] : chosen, at, end, context,
                    [&](const Path& path) { return yt::alternative_path(codec.type, tag, path); });
}

template <typename Context>
const char* walk_items(const Codec& codec, const char* at, const char* end, Context& context) {
  const size_t last = max_children(codec.wire);
  const Codec& first = codec.children[0];
  for (size_t index = 0;; ++index) {
    const char* const tag_at = at;
    size_t tag = 0;
    if (!walk_tag(codec.wire, &at, end, context, &tag)) return nullptr;
    if (tag == last) return at;
    const auto item_path = [&](const Path& path) { return path.item(index); };
    if (codec.form == Form::Dict) {
      if (tag != 0) return context.bad_tag(codec, 1, tag, tag_at);
      for (const bool key : {true, false}) {
        at = walk_child(codec.children[key ? 0 : 1], at, end, context, [&](const Path& path) {
          return yt::entry_path(codec.type, key, index, path);
        });
        if (at == nullptr) return nullptr;
      }
    } else if (first.shares_tag) {
      if constexpr (Context::kExplains) {
        const Path outer = context.path;
        context.path = item_path(outer);
        at = walk_alternative(first, tag, tag_at, at, end, context);
        if (at != nullptr) context.path = outer;
      } else {
        at = walk_alternative(first, tag, tag_at, at, end, context);
      }
    } else if (tag != 0) {
      if constexpr (Context::kExplains) context.path = item_path(context.path);
      return context.bad_tag(codec, 1, tag, tag_at);
    } else {
      at = walk_child(first, at, end, context, item_path);
    }
    if (at == nullptr) return nullptr;
  }
}

template <typename Context>
const char* walk_tuple(const Codec& codec, const char* at, const char* end, Context& context) {
  for (size_t i = 0; i < codec.children.size(); ++i) {
    at = walk_child(codec.children[i], at, end, context,
                    [&](const Path& path) { return path.field(member_name(codec, i)); });
    if (at == nullptr) return nullptr;
  }
  return at;
}

/// Walks over a value and checks its structure: the one grammar of values in Skiff. A context
/// does the other checks, and takes the fault of a value for which null is returned.
template <typename Context>
const char* walk_value(const Codec& codec, const char* at, const char* end, Context& context) {
  const char* const begin = at;
  switch (codec.form) {
    case Form::Nothing:
      return at;
    case Form::Boolean:
    case Form::Signed:
    case Form::Unsigned:
    case Form::Double:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
      if (static_cast<size_t>(end - at) < codec.wire_width) {
        return context.cut_scalar(codec, at, end);
      }
      return context.check(codec, begin, at + codec.wire_width);
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
      at = walk_string(codec.wire, at, end, context);
      return at == nullptr ? nullptr : context.check(codec, begin, at);
    case Form::Optional: {
      size_t tag = 0;
      if (!walk_tag(codec.wire, &at, end, context, &tag)) return nullptr;
      if (codec.children.empty()) return tag == 0 ? at : context.unknown_member(begin);
      if (tag > 1) return context.bad_tag(codec, 2, tag, begin);
      if (tag == 0) return context.check(codec, begin, at);
      return walk_child(codec.children[0], at, end, context, [&](const Path& path) {
        return codec.wrapped ? path.field(yt::kBoxMember) : path;
      });
    }
    case Form::Present:
      if constexpr (Context::kExplains) {
        // The null of this column is the entity.
        if (codec.wire == WireType::Yson32) {
          at = walk_string(codec.wire, at, end, context);
          return at == nullptr ? nullptr : context.check(codec, begin, at);
        }
      }
      return walk_child(codec.children[0], at, end, context, [&](const Path& path) {
        return codec.wrapped ? path.field(yt::kBoxMember) : path;
      });
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
  return nullptr;
}

}  // namespace xwalk::skiff
