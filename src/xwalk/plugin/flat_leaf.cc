#include "xwalk/plugin/flat_leaf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <arrow/util/compression.h>
#include <parquet/column_page.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>
#include <parquet/statistics.h>
#include <parquet/types.h>

#include "xwalk/plugin/dictionary_choice.h"
#include "xwalk/plugin/flat_values.h"
#include "xwalk/plugin/hybrid.h"

namespace xwalk::plugin {
namespace {

using parquet::Encoding;

/// Adds the bits of a bitmap to bytes.
void add_bits(const uint8_t* bitmap, int64_t offset, int64_t count, uint8_t* bytes) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 8) {
    uint16_t two = 0;
    std::memcpy(&two, bitmap + (offset + i) / 8, sizeof two);
    // Each bit in a byte of its own, then in the lowest place there.
    uint64_t word = (uint64_t{two} >> ((offset + i) % 8) & 0xFF) * 0x0101'0101'0101'0101;
    word = ((word & 0x8040'2010'0804'0201) + 0x7F7F'7F7F'7F7F'7F7F) >> 7 & 0x0101'0101'0101'0101;
    uint64_t sum = 0;
    std::memcpy(&sum, bytes + i, sizeof sum);
    sum += word;
    std::memcpy(bytes + i, &sum, sizeof sum);
  }
  for (; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(bytes[i] + (bitmap[(offset + i) / 8] >> (offset + i) % 8 & 1));
  }
}

/// Returns the nodes of the schema from a column down to a leaf.
std::vector<const parquet::schema::Node*> nodes_of(const parquet::ColumnDescriptor& leaf) {
  std::vector<const parquet::schema::Node*> nodes;
  const parquet::schema::Node* node = leaf.schema_node().get();
  for (; node->parent() != nullptr; node = node->parent()) nodes.insert(nodes.begin(), node);
  return nodes;
}

/// Returns the place of a node among its siblings.
int place_of(const parquet::schema::Node& node) {
  return static_cast<const parquet::schema::GroupNode*>(node.parent())->FieldIndex(node);
}

template <typename DType>
class TypedLeaf final : public FlatLeaf {
  using T = typename DType::c_type;
  static constexpr bool kIsBool = std::is_same_v<DType, parquet::BooleanType>;
  static constexpr bool kHasLengths = std::is_same_v<DType, parquet::ByteArrayType>;
  static constexpr bool kIsFixed = std::is_same_v<DType, parquet::FLBAType>;
  static constexpr bool kIsText = kHasLengths || kIsFixed;
  using Value = std::conditional_t<kIsText, std::string_view, T>;

 public:
  TypedLeaf(const parquet::ColumnDescriptor* leaf, const parquet::WriterProperties* properties,
            arrow::MemoryPool* pool)
      : leaf_(leaf),
        properties_(properties),
        pool_(pool),
        most_level_(static_cast<uint8_t>(leaf->max_definition_level())),
        page_rows_limit_(properties->max_rows_per_page()),
        has_page_index_(properties->page_index_enabled(leaf->path())),
        chunk_sizes_(*parquet::SizeStatistics::Make(leaf)) {
    if constexpr (kIsFixed) width_ = static_cast<uint32_t>(leaf->type_length());
    for (const parquet::schema::Node* node : nodes_of(*leaf)) {
      path_.push_back(place_of(*node));
      can_lack_.push_back(node->is_optional());
    }
    if (properties->statistics_enabled(leaf->path()) &&
        leaf->sort_order() != parquet::SortOrder::UNKNOWN) {
      chunk_statistics_ = parquet::MakeStatistics<DType>(leaf, pool);
      if (has_page_index_) page_statistics_ = parquet::MakeStatistics<DType>(leaf, pool);
      statistics_ = has_page_index_ ? page_statistics_.get() : chunk_statistics_.get();
    }
    if (const auto options = properties->codec_options(leaf->path())) codec_options_ = *options;
    codec_ = parquet::GetCodec(properties->compression(leaf->path()), codec_options_);
    if (most_level_ == 0) return;
    level_width_ = std::bit_width(unsigned{most_level_});
    headroom_ = (hybrid_bound(page_rows_limit_, level_width_) + 4 + 7) / 8 * 8;
  }

