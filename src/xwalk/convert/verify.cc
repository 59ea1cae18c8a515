#include "xwalk/convert/verify.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/convert/any_report.h"
#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/tables.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/version.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

using crosswalk::Plan;
using hub::mention;
using hub::Option;
using report::ProvenTable;

/// Of the memory that inputs may take, what the rows of each side may take to be sorted.
constexpr uint64_t kSortShare = 64;

/// Returns the time in UTC.
std::string time_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
      report::ProofColumn& column = table->columns.emplace_back();
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

}  // namespace

std::vector<report::Decision> decisions_of(const Plan& plan, const ConvertOptions& options,
                                           uint64_t read, RowsByPath rejected) {
  report::Check check{.plan = &plan, .name = {}, .target_name = {}, .accepted = options.accepted};
  check.fail_on = hub::Verdict::Unsupported;
  if (options.rejects) check.rejects = options.rejects->name();
  check.rows.emplace();
  check.rows->read = read;
  for (auto& [path, rows] : rejected) {
    check.rows->rejected += rows.rejected;
    check.rows->paths.push_back(std::move(rows));
  }
  check.max_rejected = check.rows->rejected;
  std::vector<report::Decision> out = report::decisions_of(check);
  for (report::Decision& one : out) {
    if (one.state != report::DecisionState::Open) continue;
    one.state = report::DecisionState::Decided;
    one.decided = "values may change, as an option says";
  }
  return out;
}

namespace {

/// Sets how the rows of both sides are compared, and which bad rows of the source are left out.
RowDiffOptions comparison_of(const ConvertOptions& options, const VerifyOptions& how) {
  RowDiffOptions out;
  const UpsertOptions& upsert = options.output.upsert;
  out.key = how.key.empty() ? upsert.key : how.key;
  out.right_has_others = upsert.wanted;
  out.any_order =
      out.key.empty() && (!options.output.partition_by.empty() || options.output.table_writers > 1);
  out.sort_bytes = options.input.max_memory / kSortShare;
  out.threads = std::max(2, options.pipeline.threads);
  out.on_progress = options.pipeline.on_progress;
  out.cancelled = options.pipeline.cancelled;
  out.left.skip_bad_rows = options.pipeline.skip_bad_rows;
  out.left.max_bad_rows = options.pipeline.max_bad_rows;
  return out;
}

/// Returns true for a folder that is not a dataset, of a format whose rows are one: a conversion
/// that can be resumed made a dataset of each input.
bool holds_datasets(const Location& output, const OutputOptions& options) {
  return options.format && (*options.format)->is_dataset != nullptr &&
         output.name().ends_with('/') && !(*options.format)->is_dataset(output, options.storage);
}

}  // namespace

report::ProvenTable verify_output(const Locations& inputs, const Location& output,
                                  ConvertOptions options, const VerifyOptions& how) {
  const auto open = [&](const InputOptions& reading) { return Dataset(inputs, reading); };
  return verify_output(open, output, std::move(options), how);
}

report::ProvenTable verify_output(const OpenRows& open, const Location& output,
                                  ConvertOptions options, const VerifyOptions& how) {
  // The output is read at the same time.
  options.input.max_memory = std::max<uint64_t>(1, options.input.max_memory / 2);
  OpenComparison opened = open_comparison(open, output, &options);
  ProvenTable& table = opened.table;
  const crosswalk::System system = opened.source.format->system;
  Input planned = as_converted(std::move(opened.source), opened.plan, options);
  Sums sums;
  Progress done;
  RowsByPath rejected;
  RowDiffOptions comparing = comparison_of(options, how);
  table.in_order = comparing.key.empty() && !comparing.any_order;
  comparing.left.on_bad_row = [&, file = only_file(planned.files)](const hub::BadRow& bad) {
    if (table.rejected++ == 0) {
      table.first_rejected = rejection_text(bad.error, file);
      done.first_bad = std::make_shared<const Error>(bad.error);
    }
    count_rejected(bad, &rejected);
    if (options.pipeline.on_bad_row) options.pipeline.on_bad_row(bad);
  };
  comparing.on_left = sums.adds_to(Sums::Source);
  comparing.on_left_unequal = sums.adds_to(Sums::SourceUnequal);
  comparing.on_right_unequal = sums.adds_to(Sums::OutputUnequal);
  table.diff = diff_rows(std::move(planned), std::move(opened.output), comparing);
  add_columns(std::move(opened.columns), &table.diff);
  table.diff.left_system = system;
  table.diff.left_name = table.inputs.front().name;
  table.diff.right_name = output;
  sums.fill_in(opened.plan, &table);
  table.decisions = decisions_of(opened.plan, options, table.diff.left_rows + table.rejected,
                                 std::move(rejected));
  done.rows = table.diff.left_rows;
  done.bad_rows = table.rejected;
  check_rejects(done, options.pipeline);
  return std::move(opened.table);
}

