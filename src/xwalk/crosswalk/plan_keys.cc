#include "xwalk/crosswalk/plan_keys.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/column_key_forms.h"
#include "xwalk/crosswalk/path_reports.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/lance/module.h"
#include "xwalk/lance/type.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/values.h"

namespace xwalk::crosswalk {

using hub::Schema;

namespace {

/// Gives a schema of a system that has metadata of tables the metadata of its Arrow schema.
AnySchema with_table_metadata(AnySchema schema, const hub::Metadata& metadata) {
  if (const auto* own = schema.get_if<Schema>()) {
    Schema out = *own;
    out.metadata = metadata;
    return {schema.system(), std::move(out)};
  }
  const auto* dataset = schema.get_if<lance::Schema>();
  if (dataset == nullptr) return schema;
  lance::Schema out = *dataset;
  for (const auto& [key, value] : metadata) {
    if (is_column_key(key, value)) out.metadata.set(key, value);
  }
  return {lance::kModule, std::move(out)};
}

}  // namespace

hub::Schema bare_of_keys(Schema schema) {
  schema.metadata = without_column_keys(schema.metadata);
  return schema;
}

void add_stale_keys(const std::vector<StaleKey>& stale, Plan* plan) {
  PathReport& table = plan->paths.front();
  for (const auto& [label, why] : stale) {
    table.labels.push_back(label);
    table.reasons.push_back({"metadata.stale", hub::Values::Kept, label, why, "", {}});
  }
}

hub::Schema without_unread_times(Schema rows) {
  rows.metadata.erase(kJulianTimes);
  rows.metadata.erase(kJulianInt96);
  return rows;
}

namespace {

void find_unread_times(const hub::Field& field, const Path& path, const hub::Metadata& source,
                       Plan* plan) {
  const bool is_int96 = parquet::is_int96(field);
  if (is_int96 || field.type.kind() == hub::Kind::Timestamp) {
    const auto zone = source.find(is_int96 ? kJulianInt96 : kJulianTimes);
    // Spark has written no local time in the Julian calendar but in INT96.
    if (zone && (is_int96 || !field.type.zone().empty())) {
      hub::Finding finding{.rule = "range.narrowed", .path = path, .effect = hub::Effect::Refused};
      finding.lost = fmt::format(
          "times before 1900 are rejected: Spark wrote them in the Julian calendar, in the zone {}",
          *zone);
      finding.witness = "1899-12-31T23:59:59Z";
      finding.hint = "Read the file with Spark and write it again, which changes the calendar.";
      add_of_path(finding, plan);
    }
  }
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    find_unread_times(*child.field, child.path, source, plan);
  }
}

}  // namespace

void add_unread_times(const hub::Metadata& source, Plan* plan) {
  if (plan->source_system != parquet::kModule) return;
  for (const hub::Field& field : plan->source_hub.fields) {
    find_unread_times(field, Path::column(field.name), source, plan);
  }
}

void add_column_keys(const hub::Metadata& source, bool adds_rows, Plan* plan) {
  const System to = plan->target_system;
  plan->source_hub.metadata = source;
  // Only tools that read the files of the target see the stored types.
  RenewedKeys renewed = renewed_keys(
      plan->source_hub,
      to == parquet::kModule ? plan->target_hub : with_arrow_types(to, plan->target_hub),
      plan->renames);
  hub::Metadata there = plan->target_hub.metadata;
  for (const auto& [key, value] : plan->target_hub.metadata) {
    if (!adds_rows) break;
    if (describes_same_values(key, value, renewed.kept.find(key).value_or(""))) continue;
    renewed.stale.push_back(
        stale_key(key, xwalk::quoted(key) + " describes other values than those that are added"));
    renewed.kept.erase(key);
    there.erase(key);
  }
  hub::Metadata metadata;
  for (const auto& [key, value] : source) {
    const auto own = there.find(key);
    const auto kept = own ? own : renewed.kept.find(key);
    if (kept) metadata.append(key, std::string(*kept));
  }
  for (const auto& [key, value] : there) {
    if (!metadata.find(key)) metadata.append(key, value);
  }
  plan->target_hub.metadata = metadata;
  plan->target = with_table_metadata(plan->target, metadata);
  plan->cast = hub::compile_later(plan->cast, {plan->cast.from().fields, source}, plan->target_hub,
                                  plan->cast.options().renames, plan->cast.findings());
  if (plan->unsupported.empty()) add_stale_keys(renewed.stale, plan);
}

}  // namespace xwalk::crosswalk
