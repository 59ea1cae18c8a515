#include "xwalk/io/formats/reject_form.h"

#include <algorithm>
#include <utility>

#include "xwalk/arrow/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/json_rows.h"
#include "xwalk/yt/row_encoder.h"

namespace xwalk::io {
namespace {

using yson::Node;

constexpr std::string_view kMark = "xwalk_rejects";

template <typename T>
Node number_of(T value) {
  return Node::int64(static_cast<int64_t>(value));
}

/// Calls `take` with the name and the place of each setting that says how rows are read.
template <typename Options, typename Take>
void for_settings(Options& values, const Take& take) {
  take("complex_type_mode", values.complex_type_mode);
  take("string_keyed_dict_mode", values.string_keyed_dict_mode);
  take("decimal_mode", values.decimal_mode);
  take("time_mode", values.time_mode);
  take("uuid_mode", values.uuid_mode);
  take("decimal_mode_chosen", values.chosen.decimal);
  take("time_mode_chosen", values.chosen.time);
  take("uuid_mode_chosen", values.chosen.uuid);
  take("json_encode_utf8", values.json.encode_utf8);
  take("json_stringify", values.json.stringify);
  take("json_annotate_with_types", values.json.annotate_with_types);
  take("json_plain", values.json.plain);
  take("json_not_finite", values.json.not_finite);
  take("json_attributes", values.json.living);
}

Node node_of(const RejectForm& form) {
  Node out = Node::map();
  out.add("format", Node::string(form.format));
  // Settings by number, each that is not the usual one.
  const yt::ValueOptions usual;
  std::vector<int64_t> numbers;
  for_settings(
      usual, [&](std::string_view, auto value) { numbers.push_back(static_cast<int64_t>(value)); });
  Node settings = Node::map();
  auto next = numbers.begin();
  for_settings(form.values, [&](std::string_view name, auto value) {
    if (static_cast<int64_t>(value) != *next++) settings.add(std::string(name), number_of(value));
  });
  if (!settings.as_map().empty()) out.add("settings", std::move(settings));
  out.add("schema", Node::string(form.schema));
  return out;
}

RejectForm form_of(const Node& node) {
  RejectForm out;
  const Node* const format = node.find("format");
  const Node* const schema = node.find("schema");
  if (format == nullptr || schema == nullptr) {
    throw Error(ErrorCode::Input, "expected the format and the schema of rejected rows");
  }
  out.format = format->as_string();
  out.schema = schema->as_string();
  const Node* const settings = node.find("settings");
  if (settings == nullptr) return out;
  for_settings(out.values, [&](std::string_view name, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    const Node* const found = settings->find(name);
    // No setting has more than three values.
    constexpr int64_t kMost = std::is_same_v<Value, bool> ? 1 : 2;
    if (found == nullptr) return;
    const int64_t number = found->as_int64();
    if (number < 0 || number > kMost) {
      throw Error(ErrorCode::Input, std::string("unknown value of the setting ").append(name));
    }
    value = static_cast<Value>(number);
  });
  return out;
}

std::string_view without_end(std::string_view row) {
  while (!row.empty() && (row.back() == '\n' || row.back() == ';')) row.remove_suffix(1);
  return row;
}

class YsonText final : public RowText {
 public:
  YsonText(const yt::TableSchema& schema, const yt::ValueOptions& values)
      : encoder_(schema, values) {}
  std::string text(const hub::Array& rows, int64_t index) const override {
    yson::Buffer out;
    encoder_.encode(rows, index, index + 1, 0, &out);
    return std::string(without_end(out.view()));
  }

 private:
  yt::RowEncoder encoder_;
};

class JsonText final : public RowText {
 public:
  JsonText(const yt::TableSchema& schema, const yt::ValueOptions& values)
      : encoder_(schema, yt::json_values(values)) {}
  std::string text(const hub::Array& rows, int64_t index) const override {
    hub::Batch batch;
    batch.array = rows;
    yson::Buffer out;
    (void)encoder_.encode(hub::slice(std::move(batch), index, 1), &out);
    return std::string(without_end(out.view()));
  }

 private:
  yt::JsonRowEncoder encoder_;
};

class SkiffText final : public RowText {
 public:
  explicit SkiffText(const skiff::Schema& schema) : encoder_(schema, writing()) {}
  std::string text(const hub::Array& rows, int64_t index) const override {
    yson::Buffer out;
    encoder_.encode(rows, index, index + 1, 0, 0, &out);
    // Without the index of the table, as a reader gives rows.
    return std::string(out.view().substr(sizeof(uint16_t)));
  }

 private:
  static skiff::WriteOptions writing() {
    skiff::WriteOptions out;
    out.specials_as_stored = std::make_shared<bool>(true);
    return out;
  }

