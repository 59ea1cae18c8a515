#include "xwalk/crosswalk/reader_rows_yt.h"

#include <algorithm>

#include "xwalk/crosswalk/reader_terms.h"

namespace xwalk::crosswalk {
namespace {

using hub::Effect;

namespace yt_table {

using yt::Type;
using Kind = yt::TypeKind;

bool beyond_38(const Type& type) { return type.precision() > 38; }
bool beyond_35(const Type& type) { return type.precision() > 35 && !beyond_38(type); }
bool beyond_35_digits(const Type& type) { return type.precision() > 35; }
bool holds_null(const Type& type) { return yt::is_nullable(type.item()); }
bool holds_container(const Type& type) {
  const Kind kind = yt::without_tags(type.item()).kind();
  return kind == Kind::List || kind == Kind::Dict;
}
bool holds_variant(const Type& type) {
  return yt::without_tags(type.item()).kind() == Kind::Variant;
}
bool is_named(const Type& type) {
  return !type.members().empty() && !type.members()[0].name.empty();
}
bool has_text(const Type& type) {
  return !is_named(type) && std::ranges::any_of(type.members(), [](const yt::Member& member) {
    return member.type.kind() == Kind::String || member.type.kind() == Kind::Utf8;
  });
}
bool has_no_text(const Type& type) { return !is_named(type) && !has_text(type); }
bool is_nested_or_any(const Type& type) {
  return type.item().composition() != yt::Composition::None || type.item().kind() == Kind::Yson;
}
/// Types that ClickHouse knows as columns, by their older name, and not within others.
bool is_column_only(const Type& type) {
  const Kind kind = type.kind() == Kind::Optional ? type.item().kind() : type.kind();
  return kind == Kind::Decimal || kind == Kind::Tagged;
}
bool has_such_item(const Type& type) { return is_column_only(type.item()); }
bool has_such_value(const Type& type) {
  return is_column_only(type.key()) || is_column_only(type.value());
}
bool has_such_member(const Type& type) {
  return std::ranges::any_of(type.members(),
                             [](const yt::Member& member) { return is_column_only(member.type); });
}

// The client's results are the Python values of its YSON rows. SPYT's are the types that its own
// classes derive from a schema, and those written back. How its jobs convert values was not run,
// because it takes a cluster. CHYT's are those of yt/chyt/server/yt_to_ch_column_converter.cpp.
// ClickHouse's function was run with a proxy that answers as the API of version 3 does.
constexpr TableRow kRows[] = {
    {kClient, Kind::String, nullptr, "str: where its bytes happen to be UTF-8; else a proxy"},
    {kClient, Kind::Json, nullptr, "str: text"},
    {kClient, Kind::Uuid, nullptr, "bytes: a proxy, or str where they happen to be UTF-8"},
    {kClient, Kind::Decimal, nullptr, "bytes: a proxy, or str where they happen to be UTF-8"},
    {kClient, Kind::Date, nullptr, "int: a number of days"},
    {kClient, Kind::Datetime, nullptr, "int: a number of seconds"},
    {kClient, Kind::Timestamp, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Interval, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Date32, nullptr, "int: a number of days"},
    {kClient, Kind::Datetime64, nullptr, "int: a number of seconds"},
    {kClient, Kind::Timestamp64, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Interval64, nullptr, "int: a number of microseconds"},
    {kClient, Kind::TzDate, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDatetime, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzTimestamp, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDate32, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDatetime64, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzTimestamp64, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::Optional, holds_null, "list: of the value, or of None"},
    {kClient, Kind::Tuple, nullptr, "list: of the elements"},
    {kClient, Kind::Variant, nullptr, "list: of the alternative and its value"},
    {kClient, Kind::Dict, nullptr, "list: of pairs"},

    {kSpyt, Kind::Uint8, nullptr, "smallint: written back as uint8"},
    {kSpyt, Kind::Uint16, nullptr, "int: written back as uint16"},
    {kSpyt, Kind::Uint32, nullptr, "bigint: written back as uint32"},
    {kSpyt, Kind::String, nullptr, "string: {} are shown as others", Effect::Altered, "", kNotUtf8},
    {kSpyt, Kind::Utf8, nullptr, "string: written back as string"},
    {kSpyt, Kind::Json, nullptr, "string: written back as json"},
    {kSpyt, Kind::Uuid, nullptr, "string: 16 bytes, written back as uuid"},
    {kSpyt, Kind::Interval, nullptr, "bigint: written back as int64"},
    {kSpyt, Kind::TzDate, nullptr, "refuses the table: tz_date"},
    {kSpyt, Kind::TzDatetime, nullptr, "refuses the table: tz_datetime"},
    {kSpyt, Kind::TzTimestamp, nullptr, "refuses the table: tz_timestamp"},
    {kSpyt, Kind::TzDate32, nullptr, "refuses the table: tz_date32"},
    {kSpyt, Kind::TzDatetime64, nullptr, "refuses the table: tz_datetime64"},
    {kSpyt, Kind::TzTimestamp64, nullptr, "refuses the table: tz_timestamp64"},
    {kSpyt, Kind::Void, nullptr, "void: written back as null"},
    {kSpyt, Kind::Decimal, beyond_35, "decimal: written back with 35 digits and a smaller scale"},
    {kSpyt, Kind::Decimal, beyond_38, "refuses the table: more than 38 digits"},
    {kSpyt, Kind::Optional, holds_null, "one optional: written back as one"},
    {kSpyt, Kind::Tuple, nullptr, "struct: _1, _2, written back as tuple"},
    {kSpyt, Kind::Variant, nullptr,
     "struct: a member for each alternative, written back as variant"},

    {kChyt, Kind::Utf8, nullptr, "String: bytes"},
    {kChyt, Kind::Json, nullptr, "String: text"},
    {kChyt, Kind::Yson, nullptr, "String: YSON"},
    {kChyt, Kind::Uuid, nullptr, "refuses the table: uuid"},
    {kChyt, Kind::Optional, holds_null, "one Nullable: null and a null within are one"},
    {kChyt, Kind::Optional, holds_container, "an empty one for {}", Effect::Altered, "", kNulls},
    {kChyt, Kind::Variant, nullptr, "String: YSON"},
    {kChyt, Kind::Tagged, nullptr, "String: YSON"},

    {kYtsaurusOf, Kind::Json, nullptr, "refuses the table: text of JSON"},
    {kYtsaurusOf, Kind::Yson, nullptr, "String: JSON, in which text has no quotes",
     Effect::Altered},
    {kYtsaurusOf, Kind::Date32, nullptr, "Date: {} become others or are an error", Effect::Altered,
     "", kDaysBeyondShort},
    {kYtsaurusOf, Kind::Datetime64, nullptr, "DateTime64: {} are shown as the nearest",
     Effect::Altered, "", kFarTimes},
    {kYtsaurusOf, Kind::Timestamp64, nullptr, "DateTime64: {} are shown as the nearest",
     Effect::Altered, "", kFarTimes},
    {kYtsaurusOf, Kind::Interval, nullptr, "Int64: a number of microseconds"},
    {kYtsaurusOf, Kind::Interval64, nullptr, "Int64: a number of microseconds"},
    {kYtsaurusOf, Kind::TzDate, nullptr, "refuses the table: tz_date"},
    {kYtsaurusOf, Kind::TzDatetime, nullptr, "refuses the table: tz_datetime"},
    {kYtsaurusOf, Kind::TzTimestamp, nullptr, "refuses the table: tz_timestamp"},
    {kYtsaurusOf, Kind::TzDate32, nullptr, "refuses the table: tz_date32"},
    {kYtsaurusOf, Kind::TzDatetime64, nullptr, "refuses the table: tz_datetime64"},
    {kYtsaurusOf, Kind::TzTimestamp64, nullptr, "refuses the table: tz_timestamp64"},
    {kYtsaurusOf, Kind::Null, nullptr, "refuses the table: null"},
    {kYtsaurusOf, Kind::Void, nullptr, "refuses the table: void"},
    {kYtsaurusOf, Kind::Decimal, nullptr, "String: the stored bytes"},
    {kYtsaurusOf, Kind::Optional, holds_null, "refuses the table: an optional of an optional"},
    {kYtsaurusOf, Kind::Optional, holds_container, "refuses the table: an optional list or dict"},
    {kYtsaurusOf, Kind::Optional, holds_variant, "refuses the table: an optional variant"},
    {kYtsaurusOf, Kind::List, has_such_item, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Dict, has_such_value, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Struct, has_such_member, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Tuple, has_such_member, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Variant, is_named, "refuses the table: a variant with names"},
    {kYtsaurusOf, Kind::Variant, has_text, "Variant: the text of a pair"},
    {kYtsaurusOf, Kind::Variant, has_no_text, "refuses the table: a variant without text"},
    {kYtsaurusOf, Kind::Tagged, is_nested_or_any, "refuses the table: tagged"},

    // Its Skiff.
    {kJavaClient, Kind::Float, nullptr, "refuses the table: float"},
    {kJavaClient, Kind::Json, nullptr, "refuses the table: json"},
    {kJavaClient, Kind::Date, nullptr, "refuses the table: date"},
    {kJavaClient, Kind::Datetime, nullptr, "refuses the table: datetime"},
    {kJavaClient, Kind::Interval, nullptr, "refuses the table: interval"},
    {kJavaClient, Kind::Date32, nullptr, "refuses the table: date32"},
    {kJavaClient, Kind::Datetime64, nullptr, "refuses the table: datetime64"},
    {kJavaClient, Kind::Timestamp64, nullptr, "refuses the table: timestamp64"},
    {kJavaClient, Kind::Interval64, nullptr, "refuses the table: interval64"},
    {kJavaClient, Kind::TzDate, nullptr, "refuses the table: tz_date"},
    {kJavaClient, Kind::TzDatetime, nullptr, "refuses the table: tz_datetime"},
    {kJavaClient, Kind::TzTimestamp, nullptr, "refuses the table: tz_timestamp"},
    {kJavaClient, Kind::TzDate32, nullptr, "refuses the table: tz_date32"},
    {kJavaClient, Kind::TzDatetime64, nullptr, "refuses the table: tz_datetime64"},
    {kJavaClient, Kind::TzTimestamp64, nullptr, "refuses the table: tz_timestamp64"},
    {kJavaClient, Kind::Null, nullptr, "refuses the table: null"},
    {kJavaClient, Kind::Void, nullptr, "refuses the table: void"},
    {kJavaClient, Kind::Decimal, beyond_35_digits, "refuses the table: more than 35 digits"},
    {kJavaClient, Kind::Tuple, nullptr, "refuses the table: a tuple"},
    {kJavaClient, Kind::Variant, nullptr, "refuses the table: a variant"},
    {kJavaClient, Kind::Tagged, nullptr, "refuses the table: tagged"},
};

}  // namespace yt_table

}  // namespace

std::span<const TableRow> table_rows() { return yt_table::kRows; }

}  // namespace xwalk::crosswalk
