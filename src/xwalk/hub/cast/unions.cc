#include "xwalk/hub/cast/unions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/cast/take.h"

// Unions, dense and sparse, and structs with one nullable member per alternative, exactly one of
// which is set. A nullable alternative is wrapped in struct<value: T>, so that "set to null" can be
// distinguished from "not set".

namespace xwalk::hub::cast {
namespace {

/// The child that each type code means; -1 if unused.
std::array<int16_t, 128> children_by_code(const Type& type) {
  std::array<int16_t, 128> children;
  children.fill(-1);
  const auto codes = type.type_codes();
  for (size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= 0) children[static_cast<size_t>(codes[i])] = static_cast<int16_t>(i);
  }
  return children;
}

/// A union taken apart: for each element its alternative, and each alternative's elements.
struct Alternatives {
  std::vector<int16_t> chosen;
  /// Index of element i in its alternative's child.
  std::vector<int64_t> places;
};

Alternatives take_apart(const Array& in, const Type& type) {
  Alternatives out;
  const auto by_code = children_by_code(type);
  const auto* codes = in.values<int8_t>(0);
  const bool dense = type.kind() == Kind::DenseUnion;
  out.chosen.resize(static_cast<size_t>(in.length));
  out.places.resize(static_cast<size_t>(in.length));
  for (int64_t i = 0; i < in.length; ++i) {
    const int16_t child = codes[i] < 0 ? int16_t{-1} : by_code[static_cast<size_t>(codes[i])];
    if (child < 0) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected a type code of the union, found {}", int{codes[i]}));
    }
    out.chosen[static_cast<size_t>(i)] = child;
    out.places[static_cast<size_t>(i)] = dense ? in.values<int32_t>(1)[i] : in.offset + i;
  }
  return out;
}

/// Elements of one alternative, in the order they are taken, to elements of the union.
class ChosenMap final : public RowMap {
 public:
  explicit ChosenMap(const std::vector<int64_t>& elements) : elements_(elements) {}
  std::optional<int64_t> holder(int64_t index) const override {
    return elements_[static_cast<size_t>(index)];
  }

 private:
  const std::vector<int64_t>& elements_;
};

/// How one alternative goes over.
struct Alternative {
  size_t target = 0;
  KernelPtr kernel;
};

/// Union to union: each alternative's elements are gathered in order, cast, and found again by
/// offset (dense) or spread (sparse).
KernelPtr union_kernel(Type from, Type to, std::vector<Alternative> alternatives) {
  return make_kernel([from = std::move(from), to = std::move(to),
                      alternatives = std::move(alternatives)](const Array& in, const Scope& scope) {
    const Alternatives apart = take_apart(in, from);
    const bool dense = to.kind() == Kind::DenseUnion;
    Array out;
    out.length = in.length;
    out.null_count = 0;
    Buffer codes(in.length);
    Buffer offsets(dense ? in.length * 4 : 0);
    out.children.resize(to.children().size());
    for (size_t i = 0; i < out.children.size(); ++i) {
      out.children[i] = null_array(to.child(i).type, dense ? 0 : in.length);
    }
    for (size_t child = 0; child < alternatives.size(); ++child) {
      std::vector<int64_t> places;
      std::vector<int64_t> elements;
      const size_t target = alternatives[child].target;
      for (int64_t i = 0; i < in.length; ++i) {
        if (apart.chosen[static_cast<size_t>(i)] != static_cast<int16_t>(child)) continue;
        codes.as<int8_t>()[i] = to.type_codes()[target];
        if (dense) offsets.as<int32_t>()[i] = static_cast<int32_t>(places.size());
        places.push_back(apart.places[static_cast<size_t>(i)]);
        elements.push_back(i);
      }
      const ChosenMap map(elements);
      Array values =
          run(alternatives[child].kernel, take(in.children[child], from.child(child).type, places),
              scope.inside(map));
      if (!dense) {
        std::vector<int64_t> spread(static_cast<size_t>(in.length), -1);
        for (size_t i = 0; i < elements.size(); ++i) {
          spread[static_cast<size_t>(elements[i])] = static_cast<int64_t>(i);
        }
        values = take(values, to.child(target).type, spread);
      }
      out.children[target] = std::move(values);
    }
    attach(out, codes);
    if (dense) attach(out, offsets);
    return out;
  });
}

}  // namespace

