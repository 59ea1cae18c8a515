#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/row_csv.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/report/markup.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/values.h"

namespace xwalk::cli {
namespace {

enum class Shape : uint8_t { Table, Json, Yson, Csv, Markdown, Html };

/// Rows shown unless the user says otherwise: fits a small terminal with its command line.
constexpr int64_t kRows = 10;
/// Columns of a table that is not on a terminal, unless values are longer: they are not cut.
constexpr int kPipeWidth = 120;
/// More than a terminal shows of a cell.
constexpr size_t kCellBytes = size_t{1} << 16;
/// More of a cell than anything that reads a table of text needs: all rows of a table are in
/// memory.
constexpr size_t kPipeCellBytes = size_t{1} << 20;
/// The bytes of JSON that a character of a cell takes at most: cells are made of JSON.
constexpr size_t kJsonBytes = 6;

struct HeadOptions {
  io::OptionTokens tokens;
  std::vector<std::string> inputs;
  std::optional<int64_t> count;
  Shape shape = Shape::Table;
  bool vertical = false;
  /// The last rows, not the first.
  bool last = false;
};

bool is_number(const hub::Field& field) {
  hub::Kind kind = field.type.kind();
  return hub::is_integer(kind) || hub::is_decimal(kind) || kind == hub::Kind::Float ||
         kind == hub::Kind::Double || kind == hub::Kind::HalfFloat;
}

/// Prints values. They must not bring their own colours to a terminal.
void print_values(std::string_view text, Session& session) {
  session.print(session.out().is_terminal() ? harmless(text, /*colors=*/false) : text);
}

void print_json(hub::BatchReader& reader, Session& session) {
  while (auto batch = reader.next()) {
    for (int64_t row = 0; row < batch->rows(); ++row) {
      std::string line;
      hub::append_json_row(
          reader.schema(), batch->array, row, &line,
          [&](std::string* text) {
            print_values(*text, session);
            text->clear();
          },
          crosswalk::holds_yson);
      line += '\n';
      print_values(line, session);
    }
  }
}

/// Bytes that go to standard output as they come.
class SessionSink final : public ByteSink {
 public:
  explicit SessionSink(Session& session) : session_(session) {}
  void write(std::string_view bytes) override {
    print_values(bytes, session_);
    position_ += bytes.size();
  }
  void finish() override {}
  uint64_t position() const override { return position_; }

 private:
  Session& session_;
  uint64_t position_ = 0;
};

void print_yson(hub::BatchReader& reader, const yt::ValueOptions& values, Session& session) {
  hub::Lowered lowered = hub::lower(reader.schema(), yt::kCapabilities);
  const yt::FromArrow mapped = yt::from_arrow(lowered.schema);
  const hub::CompiledCast cast = hub::compile_cast(reader.schema(), yt::to_arrow(mapped.schema),
                                                   {.renames = std::move(lowered.renames)});
  auto writer = yt::write_rows(std::make_unique<SessionSink>(session), mapped.schema, values);
  while (auto batch = reader.next()) {
    hub::Batch done = cast.run(std::move(*batch));
    if (!done.bad.empty()) throw done.bad.front().error;
    writer->write(std::move(done));
  }
  writer->finish();
}

void print_csv(hub::BatchReader& reader, Session& session) {
  yson::Buffer line;
  const hub::CsvRows rows(reader.schema(), hub::CsvFormulas::Keep, crosswalk::holds_yson);
  rows.append_header(&line);
  print_values(line.view(), session);
  while (auto batch = reader.next()) {
    for (int64_t row = 0; row < batch->rows(); ++row) {
      line.clear();
      rows.append(batch->array, row, &line);
      print_values(line.view(), session);
    }
  }
}

/// Calls `line` with the cells of each row, which may be cut after `most` bytes.
template <typename Line>
void for_each_row(hub::BatchReader& reader, size_t most, Line line) {
  while (auto batch = reader.next()) {
    for (int64_t row = 0; row < batch->rows(); ++row) {
      std::vector<std::string> cells;
      for (size_t i = 0; i < reader.schema().fields.size(); ++i) {
        cells.push_back(
            batch->array.is_null(row)
                ? "null"
                : visible(hub::cell_text(reader.schema().fields[i], batch->array.children[i],
                                         batch->array.slot(row), most, crosswalk::holds_yson)));
      }
      line(std::move(cells));
    }
  }
}

std::vector<std::string> names_of(const hub::Schema& schema) {
  std::vector<std::string> names;
  for (const hub::Field& field : schema.fields)
    names.push_back(visible(shortened_path(field.name)));
  return names;
}

/// A cell of a table in Markdown, in which nothing is markup.
std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void print_markdown(hub::BatchReader& reader, Session& session) {
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + markdown_cell(cell) + " |";
    print_values(text + "\n", session);
  };
  line(names_of(reader.schema()));
  std::string rule = "|";
  for (const hub::Field& field : reader.schema().fields) {
    rule += is_number(field) ? " ---: |" : " --- |";
  }
  session.print(rule + "\n");
  for_each_row(reader, std::string::npos, line);
}

void print_html(hub::BatchReader& reader, Session& session) {
  session.print("<table>\n<thead><tr>");
  for (const std::string& name : names_of(reader.schema())) {
    session.print(fmt::format("<th scope=\"col\">{}</th>", report::escape_markup(name)));
  }
  session.print("</tr></thead>\n<tbody>\n");
  for_each_row(reader, std::string::npos, [&](const std::vector<std::string>& cells) {
    std::string text = "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
      text += fmt::format("<td{}>{}</td>",
                          is_number(reader.schema().fields[i]) ? " style=\"text-align:right\"" : "",
                          report::escape_markup(cells[i]));
    }
    session.print(text + "</tr>\n");
  });
  session.print("</tbody>\n</table>\n");
}

