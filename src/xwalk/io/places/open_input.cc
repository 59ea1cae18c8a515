#include "xwalk/io/places/open_input.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/batch_memory.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/sort_order.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/unify.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/arrow_streams.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/cluster_rows.h"
#include "xwalk/io/places/hive_columns.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/rows/bounded_reader.h"
#include "xwalk/io/rows/category_order.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/skiff/table.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/key_order.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void usage(std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

/// Returns whether a name is one of a dataset, which only an engine opens.
bool is_dataset(const Location& name, const InputOptions& options) {
  if (name.is_table()) return true;
  if (!name.is_remote()) return fs::is_directory(name.name());
  const std::optional<Format> format = options.format ? options.format : format_of_name(name);
  return format && (*format)->is_dataset != nullptr &&
         look_at(name, options.storage) == NameKind::Folder;
}

/// Opens the bytes of a file.
std::unique_ptr<Source> open_bytes(const Location& path, const InputOptions& options,
                                   const Partitions& partitions) {
  const auto opens = partitions.are_listed() ? open_listed : open_source;
  return opens(path, options.storage, first_fetch(path));
}

/// Returns rows with the wanted columns, and a note on the sort columns that this has `lost`.
std::unique_ptr<SplitReader> cut_to(std::unique_ptr<SplitReader> reader, const hub::Schema& wanted,
                                    const std::vector<std::string>& lost) {
  hub::CompiledCast cast = hub::compile_cast(reader->schema(), wanted);
  return add_notes(cast_pieces(std::move(reader), std::move(cast)), crosswalk::order_lost(lost));
}

/// Drops the sort order that each of several consecutive files stated.
void forget_order(Input* input) {
  hub::Schema schema = input->reader->schema();
  const std::vector<std::string> lost = crosswalk::drop_order(&schema);
  if (lost.empty()) return;
  hub::CompiledCast cast = hub::compile_cast(input->reader->schema(), schema);
  input->reader = add_notes(cast_pieces(std::move(input->reader), std::move(cast)),
                            crosswalk::order_lost(lost));
}

/// Gives rows the schema whose metadata describes all of them, with notes on what it lacks.
void describe_again(const hub::Schema& schema, const hub::Findings& notes, Input* input) {
  if (schema != input->reader->schema()) {
    hub::CompiledCast cast = hub::compile_cast(input->reader->schema(), schema);
    input->reader = cast_pieces(std::move(input->reader), std::move(cast));
  }
  if (!notes.empty()) input->reader = add_notes(std::move(input->reader), notes);
}

/// Leaves out the metadata that describes the columns of the first file in another way than that
/// of another file. Does nothing if the first file has none.
void keep_common_keys(const OpenReader& open, Input* input) {
  hub::Schema common = input->reader->schema();
  std::vector<std::string> differing;
  for (size_t i = 1; i < input->files.size() && crosswalk::has_keys(common); ++i) {
    const Location& file = input->files[i];
    // A pipe is read once: what it has is not known yet.
    const bool is_pipe =
        file.is_standard() || (!file.is_remote() && look_at(file, {}) == NameKind::Other);
    const hub::Schema other = is_pipe ? hub::Schema() : open(file)->schema();
    common = crosswalk::common_keys(std::move(common), other, &differing);
  }
  input->file_notes.differing = crosswalk::differing_keys(differing);
  describe_again(common, input->file_notes.differing, input);
}

/// Returns rows of a file with notes on the metadata that those of the first lack. They may have no
/// columns that these lack.
std::unique_ptr<SplitReader> with_lost_keys(std::unique_ptr<SplitReader> rows,
                                            const hub::Schema& first) {
  std::vector<std::string> differing;
  (void)crosswalk::common_keys(first, rows->schema(), &differing);
  if (differing.empty()) return rows;
  return add_notes(std::move(rows), crosswalk::differing_keys(differing));
}

