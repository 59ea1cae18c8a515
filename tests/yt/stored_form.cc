#include "tests/yt/stored_form.h"

#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/exact_double.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::yt {
namespace {

using yson::Node;

[[noreturn]] void refuse(const Path& path, std::string message, std::string hint = {}) {
  Place place;
  place.path = path;
  throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
}

[[noreturn]] void refuse_kind(const Path& path, std::string_view expected, const Node& found) {
  refuse(path, fmt::format("expected {}, found {} {}", expected, kind_name(found.kind()),
                           clipped(yson::print(found))));
}

/// Runs a check that does not know the path.
template <typename Call>
auto at_path(const Path& path, const Call& call) {
  try {
    return call();
  } catch (Error& error) {
    error.place().path = path;
    throw;
  }
}

Path member_path(const Path& path, const Type& type, size_t index) {
  return path.field(type.is_named() ? type.members()[index].name : std::to_string(index));
}

const Node::List& expect_list(const Path& path, const Node& value, std::string_view expected) {
  if (!value.is(Node::Kind::List)) refuse_kind(path, expected, value);
  return value.as_list();
}

const Node::List& expect_pair(const Path& path, const Node& value, std::string_view expected) {
  const Node::List& items = expect_list(path, value, expected);
  if (items.size() != 2) {
    refuse(path, fmt::format("expected {}, found a list of {}", expected, items.size()));
  }
  return items;
}

size_t expect_index(const Path& path, const Node& tag, size_t count) {
  if (!tag.is(Node::Kind::Int64)) refuse_kind(path, "the index of an alternative as int64", tag);
  if (tag.as_int64() < 0 || static_cast<uint64_t>(tag.as_int64()) >= count) {
    refuse(path, fmt::format("expected the index of an alternative in the range [0, {}), found {}",
                             count, tag.as_int64()));
  }
  return static_cast<size_t>(tag.as_int64());
}

/// Which fields a struct in positional form may end before: those whose type is optional, as the
/// system checks when rows are written, or all nullable ones, as it takes rows to read.
enum class Tail : uint8_t { Optional, Nullable };

void validate_at(const Path& path, const Type& type, const Node& value, Tail tail);

void validate_integral(const Path& path, TypeKind kind, const Node& value) {
  IntegerRange range = integer_range(kind);
  auto out_of_range = [&](auto found) {
    std::string most = is_unsigned(kind) ? fmt::format("{}", range.max)
                                         : fmt::format("{}", static_cast<int64_t>(range.max));
    refuse(path, fmt::format("expected {} in the range [{}, {}], found {}", kind_name(kind),
                             range.min, most, found));
  };
  if (is_unsigned(kind)) {
    if (!value.is(Node::Kind::Uint64)) refuse_kind(path, "uint64", value);
    if (!range.contains(value.as_uint64())) out_of_range(value.as_uint64());
  } else {
    if (!value.is(Node::Kind::Int64)) refuse_kind(path, "int64", value);
    if (!range.contains(value.as_int64())) out_of_range(value.as_int64());
  }
}

void validate_string(const Path& path, const Type& type, const Node& value) {
  if (!value.is(Node::Kind::String)) refuse_kind(path, "string", value);
  const std::string& bytes = value.as_string();
  switch (type.kind()) {
    case TypeKind::Utf8:
      if (!is_valid_utf8(bytes)) refuse(path, "expected UTF-8, found " + clipped(bytes));
      return;
    case TypeKind::Json:
      if (!is_valid_json(bytes)) refuse(path, "expected a JSON document, found " + clipped(bytes));
      return;
    case TypeKind::Uuid:
      if (bytes.size() != kUuidSize) {
        refuse(path, fmt::format("expected 16 bytes of a uuid, found {}", bytes.size()));
      }
      return;
    case TypeKind::Decimal:
      at_path(path, [&] { check_decimal(bytes, type.precision(), type.scale()); });
      return;
    case TypeKind::TzDate:
    case TypeKind::TzDatetime:
    case TypeKind::TzTimestamp:
    case TypeKind::TzDate32:
    case TypeKind::TzDatetime64:
    case TypeKind::TzTimestamp64:
      at_path(path, [&] { tz_from_bytes(type.kind(), bytes); });
      return;
    default:
      return;
  }
}

void validate_elements(const Path& path, const Type& type, const Node& value, Tail tail) {
  const Node::List& items =
      expect_list(path, value,
                  type.is(TypeKind::Struct) ? "a list of the struct's fields"
                                            : "a list of the tuple's elements");
  auto members = type.members();
  if (items.size() > members.size()) {
    refuse(path, fmt::format("expected {} values, found {}", members.size(), items.size()));
  }
  for (size_t i = 0; i < items.size(); ++i) {
    validate_at(member_path(path, type, i), members[i].type, items[i], tail);
  }
  for (size_t i = items.size(); i < members.size(); ++i) {
    if (type.is(TypeKind::Tuple)) {
      refuse(path, fmt::format("expected {} values, found {}", members.size(), items.size()));
    }
    bool may_end = tail == Tail::Nullable ? is_nullable(members[i].type)
                                          : members[i].type.is(TypeKind::Optional);
    if (!may_end) {
      refuse(path, fmt::format("expected field {}, found the end of the struct",
                               xwalk::quoted(members[i].name)));
    }
  }
}

void validate_at(const Path& path, const Type& type, const Node& value, Tail tail) {
  if (value.has_attributes()) {
    refuse(path, "expected a value without attributes, found " + clipped(yson::print(value)));
  }
  switch (type.kind()) {
    case TypeKind::Null:
    case TypeKind::Void:
      if (!value.is(Node::Kind::Entity)) refuse_kind(path, "#", value);
      return;
    case TypeKind::Bool:
      if (!value.is(Node::Kind::Boolean)) refuse_kind(path, "bool", value);
      return;
    case TypeKind::Float:
    case TypeKind::Double: {
      if (!value.is(Node::Kind::Double)) refuse_kind(path, "double", value);
      const double number = value.as_double();
      if (type.is(TypeKind::Float) && !is_float_for(number)) refuse(path, float_fault(number));
      return;
    }
    case TypeKind::Yson:
      if (value.is(Node::Kind::Entity)) refuse(path, "expected yson, found #");
      return;
    case TypeKind::String:
    case TypeKind::Utf8:
    case TypeKind::Json:
    case TypeKind::Uuid:
    case TypeKind::TzDate:
    case TypeKind::TzDatetime:
    case TypeKind::TzTimestamp:
    case TypeKind::TzDate32:
    case TypeKind::TzDatetime64:
    case TypeKind::TzTimestamp64:
    case TypeKind::Decimal:
      validate_string(path, type, value);
      return;
    case TypeKind::Optional: {
      if (value.is(Node::Kind::Entity)) return;
      if (!is_nullable(type.item())) {
        validate_at(path, type.item(), value, tail);
        return;
      }
      const Node::List& items = expect_list(path, value, "# or a list of one value");
      if (items.size() != 1) {
        refuse(path, fmt::format("expected a list of one value, found one of {}", items.size()));
      }
      validate_at(path.item(0), type.item(), items[0], tail);
      return;
    }
    case TypeKind::List: {
      const Node::List& items = expect_list(path, value, "a list");
      for (size_t i = 0; i < items.size(); ++i)
        validate_at(path.item(i), type.item(), items[i], tail);
      return;
    }
    case TypeKind::Struct:
    case TypeKind::Tuple:
      validate_elements(path, type, value, tail);
      return;
    case TypeKind::Variant: {
      const Node::List& pair = expect_pair(path, value, "a list of alternative and value");
      size_t index = expect_index(path, pair[0], type.members().size());
      validate_at(path.alternative(std::to_string(index)), type.members()[index].type, pair[1],
                  tail);
      return;
    }
    case TypeKind::Dict:
      for (const Node& entry : expect_list(path, value, "a list of pairs")) {
        const Node::List& pair = expect_pair(path, entry, "a pair of key and value");
        validate_at(path.map_key(), type.key(), pair[0], tail);
        validate_at(path.map_value(), type.value(), pair[1], tail);
      }
      return;
    case TypeKind::Tagged:
      validate_at(path, type.item(), value, tail);
      return;
    case TypeKind::Int8:
    case TypeKind::Int16:
    case TypeKind::Int32:
    case TypeKind::Int64:
    case TypeKind::Uint8:
    case TypeKind::Uint16:
    case TypeKind::Uint32:
    case TypeKind::Uint64:
    case TypeKind::Date:
    case TypeKind::Datetime:
    case TypeKind::Timestamp:
    case TypeKind::Interval:
    case TypeKind::Date32:
    case TypeKind::Datetime64:
    case TypeKind::Timestamp64:
    case TypeKind::Interval64:
      validate_integral(path, type.kind(), value);
      return;
  }
}

/// Walks a value in one direction. Values that do not have the form of their type are left for
/// `validate_at` to refuse, except if a form must be read to continue.
class Converter {
 public:
  Converter(const ValueOptions& options, bool store) : options_(options), store_(store) {}

