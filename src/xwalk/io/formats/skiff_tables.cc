#include "xwalk/io/formats/skiff_tables.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/cast/take.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/schema_file.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/fit.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/module.h"

namespace xwalk::io {
namespace {

constexpr std::string_view kTableWord = "{table}";

using Clock = std::chrono::steady_clock;
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

/// Leaves the bad and the misplaced rows of a batch out, or throws the first. `complete` adds the
/// place and the bytes of a row.
hub::Batch good_rows(hub::Batch batch, const hub::Schema& schema, OrderedWriter* ordered,
                     const std::function<void(hub::BadRow&)>& complete,
                     const PipelineOptions& options, Progress* progress) {
  if (batch.bad.empty() && ordered == nullptr) return batch;
  std::vector<hub::BadRow> dropped;
  batch = ordered != nullptr ? ordered->leave_out(std::move(batch), schema, &dropped)
                             : hub::drop_bad_rows(std::move(batch), schema, &dropped);
  for (hub::BadRow& row : dropped) complete(row);
  if (!dropped.empty() && !options.skip_bad_rows) throw Error(std::move(dropped.front().error));
  for (const hub::BadRow& row : dropped) count_bad_row(row, options, progress);
  return batch;
}

/// Merges rows of several tables, of one schema each by now, in the order of their stream.
/// `batches` are those that go together, by table.
hub::Batch merged(std::vector<skiff::TableBatch> batches,
                  std::span<const skiff::TablesBlock::Run> runs, const hub::Schema& schema,
                  int64_t first_row) {
  if (batches.size() == 1) return std::move(batches.front().batch);
  std::vector<hub::Array> parts;
  std::map<uint32_t, int64_t> next;  // by table, the place among all of its next row
  std::map<uint32_t, int64_t> begin;
  int64_t rows = 0;
  bool has_controls = false;
  for (const skiff::TableBatch& one : batches) {
    next[one.table] = begin[one.table] = rows;
    rows += one.batch.rows();
    parts.push_back(one.batch.array);
    has_controls = has_controls || !one.batch.controls.empty();
  }
  std::vector<int64_t> order;
  std::vector<int64_t> places(static_cast<size_t>(rows));
  order.reserve(static_cast<size_t>(rows));
  for (const skiff::TablesBlock::Run& run : runs) {
    const auto from = next.find(run.table);
    if (from == next.end()) continue;
    for (int64_t i = 0; i < run.rows; ++i) {
      places[static_cast<size_t>(from->second)] = std::ssize(order);
      order.push_back(from->second++);
    }
  }
  const hub::Type type = hub::struct_(schema.fields);
  hub::Batch out;
  out.first_row = first_row;
  out.array = hub::cast::take(hub::concat(type, parts), type, order);
  if (has_controls) out.controls.resize(static_cast<size_t>(rows));
  for (skiff::TableBatch& one : batches) {
    const int64_t* const place = places.data() + begin[one.table];
    for (hub::BadRow& row : one.batch.bad) {
      row.index = place[row.index];
      out.bad.push_back(std::move(row));
    }
    for (size_t i = 0; i < one.batch.controls.size(); ++i) {
      out.controls[static_cast<size_t>(place[i])] = one.batch.controls[i];
    }
  }
  std::ranges::sort(out.bad, {}, &hub::BadRow::index);
  return out;
}

/// Returns true if rows of several tables go to one writer, and have to keep their order.
bool shares_writers(std::span<const TableRoute> routes) {
  std::set<const hub::BatchWriter*> seen;
  return std::ranges::any_of(routes, [&](const TableRoute& route) {
    return route.writer != nullptr && !seen.insert(route.writer).second;
  });
}

/// Moves the rows of a stream along their routes.
class TableRun {
 public:
  TableRun(skiff::TablesReader& reader, std::span<const TableRoute> routes,
           const PipelineOptions& options)
      : reader_(reader), routes_(routes), options_(options) {}

  /// Takes a batch of one table.
  void move(skiff::TableBatch one) {
    const TableRoute& route = routes_[one.table];
    cast(&one);
    const auto complete = [&](hub::BadRow& row) {
      row.error.place().table = one.table;
      if (one.bytes == nullptr || !row.source_bytes.empty()) return;
      locate_row(*one.bytes, static_cast<size_t>(row.index), &row);
    };
    const uint64_t before = progress_.rows;
    write(route.writer, schema_of(one.table), std::move(one.batch), complete);
    if (route.rows != nullptr) *route.rows += progress_.rows - before;
  }

