#include <optional>
#include <random>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::yt {
namespace {

TEST(Decimal, SpecificationExamples) {
  // Decimal(5, 4) of 3.1415 and -2.7182.
  EXPECT_EQ(to_hex(decimal_from_text("3.1415", 5, 4)), "80007ab7");
  EXPECT_EQ(to_hex(decimal_from_text("-2.7182", 5, 4)), "7fff95d2");
  EXPECT_EQ(to_hex(decimal_from_text("nan", 5, 4)), "ffffffff");
  EXPECT_EQ(to_hex(decimal_from_text("+inf", 5, 4)), "fffffffe");
  EXPECT_EQ(to_hex(decimal_from_text("-inf", 5, 4)), "00000002");
}

TEST(Decimal, LivingSystemReadsLeadingZerosStrictly) {
  EXPECT_EQ(decimal_to_text(decimal_from_text(".50", 2, 2), 2, 2), "0.50");
  EXPECT_THROW(decimal_from_text("0.50", 2, 2), Error);
  int32_t value = 0;
  EXPECT_EQ(DecimalCodec<int32_t>::read_text("0.50", 2, 2, &value, true), DecimalText::Ok);
  EXPECT_EQ(value, 50);
  EXPECT_EQ(DecimalCodec<int32_t>::read_text("-000.5", 2, 2, &value, true), DecimalText::Ok);
  EXPECT_EQ(value, -50);
  EXPECT_EQ(DecimalCodec<int32_t>::read_text("0", 2, 2, &value, true),
            DecimalText::TooManyIntegerDigits);
}

TEST(Decimal, RandomValuesGoBothWays) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 5000; ++round) {
    int precision = 1 + static_cast<int>(random() % 76);
    int scale = static_cast<int>(random() % static_cast<uint64_t>(precision + 1));
    std::string digits;
    int count = 1 + static_cast<int>(random() % static_cast<uint64_t>(precision));
    for (int i = 0; i < count; ++i) digits += static_cast<char>('0' + random() % 10);
    Int256 value;
    ASSERT_TRUE(parse_decimal_text(digits, &value));
    if (random() % 2 == 0) value = -value;
    std::string bytes = with_decimal_codec(precision, [&]<typename Int>(DecimalCodec<Int> codec) {
      Int narrow;
      if constexpr (std::is_same_v<Int, Int256>) {
        narrow = value;
      } else {
        narrow = static_cast<Int>(value.low128());
      }
      std::string out(codec.kSize, '\0');
      codec.store(narrow, out.data());
      EXPECT_TRUE(codec.load(out.data()) == narrow);
      std::array<char, kDecimalTextSize> text;
      char* end = codec.write_text(narrow, scale, text.data());
      Int again{};
      EXPECT_EQ(codec.read_text({text.data(), static_cast<size_t>(end - text.data())}, precision,
                                scale, &again, true),
                DecimalText::Ok);
      EXPECT_TRUE(again == narrow);
      return out;
    });
    EXPECT_EQ(bytes.size(), static_cast<size_t>(decimal_size(precision)));
    check_decimal(bytes, precision, scale);
  }
}

TEST(Decimal, RefusesBytesOutsideOfThePrecision) {
  EXPECT_NO_THROW(check_decimal(from_hex("800003e7"), 3, 2));
  EXPECT_THROW(check_decimal(from_hex("800003e8"), 3, 2), Error);
  EXPECT_THROW(check_decimal(from_hex("00000000"), 3, 2), Error);  // INT_MIN
  EXPECT_THROW(check_decimal(from_hex("00000001"), 3, 2), Error);  // -INT_MAX
  EXPECT_THROW(check_decimal("", 3, 2), Error);
  EXPECT_THROW(decimal_from_text(std::string(100000, '9'), 76, 0), Error);
  EXPECT_THROW(decimal_from_text("", 3, 2), Error);
}

TEST(Uuid, OrdersAndTexts) {
  std::string bytes = "abcdefghijklmnop";
  EXPECT_EQ(uuid_to_yt(bytes), "61626364-65666768-696a6b6c-6d6e6f70");
  EXPECT_EQ(uuid_to_yql(bytes), "64636261-6665-6867-696a-6b6c6d6e6f70");
  std::string rfc(16, '\0');
  exchange_uuid_order(bytes.data(), rfc.data());
  EXPECT_EQ(to_hex(rfc), "6463626166656867696a6b6c6d6e6f70");
  std::string back(16, '\0');
  exchange_uuid_order(rfc.data(), back.data());
  EXPECT_EQ(back, bytes);
  std::mt19937_64 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string value;
    for (int i = 0; i < 16; ++i) value += static_cast<char>(random() % 3 == 0 ? 0 : random());
    EXPECT_EQ(uuid_from_yt(uuid_to_yt(value)), value);
    EXPECT_EQ(uuid_from_yql(uuid_to_yql(value)), value);
  }
}

