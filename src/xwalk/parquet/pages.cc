#include "xwalk/parquet/pages.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/parquet/thrift.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::for_each_field;
using thrift::ListHeader;
using thrift::Reader;
using thrift::Wire;

/// The positions of the pages of a column chunk.
struct Chunk {
  int64_t values = 0;
  int64_t data_page = -1;
  int64_t dictionary_page = 0;  ///< 0 if not stated
  int64_t bytes = 0;            ///< of all pages, as they are stored
  int64_t plain_bytes = 0;      ///< of all pages, uncompressed
  std::string_view file;        ///< the file that holds them; "" for the file itself
  bool is_encrypted = false;

  int64_t first_page() const { return dictionary_page > 0 ? dictionary_page : data_page; }
};

/// Field ids of ColumnMetaData.
enum ChunkField : int32_t {
  kValues = 5,
  kPlainBytes = 6,
  kBytes = 7,
  kDataPage = 9,
  kDictionaryPage = 11
};

Chunk read_chunk(Reader* reader) {
  Chunk chunk;
  for_each_field(reader, [&](FieldHeader column) {
    constexpr int32_t kFilePath = 1;
    constexpr int32_t kMetaData = 3;
    constexpr int32_t kCryptoMetaData = 8;
    if (column.id == kCryptoMetaData) chunk.is_encrypted = true;
    if (column.id == kFilePath && column.type == Wire::Binary) {
      chunk.file = reader->binary();
      return true;
    }
    if (column.id != kMetaData || column.type != Wire::Struct) return false;
    for_each_field(reader, [&](FieldHeader header) {
      if (header.type != Wire::I64) return false;
      int64_t* to = header.id == kValues           ? &chunk.values
                    : header.id == kPlainBytes     ? &chunk.plain_bytes
                    : header.id == kBytes          ? &chunk.bytes
                    : header.id == kDataPage       ? &chunk.data_page
                    : header.id == kDictionaryPage ? &chunk.dictionary_page
                                                   : nullptr;
      if (to == nullptr) return false;
      *to = reader->i64();
      return true;
    });
    return true;
  });
  return chunk;
}

/// A row group: its column chunks, in the order of the leaves.
struct GroupChunks {
  int64_t rows = 0;
  std::vector<Chunk> chunks;
};

struct FileChunks {
  int64_t rows = 0;
  std::vector<GroupChunks> groups;
};

FileChunks read_chunks(std::string_view footer) {
  FileChunks file;
  Reader reader(footer);
  for_each_field(&reader, [&](FieldHeader header) {
    constexpr int32_t kRows = 3;
    constexpr int32_t kRowGroups = 4;
    if (header.id == kRows && header.type == Wire::I64) {
      file.rows = reader.i64();
      return true;
    }
    if (header.id != kRowGroups || header.type != Wire::List) return false;
    ListHeader list = reader.list();
    if (list.type != Wire::Struct) reader.fail("expected row groups");
    for (uint32_t i = 0; i < list.count; ++i) {
      GroupChunks& group = file.groups.emplace_back();
      for_each_field(&reader, [&](FieldHeader part) {
        constexpr int32_t kColumns = 1;
        constexpr int32_t kGroupRows = 3;
        if (part.id == kGroupRows && part.type == Wire::I64) {
          group.rows = reader.i64();
          return true;
        }
        if (part.id != kColumns || part.type != Wire::List) return false;
        ListHeader columns = reader.list();
        if (columns.type != Wire::Struct) reader.fail("expected column chunks");
        for (uint32_t k = 0; k < columns.count; ++k) group.chunks.push_back(read_chunk(&reader));
        return true;
      });
    }
    return true;
  });
  return file;
}

/// What the header of a page says. The numbers are Thrift's.
struct PageHeader {
  enum Type : int32_t { kData = 0, kDictionary = 2, kDataV2 = 3 };
  int32_t type = -1;
  int32_t bytes = -1;        ///< after the header
  int32_t plain_bytes = -1;  ///< of them uncompressed
  int32_t values = 0;
  int32_t rows = -1;  ///< if the header states them
  int32_t encoding = -1;

