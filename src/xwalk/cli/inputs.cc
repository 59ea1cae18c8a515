#include "xwalk/cli/inputs.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/wide_heap.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/parquet/file.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/infer.h"

namespace xwalk::cli {

namespace {

/// Maximum number of columns of an inferred schema to show, one line each.
constexpr size_t kShownColumns = 20;

/// Returns true for a Parquet file with a long footer. Read errors are reported later by its
/// reader.
bool is_wide(const std::string& path) {
  constexpr uint64_t kWide = uint64_t{1} << 19;
  // A pipe would be read by a look at it.
  std::error_code no_file;
  if (!std::filesystem::is_regular_file(path, no_file)) return false;
  try {
    const auto file = open_random_access(path);
    return file->size() > kWide && parquet::is_parquet(file->read(0, 4)) &&
           parquet::footer_size(*file) >= kWide;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void prepare_for(const io::Locations& paths) {
  constexpr size_t kModule = size_t{28} << 20;
  if (std::ranges::any_of(paths, is_wide)) prepare_heap(kModule);
}

namespace {

/// Reports a schema that was inferred, even with --quiet: no person has looked at its types.
/// `shown` prints its columns, one per line.
void tell_inferred(const std::string& path, const io::InferredSchema& inferred, bool shown,
                   Session& session) {
  std::string line = fmt::format("{}: no schema given, inferred from ", visible(path));
  line += !inferred.first_rows ? std::string("all rows")
          : *inferred.first_rows == 1
              ? std::string("the first row")
              : fmt::format("the first {} rows", grouped(*inferred.first_rows));
  for (const std::string& near : inferred.near_schemas) {
    session.warn(fmt::format("note: {0} is not used. To use it, give --schema {0}", visible(near)));
  }
  if (!inferred.beyond.empty()) session.warn("note: " + io::note_of_beyond(inferred));
  if (session.quiet) return session.warn(line + " (schema.inferred)");
  if (!shown) return session.note(line);
  if (inferred.table.columns.empty()) return session.note(line + ": no columns");
  yt::TableSchema schema = inferred.table;
  yt::set_integers_in_doubles(false, &schema);
  const size_t columns = schema.columns.size();
  if (columns > kShownColumns) schema.columns.resize(kShownColumns);
  std::string lines = "\n" + yt::print(schema, yt::SchemaForm::Short);
  while (lines.ends_with('\n')) lines.pop_back();
  for (size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 3) {
    lines.replace(at, 1, "\n  ");
  }
  if (columns > kShownColumns) {
    lines += fmt::format("\n  and {} more (xwalk schema shows them all)",
                         grouped(columns - kShownColumns));
  }
  session.note_lines(fmt::format("{}:{}", line, lines));
}

}  // namespace

void tell_files(const std::string& name, const io::FileNotes& notes, Session& session,
                Inferred inferred) {
  if (notes.inferred) tell_inferred(name, *notes.inferred, inferred == Inferred::InNote, session);
  constexpr size_t kNamed = 5;
  const std::vector<std::string>& aside = notes.left_aside;
  for (size_t i = 0; i < aside.size() && i < kNamed; ++i) {
    session.note(fmt::format("note: {} {}", visible(aside[i]), io::reason_of_leaving(aside[i])));
  }
  if (aside.size() > kNamed) {
    session.note(fmt::format("note: nor are {} more", grouped(aside.size() - kNamed)));
  }
  for (const io::FileNotes::Unified& file : notes.unified) {
    for (const auto& [path, change] : file.changes) {
      session.note(fmt::format("note: {}: {}: {}", visible(file.path), shortened_path(path.text()),
                               shortened(change)));
    }
  }
}

void show_work(io::ConvertOptions* options, ProgressLine& line, Session& session) {
  options->on_open = [&session, &line](const io::Location& name, const io::FileNotes& notes) {
    line.clear();
    tell_files(name, notes, session);
  };
  options->pipeline.cancelled = &interrupted();
  options->pipeline.on_progress = [&line](const io::Progress& now) { line.show(now); };
  options->on_tables = [&line](const io::TablesProgress& now) { line.show(now); };
}

io::Input open_rows(const io::Locations& paths, const io::InputOptions& options, Session& session) {
  io::Input input = io::open_input(paths, options);
  tell_files(paths.front(), input.file_notes, session);
  return input;
}

void tell_problems(const std::vector<report::Problem>& problems, Session& session) {
  for (const report::Problem& problem : problems) {
    Place place;
    place.file = problem.subject;
    (void)report(session, Error(ErrorCode::Input, problem.whole(), std::move(place)));
  }
}

Json problems_json(const std::vector<report::Problem>& problems) {
  Json out = Json::array();
  for (const report::Problem& problem : io::spelled(problems, hub::Interface::Program)) {
    out.push_back(
        {{"problem", problem.kind}, {"subject", problem.subject}, {"text", problem.whole()}});
  }
  return out;
}

std::unique_ptr<io::PairedTables> read_pairs(const std::string& left,
                                             const io::OptionTokens& left_options,
                                             const std::string& right,
                                             const io::OptionTokens& right_options,
                                             Session& session) {
  prepare_for({left, right});
  std::unique_ptr<io::PairedTables> found =
      io::read_pairs({{left}, source_system(left_options), side_options(left_options)},
                     {{right}, source_system(right_options), side_options(right_options)});
  for (const auto& [first, second] : found->pairs) {
    for (const io::InputTable* table : {first, second}) {
      tell_schema(table->paths.front(), table->schema, Inferred::InNote, session);
    }
  }
  return found;
}

crosswalk::System system_argument(const std::string& option, const std::string& word) {
  if (auto system = crosswalk::parse_system(word)) return *system;
  throw unknown_word(option, word, crosswalk::system_names());
}

std::optional<crosswalk::System> source_system(const io::OptionTokens& tokens) {
  const std::optional<std::string> from = value_of(tokens, hub::Option::Format);
  if (!from) return std::nullopt;
  if (!io::names_format(*from)) return system_argument("--from", *from);
  // As `convert` takes it.
  io::InputOptions input;
  io::set_format(*from, &input);
  return (*input.format)->system;
}

io::SchemaInput read_schema(const io::Locations& paths, const io::OptionTokens& tokens,
                            Session& session, io::Meaning meaning, Inferred inferred) {
  return read_schema(paths, tokens, input_options(tokens), session, meaning, inferred);
}

io::SchemaInput read_schema(const io::Locations& paths, const io::OptionTokens& tokens,
                            const io::InputOptions& reading, Session& session, io::Meaning meaning,
                            Inferred inferred) {
  const std::optional<crosswalk::System> system = source_system(tokens);
  prepare_for(paths);
  io::SchemaInput input = io::read_schema(paths, system, reading, meaning);
  tell_schema(paths.front(), input, inferred, session);
  return input;
}

void tell_schema(const std::string& path, const io::SchemaInput& input, Inferred inferred,
                 Session& session) {
  tell_files(path, input.file_notes, session, inferred);
  if (input.meaningless) {
    session.note(fmt::format("note: {}: {} (xwalk validate names every broken rule)",
                             shortened_path(input.meaningless->place().path.text()),
                             shortened(input.meaningless->message())));
  }
}

bool is_about_values(const hub::Finding& note) { return note.rule == "keys.duplicates"; }

void print_notes(const hub::Findings& notes, Session& session) {
  for (const hub::Finding& note : notes) {
    const std::string path = note.path.empty() ? "" : shortened_path(note.path.text()) + ": ";
    const std::string line =
        fmt::format("note: {}{} ({})", path,
                    shortened(hub::spelled(note.lost, hub::Interface::Program)), note.rule);
    if (is_about_values(note)) {
      session.warn(line);
    } else {
      session.note(line);
    }
  }
}

}  // namespace xwalk::cli
