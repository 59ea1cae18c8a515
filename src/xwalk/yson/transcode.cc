#include "xwalk/yson/transcode.h"

#include "xwalk/yson/printer.h"
#include "xwalk/yson/walk.h"

namespace xwalk::yson {

Status transcode(const char*& p, const char* end, Format format, Buffer* out, int max_depth,
                 int level, BufferCount* count) {
  Printer printer(format, level, out, count);
  return walk_value(p, end, max_depth, &printer);
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
