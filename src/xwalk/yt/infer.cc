#include "xwalk/yt/infer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yson/walk.h"
#include "xwalk/yt/infer_internal.h"
#include "xwalk/yt/json_rows.h"
#include "xwalk/yt/json_transcoder.h"
#include "xwalk/yt/known_json_internal.h"
#include "xwalk/yt/row_boundary_internal.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

constexpr std::string_view kIntegersInDoubles = "integers_in_doubles";

using yson::Status;

/// A sink that notes the types of the values of rows.
class Observer {
 public:
  Observer() {
    ignored_.opaque = true;
    row_.fields = std::make_unique<Fields>();
    row_.fields->most = kMaxSchemaComplexity;
  }

  const Seen& row() const { return row_; }
  const Fields& columns() const { return *row_.fields; }

  /// Looks at a row, with `p` at its `{`.
  Status row(const char*& p, const char* end) {
    depth_ = 0;
    seen_ = &row_;
    return yson::Walker(end, this).value(p, yson::kMaxDepth);
  }

  bool wants(std::string_view value) {
    if (value.starts_with(kBeyondAll)) seen_->beyond_all = true;
    if (value.starts_with('<') || depth_ == kMaxDepth) seen_->opaque = true;
    return !seen_->opaque;
  }
  void begin(char bracket) {
    if (bracket == '[') {
      if (seen_->items == nullptr) seen_->items = std::make_unique<Seen>();
      open_[depth_++] = {.items = seen_->items.get()};
    } else {
      if (seen_->fields == nullptr) seen_->fields = std::make_unique<Fields>();
      open_[depth_++] = {.fields = seen_->fields.get()};
    }
  }
  void end(char /*bracket*/, bool /*any*/) { --depth_; }
  static void attributed() {}
  void item(bool /*first*/) { seen_ = open_[depth_ - 1].items; }
  static void item_end() {}
  void key(std::string_view name) {
    Open& map = open_[depth_ - 1];
    Fields::Field* field = map.fields->find(name, &map.expected, &fields_left_);
    seen_ = field == nullptr ? &ignored_ : &field->seen;
  }

  static void entity() {}
  void boolean(bool /*value*/) { seen_->boolean = true; }
  void int64(int64_t number) {
    seen_->signed_integer = true;
    seen_->negative = seen_->negative || number < 0;
    seen_->beyond_double = seen_->beyond_double || !double_equal_to(number);
  }
  void uint64(uint64_t number) {
    seen_->unsigned_integer = true;
    seen_->beyond_double = seen_->beyond_double || !double_equal_to(number);
  }
  void real(double /*value*/) { seen_->real = true; }
  void string(std::string_view bytes) {
    seen_->text = true;
    if (seen_->utf8 && !is_valid_utf8(bytes)) seen_->utf8 = false;
  }

 private:
  /// An open list, or an open map: its fields and which of them is expected next.
  struct Open {
    Seen* items = nullptr;
    Fields* fields = nullptr;
    size_t expected = 0;
  };

  Seen row_;
  /// The place of values of fields that are not followed.
  Seen ignored_;
  /// The place of the next value.
  Seen* seen_ = nullptr;
  std::array<Open, kMaxDepth> open_;
  size_t depth_ = 0;
  /// A schema has no more columns and members than this, however deep.
  size_t fields_left_ = kMaxSchemaComplexity + 1;
};

/// Finds the types of what was seen.
class Types {
 public:
  /// Numbers of JSON are not marked as unsigned.
  explicit Types(bool json) : json_(json) {}

  /// Returns the type of a column, a member or an item: optional, as later rows may lack it.
  Type type_of(const Seen& seen) {
    const std::optional<Type> number = number_type(seen);
    const bool numbers = seen.signed_integer || seen.unsigned_integer || seen.real;
    const int kinds =
        seen.boolean + numbers + seen.text + (seen.items != nullptr) + (seen.fields != nullptr);
    if (kinds == 0 && !seen.opaque) return TypeKind::Null;
    std::optional<Type> type;
    if (kinds == 1 && !seen.opaque) {
      if (seen.boolean) type = TypeKind::Bool;
      if (numbers) type = number;
      if (seen.text) type = seen.utf8 ? TypeKind::Utf8 : TypeKind::String;
      if (seen.items != nullptr) type = list(type_of(*seen.items));
      if (seen.fields != nullptr) type = struct_type(*seen.fields);
    }
    // yson holds everything but `#`, and is valid only inside an optional.
    return optional(type ? *type : Type(TypeKind::Yson));
  }

