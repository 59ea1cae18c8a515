#include "xwalk/hub/type.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::hub {

struct Type::Parameters {
  TimeUnit unit = TimeUnit::Second;
  int precision = 0;
  int scale = 0;
  int32_t size = 0;
  bool flag = false;
  Kind index_kind = Kind::Int32;
  std::string zone;
  std::vector<Field> children;
  std::vector<int8_t> type_codes;

  /// All parameters except the children.
  auto own() const {
    return std::tie(unit, precision, scale, size, flag, index_kind, zone, type_codes);
  }
};

namespace {

const Type::Parameters kNoParameters;

Type make(Kind kind, Type::Parameters parameters) {
  return Type(kind, std::make_shared<const Type::Parameters>(std::move(parameters)));
}

/// Returns true if every row is at the index of its kind and no name is repeated.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kKindRows.size(); ++i) {
    if (static_cast<size_t>(kKindRows[i].kind) != i || kKindRows[i].name.empty()) return false;
    for (size_t j = 0; j < i; ++j) {
      if (kKindRows[j].name == kKindRows[i].name) return false;
    }
  }
  return kKindRows.back().kind == Kind::RunEndEncoded;
}
static_assert(rows_are_complete());

/// Compares what two children have, not how they are called.
bool holds_same(const Field& a, const Field& b) {
  return a.nullable == b.nullable && a.type == b.type && a.metadata == b.metadata;
}

/// Compares the entries of two maps.
bool same_entries(const Field& a, const Field& b) {
  return a.nullable == b.nullable && a.metadata == b.metadata &&
         std::ranges::equal(a.type.children(), b.type.children(), holds_same);
}

}  // namespace

Type::Type(Kind kind) : kind_(kind) {}

#define XWALK_PARAMETERS (parameters_ ? *parameters_ : kNoParameters)
TimeUnit Type::unit() const { return XWALK_PARAMETERS.unit; }
const std::string& Type::zone() const { return XWALK_PARAMETERS.zone; }
int Type::precision() const { return XWALK_PARAMETERS.precision; }
int Type::scale() const { return XWALK_PARAMETERS.scale; }
int32_t Type::size() const { return XWALK_PARAMETERS.size; }
std::span<const Field> Type::children() const { return XWALK_PARAMETERS.children; }
const Field& Type::child(size_t index) const { return XWALK_PARAMETERS.children.at(index); }
const Field& Type::key() const { return child(0).type.child(0); }
const Field& Type::value() const { return child(0).type.child(1); }
bool Type::flag() const { return XWALK_PARAMETERS.flag; }
Kind Type::index_kind() const { return XWALK_PARAMETERS.index_kind; }
std::span<const int8_t> Type::type_codes() const { return XWALK_PARAMETERS.type_codes; }
#undef XWALK_PARAMETERS

bool operator==(const Type& a, const Type& b) {
  if (a.kind_ != b.kind_) return false;
  if (a.parameters_ == b.parameters_) return true;
  const Type::Parameters& left = a.parameters_ ? *a.parameters_ : kNoParameters;
  const Type::Parameters& right = b.parameters_ ? *b.parameters_ : kNoParameters;
  if (left.own() != right.own()) return false;
  const Form form = kind_row(a.kind_).form;
  if (form == Form::Struct || form == Form::Union) return left.children == right.children;
  return std::ranges::equal(left.children, right.children,
                            form == Form::Map ? same_entries : holds_same);
}

std::optional<std::string_view> Metadata::find(std::string_view key) const {
  for (const auto& [name, value] : entries_) {
    if (name == key) return value;
  }
  return std::nullopt;
}

void Metadata::set(std::string_view key, std::string value) {
  for (auto& entry : entries_) {
    if (entry.first == key) {
      entry.second = std::move(value);
      return;
    }
  }
  entries_.emplace_back(key, std::move(value));
}

