#include "xwalk/hub/option.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"

namespace xwalk::hub {
namespace {

/// What stands behind an option.
enum class Takes : uint8_t { Nothing, Number, Words };

struct Row {
  Option option;
  std::string_view id;
  std::string_view program;
  Takes takes;
};

constexpr std::array kRows = {
    Row{Option::Format, "format", "--from", Takes::Words},
    Row{Option::Schema, "schema", "--schema", Takes::Words},
    Row{Option::RequireSchema, "require_schema", "--require-schema", Takes::Nothing},
    Row{Option::SaveSchema, "save_schema", "--save-schema", Takes::Words},
    Row{Option::TargetSchema, "target_schema", "--to-schema", Takes::Words},
    Row{Option::Message, "message", "--message", Takes::Words},
    Row{Option::Select, "select", "--select", Takes::Words},
    Row{Option::Exclude, "exclude", "--exclude", Takes::Words},
    Row{Option::Rename, "rename", "--rename", Takes::Words},
    Row{Option::Cast, "cast", "--cast", Takes::Words},
    Row{Option::Partitions, "partitions", "--no-partitions", Takes::Nothing},
    Row{Option::Unify, "unify", "--unify", Takes::Nothing},
    Row{Option::Limit, "limit", "--limit", Takes::Number},
    Row{Option::Sample, "sample", "--sample", Takes::Words},
    Row{Option::Seed, "seed", "--seed", Takes::Number},
    Row{Option::Tail, "tail", "--tail", Takes::Number},
    Row{Option::BatchRows, "batch_rows", "--batch-rows", Takes::Number},
    Row{Option::MaxMemory, "max_memory", "--max-memory", Takes::Number},
    Row{Option::Threads, "threads", "--threads", Takes::Number},
    Row{Option::Table, "table", "--table", Takes::Number},
    Row{Option::Part, "part", "--part", Takes::Words},
    Row{Option::Version, "version", "--version", Takes::Words},
    Row{Option::Follow, "follow", "--follow", Takes::Words},
    Row{Option::TableIndex, "table_index", "--table-index", Takes::Nothing},
    Row{Option::RangeIndex, "range_index", "--range-index", Takes::Nothing},
    Row{Option::RowIndex, "row_index", "--row-index", Takes::Nothing},
    Row{Option::EndOfStream, "end_of_stream", "--end-of-stream", Takes::Nothing},
    Row{Option::Int96Unit, "int96_unit", "--int96-unit", Takes::Words},
    Row{Option::ComplexTypeMode, "complex_type_mode", "--complex-type-mode", Takes::Words},
    Row{Option::StringKeyedDictMode, "string_keyed_dict_mode", "--string-keyed-dict-mode",
        Takes::Words},
    Row{Option::DecimalMode, "decimal_mode", "--decimal-mode", Takes::Words},
    Row{Option::TimeMode, "time_mode", "--time-mode", Takes::Words},
    Row{Option::UuidMode, "uuid_mode", "--uuid-mode", Takes::Words},
    Row{Option::UuidOrder, "uuid_order", "--uuid-order", Takes::Words},
    Row{Option::TzForm, "tz_form", "--tz-form", Takes::Words},
    Row{Option::DecimalSpecial, "decimal_special", "--decimal-special", Takes::Words},
    Row{Option::YsonFormat, "yson_format", "--yson-format", Takes::Words},
    Row{Option::SkipNullValues, "skip_null_values", "--skip-null-values", Takes::Nothing},
    Row{Option::To, "to", "--to", Takes::Words},
    Row{Option::Compression, "compression", "--compression", Takes::Words},
    Row{Option::RowGroupRows, "row_group_rows", "--row-group-rows", Takes::Number},
    Row{Option::PartitionBy, "partition_by", "--partition-by", Takes::Words},
    Row{Option::Durable, "durable", "--durable", Takes::Nothing},
    Row{Option::Mode, "mode", "--mode", Takes::Words},
    Row{Option::Annotations, "annotations", "--no-annotations", Takes::Nothing},
    Row{Option::Round, "round", "--round", Takes::Nothing},
    Row{Option::MergeNulls, "merge_nulls", "--merge-nulls", Takes::Nothing},
    Row{Option::DropZone, "drop_zone", "--drop-zone", Takes::Nothing},
    Row{Option::DuplicateKeys, "duplicate_keys", "--duplicate-keys", Takes::Words},
    Row{Option::Any, "any", "--any", Takes::Words},
    Row{Option::ClusterVersion, "cluster_version", "--cluster-version", Takes::Words},
    Row{Option::LanceVersion, "lance_version", "--lance-version", Takes::Words},
    Row{Option::VortexEdition, "vortex_edition", "--vortex-edition", Takes::Words},
    Row{Option::CsvFormulas, "csv_formulas", "--csv-formulas", Takes::Words},
    Row{Option::Allow, "allow", "--allow", Takes::Words},
    Row{Option::OnError, "on_error", "--on-error", Takes::Words},
    Row{Option::Rejects, "rejects", "--rejects", Takes::Words},
    Row{Option::MaxRejects, "max_rejects", "--max-rejects", Takes::Words},
    Row{Option::Storage, "storage_options", "--storage", Takes::Words},
    Row{Option::YtAttribute, "yt_attributes", "--yt-attribute", Takes::Words},
    Row{Option::YtWriters, "yt_writers", "--yt-writers", Takes::Number},
};

consteval bool in_order() {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<size_t>(kRows[i].option) != i) return false;
  }
  return kRows.size() == kOptions;
}
static_assert(in_order());

