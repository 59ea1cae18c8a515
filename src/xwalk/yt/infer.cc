#include "xwalk/yt/infer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/row_boundary_internal.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using yson::Status;

/// Fields of one map beyond which it is taken for a dictionary that no schema should list.
constexpr size_t kMaxFields = 1024;
/// Nesting of inferred types; what is deeper becomes yson.
constexpr int kMaxDepth = kMaxTypeDepth / 2;

struct Fields;

/// What was seen in one place.
struct Seen {
  bool entity = false;
  bool boolean = false;
  bool signed_integer = false;
  bool unsigned_integer = false;
  bool real = false;
  bool text = false;
  /// Attributes, or nesting too deep to look at.
  bool opaque = false;
  bool utf8 = true;
  int64_t least = 0;
  int64_t most = 0;
  uint64_t most_unsigned = 0;
  std::unique_ptr<Seen> items;
  std::unique_ptr<Fields> fields;
};

struct Fields {
  struct Field {
    std::string name;
    uint64_t maps = 0;
    uint64_t last_map = 0;
    Seen seen;
  };

  uint64_t maps = 0;
  bool overflow = false;
  std::vector<Field> list;
  std::unordered_map<std::string, size_t> index;

  /// Finds or adds a field; `expected` is where it stands if the order is that of the last map.
  /// Null where there are too many.
  Field* find(std::string_view name, size_t* expected, size_t most) {
    if (*expected < list.size() && list[*expected].name == name) return &list[(*expected)++];
    std::string key(name);
    auto known = index.find(key);
    if (known == index.end()) {
      if (list.size() == most) {
        overflow = true;
        return nullptr;
      }
      known = index.emplace(key, list.size()).first;
      list.push_back({});
      list.back().name = key;
    }
    *expected = known->second + 1;
    return &list[known->second];
  }
};

class Observer {
 public:
  explicit Observer(const char* end) : end_(end) {}

