#include "xwalk/skiff/job.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/table_nodes.h"
#include "xwalk/skiff/values.h"

namespace xwalk::skiff {
namespace {

/// Bytes held back before a write: several pipe buffers.
constexpr size_t kOutputBytes = size_t{1} << 20;

class DescriptorSource : public ByteSource {
 public:
  explicit DescriptorSource(int descriptor)
      : descriptor_(descriptor), name_(fmt::format("<descriptor {}>", descriptor)) {}

  size_t read(char* out, size_t size) override {
    while (true) {
      ssize_t count = ::read(descriptor_, out, size);
      if (count >= 0) {
        position_ += static_cast<uint64_t>(count);
        return static_cast<size_t>(count);
      }
      if (errno != EINTR) {
        throw Error(ErrorCode::Io, fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
      }
    }
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return position_; }

 private:
  int descriptor_;
  std::string name_;
  uint64_t position_ = 0;
};

class DescriptorSink : public ByteSink {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view bytes) override {
    position_ += bytes.size();
    while (!bytes.empty()) {
      ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count >= 0) {
        bytes.remove_prefix(static_cast<size_t>(count));
      } else if (errno != EINTR) {
        throw Error(ErrorCode::Io, fmt::format("cannot write descriptor {}: {}", descriptor_,
                                               std::strerror(errno)));
      }
    }
  }
  void finish() override {}
  uint64_t position() const override { return position_; }

 private:
  int descriptor_;
  uint64_t position_ = 0;
};

std::vector<std::unique_ptr<ByteSink>> job_sinks(size_t count) {
  std::vector<std::unique_ptr<ByteSink>> sinks;
  for (size_t i = 0; i < count; ++i) sinks.push_back(descriptor_sink(job_output(i)));
  return sinks;
}

}  // namespace

std::unique_ptr<ByteSource> descriptor_source(int descriptor) {
  return std::make_unique<DescriptorSource>(descriptor);
}

std::unique_ptr<ByteSink> descriptor_sink(int descriptor) {
  return std::make_unique<DescriptorSink>(descriptor);
}

/// The rows of all input tables, one by one from blocks of batches.
class Job::Inputs {
 public:
  Inputs(const Schema& schema, std::unique_ptr<ByteSource> source)
      : reader_(std::move(source), schema, read_options()) {
    for (const BoundTable& table : bind(schema, Flow::Read)) tables_.emplace_back(table);
  }

  bool next(Row* row) {
    while (left_ == 0) {
      if (run_ == block_.runs.size() && !next_block()) return false;
      left_ = block_.runs[run_].rows;
    }
    Cursor& cursor = cursors_[block_.runs[run_].table];
    if (--left_ == 0) ++run_;
    take(cursor, row);
    return true;
  }

 private:
  /// The next row of a table in the block.
  struct Cursor {
    const TableBatch* batch = nullptr;
    int64_t row = 0;
    size_t bad = 0;
  };

  static ReadOptions read_options() {
    const yt::ValueOptions values = node_options();
    ReadOptions options;
    options.controls = true;
    options.skip_bad_rows = true;
    options.prompt = true;
    options.uuid_order = values.uuid_order;
    options.specials_as_stored = values.specials_as_stored;
    return options;
  }

  void take(Cursor& cursor, Row* row) {
    const hub::Batch& batch = cursor.batch->batch;
    const int64_t index = cursor.row++;
    if (cursor.bad < batch.bad.size() && batch.bad[cursor.bad].index == index) {
      throw Error(batch.bad[cursor.bad++].error);
    }
    row->table = cursor.batch->table;
    hub::RowControl control;
    if (!batch.controls.empty()) control = batch.controls[static_cast<size_t>(index)];
    row->row_index = control.row_index;
    row->range_index = control.range_index;
    row->key_switch = control.key_switch;
    tables_[row->table].read(batch.array, index, &row->columns);
  }

  /// Reads the next block. Returns false at the end. The rows before an error come before it.
  bool next_block() {
    if (error_) throw Error(*error_);
    std::optional<TablesBlock> block;
    try {
      block = reader_.next_block();
    } catch (const Error& error) {
      error_ = error;
      block = reader_.next_block();
      if (!block) throw;
    }
    if (!block) return false;
    block_ = std::move(*block);
    run_ = 0;
    cursors_.assign(tables_.size(), {});
    for (const TableBatch& batch : block_.batches) cursors_[batch.table].batch = &batch;
    if (block_.runs.empty()) {
      const TableBatch& only = block_.batches.front();
      block_.runs.push_back({only.table, only.batch.rows()});
    }
    return true;
  }

