#include "xwalk/convert/verify.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/report_html.h"
#include "xwalk/crosswalk/report_junit.h"
#include "xwalk/crosswalk/report_markdown.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/names.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/version.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

using crosswalk::Plan;
using crosswalk::ProvenTable;
using hub::mention;
using hub::Option;

/// Of the memory that inputs may take, what the rows of each side may take to be sorted.
constexpr uint64_t kSortShare = 64;

/// Returns the size of a file, or of all files of a folder; nothing for what is not on a disk.
std::optional<uint64_t> size_on_disk(const Location& name) {
  if (name.is_standard() || name.is_remote()) return std::nullopt;
  const std::filesystem::path path = name.name();
  std::error_code failed;
  if (std::filesystem::is_regular_file(path, failed)) return std::filesystem::file_size(path);
  if (!std::filesystem::is_directory(path, failed)) return std::nullopt;
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

/// Returns the time in UTC.
std::string time_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void check_readable_again(Format format) {
  if (format->open != nullptr) return;
  throw Error(ErrorCode::Usage,
              fmt::format("expected an output that can be read, found one of {}", format->word), {},
              "xwalk only writes this format.");
}

/// Opens an output as any reader does that knows only what its writer leaves.
Input open_written(const Location& output, const ConvertOptions& options) {
  const Format format = *options.output.format;
  check_readable_again(format);
  InputOptions reading;
  reading.format = format;
  reading.storage = options.output.storage;
  reading.values = options.output.values;
  reading.plan.special_decimals = true;
  reading.annotations = options.plan.annotations;
  // The other side has such values as their bytes, too.
  reading.plan.stored_values = options.input.plan.stored_values;
  reading.max_memory = options.input.max_memory;
  reading.batch_rows = options.input.batch_rows;
  reading.threads = options.input.threads;
  reading.separate_engine = options.input.separate_engine;
  reading.skiff.end_of_stream = options.output.skiff.end_of_stream;
  return open_input({output}, reading);
}

/// Returns the form of values of any type that a field of an output needs instead of the default
/// one; nothing for a field in which the source has no such values.
std::optional<hub::AnyValues> any_as_written(const hub::Field& source, const hub::Field& output,
                                             bool by_variant) {
  const hub::Type& type = hub::without_encoding(output.type);
  if (crosswalk::holds_yson(source)) {
    // Bytes in two members are a VARIANT.
    const hub::AnyValues form = hub::is_binary(type.kind())        ? hub::AnyValues::Yson
                                : type.kind() == hub::Kind::Struct ? hub::AnyValues::Variant
                                                                   : hub::AnyValues::Json;
    const hub::AnyValues usual = by_variant ? hub::AnyValues::Variant : hub::AnyValues::Yson;
    return form == usual ? std::nullopt : std::optional(form);
  }
  const auto before = hub::without_encoding(source.type).children();
  const auto after = type.children();
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (const auto found = any_as_written(before[i], after[i], by_variant)) return found;
  }
  return std::nullopt;
}

/// Has values of any type compared in the form that the output has, unless the options name one.
void set_any(const hub::Schema& source, const hub::Schema& output, ConvertOptions* options) {
  if (options->given.contains(Option::Any)) return;
  const bool by_variant = (*options->output.format)->system->prefers_variant;
  for (const hub::Field& field : source.fields) {
    const auto there = std::ranges::find(output.fields, field.name, &hub::Field::name);
    if (there == output.fields.end()) continue;
    if (const auto found = any_as_written(field, *there, by_variant)) {
      options->plan.cast.any = *found;
      return;
    }
  }
}

