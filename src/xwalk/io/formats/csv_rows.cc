#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/batch_memory.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/row_csv.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/rows/piece_writer.h"

// Rows as CSV, which are only written: nothing in them says what the text means.

namespace xwalk::io {
namespace {

/// The first characters of a formula in a spreadsheet.
constexpr std::string_view kFormulas = "with =, +, -, @, a tab or a carriage return";

class CsvWriter final : public SplitWriter {
 public:
  CsvWriter(std::unique_ptr<ByteSink> sink, hub::Schema schema, hub::CsvFormulas formulas)
      : sink_(std::move(sink)),
        schema_(std::move(schema)),
        formulas_(formulas),
        rows_(schema_, formulas, crosswalk::holds_yson),
        found_(schema_.fields.size()) {
    yson::Buffer header;
    rows_.append_header(&header);
    sink_->write(header.view());
  }

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    std::vector<size_t> found;
    std::vector<hub::BadRow> refused;
    auto bad = batch.bad.begin();
    for (int64_t row = 0; row < batch.rows(); ++row) {
      if (bad != batch.bad.end() && bad->index == row) {
        ++bad;
        continue;
      }
      const size_t begin = out->size();
      try {
        rows_.append(batch.array, row, out, &found);
      } catch (Error& error) {
        if (error.code() != ErrorCode::Input) throw;
        out->truncate(begin);
        error.place().row = static_cast<uint64_t>(batch.first_row + row);
        refused.push_back({row, std::move(error), ""});
      }
    }
    for (const size_t column : found) found_[column].fetch_add(1, std::memory_order_relaxed);
    return refused;
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void finish() override { sink_->finish(); }
  uint64_t bytes_written() const override { return sink_->position(); }

  hub::Findings notes() const override {
    hub::Findings out;
    for (size_t i = 0; i < found_.size(); ++i) {
      const uint64_t count = found_[i].load(std::memory_order_relaxed);
      if (count == 0) continue;
      const bool one = count == 1;
      const bool escaped = formulas_ == hub::CsvFormulas::Escape;
      out.push_back({"text.formula", Path::column(schema_.fields[i].name), hub::Effect::None,
                     fmt::format("{} {} {} {}{}", count, one ? "value" : "values",
                                 one ? "begins" : "begin", kFormulas,
                                 escaped ? ", written after an apostrophe"
                                         : ": a spreadsheet runs such text as a formula"),
                     "", escaped ? "" : hub::mention(hub::Option::CsvFormulas, "escape")});
    }
    return out;
  }

 private:
  std::unique_ptr<ByteSink> sink_;
  hub::Schema schema_;
  hub::CsvFormulas formulas_;
  hub::CsvRows rows_;
  /// Values that are formulas, by column; threads encode at the same time.
  mutable std::vector<std::atomic<uint64_t>> found_;
};

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  return std::make_unique<CsvWriter>(std::move(sink), plan.hub, options.csv_formulas);
}

/// Adds to the report of a column how its formulas are written, in values and in the name.
void judge_formulas(const hub::Field& field, hub::CsvFormulas formulas,
                    crosswalk::PathReport* report) {
  const std::string escape =
      hub::mention(hub::Option::CsvFormulas, "escape") + " puts an apostrophe before it";
  const std::string text = fmt::format("text that begins {}", kFormulas);
  if (hub::may_be_formula(field)) {
    crosswalk::Reason reason{"text.formula", hub::Values::Kept, "", "", "=1+1", escape};
    switch (formulas) {
      case hub::CsvFormulas::Keep:
        reason.lost = text + " is a formula for a spreadsheet";
        break;
      case hub::CsvFormulas::Escape:
        reason.lost = text + " gets an apostrophe before it";
        reason.hint = "";
        break;
      case hub::CsvFormulas::Reject:
        reason.values = hub::Values::Checked;
        reason.lost = "rejects " + text;
        break;
    }
    report->values = std::max(report->values, reason.values);
    report->reasons.push_back(std::move(reason));
  }
  if (!hub::is_formula(field.name)) return;
  const bool escaped = formulas == hub::CsvFormulas::Escape;
  const bool rejected = formulas == hub::CsvFormulas::Reject;
  report->values = std::max(report->values, rejected ? hub::Values::None : hub::Values::Kept);
  report->reasons.push_back(
      {"text.formula", rejected ? hub::Values::None : hub::Values::Kept, "",
       escaped ? "the name gets an apostrophe before it"
               : "the name is a formula for a spreadsheet",
       "", escaped ? "" : hub::mention(hub::Option::Rename, "OLD=NEW") + " changes it"});
}

/// Returns the finding for writing a column's type as text.
crosswalk::Reason text_of(const hub::Field& field) {
  const hub::Type& type = hub::without_encoding(field.type);
  crosswalk::Reason reason{
      "type.as-storage",         hub::Values::Kept, "", "text: CSV has no types", "",
      "xwalk schema prints them"};
  constexpr std::array kBytes = {hub::Kind::Binary, hub::Kind::LargeBinary, hub::Kind::BinaryView,
                                 hub::Kind::FixedSizeBinary};
  if (hub::has_names(type) || hub::is_list(type.kind()) || type.kind() == hub::Kind::Map) {
    reason.lost = "JSON text: CSV has no lists, structs and maps";
  } else if (std::ranges::find(kBytes, type.kind()) != kBytes.end()) {
    reason.lost = "text; bytes that are not UTF-8 become {\"base64\": …}";
  }
  return reason;
}

/// Adds the finding that types are not written for every path, and what an empty field means.
void judge(const OutputOptions& options, crosswalk::Plan* plan) {
  const bool lone = plan->source_hub.fields.size() == 1;
  for (crosswalk::PathReport& report : plan->paths) {
    if (report.path.empty()) continue;
    const auto field =
        std::ranges::find(plan->source_hub.fields, report.path.text(),
                          [](const hub::Field& one) { return Path::column(one.name).text(); });
    // Of what Arrow would keep only what rejects values matters.
    std::erase_if(report.reasons, [](const crosswalk::Reason& reason) {
      return reason.values == hub::Values::Kept;
    });
    report.type = hub::TypeKept::Changed;
    report.target = "text";
    // Nested fields are in the JSON of their column.
    if (field == plan->source_hub.fields.end()) continue;
    report.reasons.push_back(text_of(*field));
    judge_formulas(*field, options.csv_formulas, &report);
    if (!field->nullable) continue;
    if (lone) {
      report.reasons.push_back({"null.levels-merged", hub::Values::Kept, "",
                                "null is an empty line, which most readers skip", "null",
                                "a second column keeps the rows"});
    }
    report.reasons.push_back({"null.levels-merged", hub::Values::Kept, "",
                              "null is an empty field, empty text is \"\"; many readers take both "
                              "for the same",
                              "null", ""});
  }
}

constexpr std::array<std::string_view, 1> kExtensions = {".csv"};
constexpr std::array kTakesToWrite = {hub::Option::CsvFormulas};

}  // namespace

constinit const RowFormat kCsvRows = {
    .word = "csv",
    .name = "csv",
    .system = arrow::kModule,
    .about = "; CSV, only written",
    .extensions = kExtensions,
    .takes_to_write = kTakesToWrite,
    .compressed_by_name = true,
    .judge = judge,
    .write = write,
};

}  // namespace xwalk::io
