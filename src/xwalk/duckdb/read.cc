#include "xwalk/duckdb/read.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <strings.h>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/dataset.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/duckdb/access.h"
#include "xwalk/duckdb/error.h"
#include "xwalk/duckdb/options.h"
#include "xwalk/duckdb/table_function.h"
#include "xwalk/duckdb/types.h"
#include "xwalk/duckdb/vectors.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::duckdb {
namespace {

/// What a function reads.
struct Reader {
  std::optional<io::Format> format;
  /// How messages write options.
  hub::Interface interface;
  std::shared_ptr<Rejects> rejects;
  std::shared_ptr<Notes> notes;
};

/// A call, as it was bound.
struct Call {
  Call(const std::vector<std::string>& paths, io::ConvertOptions given)
      : options(std::move(given)), rows(paths, options.input) {}

  io::ConvertOptions options;
  std::mutex mutex;
  io::Dataset rows;
  /// The schema of the rows as DuckDB sees them: column by column.
  hub::Schema seen;
  hub::CastOptions cast;
  /// Whether `seen` is the table that COPY … FROM fills.
  bool fills_table = false;
  std::shared_ptr<Rejects> rejects;
  std::shared_ptr<Notes> notes;
  hub::Interface interface = hub::Interface::Sql;
  uint64_t connection = 0;
  /// The client, whose settings may be others when a prepared statement runs.
  Context context;

