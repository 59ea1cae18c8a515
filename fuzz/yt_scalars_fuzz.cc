// Strings of rows as values of every scalar type, in every mode. A valid value is read back
// unchanged, in any mode. For an invalid one the reason is reported. Arrow's bytes are written as
// strings that are read as the same bytes, or refused. The first two bytes choose type and modes.

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/yt/decimal.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/scalar_codec.h"
#include "xwalk/yt/tz.h"
#include "xwalk/yt/uuid.h"
#include "xwalk/yt/zone_numbers.h"

namespace xwalk::fuzz {
namespace {

using yt::ScalarCodec;
using yt::ScalarForm;
using yt::Type;
using yt::TypeKind;

Type scalar_type(Choices* choices) {
  constexpr std::array kKinds = {
      TypeKind::Utf8,        TypeKind::Json,      TypeKind::Uuid,         TypeKind::Date,
      TypeKind::Datetime,    TypeKind::Timestamp, TypeKind::TzDate,       TypeKind::TzDatetime,
      TypeKind::TzTimestamp, TypeKind::TzDate32,  TypeKind::TzDatetime64, TypeKind::TzTimestamp64};
  const size_t kind = choices->below(2 * kKinds.size());
  if (kind < kKinds.size()) return kKinds[kind];
  const int precision = 1 + static_cast<int>(choices->below(yt::kMaxDecimalPrecision));
  return yt::decimal(precision, static_cast<int>(choices->byte()) % (precision + 1));
}

yt::ValueOptions options_of(uint8_t modes) {
  yt::ValueOptions out;
  if ((modes & 1) != 0) out.decimal_mode = yt::DecimalMode::Text;
  out.time_mode = yt::TimeMode::Text;
  if ((modes & 2) != 0) out.uuid_mode = yt::UuidMode::TextYt;
  if ((modes & 4) != 0) out.uuid_mode = yt::UuidMode::TextYql;
  if ((modes & 8) != 0) out.uuid_order = yt::UuidOrder::Raw;
  if ((modes & 16) != 0) out.tz_form = yt::TzForm::Index;
  if ((modes & 32) != 0) out.decimal_special = yt::DecimalSpecial::Null;
  if ((modes & 64) != 0) out.specials_as_stored = true;
  return out;
}

/// A value in Arrow: its bytes, and the name of its zone.
struct Stored {
  bool null = false;
  std::string bytes;
  std::string zone;

