#include "xwalk/io/formats/lance_rows.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/facts.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_writer.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/module.h"
#include "xwalk/lance/protobuf.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEngine = "lance";
constexpr std::string_view kPackage = "pylance";
/// Where the stream's metadata carries the schema asked for; see engines/xwalk-engine-lance.
constexpr std::string_view kSchemaKey = "xwalk:engine:lance";
/// The key of the inputs of the rows there.
constexpr std::string_view kInputsKey = "xwalk:engine:inputs";

[[noreturn]] void fail(ErrorCode code, const std::string& message, const std::string& file,
                       std::string hint = {}) {
  throw Error(code, message, {.file = file}, std::move(hint));
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

/// Reads from a file after prefetching the bytes that the function needs.
template <typename Use>
auto with_bytes_of(const std::string& file, const StorageOptions& storage, void (*need)(Source&),
                   Use use) {
  // A manifest was found in a dataset, where a pipe waits for ever. The user names a data file.
  const bool listed = need == need_lance_manifest;
  auto source = with_window(listed ? open_listed(file, storage) : open_source(file, storage));
  return in_file(file, [&] {
    return while_unchanged(source->original(), [&] {
      need(*source);
      return use(*source->window());
    });
  });
}

/// Returns a field that comes in plain layouts with the dictionaries that the dataset says.
hub::Field with_dictionaries(hub::Field field, const hub::Field& recorded) {
  if (recorded.type.kind() == hub::Kind::Dictionary) {
    if (hub::annotation_fits(field.type, recorded.type.child().type)) field = recorded;
    return field;
  }
  const size_t count = field.type.children().size();
  if (count == 0 || count != recorded.type.children().size()) return field;
  std::vector<hub::Field> children;
  for (size_t i = 0; i < count; ++i) {
    children.push_back(with_dictionaries(field.type.child(i), recorded.type.child(i)));
  }
  field.type = hub::with_children(field.type, std::move(children));
  return field;
}

/// Gives rows the dictionaries that the dataset says.
std::unique_ptr<hub::BatchReader> with_dictionaries(std::unique_ptr<hub::BatchReader> reader,
                                                    const hub::Schema& recorded) {
  hub::Schema wanted = reader->schema();
  for (hub::Field& field : wanted.fields) {
    const auto named = std::ranges::find(recorded.fields, field.name, &hub::Field::name);
    if (named != recorded.fields.end()) field = with_dictionaries(std::move(field), *named);
  }
  hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
  if (cast.is_identity()) return reader;
  return hub::cast_stream(std::move(reader), std::move(cast));
}

/// Returns a unique name for the transaction of this run.
std::string new_transaction() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// Returns the schema of an existing dataset with those columns of another schema that it does not
/// have. None of them is required, and they get the ids that Lance gives them. Throws Error
/// (Unsupported) for a column that Lance does not add.
lance::Schema with_columns_of(const Location& path, const StorageOptions& storage,
                              const lance::Schema& given) {
  lance::EvolutionState state = read_lance_evolution_state(path, {}, storage);
  std::vector<lance::Operation> added;
  for (const lance::Field& field : given.fields) {
    if (std::ranges::find(state.schema.fields, field.name, &lance::Field::name) !=
        state.schema.fields.end()) {
      continue;
    }
    added.emplace_back(lance::AddField{.parent = {}, .field = field});
    std::get<lance::AddField>(added.back()).field.nullable = true;
  }
  if (!added.empty() && state.data_version == lance::DataVersion::V0_1) {
    fail(ErrorCode::Unsupported,
         "the dataset has data files of the version 0.1, of which each has every column", path,
         "Leave the new columns out, or write another dataset.");
  }
  return lance::evolve(std::move(state), added).state.schema;
}

class LanceWriter final : public hub::BatchWriter {
 public:
  LanceWriter(const OutputPlace& place, const WritePlan& plan, const OutputOptions& options)
      : mode_(place.mode),
        durable_(options.durable),
        set_(options.set),
        upserted_(options.upsert.done),
        storage_(options.storage),
        path_(place.path) {
    const bool remote = path_.is_remote();
    if (!remote) {
      output_ = std::make_unique<AtomicPath>(path_, /*replaces=*/false);
      path_ = path_.renamed(output_->path());
    }
    bool exists = is_lance_dataset(path_, options.storage);
    if (exists && mode_ == OutputMode::Create) {
      throw SystemError(EEXIST, "the dataset already exists", path_);
    }
    creates_ = !exists;
    columns_ = plan.hub.fields.size();
    lance::Schema wanted_schema;
    hub::Schema taken = plan.hub;
    // Rows would be written, or files removed, where a link leads.
    if (exists) refuse_links(path_, "", {});
    if (exists) existing_ = read_lance_manifest(path_, {}, options.storage);
    const bool adds = exists && mode_ == OutputMode::Append;
    if (adds) {
      wanted_schema = options.evolve ? with_columns_of(path_, options.storage, schema_of(plan))
                                     : existing_->schema;
      taken = lance::rows_to_arrow(wanted_schema);
      cast_to(taken, plan.hub);
    } else {
      wanted_schema = schema_of(plan);
      if (exists) check_nulls_are_kept(wanted_schema);
    }
    const auto absolute = [&](const std::string& name) {
      return remote ? name : fs::absolute(name).string();
    };
    nlohmann::json json = {{"path", absolute(path_)},
                           {"mode", creates_                      ? "create"
                                    : mode_ == OutputMode::Append ? "append"
                                                                  : "overwrite"}};
    if (exists) json["transaction"] = transaction_;
    if (adds && wanted_schema.fields.size() > existing_->schema.fields.size()) {
      json["next_fragment"] = next_fragment();
    }
    if (remote) {
      json["storage"] = reached_with(path_, options.storage);
    } else {
      json["staging"] = absolute(output_->temporary());
      json["scratch"] = absolute(output_->scratch());
      json["mark"] = output_->record_mark();
    }
    if (const auto version = version_to_write(wanted_schema, options)) {
      json["data_version"] = lance::to_string(*version);
    }
    const bool upserts = adds && options.upsert.wanted;
    if (upserts) json["upsert"] = options.upsert.key;
    hub::Metadata message;
    message.set(kSchemaKey, to_base64(lance::write_protobuf(wanted_schema)));
    nlohmann::json inputs;
    add_inputs(options, CommitUse::Write, &inputs);
    message.set(kInputsKey, print_for_engine(inputs));
    sink_ = std::make_unique<ProgramSink>(
        kEngine, kPackage, print_for_engine(json), taken, message,
        remote || options.separate_engine || upserts,
        remote || cast_ || columns_ == 0 ? nullptr : plan.opened.get());
  }

  ~LanceWriter() override {
    // The program ends before what it writes to is removed.
    sink_.reset();
  }

  void write(hub::Batch batch) override {
    in_file(path_, [&] {
      if (batch.rows() > 0) check_has_columns(lance::kModule, columns_);
    });
    if (cast_) batch = cast_->run(std::move(batch));
    in_file(path_, [&] { sink_->write(std::move(batch)); });
  }

  void finish() override {
    const bool engine_names_it = !creates_ || output_ == nullptr;
    if (engine_names_it) begin_in_doubt(path_, look_after_end());
    try {
      in_file(path_, [&] { sink_->finish(); });
    } catch (Error& error) {
      // What the engine had to say may be all that was lost.
      const bool in_doubt = !creates_ && sink_->is_in_doubt();
      bytes_ = sink_->bytes();
      sink_.reset();
      if (!in_doubt || !has_landed(&error)) {
        if (engine_names_it) end_in_doubt(/*has_rows=*/false);
        throw;
      }
    }
    if (engine_names_it) end_in_doubt(/*has_rows=*/true);
    note_upserted();
    // In a store nothing is renamed, so the engine's own commit is enough.
    if (output_ == nullptr) return;
    if (creates_ && !is_lance_dataset(output_->temporary())) {
      fail(ErrorCode::Io, "the engine wrote no dataset", path_);
    }
    if (!creates_) {
      if (durable_) sync_tree(path_);
      return;
    }
    // Append and Overwrite commit here, so that an error about a concurrent version has a hint.
    if (set_ != nullptr && mode_ == OutputMode::Create) {
      set_->add(std::move(output_), durable_);
      return;
    }
    try {
      output_->commit(durable_);
    } catch (Error& error) {
      if (mode_ == OutputMode::Append) {
        error.with_hint("Nothing was added: run it again to add the rows to the latest version.");
      } else if (mode_ == OutputMode::Overwrite) {
        error.with_hint("Nothing was replaced: run it again to replace the latest version.");
      }
      throw;
    }
  }

  uint64_t bytes_written() const override { return sink_ ? sink_->bytes() : bytes_; }

 private:
  void note_upserted() const {
    if (upserted_ == nullptr || sink_ == nullptr) return;
    upserted_->updated = static_cast<uint64_t>(sink_->updated());
    upserted_->inserted = static_cast<uint64_t>(sink_->rows() - sink_->updated());
  }

  /// Returns true if a dataset has a version that this run has made.
  static bool has_transaction(const Location& path, const StorageOptions& storage,
                              uint64_t existing, const std::string& transaction) {
    for (const lance::Version& version : lance_versions(path, storage)) {
      if (version.number <= existing) continue;
      const lance::Manifest made = read_lance_manifest(path, version.number, storage);
      if (made.transaction.find(transaction) != std::string::npos) return true;
    }
    return false;
  }

  /// Returns a look at a local dataset for after the engine was ended. A store may not answer.
  HasLanded look_after_end() const {
    if (!existing_ || output_ == nullptr) return nullptr;
    return [path = path_, existing = existing_->version, transaction = transaction_] {
      return std::optional(has_transaction(path, {}, existing, transaction));
    };
  }

  /// Checks whether the dataset has the new version. If that is unknown, the error says so.
  bool has_landed(Error* error) const {
    try {
      return has_transaction(path_, storage_, existing_->version, transaction_);
    } catch (const Error& unknown) {
      error->with_hint(fmt::format(
          "It is not known whether the rows were added: {}. `xwalk schema {} --versions` "
          "lists what is.",
          unknown.message(), path_));
      return false;
    }
  }

  /// Returns a number above those of all fragments of the existing dataset, also of removed ones.
  uint64_t next_fragment() const {
    return with_bytes_of(
        lance_manifest_path(path_, existing_->version, storage_), storage_, need_lance_manifest,
        [](std::string_view bytes) { return lance::read_fragments(bytes).next_number; });
  }

  static lance::Schema schema_of(const WritePlan& plan) {
    lance::Schema out = plan.written
                            ? lance::with_metadata_of(plan.hub, plan.written->as<lance::Schema>())
                            : lance::from_arrow(plan.hub).schema;
    name_extensions(&out.fields);
    return out;
  }

  /// Gives extension types the empty metadata that pyarrow's have. Without it, `merge_insert` of
  /// pylance finds another type in its rows.
  static void name_extensions(std::vector<lance::Field>* fields) {
    for (lance::Field& field : *fields) {
      const bool is_empty = field.metadata.find(hub::kExtensionName) == hub::kUuidExtension &&
                            !field.metadata.find(hub::kExtensionMetadata);
      if (is_empty) field.metadata.set(hub::kExtensionMetadata, "");
      name_extensions(&field.children);
    }
  }

  /// Rows are of the dataset's schema by now: the order of columns, layouts and nulls for columns
  /// that they lack may still differ.
  void cast_to(const hub::Schema& existing, const hub::Schema& schema) {
    hub::CompiledCast cast = hub::compile_cast(schema, existing);
    for (const hub::Finding& finding : cast.findings()) {
      if (finding.effect == hub::Effect::None) continue;
      throw Error(ErrorCode::Unsupported, "the dataset has no such column to append to",
                  {.file = path_, .path = finding.path});
    }
    if (!cast.is_identity()) cast_ = std::move(cast);
  }

  /// A new version has data files of the same version as the others.
  void check_nulls_are_kept(const lance::Schema& wanted_schema) const {
    constexpr lance::DataVersion kNullless = lance::DataVersion::V0_1;
    if (lance::find_data_version(existing_->data_version) != kNullless) return;
    if (lance::with_nulls_kept_by(kNullless, wanted_schema) == wanted_schema) return;
    fail(ErrorCode::Unsupported,
         "the dataset has data files of the version 0.1, which keep nulls of text and bytes only",
         path_, "Choose another name.");
  }

  /// Returns the version to request from pylance; empty if pylance or the dataset decides.
  std::optional<lance::DataVersion> version_to_write(const lance::Schema& wanted_schema,
                                                     const OutputOptions& options) const {
    if (options.lance.data_version || existing_) return options.lance.data_version;
    const lance::DataVersion usual = lance::usual_data_version(wanted_schema);
    if (usual == lance::usual_data_version({})) return std::nullopt;
    return usual;
  }

  OutputMode mode_;
  bool durable_;
  OutputSet* set_;
  std::shared_ptr<Upserted> upserted_;
  StorageOptions storage_;
  /// The existing dataset.
  std::optional<lance::Manifest> existing_;
  std::string transaction_ = new_transaction();
  /// Null in a store.
  std::unique_ptr<AtomicPath> output_;
  Location path_;
  bool creates_ = true;
  size_t columns_ = 0;
  std::optional<hub::CompiledCast> cast_;
  /// Null once it failed.
  std::unique_ptr<ProgramSink> sink_;
  uint64_t bytes_ = 0;
};

}  // namespace

