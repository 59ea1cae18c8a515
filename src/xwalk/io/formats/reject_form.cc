#include "xwalk/io/formats/reject_form.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "xwalk/arrow/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_yson.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/hub.h"
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
constexpr std::string_view kFolderColumns = "folder_columns";

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
  if (form.folder_columns > 0) out.add(std::string(kFolderColumns), number_of(form.folder_columns));
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
  if (const Node* const folders = node.find(kFolderColumns)) {
    out.folder_columns = static_cast<size_t>(folders->as_int64());
  }
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

/// Returns the table of a Skiff stream that is read.
skiff::Schema table_read(const Input& input, const InputOptions& options) {
  const size_t tables = input.skiff_schema->format.tables.size();
  return skiff::of_table(*input.skiff_schema, tables == 1 ? 0 : options.table.value_or(0));
}

/// Returns the columns of folders that a file does not have itself.
std::vector<hub::Field> missing_columns(const Input& input, const InputOptions& options) {
  if (!input.format->by_bytes || input.partitions.empty()) return {};
  std::set<std::string> own;
  if (input.skiff_schema) {
    for (const hub::Field& field : skiff::to_arrow(table_read(input, options)).fields) {
      own.insert(field.name);
    }
  } else if (input.table_schema) {
    for (const yt::ColumnSchema& column : input.table_schema->columns) own.insert(column.name);
  }
  std::vector<hub::Field> out = input.partitions;
  std::erase_if(out, [&](const hub::Field& field) { return own.contains(field.name); });
  return out;
}

/// Puts columns before those of a Skiff table.
skiff::Schema with_first_columns(skiff::Schema table, const std::vector<hub::Field>& columns) {
  if (columns.empty()) return table;
  const yt::TableSchema added = yt::from_arrow({columns, {}}).schema;
  if (table.table_schemas.empty()) table.table_schemas.push_back(skiff::columns_of(table, 0));
  std::ranges::copy(added.columns, std::back_inserter(table.table_schemas.front().columns));
  const skiff::Schema front = skiff::schema_of(added);
  std::vector<skiff::Type> children(front.format.tables.front().children().begin(),
                                    front.format.tables.front().children().end());
  skiff::Type& root = table.format.tables.front();
  std::ranges::copy(root.children(), std::back_inserter(children));
  root = skiff::Type(root.wire(), std::move(children), root.name());
  return table;
}

/// Returns the form of rows of a schema that are shown as YSON.
RejectForm shown_form(crosswalk::System system, const hub::Schema& schema) {
  RejectForm out;
  out.format = system->name;
  out.schema = arrow::print_base64_schema(schema);
  return out;
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

RejectForm form_of(const Input& input, const InputOptions& options) {
  if (!input.format->by_bytes || (!input.skiff_schema && !input.table_schema)) {
    return shown_form(input.format->system, input.reader->schema());
  }
  RejectForm out;
  out.format = input.format->word;
  const std::vector<hub::Field> folders = missing_columns(input, options);
  if (input.skiff_schema) {
    out.schema = skiff::print(with_first_columns(table_read(input, options), folders),
                              skiff::SchemaForm::File);
    out.folder_columns = folders.size();
    return out;
  }
  out.values = options.values;
  yt::TableSchema schema = *input.table_schema;
  std::ranges::move(yt::from_arrow({folders, {}}).schema.columns,
                    std::back_inserter(schema.columns));
  out.schema = yt::print(schema, yt::SchemaForm::Yson);
  return out;
}

FolderColumns folder_columns(const Input& input, const InputOptions& options) {
  FolderColumns out = {missing_columns(input, options), nullptr};
  if (out.fields.empty()) return out;
  const yt::TableSchema schema = yt::from_arrow({out.fields, {}}).schema;
  if (input.skiff_schema) {
    out.print = [encoder = std::make_shared<skiff::RowEncoder>(
                     skiff::schema_of(schema), skiff::WriteOptions())](const hub::Array& row) {
      yson::Buffer bytes;
      encoder->encode(row, 0, 1, 0, 0, &bytes);
      // Without the index of the table.
      return std::string(bytes.view().substr(sizeof(uint16_t)));
    };
    return out;
  }
  yt::ValueOptions values = options.values;
  values.format = yson::Format::Text;
  if (input.format == kJsonRows) {
    out.print = [encoder = std::make_shared<yt::JsonRowEncoder>(schema, yt::json_values(values))](
                    const hub::Array& row) {
      hub::Batch batch;
      batch.array = row;
      yson::Buffer text;
      (void)encoder->encode(batch, &text);
      return std::string(without_end(text.view()));
    };
  } else {
    out.print = [encoder =
                     std::make_shared<yt::RowEncoder>(schema, values)](const hub::Array& row) {
      yson::Buffer text;
      encoder->encode(row, 0, 1, 0, &text);
      return std::string(without_end(text.view()));
    };
  }
  return out;
}

}  // namespace xwalk::io
