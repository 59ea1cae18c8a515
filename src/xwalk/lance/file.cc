#include "xwalk/lance/file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/lance/protobuf.h"

namespace xwalk::lance {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr std::string_view kMagic = "LANC";
constexpr std::string_view kManifestSuffix = ".manifest";
/// Digits of a manifest's name that counts down from the highest version.
constexpr size_t kDescendingDigits = 20;
/// i64 position, u16 major, u16 minor, magic.
constexpr size_t kManifestTail = 16;
/// Three u64 offsets, two u32 counts, u16 major, u16 minor, magic.
constexpr size_t kDataTail = 40;
/// Reader flags this version understands: deletion files, row ids, version 2 files, table config,
/// base paths, data files of more than one version. Others may change what the fields mean.
constexpr uint64_t kKnownReaderFlags = 0x11F;

[[noreturn]] void fail(const std::string& message, uint64_t byte) {
  throw Error(ErrorCode::Input, message, {.byte = byte});
}

void expect_tail(std::string_view file, size_t size, std::string_view what) {
  if (file.size() < size) {
    fail(fmt::format("expected {} of at least {} bytes, found {}", what, size, file.size()),
         file.size());
  }
  if (!file.ends_with(kMagic)) {
    fail(fmt::format("expected \"LANC\" at the end of {}, found {}", what,
                     clipped(file.substr(file.size() - 4))),
         file.size() - 4);
  }
}

/// Returns the message after its u32 length at a position given in the file.
std::string_view message_at(std::string_view file, uint64_t position, uint64_t end,
                            std::string_view what) {
  if (position > end || end - position < 4) {
    fail(fmt::format("expected {} before byte {}, found its position {}", what, end, position),
         end);
  }
  const uint64_t size = load_little_endian<uint32_t>(file.data() + position);
  if (size > end - position - 4) {
    fail(fmt::format("expected {} of at most {} bytes, found a length of {}", what,
                     end - position - 4, size),
         position);
  }
  return file.substr(position + 4, size);
}

/// Walks the fields of a message: `visit(number, varint, bytes)` with the one its wire type has.
template <typename Visit>
void walk(std::string_view message, std::string_view what, Visit visit) {
  CodedInputStream stream(reinterpret_cast<const uint8_t*>(message.data()),
                          static_cast<int>(message.size()));
  auto broken = [&] {
    fail(fmt::format("expected {} in Protobuf form, found bytes that do not parse", what),
         static_cast<uint64_t>(stream.CurrentPosition()));
  };
  while (stream.CurrentPosition() < static_cast<int>(message.size())) {
    uint32_t tag = stream.ReadTag();
    if (tag == 0) broken();
    int number = WireFormatLite::GetTagFieldNumber(tag);
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_VARINT: {
        uint64_t value = 0;
        if (!stream.ReadVarint64(&value)) broken();
        visit(number, value, std::string_view());
        break;
      }
      case WireFormatLite::WIRETYPE_LENGTH_DELIMITED: {
        uint32_t size = 0;
        if (!stream.ReadVarint32(&size)) broken();
        auto at = static_cast<size_t>(stream.CurrentPosition());
        if (size > message.size() - at || !stream.Skip(static_cast<int>(size))) broken();
        visit(number, uint64_t{0}, message.substr(at, size));
        break;
      }
      default:
        if (!WireFormatLite::SkipField(&stream, tag)) broken();
    }
  }
}

/// Collects the field messages and metadata entries of a message that holds both.
class SchemaParts {
 public:
  void field(std::string_view message) { fields_.emplace_back(message); }
  void metadata(std::string_view entry) {
    std::string key, value;
    walk(entry, "a metadata entry", [&](int number, uint64_t, std::string_view bytes) {
      if (number == 1) key = bytes;
      if (number == 2) value = bytes;
    });
    metadata_.set(key, value);
  }
  Schema schema() const {
    Schema schema = read_fields(fields_);
    schema.metadata = metadata_;
    return schema;
  }

 private:
  std::vector<std::string> fields_;
  hub::Metadata metadata_;
};