  /// Takes rows of all tables. Those that go to one writer go in their order.
  void move(skiff::TablesBlock block) {
    std::map<hub::BatchWriter*, std::vector<skiff::TableBatch>> by_writer;
    for (skiff::TableBatch& one : block.batches) {
      cast(&one);
      by_writer[routes_[one.table].writer].push_back(std::move(one));
    }
    for (auto& [writer, batches] : by_writer) {
      const hub::Schema& schema = schema_of(batches.front().table);
      int64_t rows = 0;
      for (const skiff::TableBatch& one : batches) rows += one.batch.rows();
      hub::Batch batch = merged(std::move(batches), block.runs, schema, rows_[writer]);
      rows_[writer] += rows;
      write(writer, schema, std::move(batch), [](hub::BadRow&) {});
    }
  }

  Progress& progress() { return progress_; }

 private:
  const hub::Schema& schema_of(uint32_t table) const {
    const hub::CompiledCast* cast = routes_[table].cast;
    return cast == nullptr || cast->is_identity() ? reader_.schema(table) : cast->to();
  }

  void cast(skiff::TableBatch* one) const {
    const hub::CompiledCast* cast = routes_[one->table].cast;
    if (cast != nullptr && !cast->is_identity()) one->batch = cast->run(std::move(one->batch));
    for (hub::BadRow& bad : one->batch.bad) {
      Place& place = bad.error.place();
      place.table = one->table;
      if (!place.row) place.row = static_cast<uint64_t>(one->batch.first_row + bad.index);
    }
  }

  void write(hub::BatchWriter* writer, const hub::Schema& schema, hub::Batch batch,
             const std::function<void(hub::BadRow&)>& complete) {
    auto* const ordered = dynamic_cast<OrderedWriter*>(writer);
    batch = good_rows(std::move(batch), schema, ordered, complete, options_, &progress_);
    progress_.rows += static_cast<uint64_t>(batch.rows());
    if (ordered != nullptr) writer = ordered->writer();
    if (writer != nullptr && batch.rows() > 0) writer->write(std::move(batch));
  }