  bool is_data() const { return type == kData || type == kDataV2; }
};

PageHeader read_page_header(Reader* reader) {
  PageHeader page;
  for_each_field(reader, [&](FieldHeader header) {
    if (header.type == Wire::I32 && header.id >= 1 && header.id <= 3) {
      (header.id == 1 ? page.type : header.id == 2 ? page.plain_bytes : page.bytes) = reader->i32();
      return true;
    }
    // data_page_header, dictionary_page_header and data_page_header_v2.
    if (header.type != Wire::Struct || (header.id != 5 && header.id != 7 && header.id != 8)) {
      return false;
    }
    const bool second = header.id == 8;
    for_each_field(reader, [&](FieldHeader part) {
      int32_t* to = part.id == 1                  ? &page.values
                    : part.id == (second ? 4 : 2) ? &page.encoding
                    : second && part.id == 3      ? &page.rows
                                                  : nullptr;
      if (to == nullptr || part.type != Wire::I32) return false;
      *to = reader->i32();
      return true;
    });
    return true;
  });
  return page;
}

bool is_indices(int32_t encoding) {
  constexpr int32_t kPlainDictionary = 2;
  constexpr int32_t kRleDictionary = 8;
  return encoding == kPlainDictionary || encoding == kRleDictionary;
}

bool is_plain(int32_t encoding) {
  constexpr int32_t kPlain = 0;
  return encoding == kPlain;
}

/// Calls `take` with the header of each page of a chunk that values need, until it returns false.
/// Returns whether all of them are there and were taken.
template <typename Take>
bool for_each_page(std::string_view file, const Chunk& chunk, const Take& take) {
  int64_t at = chunk.first_page();
  for (int64_t seen = 0; seen < chunk.values;) {
    if (at < 0 || static_cast<uint64_t>(at) >= file.size()) return false;
    Reader reader(file.substr(static_cast<size_t>(at)));
    const PageHeader page = read_page_header(&reader);
    if (page.bytes < 0 || (page.is_data() && page.values <= 0) || !take(page)) return false;
    at += static_cast<int64_t>(reader.position()) + page.bytes;
    if (page.is_data()) seen += page.values;
  }
  return true;
}

bool all_indices(std::string_view file, const Chunk& chunk, int64_t dictionary_bytes) {
  bool dictionary = false;
  return for_each_page(file, chunk, [&](const PageHeader& page) {
    if (page.type == PageHeader::kDictionary) {
      dictionary = true;
      return page.plain_bytes <= dictionary_bytes;
    }
    return !page.is_data() || (dictionary && is_indices(page.encoding));
  });
}

bool has_large_page(std::string_view file, const Chunk& chunk, int64_t page_bytes) {
  // A note about a value takes a fraction of that.
  constexpr int64_t kBytesPerValue = 256;
  if (chunk.plain_bytes < page_bytes || chunk.plain_bytes / kBytesPerValue < chunk.values) {
    return false;
  }
  bool large = false;
  return for_each_page(file, chunk,
                       [&](const PageHeader& page) {
                         const bool values = !page.is_data() || is_plain(page.encoding);
                         large |= values && page.plain_bytes >= page_bytes;
                         return values || is_indices(page.encoding);
                       }) &&
         large;
}

/// Collects for each leaf whether it may be read as indices by its type and place.
void collect(const Node& node, bool column, std::vector<bool>* fitting) {
  if (!node.is_group()) {
    fitting->push_back(column && !node.is(Repetition::Repeated) &&
                       node.physical() == PhysicalType::ByteArray &&
                       !node.logical().is(LogicalType::Kind::Unknown));
  }
  for (const Node& child : node.children()) collect(child, false, fitting);
}

/// Collects for each leaf whether it holds text or bytes.
void collect_bytes(const Node& node, std::vector<bool>* bytes) {
  if (!node.is_group()) bytes->push_back(node.physical() == PhysicalType::ByteArray);
  for (const Node& child : node.children()) collect_bytes(child, bytes);
}

}  // namespace

