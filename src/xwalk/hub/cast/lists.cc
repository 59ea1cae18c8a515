#include "xwalk/hub/cast/lists.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/batch_memory.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/option.h"

// Lists in every layout: offsets of 32 and 64 bits, views, fixed size.

namespace xwalk::hub::cast {
namespace {

Kind offsets_kind(Kind kind) { return kind == Kind::Map ? Kind::List : kind; }

/// Items of a list array, to the list that shows them.
template <typename Offset>
class OffsetsMap final : public RowMap {
 public:
  explicit OffsetsMap(const Array& lists) : lists_(lists), offsets_(lists.values<Offset>(1)) {}
  std::optional<int64_t> holder(int64_t index) const override {
    const Offset* end = offsets_ + lists_.length + 1;
    const int64_t at =
        std::upper_bound(offsets_, end, static_cast<Offset>(index + offsets_[0])) - offsets_ - 1;
    if (at < 0 || at >= lists_.length || !is_valid(lists_, at)) return std::nullopt;
    return at;
  }

 private:
  const Array& lists_;
  const Offset* offsets_;
};

/// Items of a fixed-size list array, to their list.
class FixedMap final : public RowMap {
 public:
  FixedMap(const Array& lists, int32_t size) : lists_(lists), size_(size) {}
  std::optional<int64_t> holder(int64_t index) const override {
    const int64_t at = index / size_;
    if (!is_valid(lists_, at)) return std::nullopt;
    return at;
  }

 private:
  const Array& lists_;
  int32_t size_;
};

/// Leaves out the items of null lists: they may be anything, and no check looks at them.
template <typename Offset>
Array without_hidden(const Array& in, const Type& item) {
  if (count_nulls(in) == 0) return in;
  const Offset* offsets = in.values<Offset>(1);
  bool hidden = false;
  for (int64_t i = 0; i < in.length; ++i) {
    hidden |= offsets[i + 1] != offsets[i] && !is_valid(in, i);
  }
  if (!hidden) return in;
  Array out = start_like(in);
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(Offset)));
  Offset* to = buffer.as<Offset>();
  std::vector<int64_t> shown;
  to[0] = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    for (Offset at = offsets[i]; is_valid(in, i) && at < offsets[i + 1]; ++at) shown.push_back(at);
    to[i + 1] = static_cast<Offset>(shown.size());
  }
  attach(out, buffer);
  out.children.push_back(take(in.children[0], item, shown));
  return out;
}

/// Casts the items after the offsets. The offsets are shared if they begin at 0 or nothing is cast.
template <typename Offset>
Array cast_items(const Array& in, const KernelPtr& items, const Scope& scope) {
  Array out = start_like(in);
  const int64_t length = in.length;
  const Offset* offsets = length == 0 ? nullptr : in.values<Offset>(1);
  const Offset first = length == 0 ? 0 : offsets[0];
  const Offset last = length == 0 ? 0 : offsets[length];
  if (length > 0 && first == 0) {
    out.buffers.push_back(offsets);
    out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  } else {
    Buffer buffer((length + 1) * static_cast<int64_t>(sizeof(Offset)));
    Offset* to = buffer.as<Offset>();
    to[0] = 0;
    for (int64_t i = 0; i < length; ++i) to[i + 1] = offsets[i + 1] - first;
    attach(out, buffer);
  }
  const Array taken = slice(in.children[0], first, last - first);
  if (length == 0) {
    out.children.push_back(items->run(taken, scope));
  } else {
    const OffsetsMap<Offset> map(in);
    out.children.push_back(items->run(taken, scope.inside(map)));
  }
  return out;
}

/// Drops the validity bits of an array whose field is not nullable: below a null of another level
/// they mean nothing, and readers refuse them.
Array as_declared(Array array, const Field& field) {
  const Type& type = field.type;
  if (!field.nullable && has_validity(type.kind())) {
    array.buffers[0] = nullptr;
    array.null_count = 0;
  }
  for (size_t i = 0; i < array.children.size(); ++i) {
    array.children[i] = as_declared(std::move(array.children[i]), type.child(i));
  }
  return array;
}

