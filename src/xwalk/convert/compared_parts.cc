#include "xwalk/convert/compared_parts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/common_schema.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/row_diff.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/verify.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/variant.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/report/report.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

ComparedSide side_of(const Input& input) {
  ComparedSide side;
  side.format = input.format;
  side.schema = input.reader->schema();
  side.partitions = input.partitions;
  if (input.file_notes.inferred) {
    side.inferred = crosswalk::print_schema({yt::kModule, input.file_notes.inferred->table});
  }
  return side;
}

CommonSchema common_of(const ComparedParts& parts) {
  // The conversion has made the source rows of the output's system.
  const crosswalk::System system = parts.output.format->system;
  return common_schema(system, parts.planned, system, parts.output.schema);
}

/// Opens one file of a side with the columns that all files of it have.
Input open_part(const ComparedSide& side, const Location& file, InputOptions options) {
  options.format = side.format;
  // The process that opened all files has saved it.
  options.save_schema.reset();
  const bool is_inferred = !side.inferred.empty() && !options.schema &&
                           look_at(side_schema_path(file), options.storage) == NameKind::Nothing;
  if (is_inferred) options.schema = side.inferred;
  if (options.unify) {
    options.select.clear();
    options.exclude.clear();
  }
  InputFiles found;
  found.listed = true;
  InputFile& one = found.files.emplace_back();
  one.path = file;
  for (PartitionValue& value : partition_of(file.name())) {
    const auto known = std::ranges::find(side.partitions, value.key, &hub::Field::name);
    if (known == side.partitions.end()) continue;
    // The folder that was named may itself be in folders of such names.
    std::erase_if(one.partition,
                  [&](const PartitionValue& outer) { return outer.key == value.key; });
    one.partition.push_back(std::move(value));
  }
  found.keys = side.partitions;
  Input input = open_input(std::move(found), options);
  const hub::Schema& own = input.reader->schema();
  if (own == side.schema) return input;
  hub::CompiledCast cast =
      options.unify
          ? hub::compile_cast(own, side.schema)
          : same_schema(own, side.schema,
                        crosswalk::source_refinement(side.format->system, options.annotations),
                        file);
  input.reader = cast_pieces(std::move(input.reader), std::move(cast));
  return input;
}

/// Adds up rows that it casts to the types in which both sides are compared.
class Adder final : public hub::BatchWriter {
 public:
  Adder(const hub::CompiledCast* cast, std::string file)
      : cast_(*cast), file_(std::move(file)), sums_(cast->to()) {}

  void write(hub::Batch batch) override {
    const int64_t first_row = batch.first_row;
    batch = cast_.run(std::move(batch));
    for (const hub::BadRow& bad : batch.bad) {
      if (unfit_++ > 0) continue;
      Error error = bad.error;
      error.place().row = first_row + bad.index;
      first_unfit_ = rejection_text(error, file_);
    }
    const hub::Schema& schema = cast_.to();
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      batch.array.children[i] = hub::with_sorted_values(schema.fields[i], batch.array.children[i]);
    }
    sums_.add(schema, batch);
  }
  void finish() override {}

  SideSums take() && {
    return {sums_.rows() + unfit_, sums_.sum(), sums_.columns(), 0, {}, {}, unfit_, first_unfit_};
  }

 private:
  const hub::CompiledCast& cast_;
  std::string file_;
  hub::RowSums sums_;
  uint64_t unfit_ = 0;
  std::string first_unfit_;
};

SideSums added_up(Input rows, const hub::CompiledCast& cast, const Location& file,
                  PipelineOptions pipeline) {
  // Whether too many are rejected is decided by all parts.
  pipeline.max_bad_rows.reset();
  std::string first_rejected;
  RowsByPath rejected_at;
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (first_rejected.empty()) first_rejected = rejection_text(bad.error, file);
    count_rejected(bad, &rejected_at);
  };
  Adder adder(&cast, file);
  const Progress done = run_pipeline(*rows.reader, nullptr, &adder, pipeline);
  SideSums out = std::move(adder).take();
  out.rejected = done.bad_rows;
  out.first_rejected = std::move(first_rejected);
  out.rejected_at = std::move(rejected_at);
  return out;
}

/// Has a part read and planned as the conversion reads and plans the whole.
void set_reading_part(const ComparedParts& parts, ConvertOptions* options) {
  set_comparing(options);
  options->output.format = parts.output.format;
  set_reading(parts.output.format->system, options);
  set_any(parts.source.schema, parts.output.schema, options);
}

}  // namespace

