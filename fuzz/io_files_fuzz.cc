// Rows in files of one folder: written, appended and overwritten in YSON and Skiff, plain and
// compressed, with the schema next to them. They are read back completely. A file or a schema that
// was damaged meanwhile is read or refused. Also files in folders with partition values.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/convert.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/file_range.h"

namespace xwalk::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder of this process, empty for each input.
class Folder {
 public:
  Folder() { require(mkdtemp(path_.data()) != nullptr); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void clear() const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
  }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  void put(const std::string& name, std::string_view bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream file(path(name), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string path_ = (fs::temp_directory_path() / "xwalk-fuzz-XXXXXX").string();
};

constexpr std::array<const char*, 5> kNames = {"rows.yson", "rows.yson.gz", "rows.yson.zst",
                                               "rows.skiff", "rows.skiff.gz"};

/// All rows of a file as lines.
std::vector<std::string> read(const std::string& path, const io::InputOptions& options) {
  std::vector<std::string> lines;
  const io::Input input = io::open_input({path}, options);
  while (std::optional<hub::Batch> batch = input.reader->next()) {
    const hub::Schema& schema = input.reader->schema();
    const hub::Batch good = hub::drop_bad_rows(std::move(*batch), schema, nullptr);
    for (int64_t i = 0; i < good.rows(); ++i) {
      lines.emplace_back();
      hub::append_json_row(schema, good.array, i, &lines.back());
    }
  }
  return lines;
}

/// Writes rows of YSON to a file as convert does; returns how many there are.
uint64_t write(const Folder& folder, const std::string& name, const std::string& rows,
               io::OutputMode mode, const char* schema) {
  io::ConvertOptions options;
  options.input.format = io::kYsonRows;
  options.input.schema = schema;
  options.output.mode = mode;
  options.pipeline.threads = 1;
  io::Dataset data([&] { return io::memory_source(rows, "input"); }, true, options.input);
  return io::convert(data, folder.path(name), options).front().done.rows;
}

void check_output(const Folder& folder, Choices* choices) {
  static constexpr std::array kSchemas = {
      "[{name=a;type=int64}]", "[{name=a;type=int64};{name=b;type=string}]",
      "<unique_keys=%false>[{name=a;type=int64;sort_order=ascending}]"};
  const std::string name = kNames[choices->below(kNames.size())];
  std::vector<std::string> there;
  for (size_t left = 1 + choices->below(4); left > 0; --left) {
    std::string rows;
    for (size_t count = choices->below(4); count > 0; --count) {
      rows += "{a=" + std::to_string(choices->byte()) + "};";
    }
    const auto mode = static_cast<io::OutputMode>(choices->below(3));
    const char* schema = kSchemas[choices->below(8) < 6 ? 0 : 1 + choices->below(2)];
    try {
      const uint64_t count = write(folder, name, rows, mode, schema);
      const std::vector<std::string> now = read(folder.path(name), {});
      const size_t before = mode == io::OutputMode::Append ? there.size() : 0;
      require(now.size() == before + count, "every row is present", rows);
      require(std::equal(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(before),
                         now.begin()),
              "rows stay as they were", rows);
      uint64_t of_parts = 0;
      for (const io::Part& part : io::parts_of(folder.path(name), *io::format_of_name(name), 8)) {
        of_parts += part.rows;
      }
      require(of_parts == 0 || of_parts == now.size(), "parts have all rows", rows);
      there = now;
    } catch (const Error& error) {
      require_refusal(error);
    }
    // Another process writes meanwhile.
    const std::string side = io::side_schema_path(folder.path(name));
    const size_t harm = choices->below(12);
    if (harm > 3 || !fs::exists(folder.path(name))) continue;
    const std::string harmed = harm == 0 ? side : folder.path(name);
    if (harm == 1) {
      std::ofstream(harmed, std::ios::app | std::ios::binary) << choices->text();
    } else if (harm == 2) {
      fs::remove(side);
    } else if (fs::exists(harmed)) {
      const std::string text(choices->text());
      folder.put(fs::path(harmed).filename().string(), text);
    }
    try {
      there = read(folder.path(name), {});
    } catch (const Error& error) {
      require_refusal(error);
      return;
    }
  }
}

/// A mark identifies the rows it was made of, also after others were appended.
void check_mark(const Folder& folder, Choices* choices) {
  const std::string rows(choices->text());
  const std::string more(choices->text());
  folder.put("rows.yson", rows);
  const int file = ::open(folder.path("rows.yson").c_str(), O_RDONLY);
  require(file >= 0);
  const io::RowsMark mark = io::RowsMark::of(file);
  ::close(file);
  const io::RowsMark same = io::RowsMark::of(rows.size(), rows, "");
  require(mark.size == same.size && mark.hash == same.hash, "a mark is of the bytes", rows);
  char hash[40];
  std::snprintf(hash, sizeof(hash), "%zu:%016zx", static_cast<size_t>(mark.size),
                static_cast<size_t>(mark.hash));
  const std::string side = "<\n    \"xwalk_rows\" = \"" + std::string(hash) + "\";>[]";
  folder.put("rows.yson", rows + more);
  io::check_mark(folder.path("rows.yson"), nullptr, side);
  if (rows.empty()) return;
  std::string others = rows + more;
  others[choices->byte() % rows.size()] ^= 1;
  folder.put("rows.yson", others);
  const auto opened = io::open_source(folder.path("rows.yson"));
  try {
    io::check_mark(folder.path("rows.yson"), choices->below(2) == 0 ? opened.get() : nullptr, side);
    require(false, "other rows have another mark", rows);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "the schema is of other rows", error.describe());
  }
}

/// Changes of a mapped file by another process are reported and do not end this process.
void check_mapping(const Folder& folder, Choices* choices) {
  const std::string bytes(size_t{choices->byte()} * 64, static_cast<char>(choices->byte()));
  const size_t left = bytes.size() * choices->below(4) / 4;
  folder.put("mapped", bytes);
  const std::string path = folder.path("mapped");
  const io::Mapping mapping(::open(path.c_str(), O_RDONLY), bytes.size(), path);
  require(mapping.bytes() == bytes && mapping.size() == bytes.size());
  const size_t some = bytes.size() / 2;
  require(mapping.read_at(some, 5) == bytes.substr(some, 5));
  mapping.give_back(choices->byte(), size_t{choices->byte()} * 64);
  require(mapping.bytes() == bytes, "memory comes back", path);
  mapping.check();
  fs::resize_file(path, left);
  // What is gone reads as zeros, from the next page on.
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (size_t at = 0; at < bytes.size(); at += 64) {
    require(at < (left + page - 1) / page * page || mapping.bytes()[at] == '\0', "zeros", path);
  }
  try {
    mapping.check();
    require(left == bytes.size(), "a change is reported", path);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Io && left != bytes.size(), "a change is reported",
            error.describe());
  }
}

