#include "xwalk/arrow/module.h"

#include <array>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/arrow/validate.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/module.h"

namespace xwalk::arrow {
namespace {

using hub::AnySchema;

constexpr std::array kForms = {
    hub::WrittenForm{
        "text", [](const AnySchema& schema) { return print_schema(schema.as<hub::Schema>()); }},
    hub::WrittenForm{
        .name = "ipc",
        .print = [](const AnySchema& schema) { return write_ipc_schema(schema.as<hub::Schema>()); },
        .binary = true},
};

AnySchema parse(std::string_view bytes) {
  const bool is_ipc = bytes.starts_with("\xff\xff\xff\xff");
  return {kModule, is_ipc ? read_ipc_schema(bytes) : parse_schema(bytes)};
}

AnySchema parse_lone_type(std::string_view text) {
  try {
    return {kModule,
            hub::Schema{{hub::Field(std::string(hub::kLoneColumn), parse_type(text))}, {}}};
  } catch (const Error&) {
    // It may be required or an extension, as `type_text` says.
  }
  try {
    constexpr std::string_view kRequired = " not null";
    const bool required = text.ends_with(kRequired);
    const std::string_view type = text.substr(0, text.size() - (required ? kRequired.size() : 0));
    hub::Schema schema = parse_schema(fmt::format("{}: {}", hub::kLoneColumn, type));
    if (required) schema.fields.front().nullable = false;
    if (schema.fields.size() == 1) return {kModule, std::move(schema)};
  } catch (const Error&) {
    // Then it has several columns.
  }
  return {kModule, parse_schema(text)};
}

std::string type_text(const AnySchema& schema) {
  const hub::Field& field = schema.as<hub::Schema>().fields.at(0);
  std::string text = hub::to_string(field.type);
  if (!field.extension_name().empty()) text += fmt::format(" [{}]", field.extension_name());
  return field.nullable ? text : text + " not null";
}

}  // namespace

constinit const hub::Module kModule = {
    .name = hub::kArrowSystem,
    .forms = kForms,
    .parse = parse,
    .parse_type = parse_lone_type,
    .nullable_by_default = true,
    .type_text = type_text,
    .guess = 5,
    .kinds = [] { return hub::examples_of(hub::kKindRows, &hub::KindRow::name); },
    .validate = [](const AnySchema& schema) { return validate(schema.as<hub::Schema>()); },
    // Libraries keep names that are not UTF-8, so such files are read.
    .refuses =
        [](const hub::Finding& finding) {
          return hub::is_violation(finding) && finding.rule != "name.invalid";
        },
    .to_arrow = [](const AnySchema& schema) { return schema.as<hub::Schema>(); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* /*refused*/) {
          return hub::FromArrow<AnySchema>{{kModule, schema}, {}};
        },
    // Everything that Arrow has, except what its readers refuse.
    // The format has no dictionary of dictionaries.
    .capabilities = {.encoded_extensions = false,
                     .dictionary_of =
                         [](const hub::Type& dictionary) {
                           return dictionary.child().type.kind() != hub::Kind::Dictionary;
                         }},
    .is_hub = true,
    .keeps_metadata = true,
    .check_required = true,
    .layouts = hub::Layouts::Distinct,
    .prefers_variant = true,
};

}  // namespace xwalk::arrow
