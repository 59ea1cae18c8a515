#include "xwalk/convert/tables.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/convert/info.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/io/bytes/list_dir.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/other_tables.h"
#include "xwalk/io/rows/row_stream.h"

namespace xwalk::io {
namespace {

using report::Problem;

std::string in_one_line(std::string text) {
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    const size_t end = std::min(text.find_first_not_of("\n ", at), text.size());
    text.replace(at, end - at, ", ");
  }
  return text;
}

/// Returns a problem for an error, in one line, without the file that it is about.
Problem problem(std::string_view kind, const std::string& subject, const Error& error) {
  Place place = error.place();
  place.file.clear();
  place.snippet.clear();
  std::string text = Error(error.code(), error.message(), std::move(place)).describe();
  constexpr std::string_view kError = "error: ";
  if (const size_t at = text.find(kError); at != std::string::npos) text.erase(at, kError.size());
  return {.kind = kind,
          .subject = subject,
          .text = in_one_line(std::move(text)),
          .hint = in_one_line(error.hint())};
}

/// Throws what was thrown before, else the first of the errors.
[[noreturn]] void throw_first(const std::exception_ptr& thrown, const std::vector<Error>& errors) {
  if (thrown) std::rethrow_exception(thrown);
  throw Error(errors.front());
}

/// A file, and what reading its schema gave.
struct FileRead {
  InputFile file;
  std::optional<SchemaInput> schema;
};

/// Whether files of one schema are one table, or each file is a table.
enum class Files : uint8_t { Together, Apart };

class Reader {
 public:
  Reader(const Locations& names, std::optional<crosswalk::System> system,
         const InputOptions& options, Meaning meaning, Files files)
      : names_(names), system_(system), options_(options), meaning_(meaning), apart_(files) {
    out_.name = name_of(names);
  }

  InputTables read() {
    if (apart_ == Files::Apart || are_schema_files()) return read_apart();
    std::vector<Error> faults;
    std::exception_ptr failed;
    std::optional<SchemaInput> whole;
    try {
      whole = read_schema(names_, system_, options_, meaning_, &faults);
    } catch (const TableOfOther&) {
      throw;
    } catch (const Error& error) {
      if (!is_about_input(error)) throw;
      failed = std::current_exception();
    }
    if (whole && faults.empty()) return one(names_, *std::move(whole));
    // A pipe cannot be read again.
    if (std::ranges::any_of(names_, &Location::is_standard)) throw_first(failed, faults);
    find_files();
    if (failed && files_.empty() && find_schema_files()) return read_apart();
    const bool is_one_file = files_.size() == 1 && out_.problems.empty();
    if (failed && (is_one_file || files_.empty()) && names_.size() == 1)
      std::rethrow_exception(failed);
    for (FileRead& file : files_) read_alone(file);
    const bool has_partitions = std::ranges::any_of(
        files_, [](const FileRead& file) { return !file.file.partition.empty(); });
    if (whole && has_partitions && options_.partitions) {
      for (const Error& fault : faults) add_differing(fault);
      InputTables out = one(names_, *std::move(whole));
      out.tables.front().is_whole = false;
      return out;
    }
    // What no schema holds is of no file alone.
    if (options_.unify && failed && out_.problems.empty()) std::rethrow_exception(failed);
    std::erase_if(files_, [](const FileRead& file) { return !file.schema; });
    if (files_.empty()) throw_first(failed, out_.errors);
    if (!read_together()) group();
    return std::move(out_);
  }

 private:
  /// Returns true if names or patterns stand for files with schemas, not with rows.
  bool are_schema_files() {
    const auto may_be = [&](const Location& name) {
      if (name.is_standard() || format_of_name(name)) return false;
      return names_.size() > 1 || is_pattern(name, options_.storage);
    };
    if (std::ranges::none_of(names_, may_be)) return false;
    find_files();
    bool found = false;
    for (const FileRead& file : files_) {
      try {
        found = found || is_schema_file(file.file.path, options_);
      } catch (const Error& error) {
        if (!is_about_input(error)) throw;
      }
    }
    if (found) return true;
    files_.clear();
    out_ = {};
    out_.name = name_of(names_);
    return false;
  }