/// Files of folders `key=value`: the values are columns of their rows.
void check_folders(const Folder& folder, Choices* choices) {
  static constexpr std::array<const char*, 8> kValues = {
      "1", "-20", "2024-01-31", "text", "__HIVE_DEFAULT_PARTITION__", "a%20b", "", "2024-13-01"};
  std::vector<std::string> values;
  std::vector<std::string> keys;
  const size_t files = 1 + choices->below(3);
  for (size_t i = 0; i < files; ++i) {
    values.emplace_back(kValues[choices->below(kValues.size())]);
    const size_t odd = choices->below(16);
    keys.emplace_back(odd == 15 ? "other" : odd == 14 ? "kl" : "k");
    const std::string where =
        odd == 15 ? "in/other=1" : "in/k=" + values.back() + (odd == 14 ? "/l=2" : "");
    folder.put(where + "/" + std::to_string(i) + ".yson", "{a=" + std::to_string(i) + "};{a=#};");
    folder.put(where + "/_SUCCESS", "");
  }
  const bool alike = std::ranges::all_of(keys, [&](const auto& key) { return key == keys[0]; });
  io::Listing listing({});
  require(listing.look(folder.path("in")) == io::NameKind::Folder);
  const std::vector<io::Entry> entries = listing.in(folder.path("in"));
  require(!entries.empty() && std::ranges::is_sorted(entries, {}, &io::Entry::name));
  for (const io::Entry& entry : entries) {
    const io::Location path = io::Location(folder.path("in")).in(entry.name);
    require(listing.look(path) == entry.kind, "a name is the contents", path);
    require(io::path_below(folder.path("in"), path) == entry.name, "a path is below", path);
  }
  listing.fetch_below(folder.path("in"));
  io::InputOptions options;
  options.schema = "[{name=a;type=int64}]";
  options.partitions = choices->below(4) != 3;
  if (choices->below(2) == 0) options.format = io::kYsonRows;
  try {
    const std::vector<std::string> lines = read(folder.path("in"), options);
    require(lines.size() == 2 * files, "all rows come", lines.empty() ? "" : lines.front());
    require(alike || !options.partitions, "folders have the same keys", lines.front());
    const bool told = lines.front().find("\"k\"") != std::string::npos;
    require(told == (options.partitions && keys.front() != "other"), "a key is a column",
            lines.front());
  } catch (const Error& error) {
    require_refusal(error);
    require(!alike || std::ranges::find(values, "") != values.end(), "folders are read",
            error.describe());
  }
  try {
    (void)listing.in(folder.path("nowhere"));
    require(false);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Io, "nothing is there", error.describe());
  }
}

/// The format of a file is recognized by its name and its first bytes.
void check_format(const Folder& folder, Choices* choices) {
  static constexpr std::array<const char*, 10> kFiles = {
      "rows.yson", "rows.json", "rows.skiff", "rows.parquet", "rows.arrow",
      "rows",      "rows.csv",  "rows.lance", "rows.vortex",  "rows.json.gz"};
  static const std::array<std::string, 9> kBegins = {
      "{a=1};", "{\"a\":1}\n",     "  { \"a\\\"b\" : 1}", "PAR1", "ARROW1", "VTXF", "\x1f\x8b",
      "",       "\xff\xff\xff\xff"};
  const std::string name = kFiles[choices->below(kFiles.size())];
  const std::string bytes = kBegins[choices->below(kBegins.size())] + std::string(choices->text());
  folder.put(name, bytes);
  try {
    const std::string path = choices->below(8) == 7 ? folder.path("") : folder.path(name);
    const io::Format told = io::detect_input(path);
    const auto opened = io::open_source(folder.path(name));
    require(path.ends_with('/') || io::detect_input(path, opened.get()) == told,
            "a file is what its bytes are", path);
    io::check_readable(told);
    (void)read(path, {});
  } catch (const Error& error) {
    require_refusal(error);
  }
  try {
    const io::Format output = io::detect_output(folder.path(name));
    require(io::format_of_output_name(name) == output, "a name says a format", name);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Usage, "a name of no format", error.describe());
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  static const Folder folder;
  folder.clear();
  const Allowance any;
  Choices choices(data);
  switch (choices.below(5)) {
    case 0:
      return check_output(folder, &choices);
    case 1:
      return check_mark(folder, &choices);
    case 2:
      return check_mapping(folder, &choices);
    case 3:
      return check_folders(folder, &choices);
    default:
      return check_format(folder, &choices);
  }
}

}  // namespace xwalk::fuzz
