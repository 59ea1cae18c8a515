#include "xwalk/variant/transcode.h"

#include <array>
#include <charconv>
#include <utility>

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/variant/json_walk.h"
#include "xwalk/variant/walk.h"
#include "xwalk/yson/json_writer.h"
#include "xwalk/yson/printer.h"
#include "xwalk/yson/walk.h"

namespace xwalk::variant {
namespace {

/// A text that is made of a value.
class Text {
 public:
  char* begin() { return bytes_.data(); }
  std::string_view until(const char* end) const {
    return {bytes_.data(), static_cast<size_t>(end - bytes_.data())};
  }

 private:
  std::array<char, scaled_text_size(kMostDigits)> bytes_;
};

std::string_view decimal_text(Int128 unscaled, int scale, Text* text) {
  return text->until(write_scaled_text(unscaled, scale, text->begin()));
}

/// What both writers of text have in common: the forms of values that they lack.
template <typename Base>
class TextSink : public Base {
 public:
  template <typename... Args>
  explicit TextSink(Foreign foreign, Args&&... args)
      : Base(std::forward<Args>(args)...), foreign_(foreign) {}

  Fault refused() const { return refused_; }

  void text(std::string_view bytes) { Base::string(bytes); }
  void date(int32_t days) {
    if (is_number(days)) return;
    Text text;
    foreign_text(text.until(write_date(days, text.begin())));
  }
  void time(int64_t micros) {
    if (is_number(micros)) return;
    Text text;
    foreign_text(text.until(write_time(micros, 6, text.begin())));
  }
  void timestamp(int64_t ticks, int digits, bool utc) {
    if (is_number(ticks)) return;
    Text text;
    char* end = write_instant(ticks, digits, text.begin());
    if (utc) *end++ = 'Z';
    foreign_text(text.until(end));
  }
  void uuid(std::string_view bytes) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    Text text;
    char* out = text.begin();
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
      const auto byte = static_cast<unsigned char>(bytes[i]);
      *out++ = kHex[byte >> 4];
      *out++ = kHex[byte & 15];
    }
    foreign_text(text.until(out));
  }

 protected:
  bool allows(Fault fault) {
    if (foreign_ != Foreign::Refuse) return true;
    if (refused_ == Fault::None) refused_ = fault;
    return false;
  }

  Foreign foreign() const { return foreign_; }

 private:
  /// Writes a number if numbers are wanted.
  bool is_number(int64_t value) {
    if (foreign_ != Foreign::Number) return false;
    Base::int64(value);
    return true;
  }
  void foreign_text(std::string_view bytes) {
    if (allows(Fault::Type)) Base::string(bytes);
  }

  Foreign foreign_;
  Fault refused_ = Fault::None;
};

class YsonSink final : public TextSink<yson::Printer> {
 public:
  YsonSink(yson::Format format, Foreign foreign, yson::Buffer* out)
      : TextSink(foreign, format, 0, out) {}

  void bytes(std::string_view bytes) {
    if (!is_valid_utf8(bytes) || allows(Fault::TextBytes)) string(bytes);
  }
  void real32(float value) {
    if (allows(Fault::Type)) real(value);
  }
  void decimal(Int128 unscaled, int scale) {
    if (scale == 0 && unscaled >= INT64_MIN && unscaled <= Int128{UINT64_MAX}) {
      if (unscaled < 0) return int64(static_cast<int64_t>(unscaled));
      return uint64(static_cast<uint64_t>(unscaled));
    }
    if (!allows(Fault::Type)) return;
    Text text;
    const std::string_view digits = decimal_text(unscaled, scale, &text);
    if (foreign() == Foreign::Text) return string(digits);
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    real(value);
  }
};

class JsonSink final : public TextSink<yson::JsonWriter> {
 public:
  JsonSink(Foreign foreign, yson::Buffer* out)
      : TextSink(
            foreign,
            yson::JsonRowStyle{.wrappers = false, .quoted_specials = foreign != Foreign::Refuse},
            out),
        out_(out) {}

