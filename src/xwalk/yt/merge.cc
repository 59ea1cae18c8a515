#include "xwalk/yt/merge.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/compatibility.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using yson::Node;

/// A type taken apart: the optionals and tags around it, outermost first, and what is inside.
struct Wrapped {
  /// A tag, or nothing for an optional.
  std::vector<std::optional<std::string>> layers;
  const Type* inner;

  int optionals() const {
    return static_cast<int>(std::count(layers.begin(), layers.end(), std::nullopt));
  }
  std::vector<std::string> tags() const {
    std::vector<std::string> out;
    for (const auto& layer : layers) {
      if (layer) out.push_back(*layer);
    }
    return out;
  }
  Type wrap(Type type) const {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      type = *layer ? tagged(**layer, std::move(type)) : optional(std::move(type));
    }
    return type;
  }
};

Wrapped take_apart(const Type& type) {
  Wrapped out{{}, &type};
  while (true) {
    if (out.inner->is(TypeKind::Optional)) {
      out.layers.emplace_back();
    } else if (out.inner->is(TypeKind::Tagged)) {
      out.layers.emplace_back(out.inner->tag());
    } else {
      return out;
    }
    out.inner = &out.inner->item();
  }
}

class Merger {
 public:
  explicit Merger(std::string_view name) : path_(name), column_(name) {}

  Type merge(const Type& first, const Type& second) {
    Wrapped a = take_apart(first);
    Wrapped b = take_apart(second);
    std::vector<std::string> first_tags = a.tags();
    std::vector<std::string> second_tags = b.tags();
    if (!first_tags.empty() && !second_tags.empty() && first_tags != second_tags) {
      fail(fmt::format("the type tags do not match: {} and {}",
                       xwalk::quoted(join(first_tags, ", ")),
                       xwalk::quoted(join(second_tags, ", "))));
    }
    int levels_a = a.optionals();
    int levels_b = b.optionals();
    if (levels_a != levels_b && std::max(levels_a, levels_b) > 1) {
      fail(fmt::format("optional nesting differs: {} and {}", levels_a, levels_b));
    }
    Type inner = merge_bare(*a.inner, *b.inner);
    // The side with tags determines the position of the optional among them.
    const Wrapped& shape = second_tags.empty() ? a : first_tags.empty() ? b : a;
    Type out = shape.wrap(std::move(inner));
    return shape.optionals() == std::max(levels_a, levels_b) ? out : optional(std::move(out));
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    Place place;
    place.path = Path::column(column_);
    if (path_ != column_) message = fmt::format("{}: {}", xwalk::quoted(path_), message);
    throw Error(ErrorCode::Input, std::move(message), std::move(place));
  }

  [[noreturn]] void fail_to_merge(const Type& a, const Type& b) const {
    fail(fmt::format("types {} and {} cannot be merged", xwalk::quoted(print_short(a)),
                     xwalk::quoted(print_short(b))));
  }

  Type merge_step(std::string_view step, const Type& a, const Type& b) {
    size_t size = path_.size();
    path_ += '.';
    path_ += step;
    Type out = merge(a, b);
    path_.resize(size);
    return out;
  }

  Type merge_bare(const Type& a, const Type& b) {
    if (a.is_simple() && b.is_simple()) {
      auto holds = [](const Type& from, const Type& to) {
        return check_type_compatibility(from, to).compatibility == Compatibility::FullyCompatible;
      };
      if (holds(a, b)) return b;
      if (holds(b, a)) return a;
      fail_to_merge(a, b);
    }
    if (a.kind() != b.kind() || a.is_named() != b.is_named()) fail_to_merge(a, b);
    switch (a.composition()) {
      case Composition::None:
        if (!(a == b)) fail_to_merge(a, b);
        return a;
      case Composition::List:
        return list(merge_step(step_name(a, 0), a.item(), b.item()));
      case Composition::Dict: {
        Type key = merge_step(step_name(a, 0), a.key(), b.key());
        return dict(std::move(key), merge_step(step_name(a, 1), a.value(), b.value()));
      }
      case Composition::Tuple:
        if (a.members().size() != b.members().size()) {
          fail(fmt::format("tuples of {} and {} elements cannot be merged", a.members().size(),
                           b.members().size()));
        }
        return tuple(merge_elements(a, b));
      case Composition::Struct:
        return struct_(merge_members(a, b));
      case Composition::Variant:
        return a.is_named() ? variant(merge_members(a, b)) : variant_of(merge_elements(a, b));
      case Composition::Optional:
      case Composition::Tagged:
        break;
    }
    fail_to_merge(a, b);
  }

