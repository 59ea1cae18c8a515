#include "xwalk/parquet/module.h"

#include <array>

#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/module.h"
#include "xwalk/parquet/arrow_schema.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/kinds.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/parquet/values.h"

namespace xwalk::parquet {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{"message",
                     [](const AnySchema& schema) { return print_message(schema.as<Schema>()); }},
    hub::WrittenForm{
        .name = "thrift",
        .print = [](const AnySchema& schema) { return write_schema_elements(schema.as<Schema>()); },
        .binary = true},
};

AnySchema parse(std::string_view bytes) {
  return {kModule, is_printable_text(bytes) ? parse_message(bytes) : read_schema_elements(bytes)};
}

hub::Findings validate_bytes(std::string_view bytes) {
  if (is_parquet(bytes)) return validate(read_footer(*memory_access(bytes, "")).schema);
  return validate(is_printable_text(bytes) ? parse_unjudged_message(bytes)
                                           : read_schema_elements(bytes));
}

AnySchema parse_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text.substr(start).starts_with("message")) {
    return {kModule, parse_message(text)};
  }
  // Within a message a field ends with `;`; alone it is not written.
  const size_t end = text.find_last_not_of(" \t\r\n");
  std::string field(text);
  if (end != std::string_view::npos && text[end] != ';' && text[end] != '}') field += ';';
  return {kModule, Schema(Node::group(Repetition::Required, "schema", {parse_field(field)}))};
}

std::vector<std::string_view> kinds() {
  std::vector<std::string_view> out;
  for (const PhysicalRow& row : kPhysicalRows) out.push_back(row.example);
  for (const LogicalRow& row : kLogicalRows) {
    // Some have no separate form: FILE, and the parts of other types.
    if (!row.examples[0].empty()) hub::add_examples(row, row.name, &out);
  }
  return out;
}

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .forms = kForms,
    .parse = parse,
    .parse_type = parse_type,
    .nullable_by_default = std::nullopt,
    .type_text =
        [](const AnySchema& schema) {
          return print_field_in_line(schema.as<Schema>().root().children()[0]);
        },
    .guess = 0,
    .kinds = kinds,
    .validate = [](const AnySchema& schema) { return validate(schema.as<Schema>()); },
    .validate_bytes = validate_bytes,
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<Schema>()); },
    .from_arrow =
        [](const hub::Schema& schema) { return hub::any_of(kModule, from_arrow(schema)); },
    .to_arrow_of =
        [](const AnySchema& target, const hub::Schema& source) {
          return to_arrow(target.as<Schema>(), {.storage = in_storage(source)});
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .keeps_metadata = true,
    .restore = with_arrow_schema,
    .id_key = kFieldId,
};

}  // namespace xwalk::parquet
