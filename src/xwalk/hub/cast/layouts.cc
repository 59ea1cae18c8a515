#include "xwalk/hub/cast/layouts.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/cast/value_bytes.h"
#include "xwalk/hub/last_dictionary.h"
#include "xwalk/hub/option.h"

// Dictionary and run-end encoding are decoded, then cast as their values. A dictionary is encoded
// from cast values.

namespace xwalk::hub::cast {
namespace {

[[noreturn, gnu::cold]] void refuse_index(int64_t at, int64_t length) {
  throw Error(ErrorCode::Input, "expected a dictionary index below " + std::to_string(length) +
                                    ", found " + std::to_string(at));
}

template <typename Index>
int64_t checked_index(Index index, int64_t length) {
  const auto at = static_cast<int64_t>(index);
  if (at < 0 || at >= length) refuse_index(at, length);
  return at;
}

/// Replaces indices with their texts. Most are short, so they are copied in whole machine words.
/// The next text overwrites the excess bytes.
template <typename Index>
Array decode_texts(const Array& in) {
  constexpr int32_t kWord = 16;
  const Index* index = in.values<Index>();
  const auto* starts = in.dictionary->values<int32_t>();
  const char* from = in.dictionary->raw<char>(2);
  const int64_t distinct = in.dictionary->length;
  const int32_t readable = distinct == 0 ? 0 : starts[distinct];
  const uint8_t* bits = validity(in);
  Array out = start_like(in);
  Buffer offsets((in.length + 1) * 4);
  auto* ends = offsets.as<int32_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    ends[i] = static_cast<int32_t>(total);
    if (bits != nullptr && !bit_is_set(bits, in.offset + i)) continue;
    const int64_t at = checked_index(index[i], distinct);
    total += starts[at + 1] - starts[at];
    if (total > std::numeric_limits<int32_t>::max()) {
      throw Error(ErrorCode::Unsupported, "expected at most 2 GiB of text in one column of a batch",
                  {}, "use smaller batches: " + mention(Option::BatchRows));
    }
  }
  ends[in.length] = static_cast<int32_t>(total);
  Buffer bytes(total + kWord);
  char* to = bytes.as<char>();
  for (int64_t i = 0; i < in.length; ++i) {
    const int32_t size = ends[i + 1] - ends[i];
    if (size == 0) continue;
    const int32_t start = starts[index[i]];
    // A copy of a size known to the compiler is two instructions; any other is a call.
    if (size <= kWord && start + kWord <= readable) {
      std::memcpy(to + ends[i], from + start, kWord);
    } else {
      std::memcpy(to + ends[i], from + start, static_cast<size_t>(size));
    }
  }
  attach(out, offsets);
  attach(out, bytes);
  return out;
}

template <typename Index>
Array decode_values(const Array& in, const Type& type) {
  const bool text = type.kind() == Kind::Utf8 || type.kind() == Kind::Binary;
  if (text && validity(*in.dictionary) == nullptr) return decode_texts<Index>(in);
  const Index* from = in.values<Index>(1);
  const int64_t distinct = in.dictionary->length;
  std::vector<int64_t> indices(static_cast<size_t>(in.length), -1);
  for (int64_t i = 0; i < in.length; ++i) {
    if (is_valid(in, i)) {
      indices[static_cast<size_t>(i)] = checked_index(from[i], distinct);
    }
  }
  return take(*in.dictionary, type, indices);
}

/// Returns the entries if the rows are exactly the entries in order, else nothing.
std::optional<Array> entries_in_order(const Array& in) {
  const auto* index = in.values<int32_t>();
  const Array& entries = *in.dictionary;
  const int64_t first = in.length == 0 ? 0 : index[0];
  if (first < 0 || first > entries.length - in.length) return std::nullopt;
  const bool same_nulls =
      in.buffers[0] == entries.buffers[0] && in.offset == entries.offset + first;
  if (validity(in) != nullptr && !same_nulls) return std::nullopt;
  for (int64_t i = 0; i < in.length; ++i) {
    if (index[i] != first + i) return std::nullopt;
  }
  return slice(entries, first, in.length);
}

}  // namespace

