#include "xwalk/yt/row_encoder.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/cast/layouts.h"
#include "xwalk/hub/last_dictionary.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/dictionary_fields_internal.h"
#include "xwalk/yt/encode_rows_internal.h"

namespace xwalk::yt {

struct RowEncoder::Impl {
  RowProgram program;
  std::vector<KeyPrefix> keys;
  yson::Format format = yson::Format::Text;
  bool skip_nulls = false;
  /// The encoded fields of the last dictionary of each column.
  std::vector<hub::LastDictionary<DictionaryFields>> dictionaries;

  bool text() const { return format == yson::Format::Text; }
};

namespace {

using Fields = std::vector<std::shared_ptr<const DictionaryFields>>;

/// Returns true if all rows that are not null name an entry.
bool has_entries(const hub::Array& column) {
  for (int64_t row = 0; row < column.length; ++row) {
    const auto index = column.value<int32_t>(row);
    const bool inside = index >= 0 && index < column.dictionary->length;
    if (!inside && !column.is_null(row)) return false;
  }
  return true;
}

[[noreturn]] void refuse(const EncodeContext& context, int64_t row) {
  throw Error(ErrorCode::Input, context.message,
              {.row = static_cast<uint64_t>(row), .path = unwound_path(context.path)});
}

}  // namespace

void check_follows(const hub::RowControl& before, const hub::RowControl& next, int64_t row) {
  const bool same_range = next.range_index == before.range_index;
  const bool no_range = before.range_index && !next.range_index;
  const bool no_row = before.row_index && !next.row_index && same_range;
  if (!no_range && !no_row) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected the {} index, as of the row before, found none",
                          no_range ? "range" : "row"),
              {.row = static_cast<uint64_t>(row)},
              "Control entities cannot take it back: write such rows to an output of their own.");
}

RowEncoder::RowEncoder(const TableSchema& schema, const ValueOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->program = compile_row(schema, options);
  impl->format = options.format;
  impl->skip_nulls = options.skip_null_values;
  const KeyTable& keys = impl->program.row.keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    const KeyForm& form = impl->text() ? keys.text()[i] : keys.binary()[i];
    impl->keys.emplace_back(form.bytes);
  }
  impl->dictionaries = std::vector<hub::LastDictionary<DictionaryFields>>(keys.size());
  impl_ = std::move(impl);
}

RowEncoder::~RowEncoder() = default;
RowEncoder::RowEncoder(RowEncoder&&) noexcept = default;

const hub::Schema& RowEncoder::schema() const { return impl_->program.schema; }

bool RowEncoder::takes_dictionary(size_t column) const {
  return column < impl_->program.row.children.size();
}

void RowEncoder::encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                        yson::Buffer* out, std::span<const hub::RowControl> controls) const {
  if (controls.empty()) return encode_run(batch, begin, end, first_row, out);
  const bool text = impl_->format != yson::Format::Binary;
  const auto put = [&](std::string_view key, yson::Node value) {
    yson::Node entity;
    entity.add_attribute(std::string(key), std::move(value));
    out->append(yson::print(entity, text ? yson::Format::Text : yson::Format::Binary));
    out->append(text ? ";\n" : ";");
  };
  int64_t run = begin;
  for (int64_t row = begin; row < end; ++row) {
    const hub::RowControl& control = controls[static_cast<size_t>(row)];
    const hub::RowControl* before =
        row == begin ? nullptr : &controls[static_cast<size_t>(row - 1)];
    const bool range = before == nullptr || control.range_index != before->range_index;
    const bool follows = !range && control.row_index.has_value() == before->row_index.has_value() &&
                         (!control.row_index || *control.row_index == *before->row_index + 1);
    if (follows && !control.key_switch) continue;
    encode_run(batch, run, row, first_row, out);
    run = row;
    if (row > 0) check_follows(controls[static_cast<size_t>(row - 1)], control, first_row + row);
    if (control.key_switch) put("key_switch", yson::Node::boolean(true));
    if (range && control.range_index) put("range_index", yson::Node::int64(*control.range_index));
    if (!follows && control.row_index) put("row_index", yson::Node::int64(*control.row_index));
  }
  encode_run(batch, run, end, first_row, out);
}

void RowEncoder::encode_run(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                            yson::Buffer* out) const {
  const size_t columns = impl_->program.schema.fields.size();
  if (batch.children.size() != columns) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected {} columns, found {}", columns, batch.children.size()));
  }
  const bool encoded = std::ranges::any_of(
      batch.children, [](const hub::Array& column) { return column.dictionary != nullptr; });
  if (!encoded) return encode_rows_of(batch, begin, end, first_row, {}, out);
  hub::Array rows = hub::start(end - begin);
  rows.null_count = 0;
  Fields fields(columns);
  for (size_t i = 0; i < columns; ++i) {
    hub::Array column = hub::slice(batch.children[i], batch.slot(begin), rows.length);
    const auto& dictionary = column.dictionary;
    if (dictionary != nullptr) {
      const Step& step = impl_->program.row.children.at(i);
      if (DictionaryFields::pay(step, *dictionary, batch.length)) {
        fields[i] = impl_->dictionaries[i].of(dictionary, [&](const hub::Array& entries) {
          return DictionaryFields(step, impl_->keys[i], entries, impl_->skip_nulls, !impl_->text());
        });
      } else if (has_entries(column)) {
        column = hub::cast::decode_dictionary(column, hub::Kind::Int32,
                                              impl_->program.schema.fields[i].type);
      }
    }
    rows.children.push_back(std::move(column));
  }
  encode_rows_of(rows, 0, rows.length, first_row + begin, fields, out);
}

void RowEncoder::encode_rows_of(const hub::Array& batch, int64_t begin, int64_t end,
                                int64_t first_row, const Fields& dictionaries,
                                yson::Buffer* out) const {
  if (impl_->format != yson::Format::Pretty) {
    EncodeContext context(out);
    context.skip_nulls = impl_->skip_nulls;
    int64_t done = encode_rows(impl_->program.row, impl_->keys, batch, dictionaries,
                               impl_->program.other_columns, begin, end, !impl_->text(), context);
    if (done < end - begin) refuse(context, first_row + begin + done);
    return;
  }
  yson::Buffer row;
  yson::BufferCount count(out);
  for (int64_t index = begin; index < end; ++index) {
    row.clear();
    EncodeContext context(&row);
    context.skip_nulls = impl_->skip_nulls;
    if (encode_rows(impl_->program.row, impl_->keys, batch, dictionaries,
                    impl_->program.other_columns, index, index + 1, true, context) == 0) {
      refuse(context, first_row + index);
    }
    const char* p = row.view().data();
    yson::transcode(p, p + row.size(), yson::Format::Pretty, out, yson::kMaxDepth, 0, &count);
    out->append(";\n");
    count.all();
  }
}

}  // namespace xwalk::yt
