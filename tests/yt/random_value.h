#pragma once

#include <array>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "xwalk/base/wide_integer.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/type.h"
#include "xwalk/yt/tz.h"

namespace xwalk::yt::testing {

/// Makes values of any type in the stored form (positional, everything binary), the ends of every
/// range often among them; the same ones for the same seed.
class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t count) { return random_() % count; }

  std::string text() {
    static const std::vector<std::string> kTexts = {
        "",
        "a",
        "quo\"te\\",
        "line\nend\r\t",
        "имя",
        "\x01\x02;{[<",
        "true",
        "#",
        "a b",
        std::string("\0x7f", 4),
        "0123456789abcdefghijklmnopqrstuvwxyz and more than thirty-two"};
    return kTexts[below(kTexts.size())];
  }

  yson::Node value(const Type& type) {
    using yson::Node;
    switch (type.kind()) {
      case TypeKind::Null:
      case TypeKind::Void:
        return {};
      case TypeKind::Bool:
        return Node::boolean(below(2) == 0);
      case TypeKind::Float:
        return Node::real(static_cast<double>(static_cast<float>(real())));
      case TypeKind::Double:
        return Node::real(real());
      case TypeKind::String:
        return Node::string(below(4) == 0 ? "\xFF\xFE\x80" : text());
      case TypeKind::Utf8:
        return Node::string(text());
      case TypeKind::Json:
        return Node::string(below(2) == 0 ? "{\"a\": [1, null]}" : "\"x\"");
      case TypeKind::Yson:
        return any(2);
      case TypeKind::Uuid: {
        std::string bytes(16, '\0');
        for (char& c : bytes) c = below(3) == 0 ? '\0' : static_cast<char>(random_());
        return Node::string(bytes);
      }
      case TypeKind::TzDate:
      case TypeKind::TzDatetime:
      case TypeKind::TzTimestamp:
      case TypeKind::TzDate32:
      case TypeKind::TzDatetime64:
      case TypeKind::TzTimestamp64: {
        static const std::array<const char*, 3> kZones = {"Europe/Moscow", "GMT", "Asia/Tokyo"};
        return Node::string(tz_to_bytes(
            type.kind(), {integer(integer_range(tz_instant(type.kind()))), kZones[below(3)]}));
      }
      case TypeKind::Decimal: {
        Int256 most(0);
        for (int i = 0; i < type.precision(); ++i) most = times_ten(most, 9);
        std::string digits = to_decimal_text(most);
        digits.resize(1 + below(digits.size()));
        std::string whole(static_cast<size_t>(type.precision()), '0');
        whole.replace(whole.size() - digits.size(), digits.size(), digits);
        size_t point = whole.size() - static_cast<size_t>(type.scale());
        std::string written = whole.substr(0, point) + "." + whole.substr(point);
        return Node::string(decimal_from_text((below(2) == 0 ? "-" : "") + written,
                                              type.precision(), type.scale()));
      }
      case TypeKind::Optional:
        // An outer level with a value is in brackets if the inner one may be null.
        if (below(4) == 0) return {};
        if (is_nullable(type.item())) return Node::list({value(type.item())});
        return value(type.item());
      case TypeKind::Tagged:
        return value(type.item());
      case TypeKind::List: {
        Node::List items;
        for (uint64_t i = below(4); i > 0; --i) items.push_back(value(type.item()));
        return Node::list(std::move(items));
      }
      case TypeKind::Dict: {
        Node::List pairs;
        for (uint64_t i = below(4); i > 0; --i) {
          pairs.push_back(Node::list({value(type.key()), value(type.value())}));
        }
        return Node::list(std::move(pairs));
      }
      case TypeKind::Struct:
      case TypeKind::Tuple: {
        Node::List items;
        for (const Member& member : type.members()) items.push_back(value(member.type));
        return Node::list(std::move(items));
      }
      case TypeKind::Variant: {
        size_t index = below(type.members().size());
        return Node::list(
            {Node::int64(static_cast<int64_t>(index)), value(type.members()[index].type)});
      }
      default: {
        int64_t number = integer(integer_range(type.kind()));
        return is_unsigned(type.kind()) ? Node::uint64(static_cast<uint64_t>(number))
                                        : Node::int64(number);
      }
    }
  }

  /// Any YSON without attributes at its top.
  yson::Node any(int depth) {
    using yson::Node;
    switch (below(depth == 0 ? 5 : 7)) {
      case 0:
        return Node::boolean(true);
      case 1:
        return Node::int64(-7);
      case 2:
        return Node::uint64(7);
      case 3:
        return Node::real(real());
      case 4:
        return Node::string(text());
      case 5:
        return Node::list({any(depth - 1), Node()});
      default:
        return Node::map({{"k", any(depth - 1)}, {"l", Node()}});
    }
  }

 private:
  static Int256 times_ten(const Int256& value, int digit) {
    Int256 out;
    parse_decimal_text(to_decimal_text(value) + std::to_string(digit), &out);
    return out;
  }

  double real() {
    static const std::array<double, 8> kReals = {0.0,
                                                 -0.0,
                                                 1.5,
                                                 0.1,
                                                 -3.4028234663852886e38,
                                                 std::numeric_limits<double>::infinity(),
                                                 std::numeric_limits<double>::quiet_NaN(),
                                                 1e-11};
    return kReals[below(kReals.size())];
  }

  int64_t integer(const IntegerRange& range) {
    auto least = static_cast<uint64_t>(range.min);
    uint64_t span = range.max - least;
    switch (below(4)) {
      case 0:
        return range.min;
      case 1:
        return static_cast<int64_t>(range.max);
      case 2:
        return static_cast<int64_t>(least + (span == UINT64_MAX ? random_() : below(span + 1)));
      default:
        return static_cast<int64_t>(least + std::min<uint64_t>(span, below(100)));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace xwalk::yt::testing
