#include "xwalk/convert/conversion.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/table_record.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/engines/program_engine.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/added_order.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/reject_file.h"
#include "xwalk/io/places/upsert.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

using crosswalk::System;
using hub::mention;
using hub::Option;

/// Returns true if rows can be moved between files unchanged: the plan changes only a layout that
/// the files do not have.
bool keeps_rows(const Input& input, const crosswalk::Plan& plan, const ConvertOptions& options) {
  if (plan.cast.is_identity()) return true;
  const System source = input.format->system;
  const auto only_layouts = [](const hub::Schema& a, const hub::Schema& b) {
    return std::ranges::equal(a.fields, b.fields, crosswalk::is_other_layout);
  };
  if (!only_layouts(input.reader->schema(), plan.target_hub)) return false;
  // The plan of the values that the files hold may check or change them in other ways.
  const crosswalk::Plan stored =
      plan_conversion(source, plan.target_hub, plan.target_system, options);
  return stored.cast.is_identity() && only_layouts(stored.target_hub, plan.target_hub);
}

}  // namespace

void add_to(Progress* sum, const Progress& one) {
  sum->rows += one.rows;
  sum->bad_rows += one.bad_rows;
  sum->bytes_read += one.bytes_read;
  sum->bytes_written += one.bytes_written;
  if (!sum->first_bad) sum->first_bad = one.first_bad;
}

std::string only_file(const Locations& files) {
  if (files.size() != 1) return "";
  return files.front().is_standard() ? "<stdin>" : shown_name(files.front());
}

Progress naming_file(PipelineOptions pipeline, const std::string& file,
                     const std::function<Progress(const PipelineOptions&)>& run) {
  if (!pipeline.skip_bad_rows || file.empty()) return run(pipeline);
  pipeline.on_bad_row = [&file, next = std::move(pipeline.on_bad_row)](const hub::BadRow& bad) {
    if (!bad.error.place().file.empty()) return next(bad);
    hub::BadRow named = bad;
    named.error.place().file = file;
    next(named);
  };
  Progress done = run(pipeline);
  if (done.first_bad && done.first_bad->place().file.empty()) {
    Error first = *done.first_bad;
    first.place().file = file;
    done.first_bad = std::make_shared<const Error>(std::move(first));
  }
  return done;
}

Progress run_with_rejects(const ConvertOptions& options, const Location& output,
                          const MoveRows& run) {
  OutputSet rejected;
  std::unique_ptr<RejectFile> rejects;
  if (options.rejects) {
    rejects = std::make_unique<RejectFile>(*options.rejects,
                                           SinkOptions{.mode = options.output.mode,
                                                       .durable = options.output.durable,
                                                       .set = &rejected,
                                                       .storage = options.output.storage},
                                           options.rejects_if_any, [&](const std::string& path) {
                                             check_other_output(path, output, options.output);
                                           });
  }
  PipelineOptions pipeline = options.pipeline;
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    if (rejects) rejects->add(bad);
    if (options.pipeline.on_bad_row) options.pipeline.on_bad_row(bad);
  };
  // With several outputs, each is checked after its rows.
  const bool is_one = !is_table_pattern(output) && !output.name().ends_with('/');
  if (is_one) pipeline.before_finish = [&](const Progress& now) { check_rejects(now, pipeline); };
  Progress done;
  try {
    done = run(pipeline, rejects.get());
  } catch (Error& error) {
    // After other errors, the rejected rows are not complete. A file that has those of other
    // conversions gets none of one that fails: the next one would add them once more.
    const bool is_complete =
        error.code() == ErrorCode::Input && options.output.mode != OutputMode::Append;
    if (rejects && is_complete) {
      rejects->finish();
      rejected.commit();
    }
    const bool is_row =
        error.code() == ErrorCode::Input && error.place().row && error.hint().empty();
    if (is_row && !pipeline.skip_bad_rows) {
      error.with_hint(fmt::format("Skip such rows with {} {}.", mention(Option::OnError, "skip"),
                                  mention(Option::Rejects, options.resume ? "DIR/" : "FILE")));
    }
    throw;
  }
  if (rejects) rejects->finish();
  options.output.set->add(std::move(rejected));
  // An output that the engine has committed is complete: a signal comes too late.
  const bool is_complete = options.output.set->is_empty();
  if (!is_complete && pipeline.cancelled != nullptr && pipeline.cancelled->load()) {
    throw Error(ErrorCode::Interrupted, "interrupted");
  }
  options.output.set->commit();
  return done;
}

