#include "xwalk/convert/check_rows.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/rejection_text.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/table_record.h"
#include "xwalk/crosswalk/reader_values.h"
#include "xwalk/crosswalk/unsupported_columns.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/seen.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/added_order.h"
#include "xwalk/io/places/hive_writer.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/places/upsert.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/io/rows/refusing_writer.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/io/rows/watched_reader.h"
#include "xwalk/io/rows/wrapped_reader.h"
#include "xwalk/skiff/module.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

/// Takes converted rows; only the rejected ones matter.
class NoSink final : public ByteSink {
 public:
  void write(std::string_view) override {}
  void finish() override {}
  uint64_t position() const override { return 0; }
};

/// Passes a writer only the values that it may reject after a cast: control attributes of rows, and
/// maps of undescribed columns.
class TrialWriter final : public SplitWriter {
 public:
  TrialWriter(std::unique_ptr<hub::BatchWriter> owner, SplitWriter& writer, bool has_others)
      : owner_(std::move(owner)), writer_(writer), has_others_(has_others) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    if (batch.controls.empty() && !has_others_) return {};
    std::vector<hub::BadRow> rejected = writer_.encode(std::move(batch), out);
    out->clear();
    return rejected;
  }
  void follow(const BatchEnds& ends) override { writer_.follow(ends); }
  void write_encoded(std::string_view) override {}
  void finish() override {}
  uint64_t bytes_written() const override { return 0; }

 private:
  std::unique_ptr<hub::BatchWriter> owner_;
  SplitWriter& writer_;
  bool has_others_;  ///< maps of further columns, which a cast takes for any value
};

/// Opens the writer for a trial, which keeps nothing: the writer of a format that rejects some
/// values, or of the control attributes of rows in YTsaurus's formats. Null for other systems.
std::unique_ptr<hub::BatchWriter> open_trial(const crosswalk::Plan& plan, OutputOptions options,
                                             const Destination* append) {
  const bool judges = options.format && (*options.format)->judge != nullptr;
  if (judges && (*options.format)->write == nullptr) {
    const auto try_rows = (*options.format)->try_rows;
    if (try_rows == nullptr) return nullptr;
    return try_rows(append == nullptr ? nullptr : &append->path, write_plan(plan), options);
  }
  if (!judges && plan.target_system->types() != yt::kModule) return nullptr;
  if (!judges) options.format = plan.target_system == skiff::kModule ? kSkiffRows : kYsonRows;
  options.mode = OutputMode::Create;
  auto writer = open_output(std::make_unique<NoSink>(), write_plan(plan), options);
  // The order is checked outside of it.
  if (auto* ordered = dynamic_cast<OrderedWriter*>(writer.get())) writer = ordered->give_writer();
  auto* split = dynamic_cast<SplitWriter*>(writer.get());
  if (judges || split == nullptr) return writer;
  const std::vector<hub::Field>& columns = plan.target_hub.fields;
  const bool has_others = !columns.empty() && columns.back().name == yt::kOtherColumns;
  return std::make_unique<TrialWriter>(std::move(writer), *split, has_others);
}

/// The same with the order that the target promises, which rows are checked against: that of the
/// existing rows of `append`, if they are added to such.
std::unique_ptr<hub::BatchWriter> trial_writer(const crosswalk::Plan& plan,
                                               const OutputOptions& options,
                                               const Destination* append) {
  if (options.upsert.wanted) {
    return with_keys(append == nullptr ? OutputPlace() : append->place, plan.target_hub, options,
                     open_trial(plan, options, append));
  }
  if (writes_folders(options)) {
    const InputFiles none;
    return try_partitioned(write_plan(plan), append == nullptr ? none : append->there, options);
  }
  const bool has_schema = !options.format || (*options.format)->open != nullptr;
  auto writer = open_trial(plan, options, append);
  if (!has_schema) return writer;
  if (append != nullptr && follows_rows(append->place, append->format)) {
    return after_rows(append->place, append->format, plan.target_hub, options, std::move(writer));
  }
  return in_promised_order(plan.target_hub, options.values.uuid_order, "", std::move(writer));
}