/// Reads all rows and returns them as a table. Values may be cut, outside a terminal only those of
/// over 1 MiB; `is_cut` says so.
std::string table_text(hub::BatchReader& reader, bool vertical, const Session& session,
                       bool* is_cut) {
  const bool cuts = session.out().is_terminal();
  std::vector<Align> align;
  for (const hub::Field& field : reader.schema().fields) {
    align.push_back(is_number(field) ? Align::Right : Align::Left);
  }
  Table table(names_of(reader.schema()), std::move(align));
  const size_t most = cuts ? kCellBytes : kPipeCellBytes * kJsonBytes;
  for_each_row(reader, most, [&](std::vector<std::string> cells) {
    for (std::string& cell : cells) {
      if (cuts || cell.size() <= kPipeCellBytes) continue;
      cell = cut_utf8(cell, kPipeCellBytes) + "…";
      *is_cut = true;
    }
    table.add(std::move(cells));
  });
  const int width = cuts ? session.out().width() : kPipeWidth;
  const Fit fit = cuts ? Fit::Clip : Fit::Whole;
  return vertical || table.is_too_wide(width)
             ? table.print_vertical(session.out(), width, fit, is_cut)
             : table.print(session.out(), width, fit, is_cut);
}

/// Prints rows of one table. A table is printed when all of its rows were read, with its notes
/// before it, so that nothing is printed if the inputs are not one table.
void print_rows(const HeadOptions& options, const io::Locations& inputs,
                const io::InputOptions& opening, const io::ConvertOptions& read, Session& session) {
  io::Input input = io::open_input(inputs, opening);
  io::ConvertOptions shaping;
  shaping.plan = read.plan;
  input.reader = io::shaped(std::move(input.reader), input.format->system, shaping);
  // A value that a cast rejects is not shown as another one.
  if (!opening.skip_bad_rows) input.reader = io::refuse_bad_rows(std::move(input.reader));
  yt::ValueOptions values = read.output.values;
  values.specials_as_stored = true;
  std::string table;
  bool is_cut = false;
  if (options.shape == Shape::Table) {
    table = table_text(*input.reader, options.vertical, session, &is_cut);
  }
  tell_files(inputs.front(), input.file_notes, session);
  switch (options.shape) {
    case Shape::Json:
      print_json(*input.reader, session);
      break;
    case Shape::Yson:
      print_yson(*input.reader, values, session);
      break;
    case Shape::Table:
      session.print(table);
      if (is_cut) session.note("Values that end with … are cut: --as json shows them whole.");
      break;
    case Shape::Csv:
      print_csv(*input.reader, session);
      break;
    case Shape::Markdown:
      print_markdown(*input.reader, session);
      break;
    case Shape::Html:
      print_html(*input.reader, session);
      break;
  }
  print_notes(io::notes_of(*input.reader), session);
}

/// Prints rows of each of several tables, after its name.
int print_tables(const HeadOptions& options, const io::InputTables& found,
                 const io::InputOptions& opening, const io::ConvertOptions& read,
                 Session& session) {
  std::vector<Error> errors = found.errors;
  std::vector<report::Problem> problems = found.problems;
  bool is_first = true;
  for (const io::InputTable& table : found.tables) {
    const std::string title = session.out().paint(Ink::Bold, visible(table.name)) + "\n";
    session.print(std::exchange(is_first, false) ? title : "\n" + title);
    try {
      print_rows(options, table.paths, opening, read, session);
    } catch (const Error& error) {
      if (!io::is_about_input(error)) throw;
      problems.push_back(io::problem_of(table.name, error));
      errors.push_back(error);
    }
  }
  tell_problems(problems, session);
  return worst_code(errors, !problems.empty());
}

/// Prints the rows of files that have one schema in the columns that were chosen, and returns
/// whether they have.
bool print_chosen(const HeadOptions& options, const io::InputOptions& opening,
                  const io::ConvertOptions& read, Session& session) {
  if (opening.select.empty() && opening.exclude.empty()) return false;
  try {
    print_rows(options, options.inputs, opening, read, session);
    return true;
  } catch (const Error& error) {
    if (!io::is_about_input(error)) throw;
    return false;
  }
}