KernelPtr alternatives_kernel(
    const Type& type, const Path& path,
    const std::function<KernelPtr(const Field&, const Path&)>& kernel_of) {
  const std::vector<Path> paths = paths_of_members(type, path);
  std::vector<KernelPtr> kernels;
  for (size_t i = 0; i < paths.size(); ++i) {
    kernels.push_back(kernel_of(type.child(i), paths[i]));
  }
  if (std::ranges::all_of(kernels, [](const KernelPtr& kernel) { return !kernel; })) return nullptr;
  std::vector<Alternative> same(kernels.size());
  for (size_t i = 0; i < same.size(); ++i) same[i].target = i;
  return make_kernel([type, kernels = std::move(kernels),
                      without_hidden = union_kernel(type, type, std::move(same))](
                         const Array& in, const Scope& scope) {
    bool clean = true;
    for (size_t child = 0; child < kernels.size(); ++child) {
      if (!kernels[child]) continue;
      // Rows are searched only if any of all values is rejected.
      Refusals refused(0, in.children[child].length);
      kernels[child]->run(in.children[child], {&refused});
      if (refused.empty()) continue;
      clean = false;
      const Alternatives apart = take_apart(in, type);
      std::vector<int64_t> places;
      std::vector<int64_t> elements;
      for (int64_t i = 0; i < in.length; ++i) {
        if (apart.chosen[static_cast<size_t>(i)] != static_cast<int16_t>(child)) continue;
        places.push_back(apart.places[static_cast<size_t>(i)]);
        elements.push_back(i);
      }
      const ChosenMap map(elements);
      kernels[child]->run(take(in.children[child], type.child(child).type, places),
                          scope.inside(map));
    }
    return clean ? in : without_hidden->run(in, scope);
  });
}