/// Rows as a writer of the output leaves them: those without a place in it are bad.
class TriedReader final : public WrappedReader {
 public:
  TriedReader(std::unique_ptr<SplitReader> rows, std::unique_ptr<hub::BatchWriter> writer)
      : WrappedReader(std::move(rows)),
        owner_(std::move(writer)),
        ordered_(dynamic_cast<OrderedWriter*>(owner_.get())),
        split_(dynamic_cast<SplitWriter*>(bare())),
        refusing_(dynamic_cast<RefusingWriter*>(bare())) {}

  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    piece = std::make_unique<Tried>(std::move(piece), this);
    if (ordered_ == nullptr && refusing_ == nullptr) return piece;
    // Whether a row is left out depends on those before.
    hub::Batch rows = piece->decode();
    return decoded(std::move(rows), std::move(piece));
  }

 private:
  class Tried final : public PieceOver {
   public:
    Tried(std::unique_ptr<Piece> piece, const TriedReader* reader)
        : PieceOver(std::move(piece)), reader_(reader) {}
    hub::Batch decode() override { return reader_->tried(inner_->decode(), *inner_); }

   private:
    const TriedReader* reader_;
  };

  hub::BatchWriter* bare() const { return ordered_ != nullptr ? ordered_->writer() : owner_.get(); }

  hub::Batch tried(hub::Batch batch, const Piece& piece) const {
    add_bad_rows(without_form(batch, piece), &batch.bad);
    if (ordered_ == nullptr) return batch;
    BatchKeys keys = ordered_->order().keys_of(batch, piece);
    add_bad_rows(std::move(keys.misplaced), &batch.bad);
    add_bad_rows(ordered_->order().follow(keys, batch, piece), &batch.bad);
    return batch;
  }

  /// Returns the rows of a batch that the writer has no form for, by their indices in it.
  std::vector<hub::BadRow> without_form(const hub::Batch& batch, const Piece& piece) const {
    std::vector<hub::BadRow> dropped;
    hub::Batch good = hub::drop_bad_rows(batch, schema(), &dropped);
    std::vector<hub::BadRow> out;
    if (split_ != nullptr) {
      yson::Buffer buffer;
      out = split_->encode(std::move(good), &buffer);
    } else if (refusing_ != nullptr) {
      refusing_->begin_piece(piece);
      out = refusing_->write_good(std::move(good));
    }
    hub::count_dropped(dropped, &out);
    for (hub::BadRow& row : out) {
      row.error.place().file.clear();
      row.error.place().row.reset();
    }
    return out;
  }

  std::unique_ptr<hub::BatchWriter> owner_;
  OrderedWriter* ordered_;
  SplitWriter* split_;
  RefusingWriter* refusing_;
};

/// Rows of which the values that remarks of readers are about are counted: as they are read, or
/// after the cast, if the remarks are about the target.
class CountedRows {
 public:
  /// The plan and the remarks must outlive this. Without remarks nothing is counted.
  CountedRows(std::unique_ptr<SplitReader> rows, const crosswalk::Plan& plan,
              crosswalk::Misreadings* readers)
      : inner_(std::move(rows)), cast_(&plan.cast), readers_(readers) {
    if (readers == nullptr) return;
    values_.emplace(readers->of_source ? inner_->schema() : plan.target_hub, *readers);
    if (values_->empty()) return;
    if (!readers->of_source) {
      inner_ = cast_pieces(std::move(inner_), plan.cast);
      cast_ = nullptr;
    }
    counted_.emplace(inner_.get(), [this](std::string_view, const hub::Batch& batch) {
      values_->add(inner_->schema(), batch);
    });
  }

  SplitReader& rows() { return counted_ ? static_cast<SplitReader&>(*counted_) : *inner_; }
  /// Returns the cast that the rows still need, or null.
  const hub::CompiledCast* cast() const { return cast_; }
  /// Gives the remarks their counts, once all rows were read.
  void give(bool is_part) const {
    if (values_) values_->give(is_part, readers_);
  }

 private:
  std::unique_ptr<SplitReader> inner_;
  const hub::CompiledCast* cast_;
  crosswalk::Misreadings* readers_;
  std::optional<crosswalk::ReaderValues> values_;
  std::optional<WatchedReader> counted_;
};

/// Adds remarks about appending rows that are not losses: columns are matched by name in another
/// order, and missing columns become null.
void tell_of_addition(const std::vector<std::optional<size_t>>& places, const hub::Schema& there,
                      crosswalk::Plan* plan) {
  const auto tell = [&](std::string_view rule, std::string text) {
    plan->paths.front().reasons.push_back({rule, hub::Values::Kept, "", std::move(text), "", ""});
  };
  std::vector<size_t> found;
  for (const std::optional<size_t>& place : places) {
    if (place) found.push_back(*place);
  }
  if (!std::ranges::is_sorted(found)) tell("order.changed", "columns are matched by name");
  for (size_t i = 0; i < there.fields.size(); ++i) {
    const hub::Field& field = there.fields[i];
    if (!field.nullable || std::ranges::find(found, i) != found.end()) continue;
    tell("member.added",
         fmt::format("{}: not in the source: filled with nulls", Path::column(field.name).text()));
  }
}

}  // namespace

