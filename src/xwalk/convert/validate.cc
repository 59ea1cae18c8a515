#include "xwalk/convert/validate.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/schema_memory.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/group_order.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/formats/parquet_validate.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/other_tables.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/watched_reader.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/module.h"
#include "xwalk/report/report.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::io {
namespace {

using crosswalk::System;

/// The bad rows of a file, of which the first are described.
class BadRows {
 public:
  BadRows(std::string file, Validation* out, ValidationEvents* events)
      : file_(std::move(file)), out_(out), events_(events) {}

  void add(const hub::BadRow& bad) {
    ++out_->files[file_.empty() ? name_of(bad.error.place().file) : file_].bad_rows;
    if (++described_ > kDescribedRows) return;
    Error error = bad.error;
    if (error.place().file.empty()) error.place().file = file_;
    events_->bad_row(error);
  }
  void finish() {
    if (described_ > kDescribedRows) events_->more_bad_rows(described_ - kDescribedRows);
  }

 private:
  /// Returns the input that errors call so.
  std::string name_of(const std::string& shown) const {
    const auto found = std::ranges::find_if(out_->names, [&](const std::string& name) {
      return name == shown || shown_name(name) == shown || (name == "-" && shown == "<stdin>");
    });
    return found == out_->names.end() ? shown : *found;
  }

  std::string file_;  ///< the only one, else ""
  Validation* out_;
  ValidationEvents* events_;
  uint64_t described_ = 0;
};

/// Findings that are the same in several files are reported once, with the first.
class AlikeFindings {
 public:
  void add(const std::string& file, const hub::Finding& finding) {
    for (Reported& reported : reported_) {
      const hub::Finding& other = reported.finding;
      if (other.rule != finding.rule || other.path != finding.path || other.lost != finding.lost ||
          other.effect != finding.effect) {
        continue;
      }
      ++reported.files;
      return;
    }
    reported_.push_back({file, finding, 1});
  }
  void report_to(ValidationEvents* events) {
    for (Reported& reported : reported_) {
      if (reported.files > 1) {
        reported.finding.lost +=
            fmt::format("; the same in {} more", counted(reported.files - 1, "file"));
      }
      events->finding(reported.file, reported.finding);
    }
  }

 private:
  struct Reported {
    std::string file;
    hub::Finding finding;
    uint64_t files;
  };
  std::vector<Reported> reported_;
};

/// Checks inputs one after the other.
class Validator {
 public:
  Validator(const ValidationOptions& options, ValidationEvents* events)
      : options_(options), events_(events) {}

  Validation run(const Locations& names);

 private:
  void check_parquet(const Locations& files, Validation* out);
  void check_arrow(const Input& input);
  yt::KeyOrder order_of(const Input& input) const;
  void read_rows(SplitReader& reader, const std::string& file, const yt::KeyOrder& order,
                 bool check_required = false);
  void read_parquet(const Locations& files);
  void check_input(Input input);
  bool breaks_rules(const Error& error, const Locations& files);
  void check_file(const Location& file, const InputOptions& opening);
  void check_apart(const Locations& files, InputOptions opening);
  bool may_be_apart(const Locations& names, const InputOptions& opening) const;

