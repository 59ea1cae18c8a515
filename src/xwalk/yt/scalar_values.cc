#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/scalar_values_internal.h"
#include "xwalk/yt/time_text.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"

namespace xwalk::yt {
namespace {

/// Stores an integer in the width of the Arrow decimal, which may be wider.
template <typename Int>
void store_arrow(const Int& value, int width, char* out) {
  if (width == 16) {
    if constexpr (!std::is_same_v<Int, Int256>) {
      auto wide = static_cast<Int128>(value);
      std::memcpy(out, &wide, 16);
      return;
    }
  }
  Int256 wide(value);
  std::memcpy(out, wide.limbs.data(), static_cast<size_t>(width));
}

template <typename Int>
Int load_arrow(int width, const char* bytes, bool* fits) {
  *fits = true;
  if (width == 16) {
    Int128 wide;
    std::memcpy(&wide, bytes, 16);
    if constexpr (std::is_same_v<Int, Int256>) {
      return Int256(wide);
    } else {
      *fits = static_cast<Int128>(static_cast<Int>(wide)) == wide;
      return static_cast<Int>(wide);
    }
  }
  Int256 wide;
  std::memcpy(wide.limbs.data(), bytes, 32);
  if constexpr (std::is_same_v<Int, Int256>) {
    return wide;
  } else {
    *fits =
        wide.fits_int128() && static_cast<Int128>(static_cast<Int>(wide.low128())) == wide.low128();
    return static_cast<Int>(wide.low128());
  }
}

}  // namespace

bool read_decimal(const Step& step, std::string_view bytes, char* out, bool* special,
                  std::string* message) {
  int precision = step.type.precision();
  int scale = step.type.scale();
  return with_decimal_codec(precision, [&](auto codec) {
    using Codec = decltype(codec);
    using Int = decltype(Codec::nan());
    Int value{};
    if (step.decimal_mode == DecimalMode::Text) {
      DecimalText result = Codec::read_text(bytes, precision, scale, &value);
      // What the living system prints of a decimal(p, p) it does not read; we do.
      if (result == DecimalText::TooManyIntegerDigits && precision == scale) {
        result = Codec::read_text(bytes, precision, scale, &value, true);
      }
      if (result != DecimalText::Ok) {
        *message = decimal_text_message(result, bytes, precision, scale);
        return false;
      }
    } else {
      if (bytes.size() != Codec::kSize) {
        *message = fmt::format("expected {} bytes of a decimal({}, {}), found {}", Codec::kSize,
                               precision, scale, bytes.size());
        return false;
      }
      value = Codec::load(bytes.data());
    }
    switch (Codec::classify(value, Codec::bound(precision))) {
      case DecimalClass::Finite:
        break;
      case DecimalClass::Nan:
      case DecimalClass::Infinity:
      case DecimalClass::MinusInfinity:
        *special = true;
        return true;
      case DecimalClass::OutOfRange:
        *message = fmt::format("expected a decimal of at most {} digits, found bytes {}", precision,
                               to_hex(bytes));
        return false;
    }
    store_arrow(value, step.width, out);
    return true;
  });
}

char* write_decimal(const Step& step, const char* value, char* out) {
  int precision = step.type.precision();
  return with_decimal_codec(precision, [&](auto codec) -> char* {
    using Codec = decltype(codec);
    using Int = decltype(Codec::nan());
    bool fits;
    Int number = load_arrow<Int>(step.width, value, &fits);
    if (!fits || Codec::classify(number, Codec::bound(precision)) != DecimalClass::Finite) {
      return nullptr;
    }
    if (step.decimal_mode == DecimalMode::Text) {
      return Codec::write_text(number, step.type.scale(), out);
    }
    Codec::store(number, out);
    return out + Codec::kSize;
  });
}

bool read_uuid(const Step& step, std::string_view bytes, char* out, std::string* message) {
  char stored[kUuidSize];
  switch (step.uuid_mode) {
    case UuidMode::Binary:
      if (bytes.size() != kUuidSize) {
        *message = fmt::format("expected 16 bytes of a uuid, found {}", bytes.size());
        return false;
      }
      std::memcpy(stored, bytes.data(), kUuidSize);
      break;
    case UuidMode::TextYql:
      if (!read_uuid_yql(bytes, stored)) {
        *message = "expected a uuid as 8-4-4-4-12 hex digits, found string " + clipped(bytes);
        return false;
      }
      break;
    case UuidMode::TextYt:
      if (!read_uuid_yt(bytes, stored)) {
        *message = "expected a uuid as four groups of hex digits, found string " + clipped(bytes);
        return false;
      }
      break;
  }
  if (step.uuid_order == UuidOrder::Rfc) {
    exchange_uuid_order(stored, out);
  } else {
    std::memcpy(out, stored, kUuidSize);
  }
  return true;
}

char* write_uuid(const Step& step, const char* value, char* out) {
  char stored[kUuidSize];
  if (step.uuid_order == UuidOrder::Rfc) {
    exchange_uuid_order(value, stored);
  } else {
    std::memcpy(stored, value, kUuidSize);
  }
  switch (step.uuid_mode) {
    case UuidMode::TextYql:
      return write_uuid_yql(stored, out);
    case UuidMode::TextYt:
      return write_uuid_yt(stored, out);
    case UuidMode::Binary:
      break;
  }
  std::memcpy(out, stored, kUuidSize);
  return out + kUuidSize;
}

bool read_tz(const Step& step, std::string_view bytes, int64_t* value, std::string_view* zone,
             std::string* message) {
  // One a thread, since decoders of one program run in several.
  thread_local ZoneNames names;
  TypeKind kind = step.type.kind();
  TzStatus status = read_tz(kind, bytes, &names, value, zone);
  if (status == TzStatus::Ok) return true;
  *message = tz_message(status, kind, bytes);
  return false;
}

char* write_tz_instant(const Step& step, int64_t value, char* out) {
  return store_tz_integer(step.type.kind(), value, out);
}

bool read_time_text(const Step& step, std::string_view text, int64_t* value, std::string* message) {
  bool read = false;
  const char* form = "";
  switch (step.op) {
    case Op::DateText:
      read = text.size() == 10 && read_date(text, value);
      form = "a date as YYYY-MM-DD";
      break;
    case Op::DatetimeText:
      read = text.size() == 20 && read_datetime(text, value);
      form = "a datetime as YYYY-MM-DDThh:mm:ssZ";
      break;
    default:
      read = text.size() >= 20 && text.size() <= 27 && read_timestamp(text, value);
      form = "a timestamp as YYYY-MM-DDThh:mm:ss.ffffffZ";
      break;
  }
  if (!read) *message = fmt::format("expected {}, found string {}", form, clipped(text));
  return read;
}

char* write_time_text(const Step& step, int64_t value, char* out) {
  switch (step.op) {
    case Op::DateText:
      return write_date(value, out);
    case Op::DatetimeText:
      return write_datetime(value, out);
    default:
      return write_timestamp(value, out);
  }
}

}  // namespace xwalk::yt
