#include "xwalk/parquet/file.h"

#include <algorithm>
#include <bitset>
#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/parquet/elements.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/schema.h"
#include "xwalk/parquet/thrift.h"

namespace xwalk::parquet {
namespace {

using thrift::FieldHeader;
using thrift::ListHeader;
using thrift::Reader;
using thrift::Wire;
using thrift::Writer;

/// Field ids of FileMetaData.
enum FooterField : int32_t {
  kVersion = 1,
  kSchema = 2,
  kRows = 3,
  kRowGroups = 4,
  kKeyValue = 5,
  kCreatedBy = 6,
  kColumnOrders = 7,
};

/// Entries of key-value metadata: writers have tens of them. Each takes many times its bytes in
/// every reader.
constexpr uint32_t kMostEntries = 100'000;
/// Memory of a row group and of a column order besides the lists in them, in libparquet and here.
constexpr uint64_t kRowGroupMemory = 512;
constexpr uint64_t kColumnOrderMemory = 64;
/// Levels of a footer that xwalk knows: row groups, columns, their data, its entries.
constexpr int kKnownLevels = 8;

constexpr std::string_view kMagic = "PAR1";
constexpr std::string_view kEncryptedMagic = "PARE";
/// Length and magic after the footer.
constexpr uint64_t kTail = 8;

std::pair<std::string, std::optional<std::string>> read_key_value(Reader* reader,
                                                                  SchemaMemory* memory) {
  std::pair<std::string, std::optional<std::string>> entry;
  const size_t from = reader->position();
  int32_t previous = 0;
  bool has_key = false;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) {
      if (!has_key) reader->fail("expected the key of an entry of the metadata, found none");
      memory->take(sizeof entry + reader->position() - from);
      return entry;
    }
    previous = header.id;
    if (header.type == Wire::Binary && header.id == 1) {
      entry.first = reader->binary();
      has_key = true;
    } else if (header.type == Wire::Binary && header.id == 2) {
      entry.second = reader->binary();
    } else {
      reader->skip(header.type);
    }
  }
}

/// Reads the union ColumnOrder: its member's id.
int32_t read_column_order(Reader* reader) {
  int32_t member = 0;
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader->field(previous);
    if (header.type == Wire::Stop) return member;
    previous = header.id;
    if (member == 0) member = header.id;
    reader->skip(header.type);
  }
}

/// Returns the node with the orders of its leaves set, in depth-first order.
Node with_orders(const Node& node, const std::vector<int32_t>& orders, size_t* next) {
  NodeData data = node.data();
  if (!node.is_group()) {
    if (*next < orders.size()) {
      int32_t order = orders[*next];
      if (order >= 1 && order <= static_cast<int32_t>(ColumnOrder::Int96Timestamp)) {
        data.order = static_cast<ColumnOrder>(order);
      }
    }
    ++*next;
  } else {
    for (Node& child : data.children) child = with_orders(child, orders, next);
  }
  return Node(std::move(data));
}

}  // namespace

bool Footer::miscounts_orders() const {
  return column_orders && *column_orders != static_cast<size_t>(count_leaves(schema.root()));
}

std::optional<std::string_view> Footer::find(std::string_view key) const {
  for (const auto& [name, value] : metadata) {
    if (name == key && value) return *value;
  }
  return std::nullopt;
}

bool is_parquet(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kEncryptedMagic);
}

uint64_t footer_size(const RandomAccess& file) {
  auto fail = [&](ErrorCode code, std::string message) {
    throw Error(
        code, std::move(message),
        {.file = file.name(), .byte = file.size() - std::min<uint64_t>(file.size(), kTail)});
  };
  if (file.size() < kMagic.size() + kTail) {
    fail(ErrorCode::Input, fmt::format("expected a Parquet file of at least {} bytes, found {}",
                                       kMagic.size() + kTail, file.size()));
  }
  std::string tail = file.read(file.size() - kTail, kTail);
  if (tail.ends_with(kEncryptedMagic)) {
    fail(ErrorCode::Unsupported, "the footer is encrypted, which xwalk cannot read");
  }
  if (!tail.ends_with(kMagic)) {
    fail(ErrorCode::Input,
         fmt::format("not a Parquet file, or truncated: expected it to end with \"PAR1\", found {}",
                     quoted(std::string_view(tail).substr(4))));
  }
  const auto length = load_little_endian<uint32_t>(tail.data());
  if (length > file.size() - kMagic.size() - kTail) {
    fail(ErrorCode::Input, fmt::format("expected a footer within a file of {} bytes, found one of "
                                       "{} bytes",
                                       file.size(), length));
  }
  // guard(allocate): A footer is at most an eighth of the memory limit, and at most 512 MiB.
  constexpr uint64_t kLonger = 8;
  const uint64_t most = std::min<uint64_t>(kFooterBytes, kLonger * schema_bytes_limit());
  if (length > most) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a footer of at most {} bytes, found one of {}", most, length),
                {.file = file.name(), .byte = file.size() - kTail},
                "`max_memory` raises the limit.");
  }
  return length;
}

std::string read_footer_bytes(const RandomAccess& file) {
  const uint64_t size = footer_size(file);
  return file.read(file.size() - kTail - size, size);
}