Array decode_dictionary(const Array& in, Kind index, const Type& type) {
  if (index == Kind::Int32 && has_validity(type.kind())) {
    if (std::optional<Array> rows = entries_in_order(in)) return std::move(*rows);
  }
  return with_integer(index,
                      [&](auto number) { return decode_values<decltype(number)>(in, type); });
}

namespace {

template <typename End>
Array decode_values_of_runs(const Array& in, const Type& type) {
  const Array& run_ends = in.children[0];
  const End* ends = run_ends.values<End>();
  std::vector<int64_t> indices(static_cast<size_t>(in.length));
  int64_t run = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    while (run < run_ends.length && ends[run] <= in.offset + i) ++run;
    if (run >= run_ends.length || run >= in.children[1].length) {
      throw Error(ErrorCode::Input, "expected run ends up to the length of the array");
    }
    indices[static_cast<size_t>(i)] = run;
  }
  return take(in.children[1], type, indices);
}

}  // namespace

Array decode_runs(const Array& in, Kind end, const Type& type) {
  return with_run_end(
      end, [&](auto number) { return decode_values_of_runs<decltype(number)>(in, type); });
}

namespace {

/// Numbers the distinct values of each batch in the order they come.
template <typename Index>
Array encode_dictionary(const Array& in, const Type& type, const Scope& scope, const Path& path) {
  std::unordered_map<std::string, Index> numbers;
  std::vector<int64_t> firsts;
  std::string bytes;
  Buffer indices(in.length * static_cast<int64_t>(sizeof(Index)));
  auto* out = indices.as<Index>();
  for (int64_t i = 0; i < in.length; ++i) {
    // Some readers look up indices under nulls, and in members of structs that are null.
    out[i] = 0;
    if (!is_valid(in, i)) continue;
    bytes.clear();
    append_value_bytes(in, type, i, bytes);
    auto found = numbers.find(bytes);
    if (found == numbers.end()) {
      if (firsts.size() > static_cast<uint64_t>(std::numeric_limits<Index>::max())) {
        scope.refuse(i, path, "expected fewer distinct values than the dictionary's index holds");
        continue;
      }
      found = numbers.emplace(bytes, static_cast<Index>(firsts.size())).first;
      firsts.push_back(i);
    }
    out[i] = found->second;
  }
  Array encoded = start_like(in);
  attach(encoded, indices);
  encoded.dictionary = std::make_shared<Array>(take(in, type, firsts));
  return encoded;
}

Array encode_dictionary_of(Kind index, const Array& in, const Type& type, const Scope& scope,
                           const Path& path) {
  return with_integer(index, [&](auto number) {
    return encode_dictionary<decltype(number)>(in, type, scope, path);
  });
}

/// From plain values to a dictionary of them.
Compiled compile_encoding(Compiler& compiler, const Field& from, const Field& to,
                          const Path& path) {
  Field values = to;
  values.type = to.type.child().type;
  if (!has_validity(values.type.kind())) return std::nullopt;
  KernelPtr cast = compiler.field(from, values, path);
  if (to.type.flag()) {
    compiler.note("layout.flattened", path, Effect::None,
                  "the order of the dictionary is not kept");
  }
  auto encode = [type = values.type, index = to.type.index_kind(), path](const Array& in,
                                                                         const Scope& scope) {
    return encode_dictionary_of(index, in, type, scope, path);
  };
  return chain(std::move(cast), make_kernel(std::move(encode)));
}

/// Indices as 32-bit ones; 0 under nulls.
template <typename Index>
Array narrow_indices(const Array& in) {
  const int64_t distinct = in.dictionary->length;
  const Index* from = in.values<Index>();
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(int32_t)));
  auto* to = buffer.as<int32_t>();
  for (int64_t i = 0; i < in.length; ++i) {
    to[i] = is_valid(in, i) ? static_cast<int32_t>(checked_index(from[i], distinct)) : 0;
  }
  Array out = start_like(in);
  attach(out, buffer);
  out.dictionary = in.dictionary;
  return out;
}

