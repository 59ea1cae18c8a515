// A schema made of the input in all its forms, and in the files of a dataset: a manifest with
// fragments, data files of both formats. What is written is read; cut short it is refused; a reader
// looks at the ranges that it asks for, and at nothing else; damaged, it is read or refused.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/lance_random.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/file.h"
#include "xwalk/lance/json.h"
#include "xwalk/lance/json_text.h"
#include "xwalk/lance/protobuf.h"
#include "xwalk/lance/text.h"
#include "xwalk/lance/validate.h"

namespace xwalk::fuzz {
namespace {

void append_varint(uint64_t value, std::string* out) {
  for (; value > 127; value >>= 7) *out += static_cast<char>(value | 128);
  *out += static_cast<char>(value);
}

void append_number(int field, uint64_t value, std::string* out) {
  append_varint(static_cast<uint64_t>(field) << 3, out);
  append_varint(value, out);
}

void append_bytes(int field, std::string_view bytes, std::string* out) {
  append_varint(static_cast<uint64_t>(field) << 3 | 2, out);
  append_varint(bytes.size(), out);
  *out += bytes;
}

template <typename T>
void append_fixed(T value, std::string* out) {
  char bytes[sizeof(T)];
  store_little_endian(value, bytes);
  out->append(bytes, sizeof(T));
}

/// A message with its length in front, at some place of a file.
uint64_t append_message(std::string_view message, std::string* file) {
  const uint64_t at = file->size();
  append_fixed(static_cast<uint32_t>(message.size()), file);
  *file += message;
  return at;
}

void append_tail(uint64_t position, uint16_t major, uint16_t minor, std::string* file) {
  append_fixed(position, file);
  append_fixed(major, file);
  append_fixed(minor, file);
  *file += "LANC";
}

/// What a manifest was made of.
struct Made {
  lance::Manifest manifest;
  lance::Fragments fragments{0, 0, 0};
  std::vector<std::vector<int32_t>> ids;
  std::string message;
};

void add_fragment(Choices* choices, Made* made) {
  const uint8_t kind = choices->byte();
  std::string ids;
  std::vector<int32_t> list;
  std::string data_file;
  for (int32_t i = 0; i < 1 + kind % 3; ++i) {
    list.push_back(i == 1 ? -2 : choices->byte());
    // Packed, as writers do it, or one by one.
    if ((kind & 4) != 0) append_number(2, static_cast<uint64_t>(int64_t{list.back()}), &data_file);
    append_varint(static_cast<uint64_t>(int64_t{list.back()}), &ids);
  }
  if ((kind & 4) == 0) append_bytes(2, ids, &data_file);
  if (std::ranges::find(made->ids, list) == made->ids.end()) made->ids.push_back(list);
  const uint64_t size = choices->byte();
  if (size > 0) append_number(6, size, &data_file);
  std::optional<uint64_t>& bytes = made->fragments.bytes;
  bytes = bytes && size > 0 ? std::optional(*bytes + size) : std::nullopt;
  std::string fragment;
  append_bytes(2, data_file, &fragment);
  const uint64_t rows = choices->byte();
  uint64_t deleted = 0;
  if ((kind & 8) != 0) {
    deleted = choices->byte();
    std::string deletion;
    append_number(4, deleted, &deletion);
    append_bytes(3, deletion, &fragment);
  }
  append_number(4, rows, &fragment);
  const bool told = rows > 0 && ((kind & 8) == 0 || (deleted > 0 && deleted <= rows));
  std::optional<uint64_t>& all = made->fragments.rows;
  all = all && told ? std::optional(*all + rows - deleted) : std::nullopt;
  ++made->fragments.count;
  append_bytes(2, fragment, &made->message);
}

Made make_manifest(Choices* choices, const lance::Schema& schema) {
  Made made;
  made.manifest.schema = schema;
  const uint8_t kind = choices->byte();
  for (const std::string& field : lance::write_fields(schema))
    append_bytes(1, field, &made.message);
  for (int i = 0; i < kind % 4; ++i) add_fragment(choices, &made);
  made.manifest.version = choices->byte();
  append_number(3, made.manifest.version, &made.message);
  for (const auto& [key, value] : schema.metadata) {
    std::string entry;
    append_bytes(1, key, &entry);
    append_bytes(2, value, &entry);
    append_bytes(5, entry, &made.message);
  }
  made.manifest.reader_flags = choices->byte() % 64;
  made.manifest.writer_flags = choices->byte();
  append_number(9, made.manifest.reader_flags, &made.message);
  append_number(10, made.manifest.writer_flags, &made.message);
  made.manifest.transaction = choices->text();
  append_bytes(12, made.manifest.transaction, &made.message);
  made.manifest.writer = "lance 1.0";
  std::string writer;
  append_bytes(1, "lance", &writer);
  append_bytes(2, "1.0", &writer);
  append_bytes(13, writer, &made.message);
  made.manifest.data_version = (kind & 16) != 0 ? "2.0" : "2.1";
  std::string format;
  append_bytes(1, "lance", &format);
  append_bytes(2, made.manifest.data_version, &format);
  append_bytes(15, format, &made.message);
  if ((kind & 32) != 0) {
    made.manifest.max_allocated_field_id = 1000;
    append_number(24, 1000, &made.message);
  }
  // Of an unknown field, in eight bytes and in four.
  if ((kind & 64) != 0)
    made.message += std::string("\xc1\x0c", 2) + "12345678" + "\xcd\x0c" + "1234";
  return made;
}

/// Keeps only the requested bytes of a file, and its end.
template <typename Ask>
std::string asked_only(const std::string& file, size_t tail, Ask ask) {
  std::string kept(file.size(), '\0');
  auto keep = [&](uint64_t offset, uint64_t size) {
    require(offset <= file.size() && size <= file.size() - offset);
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), size,
                kept.begin() + static_cast<std::ptrdiff_t>(offset));
  };
  tail = std::min(tail, file.size());
  keep(file.size() - tail, tail);
  ask(file, keep);
  return kept;
}

