#include "xwalk/plugin/dictionary_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <string_view>

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <parquet/properties.h>

namespace xwalk::plugin {
namespace {

/// Values of a leaf that are looked at, and the fewest that say something. They are in blocks so
/// that runs of equal values are seen, at uneven distances so that periods are.
constexpr int64_t kSample = 4096;
constexpr int64_t kBlock = 64;
constexpr int64_t kLeastSample = 512;

/// Hashes that were seen. Twice as many slots as values.
class SeenHashes {
 public:
  void add(uint64_t hash) {
    hash = (hash ^ (hash >> 31)) * 0x9E37'79B9'7F4A'7C15U | 1U;
    for (size_t at = hash >> 51;; at = (at + 1) % slots_.size()) {
      if (slots_[at] == hash) return;
      if (slots_[at] != 0) continue;
      slots_[at] = hash;
      ++count_;
      return;
    }
  }
  int64_t count() const { return count_; }

 private:
  std::array<uint64_t, 2 * kSample> slots_{};
  int64_t count_ = 0;
};

/// Returns how to see the bytes of a value; nothing for types whose dictionaries stay small, and
/// for arrays that have a dictionary.
std::optional<std::function<std::string_view(int64_t)>> bytes_of(const arrow::Array& array) {
  const auto views = [&]<typename Array>(const Array& values) {
    return [&values](int64_t i) { return std::string_view(values.GetView(i)); };
  };
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return views(static_cast<const arrow::BinaryArray&>(array));
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return views(static_cast<const arrow::LargeBinaryArray&>(array));
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return views(static_cast<const arrow::BinaryViewArray&>(array));
    default:  // foreign enum
      break;
  }
  if (!arrow::is_fixed_width(array.type_id()) || array.type_id() == arrow::Type::DICTIONARY) {
    return std::nullopt;
  }
  const auto width = static_cast<size_t>(array.type()->bit_width() / 8);
  if (width < 4) return std::nullopt;
  const auto* bytes =
      array.data()->GetValues<char>(1, array.offset() * static_cast<int64_t>(width));
  return [bytes, width](int64_t i) {
    return std::string_view(bytes + static_cast<size_t>(i) * width, width);
  };
}

/// Returns about how many values there are of which a sample of `seen` has `distinct` ones, if all
/// are equally frequent: d values of which it has d (1 - e^(-seen ∕ d)).
double distinct_values(double seen, double distinct) {
  double least = distinct;
  double most = seen * seen;
  for (int i = 0; i < 50; ++i) {
    const double about = (least + most) / 2;
    (about * -std::expm1(-seen / about) < distinct ? least : most) = about;
  }
  return most;
}

}  // namespace

int64_t dictionary_bytes(const arrow::Array& array) {
  constexpr int64_t kUsual = parquet::DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT;
  const auto value = bytes_of(array);
  if (!value || array.length() < kLeastSample) return kUsual;
  const int64_t step = std::max(kBlock, array.length() / (kSample / kBlock));
  SeenHashes distinct;
  int64_t seen = 0;
  size_t bytes = 0;
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same rows give the same file
  std::minstd_rand random;
  for (int64_t from = 0; from < array.length(); from += step) {
    const int64_t begin = from + static_cast<int64_t>(random()) % (step - kBlock + 1);
    const int64_t end = std::min(array.length(), begin + kBlock);
    for (int64_t i = begin; i < end && seen < kSample; ++i) {
      if (array.IsNull(i)) continue;
      const std::string_view here = (*value)(i);
      distinct.add(std::hash<std::string_view>()(here));
      bytes += here.size();
      ++seen;
    }
  }
  if (seen < kLeastSample) return kUsual;
  const auto values = static_cast<double>(seen);
  const double about = distinct_values(values, static_cast<double>(distinct.count()));
  const double size = about * static_cast<double>(bytes) / values;
  if (size <= static_cast<double>(kUsual)) return kUsual;
  const bool are_few = 2 * about <= values && size <= static_cast<double>(kMostDictionaryBytes);
  return are_few ? kMostDictionaryBytes : 0;
}

namespace {

void find(const arrow::Array& array, int* leaf, std::vector<int>* out) {
  switch (array.type_id()) {
    case arrow::Type::STRUCT:
      for (const auto& child : static_cast<const arrow::StructArray&>(array).fields()) {
        find(*child, leaf, out);
      }
      return;
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return find(*static_cast<const arrow::ListArray&>(array).values(), leaf, out);
    case arrow::Type::LARGE_LIST:
      return find(*static_cast<const arrow::LargeListArray&>(array).values(), leaf, out);
    case arrow::Type::FIXED_SIZE_LIST:
      return find(*static_cast<const arrow::FixedSizeListArray&>(array).values(), leaf, out);
    default:  // foreign enum
      if (dictionary_bytes(array) == 0) out->push_back(*leaf);
      ++*leaf;
  }
}

}  // namespace

std::vector<int> leaves_without_dictionary(const arrow::RecordBatch& first) {
  std::vector<int> out;
  int leaf = 0;
  for (const std::shared_ptr<arrow::Array>& column : first.columns()) find(*column, &leaf, &out);
  return out;
}

}  // namespace xwalk::plugin
