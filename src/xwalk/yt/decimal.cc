#include "xwalk/yt/decimal.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

void check_decimal_parameters(int precision, int scale) {
  if (precision < 1 || precision > kMaxDecimalPrecision) {
    throw Error(ErrorCode::Input,
                fmt::format("invalid decimal precision: expected 1 to {}, found {}",
                            kMaxDecimalPrecision, precision));
  }
  if (scale < 0 || scale > precision) {
    throw Error(ErrorCode::Input,
                fmt::format("invalid decimal scale: expected 0 to {}, found {}", precision, scale));
  }
}

std::string decimal_text_message(DecimalText result, std::string_view text, int precision,
                                 int scale) {
  std::string_view why;
  if (result == DecimalText::TooManyFractionDigits) why = ": too many digits after decimal point";
  if (result == DecimalText::TooManyIntegerDigits) why = ": too many digits before decimal point";
  return fmt::format("{} is not valid Decimal<{},{}> representation{}", clipped(text), precision,
                     scale, why);
}

std::string decimal_from_text(std::string_view text, int precision, int scale) {
  check_decimal_parameters(precision, scale);
  return with_decimal_codec(precision, [&]<typename Int>(DecimalCodec<Int> codec) {
    Int value{};
    DecimalText result = codec.read_text(text, precision, scale, &value);
    if (result != DecimalText::Ok) {
      throw Error(ErrorCode::Input, decimal_text_message(result, text, precision, scale));
    }
    std::string bytes(codec.kSize, '\0');
    codec.store(value, bytes.data());
    return bytes;
  });
}

void check_decimal(std::string_view bytes, int precision, int scale) {
  check_decimal_parameters(precision, scale);
  auto size = static_cast<size_t>(decimal_size(precision));
  if (bytes.size() != size) {
    throw Error(
        ErrorCode::Input,
        fmt::format("decimal<{},{}> binary value representation has invalid length: expected "
                    "{} bytes, found {}",
                    precision, scale, size, bytes.size()));
  }
  with_decimal_codec(precision, [&]<typename Int>(DecimalCodec<Int> codec) {
    Int value = codec.load(bytes.data());
    if (codec.classify(value, codec.bound(precision)) == DecimalClass::OutOfRange) {
      throw Error(ErrorCode::Input,
                  fmt::format("decimal<{},{}> does not have enough precision to represent {}",
                              precision, scale, to_decimal_text(Int256(value))));
    }
  });
}

std::string decimal_to_text(std::string_view bytes, int precision, int scale) {
  check_decimal(bytes, precision, scale);
  return with_decimal_codec(precision, [&]<typename Int>(DecimalCodec<Int> codec) {
    std::array<char, kDecimalTextSize> buffer;
    return std::string(buffer.data(),
                       codec.write_text(codec.load(bytes.data()), scale, buffer.data()));
  });
}

}  // namespace xwalk::yt