  Status value(const char*& p, Seen& seen, int depth) {
    yson::skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == '<' || depth == 0) {
      seen.opaque = true;
      return yson::skip_value(p, end_);
    }
    switch (*p) {
      case '#':
        seen.entity = true;
        ++p;
        return Status::Ok;
      case '[':
        return items(p, seen, depth);
      case '{':
        if (seen.fields == nullptr) seen.fields = std::make_unique<Fields>();
        ++p;
        return fields(p, *seen.fields, kMaxFields, depth);
      case yson::marker::kTrue:
      case yson::marker::kFalse:
        seen.boolean = true;
        ++p;
        return Status::Ok;
      case '%': {
        yson::Literal literal;
        Status status = yson::read_literal(p, end_, literal);
        bool truth = literal == yson::Literal::True || literal == yson::Literal::False;
        (truth ? seen.boolean : seen.real) = true;
        return status;
      }
      case yson::marker::kInt64: {
        int64_t number = 0;
        Status status = yson::read_binary_int64(++p, end_, number);
        integer(seen, number);
        return status;
      }
      case yson::marker::kUint64: {
        uint64_t number = 0;
        Status status = yson::read_binary_uint64(++p, end_, number);
        natural(seen, number);
        return status;
      }
      case yson::marker::kDouble: {
        double number = 0;
        seen.real = true;
        return yson::read_binary_double(++p, end_, number);
      }
      default:
        break;
    }
    if (yson::is_number_start(*p)) {
      yson::Number number;
      Status status = yson::read_number(p, end_, number);
      if (status != Status::Ok) return status;
      switch (number.kind) {
        case yson::NumberKind::Int64:
          integer(seen, number.int64);
          break;
        case yson::NumberKind::Uint64:
          natural(seen, number.uint64);
          break;
        case yson::NumberKind::Double:
          seen.real = true;
          break;
      }
      return status;
    }
    std::string_view bytes;
    Status status = string(p, &bytes, Status::ExpectedValue);
    if (status != Status::Ok) return status;
    seen.text = true;
    if (seen.utf8 && !is_valid_utf8(bytes)) seen.utf8 = false;
    return status;
  }

  /// Looks at `key=value;…}`, `p` behind the `{`.
  Status fields(const char*& p, Fields& known, size_t most, int depth) {
    ++known.maps;
    size_t expected = 0;
    for (;;) {
      yson::skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == '}') break;
      std::string_view name;
      Status status = string(p, &name, Status::ExpectedKey);
      if (status != Status::Ok) return status;
      yson::skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p != '=') return Status::ExpectedEquals;
      ++p;
      Fields::Field* field = known.find(name, &expected, most);
      if (field == nullptr) {
        status = yson::skip_value(p, end_);
      } else {
        if (field->last_map != known.maps) {
          field->last_map = known.maps;
          ++field->maps;
        }
        status = value(p, field->seen, depth - 1);
      }
      if (status != Status::Ok) return status;
      status = separator(p, '}');
      if (status != Status::Ok) return status;
    }
    ++p;
    return Status::Ok;
  }

 private:
  static void integer(Seen& seen, int64_t number) {
    seen.least = seen.signed_integer ? std::min(seen.least, number) : number;
    seen.most = seen.signed_integer ? std::max(seen.most, number) : number;
    seen.signed_integer = true;
  }
  static void natural(Seen& seen, uint64_t number) {
    seen.most_unsigned = std::max(seen.most_unsigned, number);
    seen.unsigned_integer = true;
  }

  Status items(const char*& p, Seen& seen, int depth) {
    if (seen.items == nullptr) seen.items = std::make_unique<Seen>();
    ++p;
    for (;;) {
      yson::skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == ']') break;
      Status status = value(p, *seen.items, depth - 1);
      if (status != Status::Ok) return status;
      status = separator(p, ']');
      if (status != Status::Ok) return status;
    }
    ++p;
    return Status::Ok;
  }

  Status separator(const char*& p, char closing) {
    yson::skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == ';') {
      ++p;
    } else if (*p != closing) {
      return Status::ExpectedSeparator;
    }
    return Status::Ok;
  }

  Status string(const char*& p, std::string_view* bytes, Status otherwise) {
    if (*p == yson::marker::kString) return yson::read_binary_string(++p, end_, *bytes);
    if (*p == '"') {
      bool escaped = false;
      Status status = yson::read_quoted(++p, end_, *bytes, escaped);
      if (status == Status::Ok && escaped) {
        unescaped_.resize(bytes->size());
        unescaped_.resize(yson::unescape(*bytes, unescaped_.data()));
        *bytes = unescaped_;
      }
      return status;
    }
    if (!yson::is_word_start(*p)) return otherwise;
    *bytes = yson::read_word(p, end_);
    return Status::Ok;
  }

  const char* end_;
  std::string unescaped_;
};

/// Returns the narrowest of a type and those it widens to that holds both ends.
Type narrowest(TypeKind kind, auto least, auto most) {
  while (!integer_range(kind).contains(least) || !integer_range(kind).contains(most)) {
    kind = kind_row(kind).widens_to.value();
  }
  return kind;
}

/// Integers up to here are doubles, too.
constexpr int64_t kExactInDouble = int64_t{1} << 53;

/// Settles what numbers of JSON are, which only all of them together tell.
void settle_json_numbers(Seen* seen) {
  if (seen->items != nullptr) settle_json_numbers(seen->items.get());
  if (seen->fields != nullptr) {
    for (Fields::Field& field : seen->fields->list) settle_json_numbers(&field.seen);
  }
  const bool any_integer = seen->signed_integer || seen->unsigned_integer;
  if (seen->real && any_integer) {
    // Beyond, they stay apart, as values of any type.
    const bool exact =
        !seen->unsigned_integer && seen->least >= -kExactInDouble && seen->most <= kExactInDouble;
    if (exact) seen->signed_integer = false;
  } else if (seen->unsigned_integer && seen->signed_integer && seen->least >= 0) {
    seen->signed_integer = false;
  }
  // As wide as JSON's numbers are.
  seen->least = std::numeric_limits<int64_t>::min();
  seen->most_unsigned = std::numeric_limits<uint64_t>::max();
}

Type type_of(const Seen& seen, bool absent_somewhere);

