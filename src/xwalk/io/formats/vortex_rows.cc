#include "xwalk/io/formats/vortex_rows.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/hub/facts.h"
#include "xwalk/hub/variant.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/engines/row_labels.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/vortex/edition.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/module.h"
#include "xwalk/vortex/statistics.h"

namespace xwalk::io {
namespace {

constexpr std::string_view kEngine = "vortex";
constexpr std::string_view kPackage = "vortex-data";

[[noreturn]] void system_failure(std::string_view what, const std::string& file) {
  throw Error(ErrorCode::Io, fmt::format("{}: {}", what, std::strerror(errno)), {.file = file});
}

bool has_metadata(const hub::Field& field) {
  if (!field.metadata.empty()) return true;
  for (const hub::Field& child : field.type.children()) {
    if (has_metadata(child)) return true;
  }
  return false;
}

bool has_metadata(const hub::Schema& schema) {
  if (!schema.metadata.empty()) return true;
  for (const hub::Field& field : schema.fields) {
    if (has_metadata(field)) return true;
  }
  return false;
}

/// Writes a slot after the data of a finished file, in place. The file has no final name yet.
void add_slot(const std::string& path, std::string_view value) {
  vortex::MetadataTail tail;
  {
    auto source = with_contents(open_source(path));
    tail = vortex::metadata_tail(*source->contents(), kVortexSlot, value);
  }
  // guard(write): the file of this run, in its scratch folder, which only this user may write to.
  int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) system_failure("cannot open the written file", path);
  bool well = ::ftruncate(file, static_cast<off_t>(tail.keep)) == 0;
  for (size_t done = 0; well && done < tail.bytes.size();) {
    ssize_t count = ::pwrite(file, tail.bytes.data() + done, tail.bytes.size() - done,
                             static_cast<off_t>(tail.keep + done));
    well = count > 0 || errno == EINTR;
    if (count > 0) done += static_cast<size_t>(count);
  }
  int failure = errno;
  ::close(file);
  errno = failure;
  if (!well) system_failure("cannot write the annotations", path);
}

/// Returns where the engine writes what becomes an object: a file, which is sent when it is done.
/// The name is random, so that another user cannot plant a link under it.
std::string path_before_store() {
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  if (failed) {
    throw Error(ErrorCode::Io, "the folder of TMPDIR cannot be used: " + failed.message());
  }
  std::random_device random;
  return (folder / fmt::format("xwalk-{:08x}{:08x}.vortex", random(), random())).string();
}

/// Throws where what an engine says to be done is no file.
void check_written(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) return;
  throw Error(ErrorCode::Io, "the engine xwalk-engine-vortex wrote no file");
}

/// Makes required members of a VARIANT free of nulls. Packages of Arrow make them null if the
/// VARIANT is null, which vortex-data refuses.
void clear_member_nulls(const hub::Field& field, hub::Array* array) {
  const auto members = field.type.children();
  if (array->children.size() != members.size()) return;
  for (size_t i = 0; i < members.size(); ++i) {
    hub::Array& member = array->children[i];
    clear_member_nulls(members[i], &member);
    if (!hub::is_variant(field) || members[i].nullable) continue;
    member.buffers.front() = nullptr;
    member.null_count = 0;
  }
}

/// Writes a file by the engine: see `ProgramSink`. `labels` is a schema whose metadata is kept in
/// the slot; an empty one writes none. An object of a store is written as a file first.
class VortexWriter final : public hub::BatchWriter {
 public:
  VortexWriter(const Location& path, const hub::Schema& schema, const hub::Schema& labels,
               const SinkOptions& options, const VortexWriting& writing, bool separate,
               OpenedRows* opened)
      : path_(path), durable_(options.durable), set_(options.set) {
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (hub::has_variant(schema.fields[i])) variants_.emplace_back(i, schema.fields[i]);
    }
    if (path.is_remote()) store_ = open_sink(path, options);
    output_ = std::make_unique<AtomicPath>(store_ ? Location(path_before_store()) : path,
                                           options.mode == OutputMode::Overwrite);
    if (has_metadata(labels)) slot_ = arrow::write_ipc_schema(labels);
    const auto absolute = [](const std::string& name) {
      return std::filesystem::absolute(name).string();
    };
    nlohmann::json json = {{"staging", absolute(output_->temporary())},
                           {"scratch", absolute(output_->scratch())},
                           {"mark", output_->record_mark()}};
    if (writing.edition) json["edition"] = vortex::to_string(*writing.edition);
    sink_ = std::make_unique<ProgramSink>(kEngine, kPackage, print_for_engine(json), schema,
                                          hub::Metadata(), separate, opened);
  }

  ~VortexWriter() override {
    // The program ends before what it writes to is removed.
    sink_.reset();
  }

  void write(hub::Batch batch) override {
    for (const auto& [column, field] : variants_) {
      clear_member_nulls(field, &batch.array.children[column]);
    }
    named([&] { sink_->write(std::move(batch)); });
  }

  void finish() override {
    named([&] { sink_->finish(); });
    named([&] { check_written(output_->temporary()); });
    if (!slot_.empty()) add_slot(output_->temporary(), slot_);
    if (store_) {
      const auto whole = open_source(output_->temporary());
      store_->write(*whole->contents());
      store_->finish();
    } else if (set_ == nullptr) {
      output_->commit(durable_);
    } else {
      set_->add(std::move(output_), durable_);
    }
  }

  uint64_t bytes_written() const override { return sink_->bytes(); }

 private:
  template <typename Call>
  void named(Call call) {
    try {
      call();
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = path_;
      throw;
    }
  }

  std::string path_;
  /// Columns with a VARIANT, by their places.
  std::vector<std::pair<size_t, hub::Field>> variants_;
  bool durable_;
  OutputSet* set_;
  /// Null for a file.
  std::unique_ptr<ByteSink> store_;
  std::unique_ptr<AtomicPath> output_;
  std::string slot_;
  std::unique_ptr<ProgramSink> sink_;
};

}  // namespace

