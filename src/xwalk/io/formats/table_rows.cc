#include "xwalk/io/formats/table_rows.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/letter_case.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/schema_file.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

/// Parses the schema of rows: a table schema, or a Skiff schema, of which the chosen table is used.
yt::TableSchema parse_schema(std::string_view text, std::optional<uint32_t> chosen) {
  try {
    return yt::parse_table_schema(text);
  } catch (const Error&) {
    skiff::Schema streams;
    try {
      streams = skiff::parse_schema(text);
    } catch (const Error&) {
      // The error about it as a table schema is the useful one.
    }
    if (const yt::TableSchema* table = streams.table_schema(chosen.value_or(0))) {
      return *table;
    }
    throw;
  }
}

/// Returns the text of the schema next to written rows, whose doubles are never integers.
std::string text_of(yt::TableSchema schema) {
  yt::set_integers_in_doubles(false, &schema);
  return yt::print(schema, yt::SchemaForm::Yson) + "\n";
}

}  // namespace

void find_table_schema(const RowFormat& format, const Location& path, Source* opened,
                       const InputOptions& options, Input* input,
                       std::optional<std::vector<RejectForm>>* rejects) {
  const bool found =
      find_side_schema(path, opened, options, &input->schema_origin, [&](std::string_view text) {
        if (rejects != nullptr) *rejects = parse_forms(text);
        if (rejects != nullptr && *rejects) return;
        input->table_schema = parse_schema(text, options.table);
        crosswalk::check_schema({yt::kModule, *input->table_schema});
      });
  if (found) return;
  std::shared_ptr<const InferredSchema>& inferred = input->file_notes.inferred;
  inferred = options.inferred;
  if (options.require_schema) refuse_inferring(path, opened);
  const std::optional<std::string_view> contents =
      path.is_standard() ? opened->contents() : std::nullopt;
  if (path.is_standard() && !contents && inferred == nullptr) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} rows from {} need a schema", hub::in_upper_case(format.name),
                            opened->name() == "<stdin>" ? "standard input" : opened->name()),
                {}, "Give one with " + hub::mention(hub::Option::Schema, "FILE") + ".");
  }
  if (inferred == nullptr) {
    auto source =
        contents ? memory_source(std::string(*contents)) : open_source(path, options.storage);
    inferred = infer_schema(format, *source, options);
  }
  input->schema_origin = SchemaOrigin::Inferred;
  input->table_schema = inferred->table;
}

bool adds_columns(const InputOptions& options) {
  const SkiffReading& added = options.skiff;
  return added.table_index || added.range_index || added.row_index;
}

yt::ReadOptions of_columns(yt::ReadOptions options, const std::vector<Path>& selection) {
  options.columns = columns_of(selection);
  std::erase_if(options.columns, [&](const std::string& name) {
    return (options.table_index && name == yt::kTableIndex) ||
           (options.range_index && name == yt::kRangeIndex) ||
           (options.row_index && name == yt::kRowIndex);
  });
  return options;
}

yt::ReadOptions read_options(const InputOptions& options, const Input& input) {
  yt::ReadOptions read;
  read.values = options.values;
  read.values.specials_as_stored = options.plan.special_decimals;
  // A batch has no more rows than the limit.
  read.batch_rows =
      std::clamp<int64_t>(options.limit.value_or(options.batch_rows), 1, options.batch_rows);
  read.batch_bytes = static_cast<size_t>(options.batch_bytes);
  read.row_bytes = limits::row_bytes(options.max_memory);
  read.skip_bad_rows = options.skip_bad_rows;
  read.repeated_keys =
      options.yson.last_of_repeated_keys ? yt::RepeatedKeys::Last : yt::RepeatedKeys::Error;
  read.integers_in_doubles = input.table_schema && yt::has_integers_in_doubles(*input.table_schema);
  read.table = options.table;
  read.table_index = options.skiff.table_index;
  read.range_index = options.skiff.range_index;
  read.row_index = options.skiff.row_index;
  read.controls = options.plan.controls;
  return read;
}

size_t piece_bytes(const yt::TableSchema& schema, const yt::ReadOptions& options) {
  constexpr size_t kLeast = size_t{1} << 20;
  constexpr size_t kOfColumn = size_t{32} << 10;
  return std::clamp(schema.columns.size() * kOfColumn, kLeast,
                    std::max(kLeast, options.batch_bytes));
}

hub::Findings integer_notes(uint64_t integers) {
  if (integers == 0) return {};
  return {{.rule = "integers.as-doubles",
           .lost = "integers in columns of doubles, read as the equal doubles"}};
}

hub::Findings control_notes(const yt::ControlsMet& met, const yt::ReadOptions& options) {
  hub::Findings notes;
  const auto add = [&](bool lost, std::string_view name, std::string lost_text) {
    if (!lost) return;
    notes.push_back(
        {.rule = "metadata.lost", .path = Path::column(name), .lost = std::move(lost_text)});
  };
  add(met.range_index && !options.range_index, yt::kRangeIndex,
      "range indices in the input are dropped; " + hub::mention(hub::Option::RangeIndex) +
          " keeps them as a column");
  add(met.row_index && !options.row_index, yt::kRowIndex,
      "row indices in the input are dropped; " + hub::mention(hub::Option::RowIndex) +
          " keeps them as a column");
  add(met.key_switch, yt::kKeySwitch, "key switches in the input are dropped");
  // A table that was chosen is known.
  add(met.table_index && !options.table_index && !options.table, yt::kTableIndex,
      "table indices in the input are dropped; " + hub::mention(hub::Option::TableIndex) +
          " keeps them as a column");
  add(met.tablet_index, yt::kTabletIndex, "tablet indices in the input are dropped");
  return notes;
}

yt::TableSchema table_schema_of(const WritePlan& plan) {
  return plan.written ? plan.written->as<yt::TableSchema>() : yt::from_arrow(plan.hub).schema;
}

crosswalk::AnySchema table_schema_there(const Location& path, const StorageOptions&) {
  yt::TableSchema schema;
  need_side_schema(path, [&](std::string_view text) { schema = yt::parse_table_schema(text); });
  return {yt::kModule, std::move(schema)};
}

std::string table_schema_text(const WritePlan& plan) { return text_of(table_schema_of(plan)); }

std::string canonical_table_schema(std::string_view text) {
  return text_of(yt::parse_table_schema(text));
}

}  // namespace xwalk::io