  bool is_open() const override { return scratch_ != nullptr; }

  void begin(std::unique_ptr<FlatScratch> scratch) override {
    scratch_ = std::move(scratch);
    // guard(allocate): The rows of a page are limited by the writer's options, not by an input.
    scratch_->levels.resize(static_cast<size_t>(page_rows_limit_));
    scratch_->numbers.resize(static_cast<size_t>(page_rows_limit_));
    rows_ = values_ = 0;
    begin_page();
  }

  arrow::Status add(const arrow::RecordBatch& batch) override {
    nodes_.assign(1, batch.column(path_.front()));
    for (size_t i = 1; i < path_.size(); ++i) {
      nodes_.push_back(static_cast<const arrow::StructArray&>(*nodes_.back()).field(path_[i]));
    }
    const arrow::ArrayData& array = *nodes_.back()->data();
    if (array.length == 0) return arrow::Status::OK();
    if (rows_ + page_rows_ == 0) choose_encoding(*nodes_.back());
    if (array.dictionary == nullptr) {
      return with_values(array, [&](const auto& source) { return add_rows(source, array.length); });
    }
    const arrow::ArrayData& dictionary = *array.dictionary;
    if (!is_known(dictionary)) {
      known_.assign(static_cast<size_t>(dictionary.length), Distinct::kNone);
      known_of_ = array.dictionary;
    }
    return with_values(dictionary, [&]<typename Source>(const Source& source) {
      return add_rows(Coded<Source>{Codes(array), source}, array.length);
    });
  }

  arrow::Result<std::unique_ptr<FlatScratch>> end() override {
    ARROW_RETURN_NOT_OK(end_page());
    end_dictionary();
    nodes_.clear();
    return std::move(scratch_);
  }

  int64_t write(const std::shared_ptr<arrow::io::OutputStream>& sink,
                parquet::ColumnChunkMetaDataBuilder* chunk, int row_group, int number,
                parquet::PageIndexBuilder* index) override {
    if (!has_page_index_) index = nullptr;
    const bool has_statistics = properties_->statistics_enabled(leaf_->path());
    const auto pages = parquet::PageWriter::Open(
        sink, properties_->compression(leaf_->path()), chunk, static_cast<int16_t>(row_group),
        static_cast<int16_t>(number), pool_, false, nullptr, nullptr, false,
        index != nullptr && has_statistics ? index->GetColumnIndexBuilder(number) : nullptr,
        index != nullptr ? index->GetOffsetIndexBuilder(number) : nullptr, codec_options_);
    const bool has_dictionary = dictionary_ != nullptr;
    int64_t bytes = 0;
    if (has_dictionary) {
      bytes += pages->WriteDictionaryPage({std::exchange(dictionary_, nullptr), dictionary_count_,
                                           properties_->dictionary_page_encoding()});
    }
    for (const parquet::DataPageV1& page : pages_) bytes += pages->WriteDataPage(page);
    if (rows_ > 0) {
      if (chunk_statistics_ != nullptr) {
        const auto encoded = encode(chunk_statistics_.get());
        if (encoded.is_set()) chunk->SetStatistics(encoded);
        chunk_statistics_->Reset();
      }
      if (chunk_sizes_.is_set()) chunk->SetSizeStatistics(chunk_sizes_);
      chunk_sizes_ = *parquet::SizeStatistics::Make(leaf_);
    }
    const bool has_plain = !pages_.empty() && pages_.back().encoding() == Encoding::PLAIN;
    pages->Close(has_dictionary, has_dictionary && has_plain);
    pages_.clear();
    return bytes;
  }

