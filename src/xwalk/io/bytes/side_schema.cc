#include "xwalk/io/bytes/side_schema.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/same_file.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& message,
                         const std::string& hint) {
  throw Error(ErrorCode::Io, message, {.file = path}, hint);
}

[[noreturn]] void cannot_read_rows(int code) {
  throw Error(ErrorCode::Io, fmt::format("cannot read the rows: {}", std::strerror(code)));
}

/// Adds bytes to a hash (FNV-1a). Distinguishes rows that were not made equal on purpose.
void add_to_hash(std::string_view bytes, uint64_t* hash) {
  for (const char byte : bytes) {
    *hash = (*hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
}

std::string read_range(int descriptor, uint64_t offset, uint64_t size) {
  // guard(allocate): A mark reads at most 64 KiB at the beginning and the end.
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(descriptor, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read_rows(errno);
    if (got == 0) throw Error(ErrorCode::Io, "cannot read the rows: they became fewer");
    done += static_cast<size_t>(got);
  }
  return bytes;
}

constexpr std::array<Compression, 3> kCompressions = {Compression::None, Compression::Gzip,
                                                      Compression::Zstd};

/// Returns the text before the mark of rows with this compression.
std::string_view mark_key(Compression compression) {
  switch (compression) {
    case Compression::None:
      return "\"xwalk_rows\" = \"";
    case Compression::Gzip:
      return "\"xwalk_rows_gz\" = \"";
    case Compression::Zstd:
      return "\"xwalk_rows_zst\" = \"";
  }
  return {};
}

std::string_view ending_of(Compression compression) {
  switch (compression) {
    case Compression::None:
      return "";
    case Compression::Gzip:
      return ".gz";
    case Compression::Zstd:
      return ".zst";
  }
  return {};
}

/// The mark of no rows.
constexpr RowsMark kOfNone{.size = UINT64_MAX};

std::string entry_of(const RowsMark& mark, Compression compression) {
  return fmt::format("\n    {}{}:{:016x}\";", mark_key(compression), mark.size, mark.hash);
}

/// Returns the mark in the text of a schema; empty if it has no mark.
std::optional<RowsMark> find_mark(std::string_view text, Compression compression) {
  const std::string_view name = mark_key(compression);
  const size_t key = text.find(name);
  if (key == std::string_view::npos) return std::nullopt;
  const char* const end = text.data() + text.size();
  RowsMark mark;
  const auto size = std::from_chars(text.data() + key + name.size(), end, mark.size);
  if (size.ec != std::errc() || size.ptr == end || *size.ptr != ':') return std::nullopt;
  const auto hash = std::from_chars(size.ptr + 1, end, mark.hash, 16);
  if (hash.ec != std::errc() || hash.ptr == end || *hash.ptr != '"') return std::nullopt;
  return mark;
}

/// Returns a text with marks as the first attributes, or the first entries of a map.
std::string with_marks(const std::string& text, const std::string& entries) {
  const size_t start = text.find_first_of("<{[");
  if (start == std::string::npos) return text;
  if (text[start] == '[') return fmt::format("<{}\n> {}", entries, text);
  return text.substr(0, start + 1) + entries + text.substr(start + 1);
}

}  // namespace

RowsMark RowsMark::of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) cannot_read_rows(errno);
  const auto all = static_cast<uint64_t>(status.st_size);
  const uint64_t head = std::min(all, kMarkedBytes);
  const uint64_t tail = std::min(all - head, kMarkedBytes);
  return of(all, read_range(descriptor, 0, head), read_range(descriptor, all - tail, tail));
}

RowsMark RowsMark::of(uint64_t size, std::string_view first, std::string_view last) {
  RowsMark mark{.size = size, .hash = 0xcbf29ce484222325};
  add_to_hash(first, &mark.hash);
  add_to_hash(last, &mark.hash);
  return mark;
}

namespace {

/// Returns whether rows begin with those of a mark.
bool begins_with(const Original& rows, const RowsMark& mark) {
  if (rows.size() < mark.size) return false;
  const uint64_t head = std::min(mark.size, kMarkedBytes);
  const uint64_t tail = std::min(mark.size - head, kMarkedBytes);
  return RowsMark::of(mark.size, rows.read_at(0, head), rows.read_at(mark.size - tail, tail))
             .hash == mark.hash;
}

}  // namespace

void check_mark(const Location& path, const Source* opened, std::string_view side_text,
                const StorageOptions& storage) {
  const std::optional<RowsMark> mark = find_mark(side_text, compression_of_name(path.name()));
  if (!mark) return;
  std::shared_ptr<const Original> rows;
  if (opened != nullptr) {
    rows = opened->original();
  } else if (path.is_remote() || fs::is_regular_file(path.name())) {
    rows = open_source(path, storage)->original();
  }
  if (rows == nullptr || begins_with(*rows, *mark)) return;
  const std::string side = side_schema_path(path).name();
  throw Error(
      ErrorCode::Input,
      fmt::format("{} is the schema of other rows than these: one of the two was replaced "
                  "without the other",
                  side),
      {.file = path},
      fmt::format("Write the rows again, or confirm that the schema belongs to them with {}.",
                  hub::mention(hub::Option::Schema, side)));
}

namespace {

/// Refuses a link under a name that was made of the output's: it may have been planted.
void refuse_link(const Location& path) {
  if (path.is_remote() || !fs::is_symlink(path.name())) return;
  refuse(path, "expected a file or nothing for the schema, found a link",
         "Only the output itself may be a link: remove this one, or choose another name.");
}

}  // namespace

