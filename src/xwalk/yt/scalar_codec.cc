#include "xwalk/yt/scalar_codec.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::yt {
namespace {

static_assert(kDecimalTextSize <= kMaxScalarBytes && hub::kTimeTextSize <= kMaxScalarBytes);

/// The result of reading a string. Special is nan or an infinity, which Arrow's decimals do not
/// have.
enum class Reading : uint8_t { Value, Special, Refused };

/// An Arrow value: bytes, or a timestamp and the name of its zone, or a text.
struct ScalarValue {
  std::array<char, 32> fixed;
  int64_t instant = 0;
  std::string_view text;
};

/// One for each thread, since decoders of one program run in several.
ZoneNames* zone_names() {
  static_assert(std::is_trivially_destructible_v<ZoneNames>);
  thread_local constinit ZoneNames names;
  return &names;
}

bool is_ascii(std::string_view bytes) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  uint64_t high = 0;
  for (; end - p >= 8; p += 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    high |= word;
  }
  for (; p < end; ++p) high |= static_cast<uint64_t>(static_cast<unsigned char>(*p));
  return (high & 0x8080808080808080u) == 0;
}

/// Stores an integer in the width of the Arrow decimal, which may be wider.
template <typename Int>
void store_arrow(const Int& value, int width, char* out) {
  if constexpr (!std::is_same_v<Int, Int256>) {
    if (width == 16) {
      store_little_endian(static_cast<Int128>(value), out);
      return;
    }
    store_little_endian(Int256(static_cast<Int128>(value)), out);
  } else {
    store_little_endian(value, out);
  }
}

template <typename Int>
Int load_arrow(int width, const char* bytes, bool* fits) {
  Int256 wide = width == 16 ? Int256(load_little_endian_128(bytes)) : load_little_endian_256(bytes);
  if constexpr (std::is_same_v<Int, Int256>) {
    *fits = true;
    return wide;
  } else {
    Int128 low = wide.low128();
    auto value = static_cast<Int>(low);
    *fits = wide.fits_int128() && static_cast<Int128>(value) == low;
    return value;
  }
}

template <typename Int>
Reading take_decimal(const ScalarCodec& codec, const Int& value, ScalarValue* out) {
  using Codec = DecimalCodec<Int>;
  switch (Codec::classify(value, Codec::bound(codec.precision))) {
    case DecimalClass::Finite:
      store_arrow(value, codec.width, out->fixed.data());
      return Reading::Value;
    case DecimalClass::Nan:
    case DecimalClass::Infinity:
    case DecimalClass::MinusInfinity:
      if (!codec.keeps_specials()) return Reading::Special;
      store_arrow(value, codec.width, out->fixed.data());
      return Reading::Value;
    case DecimalClass::OutOfRange:
      break;
  }
  return Reading::Refused;
}

template <typename Codec, typename Int>
DecimalText read_decimal_text(const ScalarCodec& codec, std::string_view text, Int* value) {
  DecimalText result = Codec::read_text(text, codec.precision, codec.scale, value);
  // YTsaurus prints decimal(p, p) values that it cannot read back. xwalk reads them.
  if (result == DecimalText::TooManyIntegerDigits && codec.precision == codec.scale) {
    result = Codec::read_text(text, codec.precision, codec.scale, value, true);
  }
  return result;
}

Reading read_decimal(const ScalarCodec& codec, std::string_view bytes, ScalarValue* out) {
  return with_decimal_codec(codec.precision, [&]<typename Int>(DecimalCodec<Int>) {
    using Codec = DecimalCodec<Int>;
    Int value{};
    if (codec.decimal_mode == DecimalMode::Text) {
      if (read_decimal_text<Codec>(codec, bytes, &value) != DecimalText::Ok) {
        return Reading::Refused;
      }
    } else {
      if (bytes.size() != Codec::kSize) return Reading::Refused;
      value = Codec::load(bytes.data());
    }
    return take_decimal(codec, value, out);
  });
}

