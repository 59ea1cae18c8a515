#include "xwalk/convert/convert.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/resumed_tables.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/table_outputs.h"
#include "xwalk/convert/verify.h"
#include "xwalk/io/bytes/atomic_path.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/folder_output.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {
namespace {

using hub::mention;
using hub::Option;

std::vector<Converted> convert_one(Dataset& rows, Output output, ConvertOptions options) {
  OutputSet outputs;
  options.output.set = &outputs;
  Input input = take_for(rows, &options);
  options.output.inputs = files_read(input);
  std::vector<std::unique_ptr<Conversion>> one;
  one.push_back(std::make_unique<Conversion>(std::move(input), std::move(output), options));
  const Location name = one.front()->output();
  return run_conversions(std::move(one), options, name);
}

/// Returns a name with the extension of another format.
std::string renamed(const std::string& name, Format format) {
  std::string_view bare = without_compression(name);
  if (const std::optional<Format> its = format_of_name(bare)) {
    for (const std::string_view extension : (*its)->extensions) {
      if (!bare.ends_with(extension)) continue;
      bare.remove_suffix(extension.size());
      break;
    }
  }
  return std::string(bare) + std::string(format->extensions.front());
}

/// Files that are each converted to one of their name in a folder, which appears when all are
/// complete. One is open at a time.
class FilesToFolder final : public ConversionList {
 public:
  FilesToFolder(std::vector<OutputOf> files, const Location& folder, const OutputOptions& options)
      : files_(std::move(files)),
        folder_(folder),
        output_(folder, folder_place(folder, options), options) {}

  std::unique_ptr<Conversion> next() override {
    if (place_ == files_.size()) {
      output_.finish();
      return nullptr;
    }
    OutputOf& file = files_[place_++];
    name_ = path_below(folder_, file.output);
    const Location path = output_.begin(name_, &file.options.output);
    return std::make_unique<Conversion>(file.inputs, path, std::move(file.options));
  }

  void finished(Converted* result) override {
    output_.wrote(name_, result->done.rows, result->done.bytes_written);
    result->output = folder_.in(name_);
  }

 private:
  std::vector<OutputOf> files_;
  const Location& folder_;
  FolderOutput output_;
  size_t place_ = 0;
  std::string name_;
};

/// Refuses options about the rows of all files where each file is converted on its own.
void check_for_each_file(const InputOptions& options) {
  if (!options.unify && !options.limit && !options.sample && !options.tail) return;
  throw Error(ErrorCode::Usage,
              fmt::format("{}, {}, {} and {} are about all files, found files that are converted "
                          "one by one",
                          mention(Option::Unify), mention(Option::Limit), mention(Option::Sample),
                          mention(Option::Tail)));
}

/// Finds the files that each become one in a folder, and sets the options that they share. `below`
/// of each is the name of its output.
InputFiles files_for_folder(const Locations& inputs, const Location& folder,
                            ConvertOptions* given) {
  ConvertOptions& options = *given;
  check_for_each_file(options.input);
  InputFiles found = input_files(with_folders_named(inputs, options.input.storage), options.input);
  options.output.format = output_format(folder, options.output);
  std::unordered_set<std::string> names;
  for (InputFile& file : found.files) {
    options.output.inputs.push_back(file.path);
    file.below = renamed(file.below, *options.output.format);
    if (names.insert(file.below).second) continue;
    throw Error(ErrorCode::Usage,
                fmt::format("two inputs would be written as {}", xwalk::quoted(file.below)),
                {.file = file.path});
  }
  // What the names of folders say stays in them.
  options.input.partitions = false;
  return found;
}

/// Refuses options of stores if no name is in a store, so that the input need not check them again.
void check_store_options(Locations names, const Location& output, ConvertOptions* options) {
  names.push_back(output);
  if (const auto* given = std::get_if<SchemaArgument>(&options->target)) {
    if (is_uri(given->argument)) names.push_back(given->argument);
  }
  if (options->input.given.contains(Option::Storage)) check_storage(options->input.storage, names);
  options->given.erase(Option::Storage);
  options->input.given.erase(Option::Storage);
}

/// Returns true if each file of an input should become one in a folder. A folder with the name of a
/// dataset is one dataset. So is a new folder unless the conversion can be resumed.
bool writes_each(const Location& output, const ConvertOptions& options) {
  const Format format = *options.output.format;
  if (!output.name().ends_with('/') || !options.output.partition_by.empty() ||
      options.output.mode == OutputMode::Append) {
    return false;
  }
  if (format->adding != Adding::ToDataset) return true;
  std::string_view name = output.name();
  while (name.ends_with('/')) name.remove_suffix(1);
  return options.resume && format_of_name(name) != format;
}

/// Checks the options of a conversion of rows that are open, and takes over those that the rows
/// were opened with.
void use_open_rows(const Dataset& rows, const Location* output, ConvertOptions* options) {
  if (options->given.contains(Option::Storage)) {
    check_storage(options->output.storage, output == nullptr ? Locations() : Locations{*output});
  }
  if (options->output.format) {
    check_open_options(rows.format(), rows.options().given, *options->output.format, options);
  }
  options->input = rows.options();
  if (!options->given.contains(Option::OnError)) {
    options->pipeline.skip_bad_rows |= rows.options().skip_bad_rows;
  }
}

}  // namespace

