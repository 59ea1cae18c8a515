#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/reader_matrix.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/type_table.h"
#include "xwalk/hub/module.h"
#include "xwalk/report/markup.h"
#include "xwalk/report/text.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;
using crosswalk::TypeCell;

enum class TypesOutput { Text, Markdown, Json, Html };

struct TypesOptions {
  std::optional<std::string> from;
  std::optional<std::string> to;
  TypesOutput output = TypesOutput::Text;
  bool readers = false;
};

std::optional<System> system_of(const std::string& option, const std::optional<std::string>& word) {
  if (!word) return std::nullopt;
  return system_argument(option, *word);
}

std::string_view word(System system) { return system->name; }

/// Returns true if a cell has a type, false if it has other words.
bool has_type(const TypeCell& cell) {
  return cell.verdict != hub::Verdict::Unsupported && !cell.target.empty();
}

std::string_view target_text(const TypeCell& cell) {
  return cell.target.empty() ? "no column" : std::string_view(cell.target);
}

bool begins_pair(const std::vector<TypeCell>& cells, size_t i) {
  return i == 0 || cells[i].from != cells[i - 1].from || cells[i].to != cells[i - 1].to;
}

std::string as_json(const std::vector<TypeCell>& cells) {
  Json out = Json::array();
  for (const TypeCell& cell : cells) {
    out.push_back({{"from", word(cell.from)},
                   {"to", word(cell.to)},
                   {"source", cell.source},
                   {"target", cell.target},
                   {"verdict", hub::to_string(cell.verdict)},
                   {"rules", cell.rules}});
  }
  return json_text(out) + "\n";
}

std::string as_text(const std::vector<TypeCell>& cells, const Terminal& terminal) {
  std::string out;
  for (size_t i = 0; i < cells.size(); ++i) {
    const TypeCell& cell = cells[i];
    if (begins_pair(cells, i)) {
      if (i > 0) out += '\n';
      out += terminal.paint(Ink::Bold, fmt::format("{} → {}", word(cell.from), word(cell.to)));
      out += '\n';
    }
    out += fmt::format("  {:<38}  {}", cell.source,
                       report::painted(cell.verdict, terminal.has_color()));
    if (!cell.rules.empty()) out += "  " + join(cell.rules, ", ");
    out += fmt::format("\n      {}\n", target_text(cell));
  }
  return out;
}

/// Writes code into a cell of a Markdown table.
std::string markdown_code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out + "`";
}

/// Writes types as code, and other words as they are.
std::string markdown_target(const TypeCell& cell) {
  return has_type(cell) ? markdown_code(cell.target) : std::string(target_text(cell));
}

/// Writes the rules as links to their pages.
std::string markdown_rules(const TypeCell& cell) {
  std::string out;
  for (const std::string& rule : cell.rules) {
    std::string anchor;
    for (const char c : rule) {
      if (c != '.') anchor += c;
    }
    out += fmt::format("{}[{}](rules.md#{})", out.empty() ? "" : ", ", rule, anchor);
  }
  return out;
}

std::string as_markdown(const std::vector<TypeCell>& cells) {
  std::string out =
      "# Every type in every other system\n\n"
      "Printed by `xwalk types --output markdown`, computed by the code that converts, with one "
      "representative type per kind. Verdicts from best to worst: exact, annotated, widened, "
      "checked, lossy, unsupported.\n";
  for (size_t i = 0; i < cells.size(); ++i) {
    const TypeCell& cell = cells[i];
    if (begins_pair(cells, i)) {
      out += fmt::format("\n## {0} → {1}\n\n| {0} | {1} | verdict | rules |\n|---|---|---|---|\n",
                         word(cell.from), word(cell.to));
    }
    out += fmt::format("| {} | {} | {} | {} |\n", markdown_code(cell.source), markdown_target(cell),
                       hub::to_string(cell.verdict), markdown_rules(cell));
  }
  return out;
}