/// Leaves out the keys that describe columns that were not selected, and that cannot be cut.
void keep_keys_of_selected(const InputOptions& options, Input* input) {
  if (options.select.empty() && options.exclude.empty()) return;
  const auto is_nested = [](const std::string& text) {
    return parse_selection(text).steps().size() > 1;
  };
  const bool cuts_members = std::ranges::any_of(options.select, is_nested) ||
                            std::ranges::any_of(options.exclude, is_nested);
  std::vector<std::string> stale;
  hub::Schema kept = input->reader->schema();
  kept.metadata = crosswalk::keys_of_some(kept.metadata, cuts_members, &stale);
  hub::Findings notes;
  for (const std::string& key : stale) {
    notes.push_back({.rule = "metadata.stale",
                     .lost = key + " describes columns that are not selected, and is left out"});
  }
  describe_again(kept, notes, input);
}

/// Returns whether the schema of rows may be in a file next to theirs, so that each file has its
/// own.
bool may_have_side_schema(Format format) {
  return std::ranges::find(format->takes, hub::Option::Schema) != format->takes.end();
}

/// Returns the special columns of Skiff rows, which the hub schema does not have, by name.
std::vector<std::string> special_columns(const Input& input, const InputOptions& options) {
  std::vector<std::string> out;
  if (!input.skiff_schema) return out;
  const auto& tables = input.skiff_schema->format.tables;
  const size_t table = tables.size() == 1 ? 0 : options.table.value_or(0);
  if (table >= tables.size()) return out;
  for (const skiff::Slot& slot : skiff::table_layout(tables[table]).slots) {
    using skiff::Role;
    const bool is_special = slot.role == Role::KeySwitch || slot.role == Role::RowIndex ||
                            slot.role == Role::RangeIndex;
    if (is_special) out.push_back(slot.type.name());
  }
  std::ranges::sort(out);
  return out;
}

/// Opens a file by a call; names the other format that its bytes have if that fails.
template <typename Call>
auto as_format(Format format, const Location& path, const InputOptions& options, Call call) {
  try {
    return call();
  } catch (const Error& error) {
    const bool is_about_bytes =
        error.code() == ErrorCode::Input || error.code() == ErrorCode::Usage;
    if (is_about_bytes) refuse_other_format(format, path, options);
    throw;
  }
}

/// Opens the files of one input, which share options and selection, and must have one schema.
class InputOpener {
 public:
  /// `first` is the first file, opened; null if it is a folder.
  InputOpener(Format format, const InputOptions& options,
              std::shared_ptr<const Partitions> partitions, const Location& path, Source* first,
              Input* input)
      : format_(format), options_(options), partitions_(std::move(partitions)), first_(path) {
    if (format_->by_path && path.is_standard()) {
      usage(fmt::format("{} rows are read from a path, not from a pipe", format_->name));
    }
    if (options.part && format_->parts == nullptr) {
      usage(fmt::format("expected YSON, JSON or Parquet of which to read a part, found {}",
                        format_->name));
    }
    open_ = format_->open(path, first, options, input);
    std::optional<hub::Schema> known;
    const auto own = [&]() -> const hub::Schema& {
      if (!known) known = own_schema(path, first, *input, open_);
      return *known;
    };
    const auto whole = [&] { return with_folders(own()); };
    selection_ = find_selected(options.select, whole);
    excluded_ = find_selected(options.exclude, whole);
    in_files_ = excluded_.empty() ? selected_in_files(own) : left_in_files(path, whole);
    special_columns_ = special_columns(*input, options);
    const bool is_cut = !options.select.empty() || !options.exclude.empty();
    if (is_cut && input->table_schema) whole_ = yt::to_arrow(*input->table_schema);
  }