crosswalk::Plan plan_check(const crosswalk::AnySchema& source, const hub::Schema& rows,
                           const FileNotes& notes, crosswalk::System target,
                           const ConvertOptions& options) {
  const auto whole = [&] { return rows; };
  const hub::Schema wanted = chosen(rows, find_selected(options.input.select, whole),
                                    find_selected(options.input.exclude, whole));
  crosswalk::Plan plan =
      plan_conversion(source.system(), wanted, target, options, source.get_if<skiff::Schema>());
  mark_inferred(notes, &plan);
  return plan;
}

crosswalk::System set_addition(const Location& output, ConvertOptions* options) {
  if (options->output.mode_given && options->output.mode != OutputMode::Append) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("{} contradicts the question whether rows can be added",
                    hub::mention(hub::Option::Mode)),
        {}, fmt::format("Leave it out, or give {}.", hub::mention(hub::Option::Mode, "append")));
  }
  options->output.mode = OutputMode::Append;
  options->output.format = output_format(output, options->output);
  return (*options->output.format)->system;
}

Destination locate_addition(const Location& output, const Locations& files,
                            ConvertOptions* options) {
  set_addition(output, options);
  identify_inputs(files, options->input, &options->output);
  return locate(output, &options->output, &options->plan);
}

crosswalk::Plan plan_addition(const crosswalk::AnySchema& source, const hub::Schema& rows,
                              const FileNotes& notes, Destination* output,
                              ConvertOptions* options) {
  const crosswalk::System system = output->format->system;
  const bool by_folders = writes_folders(options->output);
  if (by_folders ? output->there.files.empty() : output->rows() == nullptr) {
    crosswalk::Plan plan = plan_check(source, rows, notes, system, *options);
    plan.notes.push_back({.rule = "output.new",
                          .lost = fmt::format("{} is a new output: there are no rows to add to",
                                              shown_name(output->path))});
    return plan;
  }
  if (by_folders) {
    crosswalk::Plan plan = plan_check(source, rows, notes, system, *options);
    for (const hub::Finding& conflict :
         partition_conflicts(output->path, output->there, plan.target_hub, options->output)) {
      auto report = std::ranges::find(plan.paths, conflict.path, &crosswalk::PathReport::path);
      const bool is_column = report != plan.paths.end();
      if (!is_column) report = plan.paths.begin();
      report->values = hub::Values::None;
      report->reasons.push_back(
          {conflict.rule, hub::Values::None, "",
           is_column ? conflict.lost : conflict.path.text() + ": " + conflict.lost, "",
           conflict.hint});
    }
    return plan;
  }
  const auto whole = [&] { return rows; };
  const hub::Schema all = chosen(rows, find_selected(options->input.select, whole),
                                 find_selected(options->input.exclude, whole));
  hub::Findings added;
  if (options->output.evolve) added = evolve_rows(source.system(), all, *options, output);
  const crosswalk::AnySchema& there = output->rows()->schema;
  options->target = there;
  options->meaning = output->rows()->meaning;
  crosswalk::UnsupportedColumns unknown;
  const auto places = places_there(all, there, options->plan);
  check_upserted_columns(all, there, options->plan, options->output);
  auto reason = unknown_columns(all, there, options->plan, !options->input.select.empty());
  for (size_t i = 0, next = 0; i < places.size(); ++i) {
    if (!places[i]) unknown.of_source[i].why = std::move(reason[next++]);
  }
  // A column that does not count has no new name either.
  std::erase_if(options->plan.rename, [&](const crosswalk::RenameOption& rename) {
    return std::ranges::any_of(unknown.of_source, [&](const auto& column) {
      return column.second.why.path.last() == *rename.path.steps().front();
    });
  });
  crosswalk::Plan plan =
      plan_conversion(source.system(), crosswalk::without_columns(all, unknown.places()),
                      there.system(), *options, source.get_if<skiff::Schema>());
  crosswalk::add_unsupported(all, std::move(unknown), &plan);
  tell_of_addition(places, crosswalk::to_arrow(there), &plan);
  mark_inferred(notes, &plan);
  add_order_of_folder(output->place, output->format, &plan);
  std::ranges::move(added, std::back_inserter(plan.notes));
  return plan;
}

crosswalk::Plan plan_schema(const crosswalk::AnySchema& source, const hub::Schema& rows,
                            const FileNotes& notes, crosswalk::System target,
                            ConvertOptions options) {
  set_reading(target, &options);
  check_taken(options.input.given, formats_of(source.system()));
  return plan_check(source, rows, notes, target, options);
}