std::string as_html(const std::vector<TypeCell>& cells) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>xwalk: every type in every other system</title>\n"
      "<style>\n"
      ":root{color-scheme:light dark}\n"
      "body{font:15px/1.4 system-ui,sans-serif;margin:1rem auto;max-width:75rem;padding:0 1rem}\n"
      "table{border-collapse:collapse;width:100%}\n"
      "td,th{border-bottom:1px solid #8884;padding:.25rem .5rem;text-align:left;"
      "vertical-align:top}\n"
      "code{overflow-wrap:anywhere}\nsummary{font-weight:600;font-size:1.2em;padding:.5rem 0}\n"
      ".exact{color:#17703f}.annotated{color:#1a5fd0}.widened{color:#6f44c6}.checked{color:#8a5200}"
      "\n"
      ".lossy{color:#b92522}.unsupported{color:#8f1046}\n"
      "@media(prefers-color-scheme:dark){.exact{color:#43c07f}.annotated{color:#7db1ff}"
      ".widened{color:#bba3ff}.checked{color:#e3a63a}.lossy{color:#ff8a82}"
      ".unsupported{color:#ff7db3}}\n"
      "</style>\n<h1>Every type in every other system</h1>\n"
      "<p>One representative type per kind. Verdicts from best to worst: exact, annotated, "
      "widened, checked, lossy, unsupported.</p>\n";
  for (size_t i = 0; i < cells.size(); ++i) {
    const TypeCell& cell = cells[i];
    if (begins_pair(cells, i)) {
      if (i > 0) out += "</table></details>\n";
      out += fmt::format(
          "<details open><summary>{0} → {1}</summary><table>\n"
          "<tr><th>{0}</th><th>{1}</th><th>verdict</th><th>rules</th></tr>\n",
          word(cell.from), word(cell.to));
    }
    const bool typed = has_type(cell);
    out += fmt::format(
        "<tr><td><code>{0}</code></td><td>{1}{2}{3}</td><td class=\"{4}\">{4}</td><td>{5}</td>"
        "</tr>\n",
        report::escape_markup(cell.source), typed ? "<code>" : "",
        report::escape_markup(target_text(cell)), typed ? "</code>" : "",
        hub::to_string(cell.verdict), join(cell.rules, ", "));
  }
  if (!cells.empty()) out += "</table></details>\n";
  return out + "</html>\n";
}

/// Prints how readers of each system interpret every type.
int print_readers(TypesOutput output, Session& session) {
  const std::vector<ReaderMatrix> matrices = reader_matrices();
  switch (output) {
    case TypesOutput::Text:
      session.print(matrix_text(matrices));
      break;
    case TypesOutput::Markdown:
      session.print(matrix_markdown(matrices));
      break;
    case TypesOutput::Json:
      session.print(matrix_json(matrices));
      break;
    case TypesOutput::Html:
      session.print(matrix_html(matrices));
      break;
  }
  return kDone;
}

int run(const TypesOptions& options, Session& session) {
  const TypesOutput output = session.json ? TypesOutput::Json : options.output;
  if (options.readers) return print_readers(output, session);
  const std::vector<TypeCell> cells =
      crosswalk::type_table(system_of("--from", options.from), system_of("--to", options.to));
  switch (output) {
    case TypesOutput::Text:
      session.print(as_text(cells, session.out()));
      break;
    case TypesOutput::Markdown:
      session.print(as_markdown(cells));
      break;
    case TypesOutput::Json:
      session.print(as_json(cells));
      break;
    case TypesOutput::Html:
      session.print(as_html(cells));
      break;
  }
  return kDone;
}

}  // namespace

Verb types_verb() {
  return {
      "types",
      "prints the complete type table: every type of every system in every other",
      "[--from F] [--to F] [--readers] [--output text|markdown|json|html]",
      {{"xwalk types --from yt --to parquet", ""},
       {"xwalk types --readers", "how programs read each type"},
       {"xwalk types --json", "for a program"},
       {"xwalk types --output html > types.html", "as a page"}},
      "Computed by the code that converts, with one representative type per kind; xwalk type shows "
      "any other.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<TypesOptions>();
        add_text(command, "--from", &options->from, "F", "only from this system");
        add_text(command, "--to", &options->to, "F", "only to this system");
        add_flag(command, "--readers", &options->readers,
                 "show instead how programs read each type of Parquet, Lance, Vortex and YTsaurus")
            ->excludes("--from")
            ->excludes("--to");
        add_choice<TypesOutput>(command, "--output", &options->output,
                                {{"text", TypesOutput::Text},
                                 {"markdown", TypesOutput::Markdown},
                                 {"json", TypesOutput::Json},
                                 {"html", TypesOutput::Html}},
                                "how to print the table (default: text)");
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
