#include "xwalk/yt/compatibility.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

/// Returns true if the second kind is the first, or one of the larger ones that hold it.
bool widens_to(TypeKind from, TypeKind to) {
  std::optional<TypeKind> kind = from;
  while (kind && *kind != to) kind = kind_row(*kind).widens_to;
  return kind.has_value();
}

Compatibility simple_compatibility(TypeKind from, TypeKind to) {
  bool holds = widens_to(from, to) || (to == TypeKind::Yson && kind_row(from).becomes_any);
  if (holds) return Compatibility::FullyCompatible;
  return widens_to(to, from) ? Compatibility::RequireValidation : Compatibility::Incompatible;
}

/// A type without the optionals and tags around it, and how many optionals there were.
struct Unwrapped {
  const Type* type;
  int optionals = 0;
};

Unwrapped unwrap(const Type& type) {
  Unwrapped out{&type};
  while (out.type->is(TypeKind::Optional) || out.type->is(TypeKind::Tagged)) {
    if (out.type->is(TypeKind::Optional)) ++out.optionals;
    out.type = &out.type->item();
  }
  return out;
}

class Checker {
 public:
  Checker(const CompatibilityOptions& options, std::string_view name)
      : options_(options), path_(name) {}

  std::vector<CompatibilityResult> take() { return std::move(reasons_); }

  void check(const Type& old_type, const Type& new_type) {
    Unwrapped a = unwrap(old_type);
    Unwrapped b = unwrap(new_type);
    if (a.optionals != b.optionals) {
      if (a.optionals + b.optionals > 1) {
        return report(
            Compatibility::Incompatible,
            fmt::format("optional nesting differs: {} against {}", a.optionals, b.optionals));
      }
      if (b.optionals == 0) report(Compatibility::RequireValidation, "null is no longer allowed");
    }
    check_bare(*a.type, *b.type);
  }

 private:
  void report(Compatibility compatibility, std::string reason) {
    reasons_.push_back({compatibility, path_, std::move(reason)});
  }

  void check_bare(const Type& a, const Type& b) {
    if (a.is_simple() && b.is_simple()) {
      Compatibility answer = simple_compatibility(a.kind(), b.kind());
      if (answer == Compatibility::Incompatible) {
        report(answer, fmt::format("\"{}\" cannot be read as \"{}\"", kind_name(a.kind()),
                                   kind_name(b.kind())));
      } else if (answer == Compatibility::RequireValidation) {
        report(answer, fmt::format("not every \"{}\" is a \"{}\"", kind_name(a.kind()),
                                   kind_name(b.kind())));
      }
      return;
    }
    if (a.kind() != b.kind() || (a.is(TypeKind::Variant) && a.is_named() != b.is_named())) {
      return report(Compatibility::Incompatible,
                    fmt::format("\"{}\" cannot be read as \"{}\"", print_short(a), print_short(b)));
    }
    switch (a.composition()) {
      case Composition::None:
        if (!(a == b)) {
          report(Compatibility::Incompatible,
                 fmt::format("{} cannot be read as {}", print_short(a), print_short(b)));
        }
        return;
      case Composition::Struct:
        return check_members(a, b);
      case Composition::Tuple:
      case Composition::Variant:
        return a.is_named() ? check_members(a, b) : check_elements(a, b);
      case Composition::Optional:
      case Composition::Tagged:
      case Composition::List:
      case Composition::Dict:
        for (size_t i = 0; i < a.members().size(); ++i) {
          descend(step_name(a, i), a.members()[i].type, b.members()[i].type);
        }
        return;
    }
  }

  void descend(std::string_view step, const Type& a, const Type& b) {
    size_t size = path_.size();
    path_ += '.';
    path_ += step;
    check(a, b);
    path_.resize(size);
  }

  void check_elements(const Type& a, const Type& b) {
    size_t before = a.members().size();
    size_t after = b.members().size();
    bool variant = a.is(TypeKind::Variant);
    if (variant ? after < before : after != before) {
      report(Compatibility::Incompatible,
             variant
                 ? fmt::format("alternatives were removed: {} became {}", before, after)
                 : fmt::format("tuple of {} elements cannot be read as one of {}", before, after));
      return;
    }
    for (size_t i = 0; i < before; ++i) {
      descend(step_name(a, i), a.members()[i].type, b.members()[i].type);
    }
  }

  static bool removed_in(const Type& type, const std::string& stable_name) {
    auto removed = type.removed_members();
    return std::find(removed.begin(), removed.end(), stable_name) != removed.end();
  }