  /// What one side alone has drops its stable names and removed members too.
  Type without_history(const Type& type) { return merge(type, type); }

  std::vector<Type> merge_elements(const Type& a, const Type& b) {
    std::vector<Type> out;
    const Type& longer = a.members().size() >= b.members().size() ? a : b;
    size_t common = std::min(a.members().size(), b.members().size());
    for (size_t i = 0; i < longer.members().size(); ++i) {
      out.push_back(i < common
                        ? merge_step(step_name(a, i), a.members()[i].type, b.members()[i].type)
                        : without_history(longer.members()[i].type));
    }
    return out;
  }

  std::vector<Member> merge_members(const Type& a, const Type& b) {
    std::vector<Member> out;
    const Type& longer = a.members().size() >= b.members().size() ? a : b;
    size_t common = std::min(a.members().size(), b.members().size());
    for (size_t i = 0; i < longer.members().size(); ++i) {
      const Member& member = longer.members()[i];
      if (i >= common) {
        Type type = without_history(member.type);
        bool as_it_is = a.is(TypeKind::Variant) || is_nullable(type);
        out.emplace_back(member.name, as_it_is ? std::move(type) : optional(std::move(type)));
        continue;
      }
      if (a.members()[i].name != b.members()[i].name) {
        fail(fmt::format("struct member name mismatch: {} and {}",
                         xwalk::quoted(a.members()[i].name), xwalk::quoted(b.members()[i].name)));
      }
      out.emplace_back(member.name,
                       merge_step(member.name, a.members()[i].type, b.members()[i].type));
    }
    return out;
  }

  std::string path_;
  std::string column_;
};

[[noreturn]] void fail_column(const ColumnSchema& column, std::string message) {
  throw Error(ErrorCode::Input, std::move(message), {.path = Path::column(column.name)});
}

/// Collects what a merge does not keep.
class Losses {
 public:
  /// Reports the attributes of both sides that the result lacks, each once.
  void compare(const Path& path, const Node& first, const Node& second, const Node& kept) {
    const auto is_in = [](const Node& map, const std::string& key, const Node& value) {
      const Node* other = map.find(key);
      return other != nullptr && *other == value;
    };
    for (const Node* side : {&first, &second}) {
      for (const auto& [key, value] : side->as_map()) {
        if (is_in(kept, key, value) || (side == &second && is_in(first, key, value))) continue;
        add(path, "metadata.lost", fmt::format("{}={}", key, yson::print(value)));
      }
    }
  }
  void add(const Path& path, std::string_view rule, std::string lost) {
    findings_.push_back({.rule = rule, .path = path, .lost = std::move(lost)});
  }
  hub::Findings take() { return std::move(findings_); }

 private:
  hub::Findings findings_;
};

/// Reports names and members of a type that a merge drops.
void tell_dropped(const Path& path, const Type& type, Losses* losses) {
  for (const Member& member : type.members()) {
    const Path below = type.is_named() ? path.field(member.name) : path;
    if (type.is_named() && member.stable_name != member.name) {
      losses->add(below, "metadata.lost", "stable_name=" + xwalk::quoted(member.stable_name));
    }
    tell_dropped(below, member.type, losses);
  }
  if (type.is(TypeKind::Struct)) {
    for (const std::string& name : type.removed_members()) {
      losses->add(path, "metadata.lost", fmt::format("removed member {}", xwalk::quoted(name)));
    }
  }
}

