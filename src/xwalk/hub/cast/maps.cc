#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/cast/value_bytes.h"

// Maps, and lists of pairs: keys and values go by position, whatever their names.

namespace xwalk::hub::cast {
namespace {

/// The pair of fields of a map, or of a list of structs of two; nothing for other types.
const Field* pair_of(const Type& type) {
  if (type.kind() != Kind::Map && !is_list(type.kind())) return nullptr;
  const Field& item = type.child();
  if (item.type.kind() != Kind::Struct || item.type.children().size() != 2) return nullptr;
  return &item;
}

/// Handles the repeated keys of a map or of a list of pairs with 32-bit offsets: refuses the row,
/// or keeps the last pair of each key, in the place of the first.
KernelPtr unique_keys_kernel(Type key, Type pair, DuplicateKeys policy, Path path) {
  return make_kernel([key = std::move(key), pair = std::move(pair), policy, path = std::move(path)](
                         const Array& in, const Scope& scope) {
    if (in.length == 0) return in;
    const auto* offsets = in.values<int32_t>(1);
    const Array& pairs = in.children[0];
    std::vector<int64_t> kept;
    Buffer rebuilt((in.length + 1) * 4);
    auto* ends = rebuilt.as<int32_t>();
    ends[0] = 0;
    bool any = false;
    std::unordered_map<std::string, size_t> seen;
    std::string bytes;
    for (int64_t i = 0; i < in.length; ++i) {
      seen.clear();
      for (int32_t at = offsets[i]; is_valid(in, i) && at < offsets[i + 1]; ++at) {
        bytes.clear();
        append_value_bytes(pairs.children[0], key, pairs.offset + at, bytes);
        const auto [place, fresh] = seen.try_emplace(bytes, kept.size());
        if (fresh) {
          kept.push_back(at);
          continue;
        }
        any = true;
        if (policy == DuplicateKeys::Last) {
          kept[place->second] = at;
          continue;
        }
        scope.refuse(
            i, path,
            fmt::format("expected each key once, found one again at pair {}", at - offsets[i]),
            "--duplicate-keys last keeps the last of each");
      }
      ends[i + 1] = static_cast<int32_t>(kept.size());
    }
    if (!any) return in;
    Array out = start_like(in);
    attach(out, rebuilt);
    out.children.push_back(take(pairs, pair, kept));
    return out;
  });
}

/// The cast of one pair; null entries of a list cannot be pairs of a map.
KernelPtr compile_pair(Compiler& compiler, const Field& from, const Field& to, const Path& path,
                       bool key_first) {
  std::vector<Member> members(2);
  const Path item = path.item();
  members[0].source = 0;
  members[1].source = 1;
  const Path key = key_first ? path.map_key() : item.field(from.type.child(0).name);
  const Path value = key_first ? path.map_value() : item.field(from.type.child(1).name);
  members[0].kernel = compiler.field(from.type.child(0), to.type.child(0), key);
  members[1].kernel = compiler.field(from.type.child(1), to.type.child(1), value);
  members[0].type = to.type.child(0).type;
  members[1].type = to.type.child(1).type;
  return struct_kernel(std::move(members), 2);
}

}  // namespace

Compiled compile_maps(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const bool from_map = from.type.kind() == Kind::Map;
  const bool to_map = to.type.kind() == Kind::Map;
  if (!from_map && !to_map) return std::nullopt;
  const Field* source = pair_of(from.type);
  const Field* target = pair_of(to.type);
  if (source == nullptr || target == nullptr) return std::nullopt;
  if (from_map != to_map) {
    compiler.note("type.as-storage", path, from, to, Values::Kept,
                  from_map ? "a map as a list of pairs" : "a list of pairs as a map");
  }
  KernelPtr pair = compile_pair(compiler, *source, *target, path, from_map);
  if (source->nullable && !from_map && to_map) {
    compiler
        .note("null.refused", path.item(), *source, *target, Values::Checked,
              "a pair cannot be null")
        .witness = "null";
    const Path item = path.item();
    KernelPtr required = make_kernel([item](const Array& in, const Scope& scope) {
      for (int64_t i = 0; i < in.length; ++i) {
        if (!is_valid(in, i)) scope.refuse(i, item, "expected a pair, found null");
      }
      return in;
    });
    pair = chain(std::move(required), std::move(pair));
  }
  KernelPtr kernel = list_kernel(from.type, to.type, std::move(pair), path);

  const Domain before = domain_of(from, compiler.source(from));
  const Domain after = domain_of(to, compiler.target(to));
  const DuplicateKeys policy = compiler.options.duplicate_keys;
  const bool must_be_unique = to_map && after.unique_keys && !before.unique_keys;
  if (!to_map || (!must_be_unique && policy == DuplicateKeys::Keep)) return kernel;
  Narrowing narrowing = {"keys.duplicates", "repeated keys are not allowed", "",
                         "--duplicate-keys last"};
  compiler.narrow(narrowing, path, from, to, policy == DuplicateKeys::Last);
  return chain(
      std::move(kernel),
      unique_keys_kernel(to.type.key().type, to.type.child().type,
                         policy == DuplicateKeys::Keep ? DuplicateKeys::Error : policy, path));
}

}  // namespace xwalk::hub::cast
