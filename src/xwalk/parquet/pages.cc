#include "xwalk/parquet/pages.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/parquet/thrift_internal.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::ListHeader;
using thrift::Reader;
using thrift::Wire;

/// Calls `take` for each field of a struct; one that it does not read is skipped.
template <typename Take>
void for_each_field(Reader* reader, Take take) {
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) return;
    previous = header.id;
    if (!take(header)) reader->skip(header.type);
  }
}

/// Where the pages of a column chunk stand.
struct Chunk {
  int64_t values = 0;
  int64_t data_page = -1;
  int64_t dictionary_page = 0;  ///< 0 where it is not said
};

/// Field ids of ColumnMetaData.
enum ChunkField : int32_t { kValues = 5, kDataPage = 9, kDictionaryPage = 11 };

Chunk read_chunk(Reader* reader) {
  Chunk chunk;
  for_each_field(reader, [&](FieldHeader column) {
    constexpr int32_t kMetaData = 3;
    if (column.id != kMetaData || column.type != Wire::Struct) return false;
    for_each_field(reader, [&](FieldHeader header) {
      if (header.type != Wire::I64) return false;
      int64_t* to = header.id == kValues           ? &chunk.values
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

/// Returns the column chunks of each row group, in the order of the leaves.
std::vector<std::vector<Chunk>> read_chunks(std::string_view footer) {
  std::vector<std::vector<Chunk>> groups;
  Reader reader(footer);
  for_each_field(&reader, [&](FieldHeader header) {
    constexpr int32_t kRowGroups = 4;
    if (header.id != kRowGroups || header.type != Wire::List) return false;
    ListHeader list = reader.list();
    if (list.type != Wire::Struct) reader.fail("expected row groups");
    for (uint32_t i = 0; i < list.count; ++i) {
      groups.emplace_back();
      for_each_field(&reader, [&](FieldHeader part) {
        constexpr int32_t kColumns = 1;
        if (part.id != kColumns || part.type != Wire::List) return false;
        ListHeader columns = reader.list();
        if (columns.type != Wire::Struct) reader.fail("expected column chunks");
        for (uint32_t k = 0; k < columns.count; ++k) groups.back().push_back(read_chunk(&reader));
        return true;
      });
    }
    return true;
  });
  return groups;
}

/// What the header of a page says. The numbers are Thrift's.
struct PageHeader {
  enum Type : int32_t { kData = 0, kDictionary = 2, kDataV2 = 3 };
  int32_t type = -1;
  int32_t bytes = -1;        ///< behind the header
  int32_t plain_bytes = -1;  ///< of them uncompressed
  int32_t values = 0;
  int32_t encoding = -1;
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
    const int32_t encoding = header.id == 8 ? 4 : 2;
    for_each_field(reader, [&](FieldHeader part) {
      if (part.type != Wire::I32 || (part.id != 1 && part.id != encoding)) return false;
      (part.id == 1 ? page.values : page.encoding) = reader->i32();
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

bool all_indices(std::string_view file, const Chunk& chunk, int64_t dictionary_bytes) {
  int64_t at = chunk.dictionary_page > 0 ? chunk.dictionary_page : chunk.data_page;
  bool dictionary = false;
  for (int64_t seen = 0; seen < chunk.values;) {
    if (at < 0 || static_cast<uint64_t>(at) >= file.size()) return false;
    Reader reader(file.substr(static_cast<size_t>(at)));
    PageHeader page = read_page_header(&reader);
    if (page.bytes < 0) return false;
    at += static_cast<int64_t>(reader.position()) + page.bytes;
    if (page.type == PageHeader::kDictionary) {
      if (page.plain_bytes > dictionary_bytes) return false;
      dictionary = true;
    } else if (page.type == PageHeader::kData || page.type == PageHeader::kDataV2) {
      if (!dictionary || !is_indices(page.encoding) || page.values <= 0) return false;
      seen += page.values;
    }
  }
  return true;
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

}  // namespace

std::vector<int> dictionary_leaves(std::string_view file, std::string_view footer,
                                   const Schema& schema, const std::vector<int>& wanted,
                                   int64_t dictionary_bytes) {
  std::vector<bool> fitting;
  for (const Node& column : schema.columns()) collect(column, true, &fitting);
  std::vector<int> leaves;
  try {
    std::vector<std::vector<Chunk>> groups = read_chunks(footer);
    if (groups.empty()) return leaves;
    for (int leaf : wanted) {
      auto at = static_cast<size_t>(leaf);
      if (!fitting.at(at)) continue;
      bool all = std::ranges::all_of(groups, [&](const std::vector<Chunk>& group) {
        return at < group.size() && all_indices(file, group[at], dictionary_bytes);
      });
      if (all) leaves.push_back(leaf);
    }
  } catch (const Error&) {
    leaves.clear();  // the engine says what is wrong
  }
  return leaves;
}

}  // namespace xwalk::parquet