Footer parse_footer(std::string_view bytes, uint64_t origin) {
  Footer footer;
  SchemaMemory memory(bytes.size());
  Reader reader(bytes, origin);
  bool schema = false;
  std::vector<int32_t> orders;
  std::bitset<kColumnOrders + 1> seen;
  int32_t previous = 0;
  while (true) {
    FieldHeader header = reader.field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    if (header.id >= 0 && header.id <= kColumnOrders) {
      // Of two, each reader would take another one.
      const auto id = static_cast<size_t>(header.id);
      if (seen[id]) reader.fail(fmt::format("expected each field once, found {} again", header.id));
      seen.set(id);
    }
    if (header.id == kVersion && header.type == Wire::I32) {
      footer.version = reader.i32();
    } else if (header.id == kSchema && header.type == Wire::List) {
      footer.schema = read_elements(&reader, &memory);
      schema = true;
    } else if (header.id == kRows && header.type == Wire::I64) {
      footer.rows = reader.i64();
    } else if (header.id == kRowGroups && header.type == Wire::List) {
      ListHeader list = reader.list();
      footer.row_groups = list.count;
      for (uint32_t i = 0; i < list.count; ++i) {
        const uint64_t before = reader.list_memory();
        reader.skip(list.type, true);
        // guard(allocate): What a footer describes is charged to its budget before a reader keeps
        // it.
        memory.take(kRowGroupMemory + reader.list_memory() - before);
      }
    } else if (header.id == kKeyValue && header.type == Wire::List) {
      ListHeader list = reader.list();
      if (list.type != Wire::Struct && list.count > 0) reader.fail("expected key-value structs");
      if (list.count > kMostEntries) {
        reader.fail(fmt::format("expected at most {} entries of metadata, found {}", kMostEntries,
                                list.count));
      }
      for (uint32_t i = 0; i < list.count; ++i) {
        footer.metadata.push_back(read_key_value(&reader, &memory));
      }
    } else if (header.id == kCreatedBy && header.type == Wire::Binary) {
      footer.created_by = reader.binary();
    } else if (header.id == kColumnOrders && header.type == Wire::List) {
      ListHeader list = reader.list();
      if (list.type != Wire::Struct && list.count > 0) reader.fail("expected column orders");
      memory.take(kColumnOrderMemory * uint64_t{list.count});
      footer.column_orders = list.count;
      for (uint32_t i = 0; i < list.count; ++i) orders.push_back(read_column_order(&reader));
    } else {
      reader.skip(header.type);
    }
  }
  if (!schema) reader.fail("expected a footer with a schema, found none");
  if (footer.rows < 0) {
    reader.fail(fmt::format("expected a number of rows, found {}", footer.rows));
  }
  bool special = false;
  for (int32_t order : orders) special |= order > static_cast<int32_t>(ColumnOrder::TypeDefined);
  if (special) {
    size_t next = 0;
    footer.schema = Schema(with_orders(footer.schema.root(), orders, &next));
  }
  return footer;
}

Footer read_footer(const RandomAccess& file) {
  std::string bytes = read_footer_bytes(file);
  try {
    return parse_footer(bytes, file.size() - kTail - bytes.size());
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = file.name();
    throw;
  }
}

std::string empty_footer(const Schema& schema) {
  std::string out;
  Writer writer(&out);
  writer.i32_field(kVersion, 2);
  writer.field(Wire::List, kSchema);
  writer.raw(write_schema_elements(schema));
  writer.i64_field(kRows, 0);
  writer.field(Wire::List, kRowGroups);
  writer.list(Wire::Struct, 0);
  writer.stop();
  return out;
}

std::string replace_schema(std::string_view footer, const Schema& schema,
                           const std::vector<std::pair<std::string, std::string>>& metadata) {
  std::string out;
  Writer writer(&out);
  Reader reader(footer);
  int32_t previous = 0;
  bool key_value = metadata.empty();
  auto write_metadata = [&] {
    writer.field(Wire::List, kKeyValue);
    writer.list(Wire::Struct, metadata.size());
    for (const auto& [key, value] : metadata) {
      Writer entry(&out);
      entry.binary_field(1, key);
      entry.binary_field(2, value);
      entry.stop();
    }
    key_value = true;
  };
  while (true) {
    FieldHeader header = reader.field(previous);
    if (header.type == Wire::Stop) break;
    previous = header.id;
    size_t start = reader.position();
    // Fields within a schema's elements and row groups count from there when a footer is parsed.
    reader.skip(header.type, false, -kKnownLevels);
    std::string_view value = reader.slice(start);
    if (header.id > kKeyValue && !key_value) write_metadata();
    if (header.id == kKeyValue) {
      if (!key_value) write_metadata();
      continue;
    }
    // Readers ignore a field with the schema's number and another type.
    if (header.id == kSchema && header.type != Wire::List) continue;
    writer.field(header.type, header.id);
    writer.raw(header.id == kSchema ? std::string_view(write_schema_elements(schema)) : value);
  }
  if (!key_value) write_metadata();
  writer.stop();
  return out;
}

}  // namespace xwalk::parquet