void order_uuid(UuidOrder order, const char* from, char* to) {
  if (order == UuidOrder::Rfc) {
    exchange_uuid_order(from, to);
  } else {
    std::memcpy(to, from, kUuidSize);
  }
}

Reading read_uuid(const ScalarCodec& codec, std::string_view bytes, ScalarValue* out) {
  std::array<char, kUuidSize> text;
  const char* stored = text.data();
  bool good = false;
  switch (codec.uuid_mode) {
    case UuidMode::Binary:
      good = bytes.size() == kUuidSize;
      stored = bytes.data();
      break;
    case UuidMode::TextYql:
      good = read_uuid_yql(bytes, text.data());
      break;
    case UuidMode::TextYt:
      good = read_uuid_yt(bytes, text.data());
      break;
  }
  if (!good) return Reading::Refused;
  order_uuid(codec.uuid_order, stored, out->fixed.data());
  return Reading::Value;
}

/// Reads ISO 8601. The value may be beyond the range of the type.
bool read_time(ScalarForm form, std::string_view text, int64_t* value) {
  if (form == ScalarForm::Date) return text.size() == 10 && hub::read_date(text, value);
  if (form == ScalarForm::Datetime) return text.size() == 20 && hub::read_datetime(text, value);
  return text.size() >= 20 && text.size() <= 27 && hub::read_timestamp(text, value);
}

Reading read(const ScalarCodec& codec, std::string_view bytes, ScalarValue* out) {
  bool good = true;
  switch (codec.form) {
    case ScalarForm::Bytes:
      break;
    case ScalarForm::Utf8:
      good = is_ascii(bytes) || is_valid_utf8(bytes);
      break;
    case ScalarForm::Json:
      good = is_valid_json(bytes);
      break;
    case ScalarForm::Uuid:
      return read_uuid(codec, bytes, out);
    case ScalarForm::Decimal:
      return read_decimal(codec, bytes, out);
    case ScalarForm::Date:
    case ScalarForm::Datetime:
    case ScalarForm::Timestamp:
      good = read_time(codec.form, bytes, &out->instant) && codec.range.contains(out->instant);
      return good ? Reading::Value : Reading::Refused;
    case ScalarForm::Tz:
      good = read_tz(codec.kind, bytes, zone_names(), &out->instant, &out->text) == TzStatus::Ok;
      return good ? Reading::Value : Reading::Refused;
  }
  out->text = bytes;
  return good ? Reading::Value : Reading::Refused;
}

/// Returns true if nan and the infinities of a decimal become null.
bool becomes_null(const ScalarCodec& codec) {
  return codec.decimal_special == DecimalSpecial::Null && codec.nullable;
}

/// Appends what `reading` left in `value`.
bool append_read(const ScalarCodec& codec, Reading reading, const ScalarValue& value,
                 hub::ColumnBuilder* out) {
  if (reading == Reading::Special) {
    const bool as_null = becomes_null(codec);
    if (as_null) out->append_null();
    return as_null;
  }
  if (reading == Reading::Refused) return false;
  switch (codec.form) {
    case ScalarForm::Bytes:
    case ScalarForm::Utf8:
    case ScalarForm::Json:
      out->append_bytes(value.text);
      break;
    case ScalarForm::Uuid:
    case ScalarForm::Decimal:
      out->append_fixed(value.fixed.data());
      break;
    case ScalarForm::Date:
    case ScalarForm::Datetime:
    case ScalarForm::Timestamp:
      out->append_integer(static_cast<uint64_t>(value.instant));
      break;
    case ScalarForm::Tz:
      out->child(0).append_integer(static_cast<uint64_t>(value.instant));
      out->child(1).append_bytes(value.text);
      out->append_struct();
      break;
  }
  return true;
}