void check_files(const FileNotes& notes, const crosswalk::Plan& plan, const ConvertOptions& options,
                 report::Check* check) {
  for (const FileNotes::Unified& file : notes.unified) {
    ConvertOptions own = options;
    // A column that the file does not have is null in it.
    const auto is_absent = [&](const std::string& text) {
      return !names_column(text, file.schema);
    };
    std::erase_if(own.input.select, is_absent);
    std::erase_if(own.input.exclude, is_absent);
    const crosswalk::AnySchema schema =
        crosswalk::from_arrow(plan.source_system, file.schema).schema;
    check->files.push_back({shown_name(file.path),
                            plan_check(schema, file.schema, notes, plan.target_system, own),
                            file.changes});
  }
  check->notes.insert(check->notes.end(), plan.notes.begin(), plan.notes.end());
  check->notes.insert(check->notes.end(), notes.differing.begin(), notes.differing.end());
  (void)stored_alike(notes, plan, options.output, &check->notes);
}

void prepare_check(const crosswalk::AnySchema& source, const ConvertOptions& options,
                   report::Check* check) {
  check->fail_on = options.allow_lossy ? hub::Verdict::Unsupported : hub::Verdict::Lossy;
  check->max_rejected =
      options.pipeline.skip_bad_rows ? options.pipeline.max_bad_rows.value_or(UINT64_MAX) : 0;
  // What judges its own rows is no file of a system.
  const std::optional<Format>& format = options.output.format;
  if (format && (*format)->judge != nullptr) check->target_name = (*format)->name;
  if (source.get_if<yt::TableSchema>() == nullptr) return;
  for (const hub::Finding& found : source.system()->validate(source)) {
    if (found.rule == "row-spec.differs") check->notes.push_back(found);
  }
}

void check_rows(Input input, crosswalk::System target, const ConvertOptions& options,
                PipelineOptions pipeline, report::Check* check, const Destination* append) {
  const crosswalk::Plan plan =
      plan_conversion(input.format->system, input.reader->schema(), target, options,
                      input.skiff_schema ? &*input.skiff_schema : nullptr);
  // No row has a cast.
  if (!plan.unsupported.empty()) return;
  hub::SeenValues seen(input.reader->schema());
  CountedRows counted(std::make_unique<WatchedReader>(input.reader.get(), &seen), plan,
                      check->readers ? &*check->readers : nullptr);
  RowsByPath by_path;
  for (const crosswalk::PathReport& report : plan.paths) {
    // Rules that may reject values are reported even if they rejected none.
    if (report.values == hub::Values::Checked && !report.path.empty()) {
      by_path[report.path.text()].path = report.path;
    }
  }
  pipeline.skip_bad_rows = true;
  pipeline.max_bad_rows.reset();
  pipeline.on_bad_row = [&](const hub::BadRow& bad) { count_rejected(bad, &by_path); };
  const std::unique_ptr<hub::BatchWriter> writer = trial_writer(plan, options.output, append);
  Progress done = run_pipeline(counted.rows(), counted.cast(), writer.get(), pipeline);
  for (const hub::SeenRange& range : seen.ranges()) {
    const auto found = by_path.find(range.path.text());
    if (found == by_path.end()) continue;
    found->second.smallest = range.smallest;
    found->second.largest = range.largest;
  }
  if (done.rows > 0) check_has_columns(target, plan.target_hub.fields.size());
  report::Rows rows;
  rows.read = done.rows + done.bad_rows;
  rows.rejected = done.bad_rows;
  rows.bytes = done.bytes_read;
  counted.give(/*is_part=*/rows.rejected > 0);
  if (const std::optional<double> share = options.pipeline.max_bad_share) {
    const double most = *share * static_cast<double>(rows.read);
    check->max_rejected = std::min(check->max_rejected, static_cast<uint64_t>(most));
  }
  // As `check_rejects` does.
  const bool may_reject_all = options.pipeline.max_bad_share.value_or(0) >= 1;
  if (rows.rejected == rows.read && !may_reject_all) check->max_rejected = 0;
  // In the order of the report. Findings without a line in it come last.
  for (const crosswalk::PathReport& report : plan.paths) {
    const auto found = by_path.find(report.path.text());
    if (found == by_path.end()) continue;
    rows.paths.push_back(std::move(found->second));
    by_path.erase(found);
  }
  for (auto& [text, found] : by_path) rows.paths.push_back(std::move(found));
  check->rows = std::move(rows);
  std::ranges::move(lost_notes(notes_of(*input.reader), plan, options.output),
                    std::back_inserter(check->notes));
  std::ranges::move(notes_of(writer.get()), std::back_inserter(check->notes));
}

std::unique_ptr<SplitReader> as_written(std::unique_ptr<SplitReader> rows,
                                        const crosswalk::Plan& plan, const OutputOptions& options) {
  auto writer = trial_writer(plan, options, /*append=*/nullptr);
  if (writer == nullptr) return rows;
  return std::make_unique<TriedReader>(std::move(rows), std::move(writer));
}

}  // namespace xwalk::io