  friend bool operator==(const Stored&, const Stored&) = default;
};

/// The result for a string; empty if it is refused.
std::optional<Stored> append(const ScalarCodec& codec, const hub::Field& field,
                             std::string_view text) {
  hub::ColumnBuilder builder(field);
  if (!yt::append_scalar(codec, text, &builder)) {
    require(builder.length() == 0, "nothing of a refused string", text);
    return std::nullopt;
  }
  require(builder.length() == 1);
  const hub::Array array = builder.finish();
  Stored out;
  out.null = array.is_null(0);
  if (out.null) return out;
  if (codec.form == ScalarForm::Tz) {
    out.bytes.assign(array.children[0].fixed(0, codec.width), static_cast<size_t>(codec.width));
    out.zone = hub::bytes_at(array.children[1], hub::Kind::Utf8, 0);
  } else if (codec.is_coded()) {
    out.bytes.assign(array.fixed(0, codec.width), static_cast<size_t>(codec.width));
  } else {
    out.bytes = hub::bytes_at(array, field.type, 0);
  }
  return out;
}

std::optional<std::string> write(const ScalarCodec& codec, const Stored& value) {
  std::array<char, yt::kMaxScalarBytes> out;
  const char* const end = yt::write_scalar(codec, value.bytes.data(), value.zone, out.data());
  if (end == nullptr) {
    require(!yt::fault_of_value(codec, value.bytes.data(), value.zone).empty());
    return std::nullopt;
  }
  return std::string(out.data(), static_cast<size_t>(end - out.data()));
}

/// A string of a row.
void check_string(const Type& type, const ScalarCodec& codec, const hub::Field& field,
                  std::string_view text) {
  const std::optional<Stored> value = append(codec, field, text);
  if (!value) {
    return require(!yt::fault_of(codec, text).message.empty(), "a reason", text);
  }
  if (value->null || !codec.is_coded()) return require(value->null || value->bytes == text);
  const std::optional<std::string> written = write(codec, *value);
  if (!written) {
    const bool named = codec.tz_form == yt::TzForm::Index && !yt::number_of_zone(value->zone);
    return require(named, "what was read is written", text);
  }
  require(append(codec, field, *written) == value, "what was written is read", *written);
  // What is stored is one string a value.
  const bool is_stored =
      (type.is(TypeKind::Decimal) && codec.decimal_mode == yt::DecimalMode::Binary) ||
      (type.is(TypeKind::Uuid) && codec.uuid_mode == yt::UuidMode::Binary);
  if (is_stored) require(*written == text, "the stored bytes come back", *written);
  if (codec.form != ScalarForm::Decimal) return;
  std::string integer(static_cast<size_t>(yt::decimal_size(codec.precision)), '\0');
  require(yt::write_decimal(codec, value->bytes.data(), integer.data()) ==
          integer.data() + integer.size());
  hub::ColumnBuilder builder(field);
  require(yt::append_decimal(codec, integer.data(), &builder));
  require(std::string_view(builder.finish().fixed(0, codec.width),
                           static_cast<size_t>(codec.width)) == value->bytes,
          "an integer of a decimal comes back", text);
}

/// Bytes of Arrow, and any zone.
void check_value(const ScalarCodec& codec, const hub::Field& field, Choices* choices) {
  if (!codec.is_coded()) return;
  Stored value;
  // Numbers near zero, and any.
  const bool near = choices->below(2) == 0;
  const bool negative = choices->below(4) == 3;
  value.bytes.assign(static_cast<size_t>(codec.width), negative ? '\xff' : '\0');
  for (size_t i = 0; i < value.bytes.size() && (!near || i < 4); ++i) {
    value.bytes[i] = static_cast<char>(choices->byte());
  }
  if (codec.form == ScalarForm::Tz) {
    const auto zones = zone_names();
    value.zone = choices->below(4) == 3 ? std::string(choices->text())
                                        : std::string(zones[choices->word() % zones.size()]);
    const std::optional<uint16_t> number = yt::number_of_zone(value.zone);
    require(!number || yt::zone_of_number(*number) == value.zone, "numbers of zones", value.zone);
    if (!number) require(!yt::fault_of_number(value.zone).empty());
  }
  const std::optional<std::string> written = write(codec, value);
  if (!written) return;
  const std::optional<Stored> back = append(codec, field, *written);
  require(back && (back->null || *back == value), "a value comes back", *written);
}

/// The system counts a zero before the point, for which decimal(p, p) has no place.
void without_zero(const Type& type, std::string* text) {
  const size_t zero = text->find("0.");
  if (type.precision() == type.scale() && zero != text->npos) text->erase(zero, 1);
}

/// The stored form by itself: checks, and texts for people.
void check_stored(const Type& type, std::string_view bytes) {
  const ScalarCodec codec = yt::stored_codec(type);
  std::optional<Error> fault;
  try {
    yt::check_scalar(codec, bytes);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input);
    fault = error;
  }
  const std::string whole(bytes);
  try {
    if (type.is(TypeKind::Decimal)) {
      std::string text = yt::decimal_to_text(bytes, type.precision(), type.scale());
      require(!fault, "a decimal is one", text);
      without_zero(type, &text);
      require(yt::decimal_from_text(text, type.precision(), type.scale()) == bytes,
              "a decimal comes back", text);
    } else if (type.is(TypeKind::Uuid)) {
      require((bytes.size() == 16) == !fault, "16 bytes", whole);
      if (fault) return;
      require(yt::uuid_from_yt(yt::uuid_to_yt(bytes)) == bytes &&
                  yt::uuid_from_yql(yt::uuid_to_yql(bytes)) == bytes,
              "a uuid comes back", yt::uuid_to_yql(bytes));
    } else if (codec.form == ScalarForm::Tz) {
      const yt::TzValue value = yt::tz_from_bytes(type.kind(), bytes);
      require(!fault, "a value with a zone is one", value.zone);
      const std::string again = yt::tz_to_bytes(type.kind(), value);
      require(yt::tz_from_bytes(type.kind(), again) == value, "it comes back", again);
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input && fault.has_value(), "refused by both",
            error.describe());
  }
}

/// Any text as one for people.
void check_text(const Type& type, std::string_view text) {
  try {
    if (type.is(TypeKind::Decimal)) {
      const std::string bytes = yt::decimal_from_text(text, type.precision(), type.scale());
      yt::check_decimal(bytes, type.precision(), type.scale());
      std::string written = yt::decimal_to_text(bytes, type.precision(), type.scale());
      without_zero(type, &written);
      require(yt::decimal_from_text(written, type.precision(), type.scale()) == bytes,
              "a decimal comes back", written);
    } else if (type.is(TypeKind::Uuid)) {
      const bool groups = std::count(text.begin(), text.end(), '-') == 3;
      const std::string bytes = groups ? yt::uuid_from_yt(text) : yt::uuid_from_yql(text);
      require(bytes.size() == 16);
      const std::string again = groups ? yt::uuid_to_yt(bytes) : yt::uuid_to_yql(bytes);
      require((groups ? yt::uuid_from_yt(again) : yt::uuid_from_yql(again)) == bytes,
              "a uuid comes back", again);
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "a refusal", error.describe());
  }
}

/// A string that is likely one of the type.
std::string likely(const Type& type, const ScalarCodec& codec, Choices* choices) {
  constexpr std::array<std::string_view, 14> kTexts = {"inf",
                                                       "-Inf",
                                                       "nan",
                                                       "+1.5",
                                                       "-0.25",
                                                       "1e3",
                                                       "007",
                                                       ".5",
                                                       "2022-01-02",
                                                       "2022-01-02T03:04:05Z",
                                                       "2022-01-02T03:04:05.123456Z",
                                                       "9999-12-31",
                                                       "{\"a\":1}",
                                                       "x"};
  const size_t how = choices->below(4);
  if (how == 0) return std::string(kTexts[choices->below(kTexts.size())]);
  if (how == 1) return std::string(choices->rest());
  if (type.is(TypeKind::Decimal)) {
    const auto size = static_cast<size_t>(yt::decimal_size(type.precision()));
    if (codec.decimal_mode == yt::DecimalMode::Text) {
      std::string out = choices->below(2) == 0 ? "" : "-";
      for (size_t i = choices->below(40); i > 0; --i)
        out += static_cast<char>('0' + choices->below(10));
      out += '.';
      for (size_t i = choices->below(12); i > 0; --i)
        out += static_cast<char>('0' + choices->below(10));
      return out;
    }
    // The numbers, and those beyond them.
    std::string out(size, choices->below(2) == 0 ? '\0' : '\xff');
    const size_t kind = choices->below(4);
    out[0] = static_cast<char>(out[0] ^ (kind < 2 ? 0x80 : 0));
    const size_t low = std::min<size_t>(choices->below(5), size);
    for (size_t i = size - low; i < size; ++i) out[i] = static_cast<char>(choices->byte());
    return out;
  }
  std::string out;
  if (codec.form == ScalarForm::Tz) {
    out.resize(yt::tz_integer_size(type.kind()));
    for (char& c : out) c = static_cast<char>(choices->below(3) == 0 ? choices->byte() : 0);
    if (yt::tz_is_signed(type.kind())) out[0] = static_cast<char>(out[0] ^ 0x80);
    if (how == 2) {
      out.push_back(static_cast<char>(choices->below(3)));
      out.push_back(static_cast<char>(choices->byte()));
    } else {
      const auto zones = zone_names();
      out += zones[choices->word() % zones.size()];
    }
    return out;
  }
  for (size_t i = choices->below(8) == 7 ? 15 : 16; i > 0; --i)
    out += static_cast<char>(choices->byte());
  if (codec.form != ScalarForm::Uuid || codec.uuid_mode == yt::UuidMode::Binary || out.size() != 16)
    return out;
  return codec.uuid_mode == yt::UuidMode::TextYt ? yt::uuid_to_yt(out) : yt::uuid_to_yql(out);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const Type type = scalar_type(&choices);
  const uint8_t modes = choices.byte();
  const Type whole = (modes & 128) != 0 ? yt::optional(type) : type;
  const hub::Field field = yt::to_arrow("value", whole);
  const yt::ValueOptions options = options_of(modes);
  const ScalarCodec codec = yt::scalar_codec(yt::shape_of(whole, field), options);
  switch (choices.below(4)) {
    case 0:
      return check_value(codec, field, &choices);
    case 1:
      return check_stored(type, likely(type, yt::stored_codec(type), &choices));
    case 2:
      return check_text(type, likely(type, codec, &choices));
    default:
      return check_string(type, codec, field, likely(type, codec, &choices));
  }
}

}  // namespace xwalk::fuzz
