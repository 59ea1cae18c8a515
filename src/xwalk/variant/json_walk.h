#pragma once

#include <string>
#include <string_view>

#include "xwalk/variant/fault.h"
#include "xwalk/variant/json_cursor.h"

namespace xwalk::variant {

/// Reads one JSON text (RFC 8259) and reports its parts to a sink, as Walker does, in the order of
/// the text and with repeated keys. A number without a fraction and an exponent is an int64, or
/// beyond that a decimal; with a fraction alone a decimal as written; with an exponent a double.
/// Numbers of more than 38 digits are rejected.
template <typename Sink>
class JsonWalker {
 public:
  explicit JsonWalker(Sink* sink) : sink_(sink) {}

  Outcome value(std::string_view text) {
    cursor_ = JsonCursor(text);
    Fault fault = one(kMaxDepth);
    if (fault == Fault::None && !cursor_.at_end()) fault = Fault::Json;
    return {fault, fault == Fault::None ? 0 : cursor_.offset()};
  }

 private:
  Fault one(int depth) {
    switch (cursor_.peek()) {
      case '{':
      case '[':
        return container(depth);
      case '"': {
        std::string_view bytes;
        const Fault fault = cursor_.string(&bytes);
        if (fault == Fault::None) sink_->text(bytes);
        return fault;
      }
      case 't':
        if (!cursor_.word("true")) return Fault::Json;
        sink_->boolean(true);
        return Fault::None;
      case 'f':
        if (!cursor_.word("false")) return Fault::Json;
        sink_->boolean(false);
        return Fault::None;
      case 'n':
        if (!cursor_.word("null")) return Fault::Json;
        sink_->entity();
        return Fault::None;
      default:
        return number();
    }
  }

  Fault number() {
    JsonNumber number;
    const Fault fault = cursor_.number(&number);
    if (fault != Fault::None) return fault;
    switch (number.kind) {
      case JsonNumber::Kind::Int64:
        sink_->int64(static_cast<int64_t>(number.unscaled));
        break;
      case JsonNumber::Kind::Decimal:
        sink_->decimal(number.unscaled, number.scale);
        break;
      case JsonNumber::Kind::Double:
        sink_->real(number.real);
        break;
    }
    return Fault::None;
  }

  Fault container(int depth) {
    if (depth == 0) return Fault::TooDeep;
    const char bracket = cursor_.peek();
    const bool object = bracket == '{';
    const char closing = object ? '}' : ']';
    cursor_.take(bracket);
    sink_->begin(bracket);
    bool any = false;
    while (!cursor_.take(closing)) {
      if (any && !cursor_.take(',')) return Fault::Json;
      sink_->item(!any);
      any = true;
      if (object) {
        std::string_view key;
        Fault fault = Fault::Json;
        if (cursor_.peek() == '"') fault = cursor_.string(&key);
        if (fault != Fault::None) return fault;
        sink_->key(key);
        if (!cursor_.take(':')) return Fault::Json;
      }
      const Fault fault = one(depth - 1);
      if (fault != Fault::None) return fault;
      sink_->item_end();
    }
    sink_->end(closing, any);
    return Fault::None;
  }

  Sink* sink_;
  JsonCursor cursor_{{}};
};

}  // namespace xwalk::variant