  skiff::RowEncoder encoder_;
};

/// Rows of Arrow data, as YSON.
class ArrowText final : public RowText {
 public:
  explicit ArrowText(const hub::Schema& schema) : type_(hub::struct_(schema.fields)) {}
  std::string text(const hub::Array& rows, int64_t index) const override {
    yson::Buffer out;
    hub::append_yson(rows, type_, index, &out);
    return std::string(out.view());
  }

 private:
  hub::Type type_;
};

/// Returns the schema of the rows that come from an input, all columns or some.
yt::TableSchema rows_of(const Input& input, const InputOptions& options) {
  const bool is_whole = options.select.empty() && options.exclude.empty() && input.table_schema &&
                        input.partitions.empty();
  return is_whole ? *input.table_schema : yt::from_arrow(input.reader->schema()).schema;
}

}  // namespace

std::string print_forms(const std::vector<RejectForm>& forms) {
  Node out = Node::list();
  for (const RejectForm& form : forms) out.add(node_of(form));
  out.add_attribute(std::string(kMark), Node::boolean(true));
  return yson::print(out) + "\n";
}

std::optional<std::vector<RejectForm>> parse_forms(std::string_view text) {
  if (text.find(kMark) == std::string_view::npos) return std::nullopt;
  const Node node = yson::parse(text);
  if (node.find_attribute(kMark) == nullptr) return std::nullopt;
  std::vector<RejectForm> out;
  for (const Node& form : node.as_list()) out.push_back(form_of(form));
  return out;
}

RejectForm shown_form(crosswalk::System system, const hub::Schema& schema) {
  RejectForm out;
  out.format = system->name;
  out.schema = arrow::print_base64_schema(schema);
  return out;
}

RejectForm form_of(const Input& input, const InputOptions& options) {
  RejectForm out;
  if (input.format->by_bytes && input.skiff_schema) {
    out.format = input.format->word;
    const size_t tables = input.skiff_schema->format.tables.size();
    out.schema = skiff::print(
        skiff::of_table(*input.skiff_schema, tables == 1 ? 0 : options.table.value_or(0)),
        skiff::SchemaForm::File);
  } else if (input.format->by_bytes && input.table_schema) {
    out.format = input.format->word;
    out.values = options.values;
    yt::TableSchema schema = *input.table_schema;
    for (yt::ColumnSchema& column : yt::from_arrow({input.partitions, {}}).schema.columns) {
      const bool is_own = std::ranges::any_of(
          schema.columns, [&](const yt::ColumnSchema& own) { return own.name == column.name; });
      if (!is_own) schema.columns.push_back(std::move(column));
    }
    out.schema = yt::print(schema, yt::SchemaForm::Yson);
  } else {
    return shown_form(input.format->system, input.reader->schema());
  }
  return out;
}

std::shared_ptr<const RowText> row_text_of(const Input& input, const InputOptions& options) {
  const auto as_arrow = [&] { return std::make_shared<ArrowText>(input.reader->schema()); };
  if (!input.format->by_bytes) return as_arrow();
  try {
    if (input.skiff_schema) {
      const bool is_whole = options.select.empty() && options.exclude.empty() &&
                            input.partitions.empty() && !adds_columns(options);
      if (!is_whole) return as_arrow();
      const size_t tables = input.skiff_schema->format.tables.size();
      return row_text_of(
          skiff::of_table(*input.skiff_schema, tables == 1 ? 0 : options.table.value_or(0)));
    }
    yt::ValueOptions values = options.values;
    values.specials_as_stored = input.special_decimals;
    values.format = yson::Format::Text;
    const yt::TableSchema schema = rows_of(input, options);
    if (input.format == kYsonRows) return std::make_shared<YsonText>(schema, values);
    return std::make_shared<JsonText>(schema, values);
  } catch (const Error& error) {
    // A table does not have some types: their rows are written as YSON of Arrow values.
    if (error.code() != ErrorCode::Unsupported) throw;
    return as_arrow();
  }
}

std::shared_ptr<const RowText> partition_text_of(const Input& input, const InputOptions& options) {
  const bool is_json = input.format == kJsonRows;
  if (input.partitions.empty() || (!is_json && input.format != kYsonRows)) return nullptr;
  yt::ValueOptions values = options.values;
  values.format = yson::Format::Text;
  const yt::TableSchema schema = yt::from_arrow({input.partitions, {}}).schema;
  if (is_json) return std::make_shared<JsonText>(schema, values);
  return std::make_shared<YsonText>(schema, values);
}

std::shared_ptr<const RowText> row_text_of(const skiff::Schema& table) {
  return std::make_shared<SkiffText>(table);
}

}  // namespace xwalk::io
