#include "xwalk/convert/table_record.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <span>
#include <sys/stat.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/version.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A record has some kilobytes for each thousand columns.
constexpr size_t kLargestRecord = size_t{256} << 20U;

constexpr const char* kBegun = "begun";
constexpr const char* kComplete = "complete";

[[noreturn]] void refuse(const std::string& name, ErrorCode code, std::string message,
                         std::string hint = {}) {
  throw Error(code, std::move(message), {.file = shown_name(name)}, std::move(hint));
}

/// Size and time of a file, or the sum and the latest of all files of a folder.
struct Seen {
  uint64_t files = 0;
  uint64_t bytes = 0;
  int64_t latest = 0;

  void add(const struct stat& found) {
    constexpr int64_t kNanos = 1'000'000'000;
    ++files;
    bytes += static_cast<uint64_t>(found.st_size);
    latest = std::max(latest, found.st_mtim.tv_sec * kNanos + found.st_mtim.tv_nsec);
  }
};

/// Returns the hash FNV-1a of texts, with a zero byte after each.
uint64_t hash_of(std::span<const std::string> texts) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& text : texts) {
    for (size_t i = 0; i <= text.size(); ++i) {
      hash = (hash ^ static_cast<unsigned char>(text.c_str()[i])) * 0x100000001b3;
    }
  }
  return hash;
}

/// Identifies the objects of a folder in a store by their names.
std::string identity_of_objects(const Location& folder, const StorageOptions& storage) {
  std::vector<std::string> names = list_objects(folder, storage, /*deep=*/true);
  std::ranges::sort(names);
  return fmt::format("{} objects, names {:016x}", names.size(), hash_of(names));
}

/// Adds the types of fields, with all that says what their values mean.
void add_types(std::span<const hub::Field> fields, std::string* out) {
  for (const hub::Field& field : fields) {
    *out += fmt::format("{}: {}", field.name, hub::to_string(field));
    for (const auto& [key, value] : field.metadata) *out += fmt::format(" {}={}", key, value);
    *out += '\n';
    add_types(field.type.children(), out);
  }
}

std::string text_of(const hub::Schema& schema) {
  std::string out;
  add_types(schema.fields, &out);
  return out;
}

}  // namespace

const std::string* TableRecord::input_not_in(const TableRecord& other) const {
  const auto is_missing = [&](const auto& input) {
    return std::ranges::none_of(other.inputs, [&](const auto& its) {
      return its.first == input.first || its.second == input.second;
    });
  };
  const auto found = std::ranges::find_if(inputs, is_missing);
  return found == inputs.end() ? nullptr : &found->first;
}

void TableRecord::set_types(const crosswalk::Plan& plan) {
  source_type = text_of(plan.source_hub);
  target_type = text_of(plan.target_hub);
}

bool TableRecord::has_types_of(const crosswalk::Plan& plan) const {
  return source_type == text_of(plan.source_hub) && target_type == text_of(plan.target_hub);
}

std::string lasting_name(const Location& input) {
  // The same file by a link has the same name.
  return input.is_remote() ? shown_name(input)
                           : fs::weakly_canonical(fs::absolute(input.name())).string();
}

std::string identity_of(const Location& name, const StorageOptions& storage) {
  if (name.is_standard() || name.is_table()) {
    refuse(name, ErrorCode::Usage,
           fmt::format("expected a file or an object for {}, found an input that may change "
                       "without a trace",
                       hub::mention(hub::Option::Resume)));
  }
  if (name.is_remote()) {
    // A server of http lists nothing.
    const NameKind kind =
        name.kind() == LocationKind::Http ? NameKind::File : look_at(name, storage);
    if (kind == NameKind::Nothing) return "";
    if (kind == NameKind::Folder) return identity_of_objects(name, storage);
    const StoreObject object(name, storage);
    if (object.tag().empty()) {
      refuse(name, ErrorCode::Unsupported,
             fmt::format("expected an object with a tag for {}, found one without",
                         hub::mention(hub::Option::Resume)),
             "The server does not say whether the object has changed.");
    }
    return fmt::format("{} bytes, tag {}", object.size(), object.tag());
  }
  const std::string& path = name.name();
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return "";
    io_error(name, "cannot read the size", errno);
  }
  Seen seen;
  if (!S_ISDIR(found.st_mode)) {
    seen.add(found);
    return fmt::format("{} bytes, modified {}", seen.bytes, seen.latest);
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && stat(entry.path().c_str(), &found) == 0) seen.add(found);
  }
  return fmt::format("{} files, {} bytes, modified {}", seen.files, seen.bytes, seen.latest);
}

