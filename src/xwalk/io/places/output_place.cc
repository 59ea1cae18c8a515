#include "xwalk/io/places/output_place.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/plan_names.h"
#include "xwalk/crosswalk/unsupported_columns.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/same_file.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/iceberg_writer.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/added_order.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/part_names.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/places/upsert.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;
using crosswalk::AnySchema;

[[noreturn]] void refuse(const std::string& path, std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Io, std::move(message), {.file = path}, std::move(hint));
}

[[noreturn]] void refuse_existing(const std::string& path, std::string message, std::string hint) {
  throw SystemError(EEXIST, std::move(message), path, std::move(hint));
}

[[noreturn]] void refuse_input(const std::string& path) {
  throw Error(ErrorCode::Usage, "the output is one of the inputs", {.file = path},
              "Choose another name, and rename the file afterwards.");
}

/// Says what to do about a name that is taken.
std::string ways_on(Format format, const OutputOptions& options) {
  std::string hint;
  const auto is_rows = [](const Location& input) { return !input.name().ends_with(".schema"); };
  if (std::ranges::count_if(options.inputs, is_rows) > 1) {
    hint = "The last path is the output: was it left out? ";
  }
  switch (format->adding) {
    case Adding::ToFile:
      return hint +
             "Add rows with `mode=append`, replace it with `mode=overwrite`, or choose "
             "another name.";
    case Adding::ToDataset:
      return hint +
             "Add rows with `mode=append`, make a new version with `mode=overwrite`, or "
             "choose another name.";
    case Adding::ToFolder:
      return hint +
             "Replace it with `mode=overwrite`, choose another name, or name a folder, to "
             "which `mode=append` adds a file.";
    case Adding::Never:
      return hint + "Replace it with `mode=overwrite`, or choose another name.";
  }
  return hint;
}

std::string_view name_of(Format format) { return format->name; }

/// Returns the files that a reader of the folder takes, to which one of a format is added.
std::vector<InputFile> files_of(const Location& folder, Format format,
                                const StorageOptions& storage) {
  const InputFiles there = files_in(folder, std::nullopt, storage);
  std::vector<InputFile> files = there.files;
  if (files.empty()) return files;
  if ((*there.format)->system != format->system) {
    refuse(
        folder,
        fmt::format(
            "the folder contains {} files, and one table has one format: {} files cannot be added",
            name_of(*there.format), name_of(format)),
        "Choose another folder.");
  }
  if (!files.front().partition.empty()) {
    refuse(folder,
           fmt::format("the files are in folders by {}, so no file can be added next to them",
                       xwalk::quoted(files.front().partition.front().key)),
           "Add to it with `partition_by`.");
  }
  return files;
}

/// Returns a name that sorts after those of the existing files.
Location next_name(const Location& folder, const std::vector<InputFile>& files, Format format,
                   const OutputOptions& options) {
  std::vector<Location> paths;
  for (const InputFile& file : files) paths.push_back(file.path);
  return folder.in(name_of_part(next_number(paths), format, options));
}

/// Returns rows of a schema that keeps its annotations itself.
RowsThere rows_of(AnySchema schema) {
  hub::Schema meaning = crosswalk::with_arrow_types(schema.system(), crosswalk::to_arrow(schema));
  return {std::move(schema), std::move(meaning)};
}

/// Returns the rows of a file.
RowsThere rows_there(const Location& file, Format format, const StorageOptions& storage = {}) {
  try {
    return rows_of(format->schema_there(file, storage));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = file;
    throw;
  }
}

