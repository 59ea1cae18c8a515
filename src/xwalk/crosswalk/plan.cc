#include "xwalk/crosswalk/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/alike.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/carried_metadata.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/path_reports.h"
#include "xwalk/crosswalk/plan_keys.h"
#include "xwalk/crosswalk/plan_names.h"
#include "xwalk/crosswalk/schema_work.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/crosswalk/target_rules.h"
#include "xwalk/crosswalk/unsupported_columns.h"
#include "xwalk/crosswalk/unused_options.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/variant.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/parquet/geo_metadata.h"
#include "xwalk/parquet/module.h"
#include "xwalk/yt/hub.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using hub::Type;

/// A target schema, the findings about it, and the lowered schema of the source.
struct Target {
  AnySchema schema;
  hub::Findings findings;
  hub::Lowered lowered;
  /// The schema as its reader sees it without annotations, if it restores types from them.
  std::optional<Schema> unnoted;
  /// The types that values have between source and target; null if the schemas say it all.
  std::shared_ptr<const hub::Meanings> meanings;
  /// False if the schema follows from the source's.
  bool is_given = false;
  /// The Arrow schema of the columns to plan, if it is known.
  std::optional<Schema> hub;
  /// Why columns, by their place in the source, have another meaning in the target.
  std::map<size_t, Error> refused;
};

/// Makes JSON text or VARIANT of values of any type, for a target that has no type for them.
/// `$other_columns` stays a map of YSON, which restores its columns, unless the user asks for
/// another form.
Field with_any_as(hub::AnyValues wanted, bool is_given, Field field, const hub::Refine& refine) {
  const hub::Refinement domain = refine ? refine(field) : hub::Refinement();
  if (domain.rest_fault != nullptr && !is_given) return field;
  if (domain.yson) {
    const bool variant = wanted == hub::AnyValues::Variant;
    Field out(field.name, variant ? hub::variant_type() : Type(Kind::Utf8), field.nullable,
              without_type(field.metadata));
    return hub::with_extension(std::move(out),
                               variant ? hub::kVariantExtension : hub::kJsonExtension);
  }
  std::vector<Field> children;
  for (const Field& child : field.type.children()) {
    children.push_back(with_any_as(wanted, is_given, child, refine));
  }
  if (!children.empty()) field.type = with_children(field.type, std::move(children));
  return field;
}

/// Returns true if a system has VARIANT: its own schema of one gives it back.
bool has_variants(System system) {
  const Field one =
      hub::with_extension(Field("v", hub::variant_type(), true), hub::kVariantExtension);
  return hub::is_variant(schema_back(system, {{one}, {}}, true).fields.front());
}

/// Returns what values of any type become in a system.
hub::AnyValues any_values(const PlanOptions& options, System target) {
  const hub::AnyValues wanted = options.cast.any;
  switch (wanted) {
    case hub::AnyValues::AsTarget:
      return target->prefers_variant ? hub::AnyValues::Variant : hub::AnyValues::Yson;
    case hub::AnyValues::Yson:
      break;
    case hub::AnyValues::Json:
    case hub::AnyValues::YtJson:
      return target->capabilities.any_values ? hub::AnyValues::Yson : wanted;
    case hub::AnyValues::Variant:
      return has_variants(target) ? wanted : hub::AnyValues::Yson;
  }
  return hub::AnyValues::Yson;
}

/// Makes values of any type of VARIANT, for a target that has that type and no VARIANT.
Field with_variant_as_any(Field field) {
  if (hub::is_variant(field)) {
    Field any = yt::to_arrow(field.name, yt::optional(yt::Type(yt::TypeKind::Yson)));
    for (const auto& [key, value] : without_type(field.metadata)) any.metadata.set(key, value);
    return any;
  }
  std::vector<Field> children;
  for (const Field& child : field.type.children()) children.push_back(with_variant_as_any(child));
  if (!children.empty()) field.type = with_children(field.type, std::move(children));
  return field;
}