 private:
  /// Calls `use` with how to see the values of an array.
  template <typename Use>
  arrow::Status with_values(const arrow::ArrayData& array, const Use& use) {
    if constexpr (kIsBool) {
      return use(Bits(array));
    } else if constexpr (kIsFixed) {
      return use(FixedBytes(array, width_));
    } else if constexpr (kHasLengths) {
      const arrow::Type::type kind = array.type->id();
      if (arrow::is_binary_view_like(kind)) return use(TextViews(array));
      return arrow::is_large_binary_like(kind) ? use(Texts<int64_t>(array))
                                               : use(Texts<int32_t>(array));
    } else {
      return use(Numbers<T>(array));
    }
  }

  /// Whether a dictionary may have more than the usual limit; a smaller one is for many columns.
  bool may_have_more() const {
    return properties_->dictionary_pagesize_limit() >= parquet::DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT;
  }

  void choose_encoding(const arrow::Array& first) {
    has_numbers_ = false;
    if (kIsBool || !properties_->dictionary_enabled(leaf_->path())) return;
    const int64_t most = dictionary_bytes(first);
    has_numbers_ = most > 0;
    if (!has_numbers_) return;
    scratch_->distinct.clear(kHasLengths ? 0
                             : kIsFixed  ? width_
                                         : sizeof(T),
                             may_have_more() ? most : properties_->dictionary_pagesize_limit());
    scratch_->stamps.clear();
    last_.length = Distinct::kNone;
    known_of_.reset();
  }

  /// Returns true if `known_` has the numbers of the values of a dictionary.
  bool is_known(const arrow::ArrayData& dictionary) const {
    if (known_of_ == nullptr || known_of_->length != dictionary.length ||
        known_of_->offset != dictionary.offset) {
      return false;
    }
    // No other memory can have the address while this is held.
    const auto is_same = [](const auto& one, const auto& other) {
      return one == other || (one != nullptr && other != nullptr &&
                              one->address() == other->address() && one->size() == other->size());
    };
    return std::ranges::equal(known_of_->buffers, dictionary.buffers, is_same);
  }

  template <typename Source>
  arrow::Status add_rows(const Source& source, int64_t length) {
    for (int64_t at = 0; at < length;) {
      const int64_t here = std::min(length - at, page_rows_limit_ - page_rows_);
      ARROW_ASSIGN_OR_RAISE(const bool is_whole, find_levels(at, here));
      const int64_t taken =
          is_whole ? add_values<true>(source, at, here) : add_values<false>(source, at, here);
      page_rows_ += taken;
      at += taken;
      const bool is_outgrown = has_numbers_ && taken < here;
      if (is_outgrown || page_rows_ == page_rows_limit_ ||
          scratch_->page.length() - headroom_ >= properties_->data_pagesize()) {
        ARROW_RETURN_NOT_OK(end_page());
      }
      if (is_outgrown) end_dictionary();
    }
    return arrow::Status::OK();
  }

