#include "xwalk/io/archive.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/io/listing.h"
#include "xwalk/io/location.h"
#include "xwalk/io/source.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kManifest = "@manifest.json";
constexpr std::string_view kGenerations = "@generations/";
constexpr std::string_view kVersion = "yt-s3-v2";

/// The manifest of an archive.
class Manifest {
 public:
  Manifest(const std::string& folder, const StorageOptions& storage)
      : folder_(folder), path_(path_in(folder, kManifest)) {
    const std::string text = read_all(*open_source(path_, storage), limits::kSchemaBytes);
    try {
      check_json_document(text, ErrorCode::Input);
    } catch (Error& error) {
      error.place().file = path_;
      throw;
    }
    json_ = Json::parse(text, nullptr, false);
    if (!json_.is_object() || text.find('\0') != std::string::npos) {
      refuse(ErrorCode::Unsupported, "expected a manifest in JSON, found something else",
             "An archive that is encrypted is restored by ytclone.");
    }
    const std::string version = word(json_, "format");
    if (version != kVersion) {
      refuse(ErrorCode::Unsupported,
             fmt::format("expected an archive {}, found {}", kVersion, xwalk::quoted(version)));
    }
    if (json_.contains("encryption")) {
      refuse(ErrorCode::Unsupported, "the archive is encrypted", "ytclone restores it.");
    }
    const std::string kind = word(json_, "kind");
    if (kind != "table") {
      refuse(
          ErrorCode::Unsupported,
          fmt::format("expected the archive of a table, found that of a {}", xwalk::quoted(kind)),
          "Name the folder of one table.");
    }
  }

  const Json& json() const { return json_; }

  const Json& member(const Json& object, const char* name) const {
    if (!object.is_object() || !object.contains(name)) {
      refuse(ErrorCode::Input, fmt::format("expected {} in the manifest, found none", name));
    }
    return object.at(name);
  }
  std::string word(const Json& object, const char* name) const {
    const Json& value = member(object, name);
    if (!value.is_string()) refuse(ErrorCode::Input, fmt::format("expected {} as a string", name));
    return value.get<std::string>();
  }
  uint64_t number(const Json& object, const char* name) const {
    const Json& value = member(object, name);
    // Rows and bytes are counted in 63 bits.
    if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX) {
      refuse(ErrorCode::Input,
             fmt::format("expected {} as a number from 0 to {}", name, INT64_MAX));
    }
    return value.get<uint64_t>();
  }

  /// Returns the SHA-256 of an object.
  std::string sum(const Json& object) const {
    std::string digits = word(object, "sha256");
    if (digits.size() != 64 || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
      refuse(ErrorCode::Input, fmt::format("expected sha256 as 64 hexadecimal digits, found {}",
                                           xwalk::quoted(digits)));
    }
    return digits;
  }

  /// Returns the path of an object of the manifest's generation: its key goes from the bucket on,
  /// wherever the archive lies now.
  std::string object_path(const Json& object) const {
    const std::string key = word(object, "key");
    const std::string here = fmt::format("{}{}/", kGenerations, word(json_, "generation"));
    const size_t at = key.rfind(here);
    const bool climbs = key.find("/../") != std::string::npos;
    if (at == std::string::npos || climbs) {
      refuse(ErrorCode::Input,
             fmt::format("expected an object of the manifest's generation, found {}",
                         xwalk::quoted(key)));
    }
    return path_in(folder_, key.substr(at));
  }

  [[noreturn]] void refuse(ErrorCode code, std::string message, std::string hint = {}) const {
    Place place;
    place.file = path_;
    throw Error(code, std::move(message), std::move(place), std::move(hint));
  }

 private:
  std::string folder_;
  std::string path_;
  Json json_;
};

/// Counts rows against the manifest.
class CountedReader final : public SplitReader {
 public:
  CountedReader(std::unique_ptr<SplitReader> rows, uint64_t expected, std::string folder)
      : rows_(std::move(rows)), expected_(expected), folder_(std::move(folder)) {}

  const hub::Schema& schema() const override { return rows_->schema(); }
  std::optional<int64_t> total_rows() const override { return static_cast<int64_t>(expected_); }
  uint64_t bytes_read() const override { return rows_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return rows_->total_bytes(); }
  int64_t rows_taken() const override { return rows_->rows_taken(); }
  Notes notes() const override { return rows_->notes(); }
  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = rows_->take();
    const auto taken = static_cast<uint64_t>(rows_->rows_taken());
    if (piece != nullptr || taken == expected_) return piece;
    Place place;
    place.file = folder_;
    throw Error(ErrorCode::Input,
                fmt::format("expected {} rows, as the manifest says, found {}", expected_, taken),
                std::move(place));
  }

 private:
  std::unique_ptr<SplitReader> rows_;
  uint64_t expected_;
  std::string folder_;
};