 private:
  /// Returns the type that holds all numbers, or nothing if only yson does.
  std::optional<Type> number_type(const Seen& seen) {
    const bool integers = seen.signed_integer || seen.unsigned_integer;
    if (seen.real) {
      if (seen.beyond_double) return std::nullopt;
      return TypeKind::Double;
    }
    if (!integers) return std::nullopt;
    if (!seen.unsigned_integer) return TypeKind::Int64;
    // In YSON both marks together are two types; in JSON the larger numbers decide.
    if (seen.signed_integer && (!json_ || seen.negative)) return std::nullopt;
    return TypeKind::Uint64;
  }

  /// Returns the struct of the fields of maps, or nothing if no struct can hold them.
  std::optional<Type> struct_type(const Fields& fields) {
    if (fields.overflow || fields.unnamed || fields.list.empty()) return std::nullopt;
    std::vector<Member> members;
    for (const Fields::Field& field : fields.list) {
      if (!is_valid_utf8(field.name)) return std::nullopt;
      members.emplace_back(field.name, type_of(field.seen));
    }
    return struct_(std::move(members));
  }

  bool json_;
};

/// Adds the paths of integers that no number type holds.
void find_beyond(const Seen& seen, const Path& path, std::vector<Path>* out) {
  if (seen.beyond_all) out->push_back(path);
  if (seen.items != nullptr) find_beyond(*seen.items, path.item(), out);
  if (seen.fields == nullptr) return;
  for (const Fields::Field& field : seen.fields->list) {
    find_beyond(field.seen, path.field(field.name), out);
  }
}

bool has_double(const Type& type) {
  return type.is(TypeKind::Double) ||
         std::ranges::any_of(type.members(), has_double, &Member::type);
}

bool is_column_name(const std::string& name) { return !name.starts_with('$'); }

/// Follows the tables that control entities name.
class Tables {
 public:
  explicit Tables(const InferOptions& options) : wanted_(options.table), all_(options.all_tables) {}

  void control(const yson::Node& node) {
    const yson::Node* index = node.find_attribute("table_index");
    if (index == nullptr || !index->is(yson::Node::Kind::Int64)) return;
    int64_t table = index->as_int64();
    if (!wanted_ && !all_ && rows_ && table != current_) {
      throw Error(
          ErrorCode::Input,
          fmt::format("expected rows of one table, found table {} after table {}", table, current_),
          {}, "Choose one with " + hub::mention(hub::Option::Table, "N"));
    }
    current_ = table;
  }
  bool takes_row() {
    rows_ = true;
    return !wanted_ || static_cast<int64_t>(*wanted_) == current_;
  }

 private:
  std::optional<uint32_t> wanted_;
  bool all_;
  int64_t current_ = 0;
  bool rows_ = false;
};

}  // namespace

class SchemaInference::Impl {
 public:
  explicit Impl(const InferOptions& options) : options_(options) {}

  bool has_enough() const { return options_.limit && rows_ >= *options_.limit; }
  const std::vector<Path>& beyond() const { return beyond_; }

  void add(ByteSource& source) {
    // Each source begins with the first table again.
    tables_.emplace(options_);
    yson::RowSplitter splitter(&source,
                               yson::RowSplitterOptions{.max_item_bytes = options_.row_bytes});
    yson::RowChunk chunk;
    uint64_t items = 0;
    while (!has_enough() && next_chunk(&splitter, &chunk))
      items = add_rows(chunk, source.name(), items);
    const auto zero = splitter.zero_byte();
    if (!zero || has_enough()) return;
    throw Error(ErrorCode::Input, "expected a row or the end, found a zero byte",
                {.file = source.name(), .byte = zero});
  }

  void add_json(ByteSource& lines, const ValueOptions& values, size_t row_bytes) {
    KnownJson known(observer_.row());
    // A limit counts rows, also those in which nothing is new.
    const bool skips = KnownJson::suits(values.json) && !options_.limit;
    JsonAsYson rows(&lines, values, row_bytes, skips ? &known : nullptr);
    add(rows);
  }

