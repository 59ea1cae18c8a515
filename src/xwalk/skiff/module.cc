#include "xwalk/skiff/module.h"

#include <array>

#include "xwalk/base/text.h"
#include "xwalk/hub/module.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/kinds.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/validate.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/module.h"

namespace xwalk::skiff {
namespace {

using hub::AnySchema;

template <SchemaForm form>
std::string print_form(const AnySchema& schema) {
  std::string text = print(schema.as<Schema>(), form);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

constexpr std::array kForms = {
    hub::WrittenForm{"yson", print_form<SchemaForm::File>},
    hub::WrittenForm{"format", print_form<SchemaForm::Format>},
    hub::WrittenForm{"short", print_form<SchemaForm::Short>},
    hub::WrittenForm{
        .name = "commands", .print = print_form<SchemaForm::Commands>, .parsed = false},
};

AnySchema parse_lone_type(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  const bool is_yson = start != std::string_view::npos && !is_ascii_alpha(text[start]);
  Type wire = is_yson ? parse_type(text) : parse_short(text);
  if (wire.name().empty()) wire = wire.named(std::string(hub::kLoneColumn));
  return {kModule, Schema{{{Type(WireType::Tuple, {std::move(wire)})}}, {}}};
}

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .shares_types_of = &yt::kModule,
    .forms = kForms,
    .parse = [](std::string_view bytes) { return AnySchema(kModule, parse_schema(bytes)); },
    .parse_type = parse_lone_type,
    .type_text =
        [](const AnySchema& schema) {
          return to_string(schema.as<Schema>().format.tables.at(0).child(0).named(""));
        },
    .guess = 4,
    .kinds = [] { return hub::examples_of(kWireRows, &WireRow::name); },
    .validate = [](const AnySchema& schema) { return validate(schema.as<Schema>()); },
    .refuses = hub::is_violation,
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<Schema>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .notes_bytes = true,
};

}  // namespace xwalk::skiff
