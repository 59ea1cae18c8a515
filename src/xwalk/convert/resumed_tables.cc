#include "xwalk/convert/resumed_tables.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/table_record.h"
#include "xwalk/convert/tables.h"
#include "xwalk/convert/verify.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/folder_output.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;
using hub::mention;
using hub::Option;
using State = TableRecord::State;

/// How often the caller's thread reports progress and looks at signals.
constexpr std::chrono::milliseconds kTick{100};

/// One file of the folder.
struct Table {
  OutputOf of;
  /// Its path below the folder.
  std::string name;
  std::string record_path;
  /// Size of the inputs, 0 if it is not known.
  uint64_t bytes = 0;
  Progress progress;
  std::optional<Converted> result;
  std::optional<crosswalk::ProvenTable> proof;
  std::optional<Error> error;
};

class ResumedTables {
 public:
  ResumedTables(std::vector<OutputOf> outputs, const Location& folder,
                const ConvertOptions& options)
      : folder_(folder), options_(options), folder_output_(open_folder()) {
    for (OutputOf& one : outputs) {
      Table& table = *tables_.emplace_back(std::make_unique<Table>());
      table.of = std::move(one);
      table.name = path_below(folder_, table.of.output);
      table.bytes = size_of(table.of.inputs.front());
    }
  }

  std::vector<Converted> run() {
    const int jobs = std::min(options_.jobs, static_cast<int>(tables_.size()));
    std::vector<std::jthread> threads;
    running_ = jobs;
    for (int i = 0; i < jobs; ++i) threads.emplace_back([this] { work(); });
    watch();
    threads.clear();
    if (fatal_) std::rethrow_exception(fatal_);
    if (stop_) throw Error(ErrorCode::Interrupted, "interrupted");
    return collect();
  }

 private:
  /// Returns the folder, which need not be empty, to make files in it.
  FolderOutput open_folder() const {
    fs::create_directories(folder_.name());
    OutputOptions adding = options_.output;
    adding.mode = OutputMode::Append;
    adding.set = nullptr;
    return {folder_, {}, adding};
  }

  static uint64_t size_of(const Location& input) {
    std::error_code failed;
    const uint64_t size = input.is_remote() ? 0 : fs::file_size(input.name(), failed);
    return failed ? 0 : size;
  }

  /// Converts tables until there are no more.
  void work() noexcept {
    const Waiting meanwhile{&stop_, {}};
    const WaitScope scope(&meanwhile);
    while (!stop_) {
      const size_t place = next_++;
      if (place >= tables_.size()) break;
      Table& table = *tables_[place];
      try {
        work_on(table);
      } catch (const Error& error) {
        if (is_about_input(error)) {
          fail(table, error);
        } else {
          end_all(std::current_exception());
        }
      } catch (...) {
        end_all(std::current_exception());
      }
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  void fail(Table& table, Error error) {
    if (error.place().file.empty()) error.place().file = only_file(table.of.inputs);
    const std::lock_guard lock(mutex_);
    table.progress = {};
    table.bytes = 0;
    table.error = error;
    if (options_.on_failure) options_.on_failure(error);
  }

  void end_all(std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    if (!fatal_) fatal_ = std::move(thrown);
    stop_ = true;
  }

  /// Reports progress until all threads have ended.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kTick, [this] { return running_ == 0; })) {
      const Progress sum = progress();
      lock.unlock();
      try {
        look_up();
        if (options_.pipeline.on_progress) options_.pipeline.on_progress(sum);
      } catch (...) {
        end_all(std::current_exception());
      }
      if (options_.pipeline.cancelled != nullptr && options_.pipeline.cancelled->load()) {
        stop_ = true;
      }
      lock.lock();
    }
  }

  Progress progress() const {
    Progress sum;
    uint64_t total = 0;
    for (const std::unique_ptr<Table>& table : tables_) {
      if (table->result && table->result->was_complete) continue;
      add_to(&sum, table->progress);
      total += std::max(table->bytes, table->progress.bytes_read);
    }
    if (total > 0) sum.total_bytes = total;
    return sum;
  }

