#include "xwalk/yt/validate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/repeats.h"
#include "xwalk/base/text.h"
#include "xwalk/yt/cluster_version.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/type_hash.h"

namespace xwalk::yt {
namespace {

/// Most distinct locks of a table.
constexpr size_t kMaxLocks = 32;

/// Calls `visit(type, path)` for a type and everything in it, parents first. `path` is in YTsaurus
/// notation.
template <typename Visit>
void walk(const Type& type, std::string* path, const Visit& visit) {
  if (!visit(type, *path)) return;
  size_t size = path->size();
  for (size_t i = 0; i < type.members().size(); ++i) {
    *path += '.';
    *path += step_name(type, i);
    walk(type.members()[i].type, path, visit);
    path->resize(size);
  }
}

class TypeChecker {
 public:
  TypeChecker(std::string_view column, Problems* problems) : column_(column), problems_(problems) {}

  void check(const Type& type) {
    std::string path = column_;
    check(type, &path, 0);
  }

 private:
  void report(const std::string& path, std::string message, std::string hint = {}) {
    problems_->push_back({column_, path, std::move(message), std::move(hint)});
  }

  void check(const Type& type, std::string* path, int depth) {
    if (depth > kMaxTypeDepth) {
      report(*path, fmt::format("type exceeds type depth limit: {} levels of composite types",
                                kMaxTypeDepth));
      return;
    }
    check_layer(type, *path);
    // An optional of yson is the form that yson has.
    if (type.is(TypeKind::Optional) && type.item().is(TypeKind::Yson)) return;
    size_t size = path->size();
    for (size_t i = 0; i < type.members().size(); ++i) {
      *path += '.';
      *path += step_name(type, i);
      check(type.members()[i].type, path, depth + 1);
      path->resize(size);
    }
  }

  /// Checks what a type says itself, not what its items say.
  void check_layer(const Type& type, const std::string& path) {
    if (type.is(TypeKind::Yson)) {
      report(path, "type \"Any\" is disallowed outside of optional", "use optional<yson>");
    } else if (type.is(TypeKind::Decimal)) {
      check_decimal(type, path);
    } else if (type.is(TypeKind::Tagged)) {
      check_tag(type.tag(), path);
    } else if (type.is(TypeKind::Dict)) {
      check_key(type.key(), path);
    } else if (type.is_named()) {
      check_names(type, path);
    }
  }

  void check_tag(const std::string& tag, const std::string& path) {
    if (tag.empty()) report(path, "tag is empty");
    if (tag.size() > kMaxNameLength) {
      report(path, fmt::format("tag is too big: {} > {} bytes", tag.size(), kMaxNameLength));
    }
    if (!is_valid_utf8(tag)) report(path, "tag is not valid utf8");
  }

  void check_key(const Type& key, const std::string& path) {
    std::string key_path = path + ".<key>";
    walk(key, &key_path, [&](const Type& type, const std::string& place) {
      if (type.is_simple() && !kind_row(type.kind()).comparable) {
        report(place, fmt::format("\"{}\" is of type \"{}\" that is not allowed in dict key", place,
                                  kind_name(type.kind())));
      }
      return true;
    });
  }

  void check_name(const std::string& name, size_t index, std::string_view what,
                  const std::string& path) {
    if (name.empty()) report(path, fmt::format("{} of struct field #{} is empty", what, index));
    if (name.size() > kMaxNameLength) {
      report(path, fmt::format("{} of struct field #{} exceeds limit: {} > {}", what, index,
                               name.size(), kMaxNameLength));
    }
    if (!is_valid_utf8(name)) {
      report(path, fmt::format("{} of struct field #{} is not valid utf8", what, index));
    }
  }