  skiff::TablesReader& reader_;
  std::span<const TableRoute> routes_;
  const PipelineOptions& options_;
  Progress progress_;
  /// Rows that came for a writer so far.
  std::map<hub::BatchWriter*, int64_t> rows_;
};

std::vector<hub::BatchWriter*> writers_of(std::span<const TableRoute> routes) {
  std::vector<hub::BatchWriter*> writers;
  for (const TableRoute& route : routes) {
    if (route.writer == nullptr) continue;
    if (std::ranges::find(writers, route.writer) == writers.end()) writers.push_back(route.writer);
  }
  return writers;
}

}  // namespace

skiff::Schema find_skiff_schema(const Location& path, const Source* opened,
                                const InputOptions& options, SchemaOrigin* origin) {
  skiff::Schema schema;
  const bool found = find_side_schema(path, opened, options, origin, [&](std::string_view text) {
    schema = skiff::parse_schema(text);
    crosswalk::check_schema({skiff::kModule, schema});
  });
  if (found) return schema;
  throw Error(ErrorCode::Usage,
              path.is_standard() ? "Skiff rows need a schema"
                                 : fmt::format("Skiff rows need a schema, and there is no {}",
                                               side_schema_path(path)),
              {},
              "Give one with " + hub::mention(hub::Option::Schema) +
                  ": a format configuration <table_skiff_schemas=[…]>skiff, or a table schema.");
}

skiff::ReadOptions skiff_read_options(const InputOptions& options) {
  skiff::ReadOptions out;
  out.table = options.table.value_or(0);
  out.table_index = options.skiff.table_index;
  out.row_index = options.skiff.row_index;
  out.range_index = options.skiff.range_index;
  out.key_switch = options.skiff.key_switch;
  out.controls = options.plan.controls;
  out.batch_rows = options.batch_rows;
  out.batch_bytes = static_cast<size_t>(options.batch_bytes);
  out.row_bytes = limits::row_bytes(options.max_memory);
  out.skip_bad_rows = out.keep_bytes = options.skip_bad_rows;
  out.require_end_of_stream = options.skiff.end_of_stream;
  out.uuid_order = options.values.uuid_order;
  out.decimal_special = options.values.decimal_special;
  out.specials_as_stored = options.plan.special_decimals;
  return out;
}

void locate_row(const skiff::RowBytes& bytes, size_t index, hub::BadRow* row) {
  row->source_bytes = bytes.row(index);
  Place& place = row->error.place();
  if (!place.byte) place.byte = bytes.place(index);
}

TablesInput open_tables(const Location& path, const InputOptions& options) {
  if (const auto format = options.format ? options.format : format_of_name(path);
      format && *format != kSkiffRows) {
    throw Error(ErrorCode::Usage, fmt::format("expected a Skiff stream of several tables, found {}",
                                              (*format)->name));
  }
  TablesInput input;
  auto source = open_source(path, options.storage);
  input.schema = find_skiff_schema(path, source.get(), options, &input.schema_origin);
  input.file = source->original();
  input.reader = std::make_unique<skiff::TablesReader>(std::move(source), input.schema,
                                                       skiff_read_options(options));
  return input;
}

Progress run_tables(skiff::TablesReader& reader, std::span<const TableRoute> routes,
                    const PipelineOptions& options) {
  if (routes.size() != reader.table_count()) {
    throw Error(ErrorCode::Internal, fmt::format("expected a route for each of {} tables, found {}",
                                                 reader.table_count(), routes.size()));
  }
  std::vector<hub::BatchWriter*> writers = writers_of(routes);
  TableRun run(reader, routes, options);
  Progress& progress = run.progress();
  auto measure = [&] {
    progress.bytes_read = reader.bytes_read();
    progress.total_bytes = reader.total_bytes();
    progress.bytes_written = 0;
    for (hub::BatchWriter* writer : writers) progress.bytes_written += writer->bytes_written();
  };
  Clock::time_point next_report = Clock::now() + kProgressInterval;
  const auto move_next = [&, shares = shares_writers(routes)] {
    if (shares) {
      std::optional<skiff::TablesBlock> block = reader.next_block();
      if (block) run.move(std::move(*block));
      return block.has_value();
    }
    std::optional<skiff::TableBatch> batch = reader.next();
    if (batch) run.move(std::move(*batch));
    return batch.has_value();
  };
  while (true) {
    ask_meanwhile();
    if (options.cancelled != nullptr && options.cancelled->load()) {
      throw Error(ErrorCode::Interrupted, "interrupted");
    }
    if (!move_next()) break;
    if (!options.on_progress || Clock::now() < next_report) continue;
    next_report = Clock::now() + kProgressInterval;
    measure();
    options.on_progress(progress);
  }
  if (options.before_finish) options.before_finish(progress);
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
  for (size_t table = 0; table < in; ++table) {
    try {
      const crosswalk::AnySchema target(skiff::kModule,
                                        skiff::of_table(outputs_, output_of(table)));
      crosswalk::Plan plan =
          crosswalk::plan_to(skiff::kModule, skiff::to_arrow(inputs_, table), target, options);
      crosswalk::require_all_columns(plan);
      add_unfit(&inputs_, table, &plan);
      plans_.push_back(std::move(plan));
    } catch (Error& error) {
      error.place().table = static_cast<uint32_t>(table);
      throw;
    }
  }
}

Progress TableJob::run(std::unique_ptr<ByteSource> source,
                       std::vector<std::unique_ptr<ByteSink>> sinks, const PipelineOptions& options,
                       bool end_of_stream) const {
  if (sinks.size() != outputs_.format.tables.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a sink for each of {} output tables, found "
                                              "{}",
                                              outputs_.format.tables.size(), sinks.size()));
  }
  const bool special = std::ranges::all_of(plans_, &crosswalk::Plan::special_decimals);
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
    writers.push_back(in_promised_order(
        skiff::to_arrow(outputs_, table), yt::UuidOrder::Rfc, "",
        skiff::write_rows(std::move(sinks[table]), skiff::of_table(outputs_, table), write)));
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
