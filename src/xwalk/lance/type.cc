#include "xwalk/lance/type.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"

namespace xwalk::lance {
namespace {

/// Returns true if every row is at the index of its kind and no name is repeated.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kKindRows.size(); ++i) {
    if (static_cast<size_t>(kKindRows[i].kind) != i || kKindRows[i].name.empty()) return false;
    for (size_t j = 0; j < i; ++j) {
      if (kKindRows[j].name == kKindRows[i].name) return false;
    }
  }
  return kKindRows.back().kind == Kind::Json;
}
static_assert(rows_are_complete());

constexpr std::string_view kUnits[] = {"s", "ms", "us", "ns"};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

class Parser {
 public:
  explicit Parser(std::string_view whole) : cursor_(whole) {}

  LogicalType parse(std::string_view text, int depth) {
    cursor_.check_depth(depth);
    for (const KindRow& row : kKindRows) {
      bool whole = row.parameters == Parameters::None && row.kind != Kind::BFloat16;
      if (whole && row.name == text) return row.kind;
    }
    std::vector<std::string_view> parts = split(text);
    std::string_view head = parts[0];
    if (head == "decimal") return decimal(text, parts);
    if (head == "timestamp") {
      if (parts.size() < 3) fail(text, "expected timestamp:<unit>:<zone or ->");
      std::string_view zone = text.substr(parts[0].size() + parts[1].size() + 2);
      return LogicalType::timestamp(unit(parts[1]), zone == "-" ? "" : std::string(zone));
    }
    if (head == "duration" && parts.size() == 2)
      return LogicalType::in_units(Kind::Duration, unit(parts[1]));
    if (text == "time32:s" || text == "time32:ms")
      return LogicalType::in_units(Kind::Time32, unit(parts[1]));
    if (text == "time64:us" || text == "time64:ns")
      return LogicalType::in_units(Kind::Time64, unit(parts[1]));
    if (head == "fixed_size_binary" && parts.size() == 2) {
      return LogicalType::fixed_size_binary(
          static_cast<int32_t>(number(parts[1], INT32_MIN, INT32_MAX)));
    }
    if (head == "fixed_size_list" && parts.size() >= 3) return fixed_size_list(text, depth);
    if (head == "dict" && parts.size() == 4) {
      return LogicalType::dictionary(parse(parts[1], depth + 1), parse(parts[2], depth + 1));
    }
    fail(text, "expected a logical type");
  }

 private:
  [[noreturn]] void fail(std::string_view part, const std::string& expected) const {
    const auto at = static_cast<size_t>(part.data() - cursor_.text().data());
    cursor_.fail(at, part.size(), fmt::format("{}, found {}", expected, clipped(part)));
  }

  TimeUnit unit(std::string_view text) const {
    for (size_t i = 0; i < std::size(kUnits); ++i) {
      if (kUnits[i] == text) return static_cast<TimeUnit>(i);
    }
    fail(text, "expected a time unit of s, ms, us, ns");
  }

  int64_t number(std::string_view text, int64_t low, int64_t high) const {
    const bool plus = text.starts_with('+') && !text.starts_with("+-");
    const std::optional<int64_t> value = integer_of(plus ? text.substr(1) : text, low, high);
    if (!value) fail(text, fmt::format("expected an integer from {} to {}", low, high));
    return *value;
  }

  LogicalType decimal(std::string_view text, const std::vector<std::string_view>& parts) const {
    if (parts.size() != 4) fail(text, "expected decimal:<bits>:<precision>:<scale>");
    int64_t bits = number(parts[1], INT16_MIN, INT16_MAX);
    if (bits != 128 && bits != 256) fail(parts[1], "expected 128 or 256 bits of a decimal");
    return LogicalType::decimal(static_cast<int>(bits), static_cast<int>(number(parts[2], 0, 255)),
                                static_cast<int>(number(parts[3], -128, 127)));
  }

  /// The element's own string may hold ':': the last part is the size.
  LogicalType fixed_size_list(std::string_view text, int depth) {
    constexpr std::string_view kHead = "fixed_size_list:";
    size_t colon = text.rfind(':');
    auto size = static_cast<int32_t>(number(text.substr(colon + 1), INT32_MIN, INT32_MAX));
    std::string_view element = text.substr(kHead.size(), colon - kHead.size());
    if (element == kind_row(Kind::BFloat16).name)
      return LogicalType::fixed_size_list(Kind::BFloat16, size);
    LogicalType type = parse(element, depth + 1);
    if (kind_row(type.kind()).node == Node::Repeated) {
      fail(element, "expected an element with a fixed layout or struct");
    }
    return LogicalType::fixed_size_list(std::move(type), size);
  }

  TextCursor cursor_;
};

}  // namespace

