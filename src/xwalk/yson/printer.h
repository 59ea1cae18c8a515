#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "xwalk/yson/transcode.h"

namespace xwalk::yson {

/// A sink of `Walker` that writes what `print` writes of a tree.
class Printer {
 public:
  /// With `count`, what is written is counted.
  Printer(Format format, int level, Buffer* out, BufferCount* count = nullptr)
      : format_(format), level_(level), out_(out), count_(count) {}

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
    if (count_ != nullptr) count_->much();
    if (!pretty()) return;
    if (first) out_->append('\n');
    indent();
  }
  void item_end() { out_->append(pretty() ? std::string_view(";\n") : std::string_view(";")); }

  void key(std::string_view bytes) {
    string(bytes);
    out_->append(pretty() ? std::string_view(" = ") : std::string_view("="));
  }
  void string(std::string_view bytes) {
    if (bytes.size() < kLongString) return write_string(bytes, format_, out_);
    // The caller may look at the value again.
    (format_ == Format::Binary ? append_binary_string : append_text_string)(bytes, out_, count_,
                                                                            /*drains=*/false);
  }

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
  static constexpr int kIndent = 4;
  static constexpr size_t kLongString = size_t{1} << 20;

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
  BufferCount* count_;
};

}  // namespace xwalk::yson
