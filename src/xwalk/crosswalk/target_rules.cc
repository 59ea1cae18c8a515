#include "xwalk/crosswalk/target_rules.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/crosswalk/shredding.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/mapper_checks.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/option.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/layer.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/type.h"
#include "xwalk/parquet/values.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/edition.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/cluster_version.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {
namespace {

const yt::TableSchema* table_of(const AnySchema& schema) {
  if (const auto* table = schema.get_if<yt::TableSchema>()) return table;
  const auto* stream = schema.get_if<skiff::Schema>();
  return stream == nullptr ? nullptr : stream->table_schema(0);
}

lance::DataVersion version_of(const lance::Schema& schema, const PlanOptions& options) {
  return options.lance_version ? *options.lance_version : lance::usual_data_version(schema);
}

void find_zones(const hub::Field& field, const Path& path, hub::Findings* out) {
  if (yt::refine(field).zone_names) {
    out->push_back({.rule = "zone.unknown",
                    .path = path,
                    .effect = hub::Effect::Refused,
                    .lost = "cannot store time zones that have no number yet",
                    .witness = "America/Coyhaique"});
    return;
  }
  for (const Child& child : children_of(field.type, path)) {
    find_zones(*child.field, child.path, out);
  }
}

/// Adds what files of Parquet hold and the source's schema does not.
void find_unreadable(const hub::Field& field, const Path& path, hub::Findings* out) {
  if (std::optional<hub::Finding> finding = parquet::unreadable(field)) {
    finding->path = path;
    out->push_back(*std::move(finding));
  }
  for (const Child& child : children_of(field.type, path)) {
    find_unreadable(*child.field, child.path, out);
  }
}

/// Makes paths of the target those of the source, whose columns may have other names.
void put_in_source(const Plan& plan, hub::Findings* findings) {
  if (findings->empty()) return;
  const hub::Type root = hub::struct_(plan.source_hub.fields);
  const std::vector<hub::Rename> names = hub::names_of(root, Path(), plan.renames);
  const std::vector<Path> paths = hub::paths_of_members(root, Path());
  // If two columns have the same name, the first is meant.
  std::unordered_map<std::string_view, size_t> places;
  for (size_t i = 0; i < names.size(); ++i) places.try_emplace(names[i].name, i);
  for (hub::Finding& finding : *findings) {
    const std::vector<const Path::Step*> steps = finding.path.steps();
    if (steps.empty()) continue;
    const auto found = places.find(steps.front()->name);
    if (found == places.end()) continue;
    Path path = paths[found->second];
    for (size_t i = 1; i < steps.size(); ++i) path = path.below(*steps[i]);
    finding.path = std::move(path);
  }
}

/// Levels of a column, itself and its leaf among them, that readers of Arrow import: Arrow C++
/// stops at 64, the table's own first.
constexpr int kMostLevels = 63;

int levels_of(const hub::Type& type) {
  int most = 0;
  for (const hub::Field& child : type.children()) most = std::max(most, levels_of(child.type));
  return 1 + most;
}

/// The levels of what stores a column. A repeated group is a list and the struct in it.
int levels_of(const parquet::Node& node) {
  int most = 0;
  for (const parquet::Node& child : node.children()) most = std::max(most, levels_of(child));
  return (node.repetition() == parquet::Repetition::Repeated && node.is_group() ? 2 : 1) + most;
}

void find_deep(std::string_view name, int levels, hub::Findings* out) {
  if (levels <= kMostLevels) return;
  out->push_back({.rule = "type.parameters",
                  .path = Path::column(name),
                  .effect = hub::Effect::Forbidden,
                  .lost = fmt::format("types nested {} levels deep cannot be read back, {} can",
                                      levels, kMostLevels)});
}

/// What files of Arrow and Parquet do not hold.
hub::Findings too_deep(const AnySchema& schema) {
  hub::Findings out;
  if (const auto* arrow = schema.get_if<hub::Schema>()) {
    for (const hub::Field& field : arrow->fields)
      find_deep(field.name, levels_of(field.type), &out);
  }
  if (const auto* file = schema.get_if<parquet::Schema>()) {
    for (const parquet::Node& node : file->columns()) {
      find_deep(node.name(), levels_of(node), &out);
    }
  }
  return out;
}

/// Adds fixed-size lists of items with which the target's software cannot write them. A schema that
/// follows from the source's has none.
void find_fixed_lists(System system, const hub::Field& field, const Path& path,
                      hub::Findings* out) {
  const hub::Type& type = field.type;
  if (type.kind() == hub::Kind::FixedSizeList && !system->capabilities.fixed_list_of(type)) {
    out->push_back(
        {.rule = "type.unsupported",
         .path = path,
         .effect = hub::Effect::Forbidden,
         .lost = fmt::format("the target's software cannot write {}", hub::to_string(type)),
         .hint = "a list without a fixed length can be written"});
    return;
  }
  for (const Child& child : children_of(type, path)) {
    find_fixed_lists(system, *child.field, child.path, out);
  }
}

/// What a system's release lacks.
hub::Findings lacking_of_release(const AnySchema& schema, const PlanOptions& options) {
  if (const yt::TableSchema* table = table_of(schema)) {
    return options.cluster ? yt::lacking(*table, *options.cluster) : hub::Findings{};
  }
  if (const auto* dataset = schema.get_if<lance::Schema>()) {
    return lance::lacking(*dataset, version_of(*dataset, options));
  }
  const auto* file = schema.get_if<vortex::DType>();
  if (file == nullptr) return too_deep(schema);
  if (!options.vortex_edition) return {};
  return vortex::lacking(*file, *options.vortex_edition);
}

/// Refuses a version of files, given by an option, that a chosen reader does not read.
void check_version(const AnySchema& schema, const PlanOptions& options) {
  const auto refuse = [](std::string_view found, std::string_view newest, std::string_view reader) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("files of {} are not read by the chosen release of {}", found, reader), {},
        fmt::format("It reads {} and older, which are written without another option.", newest));
  };
  if (const auto* dataset = schema.get_if<lance::Schema>()) {
    const auto newest = data_version_for(options.readers);
    const lance::DataVersion version = version_of(*dataset, options);
    if (newest && version > *newest) {
      refuse(lance::to_string(version), lance::to_string(*newest), "pylance");
    }
  } else if (schema.system() == vortex::kModule && options.vortex_edition) {
    const auto newest = edition_for(options.readers);
    if (newest && *options.vortex_edition > *newest) {
      refuse(vortex::to_string(*options.vortex_edition), vortex::to_string(*newest), "vortex-data");
    }
  }
}