  std::unique_ptr<SplitReader> open(const Location& path,
                                    std::unique_ptr<Source> source = nullptr) const {
    if (path.is_cluster() != is_table_format(format_)) {
      usage(fmt::format("expected tables of a cluster or files as inputs, found {} beside {}", path,
                        path.is_cluster() ? "files" : "tables"),
            "Convert the one to the kind of the other first.");
    }
    if (source == nullptr && !format_->by_path) {
      source = open_bytes(path, options_, *partitions_);
    }
    const std::shared_ptr<const Original> file = source == nullptr ? nullptr : source->original();
    std::optional<hub::Schema> whole = whole_;
    // A reader of a format that states its schema in the bytes keeps a source with a window.
    const bool is_kept =
        format_->own_schema != nullptr && source != nullptr && source->window().has_value();
    Source* const kept = is_kept ? source.get() : nullptr;
    OpenFile open;
    if (source != nullptr && path != first_) check_text(format_, *source, options_);
    std::unique_ptr<SplitReader> reader = while_unchanged(file, [&] {
      return as_format(format_, path, options_, [&] {
        open = opener_of(path, source.get(), &whole);
        return open(path, std::move(source), in_files_);
      });
    });
    // Values that xwalk decodes from bytes itself have been checked.
    if (!format_->by_bytes && !is_table_format(format_)) {
      const hub::Refine promised =
          crosswalk::source_refinement(format_->system, options_.annotations);
      reader = check_promises(std::move(reader), promised, shown_name(path));
    }
    if (file != nullptr) reader = refuse_changes(std::move(reader), file);
    reader = partitions_->add_to(std::move(reader), path);
    if (!selection_.empty() || !excluded_.empty() || !in_files_.empty()) {
      hub::Schema wanted = chosen(reader->schema(), selection_, excluded_);
      std::vector<std::string> lost;
      if (std::ranges::any_of(wanted.fields, crosswalk::is_sorted_by)) {
        if (!whole && !path.is_standard()) whole = own_schema(path, kept, {}, open);
        // All columns of files that are read by column are requested only if the order matters.
        lost = whole ? crosswalk::cut_order(*whole, &wanted) : crosswalk::drop_order(&wanted);
      }
      reader = cut_to(std::move(reader), wanted, lost);
    }
    return options_.skip_bad_rows ? std::move(reader) : refuse_bad_rows(std::move(reader));
  }

 private:
  /// Returns what opens a file: by the schema that was given or that every file contains, as the
  /// first one; otherwise by the file's own, which replaces `whole`.
  OpenFile opener_of(const Location& path, Source* source,
                     std::optional<hub::Schema>* whole) const {
    if (path == first_ || options_.schema || !may_have_side_schema(format_)) return open_;
    Input own;
    OpenFile open = format_->open(path, source, options_, &own);
    if (*whole && own.table_schema) *whole = yt::to_arrow(*own.table_schema);
    if (special_columns(own, options_) != special_columns_) {
      throw Error(ErrorCode::Input,
                  "expected the schema of the first input, found other special columns",
                  {.file = shown_name(path)});
    }
    return open;
  }

  /// Returns the full schema of a file, regardless of the selection, without the columns of
  /// folders. `first` is the file, opened. It is opened again, by `open`, if only the reader has
  /// the schema.
  hub::Schema own_schema(const Location& path, Source* first, const Input& input,
                         const OpenFile& open) const {
    const bool is_here = first == nullptr ? format_->by_path : first->window().has_value();
    if (format_->own_schema != nullptr && is_here) {
      return format_->own_schema(path, first, options_);
    }
    if (input.table_schema) return yt::to_arrow(*input.table_schema);
    std::unique_ptr<Source> source;
    if (first != nullptr && first->window()) {
      // The caller has the first file.
      source = KeptBytes(std::shared_ptr<Source>(std::shared_ptr<void>(), first)).open();
    } else if (!format_->by_path && !path.is_standard()) {
      source = open_bytes(path, options_, *partitions_);
    }
    if (source == nullptr && !format_->by_path) {
      usage("columns by pattern are looked for in a file, found a pipe", "Name them one by one.");
    }
    return open(path, std::move(source), {})->schema();
  }

  hub::Schema with_folders(hub::Schema schema) const {
    std::ranges::copy(partitions_->fields(), std::back_inserter(schema.fields));
    return schema;
  }

  /// Returns what is selected of the files themselves: not what only the names of folders say.
  std::vector<Path> selected_in_files(const std::function<const hub::Schema&()>& own) const {
    const auto is_in = [](const std::vector<hub::Field>& fields, const Path& column) {
      const std::string& name = column.steps().front()->name;
      return std::ranges::find(fields, name, &hub::Field::name) != fields.end();
    };
    const auto of_folders = [&](const Path& column) {
      return is_in(partitions_->fields(), column);
    };
    std::vector<Path> wanted = selection_;
    if (std::ranges::none_of(wanted, of_folders)) return wanted;
    std::erase_if(wanted, [&](const Path& column) {
      return of_folders(column) && !is_in(own().fields, column);
    });
    return wanted;
  }