Array cast_fixed(const Array& in, const Type& type, const Field& to, const KernelPtr& items,
                 const Scope& scope) {
  const int32_t size = type.size();
  Array out = start_like(in);
  const FixedMap map(in, size);
  Array taken = slice(in.children[0], in.offset * size, in.length * size);
  if (count_nulls(in) > 0 && has_validity(type.child().type.kind())) {
    taken = masked(taken, [&](int64_t i) { return is_valid(in, i / size); });
  }
  out.children.push_back(as_declared(items->run(taken, scope.inside(map)), to));
  return out;
}

/// Rewrites offsets to another width; items are shared.
template <typename From, typename To>
Array convert_offsets(const Array& in) {
  Array out = start_like(in);
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  to[0] = 0;
  const From* from = in.length == 0 ? nullptr : in.values<From>(1);
  const From first = from == nullptr ? 0 : from[0];
  const From last = from == nullptr ? 0 : from[in.length];
  if (last - first > std::numeric_limits<To>::max()) {
    throw Error(ErrorCode::Unsupported,
                "expected at most 2^31 list items in one column of a batch, found more", {},
                "use smaller batches: " + mention(Option::BatchRows));
  }
  for (int64_t i = 0; i < in.length; ++i) to[i + 1] = static_cast<To>(from[i + 1] - first);
  attach(out, buffer);
  out.children.push_back(slice(in.children[0], first, last - first));
  return out;
}

/// Makes contiguous lists of list views. Items are shared if they are contiguous already.
template <typename Offset, typename To>
Array order_views(const Array& in, const Type& item) {
  Array out = start_like(in);
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  to[0] = 0;
  const Offset* starts = in.values<Offset>(1);
  const Offset* sizes = in.values<Offset>(2);
  int64_t total = 0;
  int64_t first = -1;
  bool in_order = true;
  for (int64_t i = 0; i < in.length; ++i) {
    const int64_t size = is_valid(in, i) ? static_cast<int64_t>(sizes[i]) : 0;
    if (size > 0) {
      if (first < 0) first = starts[i];
      in_order = in_order && starts[i] == first + total;
    }
    total += size;
    if (total > std::numeric_limits<To>::max()) {
      throw Error(ErrorCode::Unsupported,
                  "expected at most 2^31 list items in one column of a batch, found more", {},
                  "use smaller batches: " + mention(Option::BatchRows));
    }
    to[i + 1] = static_cast<To>(total);
  }
  attach(out, buffer);
  if (in_order) {
    out.children.push_back(slice(in.children[0], std::max(first, int64_t{0}), total));
    return out;
  }
  // guard(allocate): The values of a batch have a memory limit, which counts items of each view.
  take_batch_memory(static_cast<uint64_t>(total) * sizeof(int64_t));
  std::vector<int64_t> indices;
  indices.reserve(static_cast<size_t>(total));
  for (int64_t i = 0; i < in.length; ++i) {
    for (int64_t at = 0; at < to[i + 1] - to[i]; ++at) indices.push_back(starts[i] + at);
  }
  out.children.push_back(take(in.children[0], item, indices));
  return out;
}

/// Fixed-size lists as lists of 64-bit offsets.
Array spread_fixed(const Array& in, int32_t size) {
  Array out = start_like(in);
  Buffer buffer((in.length + 1) * 8);
  auto* to = buffer.as<int64_t>();
  for (int64_t i = 0; i <= in.length; ++i) to[i] = i * size;
  attach(out, buffer);
  out.children.push_back(slice(in.children[0], in.offset * size, in.length * size));
  return out;
}

