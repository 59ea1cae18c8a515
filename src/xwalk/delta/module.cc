#include "xwalk/delta/module.h"

#include <array>

#include "xwalk/delta/hub.h"
#include "xwalk/delta/json.h"
#include "xwalk/delta/text.h"
#include "xwalk/delta/validate.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/module.h"

namespace xwalk::delta {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{
        "json", [](const AnySchema& schema) { return write_json(schema.as<Schema>()) + "\n"; }},
};

AnySchema parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') return {kModule, read_json(text)};
  Schema schema;
  schema.fields.push_back({.name = std::string(hub::kLoneColumn), .type = parse_type_text(text)});
  return {kModule, std::move(schema)};
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
    .guess = 7,
    .kinds = [] { return hub::examples_of(kKindRows, &KindRow::name); },
    .validate = [](const AnySchema& schema) { return validate(schema.as<Schema>()); },
    .refuses = hub::is_violation,
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<Schema>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .labels = hub::table_labels,
};

}  // namespace xwalk::delta
