#include "xwalk/plugin/options.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace xwalk::plugin {
namespace {

using Json = nlohmann::json;

Format format_of(const Json& options) {
  std::string name = options.at("format").get<std::string>();
  if (name == "parquet") return Format::Parquet;
  if (name == "arrow-file") return Format::ArrowFile;
  if (name == "arrow-stream") return Format::ArrowStream;
  throw std::invalid_argument("this engine knows parquet, arrow-file and arrow-stream, not " +
                              name);
}

std::string from_hex(const std::string& text) {
  auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::invalid_argument("bytes in an option must be lower-case hex digits");
  };
  if (text.size() % 2 != 0) throw std::invalid_argument("an odd number of hex digits");
  std::string out(text.size() / 2, '\0');
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<char>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
  }
  return out;
}

/// Returns a number of the options that must be at least 1.
template <typename Number>
Number positive(const Json& options, const char* key, Number otherwise) {
  return std::max<Number>(1, options.value(key, otherwise));
}

}  // namespace

ReadOptions parse_read_options(const char* json) {
  Json parsed = Json::parse(json);
  ReadOptions options;
  options.format = format_of(parsed);
  if (parsed.contains("columns")) {
    options.columns = parsed["columns"].get<std::vector<ColumnPath>>();
  }
  options.batch_rows = positive(parsed, "batch_rows", options.batch_rows);
  options.batch_bytes = positive(parsed, "batch_bytes", options.batch_bytes);
  options.max_memory = positive(parsed, "max_memory", options.max_memory);
  options.threads = positive(parsed, "threads", options.threads);
  options.footer = from_hex(parsed.value("footer", ""));
  options.one_row_more = parsed.value("one_row_more", false);
  if (parsed.contains("leaves")) options.leaves = parsed["leaves"].get<std::vector<int>>();
  options.dictionaries = parsed.value("dictionaries", std::vector<int>());
  options.large_chunks = parsed.value("large_chunks", options.large_chunks);
  return options;
}

WriteOptions parse_write_options(const char* json) {
  Json parsed = Json::parse(json);
  WriteOptions options;
  options.format = format_of(parsed);
  options.compression = parsed.value("compression", "");
  if (parsed.contains("compression_level")) {
    options.compression_level = parsed["compression_level"].get<int>();
  }
  options.row_group_rows = positive(parsed, "row_group_rows", options.row_group_rows);
  options.row_group_bytes = positive(parsed, "row_group_bytes", options.row_group_bytes);
  options.store_schema = parsed.value("store_schema", options.store_schema);
  options.footer = from_hex(parsed.value("footer", ""));
  options.without_statistics = parsed.value("without_statistics", std::vector<int>());
  options.leaf_compression = parsed.value("leaf_compression", options.leaf_compression);
  options.sorted_by = parsed.value("sorted_by", options.sorted_by);
  options.page_index = parsed.value("page_index", false);
  options.threads = positive(parsed, "threads", options.threads);
  return options;
}

}  // namespace xwalk::plugin