void set_tolerance(ConvertOptions* options) {
  const PipelineOptions& limits = options->pipeline;
  const bool limited = limits.max_bad_rows || limits.max_bad_share;
  const bool tolerates = options->rejects || limited;
  if (tolerates && !options->given.contains(Option::OnError)) {
    options->pipeline.skip_bad_rows = true;
  } else if (tolerates && !limits.skip_bad_rows) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} and {} contradict each other", mention(Option::OnError, "fail"),
                            mention(limited ? Option::MaxRejects : Option::Rejects)),
                {}, "Give one of the two.");
  }
  options->input.skip_bad_rows = limits.skip_bad_rows;
}

std::vector<OutputOf> outputs_of(const Locations& inputs, Location output, ConvertOptions options) {
  check_store_options(inputs, output, &options);
  std::vector<OutputOf> out;
  if (is_table_pattern(output)) {
    for (const uint32_t table : tables_of(inputs, options)) {
      OutputOf& one = out.emplace_back(OutputOf{inputs, output_of_table(output, table), options});
      one.options.input.table = table;
    }
    return out;
  }
  options.output.format = output_format(output, options.output);
  if (!writes_each(output, options)) {
    out.push_back({inputs, std::move(output), std::move(options)});
    return out;
  }
  const InputFiles found = files_for_folder(inputs, output, &options);
  SchemasOfParts schemas(std::exchange(options.output.inputs, {}), found.listed);
  for (const InputFile& file : found.files) {
    OutputOf& one = out.emplace_back(OutputOf{{file.path}, output.in(file.below), options, output});
    schemas.set_schema_of(file.path, &one.options.input);
  }
  return out;
}

namespace {

/// Returns true if options are about columns by name, or by values in them.
bool names_columns(const ConvertOptions& options) {
  return !options.plan.casts.empty() || !options.plan.rename.empty() ||
         !options.input.select.empty() || !options.input.exclude.empty();
}

/// Plans one conversion. Returns the error if its options do not fit its columns.
std::optional<Error> error_of_columns(OutputOf* table) {
  ConvertOptions one = table->options;
  one.on_open = nullptr;
  try {
    one.output.format = output_format(table->output, one.output);
    Dataset rows(table->inputs, one.input);
    const Input source = take_for(rows, &one);
    // A schema that was inferred is not inferred again.
    table->options.input.inferred = source.file_notes.inferred;
    (void)plan_rows(source, (*one.output.format)->system, one);
  } catch (const Error& error) {
    const bool is_choice =
        error.code() == ErrorCode::Usage || error.code() == ErrorCode::Unsupported;
    if (!is_choice) return std::nullopt;
    Error named = error;
    if (named.place().file.empty()) named.place().file = shown_name(table->inputs.front());
    return named;
  }
  return std::nullopt;
}

}  // namespace

void add_hint(std::string_view sentence, Error* error) {
  const std::string hint = error->hint();
  const bool has_end = hint.ends_with('.') || hint.ends_with('?');
  const std::string_view between = hint.empty() ? "" : has_end ? " " : ". ";
  error->with_hint(fmt::format("{}{}{}", hint, between, sentence));
}

