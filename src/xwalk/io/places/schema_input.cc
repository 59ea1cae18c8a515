#include "xwalk/io/places/schema_input.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "xwalk/arrow/file.h"
#include "xwalk/arrow/module.h"
#include "xwalk/base/json.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/delta/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/iceberg/module.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/iceberg_place.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/lance_rows.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/io/formats/vortex_rows.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/lance/file.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/module.h"
#include "xwalk/skiff/module.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/schema.h"

namespace xwalk::io {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;
namespace fs = std::filesystem;

SchemaInput of(AnySchema schema, Meaning meaning = Meaning::Needed) {
  SchemaInput out;
  out.system = schema.system();
  if (meaning != Meaning::Unchecked) crosswalk::check_schema(schema);
  try {
    out.hub = crosswalk::with_arrow_types(out.system, crosswalk::to_arrow(schema));
  } catch (const Error& error) {
    // What breaks a rule is no schema of a system that refuses it, in whatever words.
    const bool broken = out.system->refuses != nullptr && error.code() == ErrorCode::Input;
    if (meaning == Meaning::Needed || (meaning == Meaning::IfAny && broken)) throw;
    out.meaningless = error;
  }
  out.schema = std::move(schema);
  return out;
}

/// The schema of a file and of its rows as `convert` reads them.
SchemaInput of_parquet(const RandomAccess& file, const InputOptions& options, Meaning meaning) {
  const parquet::Footer footer = parquet::read_footer(file);
  if (meaning != Meaning::Needed) return of({parquet::kModule, footer.schema}, meaning);
  SchemaInput out;
  out.system = parquet::kModule;
  out.schema = {parquet::kModule, footer.schema};
  crosswalk::check_schema(out.schema);
  try {
    out.hub = parquet_arrow_schema(footer, {.int96_micros = options.parquet.int96_micros,
                                            .storage = options.plan.stored_values});
  } catch (const Error& error) {
    // A group without fields has no rows that could be read, but it has a schema.
    if (error.code() != ErrorCode::Unsupported) throw;
    return of(std::move(out.schema), meaning);
  }
  return out;
}

/// The schema of a table of Iceberg, at the version that the options name.
SchemaInput of_iceberg(const Location& path, const InputOptions& options) {
  return of({iceberg::kModule,
             options.tables->find(path, options.lance.version, options.storage)->table.schema});
}

/// The schema of a table of Delta, at the version that the options name.
SchemaInput of_delta(const Location& path, const InputOptions& options) {
  return of({delta::kModule, options.delta_tables->find(path, options.lance.version)->schema});
}

/// Returns the schema of rows that are open.
SchemaInput of_input(const Input& input, const InputOptions& options) {
  const bool of_table = input.format == kYsonRows || input.format == kJsonRows;
  const bool is_file = input.partitions.empty() && !adds_columns(options);
  if (input.table_schema && is_file && of_table) return of({yt::kModule, *input.table_schema});
  if (input.skiff_schema && is_file) {
    SchemaInput out =
        of({skiff::kModule, skiff::of_table(*input.skiff_schema, options.table.value_or(0))});
    out.hub = input.reader->schema();
    return out;
  }
  const System system = input.format->system;
  SchemaInput out;
  out.system = system;
  // From the reader, with the annotations that the files keep.
  out.hub = input.reader->schema();
  out.schema = crosswalk::from_arrow(system, out.hub).schema;
  return out;
}

}  // namespace

hub::Schema check_alike(const Input& input, const InputOptions& options, std::vector<Error>* faults,
                        hub::Findings* notes) {
  hub::Schema common = input.reader->schema();
  if (!input.check_file) return common;
  std::function<hub::Schema(const std::string&)> check = input.check_file;
  if (input.format->by_path) {
    // The engine of such files is a program: their schemas are read without it.
    const hub::Refine refine =
        crosswalk::source_refinement(input.format->system, options.annotations);
    common = read_schema(input.files.front(), {}, options).hub;
    check = [&, first = common, refine](const Location& file) {
      const hub::Schema own = read_schema(file, {}, options).hub;
      const crosswalk::System system = input.format->system;
      crosswalk::check_one_meaning({system, first, options.annotations},
                                   {system, own, options.annotations}, file);
      (void)same_schema(own, first, refine, file);
      return own;
    };
  }
  std::vector<std::string> differing;
  for (size_t i = 1; i < input.files.size(); ++i) {
    try {
      const hub::Schema own = check(input.files[i]);
      if (own != common) common = crosswalk::common_keys(std::move(common), own, &differing);
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = shown_name(input.files[i]);
      const bool is_about_file =
          error.code() != ErrorCode::Internal && error.code() != ErrorCode::Interrupted;
      if (faults == nullptr || !is_about_file) throw;
      faults->push_back(error);
    }
  }
  if (notes != nullptr) *notes = crosswalk::differing_keys(differing);
  return input.format->by_path ? input.reader->schema() : common;
}

