#include "xwalk/io/rows/pipeline.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/base/error.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {
namespace {

using hub::testing::items;
using hub::testing::make_batch;
using hub::testing::Value;

const hub::Schema& one_column() {
  static const hub::Schema schema = {{hub::Field("a", hub::Kind::Int64)}, {}, false, false};
  return schema;
}

/// Pieces of one row, each from a file of its own: while one is taken, the reader has no answers.
class FilesOfOneRow final : public SplitReader {
 public:
  static constexpr int kFiles = 300;

  const hub::Schema& schema() const override { return one_column(); }
  std::unique_ptr<Piece> take() override {
    if (taken_ == kFiles) return nullptr;
    is_between_files_ = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    hub::Batch batch = make_batch(one_column(), {items({Value(taken_.load())})});
    batch.first_row = taken_++;
    is_between_files_ = false;
    return decoded(std::move(batch));
  }
  int64_t rows_taken() const override { return ask(); }
  std::optional<int64_t> total_rows() const override { return ask() - taken_ + kFiles; }
  uint64_t bytes_read() const override { return static_cast<uint64_t>(8 * ask()); }

 private:
  int64_t ask() const {
    EXPECT_FALSE(is_between_files_) << "asked while it takes";
    return taken_;
  }

  std::atomic<bool> is_between_files_ = false;
  std::atomic<int64_t> taken_ = 0;
};

class Nowhere final : public hub::BatchWriter {
 public:
  void write(hub::Batch /*batch*/) override {}
  void finish() override {}
};

TEST(Pipeline, AsksAReaderNothingWhileItTakes) {
  FilesOfOneRow reader;
  Nowhere writer;
  PipelineOptions options;
  options.threads = 4;
  int reports = 0;
  uint64_t bytes = 0;
  options.on_progress = [&](const Progress& progress) {
    ++reports;
    EXPECT_GE(progress.bytes_read, bytes);
    EXPECT_GE(progress.bytes_read, 8 * progress.rows);
    EXPECT_EQ(progress.total_rows, FilesOfOneRow::kFiles);
    bytes = progress.bytes_read;
  };
  const Progress done = run_pipeline(reader, nullptr, &writer, options);
  EXPECT_GT(reports, 2);
  EXPECT_EQ(done.rows, FilesOfOneRow::kFiles);
  EXPECT_EQ(done.bytes_read, 8 * FilesOfOneRow::kFiles);
}

/// Pieces that are always there, so that no thread waits; they end only after a while.
class WithoutWaits final : public SplitReader {
 public:
  const hub::Schema& schema() const override { return one_column(); }
  std::unique_ptr<Piece> take() override {
    if (std::chrono::steady_clock::now() > end_) return nullptr;
    hub::Batch batch = make_batch(one_column(), {items({Value(taken_)})});
    batch.first_row = taken_++;
    return decoded(std::move(batch));
  }
  int64_t rows_taken() const override { return taken_; }

 private:
  int64_t taken_ = 0;
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(5);
};

TEST(Pipeline, AsksTheCallerWhileItWorks) {
  WithoutWaits reader;
  Nowhere writer;
  std::atomic<bool> cancelled = false;
  int asked = 0;
  const Waiting waiting{&cancelled, [&] { cancelled = ++asked == 3; }};
  const WaitScope scope(&waiting);
  PipelineOptions options;
  options.threads = 1;
  options.cancelled = &cancelled;
  try {
    run_pipeline(reader, nullptr, &writer, options);
    FAIL() << "asked " << asked << " times";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Interrupted);
  }
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace xwalk::io