OutputPlace place_in_folder(const Location& path, Format format, const OutputOptions& options) {
  const bool holds_files = format->adding == Adding::ToFolder;
  Listing listing(options.storage);
  if (const std::optional<Format> dataset = format_of_folder(listing, path)) {
    refuse(
        path,
        fmt::format("a {} dataset of this name exists, not {}", name_of(*dataset), name_of(format)),
        "Choose another name.");
  }
  if (options.mode != OutputMode::Append || !holds_files) {
    refuse_existing(path, "a folder of this name exists",
                    holds_files ? "Add a file to it with `mode=append`, or choose another name."
                                : "Choose another name.");
  }
  const std::vector<InputFile> files = files_of(path, format, options.storage);
  refuse_repeated_inputs(path, files, options);
  OutputPlace place{.path = next_name(path, files, format, options)};
  if (!files.empty()) {
    // The newest has every column that a conversion added.
    InputOptions reading;
    reading.storage = options.storage;
    SchemaInput own = read_schema(files.back().path, std::nullopt, reading);
    place.rows = {std::move(own.schema), std::move(own.hub)};
  }
  return place;
}

/// The same on a cluster, where the writer checks what exists.
OutputPlace place_on_cluster(const Location& path, const OutputOptions& options) {
  if (is_one_of(path, options.inputs)) refuse_input(path);
  OutputPlace place{.path = path, .mode = cluster_mode(path, options)};
  if (place.mode == OutputMode::Append) {
    auto there = begin_append(&place);
    if (there) place.rows = rows_of({yt::kModule, std::move(*there)});  // idiolect: ok
  }
  return place;
}

/// The same for a table of a catalog, whose engine tells what exists.
OutputPlace place_in_catalog(const Location& path, Format format, const OutputOptions& options) {
  if (is_one_of(path, options.inputs)) refuse_input(path);
  OutputPlace place{.path = path, .mode = options.mode};
  std::optional<iceberg::Schema> there = begin_iceberg(&place);
  if (!there) return place;
  if (options.mode == OutputMode::Create) {
    refuse_existing(path, "the table already exists", ways_on(format, options));
  }
  place.rows = rows_of({iceberg::kModule, *std::move(there)});  // idiolect: ok
  return place;
}

/// The same for a dataset in a store.
OutputPlace dataset_in_store(const Location& folder, Format format, const OutputOptions& options) {
  std::string bare = folder;
  while (bare.ends_with('/')) bare.pop_back();
  const Location uri = folder.renamed(std::move(bare));
  const std::string name = shown_name(uri);
  OutputPlace place{.path = uri};
  const bool exists = format->is_dataset(uri, options.storage);
  if (exists && options.mode == OutputMode::Create) {
    refuse_existing(name, "the dataset already exists", ways_on(format, options));
  }
  if (exists || options.mode != OutputMode::Create) place.mode = options.mode;
  if (exists && options.mode == OutputMode::Append) {
    place.rows = rows_there(uri, format, options.storage);
  }
  if (exists) return place;
  const NameKind kind = look_at(uri, options.storage);
  // A writer that was killed leaves data that no version names.
  const auto is_left = [](const std::string& entry) {
    return entry == "data/" || entry.starts_with('_');
  };
  const bool is_free = kind == NameKind::Nothing ||
                       (kind == NameKind::Folder &&
                        std::ranges::all_of(list_objects(uri, options.storage), is_left));
  if (!is_free) {
    refuse(name,
           fmt::format("expected a {} dataset or nothing under this name, found another",
                       name_of(format)),
           "Choose another name.");
  }
  return place;
}

/// Refuses to begin a file with rows to which no others can be added.
void refuse_single_file(const Location& path, Format format, const OutputOptions& options) {
  const bool is_file = !path.name().ends_with('/') &&
                       (format->adding == Adding::ToFolder || format->adding == Adding::Never);
  if (!is_file || options.mode != OutputMode::Append || options.staged) return;
  refuse(shown_name(path), fmt::format("{} files cannot be appended to", name_of(format)),
         format->adding == Adding::Never ? "Write a file without `mode=append`."
         : path.is_remote() ? "Name a folder, with / at the end, to which a file is added."
                            : "Make a folder of this name, to which a file is added.");
}

