#include "xwalk/io/formats/reject_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/yson_row.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/writer.h"

namespace xwalk::io {
namespace {

using Json = nlohmann::json;
using yson::Node;

/// The rows of a file of rejects, each in the bytes of its format.
struct Rejected {
  std::vector<Node> rows;
  size_t form = 0;
};

/// Reads the rejects of a file. They may be of one form.
Rejected read_rejects(Source& source, uint64_t max_memory, size_t forms) {
  const std::string text = read_all(source, static_cast<size_t>(max_memory));
  Rejected out;
  out.rows = yson::parse_list_fragment(text);
  std::optional<size_t> form;
  for (size_t row = 0; row < out.rows.size(); ++row) {
    const Node* const its = out.rows[row].find(kRejectForm);
    const size_t number = its == nullptr ? 0 : static_cast<size_t>(its->as_int64());
    Place place;
    place.file = source.name();
    place.row = row;
    if (number >= forms) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected a form below {}, found {}", forms, number), place);
    }
    if (form && *form != number) {
      throw Error(ErrorCode::Input, "expected rejected rows of one schema, found rows of several",
                  place,
                  "Copy the rows of each form to a file of their own, with the same schema file.");
    }
    form = number;
  }
  out.form = form.value_or(0);
  return out;
}

/// Returns the row with columns of its folders, which it does not have itself.
Node with_columns(Node row, const Node* columns) {
  if (columns == nullptr || !row.is(Node::Kind::Map)) return row;
  for (const auto& [name, value] : columns->as_map()) {
    if (row.find(name) == nullptr) row.add(name, value);
  }
  return row;
}

/// The same for a row of JSON. Only objects have a place for columns.
std::string with_columns(const std::string& row, const std::string& columns) {
  const size_t end = row.find_last_not_of(" \t\r\n");
  const Json own = Json::parse(row, nullptr, /*allow_exceptions=*/false);
  if (end == std::string::npos || row[end] != '}' || !own.is_object()) return row;
  std::string out = row.substr(0, end);
  bool is_first = own.empty();
  const Json added = Json::parse(columns);
  for (const auto& [name, value] : added.items()) {
    if (own.contains(name)) continue;
    if (!std::exchange(is_first, false)) out += ',';
    out += Json(name).dump() + ":" + value.dump();
  }
  return out + "}";
}

/// Appends the bytes of a rejected row in its format.
void append_row(const Node& row, const RejectForm& form, yson::Buffer* out) {
  const Node* const value = row.find("value");
  const Node* const source = row.find("source");
  const Node* const columns = row.find(kRejectColumns);
  const bool is_skiff = form.format == kSkiffRows.word;
  if (is_skiff) {
    // Each row begins with the index of its table.
    out->append(std::string_view("\0\0", 2));
    if (columns != nullptr) out->append(columns->as_string());
  }
  if (value != nullptr) {
    out->append(yson::print(with_columns(*value, columns)));
  } else if (source != nullptr) {
    const bool is_json = columns != nullptr && form.format == kJsonRows.word;
    out->append(is_json ? with_columns(source->as_string(), columns->as_string())
                        : source->as_string());
  } else if (form.format == kYsonRows.word) {
    out->append('#');
  }
  if (form.format == kYsonRows.word) out->append(';');
  if (!is_skiff) out->append('\n');
}

/// Rows that are what `hub::append_yson` made of them.
class ShownRows final : public hub::BatchReader {
 public:
  ShownRows(std::vector<Node> rows, const hub::Schema& schema, std::string file, bool skips)
      : rows_(std::move(rows)),
        schema_(hub::plain_layouts(schema)),
        builder_(schema_),
        file_(std::move(file)),
        skips_(skips) {}

  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override {
    if (next_ == rows_.size()) return std::nullopt;
    hub::Batch out;
    out.first_row = static_cast<int64_t>(next_);
    const size_t end = std::min(rows_.size(), next_ + static_cast<size_t>(limits::kBatchRows));
    for (; next_ < end; ++next_) {
      const Node* const value = rows_[next_].find("value");
      try {
        builder_.append(value == nullptr ? Node() : *value);
      } catch (Error& error) {
        error.place().row = next_;
        error.place().file = file_;
        if (!skips_) throw;
        out.bad.push_back({static_cast<int64_t>(next_) - out.first_row, std::move(error),
                           value == nullptr ? "" : yson::print(*value)});
      }
    }
    out.array = builder_.finish();
    return out;
  }
  std::optional<int64_t> total_rows() const override { return std::ssize(rows_); }

