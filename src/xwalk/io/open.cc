#include "xwalk/io/open.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/original.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/row_format.h"
#include "xwalk/io/row_stream.h"
#include "xwalk/io/selection.h"
#include "xwalk/io/side_schema.h"
#include "xwalk/io/sink.h"
#include "xwalk/io/source.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void usage(std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

/// Returns the files of one format in a folder, by name.
std::vector<std::string> files_in(const std::string& folder, std::optional<Format> format) {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.starts_with('_')) continue;
    std::optional<Format> its = format_of_name(name);
    if (!its || !entry.is_regular_file()) continue;
    if (!format) format = its;
    if (*its != *format) {
      usage(fmt::format("the folder {} holds files of several formats: {} and {}",
                        xwalk::quoted(folder), (*format)->name, (*its)->name),
            "Name one with " + hub::mention(hub::Option::Format, "FORMAT") + ".");
    }
    out.push_back(entry.path().string());
  }
  if (failed) {
    Place place;
    place.file = folder;
    throw Error(ErrorCode::Io, "cannot read the folder: " + failed.message(), place);
  }
  if (out.empty()) usage(fmt::format("the folder {} holds no rows", xwalk::quoted(folder)));
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns the files that paths stand for: a folder's files, except where the folder itself is the
/// input, as with Lance.
std::vector<std::string> expand(const std::vector<std::string>& paths,
                                const InputOptions& options) {
  std::vector<std::string> out;
  for (const std::string& given : paths) {
    const std::string path = is_remote(given) ? given : local_path(given);
    std::error_code ignored;
    const bool folder = path != "-" && fs::is_directory(path, ignored);
    const bool dataset = folder && ((options.format && (*options.format)->is_dataset != nullptr) ||
                                    format_of_folder(path));
    if (!folder || dataset) {
      out.push_back(path);
      continue;
    }
    std::vector<std::string> files = files_in(path, options.format);
    out.insert(out.end(), files.begin(), files.end());
  }
  if (out.empty()) usage("expected an input, found none");
  return out;
}

/// Returns whether a name is one of a dataset, which only an engine opens.
bool is_dataset(const std::string& name, const InputOptions& options) {
  std::error_code ignored;
  if (!is_remote(name)) return fs::is_directory(name, ignored);
  const std::optional<Format> format = options.format ? options.format : format_of_name(name);
  return format && (*format)->is_dataset != nullptr &&
         look_at(name, options.storage) == NameKind::Folder;
}

/// Refuses options that other formats take, and this one does not.
void check_taken(const InputOptions& options, Format format) {
  const std::pair<bool, hub::Option> given[] = {
      {options.skiff.table_index, hub::Option::TableIndex},
      {options.skiff.range_index, hub::Option::RangeIndex},
      {options.skiff.row_index, hub::Option::RowIndex}};
  const auto takes = [](Format any, hub::Option option) {
    return std::ranges::find(any->takes, option) != any->takes.end();
  };
  for (const auto& [is_given, option] : given) {
    if (!is_given || takes(format, option)) continue;
    std::vector<std::string> others;
    for (const Format other : formats()) {
      if (takes(other, option)) others.emplace_back(other->name);
    }
    usage(fmt::format("expected rows of {} for {}, found {}", join(others, " or "),
                      hub::mention(option), format->name));
  }
}

/// Opens the files of one input, which share options, selection and schema.
class InputOpener {
 public:
  /// `first` is the first file, opened; null where it is a folder.
  InputOpener(Format format, const InputOptions& options, const std::string& path, Source* first,
              Input* input)
      : format_(format), skip_bad_rows_(options.skip_bad_rows), storage_(options.storage) {
    if (format_->by_path && path == "-") {
      usage(fmt::format("{} rows are read from a path, not from a pipe", format_->name));
    }
    if (options.part && format_->parts == nullptr) {
      usage(
          fmt::format("expected YSON or Parquet of which to read a part, found {}", format_->name));
    }
    for (const std::string& column : options.select) {
      selection_.push_back(parse_selection(column));
    }
    open_ = format_->open(path, first, {options, selection_}, input);
  }