  const ValidationOptions& options_;
  ValidationEvents* events_;
  Validation out_;
};

/// Checks the rules of Parquet files, and every value if asked.
void Validator::check_parquet(const Locations& files, Validation* out) {
  AlikeFindings alike;
  check_storage(options_.reading.storage, files);
  for (const std::string& file : files) {
    BadRows bad_rows(file, out, events_);
    ParquetValidationOptions validation;
    validation.values = options_.values;
    validation.max_memory = options_.reading.max_memory;
    validation.threads = options_.reading.threads;
    validation.cancelled = options_.cancelled;
    validation.on_progress = options_.on_progress;
    validation.on_bad_value = [&](const hub::BadRow& bad) { bad_rows.add(bad); };
    const ParquetValidation found =
        validate_parquet(with_window(open_source(file, options_.reading.storage, first_fetch(file)),
                                     validation.max_memory),
                         validation);
    bad_rows.finish();
    out->rows += found.rows;
    out->files[file].rows += found.rows;
    out->bad_rows += found.bad_rows;
    for (const hub::Finding& finding : found.findings) {
      out->breaks_rules = out->breaks_rules || hub::is_violation(finding);
      out->notes.push_back(finding);
      alike.add(file, finding);
    }
  }
  alike.report_to(events_);
}

/// Checks the rules of Arrow's schemas, which files may break.
void Validator::check_arrow(const Input& input) {
  const System arrow = input.format->system;
  for (const hub::Finding& finding : arrow->validate({arrow, input.reader->schema()})) {
    out_.breaks_rules = out_.breaks_rules || hub::is_violation(finding);
    events_->finding(input.files.front(), finding);
  }
}

/// Returns the order that the schema of rows promises: a table schema, or xwalk's annotations in a
/// file. What several files promise holds in each of them.
yt::KeyOrder Validator::order_of(const Input& input) const {
  const hub::Schema& rows = input.reader->schema();
  const bool by_file = input.files.size() > 1 && !options_.reading.unify;
  const bool is_own = by_file && input.table_schema.has_value();
  return {is_own ? yt::to_arrow(*input.table_schema) : rows, rows,
          options_.reading.values.uuid_order};
}

/// Reads all rows as a conversion does. `file` is used for errors without a file.
void Validator::read_rows(SplitReader& reader, const std::string& file, const yt::KeyOrder& order,
                          bool check_required) {
  BadRows bad_rows(file, &out_, events_);
  PipelineOptions pipeline;
  pipeline.threads = options_.reading.threads;
  pipeline.skip_bad_rows = true;
  pipeline.cancelled = options_.cancelled;
  pipeline.on_progress = options_.on_progress;
  pipeline.on_bad_row = [&](const hub::BadRow& bad) { bad_rows.add(bad); };
  std::mutex mutex;
  WatchedReader watched(&reader, [&](std::string_view its, const hub::Batch& batch) {
    const std::lock_guard lock(mutex);
    out_.files[its.empty() ? file : std::string(its)].rows += static_cast<uint64_t>(batch.rows());
  });
  std::unique_ptr<hub::BatchWriter> ordered;
  if (!order.empty()) {
    ordered = std::make_unique<OrderedWriter>(
        nullptr, RowOrder(order, RowOrder::Before::LastRow, /*by_file=*/file.empty()));
  }
  hub::CastOptions checks;
  checks.check_required = check_required;
  const hub::CompiledCast cast = hub::compile_cast(reader.schema(), reader.schema(), checks);
  const Progress done =
      run_pipeline(watched, cast.is_identity() ? nullptr : &cast, ordered.get(), pipeline);
  bad_rows.finish();
  out_.rows += done.rows + done.bad_rows;
  out_.bad_rows += done.bad_rows;
  hub::Findings fresh;
  for (hub::Finding& note : notes_of(reader)) {
    const bool reported = std::ranges::any_of(out_.notes, [&](const hub::Finding& other) {
      return other.rule == note.rule && other.path == note.path;
    });
    if (!reported) fresh.push_back(std::move(note));
  }
  events_->notes(fresh);
}

/// Reads the rows of Parquet files in forms that hold every value of the format: an INTERVAL is
/// valid although Arrow cannot hold it.
void Validator::read_parquet(const Locations& files) {
  const SchemaMemoryScope scope(options_.reading.max_memory);
  for (const std::string& file : files) {
    ParquetInputOptions reading;
    reading.max_memory = options_.reading.max_memory;
    reading.threads = options_.reading.threads;
    reading.storage = true;
    reading.arrow_schema = false;
    auto source = with_window(open_source(file, options_.reading.storage, first_fetch(file)),
                              reading.max_memory);
    need_schema(*source);
    // Annotations are checked only if they promise more than the file's own types.
    const hub::Refine promised =
        crosswalk::source_refinement(parquet::kModule, /*annotations=*/true);
    const auto access = memory_access(*source->window(), file);
    const std::string bytes = parquet::read_footer_bytes(*access);
    const parquet::Footer footer = parquet::read_footer(*access);
    const hub::Schema plain = parquet_arrow_schema(footer, reading);
    reading.arrow_schema = true;
    const hub::Schema annotated = parquet_arrow_schema(footer, reading);
    const yt::UuidOrder uuids = options_.reading.values.uuid_order;
    const bool is_sorted = !yt::KeyOrder(annotated, annotated, uuids).empty();
    reading.arrow_schema =
        is_sorted || !hub::compile_promises(annotated, promised, &plain).is_identity();
    auto reader = check_promises(open_parquet(std::move(source), reading), promised, file);
    GroupOrderCheck groups(bytes, footer.schema, reader->schema());
    reader = check_group_order(std::move(reader), std::move(groups));
    read_rows(*reader, file, yt::KeyOrder(annotated, reader->schema(), uuids));
  }
}

/// Checks the rows of an open input, and the rules of files that have their own.
void Validator::check_input(Input input) {
  const bool is_parquet = input.format == kParquetRows;
  if (is_parquet) check_parquet(input.files, &out_);
  const crosswalk::PlanOptions& columns = options_.columns;
  const bool as_stored = columns.rename.empty() && columns.casts.empty();
  const bool whole = options_.reading.select.empty() && !options_.reading.limit && as_stored;
  if (is_parquet && !options_.values && whole) {
    read_parquet(input.files);
  } else if (!is_parquet || !options_.values) {
    // A piece does not name the file if there is only one.
    const std::string file = input.files.size() == 1 ? input.files.front() : "";
    if (input.format->system->is_hub) check_arrow(input);
    ConvertOptions shaping;
    shaping.plan = columns;
    const yt::KeyOrder order = as_stored ? order_of(input) : yt::KeyOrder();
    input.reader = shaped(std::move(input.reader), input.format->system, shaping);
    read_rows(*input.reader, file, order, input.format->system->check_required);
  }
}

/// Returns true if all files can be read as one input: each has the schema of the first.
bool are_alike(const Input& input, const InputOptions& opening) {
  std::vector<Error> faults;
  (void)check_alike(input, opening, &faults);
  return faults.empty();
}

/// Returns true if every input is a Parquet file by its bytes.
bool all_parquet(const Locations& inputs, const StorageOptions& storage) {
  return std::ranges::all_of(inputs, [&](const Location& path) {
    return !path.is_standard() && look_at(path, storage) == NameKind::File &&
           parquet::is_parquet(open_source(path, storage)->peek(4));
  });
}

/// Checks the rules of Parquet files whose rows cannot be read: a schema that breaks rules may have
/// no meaning to read rows by. Returns true if rules are broken, and so are the reason.
bool Validator::breaks_rules(const Error& error, const Locations& files) {
  if (error.code() != ErrorCode::Input && error.code() != ErrorCode::Unsupported) return false;
  if (!all_parquet(files, options_.reading.storage)) return false;
  Validation its;
  try {
    check_parquet(files, &its);
  } catch (const Error& fault) {
    // A file that is cut off has no schema that could break rules.
    if (!is_about_input(fault)) throw;
    return false;
  }
  out_.breaks_rules = out_.breaks_rules || its.breaks_rules;
  return its.breaks_rules;
}

/// Returns true if each of several files promises an order, which their rows together do not have.
bool are_sorted_apart(const Input& input) {
  return !input.table_schema && input.format != kParquetRows &&
         std::ranges::any_of(notes_of(*input.reader),
                             [](const hub::Finding& note) { return note.rule == "key.lost"; });
}

void Validator::check_file(const Location& file, const InputOptions& opening) {
  try {
    Input input = open_input({file}, opening);
    if (input.file_notes.inferred != opening.inferred) events_->opened(file, input.file_notes);
    check_input(std::move(input));
  } catch (const Error& error) {
    if (!is_about_input(error)) throw;
    if (breaks_rules(error, {file})) {
      out_.files[file].broken = true;
      return;
    }
    out_.files[file].unreadable = true;
    Error found = error;
    if (found.place().file.empty()) found.place().file = shown_name(file);
    events_->unreadable(found);
    out_.unreadable.push_back(std::move(found));
  }
}

/// Checks each file by its own schema. A file that cannot be read has its own error.
void Validator::check_apart(const Locations& files, InputOptions opening) {
  const auto left = options_.reading.limit;
  for (const Location& file : files) {
    if (left) opening.limit = *left - std::min(*left, static_cast<int64_t>(out_.rows));
    if (std::ranges::find(out_.names, file.name()) == out_.names.end()) out_.names.push_back(file);
    check_file(file, opening);
  }
}

/// Returns true if files may be checked one by one: their rows are not chosen from all of them, and
/// each can be opened again.
bool Validator::may_be_apart(const Locations& names, const InputOptions& opening) const {
  const auto is_one = [](const Location& name) { return name.is_standard() || name.is_table(); };
  return !opening.unify && !opening.sample && !opening.tail && std::ranges::none_of(names, is_one);
}

Validation Validator::run(const Locations& names) {
  InputOptions opening = options_.reading;
  opening.skip_bad_rows = true;
  // No writer takes the batches, and YTsaurus holds such values.
  opening.plan.special_decimals = true;
  Input input;
  try {
    input = open_input(names, opening);
  } catch (const TableOfOther&) {
    throw;
  } catch (const Error& error) {
    if (!is_about_input(error)) throw;
    Locations files;
    // A name without files is reported like a file that cannot be read.
    for (const FoundFile& found : find_files(names, opening)) files.push_back(found.file.path);
    if (files.size() < 2 || !may_be_apart(names, opening)) {
      if (!breaks_rules(error, names)) throw;
      out_.rows_were_read = false;
      return std::move(out_);
    }
    check_apart(files, opening);
    return std::move(out_);
  }
  events_->opened(names.front(), input.file_notes);
  out_.names.assign(input.files.begin(), input.files.end());
  if (!may_be_apart(names, opening) || (are_alike(input, opening) && !are_sorted_apart(input))) {
    check_input(std::move(input));
  } else {
    // Files without a schema share the one that was inferred from all of them.
    opening.inferred = input.file_notes.inferred;
    check_apart(input.files, opening);
  }
  return std::move(out_);
}

}  // namespace

Validation validate(const Locations& names, const ValidationOptions& options,
                    ValidationEvents* events) {
  return Validator(options, events).run(names);
}

}  // namespace xwalk::io
