#include "xwalk/convert/table_outputs.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/reject_file.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/skiff/module.h"

namespace xwalk::io {
namespace {

using crosswalk::System;
using hub::mention;
using hub::Option;

std::vector<Converted> convert_yson_tables(const Locations& inputs, const std::string& pattern,
                                           ConvertOptions options) {
  if (inputs.front().is_standard()) {
    throw Error(ErrorCode::Usage, "{table} in the output needs YSON rows that can be read twice");
  }
  OutputSet outputs;
  options.output.set = &outputs;
  // All are planned before rows of one are moved.
  std::vector<std::unique_ptr<Conversion>> tables;
  for (const uint32_t table : yson_tables(open_source(inputs.front(), options.input.storage))) {
    ConvertOptions one = options;
    one.input.table = table;
    tables.push_back(
        std::make_unique<Conversion>(inputs, output_of_table(pattern, table), std::move(one)));
  }
  options.output.inputs = inputs;
  return run_conversions(std::move(tables), options, pattern);
}

/// The tables of a Skiff stream: one pass writes them all.
class SkiffTables {
 public:
  SkiffTables(const Location& path, const std::string& pattern, ConvertOptions options)
      : path_(path),
        pattern_(pattern),
        options_(std::move(options)),
        input_(open_tables(path, options_.input)) {}

  std::vector<Converted> run();

 private:
  /// An output with its own options: each may have another version.
  struct Table {
    OutputOptions writing;
    crosswalk::PlanOptions planning;
    Destination to;
    std::unique_ptr<hub::BatchWriter> writer = nullptr;
    uint64_t rows = 0;
  };

  void locate_outputs();
  crosswalk::Plan plan_table(size_t table) const;
  void plan_and_open();
  Progress move(const PipelineOptions& given, RejectFile* rejects);

  const Location& path_;
  const std::string& pattern_;
  ConvertOptions options_;
  TablesInput input_;
  OutputSet outputs_;
  std::vector<Table> tables_;
  std::vector<Converted> results_;
};
std::vector<Converted> SkiffTables::run() {
  options_.output.inputs = {path_};
  if (input_.schema_origin == SchemaOrigin::SideFile) {
    options_.output.inputs.push_back(side_schema_path(path_));
  }
  options_.output.set = &outputs_;
  locate_outputs();
  plan_and_open();
  const Progress done = run_with_rejects(
      options_, pattern_,
      [&](const PipelineOptions& given, RejectFile* rejects) { return move(given, rejects); });
  for (size_t i = 0; i < results_.size(); ++i) {
    Progress& its = results_[i].done;
    its.bytes_read = done.bytes_read;
    its.total_bytes = done.total_bytes;
    its.rows = tables_[i].rows;
    its.bytes_written = tables_[i].writer->bytes_written();
  }
  return std::move(results_);
}

void SkiffTables::locate_outputs() {
  for (size_t table = 0; table < input_.reader->table_count(); ++table) {
    OutputOptions writing = options_.output;
    crosswalk::PlanOptions planning = planning_of(options_);
    Destination to = locate(output_of_table(pattern_, table), &writing, &planning);
    tables_.push_back({std::move(writing), std::move(planning), std::move(to)});
  }
}

crosswalk::Plan SkiffTables::plan_table(size_t table) const {
  const Destination& to = tables_[table].to;
  const hub::Schema& rows = input_.reader->schema(table);
  const crosswalk::PlanOptions& planning = tables_[table].planning;
  const RowsThere* there = to.rows();
  check_added_columns(to, rows, planning, false);
  crosswalk::Plan plan =
      there != nullptr
          ? crosswalk::plan_to(skiff::kModule, rows, there->schema, planning, &there->meaning)
          : crosswalk::plan(skiff::kModule, rows, to.format->system, planning);
  plan_controls(layout_of(input_.schema, table), there != nullptr, options_, &plan);
  return plan;
}

/// Plans all tables before an output is opened.
void SkiffTables::plan_and_open() {
  std::vector<crosswalk::Plan> plans;
  for (size_t i = 0; i < tables_.size(); ++i) plans.push_back(plan_table(i));
  for (size_t i = 0; i < tables_.size(); ++i) {
    ask_consent(plans[i], options_);
    results_.push_back({tables_[i].to.path, std::move(plans[i]), {}, {}});
  }
  for (size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].writer =
        open_output(tables_[i].to, write_plan(results_[i].plan), tables_[i].writing);
  }
}

Progress SkiffTables::move(const PipelineOptions& given, RejectFile* rejects) {
  if (rejects != nullptr) rejects->begin(input_.schema);
  std::vector<TableRoute> routes;
  for (size_t i = 0; i < tables_.size(); ++i) {
    routes.push_back({&results_[i].plan.cast, tables_[i].writer.get(), &tables_[i].rows});
  }
  PipelineOptions pipeline = given;
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    Progress& its = results_[bad.error.place().table.value_or(0)].done;
    if (its.bad_rows++ == 0) its.first_bad = std::make_shared<const Error>(bad.error);
    given.on_bad_row(bad);
  };
  const Progress done =
      naming_file(std::move(pipeline), only_file({path_}), [&](const PipelineOptions& named) {
        return while_unchanged(input_.file,
                               [&] { return run_tables(*input_.reader, routes, named); });
      });
  for (size_t i = 0; i < tables_.size(); ++i) {
    results_[i].done.rows = tables_[i].rows;
    check_rejects(results_[i].done, given);
  }
  return done;
}

}  // namespace