std::string other_type_hint() {
  return "give it another type with " + mention(hub::Option::Cast) + ", or leave it out with " +
         mention(hub::Option::Exclude);
}

/// How the chosen readers interpret a schema.
std::vector<ReaderRemark> remarks_on(const AnySchema& schema, const PlanOptions& options) {
  return only_of(options.readers, misreadings(schema, to_arrow(schema))).remarks;
}

/// Adds what the chosen readers refuse or misread, once for a place and a rule.
void find_misread(const AnySchema& schema, const PlanOptions& options, hub::Findings* out) {
  if (options.readers.empty()) return;
  check_version(schema, options);
  for (const ReaderRemark& remark : remarks_on(schema, options)) {
    const bool refuses = remark.effect == hub::Effect::Forbidden;
    const std::string text = fmt::format("{}: {}", remark.reader, remark.remark);
    const std::string_view rule = refuses ? "reader.refuses" : "reader.misreads";
    const auto same = std::ranges::find_if(
        *out, [&](const hub::Finding& one) { return one.rule == rule && one.path == remark.path; });
    if (same != out->end()) {
      same->lost += "; " + text;
      same->effect = std::max(same->effect, remark.effect);
      continue;
    }
    out->push_back({.rule = rule,
                    .path = remark.path,
                    .effect = remark.effect,
                    .lost = text,
                    .hint = refuses ? other_type_hint() : ""});
  }
}

/// Refuses a place that has no value if nothing of the type unknown is stored.
[[noreturn]] void refuse_unknown(const Path& path) {
  throw Error(ErrorCode::Unsupported,
              "expected a type that data files of Iceberg store, found unknown", {.path = path},
              other_type_hint());
}

bool is_unknown_type(const hub::Field& field) { return field.type.kind() == hub::Kind::Null; }

std::vector<hub::Field> stored_members(std::span<const hub::Field> fields, const Path& path);

