#include "xwalk/hub/import_checks.h"

#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "xwalk/base/error.h"
#include "xwalk/base/int128.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

Path path_of(const Level* place) {
  if (place == nullptr || place->parent == nullptr) return {};
  Path above = path_of(place->above);
  const Type& parent = *place->parent;
  const std::string& name = parent.child(place->child).name;
  switch (kind_row(parent.kind()).form) {
    case Form::List:
    case Form::FixedSizeList:
      return above.item();
    case Form::Union:
      return above.alternative(name);
    case Form::Struct:
      if (place->above != nullptr && place->above->parent != nullptr &&
          place->above->parent->kind() == Kind::Map) {
        return place->child == 0 ? above.map_key() : above.map_value();
      }
      return above.empty() ? Path::column(name) : above.field(name);
    case Form::Plain:
    case Form::FixedSizeBinary:
    case Form::Unit:
    case Form::Timestamp:
    case Form::Decimal:
    case Form::Map:
    case Form::Dictionary:
    case Form::RunEndEncoded:
      break;
  }
  return above;
}

[[noreturn]] void refuse(std::string message, const Level& place) {
  throw Error(ErrorCode::Input, std::move(message), {.path = path_of(&place)});
}

void expect(bool fits, const Type& type, const Level& place) {
  if (fits) return;
  refuse("expected an array of " + to_string(type) + ", found one of another shape", place);
}

/// Elements of one array, so that nothing that is computed of them overflows: more than memory
/// holds.
constexpr int64_t kMostElements = int64_t{1} << 47;

}  // namespace

void expect_shape(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  expect(source.length >= 0 && source.offset >= 0 && source.length <= kMostElements - source.offset,
         type, place);
  const bool is_dictionary = kind == Kind::Dictionary;
  expect((source.dictionary != nullptr) == is_dictionary, type, place);
  const size_t children = is_dictionary ? 0 : type.children().size();
  expect(source.n_children == static_cast<int64_t>(children), type, place);
  expect(children == 0 || source.children != nullptr, type, place);
  const auto is_array = [](const ArrowArray* array) {
    return array != nullptr && array->release != nullptr;
  };
  expect(!is_dictionary || is_array(source.dictionary), type, place);
  for (size_t i = 0; i < children; ++i) expect(is_array(source.children[i]), type, place);
  if (kind == Kind::Null) return;
  if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    expect(source.n_buffers > buffer_count(kind), type, place);
  } else {
    expect(source.n_buffers == buffer_count(kind), type, place);
  }
  expect(source.n_buffers == 0 || source.buffers != nullptr, type, place);
}