Manifest parse_manifest(std::string_view message) {
  Manifest manifest;
  SchemaParts parts;
  walk(message, "a manifest", [&](int number, uint64_t value, std::string_view bytes) {
    switch (number) {
      case 1:
        parts.field(bytes);
        break;
      case 3:
        manifest.version = value;
        break;
      case 5:
        parts.metadata(bytes);
        break;
      case 9:
        manifest.reader_flags = value;
        break;
      case 10:
        manifest.writer_flags = value;
        break;
      case 12:
        manifest.transaction = bytes;
        break;
      case 13:
        walk(bytes, "a writer's version", [&](int part, uint64_t, std::string_view text) {
          if (part == 1 || part == 2) {
            manifest.writer += (manifest.writer.empty() ? "" : " ") + std::string(text);
          }
        });
        break;
      case 15:
        walk(bytes, "a data format", [&](int part, uint64_t, std::string_view text) {
          if (part == 2) manifest.data_version = text;
        });
        break;
      case 24:
        manifest.max_allocated_field_id = static_cast<int32_t>(value);
        break;
      default:
        break;
    }
  });
  if (uint64_t unknown = manifest.reader_flags & ~kKnownReaderFlags; unknown != 0) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("the dataset's reader flags {:#x} are newer than this version of xwalk",
                            unknown));
  }
  manifest.schema = parts.schema();
  return manifest;
}

/// Returns where the file of a manifest has its indices; nothing if it has none.
std::optional<uint64_t> index_section(std::string_view message) {
  std::optional<uint64_t> position;
  walk(message, "a manifest", [&](int number, uint64_t value, std::string_view) {
    if (number == 6) position = value;
  });
  return position;
}

void add_names(const std::vector<Field>& fields, std::map<int32_t, std::string>* names) {
  for (const Field& field : fields) {
    names->emplace(field.id, field.name);
    add_names(field.children, names);
  }
}

/// Returns whether a file of the full tail's length is of the first format of data files.
bool is_legacy(std::string_view file) {
  return load_little_endian<uint16_t>(file.data() + file.size() - 8) == 0 &&
         load_little_endian<uint16_t>(file.data() + file.size() - 6) < 3;
}

/// A legacy data file names a metadata message, which names a manifest.
DataFile read_legacy(std::string_view file, uint16_t major, uint16_t minor) {
  size_t end = file.size() - kManifestTail;
  std::string_view metadata = message_at(file, load_little_endian<uint64_t>(file.data() + end), end,
                                         "the metadata of a data file");
  uint64_t position = 0;
  walk(metadata, "the metadata of a data file", [&](int number, uint64_t value, std::string_view) {
    if (number == 1) position = value;
  });
  return {parse_manifest(message_at(file, position, end, "a manifest")).schema, major, minor, {}};
}

}  // namespace

std::vector<Version> list_versions(const std::vector<std::string>& file_names) {
  std::vector<Version> versions;
  std::optional<bool> descending;
  for (const std::string& name : file_names) {
    if (!name.ends_with(kManifestSuffix)) continue;
    std::string_view digits =
        std::string_view(name).substr(0, name.size() - kManifestSuffix.size());
    uint64_t number = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // Detached versions ("d5.manifest") and temporary files are not of the dataset's line.
    if (error != std::errc() || end != digits.data() + digits.size()) continue;
    bool counts_down = digits.size() == kDescendingDigits;
    if (descending && *descending != counts_down) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected one way of naming the manifests of a dataset, found {} "
                              "beside the other",
                              quoted(name)));
    }
    descending = counts_down;
    versions.push_back({counts_down ? UINT64_MAX - number : number, name});
  }
  std::sort(versions.begin(), versions.end(),
            [](const Version& a, const Version& b) { return a.number < b.number; });
  return versions;
}

