#include "xwalk/io/check_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

#include "xwalk/hub/room.h"
#include "xwalk/hub/seen.h"
#include "xwalk/io/format_word.h"
#include "xwalk/io/row_format.h"
#include "xwalk/io/selection.h"
#include "xwalk/io/split_writer.h"
#include "xwalk/io/taken_options.h"
#include "xwalk/io/watched_reader.h"
#include "xwalk/skiff/room.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/room.h"

namespace xwalk::io {
namespace {

/// Takes what rows become, of which only the refusals are asked.
class NoSink final : public ByteSink {
 public:
  void write(std::string_view) override {}
  void finish() override {}
  uint64_t position() const override { return 0; }
};

/// Gives a writer only what it may refuse behind a cast: what is told of rows beside their columns,
/// and maps of further ones.
class TrialWriter final : public SplitWriter {
 public:
  TrialWriter(std::unique_ptr<hub::BatchWriter> owner, SplitWriter& writer, bool has_others)
      : owner_(std::move(owner)), writer_(writer), has_others_(has_others) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    if (batch.controls.empty() && !has_others_) return {};
    std::vector<hub::BadRow> refused = writer_.encode(std::move(batch), out);
    out->clear();
    return refused;
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

/// The writer that rows go to on trial, which keeps nothing: that of a format which has no form for
/// some values, and refuses them; what is told of rows for any other of such a system. Null for a
/// system that is told of their columns only.
std::unique_ptr<hub::BatchWriter> trial_writer(const crosswalk::Plan& plan, OutputOptions options) {
  if (options.format && (*options.format)->judge != nullptr) {
    return open_output(std::make_unique<NoSink>(), output_schema(plan), options);
  }
  if (plan.target_system->types() != yt::kRoom) return nullptr;
  options.format = plan.target_system == skiff::kRoom ? kSkiffRows : kYsonRows;
  auto writer = open_output(std::make_unique<NoSink>(), output_schema(plan), options);
  auto* split = dynamic_cast<SplitWriter*>(writer.get());
  if (split == nullptr) return writer;
  const std::vector<hub::Field>& columns = plan.target_hub.fields;
  const bool has_others = !columns.empty() && columns.back().name == yt::kOtherColumns;
  return std::make_unique<TrialWriter>(std::move(writer), *split, has_others);
}

}  // namespace

crosswalk::System set_target(const std::string& word, ConvertOptions* options) {
  if (!names_format(word)) return crosswalk::system_of_word(word);
  if (auto schema = set_format(word, &options->output)) {
    options->target = SchemaArgument{*std::move(schema)};
  }
  return (*options->output.format)->system;
}

crosswalk::Plan plan_check(const crosswalk::AnySchema& source, const hub::Schema& rows,
                           crosswalk::System target, const ConvertOptions& options) {
  const auto whole = [&] { return rows; };
  const hub::Schema wanted = chosen(rows, find_selected(options.input.select, whole),
                                    find_selected(options.input.exclude, whole));
  return plan_conversion(source.system(), wanted, target, options, source.get_if<skiff::Schema>());
}

crosswalk::Plan plan_schema(const crosswalk::AnySchema& source, const hub::Schema& rows,
                            crosswalk::System target, ConvertOptions options) {
  settle_reading(target, &options);
  check_taken(options.input.given, formats_of(source.system()));
  return plan_check(source, rows, target, options);
}

void check_files(const FileNotes& notes, crosswalk::System source, crosswalk::System target,
                 const ConvertOptions& options, crosswalk::Check* check) {
  for (const FileNotes::Unified& file : notes.unified) {
    ConvertOptions own = options;
    // A column that the file does not have is null in it.
    const auto is_absent = [&](const std::string& text) {
      return !names_column(text, file.schema);
    };
    std::erase_if(own.input.select, is_absent);
    std::erase_if(own.input.exclude, is_absent);
    const crosswalk::AnySchema schema = crosswalk::from_arrow(source, file.schema).schema;
    check->files.push_back(
        {shown_name(file.path), plan_check(schema, file.schema, target, own), file.changes});
  }
}

void prepare_check(const crosswalk::AnySchema& source, const ConvertOptions& options,
                   crosswalk::Check* check) {
  check->fail_on = options.allow_lossy ? hub::Verdict::Unsupported : hub::Verdict::Lossy;
  check->bears =
      options.pipeline.skip_bad_rows ? options.pipeline.max_bad_rows.value_or(UINT64_MAX) : 0;
  if (source.get_if<yt::TableSchema>() == nullptr) return;
  for (const hub::Finding& found : source.system()->validate(source)) {
    if (found.rule == "row-spec.differs") check->notes.push_back(found);
  }
}

void check_rows(Input input, crosswalk::System target, const ConvertOptions& options,
                PipelineOptions pipeline, crosswalk::Check* check) {
  const crosswalk::Plan plan =
      plan_conversion(input.format->system, input.reader->schema(), target, options,
                      input.skiff_schema ? &*input.skiff_schema : nullptr);
  *input.special_decimals = plan.special_decimals;
  hub::SeenValues seen(input.reader->schema());
  WatchedReader reader(input.reader.get(), &seen);
  std::map<std::string, crosswalk::PathRows> by_path;
  for (const crosswalk::PathReport& report : plan.paths) {
    // What may refuse values is told of even where it refused none.
    if (report.values == hub::Values::Checked && !report.path.empty()) {
      by_path[report.path.text()].path = report.path;
    }
  }
  pipeline.skip_bad_rows = true;
  pipeline.max_bad_rows.reset();
  pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    const Place& place = bad.error.place();
    const Path there = place.path.in_schema();
    crosswalk::PathRows& refused = by_path[there.text()];
    if (refused.refused++ > 0) return;
    refused.path = there;
    refused.first = bad.error.message();
    refused.first_row = place.row;
  };
  const std::unique_ptr<hub::BatchWriter> writer = trial_writer(plan, options.output);
  Progress done = run_pipeline(reader, &plan.cast, writer.get(), pipeline);
  for (const hub::SeenRange& range : seen.ranges()) {
    const auto found = by_path.find(range.path.text());
    if (found == by_path.end()) continue;
    found->second.smallest = range.smallest;
    found->second.largest = range.largest;
  }
  crosswalk::Rows rows;
  rows.read = done.rows + done.bad_rows;
  rows.refused = done.bad_rows;
  // In the order of the report; what has no line there comes last.
  for (const crosswalk::PathReport& report : plan.paths) {
    const auto found = by_path.find(report.path.text());
    if (found == by_path.end()) continue;
    rows.paths.push_back(std::move(found->second));
    by_path.erase(found);
  }
  for (auto& [text, found] : by_path) rows.paths.push_back(std::move(found));
  check->rows = std::move(rows);
  std::ranges::move(untold(notes_of(*input.reader), plan), std::back_inserter(check->notes));
}

}  // namespace xwalk::io