  InputTables read_apart() {
    if (files_.empty() && out_.problems.empty()) find_files();
    if (files_.empty()) (void)find_schema_files();
    for (FileRead& file : files_) {
      read_alone(file);
      if (!file.schema) continue;
      out_.tables.push_back(
          {{file.file.path}, name_of({file.file.path}), file.file.below, *std::move(file.schema)});
    }
    if (out_.tables.empty() && !out_.errors.empty()) throw Error(out_.errors.front());
    return std::move(out_);
  }

  InputTables one(Locations paths, SchemaInput schema) {
    out_.tables.push_back({std::move(paths), out_.name, "", std::move(schema)});
    return std::move(out_);
  }

  void add_unreadable(const std::string& file, const Error& error) {
    out_.problems.push_back(problem_of(shown_name(file), error));
    out_.errors.push_back(error);
  }

  void add_differing(const Error& error) {
    const std::string file = shown_name(error.place().file);
    const bool is_known =
        std::ranges::find(out_.problems, file, &Problem::subject) != out_.problems.end();
    if (!is_known) out_.problems.push_back(problem("differs", file, error));
  }

  /// Finds the files of every name. A name without files is a separate problem.
  void find_files() {
    for (FoundFile& found : io::find_files(names_, options_)) {
      if (found.error) {
        add_unreadable(found.file.path, *found.error);
      } else {
        files_.push_back({std::move(found.file), {}});
      }
    }
  }

  /// Finds the schema files of a folder without rows, which are its tables. Returns false if it has
  /// no such file.
  bool find_schema_files() {
    if (names_.size() != 1 || names_.front().is_standard() ||
        look_at(names_.front(), options_.storage) != NameKind::Folder) {
      return false;
    }
    for (InputFile& file : schema_files_in(names_.front(), options_.storage)) {
      files_.push_back({std::move(file), {}});
    }
    if (files_.empty()) return false;
    out_.problems.clear();
    out_.errors.clear();
    return true;
  }

  void read_alone(FileRead& file) {
    try {
      file.schema = read_schema(file.file.path, system_, options_, meaning_);
    } catch (const Error& error) {
      if (!is_about_input(error)) throw;
      add_unreadable(file.file.path, error);
      out_.unreadable.push_back(file.file.below);
    }
  }

  /// Reads the files that can be read as one table, if they are one.
  bool read_together() {
    Locations paths;
    for (const FileRead& file : files_) paths.push_back(file.file.path);
    if (out_.problems.empty() && !options_.unify) return false;
    try {
      std::vector<Error> faults;
      SchemaInput schema = read_schema(paths, system_, options_, meaning_, &faults);
      if (!faults.empty()) return false;
      out_.tables.push_back({paths, name_of(paths), "", std::move(schema)});
      return true;
    } catch (const Error& error) {
      if (!is_about_input(error) || options_.unify) throw;
      return false;
    }
  }

  /// Returns how the schema of a file differs from that of another; nothing if it does not.
  std::optional<Error> difference(const FileRead& file, const FileRead& first) const {
    if (file.schema->system != first.schema->system) {
      return Error(ErrorCode::Input,
                   fmt::format("expected the schema of the first input, found one of {}",
                               file.schema->system->name),
                   {.file = shown_name(file.file.path)});
    }
    const hub::Refine refine =
        crosswalk::source_refinement(first.schema->system, options_.annotations);
    try {
      const std::string name = shown_name(file.file.path);
      crosswalk::check_one_meaning({first.schema->system, first.schema->hub, options_.annotations},
                                   {first.schema->system, file.schema->hub, options_.annotations},
                                   name);
      (void)same_schema(file.schema->hub, first.schema->hub, refine, name);
      return std::nullopt;
    } catch (const Error& error) {
      return error;
    }
  }