  void bytes(std::string_view bytes) {
    if (allows(Fault::NotText)) string(to_base64(bytes));
  }
  /// The number is exact, so it has the digits of the double that equals the float.
  void real32(float value) { real(value); }
  void decimal(Int128 unscaled, int scale) {
    Text text;
    out_->append(decimal_text(unscaled, scale, &text));
  }

 private:
  yson::Buffer* out_;
};

/// Takes nothing.
class NoSink {
 public:
  static void begin(char /*bracket*/) {}
  static void end(char /*bracket*/, bool /*any*/) {}
  static void item(bool /*first*/) {}
  static void item_end() {}
  static void key(std::string_view /*name*/) {}
  static void entity() {}
  static void boolean(bool /*value*/) {}
  static void int64(int64_t /*value*/) {}
  static void real(double /*value*/) {}
  static void real32(float /*value*/) {}
  static void text(std::string_view /*bytes*/) {}
  static void bytes(std::string_view /*bytes*/) {}
  static void decimal(Int128 /*unscaled*/, int /*scale*/) {}
  static void date(int32_t /*days*/) {}
  static void time(int64_t /*micros*/) {}
  static void timestamp(int64_t /*ticks*/, int /*digits*/, bool /*utc*/) {}
  static void uuid(std::string_view /*bytes*/) {}
};

template <typename Sink>
Outcome walk(Metadata* metadata, const Encoded& variant, Sink* sink) {
  const Outcome outcome = metadata->read(variant.metadata);
  return outcome.ok() ? Walker<Sink>(*metadata, sink).value(variant.value) : outcome;
}

}  // namespace

Outcome Reader::to_yson(const Encoded& variant, yson::Format format, Foreign foreign,
                        yson::Buffer* out) {
  YsonSink sink(format, foreign, out);
  const Outcome outcome = walk(&metadata_, variant, &sink);
  return outcome.ok() ? Outcome{sink.refused(), 0} : outcome;
}

Outcome Reader::to_json(const Encoded& variant, Foreign foreign, yson::Buffer* out) {
  JsonSink sink(foreign, out);
  const Outcome outcome = walk(&metadata_, variant, &sink);
  if (!outcome.ok()) return outcome;
  if (sink.fault() == yson::JsonFault::NotFinite) return {Fault::NotFinite, 0};
  return {sink.refused(), 0};
}

Outcome Reader::to_variant(const Encoded& variant, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  const Outcome outcome = walk(&metadata_, variant, writer);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

Outcome Reader::to_sorted(const Encoded& variant, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  if (const Outcome outcome = check(variant); !outcome.ok()) return outcome;
  const Outcome outcome = Walker<Writer>(metadata_, writer, FieldOrder::Names).value(variant.value);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

Outcome Reader::check(const Encoded& variant) {
  NoSink sink;
  return walk(&metadata_, variant, &sink);
}

yson::Status read_yson_variant(const char*& p, const char* end, int depth, Writer* writer,
                               yson::Buffer* out) {
  writer->start(out);
  return yson::walk_value(p, end, depth, writer);
}

Outcome write_yson_variant(std::string_view yson, Writer* writer, yson::Buffer* out) {
  const char* const begin = yson.data();
  const char* p = begin;
  const char* const end = begin + yson.size();
  const yson::Status status = read_yson_variant(p, end, kMaxDepth, writer, out);
  if (status == yson::Status::Ok) yson::skip_space(p, end);
  if (status != yson::Status::Ok || p != end) {
    const Fault fault = status == yson::Status::TooDeep ? Fault::TooDeep : Fault::Yson;
    return {fault, static_cast<size_t>(p - begin)};
  }
  return {writer->fault(), 0};
}

Outcome write_json_variant(std::string_view json, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  const Outcome outcome = JsonWalker<Writer>(writer).value(json);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

}  // namespace xwalk::variant
