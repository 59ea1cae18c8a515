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
  return {kModule, Schema(Node::group(Repetition::Required, "schema", {parse_field(text)}))};
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

constexpr auto kRules = std::to_array<hub::Rule>({
    {"annotation.contradiction",
     "The two Parquet annotations of a column disagree; the newer one, LogicalType, is used.",
     "Older readers, which know only ConvertedType, see another type. Rewrite the file to make "
     "both agree.",
     hub::RuleSubject::Annotation},
    {"annotation.misplaced", "A Parquet annotation is used on a physical type that cannot have it.",
     "xwalk ignores the annotation, and so do most readers; some refuse the file. Correct the "
     "schema in the program that wrote it.",
     hub::RuleSubject::Annotation},
    {"annotation.parameters",
     "The parameters of a Parquet annotation are outside what the format allows.",
     "Readers may refuse the column or read it as its plain type. Correct the schema in the "
     "program that wrote it.",
     hub::RuleSubject::Annotation},
    {"decimal.more-bytes", "Values of a binary decimal use more bytes than they need.",
     "Every reader gets the right numbers. Rewrite the file if its size matters."},
    {"group.empty", "A Parquet group has no fields, so there is no column to store its values in.",
     "Add a field to the group, or leave the column out with `select`."},
    {"list.legacy", "A list is written in an older form than the standard three levels.",
     "xwalk reads it as a list; some readers show another nesting. Rewrite the file to avoid "
     "that."},
    {"list.mixed", "One schema has both annotated lists and plain repeated fields.",
     "Readers disagree on what the repeated fields are. Rewrite the file so that all lists are "
     "annotated."},
    {"list.shape", "A Parquet LIST group is not built as the format demands.",
     "Readers refuse the column or read it as a plain group. Correct the schema in the program "
     "that wrote it."},
    {"map.legacy", "A map is written with other names than the standard ones, or without values.",
     "xwalk reads it; some readers show a list of structs. Rewrite the file to avoid that."},
    {"orders.miscounted",
     "A Parquet file states the order of values for another number of columns than it has.",
     "xwalk ignores these orders. Other readers may refuse the file; converting it to Parquet "
     "writes the right ones."},
    {"rows.miscounted", "A Parquet file states another number of rows than it holds.",
     "xwalk reads every row. Other readers may stop early or reject the file; converting it to "
     "Parquet writes the right numbers."},
    {"variant.shape", "A Parquet VARIANT group is not built as the format demands.",
     "Readers refuse the column or read it as a plain group. Correct the schema in the program "
     "that wrote it."},
});

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
        [](const hub::Schema& schema, hub::Refused* refused) {
          return hub::any_of(kModule, from_arrow(schema, refused));
        },
    .to_arrow_of =
        [](const AnySchema& target, const hub::Schema& source) {
          return to_arrow(target.as<Schema>(), {.storage = in_storage(source)});
        },
    .capabilities = kCapabilities,
    .refine = refine,
    .keeps_metadata = true,
    .needs_columns = true,
    .restore = with_arrow_schema,
    .id_key = kFieldId,
    .rules = kRules,
    .prefers_variant = true,
};

}  // namespace xwalk::parquet