namespace {

/// Reads rows' schema as `convert` would: given, beside the file, or inferred. With `alike`, only
/// the first file is opened.
SchemaInput of_rows(InputFiles found, const InputOptions& options, std::vector<Error>* faults,
                    KeptInput* kept, bool alike = false) {
  // The plan chooses among the columns of the whole schema.
  InputOptions whole = options;
  whole.select.clear();
  whole.exclude.clear();
  const Input input = open_input(std::move(found), whole, kept);
  hub::Findings differing;
  const hub::Schema common =
      alike ? input.reader->schema() : check_alike(input, whole, faults, &differing);
  SchemaInput out = of_input(input, whole);
  if (common != input.reader->schema()) out.hub = common;
  out.file_notes = input.file_notes;
  // If the first file has metadata, all were compared when the rows were opened.
  if (out.file_notes.differing.empty()) out.file_notes.differing = std::move(differing);
  return out;
}

/// Returns the files of inputs: those in `kept`, or newly listed ones.
InputFiles files_of(const Locations& paths, const InputOptions& options, const KeptInput* kept) {
  const bool is_found = kept != nullptr && kept->files;
  return is_found ? *kept->files : input_files(paths, options);
}

SchemaInput of_rows(const Locations& paths, const InputOptions& options, std::vector<Error>* faults,
                    KeptInput* kept) {
  return of_rows(files_of(paths, options, kept), options, faults, kept);
}

/// Returns the bytes of a file: those in `kept`, or newly opened ones.
std::unique_ptr<Source> bytes_of(const Location& path, const InputOptions& options,
                                 const KeptInput* kept) {
  if (kept != nullptr && kept->first) {
    if (std::unique_ptr<Source> source = kept->first->open()) return source;
  }
  return open_source(path, options.storage, first_fetch(path));
}

bool ends_with_magic(std::string_view contents, std::string_view magic) {
  return contents.size() >= magic.size() && contents.ends_with(magic);
}

SchemaInput parse_guessing(crosswalk::Parse parse, std::optional<System> system,
                           std::string_view bytes, const std::string& name,
                           Meaning meaning = Meaning::Needed) {
  // In Protobuf, zero bytes are a schema without fields. No writer makes a file like that.
  if (bytes.empty()) {
    throw Error(ErrorCode::Input, "expected a schema, found nothing", {.file = name, .byte = 0});
  }
  try {
    if (system) return of(parse(*system, bytes), meaning);
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = name;
    throw;
  }
  if (auto guessed = crosswalk::parse_guessing(parse, bytes)) {
    return of(std::move(*guessed), meaning);
  }
  Place place;
  place.file = name;
  place.byte = 0;
  throw crosswalk::unknown_schema(std::move(place));
}

/// Returns whether an argument is a pattern of files, which no text of a schema looks like.
bool is_pattern_of_files(const std::string& argument) {
  return argument.find_first_of("*?[") != std::string::npos &&
         argument.find_first_of("{(<;\n") == std::string::npos &&
         (argument.find('*') != std::string::npos || format_of_name(argument));
}

/// Returns whether bytes begin like those of a format that keeps its schema at the end.
bool has_footer(std::string_view first) {
  return parquet::is_parquet(first) || first.starts_with("VTXF") || first.starts_with("ARROW1") ||
         first.starts_with("\xff\xff\xff\xff") || arrow::is_old_stream(first);
}

/// Returns true if a file `.json`, which may hold JSON rows, is a schema in JSON. If the first line
/// is a complete row and more lines follow, it is not.
bool is_json_schema(const Location& path, Format format, const InputOptions& options,
                    const KeptInput* kept = nullptr) {
  if (format != kJsonRows || !without_compression(path.name()).ends_with(".json")) return false;
  const auto source = bytes_of(path, options, kept);
  std::string_view start = source->peek(size_t{64} << 10);
  const size_t end = start.find('\n');
  if (end == std::string_view::npos && start.size() == size_t{64} << 10) return true;
  const std::string_view line = start.substr(0, end);
  if (!is_valid_json(line)) return true;
  const bool goes_on = end != std::string_view::npos &&
                       start.find_first_not_of(" \t\r\n", end) != std::string_view::npos;
  return !goes_on && crosswalk::parse_guessing(crosswalk::parse_schema, line).has_value();
}

}  // namespace