namespace {

/// Refuses inputs and options that are not about all tables of one stream. Throws Error (Usage).
void check_stream(const Locations& inputs, const ConvertOptions& options) {
  if (inputs.size() != 1 || input_files(inputs, options.input).listed) {
    throw Error(ErrorCode::Usage,
                "expected one file of YSON or Skiff rows for {table} in the output, found several",
                {},
                fmt::format("A folder OUT/ and {} write one output for each file.",
                            mention(Option::To, "FORMAT")));
  }
  const InputOptions& input_options = options.input;
  if (!input_options.select.empty() || !input_options.exclude.empty() || input_options.limit ||
      input_options.sample || input_options.tail || input_options.table) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("{}, {}, {}, {}, {} and {} choose rows of one table; {{table}} means all",
                    mention(Option::Select), mention(Option::Exclude), mention(Option::Limit),
                    mention(Option::Sample), mention(Option::Tail), mention(Option::Table)));
  }
}

bool is_yson(const Location& input, const ConvertOptions& options) {
  const auto format = options.input.format ? options.input.format : format_of_name(input);
  return format && *format == kYsonRows;
}

}  // namespace

std::vector<Converted> convert_tables(const Locations& inputs, const std::string& pattern,
                                      ConvertOptions options) {
  check_stream(inputs, options);
  options.output.format = output_format(table_path(pattern, 0), options.output);
  const System target = (*options.output.format)->system;
  if (is_yson(inputs.front(), options)) {
    return convert_yson_tables(inputs, pattern, std::move(options));
  }
  set_reading(target, &options);
  return SkiffTables(inputs.front(), pattern, std::move(options)).run();
}

Location output_of_table(const std::string& pattern, size_t table) {
  const Location path = table_path(pattern, table);
  const std::string& name = path.name();
  const auto index =
      static_cast<size_t>(std::ranges::mismatch(name, Location(pattern).name()).in1 - name.begin());
  for (size_t end = name.find('/', index); end != std::string::npos;
       end = name.find('/', end + 1)) {
    refuse_planted(path.renamed(name.substr(0, end)));
  }
  refuse_planted(path);
  return path.made_after(name.rfind('/', index) + 1);
}

std::vector<uint32_t> tables_of(const Locations& inputs, const ConvertOptions& options) {
  check_stream(inputs, options);
  const Location& input = inputs.front();
  if (is_yson(input, options)) return yson_tables(open_source(input, options.input.storage));
  std::vector<uint32_t> out(open_tables(input, options.input).reader->table_count());
  std::iota(out.begin(), out.end(), uint32_t{0});
  return out;
}

}  // namespace xwalk::io