ScalarForm form_of(TypeKind kind, TimeMode time_mode) {
  switch (kind_row(kind).content) {
    case Content::Utf8:
      return ScalarForm::Utf8;
    case Content::Json:
      return ScalarForm::Json;
    case Content::Uuid:
      return ScalarForm::Uuid;
    case Content::Zoned:
      return ScalarForm::Tz;
    case Content::Decimal:
      return ScalarForm::Decimal;
    case Content::Signed:
    case Content::Unsigned:
      if (time_mode == TimeMode::Binary) return ScalarForm::Bytes;
      if (kind == TypeKind::Date) return ScalarForm::Date;
      if (kind == TypeKind::Datetime) return ScalarForm::Datetime;
      return kind == TypeKind::Timestamp ? ScalarForm::Timestamp : ScalarForm::Bytes;
    case Content::Null:
    case Content::Boolean:
    case Content::Real:
    case Content::Bytes:
    case Content::Yson:
    case Content::Compound:
      break;
  }
  return ScalarForm::Bytes;
}

/// Returns an integer as its type writes it.
std::string number_text(TypeKind kind, uint64_t value) {
  return is_unsigned(kind) ? fmt::format("{}", value)
                           : fmt::format("{}", static_cast<int64_t>(value));
}

template <typename Value>
std::string range_text(TypeKind kind, Value value) {
  IntegerRange range = integer_range(kind);
  return fmt::format("expected {} in the range [{}, {}], found {}", kind_name(kind), range.min,
                     number_text(kind, range.max), value);
}

std::string decimal_fault(const ScalarCodec& codec, std::string_view bytes) {
  if (codec.decimal_mode == DecimalMode::Text) {
    return with_decimal_codec(codec.precision, [&]<typename Int>(DecimalCodec<Int>) {
      Int value{};
      DecimalText result = read_decimal_text<DecimalCodec<Int>>(codec, bytes, &value);
      return decimal_text_message(result, bytes, codec.precision, codec.scale);
    });
  }
  int size = decimal_size(codec.precision);
  if (bytes.size() != static_cast<size_t>(size)) {
    return fmt::format("expected {} bytes of a decimal({}, {}), found {}", size, codec.precision,
                       codec.scale, bytes.size());
  }
  return fmt::format("expected a decimal of at most {} digits, found bytes {}", codec.precision,
                     to_hex(bytes));
}

std::string uuid_fault(UuidMode mode, std::string_view bytes) {
  switch (mode) {
    case UuidMode::Binary:
      break;
    case UuidMode::TextYql:
      return "expected a uuid as 8-4-4-4-12 hex digits, found string " + clipped(bytes);
    case UuidMode::TextYt:
      return "expected a uuid as four groups of hex digits, found string " + clipped(bytes);
  }
  return fmt::format("expected 16 bytes of a uuid, found {}", bytes.size());
}

std::string time_fault(const ScalarCodec& codec, std::string_view text, std::string_view form) {
  int64_t value = 0;
  if (read_time(codec.form, text, &value)) return range_text(codec.kind, value);
  return fmt::format("expected {}, found string {}", form, clipped(text));
}

TzStatus tz_status(const ScalarCodec& codec, std::string_view bytes) {
  int64_t instant = 0;
  std::string_view zone;
  return read_tz(codec.kind, bytes, zone_names(), &instant, &zone);
}

std::string message_of(const ScalarCodec& codec, std::string_view bytes) {
  switch (codec.form) {
    case ScalarForm::Bytes:
      break;
    case ScalarForm::Utf8:
      return "expected UTF-8, found string " + clipped(bytes);
    case ScalarForm::Json:
      return "expected a JSON document, found string " + clipped(bytes);
    case ScalarForm::Uuid:
      return uuid_fault(codec.uuid_mode, bytes);
    case ScalarForm::Decimal:
      return decimal_fault(codec, bytes);
    case ScalarForm::Date:
      return time_fault(codec, bytes, "a date as YYYY-MM-DD");
    case ScalarForm::Datetime:
      return time_fault(codec, bytes, "a datetime as YYYY-MM-DDThh:mm:ssZ");
    case ScalarForm::Timestamp:
      return time_fault(codec, bytes, "a timestamp as YYYY-MM-DDThh:mm:ss.ffffffZ");
    case ScalarForm::Tz:
      return tz_message(tz_status(codec, bytes), codec.kind, bytes);
  }
  return "expected another string";
}