Input take_for(Dataset& rows, ConvertOptions* options) {
  const Format output = *options->output.format;
  set_reading(output->system, options);
  // The engines of both ends load while the files are opened.
  std::shared_ptr<const void> loading;
  std::vector<std::optional<Format>> ends = {output};
  if (!rows.names().empty()) ends.push_back(format_of_name(rows.names().front()));
  for (const std::optional<Format>& end : ends) {
    if (end && (*end)->load_ahead != nullptr && !loading) loading = (*end)->load_ahead();
  }
  Input input = rows.take(options->input);
  input.loading = std::move(loading);
  if (options->on_open && !input.files.empty()) {
    options->on_open(input.files.front(), input.file_notes);
  }
  return input;
}

Conversion::Conversion(Input input, Output output, ConvertOptions options)
    : input_(std::move(input)), options_(std::move(options)) {
  open(std::move(output));
}

Conversion::Conversion(const Locations& inputs, const Location& output, ConvertOptions options)
    : options_(std::move(options)) {
  options_.output.format = output_format(output, options_.output);
  Dataset rows(inputs, options_.input);
  input_ = take_for(rows, &options_);
  open(output);
}

std::optional<Destination> Conversion::locate_output(const Output& output) {
  const auto* path = std::get_if<Location>(&output);
  if (path == nullptr) {
    check_upsert(*options_.output.format, options_.output);
    return std::nullopt;
  }
  options_.output.inputs = files_read(input_);
  identify_inputs(input_.files, options_.input, &options_.output);
  std::optional<Destination> found;
  unless_added([&] { found = locate(*path, &options_.output, &options_.plan); });
  if (!found) {
    // The plan is that of rows that are added once more.
    options_.output.again = true;
    found = locate(*path, &options_.output, &options_.plan);
  }
  Destination& to = *found;
  if (const RowsThere* there = to.rows()) {
    if (!std::holds_alternative<std::monostate>(options_.target)) {
      throw Error(ErrorCode::Usage, "added rows must have the schema of the existing ones", {},
                  "Name no other schema.");
    }
    if (options_.output.evolve) {
      added_ = evolve_rows(input_.format->system, input_.reader->schema(), options_, &to);
    }
    check_upserted_columns(input_.reader->schema(), there->schema, options_.plan, options_.output);
    check_added_columns(to, input_.reader->schema(), options_.plan, !options_.input.select.empty());
    options_.target = there->schema;
    options_.meaning = there->meaning;
  }
  return found;
}

void Conversion::unless_added(const std::function<void()>& step) {
  try {
    step();
  } catch (const SystemError& error) {
    if (!resumes_addition() || error.number() != EEXIST) throw;
    was_added_ = true;
  }
}

