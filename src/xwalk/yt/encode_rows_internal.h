#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/yt/encode_value_internal.h"

namespace xwalk::yt {

/// The bytes `"name"=` of every member, padded so that each is copied in one step.
struct KeyPrefix {
  static constexpr size_t kStep = 32;
  std::string bytes;
  size_t size = 0;

  explicit KeyPrefix(const std::string& key) : bytes(key), size(key.size()) {
    bytes.resize((size + kStep - 1) / kStep * kStep + kStep);
  }
};

class DictionaryFields;

/// Writes the rows [begin, end) of the columns. `dictionaries` has, for each column that is a
/// dictionary, the fields made of its entries, or null if none were made. `other_columns` is the
/// index of the column of undescribed ones or -1. Returns how many rows were written: fewer than
/// given if one failed, and the context has the error. `binary` chooses the format.
int64_t encode_rows(const Step& row, const std::vector<KeyPrefix>& keys, const hub::Array& batch,
                    std::span<const std::shared_ptr<const DictionaryFields>> dictionaries,
                    int other_columns, int64_t begin, int64_t end, bool binary,
                    EncodeContext& context);

}  // namespace xwalk::yt
