#include "xwalk/lance/module.h"

#include <array>

#include "xwalk/base/text.h"
#include "xwalk/hub/module.h"
#include "xwalk/lance/evolution_text.h"
#include "xwalk/lance/flat.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/kinds.h"
#include "xwalk/lance/schema.h"
#include "xwalk/lance/validate.h"
#include "xwalk/lance/words.h"

namespace xwalk::lance {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{"text",
                     [](const AnySchema& schema) { return print_text(schema.as<Schema>()); }},
    hub::WrittenForm{
        .name = "protobuf",
        .print = [](const AnySchema& schema) { return write_protobuf(schema.as<Schema>()); },
        .binary = true},
    hub::WrittenForm{
        "json", [](const AnySchema& schema) { return write_json(schema.as<Schema>()) + "\n"; }},
};

bool is_json(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

AnySchema parse(std::string_view bytes) {
  if (!is_printable_text(bytes)) return {kModule, read_protobuf(bytes)};
  return {kModule, is_json(bytes) ? read_json(bytes) : parse_text(bytes)};
}

/// Fields are listed flat, with links that may be invalid, so links are checked before they are
/// followed.
hub::Findings validate_bytes(std::string_view bytes) {
  if (!is_printable_text(bytes)) return validate(read_flat_protobuf(bytes));
  return validate(is_json(bytes) ? parse_flat_json(bytes) : parse_flat_text(bytes));
}

AnySchema parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos) {
    if (text.substr(start).starts_with("Field")) return {kModule, parse_text(text)};
    text = text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
  }
  Schema schema{{parse_type_text(text)}, {}};
  schema.fields.front().name = hub::kLoneColumn;
  assign_ids(&schema);
  return {kModule, std::move(schema)};
}

constexpr auto kRules = std::to_array<hub::Rule>({
    {"children.count", "A type has more or fewer child types than it needs.",
     "The schema cannot be used. Correct it in the program that wrote it."},
    {"id.parent", "The parent of a field is missing, comes later or is below it.",
     "The schema cannot be used. Correct it in the program that wrote it."},
    {"name.reserved", "A name is reserved: the system uses it for a column of its own.",
     "Readers may get the system's column instead. Rename yours with `rename`.",
     hub::RuleSubject::Name},
});

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .forms = kForms,
    .parse = parse,
    .parse_type = parse_type,
    .nullable_by_default = true,
    .type_text =
        [](const AnySchema& schema) { return print_type_text(schema.as<Schema>().fields.at(0)); },
    .guess = 3,
    .kinds = [] { return hub::examples_of(kKindRows, &KindRow::name); },
    .validate = [](const AnySchema& schema) { return validate(schema.as<Schema>()); },
    .validate_bytes = validate_bytes,
    .to_arrow = [](const AnySchema& schema) { return rows_to_arrow(schema.as<Schema>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .keeps_metadata = true,
    .keeps_item_metadata = false,
    .needs_columns = true,
    .layouts = hub::Layouts::Distinct,
    .id_key = kFieldIdKey,
    .labels = table_labels,
    .rules = kRules,
    .evolve =
        [](const AnySchema& schema, const std::vector<hub::SchemaChange>& changes) {
          return evolve(state_of_schema(schema.as<Schema>()), changes);
        },
};

}  // namespace xwalk::lance