 private:
  std::vector<Node> rows_;
  hub::Schema schema_;
  hub::YsonRowBuilder builder_;
  std::string file_;
  bool skips_;
  size_t next_ = 0;
};

/// Rows of a system whose rows are no bytes.
Format shown_format(std::string_view system) {
  static constexpr std::string_view kWord = "rejects";
  static const std::map<std::string_view, std::unique_ptr<const RowFormat>> kFormats = [] {
    std::map<std::string_view, std::unique_ptr<const RowFormat>> out;
    for (const crosswalk::System one : crosswalk::systems()) {
      out.emplace(one->name, new RowFormat{.word = kWord, .name = kWord, .system = one});
    }
    return out;
  }();
  const auto found = kFormats.find(system);
  if (found != kFormats.end()) return *found->second;
  throw Error(ErrorCode::Input, fmt::format("rejected rows of an unknown format {}", system));
}

}  // namespace

OpenFile open_rejected(const Location& path, const std::vector<RejectForm>& forms,
                       const InputOptions& options, Input* input) {
  const auto source = open_source(path, options.storage);
  auto rejected = std::make_shared<Rejected>(
      read_rejects(*source, options.max_memory, std::max<size_t>(1, forms.size())));
  if (forms.empty()) {
    throw Error(ErrorCode::Input, "expected rejected rows, found none", {.file = path});
  }
  const RejectForm& form = forms[rejected->form];
  const auto known = std::ranges::find_if(
      formats(), [&](Format format) { return format->by_bytes && format->word == form.format; });
  if (known == formats().end()) {
    const hub::Schema schema = arrow::parse_base64_schema(form.schema);
    input->format = shown_format(form.format);
    return [rejected, schema, skips = options.skip_bad_rows](
               const Location& file, std::unique_ptr<Source>, const std::vector<Path>&) {
      auto rows = split(std::make_unique<ShownRows>(rejected->rows, schema, file, skips));
      hub::CompiledCast cast = hub::compile_cast(rows->schema(), schema);
      return cast_pieces(std::move(rows), std::move(cast));
    };
  }
  InputOptions own = options;
  own.schema = form.schema;
  own.values = form.values;
  own.values.uuid_order = options.values.uuid_order;
  own.values.decimal_special = options.values.decimal_special;
  own.table.reset();
  input->format = *known;
  const auto bytes = std::make_shared<std::string>();
  yson::Buffer buffer;
  for (const Node& row : rejected->rows) append_row(row, form, &buffer);
  *bytes = buffer.view();
  const auto rows = memory_source(*bytes, path);
  const OpenFile inner = (*known)->open("-", rows.get(), own, input);
  input->schema_origin = SchemaOrigin::SideFile;
  return [inner, bytes, folders = form.folder_columns](
             const Location& file, std::unique_ptr<Source>, const std::vector<Path>& selection) {
    std::unique_ptr<SplitReader> read = inner(file, memory_source(*bytes, file), selection);
    hub::Schema schema = read->schema();
    if (folders > schema.fields.size()) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected {} columns of folders, found {} columns", folders,
                              schema.fields.size()),
                  {.file = file});
    }
    const auto first = schema.fields.begin();
    std::rotate(first, first + static_cast<ptrdiff_t>(folders), schema.fields.end());
    hub::CompiledCast cast = hub::compile_cast(read->schema(), schema);
    return cast_pieces(std::move(read), std::move(cast));
  };
}

}  // namespace xwalk::io