/// Returns the field of Iceberg's data files in Parquet.
hub::Field stored_field(hub::Field field, const Path& path) {
  const hub::Type& type = field.type;
  if (type.kind() == hub::Kind::Decimal128 && type.precision() <= 18) {
    field.metadata.set(
        hub::annotation_key(parquet::kModule.name),
        fmt::format("{} {} v (DECIMAL({},{}));", field.nullable ? "optional" : "required",
                    type.precision() <= 9 ? "int32" : "int64", type.precision(), type.scale()));
    return field;
  }
  if (type.children().empty()) return field;
  if (type.kind() == hub::Kind::Struct) {
    std::vector<hub::Field> members = stored_members(type.children(), path);
    if (members.empty()) refuse_unknown(path.field(type.child(0).name));
    field.type = hub::struct_(std::move(members));
    return field;
  }
  std::vector<hub::Field> parts;
  for (const hub::Child& child : hub::children_of(type, path)) {
    if (is_unknown_type(*child.field)) refuse_unknown(child.path);
    parts.push_back(stored_field(*child.field, child.path));
  }
  if (type.kind() == hub::Kind::Map) {
    hub::Field entries = type.child();
    entries.type = hub::struct_(std::move(parts));
    parts = {std::move(entries)};
  }
  field.type = hub::with_children(type, std::move(parts));
  return field;
}

std::vector<hub::Field> stored_members(std::span<const hub::Field> fields, const Path& path) {
  std::vector<hub::Field> out;
  for (const hub::Field& field : fields) {
    if (!is_unknown_type(field)) out.push_back(stored_field(field, path.field(field.name)));
  }
  return out;
}

}  // namespace

hub::Findings lacking(const AnySchema& schema, const PlanOptions& options) {
  hub::Findings out = lacking_of_release(schema, options);
  if (schema.system()->capabilities.fixed_list_of != nullptr) {
    for (const hub::Field& field : to_arrow(schema).fields) {
      find_fixed_lists(schema.system(), field, Path::column(field.name), &out);
    }
  }
  find_misread(schema, options, &out);
  return out;
}

PlanOptions for_readers(const Plan& natural, const PlanOptions& options) {
  PlanOptions out = options;
  hub::Findings instead;
  for (const ReaderRemark& remark : remarks_on(natural.target, options)) {
    if (remark.instead == kGeoparquet) {
      out.geoparquet = true;
    } else if (!remark.instead.empty()) {
      instead.push_back({.rule = "", .path = remark.path, .lost = std::string(remark.instead)});
    }
  }
  put_in_source(natural, &instead);
  for (hub::Finding& one : instead) {
    const auto is_given = [&](const CastOption& cast) {
      return cast.pattern || cast.path == one.path;
    };
    if (std::ranges::any_of(out.casts, is_given)) continue;
    out.casts.push_back({.path = std::move(one.path), .type = std::move(one.lost)});
  }
  return out;
}

hub::Schema as_iceberg_stores(hub::Schema schema, hub::Refused* refused) {
  schema.fields =
      hub::map_columns(schema.fields, refused, [](const hub::Field& column, const Path& path) {
        return is_unknown_type(column) ? column : stored_field(column, path);
      });
  std::erase_if(schema.fields, is_unknown_type);
  return schema;
}

AnySchema as_kept(AnySchema schema, const PlanOptions& options) {
  if (const auto* file = schema.get_if<parquet::Schema>()) {
    parquet::Schema kept = parquet::with_plain_nulls(*file);
    if (!options.shred.empty()) kept = with_shredding(kept, options.shred);
    return {parquet::kModule, std::move(kept)};
  }
  const auto* dataset = schema.get_if<lance::Schema>();
  if (dataset == nullptr) return schema;
  return {lance::kModule, lance::with_nulls_kept_by(version_of(*dataset, options), *dataset)};
}

hub::Findings target_rules(const Plan& plan, const PlanOptions& options, hub::Findings lacking) {
  hub::Findings found = std::move(lacking);
  if (options.numbered_zones && plan.target_system->types() == yt::kModule) {
    for (const hub::Field& field : plan.target_hub.fields) {
      find_zones(field, Path::column(field.name), &found);
    }
  }
  put_in_source(plan, &found);
  if (plan.source_system == parquet::kModule) {
    for (const hub::Field& field : plan.source_hub.fields) {
      find_unreadable(field, Path::column(field.name), &found);
    }
  }
  return found;
}

}  // namespace xwalk::crosswalk