  Node convert(const Path& path, const Type& type, const Node& value) const {
    switch (type.kind()) {
      case TypeKind::Optional: {
        if (value.is(Node::Kind::Entity)) return value;
        if (!is_nullable(type.item())) return convert(path, type.item(), value);
        const Node::List& items = expect_list(path, value, "# or a list of one value");
        if (items.size() != 1) {
          refuse(path, fmt::format("expected a list of one value, found one of {}", items.size()));
        }
        return Node::list({convert(path, type.item(), items[0])});
      }
      case TypeKind::Tagged:
        return convert(path, type.item(), value);
      case TypeKind::List: {
        Node::List items;
        for (const Node& item : expect_list(path, value, "a list")) {
          items.push_back(convert(path.item(items.size()), type.item(), item));
        }
        return Node::list(std::move(items));
      }
      case TypeKind::Struct:
        if (options_.complex_type_mode == ComplexTypeMode::Named) {
          return store_ ? unname_struct(path, type, value) : name_struct(path, type, value);
        }
        return convert_elements(path, type, value);
      case TypeKind::Tuple:
        return convert_elements(path, type, value);
      case TypeKind::Variant:
        return convert_variant(path, type, value);
      case TypeKind::Dict:
        return convert_dict(path, type, value);
      case TypeKind::Decimal:
        if (options_.decimal_mode == DecimalMode::Binary) return value;
        return string(path, value, [&](const std::string& bytes) {
          return store_ ? decimal_from_text(bytes, type.precision(), type.scale())
                        : decimal_to_text(bytes, type.precision(), type.scale());
        });
      case TypeKind::Uuid:
        if (options_.uuid_mode == UuidMode::Binary) return value;
        return string(path, value, [&](const std::string& bytes) {
          if (options_.uuid_mode == UuidMode::TextYql) {
            return store_ ? uuid_from_yql(bytes) : uuid_to_yql(bytes);
          }
          return store_ ? uuid_from_yt(bytes) : uuid_to_yt(bytes);
        });
      case TypeKind::Date:
      case TypeKind::Datetime:
      case TypeKind::Timestamp:
        if (options_.time_mode == TimeMode::Binary) return value;
        return store_ ? read_time(path, type.kind(), value) : write_time(path, type.kind(), value);
      default:
        return value;
    }
  }