/// Makes plain times of times with a zone per value.
Field with_zones_dropped(Field field, const hub::Refine& refine) {
  const Type& type = field.type;
  if (refine && refine(field).zone_names && type.kind() == Kind::Struct) {
    const Field& time = type.child(0);
    Field out(field.name, time.type, field.nullable || time.nullable, without_type(field.metadata));
    for (const auto& [key, value] : time.metadata) out.metadata.set(key, value);
    return out;
  }
  std::vector<Field> children;
  for (const Field& child : type.children()) children.push_back(with_zones_dropped(child, refine));
  if (!children.empty()) field.type = with_children(type, std::move(children));
  return field;
}

/// Makes bytes of columns of geometry, which the key `geo` of GeoParquet describes.
void store_as_geoparquet(std::vector<Field>* columns, hub::Findings* findings) {
  for (Field& column : *columns) {
    const std::optional<hub::Geospatial> type = hub::geospatial_of(column);
    if (!type) continue;
    column = parquet::as_geoparquet(std::move(column));
    std::string lost = parquet::beyond_geoparquet(*type);
    if (lost.empty()) continue;
    findings->push_back({.rule = "crs.beyond-geoparquet",
                         .path = Path::column(column.name),
                         .lost = std::move(lost)});
  }
}

hub::CastOptions cast_options_of(System from, System to, const PlanOptions& options) {
  hub::CastOptions out = options.cast;
  out.source = source_refinement(from, options.annotations);
  out.target = to->refine;
  out.check_required = from->check_required;
  return out;
}

hub::Refine without_special_values(hub::Refine refine) {
  if (!refine) return refine;
  return [refine = std::move(refine)](const Field& field) {
    hub::Refinement refinement = refine(field);
    refinement.special_values = false;
    return refinement;
  };
}

/// Returns the path of a struct without fields whose nulls or whose number in a list no column
/// would keep, if the field has one. `levels` says whether the field may be null or repeated with
/// one above it.
std::optional<Path> empty_struct(const Field& field, const Path& path, bool levels) {
  const Type& type = without_encoding(field.type);
  const bool empty = type.kind() == Kind::Struct && type.children().empty();
  levels = levels || field.nullable || !has_names(type);
  if (empty && levels) return path;
  for (const Child& child : children_of(type, path)) {
    if (auto found = empty_struct(*child.field, child.path, levels)) return found;
  }
  return std::nullopt;
}

/// Returns why a target cannot keep the structs without fields of a column; nothing if it can.
std::optional<Error> without_place(System target, const Field& column) {
  const bool plain = column.type.children().empty() && column.type.kind() != Kind::Struct;
  if (target->capabilities.empty_structs || plain) return std::nullopt;
  const std::optional<Path> found = empty_struct(column, Path::column(column.name), false);
  if (!found) return std::nullopt;
  return Error(ErrorCode::Unsupported, "a struct without fields has no column to keep its nulls in",
               {.path = *found}, "Leave the column out, or give it a field.");
}

/// Returns the place of each column of the source in the target.
std::vector<std::optional<size_t>> pairs_of(const Plan& plan) {
  return hub::pair_members(hub::struct_(plan.source_hub.fields),
                           hub::struct_(plan.target_hub.fields), Path(), plan.renames);
}

/// Returns the Arrow schema of a target, in the forms of a source of its own system.
Schema own_hub_of(System from, const Schema& source_hub, const AnySchema& target) {
  const System to = target.system();
  const bool own_forms = from == to && to->to_arrow_of != nullptr;
  return own_forms ? to->to_arrow_of(target, source_hub) : to_arrow(target);
}

/// Returns the same with the metadata of the lowered source that the target keeps.
Schema target_hub_of(System from, const Schema& source_hub, const AnySchema& target, Schema lowered,
                     bool annotations) {
  const System to = target.system();
  // A system whose labels of a table have no key writes schemas without them: nothing restores
  // them.
  if (from->types()->labels != nullptr && from->types()->labels_key.empty()) {
    lowered.metadata.erase(hub::annotation_key(from->types()->name));
  }
  Schema out = own_hub_of(from, source_hub, target);
  if (!to->keeps_metadata) return out;
  return with_metadata_of(to, lowered, std::move(out), annotations);
}