TEST(Uuid, RefusesOtherText) {
  for (const char* text : {"", "1-2-3", "1-2-3-4-5", "1--3-4", "-1-2-3", "1-2-3-", "1-2-3-g",
                           "100000000-0-0-0", "1-2-3-4 "}) {
    EXPECT_THROW(uuid_from_yt(text), Error) << text;
  }
  for (const char* text :
       {"", "64636261-6665-6867-696a-6b6c6d6e6f7", "64636261-6665-6867-696a-6b6c6d6e6f7g",
        "64636261+6665-6867-696a-6b6c6d6e6f70", "646362616665-6867-696a-6b6c6d6e6f7000"}) {
    EXPECT_THROW(uuid_from_yql(text), Error) << text;
  }
  EXPECT_NO_THROW(uuid_from_yql("64636261-6665-6867-696A-6B6C6D6E6F70"));
  EXPECT_THROW(uuid_to_yt("short"), Error);
}

TEST(Tz, SpecificationExample) {
  TzValue value{1735678800, "Europe/Moscow"};
  std::string bytes = tz_to_bytes(TypeKind::TzDatetime64, value);
  EXPECT_EQ(to_hex(bytes), "8000000067745b50" + to_hex("Europe/Moscow"));
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDatetime64, bytes), value);
}

TEST(Tz, EveryTypeAtBothEndsSortsAsItsInstant) {
  for (TypeKind kind : {TypeKind::TzDate, TypeKind::TzDatetime, TypeKind::TzTimestamp,
                        TypeKind::TzDate32, TypeKind::TzDatetime64, TypeKind::TzTimestamp64}) {
    IntegerRange range = integer_range(kind);
    auto max = static_cast<int64_t>(range.max);
    std::string before;
    for (int64_t instant : {range.min, int64_t{0}, max}) {
      TzValue value{instant, "UTC"};
      std::string bytes = tz_to_bytes(kind, value);
      EXPECT_EQ(bytes.size(), tz_integer_size(kind) + 3);
      EXPECT_EQ(tz_from_bytes(kind, bytes), value);
      EXPECT_LE(before, bytes);
      before = bytes;
    }
    EXPECT_THROW(tz_to_bytes(kind, {max + 1, "UTC"}), Error);
    EXPECT_THROW(tz_to_bytes(kind, {range.min - 1, "UTC"}), Error);
  }
}

TEST(Tz, EveryNumberHasOneName) {
  // Names that IANA has no more, or never had: US/Pacific-New, localtime, posixrules.
  const std::set<int> nobodys = {586, 593, 594};
  std::set<std::string_view> seen;
  for (int number = 0; number < 600; ++number) {
    const std::string_view name = zone_of_number(static_cast<uint16_t>(number));
    EXPECT_EQ(name.empty(), nobodys.contains(number)) << number;
    if (name.empty()) continue;
    EXPECT_TRUE(is_zone_name(name)) << name;
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_EQ(number_of_zone(name), number);
  }
  EXPECT_EQ(zone_of_number(600), "");
  // The two forms are distinguished by their length: no name of two bytes is a number.
  for (const std::string_view name : zone_names()) {
    if (name.size() != 2) continue;
    EXPECT_EQ(zone_of_number(load_big_endian<uint16_t>(name.data())), "");
  }
}

TEST(Tz, Refuses) {
  std::string date = from_hex("002a");
  struct Case {
    std::string bytes;
    ErrorCode code;
  };
  for (const Case& c : std::vector<Case>{{"", ErrorCode::Input},
                                         {date, ErrorCode::Input},
                                         {date + "europe/moscow", ErrorCode::Input},
                                         {date + "Moon/Base", ErrorCode::Input},
                                         {date + from_hex("0252"), ErrorCode::Input},
                                         {date + from_hex("0258"), ErrorCode::Input},
                                         {from_hex("ffff") + "UTC", ErrorCode::Input}}) {
    try {
      tz_from_bytes(TypeKind::TzDate, c.bytes);
      ADD_FAILURE() << to_hex(c.bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), c.code) << error.message();
    }
  }
  // Two bytes are the number of a zone, unless they are a name.
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + from_hex("0000")).zone, "GMT");
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + from_hex("0001")).zone, "Europe/Moscow");
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + from_hex("024c")).zone, "UTC");
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + from_hex("0257")).zone, "Pacific/Kanton");
  EXPECT_EQ(number_of_zone("UTC"), 588);
  EXPECT_EQ(number_of_zone("Pacific/Kanton"), 599);
  EXPECT_EQ(number_of_zone("America/Coyhaique"), std::nullopt);
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + "GB").zone, "GB");
  EXPECT_EQ(tz_from_bytes(TypeKind::TzDate, date + "NZ").zone, "NZ");
  EXPECT_THROW(tz_from_bytes(TypeKind::TzTimestamp, std::string(8, '\xff') + "UTC"), Error);
}

}  // namespace
}  // namespace xwalk::yt