 private:
  template <typename Call>
  static Node string(const Path& path, const Node& value, const Call& call) {
    if (!value.is(Node::Kind::String)) refuse_kind(path, "string", value);
    return Node::string(at_path(path, [&] { return call(value.as_string()); }));
  }

  Node unname_struct(const Path& path, const Type& type, const Node& value) const {
    if (!value.is(Node::Kind::Map)) refuse_kind(path, "a map of the struct's fields", value);
    auto members = type.members();
    std::set<std::string> seen;
    for (const auto& [key, field] : value.as_map()) {
      bool known = false;
      for (const Member& member : members) known = known || member.name == key;
      if (!known) refuse(path, "expected a field of the struct, found " + xwalk::quoted(key));
      if (!seen.insert(key).second) {
        refuse(path.field(key), "expected field " + xwalk::quoted(key) + " once, found it twice");
      }
    }
    Node::List items;
    for (const Member& member : members) {
      const Node* field = value.find(member.name);
      if (field != nullptr) {
        items.push_back(convert(path.field(member.name), member.type, *field));
      } else if (is_nullable(member.type)) {
        items.push_back(Node());
      } else {
        refuse(path.field(member.name),
               "expected field " + xwalk::quoted(member.name) + ", found none");
      }
    }
    return Node::list(std::move(items));
  }

  Node name_struct(const Path& path, const Type& type, const Node& value) const {
    const Node::List& items = expect_list(path, value, "a list of the struct's fields");
    Node::Map fields;
    auto members = type.members();
    for (size_t i = 0; i < members.size(); ++i) {
      Node field = i < items.size()
                       ? convert(path.field(members[i].name), members[i].type, items[i])
                       : Node();
      bool absent = field.is(Node::Kind::Entity) && is_nullable(members[i].type);
      if (options_.skip_null_values && absent) continue;
      fields.emplace_back(members[i].name, std::move(field));
    }
    return Node::map(std::move(fields));
  }

  Node convert_elements(const Path& path, const Type& type, const Node& value) const {
    const Node::List& given =
        expect_list(path, value,
                    type.is(TypeKind::Struct) ? "a list of the struct's fields"
                                              : "a list of the tuple's elements");
    auto members = type.members();
    if (given.size() > members.size()) {
      refuse(path, fmt::format("expected {} values, found {}", members.size(), given.size()));
    }
    Node::List items;
    for (size_t i = 0; i < given.size(); ++i) {
      items.push_back(convert(member_path(path, type, i), members[i].type, given[i]));
    }
    return Node::list(std::move(items));
  }