/// A plan in the making. Columns that turn out to be unsupported leave it, and come back at the
/// end. Some may have left it before: `target` is without them.
class Draft {
 public:
  Draft(System from, const Schema& source_hub, Target target, const PlanOptions& options,
        UnsupportedColumns left_out = {})
      : whole_(source_hub),
        left_out_(std::move(left_out)),
        target_(std::move(target)),
        options_(options),
        beyond_(lacking(target_.schema, options)),
        plan_{.source_system = from,
              .target_system = target_.schema.system(),
              .target = as_kept(std::move(target_.schema), options),
              .source_hub = without_columns(source_hub, left_out_.places()),
              .cast = hub::CompiledCast(nullptr)} {
    plan_.target_hub = target_.hub
                           ? *std::move(target_.hub)
                           : target_hub_of(from, plan_.source_hub, plan_.target,
                                           std::move(target_.lowered.schema), options.annotations);
    plan_.renames = std::move(target_.lowered.renames);
    cast_options_ = cast_options_of(from, plan_.target_system, options);
    cast_options_.renames = plan_.renames;
    cast_options_.meanings = std::move(target_.meanings);
    const bool shared = from->types() == plan_.target_system->types();
    plan_.special_decimals = shared && !options.special_decimals_as_null;
    if (options.special_decimals_as_null) {
      cast_options_.target = without_special_values(std::move(cast_options_.target));
    }
  }

  Plan finish() {
    join_columns();
    while (!complete()) join_columns();
    if (!left_out_.empty()) add_unsupported(whole_, std::move(left_out_), &plan_);
    return std::move(plan_);
  }

 private:
  /// Makes the reports. Leaves out columns that files of the source's own system can have, and that
  /// the system cannot hold. Then the result is false.
  bool complete() {
    const hub::Findings rules = target_rules(plan_, options_, beyond_);
    const Way way{
        plan_.source_hub,      plan_.target_hub, target_.unnoted ? &*target_.unnoted : nullptr,
        plan_.cast.findings(), target_.findings, rules};
    hub::Refused refused;
    plan_.paths = reports_on(plan_, way, options_, &refused);
    if (!refused.empty()) {
      leave_out({unsupported(plan_.source_hub, std::move(refused)), {}}, {});
      return false;
    }
    plan_.notes = unused_options(plan_, options_);
    return true;
  }

  /// Compiles the cast of the columns that have one, and that mean the same in a given target.
  void join_columns() {
    hub::NoCast none;
    std::optional<hub::CompiledCast> cast =
        hub::find_cast(plan_.source_hub, plan_.target_hub, cast_options_, &none);
    const System to = plan_.target_system;
    const std::vector<Field>& fields = plan_.source_hub.fields;
    UnsupportedColumns found;
    std::vector<Path> paths;
    std::vector<std::optional<size_t>> pairs;
    // The first reason of a column counts.
    const auto add = [&](size_t place, std::string_view rule, const Error& why) {
      if (paths.empty()) {
        paths = hub::paths_of_members(hub::struct_(fields), Path());
        pairs = pairs_of(plan_);
      }
      if (!pairs[place] || found.of_source.contains(place)) return;
      found.of_source[place] = {unsupported(rule, paths[place], why),
                                type_text(to, plan_.target_hub.fields[*pairs[place]])};
    };
    for (const auto& [place, why] : std::exchange(target_.refused, {})) {
      add(place, "meaning.differs", why);
    }
    for (size_t i = 0; target_.is_given && i < fields.size(); ++i) {
      if (const auto why = without_place(to, fields[i])) add(i, "type.no-cast", *why);
    }
    for (const auto& [place, why] : none.of_source) add(place, "type.no-cast", why);
    std::set<size_t> of_target;
    for (const auto& [place, why] : none.of_target) {
      of_target.insert(place);
      found.of_target.push_back(unsupported("member.added", why.place().path, why));
    }
    if (!found.empty()) {
      leave_out(std::move(found), of_target);
      cast = hub::compile_cast(plan_.source_hub, plan_.target_hub, cast_options_);
    } else if (!cast) {
      throw Error(*std::move(none.first));
    }
    plan_.cast = *std::move(cast);
  }