/// Any list layout as large lists.
Array as_large(const Array& in, const Type& type) {
  const Kind kind = type.kind();
  if (kind == Kind::LargeList) return in;
  if (kind == Kind::FixedSizeList) return spread_fixed(in, type.size());
  if (kind == Kind::ListView) return order_views<int32_t, int64_t>(in, type.child().type);
  if (kind == Kind::LargeListView) return order_views<int64_t, int64_t>(in, type.child().type);
  return convert_offsets<int32_t, int64_t>(in);
}

template <typename Offset>
Array as_views(const Array& in) {
  Array out = start_like(in);
  Buffer starts(in.length * static_cast<int64_t>(sizeof(Offset)));
  Buffer sizes(in.length * static_cast<int64_t>(sizeof(Offset)));
  const auto* offsets = in.length == 0 ? nullptr : in.values<int64_t>(1);
  if (in.length > 0 && offsets[in.length] > std::numeric_limits<Offset>::max()) {
    throw Error(ErrorCode::Unsupported,
                "expected at most 2^31 list items in one column of a batch, found more", {},
                "use smaller batches: " + mention(Option::BatchRows));
  }
  for (int64_t i = 0; i < in.length; ++i) {
    starts.as<Offset>()[i] = static_cast<Offset>(offsets[i]);
    sizes.as<Offset>()[i] = static_cast<Offset>(offsets[i + 1] - offsets[i]);
  }
  attach(out, starts);
  attach(out, sizes);
  out.children = in.children;
  return out;
}

/// Lists of one size. A null list gets null items, or any where items are never null.
Array as_fixed(const Array& in, const Field& item, int32_t size, const Path& path,
               const Scope& scope) {
  Array out = start_like(in);
  const auto* offsets = in.length == 0 ? nullptr : in.values<int64_t>(1);
  const bool any = !item.nullable && in.length > 0 && in.children[0].length > 0;
  // guard(allocate): The values of a batch have a memory limit, which counts missing items.
  take_batch_memory(static_cast<uint64_t>(in.length * size) * sizeof(int64_t));
  std::vector<int64_t> indices(static_cast<size_t>(in.length * size), any ? 0 : -1);
  bool in_order = true;
  for (int64_t i = 0; i < in.length; ++i) {
    const bool valid = is_valid(in, i);
    const int64_t items = offsets[i + 1] - offsets[i];
    if (items == size) {
      for (int64_t at = 0; at < size; ++at) {
        indices[static_cast<size_t>(i * size + at)] = offsets[i] + at;
      }
    } else if (valid) {
      scope.refuse(i, path, fmt::format("expected a list of {} items, found {}", size, items));
    }
    in_order = in_order && items == size;
  }
  if (in_order && in.length > 0) {
    out.children.push_back(slice(in.children[0], offsets[0], in.length * size));
  } else {
    Array items = take(in.children[0], item.type, indices);
    out.children.push_back(any ? std::move(items) : as_declared(std::move(items), item));
  }
  return out;
}

Array from_large(const Array& in, const Type& to, const Path& path, const Scope& scope) {
  const Kind kind = to.kind();
  if (kind == Kind::LargeList) return in;
  if (kind == Kind::FixedSizeList) return as_fixed(in, to.child(), to.size(), path, scope);
  if (kind == Kind::ListView) return as_views<int32_t>(in);
  if (kind == Kind::LargeListView) return as_views<int64_t>(in);
  return convert_offsets<int64_t, int32_t>(in);
}

/// Views whose items pass as they are.
template <typename From, typename To>
Array convert_views(const Array& in) {
  Array out = start_like(in);
  for (size_t buffer_index : {size_t{1}, size_t{2}}) {
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
    const From* from = in.values<From>(buffer_index);
    for (int64_t i = 0; i < in.length; ++i) {
      if (from[i] > std::numeric_limits<To>::max()) {
        throw Error(ErrorCode::Unsupported,
                    "expected at most 2^31 list items in one column of a batch, found more");
      }
      buffer.as<To>()[i] = static_cast<To>(from[i]);
    }
    attach(out, buffer);
  }
  out.children = in.children;
  return out;
}

}  // namespace