  void check_names(const Type& type, const std::string& path) {
    std::set<std::string_view> names;
    std::map<std::string_view, size_t> stable_names;
    for (size_t i = 0; i < type.members().size(); ++i) {
      const Member& member = type.members()[i];
      check_name(member.name, i, "name", path);
      bool repeated = !names.insert(member.name).second;
      if (repeated) {
        report(path, fmt::format("struct field name {} is used twice", quoted(member.name)));
      }
      // An unchanged stable name is the name: one problem is enough.
      if (member.stable_name != member.name) check_name(member.stable_name, i, "stable name", path);
      if (!stable_names.emplace(member.stable_name, i).second && !repeated) {
        report(path, fmt::format("struct field stable name {} is used twice",
                                 quoted(member.stable_name)));
      }
    }
    std::set<std::string_view> removed;
    for (const std::string& name : type.removed_members()) {
      if (name.empty()) report(path, "stable name of a removed field is empty");
      if (name.size() > kMaxNameLength) {
        report(path, fmt::format("stable name of a removed field exceeds limit: {} > {}",
                                 name.size(), kMaxNameLength));
      }
      if (!is_valid_utf8(name)) report(path, "stable name of a removed field is not valid utf8");
      if (!removed.insert(name).second) {
        report(path, fmt::format("removed field stable name {} is used twice", quoted(name)));
      }
      if (auto live = stable_names.find(name); live != stable_names.end()) {
        report(path, fmt::format("removed field stable name {} cannot be used as a stable name of "
                                 "struct field #{}",
                                 quoted(name), live->second));
      }
    }
  }

  void check_decimal(const Type& type, const std::string& path) {
    if (type.precision() < 1 || type.precision() > kMaxDecimalPrecision) {
      report(path, fmt::format("invalid decimal precision {}: expected 1 to {}", type.precision(),
                               kMaxDecimalPrecision));
    } else if (type.scale() < 0) {
      report(path, fmt::format("invalid decimal scale {}: expected 0 or more", type.scale()));
    } else if (type.scale() > type.precision()) {
      report(path, fmt::format("decimal scale \"{}\" exceeds precision \"{}\"", type.scale(),
                               type.precision()));
    }
  }

