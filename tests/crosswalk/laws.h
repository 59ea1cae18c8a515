#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "tests/skiff/random_rows.h"
#include "tests/yt/random_type.h"
#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/module.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

// Reports are checked against the truth: the observed round trip is what was claimed.

namespace xwalk::crosswalk::testing {

using hub::Batch;
using hub::Schema;
using hub::testing::Value;

/// Options of the plans: values of any type stay binary YSON. Their way through VARIANT is compared
/// in tests/truth, since the way back below has no rules for values.
inline PlanOptions plan_options() {
  PlanOptions options;
  options.cast.any = hub::AnyValues::Yson;
  return options;
}

/// Returns true if the very path is claimed to refuse values.
inline bool claimed(const Plan& plan, const Path& path) {
  return std::ranges::any_of(plan.paths, [&](const PathReport& report) {
    return report.values != hub::Values::Kept && report.path == path.in_schema();
  });
}

/// The type with other fields at its places, as `children_of` lists them.
inline hub::Type with_places(const hub::Type& type, std::vector<hub::Field> fields) {
  if (type.kind() == hub::Kind::Map) {
    hub::Field entries = type.child();
    entries.type = hub::struct_(std::move(fields));
    fields = {std::move(entries)};
  }
  return hub::with_children(type, std::move(fields));
}

/// The source's schema with the names that the target knows: what comes back goes by those.
inline hub::Field called_as_there(hub::Field field, const Path& path, const hub::Renames& renames) {
  const bool encoded = !(without_encoding(field.type) == field.type);
  if (encoded || field.type.children().empty()) return field;
  std::vector<hub::Field> children;
  for (const Child& child : children_of(field.type, path)) {
    children.push_back(called_as_there(*child.field, child.path, renames));
  }
  if (has_names(field.type)) {
    const std::vector<hub::Rename> names = hub::names_of(field.type, path, renames);
    for (size_t i = 0; i < children.size(); ++i) children[i].name = names[i].name;
  }
  field.type = with_places(field.type, std::move(children));
  return field;
}

/// What breaks a law; empty when all hold.
inline std::string broken_law(const Plan& plan, const std::vector<Value>& rows) {
  const Schema& source = plan.source_hub;
  Batch there = plan.cast.run(hub::testing::make_batch(source, rows));
  std::set<int64_t> refused;
  for (const hub::BadRow& bad : there.bad) {
    refused.insert(bad.index);
    if (!claimed(plan, bad.error.place().path)) {
      return "a row was rejected that no finding names: " + bad.error.describe();
    }
  }
  there = hub::drop_bad_rows(std::move(there), plan.target_hub, nullptr);
  const hub::Field wanted =
      called_as_there(hub::Field("", hub::struct_(source.fields), false), Path(), plan.renames);
  const Schema named{{wanted.type.children().begin(), wanted.type.children().end()}, {}};
  const hub::CompiledCast back = hub::compile_cast(plan.target_hub, named);
  Batch here = back.run(std::move(there));
  if (!here.bad.empty()) {
    return "a row that was taken does not come back: " + here.bad[0].error.describe();
  }
  const std::vector<Value> got = hub::testing::read_batch(source, std::move(here));
  size_t next = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (refused.contains(static_cast<int64_t>(i))) continue;
    if (!(got.at(next) == rows[i])) {
      return "row came back as " + to_text(got[next]) + ", was " + to_text(rows[i]);
    }
    ++next;
  }
  return "";
}

/// Claims about the type must hold for the target's written schema, not only for the one in memory.
inline std::string broken_form(const Plan& plan) {
  for (const hub::WrittenForm& form : plan.target_system->forms) {
    if (!form.parsed || form.name == "short" || plan.target_system == skiff::kModule) continue;
    std::string text;
    try {
      text = form.print(plan.target);
    } catch (const Error& error) {
      // Names that are not UTF-8 have no form in JSON.
      if (error.code() == ErrorCode::Unsupported && form.name == "json") continue;
      throw;
    }
    const AnySchema parsed = parse_schema(plan.target_system, text);
    if (!(to_arrow(parsed) == to_arrow(plan.target))) {
      return "the form " + std::string(form.name) + " does not give the schema back:\n" +
             hub::to_string(to_arrow(parsed)) + "\n" + hub::to_string(to_arrow(plan.target));
    }
  }
  return "";
}

