#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "xwalk/yson/json_text.h"
#include "xwalk/yson/writer.h"

namespace xwalk::yson {

/// A sink of `Walker` that writes JSON text.
class JsonWriter {
 public:
  JsonWriter(const JsonRowStyle& style, Buffer* out) : style_(style), out_(out), count_(out) {}

  JsonFault fault() const { return fault_; }
  /// Takes what was written from the memory of the batch. To be called after each value or row.
  void count() { count_.all(); }
  /// Begins a value whose types nothing else tells, or one of a known type.
  void start_value(bool any) {
    say_types_ = any && style_.wrappers;
    in_wrapper_ = false;
    fault_ = JsonFault::None;
  }

  void begin(char bracket) {
    if (bracket == '<') {
      if (!style_.wrappers) refuse(JsonFault::Attributes);
      out_->append(R"({"$attributes":{)");
      return;
    }
    start();
    out_->append(bracket);
  }
  void end(char bracket, bool /*any*/) {
    if (bracket != '>') return out_->append(bracket);
    out_->append("},");
    in_wrapper_ = true;
  }
  void attributed() { out_->append('}'); }

  void item(bool first) {
    if (!first) out_->append(',');
    count_.much();
  }
  static void item_end() {}

  void key(std::string_view bytes) {
    out_->append('"');
    if (style_.wrappers && bytes.starts_with('$')) out_->append('$');
    characters(bytes);
    out_->append("\":");
  }

  void string(std::string_view bytes) {
    const bool wrapped = annotated(R"("$type":"string",)");
    start();
    out_->append('"');
    characters(bytes);
    out_->append('"');
    if (wrapped) out_->append('}');
  }
  void entity() {
    start();
    out_->append("null");
  }
  void boolean(bool value) {
    const bool wrapped = annotated(R"("$type":"boolean",)");
    start();
    text(value ? std::string_view("true") : std::string_view("false"));
    if (wrapped) out_->append('}');
  }
  void int64(int64_t value) {
    const bool wrapped = annotated(R"("$type":"int64",)");
    start();
    char digits[kMaxScalarBytes];
    text({digits, static_cast<size_t>(write_text_int64(digits, value) - digits)});
    if (wrapped) out_->append('}');
  }
  void uint64(uint64_t value) {
    // Larger ones can be nothing else.
    const bool lost =
        say_types_ &&
        (style_.stringify || value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
    const bool wrapped =
        (lost || style_.annotate_with_types) && start_typed(R"("$type":"uint64",)");
    start();
    char digits[kMaxScalarBytes];
    text({digits, static_cast<size_t>(write_digits(digits, value) - digits)});
    if (wrapped) out_->append('}');
  }
  void real(double value) {
    if (!std::isfinite(value)) return not_finite(value);
    const bool wrapped = annotated(R"("$type":"double",)");
    start();
    char digits[kMaxScalarBytes];
    char* end = write_text_double(digits, value);
    if (end[-1] == '.') *end++ = '0';
    text({digits, static_cast<size_t>(end - digits)});
    if (wrapped) out_->append('}');
  }

 private:
  void refuse(JsonFault fault) {
    if (fault_ == JsonFault::None) fault_ = fault;
  }

  /// Begins a value: after attributes it has a key.
  void start() {
    if (!in_wrapper_) [[likely]]
      return;
    in_wrapper_ = false;
    out_->append(R"("$value":)");
  }

  /// Writes the type of a value, next to its attributes or in a separate wrapper. Returns true if
  /// the caller must close the wrapper.
  bool start_typed(std::string_view type) {
    const bool wraps = !in_wrapper_;
    if (wraps) out_->append('{');
    out_->append(type);
    in_wrapper_ = true;
    return wraps;
  }

  /// Begins a scalar, with its type if all types are written.
  bool annotated(std::string_view type) {
    const bool lost = say_types_ && style_.stringify && !type.starts_with(R"("$type":"string)");
    return (lost || style_.annotate_with_types) && start_typed(type);
  }

  /// Writes the text of a number or a boolean.
  void text(std::string_view bytes) {
    if (!style_.stringify) return out_->append(bytes);
    out_->append('"');
    out_->append(bytes);
    out_->append('"');
  }

  void not_finite(double value);
  /// Writes the characters between the quotes of a string.
  void characters(std::string_view bytes);

  const JsonRowStyle style_;
  /// Numbers whose type JSON would lose get their type.
  bool say_types_ = false;
  /// Whether attributes or a type come before the next value.
  bool in_wrapper_ = false;
  JsonFault fault_ = JsonFault::None;
  Buffer* out_;
  BufferCount count_;
};

}  // namespace xwalk::yson