SchemaInput parse_type_input(std::optional<System> system, std::string_view text) {
  return parse_guessing(crosswalk::parse_type, system, text, "");
}

SchemaInput parse_schema_input(std::optional<System> system, std::string_view text) {
  return parse_guessing(crosswalk::parse_schema, system, text, "");
}

namespace {

SchemaInput of_contents(std::string_view contents, const Location& path, const std::string& name,
                        std::optional<System> system, const InputOptions& options,
                        Meaning meaning) {
  // A system that is named decides which bytes are read.
  const auto may_be = [&](System owner) { return !system || (*system)->types() == owner->types(); };
  if (may_be(parquet::kModule) && parquet::is_parquet(contents)) {
    return of_parquet(*memory_access(contents, name), options, meaning);
  }
  if (may_be(vortex::kModule) &&
      (contents.starts_with("VTXF") || ends_with_magic(contents, "VTXF"))) {
    SchemaInput input = of({vortex::kModule, vortex::read_file_dtype(contents)});
    if (!path.is_standard()) input.hub = vortex_schema(contents);
    return input;
  }
  if (may_be(lance::kModule) && ends_with_magic(contents, "LANC")) {
    return of({lance::kModule, lance::read_data_file(contents).schema});
  }
  if (may_be(arrow::kModule) &&
      (contents.starts_with("ARROW1") || contents.starts_with("\xff\xff\xff\xff") ||
       arrow::is_old_stream(contents))) {
    return of({arrow::kModule, arrow::read_schema(contents)});
  }
  if (contents.size() > schema_bytes_limit()) {
    throw Error(ErrorCode::Input, "expected a schema, found more bytes than a schema has",
                {.file = name});
  }
  return parse_guessing(crosswalk::parse_schema, system, contents, name, meaning);
}

}  // namespace

SchemaInput read_schema_of(std::string_view contents, const Location& path,
                           std::optional<System> system, const InputOptions& options,
                           Meaning meaning) {
  const std::string name = path.is_standard() ? "<stdin>" : shown_name(path);
  try {
    return of_contents(contents, path, name, system, options, meaning);
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = name;
    throw;
  }
}

namespace {

SchemaInput read_one(const Location& path, std::optional<System> system,
                     const InputOptions& options, Meaning meaning, std::vector<Error>* faults,
                     KeptInput* kept) {
  if (path.is_cluster()) return of({yt::kModule, read_cluster_schema(path, options)});
  if (path.is_catalog()) return of_iceberg(path, options);
  if (!path.is_standard()) {
    InputFiles found = files_of({path}, options, kept);
    if (found.listed) return of_rows(std::move(found), options, faults, kept);
    if (fs::is_directory(path.name())) {
      const bool is_table = !options.format || *options.format == Format(kIcebergRows);
      if (is_table && is_iceberg_table(path)) return of_iceberg(path, options);
      const bool may_be_delta = !options.format || *options.format == Format(kDeltaRows);
      if (may_be_delta && is_delta_table(path)) return of_delta(path, options);
      if (!is_lance_dataset(path)) return of_rows(std::move(found), options, faults, kept);
      return of({lance::kModule, read_lance_schema(path, options.lance.version, options.storage,
                                                   options.lance.follow)});
    }
  }
  std::optional<Format> named;
  if (!path.is_standard()) named = format_of_name(path);
  if (named == kIcebergRows) {
    // A file is a table's metadata by its whole name, and else a schema.
    if (path.is_remote() || path.name().ends_with(".metadata.json"))
      return of_iceberg(path, options);
    named.reset();
    if (!system) system = iceberg::kModule;
  }
  if (named == kDeltaRows) {
    if (path.is_remote()) return of_delta(path, options);
    named.reset();
    if (!system) system = delta::kModule;
  }
  if (const auto written = format_of_output_name(path); !named && written && !system) {
    check_readable(*written);
  }
  const bool is_rows =
      named && !(*named)->has_own_schema() && !is_json_schema(path, *named, options, kept);
  if (is_rows && (!system || (*system)->types() == (*named)->system->types())) {
    return of_rows({path}, options, faults, kept);
  }
  const auto has_table_schema = [&] {
    return options.schema ||
           (!path.is_standard() && look_at_side_schema(path, options.storage) != NameKind::Nothing);
  };
  // A table schema says what the columns are that YTsaurus has written.
  const bool is_arrow = named && (*named == kArrowFiles || *named == kArrowStreams);
  if (is_arrow && has_table_schema()) return of_rows({path}, options, faults, kept);
  if (is_arrow) check_taken_without_table(options.given);
  // Rows of any other name are known by the word for them, and by the schema that they have.
  if (!named && system && !path.is_standard()) {
    const auto rows =
        std::ranges::find_if(formats(), [&](Format format) { return format->system == *system; });
    if (rows != formats().end() && !(*rows)->has_own_schema() && has_table_schema()) {
      InputOptions as_rows = options;
      if (!as_rows.format) as_rows.format = *rows;
      return of_rows({path}, as_rows, faults, kept);
    }
  }

  if (path.is_remote() && named == kLanceRows &&
      look_at(path, options.storage) == NameKind::Folder) {
    return of({lance::kModule, read_lance_schema(path, options.lance.version, options.storage)});
  }
  if (path.is_remote() && path.name().ends_with('/')) return of_rows({path}, options, faults, kept);
  std::unique_ptr<Source> source = bytes_of(path, options, kept);
  // What holds rows besides is read from its end, however long it is.
  const bool may_be_long = path.is_standard() || source->window() || has_footer(source->peek(8));
  if (!source->window()) {
    source = with_contents(std::move(source), options.max_memory,
                           may_be_long ? UINT64_MAX : schema_bytes_limit());
  }
  return while_unchanged(source->original(), [&] {
    need_schema(*source);
    SchemaInput input = read_schema_of(*source->window(), path, system, options, meaning);
    if (options.plan.layout && parquet::is_parquet(*source->window())) {
      input.file_notes.storing = layout_of(kParquetRows, path, *source);
    }
    return input;
  });
}

}  // namespace