  void check_access() const {
    const Access access(context.get());
    access.check_options(options);
    access.check_input(rows.names(), options.input);
  }
};

/// A scan that runs, in all its threads.
struct Scan {
  /// The columns to output: their index in batches, empty for other columns.
  std::vector<std::optional<size_t>> columns;
  hub::Schema schema;
  std::mutex mutex;
  Condition changed;
  std::unique_ptr<io::SplitReader> reader;
  /// The pieces that were taken, which of them are being decoded, and the first that failed.
  uint64_t taken = 0;
  std::set<uint64_t> decoding;
  std::optional<std::pair<uint64_t, std::exception_ptr>> failed;
  /// Called once all pieces are decoded; null after that.
  std::function<void()> at_end;
  uint64_t number = 0;
  std::shared_ptr<std::atomic<uint64_t>> rejected = std::make_shared<std::atomic<uint64_t>>(0);
};

/// A thread's share of it.
struct Share {
  std::optional<VectorMaker> maker;
  std::optional<hub::Array> batch;
  int64_t at = 0;
};

/// Returns rows with the names and types that the options of a conversion ask for.
std::unique_ptr<io::SplitReader> converted(io::Input input, io::ConvertOptions options) {
  const hub::Schema& rows = input.reader->schema();
  // Some columns may not be read.
  std::erase_if(options.plan.casts, [&](const crosswalk::CastOption& cast) {
    return hub::paths_like(rows, cast.path, cast.pattern).empty();
  });
  std::erase_if(options.plan.rename, [&](const crosswalk::RenameOption& rename) {
    const std::string& column = rename.path.steps().front()->name;
    return std::ranges::find(rows.fields, column, &hub::Field::name) == rows.fields.end();
  });
  return io::shaped(std::move(input.reader), input.format->system, options);
}

[[noreturn]] void refuse_type(const std::string& column) {
  Place place;
  place.path = Path::column(column);
  throw Error(
      ErrorCode::Unsupported,
      "expected a type that COPY FROM can fill, found an enum, a 128-bit integer or another "
      "type that Arrow lacks",
      std::move(place), "INSERT INTO t SELECT … FROM 'FILE' casts values in DuckDB.");
}

/// Returns the columns of the table that COPY … FROM fills; none for other calls. Throws Error
/// (Unsupported) for a type that an extension cannot fill.
hub::Schema table_to_fill(duckdb_bind_info info) {
  const auto type_of = [info](idx_t column) {
    return LogicalType(duckdb_table_function_bind_get_result_column_type(info, column));
  };
  const idx_t count = duckdb_table_function_bind_get_result_column_count(info);
  if (count == 0) return {};
  std::vector<LogicalType> types;
  std::vector<std::string> names;
  for (idx_t i = 0; i < count; ++i) {
    types.push_back(type_of(i));
    names.emplace_back(duckdb_table_function_bind_get_result_column_name(info, i));
    if (has_type(types.back().get(), DUCKDB_TYPE_ENUM)) refuse_type(names.back());
  }
  hub::Schema schema = ChunkReader(std::move(types), names).schema();
  const std::vector<LogicalType> made = VectorMaker(schema).types();
  for (idx_t i = 0; i < count; ++i) {
    if (!same_type(type_of(i).get(), made[i].get())) refuse_type(names[i]);
  }
  return schema;
}

/// Has the rows of a call cast to a table as a conversion casts them. Columns are matched by name.
/// Throws Error as `plan_conversion`.
void fill_table(hub::Schema table, Call* call) {
  io::ConvertOptions& options = call->options;
  const crosswalk::System source = call->rows.format()->system;
  const hub::Schema& rows = call->rows.schema();
  const std::optional<crosswalk::Plan> shape = io::plan_shape(rows, source, options);
  for (hub::Field& field : table.fields) {
    for (const hub::Field& its : (shape ? shape->cast.to() : rows).fields) {
      // DuckDB ignores the case of names.
      if (strcasecmp(field.name.c_str(), its.name.c_str()) == 0) field.name = its.name;
    }
  }
  io::set_output_schema(crosswalk::from_arrow(arrow::kModule, table).schema, &options);
  io::plan_conversion(source, rows, arrow::kModule, options);
  call->seen = std::move(table);
  call->fills_table = true;
}

void open(duckdb_bind_info info, Call* call) {
  hub::Schema table = table_to_fill(info);
  io::Dataset& rows = call->rows;
  rows.open();
  if (const auto& inferred = rows.notes().inferred) {
    call->notes->add(call->connection, io::name_of(rows.names()), {io::finding_of(*inferred)});
  }
  call->cast = call->options.plan.cast;
  // A map of DuckDB's has each key once.
  if (call->cast.duplicate_keys != hub::DuplicateKeys::Last) {
    call->cast.duplicate_keys = hub::DuplicateKeys::Error;
  }
  if (const std::optional<int64_t> total = rows.total_rows()) {
    duckdb_bind_set_cardinality(info, static_cast<idx_t>(*total), /*is_exact=*/true);
  }
  if (!table.fields.empty()) return fill_table(std::move(table), call);
  const crosswalk::System source = rows.format()->system;
  // A missing name is reported before any column is dropped.
  if (!call->options.plan.rename.empty() || !call->options.plan.casts.empty()) {
    io::plan_conversion(source, rows.schema(), arrow::kModule, call->options);
  }
  const std::optional<crosswalk::Plan> shape = io::plan_shape(rows.schema(), source, call->options);
  call->seen = duckdb_schema(shape ? shape->cast.to() : rows.schema());
}

/// Refuses the name of another format than that of the function, `read_skiff(…, format => 'yson')`.
void check_format(const Reader& reader, const io::ConvertOptions& options) {
  const std::optional<io::Format>& given = options.input.format;
  if (!given || !reader.format || *given == *reader.format) return;
  throw Error(ErrorCode::Usage,
              fmt::format("read_{} and {} contradict each other", (*reader.format)->word,
                          hub::mention(hub::Option::Format, (*given)->word)),
              {}, "read_xwalk reads any format.");
}

/// Opens the rows for a reader. An option cannot change the format that a function's name gives.
void open(duckdb_bind_info info, const Reader& reader, Call* call) {
  try {
    open(info, call);
  } catch (const Error& error) {
    const bool by_name = reader.format && !call->options.given.contains(hub::Option::Format);
    const bool other = by_name && error.hint().find("`format=") != std::string::npos;
    if (!other) throw;
    throw Error(error.code(), error.message(), error.place(), "read_xwalk finds their format.");
  }
}

void bind(duckdb_bind_info info) {
  const auto& reader = *static_cast<const Reader*>(duckdb_bind_get_extra_info(info));
  const auto work = [&] {
    io::ConvertOptions options = read_options(info);
    if (!options.given.contains(hub::Option::Any)) options.plan.cast.any = hub::AnyValues::Json;
    if (options.rejects) {
      throw Error(ErrorCode::Usage, "rejects: a query writes no file of rejected rows", {},
                  "xwalk_rejects() returns the rejected rows.");
    }
    check_format(reader, options);
    if (options.pipeline.max_bad_share) {
      throw Error(ErrorCode::Usage, "max_rejects: expected a number of rows, found a share", {},
                  "A query knows the share only at its end.");
    }
    if (!options.input.format) options.input.format = reader.format;
    auto call = std::make_unique<Call>(read_texts(Value(duckdb_bind_get_parameter(info, 0)).get()),
                                       std::move(options));
    call->rejects = reader.rejects;
    call->notes = reader.notes;
    call->interface = reader.interface;
    call->connection = connection_of(info);
    call->context = context_of(info);
    call->check_access();
    open(info, reader, call.get());
    if (call->seen.fields.empty()) {
      Place place;
      place.file = io::shown_name(call->rows.names().front());
      throw Error(ErrorCode::Unsupported,
                  "expected rows with at least one column, as every table of DuckDB has, found "
                  "rows without columns",
                  std::move(place), "Give the columns with `schema`.");
    }
    // A table that is filled has given its columns.
    const std::vector<LogicalType> types =
        call->fills_table ? std::vector<LogicalType>() : VectorMaker(call->seen).types();
    for (size_t i = 0; i < types.size(); ++i) {
      duckdb_bind_add_result_column(info, call->seen.fields[i].name.c_str(), types[i].get());
    }
    keep(info, std::move(call));
  };
  guard(info, duckdb_bind_set_error, work, reader.interface);
}

bool has_distinct_names(const hub::Schema& schema) {
  std::vector<std::string_view> names;
  for (const hub::Field& field : schema.fields) names.emplace_back(field.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

/// Returns the paths to select so that only these columns of a call are read, in their order.
std::vector<std::string> selection_of(const Call& call, const std::vector<size_t>& wanted) {
  const std::vector<Path> selected =
      io::find_selected(call.options.input.select, [&] { return call.rows.schema(); });
  std::vector<std::string> out;
  for (const size_t index : wanted) {
    const std::string& name = call.rows.schema().fields[index].name;
    // Of a column that was narrowed, all paths within.
    for (const Path& path : selected) {
      if (path.steps().front()->name == name) out.push_back(path.text());
    }
    if (call.options.input.select.empty()) out.push_back(Path::column(name).text());
  }
  return out;
}

/// Opens the rows of a call with only the wanted columns; with all if they cannot be selected.
std::unique_ptr<io::SplitReader> open_columns(Call* call, std::vector<size_t>* wanted) {
  io::Dataset& rows = call->rows;
  if (call->fills_table) {
    wanted->resize(call->seen.fields.size());
    std::iota(wanted->begin(), wanted->end(), size_t{0});
    const std::scoped_lock lock(call->mutex);
    io::Input input = rows.take();
    const crosswalk::Plan plan = io::plan_rows(input, arrow::kModule, call->options);
    return io::cast_pieces(std::move(input.reader), plan.cast);
  }
  std::vector<size_t> all(rows.schema().fields.size());
  std::ranges::generate(all, [i = size_t{0}]() mutable { return i++; });
  const std::scoped_lock lock(call->mutex);
  const bool choose = *wanted != all && rows.can_read_again() && has_distinct_names(rows.schema());
  io::InputOptions reading = rows.options();
  if (choose) {
    reading.select = selection_of(*call, *wanted);
  } else {
    *wanted = all;
  }
  return converted(rows.take(reading), call->options);
}

/// Leaves bad rows out, and remembers them.
std::unique_ptr<io::SplitReader> remember_bad_rows(std::unique_ptr<io::SplitReader> reader,
                                                   const Call& call, const Scan& scan) {
  hub::Schema schema = reader->schema();
  const hub::Schema rows = schema;
  auto remember = [rows, rejects = call.rejects, connection = call.connection, number = scan.number,
                   input = call.rows.names().front(), count = scan.rejected,
                   most = call.options.pipeline.max_bad_rows](hub::Batch batch,
                                                              const io::Piece& piece) {
    if (batch.bad.empty()) return batch;
    for (hub::BadRow& row : batch.bad) {
      Place& place = row.error.place();
      if (place.file.empty()) place.file = piece.file();
      if (!place.row) {
        place.row = static_cast<uint64_t>(piece.row_number(batch.first_row + row.index));
      }
    }
    // Rows that a cast rejected have their bytes in the input.
    piece.locate(batch.bad);
    std::vector<hub::BadRow> dropped;
    batch = hub::drop_bad_rows(std::move(batch), rows, &dropped);
    *count += dropped.size();
    if (most && *count > *most) {
      throw Error(ErrorCode::Input,
                  fmt::format("more than {} bad rows, the last one: {}", *most,
                              dropped.back().error.what()),
                  dropped.back().error.place());
    }
    rejects->add(connection, number, input, std::move(dropped));
    return batch;
  };
  return io::change_pieces(std::move(reader), std::move(schema), std::move(remember));
}

hub::Schema columns_of(const hub::Schema& schema, const std::vector<size_t>& indices) {
  hub::Schema out = schema;
  out.fields.clear();
  for (const size_t index : indices) out.fields.push_back(schema.fields[index]);
  return out;
}

int threads_of(const Call& call) {
  const int given = call.options.pipeline.threads;
  return given > 0 ? given : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void init(duckdb_init_info info) {
  auto* call = static_cast<Call*>(duckdb_init_get_bind_data(info));
  const auto work = [&] {
    call->check_access();
    auto scan = std::make_unique<Scan>();
    std::vector<size_t> wanted;
    std::vector<std::optional<size_t>> requested;
    for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
      const idx_t index = duckdb_init_get_column_index(info, i);
      if (index >= call->seen.fields.size()) {  // no column: rows are only counted
        requested.emplace_back();
        continue;
      }
      requested.emplace_back(index);
      if (std::ranges::find(wanted, index) == wanted.end()) wanted.push_back(index);
    }
    if (wanted.empty() && !call->seen.fields.empty()) wanted.push_back(0);
    std::unique_ptr<io::SplitReader> rows = open_columns(call, &wanted);
    scan->schema = columns_of(call->seen, wanted);
    for (const std::optional<size_t>& index : requested) {
      scan->columns.emplace_back();
      if (!index) continue;
      scan->columns.back() =
          static_cast<size_t>(std::ranges::find(wanted, *index) - wanted.begin());
    }
    hub::CompiledCast cast = hub::compile_cast(rows->schema(), scan->schema, call->cast);
    scan->reader = io::cast_pieces(std::move(rows), std::move(cast));
    if (call->options.input.skip_bad_rows) {
      scan->number = call->rejects->begin_scan();
      scan->reader = remember_bad_rows(std::move(scan->reader), *call, *scan);
    } else {
      scan->reader = io::refuse_bad_rows(std::move(scan->reader), io::kSkipHint);
    }
    if (io::SplitReader::Notes notes_of = scan->reader->notes()) {
      scan->at_end = [notes_of = std::move(notes_of), notes = call->notes,
                      connection = call->connection, input = io::name_of(call->rows.names())] {
        notes->add(connection, input, notes_of());
      };
    }
    duckdb_init_set_max_threads(info, static_cast<idx_t>(threads_of(*call)));
    keep(info, std::move(scan));
  };
  guard(info, duckdb_init_set_error, work, call->interface);
}

void init_share(duckdb_init_info info) { keep(info, std::make_unique<Share>()); }

/// Takes the next piece and decodes it; nothing at the end, or where another has failed.
std::optional<hub::Array> next_batch(Scan* scan) {
  std::unique_ptr<io::Piece> piece;
  std::optional<hub::Array> batch;
  std::exception_ptr error;
  std::unique_lock lock(scan->mutex);
  if (scan->failed) return std::nullopt;
  const uint64_t number = scan->taken++;
  try {
    piece = scan->reader->take();
    if (piece == nullptr) {
      if (scan->at_end && scan->decoding.empty()) std::exchange(scan->at_end, nullptr)();
      return std::nullopt;
    }
    scan->decoding.insert(number);
    lock.unlock();
    batch = piece->decode().array;
  } catch (...) {
    error = std::current_exception();
  }
  if (!lock.owns_lock()) lock.lock();
  scan->decoding.erase(number);
  if (error && (!scan->failed || number < scan->failed->first)) scan->failed = {number, error};
  scan->changed.notify_all();
  if (!error) return batch;
  // Earlier parts of the file are decoded elsewhere, and may fail too. The first error is shown.
  scan->changed.wait(lock, [&] {
    return scan->decoding.empty() || *scan->decoding.begin() > scan->failed->first;
  });
  std::rethrow_exception(scan->failed->second);
}

/// Takes the next run of rows for a thread; returns false at the end.
bool advance(Scan* scan, Share* share) {
  while (!share->batch || share->at == share->batch->length) {
    share->batch = next_batch(scan);
    share->at = 0;
    if (!share->batch) return false;
  }
  return true;
}

void read(duckdb_function_info info, duckdb_data_chunk out) {
  const auto work = [&] {
    auto* scan = static_cast<Scan*>(duckdb_function_get_init_data(info));
    auto* share = static_cast<Share*>(duckdb_function_get_local_init_data(info));
    if (!share->maker) share->maker.emplace(scan->schema);
    if (!advance(scan, share)) {
      duckdb_data_chunk_set_size(out, 0);
      return;
    }
    const int64_t rows =
        std::min(share->batch->length - share->at, static_cast<int64_t>(duckdb_vector_size()));
    share->maker->fill(*share->batch, share->at, rows, scan->columns, out);
    share->at += rows;
  };
  guard(info, duckdb_function_set_error, work,
        static_cast<const Call*>(duckdb_function_get_bind_data(info))->interface);
}

TableFunction reader_function(const std::string& name, std::optional<io::Format> format,
                              duckdb_type paths, const std::shared_ptr<Rejects>& rejects,
                              const std::shared_ptr<Notes>& notes,
                              hub::Interface interface = hub::Interface::Sql) {
  TableFunction function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), name.c_str());
  duckdb_table_function_add_parameter(function.get(),
                                      LogicalType(duckdb_create_logical_type(paths)).get());
  add_named_options(function.get());
  keep(function.get(), std::make_unique<Reader>(Reader{format, interface, rejects, notes}));
  duckdb_table_function_set_bind(function.get(), bind);
  duckdb_table_function_set_init(function.get(), init);
  duckdb_table_function_set_local_init(function.get(), init_share);
  duckdb_table_function_set_function(function.get(), read);
  duckdb_table_function_supports_projection_pushdown(function.get(), true);
  return function;
}

/// Returns true if a name in FROM is a file for xwalk. DuckDB tries its own formats first. A
/// missing table may have any name, so a folder is recognized by its slash.
bool is_ours(const std::string& name) {
  if (name.ends_with('/') || io::Location(name).is_table()) return true;
  const bool has_ending = name.find('.') != std::string::npos;
  return has_ending && io::format_of_name(io::without_query(name)).has_value();
}

void replace(duckdb_replacement_scan_info info, const char* name, void*) {
  guard(info, duckdb_replacement_scan_set_error, [&] {
    if (!is_ours(name)) return;
    duckdb_replacement_scan_set_function_name(info, "read_xwalk");
    duckdb_replacement_scan_add_parameter(info, Value(duckdb_create_varchar(name)).get());
  });
}

}  // namespace

void register_readers(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                      const std::shared_ptr<Notes>& notes) {
  // A path, or a list of paths.
  add_function(connection,
               reader_function("read_xwalk", std::nullopt, DUCKDB_TYPE_ANY, rejects, notes));
  for (const io::Format format : {io::Format(io::kYsonRows), io::Format(io::kSkiffRows),
                                  io::Format(io::kVortexRows), io::Format(io::kLanceRows)}) {
    add_function(connection, reader_function(fmt::format("read_{}", format->word), format,
                                             DUCKDB_TYPE_ANY, rejects, notes));
  }
}

TableFunction copy_reader(io::Format format, const std::shared_ptr<Rejects>& rejects,
                          const std::shared_ptr<Notes>& notes) {
  return reader_function(fmt::format("copy_from_{}", format->word), format, DUCKDB_TYPE_VARCHAR,
                         rejects, notes, hub::Interface::Copy);
}

void register_replacement(duckdb_database database) {
  duckdb_add_replacement_scan(database, replace, nullptr, nullptr);
}

}  // namespace xwalk::duckdb
