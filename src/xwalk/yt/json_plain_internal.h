#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "xwalk/yson/writer.h"
#include "xwalk/yt/back_off_internal.h"
#include "xwalk/yt/json_shape_internal.h"
#include "xwalk/yt/json_transcoder.h"

namespace xwalk::yt {

/// Puts the bytes that the code points of valid UTF-8 stand for into `decoded`, and with
/// `encode_utf8` in the place of the text. Returns false there for a code point above U+00FF;
/// otherwise counts what the string looks like.
bool decode_json_string(std::string_view* text, bool encode_utf8, std::string* decoded,
                        JsonTranscoder::Strings* strings);

/// Converts simple rows to binary YSON in one pass over their bytes: keys in the schema's order or
/// unknown ones, numbers in their usual range, strings, lists and objects. Accepted rows are valid
/// JSON and get the same result as in `JsonTranscoder`. All other rows are declined without an
/// error: invalid ones, values with attributes or explicit types, numbers as strings, infinities.
/// Not thread-safe.
class PlainJson {
 public:
  /// `entries` is the count from `compile_json`. `root` must outlive this object.
  PlainJson(const JsonShape& root, const JsonForm& form, size_t entries);

  /// Appends a row and its `;`, and counts its strings. Returns false and changes nothing for a
  /// line that it declines. JsonTranscoder::kPadding bytes after the line must be readable.
  bool row(std::string_view line, yson::Buffer* out, JsonTranscoder::Strings* strings);

 private:
  /// Positions after a value in the line and after its output; null if declined.
  struct At {
    const char* in;
    char* out;
  };

  At fields(const char* p, char* out, const JsonShape& shape, int depth);
  At list(const char* p, char* out, const JsonShape& shape, JsonKind kind, int depth);
  At value(const char* p, char* out, const JsonShape& shape, int depth);
  At step(const char* p, char* out, const JsonShape& shape, int depth);
  At string(const char* p, char* out, const JsonShape& shape);
  At rare_string(const char* p, const char* close, bool escaped, bool high, char* out,
                 const JsonShape& shape);
  At number(const char* p, char* out, const JsonShape& shape);
  At rare_number(const char* p, char* out, const JsonShape& shape) const;
  const char* key(const char* p, const JsonShape& shape, size_t* index, std::string_view* name);

  const JsonShape& root_;
  JsonForm form_;
  /// Of each entry, the one that followed it in the object before; the end first.
  std::vector<uint32_t> next_;
  /// The end of the line.
  const char* end_ = nullptr;
  JsonTranscoder::Strings* strings_ = nullptr;
  std::string decoded_;
  std::string unescaped_;
  simdjson::ondemand::parser parser_;
  BackOff back_off_;
};

}  // namespace xwalk::yt