const Row& row_of(Option option) { return kRows[static_cast<size_t>(option)]; }

bool is_placeholder(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string in_program(const Row& row, std::string_view value) {
  std::string out(row.program);
  if (!value.empty()) out.append(" ").append(value);
  return out;
}

/// Words that SQL keeps for itself, and takes as names in quotes.
constexpr std::array kSqlWords = {Option::Select, Option::Cast, Option::Limit,
                                  Option::Table,  Option::Any,  Option::To};

std::string in_code(const Row& row, std::string_view value, Door door) {
  const bool python = door == Door::Python;
  const bool quoted =
      door == Door::Json ||
      (door == Door::Sql && std::ranges::find(kSqlWords, row.option) != kSqlWords.end());
  std::string out = quoted ? fmt::format("\"{}\"", row.id) : std::string(row.id);
  const std::string_view link = python ? "=" : door == Door::Json ? ": " : " => ";
  if (row.takes == Takes::Nothing && value.empty()) {
    // Those that are on by default.
    const bool off = row.option == Option::Annotations || row.option == Option::Partitions;
    out.append(link).append(python ? (off ? "False" : "True") : (off ? "false" : "true"));
  } else if (row.option == Option::Schema && !value.empty() && !python) {
    // These take the text of a schema, never a path.
    out.append(link).append("TEXT");
  } else if (!value.empty()) {
    const bool bare = row.takes == Takes::Number || is_placeholder(value);
    const char quote = door == Door::Sql ? '\'' : '"';
    out.append(link).append(bare ? std::string(value) : fmt::format("{0}{1}{0}", quote, value));
  }
  return out;
}

/// What a text between two backquotes mentions; a null row where it is something else.
struct Mention {
  const Row* row = nullptr;
  std::string_view value;
};

Mention mention_in(std::string_view inner) {
  const size_t equals = inner.find('=');
  const auto row = std::ranges::find(kRows, inner.substr(0, equals), &Row::id);
  if (row == kRows.end()) return {};
  return {&*row, equals == std::string_view::npos ? std::string_view{} : inner.substr(equals + 1)};
}

}  // namespace

std::string_view to_string(Option option) { return row_of(option).id; }

std::optional<Option> option_of_id(std::string_view id) {
  const auto row = std::ranges::find(kRows, id, &Row::id);
  if (row == kRows.end()) return std::nullopt;
  return row->option;
}

std::optional<Option> option_of_word(std::string_view word) {
  const auto row = std::ranges::find(kRows, word, &Row::program);
  if (row == kRows.end()) return std::nullopt;
  return row->option;
}

std::string_view program_word(Option option) { return row_of(option).program; }

std::string mention(Option option, std::string_view value) {
  if (value.empty()) return fmt::format("`{}`", to_string(option));
  return fmt::format("`{}={}`", to_string(option), value);
}

std::string spelled(std::string_view text, Door door) {
  std::string out;
  while (true) {
    const size_t start = text.find('`');
    const size_t end = start == std::string_view::npos ? start : text.find('`', start + 1);
    if (end == std::string_view::npos) return out.append(text);
    const Mention found = mention_in(text.substr(start + 1, end - start - 1));
    if (found.row == nullptr) {
      // The second backquote may begin a mention.
      out.append(text.substr(0, end));
      text.remove_prefix(end);
      continue;
    }
    out.append(text.substr(0, start));
    out.append(door == Door::Program ? in_program(*found.row, found.value)
                                     : in_code(*found.row, found.value, door));
    text.remove_prefix(end + 1);
  }
}

Error spelled(const Error& error, Door door) {
  Place place = error.place();
  std::string_view file = place.file;
  if (file.size() > 2 && file.starts_with('`') && file.ends_with('`')) {
    file.remove_prefix(1);
    file.remove_suffix(1);
    const Mention found = mention_in(file);
    if (found.row != nullptr) {
      place.file = door == Door::Program ? found.row->program : found.row->id;
    }
  }
  // What leaves the library shows no signature of a URL.
  place.file = shown_name(place.file);
  return {error.code(), shown_name(spelled(error.message(), door)), std::move(place),
          shown_name(spelled(error.hint(), door))};
}

}  // namespace xwalk::hub