/// 32-bit indices as those of another type. Throws Error (Unsupported) if it has too few numbers.
Array other_indices(const Array& in, Kind index) {
  return with_integer(index, [&](auto number) {
    using Index = decltype(number);
    const int64_t distinct = in.dictionary->length;
    const auto most = static_cast<uint64_t>(std::numeric_limits<Index>::max());
    if (distinct > 0 && static_cast<uint64_t>(distinct - 1) > most) {
      throw Error(ErrorCode::Unsupported,
                  fmt::format("expected at most {} values in the order of a dictionary, found {}",
                              most + 1, distinct));
    }
    Buffer buffer(in.length * static_cast<int64_t>(sizeof(Index)));
    std::transform(in.values<int32_t>(), in.values<int32_t>() + in.length, buffer.as<Index>(),
                   [](int32_t value) { return static_cast<Index>(value); });
    Array out = start_like(in);
    attach(out, buffer);
    out.dictionary = in.dictionary;
    return out;
  });
}

/// A dictionary whose entries are the rows, each once.
Array enumerated(Array rows) {
  Array out = start_like(rows);
  Buffer indices(rows.length * static_cast<int64_t>(sizeof(int32_t)));
  std::iota(indices.as<int32_t>(), indices.as<int32_t>() + rows.length, 0);
  attach(out, indices);
  out.dictionary = std::make_shared<Array>(std::move(rows));
  return out;
}

/// Values that rows share by number, cast once.
struct Entries {
  Array values;
  bool refused = false;
};

/// Casts shared values to a type. One that is rejected becomes null.
Entries cast_entries(const Kernel& cast, const Array& entries, const Type& to) {
  Refusals refused(0, entries.length);
  Array values = cast.run(entries, {&refused});
  if (refused.empty()) return {std::move(values)};
  std::vector<int64_t> kept(static_cast<size_t>(entries.length));
  std::iota(kept.begin(), kept.end(), 0);
  for (const BadRow& bad : refused.take({})) kept[static_cast<size_t>(bad.index)] = -1;
  return {take(values, to, kept), true};
}

/// Casts the entries of a dictionary once instead of each row. Indices keep their type or become
/// others, of 32 bits if the entries have no order. A row is rejected for the value it shows. If
/// there are more entries than rows and they have no order, each row becomes an entry.
class EntriesKernel final : public Kernel {
 public:
  /// `from` and `to` are dictionaries; `cast` is of their entries, and may be null.
  EntriesKernel(KernelPtr cast, const Type& from, const Type& to)
      : cast_(std::move(cast)),
        index_(from.index_kind()),
        to_index_(to.index_kind()),
        is_ordered_(to.flag()),
        from_(from.child().type),
        to_(to.child().type) {}

  Array run(const Array& in, const Scope& scope) const override {
    const int64_t distinct = in.dictionary->length;
    if (to_index_ == Kind::Int32 && !is_ordered_ &&
        distinct > (cast_ ? in.length : std::numeric_limits<int32_t>::max())) {
      return enumerated(cast::run(cast_, decode_dictionary(in, index_, from_), scope));
    }
    Array out = in;
    if (index_ != to_index_) {
      out = with_integer(index_, [&](auto number) { return narrow_indices<decltype(number)>(in); });
      if (to_index_ != Kind::Int32) out = other_indices(out, to_index_);
    }
    if (!cast_) return out;
    const auto entries =
        last_.of(in.dictionary, [&](const Array& all) { return cast_entries(*cast_, all, to_); });
    // Rows are rejected for what they show, not for what the dictionary has besides.
    if (entries->refused) cast_->run(decode_dictionary(in, index_, from_), scope);
    out.dictionary = {entries, &entries->values};
    return out;
  }

 private:
  KernelPtr cast_;
  Kind index_;
  Kind to_index_;
  bool is_ordered_;
  Type from_;
  Type to_;
  LastDictionary<Entries> last_;
};

/// Returns the rows of a dictionary whose indices may be null as a box of each: a union has no
/// nulls.
Array decode_boxes(const Array& in, Kind index, const Type& type) {
  Array boxes = start_like(in);
  boxes.children.push_back(decode_dictionary(in, index, type));
  return boxes;
}