[[noreturn]] void refuse_http() {
  throw Error(ErrorCode::Unsupported, "http and https are read, and not written", {},
              "Name a file, or an object of a store.");
}

/// Returns the files in a folder; empty if the folder does not exist. In a store a folder is
/// missing if it holds nothing to be read.
std::optional<InputFiles> files_under(const Location& folder, const StorageOptions& storage) {
  if (!folder.is_remote()) {
    if (!fs::exists(folder.name())) return std::nullopt;
    if (fs::is_directory(folder.name()) && !format_of_folder(folder)) {
      return files_in(folder, std::nullopt);
    }
  } else {
    try {
      Listing listing(storage);
      if (!format_of_folder(listing, folder)) {
        InputFiles there = files_in(folder, std::nullopt, storage);
        if (there.files.empty() && there.left_aside.empty()) return std::nullopt;
        return there;
      }
    } catch (const NoSuchObject&) {
      return std::nullopt;
    }
  }
  refuse(folder, "expected a folder of files or nothing under this name", "Choose another name.");
}

/// The same in a store, whose objects are never added to.
OutputPlace place_in_store(const Location& uri, Format format, const OutputOptions& options) {
  const std::string name = shown_name(uri);
  if (uri.kind() == LocationKind::Http) refuse_http();
  if (is_one_of(uri, options.inputs)) refuse_input(name);
  if (format->adding == Adding::ToDataset) return dataset_in_store(uri, format, options);
  if (options.staged) return {.path = uri, .mode = options.mode};
  if (uri.name().ends_with('/')) {
    const bool adds = options.mode == OutputMode::Append && format->adding == Adding::ToFolder;
    if (!adds) refuse(name, "expected the name of an object, found a folder");
    return place_in_folder(uri, format, options);
  }
  refuse_single_file(uri, format, options);
  const NameKind kind = look_at(uri, options.storage);
  const bool exists = kind == NameKind::File || kind == NameKind::Other;
  if (exists && options.mode == OutputMode::Create) {
    refuse_existing(name, "the object already exists",
                    "Replace it with `mode=overwrite`, or choose another name.");
  }
  if (exists && options.mode == OutputMode::Append) {
    refuse(name, "rows cannot be appended to an object in a store", "Write another object.");
  }
  return {.path = uri, .mode = exists ? options.mode : OutputMode::Create};
}

}  // namespace

Format output_format(const Location& path, const OutputOptions& options) {
  const auto chosen = [&]() -> Format {
    if (path.is_cluster()) return cluster_format(options.format);
    if (options.format) return *options.format;
    const bool folder = path.is_remote() ? path.name().ends_with('/')
                                         : fs::is_directory(path.name()) && !format_of_folder(path);
    if (folder && options.mode == OutputMode::Append) {
      try {
        if (const auto there = files_in(path, {}, options.storage).format) return *there;
      } catch (const NoSuchObject&) {
        return detect_output(path);
      }
    }
    const auto dataset = path.is_remote() || path.is_standard() || format_of_output_name(path)
                             ? std::nullopt
                             : format_of_folder(path);
    return dataset ? *dataset : detect_output(path);
  };
  const Format format = chosen();
  if (format->in_pipes == nullptr) return format;
  // A file's footer makes no sense in a pipe that is read as it comes.
  const Format stream = *format->in_pipes;
  return path.is_standard() || format_of_name(path) == stream ? stream : format;
}

bool is_same_column(crosswalk::System system, const hub::Field& there, const hub::Field& added) {
  const hub::Field field = crosswalk::with_arrow_types(system, {{added}, {}}).fields.front();
  // Each file of a folder describes its own values.
  const auto type_of = [](const hub::Field& column) {
    return hub::without_annotations(crosswalk::without_value_keys(column)).type;
  };
  const hub::Schema existing{{there}, {}};
  const hub::Schema rows{{field}, {}};
  return there.name == field.name &&
         !crosswalk::other_meaning({system, rows}, {system, existing}) &&
         type_of(there) == type_of(field) &&
         std::ranges::all_of(crosswalk::systems(), [&](crosswalk::System noted) {
           return hub::annotation(there, noted->name) == hub::annotation(field, noted->name);
         });
}

