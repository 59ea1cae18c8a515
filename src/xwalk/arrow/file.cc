#include "xwalk/arrow/file.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"

namespace xwalk::arrow {
namespace {

/// Bytes of the first read: most schemas are shorter.
constexpr size_t kFirstBytes = size_t{64} << 10;

/// Reads until `size` bytes are there or the source ends.
void read_up_to(ByteSource& source, size_t size, std::string* bytes) {
  while (bytes->size() < size) {
    // guard(allocate): Bytes that are read grow with those that have come, up to the limit of a
    // schema.
    size_t had = bytes->size();
    bytes->resize(had + std::min(size - had, std::max(kFirstBytes, had)));
    size_t got = source.read(bytes->data() + had, bytes->size() - had);
    bytes->resize(had + got);
    if (got == 0) return;
  }
}

uint32_t load_u32(std::string_view bytes, size_t at) {
  uint32_t out = 0;
  for (size_t i = 0; i < 4; ++i) {
    out |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return out;
}

uint32_t load_u16(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]) |
         static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + 1])) << 8;
}

hub::Schema read_stream_schema(ByteSource& source) {
  std::string bytes;
  read_up_to(source, 8, &bytes);
  if (bytes.size() == 8) {
    // The length comes after the continuation marker, which old streams lack.
    bool marked = load_u32(bytes, 0) == 0xFFFFFFFF;
    size_t size = load_u32(bytes, marked ? 4 : 0);
    check_schema_size(size);
    read_up_to(source, size + (marked ? 8 : 4), &bytes);
  }
  return read_ipc_schema(bytes);
}

/// Refuses what the reader of rows would, which looks for the storage of Arrow's own extensions.
void expect_readable(const hub::Field& field, const Path& path) {
  if (hub::is_encoded(field.type) && hub::has_stored_extension(field)) {
    throw Error(ErrorCode::Input,
                fmt::format("{} stored as {}, which Arrow's own readers refuse",
                            field.extension_name(), hub::to_string(field.type)),
                {.path = path});
  }
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    expect_readable(*child.field, child.path);
  }
}

hub::Schema readable(hub::Schema schema) {
  for (const hub::Field& field : schema.fields) expect_readable(field, Path::column(field.name));
  return schema;
}

}  // namespace

bool is_old_stream(std::string_view head) {
  // The length of the message, then the offset of its table, which begins with one back to the
  // places of its fields: the version of the format, then the kind of message.
  constexpr size_t kLength = 4;
  // Arrow's own readers refuse versions before V4. Messages of other formats look like V1.
  constexpr uint32_t kOldestVersion = 3;
  constexpr uint32_t kNewestVersion = 4;
  constexpr char kSchema = 1;
  if (head.size() < 3 * kLength) return false;
  const uint64_t table = kLength + uint64_t{load_u32(head, kLength)};
  if (load_u32(head, 0) > schema_bytes_limit() || table + 4 > head.size()) return false;
  const int64_t fields = static_cast<int64_t>(table) - static_cast<int32_t>(load_u32(head, table));
  if (fields < static_cast<int64_t>(2 * kLength) ||
      static_cast<uint64_t>(fields) + 8 > head.size()) {
    return false;
  }
  const auto at = static_cast<size_t>(fields);
  if (load_u16(head, at) < 8) return false;
  const uint64_t version = table + load_u16(head, at + 4);
  const uint64_t kind = table + load_u16(head, at + 6);
  if (version + 2 > head.size() || kind >= head.size() || kind == table) return false;
  if (version == table) return false;
  const uint32_t number = load_u16(head, version);
  const bool known = number >= kOldestVersion && number <= kNewestVersion;
  return known && head[kind] == kSchema;
}

hub::Schema read_schema(std::string_view contents) {
  return readable(is_ipc_file(contents) ? read_ipc_file_schema(contents)
                                        : read_ipc_schema(contents));
}

hub::Schema read_schema(ByteSource& source) {
  try {
    if (auto contents = source.contents()) return read_schema(*contents);
    return readable(read_stream_schema(source));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = source.name();
    throw;
  }
}

}  // namespace xwalk::arrow