LogicalType::LogicalType(Kind kind) : kind_(kind) {}

LogicalType LogicalType::decimal(int bits, int precision, int scale) {
  LogicalType type(Kind::Decimal);
  type.bits_ = static_cast<int16_t>(bits);
  type.precision_ = static_cast<int16_t>(precision);
  type.scale_ = static_cast<int16_t>(scale);
  return type;
}

LogicalType LogicalType::in_units(Kind kind, TimeUnit unit) {
  LogicalType type(kind);
  type.unit_ = unit;
  return type;
}

LogicalType LogicalType::timestamp(TimeUnit unit, std::string zone) {
  LogicalType type = in_units(Kind::Timestamp, unit);
  type.zone_ = std::move(zone);
  return type;
}

LogicalType LogicalType::fixed_size_binary(int32_t size) {
  LogicalType type(Kind::FixedSizeBinary);
  type.size_ = size;
  return type;
}

LogicalType LogicalType::fixed_size_list(LogicalType element, int32_t size) {
  LogicalType type(Kind::FixedSizeList);
  type.size_ = size;
  type.element_ = std::make_shared<const LogicalType>(std::move(element));
  return type;
}

LogicalType LogicalType::dictionary(LogicalType values, LogicalType index) {
  LogicalType type(Kind::Dictionary);
  type.element_ = std::make_shared<const LogicalType>(std::move(values));
  type.index_ = std::make_shared<const LogicalType>(std::move(index));
  return type;
}

bool operator==(const LogicalType& a, const LogicalType& b) {
  auto same = [](const auto& left, const auto& right) {
    return left == right || (left && right && *left == *right);
  };
  return a.kind_ == b.kind_ && a.unit_ == b.unit_ && a.bits_ == b.bits_ &&
         a.precision_ == b.precision_ && a.scale_ == b.scale_ && a.size_ == b.size_ &&
         a.zone_ == b.zone_ && same(a.element_, b.element_) && same(a.index_, b.index_);
}

LogicalType parse_logical_type(std::string_view text) { return Parser(text).parse(text, 0); }

std::string print_logical_type(const LogicalType& type) {
  std::string_view name = kind_row(type.kind()).name;
  std::string_view unit = kUnits[static_cast<int>(type.unit())];
  switch (kind_row(type.kind()).parameters) {
    case Parameters::None:
      break;
    case Parameters::Decimal:
      return fmt::format("{}:{}:{}:{}", name, type.bits(), type.precision(), type.scale());
    case Parameters::Unit:
      return fmt::format("{}:{}", name, unit);
    case Parameters::UnitAndZone:
      return fmt::format("{}:{}:{}", name, unit, type.zone().empty() ? "-" : type.zone());
    case Parameters::Size:
      return fmt::format("{}:{}", name, type.size());
    case Parameters::ElementAndSize:
      return fmt::format("{}:{}:{}", name, print_logical_type(type.element()), type.size());
    case Parameters::ValuesAndIndex:
      return fmt::format("{}:{}:{}:false", name, print_logical_type(type.element()),
                         print_logical_type(type.index()));
  }
  return std::string(name);
}

std::string beyond_specification(std::string_view text) {
  LogicalType type = parse_logical_type(text);
  if (type.kind() == Kind::Decimal && (type.scale() < 0 || type.scale() > type.precision())) {
    return fmt::format("a scale of {}, outside 0 to the precision {}", type.scale(),
                       type.precision());
  }
  std::string canonical = print_logical_type(type);
  if (canonical != text) return fmt::format("another spelling of {}", canonical);
  return "";
}

std::string_view node_kind(const LogicalType& type) {
  switch (kind_row(type.kind()).node) {
    case Node::Leaf:
      break;
    case Node::Parent:
      return "PARENT";
    case Node::Repeated:
      return "REPEATED";
  }
  return "LEAF";
}

Encoding default_encoding(const LogicalType& type) { return kind_row(type.kind()).encoding; }

void assign_ids(Schema* schema) {
  int32_t next = 0;
  std::function<void(std::vector<Field>&)> walk = [&](std::vector<Field>& fields) {
    for (Field& field : fields) {
      field.id = next++;
      walk(field.children);
    }
  };
  walk(schema->fields);
}

int32_t max_field_id(const Schema& schema) {
  int32_t highest = -1;
  std::function<void(const std::vector<Field>&)> walk = [&](const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      highest = std::max(highest, field.id);
      walk(field.children);
    }
  };
  walk(schema.fields);
  return highest;
}

bool is_own_column(std::string_view name) {
  return name == "_rowid" || name == "_rowaddr" || name == "_rowoffset" ||
         name == "_row_created_at_version" || name == "_row_last_updated_at_version";
}

}  // namespace xwalk::lance