  /// Finds the levels of the next rows of the page. Returns true if none is null.
  arrow::Result<bool> find_levels(int64_t at, int64_t count) {
    uint8_t* levels = scratch_->levels.data() + page_rows_;
    std::memset(levels, 0, static_cast<size_t>(count));
    bool is_whole = true;
    uint8_t level = 0;
    const auto take = [&](bool can_lack, const auto& is_valid) -> arrow::Status {
      for (int64_t row = 0; row < count; ++row) {
        if (levels[row] != level) continue;
        const bool valid = is_valid(row);
        if (!valid && !can_lack) {
          return arrow::Status::Invalid("the column '", leaf_->path()->ToDotString(),
                                        "' is required, found a null");
        }
        levels[row] = static_cast<uint8_t>(level + (can_lack && valid ? 1 : 0));
      }
      return arrow::Status::OK();
    };
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const arrow::Array& node = *nodes_[i];
      const bool has_nulls = node.null_count() > 0 && node.null_bitmap_data() != nullptr;
      if (is_whole && can_lack_[i] && has_nulls) {
        add_bits(node.null_bitmap_data(), node.offset() + at, count, levels);
        is_whole = false;
      } else if (has_nulls || (!is_whole && can_lack_[i])) {
        ARROW_RETURN_NOT_OK(
            take(can_lack_[i], [&](int64_t row) { return !has_nulls || node.IsValid(at + row); }));
      } else if (can_lack_[i]) {
        std::memset(levels, level + 1, static_cast<size_t>(count));
      }
      if (can_lack_[i]) ++level;
    }
    const arrow::ArrayData& array = *nodes_.back()->data();
    if (array.dictionary != nullptr && array.dictionary->GetNullCount() > 0) {
      const Codes codes(array);
      for (int64_t row = 0; row < count; ++row) {
        if (levels[row] != level || array.dictionary->IsValid(codes[at + row])) continue;
        if (!can_lack_.back()) return take(false, [](int64_t) { return false; });
        --levels[row];
        is_whole = false;
      }
    }
    return is_whole;
  }

  /// Adds the values of rows whose levels are known. Returns for how many rows there was room.
  template <bool kIsWhole, typename Source>
  int64_t add_values(const Source& source, int64_t at, int64_t count) {
    const uint8_t* levels = scratch_->levels.data() + page_rows_;
    const auto is_here = [&](int64_t i) { return kIsWhole || levels[i] == most_level_; };
    if constexpr (!kIsBool) {
      if (!has_numbers_) return add_plain<kIsWhole>(source, at, count, is_here);
    }
    uint32_t* const begin = scratch_->numbers.data();
    uint32_t* out = begin + page_values_;
    int64_t i = 0;
    for (; i < count; ++i) {
      if (!is_here(i)) continue;
      uint32_t number = 0;
      if constexpr (kIsBool) {
        number = source[at + i] ? 1 : 0;
      } else if constexpr (requires { source.codes; }) {
        const int64_t code = source.codes[at + i];
        uint32_t& known = known_[static_cast<size_t>(code)];
        if (known == Distinct::kNone) known = number_of(source.values[code], source.end());
        number = known;
      } else {
        number = number_of(source[at + i], source.end());
      }
      if (number == Distinct::kNone) {
        if (!widen_dictionary(out - begin)) break;
        --i;
        continue;
      }
      *out++ = number;
    }
    page_values_ = out - begin;
    return i;
  }

  /// Makes room in a dictionary that is full, if its values were repeated or are few. `more` of the
  /// open page have numbers.
  bool widen_dictionary(int64_t more) {
    constexpr int32_t kFewValues = 32;
    const int32_t count = scratch_->distinct.count();
    return may_have_more() && (values_ + more >= 2 * int64_t{count} || count < kFewValues) &&
           scratch_->distinct.widen(kMostDictionaryBytes);
  }

  uint32_t number_of(Value value, const char* end) {
    Distinct::Key key{.bits = 0, .length = sizeof value};
    const char* bytes = nullptr;
    if constexpr (kIsText) {
      key = Distinct::key_of(value, end);
      bytes = value.data();
    } else {
      std::memcpy(&key.bits, &value, sizeof value);
      bytes = reinterpret_cast<const char*>(&key.bits);
    }
    if (!repeats_ || key.length > 8) return scratch_->distinct.number_of(key, bytes);
    if (key != last_) {
      last_number_ = scratch_->distinct.number_of(key, bytes);
      last_ = key;
    }
    return last_number_;
  }

