#include "xwalk/convert/info.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/report_output.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/table_infos.h"

namespace xwalk::cli {
namespace {

enum class Form : uint8_t { Text, Json, Html };

constexpr std::string_view kScan = "--scan";
/// The longest value that is shown in full, unless the output is verbose.
constexpr int kValueWidth = 40;

struct InfoOptions {
  io::OptionTokens tokens;
  std::vector<std::string> inputs;
  bool scan = false;
  Form form = Form::Text;
};

std::string joined(const std::set<std::string>& set) {
  return visible(join(std::vector<std::string>(set.begin(), set.end()), ", "));
}

/// Returns the width that tables have to fit: none if nothing may be cut off.
int table_width(const Session& session) {
  const bool cuts = session.out().is_bounded() && !session.verbose;
  return cuts ? session.out().width() : std::numeric_limits<int>::max();
}

/// Prints facts about the whole, one line each.
void print_facts(const io::Info& info, Session& session) {
  const hub::FileFacts& facts = info.facts;
  Table table({"", ""});
  const auto add = [&](std::string_view name, std::string text) {
    if (text.empty()) return;
    table.add({"  " + std::string(name), std::move(text)});
  };
  add("format", info.format + (facts.versions.empty() ? "" : " " + joined(facts.versions)));
  add("rows", facts.rows ? grouped(*facts.rows) : "not recorded");
  if (info.files > 1) add("files", grouped(info.files));
  if (facts.bytes) add("size", byte_size(*facts.bytes));
  if (!facts.pieces_are.empty()) add(facts.pieces_are, grouped(facts.pieces));
  add("compression", joined(facts.compression));
  add("written by", joined(facts.writers));
  session.print(session.out().paint(Ink::Bold, visible(info.name)) + "\n");
  session.print(table.print(session.out(), table_width(session)));
}

/// Prints the columns, with the facts that are known for at least one of them.
void print_columns(const io::Info& info, Session& session) {
  using Column = io::ColumnInfo;
  struct Shown {
    std::string name;
    Align align;
    std::optional<std::string> (*text)(const Column&);
  };
  static const auto kBound = [](const std::optional<std::string>& value, bool shortened) {
    return value ? std::optional(visible(*value) + (shortened ? "…" : "")) : std::nullopt;
  };
  const std::vector<Shown> all = {
      {"nulls", Align::Right,
       [](const Column& of) {
         return of.nulls ? std::optional(grouped(*of.nulls)) : std::nullopt;
       }},
      {"min", Align::Right, [](const Column& of) { return kBound(of.smallest, of.shortened); }},
      {"max", Align::Right, [](const Column& of) { return kBound(of.largest, of.shortened); }},
      {"distinct", Align::Right,
       [](const Column& of) {
         return of.distinct ? std::optional((of.distinct->estimated ? "~" : "") +
                                            grouped(of.distinct->values))
                            : std::nullopt;
       }},
      {"histogram", Align::Left, io::histogram_text},
      {"size", Align::Right,
       [](const Column& of) {
         return of.bytes ? std::optional(byte_size(*of.bytes)) : std::nullopt;
       }},
      {"NaN", Align::Right,
       [](const Column& of) { return of.nans ? std::optional(grouped(*of.nans)) : std::nullopt; }},
      {"kinds", Align::Left, io::kinds_text},
      {"values", Align::Right,
       [](const Column& of) {
         return of.value_bytes ? std::optional(byte_size(*of.value_bytes)) : std::nullopt;
       }},
      {"box", Align::Left, io::box_text},
      {"geometry types", Align::Left, io::geometry_types_text},
  };
  std::vector<Shown> shown;
  for (const Shown& one : all) {
    const bool known = std::ranges::any_of(
        info.columns, [&](const Column& column) { return one.text(column).has_value(); });
    if (known) shown.push_back(one);
  }
  std::vector<std::string> header = {"column", "type"};
  std::vector<Align> align = {Align::Left, Align::Left};
  for (const Shown& one : shown) {
    header.push_back(one.name);
    align.push_back(one.align);
  }
  Table table(std::move(header), std::move(align));
  for (const Column& column : info.columns) {
    std::vector<std::string> cells = {visible(shortened_path(column.path.text())),
                                      visible(shortened(column.layer))};
    for (const Shown& one : shown) {
      const std::string text = one.text(column).value_or("—");
      cells.push_back(session.verbose ? text : clip(text, kValueWidth));
    }
    table.add(std::move(cells));
  }
  session.print("\n" + table.print(session.out(), table_width(session)));
}

/// Prints one table as text.
void print_table(const io::Info& info, Session& session) {
  print_facts(info, session);
  if (!info.columns.empty()) print_columns(info, session);
  const std::string origin = io::origin_of(info, kScan);
  if (!origin.empty()) session.print("\n" + wrap(origin, session.out().width(), 0) + "\n");
}

/// Prints a line for each of several tables.
void print_summary(const io::TableInfos& found, Session& session) {
  Table table({"input", "format", "rows", "columns", "files", "size"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  const auto number = [](const std::optional<uint64_t>& known) {
    return known ? grouped(*known) : std::string("—");
  };
  for (const io::InfoSummary& line : io::summary_of(found, hub::Interface::Program)) {
    table.add({visible(line.input), line.format.empty() ? "—" : line.format, number(line.rows),
               number(line.columns), number(line.files),
               line.bytes ? byte_size(*line.bytes) : "—"});
  }
  session.print(table.print(session.out(), table_width(session)));
}

/// Prints the facts, and on standard error the problems of single files.
void print(const io::TableInfos& found, const InfoOptions& options, Form form, Session& session) {
  switch (form) {
    case Form::Json:
      session.print(io::print_json(found, hub::Interface::Program));
      return;
    case Form::Html:
      session.print(
          io::print_html(found, kScan, hub::Interface::Program, page_origin(options.inputs)));
      break;
    case Form::Text:
      if (found.is_one()) {
        print_table(found.infos.front(), session);
        break;
      }
      print_summary(found, session);
      for (const io::Info& info : found.infos) {
        if (!session.verbose && found.infos.size() > 1) break;
        session.print("\n");
        print_table(info, session);
      }
      break;
  }
  tell_problems(found.problems, session);
}

int run(const InfoOptions& options, Session& session) {
  Form form = options.form;
  if (session.json && form == Form::Html) {
    throw Error(ErrorCode::Usage, "--json and --output ask for two forms", {}, "Name one of them.");
  }
  if (session.json) form = Form::Json;
  if (form == Form::Json) session.json = true;
  ProgressLine line(session);
  io::InfoOptions request;
  request.input = input_options(options.tokens);
  request.system = source_system(options.tokens);
  request.scan = options.scan;
  request.pipeline.threads = request.input.threads;
  request.pipeline.cancelled = &interrupted();
  request.pipeline.on_progress = [&](const io::Progress& progress) { line.show(progress); };
  const io::TableInfos found = io::table_infos(options.inputs, request);
  line.clear();
  for (const io::Info& info : found.infos) {
    tell_files(info.name, info.file_notes, session);
    if (info.bad_rows > 0) {
      session.warn(
          fmt::format("{}: {} left out: a value is not of its type (xwalk validate says which)",
                      visible(info.name), counted(info.bad_rows, "row")));
    }
  }
  print(found, options, form, session);
  return worst_code(found.errors, !found.problems.empty());
}

}  // namespace

Verb info_verb() {
  return {"info",
          "rows, sizes and columns of a file: nulls, min, max, distinct",
          "IN... [--scan] [--output text|json|html]",
          {{"xwalk info flights.parquet", "from the footer, no row is read"},
           {"xwalk info --scan flights.lance", "nulls, min, max and distinct of the rows"},
           {"xwalk info 'day=*/part-*.parquet' --output html > info.html", "many files, a page"}},
          "Column statistics come from the file's metadata; --scan computes them from the rows. "
          "Values of any type have no order: --scan counts them by kind. Distinct counts are exact "
          "up to 4,096, and above it estimates (about ±2 %), marked ~. "
          "Nulls of a nested field do not count rows whose parent is null.",
          [](CommandLine& command) -> Action {
            auto options = std::make_shared<InfoOptions>();
            add_rest(command, "IN", &options->inputs, "files, a folder, URIs or -")->required();
            add_flag(command, "--scan", &options->scan, "read all rows")->group("Output");
            add_choice<Form>(command, "--output", &options->form,
                             {{"text", Form::Text}, {"json", Form::Json}, {"html", Form::Html}},
                             "how it is printed; html is one page without scripts")
                ->group("Output");
            declare_options(command, io::kInfo, &options->tokens);
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