/// Calls `call` with the integer of an Arrow decimal and returns what it does; null for one of too
/// many digits that does not stand for nan or an infinity.
template <typename Call>
char* with_arrow_decimal(const ScalarCodec& codec, const char* value, const Call& call) {
  return with_decimal_codec(codec.precision, [&]<typename Int>(DecimalCodec<Int>) -> char* {
    using Codec = DecimalCodec<Int>;
    bool fits = false;
    Int number = load_arrow<Int>(codec.width, value, &fits);
    if (!fits) return nullptr;
    const DecimalClass found = Codec::classify(number, Codec::bound(codec.precision));
    const bool good = found == DecimalClass::Finite ||
                      (found != DecimalClass::OutOfRange && codec.keeps_specials());
    return good ? call(number) : nullptr;
  });
}

int64_t load_instant(int width, const char* value) {
  if (width == 8) {
    int64_t instant;
    std::memcpy(&instant, value, sizeof(instant));
    return instant;
  }
  int32_t days;
  std::memcpy(&days, value, sizeof(days));
  return days;
}

}  // namespace

ScalarCodec scalar_codec(const Shape& shape, const ValueOptions& options) {
  ScalarCodec codec = stored_codec(shape.type);
  codec.form = form_of(codec.kind, options.time_mode);
  codec.nullable = shape.nullable;
  codec.decimal_mode = options.decimal_mode;
  codec.decimal_special = options.decimal_special;
  codec.specials_as_stored = options.specials_as_stored;
  codec.uuid_mode = options.uuid_mode;
  codec.uuid_order = options.uuid_order;
  codec.tz_form = options.tz_form;
  codec.width = shape.width;
  codec.arrow = shape.arrow;
  return codec;
}

ScalarCodec stored_codec(const Type& type) {
  ScalarCodec codec;
  codec.kind = type.kind();
  codec.form = form_of(codec.kind, TimeMode::Binary);
  codec.range = integer_range(codec.kind);
  if (type.is(TypeKind::Decimal)) {
    codec.precision = type.precision();
    codec.scale = type.scale();
    codec.width = 32;
  }
  return codec;
}

bool append_scalar(const ScalarCodec& codec, std::string_view bytes, hub::ColumnBuilder* out) {
  ScalarValue value;
  Reading reading = read(codec, bytes, &value);
  return append_read(codec, reading, value, out);
}

bool append_decimal(const ScalarCodec& codec, const char* integer, hub::ColumnBuilder* out) {
  ScalarValue value;
  Reading reading = with_decimal_codec(codec.precision, [&]<typename Int>(DecimalCodec<Int>) {
    Int number;
    std::memcpy(static_cast<void*>(&number), integer, sizeof(number));
    return take_decimal(codec, number, &value);
  });
  return append_read(codec, reading, value, out);
}

/// Returns a hint for decimals written as text although bytes are expected.
std::string hint_of(const ScalarCodec& codec, std::string_view bytes) {
  const bool is_text = codec.form == ScalarForm::Decimal &&
                       codec.decimal_mode == DecimalMode::Binary && !bytes.empty() &&
                       bytes.find_first_not_of("0123456789.+-") == std::string_view::npos;
  if (!is_text) return "";
  return hub::mention(hub::Option::DecimalMode, "text") + " reads decimals that are text";
}

ScalarFault fault_of(const ScalarCodec& codec, std::string_view bytes) {
  ScalarValue value;
  if (read(codec, bytes, &value) != Reading::Special) {
    return {message_of(codec, bytes), hint_of(codec, bytes)};
  }
  bool text = codec.decimal_mode == DecimalMode::Text;
  return {fmt::format("expected a finite decimal, found {}",
                      text ? quoted(bytes) : "nan or an infinity"),
          codec.nullable
              ? "Read such values as null with " + hub::mention(hub::Option::DecimalSpecial, "null")
              : fmt::format("Read the type as optional, with {}, and such values as null, with {}",
                            hub::mention(hub::Option::Schema, "FILE"),
                            hub::mention(hub::Option::DecimalSpecial, "null"))};
}

