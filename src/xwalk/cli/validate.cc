#include "xwalk/parquet/validate.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/schema_memory.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/schema_rules.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/group_order.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/formats/parquet_validate.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/pipeline.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/watched_reader.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/module.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/key_order.h"

namespace xwalk::cli {
namespace {

/// Maximum number of bad rows that are described. The rest are counted.
constexpr uint64_t kDescribed = 20;

struct Options {
  io::OptionTokens tokens;
  std::vector<std::string> inputs;
  bool values = false;
  bool rules = false;
  /// How the rows are opened, and the names and types that they are to fit.
  io::InputOptions reading;
  crosswalk::PlanOptions columns;
};

/// The rows read from one file.
struct FileRows {
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
  /// Whether the schema breaks rules, so that the rows are not read.
  bool broken = false;
  /// Whether reading ended with an error.
  bool unreadable = false;
};

/// The rows read, and their problems.
struct Outcome {
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
  /// Whether a rule of the schema is broken.
  bool rule_broken = false;
  /// Findings that are not errors.
  hub::Findings notes;
  Json errors = Json::array();
  /// By file, in the order in which they were read.
  std::vector<std::string> names;
  std::map<std::string, FileRows, std::less<>> files;
  /// The errors of files that cannot be read.
  std::vector<Error> unreadable;
};

/// Describes bad values, the first of them.
class Describer {
 public:
  Describer(std::string file, Session& session, ProgressLine& line, Outcome& out)
      : file_(std::move(file)), session_(session), line_(line), out_(out) {}

  void add(const hub::BadRow& bad) {
    ++out_.files[file_.empty() ? name_of(bad.error.place().file) : file_].bad_rows;
    if (++described_ > kDescribed) return;
    line_.clear();
    Error error = bad.error;
    if (error.place().file.empty()) error.place().file = file_;
    if (session_.json) {
      out_.errors.push_back(error_json(error));
    } else {
      session_.print(spelled_for_program(error).describe() + "\n");
    }
  }
  void finish() {
    if (described_ <= kDescribed || session_.json) return;
    session_.print(fmt::format("… and {} more\n", grouped(described_ - kDescribed)));
  }

 private:
  /// Returns the input that errors call so.
  std::string name_of(const std::string& shown) const {
    const auto found = std::ranges::find_if(out_.names, [&](const std::string& name) {
      return name == shown || io::shown_name(name) == shown || (name == "-" && shown == "<stdin>");
    });
    return found == out_.names.end() ? shown : *found;
  }

  std::string file_;  ///< the only one, else ""
  Session& session_;
  ProgressLine& line_;
  Outcome& out_;
  uint64_t described_ = 0;
};

void print_finding(const std::string& file, const hub::Finding& finding, Session& session,
                   Json* errors) {
  const bool violation = hub::is_violation(finding);
  if (session.json) {
    errors->push_back({{"file", shown_name(file)},
                       {"path", finding.path.text()},
                       {"rule", finding.rule},
                       {"found", finding.lost},
                       {"violation", violation}});
    return;
  }
  const std::string path = finding.path.empty() ? "" : shortened_path(finding.path.text()) + ": ";
  session.print(fmt::format("{}: {}: {}{} ({})\n", visible(shown_name(file)),
                            violation ? "error" : "note", visible(path),
                            visible(shortened(finding.lost)), finding.rule));
}

/// Findings that are the same in several files are reported once, with the first.
class AlikeFindings {
 public:
  void add(const std::string& file, const hub::Finding& finding) {
    for (Reported& reported : reported_) {
      const hub::Finding& other = reported.finding;
      if (other.rule != finding.rule || other.path != finding.path || other.lost != finding.lost ||
          other.effect != finding.effect) {
        continue;
      }
      ++reported.files;
      return;
    }
    reported_.push_back({file, finding, 1});
  }
  void print(Session& session, Json* errors) {
    for (Reported& reported : reported_) {
      if (reported.files > 1) {
        reported.finding.lost +=
            fmt::format("; the same in {} more", counted(reported.files - 1, "file"));
      }
      print_finding(reported.file, reported.finding, session, errors);
    }
  }