report::ProvenTable unproven(const Locations& inputs, const Location& output, const Error& error,
                             hub::Interface interface) {
  ProvenTable table;
  for (const Location& input : inputs) table.inputs.push_back({input, size_on_disk(input)});
  table.output = {output, size_on_disk(output)};
  table.failure = hub::spelled(problem_of(output, error).whole(), interface);
  return table;
}

report::Proof proof_of(std::vector<report::ProvenTable> tables, const VerifyOptions& how) {
  report::Proof proof;
  proof.version = XWALK_VERSION;
  proof.command = how.command;
  proof.time = time_now();
  proof.title = how.title;
  proof.owner = how.owner;
  proof.tables = std::move(tables);
  return proof;
}

void report_proof(const report::Proof& proof, const ConvertOptions& options) {
  if (options.on_proof) return options.on_proof(proof);
  if (proof.passes()) return;
  const auto failed = std::ranges::find_if_not(proof.tables, &ProvenTable::passes);
  Place place;
  place.file = failed->output.name;
  std::string text = report::print_text(proof);
  text.pop_back();
  for (size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  throw Error(ErrorCode::Input, "the output differs from its input: " + text, place);
}

void check_comparable(const Location& output, const ConvertOptions& options) {
  // Rows with a key are found among others.
  const bool adds = (options.output.mode == OutputMode::Append && !options.output.upsert.wanted) ||
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

report::Proof verify(const OpenRows& open, const Location& output, ConvertOptions options,
                     const VerifyOptions& how) {
  const auto start = std::chrono::steady_clock::now();
  check_comparable(output, options);
  options.output.format = format_of_existing(output, options.output);
  set_comparing(&options);
  std::vector<ProvenTable> tables;
  tables.push_back(verify_output(open, output, std::move(options), how));
  report::Proof proof = proof_of(std::move(tables), how);
  proof.seconds = seconds_since(start);
  return proof;
}

report::Proof verify(const Locations& inputs, const Location& output, ConvertOptions options,
                     const VerifyOptions& how) {
  const auto start = std::chrono::steady_clock::now();
  report::Proof proof = proof_of({}, how);
  check_comparable(output, options);
  options.output.format = format_of_existing(output, options.output);
  set_comparing(&options);
  if (holds_datasets(output, options.output)) options.resume = true;
  const std::vector<OutputOf> outputs = outputs_of(inputs, output, options);
  for (const OutputOf& one : outputs) {
    try {
      proof.tables.push_back(verify_output(one.inputs, one.output, one.options, how));
    } catch (const Error& error) {
      const bool fails_alone = is_about_input(error) && error.code() != ErrorCode::Usage;
      if (outputs.size() == 1 || !fails_alone) throw;
      proof.tables.push_back(unproven(one.inputs, one.output, error, one.options.interface));
    }
  }
  proof.seconds = seconds_since(start);
  return proof;
}

void write_proof(const report::Proof& proof, const std::string& path,
                 const StorageOptions& storage) {
  const auto names_form = [&](const ReportFormRow& form) {
    return !form.extension.empty() && path.ends_with(form.extension);
  };
  const auto forms = report_forms();
  const auto form = std::ranges::find_if(forms, names_form);
  const AnyReport report(proof, {});
  const std::string text = form == forms.end() ? report.json() : form->print(report, {}, {});
  SinkOptions writing;
  writing.mode = OutputMode::Overwrite;
  writing.storage = storage;
  write_file(path, text, writing);
}

}  // namespace xwalk::io