std::vector<int> dictionary_leaves(std::string_view file, std::string_view footer,
                                   const Schema& schema, const std::vector<int>& wanted,
                                   int64_t dictionary_bytes) {
  std::vector<bool> fitting;
  for (const Node& column : schema.columns()) collect(column, true, &fitting);
  std::vector<int> leaves;
  try {
    const std::vector<GroupChunks> groups = read_chunks(footer).groups;
    if (groups.empty()) return leaves;
    for (int leaf : wanted) {
      auto at = static_cast<size_t>(leaf);
      if (!fitting.at(at)) continue;
      bool all = std::ranges::all_of(groups, [&](const GroupChunks& group) {
        return at < group.chunks.size() && all_indices(file, group.chunks[at], dictionary_bytes);
      });
      if (all) leaves.push_back(leaf);
    }
  } catch (const Error&) {
    leaves.clear();  // the engine reports the error
  }
  return leaves;
}

std::vector<ChunkAt> large_chunks(std::string_view file, std::string_view footer,
                                  const Schema& schema, const std::vector<int>& wanted,
                                  int64_t page_bytes) {
  std::vector<bool> fitting;
  for (const Node& column : schema.columns()) collect_bytes(column, &fitting);
  std::vector<ChunkAt> chunks;
  try {
    const std::vector<GroupChunks> groups = read_chunks(footer).groups;
    for (size_t group = 0; group < groups.size(); ++group) {
      for (int leaf : wanted) {
        const auto at = static_cast<size_t>(leaf);
        if (!fitting.at(at) || at >= groups[group].chunks.size()) continue;
        if (!has_large_page(file, groups[group].chunks[at], page_bytes)) continue;
        chunks.push_back({static_cast<int>(group), leaf});
      }
    }
  } catch (const Error&) {
    chunks.clear();  // the engine reports the error
  }
  return chunks;
}

struct RowCounts::Leaf {
  size_t at = 0;  ///< its place in the schema
  Path path;
  bool repeated = false;
};

struct RowCounts::Group {
  int64_t rows = 0;
  std::vector<Chunk> chunks;  ///< of the wanted leaves
};

namespace {

[[noreturn]] void refuse(std::string message, Path path = {}) {
  throw Error(ErrorCode::Input, std::move(message), {.path = std::move(path)});
}

[[noreturn]] void unsupported(std::string message, Path path, std::string hint = {}) {
  throw Error(ErrorCode::Unsupported, std::move(message), {.path = std::move(path)},
              std::move(hint));
}

/// Calls `take` with the path of each leaf and whether it is in a repeated node.
template <typename Take>
void for_each_leaf(const Node& node, const Path& path, bool repeated, const Take& take) {
  repeated = repeated || node.is(Repetition::Repeated);
  if (!node.is_group()) take(path, repeated);
  for (const Node& child : node.children()) {
    for_each_leaf(child, path.field(child.name()), repeated, take);
  }
}

/// Bytes that hold most headers of pages, and any that Arrow reads.
constexpr size_t kUsualHeader = size_t{4} << 10;
constexpr size_t kLongestHeader = size_t{16} << 20;

/// Returns the header of a page and its size; `need`, if it is given, is called for its bytes.
std::pair<PageHeader, size_t> header_at(std::string_view file, size_t at,
                                        const RowCounts::Need* need) {
  const auto read = [&](size_t most) {
    if (need != nullptr) {
      const ByteRange range{at, most};
      (*need)({&range, 1});
    }
    Reader reader(file.substr(at, most));
    const PageHeader header = read_page_header(&reader);
    return std::pair(header, reader.position());
  };
  if (need == nullptr) return read(std::string_view::npos);
  try {
    return read(kUsualHeader);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Input) throw;
    return read(kLongestHeader);
  }
}

