#include "xwalk/yt/module.h"

#include <array>

#include "xwalk/hub/module.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/compatibility.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/row_spec.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using hub::AnySchema;

template <SchemaForm form>
std::string print_form(const AnySchema& schema) {
  return print(schema.as<TableSchema>(), form);
}

hub::Findings lost_in_row_spec(const AnySchema& schema) {
  hub::Findings lost;
  (void)row_spec_node(schema.as<TableSchema>(), &lost);
  return lost;
}

constexpr std::array kForms = {
    hub::WrittenForm{"yson", print_form<SchemaForm::Yson>},
    hub::WrittenForm{
        .name = "yson-binary", .print = print_form<SchemaForm::YsonBinary>, .binary = true},
    hub::WrittenForm{"json", print_form<SchemaForm::Json>},
    hub::WrittenForm{"short", print_form<SchemaForm::Short>},
    hub::WrittenForm{.name = "row-spec",
                     .print = print_form<SchemaForm::RowSpec>,
                     .parsed = false,
                     .lost = lost_in_row_spec},
    hub::WrittenForm{
        .name = "commands", .print = print_form<SchemaForm::Commands>, .parsed = false},
};

AnySchema parse(std::string_view bytes) { return {kModule, parse_table_schema(bytes)}; }

std::string type_text(const AnySchema& schema) {
  const auto& table = schema.as<TableSchema>();
  // The column of what a schema that is not strict leaves undescribed is no column of the schema.
  return table.columns.empty() ? "undescribed columns" : print_short(table.columns[0].type);
}

hub::Metadata labels(std::string_view text) {
  const yson::Node node = yson::parse(text);
  const bool is_map = node.is(yson::Node::Kind::Map);
  hub::Metadata out;
  for (const auto& [key, value] : is_map ? node.as_map() : node.attributes()) {
    out.append(key, yson::print(value));
  }
  return out;
}

/// A layer is named with its optional and its tags.
hub::Note note(std::string_view text, bool nullable) {
  hub::Note note;
  yson::Node node = yson::parse(text);
  while (node.is(yson::Node::Kind::Map)) {
    const yson::Node* name = node.find("type_name");
    const yson::Node* item = node.find("item");
    if (name == nullptr || item == nullptr) break;
    const std::string& word = name->as_string();
    if (word == "tagged") {
      const yson::Node* tag = node.find("tag");
      if (tag != nullptr) note.tags.push_back(tag->as_string());
    } else if (word == "optional" && nullable) {
      nullable = false;
    } else {
      break;
    }
    yson::Node inner = *item;
    node = std::move(inner);
  }
  note.type = yson::print(node);
  return note;
}

constexpr auto kRules = std::to_array<hub::Rule>({
    {"integers.as-doubles", "Rows have integers in columns of doubles.",
     "Each is read as the double that equals it; integers that no double equals are rejected. The "
     "schema allows them with the attribute integers_in_doubles, as inferred schemas do. A "
     "YTsaurus cluster refuses such rows: convert them to YSON first."},
    {"row-spec.differs", "The table's schema and its YQL row spec (_yql_row_spec) disagree.",
     "YQL reads other types than everything else does. Correct whichever is wrong."},
});

}  // namespace

constinit const hub::Module kModule = {
    .name = kSystem,
    .other_name = "yson",
    .forms = kForms,
    .parse = parse,
    .parse_type = parse,
    .type_text = type_text,
    .guess = 1,
    .kinds = [] { return hub::examples_of(kKindRows, &KindRow::short_name); },
    .instead_of = instead_of,
    .validate = [](const AnySchema& schema) { return findings_on(schema.as<TableSchema>()); },
    .refuses = hub::is_violation,
    .incompatibilities =
        [](const AnySchema& written, const AnySchema& read, const CompatibilityOptions& options) {
          return table_incompatibilities(written.as<TableSchema>(), read.as<TableSchema>(),
                                         options);
        },
    .to_arrow = [](const AnySchema& schema) { return to_arrow(schema.as<TableSchema>()); },
    .from_arrow =
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .notes_refine = true,
    .labels_key = kColumnAnnotation,
    .labels = labels,
    .note = note,
    .rules = kRules,
};

}  // namespace xwalk::yt