  TablesReader reader_;
  std::vector<TableNodes> tables_;
  TablesBlock block_;
  std::vector<Cursor> cursors_;
  /// The run of the next row, and how many of its rows are left.
  size_t run_ = 0;
  int64_t left_ = 0;
  std::optional<Error> error_;
};

/// The rows of one output table.
class Job::Output {
 public:
  Output(const Schema& schema, std::unique_ptr<ByteSink> sink)
      : sink_(std::move(sink)), encoder_(schema, write_options()) {
    const BoundTable table = std::move(bind(schema, Flow::Write).front());
    rows_.emplace(table);
    most_rows_ = carries_every_value(table) ? kBatchRows : 1;
  }

  void write(const yson::Node& columns) {
    try {
      rows_->append(columns);
    } catch (Error& error) {
      error.place().row = static_cast<uint64_t>(written_ + rows_->rows());
      throw;
    }
    if (rows_->rows() >= most_rows_ || rows_->memory() >= kOutputBytes) encode();
    if (buffer_.size() >= kOutputBytes) flush();
  }

  void finish() {
    encode();
    flush();
    sink_->finish();
  }

 private:
  /// Rows that are encoded together, where none of them can be rejected.
  static constexpr int64_t kBatchRows = 256;

  static WriteOptions write_options() {
    const yt::ValueOptions values = node_options();
    WriteOptions options;
    options.uuid_order = values.uuid_order;
    options.specials_as_stored = values.specials_as_stored;
    return options;
  }

  void encode() {
    const int64_t count = rows_->rows();
    if (count == 0) return;
    const hub::Array batch = rows_->finish();
    encoder_.encode(batch, 0, count, written_, written_, &buffer_);
    written_ += count;
  }

  void flush() {
    if (!buffer_.empty()) sink_->write(buffer_.view());
    buffer_.clear();
  }

  std::unique_ptr<ByteSink> sink_;
  RowEncoder encoder_;
  std::optional<TableNodes> rows_;
  int64_t most_rows_ = 1;
  yson::Buffer buffer_;
  int64_t written_ = 0;
};

Job::Job(const Schema& inputs, const Schema& outputs)
    : Job(inputs, descriptor_source(kJobInput), outputs, job_sinks(outputs.format.tables.size())) {}

Job::Job(const Schema& inputs, std::unique_ptr<ByteSource> source, const Schema& outputs,
         std::vector<std::unique_ptr<ByteSink>> sinks)
    : inputs_(std::make_unique<Inputs>(inputs, std::move(source))) {
  for (const Type& root : inputs.format.tables) {
    has_key_switch_ &= table_layout(root).has_key_switch;
  }
  const size_t tables = outputs.format.tables.size();
  if (tables != sinks.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a sink for each of {} output tables, "
                                              "found {}",
                                              tables, sinks.size()));
  }
  for (size_t i = 0; i < tables; ++i) {
    // Each output stream has one table, so its tag is 0.
    outputs_.push_back(std::make_unique<Output>(of_table(outputs, i), std::move(sinks[i])));
  }
}

Job::~Job() = default;

std::optional<Row> Job::next() {
  Row row;
  if (!next(&row)) return std::nullopt;
  return row;
}

bool Job::next(Row* row) {
  if (!holds_) return inputs_->next(row);
  holds_ = false;
  std::swap(*row, held_);
  return true;
}

bool Job::next_group() {
  if (!has_key_switch_) {
    throw Error(ErrorCode::Usage, "expected $key_switch in every input table, found one without",
                {}, "Groups are marked by this column; ask for it in the format.");
  }
  Row left_out;
  while (in_group_ && next_in_group(&left_out)) {
  }
  if (!begun_) {
    begun_ = true;
    holds_ = inputs_->next(&held_);
  }
  in_group_ = holds_;
  return in_group_;
}

std::optional<Row> Job::next_in_group() {
  Row row;
  if (!next_in_group(&row)) return std::nullopt;
  return row;
}

bool Job::next_in_group(Row* row) {
  if (!in_group_) return false;
  if (holds_) return next(row);
  const bool more = inputs_->next(row);
  if (more && !row->key_switch) return true;
  in_group_ = false;
  holds_ = more;
  if (more) std::swap(*row, held_);
  return false;
}

void Job::write(size_t table, const yson::Node& columns) {
  if (table >= outputs_.size()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected an output table below {}, found {}", outputs_.size(), table));
  }
  try {
    outputs_[table]->write(columns);
  } catch (Error& error) {
    error.place().table = static_cast<uint32_t>(table);
    throw;
  }
}

void Job::finish() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    try {
      outputs_[i]->finish();
    } catch (Error& error) {
      error.place().table = static_cast<uint32_t>(i);
      throw;
    }
  }
}

}  // namespace xwalk::skiff
