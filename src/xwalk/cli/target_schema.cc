#include "xwalk/cli/target_schema.h"

#include <filesystem>

#include "xwalk/base/error.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/schema_input.h"
#include "xwalk/io/detect.h"

namespace xwalk::cli {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;

/// Parses a schema argument in the words of the output's system; a file that already has the schema
/// does as well.
AnySchema parse_target(System target, const std::string& argument, std::string_view option) {
  try {
    return crosswalk::parse_schema(target, schema_text(argument));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = option;
    throw;
  }
}

bool has_own_schema(io::Format format) {
  return format != io::Format::Yson && format != io::Format::Skiff;
}

/// Gives a bare Skiff format the table schema that the rows have, so that its columns mean what the
/// rows' columns mean and not only their wire types.
skiff::Schema with_table_schema(skiff::Schema given, System source, const hub::Schema& hub,
                                const crosswalk::PlanOptions& options) {
  if (!given.table_schemas.empty() || given.format.tables.size() != 1) return given;
  const crosswalk::Plan natural = crosswalk::plan(source, hub, System::Skiff, options);
  given.table_schemas = std::get<skiff::Schema>(natural.target).table_schemas;
  return given;
}

std::optional<AnySchema> target_schema(const io::Input& input, System target,
                                       const RowOptions& rows,
                                       const std::optional<std::string>& to_schema,
                                       std::string_view option) {
  if (to_schema) return parse_target(target, *to_schema, option);
  if (!rows.schema) return std::nullopt;
  if (has_own_schema(input.format)) {
    if (target == System::Yt || target == System::Skiff) {
      return parse_target(target, *rows.schema, "--schema");
    }
    return std::nullopt;
  }
  if (target != System::Skiff) return std::nullopt;
  // A table schema describes the rows that are read; the wire types are derived as always.
  try {
    (void)yt::parse_table_schema(schema_text(*rows.schema));
    return std::nullopt;
  } catch (const Error&) {
    return parse_target(target, *rows.schema, "--schema");
  }
}

}  // namespace

void declare_target_schema(CLI::App& app, std::optional<std::string>* to_schema) {
  add_text(app, "--to-schema", to_schema, "S",
           "schema of the rows that are written, in their system's words: a file or the text")
      ->group("Output");
}

crosswalk::Plan plan_rows(const io::Input& input, System target, const RowOptions& rows,
                          const std::optional<std::string>& to_schema,
                          const crosswalk::PlanOptions& options, std::string_view option) {
  const System source = io::system_of(input.format);
  const hub::Schema& hub = input.reader->schema();
  std::optional<AnySchema> given = target_schema(input, target, rows, to_schema, option);
  if (!given) return crosswalk::plan(source, hub, target, options);
  if (auto* streams = std::get_if<skiff::Schema>(&*given)) {
    *streams = with_table_schema(std::move(*streams), source, hub, options);
    if (streams->format.tables.size() != 1) {
      throw Error(ErrorCode::Usage,
                  "expected the schema of one table to write, found one of several", {},
                  "One output holds the rows of one table.");
    }
  }
  return crosswalk::plan_to(source, hub, *given, options);
}

}  // namespace xwalk::cli