namespace {

[[noreturn]] void refuse_missing(int64_t buffer, const Type& type, const Level& place) {
  refuse("expected buffer " + std::to_string(buffer) + " of an array of " + to_string(type) +
             ", found none",
         place);
}

/// An array with elements has the buffers that hold them, and the bits of the nulls that it
/// counts. Whether a text has bytes is for its offsets to say.
void expect_buffers(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  const bool has_bits = has_validity(kind);
  if (kind == Kind::Null || source.length == 0) return;
  if (has_bits && source.buffers[0] == nullptr && source.null_count > 0) {
    refuse("expected the bits of " + std::to_string(source.null_count) + " nulls, found none",
           place);
  }
  const bool is_text = kind == Kind::Utf8 || kind == Kind::Binary || kind == Kind::LargeUtf8 ||
                       kind == Kind::LargeBinary;
  const bool has_no_bytes = kind == Kind::FixedSizeBinary && type.size() == 0;
  const int64_t end = is_text ? 2 : has_no_bytes ? 1 : buffer_count(kind);
  for (int64_t i = has_bits ? 1 : 0; i < end; ++i) {
    if (source.buffers[i] == nullptr) refuse_missing(i, type, place);
  }
}

/// Checks that the children of structs, fixed-size lists and sparse unions are long enough.
void expect_long_children(const ArrowArray& source, const Type& type, const Level& place) {
  const Kind kind = type.kind();
  const bool is_fixed = kind == Kind::FixedSizeList;
  if (!is_fixed && kind != Kind::Struct && kind != Kind::SparseUnion) return;
  const int64_t each = is_fixed ? type.size() : 1;
  const int64_t elements = source.offset + source.length;
  for (int64_t i = 0; i < source.n_children; ++i) {
    const int64_t found = source.children[i]->length;
    if (each == 0 || elements <= found / each) continue;
    refuse("expected " + xwalk::to_string(Int128{elements} * each) + " elements, found " +
               std::to_string(found),
           {&place, &type, static_cast<size_t>(i)});
  }
}

/// Type codes and offsets are followed without a look afterwards. A union without alternatives has
/// no values; below nulls, its codes mean nothing.
void expect_union(const ArrowArray& source, const Type& type, const Level& place) {
  if (type.type_codes().empty()) return;
  constexpr int64_t kNone = -1;
  // By the code as a byte: how long the child is.
  std::array<int64_t, 256> lengths;
  lengths.fill(kNone);
  for (size_t i = 0; i < type.type_codes().size(); ++i) {
    lengths[static_cast<uint8_t>(type.type_codes()[i])] = source.children[i]->length;
  }
  const auto* codes = static_cast<const int8_t*>(source.buffers[0]);
  const auto* slots =
      type.kind() == Kind::DenseUnion ? static_cast<const int32_t*>(source.buffers[1]) : nullptr;
  for (int64_t i = source.offset; i < source.offset + source.length; ++i) {
    const int64_t length = lengths[static_cast<uint8_t>(codes[i])];
    if (length == kNone) {
      refuse("expected a type code of " + to_string(type) + ", found " + std::to_string(codes[i]),
             place);
    }
    if (slots != nullptr && (slots[i] < 0 || slots[i] >= length)) {
      refuse("expected an offset below " + std::to_string(length) + ", found " +
                 std::to_string(slots[i]),
             place);
    }
  }
}

/// Checks that the ends of runs increase, that the last is not before the end of the array, and
/// that each run has a value.
template <typename End>
void expect_run_ends(const ArrowArray& source, const Type& type, const Level& place) {
  const ArrowArray& ends = *source.children[0];
  const Level at{&place, &type, 0};
  expect_shape(ends, type.child(0).type, at);
  if (source.length == 0) return;
  expect(ends.buffers[0] == nullptr || ends.null_count == 0, type, place);
  expect(ends.length <= source.children[1]->length, type, place);
  expect(ends.length == 0 || ends.buffers[1] != nullptr, type, place);
  const auto* values = static_cast<const End*>(ends.buffers[1]) + ends.offset;
  int64_t before = 0;
  for (int64_t i = 0; i < ends.length; before = values[i++]) {
    if (values[i] > before) continue;
    refuse("expected a run that ends after " + std::to_string(before) +
               ", found one that ends at " + std::to_string(values[i]),
           place);
  }
  if (before >= source.offset + source.length) return;
  refuse("expected runs up to " + std::to_string(source.offset + source.length) +
             ", found the last one's end at " + std::to_string(before),
         place);
}

/// Offsets are followed without a look afterwards: each from 0 to `most`, none below the one before
/// it.
template <typename Offset>
void expect_offsets(const ArrowArray& source, int64_t most, const Type& type, const Level& place) {
  // What is empty may have no offset at all.
  if (source.length == 0) return;
  const auto* offsets = static_cast<const Offset*>(source.buffers[1]) + source.offset;
  // The sign of all of them and of all steps, which the compiler looks at in whole vectors.
  using Bits = std::make_unsigned_t<Offset>;
  auto bits = static_cast<Bits>(offsets[0]);
  for (int64_t i = 0; i < source.length; ++i) {
    const auto next = static_cast<Bits>(offsets[i + 1]);
    bits |= next | (next - static_cast<Bits>(offsets[i]));
  }
  const int64_t last = offsets[source.length];
  if (static_cast<Offset>(bits) >= 0 && last <= most) {
    const bool is_text = source.n_buffers > 2;
    if (is_text && last > 0 && source.buffers[2] == nullptr) refuse_missing(2, type, place);
    return;
  }
  int64_t before = 0;
  for (int64_t i = 0; i <= source.length; before = offsets[i++]) {
    if (offsets[i] >= before) continue;
    refuse("expected an offset from " + std::to_string(before) + ", found " +
               std::to_string(offsets[i]),
           place);
  }
  refuse("expected offsets up to " + std::to_string(most) + ", found " + std::to_string(last),
         place);
}

/// The same of lists that say where they begin and how long they are.
template <typename Offset>
void expect_views(const ArrowArray& source, int64_t most, const Level& place) {
  if (source.length == 0) return;
  const auto* offsets = static_cast<const Offset*>(source.buffers[1]) + source.offset;
  const auto* sizes = static_cast<const Offset*>(source.buffers[2]) + source.offset;
  for (int64_t i = 0; i < source.length; ++i) {
    const int64_t size = sizes[i];
    if (offsets[i] >= 0 && size >= 0 && size <= most && offsets[i] <= most - size) continue;
    refuse("expected items within " + std::to_string(most) + ", found " + std::to_string(size) +
               " from " + std::to_string(offsets[i]) + " on",
           place);
  }
}

/// Returns false for nulls, whose views and indices may be anything. If the null count is 0, the
/// bits are ignored.
bool is_shown(const ArrowArray& source, int64_t index) {
  const auto* bits = static_cast<const uint8_t*>(source.buffers[0]);
  return bits == nullptr || source.null_count == 0 || bit_is_set(bits, source.offset + index);
}

/// Checks that long texts are within one of the variadic buffers. The last buffer has their sizes.
void expect_text_views(const ArrowArray& source, const Type& type, const Level& place) {
  if (source.length == 0) return;
  constexpr int32_t kInline = 12;
  struct View {
    int32_t size, prefix, buffer, offset;
  };
  const int64_t count = source.n_buffers - 3;
  const auto* sizes = static_cast<const int64_t*>(source.buffers[source.n_buffers - 1]);
  if (count > 0 && sizes == nullptr) refuse_missing(source.n_buffers - 1, type, place);
  const auto* views = static_cast<const View*>(source.buffers[1]) + source.offset;
  for (int64_t i = 0; i < source.length; ++i) {
    const View& view = views[i];
    if ((view.size >= 0 && view.size <= kInline) || !is_shown(source, i)) continue;
    if (view.size >= 0 && view.buffer >= 0 && view.buffer < count && view.offset >= 0 &&
        view.offset <= sizes[view.buffer] - view.size) {
      if (source.buffers[2 + view.buffer] != nullptr) continue;
      refuse_missing(2 + view.buffer, type, place);
    }
    refuse("expected a text within its buffers, found " + std::to_string(view.size) +
               " bytes from " + std::to_string(view.offset) + " on of buffer " +
               std::to_string(view.buffer),
           place);
  }
}

template <typename Index>
void expect_indices(const ArrowArray& source, int64_t most, const Level& place) {
  if (source.length == 0) return;
  const auto* indices = static_cast<const Index*>(source.buffers[1]) + source.offset;
  // Negative ones are large without a sign. One flag for all, nulls too: whole vectors at a time.
  const auto beyond = [most](Index index) {
    return static_cast<uint64_t>(static_cast<int64_t>(index)) >= static_cast<uint64_t>(most);
  };
  bool all = true;
  for (int64_t i = 0; i < source.length; ++i) all &= !beyond(indices[i]);
  for (int64_t i = 0; !all && i < source.length; ++i) {
    if (!beyond(indices[i]) || !is_shown(source, i)) continue;
    refuse("expected a dictionary index below " + std::to_string(most) + ", found " +
               std::to_string(indices[i]),
           place);
  }
}

void expect_items(const ArrowArray& source, const Type& type, const Level& place) {
  constexpr int64_t kAny = INT64_MAX;  // the size of the buffer is unknown
  const Kind kind = type.kind();
  if (kind == Kind::Utf8 || kind == Kind::Binary) {
    expect_offsets<int32_t>(source, kAny, type, place);
  } else if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
    expect_offsets<int64_t>(source, kAny, type, place);
  } else if (kind == Kind::List || kind == Kind::Map) {
    expect_offsets<int32_t>(source, source.children[0]->length, type, place);
  } else if (kind == Kind::LargeList) {
    expect_offsets<int64_t>(source, source.children[0]->length, type, place);
  } else if (kind == Kind::ListView) {
    expect_views<int32_t>(source, source.children[0]->length, place);
  } else if (kind == Kind::LargeListView) {
    expect_views<int64_t>(source, source.children[0]->length, place);
  } else if (kind == Kind::Utf8View || kind == Kind::BinaryView) {
    expect_text_views(source, type, place);
  } else if (kind == Kind::Dictionary) {
    cast::with_integer(type.index_kind(), [&](auto index) {
      expect_indices<decltype(index)>(source, source.dictionary->length, place);
    });
  } else if (kind == Kind::DenseUnion || kind == Kind::SparseUnion) {
    expect_union(source, type, place);
  } else if (kind == Kind::RunEndEncoded) {
    cast::with_run_end(type.child(0).type.kind(),
                       [&](auto end) { expect_run_ends<decltype(end)>(source, type, place); });
  }
}

}  // namespace

void expect_contents(const ArrowArray& source, const Type& type, const Level& place) {
  expect_buffers(source, type, place);
  expect_long_children(source, type, place);
  expect_items(source, type, place);
}

void expect_keys(const Type& type, const Level& place, Array* map) {
  if (map->length == 0) return;
  Array& entries = map->children[0];
  const int64_t first = map->first_item(0);
  const int64_t items = map->end_item(map->length - 1) - first;
  const Level below{&place, &type, 0};
  const auto without_nulls = [&](Array* array, int64_t from, const Level& at) {
    const uint8_t* bits = validity(*array);
    if (bits == nullptr) return;
    if (count_bits(bits, array->offset + from, items) != items) {
      refuse("expected no nulls among the entries and keys of maps, found some", at);
    }
    array->null_count = 0;
    array->buffers[0] = nullptr;
  };
  without_nulls(&entries, first, below);
  const Type& entry = type.child(0).type;
  if (has_validity(entry.child(0).type.kind())) {
    without_nulls(&entries.children[0], entries.offset + first, {&below, &entry, 0});
  }
}

}  // namespace xwalk::hub
