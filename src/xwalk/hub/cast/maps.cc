#include "xwalk/hub/cast/maps.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/hub/cast/lists.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/cast/value_bytes.h"
#include "xwalk/hub/option.h"

// Maps, and lists of pairs: keys and values are matched by position, not by name.

namespace xwalk::hub::cast {
namespace {

/// The pair of fields of a map, or of a list of structs of two; nothing for other types.
const Field* pair_of(const Type& type) {
  if (type.kind() != Kind::Map && !is_list(type.kind())) return nullptr;
  const Field& item = type.child();
  if (item.type.kind() != Kind::Struct || item.type.children().size() != 2) return nullptr;
  return &item;
}

/// Up to here each key of a map is compared with each other one; beyond, they are sorted.
constexpr int32_t kPairwise = 8;

/// Bytes of a key that is equal to another exactly where they are; 0 for other keys.
size_t comparable_width(const Type& type) {
  const Kind kind = type.kind();
  const bool real = kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double;
  // 0 for a boolean (less than a byte) and for types without a fixed size.
  return real ? 0 : static_cast<size_t>(fixed_bits(type).value_or(0)) / 8;
}

/// Returns true if some map may hold a key twice; false is sure. No memory a key.
bool may_repeat(const Array& maps, const Array& keys, int64_t shift, const Type& key) {
  const size_t width = comparable_width(key);
  const bool text = key.kind() == Kind::Utf8 || key.kind() == Kind::Binary;
  if ((width == 0 && !text) || validity(keys) != nullptr) return true;
  const auto* offsets = maps.values<int32_t>(1);
  const char* fixed = width == 0 ? nullptr : keys.raw<char>(1);
  const auto* ends = text ? keys.raw<int32_t>(1) : nullptr;
  const char* bytes = text ? keys.raw<char>(2) : nullptr;
  std::vector<std::string_view> run;
  for (int64_t i = 0; i < maps.length; ++i) {
    const int32_t count = offsets[i + 1] - offsets[i];
    if (count < 2) continue;
    run.clear();
    const int64_t first = keys.offset + shift + offsets[i];
    for (int64_t at = first; at < first + count; ++at) {
      if (text) {
        run.emplace_back(bytes + ends[at], static_cast<size_t>(ends[at + 1] - ends[at]));
      } else {
        run.emplace_back(fixed + static_cast<size_t>(at) * width, width);
      }
    }
    if (count > kPairwise) {
      std::ranges::sort(run);
      if (std::ranges::adjacent_find(run) != run.end()) return true;
      continue;
    }
    for (auto at = run.begin() + 1; at != run.end(); ++at) {
      if (std::find(run.begin(), at, *at) != at) return true;
    }
  }
  return false;
}

}  // namespace

KernelPtr unique_keys_kernel(Type key, Type pair, bool keep_last, RepeatedKeys met) {
  return make_kernel([key = std::move(key), pair = std::move(pair), keep_last,
                      met = std::move(met)](const Array& in, const Scope& scope) {
    if (in.length == 0) return in;
    const auto* offsets = in.values<int32_t>(1);
    const Array& pairs = in.children[0];
    if (!may_repeat(in, pairs.children[0], pairs.offset, key)) return in;
    std::vector<int64_t> kept;
    Buffer rebuilt((in.length + 1) * 4);
    auto* ends = rebuilt.as<int32_t>();
    ends[0] = 0;
    bool any = false;
    std::unordered_map<std::string, size_t> seen;
    std::string bytes;
    for (int64_t i = 0; i < in.length; ++i) {
      seen.clear();
      int32_t repeated = 0;
      int32_t first = 0;
      for (int32_t at = offsets[i]; is_valid(in, i) && at < offsets[i + 1]; ++at) {
        bytes.clear();
        append_value_bytes(pairs.children[0], key, pairs.offset + at, bytes);
        const auto [place, fresh] = seen.try_emplace(bytes, kept.size());
        if (fresh) {
          kept.push_back(at);
          continue;
        }
        kept[place->second] = at;
        if (repeated++ == 0) first = at - offsets[i];
      }
      ends[i + 1] = static_cast<int32_t>(kept.size());
      if (repeated == 0) continue;
      any = true;
      met(scope, i, first, repeated);
    }
    if (!any || !keep_last) return in;
    Array out = start_like(in);
    attach(out, rebuilt);
    out.children.push_back(take(pairs, pair, kept));
    return out;
  });
}

namespace {

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

/// Returns the kernel that finds repeated keys; null if every pair passes.
KernelPtr compile_unique_keys(Compiler& compiler, const Field& from, const Field& to,
                              const Path& path) {
  const bool to_map = to.type.kind() == Kind::Map;
  // A system that wants each key once may have files that repeat one.
  const bool of_source = domain_of(from, compiler.source(from)).unique_keys;
  const bool of_target = domain_of(to, compiler.target(to)).unique_keys;
  DuplicateKeys policy = compiler.options.duplicate_keys;
  if (policy == DuplicateKeys::AsTarget) {
    policy = of_source || of_target ? DuplicateKeys::Error : DuplicateKeys::Keep;
  }
  if (!to_map && !of_source) return nullptr;
  Narrowing narrowing = {"keys.duplicates", "cannot store a key twice", "", Option::DuplicateKeys};
  if (policy == DuplicateKeys::Keep) {
    if (!of_target || of_source) return nullptr;
    narrowing.lost = "repeated keys are written, of which a reader takes the last";
    compiler.narrow(narrowing, path, true);
    return nullptr;
  }
  const bool keep_last = policy == DuplicateKeys::Last;
  if (!of_target) {
    narrowing.lost = keep_last ? "of a repeated key only the last value is kept"
                               : "accepts each key of a map only once";
  }
  compiler.narrow(narrowing, path, keep_last);
  std::string hint = mention(Option::DuplicateKeys, "last") + " keeps the last of each";
  if (!of_target && compiler.options.duplicate_keys == DuplicateKeys::AsTarget) {
    hint = mention(Option::DuplicateKeys, "keep") + " keeps every pair";
    compiler.findings.back().hint = hint;
  }
  auto refuse = [keep_last, path, hint = std::move(hint)](const Scope& scope, int64_t map,
                                                          int32_t first, int32_t) {
    if (keep_last) return;
    scope.refuse(map, path,
                 fmt::format("expected each key once, found one again at pair {}", first), hint);
  };
  const Type& map = to_map ? to.type : from.type;
  return unique_keys_kernel(map.child().type.child(0).type, map.child().type, keep_last,
                            std::move(refuse));
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
    compiler.note("type.as-storage", path, Effect::None,
                  from_map ? "a map stored as a list of pairs" : "a list of pairs stored as a map");
  }
  KernelPtr pair = compile_pair(compiler, *source, *target, path, from_map);
  if (source->nullable && !from_map && to_map) {
    compiler.note("null.refused", path.item(), Effect::Refused, "a pair cannot be null").witness =
        "null";
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
  // If the target has a map, its keys are compared: a cast may make two of them equal.
  KernelPtr unique = compile_unique_keys(compiler, from, to, path);
  return to_map ? chain(std::move(kernel), std::move(unique))
                : chain(std::move(unique), std::move(kernel));
}

}  // namespace xwalk::hub::cast
