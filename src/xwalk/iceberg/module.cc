#include "xwalk/iceberg/module.h"

#include <array>

#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"
#include "xwalk/iceberg/compatibility.h"
#include "xwalk/iceberg/evolution.h"
#include "xwalk/iceberg/hub.h"
#include "xwalk/iceberg/json.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/iceberg/validate.h"

namespace xwalk::iceberg {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{
        "json", [](const AnySchema& schema) { return write_json(schema.as<Schema>()) + "\n"; }},
    hub::WrittenForm{
        .name = "table",
        .print = [](const AnySchema& schema) { return print_table(schema.as<Schema>()); },
        .parsed = false},
};

AnySchema parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') return {kModule, read_json(text)};
  Schema schema;
  schema.fields.push_back({.name = std::string(hub::kLoneColumn), .type = parse_type_text(text)});
  assign_ids(&schema);
  return {kModule, std::move(schema)};
}

constexpr std::array kDefaults = {kInitialDefault, kWriteDefault};

constexpr auto kRules = std::to_array<hub::Rule>({
    {"crs.by-code",
     "The target names a coordinate reference system (CRS) by its authority and code instead of "
     "its whole definition.",
     "Readers look the code up. A definition that differs from the one of the authority is lost.",
     hub::RuleSubject::Crs},
});

hub::Evolved evolved(const AnySchema& any, const std::vector<Change>& changes) {
  const auto& schema = any.as<Schema>();
  Schema after = evolve(schema, changes);
  hub::Evolved out;
  out.next_id = last_id(after) + 1;
  if (schema.last_column_id == 0 && last_id(after) > last_id(schema)) {
    out.higher_ids =
        "the new ids follow the highest of this schema: a table that gave higher ones, which its "
        "metadata says, goes on from those";
  }
  out.schema = {kModule, std::move(after)};
  return out;
}

/// Data files are of Parquet, whose maps have each key once.
hub::Refinement refine(const hub::Field& field) {
  hub::Refinement out;
  out.unique_keys = field.type.kind() == hub::Kind::Map;
  return out;
}

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .forms = kForms,
    .parse = [](std::string_view bytes) { return AnySchema(kModule, read_json(bytes)); },
    .parse_type = parse_type,
    .nullable_by_default = true,
    .type_text =
        [](const AnySchema& schema) {
          return print_type_text(schema.as<Schema>().fields.at(0).type);
        },
    .guess = 6,
    .kinds = [] { return hub::examples_of(kKindRows, &KindRow::name); },
    .validate = [](const AnySchema& schema) { return validate(schema.as<Schema>()); },
    .refuses = hub::is_violation,
    .incompatibilities =
        [](const AnySchema& written, const AnySchema& read, const hub::CompatibilityOptions&) {
          return incompatibilities(written.as<Schema>(), read.as<Schema>());
        },
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<Schema>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .labels = hub::table_labels,
    .rules = kRules,
    .evolve = evolved,
    .prefers_variant = true,
    .own_metadata = kDefaults,
};

}  // namespace xwalk::iceberg