  template <bool kIsWhole, typename Source>
  int64_t add_plain(const Source& source, int64_t at, int64_t count, const auto& is_here) {
    arrow::BufferBuilder& page = scratch_->page;
    if constexpr (kIsText) {
      int64_t i = 0;
      while (i < count && page.length() - headroom_ < properties_->data_pagesize()) {
        if (is_here(i)) append(source[at + i], source.end());
        ++i;
      }
      return i;
    } else {
      PARQUET_THROW_NOT_OK(page.Reserve(count * static_cast<int64_t>(sizeof(T))));
      T* const begin = reinterpret_cast<T*>(page.mutable_data() + page.length());
      T* out = begin;
      if constexpr (kIsWhole && !requires { source.codes; }) {
        std::memcpy(out, source.values + at, static_cast<size_t>(count) * sizeof(T));
        out += count;
      } else {
        for (int64_t i = 0; i < count; ++i) {
          if (is_here(i)) *out++ = source[at + i];
        }
      }
      page.UnsafeAdvance((out - begin) * static_cast<int64_t>(sizeof(T)));
      page_values_ += out - begin;
      return count;
    }
  }

  void append(std::string_view value, const char* end) {
    arrow::BufferBuilder& page = scratch_->page;
    const auto size = static_cast<int64_t>(value.size());
    constexpr int64_t kFew = 16;
    if (size > std::numeric_limits<int32_t>::max()) {
      throw parquet::ParquetException("expected values of less than 2 GiB, found one of ", size,
                                      " bytes");
    }
    PARQUET_THROW_NOT_OK(page.Reserve(size + 4 + kFew));
    uint8_t* to = page.mutable_data() + page.length();
    if constexpr (kHasLengths) {
      const auto length = static_cast<uint32_t>(size);
      std::memcpy(to, &length, 4);
      to += 4;
    }
    if (size <= kFew && can_read(value.data(), end, kFew)) {
      std::memcpy(to, value.data(), kFew);
    } else if (size > 0) {
      std::memcpy(to, value.data(), value.size());
    }
    page.UnsafeAdvance(size + (kHasLengths ? 4 : 0));
    ++page_values_;
  }

  void begin_page() {
    page_rows_ = page_values_ = 0;
    scratch_->page.Rewind(0);
    PARQUET_THROW_NOT_OK(scratch_->page.Reserve(headroom_));
    scratch_->page.UnsafeAdvance(headroom_);
  }

  static T view(std::string_view bytes) {
    const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
    if constexpr (kHasLengths) {
      return T(static_cast<uint32_t>(bytes.size()), at);
    } else if constexpr (kIsFixed) {
      return T(at);
    } else {
      return *reinterpret_cast<const T*>(at);
    }
  }

  /// Counts values in the statistics.
  template <typename At>
  void count_values(int64_t count, const At& bytes_at) {
    constexpr int64_t kBlock = 4096;
    for (int64_t i = 0; i < count;) {
      some_.clear();
      for (const int64_t end = std::min(i + kBlock, count); i < end; ++i) {
        some_.push_back(view(bytes_at(i)));
      }
      statistics_->Update(some_.data(), static_cast<int64_t>(some_.size()), 0);
    }
  }

  /// Counts the values of the open page, except those in a dictionary that is counted at its end.
  void count_page() {
    statistics_->Update(static_cast<const T*>(nullptr), 0, page_rows_ - page_values_);
    const char* at = reinterpret_cast<const char*>(scratch_->page.data()) + headroom_;
    const auto numbers = std::span(scratch_->numbers).first(static_cast<size_t>(page_values_));
    if constexpr (kIsBool) {
      const auto ones = std::ranges::count(numbers, 1U);
      const bool both[2] = {false, true};
      statistics_->Update(both + (ones == page_values_ ? 1 : 0),
                          (ones > 0 ? 1 : 0) + (ones < page_values_ ? 1 : 0), 0);
    } else if (has_numbers_) {
      if (!has_page_index_) return;
      auto& stamps = scratch_->stamps;
      // guard(allocate): As many as the dictionary has values.
      stamps.resize(static_cast<size_t>(scratch_->distinct.count()), 0);
      const auto stamp = static_cast<uint32_t>(pages_.size() + 1);
      some_.clear();
      for (const uint32_t number : numbers) {
        if (std::exchange(stamps[number], stamp) == stamp) continue;
        some_.push_back(view(scratch_->distinct[number]));
      }
      statistics_->Update(some_.data(), static_cast<int64_t>(some_.size()), 0);
    } else if constexpr (kIsText) {
      count_values(page_values_, [&](int64_t) {
        uint32_t length = width_;
        if constexpr (kHasLengths) {
          std::memcpy(&length, at, 4);
          at += 4;
        }
        return std::string_view(std::exchange(at, at + length), length);
      });
    } else {
      statistics_->Update(reinterpret_cast<const T*>(at), page_values_, 0);
    }
  }

