#include "xwalk/io/lance_rows.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/io/atomic_path.h"
#include "xwalk/io/source.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/room.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEngine = "lance";
constexpr std::string_view kPackage = "pylance";
/// Where the stream's metadata carries the schema asked for; see engines/xwalk-engine-lance.
constexpr std::string_view kSchemaKey = "xwalk:engine:lance";

[[noreturn]] void fail(ErrorCode code, const std::string& message, const std::string& file,
                       std::string hint = {}) {
  Place place;
  place.file = file;
  throw Error(code, message, place, std::move(hint));
}

/// Runs a call, and names the file in its errors.
template <typename Call>
auto in_file(const std::string& file, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = file;
    throw;
  }
}

template <typename Use>
auto with_bytes_of(const std::string& file, Use use) {
  auto source = with_contents(open_source(file));
  return in_file(file, [&] { return use(*source->contents()); });
}

/// Notes the type of each dictionary, since rows come as its values.
hub::Field note_dictionaries(hub::Field field) {
  if (field.type.kind() == hub::Kind::Dictionary) {
    hub::Field bare("value", field.type);
    std::string words = "type=" + lance::print_logical_type(
                                      lance::from_arrow({{bare}, {}}).schema.fields.front().type);
    if (auto others = hub::annotation(field, lance::kSystem)) {
      words += " " + std::string(*others);
    }
    hub::annotate(field, lance::kSystem, std::move(words));
    return field;
  }
  if (field.type.children().empty()) return field;
  std::vector<hub::Field> children;
  for (const hub::Field& child : field.type.children()) {
    children.push_back(note_dictionaries(child));
  }
  field.type = hub::with_children(field.type, std::move(children));
  return field;
}

class LanceWriter final : public hub::BatchWriter {
 public:
  LanceWriter(const std::string& path, const hub::Schema& schema, const LanceWriteOptions& options)
      : options_(options), output_(path, /*replaces=*/false) {
    bool exists = is_lance_dataset(output_.path());
    if (exists && options.mode == OutputMode::Create) {
      fail(ErrorCode::Io, "the dataset exists already", output_.path());
    }
    creates_ = !exists;
    hub::Schema taken = schema;
    lance::Schema asked;
    if (exists && options.mode == OutputMode::Append) {
      asked = read_lance_manifest(output_.path()).schema;
      taken = lance::to_arrow(asked);
      check_columns(schema, taken);
      hub::CompiledCast cast = hub::compile_cast(schema, taken);
      for (const hub::Finding& finding : cast.findings()) {
        if (finding.effect >= hub::Effect::Altered) refuse_to_append(finding.path);
      }
      if (!cast.is_identity()) cast_ = std::move(cast);
    } else {
      asked = lance::from_arrow(schema).schema;
    }
    nlohmann::json json = {{"path", output_.path()},
                           {"staging", output_.temporary()},
                           {"mode", creates_                             ? "create"
                                    : options.mode == OutputMode::Append ? "append"
                                                                         : "overwrite"}};
    if (!options.data_version.empty()) json["data_version"] = options.data_version;
    hub::Metadata message;
    message.set(kSchemaKey, to_base64(lance::write_protobuf(asked)));
    sink_ = std::make_unique<ProgramSink>(
        kEngine, kPackage, json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
        taken, message);
  }

  ~LanceWriter() override {
    // The program ends before what it writes to is removed.
    sink_.reset();
  }

  void write(hub::Batch batch) override {
    if (cast_) batch = cast_->run(std::move(batch));
    in_file(output_.path(), [&] { sink_->write(std::move(batch)); });
  }

  void finish() override {
    in_file(output_.path(), [&] { sink_->finish(); });
    if (creates_) output_.commit(options_.durable);
  }

  uint64_t bytes_written() const override { return sink_->bytes(); }

 private:
  [[noreturn]] void refuse_to_append(const Path& column) const {
    Place place;
    place.file = output_.path();
    place.path = column;
    throw Error(ErrorCode::Unsupported, "the dataset has no such column to append to", place);
  }

  void check_columns(const hub::Schema& schema, const hub::Schema& existing) const {
    for (const hub::Field& field : schema.fields) {
      auto named = [&](const hub::Field& other) { return other.name == field.name; };
      if (std::none_of(existing.fields.begin(), existing.fields.end(), named)) {
        refuse_to_append(Path::column(field.name));
      }
    }
  }

  LanceWriteOptions options_;
  AtomicPath output_;
  bool creates_ = true;
  std::optional<hub::CompiledCast> cast_;
  std::unique_ptr<ProgramSink> sink_;
};

}  // namespace

bool is_lance_dataset(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(fs::path(path) / "_versions", ignored);
}

std::vector<lance::Version> lance_versions(const std::string& folder) {
  fs::path versions = fs::path(folder) / "_versions";
  std::error_code failed;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(versions, failed)) {
    names.push_back(entry.path().filename().string());
  }
  if (failed) fail(ErrorCode::Io, "cannot read the versions: " + failed.message(), folder);
  return in_file(folder, [&] { return lance::list_versions(names); });
}

namespace {

/// Returns the manifest file of a version, the latest where none is given.
std::string manifest_path(const std::string& folder, std::optional<uint64_t> version) {
  std::vector<lance::Version> versions = lance_versions(folder);
  if (versions.empty())
    fail(ErrorCode::Input, "expected a version of the dataset, found none", folder);
  const lance::Version* chosen = &versions.back();
  if (version) {
    auto found = std::find_if(versions.begin(), versions.end(),
                              [&](const lance::Version& one) { return one.number == *version; });
    if (found == versions.end()) {
      fail(ErrorCode::Usage,
           fmt::format("expected a version from {} to {}, found {}", versions.front().number,
                       versions.back().number, *version),
           folder);
    }
    chosen = &*found;
  }
  return (fs::path(folder) / "_versions" / chosen->file_name).string();
}

}  // namespace

lance::Manifest read_lance_manifest(const std::string& folder, std::optional<uint64_t> version) {
  return with_bytes_of(manifest_path(folder, version),
                       [](std::string_view bytes) { return lance::read_manifest(bytes); });
}

lance::EvolutionState read_lance_evolution_state(const std::string& folder,
                                                 std::optional<uint64_t> version) {
  return with_bytes_of(manifest_path(folder, version),
                       [](std::string_view bytes) { return lance::read_evolution_state(bytes); });
}

lance::Schema read_lance_schema(const std::string& path, std::optional<uint64_t> version) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return read_lance_manifest(path, version).schema;
  return with_bytes_of(path,
                       [](std::string_view bytes) { return lance::read_data_file(bytes).schema; });
}

std::unique_ptr<hub::BatchReader> open_lance(const ProgramReadOptions& options) {
  ProgramReadOptions whole = options;
  while (whole.path.size() > 1 && whole.path.ends_with('/')) whole.path.pop_back();
  hub::Schema labels = in_file(
      whole.path, [&] { return lance::to_arrow(read_lance_schema(whole.path, whole.version)); });
  for (hub::Field& field : labels.fields) field = note_dictionaries(std::move(field));
  return crosswalk::with_arrow_types(lance::kRoom,
                                     open_program_rows(kEngine, kPackage, whole, labels));
}

std::unique_ptr<hub::BatchWriter> write_lance(const std::string& path, const hub::Schema& schema,
                                              const LanceWriteOptions& options) {
  return std::make_unique<LanceWriter>(path, schema, options);
}

}  // namespace xwalk::io
