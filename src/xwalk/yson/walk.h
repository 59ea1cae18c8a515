#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "xwalk/yson/scan.h"

namespace xwalk::yson {

/// A sink that ignores everything.
struct IgnoringSink {
  static void begin(char /*bracket*/) {}
  static void end(char /*bracket*/, bool /*any*/) {}
  static void attributed() {}
  static void item(bool /*first*/) {}
  static void item_end() {}
  static void key(std::string_view /*bytes*/) {}
  static void entity() {}
  static void boolean(bool /*value*/) {}
  static void int64(int64_t /*value*/) {}
  static void uint64(uint64_t /*value*/) {}
  static void real(double /*value*/) {}
  static void string(std::string_view /*bytes*/) {}
};

/// The grammar of YSON. Reads text, binary or both, and reports to a sink what it reads, in the
/// order of the bytes. A sink has
///   `begin(char bracket)`, `end(char bracket, bool any)`: `[`, `{`, and `<` of attributes that are
///     not empty; `attributed()` is called after the value that has the attributes;
///   `item(bool first)`, `item_end()`: around each item and each entry;
///   `key(std::string_view)`: before the value of an entry;
///   `entity()`, `boolean(bool)`, `int64(int64_t)`, `uint64(uint64_t)`, `real(double)`,
///   `string(std::string_view)`: a scalar.
/// It may also have
///   `bool wants(std::string_view)`: called with the bytes from each value on, which begin with `<`
///     if there are attributes; if it returns false, the walker checks the value without reporting
///     it;
///   `size_t known_key(const char*, const char*)`: called with the position of each key and the
///   end;
///     returns the bytes of a key without quotes and its `=` if it took them, or 0;
///   `starts(const char*)`: called with the position of each value, after its attributes.
///
/// Each method moves the position past what it reads. On a status other than Ok it is the position
/// of the error, and the sink may have received half a value. If the bytes end between two tokens,
/// the position is their end and the status is the token that was expected there.
template <typename Sink>
class Walker {
 public:
  Walker(const char* end, Sink* sink) : end_(end), sink_(sink) {}

  /// Reads one value. White space in front of it is skipped.
  Status value(const char*& p, int depth) {
    skip_space(p, end_);
    if (p == end_) return Status::ExpectedValue;
    if constexpr (requires { sink_->wants(std::string_view()); }) {
      if (!sink_->wants({p, static_cast<size_t>(end_ - p)})) return skip_value(p, end_, depth);
    }
    bool any = false;
    if (*p == '<') [[unlikely]] {
      Status status = attributes(p, depth, any);
      if (status != Status::Ok) return status;
    }
    Status status = bare(p, depth);
    if (any && status == Status::Ok) sink_->attributed();
    return status;
  }

  /// Reads items or entries without brackets, up to the end of the bytes.
  Status items(const char*& p, int depth) {
    bool any;
    return items(p, kEnd, depth, any);
  }
  Status entries(const char*& p, int depth) {
    bool any;
    return entries(p, kEnd, depth, any);
  }

 private:
  /// The sink needs no strings, so they are not unescaped.
  static constexpr bool kIgnores = std::is_same_v<Sink, IgnoringSink>;
  struct Nothing {};

  /// Closes items without brackets. No byte has this value.
  static constexpr int kEnd = 256;

  /// Reads attributes, up to the value that they belong to.
  [[gnu::noinline]] Status attributes(const char*& p, int depth, bool& any) {
    const char* inside = p + 1;
    skip_space(inside, end_);
    any = inside == end_ || *inside != '>';
    if (any) {
      Status status = bracketed(p, '>', depth - 1);
      if (status != Status::Ok) return status;
    } else {
      p = inside + 1;
    }
    skip_space(p, end_);
    if (p == end_) return Status::ExpectedValue;
    return *p == '<' ? Status::SecondAttributes : Status::Ok;
  }

  Status bare(const char*& p, int depth) {
    if constexpr (requires { sink_->starts(p); }) sink_->starts(p);
    switch (*p) {
      case '[':
        return bracketed(p, ']', depth - 1);
      case '{':
        return bracketed(p, '}', depth - 1);
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
      case marker::kInt64:
        return binary<int64_t>(p, read_binary_int64, [this](int64_t v) { sink_->int64(v); });
      case marker::kUint64:
        return binary<uint64_t>(p, read_binary_uint64, [this](uint64_t v) { sink_->uint64(v); });
      case marker::kDouble:
        return binary<double>(p, read_binary_double, [this](double v) { sink_->real(v); });
      default:
        break;
    }
    if (is_number_start(*p)) return number(p);
    std::string_view bytes;
    Status status = string(p, Status::ExpectedValue, bytes);
    if (status == Status::Ok) sink_->string(bytes);
    return status;
  }

