#include "xwalk/cli/schema_input.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/arrow/file.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/io/lance_rows.h"
#include "xwalk/io/parquet_input.h"
#include "xwalk/io/source.h"
#include "xwalk/io/vortex_rows.h"
#include "xwalk/lance/file.h"
#include "xwalk/parquet/file.h"
#include "xwalk/vortex/file.h"
#include "xwalk/yt/schema.h"

namespace xwalk::cli {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;
namespace fs = std::filesystem;

std::vector<std::string> system_words() {
  std::vector<std::string> words;
  words.reserve(crosswalk::kSystems.size());
  for (System system : crosswalk::kSystems) words.emplace_back(crosswalk::to_string(system));
  return words;
}

SchemaInput of(AnySchema schema) {
  SchemaInput out;
  out.system = crosswalk::system_of(schema);
  out.hub = crosswalk::with_arrow_types(out.system, crosswalk::to_arrow(schema));
  out.schema = std::move(schema);
  return out;
}

/// The schema of a file with what its rows come as: as `convert` reads them.
SchemaInput of_parquet(const RandomAccess& file, const RowOptions& options, Meaning meaning,
                       Session& session) {
  parquet::Footer footer = parquet::read_footer(file);
  SchemaInput out;
  out.system = System::Parquet;
  out.schema = footer.schema;
  try {
    out.hub = crosswalk::to_arrow(out.schema);
  } catch (const Error& error) {
    if (meaning == Meaning::Needed) throw;
    session.note(fmt::format("note: {}: {} (xwalk validate names every broken rule)",
                             error.place().path.text(), error.message()));
  }
  if (meaning == Meaning::IfAny) return out;
  try {
    out.hub = io::parquet_arrow_schema(footer, {.int96_micros = options.int96_micros});
  } catch (const Error& error) {
    // A group without fields has no rows that could be read, but it has a schema.
    if (error.code() != ErrorCode::Unsupported) throw;
  }
  return out;
}

/// Reads rows' schema as `convert` would: given, beside the file, or inferred.
SchemaInput of_rows(const std::string& path, const RowOptions& options, Session& session) {
  io::Input input = open_rows({path}, input_options(options), session);
  if (input.table_schema && input.format == io::Format::Yson) return of(*input.table_schema);
  const System system = io::system_of(input.format);
  SchemaInput out;
  out.system = system;
  // As the reader has it, with the annotations that the files keep.
  out.hub = input.reader->schema();
  out.schema = crosswalk::from_arrow(system, out.hub).schema;
  return out;
}

bool ends_with_magic(std::string_view contents, std::string_view magic) {
  return contents.size() >= magic.size() && contents.ends_with(magic);
}

SchemaInput parse_guessing(crosswalk::Parse parse, std::optional<System> system,
                           std::string_view bytes, const std::string& name) {
  try {
    if (system) return of(parse(*system, bytes));
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = name;
    throw;
  }
  if (auto guessed = crosswalk::parse_guessing(parse, bytes)) return of(std::move(*guessed));
  Place place;
  place.file = name;
  throw Error(ErrorCode::Input, "expected a schema of any system, found none that can be read",
              place,
              fmt::format("Say which with --from ({}) to see what is wrong with it.",
                          join(system_words(), ", ")));
}

}  // namespace

System system_argument(const std::string& option, const std::string& word) {
  if (auto system = crosswalk::parse_system(word)) return *system;
  throw unknown_word(option, word, system_words());
}

SchemaInput parse_type_input(std::optional<System> system, std::string_view text) {
  return parse_guessing(crosswalk::parse_type, system, text, "");
}

SchemaInput read_schema_input(const std::string& path, const RowOptions& options, Session& session,
                              Meaning meaning) {
  std::optional<System> system;
  if (options.from) system = system_argument("--from", *options.from);
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) {
    if (io::is_lance_dataset(path)) {
      std::optional<uint64_t> version;
      if (options.version) version = static_cast<uint64_t>(*options.version);
      return of(io::read_lance_schema(path, version));
    }
    return of_rows(path, options, session);
  }
  std::optional<io::Format> named;
  if (path != "-") named = io::format_of_name(path);
  bool is_rows = named == io::Format::Yson || named == io::Format::Skiff;
  if (is_rows && (!system || *system == System::Yt || *system == System::Skiff)) {
    return of_rows(path, options, session);
  }

  std::unique_ptr<io::Source> source = io::with_contents(io::open_source(path));
  std::string_view contents = *source->contents();
  std::string name = path == "-" ? "<stdin>" : path;
  if (parquet::is_parquet(contents)) {
    return of_parquet(*memory_access(contents, name), options, meaning, session);
  }
  if (contents.starts_with("VTXF") || ends_with_magic(contents, "VTXF")) {
    SchemaInput input = of(vortex::read_file_dtype(contents));
    if (path != "-") input.hub = io::read_vortex_schema(path);
    return input;
  }
  if (ends_with_magic(contents, "LANC")) return of(lance::read_data_file(contents).schema);
  if (contents.starts_with("ARROW1") || contents.starts_with("\xff\xff\xff\xff")) {
    return of(arrow::read_schema(contents));
  }
  if (contents.size() > limits::kSchemaBytes) {
    Place place;
    place.file = name;
    throw Error(ErrorCode::Input, "expected a schema, found more bytes than a schema has", place);
  }
  return parse_guessing(crosswalk::parse_schema, system, contents, name);
}

std::string written_schema(const AnySchema& schema, const std::string& form, bool as_json,
                           const std::string& summary) {
  std::string text = crosswalk::print_schema(schema, form);
  if (!as_json) return text;
  nlohmann::ordered_json out;
  out["system"] = crosswalk::to_string(crosswalk::system_of(schema));
  if (is_valid_utf8(text)) {
    out["schema"] = text;
  } else {
    out["schema_base64"] = to_base64(text);
  }
  if (!summary.empty()) out["summary"] = summary;
  return out.dump(2) + "\n";
}

}  // namespace xwalk::cli