  /// Returns the columns to read from files that are read by column, without the excluded ones;
  /// none for formats that are read whole and cut later. Exclusions within those columns are left
  /// in `excluded_`, which is checked against all existing columns.
  std::vector<Path> left_in_files(const Location& path, const std::function<hub::Schema()>& whole) {
    if (format_->by_bytes || path.is_standard() || !selection_.empty()) return {};
    const hub::Schema left = chosen(whole(), {}, excluded_);
    const auto of_folders = [&](const Path& column) {
      return std::ranges::find(partitions_->fields(), column.last().name, &hub::Field::name) !=
             partitions_->fields().end();
    };
    std::vector<Path> columns;
    for (const hub::Field& field : left.fields) columns.push_back(Path::column(field.name));
    std::erase_if(columns, of_folders);
    if (columns.empty()) return {};
    // The columns that are not asked for are not there later.
    std::erase_if(excluded_, [&](const Path& excluded) {
      const Path column = Path::column(excluded.steps().front()->name);
      return !of_folders(column) && std::ranges::find(columns, column) == columns.end();
    });
    return columns;
  }

  Format format_;
  InputOptions options_;
  std::optional<hub::Schema> whole_;  ///< of rows with a known table schema, if they are cut
  std::shared_ptr<const Partitions> partitions_;
  Location first_;  ///< whose schema `open_` reads by
  std::vector<std::string> special_columns_;
  std::vector<Path> selection_;
  std::vector<Path> excluded_;  ///< from the requested columns of the files
  std::vector<Path> in_files_;  ///< without columns that folders stand for
  OpenFile open_;
};

/// One input without a limit, and what opens further files like it.
struct FirstInput {
  Input input;
  std::shared_ptr<InputOpener> opener;
};

/// `path` is "-" for a source without a name. `source` is null for formats that only an engine
/// opens.
FirstInput open_first(const Location& path, std::unique_ptr<Source> source,
                      const InputOptions& options, std::shared_ptr<const Partitions> partitions) {
  FirstInput first;
  Input& input = first.input;
  input.partitions = partitions->fields();
  input.files = {path};
  input.format = path.is_cluster() ? cluster_format(options.format)
                                   : input_format(path, source.get(), options);
  check_readable(input.format);
  // Two forms with the same name are distinguished by their first bytes.
  const RowFormat* in_pipes = input.format->in_pipes;
  if (in_pipes != nullptr && source != nullptr) {
    const std::string_view bytes = source->peek(64);
    if (!input.format->begins(bytes) && in_pipes->begins(bytes)) input.format = *in_pipes;
  }
  check_taken(options.given, {&input.format, 1});
  // A pattern is checked against the schema before the rows are opened.
  if (path.is_standard() && source != nullptr && input.format->has_own_schema() &&
      std::ranges::any_of(options.select, may_be_pattern)) {
    source = with_contents(std::move(source), options.max_memory);
  }
  if (source != nullptr) input.file = source->original();
  first.opener = while_unchanged(input.file, [&] {
    return as_format(input.format, path, options, [&] {
      return std::make_shared<InputOpener>(input.format, options, std::move(partitions), path,
                                           source.get(), &input);
    });
  });
  if (options.plan.layout && source != nullptr && input.format->storing != nullptr) {
    // A stream in a pipe is read once.
    if (source->window() || input.format != kArrowStreams) {
      source = with_window(std::move(source), options.max_memory);
      input.file_notes.storing = layout_of(input.format, path, *source);
    }
  }
  input.reader = first.opener->open(path, std::move(source));
  return first;
}

/// Gives rows in the number and the batches that were asked for, within the memory limit.
void limit_input(const InputOptions& options, Input* input) {
  // These are read in runs of bytes, or come from a host; engines know of batches themselves.
  const bool in_their_batches = !input->format->by_bytes && !input->files.empty();
  if (!in_their_batches && options.batch_rows < limits::kBatchRows) {
    input->reader = limit_batches(std::move(input->reader), options.batch_rows);
  }
  input->reader = limit_memory(std::move(input->reader), options.max_memory);
  if (options.limit) input->reader = limit_rows(std::move(input->reader), *options.limit);
}

/// Returns the bytes of a file; null for a dataset, which only an engine opens.
std::unique_ptr<Source> source_of(const Location& path, const InputOptions& options,
                                  const Partitions& partitions) {
  if (!path.is_standard() && is_dataset(path, options)) return nullptr;
  return open_bytes(path, options, partitions);
}

