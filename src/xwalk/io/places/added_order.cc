#include "xwalk/io/places/added_order.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/category_order.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::io {

bool follows_rows(const OutputPlace& place, Format format) {
  if (!place.rows || place.path.is_cluster()) return false;
  return format->adding == Adding::ToFile || format->adding == Adding::ToDataset ||
         (format->adding == Adding::ToFolder && crosswalk::has_unique_keys(place.rows->meaning));
}

void add_order_of_folder(const OutputPlace& place, Format format, crosswalk::Plan* plan) {
  if (place.rows && format->adding == Adding::ToFolder) {
    add_order_of_folder(place.rows->meaning, plan);
  }
}

void add_order_of_folder(hub::Schema file, crosswalk::Plan* plan) {
  for (const hub::Finding& lost : crosswalk::order_lost(crosswalk::drop_order(&file))) {
    crosswalk::PathReport& table = plan->paths.front();
    table.labels.emplace_back(kOrderOfFolder);
    table.reasons.push_back({lost.rule,
                             hub::Values::Kept,
                             table.labels.back(),
                             lost.lost + ": each file of the folder is sorted by itself",
                             "",
                             {}});
  }
}

namespace {

/// Returns the folder of one more file.
Location folder_of(const Location& file) {
  const size_t slash = file.name().rfind('/');
  return slash == std::string::npos ? Location(".") : file.renamed(file.name().substr(0, slash));
}

/// Opens the file with the last of the rows to which others are added: that which sorts last among
/// those that have rows.
Input open_last(const std::vector<Location>& files, const InputOptions& reading) {
  for (size_t i = files.size(); i-- > 1;) {
    Input input = open_input({files[i]}, reading);
    if (input.reader->total_rows() != 0) return input;
  }
  return open_input({files.front()}, reading);
}

/// Returns the files of a folder.
std::vector<Location> files_of(const Location& folder, Format format,
                               const OutputOptions& options) {
  std::vector<Location> out;
  for (InputFile& file : files_in(folder, format, options.storage).files) {
    out.push_back(std::move(file.path));
  }
  return out;
}

}  // namespace

uint64_t next_number(const std::vector<Location>& files) {
  uint64_t next = files.size();
  for (const Location& file : files) {
    const std::string& path = file.name();
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const size_t dash = name.find('-');
    if (dash == std::string_view::npos) continue;
    uint64_t number = 0;
    const auto [end, failed] =
        std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
    if (failed == std::errc() && number < UINT64_MAX) next = std::max(next, number + 1);
  }
  return next;
}

std::optional<RowOrder> order_after(const std::vector<Location>& files, const hub::Schema& meaning,
                                    const hub::Schema& rows, const OutputOptions& options,
                                    const Location& folder) {
  yt::KeyOrder keys(meaning, rows, options.values.uuid_order);
  if (keys.empty()) return std::nullopt;
  InputOptions reading;
  reading.format = options.format;
  reading.values = options.values;
  reading.plan.special_decimals = true;
  reading.storage = options.storage;
  for (const std::string& name : keys.columns()) {
    reading.select.push_back(Path::column(name).text());
  }
  // Existing rows are as good or bad as they were; values are taken as they are stored.
  reading.skip_bad_rows = true;
  Input existing = open_last(files, reading);
  RowOrder order(std::move(keys));
  order.set_hint(
      fmt::format("The schema of {} says that rows are sorted: sort what is added, or write "
                  "another output.",
                  xwalk::quoted(folder)));
  const yt::KeyOrder its(existing.reader->schema(), existing.reader->schema(),
                         options.values.uuid_order);
  while (const std::optional<hub::Batch> batch = existing.reader->next()) {
    order.begin_after(its, *batch);
  }
  return order;
}

std::unique_ptr<hub::BatchWriter> after_rows(const OutputPlace& place, Format format,
                                             const hub::Schema& rows, const OutputOptions& options,
                                             std::unique_ptr<hub::BatchWriter> writer) {
  // A file of a folder has its order in annotations of its columns.
  const bool is_file = format->adding == Adding::ToFolder;
  const Location named = is_file ? folder_of(place.path) : place.path;
  OutputOptions reading = options;
  reading.format = format;
  std::optional<RowOrder> order =
      order_after(is_file ? files_of(named, format, options) : std::vector<Location>{place.path},
                  is_file ? place.rows->meaning : crosswalk::to_arrow(place.rows->schema), rows,
                  reading, named);
  if (!order) return writer;
  return std::make_unique<OrderedWriter>(std::move(writer), *std::move(order));
}

namespace {

/// Compares the orders of dictionaries before rows are written.
class CategoryWriter final : public hub::BatchWriter {
 public:
  CategoryWriter(std::unique_ptr<hub::BatchWriter> writer, hub::Schema schema,
                 std::shared_ptr<CategoryOrders> orders)
      : writer_(std::move(writer)), schema_(std::move(schema)), orders_(std::move(orders)) {}

  void write(hub::Batch batch) override {
    follow_categories(schema_, batch.array, orders_.get());
    writer_->write(std::move(batch));
  }
  void finish() override { writer_->finish(); }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }

 private:
  std::unique_ptr<hub::BatchWriter> writer_;
  hub::Schema schema_;
  std::shared_ptr<CategoryOrders> orders_;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> after_categories(const OutputPlace& place, Format format,
                                                   const hub::Schema& rows,
                                                   const OutputOptions& options,
                                                   std::unique_ptr<hub::BatchWriter> writer) {
  const bool has_order = std::ranges::any_of(rows.fields, has_category_order);
  if (!place.rows || format->adding != Adding::ToFolder || !has_order) return writer;
  InputOptions reading;
  reading.format = format;
  reading.storage = options.storage;
  reading.skip_bad_rows = true;
  for (const hub::Field& field : rows.fields) {
    if (has_category_order(field)) reading.select.push_back(Path::column(field.name).text());
  }
  auto orders = std::make_shared<CategoryOrders>();
  const std::vector<Location> files = files_of(folder_of(place.path), format, options);
  Input existing = open_input(Locations(files.begin(), files.end()), reading);
  const auto reader = in_one_order(std::move(existing.reader), orders);
  while (reader->next()) continue;
  return std::make_unique<CategoryWriter>(std::move(writer), rows, std::move(orders));
}

}  // namespace xwalk::io
