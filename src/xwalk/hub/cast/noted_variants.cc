#include "xwalk/hub/cast/noted_variants.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"
#include "xwalk/base/uuid_text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/variant/json_walk.h"
#include "xwalk/variant/text_sinks.h"
#include "xwalk/variant/walk.h"
#include "xwalk/variant/yson_walk.h"

namespace xwalk::hub::cast {
namespace {

using variant::Fault;
using variant::LeafTypes;
using variant::Outcome;
using variant::Primitive;
using variant::Text;

/// A value that is stored as text.
struct StoredValue {
  /// Days, or ticks.
  int64_t ticks = 0;
  Int128 unscaled = 0;
  std::array<char, kUuidSize> uuid = {};
  std::string bytes;
};

bool is_utc(Primitive type) {
  return type == Primitive::Timestamp || type == Primitive::TimestampNanos;
}
int digits_of(Primitive type) {
  return type == Primitive::TimestampNanos || type == Primitive::LocalTimestampNanos ? 9 : 6;
}

/// Returns the text of a date, a time or a timestamp.
std::string_view time_text(Primitive type, int64_t ticks, Text* text) {
  if (type == Primitive::Date) return text->until(write_date(ticks, text->begin()));
  if (type == Primitive::Time) return text->until(xwalk::write_time(ticks, 6, text->begin()));
  char* end = xwalk::write_instant(ticks, digits_of(type), text->begin());
  if (is_utc(type)) *end++ = 'Z';
  return text->until(end);
}

bool read_ticks(Primitive type, std::string_view text, int64_t* ticks) {
  if (type == Primitive::Date) {
    return read_date(text, ticks) && std::in_range<int32_t>(*ticks);
  }
  if (type == Primitive::Time) return read_time(text, TimeUnit::Micro, ticks) == TimeText::Ok;
  const TimeUnit unit = digits_of(type) == 9 ? TimeUnit::Nano : TimeUnit::Micro;
  return read_instant(text, unit, is_utc(type), ticks) == TimeText::Ok;
}

/// Reads the text that `uuid_text` writes.
bool read_uuid(std::string_view text, std::array<char, kUuidSize>* out) {
  Text again;
  return read_uuid_text(text, out->data()) &&
         variant::uuid_text({out->data(), out->size()}, &again) == text;
}

bool read_decimal(std::string_view text, int scale, Int128* unscaled) {
  const size_t point = text.find('.');
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  *unscaled = 0;
  if (!parse_decimal_text(text.substr(0, point), unscaled)) return false;
  for (const char c : fraction) {
    if (!is_ascii_digit(c) || !variant::fits_decimal(*unscaled)) return false;
    const int digit = text.starts_with('-') ? '0' - c : c - '0';
    *unscaled = *unscaled * 10 + digit;
  }
  Text again;
  return variant::fits_decimal(*unscaled) &&
         variant::decimal_text(*unscaled, scale, &again) == text;
}

bool read_binary(std::string_view text, AnyText form, std::string* bytes) {
  if (form == AnyText::Yson) {
    bytes->assign(text);
    return true;
  }
  try {
    *bytes = from_base64(text);
  } catch (const Error&) {
    return false;
  }
  return to_base64(*bytes) == text;
}

/// Reads the text that a value of a type is written as, and no other text of the same value.
bool read_stored(const LeafTypes& types, AnyText form, std::string_view text, StoredValue* out) {
  const Primitive type = *types.leaf;
  switch (type) {
    case Primitive::Date:
    case Primitive::Time:
    case Primitive::Timestamp:
    case Primitive::LocalTimestamp:
    case Primitive::TimestampNanos:
    case Primitive::LocalTimestampNanos: {
      Text again;
      return read_ticks(type, text, &out->ticks) && time_text(type, out->ticks, &again) == text;
    }
    case Primitive::Uuid:
      return read_uuid(text, &out->uuid);
    case Primitive::Binary:
      return read_binary(text, form, &out->bytes);
    case Primitive::Decimal16:
      return form == AnyText::Yson && read_decimal(text, types.scale, &out->unscaled);
    case Primitive::Null:
    case Primitive::True:
    case Primitive::False:
    case Primitive::Int8:
    case Primitive::Int16:
    case Primitive::Int32:
    case Primitive::Int64:
    case Primitive::Double:
    case Primitive::Decimal4:
    case Primitive::Decimal8:
    case Primitive::Float:
    case Primitive::String:
      return false;
  }
  return false;
}

/// Returns true if a double comes back as a float.
bool is_read_as_float(double value) {
  return std::isnan(value) || std::bit_cast<uint64_t>(double{static_cast<float>(value)}) ==
                                  std::bit_cast<uint64_t>(value);
}

double real_of(Int128 unscaled, int scale) {
  Text text;
  const std::string_view digits = variant::decimal_text(unscaled, scale, &text);
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// Follows the place of a value in the noted types.
class NotedPlace {
 public:
  explicit NotedPlace(const LeafTypes& types) : at_(&types) {}

  void begin() { open_.push_back(at_); }
  void end() {
    at_ = open_.back();
    open_.pop_back();
  }
  void item() {
    const LeafTypes* const list = open_.back();
    at_ = list != nullptr && !list->item.empty() ? &list->item.front() : nullptr;
  }
  void key(std::string_view name) {
    const LeafTypes* const object = open_.back();
    at_ = object != nullptr ? object->field(name) : nullptr;
  }
  /// The types of a scalar that is noted here; null if none is.
  const LeafTypes* leaf() const { return at_ != nullptr && at_->leaf ? at_ : nullptr; }
  bool is(Primitive type) const { return at_ != nullptr && at_->leaf == type; }

 private:
  const LeafTypes* at_;
  std::vector<const LeafTypes*> open_;
};

/// A sink of variant::Walker over YsonSink or JsonSink.
template <typename Base, AnyText kForm>
class NotedText final : public Base {
 public:
  template <typename... Args>
  explicit NotedText(const LeafTypes& types, Args&&... args)
      : Base(std::forward<Args>(args)...), place_(types) {}

  Fault refused() const { return is_taken_ ? Fault::Taken : Base::refused(); }

  void begin(char bracket) {
    place_.begin();
    Base::begin(bracket);
  }
  void end(char bracket, bool any) {
    place_.end();
    Base::end(bracket, any);
  }
  void item(bool first) {
    place_.item();
    Base::item(first);
  }
  void key(std::string_view name) {
    place_.key(name);
    Base::key(name);
  }
  void text(std::string_view bytes) {
    const LeafTypes* const leaf = place_.leaf();
    if (leaf != nullptr && read_stored(*leaf, kForm, bytes, &stored_)) is_taken_ = true;
    Base::text(bytes);
  }
  void real(double value) {
    if (place_.is(Primitive::Float) && is_read_as_float(value)) is_taken_ = true;
    Base::real(value);
  }
  void decimal(Int128 unscaled, int scale) {
    const bool becomes_real = kForm == AnyText::Json || scale != 0;
    if (becomes_real && place_.is(Primitive::Float) && is_read_as_float(real_of(unscaled, scale))) {
      is_taken_ = true;
    }
    if (kForm == AnyText::Json) return Base::decimal(unscaled, scale);
    const LeafTypes* const leaf = place_.leaf();
    const bool noted =
        leaf != nullptr && leaf->leaf == Primitive::Decimal16 && leaf->scale == scale;
    // Others that YSON has stay numbers.
    if (!noted || scale == 0) return Base::decimal(unscaled, scale);
    Text text;
    Base::string(variant::decimal_text(unscaled, scale, &text));
  }
  void date(int32_t days) {
    if (!write_ticks(Primitive::Date, days)) Base::date(days);
  }
  void time(int64_t micros) {
    if (!write_ticks(Primitive::Time, micros)) Base::time(micros);
  }
  void timestamp(int64_t ticks, int digits, bool utc) {
    const Primitive type = digits == 9
                               ? (utc ? Primitive::TimestampNanos : Primitive::LocalTimestampNanos)
                               : (utc ? Primitive::Timestamp : Primitive::LocalTimestamp);
    if (!write_ticks(type, ticks)) Base::timestamp(ticks, digits, utc);
  }
  void uuid(std::string_view bytes) {
    if (!place_.is(Primitive::Uuid)) return Base::uuid(bytes);
    Text text;
    Base::string(variant::uuid_text(bytes, &text));
  }
  void bytes(std::string_view bytes) {
    if (!place_.is(Primitive::Binary)) return Base::bytes(bytes);
    Base::string(kForm == AnyText::Yson ? bytes
                                        : std::string_view(stored_.bytes = to_base64(bytes)));
  }

 private:
  /// Writes ticks of a noted type. Returns false if the type is another, or if no reader would
  /// return them.
  bool write_ticks(Primitive type, int64_t ticks) {
    if (!place_.is(type)) return false;
    Text text;
    const std::string_view written = time_text(type, ticks, &text);
    int64_t again = 0;
    if (!read_ticks(type, written, &again) || again != ticks) return false;
    Base::string(written);
    return true;
  }

  NotedPlace place_;
  StoredValue stored_;
  bool is_taken_ = false;
};

/// A sink of yson::Walker and JsonWalker that writes VARIANT.
class NotedWriter {
 public:
  NotedWriter(const LeafTypes& types, AnyText form, variant::Writer* writer)
      : place_(types), form_(form), writer_(*writer) {}

  void begin(char bracket) {
    place_.begin();
    writer_.begin(bracket);
  }
  void end(char bracket, bool any) {
    place_.end();
    writer_.end(bracket, any);
  }
  void attributed() { writer_.attributed(); }
  void item(bool first) {
    place_.item();
    writer_.item(first);
  }
  void item_end() { writer_.item_end(); }
  void key(std::string_view name) {
    place_.key(name);
    writer_.key(name);
  }
  void entity() { writer_.entity(); }
  void boolean(bool value) { writer_.boolean(value); }
  void int64(int64_t value) { writer_.int64(value); }
  void uint64(uint64_t value) { writer_.uint64(value); }
  void real(double value) {
    place_.is(Primitive::Float) && is_read_as_float(value)
        ? writer_.real32(static_cast<float>(value))
        : writer_.real(value);
  }
  void decimal(Int128 unscaled, int scale) {
    if (!place_.is(Primitive::Float)) return writer_.decimal(unscaled, scale);
    const double value = real_of(unscaled, scale);
    is_read_as_float(value) ? writer_.real32(static_cast<float>(value))
                            : writer_.decimal(unscaled, scale);
  }
  void string(std::string_view bytes) {
    if (!write_stored(bytes)) writer_.string(bytes);
  }
  void text(std::string_view bytes) {
    if (!write_stored(bytes)) writer_.text(bytes);
  }

 private:
  bool write_stored(std::string_view text) {
    const LeafTypes* const types = place_.leaf();
    if (types == nullptr || !read_stored(*types, form_, text, &stored_)) return false;
    const Primitive type = *types->leaf;
    if (type == Primitive::Date) {
      writer_.date(static_cast<int32_t>(stored_.ticks));
    } else if (type == Primitive::Time) {
      writer_.time(stored_.ticks);
    } else if (type == Primitive::Uuid) {
      writer_.uuid({stored_.uuid.data(), stored_.uuid.size()});
    } else if (type == Primitive::Binary) {
      writer_.bytes(stored_.bytes);
    } else if (type == Primitive::Decimal16) {
      writer_.decimal(stored_.unscaled, types->scale);
    } else {
      writer_.timestamp(stored_.ticks, digits_of(type), is_utc(type));
    }
    return true;
  }

  NotedPlace place_;
  AnyText form_;
  variant::Writer& writer_;
  StoredValue stored_;
};

template <typename Sink>
Outcome walk(const variant::Metadata& metadata, std::string_view value, Sink* sink) {
  const Outcome outcome = variant::Walker<Sink>(metadata, sink).value(value);
  return outcome.ok() ? Outcome{sink->refused(), 0} : outcome;
}

}  // namespace

Outcome write_noted(const LeafTypes& types, AnyText form, const variant::Encoded& value,
                    variant::Metadata* metadata, yson::Buffer* out) {
  if (const Outcome outcome = metadata->read(value.metadata); !outcome.ok()) return outcome;
  constexpr variant::Foreign kRefuse = variant::Foreign::Refuse;
  if (form == AnyText::Yson) {
    NotedText<variant::YsonSink, AnyText::Yson> sink(types, yson::Format::Binary, kRefuse, out);
    return walk(*metadata, value.value, &sink);
  }
  NotedText<variant::JsonSink, AnyText::Json> sink(types, kRefuse, out);
  const Outcome outcome = walk(*metadata, value.value, &sink);
  const bool is_finite = sink.fault() != yson::JsonFault::NotFinite;
  return !outcome.ok() || is_finite ? outcome : Outcome{Fault::NotFinite, 0};
}

Outcome read_noted(const LeafTypes& types, AnyText form, std::string_view text,
                   variant::Writer* writer, yson::Buffer* out) {
  NotedWriter sink(types, form, writer);
  writer->start(out);
  const Outcome outcome = form == AnyText::Yson
                              ? variant::walk_yson(text, &sink)
                              : variant::JsonWalker<NotedWriter>(&sink).value(text);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

}  // namespace xwalk::hub::cast
