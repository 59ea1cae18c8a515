#include "xwalk/plugin/options.h"

#include <algorithm>
#include <cstring>

namespace xwalk::plugin {
namespace {

/// Returns a struct of options in the size of this release: options that the host does not have are
/// 0, and options that this release does not have must be.
template <typename Options>
arrow::Result<Options> in_own_size(const Options& given) {
  const auto* bytes = reinterpret_cast<const char*>(&given);
  const uint64_t size = given.struct_size;
  if (size > sizeof(Options) &&
      std::any_of(bytes + sizeof(Options), bytes + size, [](char byte) { return byte != 0; })) {
    return arrow::Status::NotImplemented("expected options of ", sizeof(Options),
                                         " bytes, found more in ", size,
                                         ": install xwalk and this plugin from the same release");
  }
  Options out{};
  std::memcpy(&out, bytes, std::min<uint64_t>(size, sizeof(Options)));
  return out;
}

arrow::Result<XwalkEngineFormat> format_of(int32_t number) {
  switch (number) {
    case XWALK_ENGINE_PARQUET:
    case XWALK_ENGINE_ARROW_FILE:
    case XWALK_ENGINE_ARROW_STREAM:
      return static_cast<XwalkEngineFormat>(number);
    default:
      return arrow::Status::NotImplemented("expected a format from 0 to 2, found ", number);
  }
}

std::string text_of(const XwalkEngineBytes& bytes) {
  return bytes.size == 0 ? std::string() : std::string(bytes.data, bytes.size);
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

std::vector<int> numbers_of(const XwalkEngineLeaves& leaves) {
  return {leaves.data, leaves.data + leaves.count};
}

/// Replaces a default if a number was given.
template <typename Number, typename Given>
void take_positive(Given given, Number* out) {
  if (given > 0) *out = static_cast<Number>(std::min<uint64_t>(given, INT64_MAX));
}

}  // namespace

arrow::Result<ReadOptions> copy_options(const XwalkEngineReadOptions& given) {
  ARROW_ASSIGN_OR_RAISE(const XwalkEngineReadOptions from, in_own_size(given));
  ReadOptions options;
  ARROW_ASSIGN_OR_RAISE(options.format, format_of(from.format));
  for (uint64_t i = 0; i < from.column_count; ++i) {
    options.columns.push_back(text_of(from.columns[i]));
  }
  take_positive(from.batch_rows, &options.batch_rows);
  take_positive(from.batch_bytes, &options.batch_bytes);
  take_positive(from.max_memory, &options.max_memory);
  take_positive(from.threads, &options.threads);
  options.footer = text_of(from.footer);
  options.one_row_more = from.one_row_more != 0;
  options.leaves = numbers_of(from.leaves);
  options.dictionaries = numbers_of(from.dictionaries);
  for (uint64_t i = 0; i < from.large_chunk_count; ++i) {
    options.large_chunks.emplace(from.large_chunks[i].row_group, from.large_chunks[i].leaf);
  }
  return options;
}

arrow::Result<WriteOptions> copy_options(const XwalkEngineWriteOptions& given) {
  ARROW_ASSIGN_OR_RAISE(const XwalkEngineWriteOptions from, in_own_size(given));
  WriteOptions options;
  ARROW_ASSIGN_OR_RAISE(options.format, format_of(from.format));
  options.compression = text_of(from.compression);
  if (from.has_compression_level != 0) options.compression_level = from.compression_level;
  take_positive(from.row_group_rows, &options.row_group_rows);
  take_positive(from.threads, &options.threads);
  options.footer = text_of(from.footer);
  options.without_statistics = numbers_of(from.without_statistics);
  for (uint64_t i = 0; i < from.leaf_compression_count; ++i) {
    const XwalkEngineLeafCodec& codec = from.leaf_compression[i];
    options.leaf_compression.push_back({codec.leaf, text_of(codec.compression)});
  }
  options.sorted_by.assign(from.sorted_by, from.sorted_by + from.sorted_by_count);
  options.page_index = from.page_index != 0;
  return options;
}

}  // namespace xwalk::plugin
