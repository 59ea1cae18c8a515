#include "xwalk/yson/json_text.h"

#include "xwalk/yson/json_writer.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/walk.h"

namespace xwalk::yson {

std::string_view describe(JsonFault fault) {
  switch (fault) {
    case JsonFault::None:
      return "JSON";
    case JsonFault::Malformed:
      return "no YSON value";
    case JsonFault::Attributes:
      return "a value with attributes";
    case JsonFault::NotFinite:
      return "nan or an infinity";
    case JsonFault::NotText:
      return "a string that is not UTF-8";
  }
  return "";
}

JsonFault write_json(std::string_view yson, JsonStyle style, Buffer* out) {
  const bool living = style == JsonStyle::Living;
  JsonWriter writer({.wrappers = living, .encode_utf8 = living}, out);
  writer.start_value(living);
  const char* p = yson.data();
  const char* end = p + yson.size();
  const Status status = Walker(end, &writer).value(p, kMaxDepth);
  writer.count();
  if (status != Status::Ok) return JsonFault::Malformed;
  skip_space(p, end);
  return p == end ? writer.fault() : JsonFault::Malformed;
}

class JsonRowWriter::Impl : public JsonWriter {
 public:
  using JsonWriter::JsonWriter;
};

JsonRowWriter::JsonRowWriter(const JsonRowStyle& style, Buffer* out)
    : impl_(std::make_unique<Impl>(style, out)) {}
JsonRowWriter::~JsonRowWriter() = default;

JsonFault JsonRowWriter::key(std::string_view bytes) {
  impl_->start_value(false);
  impl_->key(bytes);
  return impl_->fault();
}

JsonFault JsonRowWriter::value(const char*& p, const char* end, bool any) {
  impl_->start_value(any);
  JsonWriter* const sink = impl_.get();
  if (Walker(end, sink).value(p, kMaxDepth) != Status::Ok) return JsonFault::Malformed;
  return impl_->fault();
}

void JsonRowWriter::count() { impl_->count(); }

}  // namespace xwalk::yson