SideSchema::SideSchema(const Location& rows_path, std::string text, Canonical canonical,
                       const SinkOptions& options, const Locations& inputs)
    : rows_path_(rows_path),
      path_(side_schema_path(rows_path)),
      text_(std::move(text)),
      canonical_(canonical),
      options_(options),
      compression_(compression_of_name(rows_path.name())) {
  refuse_link(path_);
  const NameKind kind = look_at(path_, options_.storage);
  if (kind == NameKind::Other && fs::is_fifo(path_.name())) {
    refuse(path_, "expected a file or nothing under the name of the schema, found a pipe",
           "Choose another name for the output.");
  }
  if (kind != NameKind::File) return;
  there_ = read();
  if (!there_.is_same && is_one_of(path_, inputs)) {
    refuse(path_, "the schema beside the output is that of an input",
           "Choose another name for the output.");
  }
  if (!there_.is_same && options_.mode != OutputMode::Overwrite) {
    refuse(path_, "the schema file differs from the schema of the rows",
           "Replace it with `mode=overwrite`, or choose another name for the output.");
  }
}

SideSchema::There SideSchema::read() const {
  There there;
  try {
    auto source = open_source(path_, options_.storage);
    there.text = read_all(*source, schema_bytes_limit());
    there.is_same = canonical_(there.text) == text_;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Io) throw;
    // A text that is not a schema has no mark for these rows.
  }
  there.has_marks = std::ranges::any_of(kCompressions, [&](Compression compression) {
    return find_mark(there.text, compression).has_value();
  });
  return there;
}

bool SideSchema::has_rows(const There& there, Compression compression) const {
  if (there.text.empty()) return false;
  const std::string_view name = without_query(rows_path_.name());
  const std::string query = rows_path_.name().substr(name.size());
  return look_at(rows_path_.renamed(fmt::format("{}{}{}", without_compression(name),
                                                ending_of(compression), query)),
                 options_.storage) == NameKind::File;
}

void SideSchema::finish(std::function<RowsMark()> mark, OutputSet* set) const {
  // The schema of rows that others are added to stays.
  if (options_.mode == OutputMode::Append && there_.is_same) return;
  if (path_.is_remote()) {
    // There is no lock there, so every schema that may replace another has a mark.
    write(there_, options_.mode == OutputMode::Overwrite || !there_.text.empty(), mark, set);
    return;
  }
  set->before_naming(path_, [self = *this, mark = std::move(mark)](OutputSet* first) {
    const There now = look_at(self.path_, {}) == NameKind::File ? self.read() : There();
    if (self.options_.mode != OutputMode::Overwrite && !now.text.empty() && !now.is_same) {
      refuse(self.path_, "the schema file was changed while the rows were written",
             "Nothing was written: run it again.");
    }
    const bool over_rows = look_at(self.rows_path_, {}) != NameKind::Nothing;
    self.write(now, over_rows, mark, first);
  });
}

void SideSchema::write(const There& there, bool with_mark, const std::function<RowsMark()>& mark,
                       OutputSet* set) const {
  // A schema that a user wrote stays as it is.
  if (there.is_same && !there.has_marks) return;
  std::string entries;
  for (const Compression compression : kCompressions) {
    if (compression == compression_) continue;
    std::optional<RowsMark> other = find_mark(there.text, compression);
    // The same rows compressed otherwise lose the schema that is replaced.
    if (!there.is_same)
      other = has_rows(there, compression) ? std::optional(kOfNone) : std::nullopt;
    if (other) entries += entry_of(*other, compression);
  }
  // The schema is newer than the rows for a moment only if rows already existed.
  if (mark && with_mark) entries += entry_of(mark(), compression_);
  write_file(path_, entries.empty() ? text_ : with_marks(text_, entries),
             {.mode = there.text.empty() ? options_.mode : OutputMode::Overwrite,
              .durable = options_.durable,
              .compression = Compression::None,
              .set = set,
              .staged = options_.staged,
              .storage = options_.storage});
}

Location side_schema_path(const Location& rows) {
  const std::string_view name = rows.name();
  const std::string_view plain = without_query(name);
  const std::string_view bare = without_compression(plain);
  const std::string query(name.substr(plain.size()));
  const auto made = [&](std::string side) {
    return rows.renamed(std::move(side)).made_after(std::min(rows.given(), plain.rfind('/') + 1));
  };
  Location side = made(fmt::format("{}.schema{}", bare, query));
  if (bare == plain || rows.kind() != LocationKind::Local) return side;
  std::error_code failed;
  Location of_all = made(fmt::format("{}.schema", plain));
  const bool is_of_all =
      fs::symlink_status(side.name(), failed).type() == fs::file_type::not_found &&
      fs::is_regular_file(of_all.name(), failed);
  return is_of_all ? std::move(of_all) : std::move(side);
}

NameKind look_at_side_schema(const Location& rows, const StorageOptions& storage) {
  const Location side = side_schema_path(rows);
  const NameKind kind = look_at(side, storage);
  if (kind == NameKind::Nothing && !side.is_remote() && fs::is_symlink(side.name())) {
    refuse(side, "expected a schema next to the rows or nothing, found a link that leads nowhere",
           "Make it a schema, or remove it.");
  }
  return kind;
}

}  // namespace xwalk::io