void name_origin(const OutputOf& output, Error* error) {
  if (output.origin.empty()) return;
  add_hint(fmt::format("The options are those of [[convert]] in {}.", output.origin), error);
}

void plan_columns(std::vector<OutputOf>* outputs) {
  std::optional<Error> first;
  size_t count = 0;
  for (OutputOf& table : *outputs) {
    if (outputs->size() < 2 || !names_columns(table.options)) continue;
    std::optional<Error> error = error_of_columns(&table);
    if (!error) continue;
    ++count;
    name_origin(table, &*error);
    if (!first) first = std::move(error);
  }
  if (!first) return;
  add_hint(fmt::format("Nothing was written: the options of {} of {} do not fit.", count,
                       counted(outputs->size(), "table")),
           &*first);
  throw Error(*std::move(first));
}

namespace {

/// Refuses to verify inputs or an output that cannot be read again. Throws Error (Usage).
void check_verifiable(const Dataset& rows, const Location* output) {
  const Locations& names = rows.names();
  const bool is_named = !names.empty() && std::ranges::none_of(names, &Location::is_standard);
  const bool is_written = output != nullptr && !output->is_standard();
  if (is_named && is_written) return;
  throw Error(ErrorCode::Usage,
              fmt::format("{} reads inputs and output again, found {} without a name",
                          mention(Option::Verify), is_written ? "an input" : "an output"),
              {}, "Name a file.");
}

std::vector<Converted> convert_given(Dataset& rows, Output output, ConvertOptions options) {
  auto* path = std::get_if<Location>(&output);
  const bool is_named = !rows.names().empty();
  const bool by_table = path != nullptr && is_named && is_table_pattern(*path);
  // A path that names no format is an error before anything is read.
  if (path != nullptr && !by_table) {
    options.output.format = output_format(*path, options.output);
  }
  if (!by_table && !options.output.format) {
    throw Error(ErrorCode::Usage, "expected the format of an output without a name", {},
                fmt::format("Name it with {}.", mention(Option::To, "FORMAT")));
  }
  if (rows.is_open()) {
    use_open_rows(rows, path, &options);
  } else {
    check_store_options(rows.names(), path == nullptr ? "" : *path, &options);
  }
  set_tolerance(&options);
  if (by_table) return convert_tables(rows.names(), *path, options);
  if (path != nullptr && is_named && writes_each(*path, options)) {
    OutputSet outputs;
    options.output.set = &outputs;
    std::vector<OutputOf> files = outputs_of(rows.names(), *path, options);
    plan_columns(&files);
    for (const OutputOf& file : files) options.output.inputs.push_back(file.inputs.front());
    FilesToFolder list(std::move(files), *path, options.output);
    return run_conversions(list, options, *path);
  }
  return convert_one(rows, std::move(output), std::move(options));
}

/// Returns the conversions that add each file of some inputs to one output, unless that was done
/// before.
std::vector<OutputOf> additions_to(const Locations& inputs, const Location& output,
                                   ConvertOptions options) {
  options.output.format = output_format(output, options.output);
  const Format format = *options.output.format;
  if (format->keeps_inputs == 0) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected an output that keeps which inputs were added for {} with {}, "
                            "found one of {}",
                            mention(Option::Resume), mention(Option::Mode, "append"), format->word),
                {},
                "Tables of Delta and Iceberg, datasets of Lance, and folders of Parquet and "
                "Arrow files do.");
  }
  if (options.verify) check_comparable(output, options);
  check_for_each_file(options.input);
  // The same rows replaced once more would take back what later ones have replaced.
  options.output.again = false;
  const InputFiles found =
      input_files(with_folders_named(inputs, options.input.storage), options.input);
  Locations files;
  for (const InputFile& file : found.files) files.push_back(file.path);
  // A version of Lance has the last inputs of those before it.
  constexpr size_t kInputsOfLance = 1000;
  if (format == kLanceRows && files.size() > kInputsOfLance) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("expected at most {} inputs for {}, as many as a dataset of Lance keeps; "
                    "found {}",
                    kInputsOfLance, mention(Option::Resume), files.size()),
        {}, "Leave out those that were added long ago.");
  }
  SchemasOfParts schemas(files, found.listed);
  std::vector<OutputOf> out;
  for (const InputFile& file : found.files) {
    if (options.input.partitions && !file.partition.empty()) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected files for {} with {}, found one with columns in the names "
                              "of its folders",
                              mention(Option::Resume), mention(Option::Mode, "append")),
                  {.file = file.path},
                  fmt::format("Add each folder without {}.", mention(Option::Resume)));
    }
    OutputOf& one = out.emplace_back(OutputOf{{file.path}, output, options});
    schemas.set_schema_of(file.path, &one.options.input);
  }
  return out;
}

}  // namespace