/// Has the headers of the pages of some chunks fetched, those of different chunks at a time.
void need_headers(std::string_view file, const RowCounts::Need& need,
                  std::vector<ByteRange> chunks) {
  while (!chunks.empty()) {
    std::vector<ByteRange> headers;
    for (const ByteRange& chunk : chunks) headers.push_back({chunk.offset, kUsualHeader});
    need(headers);
    std::erase_if(chunks, [&](ByteRange& chunk) {
      if (chunk.offset >= file.size()) return true;
      try {
        Reader reader(file.substr(chunk.offset, kUsualHeader));
        const PageHeader page = read_page_header(&reader);
        const uint64_t size = reader.position() + static_cast<uint64_t>(std::max(page.bytes, 0));
        const bool is_last = size >= chunk.size;
        chunk = {chunk.offset + size, chunk.size - std::min(size, chunk.size)};
        return is_last;
      } catch (const Error&) {
        return true;  // the reader of the header reports the error
      }
    });
  }
}

}  // namespace

RowCounts::RowCounts(std::string_view file, std::string_view name, std::string_view footer,
                     const Schema& schema, const std::vector<int>& wanted, Need need,
                     uint64_t first_group, uint64_t most_needed)
    : file_(file),
      need_(std::move(need)),
      first_group_(first_group),
      most_needed_(std::max(most_needed, kMostNeeded)) {
  // Paths in a footer are relative to where its file is.
  const std::string_view own = name.substr(name.rfind('/') + 1);
  std::vector<Leaf> leaves;
  for (const Node& column : schema.columns()) {
    for_each_leaf(column, Path::column(column.name()), false, [&](const Path& path, bool repeated) {
      leaves.push_back({leaves.size(), path, repeated});
    });
  }
  for (int leaf : wanted) leaves_.push_back(leaves.at(static_cast<size_t>(leaf)));
  FileChunks chunks = read_chunks(footer);
  for (GroupChunks& from : chunks.groups) {
    const uint64_t number = first_group_ + groups_.size();
    if (from.rows < 0 || from.rows > INT64_MAX - rows_) {
      refuse(fmt::format("row group {}: expected a number of rows, found {}", number, from.rows));
    }
    rows_ += from.rows;
    Group& group = groups_.emplace_back();
    group.rows = from.rows;
    // An engine reads none of the columns without the keys of all.
    for (size_t i = 0; i < std::min(leaves.size(), from.chunks.size()); ++i) {
      if (!from.chunks[i].is_encrypted) continue;
      unsupported(
          fmt::format("row group {}: the values are encrypted, which xwalk cannot read", number),
          leaves[i].path);
    }
    for (const Leaf& leaf : leaves_) {
      if (leaf.at >= from.chunks.size()) {
        refuse(fmt::format("row group {}: expected a chunk of this column, found {} chunks", number,
                           from.chunks.size()),
               leaf.path);
      }
      const Chunk& chunk = group.chunks.emplace_back(from.chunks[leaf.at]);
      if (!chunk.file.empty() && chunk.file != own) {
        unsupported(fmt::format("row group {}: the values are in another file, {}", number,
                                clipped(chunk.file)),
                    leaf.path, "This file only lists others: name those.");
      }
      // A list has a level for each item, or one if it is null or empty.
      const bool right =
          leaf.repeated && from.rows > 0 ? chunk.values >= from.rows : chunk.values == from.rows;
      if (right) continue;
      refuse(fmt::format("row group {}: expected {} values for its rows, found {}", number,
                         from.rows, chunk.values),
             leaf.path);
    }
  }
  miscounted_.resize(leaves_.size());
  if (chunks.rows == rows_) return;
  footer_rows_ = chunks.rows;
  // Some writers leave the number out. With any other number, row groups may be missing.
  if (chunks.rows != 0) {
    refuse(fmt::format("expected {} rows in the row groups, as the footer says, found {}",
                       chunks.rows, rows_));
  }
}

RowCounts::~RowCounts() = default;

bool RowCounts::any_repeated() const { return std::ranges::any_of(leaves_, &Leaf::repeated); }

size_t RowCounts::groups() const { return groups_.size(); }