lance::Schema read_manifest_asked(const std::string& file) {
  return lance::read_manifest(asked_only(file, 16, lance::need_manifest)).schema;
}

lance::Schema read_data_asked(const std::string& file) {
  return lance::read_data_file(asked_only(file, 40, lance::need_data_file)).schema;
}

template <typename Read>
bool is_refused(Read read) {
  try {
    read();
    return false;
  } catch (const Error& error) {
    require_refusal(error);
    return true;
  }
}

void check_manifest(Choices* choices, const lance::Schema& schema) {
  const Made made = make_manifest(choices, schema);
  std::string file(choices->below(3), 'x');
  append_tail(append_message(made.message, &file), 0, 2, &file);
  if (made.manifest.reader_flags > 31) {
    return require(is_refused([&] { lance::read_manifest(file); }));
  }
  const lance::Manifest read = lance::read_manifest(file);
  require(read.schema == schema && read.version == made.manifest.version);
  require(read.reader_flags == made.manifest.reader_flags);
  require(read.writer_flags == made.manifest.writer_flags);
  require(read.transaction == made.manifest.transaction && read.writer == made.manifest.writer);
  require(read.data_version == made.manifest.data_version);
  require(read.max_allocated_field_id == made.manifest.max_allocated_field_id);
  require(read_manifest_asked(file) == schema);
  const lance::Fragments fragments = lance::read_fragments(file);
  require(fragments.count == made.fragments.count && fragments.rows == made.fragments.rows);
  require(fragments.bytes == made.fragments.bytes);
  const lance::EvolutionState state = lance::read_evolution_state(file);
  require(state.data_files == made.ids && state.has_rows == (made.fragments.count > 0));
  require(state.schema == schema);
  const bool is_old = made.manifest.data_version == "2.0";
  require((state.data_version == lance::DataVersion::V2_0) == is_old);
  require(state.max_allocated_id == made.manifest.max_allocated_field_id);
  const std::string cut = file.substr(0, choices->word() % file.size());
  require(is_refused([&] { lance::read_manifest(cut); }));
}

std::string legacy_file(const lance::Schema& schema, uint16_t minor) {
  std::string manifest;
  for (const std::string& field : lance::write_fields(schema)) append_bytes(1, field, &manifest);
  std::string file = "data";
  const uint64_t at = append_message(manifest, &file);
  std::string metadata;
  append_number(1, at, &metadata);
  append_tail(append_message(metadata, &file), 0, minor, &file);
  return file;
}

std::string data_file(const lance::Schema& schema, uint16_t major, uint16_t minor, uint64_t rows) {
  std::string descriptor;
  append_bytes(1, lance::write_protobuf(schema), &descriptor);
  append_number(2, rows, &descriptor);
  std::string file = "pages";
  const uint64_t at = file.size();
  file += descriptor;
  const uint64_t table = file.size();
  append_fixed(at, &file);
  append_fixed(uint64_t{descriptor.size()}, &file);
  append_fixed(uint64_t{0}, &file);
  append_fixed(uint64_t{0}, &file);
  append_fixed(table, &file);
  append_fixed(uint32_t{1}, &file);
  append_fixed(uint32_t{1}, &file);
  append_fixed(major, &file);
  append_fixed(minor, &file);
  return file + "LANC";
}