/// Returns how the columns of an output differ from those that the plan has: in name, type or
/// place. A schema that is inferred from rows says nothing; names of folders give columns of other
/// types, which come last.
std::vector<crosswalk::ColumnDifference> schema_differences(const Plan& plan, const Input& written,
                                                            const OutputOptions& options) {
  std::vector<crosswalk::ColumnDifference> out;
  if (written.schema_origin == SchemaOrigin::Inferred) return out;
  const crosswalk::System system = plan.target_system;
  const hub::Schema& there = written.reader->schema();
  const crosswalk::ColumnJudge columns({system, plan.target_hub}, {system, there});
  // Several types have one wire type of Skiff.
  const auto text = [&](const hub::Field& field) {
    return crosswalk::type_text(system->types(), field);
  };
  const bool has_folders = !options.partition_by.empty();
  for (size_t i = 0; i < plan.target_hub.fields.size(); ++i) {
    const hub::Field& wanted = plan.target_hub.fields[i];
    const std::string path = Path::column(wanted.name).text();
    const auto found = std::ranges::find(there.fields, wanted.name, &hub::Field::name);
    if (found == there.fields.end()) {
      out.push_back({path, text(wanted), ""});
      continue;
    }
    const auto place = static_cast<size_t>(found - there.fields.begin());
    const bool is_folder =
        std::ranges::find(options.partition_by, wanted.name) != options.partition_by.end();
    // The reader restores types that the plan stores as others.
    const bool same = columns.judge(i, place).empty() &&
                      (text(wanted) == text(*found) || crosswalk::has_type(wanted, *found) ||
                       crosswalk::has_type(columns.from(i), columns.to(place)));
    if (!is_folder && !same) {
      out.push_back({path, text(wanted), text(*found)});
    } else if (place != i && !has_folders) {
      out.push_back({path, fmt::format("column {}", i + 1), fmt::format("column {}", place + 1)});
    }
  }
  for (const hub::Field& field : there.fields) {
    const auto same = std::ranges::find(plan.target_hub.fields, field.name, &hub::Field::name);
    if (same != plan.target_hub.fields.end()) continue;
    out.push_back({Path::column(field.name).text(), "", text(field)});
  }
  return out;
}

/// Adds the differences to those that comparing the rows has found.
void add_columns(std::vector<crosswalk::ColumnDifference> found, crosswalk::RowDiff* diff) {
  for (crosswalk::ColumnDifference& one : found) {
    const bool known = std::ranges::find(diff->columns, one.path,
                                         &crosswalk::ColumnDifference::path) != diff->columns.end();
    if (known) continue;
    const auto counted = std::ranges::find(diff->counts, one.path, &crosswalk::ColumnCount::name);
    if (counted == diff->counts.end()) ++diff->differing_columns;
    diff->columns.push_back(std::move(one));
  }
}

/// Returns what the columns of a source are called in the target, with the verdict on each.
std::map<std::string, hub::Verdict> verdicts_of(const Plan& plan) {
  const hub::Type source = hub::struct_(plan.source_hub.fields);
  const std::vector<hub::Rename> names = hub::names_of(source, Path(), plan.renames);
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  std::map<std::string, hub::Verdict> out;
  for (size_t i = 0; i < names.size() && i < verdicts.size(); ++i) {
    out[names[i].name] = std::max(out[names[i].name], verdicts[i]);
  }
  return out;
}

/// Subtracts the sums of rows of a column and adds those of others.
hub::ColumnSum replaced(const hub::ColumnSum& all, const hub::ColumnSum& old,
                        const hub::ColumnSum& by) {
  return {all.values - old.values + by.values, all.nulls - old.nulls + by.nulls,
          all.sum - old.sum + by.sum};
}

/// The checksums of both sides. Equal values have equal hashes, so those of the output are computed
/// only where it differs.
class Sums {
 public:
  enum Of : uint8_t {
    Source,         ///< all rows of the source
    SourceUnequal,  ///< those that differ from the output
    OutputUnequal,  ///< the rows of the output that differ from the source
  };

  /// Returns a function that adds rows.
  RowDiffOptions::OnRows adds_to(Of which) {
    return [this, which](const hub::Schema& schema, const hub::Batch& rows) {
      hub::RowSums of_batch(schema);
      of_batch.add(schema, rows);
      const std::lock_guard lock(mutex_);
      if (!schema_) {
        schema_ = schema;
        sums_.assign(3, hub::RowSums(schema));
      }
      sums_[which].merge(of_batch);
    };
  }

