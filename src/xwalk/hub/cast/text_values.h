#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "xwalk/hub/array.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/type.h"

/// The values of text and bytes in every layout: offsets of 32 and 64 bits, views, fixed size.
namespace xwalk::hub::cast {

inline bool is_text_kind(Kind kind) {
  return is_utf8(kind) || is_binary(kind) || kind == Kind::FixedSizeBinary;
}
inline bool is_view(Kind kind) { return kind == Kind::Utf8View || kind == Kind::BinaryView; }
inline bool is_large(Kind kind) { return kind == Kind::LargeUtf8 || kind == Kind::LargeBinary; }

/// One value of the view layout: 4 bytes of size, then 12 bytes, or a prefix, a buffer and an
/// offset in it.
struct View {
  int32_t size;
  int32_t prefix;
  int32_t buffer;
  int32_t offset;
};
inline constexpr int32_t kInlineBytes = 12;

template <typename Offset>
struct OffsetReader {
  explicit OffsetReader(const Array& in) : offsets(in.values<Offset>(1)), data(in.raw<char>(2)) {}
  std::string_view operator()(int64_t i) const {
    return {data + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])};
  }
  const Offset* offsets;
  const char* data;
};

struct ViewReader {
  explicit ViewReader(const Array& in) : views(in.values<View>(1)), array(in) {}
  std::string_view operator()(int64_t i) const {
    const View& view = views[i];
    const auto size = static_cast<size_t>(view.size);
    if (view.size <= kInlineBytes)
      return {static_cast<const char*>(static_cast<const void*>(&view.prefix)), size};
    return {array.raw<char>(2 + static_cast<size_t>(view.buffer)) + view.offset, size};
  }
  const View* views;
  const Array& array;
};

struct FixedReader {
  FixedReader(const Array& in, int32_t bytes)
      : data(in.raw<char>(1) + in.offset * bytes), size(static_cast<size_t>(bytes)) {}
  std::string_view operator()(int64_t i) const {
    return {data + static_cast<size_t>(i) * size, size};
  }
  const char* data;
  size_t size;
};

/// Calls `visit` with the reader of a layout.
template <typename Visit>
auto with_text_reader(const Array& in, const Type& type, Visit visit) {
  if (is_view(type.kind())) return visit(ViewReader(in));
  if (is_large(type.kind())) return visit(OffsetReader<int64_t>(in));
  if (type.kind() == Kind::FixedSizeBinary) return visit(FixedReader(in, type.size()));
  return visit(OffsetReader<int32_t>(in));
}

}  // namespace xwalk::hub::cast
