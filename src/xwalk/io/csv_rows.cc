#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/arrow/room.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/row_csv.h"
#include "xwalk/io/open.h"
#include "xwalk/io/row_format.h"
#include "xwalk/io/split_writer.h"

// Rows as CSV, which are only written: nothing in them says what the text means.

namespace xwalk::io {
namespace {

class CsvWriter final : public SplitWriter {
 public:
  CsvWriter(std::unique_ptr<ByteSink> sink, hub::Schema schema)
      : sink_(std::move(sink)), schema_(std::move(schema)) {
    std::string header;
    hub::append_csv_header(schema_, &header);
    sink_->write(header);
  }

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    std::string text;
    auto bad = batch.bad.begin();
    for (int64_t row = 0; row < batch.rows(); ++row) {
      if (bad != batch.bad.end() && bad->index == row) {
        ++bad;
        continue;
      }
      hub::append_csv_row(schema_, batch.array, row, &text);
    }
    out->append(text);
    return {};
  }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void finish() override { sink_->finish(); }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  hub::Schema schema_;
};

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const OutputSchema& schema,
                                        const OutputOptions&) {
  return std::make_unique<CsvWriter>(std::move(sink), schema.hub);
}

/// Says what becomes of a column's type in text.
crosswalk::Reason text_of(const hub::Field& field) {
  const hub::Type& type = hub::without_encoding(field.type);
  crosswalk::Reason reason{"type.as-storage",
                           hub::Values::Kept,
                           "",
                           "text: CSV has no types",
                           "",
                           "xwalk schema keeps them in a file beside it"};
  constexpr std::array kBytes = {hub::Kind::Binary, hub::Kind::LargeBinary, hub::Kind::BinaryView,
                                 hub::Kind::FixedSizeBinary};
  if (hub::has_names(type) || hub::is_list(type.kind()) || type.kind() == hub::Kind::Map) {
    reason.lost = "JSON text: CSV has no lists, structs and maps";
  } else if (std::ranges::find(kBytes, type.kind()) != kBytes.end()) {
    reason.lost = "text; bytes that are none come as {\"base64\": …}";
  }
  return reason;
}

/// Tells of every path that its type is not written, and what an empty field means.
void judge(const OutputOptions&, crosswalk::Plan* plan) {
  const bool lone = plan->source_hub.fields.size() == 1;
  for (crosswalk::PathReport& report : plan->paths) {
    if (report.path.empty()) continue;
    const auto field =
        std::ranges::find(plan->source_hub.fields, report.path.text(),
                          [](const hub::Field& one) { return Path::column(one.name).text(); });
    // Of what Arrow would keep only what refuses values matters.
    std::erase_if(report.reasons, [](const crosswalk::Reason& reason) {
      return reason.values == hub::Values::Kept;
    });
    report.type = hub::TypeKept::Changed;
    report.target = "text";
    // What is below stands in the JSON of its column.
    if (field == plan->source_hub.fields.end()) continue;
    report.reasons.push_back(text_of(*field));
    if (!field->nullable) continue;
    if (lone) {
      report.reasons.push_back({"null.levels-merged", hub::Values::Kept, "",
                                "null is an empty line, which most readers pass over", "null",
                                "a second column keeps the rows"});
    }
    report.reasons.push_back({"null.levels-merged", hub::Values::Kept, "",
                              "null is an empty field, empty text is \"\"; many readers take both "
                              "for the same",
                              "null", ""});
  }
}

constexpr std::array<std::string_view, 1> kExtensions = {".csv"};

}  // namespace

constinit const RowFormat kCsvRows = {
    .word = "csv",
    .name = "csv",
    .system = arrow::kRoom,
    .about = "; CSV, only written",
    .extensions = kExtensions,
    .compressed_by_name = true,
    .judge = judge,
    .write = write,
};

}  // namespace xwalk::io
