#include "xwalk/crosswalk/report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/text.h"

namespace xwalk::crosswalk {
namespace {

constexpr std::array kVerdicts = {hub::Verdict::Exact,   hub::Verdict::Annotated,
                                  hub::Verdict::Widened, hub::Verdict::Checked,
                                  hub::Verdict::Lossy,   hub::Verdict::Unsupported};
constexpr size_t kNamedColumns = 8;

/// Columns a text takes on a terminal: one a code point.
size_t text_width(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Cuts a text to a width, the end replaced by an ellipsis.
std::string cut(std::string_view text, size_t width) {
  if (text_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string out;
  size_t used = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xc0) != 0x80 && ++used == width) break;
    out.push_back(text[i]);
  }
  return out + "…";
}

std::string padded(std::string_view text, size_t width) {
  std::string out = cut(text, width);
  out.append(width - std::min(width, text_width(out)), ' ');
  return out;
}

std::string coloured(std::string_view text, hub::Verdict verdict, bool colour) {
  if (!colour) return std::string(text);
  constexpr std::array kColours = {"32", "32", "36", "33", "31", "1;31"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kColours[static_cast<size_t>(verdict)], text);
}

std::string rules_of(const PathReport& report) {
  std::vector<std::string> rules;
  for (const hub::Finding& reason : report.reasons) {
    if (std::ranges::find(rules, reason.rule) == rules.end()) rules.emplace_back(reason.rule);
  }
  return join(rules, ", ");
}

/// Breaks a text at blanks into lines of a width.
void append_wrapped(std::string_view text, size_t indent, size_t width, std::string& out) {
  const size_t room_for = width > indent + 20 ? width - indent : 20;
  std::string line;
  auto flush = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && text_width(line) + 1 + text_width(word) > room_for) flush();
    if (!line.empty()) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  flush();
}

void append_reasons(const PathReport& report, size_t indent, size_t width, std::string& out) {
  for (const hub::Finding& reason : report.reasons) {
    std::string text = reason.lost;
    if (!reason.witness.empty()) {
      text += fmt::format("{}witness {}", text.empty() ? "" : ": ", reason.witness);
    }
    if (!reason.hint.empty()) text += fmt::format("{}{}", text.empty() ? "" : "; ", reason.hint);
    if (!text.empty()) append_wrapped(text, indent, width, out);
  }
}

nlohmann::ordered_json json_of(const hub::Finding& reason) {
  nlohmann::ordered_json json;
  json["rule"] = reason.rule;
  json["values"] = hub::to_string(reason.values);
  if (!reason.labels.empty()) json["labels"] = reason.labels;
  if (!reason.lost.empty()) json["lost"] = reason.lost;
  if (!reason.witness.empty()) json["witness"] = reason.witness;
  if (!reason.hint.empty()) json["hint"] = reason.hint;
  return json;
}

nlohmann::ordered_json json_of(const PathReport& report) {
  nlohmann::ordered_json json;
  json["path"] = report.path.text();
  if (!report.path.empty()) {
    json["source"] = report.source;
    json["target"] = report.target;
  }
  json["verdict"] = hub::to_string(report.verdict());
  json["values"] = hub::to_string(report.values);
  json["type"] = hub::to_string(report.type);
  json["labels"] = report.labels;
  json["reasons"] = nlohmann::ordered_json::array();
  for (const hub::Finding& reason : report.reasons) json["reasons"].push_back(json_of(reason));
  return json;
}

std::string counts(const std::vector<hub::Verdict>& verdicts) {
  std::vector<std::string> parts;
  for (const hub::Verdict verdict : kVerdicts) {
    const auto count = std::ranges::count(verdicts, verdict);
    if (count > 0) parts.push_back(fmt::format("{} {}", count, hub::to_string(verdict)));
  }
  return join(parts, ", ");
}