void check_data_file(Choices* choices, lance::Schema schema) {
  const auto major = static_cast<uint16_t>(choices->byte() % 4);
  const auto minor = static_cast<uint16_t>(choices->byte() % 5);
  const uint64_t rows = choices->byte();
  const bool legacy = major == 0 && minor < 3;
  if (legacy) schema.metadata = {};
  const std::string file =
      legacy ? legacy_file(schema, minor) : data_file(schema, major, minor, rows);
  if (!legacy && !(major == 0 && minor == 3) && !(major == 2 && minor <= 3)) {
    return require(is_refused([&] { lance::read_data_file(file); }));
  }
  const lance::DataFile read = lance::read_data_file(file);
  require(read.schema == schema && read.major == major && read.minor == minor);
  require(legacy ? !read.rows : read.rows == rows);
  require(read_data_asked(file) == schema);
  const std::string cut = file.substr(0, choices->word() % file.size());
  require(is_refused([&] { lance::read_data_file(cut); }));
}

/// Changes single bytes, and reads the result both ways.
void check_damaged(Choices* choices, const lance::Schema& schema) {
  std::string file;
  const bool is_manifest = choices->byte() % 2 == 0;
  if (is_manifest) {
    append_tail(append_message(make_manifest(choices, schema).message, &file), 0, 2, &file);
  } else {
    const bool legacy = choices->byte() % 4 == 0;
    file = legacy ? legacy_file(schema, 1) : data_file(schema, 2, 1, 7);
  }
  for (int count = 0; count < 8 && !choices->rest().empty(); ++count) {
    const size_t place = choices->word() >> 16;
    // The end says where the rest is.
    const size_t from_end = place % 2 == 0 ? place / 2 % 48 : place / 2;
    file[file.size() - 1 - from_end % file.size()] = static_cast<char>(choices->byte());
  }
  const MemoryTotal total(file.size() + kProtobufBytes / kSchemaExpansion);
  lance::Schema whole;
  const bool refused = is_refused([&] {
    whole = is_manifest ? lance::read_manifest(file).schema : lance::read_data_file(file).schema;
  });
  lance::Schema asked;
  const bool refused_asked =
      is_refused([&] { asked = is_manifest ? read_manifest_asked(file) : read_data_asked(file); });
  require(refused == refused_asked && whole == asked);
  if (!is_manifest) return;
  is_refused([&] { require(lance::read_fragments(file).count < file.size()); });
  is_refused([&] { lance::read_evolution_state(file); });
}

/// Names in the folder of versions, one line each.
void check_versions(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::vector<lance::Version> versions;
  if (is_refused([&] { versions = lance::list_versions(names); })) return;
  require(std::ranges::is_sorted(versions, {}, &lance::Version::number));
  std::vector<std::string> listed;
  for (const lance::Version& version : versions) {
    require(std::ranges::find(names, version.file_name) != names.end());
    listed.push_back(version.file_name);
  }
  require(lance::list_versions(listed) == versions);
}

void check_json_text(std::string_view text) {
  if (!lance::keeps_json_text(text)) return;
  require(is_valid_json(text), "what is kept is JSON", text);
  require(lance::keeps_json_text("[" + std::string(text) + "]"));
  require(!lance::keeps_json_text(std::string(text) + "]"));
}

void check_forms(const lance::Schema& schema) {
  require(lance::parse_text(lance::print_text(schema)) == schema, "text gives the schema back",
          lance::print_text(schema));
  require(lance::read_protobuf(lance::write_protobuf(schema)) == schema);
  require(lance::nest(lance::flatten(schema)) == schema);
  std::string json;
  try {
    json = lance::write_json(schema);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Unsupported);
  }
  require(lance::read_json(json) == schema, "JSON gives the schema back", json);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const size_t what = choices.below(6);
  if (what == 4) return check_versions(choices.rest());
  if (what == 5) return check_json_text(choices.rest());
  const lance::Schema schema = lance_schema(&choices);
  if (!std::ranges::none_of(lance::validate(schema), hub::is_violation)) return;
  if (what == 0) return check_forms(schema);
  if (what == 1) return check_manifest(&choices, schema);
  if (what == 2) return check_data_file(&choices, schema);
  check_damaged(&choices, schema);
}

}  // namespace xwalk::fuzz
