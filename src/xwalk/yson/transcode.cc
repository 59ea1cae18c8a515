#include "xwalk/yson/transcode.h"

#include <limits>
#include <string>

namespace xwalk::yson {
namespace {

constexpr int kIndent = 4;

class Transcoder {
 public:
  Transcoder(const char* end, Format format, Buffer* out) : end_(end), format_(format), out_(out) {}

  Status value(const char*& p, int depth, int level) {
    skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == '<') {
      // Empty attributes are left out, as the printer does.
      const char* inside = p + 1;
      skip_space(inside, end_);
      if (inside < end_ && *inside == '>') {
        p = inside + 1;
      } else {
        Status status = entries(p, '>', depth - 1, level);
        if (status != Status::Ok) return status;
        if (format_ == Format::Pretty) out_->append(' ');
      }
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == '<') return Status::SecondAttributes;
    }
    switch (*p) {
      case '[':
        return items(p, depth - 1, level);
      case '{':
        return entries(p, '}', depth - 1, level);
      case '#':
        ++p;
        out_->append('#');
        return Status::Ok;
      case '%':
        return literal(p);
      case marker::kTrue:
      case marker::kFalse:
        boolean(*p == marker::kTrue);
        ++p;
        return Status::Ok;
      case marker::kInt64: {
        const char* at = p + 1;
        int64_t number;
        Status status = read_binary_int64(at, end_, number);
        if (status != Status::Ok) return status;
        int64(number);
        p = at;
        return status;
      }
      case marker::kUint64: {
        const char* at = p + 1;
        uint64_t number;
        Status status = read_binary_uint64(at, end_, number);
        if (status != Status::Ok) return status;
        uint64(number);
        p = at;
        return status;
      }
      case marker::kDouble: {
        const char* at = p + 1;
        double number;
        Status status = read_binary_double(at, end_, number);
        if (status != Status::Ok) return status;
        real(number);
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
          int64(number.int64);
          break;
        case NumberKind::Uint64:
          uint64(number.uint64);
          break;
        case NumberKind::Double:
          real(number.real);
          break;
      }
      return status;
    }
    return string(p, Status::ExpectedValue);
  }

 private:
  Status items(const char*& p, int depth, int level) {
    if (depth < 0) return Status::TooDeep;
    ++p;
    out_->append('[');
    bool any = false;
    for (;;) {
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == ']') break;
      begin_item(&any, level + 1);
      Status status = value(p, depth, level + 1);
      if (status != Status::Ok) return status;
      status = end_item(p, ']');
      if (status != Status::Ok) return status;
    }
    ++p;
    close(any, ']', level);
    return Status::Ok;
  }

  Status entries(const char*& p, char closing, int depth, int level) {
    if (depth < 0) return Status::TooDeep;
    out_->append(*p);
    ++p;
    bool any = false;
    for (;;) {
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p == closing) break;
      begin_item(&any, level + 1);
      Status status = string(p, Status::ExpectedKey);
      if (status != Status::Ok) return status;
      skip_space(p, end_);
      if (p == end_) return Status::Truncated;
      if (*p != '=') return Status::ExpectedEquals;
      ++p;
      out_->append(format_ == Format::Pretty ? std::string_view(" = ") : std::string_view("="));
      status = value(p, depth, level + 1);
      if (status != Status::Ok) return status;
      status = end_item(p, closing);
      if (status != Status::Ok) return status;
    }
    ++p;
    close(any, closing, level);
    return Status::Ok;
  }

  void begin_item(bool* any, int level) {
    if (format_ == Format::Pretty) {
      if (!*any) out_->append('\n');
      indent(level);
    }
    *any = true;
  }

  Status end_item(const char*& p, char closing) {
    out_->append(format_ == Format::Pretty ? std::string_view(";\n") : std::string_view(";"));
    skip_space(p, end_);
    if (p == end_) return Status::Truncated;
    if (*p == ';') {
      ++p;
    } else if (*p != closing) {
      return Status::ExpectedSeparator;
    }
    return Status::Ok;
  }

  void close(bool any, char closing, int level) {
    if (any && format_ == Format::Pretty) indent(level);
    out_->append(closing);
  }

  void indent(int level) {
    size_t size = static_cast<size_t>(level) * kIndent;
    char* out = out_->reserve(size);
    std::memset(out, ' ', size);
    out_->set_end(out + size);
  }

  Status string(const char*& p, Status otherwise) {
    const char* at = p;
    std::string_view bytes;
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
    write_string(bytes, format_, out_);
    p = at;
    return Status::Ok;
  }

  Status literal(const char*& p) {
    Literal found;
    Status status = read_literal(p, end_, found);
    if (status != Status::Ok) return status;
    switch (found) {
      case Literal::False:
        boolean(false);
        break;
      case Literal::True:
        boolean(true);
        break;
      case Literal::Nan:
        real(std::numeric_limits<double>::quiet_NaN());
        break;
      case Literal::Infinity:
        real(std::numeric_limits<double>::infinity());
        break;
      case Literal::NegativeInfinity:
        real(-std::numeric_limits<double>::infinity());
        break;
    }
    return status;
  }

  void boolean(bool value) {
    char* out = out_->reserve(kMaxScalarBytes);
    out_->set_end(format_ == Format::Binary ? write_binary_boolean(out, value)
                                            : write_text_boolean(out, value));
  }
  void int64(int64_t value) {
    char* out = out_->reserve(kMaxScalarBytes);
    out_->set_end(format_ == Format::Binary ? write_binary_int64(out, value)
                                            : write_text_int64(out, value));
  }
  void uint64(uint64_t value) {
    char* out = out_->reserve(kMaxScalarBytes);
    out_->set_end(format_ == Format::Binary ? write_binary_uint64(out, value)
                                            : write_text_uint64(out, value));
  }
  void real(double value) {
    char* out = out_->reserve(kMaxScalarBytes);
    out_->set_end(format_ == Format::Binary ? write_binary_double(out, value)
                                            : write_text_double(out, value));
  }

  const char* end_;
  Format format_;
  Buffer* out_;
  std::string unescaped_;
};

}  // namespace

Status transcode(const char*& p, const char* end, Format format, Buffer* out, int max_depth,
                 int level) {
  return Transcoder(end, format, out).value(p, max_depth, level);
}

void write_string(std::string_view bytes, Format format, Buffer* out) {
  if (format == Format::Binary) {
    char* begin = out->reserve(max_binary_string_bytes(bytes.size()));
    out->set_end(write_binary_string(begin, bytes));
  } else {
    char* begin = out->reserve(max_text_string_bytes(bytes.size()));
    out->set_end(write_text_string(begin, bytes));
  }
}

}  // namespace xwalk::yson