  /// Returns the options of one table.
  ConvertOptions options_of(Table& table) {
    ConvertOptions one = table.of.options;
    one.pipeline = options_.pipeline;
    one.on_open = options_.on_open;
    one.on_proof = nullptr;
    const int threads = one.pipeline.threads > 0
                            ? one.pipeline.threads
                            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    one.pipeline.threads = one.input.threads = one.output.threads =
        std::max(1, threads / options_.jobs);
    one.pipeline.cancelled = &stop_;
    one.pipeline.on_progress = [this, &table](const Progress& now) {
      const std::lock_guard lock(mutex_);
      table.progress = now;
    };
    if (options_.pipeline.on_bad_row) {
      one.pipeline.on_bad_row = [this](const hub::BadRow& bad) {
        const std::lock_guard lock(bad_rows_);
        options_.pipeline.on_bad_row(bad);
      };
    }
    if (options_.rejects) {
      const fs::path name = fs::path(table.name).replace_extension(".yson");
      one.rejects = options_.rejects->in(name.string());
      make_folders(*options_.rejects, name.string());
      refuse_planted(*one.rejects);
    }
    return one;
  }

  void work_on(Table& table) {
    ConvertOptions one = options_of(table);
    OutputOptions ignored = one.output;
    {
      const std::lock_guard lock(mutex_);
      table.of.output = folder_output_.begin(table.name, &one.output);
      table.record_path =
          folder_output_.begin(fmt::format("{}/{}.json", kRecordFolder, table.name), &ignored);
    }
    one.output.inputs = table.of.inputs;
    TableRecord record;
    for (const Location& input : table.of.inputs) {
      record.inputs.emplace_back(shown_name(input), identity_of(input, one.input.storage));
    }
    record.options = one.given_json.empty() ? "{}" : one.given_json;
    const std::optional<TableRecord> before = read_table_record(table.record_path);
    check_replaceable(table, before, one);
    if (!before || !keep(table, *before, record, one)) convert(table, one, &record);
    if (options_.verify) prove(table, one, &record);
  }

  /// Refuses an output that no earlier run has written as it is now. Throws Error (Io).
  void check_replaceable(const Table& table, const std::optional<TableRecord>& before,
                         const ConvertOptions& one) const {
    if (options_.output.mode == OutputMode::Overwrite) return;
    if (before && before->state == State::Begun) return;
    Place place;
    place.file = table.of.output;
    const std::string now = identity_of(table.of.output, {});
    if (now.empty()) {
      if (before || !one.rejects || !fs::exists(one.rejects->name())) return;
      place.file = *one.rejects;
    }
    if (before && before->output == now) return;
    throw Error(
        ErrorCode::Io,
        before ? "expected the file that an earlier run has written, found a changed one"
               : "expected a file of an earlier run, found one without a record",
        place,
        fmt::format("Remove it, or replace it with {}.", mention(Option::Mode, "overwrite")));
  }

  /// Keeps the output of an earlier run if it is complete. Returns false if it must be converted.
  bool keep(Table& table, const TableRecord& before, TableRecord& record,
            const ConvertOptions& given) {
    if (before.state != State::Complete || !before.is_of(record)) return false;
    const std::string now = identity_of(table.of.output, {});
    if (now.empty() || before.output != now) return false;
    ConvertOptions one = given;
    Dataset rows(table.of.inputs, one.input);
    Input source = take_for(rows, &one);
    crosswalk::Plan plan = plan_rows(source, (*one.output.format)->system, one);
    if (!before.has_types_of(plan)) return false;
    record = before;
    Progress done{.rows = before.rows,
                  .bad_rows = before.rejected,
                  .bytes_read = before.bytes_read,
                  .bytes_written = before.bytes_written};
    if (before.rejected > 0) {
      done.first_bad = std::make_shared<const Error>(ErrorCode::Input, before.first_rejected);
    }
    const std::lock_guard lock(mutex_);
    table.result = Converted{table.of.output, std::move(plan), done, {}, true};
    return true;
  }