void check_scalar(const ScalarCodec& codec, std::string_view bytes) {
  ScalarValue value;
  if (read(codec, bytes, &value) != Reading::Refused) return;
  throw Error(ErrorCode::Input, message_of(codec, bytes));
}

void check_appended(const ScalarCodec& codec, std::string_view bytes) {
  ScalarValue value;
  const Reading reading = read(codec, bytes, &value);
  if (reading == Reading::Value) return;
  if (reading == Reading::Refused) throw Error(ErrorCode::Input, message_of(codec, bytes));
  if (becomes_null(codec)) return;
  ScalarFault fault = fault_of(codec, bytes);
  throw Error(ErrorCode::Input, std::move(fault.message), {}, std::move(fault.hint));
}

char* write_scalar(const ScalarCodec& codec, const char* value, std::string_view zone, char* out) {
  switch (codec.form) {
    case ScalarForm::Uuid: {
      std::array<char, kUuidSize> stored;
      order_uuid(codec.uuid_order, value, stored.data());
      if (codec.uuid_mode == UuidMode::TextYql) return write_uuid_yql(stored.data(), out);
      if (codec.uuid_mode == UuidMode::TextYt) return write_uuid_yt(stored.data(), out);
      return std::copy(stored.begin(), stored.end(), out);
    }
    case ScalarForm::Decimal:
      return with_arrow_decimal(codec, value, [&]<typename Int>(const Int& number) {
        using Codec = DecimalCodec<Int>;
        if (codec.decimal_mode == DecimalMode::Text) {
          return Codec::write_text(number, codec.scale, out);
        }
        Codec::store(number, out);
        return out + Codec::kSize;
      });
    case ScalarForm::Date:
    case ScalarForm::Datetime:
    case ScalarForm::Timestamp: {
      int64_t instant = load_instant(codec.width, value);
      if (!codec.range.contains(instant)) return nullptr;
      if (codec.form == ScalarForm::Date) return hub::write_date(instant, out);
      if (codec.form == ScalarForm::Datetime) return hub::write_datetime(instant, out);
      return hub::write_timestamp(instant, out);
    }
    case ScalarForm::Tz: {
      int64_t instant = load_instant(codec.width, value);
      if (check_tz(codec.kind, instant, zone, zone_names()) != TzStatus::Ok) return nullptr;
      if (codec.tz_form == TzForm::Name) return write_tz(codec.kind, instant, zone, out);
      const std::optional<uint16_t> number = zone_names()->number(zone);
      return number ? write_tz(codec.kind, instant, *number, out) : nullptr;
    }
    case ScalarForm::Bytes:
    case ScalarForm::Utf8:
    case ScalarForm::Json:
      break;
  }
  return nullptr;
}

char* write_decimal(const ScalarCodec& codec, const char* value, char* out) {
  return with_arrow_decimal(codec, value, [&]<typename Int>(const Int& number) {
    std::memcpy(out, static_cast<const void*>(&number), sizeof(number));
    return out + sizeof(number);
  });
}

std::string fault_of_value(const ScalarCodec& codec, const char* value, std::string_view zone) {
  if (codec.form == ScalarForm::Decimal) {
    return fmt::format("expected a decimal of at most {} digits, found a longer one",
                       codec.precision);
  }
  int64_t instant = load_instant(codec.width, value);
  if (codec.range.contains(instant)) {
    const bool numbered = codec.tz_form == TzForm::Index && is_zone_name(zone);
    return numbered
               ? fault_of_number(zone)
               : fmt::format("expected the name of an IANA time zone, found {}", clipped(zone));
  }
  return range_fault(codec.kind, instant);
}

std::string range_fault(TypeKind kind, int64_t value) { return range_text(kind, value); }
std::string range_fault(TypeKind kind, uint64_t value) { return range_text(kind, value); }

std::string float_fault(double value) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<float>::max());
  if (std::fabs(value) <= kMost) {
    return fmt::format("expected a number that a float holds, found {}", value);
  }
  return fmt::format("expected float in the range [{}, {}], found {}", -kMost, kMost, value);
}

}  // namespace xwalk::yt
