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
#include "xwalk/convert/rejection_text.h"
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

/// One output.
struct Table {
  OutputOf of;
  /// The folder with the record, and the path of the output below it.
  Location folder;
  std::string name;
  Location record_path;
  /// Size of the inputs, 0 if it is not known.
  uint64_t bytes = 0;
  /// The rows are added to those of the output, which knows what was added before.
  bool adds = false;
  Progress progress;
  bool is_running = false;
  std::optional<Converted> result;
  std::optional<report::ProvenTable> proof;
  std::optional<Error> error;
};

/// Returns the folder that a name is in.
Location folder_of(const Location& path) {
  std::string_view name = path.name();
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  const std::string_view folder = name.substr(0, name.rfind('/') + 1);
  return path.renamed(folder.empty() ? "." : std::string(folder)).made_after(path.given());
}

/// Returns the last step of a name.
std::string last_name(const Location& path) {
  std::string_view name = path.name();
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  return std::string(name.substr(name.rfind('/') + 1));
}

class ResumedTables {
 public:
  ResumedTables(std::vector<OutputOf> outputs, const ConvertOptions& options, bool proves_all)
      : options_(options), proves_all_(proves_all) {
    for (OutputOf& one : outputs) {
      Table& table = *tables_.emplace_back(std::make_unique<Table>());
      table.of = std::move(one);
      const bool is_one = table.of.folder.name().empty();
      table.adds = table.of.options.output.mode == OutputMode::Append;
      table.folder = is_one ? folder_of(table.of.output) : table.of.folder;
      table.name = is_one ? last_name(table.of.output) : path_below(table.folder, table.of.output);
      const size_t folder_size = table.folder.name().size();
      if (!is_one) table.of.output = table.of.output.made_after(folder_size);
      table.record_path = table.folder.in(fmt::format("{}/{}.json", kRecordFolder, table.name))
                              .made_after(std::min(table.folder.given(), folder_size));
      if (table.adds) table.name = last_name(table.of.inputs.front());
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
  /// Makes the folders of an output and of its record.
  static void make_folders_of(const Table& table) {
    if (table.folder.is_remote()) return;
    make_folders(table.folder, table.name);
    make_folders(table.folder, fmt::format("{}/{}", kRecordFolder, table.name));
    refuse_planted(table.record_path);
    // A name that the user gave may be a link.
    if (!table.of.folder.name().empty()) refuse_planted(table.of.output);
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
      // Inputs that are added to one output take turns.
      if (place > 0 && follows(place)) continue;
      size_t end = place + 1;
      while (end < tables_.size() && follows(end)) ++end;
      for (size_t i = place; i < end && !stop_; ++i) {
        work_guarded(*tables_[i]);
        if (tables_[i]->error && tables_[i]->of.options.output.upsert.wanted) {
          leave_out(i + 1, end, only_file(tables_[i]->of.inputs));
          break;
        }
      }
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  /// Returns true if a table is added to the output of the one before it.
  bool follows(size_t place) const {
    const Table& table = *tables_[place];
    const Table& before = *tables_[place - 1];
    return table.adds && before.adds && table.of.output == before.of.output;
  }

  /// Fails tables whose rows would be replaced later by those of one that failed.
  void leave_out(size_t from, size_t to, const std::string& failed) {
    for (size_t i = from; i < to; ++i) {
      begin(*tables_[i]);
      fail(*tables_[i],
           Error(ErrorCode::Io,
                 fmt::format("its rows come after those of {}, which failed", failed)));
      end(*tables_[i]);
    }
  }

  void work_guarded(Table& table) {
    begin(table);
    try {
      table.adds ? add(table) : work_on(table);
    } catch (const Error& error) {
      if (is_about_input(error)) {
        fail(table, error);
      } else {
        end_all(std::current_exception());
      }
    } catch (...) {
      end_all(std::current_exception());
    }
    end(table);
  }

  void begin(Table& table) {
    const std::lock_guard lock(mutex_);
    table.is_running = true;
  }

  void end(Table& table) {
    const std::lock_guard lock(mutex_);
    table.is_running = false;
    ++finished_;
    if (table.result && table.result->was_complete) return;
    ended_.push_back({table.name, table.progress, table.error.has_value()});
  }

  void fail(Table& table, Error error) {
    if (error.place().file.empty()) error.place().file = only_file(table.of.inputs);
    if (error.code() == ErrorCode::Usage) name_origin(table.of, &error);
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
      TablesProgress now = progress();
      lock.unlock();
      try {
        look_up();
        if (options_.on_tables) {
          options_.on_tables(now);
        } else if (options_.pipeline.on_progress) {
          options_.pipeline.on_progress(now.all);
        }
      } catch (...) {
        end_all(std::current_exception());
      }
      if (options_.pipeline.cancelled != nullptr && options_.pipeline.cancelled->load()) {
        stop_ = true;
      }
      lock.lock();
    }
    const TablesProgress now = progress();
    lock.unlock();
    if (options_.on_tables && !fatal_) options_.on_tables(now);
  }

  /// Returns how far the tables are, and forgets which of them have ended.
  TablesProgress progress() {
    TablesProgress out{.tables = tables_.size(), .finished = finished_, .all = {}, .running = {}};
    out.ended = std::exchange(ended_, {});
    Progress& sum = out.all;
    uint64_t total = 0;
    bool is_known = true;
    for (const std::unique_ptr<Table>& table : tables_) {
      if (table->result && table->result->was_complete) continue;
      add_to(&sum, table->progress);
      total += std::max(table->bytes, table->progress.bytes_read);
      const bool has_ended = table->result || table->error;
      is_known = is_known && (has_ended || table->bytes > 0);
      if (table->is_running) {
        out.running.push_back({table->name, table->progress});
        if (table->bytes > 0) out.running.back().done.total_bytes = table->bytes;
      }
    }
    if (is_known && total > 0) sum.total_bytes = total;
    return out;
  }

  /// Returns the options of one table.
  ConvertOptions options_of(Table& table) {
    ConvertOptions one = table.of.options;
    one.pipeline.on_bad_row = nullptr;
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
    if (one.rejects && one.rejects->name().ends_with('/')) {
      const Location folder = *one.rejects;
      const fs::path name = fs::path(table.name).replace_extension(".yson");
      one.rejects = folder.in(name.string()).made_after(folder.name().size());
      if (!folder.is_remote()) make_folders(folder, name.string());
      refuse_planted(*one.rejects);
      one.rejects_if_any = true;
    } else if (one.rejects && !one.rejects->is_remote()) {
      make_folders(folder_of(*one.rejects), last_name(*one.rejects));
    }
    return one;
  }

  void work_on(Table& table) {
    ConvertOptions one = options_of(table);
    {
      const std::lock_guard lock(mutex_);
      make_folders_of(table);
    }
    one.output.inputs = table.of.inputs;
    TableRecord record;
    for (const Location& input : table.of.inputs) {
      record.inputs.emplace_back(lasting_name(input), identity_of_input(input, one.input));
    }
    record.options = one.given_json.empty() ? "{}" : one.given_json;
    const std::optional<TableRecord> before =
        read_table_record(table.record_path, one.output.storage);
    check_replaceable(table, before, record, one);
    if (!before || !keep(table, *before, record, one)) convert(table, one, &record);
    if (one.verify) prove(table, one, &record);
  }

  /// Adds the rows of an input to its output, unless they were added before.
  void add(Table& table) {
    ConvertOptions one = options_of(table);
    OutputSet outputs;
    one.output.set = &outputs;
    std::vector<std::unique_ptr<Conversion>> only;
    only.push_back(std::make_unique<Conversion>(table.of.inputs, table.of.output, one));
    Converted result =
        only.front()->was_added()
            ? only.front()->finish()
            : std::move(run_conversions(std::move(only), one, table.of.output).front());
    if (one.verify && !result.was_complete) {
      report::ProvenTable proof = proof_of_table(table, one);
      const std::lock_guard lock(mutex_);
      table.proof = std::move(proof);
    }
    const std::lock_guard lock(mutex_);
    table.progress = result.done;
    table.result = std::move(result);
  }

  /// Refuses an output that no earlier run has written as it is now, or whose rows are of inputs
  /// that this run does not have. Throws Error (Io).
  static void check_replaceable(const Table& table, const std::optional<TableRecord>& before,
                                const TableRecord& record, const ConvertOptions& one) {
    if (one.output.mode == OutputMode::Overwrite) return;
    Place place;
    place.file = table.of.output;
    const std::string now = identity_of(table.of.output, one.output.storage);
    const std::string* const missing =
        before && !now.empty() ? before->input_not_in(record) : nullptr;
    if (missing != nullptr) {
      throw Error(ErrorCode::Io,
                  fmt::format("expected the file made from these inputs, found one made from {}",
                              shown_name(*missing)),
                  place,
                  fmt::format("Choose another name, or replace its rows with {}.",
                              mention(Option::Mode, "overwrite")));
    }
    if (before && before->state == State::Begun) return;
    if (now.empty()) {
      if (before || !one.rejects) return;
      if (look_at(*one.rejects, one.output.storage) == NameKind::Nothing) return;
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
    const std::string now = identity_of(table.of.output, given.output.storage);
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
    table.result = Converted{table.of.output, std::move(plan), done, {}, nullptr, true};
    return true;
  }

  void convert(Table& table, ConvertOptions one, TableRecord* record) {
    record->state = State::Begun;
    write_table_record(*record, table.record_path, one.output);
    // The output, if there is one, is that of an earlier run, or may be replaced.
    one.output.mode = OutputMode::Overwrite;
    OutputSet outputs;
    one.output.set = &outputs;
    std::vector<std::unique_ptr<Conversion>> only;
    only.push_back(std::make_unique<Conversion>(table.of.inputs, table.of.output, one));
    Converted result = std::move(run_conversions(std::move(only), one, table.of.output).front());
    for (size_t i = 0; i < table.of.inputs.size(); ++i) {
      const Location& input = table.of.inputs[i];
      if (identity_of_input(input, one.input) == record->inputs[i].second) continue;
      throw Error(ErrorCode::Io, "the input has changed while it was read",
                  {.file = shown_name(input)});
    }
    record->set_types(result.plan);
    record->output = identity_of(table.of.output, one.output.storage);
    record->rows = result.done.rows;
    record->rejected = result.done.bad_rows;
    if (result.done.first_bad) record->first_rejected = rejection_text(*result.done.first_bad);
    record->bytes_read = result.done.bytes_read;
    record->bytes_written = result.done.bytes_written;
    record->state = State::Complete;
    write_table_record(*record, table.record_path, one.output);
    const std::lock_guard lock(mutex_);
    table.progress = result.done;
    table.result = std::move(result);
  }

  /// Verifies an output without callbacks.
  static report::ProvenTable proof_of_table(const Table& table, ConvertOptions one) {
    one.on_open = nullptr;
    one.pipeline.on_bad_row = nullptr;
    one.pipeline.on_progress = nullptr;
    one.rejects.reset();
    return verify_output(table.of.inputs, table.of.output, std::move(one), {});
  }

  /// Verifies an output unless an earlier run did and the proof may lack it. One that differs is
  /// converted again by the next run.
  void prove(Table& table, ConvertOptions one, TableRecord* record) {
    if (record->verified && !proves_all_) return;
    const OutputOptions writing = one.output;
    report::ProvenTable proof = proof_of_table(table, std::move(one));
    record->verified = proof.passes();
    if (!proof.passes()) record->state = State::Begun;
    write_table_record(*record, table.record_path, writing);
    const std::lock_guard lock(mutex_);
    table.proof = std::move(proof);
  }

  std::vector<Converted> collect() {
    std::vector<Converted> results;
    std::vector<report::ProvenTable> proofs;
    std::vector<Error> errors;
    for (std::unique_ptr<Table>& table : tables_) {
      if (table->error) {
        errors.push_back(*table->error);
        if (table->of.options.verify) {
          proofs.push_back(
              unproven(table->of.inputs, table->of.output, *table->error, hub::Interface::Program));
        }
        continue;
      }
      results.push_back(*std::move(table->result));
      if (table->proof) proofs.push_back(*std::move(table->proof));
    }
    if (!errors.empty() && !options_.on_failure) {
      throw Error(errors.front())
          .with_hint(fmt::format("{} of {} failed. The others are complete: {} skips them.",
                                 errors.size(), counted(tables_.size(), "file"),
                                 mention(Option::Resume)));
    }
    if (!proofs.empty()) {
      report::Proof proof = proof_of(std::move(proofs), {});
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      proof.seconds = spent.count();
      report_proof(proof, options_);
    }
    return results;
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const ConvertOptions& options_;
  bool proves_all_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::mutex bad_rows_;
  Condition changed_;
  int running_ = 0;
  size_t finished_ = 0;
  std::vector<TablesProgress::Table> ended_;
  std::exception_ptr fatal_;
};

}  // namespace

std::vector<Converted> resume_tables(std::vector<OutputOf> outputs, const ConvertOptions& options,
                                     bool proves_all) {
  plan_columns(&outputs);
  return ResumedTables(std::move(outputs), options, proves_all).run();
}

}  // namespace xwalk::io