OpenParts open_parts(const Locations& inputs, const Location& output, ConvertOptions options) {
  check_comparable(output, options);
  options.output.format = format_of_existing(output, options.output);
  set_comparing(&options);
  const auto open = [&](const InputOptions& reading) { return Dataset(inputs, reading); };
  OpenComparison opened = open_comparison(open, output, &options);
  OpenParts out;
  out.parts = {side_of(opened.source), side_of(opened.output), {}};
  out.source_files = opened.source.files;
  out.output_files = opened.output.files;
  out.verdicts = verdicts_of(opened.plan);
  out.table = std::move(opened.table);
  out.table.by_checksums = true;
  out.table.in_order = false;
  crosswalk::RowDiff& diff = out.table.diff;
  out.parts.planned = as_converted(std::move(opened.source), opened.plan, options).reader->schema();
  diff.left_system = out.parts.source.format->system;
  diff.right_system = out.parts.output.format->system;
  diff.left_name = out.table.inputs.front().name;
  diff.right_name = output;
  diff.columns = common_of(out.parts).left_out;
  count_columns(out.parts.planned, out.parts.output.schema, &diff);
  add_columns(std::move(opened.columns), &diff);
  out.plan = std::move(opened.plan);
  return out;
}

SideSums sums_of_source(const ComparedParts& parts, const Location& file, ConvertOptions options) {
  set_reading_part(parts, &options);
  Input source = open_part(parts.source, file, options.input);
  const crosswalk::Plan plan = plan_rows(source, parts.output.format->system, options);
  Input rows = as_converted(std::move(source), plan, options);
  if (rows.reader->schema() != parts.planned) {
    throw Error(ErrorCode::Input, "expected the columns of the first file, found others",
                {.file = file.name()});
  }
  const CommonSchema common = common_of(parts);
  return added_up(std::move(rows), common.left, file, options.pipeline);
}

SideSums sums_of_output(const ComparedParts& parts, const Location& file, ConvertOptions options) {
  set_reading_part(parts, &options);
  InputOptions reading = reading_of_output(parts.source.format, options);
  reading.part = options.input.part;
  PipelineOptions pipeline = options.pipeline;
  // Rows are left out of the source only.
  pipeline.skip_bad_rows = false;
  const CommonSchema common = common_of(parts);
  return added_up(open_part(parts.output, file, reading), common.right, file, pipeline);
}

report::ProvenTable proven_by(const OpenParts& open, const SideSums& source, const SideSums& output,
                              const ConvertOptions& options) {
  report::ProvenTable table = open.table;
  table.rejected = source.rejected;
  table.first_rejected = source.first_rejected;
  table.diff.left_rows = source.rows;
  table.diff.right_rows = output.rows;
  table.source_rows_sum = source.sum;
  table.output_rows_sum = output.sum;
  const hub::Schema compared = common_of(open.parts).schema;
  const auto sum_of = [](const SideSums& sums, size_t column) {
    return column < sums.columns.size() ? sums.columns[column] : hub::ColumnSum{};
  };
  for (size_t i = 0; i < compared.fields.size(); ++i) {
    const hub::Field& field = compared.fields[i];
    const auto verdict = open.verdicts.find(field.name);
    table.columns.push_back({field.name, hub::to_string(field.type),
                             verdict == open.verdicts.end() ? hub::Verdict::Exact : verdict->second,
                             sum_of(source, i), sum_of(output, i)});
  }
  if (source.unfit + output.unfit > 0) {
    table.failure = fmt::format("{} cannot be compared by a checksum, the first: {}",
                                counted(source.unfit + output.unfit, "row"),
                                source.unfit > 0 ? source.first_unfit : output.first_unfit);
  }
  RowsByPath rejected = source.rejected_at;
  for (const crosswalk::PathReport& known : open.plan->paths) {
    const auto at = rejected.find(known.path.text());
    if (at != rejected.end()) at->second.path = known.path;
  }
  table.decisions =
      decisions_of(*open.plan, options, source.rows + source.rejected, std::move(rejected));
  ConvertOptions limits = options;
  set_comparing(&limits);
  Progress done;
  done.rows = source.rows;
  done.bad_rows = source.rejected;
  done.first_bad = std::make_shared<const Error>(ErrorCode::Input, source.first_rejected);
  check_rejects(done, limits.pipeline);
  return table;
}

}  // namespace xwalk::io
