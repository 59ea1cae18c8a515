#include "xwalk/variant/transcode.h"

#include "xwalk/variant/json_walk.h"
#include "xwalk/variant/text_sinks.h"
#include "xwalk/variant/walk.h"
#include "xwalk/variant/yson_walk.h"

namespace xwalk::variant {
namespace {

/// Takes nothing.
class NoSink {
 public:
  static void begin(char /*bracket*/) {}
  static void end(char /*bracket*/, bool /*any*/) {}
  static void item(bool /*first*/) {}
  static void item_end() {}
  static void key(std::string_view /*name*/) {}
  static void entity() {}
  static void boolean(bool /*value*/) {}
  static void int64(int64_t /*value*/) {}
  static void real(double /*value*/) {}
  static void real32(float /*value*/) {}
  static void text(std::string_view /*bytes*/) {}
  static void bytes(std::string_view /*bytes*/) {}
  static void decimal(Int128 /*unscaled*/, int /*scale*/) {}
  static void date(int32_t /*days*/) {}
  static void time(int64_t /*micros*/) {}
  static void timestamp(int64_t /*ticks*/, int /*digits*/, bool /*utc*/) {}
  static void uuid(std::string_view /*bytes*/) {}
};

template <typename Sink>
Outcome walk(Metadata* metadata, const Encoded& variant, Sink* sink) {
  const Outcome outcome = metadata->read(variant.metadata);
  return outcome.ok() ? Walker<Sink>(*metadata, sink).value(variant.value) : outcome;
}

}  // namespace

Outcome Reader::to_yson(const Encoded& variant, yson::Format format, Foreign foreign,
                        yson::Buffer* out) {
  YsonSink sink(format, foreign, out);
  const Outcome outcome = walk(&metadata_, variant, &sink);
  return outcome.ok() ? Outcome{sink.refused(), 0} : outcome;
}

Outcome Reader::to_json(const Encoded& variant, Foreign foreign, yson::Buffer* out) {
  JsonSink sink(foreign, out);
  const Outcome outcome = walk(&metadata_, variant, &sink);
  if (!outcome.ok()) return outcome;
  if (sink.fault() == yson::JsonFault::NotFinite) return {Fault::NotFinite, 0};
  return {sink.refused(), 0};
}

Outcome Reader::to_variant(const Encoded& variant, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  const Outcome outcome = walk(&metadata_, variant, writer);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

Outcome Reader::to_sorted(const Encoded& variant, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  if (const Outcome outcome = check(variant); !outcome.ok()) return outcome;
  const Outcome outcome = Walker<Writer>(metadata_, writer, FieldOrder::Names).value(variant.value);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

Outcome Reader::check(const Encoded& variant) {
  NoSink sink;
  return walk(&metadata_, variant, &sink);
}

yson::Status read_yson_variant(const char*& p, const char* end, int depth, Writer* writer,
                               yson::Buffer* out) {
  writer->start(out);
  return yson::walk_value(p, end, depth, writer);
}

Outcome write_yson_variant(std::string_view yson, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  const Outcome outcome = walk_yson(yson, writer);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

Outcome write_json_variant(std::string_view json, Writer* writer, yson::Buffer* out) {
  writer->start(out);
  const Outcome outcome = JsonWalker<Writer>(writer).value(json);
  return outcome.ok() ? Outcome{writer->fault(), 0} : outcome;
}

}  // namespace xwalk::variant