void check_same_columns(crosswalk::System system, const RowsThere& there, const hub::Schema& rows,
                        const Location& path) {
  const auto before =
      std::span(there.meaning.fields).first(there.meaning.fields.size() - there.added);
  const auto same_column = [system](const hub::Field& a, const hub::Field& b) {
    return is_same_column(system, a, b);
  };
  const bool has_all = rows.fields.size() == there.meaning.fields.size();
  if (has_all &&
      std::ranges::equal(before, std::span(rows.fields).first(before.size()), same_column)) {
    return;
  }
  throw Error(ErrorCode::Usage, "the rows are not of the schema that the rows there have",
              {.file = path}, "Convert them to it, or write another output.");
}

/// Returns true for a folder without anything but data files that xwalk wrote for a table, which
/// has no version yet: its writer was killed before the first.
bool is_left_by_writer(const Location& path, const fs::file_status& status, Format format) {
  const bool has_table = format == kDeltaRows || format == kIcebergRows;
  if (!has_table || !fs::is_directory(status)) return false;
  std::error_code failed;
  fs::recursive_directory_iterator entries(path.name(), failed);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name.starts_with("xwalk-") && name.ends_with(".parquet");
    const fs::file_type type = entry.symlink_status().type();
    if (type != fs::file_type::directory && !(type == fs::file_type::regular && is_ours)) {
      return false;
    }
  }
  return !failed;
}

OutputPlace output_place(const Location& path, const OutputOptions& options) {
  const Format format = output_format(path, options);
  if (path.is_cluster()) return place_on_cluster(path, options);
  if (path.is_catalog()) return place_in_catalog(path, format, options);
  if (path.is_remote()) return place_in_store(path, format, options);
  const fs::file_status status = fs::status(path.name());
  if (path.is_standard()) return {.path = path};
  if (!fs::exists(status)) {
    refuse_single_file(path, format, options);
    const bool is_new_dataset = format->adding == Adding::ToDataset;
    if (path.name().ends_with('/') && !is_new_dataset)
      throw SystemError(ENOENT, "there is no such folder", path,
                        fmt::format("Make it first: `mkdir -p {}`.", shown_name(path)));
    // The package of Delta makes folders.
    if (!path.is_delta()) refuse_missing_folder(path);
    OutputPlace place{.path = path};
    // Of several that begin a dataset to add to, the others add to that of the first; of several
    // that may replace a file the last one does.
    const bool adds = is_new_dataset && options.mode == OutputMode::Append;
    if (adds || options.mode == OutputMode::Overwrite) place.mode = options.mode;
    return place;
  }
  if (is_written_in_place(path)) {
    if (format->by_path) {
      refuse(path, fmt::format("{} is written to a file of its own, not to a pipe or a device",
                               name_of(format)));
    }
    return {.path = path};
  }
  if (is_one_of(path, options.inputs)) refuse_input(path);
  const bool is_dataset = format->is_dataset != nullptr && format->is_dataset(path, {});
  if (!is_dataset && is_left_by_writer(path, status, format)) {
    return {.path = path, .mode = options.mode};
  }
  if (format->adding == Adding::ToDataset && !is_dataset) {
    refuse(path,
           fmt::format("expected a {} dataset or nothing under this name, found another",
                       name_of(format)),
           "Choose another name.");
  }
  if (fs::is_directory(status) && !is_dataset) return place_in_folder(path, format, options);
  if (options.mode == OutputMode::Create) {
    refuse_existing(path, is_dataset ? "the dataset already exists" : "the file already exists",
                    ways_on(format, options));
  }
  OutputPlace place{.path = path, .mode = options.mode};
  if (options.mode == OutputMode::Overwrite && !format->keeps_schema) return place;
  switch (format->adding) {
    case Adding::ToFile:
    case Adding::ToDataset:
      place.rows = rows_there(path, format);
      break;
    case Adding::ToFolder:
    case Adding::Never:
      refuse(path, fmt::format("{} files cannot be appended to", name_of(format)),
             ways_on(format, options));
  }
  return place;
}