lance::Manifest read_lance_manifest(const Location& folder, std::optional<uint64_t> version,
                                    const StorageOptions& storage, const Locations& followed) {
  return with_bytes_of(lance_manifest_path(folder, version, storage, followed), storage,
                       need_lance_manifest,
                       [](std::string_view bytes) { return lance::read_manifest(bytes); });
}

lance::EvolutionState read_lance_evolution_state(const Location& folder,
                                                 const std::optional<std::string>& version,
                                                 const StorageOptions& storage) {
  const LancePlace place = lance_place(folder, version, storage);
  return with_bytes_of(lance_manifest_path(place.folder, place.version, storage), storage,
                       need_lance_manifest,
                       [](std::string_view bytes) { return lance::read_evolution_state(bytes); });
}

lance::Schema read_lance_schema(const Location& path, const std::optional<std::string>& version,
                                const StorageOptions& storage, const Locations& followed) {
  if (look_at(path, storage) == NameKind::Folder) {
    const LancePlace place = lance_place(path, version, storage);
    return read_lance_manifest(place.folder, place.version, storage, followed).schema;
  }
  return with_bytes_of(path, storage, need_schema,
                       [](std::string_view bytes) { return lance::read_data_file(bytes).schema; });
}

namespace {

/// Returns the folders that references of a dataset may lead to: its own, and those that the user
/// has named. Local ones are absolute.
std::vector<std::string> followed(const Location& root, const Locations& named) {
  std::vector<std::string> out = {root};
  out.insert(out.end(), named.begin(), named.end());
  for (size_t i = 0; i < out.size(); ++i) {
    const Location& folder = i == 0 ? root : named[i - 1];
    if (!folder.is_remote()) out[i] = fs::absolute(folder.name()).lexically_normal().string();
  }
  return out;
}

/// Opens the rows of a dataset or of one data file. Their schema is that of `lance::rows_to_arrow`:
/// JSON as text, blobs as their structs.
std::unique_ptr<hub::BatchReader> open_lance(const Location& path, const InputOptions& options,
                                             const std::vector<Path>& selection) {
  std::string bare = path;
  while (bare.size() > 1 && bare.ends_with('/')) bare.pop_back();
  const Location root = path.renamed(std::move(bare));
  ProgramReadOptions wanted_schema = program_options(root, options, columns_of(selection));
  wanted_schema.follow = followed(root, options.lance.follow);
  const hub::Schema recorded = in_file(root, [&] {
    if (look_at(root, options.storage) != NameKind::Folder) {
      return with_bytes_of(root, options.storage, need_schema, [&](std::string_view bytes) {
        const lance::DataFile file = lance::read_data_file(bytes);
        wanted_schema.rows = file.rows;
        return lance::rows_to_arrow(file.schema);
      });
    }
    refuse_links(root, "", options.lance.follow);
    const LancePlace place = lance_place(root, options.lance.version, options.storage);
    wanted_schema.path = place.folder;
    wanted_schema.version = place.version;
    const std::string manifest =
        lance_manifest_path(place.folder, place.version, options.storage, options.lance.follow);
    // Where the user follows links, and where descriptors have no names, the package opens files.
    std::error_code unknown;
    if (!root.is_remote() && options.lance.follow.empty() && fs::exists("/proc/self/fd", unknown)) {
      wanted_schema.manifest = fs::path(manifest).filename().string();
    }
    return with_bytes_of(manifest, options.storage, need_lance_manifest,
                         [&](std::string_view bytes) {
                           wanted_schema.rows = lance::read_fragments(bytes).rows;
                           return lance::rows_to_arrow(lance::read_manifest(bytes).schema);
                         });
  });
  // The engine's own message for a missing column would differ.
  if (!selection.empty()) (void)select(recorded, selection);
  return with_dictionaries(open_program_rows(kEngine, kPackage, wanted_schema, recorded), recorded);
}

constexpr std::array<std::string_view, 1> kExtensions = {".lance"};

OpenFile open(const Location&, Source*, const InputOptions& options, Input*) {
  return
      [options](const Location& path, std::unique_ptr<Source>, const std::vector<Path>& selection) {
        return split_program_rows(lance::kModule, path, open_lance(path, options, selection));
      };
}

std::unique_ptr<hub::BatchWriter> write(const OutputPlace& place, const WritePlan& plan,
                                        const OutputOptions& options) {
  return std::make_unique<LanceWriter>(place, plan, options);
}

void choose_version(const Location& path, OutputOptions* output, crosswalk::PlanOptions* plan) {
  output->lance.data_version = plan->lance_version;
  if (output->mode == OutputMode::Create || !is_lance_dataset(path, output->storage)) return;
  const std::string its = read_lance_manifest(path, {}, output->storage).data_version;
  const std::optional<lance::DataVersion> known = lance::find_data_version(its);
  if (plan->lance_version && plan->lance_version != known) {
    fail(ErrorCode::Usage,
         fmt::format(
             "the dataset has data files of {}, {} asks for others", its,
             hub::mention(hub::Option::LanceVersion, lance::to_string(*plan->lance_version))),
         path, "Leave the option out, or write another dataset.");
  }
  // Rows that replace those of 0.1 are checked when they are written.
  const bool is_looked_at =
      output->mode == OutputMode::Overwrite && known == lance::DataVersion::V0_1;
  if (!is_looked_at) plan->lance_version = known;
}

hub::AnySchema with_columns(const Location& path, const StorageOptions& storage,
                            const hub::AnySchema&, const hub::Schema& rows) {
  return {lance::kModule, with_columns_of(path, storage, lance::from_arrow(rows).schema)};
}

/// Has Lance say if the rows of an input were added before.
void ask_lance(const OutputPlace& place, const WritePlan& /*plan*/, const OutputOptions& options) {
  if (options.identities.empty() || options.again || !place.rows) return;
  nlohmann::json inputs;
  add_inputs(options, CommitUse::Ask, &inputs);
  const bool remote = place.path.is_remote();
  nlohmann::json order = {
      {"path", remote ? place.path.name() : fs::absolute(place.path.name()).string()},
      {"mode", mode_word(place.mode)},
      {"ask", inputs}};
  if (remote) order["storage"] = reached_with(place.path, options.storage);
  naming_table(place.path, [&] {
    EngineProgram program(kEngine, kPackage, "write", print_for_engine(order));
    program.finish();
  });
}

crosswalk::AnySchema schema_there(const Location& path, const StorageOptions& storage) {
  return {lance::kModule, read_lance_manifest(path, {}, storage).schema};
}

hub::Schema own_schema(const Location& path, Source*, const InputOptions& options) {
  return crosswalk::with_arrow_types(
      lance::kModule, lance::rows_to_arrow(read_lance_schema(
                          path, options.lance.version, options.storage, options.lance.follow)));
}

hub::FileFacts facts(const Location& path, Source* source, const InputOptions& options) {
  hub::FileFacts out;
  if (source != nullptr) {
    need_schema(*source);
    const lance::DataFile file = lance::read_data_file(*source->window());
    out.rows = file.rows;
    out.versions.insert(fmt::format("{}.{}", file.major, file.minor));
    return out;
  }
  const LancePlace place = lance_place(path, options.lance.version, options.storage);
  const std::string manifest =
      lance_manifest_path(place.folder, place.version, options.storage, options.lance.follow);
  with_bytes_of(manifest, options.storage, need_lance_manifest, [&](std::string_view bytes) {
    const lance::Manifest recorded = lance::read_manifest(bytes);
    const lance::Fragments fragments = lance::read_fragments(bytes);
    out.rows = fragments.rows;
    out.bytes = fragments.bytes;
    out.pieces_are = "fragments";
    out.pieces = fragments.count;
    if (!recorded.writer.empty()) out.writers.insert(recorded.writer);
    if (!recorded.data_version.empty()) out.versions.insert(recorded.data_version);
    return 0;
  });
  return out;
}

constexpr std::array kTakes = {hub::Option::Version, hub::Option::Follow};
constexpr std::array kTakesToWrite = {hub::Option::LanceVersion};

}  // namespace

constinit const RowFormat kLanceRows = {
    .word = "lance",
    .name = "lance",
    .system = lance::kModule,
    .about = "by the engine xwalk-engine-lance",
    .extensions = kExtensions,
    .is_dataset = is_lance_dataset,
    .dataset_mark = kLanceVersions,
    .by_path = true,
    .open = open,
    .own_schema = own_schema,
    .takes = kTakes,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .choose_version = choose_version,
    .write_path = write,
    .ask_commit = ask_lance,
    .adding = Adding::ToDataset,
    .schema_there = schema_there,
    .with_columns = with_columns,
    .upserts = Upserts::SameColumns,
    .keeps_inputs = kInputsOfVersion,
};

}  // namespace xwalk::io