void Metadata::append(std::string key, std::string value) {
  entries_.emplace_back(std::move(key), std::move(value));
}

bool Metadata::erase(std::string_view key) {
  return std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; }) > 0;
}

bool operator==(const Metadata& a, const Metadata& b) {
  return a.size() == b.size() &&
         std::is_permutation(a.entries_.begin(), a.entries_.end(), b.entries_.begin());
}

std::string_view Field::extension_name() const {
  return metadata.find(kExtensionName).value_or(std::string_view());
}

std::string_view Field::extension_metadata() const {
  return metadata.find(kExtensionMetadata).value_or(std::string_view());
}

Type time32(TimeUnit unit) { return make(Kind::Time32, {.unit = unit}); }
Type time64(TimeUnit unit) { return make(Kind::Time64, {.unit = unit}); }
Type timestamp(TimeUnit unit, std::string zone) {
  return make(Kind::Timestamp, {.unit = unit, .zone = std::move(zone)});
}
Type duration(TimeUnit unit) { return make(Kind::Duration, {.unit = unit}); }

Type decimal(int bits, int precision, int scale) {
  Kind kind = bits == 32    ? Kind::Decimal32
              : bits == 64  ? Kind::Decimal64
              : bits == 128 ? Kind::Decimal128
                            : Kind::Decimal256;
  return make(kind, {.precision = precision, .scale = scale});
}

Type fixed_size_binary(int32_t bytes) { return make(Kind::FixedSizeBinary, {.size = bytes}); }
Type list(Field item, Kind kind) { return make(kind, {.children = {std::move(item)}}); }
Type fixed_size_list(Field item, int32_t size) {
  return make(Kind::FixedSizeList, {.size = size, .children = {std::move(item)}});
}
Type struct_(std::vector<Field> fields) {
  return make(Kind::Struct, {.children = std::move(fields)});
}
Type map(Field key, Field value, bool keys_sorted) {
  return map_of_entries(Field("entries", struct_({std::move(key), std::move(value)}), false),
                        keys_sorted);
}
Type map_of_entries(Field entries, bool keys_sorted) {
  return make(Kind::Map, {.flag = keys_sorted, .children = {std::move(entries)}});
}
Type union_(std::vector<Field> fields, Kind kind, std::vector<int8_t> type_codes) {
  if (type_codes.empty()) {
    for (size_t i = 0; i < fields.size(); ++i) type_codes.push_back(static_cast<int8_t>(i));
  }
  return make(kind, {.children = std::move(fields), .type_codes = std::move(type_codes)});
}
Type dictionary(Kind index, Type values, bool ordered) {
  return make(Kind::Dictionary,
              {.flag = ordered, .index_kind = index, .children = {Field("", std::move(values))}});
}
Type run_end_encoded(Kind run_end, Field values) {
  return make(Kind::RunEndEncoded,
              {.children = {Field("run_ends", Type(run_end), false), std::move(values)}});
}

Type with_children(const Type& type, std::vector<Field> children) {
  Type::Parameters parameters = type.parameters_ ? *type.parameters_ : kNoParameters;
  parameters.children = std::move(children);
  return make(type.kind(), std::move(parameters));
}

Field with_extension(Field field, std::string_view name, std::string_view metadata) {
  field.metadata.set(kExtensionName, std::string(name));
  if (metadata.empty()) {
    field.metadata.erase(kExtensionMetadata);
  } else {
    field.metadata.set(kExtensionMetadata, std::string(metadata));
  }
  return field;
}

std::string_view kind_name(Kind kind) { return kind_row(kind).name; }

std::string_view unit_name(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::Second:
      return "s";
    case TimeUnit::Milli:
      return "ms";
    case TimeUnit::Micro:
      return "us";
    case TimeUnit::Nano:
      return "ns";
  }
  return "";
}

