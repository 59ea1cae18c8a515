#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/checks.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/zoned_times.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/hub/option.h"

// Structs by name; and nested optionals: struct<value: T> and T.

namespace xwalk::hub::cast {
namespace {

/// Rejects texts that name no time zone.
KernelPtr zone_kernel(Path path) {
  return make_kernel([path = std::move(path)](const Array& in, const Scope& scope) {
    const auto* offsets = in.length == 0 ? nullptr : in.values<int32_t>(1);
    std::string_view last;
    for (int64_t i = 0; i < in.length; ++i) {
      if (!is_valid(in, i)) continue;
      const std::string_view name(in.raw<char>(2) + offsets[i],
                                  static_cast<size_t>(offsets[i + 1] - offsets[i]));
      if (name == last && !name.empty()) continue;
      if (is_zone_name(name)) {
        last = name;
      } else {
        scope.refuse(i, path,
                     fmt::format("expected the name of a time zone, found {}", clipped(name)));
      }
    }
    return in;
  });
}

/// Asks for names of zones where the target's system does and the source's does not.
void check_zone(Compiler& compiler, const Field& from, const Field& to, const Path& path,
                std::vector<Member>& members) {
  if (!compiler.target(to).zone_names || compiler.source(from).zone_names) return;
  if (members.size() != 2 || to.type.child(1).type.kind() != Kind::Utf8) return;
  if (!members[1].source) return;
  const Path zone = path.field(from.type.child(*members[1].source).name);
  compiler.note("zone.unknown", zone, Effect::Refused, "accepts only names of time zones").witness =
      "Nowhere/Land";
  members[1].kernel = chain(std::move(members[1].kernel), zone_kernel(zone));
}

/// Puts every element into a struct: struct<value: T>, null if the value is null and must not be.
Compiled wrap(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Field& value = to.type.child();
  KernelPtr inner = compiler.field(Field(from.name, from.type, false, from.metadata), value, path);
  compiler.note("type.as-storage", path, Effect::None, "stored as a struct with one field");
  const bool outer_null = from.nullable && to.nullable;
  return make_kernel([inner = std::move(inner), outer_null](const Array& in, const Scope& scope) {
    Array out = outer_null ? start_like(in) : start(in.length);
    out.children.push_back(run(inner, in, scope));
    return out;
  });
}

/// Makes the kernel that takes the first child out of a struct. The child is null if the struct is.
/// `refuse` rejects a null child of a non-null struct.
Compiled take_out(KernelPtr inner, const Field& value, bool refuse, const Path& path) {
  const bool null_type = value.type.kind() == Kind::Null;
  return make_kernel(
      [inner = std::move(inner), null_type, refuse, path](const Array& in, const Scope& scope) {
        const Array child = slice(in.children[0], in.offset, in.length);
        for (int64_t i = 0; refuse && i < in.length; ++i) {
          if (!is_valid(in, i) || (is_valid(child, i) && !null_type)) continue;
          scope.refuse(i, path, "expected a value or one level of null, found the inner null",
                       mention(Option::MergeNulls) + " merges them (needs " +
                           mention(Option::Allow, "lossy") + ")");
        }
        if (validity(in) == nullptr || null_type) return run(inner, child, scope);
        if (child.buffers.empty()) {
          throw Error(ErrorCode::Unsupported, "expected a value with validity of its own");
        }
        const Array merged = masked(child, [&](int64_t i) { return is_valid(in, i); });
        return run(inner, merged, scope);
      });
}

/// Makes the kernel that takes a union, which has no nulls, out of a struct that may be null.
KernelPtr take_out_union(KernelPtr inner, const Path& path) {
  const auto unboxed = make_kernel([inner = std::move(inner)](const Array& in, const Scope& scope) {
    const StructMap map(in);
    const Array child = slice(in.children[0], in.offset, in.length);
    return run(inner, child, validity(in) == nullptr ? scope : scope.inside(map));
  });
  return chain(require_kernel(path), unboxed);
}

/// Takes the value out of struct<value: T>. A null inside a non-null struct is not the same value
/// as a null struct. They are merged only on request.
Compiled unwrap(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  Field value = from.type.child();
  const Path below = path.field(value.name);
  const bool two_levels = from.nullable && value.nullable;
  if (two_levels) {
    const bool merge = compiler.options.merge_nulls;
    Finding& finding =
        compiler.note("null.levels-merged", path, merge ? Effect::Altered : Effect::Refused,
                      "two levels of null become one");
    finding.witness = "[#]";
    if (!merge)
      finding.hint = mention(Option::MergeNulls) + " merges them (needs " +
                     mention(Option::Allow, "lossy") + ")";
  } else {
    compiler.note("type.as-storage", path, Effect::None, "stored as a struct with one field");
  }
  const bool required = from.nullable && is_union(value.type.kind());
  if (required) compiler.refuse_null(path);
  value.nullable = from.nullable || value.nullable;
  Findings before = std::exchange(compiler.findings, {});
  KernelPtr inner = compiler.field(value, to, below);
  before.insert(before.end(), compiler.findings.begin(), compiler.findings.end());
  compiler.findings = std::move(before);
  if (required) return take_out_union(std::move(inner), path);
  return take_out(std::move(inner), from.type.child(), two_levels && !compiler.options.merge_nulls,
                  path);
}

/// Takes the time out of struct<time, zone>, which is a loss the person has to ask for.
Compiled drop_zone(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  compiler.note("zone.dropped", path, Effect::Altered, "the time zone of each value is dropped");
  Field time = from.type.child(0);
  time.nullable = from.nullable || time.nullable;
  return take_out(compiler.field(time, to, path.field(time.name)), time, false, path);
}

/// Rejects rows that have columns besides those of the schema, for a target without a place for
/// them.
KernelPtr without_others(Compiler& compiler, const Type& rows, size_t place, const Path& path) {
  Finding& finding = compiler.note("member.left-out", path, Effect::Refused,
                                   "the target schema has no place for other columns");
  finding.witness = "{other=1}";
  finding.hint = mention(Option::Exclude, path.text()) + " leaves them out";
  const Field& column = rows.child(place);
  return make_kernel([type = column.type, fault = compiler.source(column).rest_fault, place, path](
                         const Array& in, const Scope& scope) {
    const Array& others = in.children[place];
    for (int64_t i = 0; i < in.length; ++i) {
      if (others.is_null(in.slot(i))) continue;
      std::string first;
      // Every name counts as that of a column, so that the first one is a fault.
      const std::string wrong =
          fault(bytes_of(others, type, in.slot(i)), [&](std::string_view name) {
            if (first.empty()) first = quoted(name);
            return true;
          });
      if (wrong.empty()) continue;
      scope.refuse(i, path,
                   first.empty() ? wrong
                                 : fmt::format("expected no columns but those of the target "
                                               "schema, found {}",
                                               first));
    }
    return in;
  });
}

}  // namespace

Compiled compile_structs(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const bool from_struct = from.type.kind() == Kind::Struct;
  const bool to_struct = to.type.kind() == Kind::Struct;
  if (from_struct || to_struct) {
    const Boxed box = boxed(from.type, to.type, path, compiler.options.renames);
    if (box == Boxed::To) return wrap(compiler, from, to, path);
    if (box == Boxed::From) return unwrap(compiler, from, to, path);
  }
  if (compiler.options.drop_zone && !to_struct && is_zoned_time(from.type)) {
    return drop_zone(compiler, from, to, path);
  }
  if (!from_struct || !to_struct) return std::nullopt;
  if (Compiled zoned = compile_zoned_times(compiler, from, to, path)) return zoned;

  const std::vector<std::optional<size_t>> pairs =
      pair_members(from.type, to.type, path, compiler.options.renames);
  std::vector<Rename> names;
  if (!compiler.options.renames.empty()) {
    names = names_of(from.type, path, compiler.options.renames);
  }
  const MemberPaths paths(from.type, path);
  std::vector<Member> members(to.type.children().size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i]) members[*pairs[i]].source = i;
  }
  bool ordered = true;
  size_t last = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const Field& target = to.type.child(i);
    members[i].type = target.type;
    if (!members[i].source) {
      const Path member = path.field(target.name);
      const bool is_null = target.type.kind() == Kind::Null;
      if (!is_null && (!target.nullable || !has_validity(target.type.kind()))) {
        if (path.empty()) compiler.column = {&compiler.none.of_target, i};
        compiler.refuse({ErrorCode::Unsupported,
                         "required in the target, and not in the source",
                         {.path = member}});
      }
      compiler.note("member.added", member, Effect::None, "not in the source: filled with nulls");
      continue;
    }
    const size_t place = *members[i].source;
    const Field& source = from.type.child(place);
    ordered = ordered && place >= last;
    last = place;
    if (source.name != target.name) {
      compiler.renamed(source, target, names.empty() ? "" : names[place].why, paths[place]);
    }
    if (path.empty()) compiler.column = {&compiler.none.of_source, place};
    members[i].kernel = compiler.field(source, target, paths[place]);
    members[i].mask = has_validity(source.type.kind());
    members[i].required = !target.nullable && has_validity(target.type.kind());
  }
  if (!ordered) compiler.note("order.changed", path);
  KernelPtr others;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i]) continue;
    if (path.empty() && compiler.source(from.type.child(i)).rest_fault != nullptr) {
      others = without_others(compiler, from.type, i, paths[i]);
      continue;
    }
    // A column of nulls has no value that could be lost.
    const bool nulls = from.type.child(i).type.kind() == Kind::Null;
    compiler.note("member.left-out", paths[i], nulls ? Effect::None : Effect::Altered,
                  fmt::format("{} {}", path.empty() ? "column" : "field",
                              nulls ? "of nulls alone is not stored"
                                    : "would be dropped: not in the target schema"));
  }
  check_zone(compiler, from, to, path, members);
  return chain(std::move(others), struct_kernel(std::move(members), from.type.children().size()));
}

}  // namespace xwalk::hub::cast