  std::unique_ptr<SplitReader> open(const std::string& path,
                                    std::unique_ptr<Source> source = nullptr) const {
    if (source == nullptr && !format_->by_path) source = open_source(path, storage_);
    const std::shared_ptr<const Original> file = source == nullptr ? nullptr : source->original();
    std::unique_ptr<SplitReader> reader =
        while_unchanged(file, [&] { return open_(path, std::move(source)); });
    if (file != nullptr) reader = refuse_changes(std::move(reader), file);
    if (!selection_.empty()) {
      hub::Schema wanted = select(reader->schema(), selection_);
      hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
      reader = cast_pieces(std::move(reader), std::move(cast));
    }
    return skip_bad_rows_ ? std::move(reader) : refuse_bad_rows(std::move(reader));
  }

 private:
  Format format_;
  bool skip_bad_rows_;
  StorageOptions storage_;
  std::vector<Path> selection_;
  OpenFile open_;
};

/// One input without a limit, and what opens further files like it.
struct FirstInput {
  Input input;
  std::shared_ptr<InputOpener> opener;
};

/// `path` is "-" for what has no name; `source` is null for what only an engine opens.
FirstInput open_first(const std::string& path, std::unique_ptr<Source> source,
                      const InputOptions& options) {
  FirstInput first;
  Input& input = first.input;
  input.files = {path};
  input.format = options.format ? *options.format : detect_input(path, source.get());
  // Two forms that have one name are told apart by their first bytes.
  const RowFormat* in_pipes = input.format->in_pipes;
  if (in_pipes != nullptr && source != nullptr) {
    const std::string_view bytes = source->peek(64);
    if (!input.format->begins(bytes) && in_pipes->begins(bytes)) input.format = *in_pipes;
  }
  check_taken(options, input.format);
  if (source != nullptr) input.file = source->original();
  first.opener = while_unchanged(input.file, [&] {
    return std::make_shared<InputOpener>(input.format, options, path, source.get(), &input);
  });
  input.reader = first.opener->open(path, std::move(source));
  return first;
}

/// Returns the schema that stands beside an output; null for a format that needs none.
std::shared_ptr<SideSchema> side_schema(const OutputPlace& place, Format format,
                                        const OutputSchema& schema, const OutputOptions& options) {
  if (!options.side_schema || place.path == "-" || format->has_own_schema()) return nullptr;
  // Where rows are begun, nothing is added to the schema that may stand there either.
  const bool begins = options.mode == OutputMode::Append && place.mode != OutputMode::Append;
  return std::make_shared<SideSchema>(
      place.path, format->side_text(schema), format->side_canonical,
      SinkOptions{.mode = begins ? OutputMode::Create : options.mode,
                  .durable = options.durable,
                  .storage = options.storage},
      options.inputs);
}

/// Opens the writer of a format that consists of bytes in order.
std::unique_ptr<hub::BatchWriter> open_writer(Format format, std::unique_ptr<ByteSink> sink,
                                              const OutputSchema& schema,
                                              const OutputOptions& options) {
  if (format->write == nullptr) {
    usage(fmt::format("{} rows are written to a path, not to a pipe", format->name));
  }
  return format->write(std::move(sink), schema, options);
}

/// Refuses rows of other columns than those they are added to.
void check_same_columns(const hub::Schema& there, const hub::Schema& rows,
                        const std::string& path) {
  const bool same =
      std::ranges::equal(there.fields, rows.fields, [](const hub::Field& a, const hub::Field& b) {
        return a.name == b.name && a.type == b.type;
      });
  if (same) return;
  Place place;
  place.file = path;
  throw Error(ErrorCode::Usage, "the rows are not of the schema that the rows there have", place,
              "Convert them to it, or write another output.");
}

/// Gives rows in the number and the batches that were asked for.
void settle_rows(const InputOptions& options, Input* input) {
  // These are read in runs of bytes; engines know of batches themselves.
  if (input->format->by_bytes && options.batch_rows < limits::kBatchRows) {
    input->reader = limit_batches(std::move(input->reader), options.batch_rows);
  }
  if (options.limit) input->reader = limit_rows(std::move(input->reader), *options.limit);
}

}  // namespace

Input open_input(const std::vector<std::string>& paths, const InputOptions& options) {
  std::vector<std::string> files = expand(paths, options);
  if (options.part && files.size() > 1) usage("expected one file of which to read a part");
  const std::string& first = files.front();
  const bool folder = first != "-" && is_dataset(first, options);
  auto [input, opener] =
      open_first(first, folder ? nullptr : open_source(first, options.storage), options);
  std::vector<std::string> others(files.begin() + 1, files.end());
  input.files = std::move(files);
  input.reader = chain(std::move(input.reader), input.files.front(), std::move(others),
                       [opener = opener](const std::string& file) { return opener->open(file); });
  settle_rows(options, &input);
  return std::move(input);
}