  /// Also leaves out the columns of the target at some places, and those that the columns go to.
  void leave_out(UnsupportedColumns columns, std::set<size_t> of_target) {
    const std::set<size_t> places = columns.places();
    const auto pairs = pairs_of(plan_);
    for (const size_t place : places) {
      if (pairs[place]) of_target.insert(*pairs[place]);
    }
    erase_findings(plan_.source_hub, places, &target_.findings);
    erase_findings(plan_.target_hub, of_target, &beyond_);
    if (target_.unnoted) {
      target_.unnoted = without_columns(*std::move(target_.unnoted), of_target);
    }
    plan_.target_hub = without_columns(std::move(plan_.target_hub), of_target);
    plan_.source_hub = without_columns(std::move(plan_.source_hub), places);
    left_out_.add(std::move(columns));
  }

  const Schema& whole_;
  /// By places in the whole source.
  UnsupportedColumns left_out_;
  Target target_;
  const PlanOptions& options_;
  hub::Findings beyond_;
  Plan plan_;
  hub::CastOptions cast_options_;
};

/// Maps a lowered schema. Annotations of Arrow types are no part of the target's own schema.
hub::FromArrow<AnySchema> mapped(System target, const hub::Lowered& lower,
                                 hub::Refused* refused = nullptr) {
  const bool has_notes = !target->is_hub && has_annotations_of(arrow::kModule, lower.schema);
  return has_notes ? hub::map_lowered(lower, without_annotations_of(arrow::kModule, lower.schema),
                                      target->from_arrow, refused)
                   : hub::map_lowered(lower, lower.schema, target->from_arrow, refused);
}

/// A source on the way to a system whose schema follows from it.
struct Natural {
  System source;
  System target;
  /// A system's own schema is no annotation of a file that could be disbelieved.
  bool own;
  /// All columns, which errors name. A plan may be of some of them.
  const std::vector<Field>& columns;
};

/// Returns true for the data files of a table of Iceberg.
bool is_data_file(const Natural& way) {
  return way.source == iceberg::kModule && way.target == parquet::kModule;
}

/// Returns what was refused of the columns of Iceberg's data files by the places in their table,
/// which can have columns of the type unknown in addition.
hub::Refused in_table(const Schema& table, hub::Refused of_files) {
  hub::Refused out{{}, std::move(of_files.whole)};
  size_t place = 0;
  for (size_t i = 0; i < table.fields.size(); ++i) {
    if (table.fields[i].type.kind() == Kind::Null) continue;
    const auto found = of_files.columns.find(place++);
    if (found != of_files.columns.end()) out.columns.emplace(i, std::move(found->second));
  }
  return out;
}

/// Maps a schema of a source to a system. If columns have no type there, `refused` gets those that
/// a step has found, and the result is empty.
std::optional<Target> natural_target(const Natural& way, const Schema& seen,
                                     const hub::Renames& requested, const PlanOptions& options,
                                     hub::Refused* refused) {
  const System target = way.target;
  std::optional<Schema> stored;
  if (is_data_file(way)) stored = as_iceberg_stores(seen, refused);
  const Schema& from = stored ? *stored : seen;
  for (size_t i = 0; i < seen.fields.size(); ++i) {
    auto why = without_place(target, seen.fields[i]);
    if (why) hub::Refused::add(refused, i, *std::move(why));
  }
  if (!refused->empty()) return std::nullopt;
  const auto is_refused = [&] {
    if (stored) *refused = in_table(seen, std::move(*refused));
    return !refused->empty();
  };
  hub::Lowered lower = lowered(target, from, options.annotations, requested);
  std::optional<Schema> unnoted;
  if (!way.own && !target->capabilities.json_note.empty()) {
    const Schema bare = hub::without_annotations(lower.schema);
    if (!options.annotations) lower.schema = bare;
    const auto there = hub::map_lowered(lower, bare, target->from_arrow, refused);
    if (is_refused()) return std::nullopt;
    unnoted = with_metadata_of(target, bare, to_arrow(there.schema), false);
  }
  auto [schema, findings] = mapped(target, lower, refused);
  if (is_refused()) return std::nullopt;
  return Target{.schema = std::move(schema),
                .findings = std::move(findings),
                .lowered = std::move(lower),
                .unnoted = std::move(unnoted)};
}