  void convert(Table& table, ConvertOptions one, TableRecord* record) {
    record->state = State::Begun;
    write_table_record(*record, table.record_path, one.output.durable);
    // The output, if there is one, is that of an earlier run, or may be replaced.
    one.output.mode = OutputMode::Overwrite;
    OutputSet outputs;
    one.output.set = &outputs;
    std::vector<std::unique_ptr<Conversion>> only;
    only.push_back(std::make_unique<Conversion>(table.of.inputs, table.of.output, one));
    Converted result = std::move(run_conversions(std::move(only), one, table.of.output).front());
    for (size_t i = 0; i < table.of.inputs.size(); ++i) {
      const Location& input = table.of.inputs[i];
      if (identity_of(input, one.input.storage) == record->inputs[i].second) continue;
      Place place;
      place.file = shown_name(input);
      throw Error(ErrorCode::Io, "the input has changed while it was read", place);
    }
    record->set_types(result.plan);
    record->output = identity_of(table.of.output, {});
    record->rows = result.done.rows;
    record->rejected = result.done.bad_rows;
    if (result.done.first_bad) record->first_rejected = result.done.first_bad->describe();
    record->bytes_read = result.done.bytes_read;
    record->bytes_written = result.done.bytes_written;
    record->state = State::Complete;
    write_table_record(*record, table.record_path, one.output.durable);
    const std::lock_guard lock(mutex_);
    table.progress = result.done;
    table.result = std::move(result);
  }

  /// Verifies an output unless an earlier run did. One that differs is converted again by the next
  /// run.
  void prove(Table& table, ConvertOptions one, TableRecord* record) {
    if (record->verified) return;
    one.on_open = nullptr;
    one.pipeline.on_bad_row = nullptr;
    one.pipeline.on_progress = nullptr;
    one.rejects.reset();
    crosswalk::ProvenTable proof =
        verify_output(table.of.inputs, table.of.output, std::move(one), {});
    record->verified = proof.passes();
    if (!proof.passes()) record->state = State::Begun;
    write_table_record(*record, table.record_path, options_.output.durable);
    const std::lock_guard lock(mutex_);
    table.proof = std::move(proof);
  }

  std::vector<Converted> collect() {
    std::vector<Converted> results;
    std::vector<crosswalk::ProvenTable> proofs;
    std::vector<Error> errors;
    for (std::unique_ptr<Table>& table : tables_) {
      if (table->error) {
        errors.push_back(*table->error);
        continue;
      }
      results.push_back(*std::move(table->result));
      if (table->proof) proofs.push_back(*std::move(table->proof));
    }
    if (!errors.empty() && !options_.on_failure) {
      throw Error(errors.front())
          .with_hint(fmt::format("{} of {} failed. The others are complete: {} skips them.",
                                 errors.size(), crosswalk::counted(tables_.size(), "file"),
                                 mention(Option::Resume)));
    }
    if (!proofs.empty()) {
      crosswalk::Proof proof = proof_of(std::move(proofs), {});
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      proof.seconds = spent.count();
      report_proof(proof, options_);
    }
    return results;
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Location folder_;
  const ConvertOptions& options_;
  FolderOutput folder_output_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::mutex bad_rows_;
  Condition changed_;
  int running_ = 0;
  std::exception_ptr fatal_;
};

}  // namespace

std::vector<Converted> resume_tables(std::vector<OutputOf> outputs, const Location& folder,
                                     const ConvertOptions& options) {
  if (folder.is_remote()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a folder on a disk for {}, found one in a store",
                            mention(Option::Resume)),
                {}, "Convert to a disk, and copy the folder.");
  }
  if (options.rejects && !options.rejects->name().ends_with('/')) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a folder for {} with {}, found {}", mention(Option::Rejects),
                            mention(Option::Resume), xwalk::quoted(*options.rejects)),
                {}, "End the name with /: each input has its own file of rejected rows.");
  }
  return ResumedTables(std::move(outputs), folder, options).run();
}

}  // namespace xwalk::io