  Node convert_variant(const Path& path, const Type& type, const Node& value) const {
    const Node::List& pair = expect_pair(path, value, "a list of alternative and value");
    auto members = type.members();
    bool named = type.is_named() && options_.complex_type_mode == ComplexTypeMode::Named;
    size_t index = 0;
    if (named && store_) {
      if (!pair[0].is(Node::Kind::String)) {
        refuse_kind(path, "the name of an alternative", pair[0]);
      }
      while (index < members.size() && members[index].name != pair[0].as_string()) ++index;
      if (index == members.size()) {
        refuse(path,
               "expected the name of an alternative, found " + xwalk::quoted(pair[0].as_string()));
      }
    } else {
      index = expect_index(path, pair[0], members.size());
    }
    Node tag = named && !store_ ? Node::string(members[index].name)
                                : Node::int64(static_cast<int64_t>(index));
    Path inner = path.alternative(named ? members[index].name : std::to_string(index));
    return Node::list({std::move(tag), convert(inner, members[index].type, pair[1])});
  }

  Node convert_dict(const Path& path, const Type& type, const Node& value) const {
    bool named =
        type.key().is(TypeKind::String) && options_.string_keyed_dict_mode == DictMode::Named;
    if (named && store_) {
      if (!value.is(Node::Kind::Map)) refuse_kind(path, "a map", value);
      Node::List pairs;
      for (const auto& [key, item] : value.as_map()) {
        pairs.push_back(
            Node::list({Node::string(key), convert(path.map_value(), type.value(), item)}));
      }
      return Node::list(std::move(pairs));
    }
    Node::List pairs;
    Node::Map entries;
    for (const Node& entry : expect_list(path, value, "a list of pairs")) {
      const Node::List& pair = expect_pair(path, entry, "a pair of key and value");
      Node key = convert(path.map_key(), type.key(), pair[0]);
      Node item = convert(path.map_value(), type.value(), pair[1]);
      if (named) {
        if (!key.is(Node::Kind::String)) refuse_kind(path.map_key(), "string", key);
        entries.emplace_back(key.as_string(), std::move(item));
      } else {
        pairs.push_back(Node::list({std::move(key), std::move(item)}));
      }
    }
    return named ? Node::map(std::move(entries)) : Node::list(std::move(pairs));
  }

  static Node read_time(const Path& path, TypeKind kind, const Node& value) {
    if (!value.is(Node::Kind::String)) refuse_kind(path, "string", value);
    const std::string& text = value.as_string();
    int64_t number = 0;
    bool read = false;
    if (kind == TypeKind::Date) {
      read = text.size() == 10 && hub::read_date(text, &number);
    } else if (kind == TypeKind::Datetime) {
      read = text.size() == 20 && hub::read_datetime(text, &number);
    } else {
      read = text.size() >= 20 && text.size() <= 27 && hub::read_timestamp(text, &number);
    }
    if (!read || number < 0) {
      refuse(path, fmt::format("expected {} from 1970 on in ISO 8601, found {}", kind_name(kind),
                               clipped(text)));
    }
    return Node::uint64(static_cast<uint64_t>(number));
  }

  static Node write_time(const Path& path, TypeKind kind, const Node& value) {
    if (!value.is(Node::Kind::Uint64)) refuse_kind(path, "uint64", value);
    auto number = static_cast<int64_t>(value.as_uint64());
    char text[hub::kTimeTextSize];
    char* end = kind == TypeKind::Date       ? hub::write_date(number, text)
                : kind == TypeKind::Datetime ? hub::write_datetime(number, text)
                                             : hub::write_timestamp(number, text);
    return Node::string(std::string(text, end));
  }

  const ValueOptions& options_;
  bool store_;
};

}  // namespace

void validate_value(const Type& type, const Node& stored) {
  validate_at(Path(), type, stored, Tail::Optional);
}

Node to_stored(const Type& type, const Node& value, const ValueOptions& options) {
  Node stored = Converter(options, true).convert(Path(), type, value);
  validate_value(type, stored);
  return stored;
}

Node from_stored(const Type& type, const Node& stored, const ValueOptions& options) {
  validate_at(Path(), type, stored, Tail::Nullable);
  return Converter(options, false).convert(Path(), type, stored);
}

}  // namespace xwalk::yt