/// Law 3: a path that is `annotated` differs without its annotation.
inline std::string broken_annotation(const Plan& plan) {
  // Skiff's table schema is always stored next to its rows.
  if (!plan.target_system->keeps_metadata) return "";
  PlanOptions plain = plan_options();
  plain.annotations = false;
  const Plan without =
      crosswalk::plan(plan.source_system, plan.source_hub, plan.target_system, plain);
  for (size_t i = 0; i < plan.paths.size(); ++i) {
    const hub::TypeKept with_type = plan.paths[i].type;
    const hub::TypeKept without_type = without.paths[i].type;
    if (with_type == hub::TypeKept::Noted && without_type != hub::TypeKept::Changed) {
      return plan.paths[i].path.text() + " is annotated and does not need to be";
    }
    if (with_type == hub::TypeKept::Self && without_type != hub::TypeKept::Self) {
      return plan.paths[i].path.text() + " needs its annotation and does not say so";
    }
  }
  return "";
}

/// Returns the field at a path, or null.
inline const hub::Field* field_at(const std::vector<Child>& among, const Path& path) {
  for (const Child& child : among) {
    if (child.path == path) return child.field;
    const hub::Field* below =
        field_at(children_of(without_encoding(child.field->type), child.path), path);
    if (below != nullptr) return below;
  }
  return nullptr;
}

/// Whether a system has no way for a layer at all: what its capabilities say, and its format.
inline bool has_no_way(System from, System target, const hub::Type& type) {
  // Iceberg leaves fields of the type unknown out of its data files, and has no lists of them.
  const bool is_data_file = from == iceberg::kModule && target == parquet::kModule;
  if (is_data_file && type.kind() == hub::Kind::Null) return true;
  const bool empty = type.kind() == hub::Kind::Struct && type.children().empty();
  return empty && (target == parquet::kModule || !target->capabilities.empty_structs);
}

/// Law 4: what is unsupported is what the target has no way for, at its place.
inline std::string unjustified(const hub::Finding& found, System from, const Schema& source,
                               System target) {
  const hub::Type row = hub::struct_(source.fields);
  const hub::Field* field = field_at(children_of(row, Path()), found.path);
  if (field != nullptr && has_no_way(from, target, without_encoding(field->type))) return "";
  return "unsupported without need: " + found.path.text() + ": " + found.lost;
}

/// Returns the columns of a plan that can be converted.
inline Schema supported(const Plan& plan) {
  Schema out = plan.source_hub;
  out.fields.clear();
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] < hub::Verdict::Unsupported) out.fields.push_back(plan.source_hub.fields[i]);
  }
  return out;
}

/// A system's rules for values, and YTsaurus annotations next to them: values beyond these are
/// errors in the data, which no finding reports.
inline hub::Refine said_of(System from) {
  return [from](const hub::Field& field) {
    const bool noted = from->types() != yt::kModule && hub::annotation(field, "yt");
    if (noted) return yt::kModule.refine(field);
    return from->refine == nullptr ? hub::Refinement{} : from->refine(field);
  };
}

inline std::string broken(System from, const Schema& source, System target, uint64_t seed) {
  try {
    const Plan whole = crosswalk::plan(from, source, target, plan_options());
    for (const hub::Finding& found : whole.unsupported) {
      if (std::string why = unjustified(found, from, source, target); !why.empty()) return why;
    }
    const Plan plan = crosswalk::plan(from, supported(whole), target, plan_options());
    if (!plan.unsupported.empty()) return "a column is unsupported only without others";
    if (plan.source_hub.fields.empty()) return "";
    RandomData data(seed);
    const hub::Refine refine = said_of(from);
    std::vector<Value> rows;
    for (int i = 0; i < 20; ++i) {
      std::vector<Value> row;
      for (const hub::Field& field : plan.source_hub.fields) {
        row.push_back(data.value(field, refine));
      }
      rows.emplace_back(std::move(row));
    }
    std::string why = broken_law(plan, rows);
    if (why.empty()) why = broken_form(plan);
    if (why.empty()) why = broken_annotation(plan);
    return why;
  } catch (const Error& error) {
    return error.describe();
  }
}

/// A random schema of a system's rows: of random types of Arrow, of YTsaurus, and of the latter
/// with the notes of what they were; for Skiff, of wire types alone as well.
inline Schema random_schema(System from, uint64_t seed) {
  const uint64_t kind = seed % 4;
  if (kind == 0) {
    const Schema schema{RandomData(seed).fields(3, 2), {}};
    return to_arrow(from_arrow(from, schema).schema);
  }
  if (kind == 1 && from == skiff::kModule) {
    const skiff::testing::RandomTable table(static_cast<uint32_t>(seed));
    return to_arrow(AnySchema(skiff::kModule, table.schema()));
  }
  const Schema own = to_arrow(AnySchema(yt::kModule, yt::testing::RandomTypes(seed).table()));
  if (from == yt::kModule) return own;
  const Plan there = crosswalk::plan(yt::kModule, own, from, plan_options());
  return kind == 1 ? to_arrow(there.target) : there.target_hub;
}

}  // namespace xwalk::crosswalk::testing