  /// Reads the items or entries between brackets, `p` at the opening one.
  Status bracketed(const char*& p, char closing, int depth) {
    if (depth < 0) return Status::TooDeep;
    sink_->begin(*p);
    ++p;
    bool any;
    Status status =
        closing == ']' ? items(p, closing, depth, any) : entries(p, closing, depth, any);
    if (status != Status::Ok) return status;
    ++p;
    sink_->end(closing, any);
    return status;
  }

  /// Returns true if items end here, with `p` at a token.
  bool closes(const char* p, int closing) const {
    return p == end_ ? closing == kEnd : *p == closing;
  }

  Status items(const char*& p, int closing, int depth, bool& any) {
    any = false;
    for (;;) {
      skip_space(p, end_);
      if (closes(p, closing)) return Status::Ok;
      sink_->item(!any);
      any = true;
      Status status = value(p, depth);
      if (status == Status::Ok) status = item_end(p, closing);
      if (status != Status::Ok) return status;
    }
  }

  Status entries(const char*& p, int closing, int depth, bool& any) {
    any = false;
    for (;;) {
      skip_space(p, end_);
      if (closes(p, closing)) return Status::Ok;
      if (p == end_) return Status::ExpectedKey;
      sink_->item(!any);
      any = true;
      Status status = key(p);
      if (status != Status::Ok) return status;
      status = value(p, depth);
      if (status == Status::Ok) status = item_end(p, closing);
      if (status != Status::Ok) return status;
    }
  }

  /// Reads a key and its `=`.
  Status key(const char*& p) {
    if constexpr (requires { sink_->known_key(p, end_); }) {
      if (const size_t size = sink_->known_key(p, end_); size != 0) {
        p += size;
        return Status::Ok;
      }
    }
    std::string_view key;
    const Status status = string(p, Status::ExpectedKey, key);
    if (status != Status::Ok) return status;
    sink_->key(key);
    skip_space(p, end_);
    if (p == end_ || *p != '=') return Status::ExpectedEquals;
    ++p;
    return Status::Ok;
  }

  Status item_end(const char*& p, int closing) {
    sink_->item_end();
    skip_space(p, end_);
    if (p != end_ && *p == ';') {
      ++p;
    } else if (!closes(p, closing)) {
      return missing_after_item(closing);
    }
    return Status::Ok;
  }

  template <typename Value, typename Report>
  Status binary(const char*& p, Status (*read)(const char*&, const char*, Value&),
                const Report& report) {
    const char* at = p + 1;
    Value value;
    Status status = read(at, end_, value);
    if (status != Status::Ok) return status;
    report(value);
    p = at;
    return status;
  }

  Status number(const char*& p) {
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

  Status string(const char*& p, Status otherwise, std::string_view& bytes) {
    const char* at = p;
    if (*at == marker::kString) {
      Status status = read_binary_string(++at, end_, bytes);
      if (status != Status::Ok) return status;
    } else if (*at == '"') {
      bool escaped;
      Status status = read_quoted(++at, end_, bytes, escaped);
      if (status != Status::Ok) return status;
      if constexpr (!kIgnores) {
        if (escaped) bytes = without_escapes(bytes);
      }
    } else if (is_word_start(*at)) {
      bytes = read_word(at, end_);
    } else {
      return otherwise;
    }
    p = at;
    return Status::Ok;
  }

  [[gnu::noinline]] std::string_view without_escapes(std::string_view raw) {
    unescaped_.resize(raw.size());
    unescaped_.resize(unescape(raw, unescaped_.data()));
    return unescaped_;
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
  [[no_unique_address]] std::conditional_t<kIgnores, Nothing, std::string> unescaped_;
};

/// Reads one value into a sink, with the status and the position of `skip_value`.
template <typename Sink>
Status walk_value(const char*& p, const char* end, int depth, Sink* sink) {
  const Status status = Walker(end, sink).value(p, depth);
  return status != Status::Ok && p == end ? Status::Truncated : status;
}

}  // namespace xwalk::yson
