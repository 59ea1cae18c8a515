#include "xwalk/parquet/row_groups.h"

#include <fmt/format.h>

#include "xwalk/parquet/thrift.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::ListHeader;
using thrift::Reader;
using thrift::Wire;
using thrift::Writer;

/// Field ids of FileMetaData and of RowGroup.
enum FooterField : int32_t { kRows = 3, kRowGroups = 4 };
enum GroupField : int32_t { kGroupBytes = 2, kGroupRows = 3 };

/// A row group and its bytes in the footer.
struct Found {
  RowGroup group;
  std::string_view bytes;
};

Found read_group(Reader* reader) {
  Found found;
  size_t start = reader->position();
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    if (header.type == Wire::I64 && (header.id == kGroupBytes || header.id == kGroupRows)) {
      int64_t value = reader->i64();
      if (value < 0) reader->fail(fmt::format("expected a size from 0, found {}", value));
      (header.id == kGroupBytes ? found.group.bytes : found.group.rows) = value;
    } else {
      reader->skip(header.type);
    }
  }
  found.bytes = reader->slice(start);
  return found;
}

std::vector<Found> read_groups(Reader* reader) {
  ListHeader list = reader->list();
  if (list.count > 0 && list.type != Wire::Struct) reader->fail("expected row groups");
  std::vector<Found> groups;
  for (uint32_t i = 0; i < list.count; ++i) groups.push_back(read_group(reader));
  return groups;
}

std::vector<Found> find_groups(std::string_view footer) {
  Reader reader(footer);
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader.field(previous);
    if (header.type == Wire::Stop) return {};
    previous = header.id;
    if (header.id == kRowGroups && header.type == Wire::List) return read_groups(&reader);
    reader.skip(header.type);
  }
}

}  // namespace

std::vector<RowGroup> row_groups(std::string_view footer) {
  std::vector<RowGroup> groups;
  for (const Found& found : find_groups(footer)) groups.push_back(found.group);
  return groups;
}

std::string with_one_row_more(std::string_view footer) {
  std::string out;
  size_t copied = 0;
  Reader reader(footer);
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader.field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    if (header.id != kRowGroups || header.type != Wire::List) {
      reader.skip(header.type);
      continue;
    }
    const ListHeader list = reader.list();
    if (list.count > 0 && list.type != Wire::Struct) reader.fail("expected row groups");
    for (uint32_t i = 0; i < list.count; ++i) {
      int32_t before = 0;
      while (true) {
        FieldHeader field = reader.field(before);
        if (field.type == Wire::Stop) break;
        before = field.id;
        if (field.id != kGroupRows || field.type != Wire::I64) {
          reader.skip(field.type);
          continue;
        }
        const size_t start = reader.position();
        const int64_t rows = reader.i64();
        out += footer.substr(copied, start - copied);
        Writer(&out).i64(rows == INT64_MAX ? rows : rows + 1);
        copied = reader.position();
      }
    }
  }
  out += footer.substr(copied);
  return out;
}

std::string keep_row_groups(std::string_view footer, uint64_t first, uint64_t count) {
  const std::vector<Found> groups = find_groups(footer);
  Reader reader(footer);
  if (first > groups.size() || count > groups.size() - first) {
    reader.fail(
        fmt::format("expected {} row groups or more, found {}", first + count, groups.size()));
  }
  std::string out;
  Writer writer(&out);
  int64_t rows = 0;
  for (uint64_t i = first; i < first + count; ++i) rows += groups[i].group.rows;
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader.field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    size_t start = reader.position();
    reader.skip(header.type);
    if (header.id == kRows && header.type == Wire::I64) {
      writer.i64_field(kRows, rows);
    } else if (header.id == kRowGroups && header.type == Wire::List) {
      writer.field(Wire::List, kRowGroups);
      writer.list(Wire::Struct, count);
      for (uint64_t i = first; i < first + count; ++i) writer.raw(groups[i].bytes);
    } else {
      writer.field(header.type, header.id);
      writer.raw(reader.slice(start));
    }
  }
  writer.stop();
  return out;
}

}  // namespace xwalk::parquet