  parquet::SizeStatistics page_sizes() const {
    parquet::SizeStatistics sizes = *parquet::SizeStatistics::Make(leaf_);
    if (auto& counts = sizes.definition_level_histogram; page_values_ < page_rows_) {
      for (int64_t i = 0; i < page_rows_; ++i) ++counts[scratch_->levels[static_cast<size_t>(i)]];
    } else if (!counts.empty()) {
      counts.back() = page_rows_;
    }
    if constexpr (kHasLengths) {
      int64_t bytes = scratch_->page.length() - headroom_ - 4 * page_values_;
      if (has_numbers_) {
        bytes = 0;
        for (const uint32_t* at = scratch_->numbers.data();
             const uint32_t number : std::span(at, static_cast<size_t>(page_values_))) {
          bytes += static_cast<int64_t>(scratch_->distinct[number].size());
        }
      }
      sizes.unencoded_byte_array_data_bytes = bytes;
    }
    return sizes;
  }

  parquet::EncodedStatistics encode(parquet::TypedStatistics<DType>* statistics) const {
    parquet::EncodedStatistics out = statistics->Encode();
    out.ApplyStatSizeLimits(properties_->max_statistics_size(leaf_->path()));
    out.set_is_signed(leaf_->sort_order() == parquet::SortOrder::SIGNED);
    return out;
  }