/// Returns the source's schema with the types that options ask for; nothing if it stays as it is.
std::optional<Schema> with_requested_types(const Natural& way, const Schema& source_hub,
                                           const PlanOptions& options, Casts* casts) {
  const auto& [source, target, own, columns] = way;
  const bool disbelieved = !options.annotations && !own;
  const hub::AnyValues any = any_values(options, target);
  const bool replaced = any != hub::AnyValues::Yson;
  const bool as_any =
      target->capabilities.any_values && std::ranges::any_of(source_hub.fields, hub::has_variant);
  // Copied only if something changes.
  std::optional<Schema> seen;
  if (!source->is_hub && has_annotations_of(arrow::kModule, source_hub)) {
    seen = without_ignored_notes(source, source_hub);
  }
  const bool drops_zones = options.cast.drop_zone;
  const bool as_geoparquet = options.geoparquet && target == parquet::kModule;
  if (!disbelieved && !replaced && !as_any && !drops_zones && !as_geoparquet &&
      options.casts.empty()) {
    return seen;
  }
  if (!seen) seen = source_hub;
  // Values of any type and times with zones are recognised by the notes of the source.
  const hub::Refine refine = source_refinement(source, options.annotations);
  const bool is_given = options.cast.any != hub::AnyValues::AsTarget;
  for (Field& field : seen->fields) {
    if (replaced) field = with_any_as(any, is_given, std::move(field), refine);
    if (drops_zones) field = with_zones_dropped(std::move(field), refine);
  }
  if (disbelieved) seen = hub::without_annotations(*std::move(seen));
  if (as_any) {
    for (Field& field : seen->fields) field = with_variant_as_any(std::move(field));
  }
  if (drops_zones) casts->findings = order_lost(cut_order(source_hub, &*seen));
  if (as_geoparquet) store_as_geoparquet(&seen->fields, &casts->findings);
  return with_casts(source, target, *std::move(seen), options.casts, casts, &columns);
}

/// The lowered schema that a plan's target was made of, without the columns at some places.
struct LoweredSource {
  Schema schema;
  std::set<size_t> without;
};

/// Plans each column by itself. `lowered` may be null.
Plan plan_of(const Natural& way, const Schema& source_hub, const PlanOptions& options,
             LoweredSource* lowered) {
  Casts casts;
  std::optional<Schema> seen = with_requested_types(way, source_hub, options, &casts);
  const hub::Renames requested =
      requested_names(seen ? *seen : source_hub, options.rename, &way.columns);
  UnsupportedColumns left_out;
  std::optional<Target> there;
  for (hub::Refused refused; !there; refused = {}) {
    const Schema& tried = seen ? *seen : source_hub;
    there = natural_target(way, tried, requested, options, &refused);
    if (there) break;
    UnsupportedColumns found{unsupported(tried, std::move(refused)), {}};
    erase_findings(tried, found.places(), &casts.findings);
    seen = without_columns(tried, found.places());
    left_out.add(std::move(found));
  }
  seen.reset();
  there->findings.insert(there->findings.begin(), casts.findings.begin(), casts.findings.end());
  there->meanings = meanings_of(way.source, source_hub, std::move(casts));
  if (lowered != nullptr) *lowered = {there->lowered.schema, left_out.places()};
  return Draft(way.source, source_hub, *std::move(there), options, std::move(left_out)).finish();
}

