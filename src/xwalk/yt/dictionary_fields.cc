#include <string_view>

#include "xwalk/yt/dictionary_fields_internal.h"

namespace xwalk::yt {
namespace {

/// Longer fields are no better copied than written.
constexpr size_t kMostField = 256;
/// What all fields may take: they are read in any order, and should stay in the cache.
constexpr size_t kMostBytes = size_t{1} << 20;
/// As many rows an entry make up for the entries that no row uses.
constexpr int64_t kRowsPerEntry = 2;

/// Returns true for values that are in the array itself or are its strings.
bool is_flat(Op op) { return op < Op::Nested && op != Op::Null; }

}  // namespace

bool DictionaryFields::pay(const Step& step, const hub::Array& dictionary, int64_t rows) {
  return is_flat(step.op) && dictionary.length <= rows / kRowsPerEntry;
}

DictionaryFields::DictionaryFields(const Step& step, const KeyPrefix& key,
                                   const hub::Array& dictionary, bool skip_nulls, bool binary) {
  const auto count = static_cast<size_t>(dictionary.length);
  fields_.resize(count + 1, {0, kByItself});
  const auto take = [&](size_t at, size_t begin) {
    const size_t size = bytes_.size() - begin;
    if (size > kMostField) return bytes_.truncate(begin);
    fields_[at] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(size)};
    longest_ = std::max(longest_, size);
  };
  const std::string_view name(key.bytes.data(), key.size);
  if (step.nullable) {
    if (!skip_nulls) {
      bytes_.append(name);
      bytes_.append("#;");
    }
    take(count, 0);
  }
  for (size_t at = 0; at < count && bytes_.size() < kMostBytes; ++at) {
    const auto index = static_cast<int64_t>(at);
    if (dictionary.is_null(index)) {
      fields_[at] = fields_[count];
      continue;
    }
    if (is_text(step.op) && dictionary.text(index).size() > kMostField) continue;
    const size_t begin = bytes_.size();
    bytes_.append(name);
    EncodeContext context(&bytes_);
    if (!encode_value(step, dictionary, index, binary, context)) {
      bytes_.truncate(begin);
      continue;
    }
    bytes_.append(';');
    take(at, begin);
  }
  bytes_.reserve(kStep);
}

}  // namespace xwalk::yt
