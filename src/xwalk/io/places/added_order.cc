#include "xwalk/io/places/added_order.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::io {

bool follows_rows(const OutputPlace& place, Format format) {
  return place.rows && !place.path.is_cluster() &&
         (format->adding == Adding::ToFile || format->adding == Adding::ToDataset);
}

std::unique_ptr<hub::BatchWriter> after_rows(const OutputPlace& place, Format format,
                                             const hub::Schema& rows, const OutputOptions& options,
                                             std::unique_ptr<hub::BatchWriter> writer) {
  yt::KeyOrder keys(crosswalk::to_arrow(place.rows->schema), rows, options.values.uuid_order);
  if (keys.empty()) return writer;
  InputOptions reading;
  reading.format = format;
  reading.values = options.values;
  reading.plan.special_decimals = true;
  reading.storage = options.storage;
  for (const std::string& name : keys.columns()) {
    reading.select.push_back(Path::column(name).text());
  }
  // Existing rows are as good or bad as they were; values are taken as they are stored.
  reading.skip_bad_rows = true;
  Input existing = open_input({place.path}, reading);
  RowOrder order(std::move(keys));
  order.set_hint(
      fmt::format("The schema of {} says that rows are sorted: sort what is added, or write "
                  "another output.",
                  xwalk::quoted(place.path)));
  const yt::KeyOrder its(existing.reader->schema(), existing.reader->schema(),
                         options.values.uuid_order);
  while (const std::optional<hub::Batch> batch = existing.reader->next()) {
    order.begin_after(its, *batch);
  }
  return std::make_unique<OrderedWriter>(std::move(writer), std::move(order));
}

}  // namespace xwalk::io