/// Returns the bytes of the first file: those in `kept`, or newly opened ones, which it then keeps.
std::unique_ptr<Source> first_bytes(const Location& path, const InputOptions& options,
                                    const Partitions& partitions, KeptInput* kept) {
  std::unique_ptr<Source> source = kept != nullptr && kept->first ? kept->first->open() : nullptr;
  if (source != nullptr) return source;
  source = source_of(path, options, partitions);
  if (kept == nullptr || source == nullptr) return source;
  return kept->first.emplace(std::move(source)).open();
}

/// Opens files that must have the schema of the first.
Input open_alike(Locations files, const InputOptions& options,
                 const std::shared_ptr<const Partitions>& partitions, KeptInput* kept) {
  auto [input, opener] = open_first(
      files.front(), first_bytes(files.front(), options, *partitions, kept), options, partitions);
  Locations others(files.begin() + 1, files.end());
  input.files = std::move(files);
  if (others.empty()) return std::move(input);
  const hub::Refine refine =
      crosswalk::source_refinement(input.format->system, options.annotations);
  const OpenReader open =
      [opener = opener, first = input.reader->schema(), system = input.format->system,
       annotations = options.annotations, has_keys = crosswalk::has_keys(input.reader->schema()),
       judged = std::make_shared<hub::Schema>(input.reader->schema())](const Location& file) {
        std::unique_ptr<SplitReader> reader = opener->open(file);
        if (*judged == reader->schema()) return reader;
        crosswalk::check_one_meaning({system, first, annotations},
                                     {system, reader->schema(), annotations}, file);
        *judged = reader->schema();
        return has_keys ? std::move(reader) : with_lost_keys(std::move(reader), first);
      };
  // Most files have the schema of the one before, which was compared already.
  const auto compared = std::make_shared<std::optional<hub::Schema>>();
  const bool known_alike = options.inferred && options.inferred->of_all_files;
  if (!known_alike) {
    input.check_file = [open, refine, compared,
                        first = input.reader->schema()](const Location& file) {
      hub::Schema schema = open(file)->schema();
      if (*compared == schema) return schema;
      (void)same_schema(schema, first, refine, file);
      *compared = schema;
      return schema;
    };
  }
  input.reader =
      chain(std::move(input.reader), input.files.front(), std::move(others), open, refine);
  keep_common_keys(open, &input);
  return std::move(input);
}

/// Returns how the columns of a file change in the schema of all files.
std::vector<std::pair<Path, std::string>> changes(const hub::Schema& file, const hub::Schema& all) {
  std::vector<std::pair<Path, std::string>> out;
  for (const hub::Field& field : all.fields) {
    const auto own = std::ranges::find(file.fields, field.name, &hub::Field::name);
    if (own == file.fields.end()) {
      out.emplace_back(Path::column(field.name), "absent, null");
      continue;
    }
    const std::string before = hub::to_string(own->type);
    const std::string after = hub::to_string(field.type);
    if (before != after)
      out.emplace_back(Path::column(field.name), fmt::format("{} → {}", before, after));
  }
  return out;
}