/// Prints the rows of each table apart if the inputs are several tables, and returns the exit code.
std::optional<int> print_apart(const HeadOptions& options, const io::InputOptions& opening,
                               const io::ConvertOptions& read, Session& session) {
  io::InputTables found = io::read_tables(options.inputs, source_system(options.tokens), opening);
  found.forget_differences();
  if (found.is_one()) return std::nullopt;
  if (print_chosen(options, opening, read, session)) return kDone;
  return print_tables(options, found, opening, read, session);
}

/// Returns true if names of folders are columns of the input, which tables apart would not have.
bool has_partitions(const std::vector<std::string>& inputs, const io::InputOptions& opening) {
  if (!opening.partitions) return false;
  return std::ranges::any_of(io::find_files(inputs, opening), [](const io::FoundFile& found) {
    return !found.file.partition.empty();
  });
}

/// Prints the rows of a file, a folder or a pattern, and returns the exit code. The files of a
/// folder are one table, of which only the first files are opened, until they turn out to be
/// several.
int print_input(const HeadOptions& options, const io::InputOptions& opening,
                const io::ConvertOptions& read, Session& session) {
  try {
    print_rows(options, options.inputs, opening, read, session);
    return kDone;
  } catch (const Error& error) {
    if (options.shape != Shape::Table || opening.unify || !io::is_about_input(error) ||
        !io::may_be_several(options.inputs, opening.storage) ||
        has_partitions(options.inputs, opening)) {
      throw;
    }
    const std::optional<int> code = print_apart(options, opening, read, session);
    if (!code) throw;
    return *code;
  }
}

int run(HeadOptions options, Session& session) {
  const io::ConvertOptions read = read_row_options(options.tokens);
  io::InputOptions opening = read.input;
  // The output is for reading, so specials are not mistaken for numbers.
  opening.plan.special_decimals = true;
  const int64_t count = options.count.value_or(kRows);
  if (options.last) {
    opening.tail = count;
  } else {
    opening.limit = std::min(count, opening.limit.value_or(count));
  }
  if (!options.tokens.contains(hub::Option::BatchRows) && !options.last) {
    opening.batch_rows = std::max<int64_t>(1, std::min<int64_t>(count, limits::kBatchRows));
  }
  if (session.json) options.shape = Shape::Json;
  if (options.shape == Shape::Yson) {
    for (const hub::Option option : io::kYsonRows.takes_to_write) opening.given.erase(option);
  }
  // A few rows are not worth threads.
  if (!options.tokens.contains(hub::Option::Threads)) opening.threads = 1;
  if (options.shape == Shape::Table && !opening.unify && options.inputs.size() > 1) {
    if (const auto code = print_apart(options, opening, read, session)) return *code;
  }
  return print_input(options, opening, read, session);
}

/// Declares the options of a verb that shows the first or the last rows.
template <bool last>
Action declare(CommandLine& command) {
  auto options = std::make_shared<HeadOptions>();
  options->last = last;
  add_rest(command, "IN", &options->inputs, "files, a folder, URIs or -")->required();
  add_number(command, "-n,--rows", &options->count, 0, "N", "how many rows (default: 10)")
      ->group("Output");
  add_choice<Shape>(
      command, "--as", &options->shape,
      {{"table", Shape::Table},
       {"json", Shape::Json},
       {"jsonl", Shape::Json},
       {"yson", Shape::Yson},
       {"csv", Shape::Csv},
       {"markdown", Shape::Markdown},
       {"html", Shape::Html}},
      "an aligned table, JSON lines, YSON rows, CSV, Markdown or HTML (default: table)")
      ->group("Output");
  add_flag(command, "--vertical", &options->vertical,
           "show columns as lines, as tables that are too wide are by default")
      ->group("Output");
  declare_options(command, io::kHead, &options->tokens);
  return [options](Session& session) { return run(*options, session); };
}

}  // namespace

Verb head_verb() {
  return {
      "head",
      "shows the first rows",
      "IN... [-n 10] [--as table|jsonl|yson|csv|markdown|html]",
      {{"xwalk head flights.parquet", "ten rows as a table"},
       {"xwalk head -n 3 --as yson flights.parquet", "as YTsaurus would store them"},
       {"xwalk head --select delay,origin events.yson.zst --as json", "one JSON object per line"},
       {"xwalk head --vertical wide.parquet", "one line per column"}},
      "In tables, text has no quotes, and lists, structs and maps are shown as JSON. On a "
      "terminal, values that are too wide end with …; in a pipe or a file they are whole.",
      declare<false>};
}

Verb tail_verb() {
  return {"tail",
          "shows the last rows",
          "IN... [-n 10] [--as table|jsonl|yson|csv|markdown|html]",
          {{"xwalk tail flights.parquet", "ten rows as a table"},
           {"xwalk tail -n 1 --as json events.yson", "the newest event"}},
          "Earlier rows are not decoded where the format lets them be skipped.",
          declare<true>};
}

}  // namespace xwalk::cli
