#include "xwalk/skiff/job.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/rows.h"

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

struct Job::Output {
  std::unique_ptr<ByteSink> sink;
  std::string bytes;
  std::unique_ptr<RowWriter> writer;
};

Job::Job(const Schema& inputs, const Schema& outputs)
    : Job(inputs, descriptor_source(kJobInput), outputs, job_sinks(outputs.format.tables.size())) {}

Job::Job(const Schema& inputs, std::unique_ptr<ByteSource> source, const Schema& outputs,
         std::vector<std::unique_ptr<ByteSink>> sinks)
    : source_(std::move(source)), input_(std::make_unique<Input>(*source_)) {
  std::vector<BoundTable> tables = bind(inputs, Flow::Read);
  for (const BoundTable& table : tables) has_key_switch_ &= table.layout.has_key_switch;
  reader_ = std::make_unique<RowReader>(std::move(tables), *input_);
  std::vector<BoundTable> written = bind(outputs, Flow::Write);
  if (written.size() != sinks.size()) {
    throw Error(ErrorCode::Usage, fmt::format("expected a sink for each of {} output tables, "
                                              "found {}",
                                              written.size(), sinks.size()));
  }
  for (size_t i = 0; i < sinks.size(); ++i) {
    auto output = std::make_unique<Output>();
    output->sink = std::move(sinks[i]);
    // Each output stream has one table, so its tag is 0.
    output->writer =
        std::make_unique<RowWriter>(std::vector<BoundTable>{written[i]}, &output->bytes);
    outputs_.push_back(std::move(output));
  }
}

Job::~Job() = default;

std::optional<Row> Job::next() {
  Row row;
  if (!next(&row)) return std::nullopt;
  return row;
}

bool Job::next(Row* row) {
  if (!holds_) return reader_->next(row);
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
    holds_ = reader_->next(&held_);
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
  const bool more = reader_->next(row);
  if (more && !row->key_switch) return true;
  in_group_ = false;
  holds_ = more;
  if (more) std::swap(*row, held_);
  return false;
}

void Job::write(size_t table, yson::Node columns) {
  if (table >= outputs_.size()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected an output table below {}, found {}", outputs_.size(), table));
  }
  Output& output = *outputs_[table];
  Row row;
  row.columns = std::move(columns);
  try {
    output.writer->write(row);
  } catch (Error& error) {
    error.place().table = static_cast<uint32_t>(table);
    throw;
  }
  if (output.bytes.size() < kOutputBytes) return;
  output.sink->write(output.bytes);
  output.bytes.clear();
}

void Job::finish() {
  for (auto& output : outputs_) {
    if (!output->bytes.empty()) output->sink->write(output->bytes);
    output->bytes.clear();
    output->sink->finish();
  }
}

}  // namespace xwalk::skiff