/// Returns a column with what a merge keeps of it.
ColumnSchema kept_of(const ColumnSchema& column, Type type) {
  ColumnSchema out(column.name, std::move(type));
  out.stable_name = column.stable_name;
  out.sort_order = column.sort_order;
  return out;
}

ColumnSchema merged_column(const ColumnSchema& column, const ColumnSchema& other, Losses* losses) {
  ColumnSchema out = kept_of(column, merge_types(column.type, other.type, column.name));
  const Path path = Path::column(column.name);
  losses->compare(path, column_attributes_node(column), column_attributes_node(other),
                  column_attributes_node(out));
  tell_dropped(path, column.type, losses);
  if (!(other.type == column.type)) tell_dropped(path, other.type, losses);
  return out;
}

ColumnSchema one_sided(const ColumnSchema& column, bool other_is_strict, Losses* losses) {
  if (!other_is_strict) {
    fail_column(column, fmt::format("column {} is missing in a non-strict schema, whose rows may "
                                    "hold it with any type",
                                    xwalk::quoted(column.name)));
  }
  ColumnSchema out =
      kept_of(column, is_nullable(column.type) ? column.type : optional(column.type));
  // Rows of the other side are not sorted by it.
  out.sort_order.reset();
  losses->compare(Path::column(column.name), column_attributes_node(column), Node::map(),
                  column_attributes_node(out));
  return out;
}

/// Returns the attributes of a table that are neither strict nor unique_keys.
Node other_attributes(TableSchema schema) {
  set_integers_in_doubles(false, &schema);
  const Node all = attributes_node(schema);
  Node map = Node::map();
  for (const auto& [key, value] : all.attributes()) {
    if (key != "strict" && key != "unique_keys") map.add(key, value);
  }
  return map;
}

}  // namespace

Type merge_types(const Type& first, const Type& second, std::string_view name) {
  return Merger(name).merge(first, second);
}

MergedSchema merge_table_schemas(const TableSchema& first, const TableSchema& second) {
  Losses losses;
  TableSchema out;
  losses.compare(Path(), other_attributes(first), other_attributes(second), Node::map());
  out.strict = first.strict && second.strict;
  set_integers_in_doubles(has_integers_in_doubles(first) || has_integers_in_doubles(second), &out);
  std::map<std::string_view, const ColumnSchema*> of_second;
  std::set<std::string_view> in_first;
  for (const ColumnSchema& column : second.columns) of_second.emplace(column.name, &column);
  for (const ColumnSchema& column : first.columns) {
    in_first.insert(column.name);
    auto found = of_second.find(column.name);
    const ColumnSchema* other = found == of_second.end() ? nullptr : found->second;
    if (other == nullptr) {
      out.columns.push_back(one_sided(column, second.strict, &losses));
      continue;
    }
    if (column.stable_name != other->stable_name) {
      fail_column(column,
                  fmt::format("stable names differ: {} and {}", xwalk::quoted(column.stable_name),
                              xwalk::quoted(other->stable_name)));
    }
    if (column.sort_order != other->sort_order) {
      fail_column(column,
                  fmt::format("sort orders of column {} differ", xwalk::quoted(column.name)));
    }
    out.columns.push_back(merged_column(column, *other, &losses));
  }
  for (const ColumnSchema& column : second.columns) {
    if (!in_first.contains(column.name)) {
      out.columns.push_back(one_sided(column, first.strict, &losses));
    }
  }
  out.unique_keys = first.unique_keys && second.unique_keys &&
                    out.key_column_count() == first.key_column_count() &&
                    out.key_column_count() == second.key_column_count();
  if (!out.unique_keys && (first.unique_keys || second.unique_keys)) {
    losses.add(Path(), "key.lost", "unique_keys, which rows of both together need not have");
  }
  check(out);
  return {std::move(out), losses.take()};
}

}  // namespace xwalk::yt
