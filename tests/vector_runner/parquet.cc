#include <fmt/format.h>

#include "runner.h"
#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/validate.h"

namespace xwalk::vectors {
namespace {

std::string arrow_text(const hub::Field& field);

/// A type as pyarrow prints it, the names of a map's entries left out.
std::string arrow_text(const hub::Field& field, const hub::Type& type) {
  if (!field.extension_name().empty()) {
    return fmt::format("extension<{}>", field.extension_name());
  }
  if (type.kind() == hub::Kind::List) return fmt::format("list<{}>", arrow_text(type.child()));
  if (type.kind() == hub::Kind::Map) {
    return fmt::format("map<{}, {}>", arrow_text(type.key(), type.key().type),
                       arrow_text(type.value(), type.value().type));
  }
  if (type.kind() != hub::Kind::Struct) return hub::to_string(type);
  std::string out = "struct<";
  for (const hub::Field& child : type.children()) {
    if (out.size() > 7) out += ", ";
    out += arrow_text(child);
  }
  return out + ">";
}

std::string arrow_text(const hub::Field& field) {
  return fmt::format("{}: {}{}", field.name, arrow_text(field, field.type),
                     field.nullable ? "" : " not null");
}

bool violated(const parquet::Schema& schema) {
  for (const hub::Finding& finding : parquet::validate(schema)) {
    if (parquet::is_violation(finding)) return true;
  }
  return false;
}

void check_arrow(const Json& expected, const parquet::Schema& schema) {
  if (expected.is_null()) return;
  if (expected == "error") {
    if (!violated(schema)) expect_refused("the schema", [&] { parquet::to_arrow(schema); });
    return;
  }
  Json found = Json::array();
  for (const hub::Field& field : parquet::to_arrow(schema).fields) {
    found.push_back(arrow_text(field));
  }
  expect_equal("expect_arrow", expected.dump(), found.dump());
}

void check_message(const std::string& check, const std::string& text,
                   const parquet::Schema& schema) {
  if (check == "skip") return;
  if (check == "refuse") {
    expect_refused("the message text", [&] { parquet::parse_message(text); });
    return;
  }
  parquet::Schema parsed = parquet::parse_message(text);
  expect(parquet::same_meaning(parsed, schema), "the message text to mean the file's schema",
         parquet::print_message(parsed));
  if (check == "same") {
    std::string printed = parquet::print_message(parsed);
    expect_equal("printed", parquet::print_message(schema), printed);
    expect_equal("printed again", printed, parquet::print_message(parquet::parse_message(printed)));
  }
}

void check_file(const Json& vector, const Context& context) {
  std::string path = context.folder + "/files/" + vector.at("file").get<std::string>();
  parquet::Footer footer = parquet::read_footer(*open_random_access(path));
  check_message(vector.at("message_check"), vector.at("message"), footer.schema);
  check_arrow(vector.at("expect_arrow"), footer.schema);
}

}  // namespace

void add_parquet_checks(Checks* checks) { (*checks)["parquet_file"] = check_file; }

}  // namespace xwalk::vectors
