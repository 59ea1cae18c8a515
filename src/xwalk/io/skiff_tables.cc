#include "xwalk/io/skiff_tables.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/original.h"
#include "xwalk/io/row_format.h"
#include "xwalk/io/source.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/room.h"

namespace xwalk::io {
namespace {

constexpr std::string_view kTableWord = "{table}";

using Clock = std::chrono::steady_clock;
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

/// Leaves the bad rows of a batch out, or throws the first.
hub::Batch without_bad_rows(hub::Batch batch, const hub::Schema& schema,
                            const PipelineOptions& options, Progress* progress) {
  if (batch.bad.empty()) return batch;
  if (!options.skip_bad_rows) throw Error(std::move(batch.bad.front().error));
  std::vector<hub::BadRow> dropped;
  batch = hub::drop_bad_rows(std::move(batch), schema, &dropped);
  for (const hub::BadRow& row : dropped) {
    if (options.max_bad_rows && progress->bad_rows >= *options.max_bad_rows) {
      throw Error(ErrorCode::Input,
                  fmt::format("more than {} bad rows, the last one: {}", *options.max_bad_rows,
                              row.error.message()),
                  row.error.place(), row.error.hint());
    }
    ++progress->bad_rows;
    if (options.on_bad_row) options.on_bad_row(row);
  }
  return batch;
}

std::vector<hub::BatchWriter*> writers_of(std::span<const TableRoute> routes) {
  std::vector<hub::BatchWriter*> writers;
  for (const TableRoute& route : routes) {
    if (route.writer == nullptr) continue;
    if (std::ranges::find(writers, route.writer) == writers.end()) writers.push_back(route.writer);
  }
  return writers;
}

}  // namespace

skiff::Schema find_skiff_schema(const std::string& path, const Source* opened,
                                const InputOptions& options, SchemaOrigin* origin) {
  skiff::Schema schema;
  const bool found = find_side_schema(path, opened, options, origin, [&](std::string_view text) {
    schema = skiff::parse_schema(text);
    crosswalk::check_schema({skiff::kRoom, schema});
  });
  if (found) return schema;
  throw Error(ErrorCode::Usage,
              path == "-" ? "Skiff rows from standard input need a schema"
                          : fmt::format("Skiff rows need a schema, and there is no {}",
                                        side_schema_path(path)),
              {},
              "Give one with " + hub::mention(hub::Option::Schema) +
                  ": a format configuration <table_skiff_schemas=[…]>skiff, or a table schema.");
}

skiff::ReadOptions skiff_read_options(const InputOptions& options,
                                      yt::SpecialsAsStored special_decimals) {
  skiff::ReadOptions out;
  out.table = options.table.value_or(0);
  out.table_index = options.skiff.table_index;
  out.row_index = options.skiff.row_index;
  out.range_index = options.skiff.range_index;
  out.key_switch = options.skiff.key_switch;
  out.controls = options.controls;
  out.batch_rows = options.batch_rows;
  out.batch_bytes = static_cast<size_t>(options.batch_bytes);
  out.row_bytes = limits::row_bytes(options.max_memory);
  out.skip_bad_rows = options.skip_bad_rows;
  out.require_end_of_stream = options.skiff.end_of_stream;
  out.uuid_order = options.values.uuid_order;
  out.decimal_special = options.values.decimal_special;
  out.specials_as_stored = std::move(special_decimals);
  return out;
}

TablesInput open_tables(const std::string& path, const InputOptions& options) {
  if (const auto format = options.format ? options.format : format_of_name(path);
      format && *format != kSkiffRows) {
    throw Error(ErrorCode::Usage, fmt::format("expected a Skiff stream of several tables, found {}",
                                              (*format)->name));
  }
  TablesInput input;
  auto source = open_source(path, options.storage);
  input.schema = find_skiff_schema(path, source.get(), options, &input.schema_origin);
  input.file = source->original();
  input.reader = std::make_unique<skiff::TablesReader>(
      std::move(source), input.schema, skiff_read_options(options, input.special_decimals));
  return input;
}

Progress run_tables(skiff::TablesReader& reader, std::span<const TableRoute> routes,
                    const PipelineOptions& options) {
  if (routes.size() != reader.table_count()) {
    throw Error(ErrorCode::Internal, fmt::format("expected a route for each of {} tables, found {}",
                                                 reader.table_count(), routes.size()));
  }
  std::vector<hub::BatchWriter*> writers = writers_of(routes);
  Progress progress;
  auto measure = [&] {
    progress.bytes_read = reader.bytes_read();
    progress.total_bytes = reader.total_bytes();
    progress.bytes_written = 0;
    for (hub::BatchWriter* writer : writers) progress.bytes_written += writer->bytes_written();
  };
  Clock::time_point next_report = Clock::now() + kProgressInterval;
  while (std::optional<skiff::TableBatch> found = reader.next()) {
    if (options.cancelled != nullptr && options.cancelled->load()) {
      throw Error(ErrorCode::Interrupted, "interrupted");
    }
    const TableRoute& route = routes[found->table];
    hub::Batch batch = std::move(found->batch);
    const hub::Schema* schema = &reader.schema(found->table);
    if (route.cast != nullptr && !route.cast->is_identity()) {
      schema = &route.cast->to();
      batch = route.cast->run(std::move(batch));
      for (hub::BadRow& bad : batch.bad) bad.error.place().table = found->table;
    }
    batch = without_bad_rows(std::move(batch), *schema, options, &progress);
    progress.rows += static_cast<uint64_t>(batch.rows());
    if (route.rows != nullptr) *route.rows += static_cast<uint64_t>(batch.rows());
    if (route.writer != nullptr && batch.rows() > 0) route.writer->write(std::move(batch));
    if (!options.on_progress || Clock::now() < next_report) continue;
    next_report = Clock::now() + kProgressInterval;
    measure();
    options.on_progress(progress);
  }
  for (hub::BatchWriter* writer : writers) writer->finish();
  measure();
  if (options.on_progress) options.on_progress(progress);
  return progress;
}

std::string table_path(std::string_view pattern, size_t table) {
  size_t at = pattern.find(kTableWord);
  if (at == std::string_view::npos) return std::string(pattern);
  return fmt::format("{}{}{}", pattern.substr(0, at), table,
                     pattern.substr(at + kTableWord.size()));
}

bool is_table_pattern(std::string_view pattern) {
  return pattern.find(kTableWord) != std::string_view::npos;
}

void add_unfit(const skiff::Schema* input, size_t table, crosswalk::Plan* plan) {
  const auto* output = plan->target.get_if<skiff::Schema>();
  if (output == nullptr) return;
  for (const hub::Finding& found : skiff::unfit(*output, 0, input, table)) {
    const auto report = std::ranges::find(plan->paths, found.path, &crosswalk::PathReport::path);
    if (report == plan->paths.end() || found.effect == hub::Effect::None) continue;
    const auto values =
        found.effect == hub::Effect::Altered ? hub::Values::Altered : hub::Values::Checked;
    if (report->values >= values) continue;
    report->values = values;
    report->reasons.insert(report->reasons.begin(),
                           {found.rule, values, "", found.lost, found.witness, found.hint});
  }
}

std::vector<crosswalk::Plan> plan_tables(size_t tables, crosswalk::PlanOptions options,
                                         const PlanTable& plan_of) {
  std::vector<crosswalk::Plan> plans;
  for (size_t table = 0; table < tables; ++table) plans.push_back(plan_of(table, options));
  const bool special = std::ranges::all_of(plans, &crosswalk::Plan::special_decimals);
  if (options.special_decimals != crosswalk::SpecialDecimals::AsStored || special) return plans;
  options.special_decimals = crosswalk::SpecialDecimals::Refused;
  return plan_tables(tables, std::move(options), plan_of);
}

namespace {

/// Returns the columns of all tables; one that a table lacks may be null.
yt::TableSchema all_columns(std::span<const yt::TableSchema> tables) {
  yt::TableSchema all;
  for (const yt::TableSchema& table : tables) {
    all.strict = all.strict && table.strict;
    for (const yt::ColumnSchema& column : table.columns) {
      if (all.find(column.name) != nullptr) continue;
      const bool everywhere = std::ranges::all_of(
          tables, [&](const yt::TableSchema& other) { return other.find(column.name) != nullptr; });
      const bool as_it_is = everywhere || yt::is_nullable(column.type);
      all.columns.emplace_back(column.name, as_it_is ? column.type : yt::optional(column.type));
    }
  }
  return all;
}

/// Returns the columns of an input as the outputs call them.
yt::TableSchema renamed(yt::TableSchema table, const std::vector<crosswalk::RenameOption>& rename) {
  for (yt::ColumnSchema& column : table.columns) {
    for (const crosswalk::RenameOption& one : rename) {
      if (one.path == Path::column(column.name)) column.name = one.name;
    }
  }
  return table;
}

}  // namespace

TableJob::TableJob(skiff::Schema inputs, skiff::Schema outputs,
                   const crosswalk::PlanOptions& options)
    : inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      tz_form_(options.numbered_zones ? yt::TzForm::Index : yt::TzForm::Name) {
  size_t in = inputs_.format.tables.size();
  size_t out = outputs_.format.tables.size();
  if (out != 1 && out != in) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected one output table, or one for each of {} input tables, found "
                            "{}",
                            in, out));
  }
  std::vector<yt::TableSchema> wanted;
  for (size_t table = 0; table < out; ++table) wanted.push_back(skiff::columns_of(outputs_, table));
  for (size_t table = 0; table < out; ++table) {
    std::vector<yt::TableSchema> rows;
    for (size_t from = 0; from < in; ++from) {
      if (output_of(from) == table)
        rows.push_back(renamed(skiff::columns_of(inputs_, from), options.rename));
    }
    skiff::describe_others(&outputs_, table, all_columns(rows));
  }
  for (size_t table = 0; options.rename.empty() && table < in; ++table) {
    skiff::describe_others(&inputs_, table, wanted[output_of(table)]);
  }
  plans_ = plan_tables(in, options, [&](size_t table, const crosswalk::PlanOptions& planning) {
    try {
      const crosswalk::AnySchema target(skiff::kRoom, skiff::of_table(outputs_, output_of(table)));
      crosswalk::Plan plan =
          crosswalk::plan_to(skiff::kRoom, skiff::to_arrow(inputs_, table), target, planning);
      add_unfit(&inputs_, table, &plan);
      return plan;
    } catch (Error& error) {
      error.place().table = static_cast<uint32_t>(table);
      throw;
    }
  });
}