std::string to_string(const Field& field) {
  bool plain = !field.name.empty() && std::all_of(field.name.begin(), field.name.end(), [](char c) {
    return is_ascii_alnum(c) || c == '_' || c == '$';
  });
  std::string extension(field.extension_name());
  return fmt::format("{}: {}{}{}", plain ? field.name : xwalk::quoted(field.name),
                     to_string(field.type), field.nullable ? "" : " not null",
                     extension.empty() ? "" : " [" + extension + "]");
}

std::string to_string(const Schema& schema) {
  std::string out;
  for (const Field& field : schema.fields) out += to_string(field) + "\n";
  return out;
}

std::string to_string(const Type& type) {
  std::string name(kind_name(type.kind()));
  auto children = [&] {
    std::vector<std::string> texts;
    for (const Field& child : type.children()) texts.push_back(to_string(child));
    return join(texts, ", ");
  };
  switch (kind_row(type.kind()).form) {
    case Form::Plain:
      return name;
    case Form::FixedSizeBinary:
      return fmt::format("{}[{}]", name, type.size());
    case Form::Unit:
      return fmt::format("{}[{}]", name, unit_name(type.unit()));
    case Form::Timestamp:
      return type.zone().empty()
                 ? fmt::format("{}[{}]", name, unit_name(type.unit()))
                 : fmt::format("{}[{}, tz={}]", name, unit_name(type.unit()), type.zone());
    case Form::Decimal:
      return fmt::format("{}({}, {})", name, type.precision(), type.scale());
    case Form::List:
    case Form::Struct:
      return fmt::format("{}<{}>", name, children());
    case Form::FixedSizeList:
      return fmt::format("{}<{}>[{}]", name, children(), type.size());
    case Form::Map:
      return fmt::format("{}<{}{}, {}{}{}>", name, to_string(type.key().type),
                         type.key().nullable ? " nullable" : "", to_string(type.value().type),
                         type.value().nullable ? "" : " not null",
                         type.flag() ? ", keys_sorted" : "");
    case Form::Union: {
      std::vector<std::string> texts;
      for (size_t i = 0; i < type.children().size(); ++i) {
        texts.push_back(
            fmt::format("{}={}", to_string(type.child(i)), static_cast<int>(type.type_codes()[i])));
      }
      return fmt::format("{}<{}>", name, join(texts, ", "));
    }
    case Form::Dictionary:
      return fmt::format("{}<values={}, indices={}, ordered={:d}>", name,
                         to_string(type.child().type), kind_name(type.index_kind()), type.flag());
    case Form::RunEndEncoded:
      return fmt::format("{}<run_ends={}, values={}{}>", name, to_string(type.child(0).type),
                         to_string(type.child(1).type), type.child(1).nullable ? "" : " not null");
  }
  return name;
}

std::optional<int> fixed_bits(const Type& type) {
  if (type.kind() == Kind::FixedSizeBinary) return type.size() * 8;
  int bits = kind_row(type.kind()).bits;
  return bits > 0 ? std::optional<int>(bits) : std::nullopt;
}

bool is_integer(Kind kind) { return kind >= Kind::Int8 && kind <= Kind::Uint64; }
bool is_signed_integer(Kind kind) { return kind >= Kind::Int8 && kind <= Kind::Int64; }
bool is_decimal(Kind kind) { return kind >= Kind::Decimal32 && kind <= Kind::Decimal256; }
bool is_utf8(Kind kind) { return kind >= Kind::Utf8 && kind <= Kind::Utf8View; }
bool is_binary(Kind kind) { return kind >= Kind::Binary && kind <= Kind::BinaryView; }
bool is_list(Kind kind) { return kind >= Kind::List && kind <= Kind::FixedSizeList; }

Field::Field(const Field&) = default;
Field::Field(Field&&) noexcept = default;
Field& Field::operator=(const Field&) = default;
Field& Field::operator=(Field&&) noexcept = default;
Field::~Field() = default;

}  // namespace xwalk::hub