/// Opens files of different schemas: each is opened separately, and cast to the common schema.
Input open_unified(Locations files, const InputOptions& options,
                   const std::shared_ptr<const Partitions>& partitions) {
  InputOptions whole = options;
  whole.select.clear();
  whole.exclude.clear();
  const auto open_one = [whole, partitions](const Location& file) {
    return open_first(file, source_of(file, whole, *partitions), whole, partitions).input;
  };
  Input input = open_one(files.front());
  std::vector<hub::Schema> schemas = {input.reader->schema()};
  hub::Schema all = schemas.front();
  std::vector<std::string> differing;
  for (size_t i = 1; i < files.size(); ++i) {
    const Input other = open_one(files[i]);
    if (other.format != input.format) {
      usage(fmt::format("expected rows of {}, as in {}, found {} in {}", input.format->name,
                        files.front(), other.format->name, files[i]));
    }
    schemas.push_back(other.reader->schema());
    try {
      const crosswalk::System system = input.format->system;
      const auto apart = crosswalk::other_meaning({system, all, options.annotations},
                                                  {system, schemas.back(), options.annotations});
      if (apart) hub::refuse_to_unify(apart->path, apart->reason);
      all = hub::unify(all, schemas.back());
      all.fields = crosswalk::common_keys({.fields = std::move(all.fields)},
                                          {.fields = schemas.back().fields}, &differing)
                       .fields;
    } catch (Error& error) {
      error.place().file = files[i];
      throw;
    }
  }
  hub::Schema common = schemas.front();
  for (const hub::Schema& schema : schemas) {
    common = crosswalk::common_keys(std::move(common), schema, &differing);
  }
  for (size_t i = 0; i < files.size(); ++i) {
    auto changed = changes(schemas[i], all);
    input.file_notes.unified.push_back({files[i], std::move(schemas[i]), std::move(changed)});
  }
  const OpenReader open = [open_one, all, skip = options.skip_bad_rows](const Location& file) {
    std::unique_ptr<SplitReader> reader = open_one(file).reader;
    hub::CompiledCast cast = hub::compile_cast(reader->schema(), all);
    reader = cast_pieces(std::move(reader), std::move(cast));
    return skip ? std::move(reader) : refuse_bad_rows(std::move(reader));
  };
  Locations others(files.begin() + 1, files.end());
  input.reader = chain(open(files.front()), files.front(), std::move(others), open, nullptr);
  hub::Schema described = input.reader->schema();
  described.metadata = crosswalk::without_column_keys(all.metadata);
  for (const auto& [key, value] : common.metadata) {
    if (crosswalk::is_column_key(key, value)) described.metadata.append(key, value);
  }
  input.file_notes.differing = crosswalk::differing_keys(differing);
  describe_again(described, input.file_notes.differing, &input);
  if (!options.select.empty() || !options.exclude.empty()) {
    const auto unified = [&] { return all; };
    const hub::Schema wanted = chosen(all, find_selected(options.select, unified),
                                      find_selected(options.exclude, unified));
    hub::CompiledCast cut = hub::compile_cast(all, wanted);
    input.reader = cast_pieces(std::move(input.reader), std::move(cut));
  }
  // They describe the first file alone.
  input.file = nullptr;
  input.table_schema = std::nullopt;
  input.skiff_schema = std::nullopt;
  input.files = std::move(files);
  return input;
}

Input open_files(InputFiles found, const InputOptions& options, KeptInput* kept) {
  // An archive has several generations, and only its manifest says which is the table.
  if (std::ranges::any_of(found.files, [](const InputFile& file) {
        return file.below.find("@generations/") != std::string::npos;
      })) {
    usage("the folder is an archive of ytclone: restore its table with ytclone, or name its parts");
  }
  if (options.part && found.files.size() > 1) usage("expected one file of which to read a part");
  const auto partitions = std::make_shared<const Partitions>(
      options.partitions ? found.files : std::vector<InputFile>{}, found.listed, found.keys);
  Locations files;
  for (InputFile& file : found.files) files.push_back(std::move(file.path));
  InputOptions settled = options;
  settled.batch_bytes = std::min(options.batch_bytes, xwalk::batch_bytes(options.max_memory));
  infer_first(files, found.listed, &settled);
  Input input = options.unify && files.size() > 1
                    ? open_unified(std::move(files), settled, partitions)
                    : open_alike(std::move(files), settled, partitions, kept);
  // The first file may have a schema that others lack.
  if (settled.inferred) input.file_notes.inferred = settled.inferred;
  save_schema(input, options);
  input.file_notes.left_aside = std::move(found.left_aside);
  input.file_notes.several = input.files.size() > 1;
  // Ranges come in the order in which the path names them.
  const bool in_ranges =
      input.files.front().is_cluster() && yt::parse_rich_path(input.files.front()).several_ranges;
  if ((input.files.size() > 1 && !options.one_table) || in_ranges) forget_order(&input);
  keep_keys_of_selected(options, &input);
  input.reader = in_one_order(std::move(input.reader));
  limit_input(options, &input);
  return input;
}

/// Returns true if choosing rows requires the count or order of all rows.
bool chooses_rows(const InputOptions& options) { return options.sample || options.tail; }

InputOptions all_rows(InputOptions options) {
  options.sample.reset();
  options.tail.reset();
  options.limit.reset();
  // A bad row that is not chosen is no fault.
  options.skip_bad_rows = true;
  return options;
}