  TableSchema finish() {
    const Fields& columns = observer_.columns();
    if (columns.overflow) {
      throw Error(
          ErrorCode::Input,
          fmt::format("expected at most {} columns and members, found more", kMaxSchemaComplexity));
    }
    for (const Fields::Field& column : columns.list) {
      find_beyond(column.seen, Path::column(column.name), &beyond_);
    }
    Types types(options_.json);
    TableSchema schema;
    schema.strict = !columns.unnamed;
    for (const Fields::Field& column : columns.list) {
      if (is_column_name(column.name)) {
        schema.columns.emplace_back(column.name, types.type_of(column.seen));
      } else {
        schema.strict = false;
      }
    }
    // Some rows may have integers there.
    set_integers_in_doubles(std::ranges::any_of(schema.columns, has_double, &ColumnSchema::type),
                            &schema);
    check(schema);
    return schema;
  }

 private:
  static bool next_chunk(yson::RowSplitter* splitter, yson::RowChunk* chunk) {
    try {
      return splitter->next(chunk);
    } catch (Error& error) {
      // The one error that names a row is of its size.
      if (error.place().row) {
        error.with_hint(
            fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
      }
      throw;
    }
  }

  /// Looks at the rows of a chunk; `items` are those of the source before it.
  uint64_t add_rows(const yson::RowChunk& chunk, const std::string& name, uint64_t items) {
    const char* p = chunk.bytes.data();
    const char* const end = p + chunk.bytes.size();
    auto fail = [&](std::string message, std::string hint = "") {
      Place place = yson::place_in_chunk(chunk, static_cast<size_t>(p - chunk.bytes.data()));
      place.file = name;
      place.row = items;
      throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
    };
    while (!has_enough()) {
      yson::skip_space(p, end);
      if (p == end) break;
      const char* row = p;
      if (*p == '<') {
        if (yson::skip_value(p, end) != Status::Ok) fail("expected a control entity");
        yson::Node node = yson::parse({row, static_cast<size_t>(p - row)});
        if (node.is(yson::Node::Kind::Entity)) tables_->control(node);
      } else {
        if (tables_->takes_row() && *p == '{' && observer_.row(p, end) == Status::Ok) {
          ++rows_;
        } else {
          p = row;
          Boundary boundary = find_row_end(p, end);
          if (boundary == Boundary::Truncated) {
            p = end;
            fail("expected more bytes, found the end of the input inside a row", kFetchAgain);
          }
          if (boundary == Boundary::Lost) fail("expected a row, found brackets that do not match");
        }
        ++items;
      }
      yson::skip_space(p, end);
      if (p < end && *p != ';') fail(std::string(yson::describe(Status::ExpectedSeparator)));
      if (p < end) ++p;
    }
    return items;
  }

  InferOptions options_;
  std::vector<Path> beyond_;
  std::optional<Tables> tables_;
  Observer observer_;
  uint64_t rows_ = 0;
};

SchemaInference::SchemaInference(const InferOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}
SchemaInference::~SchemaInference() = default;
void SchemaInference::add(ByteSource& source) { impl_->add(source); }
void SchemaInference::add_json(ByteSource& lines, const ValueOptions& values, size_t row_bytes) {
  impl_->add_json(lines, values, row_bytes);
}
bool SchemaInference::has_enough() const { return impl_->has_enough(); }
const std::vector<Path>& SchemaInference::beyond() const { return impl_->beyond(); }
TableSchema SchemaInference::finish() { return impl_->finish(); }

bool has_integers_in_doubles(const TableSchema& schema) {
  const auto found =
      std::ranges::find(schema.others, kIntegersInDoubles, &OtherAttributes::value_type::first);
  return found != schema.others.end() && found->second == yson::Node::boolean(true);
}

void set_integers_in_doubles(bool value, TableSchema* schema) {
  std::erase_if(schema->others,
                [](const auto& attribute) { return attribute.first == kIntegersInDoubles; });
  if (value) schema->others.emplace_back(kIntegersInDoubles, yson::Node::boolean(true));
}

TableSchema infer_schema(ByteSource& source, const InferOptions& options) {
  SchemaInference inference(options);
  inference.add(source);
  return inference.finish();
}

}  // namespace xwalk::yt