KernelPtr items_kernel(KernelPtr items) {
  if (!items) return nullptr;
  return make_kernel([items = std::move(items)](const Array& in, const Scope& scope) {
    return cast_items<int32_t>(in, items, scope);
  });
}

KernelPtr list_kernel(const Type& from, const Type& to, KernelPtr items, const Path& path) {
  const Kind a = offsets_kind(from.kind());
  const Kind b = offsets_kind(to.kind());
  const bool same = a == b && from.size() == to.size();
  if (same && !items) return nullptr;
  if (same && a != Kind::ListView && a != Kind::LargeListView) {
    return make_kernel([a, items, from, item = to.child()](const Array& in, const Scope& scope) {
      if (a == Kind::FixedSizeList) return cast_fixed(in, from, item, items, scope);
      const Type& taken = from.child().type;
      return a == Kind::List
                 ? cast_items<int32_t>(without_hidden<int32_t>(in, taken), items, scope)
                 : cast_items<int64_t>(without_hidden<int64_t>(in, taken), items, scope);
    });
  }
  if (!items && a == Kind::List && b == Kind::LargeList) {
    return make_kernel(
        [](const Array& in, const Scope&) { return convert_offsets<int32_t, int64_t>(in); });
  }
  if (!items && a == Kind::ListView && b == Kind::LargeListView) {
    return make_kernel(
        [](const Array& in, const Scope&) { return convert_views<int32_t, int64_t>(in); });
  }
  if (!items && a == Kind::LargeListView && b == Kind::ListView) {
    return make_kernel(
        [](const Array& in, const Scope&) { return convert_views<int64_t, int32_t>(in); });
  }
  return make_kernel(
      [from, to, items = std::move(items), path](const Array& in, const Scope& scope) {
        Array large = as_large(in, from);
        if (items && large.length > 0) {
          large = without_hidden<int64_t>(large, from.child().type);
          // Views and others may begin anywhere: offsets now begin at the first item.
          const OffsetsMap<int64_t> map(large);
          const auto* offsets = large.values<int64_t>(1);
          Array taken = slice(large.children[0], offsets[0], offsets[large.length] - offsets[0]);
          Array cast = start_like(large);
          Buffer rebased((large.length + 1) * 8);
          for (int64_t i = 0; i <= large.length; ++i) {
            rebased.as<int64_t>()[i] = offsets[i] - offsets[0];
          }
          attach(cast, rebased);
          cast.children.push_back(items->run(taken, scope.inside(map)));
          large = std::move(cast);
        } else if (items) {
          large.children[0] = items->run(slice(large.children[0], 0, 0), scope);
        }
        return from_large(large, to, path, scope);
      });
}

Compiled compile_lists(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind a = from.type.kind();
  const Kind b = to.type.kind();
  if (!is_list(a) || !is_list(b)) return std::nullopt;
  if (a == Kind::FixedSizeList && b == Kind::FixedSizeList && from.type.size() != to.type.size()) {
    return compiler.no_way(path, from, to);
  }
  if (b == Kind::FixedSizeList && a != b) {
    for (const Narrowing& narrowing : narrowings(domain_of(from), domain_of(to))) {
      compiler.narrow(narrowing, path);
    }
  } else if (a == Kind::FixedSizeList && b != a) {
    compiler.note("size.lost", path, Effect::None,
                  fmt::format("every list has {} items", from.type.size()));
  } else if (a != b) {
    compiler.note("layout.flattened", path);
  }
  KernelPtr items = compiler.field(from.type.child(), to.type.child(), path.item());
  return list_kernel(from.type, to.type, std::move(items), path);
}

}  // namespace xwalk::hub::cast