uint64_t RowCounts::plain_bytes() const {
  uint64_t sum = 0;
  for (const Group& group : groups_) {
    for (const Chunk& chunk : group.chunks) {
      const auto bytes = static_cast<uint64_t>(std::max<int64_t>(chunk.plain_bytes, 0));
      sum += std::min(bytes, UINT64_MAX - sum);
    }
  }
  return sum;
}

void RowCounts::check_until(int64_t rows) {
  for (; next_group_ < groups_.size() && checked_rows_ < rows; ++next_group_) {
    const Group& group = groups_[next_group_];
    std::vector<ByteRange> ranges;
    for (const Chunk& chunk : group.chunks) {
      if (chunk.first_page() < 0 || chunk.bytes < 0) continue;
      ranges.push_back(
          {static_cast<uint64_t>(chunk.first_page()), static_cast<uint64_t>(chunk.bytes)});
    }
    uint64_t bytes = 0;
    for (const ByteRange& range : ranges) bytes += std::min(range.size, UINT64_MAX - bytes);
    // For a large group only the headers are fetched here. Its pages are fetched when they are
    // decoded.
    const bool by_page = bytes > most_needed_;
    if (by_page) {
      need_headers(file_, need_, std::move(ranges));
    } else {
      need_(ranges);
    }
    for (const Leaf& leaf : leaves_) check_pages(group, leaf, by_page);
    checked_rows_ += group.rows;
  }
}

void RowCounts::check_pages(const Group& group, const Leaf& leaf, bool by_page) {
  const auto place = static_cast<size_t>(&leaf - leaves_.data());
  const Chunk& chunk = group.chunks[place];
  const auto differ = [&](std::string_view what, int64_t expected, int64_t found) {
    refuse(fmt::format("row group {}: expected {} {} in the pages, found {}",
                       first_group_ + next_group_, expected, what, found),
           leaf.path);
  };
  int64_t at = chunk.first_page();
  const int64_t end = at + std::clamp<int64_t>(chunk.bytes, 0, INT64_MAX / 2);
  int64_t values = 0;
  int64_t rows = 0;
  while (true) {
    const bool all = values == chunk.values;
    // Some writers leave the header of the dictionary out of the size.
    if (all && at >= end) break;
    if (at < 0 || static_cast<uint64_t>(at) >= file_.size()) break;
    PageHeader page;
    try {
      const auto [header, size] =
          header_at(file_, static_cast<size_t>(at), by_page ? &need_ : nullptr);
      page = header;
      at += static_cast<int64_t>(size) + std::max(page.bytes, 0);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Input) throw;
      break;  // not a page: the engine reports the error
    }
    if (page.bytes < 0 || (!page.is_data() && page.type < 0)) break;
    if (!page.is_data()) continue;
    if (page.values < 0) differ("values", chunk.values, page.values);
    values += page.values;
    if (values > chunk.values) differ("values", chunk.values, values);
    rows = page.rows < 0 || rows < 0 ? -1 : rows + page.rows;
  }
  if (values != chunk.values) differ("values", chunk.values, values);
  // The number serves readers that skip pages. Rows begin where repetition levels say so.
  const bool miscounted = chunk.values > 0 && rows >= 0 && rows != group.rows;
  if (miscounted && !miscounted_[place]) miscounted_[place] = first_group_ + next_group_;
}

hub::Findings RowCounts::findings() const {
  hub::Findings findings;
  if (footer_rows_) {
    findings.push_back({.rule = "rows.miscounted",
                        .path = {},
                        .lost = fmt::format("the footer says {} rows, the row groups have {}",
                                            *footer_rows_, rows_)});
  }
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (!miscounted_[i]) continue;
    findings.push_back({.rule = "rows.miscounted",
                        .path = leaves_[i].path,
                        .lost = fmt::format("headers of pages say other rows than the pages have, "
                                            "first in row group {}",
                                            *miscounted_[i])});
  }
  return findings;
}

}  // namespace xwalk::parquet
