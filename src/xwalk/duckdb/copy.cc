#include "xwalk/duckdb/copy.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/convert.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/duckdb/access.h"
#include "xwalk/duckdb/error.h"
#include "xwalk/duckdb/options.h"
#include "xwalk/duckdb/queue.h"
#include "xwalk/duckdb/read.h"
#include "xwalk/duckdb/vectors.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::duckdb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A statement, as it was bound.
struct Copy {
  io::ConvertOptions options;
  std::shared_ptr<const ChunkReader> reader;
  std::shared_ptr<Rejects> rejects;
  std::shared_ptr<Notes> notes;
  uint64_t connection = 0;
};

/// What a function of one format keeps.
struct Writer {
  io::Format format;
  std::shared_ptr<Rejects> rejects;
  std::shared_ptr<Notes> notes;
};

/// Rows of a queue.
class QueueReader final : public hub::BatchReader {
 public:
  QueueReader(hub::Schema schema, std::shared_ptr<Queue> queue)
      : schema_(std::move(schema)), queue_(std::move(queue)) {}
  ~QueueReader() override { queue_->leave(); }

  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override { return queue_->take(); }

 private:
  hub::Schema schema_;
  std::shared_ptr<Queue> queue_;
};

/// A running statement: a conversion in its own thread, which takes the rows from DuckDB. Without
/// `finish` no output appears.
class Running {
 public:
  Running(const Copy& copy, const std::string& path)
      : reader_(copy.reader),
        notes_(copy.notes),
        connection_(copy.connection),
        queue_(std::make_shared<Queue>()) {
    io::Dataset rows(hub::export_stream(std::make_unique<QueueReader>(reader_->schema(), queue_)),
                     copy.options.input);
    io::ConvertOptions writing = copy.options;
    writing.pipeline.on_bad_row =
        [rejects = copy.rejects, connection = copy.connection, scan = copy.rejects->begin_scan(),
         path](const hub::BadRow& bad) { rejects->add(connection, scan, path, {bad}); };
    thread_ =
        std::thread([this, path, options = std::move(writing), rows = std::move(rows)]() mutable {
          try {
            written_ = io::convert(rows, path, std::move(options));
          } catch (...) {
            error_ = std::current_exception();
          }
          queue_->leave();
        });
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!thread_.joinable()) return;
    queue_->end(std::make_exception_ptr(Error(ErrorCode::Interrupted, "interrupted")));
    thread_.join();
  }

  void add(duckdb_data_chunk chunk) {
    hub::Batch batch;
    try {
      batch.array = reader_->rows(chunk);
    } catch (Error& error) {
      if (error.place().row) *error.place().row += static_cast<uint64_t>(rows_);
      throw;
    }
    batch.first_row = rows_;
    rows_ += batch.rows();
    if (!queue_->give(std::move(batch))) finish();
  }
  void finish() {
    queue_->end();
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(error_);
    for (const io::Converted& output : written_) {
      notes_->add(connection_, output.output, output.plan);
      notes_->add(connection_, output.output, output.notes);
    }
    written_.clear();
  }

 private:
  std::shared_ptr<const ChunkReader> reader_;
  std::shared_ptr<Notes> notes_;
  uint64_t connection_;
  std::shared_ptr<Queue> queue_;
  std::vector<io::Converted> written_;
  int64_t rows_ = 0;
  std::exception_ptr error_;
  std::thread thread_;
};

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

constexpr const char* kColumnNames = "column_names";