Progress TableJob::run(std::unique_ptr<ByteSource> source,
                       std::vector<std::unique_ptr<ByteSink>> sinks, const PipelineOptions& options,
                       bool end_of_stream) const {
  if (sinks.size() != outputs_.format.tables.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a sink for each of {} output tables, found "
                                              "{}",
                                              outputs_.format.tables.size(), sinks.size()));
  }
  const auto special =
      std::make_shared<bool>(std::ranges::all_of(plans_, &crosswalk::Plan::special_decimals));
  skiff::ReadOptions read;
  read.skip_bad_rows = options.skip_bad_rows;
  read.specials_as_stored = special;
  read.controls = true;
  read.require_end_of_stream = end_of_stream;
  skiff::TablesReader reader(std::move(source), inputs_, read);
  skiff::WriteOptions write;
  write.specials_as_stored = special;
  write.tz_form = tz_form_;
  std::vector<std::unique_ptr<hub::BatchWriter>> writers;
  for (size_t table = 0; table < sinks.size(); ++table) {
    // Each output stream has one table, so its tag is 0.
    writers.push_back(
        skiff::write_rows(std::move(sinks[table]), skiff::of_table(outputs_, table), write));
  }
  std::vector<TableRoute> routes;
  for (size_t table = 0; table < plans_.size(); ++table) {
    routes.push_back({&plans_[table].cast, writers[output_of(table)].get()});
  }
  return run_tables(reader, routes, options);
}

Progress TableJob::run(const PipelineOptions& options, bool end_of_stream) const {
  std::vector<std::unique_ptr<ByteSink>> sinks;
  for (size_t table = 0; table < outputs_.format.tables.size(); ++table) {
    sinks.push_back(skiff::descriptor_sink(skiff::job_output(table)));
  }
  return run(skiff::descriptor_source(skiff::kJobInput), std::move(sinks), options, end_of_stream);
}

}  // namespace xwalk::io