Destination locate(const Location& path, OutputOptions* options, crosswalk::PlanOptions* plan) {
  Destination out{.path = path, .format = output_format(path, *options)};
  options->format = out.format;
  check_upsert(out.format, *options);
  if (out.format->choose_version != nullptr) {
    out.format->choose_version(out.path, options, plan);
  }
  if (!writes_folders(*options)) {
    out.place = output_place(out.path, *options);
  } else {
    out.there = folder_place(out.path, *options);
  }
  return out;
}

std::vector<std::optional<size_t>> places_there(const hub::Schema& rows, const AnySchema& there,
                                                const crosswalk::PlanOptions& plan) {
  return hub::pair_members(hub::struct_(rows.fields),
                           hub::struct_(crosswalk::to_arrow(there).fields), Path(),
                           crosswalk::renames_on_the_way(there.system(), rows, plan));
}

namespace {

/// Returns whether a conversion can add columns to the rows of an output.
bool can_evolve(Format format) {
  return format->with_columns != nullptr || format->adding == Adding::ToFolder;
}

}  // namespace

std::string ways_with_column(crosswalk::System system, bool selects) {
  const bool evolves = std::ranges::any_of(
      formats(), [&](Format format) { return format->system == system && can_evolve(format); });
  return fmt::format(
      "leave it out {},{} or write another output",
      selects ? "of " + hub::mention(hub::Option::Select)
              : "with " + hub::mention(hub::Option::Exclude),
      evolves ? fmt::format(" add it with {},", hub::mention(hub::Option::Evolve)) : "");
}

hub::Findings unknown_columns(const hub::Schema& rows, const AnySchema& there,
                              const crosswalk::PlanOptions& plan, bool selects) {
  const auto pairs = places_there(rows, there, plan);
  const std::string hint = ways_with_column(there.system(), selects);
  hub::Findings found;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i]) continue;
    found.push_back({"member.left-out", Path::column(rows.fields[i].name), hub::Effect::Forbidden,
                     "the existing rows have no such column", "", hint});
  }
  return found;
}

hub::Findings evolve(Destination* output, const hub::Schema& added, const StorageOptions& storage) {
  RowsThere& rows = *output->place.rows;
  const crosswalk::System system = rows.schema.system();
  const std::vector<hub::Field> before = rows.meaning.fields;
  const auto existing = [&](const hub::Field& field) {
    return std::ranges::find(before, field.name, &hub::Field::name);
  };
  // As the output's own reader gives them.
  hub::Schema all = crosswalk::with_arrow_types(system, added);
  hub::Findings found;
  for (hub::Field& field : all.fields) {
    if (existing(field) != before.end()) continue;
    field.nullable = true;
    found.push_back({.rule = "member.added",
                     .path = Path::column(field.name),
                     .lost = "a new column: null in the rows of before"});
  }
  const Format format = output->format;
  if (!found.empty() && !can_evolve(format)) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("rows of {} get no new column with {}", format->name,
                            hub::mention(hub::Option::Evolve)),
                {.file = output->path, .path = found.front().path},
                system->evolve != nullptr
                    ? fmt::format("`xwalk evolve {} add …` adds it; then add the rows.",
                                  shown_name(output->path))
                    : "Write another output.");
  }
  if (format->with_columns != nullptr) {
    rows = rows_of(format->with_columns(output->path, storage, rows.schema, all));
    for (const hub::Field& field : rows.meaning.fields) {
      const auto own = existing(field);
      if (own == before.end() || own->type == field.type) continue;
      found.push_back({.rule = "type.widened",
                       .path = Path::column(field.name),
                       .lost = fmt::format("{} instead of {}: readers with the old schema cannot "
                                           "read the new rows",
                                           crosswalk::type_text(system, field),
                                           crosswalk::type_text(system, *own))});
    }
  } else if (!found.empty()) {
    std::erase_if(all.fields,
                  [&](const hub::Field& field) { return existing(field) != before.end(); });
    std::ranges::copy(all.fields, std::back_inserter(rows.meaning.fields));
    rows.schema = crosswalk::from_arrow(system, rows.meaning).schema;
    rows.added = all.fields.size();
  }
  return found;
}