/// Takes the names of the columns out of the options; none if they are not given.
std::vector<std::string> take_names(Json* given) {
  if (given->contains("columns")) {
    throw Error(ErrorCode::Usage, "columns: an extension does not see the names to choose from", {},
                "COPY t(b, a) TO … (COLUMN_NAMES ['b', 'a']) chooses columns by name, and names "
                "them in that order.");
  }
  std::vector<std::string> names;
  if (!given->contains(kColumnNames)) return names;
  const Json columns = (*given)[kColumnNames];
  given->erase(kColumnNames);
  for (const Json& name : columns.is_array() ? columns : Json::array({columns})) {
    if (!name.is_string()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{}: expected the names of the columns", kColumnNames));
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

/// Checks the options of a statement that writes a format. Throws Error (Usage).
void check_options(io::Format format, io::ConvertOptions* options) {
  const std::optional<io::Format>& given = options->output.format;
  if (given && *given != format) {
    throw Error(ErrorCode::Usage,
                fmt::format("FORMAT {} and {} contradict each other", format->word,
                            hub::mention(hub::Option::To, (*given)->word)),
                {}, "Give one of the two.");
  }
  options->output.format = format;
  io::check_open_options(io::kArrowStreams, {}, format, options);
}

void bind(duckdb_copy_function_bind_info info) {
  guard(
      info, duckdb_copy_function_bind_set_error,
      [&] {
        const auto& writer =
            *static_cast<const Writer*>(duckdb_copy_function_bind_get_extra_info(info));
        Json given = Json::object();
        const Json found = json_of(Value(duckdb_copy_function_bind_get_options(info)).get());
        for (const auto& [name, value] : found.items()) given[lower_case(name)] = value;
        const std::vector<std::string> names = take_names(&given);
        auto copy = std::make_unique<Copy>();
        copy->options = io::read_named_options(given.dump(), io::OptionTexts::Parsed);
        check_options(writer.format, &copy->options);
        const Context context(duckdb_copy_function_bind_get_client_context(info));
        Access(context.get()).check_options(copy->options);
        std::vector<LogicalType> types;
        for (idx_t i = 0; i < duckdb_copy_function_bind_get_column_count(info); ++i) {
          types.emplace_back(duckdb_copy_function_bind_get_column_type(info, i));
        }
        copy->reader = std::make_shared<const ChunkReader>(std::move(types), names);
        copy->reader->refuse_own_types();
        copy->rejects = writer.rejects;
        copy->notes = writer.notes;
        copy->connection = duckdb_client_context_get_connection_id(context.get());
        duckdb_copy_function_bind_set_bind_data(info, copy.release(), destroy<Copy>);
      },
      hub::Interface::Copy);
}

void begin(duckdb_copy_function_global_init_info info) {
  guard(
      info, duckdb_copy_function_global_init_set_error,
      [&] {
        const auto& copy =
            *static_cast<const Copy*>(duckdb_copy_function_global_init_get_bind_data(info));
        const std::string path = duckdb_copy_function_global_init_get_file_path(info);
        const Context context(duckdb_copy_function_global_init_get_client_context(info));
        const Access access(context.get());
        access.check_output(path);
        if (copy.options.rejects) access.check_output(*copy.options.rejects);
        const fs::path name = path;
        const std::string file = name.filename().string();
        // DuckDB replaces an existing file by renaming a temporary one. A schema file next to it
        // would be left under the temporary name.
        if (file.starts_with("tmp_") && fs::exists(name.parent_path() / file.substr(4))) {
          throw Error(ErrorCode::Usage,
                      fmt::format("{}: the file already exists",
                                  (name.parent_path() / file.substr(4)).string()),
                      {}, "Replace it with MODE 'overwrite', USE_TMP_FILE false.");
        }
        auto running = std::make_unique<Running>(copy, path);
        duckdb_copy_function_global_init_set_global_state(info, running.release(),
                                                          destroy<Running>);
      },
      hub::Interface::Copy);
}

void sink(duckdb_copy_function_sink_info info, duckdb_data_chunk chunk) {
  guard(
      info, duckdb_copy_function_sink_set_error,
      [&] { static_cast<Running*>(duckdb_copy_function_sink_get_global_state(info))->add(chunk); },
      hub::Interface::Copy);
}

void finish(duckdb_copy_function_finalize_info info) {
  guard(
      info, duckdb_copy_function_finalize_set_error,
      [&] {
        static_cast<Running*>(duckdb_copy_function_finalize_get_global_state(info))->finish();
      },
      hub::Interface::Copy);
}

}  // namespace

void register_copies(duckdb_connection connection, const std::shared_ptr<Rejects>& rejects,
                     const std::shared_ptr<Notes>& notes) {
  for (const io::Format format : {io::Format(io::kYsonRows), io::Format(io::kSkiffRows),
                                  io::Format(io::kVortexRows), io::Format(io::kLanceRows)}) {
    const CopyFunction function(duckdb_create_copy_function());
    duckdb_copy_function_set_name(function.get(), std::string(format->word).c_str());
    duckdb_copy_function_set_extra_info(function.get(), new Writer{format, rejects, notes},
                                        destroy<Writer>);
    duckdb_copy_function_set_bind(function.get(), bind);
    duckdb_copy_function_set_global_init(function.get(), begin);
    duckdb_copy_function_set_sink(function.get(), sink);
    duckdb_copy_function_set_finalize(function.get(), finish);
    duckdb_copy_function_set_copy_from_function(function.get(),
                                                copy_reader(format, rejects, notes).get());
    if (duckdb_register_copy_function(connection, function.get()) == DuckDBError) {
      throw Error(ErrorCode::Internal, "DuckDB refuses a copy function of xwalk");
    }
  }
}

}  // namespace xwalk::duckdb