  /// Returns true if two files seem to be meant as one table: they share most columns, or have
  /// names that differ only in digits, and one has all columns of the other.
  static bool seem_one(const FileRead& file, const FileRead& first) {
    const auto& a = file.schema->hub.fields;
    const auto& b = first.schema->hub.fields;
    const auto shared = std::ranges::count_if(a, [&](const hub::Field& field) {
      return std::ranges::find(b, field.name, &hub::Field::name) != b.end();
    });
    const bool are_alike = without_digits(file.file.path) == without_digits(first.file.path);
    const auto count = static_cast<size_t>(shared);
    return 2 * count > std::max(a.size(), b.size()) ||
           (are_alike && count > 0 && count == std::min(a.size(), b.size()));
  }

  /// Makes tables of files that are not one.
  void group() {
    std::vector<const FileRead*> firsts;
    for (FileRead& file : files_) {
      const std::string alike = without_digits(file.file.path);
      const auto same = std::ranges::find_if(firsts, [&](const FileRead* first) {
        return without_digits(first->file.path) == alike && !difference(file, *first);
      });
      if (same != firsts.end()) {
        out_.tables[static_cast<size_t>(same - firsts.begin())].paths.push_back(file.file.path);
        continue;
      }
      firsts.push_back(&file);
      out_.tables.push_back({{file.file.path}, "", file.file.below, {}});
    }
    for (size_t i = 0; i < firsts.size(); ++i) {
      InputTable& table = out_.tables[i];
      table.name = name_of(table.paths);
      const auto before = firsts.begin() + static_cast<ptrdiff_t>(i);
      const auto partner = std::find_if(firsts.begin(), before, [&](const FileRead* other) {
        return names_.size() > 1 || seem_one(*firsts[i], *other);
      });
      if (partner == before) continue;
      if (const std::optional<Error> differs = difference(*firsts[i], **partner)) {
        out_.problems.push_back(problem("differs", table.name, *differs));
      }
    }
    for (size_t i = 0; i < firsts.size(); ++i) {
      InputTable& table = out_.tables[i];
      table.schema = table.paths.size() == 1
                         ? *firsts[i]->schema
                         : read_schema(table.paths, system_, options_, meaning_);
    }
  }

  const Locations& names_;
  std::optional<crosswalk::System> system_;
  const InputOptions& options_;
  Meaning meaning_;
  Files apart_;
  InputTables out_;
  std::vector<FileRead> files_;
};

}  // namespace

void InputTables::forget_differences() {
  if (tables.size() < 2) return;
  std::erase_if(problems, [](const Problem& problem) { return problem.kind == "differs"; });
}

bool is_about_input(const Error& error) {
  return error.code() != ErrorCode::Interrupted && error.code() != ErrorCode::Internal;
}

Problem problem_of(const std::string& input, const Error& error) {
  return problem("error", input, error);
}

std::vector<Problem> spelled(std::vector<Problem> problems, hub::Interface interface) {
  for (Problem& problem : problems) {
    problem.text = hub::spelled(problem.text, interface);
    problem.hint = hub::spelled(problem.hint, interface);
  }
  return problems;
}

bool may_be_several(const Locations& names, const StorageOptions& storage) {
  if (names.size() > 1) return true;
  const Location& name = names.front();
  return !name.is_standard() &&
         (look_at(name, storage) == NameKind::Folder || is_pattern(name, storage));
}

std::vector<FoundFile> find_files(const Locations& names, const InputOptions& options) {
  std::vector<FoundFile> out;
  for (Location& name : with_folders_named(names, options.storage)) {
    try {
      for (InputFile& file : input_files({name}, options).files) {
        out.push_back({std::move(file), {}});
      }
    } catch (const Error& error) {
      if (!is_about_input(error)) throw;
      out.push_back({{.path = std::move(name), .partition = {}, .below = {}}, error});
    }
  }
  return out;
}

