#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/variant/fault.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/writer.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/writer.h"

namespace xwalk::variant {

/// Converts values of VARIANT one after the other. Appends to `out`, which holds half a value if
/// there is a fault. Nothing is allocated per value once its buffers have grown.
class Reader {
 public:
  /// Writes a value as YSON. Foreign::Refuse accepts null, booleans, integers, floats, doubles,
  /// strings, binary that is not UTF-8, objects, lists, and decimals that equal an int64 below
  /// zero, a uint64, or have the digits of a double.
  Outcome to_yson(const Encoded& variant, yson::Format format, Foreign foreign, yson::Buffer* out);
  /// Writes a value as JSON in one line. Foreign::Refuse accepts null, booleans, numbers except nan
  /// and infinities, strings, objects and lists.
  Outcome to_json(const Encoded& variant, Foreign foreign, yson::Buffer* out);
  /// Writes a value again, with the fewest bytes and a dictionary of only its own names.
  Outcome to_variant(const Encoded& variant, Writer* writer, yson::Buffer* out);
  /// Writes a value with the fields of objects in the order of their names: equal values have equal
  /// bytes.
  Outcome to_sorted(const Encoded& variant, Writer* writer, yson::Buffer* out);
  /// Checks a value.
  Outcome check(const Encoded& variant);
  /// Returns the dictionary of the value that was read last.
  const Metadata& metadata() const { return metadata_; }
  /// Returns the same for a caller that reads dictionaries itself.
  Metadata* dictionary() { return &metadata_; }

 private:
  Metadata metadata_;
};

/// Reads one value in YSON, of at most `depth` open brackets, and appends it to `out`. `p` moves as
/// for `yson::skip_value`. If the status is Ok, `writer` knows whether VARIANT has the value.
yson::Status read_yson_variant(const char*& p, const char* end, int depth, Writer* writer,
                               yson::Buffer* out);

/// Read one value in YSON, or a JSON text, and append it to `out`. The caller finishes
/// `writer` if there is no fault. An error in YSON is placed at the byte where the reader stopped.
Outcome write_yson_variant(std::string_view yson, Writer* writer, yson::Buffer* out);
Outcome write_json_variant(std::string_view json, Writer* writer, yson::Buffer* out);

}  // namespace xwalk::variant