  std::string column_;
  Problems* problems_;
};

/// Columns that only the system adds, and their types.
bool is_system_column(const ColumnSchema& column, TypeKind* type) {
  static constexpr std::pair<std::string_view, TypeKind> kColumns[] = {
      {"$timestamp", TypeKind::Uint64},
      {"$ttl", TypeKind::Uint64},
      {"$cumulative_data_weight", TypeKind::Int64},
      {"$row_index", TypeKind::Int64},
      {"$range_index", TypeKind::Int64},
  };
  for (const auto& [name, expected] : kColumns) {
    if (column.name != name) continue;
    *type = expected;
    return true;
  }
  return false;
}

bool is_aggregate(std::string_view name) {
  for (std::string_view known : {"sum", "min", "max", "first", "xdelta", "dict_sum"}) {
    if (name == known) return true;
  }
  // Nested ones take the name of their table, internal ones begin with the system's prefix.
  bool nested = name.starts_with("nested_key(") || name.starts_with("nested_value(");
  return (nested && name.ends_with(')')) || name.starts_with("_yt_");
}

void check_column_name(const ColumnSchema& column, Problems* problems) {
  auto report = [&](std::string message, std::string hint = {}) {
    problems->push_back({column.name, column.name, std::move(message), std::move(hint)});
  };
  auto check_length = [&](std::string_view what, const std::string& name) {
    if (name.empty()) report(fmt::format("{} cannot be empty", what));
    if (name.size() > kMaxNameLength) {
      report(fmt::format("{} is longer than maximum allowed: {} > {}", what, name.size(),
                         kMaxNameLength));
    }
  };
  check_length("column name", column.name);
  if (column.stable_name != column.name) check_length("column stable name", column.stable_name);
  if (column.lock) check_length("lock name", *column.lock);
  if (column.group) check_length("group name", *column.group);
  if (column.name.starts_with('$')) {
    TypeKind expected{};
    if (!is_system_column(column, &expected)) {
      report(fmt::format("system column name {} is not allowed here", quoted(column.name)));
    } else if (to_v1(column.type).type != expected) {
      report(fmt::format("system column {} must be of type \"{}\", found \"{}\"",
                         quoted(column.name), kind_name(expected), print_short(column.type)));
    }
  }
}

void check_column_attributes(const ColumnSchema& column, Problems* problems) {
  auto report = [&](std::string message, std::string hint = {}) {
    problems->push_back({column.name, column.name, std::move(message), std::move(hint)});
  };
  V1Type v1 = to_v1(column.type);
  if (without_tags(column.type).is(TypeKind::Yson)) {
    report("column of type \"any\" cannot be \"required\"", "use optional<yson>");
  }
  if (column.sort_order) {
    if (!can_be_key_column(column.type)) {
      report(fmt::format("key column cannot be of \"{}\" type", print_short(column.type)));
    }
    if (column.lock) report("column lock cannot be set on a key column");
    if (column.aggregate) report("key column cannot be aggregated");
    if (column.max_inline_hunk_size) report("max inline hunk size cannot be set on a key column");
  }
  if (column.expression && v1.required) report("computed column cannot be required");
  if (column.aggregate && !is_aggregate(*column.aggregate)) {
    report(fmt::format("unknown aggregate function {}", quoted(*column.aggregate)),
           "known are sum, min, max, first, xdelta, dict_sum, nested_key(..), nested_value(..)");
  }
  if (column.max_inline_hunk_size) {
    PhysicalType physical = physical_type(column.type);
    if (*column.max_inline_hunk_size <= 0) report("max inline hunk size must be positive");
    if (physical != PhysicalType::String && physical != PhysicalType::Any &&
        physical != PhysicalType::Composite) {
      report("max inline hunk size can only be set for string-like columns");
    }
  }
}

}  // namespace

Problems validate(const Type& type, std::string_view name) {
  Problems problems;
  TypeChecker(name, &problems).check(type);
  return problems;
}

Problems validate(const ColumnSchema& column) {
  Problems problems;
  check_column_name(column, &problems);
  check_column_attributes(column, &problems);
  // A bare yson was named as a column's own problem.
  Problems inner = validate(column.type, column.name);
  bool bare = without_tags(column.type).is(TypeKind::Yson);
  for (Problem& problem : inner) {
    if (bare && problem.hint == "use optional<yson>") continue;
    problems.push_back(std::move(problem));
  }
  return problems;
}

namespace {

/// Returns true for a column of which only the type can be wrong.
bool has_only_type(const ColumnSchema& column) {
  return !column.name.empty() && column.name.size() <= kMaxNameLength &&
         column.name.front() != '$' && column.stable_name == column.name && !column.sort_order &&
         !column.lock && !column.expression && !column.aggregate && !column.group &&
         !column.max_inline_hunk_size;
}

/// Returns true if no name of a column, that of its data included, is another column's.
bool has_distinct_names(const TableSchema& schema) {
  std::vector<std::string_view> names;
  names.reserve(schema.columns.size());
  for (const ColumnSchema& column : schema.columns) {
    if (column.stable_name != column.name) return false;
    names.push_back(column.name);
  }
  return schema.deleted_columns.empty() && repeats_before(names).empty();
}

}  // namespace

Problems validate(const TableSchema& schema) {
  Problems problems;
  // Types in which nothing was found.
  std::unordered_set<Type, TypeHash> right;
  auto report = [&](const std::string& column, std::string message, std::string hint = {}) {
    problems.push_back({column, column, std::move(message), std::move(hint)});
  };
  std::unordered_set<std::string_view> names, stable_names, locks;
  const bool distinct = has_distinct_names(schema);
  bool in_key = true;
  int64_t total = 0;
  for (const ColumnSchema& column : schema.columns) {
    const bool has_more = !has_only_type(column);
    if (has_more || !right.contains(column.type)) {
      Problems own = validate(column);
      if (!has_more && own.empty()) right.insert(column.type);
      problems.insert(problems.end(), std::make_move_iterator(own.begin()),
                      std::make_move_iterator(own.end()));
    }
    if (distinct) {
      // No two to compare.
    } else if (!names.insert(column.name).second) {
      report(column.name, fmt::format("duplicate column name {}", quoted(column.name)));
    } else if (!stable_names.insert(column.stable_name).second) {
      report(column.name,
             fmt::format("duplicate column stable name {}", quoted(column.stable_name)));
    }
    if (column.sort_order && !in_key) {
      report(column.name, "key columns must form a prefix of schema");
    }
    in_key = in_key && column.sort_order.has_value();
    if (!schema.strict && column.stable_name != column.name) {
      report(column.name, "column cannot be renamed in non-strict schema");
    }
    if (column.lock) locks.insert(*column.lock);
    total += complexity(column.type);
  }
  for (const std::string& name : schema.deleted_columns) {
    if (name.empty()) report("", "stable name should be set for deleted column");
    if (name.size() > kMaxNameLength) {
      report("",
             fmt::format("stable name of deleted column is longer than maximum allowed: {} > {}",
                         name.size(), kMaxNameLength));
    }
    if (!stable_names.insert(name).second) {
      report("", fmt::format("duplicate column stable name {}", quoted(name)));
    }
  }
  if (schema.unique_keys && schema.key_column_count() == 0) {
    report("", "\"unique_keys\" can only be true if there are key columns");
  }
  if (locks.size() > kMaxLocks) {
    report("", fmt::format("too many column locks: {} > {}", locks.size(), kMaxLocks));
  }
  if (total >= kMaxSchemaComplexity) {
    report("", fmt::format("table schema is too complex: complexity {}, must be less than {}",
                           total, kMaxSchemaComplexity));
  }
  return problems;
}

Error to_error(const Problem& problem) {
  Place place;
  if (!problem.column.empty()) place.path = Path::column(problem.column);
  std::string message = problem.message;
  if (problem.path != problem.column) {
    message = fmt::format("{} has bad type: {}", quoted(problem.path), problem.message);
  }
  return Error(ErrorCode::Input, std::move(message), std::move(place), problem.hint);
}

void check(const Type& type) {
  Problems problems = validate(type);
  if (problems.empty()) return;
  // A single type has no column to name.
  Error error = to_error(problems.front());
  error.place().path = Path();
  throw error;
}

void check(const ColumnSchema& column) {
  Problems problems = validate(column);
  if (!problems.empty()) throw to_error(problems.front());
}

void check(const TableSchema& schema) {
  Problems problems = validate(schema);
  if (!problems.empty()) throw to_error(problems.front());
}

hub::Findings notes(const TableSchema& schema) {
  hub::Findings findings;
  // Types without findings.
  std::unordered_set<Type, TypeHash> silent;
  for (const ColumnSchema& column : schema.columns) {
    if (silent.contains(column.type)) continue;
    const size_t before = findings.size();
    // The first place of each kind within a column is enough to warn.
    std::set<TypeKind> seen;
    std::string path = column.name;
    walk(column.type, &path, [&](const Type& type, const std::string& place) {
      const std::optional<ClusterVersion> since = documented_since(type);
      bool beyond = type.is(TypeKind::Decimal) && type.precision() > kSpecDecimalPrecision;
      if ((!since && !beyond) || !seen.insert(type.kind()).second) return true;
      hub::Finding finding;
      finding.path = Path::column(column.name);
      std::string where = place == column.name ? "" : fmt::format(" (at {})", place);
      if (beyond) {
        finding.rule = "spec.beyond-text";
        finding.lost = fmt::format(
            "the specification and YQL end at decimals of {} digits, the system at {}{}",
            kSpecDecimalPrecision, kMaxDecimalPrecision, where);
        finding.hint = "a precision of at most 35 is read everywhere";
      } else {
        finding.rule = "spec.version";
        finding.lost = fmt::format("the type was added in YTsaurus {}{}", to_string(*since), where);
        finding.hint = fmt::format("clusters older than {} refuse it", to_string(*since));
      }
      findings.push_back(std::move(finding));
      return true;
    });
    if (findings.size() == before) silent.insert(column.type);
  }
  for (const RowSpecDifference& difference : schema.row_spec_differences) {
    findings.push_back(
        {.rule = "row-spec.differs",
         .path = difference.column.empty() ? Path() : Path::column(difference.column),
         .lost = difference.text,
         .hint = "YQL reads the table by its row spec, every other program by its schema"});
  }
  return findings;
}

hub::Findings findings_on(const TableSchema& schema) {
  hub::Findings findings;
  for (const Problem& problem : validate(schema)) {
    const Error error = to_error(problem);
    findings.push_back({.rule = "spec.broken",
                        .path = error.place().path,
                        .effect = hub::Effect::Forbidden,
                        .lost = error.message(),
                        .hint = error.hint()});
  }
  std::ranges::move(notes(schema), std::back_inserter(findings));
  return findings;
}

}  // namespace xwalk::yt
