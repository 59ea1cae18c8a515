#include "xwalk/io/engine_rows.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/io/open.h"

namespace xwalk::io {
namespace {

/// One argument of a program holds 128 KiB at most. A longer list of columns is left out: then more
/// come than are wanted, and the selection behind cuts them.
constexpr size_t kLongestOptions = size_t{100} << 10;

std::string options_of(const ProgramReadOptions& options) {
  nlohmann::json json = {{"path", options.path}};
  if (options.limit) json["limit"] = *options.limit;
  if (options.batch_rows > 0) json["batch_rows"] = options.batch_rows;
  if (options.version) json["version"] = *options.version;
  if (!options.storage.empty()) json["storage"] = options.storage;
  std::string without = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (!options.columns) return without;
  json["columns"] = *options.columns;
  std::string text = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() > kLongestOptions ? without : text;
}

class ProgramReader final : public hub::BatchReader {
 public:
  ProgramReader(std::string_view engine, std::string_view package,
                const ProgramReadOptions& options, const hub::Schema& labels)
      : path_(options.path),
        program_(engine, package, "read", options_of(options)),
        stream_([this](void* out, size_t size) { return read(out, size); }) {
    schema_ = guarded([&] { return stream_.schema(); });
    schema_.bare_rows = labels.bare_rows;
    // A batch has no nulls of its own: rows that may be null come as one column of structs.
    rows_are_column_ = labels.nullable_rows && schema_.fields.size() == 1 &&
                       schema_.fields[0].type.kind() == hub::Kind::Struct;
    if (rows_are_column_) {
      const hub::Type rows = schema_.fields[0].type;
      schema_.fields.assign(rows.children().begin(), rows.children().end());
      schema_.nullable_rows = true;
    }
    for (hub::Field& field : schema_.fields) {
      for (const hub::Field& label : labels.fields) {
        if (label.name == field.name) {
          field = with_labels(std::move(field), label);
          break;
        }
      }
    }
    schema_.metadata = labels.metadata;
    total_rows_ = program_.report().total_rows;
    if (options.limit && (!total_rows_ || *total_rows_ > *options.limit)) {
      total_rows_ = total_rows_ ? options.limit : std::nullopt;
    }
  }

  const hub::Schema& schema() const override { return schema_; }

  std::optional<hub::Batch> next() override {
    if (ended_) return std::nullopt;
    std::optional<hub::Array> array = guarded([&] { return stream_.next(); });
    if (!array) {
      ended_ = true;
      guarded([&] {
        program_.finish();
        return 0;
      });
      if (program_.report().done_rows != rows_) {
        throw placed(Error(ErrorCode::Io, fmt::format("expected {} rows from the engine, found {}",
                                                      *program_.report().done_rows, rows_)));
      }
      if (total_rows_ && *total_rows_ != rows_) {
        throw placed(Error(ErrorCode::Input, fmt::format("expected {} rows in the file, found {}",
                                                         *total_rows_, rows_)));
      }
      return std::nullopt;
    }
    hub::Batch batch;
    batch.array = rows_are_column_ ? hub::slice(array->children[0], array->offset, array->length)
                                   : std::move(*array);
    batch.first_row = rows_;
    rows_ += batch.rows();
    return batch;
  }

  std::optional<int64_t> total_rows() const override { return total_rows_; }
  uint64_t bytes_read() const override { return bytes_; }

 private:
  size_t read(void* out, size_t size) {
    size_t got = program_.read(out, size);
    bytes_ += got;
    return got;
  }

  Error placed(Error error) const {
    if (error.place().file.empty()) error.place().file = path_;
    return error;
  }

  /// A broken stream is what remains of a program that failed: its own words count.
  template <typename Call>
  auto guarded(Call call) -> decltype(call()) {
    try {
      try {
        return call();
      } catch (const Error& error) {
        if (ended_) throw;
        program_.fail(error.message());
      }
    } catch (const Error& error) {
      throw placed(error);
    }
  }

  std::string path_;
  EngineProgram program_;
  IpcStreamReader stream_;
  hub::Schema schema_;
  bool rows_are_column_ = false;
  std::optional<int64_t> total_rows_;
  uint64_t bytes_ = 0;
  int64_t rows_ = 0;
  bool ended_ = false;
};

}  // namespace

hub::Field with_labels(hub::Field field, const hub::Field& labels) {
  if (!hub::annotation_fits(field.type, labels.type)) return field;
  field.nullable = labels.nullable;
  field.metadata = labels.metadata;
  size_t count = field.type.children().size();
  // A layout of the labels' side (dictionary, run-end) has other children than the plain one.
  if (count == 0 || count != labels.type.children().size() ||
      hub::is_list(field.type.kind()) != hub::is_list(labels.type.kind()) ||
      labels.type.kind() == hub::Kind::Dictionary ||
      labels.type.kind() == hub::Kind::RunEndEncoded) {
    return field;
  }
  std::vector<hub::Field> children;
  for (size_t i = 0; i < count; ++i) {
    children.push_back(with_labels(field.type.child(i), labels.type.child(i)));
  }
  // Whether keys are sorted is no layout, and does not come through the pipe.
  const bool is_map = field.type.kind() == hub::Kind::Map && labels.type.kind() == hub::Kind::Map;
  field.type = is_map ? hub::map_of_entries(std::move(children[0]), labels.type.flag())
                      : hub::with_children(field.type, std::move(children));
  return field;
}

ProgramReadOptions program_options(const std::string& path, const InputOptions& options,
                                   const std::vector<std::string>& columns) {
  ProgramReadOptions out;
  out.path = path;
  if (!columns.empty()) out.columns = columns;
  out.batch_rows = options.batch_rows;
  out.limit = options.limit;
  out.version = options.lance.version;
  out.storage = options.storage;
  return out;
}

std::unique_ptr<hub::BatchReader> open_program_rows(std::string_view engine,
                                                    std::string_view package,
                                                    const ProgramReadOptions& options,
                                                    const hub::Schema& labels) {
  return std::make_unique<ProgramReader>(engine, package, options, labels);
}

ProgramSink::ProgramSink(std::string_view engine, std::string_view package,
                         const std::string& options_json, const hub::Schema& schema,
                         const hub::Metadata& stream_metadata)
    : program_(engine, package, "write", options_json) {
  hub::Schema plain = plain_layout(schema);
  hub::CompiledCast cast = hub::compile_cast(schema, plain);
  if (!cast.is_identity()) cast_ = std::move(cast);
  for (const auto& [key, value] : stream_metadata) plain.metadata.set(key, value);
  stream_.emplace(plain, [this](const void* data, size_t size) {
    program_.write(data, size);
    bytes_ += size;
  });
}

void ProgramSink::write(hub::Batch batch) {
  if (batch.rows() == 0) return;
  if (cast_) batch = cast_->run(std::move(batch));
  if (!batch.bad.empty()) throw batch.bad.front().error;
  stream_->write(batch.array);
  rows_ += batch.rows();
}

void ProgramSink::finish() {
  stream_->finish();
  std::string commit = fmt::format("{{\"commit\":{{\"rows\":{}}}}}\n", rows_);
  program_.write(commit.data(), commit.size());
  program_.finish();
  heard_ = true;
  const EngineReport& report = program_.report();
  if (report.done_rows != rows_) {
    throw Error(ErrorCode::Io,
                fmt::format("expected {} rows in the output, found {}", rows_, *report.done_rows));
  }
  if (report.done_bytes) bytes_ = *report.done_bytes;
}

}  // namespace xwalk::io
