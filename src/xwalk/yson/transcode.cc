#include "xwalk/yson/transcode.h"

#include "xwalk/yson/walk.h"

namespace xwalk::yson {
namespace {

constexpr int kIndent = 4;

/// Writes what it is told of as the printer writes a tree.
class Printer {
 public:
  Printer(Format format, int level, Buffer* out) : format_(format), level_(level), out_(out) {}

  void begin(char bracket) {
    out_->append(bracket);
    ++level_;
  }
  void end(char bracket, bool any) {
    --level_;
    if (any && pretty()) indent();
    out_->append(bracket);
    if (bracket == '>' && pretty()) out_->append(' ');
  }
  static void attributed() {}

  void item(bool first) {
    if (!pretty()) return;
    if (first) out_->append('\n');
    indent();
  }
  void item_end() { out_->append(pretty() ? std::string_view(";\n") : std::string_view(";")); }

  void key(std::string_view bytes) {
    string(bytes);
    out_->append(pretty() ? std::string_view(" = ") : std::string_view("="));
  }
  void string(std::string_view bytes) { write_string(bytes, format_, out_); }

  void entity() { out_->append('#'); }
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

 private:
  bool pretty() const { return format_ == Format::Pretty; }

  void indent() {
    size_t size = static_cast<size_t>(level_) * kIndent;
    char* out = out_->reserve(size);
    std::memset(out, ' ', size);
    out_->set_end(out + size);
  }

  Format format_;
  int level_;
  Buffer* out_;
};

}  // namespace

Status transcode(const char*& p, const char* end, Format format, Buffer* out, int max_depth,
                 int level) {
  Printer printer(format, level, out);
  return Walker(end, &printer).value(p, max_depth);
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