Input open_input(std::unique_ptr<Source> source, const InputOptions& options) {
  const std::string name = source->name();
  Input input = open_first("-", std::move(source), options).input;
  input.files = {name};
  settle_rows(options, &input);
  return input;
}

Input open_input(hub::StreamHandle stream) {
  Input input;
  input.format = kArrowStreams;
  input.reader = check_values(split(hub::import_stream(std::move(stream))), "");
  return input;
}

Format output_format(const std::string& path, const OutputOptions& options) {
  std::error_code ignored;
  const auto chosen = [&]() -> Format {
    if (options.format) return *options.format;
    const bool adds_file = options.mode == OutputMode::Append && fs::is_directory(path, ignored) &&
                           !format_of_folder(path);
    if (adds_file) return *format_of_name(files_in(path, {}).front());
    return detect_output(path);
  };
  const Format format = chosen();
  if (format->in_pipes == nullptr) return format;
  // A file's footer makes no sense in a pipe that is read as it comes.
  const Format stream = *format->in_pipes;
  return path == "-" || format_of_name(path) == stream ? stream : format;
}

std::vector<std::string> files_read(const Input& input) {
  std::vector<std::string> files = input.files;
  if (input.schema_origin == SchemaOrigin::SideFile) {
    files.push_back(side_schema_path(input.files.front()));
  }
  return files;
}

OutputSchema output_schema(const crosswalk::Plan& plan) {
  return {plan.target_hub, plan.target, plan.special_decimals};
}

std::unique_ptr<hub::BatchWriter> open_output(const std::string& path, const OutputSchema& schema,
                                              const OutputOptions& options) {
  const Format format = output_format(path, options);
  const OutputPlace place = output_place(path, options);
  // A dataset compares by itself, column by column.
  if (place.schema && format->adding != Adding::ToDataset) {
    check_same_columns(crosswalk::to_arrow(*place.schema), schema.hub, path);
  }
  if (format->write_path != nullptr && path != "-") {
    return format->write_path(place, schema, options);
  }
  auto sink = open_sink(place.path, {.mode = place.mode,
                                     .durable = options.durable,
                                     .set = options.set,
                                     .storage = options.storage,
                                     .side = side_schema(place, format, schema, options)});
  if (place.mode == OutputMode::Append) sink->write(format->between(path, schema));
  return open_writer(format, std::move(sink), schema, options);
}

std::unique_ptr<hub::BatchWriter> open_output(std::unique_ptr<ByteSink> sink,
                                              const OutputSchema& schema,
                                              const OutputOptions& options) {
  if (!options.format) usage("expected the format of an output without a name");
  return open_writer(*options.format, std::move(sink), schema, options);
}

std::string side_schema_path(std::string_view path) {
  const std::string_view plain = without_query(path);
  return std::string(without_compression(plain))
      .append(".schema")
      .append(path.substr(plain.size()));
}

bool find_side_schema(const std::string& path, const InputOptions& options, SchemaOrigin* origin,
                      const std::function<void(std::string_view)>& parse) {
  const std::optional<std::string>& given = options.schema;
  const std::string side = path == "-" || given ? "" : side_schema_path(path);
  const NameKind kind = side.empty() ? NameKind::Nothing : look_at(side, options.storage);
  if (!given && kind == NameKind::Nothing) return false;
  *origin = given ? SchemaOrigin::Given : SchemaOrigin::SideFile;
  try {
    if (given) {
      parse(*given);
      return true;
    }
    if (kind != NameKind::File) {
      throw Error(ErrorCode::Io, "expected a schema in a file, found a folder, a pipe or a device");
    }
    const std::string text = read_all(*open_source(side, options.storage), limits::kSchemaBytes);
    check_mark(path, text);
    parse(text);
  } catch (Error& error) {
    if (error.place().file.empty()) {
      error.place().file = given ? hub::mention(hub::Option::Schema) : shown_name(side);
    }
    throw;
  }
  return true;
}

void need_side_schema(const std::string& path, const std::function<void(std::string_view)>& parse) {
  SchemaOrigin origin{};
  if (find_side_schema(path, {}, &origin, parse)) return;
  const std::string side = side_schema_path(path);
  Place place;
  place.file = path;
  throw Error(ErrorCode::Io,
              fmt::format("rows are added to those of a known schema, and there is no {}", side),
              place, fmt::format("Write it: xwalk schema {} -o {}", path, side));
}

}  // namespace xwalk::io