  /// Puts the columns and their sums into the table.
  void fill_in(const Plan& plan, ProvenTable* table) const {
    // Without rows there is no schema that they were compared in.
    const hub::Schema& schema = schema_ ? *schema_ : plan.target_hub;
    const std::vector<hub::RowSums> sums =
        schema_ ? sums_ : std::vector<hub::RowSums>(3, hub::RowSums(schema));
    const std::map<std::string, hub::Verdict> verdicts = verdicts_of(plan);
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const hub::Field& field = schema.fields[i];
      crosswalk::ProofColumn& column = table->columns.emplace_back();
      column.name = field.name;
      column.type = hub::to_string(field.type);
      const auto verdict = verdicts.find(field.name);
      if (verdict != verdicts.end()) column.verdict = verdict->second;
      column.source = sums[Source].columns()[i];
      column.output = replaced(column.source, sums[SourceUnequal].columns()[i],
                               sums[OutputUnequal].columns()[i]);
      const auto count =
          std::ranges::find(table->diff.counts, field.name, &crosswalk::ColumnCount::name);
      if (count != table->diff.counts.end()) column.differing = count->rows;
    }
    table->source_rows_sum = sums[Source].sum();
    table->output_rows_sum =
        sums[Source].sum() - sums[SourceUnequal].sum() + sums[OutputUnequal].sum();
  }

 private:
  std::mutex mutex_;
  std::optional<hub::Schema> schema_;
  std::vector<hub::RowSums> sums_;
};

/// Sets how the rows of both sides are compared, and which bad rows of the source are left out.
RowDiffOptions comparison_of(const ConvertOptions& options, const VerifyOptions& how) {
  RowDiffOptions out;
  out.key = how.key;
  out.any_order =
      how.key.empty() && (!options.output.partition_by.empty() || options.output.table_writers > 1);
  out.sort_bytes = options.input.max_memory / kSortShare;
  out.threads = std::max(2, options.pipeline.threads);
  out.on_progress = options.pipeline.on_progress;
  out.cancelled = options.pipeline.cancelled;
  out.left.skip_bad_rows = options.pipeline.skip_bad_rows;
  out.left.max_bad_rows = options.pipeline.max_bad_rows;
  return out;
}

/// Returns the format of a folder that exists: of a dataset, or of its files. Nothing for other
/// outputs.
std::optional<Format> format_there(const Location& output, const StorageOptions& storage) {
  if (output.is_standard() || output.is_cluster()) return std::nullopt;
  if (look_at(output, storage) != NameKind::Folder) return std::nullopt;
  Listing listing(storage);
  if (const std::optional<Format> dataset = format_of_folder(listing, output)) return dataset;
  return files_in(output, {}, storage).format;
}

}  // namespace

crosswalk::ProvenTable verify_output(const Locations& inputs, const Location& output,
                                     ConvertOptions options, const VerifyOptions& how) {
  const auto open = [&](const InputOptions& reading) { return Dataset(inputs, reading); };
  return verify_output(open, output, std::move(options), how);
}

crosswalk::ProvenTable verify_output(const OpenRows& open, const Location& output,
                                     ConvertOptions options, const VerifyOptions& how) {
  ProvenTable table;
  options.output.format = output_format(output, options.output);
  // The output is read at the same time.
  options.input.max_memory = std::max<uint64_t>(1, options.input.max_memory / 2);
  Dataset rows = open(options.input);
  Input source = take_for(rows, &options);
  for (const Location& file : source.files) table.inputs.push_back({file, size_on_disk(file)});
  if (table.inputs.empty()) table.inputs.push_back({"rows", std::nullopt});
  table.output = {output, size_on_disk(output)};
  const crosswalk::System system = source.format->system;
  const Format written = *options.output.format;
  Input there = open_written(output, options);
  set_any(source.reader->schema(), there.reader->schema(), &options);
  const Plan plan = plan_rows(source, written->system, options);
  table.verdict = plan.verdict();
  // From here on the source is rows of the output's system, as the conversion writes them.
  Input planned;
  planned.format = written;
  planned.files = source.files;
  // A cast that passes every batch as it is may give columns new names.
  const bool is_same = plan.cast.is_identity() && plan.renames.empty();
  planned.reader =
      is_same ? std::move(source.reader) : cast_pieces(std::move(source.reader), plan.cast);
  if (options.pipeline.skip_bad_rows) {
    planned.reader = as_written(std::move(planned.reader), plan, options.output);
  }
  std::vector<crosswalk::ColumnDifference> columns =
      schema_differences(plan, there, options.output);
  Sums sums;
  Progress done;
  RowDiffOptions comparing = comparison_of(options, how);
  table.in_order = how.key.empty() && !comparing.any_order;
  comparing.left.on_bad_row = [&](const hub::BadRow& bad) {
    if (table.rejected++ == 0) {
      table.first_rejected = rejection_text(bad.error, only_file(source.files));
      done.first_bad = std::make_shared<const Error>(bad.error);
    }
    if (options.pipeline.on_bad_row) options.pipeline.on_bad_row(bad);
  };
  comparing.on_left = sums.adds_to(Sums::Source);
  comparing.on_left_unequal = sums.adds_to(Sums::SourceUnequal);
  comparing.on_right_unequal = sums.adds_to(Sums::OutputUnequal);
  table.diff = diff_rows(std::move(planned), std::move(there), comparing);
  add_columns(std::move(columns), &table.diff);
  table.diff.left_system = system;
  table.diff.left_name = table.inputs.front().name;
  table.diff.right_name = output;
  sums.fill_in(plan, &table);
  done.rows = table.diff.left_rows;
  done.bad_rows = table.rejected;
  check_rejects(done, options.pipeline);
  return table;
}