/// Returns the struct of the fields of maps, or nothing where no struct can hold them.
std::optional<Type> struct_type(const Fields& fields) {
  if (fields.overflow || fields.list.empty()) return std::nullopt;
  std::vector<Member> members;
  for (const Fields::Field& field : fields.list) {
    bool named =
        !field.name.empty() && field.name.size() <= kMaxNameLength && is_valid_utf8(field.name);
    if (!named) return std::nullopt;
    members.emplace_back(field.name, type_of(field.seen, field.maps < fields.maps));
  }
  return struct_(std::move(members));
}

Type type_of(const Seen& seen, bool absent_somewhere) {
  int kinds = seen.boolean + seen.signed_integer + seen.unsigned_integer + seen.real + seen.text +
              (seen.items != nullptr) + (seen.fields != nullptr);
  if (kinds == 0 && !seen.opaque) return TypeKind::Null;
  std::optional<Type> type;
  if (kinds == 1 && !seen.opaque) {
    if (seen.boolean) type = TypeKind::Bool;
    if (seen.signed_integer) type = narrowest(TypeKind::Int8, seen.least, seen.most);
    if (seen.unsigned_integer) {
      type = narrowest(TypeKind::Uint8, uint64_t{0}, seen.most_unsigned);
    }
    if (seen.real) type = TypeKind::Double;
    if (seen.text) type = seen.utf8 ? TypeKind::Utf8 : TypeKind::String;
    if (seen.items != nullptr) type = list(type_of(*seen.items, false));
    if (seen.fields != nullptr) type = struct_type(*seen.fields);
  }
  // yson holds everything but `#`, and stands only inside an optional.
  if (!type) return optional(TypeKind::Yson);
  return seen.entity || absent_somewhere ? optional(*type) : *type;
}

bool is_column_name(const std::string& name) {
  return !name.empty() && name.size() <= kMaxNameLength && !name.starts_with('$');
}

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

TableSchema infer_schema(ByteSource& source, const InferOptions& options) {
  yson::RowSplitter splitter(&source);
  yson::RowChunk chunk;
  Fields columns;
  Tables tables(options);
  uint64_t rows = 0;
  auto enough = [&] { return options.limit && rows >= *options.limit; };
  while (!enough() && splitter.next(&chunk)) {
    const char* p = chunk.bytes.data();
    const char* const end = p + chunk.bytes.size();
    auto fail = [&](std::string message) {
      Place place = yson::place_in_chunk(chunk, static_cast<size_t>(p - chunk.bytes.data()));
      place.file = source.name();
      place.row = rows;
      throw Error(ErrorCode::Input, std::move(message), std::move(place));
    };
    while (!enough()) {
      yson::skip_space(p, end);
      if (p == end) break;
      const char* row = p;
      if (*p == '<') {
        if (yson::skip_value(p, end) != Status::Ok) fail("expected a control entity");
        yson::Node node = yson::parse({row, static_cast<size_t>(p - row)});
        if (node.is(yson::Node::Kind::Entity)) tables.control(node);
      } else {
        bool observed = false;
        if (tables.takes_row() && *p == '{') {
          ++p;
          observed =
              Observer(end).fields(p, columns, kMaxSchemaComplexity, kMaxDepth) == Status::Ok;
        }
        if (!observed) {
          p = row;
          Boundary boundary = find_row_end(p, end);
          if (boundary == Boundary::Truncated) {
            p = end;
            fail("expected more bytes, found the end of the input inside a row");
          }
          if (boundary == Boundary::Lost) fail("expected a row, found brackets that do not match");
        }
        ++rows;
      }
      yson::skip_space(p, end);
      if (p < end && *p != ';') fail(std::string(yson::describe(Status::ExpectedSeparator)));
      if (p < end) ++p;
    }
  }
  if (const auto zero = splitter.zero_byte(); zero && !enough()) {
    Place place;
    place.file = source.name();
    place.byte = zero;
    throw Error(ErrorCode::Input, "expected a row or the end, found a zero byte", place);
  }
  TableSchema schema;
  for (Fields::Field& column : columns.list) {
    if (options.json) settle_json_numbers(&column.seen);
    if (is_column_name(column.name)) {
      schema.columns.emplace_back(column.name, type_of(column.seen, column.maps < columns.maps));
    } else {
      schema.strict = false;
    }
  }
  check(schema);
  return schema;
}

}  // namespace xwalk::yt