 private:
  struct Reported {
    std::string file;
    hub::Finding finding;
    uint64_t files;
  };
  std::vector<Reported> reported_;
};

/// Checks the rules of Parquet files, and every value if asked.
void check_parquet(const io::Locations& files, const Options& options, ProgressLine& line,
                   Session& session, Outcome* out) {
  AlikeFindings alike;
  io::check_storage(options.reading.storage, files);
  for (const std::string& file : files) {
    Describer describer(file, session, line, *out);
    io::ParquetValidationOptions validation;
    validation.values = options.values;
    validation.max_memory = options.reading.max_memory;
    validation.threads = options.reading.threads;
    validation.cancelled = &interrupted();
    validation.on_progress = [&](const io::Progress& progress) { line.show(progress); };
    validation.on_bad_value = [&](const hub::BadRow& bad) { describer.add(bad); };
    const io::ParquetValidation found = io::validate_parquet(
        io::with_window(io::open_source(file, options.reading.storage, io::first_fetch(file)),
                        validation.max_memory),
        validation);
    line.clear();
    describer.finish();
    out->rows += found.rows;
    out->files[file].rows += found.rows;
    out->bad_rows += found.bad_rows;
    for (const hub::Finding& finding : found.findings) {
      out->rule_broken = out->rule_broken || hub::is_violation(finding);
      out->notes.push_back(finding);
      alike.add(file, finding);
    }
  }
  alike.print(session, &out->errors);
}

/// Checks the rules of Arrow's schemas, which files may break.
void check_arrow(const io::Input& input, Session& session, Outcome* out) {
  const crosswalk::System arrow = input.format->system;
  for (const hub::Finding& finding : arrow->validate({arrow, input.reader->schema()})) {
    out->rule_broken = out->rule_broken || hub::is_violation(finding);
    print_finding(input.files.front(), finding, session, &out->errors);
  }
}

/// Returns the order that the schema of rows promises, a table schema or xwalk's annotations in a
/// file. What several files promise holds in each of them.
yt::KeyOrder order_of(const io::Input& input, const Options& options) {
  const hub::Schema& rows = input.reader->schema();
  const bool by_file = input.files.size() > 1 && !options.reading.unify;
  const bool is_own = by_file && input.table_schema.has_value();
  return {is_own ? yt::to_arrow(*input.table_schema) : rows, rows,
          options.reading.values.uuid_order};
}

/// Reads all rows as any command does. `file` is used for errors without a file.
void read_rows(io::SplitReader& reader, const std::string& file, const yt::KeyOrder& order,
               const Options& options, ProgressLine& line, Session& session, Outcome* out) {
  Describer describer(file, session, line, *out);
  io::PipelineOptions pipeline;
  pipeline.threads = options.reading.threads;
  pipeline.skip_bad_rows = true;
  pipeline.cancelled = &interrupted();
  pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  pipeline.on_bad_row = [&](const hub::BadRow& bad) { describer.add(bad); };
  std::mutex mutex;
  io::WatchedReader watched(&reader, [&](std::string_view its, const hub::Batch& batch) {
    const std::lock_guard lock(mutex);
    out->files[its.empty() ? file : std::string(its)].rows += static_cast<uint64_t>(batch.rows());
  });
  std::unique_ptr<hub::BatchWriter> ordered;
  if (!order.empty()) {
    ordered = std::make_unique<io::OrderedWriter>(
        nullptr, io::RowOrder(order, io::RowOrder::Before::LastRow, /*by_file=*/file.empty()));
  }
  const io::Progress done = io::run_pipeline(watched, nullptr, ordered.get(), pipeline);
  line.clear();
  describer.finish();
  out->rows += done.rows + done.bad_rows;
  out->bad_rows += done.bad_rows;
  hub::Findings fresh;
  for (hub::Finding& note : io::notes_of(reader)) {
    const bool reported = std::ranges::any_of(out->notes, [&](const hub::Finding& other) {
      return other.rule == note.rule && other.path == note.path;
    });
    if (!reported) fresh.push_back(std::move(note));
  }
  if (session.json) {
    for (const hub::Finding& note : fresh) {
      print_finding(options.inputs.front(), note, session, &out->errors);
    }
  } else {
    print_notes(fresh, session);
  }
}

/// Reads the rows of Parquet files in forms that hold every value the format has: an INTERVAL is
/// no worse for being more than Arrow holds.
void read_parquet(const io::Locations& files, const Options& options, ProgressLine& line,
                  Session& session, Outcome* out) {
  const SchemaMemoryScope scope(options.reading.max_memory);
  for (const std::string& file : files) {
    io::ParquetInputOptions reading;
    reading.max_memory = options.reading.max_memory;
    reading.threads = options.reading.threads;
    reading.storage = true;
    reading.arrow_schema = false;
    auto source = io::with_window(
        io::open_source(file, options.reading.storage, io::first_fetch(file)), reading.max_memory);
    io::need_schema(*source);
    // Notes are asked only where they promise more of values than the file itself.
    const hub::Refine promised =
        crosswalk::source_refinement(parquet::kModule, /*annotations=*/true);
    const auto access = memory_access(*source->window(), file);
    const std::string bytes = parquet::read_footer_bytes(*access);
    const parquet::Footer footer = parquet::read_footer(*access);
    const hub::Schema plain = io::parquet_arrow_schema(footer, reading);
    reading.arrow_schema = true;
    const hub::Schema annotated = io::parquet_arrow_schema(footer, reading);
    const yt::UuidOrder uuids = options.reading.values.uuid_order;
    const bool is_sorted = !yt::KeyOrder(annotated, annotated, uuids).empty();
    reading.arrow_schema =
        is_sorted || !hub::compile_promises(annotated, promised, &plain).is_identity();
    auto reader = io::check_promises(io::open_parquet(std::move(source), reading), promised, file);
    io::GroupOrderCheck groups(bytes, footer.schema, reader->schema());
    reader = io::check_group_order(std::move(reader), std::move(groups));
    const yt::KeyOrder order(annotated, reader->schema(), uuids);
    read_rows(*reader, file, order, options, line, session, out);
  }
}

int conclude(const Options& options, Outcome& out, bool rows_were_read, Session& session) {
  const bool sound = out.bad_rows == 0 && !out.rule_broken && out.unreadable.empty();
  const int code = worst_code(out.unreadable, !sound);
  if (!rows_were_read) out.names.clear();
  if (session.json) {
    Json files = Json::array();
    for (const std::string& name : out.names) {
      const FileRows& its = out.files[name];
      files.push_back({{"file", shown_name(name)}, {"rows", its.rows}, {"bad_rows", its.bad_rows}});
    }
    Json json = {{"rows", out.rows},
                 {"bad_rows", out.bad_rows},
                 {"files", std::move(files)},
                 {"errors", std::move(out.errors)}};
    session.print(json_text(json) + "\n");
    return code;
  }
  const auto judged = [&](bool is_sound, uint64_t bad_rows) {
    if (is_sound) return session.out().paint(Ink::Good, "valid");
    return session.out().paint(
        Ink::Bad, bad_rows == 0 ? "invalid" : fmt::format("{} invalid", grouped(bad_rows)));
  };
  if (out.names.size() > 1) {
    for (const std::string& name : out.names) {
      const FileRows& its = out.files[name];
      if (its.unreadable) {
        session.print(fmt::format("{}: {}\n", visible(shown_name(name)),
                                  session.out().paint(Ink::Bad, "cannot be read")));
        continue;
      }
      const bool is_sound = its.bad_rows == 0 && !its.broken;
      session.print(fmt::format("{}: {}, {}\n", visible(shown_name(name)), counted(its.rows, "row"),
                                judged(is_sound, its.bad_rows)));
    }
  }
  const std::string verdict = judged(sound, out.bad_rows);
  session.print(fmt::format("{}: {}{}\n", visible(io::name_of(options.inputs)),
                            rows_were_read ? counted(out.rows, "row") + ", " : "", verdict));
  return code;
}

/// Returns whether every input is a Parquet file by its bytes.
bool all_parquet(const io::Locations& inputs, const io::StorageOptions& storage) {
  return std::ranges::all_of(inputs, [&](const io::Location& path) {
    return !path.is_standard() && io::look_at(path, storage) == io::NameKind::File &&
           parquet::is_parquet(io::open_source(path, storage)->peek(4));
  });
}

/// Checks a schema against the rules of its system; returns whether none is broken.
bool check_schema_rules(const std::string& path, const Options& options, Session& session) {
  const hub::Findings findings =
      io::check_rules(path, source_system(options.tokens), input_options(options.tokens));
  const bool sound = std::ranges::none_of(findings, hub::is_violation);
  Json list = Json::array();
  for (const hub::Finding& finding : findings) print_finding(path, finding, session, &list);
  if (session.json) {
    session.print(json_text(Json({{"errors", std::move(list)}})) + "\n");
    return sound;
  }
  const std::string verdict =
      sound ? session.out().paint(Ink::Good, "valid") : session.out().paint(Ink::Bad, "invalid");
  session.print(fmt::format("{}: schema, {}\n", visible(shown_name(path)), verdict));
  return sound;
}

/// Checks the rows of an open input, and the rules of files that have their own.
void check_input(io::Input input, const Options& options, ProgressLine& line, Session& session,
                 Outcome* out) {
  // No writer takes the batches, and YTsaurus holds such values.
  *input.special_decimals = true;
  const bool is_parquet = input.format == io::kParquetRows;
  if (is_parquet) check_parquet(input.files, options, line, session, out);
  const bool as_stored = options.columns.rename.empty() && options.columns.casts.empty();
  const bool whole = options.reading.select.empty() && !options.reading.limit && as_stored;
  if (is_parquet && !options.values && whole) {
    read_parquet(input.files, options, line, session, out);
  } else if (!is_parquet || !options.values) {
    // A piece does not name the file if there is only one.
    const std::string file = input.files.size() == 1 ? input.files.front() : "";
    if (input.format->system->is_hub) check_arrow(input, session, out);
    io::ConvertOptions shaping;
    shaping.plan = options.columns;
    const yt::KeyOrder order = as_stored ? order_of(input, options) : yt::KeyOrder();
    input.reader = io::shaped(std::move(input.reader), input.format->system, shaping);
    read_rows(*input.reader, file, order, options, line, session, out);
  }
}

/// Returns true if all files can be read as one input: each has the schema of the first.
bool are_alike(const io::Input& input, const io::InputOptions& opening) {
  std::vector<Error> faults;
  io::check_alike(input, opening, &faults);
  return faults.empty();
}

/// Checks the rules of Parquet files whose rows cannot be read: a schema that breaks rules may have
/// no meaning to read rows by. Returns true if rules are broken, and so are the reason.
bool breaks_rules(const Error& error, const io::Locations& files, const Options& options,
                  ProgressLine& line, Session& session, Outcome* out) {
  if (error.code() != ErrorCode::Input && error.code() != ErrorCode::Unsupported) return false;
  if (!all_parquet(files, options.reading.storage)) return false;
  Outcome its;
  try {
    check_parquet(files, options, line, session, &its);
  } catch (const Error& fault) {
    // A file that is cut off has no schema that could break rules.
    if (!io::is_about_input(fault)) throw;
    return false;
  }
  out->rule_broken = out->rule_broken || its.rule_broken;
  for (auto& found : its.errors) out->errors.push_back(std::move(found));
  return its.rule_broken;
}

/// Returns true if each of several files promises an order, which their rows together do not have.
bool are_sorted_apart(const io::Input& input) {
  return !input.table_schema && input.format != io::kParquetRows &&
         std::ranges::any_of(io::notes_of(*input.reader),
                             [](const hub::Finding& note) { return note.rule == "key.lost"; });
}

/// Checks each file by its own schema. A file that cannot be read has its own error.
void check_apart(const io::Locations& files, io::InputOptions opening, const Options& options,
                 ProgressLine& line, Session& session, Outcome* out) {
  const auto left = options.reading.limit;
  for (const std::string& file : files) {
    if (left) opening.limit = *left - std::min(*left, static_cast<int64_t>(out->rows));
    if (std::ranges::find(out->names, file) == out->names.end()) out->names.push_back(file);
    try {
      io::Input input = io::open_input({file}, opening);
      if (input.file_notes.inferred != opening.inferred)
        tell_files(file, input.file_notes, session);
      check_input(std::move(input), options, line, session, out);
    } catch (const Error& error) {
      if (!io::is_about_input(error)) throw;
      line.clear();
      if (breaks_rules(error, {file}, options, line, session, out)) {
        out->files[file].broken = true;
        continue;
      }
      out->files[file].unreadable = true;
      Error found = error;
      if (found.place().file.empty()) found.place().file = shown_name(file);
      if (session.json) {
        out->errors.push_back(error_json(found));
      } else {
        (void)report(session, found);
      }
      out->unreadable.push_back(std::move(found));
    }
  }
}

/// Returns true if files may be checked one by one: their rows are not chosen from all of them, and
/// each can be opened again.
bool may_be_apart(const Options& options, const io::InputOptions& opening) {
  const auto is_one = [](const io::Location& name) {
    return name.is_standard() || name.is_cluster();
  };
  return !opening.unify && !opening.sample && !opening.tail &&
         std::ranges::none_of(options.inputs, is_one);
}

/// Checks the rules of all inputs; returns the exit code.
int run_rules(const Options& options, Session& session) {
  bool sound = true;
  for (const std::string& input : options.inputs) {
    sound = check_schema_rules(input, options, session) && sound;
  }
  return sound ? kDone : kFound;
}

int run(Options& options, Session& session) {
  if (options.rules) return run_rules(options, session);
  ProgressLine line(session);
  io::ConvertOptions read = read_row_options(options.tokens);
  options.reading = std::move(read.input);
  options.columns = std::move(read.plan);
  io::InputOptions opening = options.reading;
  opening.skip_bad_rows = true;
  Outcome out;
  io::Input input;
  try {
    input = open_rows(options.inputs, opening, session);
  } catch (const Error& error) {
    if (!io::is_about_input(error)) throw;
    io::Locations files;
    // A name without files is reported like a file that cannot be read.
    for (const io::FoundFile& found : io::find_files(options.inputs, opening)) {
      files.push_back(found.file.path);
    }
    if (files.size() < 2 || !may_be_apart(options, opening)) {
      if (!breaks_rules(error, options.inputs, options, line, session, &out)) throw;
      return conclude(options, out, /*rows_were_read=*/false, session);
    }
    check_apart(files, opening, options, line, session, &out);
    return conclude(options, out, /*rows_were_read=*/true, session);
  }
  out.names.assign(input.files.begin(), input.files.end());
  if (!may_be_apart(options, opening) || (are_alike(input, opening) && !are_sorted_apart(input))) {
    check_input(std::move(input), options, line, session, &out);
  } else {
    // Files without a schema share the one that was inferred from all of them.
    opening.inferred = input.file_notes.inferred;
    check_apart(input.files, opening, options, line, session, &out);
  }
  return conclude(options, out, /*rows_were_read=*/true, session);
}

}  // namespace

Verb validate_verb() {
  return {
      "validate",
      "checks every row against its schema, writes nothing",
      "IN... [--schema S]",
      {{"xwalk validate events.yson --schema events.schema", ""},
       {"xwalk validate --rules --from parquet message.txt", "only the schema, without rows"},
       {"xwalk validate part-*.yson.zst --json", "errors as JSON"}},
      "Exits 1 if anything is invalid. The first 20 errors are described, the rest are counted.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<Options>();
        add_rest(command, "IN", &options->inputs, "files, a folder, URIs or -")->required();
        add_flag(command, "--values", &options->values,
                 "check every value of a Parquet file against its annotation")
            ->group("Checks");
        add_flag(command, "--rules", &options->rules,
                 "check only the schema against its system's rules; IN may be a schema file")
            ->group("Checks");
        declare_options(command, io::kValidate, &options->tokens);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