crosswalk::ProvenTable unproven(const Locations& inputs, const Location& output, const Error& error,
                                hub::Interface interface) {
  ProvenTable table;
  for (const Location& input : inputs) table.inputs.push_back({input, size_on_disk(input)});
  table.output = {output, size_on_disk(output)};
  table.failure = hub::spelled(problem_of(output, error).text, interface);
  return table;
}

crosswalk::Proof proof_of(std::vector<crosswalk::ProvenTable> tables, const VerifyOptions& how) {
  crosswalk::Proof proof;
  proof.version = XWALK_VERSION;
  proof.command = how.command;
  proof.time = time_now();
  proof.tables = std::move(tables);
  return proof;
}

void report_proof(const crosswalk::Proof& proof, const ConvertOptions& options) {
  if (options.on_proof) return options.on_proof(proof);
  if (proof.passes()) return;
  const auto failed = std::ranges::find_if_not(proof.tables, &ProvenTable::passes);
  Place place;
  place.file = failed->output.name;
  std::string text = crosswalk::print_text(proof);
  text.pop_back();
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  throw Error(ErrorCode::Input, "the output differs from its input: " + text, place);
}

void check_comparable(const Location& output, const ConvertOptions& options) {
  const bool adds = options.output.mode == OutputMode::Append ||
                    (output.is_cluster() && yt::parse_rich_path(output).append.value_or(false));
  if (adds) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected an output that holds only the rows of its inputs, found {}",
                            mention(Option::Mode, "append")),
                {}, "Rows that are added to others cannot be verified.");
  }
  const std::optional<Format> format =
      options.output.format ? options.output.format : format_of_output_name(output);
  if (format) check_readable_again(*format);
}

crosswalk::Proof verify(const OpenRows& open, const Location& output, ConvertOptions options,
                        const VerifyOptions& how) {
  set_tolerance(&options);
  options.rejects.reset();
  std::vector<ProvenTable> tables;
  tables.push_back(verify_output(open, output, std::move(options), how));
  return proof_of(std::move(tables), how);
}

crosswalk::Proof verify(const Locations& inputs, const Location& output, ConvertOptions options,
                        const VerifyOptions& how) {
  const auto start = std::chrono::steady_clock::now();
  crosswalk::Proof proof = proof_of({}, how);
  check_comparable(output, options);
  if (!options.output.format && !format_of_output_name(output)) {
    options.output.format = format_there(output, options.output.storage);
  }
  set_tolerance(&options);
  options.rejects.reset();
  const std::vector<OutputOf> outputs = outputs_of(inputs, output, options);
  for (const OutputOf& one : outputs) {
    try {
      proof.tables.push_back(verify_output(one.inputs, one.output, one.options, how));
    } catch (const Error& error) {
      const bool fails_alone = is_about_input(error) && error.code() != ErrorCode::Usage;
      if (outputs.size() == 1 || !fails_alone) throw;
      proof.tables.push_back(unproven(one.inputs, one.output, error, how.interface));
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  proof.seconds = spent.count();
  return proof;
}

void write_proof(const crosswalk::Proof& proof, const std::string& path,
                 const StorageOptions& storage) {
  const auto ends = [&](std::string_view extension) { return path.ends_with(extension); };
  const std::string text = ends(".html")  ? crosswalk::print_html(crosswalk::report_of(proof))
                           : ends(".xml") ? crosswalk::print_junit(crosswalk::report_of(proof))
                           : ends(".md")  ? crosswalk::print_markdown(crosswalk::report_of(proof))
                           : ends(".txt") ? crosswalk::print_text(proof)
                                          : crosswalk::print_json(proof);
  SinkOptions writing;
  writing.mode = OutputMode::Overwrite;
  writing.storage = storage;
  write_file(path, text, writing);
}

}  // namespace xwalk::io
