#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>

#include "xwalk/base/text.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/json_shape_internal.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {
namespace {

std::string key_token(std::string_view name) {
  std::string token(yson::max_binary_string_bytes(name.size()) + 1, '\0');
  char* end = yson::write_binary_string(token.data(), name);
  *end++ = '=';
  token.resize(static_cast<size_t>(end - token.data()));
  return token;
}

class Compiler {
 public:
  Compiler(const ValueOptions& options, size_t* count) : options_(options), count_(*count) {}

  JsonShape row(const TableSchema& table) {
    JsonShape shape;
    shape.kind = JsonKind::Fields;
    for (const ColumnSchema& column : table.columns) {
      add(column.name, of(column.type), &shape);
    }
    return index(std::move(shape));
  }

 private:
  JsonShape of(const Type& tagged) {
    const Type& type = without_tags(tagged);
    switch (type.composition()) {
      case Composition::None:
      case Composition::Tagged:
        return scalar(type);
      case Composition::Optional:
        if (!is_nullable(type.item())) return of(type.item());
        return around(JsonKind::Box, {&type.item()});
      case Composition::List:
        return around(JsonKind::List, {&type.item()});
      case Composition::Struct:
      case Composition::Tuple:
        return fields(type.members(), JsonKind::Fields);
      case Composition::Variant: {
        JsonShape shape = fields(type.members(), JsonKind::Variant);
        shape.by_number =
            !type.is_named() || options_.complex_type_mode == ComplexTypeMode::Positional;
        return shape;
      }
      case Composition::Dict:
        return around(JsonKind::Dict, {&type.key(), &type.value()});
    }
    return {};
  }

  JsonShape fields(std::span<const Member> members, JsonKind kind) {
    JsonShape shape;
    shape.kind = kind;
    for (const Member& member : members) add(member.name, of(member.type), &shape);
    return index(std::move(shape));
  }

  JsonShape around(JsonKind kind, std::initializer_list<const Type*> inner) {
    JsonShape shape;
    shape.kind = kind;
    for (const Type* type : inner) {
      shape.entries.push_back({"", KeyForm(), KeyForm(), std::make_unique<JsonShape>(of(*type))});
    }
    return shape;
  }

  void add(const std::string& name, JsonShape its, JsonShape* shape) const {
    shape->entries.push_back({name, KeyForm(key_token(name)), json_key(name, options_.json),
                              std::make_unique<JsonShape>(std::move(its))});
  }

  JsonShape index(JsonShape shape) {
    std::vector<std::string> names;
    for (size_t i = 0; i < shape.entries.size(); ++i) {
      names.push_back(shape.entries[i].name);
      shape.by_name[shape.entries[i].name] = i;
    }
    shape.distinct = shape.by_name.size() == names.size();
    if (shape.distinct) shape.names = KeyTable(names);
    shape.first = static_cast<uint32_t>(count_);
    count_ += names.size() + 1;
    return shape;
  }

  static JsonShape scalar(const Type& type) {
    JsonShape shape;
    switch (type.content()) {
      case Content::Boolean:
        shape.kind = JsonKind::Boolean;
        break;
      case Content::Signed:
        shape.kind = JsonKind::Signed;
        break;
      case Content::Unsigned:
        shape.kind = JsonKind::Unsigned;
        break;
      case Content::Real:
        shape.kind = JsonKind::Real;
        shape.bits = type.is(TypeKind::Float) ? kFloatBits : kDoubleBits;
        break;
      case Content::Null:
      case Content::Bytes:
      case Content::Utf8:
      case Content::Json:
      case Content::Yson:
      case Content::Uuid:
      case Content::Zoned:
      case Content::Decimal:
      case Content::Compound:
        break;
    }
    return shape;
  }

  const ValueOptions& options_;
  size_t& count_;
};

}  // namespace

KeyForm json_key(const std::string& name, const JsonForm& form) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
  };
  const bool ascii = std::ranges::all_of(name, [](char c) { return (c & 0x80) == 0; });
  const bool as_it_is = std::ranges::all_of(name, plain) &&
                        (ascii || (!form.encode_utf8 && is_valid_utf8(name))) &&
                        (form.plain || !name.starts_with('$'));
  // One longer than the window never matches.
  return KeyForm(as_it_is ? '"' + name + "\":" : std::string(KeyForm::kWindow + 1, '"'));
}

const JsonEntry* JsonShape::alternative(std::string_view token, std::string_view written) const {
  size_t index = entries.size();
  if (!by_number && written.starts_with(yson::marker::kString)) {
    const char* at = written.data() + 1;
    std::string_view name;
    if (yson::read_binary_string(at, written.data() + written.size(), name) == yson::Status::Ok) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) index = found->second;
    }
  } else {
    token = trimmed_json(token);
    const bool quoted = token.size() > 1 && token.front() == '"';
    if (quoted) token = token.substr(1, token.size() - 2);
    size_t number = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, failed] = std::from_chars(token.data(), end, number);
    if (failed == std::errc() && stop == end) index = number;
  }
  return index < entries.size() ? &entries[index] : nullptr;
}

JsonShape compile_json(const TableSchema* table, const ValueOptions& options, size_t* count) {
  *count = 0;
  if (table != nullptr) return Compiler(options, count).row(*table);
  JsonShape shape;
  shape.kind = JsonKind::Fields;
  *count = 1;
  return shape;
}

const JsonShape& any_json() {
  static const JsonShape kAnyShape;
  return kAnyShape;
}

const JsonShape& signed_json() {
  static const JsonShape kSigned = [] {
    JsonShape shape;
    shape.kind = JsonKind::Signed;
    return shape;
  }();
  return kSigned;
}

std::optional<double> special_number(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  return std::nullopt;
}

std::string_view trimmed_json(std::string_view token) {
  const size_t end = token.find_last_not_of(" \t\r\n");
  return token.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

bool is_json_number(std::string_view text) {
  const auto take_digits = [&] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const size_t before = take_digits();
  if (before == 0 || (zero && before > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace xwalk::yt
