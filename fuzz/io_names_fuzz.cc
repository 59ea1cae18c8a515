// Names of tables, files and folders, and what is given with them: paths on a cluster, URIs,
// options of stores, attributes of tables, folders of partitions. Each is taken or refused as what
// the user wrote; what was taken is the same when it is written again, and no secret is shown.
// References in files that the user did not write are followed to one place.

#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/io/bytes/cluster_name.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/hive_columns.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::fuzz {
namespace {

void read_path(const std::string& text) {
  const yt::RichPath path = yt::parse_rich_path(text);
  std::string again = path.cluster.empty() ? "" : "yt://" + path.cluster;
  again += path.path + path.ranges;
  if (path.columns) {
    std::vector<std::string> columns;
    for (const std::string& name : *path.columns) {
      columns.push_back(yson::print(yson::Node::string(name)));
    }
    again += "{" + join(columns, ",") + "}";
  }
  const yt::RichPath same = yt::parse_rich_path(again);
  require(same.cluster == path.cluster && same.path == path.path && same.columns == path.columns &&
              same.ranges == path.ranges,
          "a path is the same when it is written again", again);
  require(io::is_same_table(text, again), "a path is that of the same table", again);
}

void read_location(const std::string& text) {
  const std::string shown = io::shown_name(text);
  require(text.starts_with(io::without_query(text)), "a name without its query begins it", shown);
  const bool http = text.starts_with("http://") || text.starts_with("https://");
  require(!http || shown.find('?') == std::string::npos || shown.ends_with("?…"),
          "a query is not shown", shown);
  const io::Location location(text);
  const io::LocationKind kind = location.kind();
  const bool is_path = kind == io::LocationKind::Local || kind == io::LocationKind::Standard;
  require(io::is_uri(text) || is_path, "a path is local", text);
  require(is_path || location.name() == text, "the name of a URI is the URI", text);
}

void read_attribute(const std::string& text) {
  io::TableAttributes attributes;
  io::add_table_attribute(text, &attributes);
  for (const auto& [name, value] : attributes) {
    const yson::Node node = yson::parse(value);
    require(yson::print(node) == value, "an attribute is kept as it is printed", value);
  }
}

/// Folders of files, as if they were found: three lines, a value of one key each.
void read_partitions(std::string_view text) {
  std::vector<io::InputFile> files;
  for (int i = 0; i < 3; ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    io::PartitionValue value{"k", io::percent_decoded(line)};
    if (line == io::kNullPartition) value.value.reset();
    files.push_back({"file" + std::to_string(i), {value}, ""});
  }
  const io::Partitions partitions(files);
  require(partitions.fields().size() == 1, "a key is a column", text);
}

/// A path is absolute once its links and dots are followed, and then stays.
void follow(const std::string& text) {
  const std::string path = io::without_links(text);
  require(path.starts_with('/') && path.find("//") == std::string::npos, "it is absolute", path);
  const std::string steps = path + "/";
  require(steps.find("/../") == std::string::npos && steps.find("/./") == std::string::npos,
          "it has no dots", path);
  require(io::without_links(path) == path, "it is followed", path);
  io::is_git_folder(text);
}

void read(size_t what, const std::string& text) {
  switch (what) {
    case 0:
      read_path(text);
      return;
    case 1:
      read_location(text);
      return;
    case 2: {
      io::StorageOptions options;
      io::add_storage_option(text, &options);
      return;
    }
    case 3:
      read_attribute(text);
      return;
    default:
      read_partitions(text);
      return;
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  constexpr uint8_t kFollow = 254;
  Choices choices(data);
  const uint8_t first = choices.byte();
  const std::string text(choices.rest());
  const Allowance any;
  const MemoryTotal total(data.size());
  if (first == kFollow) return follow(text);
  const size_t what = first % 5;
  try {
    read(what, text);
  } catch (const Error& error) {
    const ErrorCode expected = what == 4 ? ErrorCode::Input : ErrorCode::Usage;
    require(error.code() == expected, "a refusal is of what the user wrote", error.describe());
    require(error.place().byte.value_or(0) <= text.size(), "a place is in the text",
            error.describe());
    const std::string told = error.describe();
    require(told.find('\x1b') == std::string::npos, "errors have no escapes", told);
  }
}

}  // namespace xwalk::fuzz