namespace {

/// How one alternative becomes a member of a struct.
struct Lowered {
  size_t target = 0;  ///< place in the struct
  Path path;
  /// Whether the member has no null, and so no place for elements with another alternative.
  bool required = false;
  Field from;  ///< the alternative, nullable
  bool wrap = false;
  KernelPtr kernel;  ///< of the value, within the wrapper
  Type value;        ///< type of the value in the target
};

KernelPtr lower_kernel(Type from, std::vector<Lowered> members) {
  return make_kernel([from = std::move(from), members = std::move(members)](const Array& in,
                                                                            const Scope& scope) {
    const Alternatives apart = take_apart(in, from);
    Array out = start(in.length);
    out.children.resize(members.size());
    for (size_t child = 0; child < members.size(); ++child) {
      const Lowered& member = members[child];
      std::vector<int64_t> places(static_cast<size_t>(in.length), -1);
      Buffer set((in.length + 7) / 8);
      std::memset(set.as<void>(), 0, static_cast<size_t>((in.length + 7) / 8));
      int64_t unset = in.length;
      for (int64_t i = 0; i < in.length; ++i) {
        if (apart.chosen[static_cast<size_t>(i)] != static_cast<int16_t>(child)) {
          if (member.required) scope.refuse(i, member.path, "expected a value, found null");
          continue;
        }
        places[static_cast<size_t>(i)] = apart.places[static_cast<size_t>(i)];
        set_bit(set.as<uint8_t>(), i);
        --unset;
      }
      Array set_here = start(in.length);
      set_here.buffers[0] = set.as<void>();
      set_here.owners.push_back(set.owner());
      set_here.null_count = unset;
      const StructMap map(set_here);
      Array values =
          run(member.kernel, take(in.children[child], member.from.type, places), scope.inside(map));
      if (!member.wrap) {
        if (is_union(member.from.type.kind())) {
          // A union has no nulls itself, so its replacement does not know where it is unset.
          values.buffers[0] = set_here.buffers[0];
          values.owners.insert(values.owners.end(), set_here.owners.begin(), set_here.owners.end());
          values.null_count = unset;
        }
        out.children[member.target] = std::move(values);
        continue;
      }
      set_here.children.push_back(std::move(values));
      out.children[member.target] = std::move(set_here);
    }
    return out;
  });
}

/// How one member of a struct becomes an alternative.
struct Raised {
  bool unwrap = false;
  KernelPtr kernel;
};

KernelPtr raise_kernel(Type from, Type to, std::vector<Raised> members, std::vector<size_t> targets,
                       Path path) {
  return make_kernel([from = std::move(from), to = std::move(to), members = std::move(members),
                      targets = std::move(targets),
                      path = std::move(path)](const Array& in, const Scope& scope) {
    std::vector<std::vector<int64_t>> places(members.size());
    std::vector<std::vector<int64_t>> elements(members.size());
    std::vector<Array> columns;
    for (const Array& child : in.children) columns.push_back(slice(child, in.offset, in.length));
    Buffer codes(in.length);
    Buffer offsets(in.length * 4);
    for (int64_t i = 0; i < in.length; ++i) {
      size_t chosen = 0;
      int set = 0;
      for (size_t child = 0; child < members.size(); ++child) {
        const bool there =
            from.child(child).type.kind() == Kind::Null ? false : is_valid(columns[child], i);
        if (!there) continue;
        chosen = child;
        ++set;
      }
      if (set == 0) {
        // An alternative without values is the one chosen when nothing is set.
        for (size_t child = 0; child < members.size(); ++child) {
          if (from.child(child).type.kind() != Kind::Null) continue;
          chosen = child;
          set = 1;
          break;
        }
      }
      if (!is_valid(in, i)) {
        scope.refuse(i, path, "expected exactly one alternative, found null");
      } else if (set != 1) {
        scope.refuse(i, path, fmt::format("expected exactly one alternative, found {}", set));
      }
      codes.as<int8_t>()[i] = to.type_codes()[targets[chosen]];
      offsets.as<int32_t>()[i] = static_cast<int32_t>(places[chosen].size());
      places[chosen].push_back(i);
      elements[chosen].push_back(i);
    }
    Array out;
    out.length = in.length;
    out.null_count = 0;
    attach(out, codes);
    attach(out, offsets);
    out.children.resize(to.children().size());
    const StructMap nulls(in);
    const Scope valid = scope.inside(nulls);
    for (size_t child = 0; child < members.size(); ++child) {
      const ChosenMap map(elements[child]);
      Array values = take(columns[child], from.child(child).type, places[child]);
      Type type = from.child(child).type;
      if (members[child].unwrap) {
        Array inner = slice(values.children[0], values.offset, values.length);
        values = std::move(inner);
      }
      out.children[targets[child]] = run(members[child].kernel, values, valid.inside(map));
    }
    return out;
  });
}

/// Finds the partner of every child, and says who has another name. One without is refused, and
/// ends the list.
std::vector<size_t> partners(Compiler& compiler, const Field& from, const Field& to,
                             const Path& path) {
  const Renames& renames = compiler.options.renames;
  const std::vector<Rename> names = names_of(from.type, path, renames);
  const auto pairs = pair_members(from.type, to.type, path, renames);
  const std::vector<Path> paths = paths_of_members(from.type, path);
  std::vector<size_t> targets;
  targets.reserve(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Field& child = from.type.child(i);
    if (!pairs[i]) {
      compiler.refuse(
          {ErrorCode::Unsupported,
           fmt::format("expected an alternative of the target, found {}", quoted(child.name)),
           {.path = paths[i]}});
      break;
    }
    compiler.renamed(child, to.type.child(*pairs[i]), names[i].why, paths[i]);
    targets.push_back(*pairs[i]);
  }
  return targets;
}

Compiled compile_union(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  std::vector<Alternative> alternatives(from.type.children().size());
  bool identity = from.type.kind() == to.type.kind() &&
                  std::ranges::equal(from.type.type_codes(), to.type.type_codes()) &&
                  from.type.children().size() == to.type.children().size();
  const std::vector<size_t> targets = partners(compiler, from, to, path);
  if (targets.size() < from.type.children().size()) return KernelPtr();
  const std::vector<Path> paths = paths_of_members(from.type, path);
  for (size_t i = 0; i < alternatives.size(); ++i) {
    const Field& source = from.type.child(i);
    const size_t target = targets[i];
    const Path& member = paths[i];
    alternatives[i].target = target;
    alternatives[i].kernel = compiler.field(source, to.type.child(target), member);
    identity = identity && target == i && !alternatives[i].kernel;
  }
  if (identity) return KernelPtr();
  if (from.type.kind() != to.type.kind()) compiler.note("layout.flattened", path);
  return union_kernel(from.type, to.type, std::move(alternatives));
}

Compiled compile_lowering(Compiler& compiler, const Field& from, const Field& to,
                          const Path& path) {
  compiler.note("union.lowered", path, Effect::None,
                "a struct with one field per alternative, exactly one of them set");
  std::vector<Lowered> members(from.type.children().size());
  if (to.type.children().size() != members.size()) return compiler.no_way(path, from, to);
  const std::vector<size_t> targets = partners(compiler, from, to, path);
  if (targets.size() < from.type.children().size()) return KernelPtr();
  const std::vector<Path> paths = paths_of_members(from.type, path);
  for (size_t i = 0; i < members.size(); ++i) {
    const Field& source = from.type.child(i);
    const Field& target = to.type.child(targets[i]);
    members[i].target = targets[i];
    const Path& member = paths[i];
    members[i].from = source;
    members[i].path = to.type.kind() == Kind::Struct ? path.field(target.name) : member;
    members[i].required = !target.nullable && members.size() > 1;
    if (members[i].required) {
      compiler
          .note("null.refused", members[i].path, Effect::Refused,
                "an alternative that is not set is null")
          .witness = "null";
    }
    // A null alternative within a nullable member would read as "not set".
    members[i].wrap = source.nullable && is_box(target.type);
    Field value = members[i].wrap ? target.type.child() : target;
    Field given = source;
    if (!members[i].wrap) {
      value.nullable = source.nullable;
      if (source.nullable && source.type.kind() != Kind::Null) {
        compiler
            .note("null.refused", member, Effect::Refused,
                  "an alternative that is null would look like one that is not set")
            .witness = "null";
        value.nullable = false;
      }
    }
    members[i].kernel = compiler.field(given, value, member);
    members[i].value = value.type;
  }
  return lower_kernel(from.type, std::move(members));
}

Compiled compile_raising(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  if (to.type.kind() == Kind::SparseUnion) {
    const std::vector<Field> children(to.type.children().begin(), to.type.children().end());
    const Field dense(to.name,
                      union_(children, Kind::DenseUnion,
                             {to.type.type_codes().begin(), to.type.type_codes().end()}),
                      to.nullable);
    Compiled raised = compile_raising(compiler, from, dense, path);
    return chain(std::move(*raised), *compile_union(compiler, dense, to, path));
  }
  if (to.type.children().size() != from.type.children().size()) {
    return compiler.no_way(path, from, to);
  }
  compiler.note("type.as-storage", path, Effect::Refused, "exactly one field must be set");
  std::vector<Raised> members(from.type.children().size());
  std::vector<size_t> targets = partners(compiler, from, to, path);
  if (targets.size() < from.type.children().size()) return KernelPtr();
  const std::vector<Path> paths = paths_of_members(from.type, path);
  for (size_t i = 0; i < members.size(); ++i) {
    const Field& source = from.type.child(i);
    const Field& alternative = to.type.child(targets[i]);
    members[i].unwrap = alternative.nullable && is_box(source.type);
    Field value = members[i].unwrap ? source.type.child() : source;
    Path member = paths[i];
    if (members[i].unwrap) member = member.field(value.name);
    if (!members[i].unwrap && source.type.kind() != Kind::Null) value.nullable = false;
    members[i].kernel = compiler.field(value, alternative, member);
  }
  return raise_kernel(from.type, to.type, std::move(members), std::move(targets), path);
}

}  // namespace

Compiled compile_unions(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const bool from_union = is_union(from.type.kind());
  const bool to_union = is_union(to.type.kind());
  if (from_union && to_union) return compile_union(compiler, from, to, path);
  if (from_union && to.type.kind() == Kind::Struct && !is_box_of_union(from.type, to.type)) {
    return compile_lowering(compiler, from, to, path);
  }
  if (to_union && from.type.kind() == Kind::Struct && !is_box_of_union(to.type, from.type)) {
    return compile_raising(compiler, from, to, path);
  }
  return std::nullopt;
}

}  // namespace xwalk::hub::cast