Input choose_rows(Input input, const InputOptions& options) {
  if (options.sample) {
    input.reader = sample_rows(std::move(input.reader), *options.sample, options.seed,
                               options.tail.has_value(), options.skip_bad_rows);
  }
  if (options.tail) input.reader = last_rows(std::move(input.reader), *options.tail);
  if (!options.skip_bad_rows) input.reader = refuse_bad_rows(std::move(input.reader));
  if (options.limit) input.reader = limit_rows(std::move(input.reader), *options.limit);
  return input;
}

}  // namespace

Input open_input(const Locations& paths, const InputOptions& options, KeptInput* kept) {
  const SchemaMemoryScope scope(options.max_memory);
  if (kept != nullptr && kept->files) return open_input(*kept->files, options, kept);
  if (options.given.contains(hub::Option::Storage)) check_storage(options.storage, paths);
  return open_names(paths, options.storage, [&](const Locations& names) {
    InputFiles found = input_files(names, options);
    if (kept == nullptr) return open_input(std::move(found), options);
    Input input = open_input(found, options, kept);
    kept->files = std::move(found);
    return input;
  });
}

Input open_input(InputFiles found, const InputOptions& options, KeptInput* kept) {
  const SchemaMemoryScope scope(options.max_memory);
  if (!chooses_rows(options)) return open_files(std::move(found), options, kept);
  return choose_rows(open_files(std::move(found), all_rows(options), kept), options);
}

Input open_input(std::unique_ptr<Source> source, const InputOptions& options) {
  const SchemaMemoryScope scope(options.max_memory);
  if (chooses_rows(options)) {
    return choose_rows(open_input(std::move(source), all_rows(options)), options);
  }
  const std::string name = source->name();
  if (options.given.contains(hub::Option::Storage)) check_storage(options.storage, {});
  const auto no_folders = std::make_shared<const Partitions>(std::vector<InputFile>{});
  InputOptions settled = options;
  settled.batch_bytes = std::min(options.batch_bytes, xwalk::batch_bytes(options.max_memory));
  Input input = open_first("-", std::move(source), settled, no_folders).input;
  input.files = {name};
  save_schema(input, options);
  keep_keys_of_selected(options, &input);
  input.reader = in_one_order(std::move(input.reader));
  limit_input(options, &input);
  return input;
}

Input open_input(hub::StreamHandle stream, const InputOptions& options) {
  const SchemaMemoryScope scope(options.max_memory);
  if (chooses_rows(options)) {
    return choose_rows(open_input(std::move(stream), all_rows(options)), options);
  }
  for (const hub::Option of_files : {hub::Option::Format, hub::Option::Part}) {
    if (!options.given.contains(of_files)) continue;
    usage(fmt::format("{} is for files and bytes, found rows of Arrow", hub::mention(of_files)));
  }
  Input input;
  input.format = kArrowStreams;
  check_taken(options.given, {&input.format, 1});
  if (options.given.contains(hub::Option::Storage)) check_storage(options.storage, {});
  input.reader =
      check_promises(open_host_stream(std::move(stream), options, input),
                     crosswalk::source_refinement(arrow::kModule, options.annotations), "");
  if (!options.select.empty() || !options.exclude.empty()) {
    const hub::Schema whole = input.reader->schema();
    const auto own = [&]() -> const hub::Schema& { return whole; };
    hub::Schema wanted =
        chosen(whole, find_selected(options.select, own), find_selected(options.exclude, own));
    const std::vector<std::string> lost = crosswalk::cut_order(whole, &wanted);
    input.reader = cut_to(std::move(input.reader), wanted, lost);
  }
  if (!options.skip_bad_rows) input.reader = refuse_bad_rows(std::move(input.reader));
  input.reader = in_one_order(std::move(input.reader));
  limit_input(options, &input);
  return input;
}

Locations files_read(const Input& input) {
  Locations files = input.files;
  if (input.schema_origin == SchemaOrigin::Given || !may_have_side_schema(input.format)) {
    return files;
  }
  for (const Location& file : input.files) {
    if (!file.is_standard() && !file.is_table()) files.push_back(side_schema_path(file));
  }
  return files;
}

}  // namespace xwalk::io