std::string identity_of_input(const Location& input, const InputOptions& options) {
  if (input.is_standard() || input.is_table() || !is_pattern(input, options.storage)) {
    return identity_of(input, options.storage);
  }
  std::vector<std::string> texts;
  for (const InputFile& file : input_files({input}, options).files) {
    texts.push_back(lasting_name(file.path));
    texts.push_back(identity_of(file.path, options.storage));
  }
  return fmt::format("{} files, {:016x}", texts.size() / 2, hash_of(texts));
}

namespace {

std::vector<std::string> identities_of(const Locations& inputs, const InputOptions& options,
                                       size_t most) {
  std::vector<std::string> out;
  for (const Location& input : inputs) {
    if (input.is_standard() || input.is_table()) return {};
    // The rows that are chosen of the file.
    std::string chosen =
        fmt::format("limit {} tail {} seed {} table {} version {}", options.limit.value_or(-1),
                    options.tail.value_or(-1), options.seed, options.table.value_or(0),
                    options.lance.version.value_or(""));
    if (const auto& sample = options.sample) {
      chosen += fmt::format(" sample {} {}", sample->rows.value_or(-1), sample->share);
    }
    if (const auto& part = options.part)
      chosen += fmt::format(" part {} {}", part->first, part->count);
    std::string identity;
    try {
      identity = identity_of(input, options.storage);
    } catch (const Error&) {
      // A store that gives no tags.
    }
    if (identity.empty()) return {};
    const std::array texts = {lasting_name(input), identity, chosen};
    out.push_back(fmt::format("{:016x} {}", hash_of(texts), shown_name(input)));
  }
  if (out.size() <= most) return out;
  return {fmt::format("{:016x} {} and {} other inputs", hash_of(out), shown_name(inputs.front()),
                      out.size() - 1)};
}

}  // namespace

void identify_inputs(const Locations& files, const InputOptions& reading, OutputOptions* output) {
  const Format format = *output->format;
  const bool keeps = format->adding == Adding::ToDataset || output->mode == OutputMode::Append;
  if (!keeps || format->keeps_inputs == 0) return;
  output->identities = identities_of(files, reading, format->keeps_inputs);
  const bool are_lost = !output->identities.empty() && files.size() > format->keeps_inputs;
  if (!are_lost || output->again || output->mode != OutputMode::Append) return;
  throw Error(ErrorCode::Usage,
              fmt::format("expected at most {} inputs to add at a time, of which the output keeps "
                          "that they were added; found {}",
                          format->keeps_inputs, files.size()),
              {},
              fmt::format("Add fewer at a time, or give {}, which does not look.",
                          hub::mention(hub::Option::Mode, "append-again")));
}

std::optional<TableRecord> read_table_record(const Location& path, const StorageOptions& storage) {
  if (look_at(path, storage) == NameKind::Nothing) return std::nullopt;
  const std::string text = read_all(*open_source(path, storage), kLargestRecord);
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  try {
    TableRecord out;
    out.state =
        json.at("state") == kComplete ? TableRecord::State::Complete : TableRecord::State::Begun;
    for (const Json& input : json.at("inputs")) {
      out.inputs.emplace_back(input.at("name"), input.at("identity"));
    }
    out.options = json.at("options").dump();
    out.source_type = json.at("source_type");
    out.target_type = json.at("target_type");
    out.output = json.at("output").at("identity");
    out.rows = json.at("rows");
    out.rejected = json.at("rejected");
    out.first_rejected = json.at("first_rejected");
    out.bytes_read = json.at("bytes_read");
    out.bytes_written = json.at("bytes_written");
    out.verified = json.at("verified");
    return out;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void write_table_record(const TableRecord& record, const Location& path,
                        const OutputOptions& options) {
  Json json;
  json["writer"] = "xwalk " XWALK_VERSION;
  json["state"] = record.state == TableRecord::State::Complete ? kComplete : kBegun;
  json["inputs"] = Json::array();
  for (const auto& [name, identity] : record.inputs) {
    json["inputs"].push_back({{"name", name}, {"identity", identity}});
  }
  json["options"] = Json::parse(record.options);
  json["source_type"] = record.source_type;
  json["target_type"] = record.target_type;
  json["output"] = {{"identity", record.output}};
  json["rows"] = record.rows;
  json["rejected"] = record.rejected;
  json["first_rejected"] = record.first_rejected;
  json["bytes_read"] = record.bytes_read;
  json["bytes_written"] = record.bytes_written;
  json["verified"] = record.verified;
  SinkOptions writing;
  writing.mode = OutputMode::Overwrite;
  writing.durable = options.durable;
  writing.storage = options.storage;
  write_file(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", writing);
}

}  // namespace xwalk::io
