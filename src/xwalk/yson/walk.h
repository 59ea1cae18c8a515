#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "xwalk/yson/scan.h"

namespace xwalk::yson {

/// Reads one value, text or binary or both, and tells a sink what it meets, in the order of the
/// bytes; what the writers of other forms are made of. A sink has
///   `begin(char bracket)`, `end(char bracket, bool any)`: `[`, `{`, and `<` of attributes that are
///     not empty, which `attributed()` follows when their value is through;
///   `item(bool first)`, `item_end()`: around each item and each entry;
///   `key(std::string_view)`: before the value of an entry;
///   `entity()`, `boolean(bool)`, `int64(int64_t)`, `uint64(uint64_t)`, `real(double)`,
///   `string(std::string_view)`: a scalar.
template <typename Sink>
class Walker {
 public:
  Walker(const char* end, Sink* sink) : end_(end), sink_(sink) {}

  /// `p` moves as for `skip_value`. On a status other than Ok the sink may have received half a
  /// value.
  Status value(const char*& p, int depth) {
    skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p != '<') return bare(p, depth);
    const char* inside = p + 1;
    skip_space(inside, end_);
    const bool any = inside == end_ || *inside != '>';
    if (any) {
      Status status = entries(p, '>', depth - 1);
      if (status != Status::Ok) return status;
    } else {
      p = inside + 1;
    }
    skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == '<') return Status::SecondAttributes;
    Status status = bare(p, depth);
    if (status == Status::Ok && any) sink_->attributed();
    return status;
  }

 private:
  Status bare(const char*& p, int depth) {
    switch (*p) {
      case '[':
        return items(p, depth - 1);
      case '{':
        return entries(p, '}', depth - 1);
      case '#':
        ++p;
        sink_->entity();
        return Status::Ok;
      case '%':
        return literal(p);
      case marker::kTrue:
      case marker::kFalse:
        sink_->boolean(*p == marker::kTrue);
        ++p;
        return Status::Ok;
      case marker::kInt64: {
        const char* at = p + 1;
        int64_t number;
        Status status = read_binary_int64(at, end_, number);
        if (status != Status::Ok) return status;
        sink_->int64(number);
        p = at;
        return status;
      }
      case marker::kUint64: {
        const char* at = p + 1;
        uint64_t number;
        Status status = read_binary_uint64(at, end_, number);
        if (status != Status::Ok) return status;
        sink_->uint64(number);
        p = at;
        return status;
      }
      case marker::kDouble: {
        const char* at = p + 1;
        double number;
        Status status = read_binary_double(at, end_, number);
        if (status != Status::Ok) return status;
        sink_->real(number);
        p = at;
        return status;
      }
      default:
        break;
    }
    if (is_number_start(*p)) {
      Number number;
      Status status = read_number(p, end_, number);
      if (status != Status::Ok) return status;
      switch (number.kind) {
        case NumberKind::Int64:
          sink_->int64(number.int64);
          break;
        case NumberKind::Uint64:
          sink_->uint64(number.uint64);
          break;
        case NumberKind::Double:
          sink_->real(number.real);
          break;
      }
      return status;
    }
    std::string_view bytes;
    Status status = string(p, Status::ExpectedValue, bytes);
    if (status == Status::Ok) sink_->string(bytes);
    return status;
  }

  Status items(const char*& p, int depth) {
    if (depth < 0) return Status::TooDeep;
    ++p;
    sink_->begin('[');
    bool any = false;
    for (;;) {
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == ']') break;
      sink_->item(!any);
      any = true;
      Status status = value(p, depth);
      if (status == Status::Ok) status = item_end(p, ']');
      if (status != Status::Ok) return status;
    }
    ++p;
    sink_->end(']', any);
    return Status::Ok;
  }

  Status entries(const char*& p, char closing, int depth) {
    if (depth < 0) return Status::TooDeep;
    sink_->begin(*p);
    ++p;
    bool any = false;
    for (;;) {
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == closing) break;
      sink_->item(!any);
      any = true;
      std::string_view key;
      Status status = string(p, Status::ExpectedKey, key);
      if (status != Status::Ok) return status;
      sink_->key(key);
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p != '=') return Status::ExpectedEquals;
      ++p;
      status = value(p, depth);
      if (status == Status::Ok) status = item_end(p, closing);
      if (status != Status::Ok) return status;
    }
    ++p;
    sink_->end(closing, any);
    return Status::Ok;
  }

  Status item_end(const char*& p, char closing) {
    sink_->item_end();
    skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == ';') {
      ++p;
    } else if (*p != closing) {
      return Status::ExpectedSeparator;
    }
    return Status::Ok;
  }

  Status string(const char*& p, Status otherwise, std::string_view& bytes) {
    const char* at = p;
    if (*at == marker::kString) {
      Status status = read_binary_string(++at, end_, bytes);
      if (status != Status::Ok) return status;
    } else if (*at == '"') {
      bool escaped;
      Status status = read_quoted(++at, end_, bytes, escaped);
      if (status != Status::Ok) return status;
      if (escaped) {
        unescaped_.resize(bytes.size());
        unescaped_.resize(unescape(bytes, unescaped_.data()));
        bytes = unescaped_;
      }
    } else if (is_word_start(*at)) {
      bytes = read_word(at, end_);
    } else {
      return otherwise;
    }
    p = at;
    return Status::Ok;
  }

  Status literal(const char*& p) {
    Literal found;
    Status status = read_literal(p, end_, found);
    if (status != Status::Ok) return status;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (found) {
      case Literal::False:
        sink_->boolean(false);
        break;
      case Literal::True:
        sink_->boolean(true);
        break;
      case Literal::Nan:
        sink_->real(std::numeric_limits<double>::quiet_NaN());
        break;
      case Literal::Infinity:
        sink_->real(kInfinity);
        break;
      case Literal::NegativeInfinity:
        sink_->real(-kInfinity);
        break;
    }
    return status;
  }

  const char* end_;
  Sink* sink_;
  std::string unescaped_;
};

}  // namespace xwalk::yson