std::string columns_text(size_t count) {
  return fmt::format("{} column{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::string summary(const Plan& plan) {
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  std::string text = columns_text(verdicts.size());
  if (!verdicts.empty()) text += ": " + counts(verdicts);
  std::vector<std::string> names;
  size_t worse = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] <= hub::Verdict::Annotated) continue;
    if (++worse <= kNamedColumns) {
      names.push_back(Path::column(plan.source_hub.fields[i].name).text());
    }
  }
  if (worse > kNamedColumns) names.push_back(fmt::format("{} more", worse - kNamedColumns));
  if (!names.empty()) text += " (" + join(names, ", ") + ")";
  return text;
}

std::string print_text(const Plan& plan, std::string_view name, const ReportStyle& style) {
  const auto width = static_cast<size_t>(std::max(style.width, 40));
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  std::string out = fmt::format("{}: {} → {}      {}", name, to_string(plan.source_system),
                                to_string(plan.target_system), columns_text(verdicts.size()));
  if (!verdicts.empty()) out += ": " + counts(verdicts);
  out += "\n";

  std::vector<const PathReport*> shown;
  for (const PathReport& report : plan.paths) {
    const bool worth = report.verdict() != hub::Verdict::Exact || !report.reasons.empty();
    if (worth || (style.all && !report.path.empty())) shown.push_back(&report);
  }
  size_t path_width = 4;
  size_t source_width = 4;
  size_t target_width = 4;
  for (const PathReport* report : shown) {
    path_width = std::max(path_width, text_width(report->path.text()));
    source_width = std::max(source_width, text_width(report->source));
    target_width = std::max(target_width, text_width(report->target));
  }
  // "  path  source → target  verdict": the rules go on a line of their own where they do not fit.
  constexpr size_t kVerdictWidth = 11;
  const size_t fixed = 2 + 2 + 3 + 2 + kVerdictWidth;
  const size_t room_for = width > fixed + 30 ? width - fixed : 30;
  path_width = std::min(path_width, room_for / 3);
  const size_t types = room_for - path_width;
  if (source_width + target_width > types) {
    source_width =
        std::min(source_width, std::max(types / 2, types - std::min(types, target_width)));
    target_width = std::min(target_width, types - source_width);
  }
  for (const PathReport* report : shown) {
    const hub::Verdict verdict = report->verdict();
    const std::string path = report->path.empty() ? "(table)" : report->path.text();
    std::string line = "  " + padded(path, path_width) + "  ";
    line += padded(report->source, source_width) + (report->path.empty() ? "   " : " → ") +
            padded(report->target, target_width) + "  ";
    line += coloured(padded(hub::to_string(verdict), kVerdictWidth), verdict, style.colour);
    const std::string rules = rules_of(*report);
    const size_t used = 2 + path_width + 2 + source_width + 3 + target_width + 2 + kVerdictWidth;
    const size_t indent = path_width + 4;
    if (!rules.empty() && used + 2 + text_width(rules) <= width) {
      out += fmt::format("{}  {}\n", line, rules);
    } else {
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
      if (!rules.empty()) append_wrapped(rules, indent, width, out);
    }
    append_reasons(*report, indent, width, out);
  }
  return out;
}

std::string print_json(const Plan& plan, std::string_view name) {
  nlohmann::ordered_json json;
  json["input"] = name;
  json["source"] = to_string(plan.source_system);
  json["target"] = to_string(plan.target_system);
  json["verdict"] = hub::to_string(plan.verdict());
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  json["columns"] = verdicts.size();
  json["summary"] = nlohmann::ordered_json::object();
  for (const hub::Verdict verdict : kVerdicts) {
    json["summary"][std::string(hub::to_string(verdict))] = std::ranges::count(verdicts, verdict);
  }
  json["paths"] = nlohmann::ordered_json::array();
  for (const PathReport& report : plan.paths) json["paths"].push_back(json_of(report));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace xwalk::crosswalk