/// Returns the schema of the table in its attributes, as YSON.
yson::Node schema_of(const Manifest& manifest, const StorageOptions& storage) {
  const Json& object = manifest.member(manifest.json(), "attributes");
  const std::string path = manifest.object_path(object);
  const std::string text =
      read_all(*open_source(path, storage, manifest.sum(object)), limits::kSchemaBytes);
  try {
    const yson::Node attributes = yson::parse(text);
    if (const yson::Node* schema = attributes.find("schema")) return *schema;
  } catch (Error& error) {
    error.place().file = path;
    throw;
  }
  Place place;
  place.file = path;
  throw Error(ErrorCode::Input, "expected a schema among the attributes of the table, found none",
              std::move(place));
}

}  // namespace

bool is_archive(const std::string& path, const StorageOptions& storage) {
  if (path == "-" || is_cluster(path)) return false;
  if (!is_remote(path)) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path_in(local_path(path), kManifest), ignored);
  }
  // A store is only asked where the name has no extension, as folders have none.
  const size_t slash = path.find_last_of('/');
  if (path.find('.', slash == std::string::npos ? 0 : slash) != std::string::npos ||
      path.find('?') != std::string::npos || path.starts_with("http")) {
    return false;
  }
  return look_at(path_in(path, kManifest), storage) == NameKind::File;
}

Input open_archive(const std::string& path, const InputOptions& options) {
  const std::string folder = is_remote(path) ? path : local_path(path);
  const Manifest manifest(folder, options.storage);
  InputOptions reading = options;
  reading.one_table = true;
  reading.values = yt::stored_form();
  reading.values.uuid_order = options.values.uuid_order;
  reading.values.decimal_special = options.values.decimal_special;
  yson::Node schema = schema_of(manifest, options.storage);
  reading.format = kYsonRows;
  const Json& json = manifest.json();
  // Older archives hold YSON and do not say so.
  const std::string rows =
      json.contains("table_format") ? manifest.word(json["table_format"], "name") : "yson";
  if (rows != "yson" && rows != "skiff") {
    manifest.refuse(ErrorCode::Unsupported,
                    fmt::format("expected rows of yson or skiff, found {}", xwalk::quoted(rows)));
  }
  if (rows == "skiff") {
    // Columns that its format has no wire type for come last in a row, among the others.
    const yt::TableSchema table = yt::parse_table_schema(schema);
    if (table.strict && reading.select.empty()) {
      for (const yt::ColumnSchema& column : table.columns) {
        reading.select.push_back(Path::column(column.name).text());
      }
    }
    const Json& format = manifest.member(json["table_format"], "attributes");
    reading.format = kSkiffRows;
    yson::Node word = yson::Node::string("skiff");
    word.add_attribute("table_skiff_schemas",
                       yson::from_json(manifest.member(format, "table_skiff_schemas").dump()));
    yson::Node tables = yson::Node::list();
    tables.add(std::move(schema));
    schema = yson::Node::map();
    schema.add("table_schemas", std::move(tables));
    schema.add("format", std::move(word));
  }
  if (!reading.schema) reading.schema = yson::print(schema);
  std::vector<std::string> parts;
  const Json& listed = manifest.member(json, "parts");
  if (!listed.is_array()) manifest.refuse(ErrorCode::Input, "expected parts as a list");
  for (const Json& part : listed) {
    const Json& object = manifest.member(part, "object");
    parts.push_back(manifest.object_path(object));
    if (!reading.sums.emplace(parts.back(), manifest.sum(object)).second) {
      manifest.refuse(ErrorCode::Input, fmt::format("expected each part once, found {} twice",
                                                    manifest.word(object, "key")));
    }
    const auto source = open_source(parts.back(), options.storage);
    const uint64_t size = manifest.number(object, "size");
    if (source->size() && *source->size() != size) {
      Place place;
      place.file = parts.back();
      throw Error(
          ErrorCode::Input,
          fmt::format("expected {} bytes, as the manifest says, found {}", size, *source->size()),
          std::move(place));
    }
  }
  Input input =
      parts.empty() ? open_input(memory_source("", folder), reading) : open_input(parts, reading);
  // All parts are read by the schema of the archive.
  input.check_file = nullptr;
  // It is that of the archive's rows, and not of the table's.
  input.skiff_schema.reset();
  if (!options.limit) {
    input.reader = std::make_unique<CountedReader>(std::move(input.reader),
                                                   manifest.number(json, "row_count"), folder);
  }
  return input;
}

}  // namespace xwalk::io