/// Returns the Arrow schema of all columns of a plan's target, which numbers them. The plan is of
/// distinct columns. `without` are the places of those that are not in the lowered schema.
Schema numbered(const Plan& plan, const Schema& source_hub, const AlikeColumns& alike,
                Schema lowered, const std::set<size_t>& without, bool annotations) {
  const std::set<size_t> never = alike.all(without);
  const std::set<size_t> unsupported = alike.all(alike.places_of(plan.unsupported));
  std::set<size_t> left_out;
  for (size_t i = 0, place = 0; i < source_hub.fields.size(); ++i) {
    if (never.contains(i)) continue;
    if (unsupported.contains(i)) left_out.insert(place);
    ++place;
  }
  return without_columns(target_hub_of(plan.source_system, without_columns(source_hub, never),
                                       plan.target, std::move(lowered), annotations),
                         left_out);
}

/// Repeats what a plan of distinct columns says about them. Its target has all columns already.
void repeat_columns(const AlikeColumns& alike, const Schema& source_hub, Plan* plan) {
  const std::set<size_t> unsupported = alike.all(alike.places_of(plan->unsupported));
  plan->source_hub = source_hub;
  plan->renames = alike.all(plan->renames);
  const auto cast = [&](const Schema& from) {
    return hub::compile_later(plan->cast, from, plan->target_hub, plan->renames,
                              alike.all(plan->cast.findings()));
  };
  plan->cast =
      unsupported.empty() ? cast(source_hub) : cast(without_columns(source_hub, unsupported));
  plan->unsupported = alike.all(plan->unsupported);
  plan->paths = alike.all(std::move(plan->paths));
}

/// Plans each distinct column once.
Plan plan_of(const Natural& way, const Schema& source_hub, const AlikeColumns& alike,
             const PlanOptions& options) {
  LoweredSource lowered;
  Plan plan = plan_of(way, alike.distinct(), options, &lowered);
  const std::set<size_t> unsupported = alike.places_of(plan.unsupported);
  std::optional<AnySchema> target = alike.all(plan.target, lowered.without);
  if (target) {
    plan.target = *std::move(target);
    plan.target_hub = alike.all(plan.target_hub, unsupported);
  } else {
    hub::Lowered all;
    all.schema = alike.all(lowered.schema, lowered.without);
    plan.target = as_kept(mapped(way.target, all).schema, options);
    plan.target_hub = alike.are_alike_in(plan.target_hub)
                          ? alike.all(plan.target_hub, unsupported)
                          : numbered(plan, source_hub, alike, std::move(all.schema),
                                     lowered.without, options.annotations);
  }
  repeat_columns(alike, source_hub, &plan);
  return plan;
}

/// Plans each distinct column once for a given target. Empty if no columns are alike.
std::optional<Plan> plan_of(System source, const Schema& source_hub, const Target& there,
                            const PlanOptions& options) {
  if (there.meanings || !there.refused.empty() || !there.lowered.renames.empty() ||
      !lacking(there.schema, options).empty()) {
    return std::nullopt;
  }
  Schema target_hub = *there.hub;
  const AlikeColumns alike(source_hub, options, &target_hub);
  if (!alike.any()) return std::nullopt;
  Target distinct{.schema = there.schema, .is_given = true, .hub = alike.distinct(target_hub)};
  Plan plan = Draft(source, alike.distinct(), std::move(distinct), options).finish();
  plan.target_hub =
      without_columns(std::move(target_hub), alike.all(alike.places_of(plan.unsupported)));
  repeat_columns(alike, source_hub, &plan);
  return plan;
}

Plan planned(System source, const Schema& source_hub, System target, const PlanOptions& options) {
  if (target->keeps_metadata && has_column_keys(source_hub.metadata)) {
    Plan out = planned(source, bare_of_keys(source_hub), target, options);
    add_column_keys(source_hub.metadata, /*adds_rows=*/false, &out);
    return out;
  }
  const Natural way{source, target, source->types() == target->types() && !target->is_hub,
                    source_hub.fields};
  const AlikeColumns alike(source_hub, options);
  // Data files of Iceberg may lack columns.
  if (alike.any() && !is_data_file(way)) {
    return plan_of(way, source_hub, alike, options);
  }
  return plan_of(way, source_hub, options, nullptr);
}