std::vector<OutputOf> resumable_outputs(const Locations& inputs, const Location& output,
                                        ConvertOptions options) {
  const auto is_kept = [](const Location& name) {
    return !name.is_standard() && !name.is_table() && !is_written_in_place(name);
  };
  if (inputs.empty() || !is_kept(output)) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("expected {} for {}, found {}",
                    inputs.empty() ? "inputs with a name" : "a file, a folder or an object",
                    mention(Option::Resume), inputs.empty() ? "open rows" : xwalk::quoted(output)));
  }
  const bool adds = options.output.mode == OutputMode::Append;
  if (adds && options.output.again && !options.output.upsert.wanted) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} and {} contradict each other", mention(Option::Resume),
                            mention(Option::Mode, "append-again")));
  }
  set_tolerance(&options);
  std::vector<OutputOf> found = adds ? additions_to(inputs, output, std::move(options))
                                     : outputs_of(inputs, output, std::move(options));
  for (const OutputOf& one : found) {
    check_is_no_input(one.output, one.inputs);
    if (one.options.rejects && found.size() > 1 && !one.options.rejects->name().ends_with('/')) {
      throw Error(
          ErrorCode::Usage,
          fmt::format("expected a folder for {} with {}, found {}", mention(Option::Rejects),
                      mention(Option::Resume), xwalk::quoted(*one.options.rejects)),
          {}, "End the name with /: each input has its own file of rejected rows.");
    }
  }
  return found;
}

std::vector<Converted> convert(Dataset& rows, Output output, ConvertOptions options) {
  if (options.resume) {
    auto* path = std::get_if<Location>(&output);
    if (rows.is_open()) options.input = rows.options();
    return resume_tables(
        resumable_outputs(rows.names(), path == nullptr ? Location("-") : *path, options), options);
  }
  if (options.given.contains(Option::Jobs)) {
    throw Error(ErrorCode::Usage, fmt::format("{} has no effect without {}", mention(Option::Jobs),
                                              mention(Option::Resume)));
  }
  if (!options.verify) return convert_given(rows, std::move(output), std::move(options));
  auto* path = std::get_if<Location>(&output);
  check_verifiable(rows, path);
  check_comparable(*path, options);
  ConvertOptions reading = options;
  reading.on_open = nullptr;
  reading.pipeline.on_bad_row = nullptr;
  const Location name = *path;
  std::vector<Converted> results = convert_given(rows, std::move(output), std::move(options));
  report_proof(verify(rows.names(), name, reading, {}), reading);
  return results;
}

std::vector<Converted> convert(const Locations& inputs, const Location& output,
                               ConvertOptions options) {
  Dataset rows(inputs, options.input);
  return convert(rows, output, std::move(options));
}

Progress sum_of(const std::vector<Converted>& all) {
  Progress sum;
  for (const Converted& one : all) add_to(&sum, one.done);
  return sum;
}

size_t worst_of(const std::vector<Converted>& all) {
  const auto verdict = [](const Converted& one) { return one.plan.verdict(); };
  return static_cast<size_t>(std::ranges::max_element(all, {}, verdict) - all.begin());
}

ConvertOptions::ConvertOptions() = default;
ConvertOptions::ConvertOptions(const ConvertOptions&) = default;
ConvertOptions::ConvertOptions(ConvertOptions&&) noexcept = default;
ConvertOptions& ConvertOptions::operator=(const ConvertOptions&) = default;
ConvertOptions& ConvertOptions::operator=(ConvertOptions&&) noexcept = default;
ConvertOptions::~ConvertOptions() = default;

}  // namespace xwalk::io