namespace {

std::string_view manifest_message(std::string_view file) {
  expect_tail(file, kManifestTail, "a manifest file");
  size_t end = file.size() - kManifestTail;
  uint64_t position = load_little_endian<uint64_t>(file.data() + end);
  std::string_view message = message_at(file, position, end, "a manifest");
  if (position + 4 + message.size() != end) {
    fail(fmt::format("expected the manifest to end at byte {}, found {}", end,
                     position + 4 + message.size()),
         position);
  }
  return message;
}

/// Returns a packed repeated int32, the form that writers use.
std::vector<int32_t> packed_ids(std::string_view bytes) {
  CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                          static_cast<int>(bytes.size()));
  std::vector<int32_t> ids;
  uint64_t value = 0;
  while (stream.CurrentPosition() < static_cast<int>(bytes.size())) {
    if (!stream.ReadVarint64(&value)) {
      fail("expected field ids of a data file, found bytes that do not parse",
           static_cast<uint64_t>(stream.CurrentPosition()));
    }
    ids.push_back(static_cast<int32_t>(value));
  }
  return ids;
}

}  // namespace

namespace {

/// Size limit of an index's name, as it is shown.
constexpr size_t kLongestName = 100;

/// Reads the indices of a version, `NAME(column, …)` each, sorted. Those of Lance itself are left
/// out.
std::vector<std::string> read_indices(std::string_view section, const Schema& schema) {
  std::map<int32_t, std::string> names;
  add_names(schema.fields, &names);
  std::vector<std::string> out;
  walk(section, "a list of indices", [&](int number, uint64_t, std::string_view index) {
    if (number != 1) return;
    std::string name;
    std::vector<std::string> columns;
    walk(index, "an index", [&](int part, uint64_t value, std::string_view bytes) {
      if (part == 3) name = bytes;
      if (part != 2) return;
      const auto single = std::vector{static_cast<int32_t>(value)};
      for (const int32_t id : bytes.empty() ? single : packed_ids(bytes)) {
        const auto found = names.find(id);
        columns.push_back(found == names.end() ? fmt::format("id {}", id) : found->second);
      }
    });
    if (name.starts_with("__lance")) return;
    out.push_back(
        fmt::format("{}({})", visible(cut_utf8(name, kLongestName)), join(columns, ", ")));
  });
  std::ranges::sort(out);
  // An index may have a part for each group of fragments.
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

Manifest read_manifest(std::string_view file) {
  const std::string_view message = manifest_message(file);
  Manifest manifest = parse_manifest(message);
  if (const auto position = index_section(message)) {
    const auto end = static_cast<uint64_t>(message.data() - file.data()) - 4;
    manifest.schema.indices =
        read_indices(message_at(file, *position, end, "a list of indices"), manifest.schema);
  }
  return manifest;
}

DataFileFields read_data_file_fields(std::string_view file) {
  DataFileFields out;
  std::set<std::vector<int32_t>> seen;
  walk(manifest_message(file), "a manifest", [&](int number, uint64_t, std::string_view fragment) {
    if (number != 2) return;
    out.has_fragments = true;
    walk(fragment, "a fragment", [&](int part, uint64_t, std::string_view data_file) {
      if (part != 2) return;
      std::vector<int32_t> ids;
      walk(data_file, "a data file", [&](int item, uint64_t value, std::string_view bytes) {
        if (item != 2) return;
        if (bytes.empty()) {
          ids.push_back(static_cast<int32_t>(value));
        } else {
          std::vector<int32_t> more = packed_ids(bytes);
          ids.insert(ids.end(), more.begin(), more.end());
        }
      });
      if (seen.insert(ids).second) out.ids.push_back(std::move(ids));
    });
  });
  return out;
}

Fragments read_fragments(std::string_view file) {
  Fragments out{.rows = 0, .bytes = 0};
  const auto note_number = [&](uint64_t number) {
    out.next_number = std::max(out.next_number, std::min<uint64_t>(number, UINT32_MAX) + 1);
  };
  walk(manifest_message(file), "a manifest",
       [&](int field, uint64_t most, std::string_view fragment) {
         if (field == 11) note_number(most);
         if (field != 2) return;
         ++out.count;
         uint64_t number = 0;
         uint64_t rows = 0;
         uint64_t deleted = 0;
         bool deletes = false;
         walk(fragment, "a fragment", [&](int part, uint64_t value, std::string_view bytes) {
           if (part == 1) number = value;
           if (part == 4) rows = value;
           if (part == 3) {
             deletes = true;
             walk(bytes, "a deletion file", [&](int item, uint64_t count, std::string_view) {
               if (item == 4) deleted = count;
             });
           }
           if (part != 2) return;
           uint64_t size = 0;
           walk(bytes, "a data file", [&](int item, uint64_t count, std::string_view) {
             if (item == 6) size = count;
           });
           out.bytes = out.bytes && size > 0 ? std::optional(*out.bytes + size) : std::nullopt;
         });
         note_number(number);
         // Old writers said neither.
         const bool is_consistent = rows > 0 && (!deletes || (deleted > 0 && deleted <= rows));
         out.rows =
             out.rows && is_consistent ? std::optional(*out.rows + rows - deleted) : std::nullopt;
       });
  return out;
}

void need_manifest(std::string_view file, const Need& need) {
  if (file.size() < kManifestTail || !file.ends_with(kMagic)) return;
  const uint64_t position = load_little_endian<uint64_t>(file.data() + file.size() - kManifestTail);
  if (position >= file.size()) return;
  need(position, file.size() - position);
  std::optional<uint64_t> indices;
  try {
    indices = index_section(manifest_message(file));
  } catch (const Error&) {
    return;  // reading it reports the error
  }
  if (!indices || *indices >= position || position - *indices < 4) return;
  need(*indices, 4);
  const uint64_t size = load_little_endian<uint32_t>(file.data() + *indices);
  if (size <= position - *indices - 4) need(*indices, 4 + size);
}

void need_data_file(std::string_view file, const Need& need) {
  if (file.size() < kDataTail || !file.ends_with(kMagic)) return;
  if (is_legacy(file)) return need(0, file.size());
  const size_t tail = file.size() - kDataTail;
  const uint64_t table = load_little_endian<uint64_t>(file.data() + tail + 16);
  if (table > tail || tail - table < 16) return;
  need(table, 16);
  const uint64_t position = load_little_endian<uint64_t>(file.data() + table);
  const uint64_t size = load_little_endian<uint64_t>(file.data() + table + 8);
  if (position <= tail && size <= tail - position) need(position, size);
}

DataFile read_data_file(std::string_view file) {
  expect_tail(file, kManifestTail, "a data file");
  auto major = load_little_endian<uint16_t>(file.data() + file.size() - 8);
  auto minor = load_little_endian<uint16_t>(file.data() + file.size() - 6);
  if (is_legacy(file)) return read_legacy(file, major, minor);
  bool known = (major == 0 && minor == 3) || (major == 2 && minor <= 3);
  if (!known) {
    throw Error(
        ErrorCode::Unsupported,
        fmt::format("Lance file version {}.{} is newer than this version of xwalk", major, minor));
  }
  expect_tail(file, kDataTail, "a data file");
  size_t tail = file.size() - kDataTail;
  uint64_t table = load_little_endian<uint64_t>(file.data() + tail + 16);
  const uint64_t buffers = load_little_endian<uint32_t>(file.data() + tail + 24);
  if (buffers == 0 || table > tail || (tail - table) / 16 < buffers) {
    fail(fmt::format("expected the table of {} global buffers before byte {}, found it at {}",
                     buffers, tail, table),
         tail);
  }
  uint64_t position = load_little_endian<uint64_t>(file.data() + table);
  uint64_t size = load_little_endian<uint64_t>(file.data() + table + 8);
  if (position > tail || size > tail - position) {
    fail(fmt::format("expected the file descriptor before byte {}, found {} bytes at {}", tail,
                     size, position),
         table);
  }
  DataFile out{{}, major, minor, {}};
  walk(file.substr(position, size), "a file descriptor",
       [&](int number, uint64_t value, std::string_view bytes) {
         if (number == 1) out.schema = read_protobuf(bytes);
         if (number == 2) out.rows = value;
       });
  return out;
}

}  // namespace xwalk::lance