  /// Members go by stable name, for structs and named variants alike.
  void check_members(const Type& a, const Type& b) {
    bool variant = a.is(TypeKind::Variant);
    std::string_view what = variant ? "alternative" : "field";
    std::map<std::string_view, const Member*> old_members, new_members;
    for (const Member& member : a.members()) old_members.emplace(member.stable_name, &member);
    for (const Member& member : b.members()) new_members.emplace(member.stable_name, &member);

    for (const std::string& name : a.removed_members()) {
      if (new_members.contains(name)) {
        report(Compatibility::Incompatible,
               fmt::format("name of removed field {} is used again", quoted(name)));
      } else if (!removed_in(b, name)) {
        report(Compatibility::Incompatible,
               fmt::format("removed field {} is no longer listed", quoted(name)));
      }
    }

    std::vector<const Member*> kept;
    for (const Member& member : a.members()) {
      auto found = new_members.find(member.stable_name);
      if (found == new_members.end()) {
        check_removal(member, b, variant);
        continue;
      }
      kept.push_back(&member);
      if (found->second->name != member.name && !options_.allow_rename) {
        report(Compatibility::Incompatible,
               fmt::format("{} {} was renamed to {}", what, quoted(member.name),
                           quoted(found->second->name)));
      }
      descend(member.name, member.type, found->second->type);
    }
    if (variant && kept.empty() && !a.members().empty()) {
      report(Compatibility::Incompatible, "no alternative was kept");
    }

    bool any_order = options_.allow_rename && options_.allow_removal;
    for (size_t i = 0; i < b.members().size(); ++i) {
      const Member& member = b.members()[i];
      bool is_new = !old_members.contains(member.stable_name);
      if (is_new && !variant && !is_nullable(member.type)) {
        report(Compatibility::Incompatible,
               fmt::format("new field {} is not optional", quoted(member.name)));
      }
      if (any_order) continue;
      bool in_place =
          is_new ? i >= kept.size() : i < kept.size() && kept[i]->stable_name == member.stable_name;
      if (!in_place) {
        report(Compatibility::Incompatible,
               is_new ? fmt::format("new {} {} is not at the end", what, quoted(member.name))
                      : fmt::format("{} {} changed its place", what, quoted(member.name)));
      }
    }
  }

  void check_removal(const Member& member, const Type& b, bool variant) {
    std::string_view what = variant ? "alternative" : "field";
    if (!options_.allow_removal) {
      report(Compatibility::Incompatible,
             fmt::format("{} {} was removed", what, quoted(member.name)));
    } else if (variant) {
      report(Compatibility::RequireValidation,
             fmt::format("alternative {} was removed", quoted(member.name)));
    } else if (!removed_in(b, member.stable_name)) {
      report(
          Compatibility::Incompatible,
          fmt::format("field {} was removed but is not in removed_members", quoted(member.name)));
    }
  }

  CompatibilityOptions options_;
  std::string path_;
  std::vector<CompatibilityResult> reasons_;
};

CompatibilityResult worst_of(const std::vector<CompatibilityResult>& reasons) {
  const auto worst = std::ranges::min_element(reasons, {}, &CompatibilityResult::compatibility);
  return worst == reasons.end() ? CompatibilityResult{} : *worst;
}

}  // namespace

CompatibilityResult check_type_compatibility(const Type& old_type, const Type& new_type,
                                             const CompatibilityOptions& options,
                                             std::string_view name) {
  Checker checker(options, name);
  checker.check(old_type, new_type);
  return worst_of(checker.take());
}

std::vector<CompatibilityResult> table_incompatibilities(const TableSchema& input,
                                                         const TableSchema& output,
                                                         const CompatibilityOptions& options) {
  std::vector<CompatibilityResult> reasons;
  auto refuse = [&](const std::string& column, std::string reason) {
    reasons.push_back({Compatibility::Incompatible, column, std::move(reason)});
  };
  std::map<std::string_view, const ColumnSchema*> inputs, outputs;
  for (const ColumnSchema& column : input.columns) inputs.emplace(column.stable_name, &column);
  for (const ColumnSchema& column : output.columns) outputs.emplace(column.stable_name, &column);

  if (output.strict && !input.strict) {
    refuse("", "rows of a non-strict schema cannot go into a strict one");
  }
  for (const ColumnSchema& column : output.columns) {
    auto found = inputs.find(column.stable_name);
    if (found == inputs.end()) {
      if (column.required()) {
        refuse(column.name, "column is missing and is required");
      } else if (!input.strict) {
        refuse(column.name, "column is missing and the schema is not strict: it may hold anything");
      }
      continue;
    }
    if (found->second->name != column.name && !options.allow_rename) {
      refuse(column.name, fmt::format("column {} was renamed", quoted(found->second->name)));
    }
    Checker checker(options, column.name);
    checker.check(found->second->type, column.type);
    std::ranges::move(checker.take(), std::back_inserter(reasons));
  }
  for (const ColumnSchema& column : input.columns) {
    if (outputs.contains(column.stable_name) || !output.strict) continue;
    bool deleted = std::find(output.deleted_columns.begin(), output.deleted_columns.end(),
                             column.stable_name) != output.deleted_columns.end();
    if (!deleted || !options.allow_removal) {
      refuse(column.name, "column is not in the new schema, which is strict");
    }
  }

  size_t keys = output.key_column_count();
  if (keys > input.key_column_count()) {
    refuse("", fmt::format("key of {} columns is not a prefix of the key of {}", keys,
                           input.key_column_count()));
  } else {
    for (size_t i = 0; i < keys && i < input.columns.size(); ++i) {
      const ColumnSchema& a = input.columns[i];
      const ColumnSchema& b = output.columns[i];
      if (a.stable_name != b.stable_name || a.sort_order != b.sort_order) {
        refuse(b.name, fmt::format("key column does not match key column {}", quoted(a.name)));
      }
    }
    if (output.unique_keys && (!input.unique_keys || keys != input.key_column_count())) {
      refuse("", "keys may not be unique");
    }
  }
  return reasons;
}

}  // namespace xwalk::yt