void refuse_addition(const std::string& output, const hub::Finding& finding) {
  Place place;
  place.file = output;
  place.path = finding.path;
  throw Error(ErrorCode::Unsupported, finding.lost, place, crosswalk::as_sentence(finding.hint));
}

void check_added_columns(const Destination& output, const hub::Schema& rows,
                         const crosswalk::PlanOptions& plan, bool selects) {
  if (output.rows() == nullptr) return;
  const hub::Findings unknown = unknown_columns(rows, output.rows()->schema, plan, selects);
  if (!unknown.empty()) refuse_addition(output.path, unknown.front());
}

InputFiles folder_place(const Location& folder, const OutputOptions& options) {
  if (folder.kind() == LocationKind::Http) refuse_http();
  const std::optional<InputFiles> there = files_under(folder, options.storage);
  if (!there) {
    refuse_missing_folder(folder);
    if (options.mode == OutputMode::Append) refuse_repeated_inputs(folder, {}, options);
    return {};
  }
  if (options.mode == OutputMode::Create) {
    refuse_existing(
        folder, "the folder already exists",
        options.partition_by.empty()
            ? "Replace it with `mode=overwrite`, or choose another name."
            : "Add files with `mode=append`, replace it with `mode=overwrite`, or choose "
              "another name.");
  }
  if (is_one_of(folder.in(""), options.inputs)) refuse_input(folder);
  if (!there->left_aside.empty()) {
    refuse(folder, fmt::format("the folder contains more than rows: {}", there->left_aside.front()),
           "Choose another name.");
  }
  if (options.mode == OutputMode::Append) refuse_repeated_inputs(folder, there->files, options);
  return *there;
}

void check_is_no_input(const Location& output, const Locations& inputs) {
  if (is_one_of(output, inputs)) refuse_input(shown_name(output));
}

void check_other_output(const Location& path, const Location& rows_path,
                        const OutputOptions& options) {
  if (path.is_remote()) {
    if (is_one_of(path, options.inputs)) refuse_input(shown_name(path));
    if (path == rows_path || path == side_schema_path(rows_path)) {
      throw Error(ErrorCode::Usage,
                  fmt::format("two outputs have the name {}", xwalk::quoted(path)), {},
                  "Rejected rows need a file of their own.");
    }
    return;
  }
  if (is_written_in_place(path)) return;
  if (is_one_of(path, options.inputs)) refuse_input(path);
  const auto canonical = [](const Location& location) {
    return fs::weakly_canonical(fs::absolute(location.name()));
  };
  const auto same = [&](const Location& other) {
    return is_same_file(path, other) || canonical(path) == canonical(other);
  };
  // Rows that go to a host's own bytes have no path.
  const bool is_path =
      !rows_path.name().empty() && !rows_path.is_standard() && !rows_path.is_remote();
  if (is_path && (same(rows_path) || same(side_schema_path(rows_path)))) {
    throw Error(ErrorCode::Usage, fmt::format("two outputs have the name {}", xwalk::quoted(path)),
                {}, "Rejected rows need a file of their own.");
  }
}

}  // namespace xwalk::io