std::string name_of(const Locations& paths) {
  if (paths.size() == 1) return shown_name(paths.front());
  return fmt::format("{} and {} more", shown_name(paths.front()), grouped(paths.size() - 1));
}

InputTables read_tables(const Locations& names, std::optional<crosswalk::System> system,
                        const InputOptions& options, Meaning meaning) {
  return Reader(names, system, options, meaning, Files::Together).read();
}

InputTables read_files_apart(const Locations& names, std::optional<crosswalk::System> system,
                             const InputOptions& options, Meaning meaning) {
  return Reader(names, system, options, meaning, Files::Apart).read();
}

Input open_table(const InputTable& table, InputOptions options) {
  options.inferred = table.schema.file_notes.inferred;
  return open_input(table.paths, options);
}

std::optional<uint64_t> recorded_rows(const InputTable& table, const InputOptions& options) {
  try {
    return rows_recorded(table.paths, options);
  } catch (const Error& error) {
    if (!is_about_input(error)) throw;
    // A schema file has no rows.
    return std::nullopt;
  }
}

namespace {

InputTables read_side(const InputSide& side, Files files) {
  return Reader(side.names, side.system, side.options, Meaning::Needed, files).read();
}

/// Pairs tables by name.
void pair_by_name(PairedTables* out) {
  const auto partner_of = [](const InputTable& table, const InputTables& other) {
    const auto found = std::ranges::find(other.tables, table.below, &InputTable::below);
    return found == other.tables.end() ? nullptr : &*found;
  };
  const auto unpaired = [&](const InputTable& table, const InputTables& other) {
    // The error of its partner is a problem already.
    const auto& unreadable = other.unreadable;
    if (std::ranges::find(unreadable, table.below) != unreadable.end()) return;
    out->problems.push_back({.kind = "unpaired",
                             .subject = table.name,
                             .text = fmt::format("there is no such table in {}", other.name)});
  };
  for (const InputTable& table : out->left.tables) {
    if (const InputTable* partner = partner_of(table, out->right)) {
      out->pairs.emplace_back(&table, partner);
    } else {
      unpaired(table, out->right);
    }
  }
  for (const InputTable& table : out->right.tables) {
    if (partner_of(table, out->left) == nullptr) unpaired(table, out->left);
  }
}

}  // namespace

report::ReportSet PairedTables::set(hub::Interface interface) const {
  report::ReportSet out;
  out.kind = "tables";
  out.name = fmt::format("{} and {}", left.name, right.name);
  out.problems = spelled(problems, interface);
  for (const auto& [first, second] : pairs) {
    out.recorded_rows.push_back(is_one() ? std::nullopt : recorded_rows(*first, left_options));
  }
  return out;
}

std::unique_ptr<PairedTables> read_pairs(const InputSide& left, const InputSide& right) {
  auto out = std::make_unique<PairedTables>();
  out->left_options = left.options;
  out->left = read_side(left, Files::Together);
  out->right = read_side(right, Files::Together);
  // Schema files of two folders are paired by name, also if there is one on each side.
  const auto have_one_name = [&] {
    const std::string& first = out->left.tables.front().below;
    const std::string& second = out->right.tables.front().below;
    return first.empty() || second.empty() || first == second;
  };
  const bool is_pair = out->left.tables.size() == 1 && out->right.tables.size() == 1 &&
                       out->left.errors.empty() && out->right.errors.empty() && have_one_name();
  if (!is_pair) {
    out->left = read_side(left, Files::Apart);
    out->right = read_side(right, Files::Apart);
  }
  for (const InputTables* side : {&out->left, &out->right}) {
    std::ranges::copy(side->problems, std::back_inserter(out->problems));
  }
  if (is_pair) {
    out->pairs.emplace_back(out->left.tables.data(), out->right.tables.data());
  } else {
    pair_by_name(out.get());
  }
  return out;
}

}  // namespace xwalk::io