namespace {

/// Returns the Arrow schema of a file's dtype with the column labels in its slot.
hub::Schema labels_of(std::string_view file) {
  hub::Schema schema = vortex::to_arrow(vortex::read_file_dtype(file));
  auto slot = vortex::find_metadata(file, kVortexSlot);
  if (!slot) return schema;
  hub::Schema labels = arrow::read_ipc_schema(*slot, arrow::UnknownTypes::Noted);
  // Another tool may have written other columns and kept the slot: names tell which are meant.
  schema.fields = with_labels(std::move(schema.fields), labels);
  schema.metadata = labels.metadata;
  return schema;
}

/// The same for a name. Sets `rows` to the rows of the file, if it states them.
hub::Schema labelled_schema(const std::string& path, const StorageOptions& storage,
                            std::optional<int64_t>* rows = nullptr) {
  auto source = with_window(open_source(path, storage, FirstFetch::End));
  const auto read = [&] {
    need_schema(*source);
    if (rows != nullptr) *rows = vortex::read_file_rows(*source->window());
    return labels_of(*source->window());
  };
  try {
    return while_unchanged(source->original(), read);
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = shown_name(path);
    throw;
  }
}

}  // namespace

hub::Schema vortex_schema(std::string_view file) {
  return crosswalk::with_arrow_types(vortex::kModule, labels_of(file));
}

namespace {

constexpr std::array<std::string_view, 2> kExtensions = {".vortex", ".vtx"};

OpenFile open(const Location&, Source*, const InputOptions& options, Input*) {
  return
      [options](const Location& path, std::unique_ptr<Source>, const std::vector<Path>& selection) {
        ProgramReadOptions request = program_options(path, options, columns_of(selection));
        const hub::Schema labels = labelled_schema(path, options.storage, &request.rows);
        return split_program_rows(vortex::kModule, path,
                                  open_program_rows(kEngine, kPackage, request, labels));
      };
}

std::unique_ptr<hub::BatchWriter> write(const OutputPlace& place, const WritePlan& plan,
                                        const OutputOptions& options) {
  const hub::Schema labels = options.store_schema ? plan.hub : hub::Schema{};
  const SinkOptions sink = {.mode = place.mode,
                            .durable = options.durable,
                            .compression = Compression::None,
                            .set = options.set,
                            .staged = options.staged,
                            .storage = options.storage};
  return std::make_unique<VortexWriter>(place.path, plan.hub, labels, sink, options.vortex,
                                        options.separate_engine, plan.opened.get());
}

void choose_version(const Location&, OutputOptions* output, crosswalk::PlanOptions* plan) {
  output->vortex.edition = plan->vortex_edition;
}

hub::Schema own_schema(const Location& path, Source*, const InputOptions& options) {
  return crosswalk::with_arrow_types(vortex::kModule, labelled_schema(path, options.storage));
}

hub::FileFacts facts(const Location&, Source* source, const InputOptions&) {
  need_schema(*source);
  return vortex::facts_of(*source->window());
}

constexpr std::array kTakesToWrite = {hub::Option::VortexEdition};

}  // namespace

constinit const RowFormat kVortexRows = {
    .word = "vortex",
    .name = "vortex",
    .system = vortex::kModule,
    .about = "by the engine xwalk-engine-vortex",
    .extensions = kExtensions,
    .begins = [](std::string_view bytes) { return bytes.starts_with("VTXF"); },
    .by_path = true,
    .open = open,
    .own_schema = own_schema,
    .takes_to_write = kTakesToWrite,
    .facts = facts,
    .choose_version = choose_version,
    .write_path = write,
};

}  // namespace xwalk::io