/// Plans for a given target, without the keys that describe the source's columns, which only decide
/// whether values have the same names there.
Plan planned_to(System source, const Schema& source_hub, const hub::Metadata& keys,
                const AnySchema& target, const PlanOptions& options, const Schema* meaning) {
  const System to = target.system();
  Schema seen = without_annotations_of(to, source_hub);
  if (!source->is_hub) seen = without_ignored_notes(source, std::move(seen));
  Casts casts;
  seen = with_casts(source, to, std::move(seen), options.casts, &casts);
  const hub::Renames requested = requested_names(seen, options.rename);
  Target there{.schema = target,
               .findings = casts.findings,
               .lowered = lowered(to, seen, options.annotations, requested),
               .is_given = true};
  there.meanings = meanings_of(source, source_hub, std::move(casts));
  if (meaning != nullptr) {
    // Added rows have the annotations of the existing rows, not those of the source.
    there.lowered.schema = lowered(to, *meaning, true, {}).schema;
    there.meanings =
        meanings_of_rows(source_hub, seen, there.meanings, target, *meaning, there.lowered.renames);
  }
  const AnySchema kept = as_kept(target, options);
  there.hub = target_hub_of(source, source_hub, kept, there.lowered.schema,
                            options.annotations || meaning != nullptr);
  std::vector<std::string> differing;
  there.hub = keys_of_values(*std::move(there.hub), source_hub, there.lowered.renames, &differing);
  if (!options.host_types) {
    Casts same;
    Schema as_cast = with_casts(source, to, source_hub, options.casts, &same);
    as_cast.metadata = keys;
    // The source's annotations, which the target's columns will have, say nothing about these.
    const Schema wanted =
        meaning != nullptr ? *meaning : meant({to, own_hub_of(source, source_hub, kept)});
    there.refused = columns_of_other_meaning({source, as_cast, options.annotations}, {to, wanted},
                                             *there.hub, there.lowered.renames, options);
  }
  std::optional<Plan> distinct = plan_of(source, source_hub, there, options);
  Plan plan = distinct ? *std::move(distinct)
                       : Draft(source, source_hub, std::move(there), options).finish();
  std::map<std::string, std::string> renamed;
  for (const RenameOption& one : options.rename) renamed[one.path.text()] = one.name;
  add_of_table(order_required(source_hub, plan.target_hub, renamed), &plan);
  std::vector<StaleKey> stale;
  for (const std::string& key : differing) {
    stale.push_back({"metadata " + key, key + " describes other values, and is left out"});
  }
  add_stale_keys(stale, &plan);
  return plan;
}

}  // namespace

Plan plan(const AnySchema& source, System target, const PlanOptions& options) {
  return plan(source.system(), to_arrow(source), target, options);
}

Plan plan(System source, const Schema& source_hub, System target, const PlanOptions& options) {
  check_schema_work(source_hub);
  if (options.readers.empty()) return planned(source, source_hub, target, options);
  PlanOptions natural = options;
  natural.readers.clear();
  const PlanOptions chosen = for_readers(planned(source, source_hub, target, natural), options);
  return planned(source, source_hub, target, chosen);
}

Plan plan_to(System source, const Schema& source_hub, const AnySchema& target,
             const PlanOptions& options, const Schema* meaning) {
  check_schema_work(source_hub);
  const auto is_keyed = [&](const hub::Metadata& metadata) {
    return target.system()->keeps_metadata && has_column_keys(metadata);
  };
  const bool keyed = is_keyed(source_hub.metadata);
  Plan out = planned_to(source, keyed ? bare_of_keys(source_hub) : source_hub, source_hub.metadata,
                        target, options, meaning);
  if (keyed || (meaning != nullptr && is_keyed(out.target_hub.metadata))) {
    add_column_keys(source_hub.metadata, /*adds_rows=*/meaning != nullptr, &out);
  }
  return out;
}

}  // namespace xwalk::crosswalk
