// The archive of a table whose manifest, attributes and part are any bytes: its rows come, as many
// as the manifest says, or it is refused as an input. Three texts with a zero byte between them; an
// empty manifest stands for a whole one of the other two, and %A and %P in one for their sums.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/base/sha256.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/archive.h"
#include "xwalk/io/open.h"

namespace xwalk::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder of this process.
class Folder {
 public:
  Folder() {
    require(mkdtemp(path_.data()) != nullptr);
    fs::create_directories(path_ + "/@generations/g");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  void put(const char* name, std::string_view bytes) const {
    std::ofstream file(path_ + "/" + name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string path_ = (fs::temp_directory_path() / "xwalk-fuzz-XXXXXX").string();
};

std::string_view take_text(std::string_view* rest) {
  const std::string_view text = rest->substr(0, rest->find('\0'));
  rest->remove_prefix(std::min(text.size() + 1, rest->size()));
  return text;
}

std::string whole_manifest(bool skiff, int rows, size_t part_bytes) {
  constexpr std::string_view kSkiff =
      R"(,"table_format":{"name":"skiff","attributes":{"table_skiff_schemas":[{"wire_type":"tuple",)"
      R"("children":[{"wire_type":"int64","name":"a"},{"wire_type":"yson32","name":"$other_columns"}]}]}})";
  return fmt::format(
      R"({{"format":"yt-s3-v2","kind":"table","generation":"g","row_count":{},"attributes":)"
      R"({{"key":"t/@generations/g/attributes","sha256":"%A"}},"parts":[{{"object":{{"key":)"
      R"("t/@generations/g/part","sha256":"%P","size":{}}}}}]{}}})",
      rows, part_bytes, skiff ? kSkiff : "");
}

/// Puts the sum of bytes where a word stands for it.
void put_sum(std::string_view word, std::string_view bytes, std::string* manifest) {
  Sha256 sum;
  sum.add(bytes);
  const std::string digits = sum.finish();
  for (size_t at = 0; (at = manifest->find(word, at)) != std::string::npos;) {
    manifest->replace(at, word.size(), digits);
  }
}

}  // namespace

void run(std::string_view data) {
  static const Folder folder;
  const Allowance any;
  Choices choices(data);
  const uint8_t modes = choices.byte();
  std::string_view rest = choices.rest();
  std::string manifest(take_text(&rest));
  const std::string_view attributes = take_text(&rest);
  if (manifest.empty()) manifest = whole_manifest((modes & 1) != 0, modes >> 2 & 7, rest.size());
  put_sum("%A", attributes, &manifest);
  put_sum("%P", rest, &manifest);
  folder.put("@manifest.json", manifest);
  folder.put("@generations/g/attributes", attributes);
  folder.put("@generations/g/part", rest);
  require(io::is_archive(folder.path(), {}) && !io::is_archive(folder.path() + ".yson", {}));
  io::InputOptions options;
  options.skip_bad_rows = (modes & 2) != 0;
  if ((modes & 32) != 0) options.limit = 1;
  try {
    const io::Input input = io::open_archive(folder.path(), options);
    while (std::optional<hub::Batch> batch = input.reader->next()) {
      const hub::Schema& schema = input.reader->schema();
      check_rows(schema, hub::drop_bad_rows(std::move(*batch), schema, nullptr).array);
    }
    require(options.limit || input.reader->total_rows() == input.reader->rows_taken(),
            "all rows came", manifest);
    require(!input.reader->total_bytes() ||
            input.reader->bytes_read() <= *input.reader->total_bytes());
  } catch (const Error& error) {
    require_refusal(error, {ErrorCode::Input, ErrorCode::Unsupported, ErrorCode::Io});
  }
}

}  // namespace xwalk::fuzz
