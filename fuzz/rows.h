#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fuzz/harness.h"
#include "xwalk/base/batch_memory.h"
#include "xwalk/base/json.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/rows/bounded_reader.h"
#include "xwalk/yson/scan.h"

namespace xwalk::fuzz {

/// A reader of given rows.
class GivenRows final : public hub::BatchReader {
 public:
  GivenRows(hub::Schema schema, hub::Array rows) : schema_(std::move(schema)), rows_(hub::Batch()) {
    rows_->array = std::move(rows);
  }
  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override { return std::exchange(rows_, std::nullopt); }

 private:
  hub::Schema schema_;
  std::optional<hub::Batch> rows_;
};

/// Prints every row of a struct array, which must be JSON and YSON. The rows are divided as those
/// of a file: one that takes more than the least memory limit is refused, by an Error (Input), and
/// the text of the others is bounded.
inline void check_rows(const hub::Schema& schema, const hub::Array& rows) {
  // A null is one byte there, and five of JSON in a buffer that doubles.
  const MemoryTotal total(0, 16 * decoded_bytes(0));
  const hub::Type type = hub::struct_(schema.fields);
  std::string json;
  yson::Buffer yson;
  const auto reader = io::divide_batches(std::make_unique<GivenRows>(schema, rows), 0);
  while (const std::optional<hub::Batch> part = reader->next()) {
    for (int64_t i = 0; i < part->rows(); ++i) {
      json.clear();
      hub::append_json_row(schema, part->array, i, &json);
      require(is_valid_json(json), "a row is JSON", json);
      yson.clear();
      hub::append_yson(part->array, type, i, &yson);
      const char* p = yson.view().data();
      require(yson::skip_value(p, p + yson.size()) == yson::Status::Ok, "a row is YSON",
              yson.view());
    }
  }
}

}  // namespace xwalk::fuzz
