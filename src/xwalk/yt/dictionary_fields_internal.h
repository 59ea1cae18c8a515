#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/encode_rows_internal.h"

namespace xwalk::yt {

/// The fields `"name"=value;` of a dictionary column, encoded once for each entry and for a null,
/// and copied for each row.
class DictionaryFields {
 public:
  /// Bytes that may be written past the end of a field.
  static constexpr size_t kStep = 32;

  /// Returns true if the dictionary pays off for this number of rows: with more entries, most would
  /// be used once or never.
  static bool pay(const Step& step, const hub::Array& dictionary, int64_t rows);

  DictionaryFields(const Step& step, const KeyPrefix& key, const hub::Array& dictionary,
                   bool skip_nulls, bool binary);

  /// Returns the bytes of the longest field.
  size_t longest() const { return longest_; }
  /// Writes the field of a row, given its index in the dictionary; the index after the last entry
  /// means null. Returns the end, or null if the row must be written separately: that path reports
  /// invalid values and drains long ones.
  char* write(uint64_t index, char* out) const {
    if (index >= fields_.size()) [[unlikely]]
      return nullptr;
    const Field field = fields_[index];
    const char* from = bytes_.view().data() + field.begin;
    if (field.size <= kStep) [[likely]] {
      std::memcpy(out, from, kStep);
    } else if (field.size == kByItself) {
      return nullptr;
    } else {
      std::memcpy(out, from, field.size);
    }
    return out + field.size;
  }

 private:
  struct Field {
    uint32_t begin = 0;
    uint32_t size = 0;
  };
  static constexpr uint32_t kByItself = UINT32_MAX;

  std::vector<Field> fields_;
  yson::Buffer bytes_;
  size_t longest_ = 0;
};

}  // namespace xwalk::yt