/// From a dictionary of unions whose indices may be null. Nulls stay beside what the values become.
KernelPtr compile_nullable_unions(Compiler& compiler, const Field& from, const Field& to,
                                  const Path& path) {
  const Type& type = from.type.child().type;
  const bool nulls_fit = to.nullable && has_validity(to.type.kind());
  if (!nulls_fit) {
    compiler.note("null.refused", path, Effect::Refused, "a union of the target's cannot be null")
        .witness = "null";
  }
  const Field value(from.name, type, false, from.metadata);
  Field there = to;
  there.nullable = false;
  KernelPtr cast = compiler.field(value, there, path);
  return make_kernel([type, index = from.type.index_kind(), nulls_fit, path,
                      cast = std::move(cast)](const Array& in, const Scope& scope) {
    const Array boxes = decode_boxes(in, index, type);
    for (int64_t i = 0; !nulls_fit && i < boxes.length; ++i) {
      if (!is_valid(boxes, i)) scope.refuse(i, path, "expected a value, found null");
    }
    const StructMap present(boxes);
    Array out = run(cast, boxes.children[0], scope.inside(present));
    if (!nulls_fit || validity(boxes) == nullptr) return out;
    return masked(out, [&](int64_t i) { return is_valid(boxes, i); });
  });
}

/// From a dictionary to one with the same indices, 32-bit ones, or others over entries in the same
/// order; nothing if rows must be checked.
Compiled compile_entries(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind index = to.type.index_kind();
  const bool has_indices = index == from.type.index_kind() || index == Kind::Int32;
  if (!has_indices && !to.type.flag()) return std::nullopt;
  Field values = from;
  values.type = from.type.child().type;
  Field entry = to;
  entry.type = to.type.child().type;
  const bool same = same_layout(from.type, to.type);
  // Entries may be null, so nulls are searched in rows.
  if (!same && from.nullable && !to.nullable) return std::nullopt;
  // Of a null among the rows, the caller says what becomes.
  if (same) values.nullable = entry.nullable;
  KernelPtr cast = compiler.field(values, entry, path);
  if (same && !cast) return KernelPtr();
  return std::make_shared<EntriesKernel>(std::move(cast), from.type, to.type);
}

/// From runs to runs of the same numbers: the values of the runs are cast.
KernelPtr compile_runs(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const auto values_of = [](const Field& field) {
    Field values = field.type.child(1);
    // An extension is a property of the field or of its values.
    if (values.metadata.empty()) values.metadata = field.metadata;
    values.nullable = values.nullable || field.nullable;
    return values;
  };
  const Field values = values_of(from);
  const Field entry = values_of(to);
  KernelPtr cast = compiler.field(values, entry, path);
  if (!cast) return nullptr;
  return make_kernel([cast = std::move(cast), end = from.type.child(0).type.kind(),
                      type = values.type, to = entry.type](const Array& in, const Scope& scope) {
    Entries entries = cast_entries(*cast, in.children[1], to);
    if (entries.refused) cast->run(decode_runs(in, end, type), scope);
    Array out = in;
    out.children[1] = std::move(entries.values);
    return out;
  });
}

}  // namespace

Compiled compile_layouts(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind kind = from.type.kind();
  if (kind != Kind::Dictionary && kind != Kind::RunEndEncoded) {
    if (to.type.kind() != Kind::Dictionary) return std::nullopt;
    return compile_encoding(compiler, from, to, path);
  }
  if (kind == Kind::Dictionary && to.type.kind() == kind) {
    if (Compiled entries = compile_entries(compiler, from, to, path)) return entries;
  }
  if (kind == Kind::RunEndEncoded && to.type.kind() == kind &&
      from.type.child(0).type == to.type.child(0).type) {
    return compile_runs(compiler, from, to, path);
  }
  const size_t values = kind == Kind::Dictionary ? 0 : 1;
  Field decoded = from;
  decoded.type = from.type.child(values).type;
  const Type type = decoded.type;
  compiler.note("layout.flattened", path);
  if (kind == Kind::Dictionary && from.nullable && is_union(type.kind())) {
    return compile_nullable_unions(compiler, from, to, path);
  }
  KernelPtr decode;
  if (kind == Kind::Dictionary) {
    decode = make_kernel([type, index = from.type.index_kind()](const Array& in, const Scope&) {
      return decode_dictionary(in, index, type);
    });
  } else {
    decoded.nullable = from.nullable || from.type.child(1).nullable;
    decode = make_kernel([type, end = from.type.child(0).type.kind()](
                             const Array& in, const Scope&) { return decode_runs(in, end, type); });
  }
  return chain(std::move(decode), compiler.field(decoded, to, path));
}

}  // namespace xwalk::hub::cast