  arrow::Status end_page() {
    if (page_rows_ == 0) return arrow::Status::OK();
    arrow::BufferBuilder& page = scratch_->page;
    if (statistics_ != nullptr) count_page();
    parquet::SizeStatistics sizes = page_sizes();
    if (has_numbers_ || kIsBool) {
      const auto last = static_cast<uint32_t>(scratch_->distinct.count() - 1);
      const int width = kIsBool || last == 0 ? 1 : std::bit_width(last + 1 == 0 ? 0 : last);
      ARROW_RETURN_NOT_OK(page.Reserve(1 + hybrid_bound(page_values_, width)));
      uint8_t* const begin = page.mutable_data() + page.length();
      uint8_t* to = begin;
      if constexpr (kIsBool) {
        to = pack<1>(scratch_->numbers.data(), page_values_, to);
      } else {
        const uint32_t* numbers = scratch_->numbers.data();
        int64_t repeated = 0;
        for (int64_t i = 1; i < page_values_; ++i) repeated += numbers[i] == numbers[i - 1] ? 1 : 0;
        repeats_ = repeated * 4 > page_values_ * 3;
        *to++ = static_cast<uint8_t>(width);
        to = write_hybrid(numbers, page_values_, width, to);
      }
      page.UnsafeAdvance(to - begin);
    }
    int64_t start = headroom_;
    if (most_level_ > 0) {
      ARROW_RETURN_NOT_OK(scratch_->compressed.Reserve(headroom_));
      uint8_t* levels = scratch_->compressed.mutable_data();
      const auto size = static_cast<uint32_t>(
          write_hybrid(scratch_->levels.data(), page_rows_, level_width_, levels) - levels);
      start -= int64_t{size} + 4;
      std::memcpy(page.mutable_data() + start, &size, 4);
      std::memcpy(page.mutable_data() + start + 4, levels, size);
    }
    const int64_t size = page.length() - start;
    if (size > std::numeric_limits<int32_t>::max()) {
      return arrow::Status::Invalid("expected pages of less than 2 GiB, found one of ", size,
                                    " bytes in the column '", leaf_->path()->ToDotString(), "'");
    }
    ARROW_ASSIGN_OR_RAISE(auto bytes, compress(page.data() + start, size));
    parquet::EncodedStatistics statistics;
    if (page_statistics_ != nullptr) {
      statistics = encode(page_statistics_.get());
      chunk_statistics_->Merge(*page_statistics_);
      page_statistics_->Reset();
    }
    chunk_sizes_.Merge(sizes);
    pages_.emplace_back(std::move(bytes), static_cast<int32_t>(page_rows_),
                        has_numbers_ ? properties_->dictionary_index_encoding() : Encoding::PLAIN,
                        Encoding::RLE, Encoding::RLE, size, std::move(statistics), rows_,
                        std::move(sizes));
    rows_ += page_rows_;
    values_ += page_values_;
    begin_page();
    return arrow::Status::OK();
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> compress(const uint8_t* bytes, int64_t size) {
    if (codec_ != nullptr) {
      const int64_t most = codec_->MaxCompressedLen(size, bytes);
      ARROW_RETURN_NOT_OK(scratch_->compressed.Reserve(most));
      uint8_t* to = scratch_->compressed.mutable_data();
      ARROW_ASSIGN_OR_RAISE(size, codec_->Compress(size, bytes, most, to));
      bytes = to;
    }
    return copy(bytes, size);
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> copy(const void* bytes, int64_t size) {
    // guard(allocate): As many bytes as there are, of a page or a dictionary.
    ARROW_ASSIGN_OR_RAISE(auto out, arrow::AllocateBuffer(size, pool_));
    if (size > 0) std::memcpy(out->mutable_data(), bytes, static_cast<size_t>(size));
    return out;
  }

  /// Ends the use of the dictionary: other pages are plain.
  void end_dictionary() {
    if (!std::exchange(has_numbers_, false) || pages_.empty()) return;
    const Distinct& distinct = scratch_->distinct;
    dictionary_count_ = distinct.count();
    const std::string_view bytes = distinct.bytes();
    PARQUET_ASSIGN_OR_THROW(dictionary_, copy(bytes.data(), static_cast<int64_t>(bytes.size())));
    if constexpr (!kIsBool) {
      if (statistics_ == nullptr || has_page_index_) return;
      count_values(dictionary_count_,
                   [&](int64_t i) { return distinct[static_cast<uint32_t>(i)]; });
    }
  }

  const parquet::ColumnDescriptor* leaf_;
  std::vector<int> path_;
  /// Whether each node of the path is optional.
  std::vector<bool> can_lack_;
  const parquet::WriterProperties* properties_;
  arrow::MemoryPool* pool_;
  uint8_t most_level_;
  int level_width_ = 0;
  int64_t page_rows_limit_;
  bool has_page_index_;
  /// Of a value of fixed length.
  uint32_t width_ = 0;
  arrow::util::CodecOptions codec_options_;
  std::unique_ptr<arrow::util::Codec> codec_;
  /// Bytes before the values of a page, in which there is room for the levels.
  int64_t headroom_ = 0;

  /// Arrays of the path in the latest batch.
  std::vector<std::shared_ptr<arrow::Array>> nodes_;
  std::unique_ptr<FlatScratch> scratch_;
  /// Whether values are numbers in a dictionary.
  bool has_numbers_ = false;
  /// Whether most values of the page before were those before them, which are not looked up then.
  bool repeats_ = false;
  Distinct::Key last_{.bits = 0, .length = Distinct::kNone};
  uint32_t last_number_ = Distinct::kNone;
  /// The numbers of the values of a dictionary in the latest batch, as far as they are known.
  std::vector<uint32_t> known_;
  std::shared_ptr<arrow::ArrayData> known_of_;
  int64_t page_rows_ = 0;
  int64_t page_values_ = 0;
  /// Of pages that have ended.
  int64_t rows_ = 0;
  int64_t values_ = 0;
  std::vector<parquet::DataPageV1> pages_;
  std::shared_ptr<arrow::Buffer> dictionary_;
  int32_t dictionary_count_ = 0;
  /// Values on their way to the statistics.
  std::vector<T> some_;
  std::shared_ptr<parquet::TypedStatistics<DType>> chunk_statistics_;
  /// Null if pages have none.
  std::shared_ptr<parquet::TypedStatistics<DType>> page_statistics_;
  /// Those to which values are added; null without statistics.
  parquet::TypedStatistics<DType>* statistics_ = nullptr;
  parquet::SizeStatistics chunk_sizes_;
};

}  // namespace

bool FlatLeaf::takes(const parquet::ColumnDescriptor& leaf, const arrow::Schema& schema) {
  // libparquet counts the coordinates of geometries.
  if (leaf.max_repetition_level() > 0 ||
      (leaf.logical_type() != nullptr &&
       (leaf.logical_type()->is_geometry() || leaf.logical_type()->is_geography()))) {
    return false;
  }
  const arrow::DataType* type = nullptr;
  for (const parquet::schema::Node* node : nodes_of(leaf)) {
    const int at = place_of(*node);
    type = (type == nullptr ? schema.field(at) : type->field(at))->type().get();
  }
  if (type->id() == arrow::Type::DICTIONARY) {
    type = static_cast<const arrow::DictionaryType&>(*type).value_type().get();
  }
  const arrow::Type::type kind = type->id();
  switch (leaf.physical_type()) {
    case parquet::Type::BOOLEAN:
      return kind == arrow::Type::BOOL;
    case parquet::Type::INT32:
    case parquet::Type::FLOAT:
      return arrow::is_primitive(kind) && type->bit_width() == 32;
    case parquet::Type::INT64:
    case parquet::Type::DOUBLE:
      return arrow::is_primitive(kind) && type->bit_width() == 64;
    case parquet::Type::BYTE_ARRAY:
      return arrow::is_base_binary_like(kind) || arrow::is_binary_view_like(kind);
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return (kind == arrow::Type::FIXED_SIZE_BINARY || kind == arrow::Type::HALF_FLOAT) &&
             type->byte_width() == leaf.type_length() && leaf.type_length() > 0;
    default:  // foreign enum
      return false;
  }
}

std::unique_ptr<FlatLeaf> FlatLeaf::make(const parquet::ColumnDescriptor* leaf,
                                         const parquet::WriterProperties* properties,
                                         arrow::MemoryPool* pool) {
  switch (leaf->physical_type()) {
    case parquet::Type::BOOLEAN:
      return std::make_unique<TypedLeaf<parquet::BooleanType>>(leaf, properties, pool);
    case parquet::Type::INT32:
      return std::make_unique<TypedLeaf<parquet::Int32Type>>(leaf, properties, pool);
    case parquet::Type::FLOAT:
      return std::make_unique<TypedLeaf<parquet::FloatType>>(leaf, properties, pool);
    case parquet::Type::INT64:
      return std::make_unique<TypedLeaf<parquet::Int64Type>>(leaf, properties, pool);
    case parquet::Type::DOUBLE:
      return std::make_unique<TypedLeaf<parquet::DoubleType>>(leaf, properties, pool);
    case parquet::Type::BYTE_ARRAY:
      return std::make_unique<TypedLeaf<parquet::ByteArrayType>>(leaf, properties, pool);
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return std::make_unique<TypedLeaf<parquet::FLBAType>>(leaf, properties, pool);
    default:  // foreign enum
      throw parquet::ParquetException("expected a physical type other than INT96");
  }
}

}  // namespace xwalk::plugin