SchemaInput read_schema(const Location& path, std::optional<System> system,
                        const InputOptions& options, Meaning meaning, std::vector<Error>* faults) {
  return read_schema(Locations{path}, system, options, meaning, faults);
}

SchemaInput read_schema(const Locations& paths, std::optional<System> system,
                        const InputOptions& options, Meaning meaning, std::vector<Error>* faults,
                        KeptInput* kept) {
  const SchemaMemoryScope scope(options.max_memory);
  if (options.given.contains(hub::Option::Storage)) check_storage(options.storage, paths);
  return open_names(paths, options.storage, [&](const Locations& names) {
    if (names.size() != 1) return of_rows(names, options, faults, kept);
    SchemaInput input = read_one(names.front(), system, options, meaning, faults, kept);
    // For rows this was already checked.
    check_taken(options.given, formats_of(input.system));
    return input;
  });
}

SchemaInput read_schema(InputFiles found, const InputOptions& options, bool alike,
                        KeptInput* kept) {
  const SchemaMemoryScope scope(options.max_memory);
  return of_rows(std::move(found), options, nullptr, kept, alike);
}

bool is_schema_file(const Location& path, const InputOptions& options) {
  const StorageOptions& storage = options.storage;
  if (path.is_standard() || path.is_table() || look_at(path, storage) != NameKind::File)
    return false;
  if (const std::optional<Format> named = format_of_name(path)) {
    return is_json_schema(path, *named, options);
  }
  if (options.schema || look_at_side_schema(path, storage) != NameKind::Nothing) return false;
  if (path.name().ends_with(".schema")) return true;
  try {
    const auto source = open_source(path, storage);
    (void)detect_input(path, source.get());
    return false;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Io) throw;
    return true;
  }
}

bool is_schema_text(const std::string& argument) {
  std::error_code ignored;
  const bool is_path = argument == "-" || is_uri(argument) || fs::exists(argument, ignored) ||
                       is_pattern_of_files(argument);
  return !is_path && argument.find_first_of("[{(<= \n?") != std::string::npos;
}

std::string schema_text(const std::string& argument, const StorageOptions& storage) {
  if (is_schema_text(argument)) return argument;
  std::error_code ignored;
  if (argument != "-" && !is_uri(argument) &&
      fs::symlink_status(argument, ignored).type() == fs::file_type::not_found) {
    throw Error(ErrorCode::Io, fmt::format("no schema file {}", xwalk::quoted(argument)));
  }
  const auto source = open_source(argument, storage);
  return read_all(*source, schema_bytes_limit());
}

}  // namespace xwalk::io