void Conversion::open(Output output) {
  const std::optional<Destination> to = locate_output(output);
  UpsertOptions& upsert = options_.output.upsert;
  if (upsert.wanted) upsert.done = std::make_shared<Upserted>();
  const OutputOptions& writing = options_.output;
  crosswalk::Plan& plan =
      result_
          .emplace(Converted{
              to ? to->path : "", plan_rows(input_, (*writing.format)->system, options_), {}, {}})
          .plan;
  const auto ask = (*writing.format)->ask_commit;
  if (to && ask != nullptr && resumes_addition() && !was_added_) {
    unless_added([&] { ask(to->place, write_plan(plan), writing); });
  }
  if (was_added_) {
    result_->was_complete = true;
    return;
  }
  result_->upserted = upsert.done;
  if (to) add_order_of_folder(to->place, to->format, &plan);
  result_->notes = plan.notes;
  std::ranges::move(added_, std::back_inserter(result_->notes));
  // Of what the table loses, these surprise: a tool will no longer find what it wrote.
  for (const crosswalk::Reason& reason : plan.paths.front().reasons) {
    const bool is_shown = reason.rule == "metadata.stale" || reason.label == kOrderOfFolder;
    if (is_shown) result_->notes.push_back({.rule = reason.rule, .lost = reason.lost});
  }
  if (input_.file_notes.inferred) result_->notes.push_back(finding_of(*input_.file_notes.inferred));
  WritePlan written = write_plan(plan);
  written.like = stored_alike(input_.file_notes, plan, writing, &result_->notes);
  opened_ = input_.reader->opened_rows();
  // Rows with a promised order are compared with each other here.
  const bool has_order = std::ranges::any_of(plan.target_hub.fields, crosswalk::is_sorted_by);
  // So are keys.
  if (opened_ != nullptr && !has_order && !upsert.wanted && keeps_rows(input_, plan, options_)) {
    // The commit of the engine is final.
    if (input_.file) {
      opened_->before_commit = [file = input_.file] {
        file->check_at_its_place(/*must_answer=*/true);
      };
    }
    opened_->start();
    written.opened = opened_;
  }
  writer_ =
      to ? open_output(*to, written, writing)
         : open_output(std::move(std::get<std::unique_ptr<ByteSink>>(output)), written, writing);
  if (opened_ != nullptr && !opened_->is_taken()) opened_ = nullptr;
}

void Conversion::run(const PipelineOptions& pipeline, RejectFile* rejects) {
  if (rejects != nullptr) rejects->begin(input_, options_.input);
  const auto move = [&](const PipelineOptions& named) {
    return while_unchanged(input_.file, [&] {
      if (opened_ != nullptr) return opened_->finish(writer_.get(), named);
      return run_pipeline(*input_.reader, &result_->plan.cast, writer_.get(), named);
    });
  };
  result_->done = naming_file(pipeline, only_file(input_.files), move);
  std::ranges::move(notes_of(*input_.reader), std::back_inserter(result_->notes));
  std::ranges::move(notes_of(writer_.get()), std::back_inserter(result_->notes));
  if (!result_->output.is_cluster()) {
    result_->notes = lost_notes(std::move(result_->notes), result_->plan, options_.output);
  }
}

std::vector<Converted> run_conversions(ConversionList& list, const ConvertOptions& options,
                                       const Location& output) {
  std::vector<Converted> results;
  run_with_rejects(options, output, [&](const PipelineOptions& pipeline, RejectFile* rejects) {
    Progress all;
    while (const std::unique_ptr<Conversion> one = list.next()) {
      one->run(pipeline, rejects);
      results.push_back(one->finish());
      check_rejects(results.back().done, pipeline);
      add_to(&all, results.back().done);
      list.finished(&results.back());
    }
    return all;
  });
  return results;
}

std::vector<Converted> run_conversions(std::vector<std::unique_ptr<Conversion>> all,
                                       const ConvertOptions& options, const Location& output) {
  class List final : public ConversionList {
   public:
    explicit List(std::vector<std::unique_ptr<Conversion>> all) : all_(std::move(all)) {}
    std::unique_ptr<Conversion> next() override {
      return place_ == all_.size() ? nullptr : std::move(all_[place_++]);
    }

   private:
    std::vector<std::unique_ptr<Conversion>> all_;
    size_t place_ = 0;
  };
  List list(std::move(all));
  return run_conversions(list, options, output);
}

}  // namespace xwalk::io
