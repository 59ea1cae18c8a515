#include "xwalk/cli/accept_entries.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::cli {
namespace {

/// From this number of paths on, one pattern replaces them.
constexpr size_t kManyPaths = 4;
/// From this number of entries of one rule on, `**` replaces them.
constexpr size_t kManyEntries = 12;

/// Returns a path without its last name, `orders.` for `orders.price`.
std::string_view parent_of(std::string_view path) {
  if (path.ends_with('"') || path.ends_with(']') || path.ends_with('}') || path.ends_with('>') ||
      path == report::kTablePath) {
    return path;
  }
  return path.substr(0, path.find_last_of('.') + 1);
}

std::string_view common_start(std::string_view a, std::string_view b) {
  return a.substr(0, static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin()));
}

/// Returns the entries for the paths of one rule, each with the place of its first path.
std::map<size_t, std::string> patterns_for(const std::vector<std::pair<size_t, std::string>>& all) {
  struct Group {
    size_t first;
    size_t paths;
    std::string start;
  };
  std::map<std::string_view, Group> groups;
  for (const auto& [place, path] : all) {
    const auto [group, fresh] = groups.try_emplace(parent_of(path), Group{place, 0, path});
    ++group->second.paths;
    group->second.start = common_start(group->second.start, path);
  }
  std::map<size_t, std::string> out;
  for (const auto& [place, path] : all) {
    const Group& group = groups.at(parent_of(path));
    if (group.paths < kManyPaths) {
      out.emplace(place, path);
    } else {
      out.emplace(group.first, group.start + "*");
    }
  }
  if (out.size() >= kManyEntries) return {{out.begin()->first, "**"}};
  return out;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Returns the keys of an entry with their values.
std::vector<std::string> pairs_of(const FileAcceptance& entry) {
  std::vector<std::string> out;
  if (!entry.table.empty()) out.push_back("table = " + toml_string(entry.table));
  out.push_back("path = " + toml_string(entry.finding.path));
  out.push_back("rule = " + toml_string(entry.finding.rule));
  out.push_back("reason = " + toml_string(entry.finding.reason));
  out.push_back("expires = " + entry.finding.expires);
  return out;
}

/// Returns the offset of a line's start; the size of the text for a line after the last.
size_t offset_of_line(std::string_view text, uint64_t line) {
  size_t at = 0;
  for (; line > 1 && at < text.size(); --line) {
    const size_t end = text.find('\n', at);
    at = end == text.npos ? text.size() : end + 1;
  }
  return at;
}

size_t offset_of(std::string_view text, const FilePosition& position) {
  size_t at = offset_of_line(text, position.line);
  for (uint64_t column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) ++at;
  }
  return at;
}

/// Returns the offset after the last line of a section that is not empty and not a comment.
size_t end_of_section(std::string_view text, const ProjectFile& file,
                      const ProjectSection& section) {
  size_t last = text.size();
  for (const ProjectSection& other : file.sections) {
    if (other.line <= section.line) continue;
    last = offset_of_line(text, other.line);
    break;
  }
  size_t out = offset_of_line(text, section.line + 1);
  for (size_t at = out; at < last;) {
    const size_t end = std::min(text.find('\n', at), last - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    const size_t first = line.find_first_not_of(" \t\r\n");
    if (first != line.npos && line[first] != '#') out = end;
    at = end;
  }
  return out;
}

/// Texts by the offset at which they are inserted, last first.
using Insertions = std::map<size_t, std::string, std::greater<>>;

/// Returns true if a part of a list has a comma outside of comments.
bool has_comma(std::string_view text) {
  bool in_comment = false;
  for (const char c : text) {
    if (c == ',' && !in_comment) return true;
    in_comment = c == '#' || (in_comment && c != '\n');
  }
  return false;
}

/// Adds entries to a list, each in a line of its own, after its comments.
void add_to_list(std::string_view text, const AcceptList& list,
                 const std::vector<FileAcceptance>& entries, std::string_view eol,
                 Insertions* insertions) {
  const size_t last = offset_of(text, list.last);
  const size_t bracket = offset_of(text, list.end) - 1;
  if (!list.is_empty && !has_comma(text.substr(last, bracket - last))) (*insertions)[last] = ",";
  const size_t end = text.find_last_not_of(" \t\r\n", bracket - 1) + 1;
  std::string& added = (*insertions)[end];
  for (const FileAcceptance& entry : entries) {
    added += fmt::format("{}  {{{}}},", eol, fmt::join(pairs_of(entry), ", "));
  }
  if (text.substr(end, bracket - end).find('\n') == std::string_view::npos) added += eol;
}

}  // namespace

std::vector<FileAcceptance> entries_for(std::span<const TableFinding> findings, bool wide) {
  using Key = std::pair<std::string, std::string>;  // table and rule
  std::map<Key, std::vector<std::pair<size_t, std::string>>> paths;
  for (size_t i = 0; i < findings.size(); ++i) {
    const auto& [table, finding] = findings[i];
    auto& same = paths[{wide ? "" : table, finding.rule}];
    const bool known = std::ranges::find(same, finding.path,
                                         &std::pair<size_t, std::string>::second) != same.end();
    if (!known) same.emplace_back(i, finding.path);
  }
  std::map<size_t, FileAcceptance> out;
  for (const auto& [key, all] : paths) {
    const std::map<size_t, std::string> exact(all.begin(), all.end());
    for (const auto& [place, pattern] : wide ? patterns_for(all) : exact) {
      FileAcceptance& entry = out[place];
      entry.table = key.first;
      entry.finding.path = pattern;
      entry.finding.rule = key.second;
    }
  }
  std::vector<FileAcceptance> entries;
  for (auto& [place, entry] : out) entries.push_back(std::move(entry));
  return entries;
}

std::string with_entries(const ProjectFile& file, const std::vector<NewEntries>& added) {
  const std::string_view eol = file.text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  Insertions insertions;
  for (const NewEntries& one : added) {
    if (one.entries.empty()) continue;
    const ProjectSection& section = *one.section;
    if (section.is_inline) {
      throw Error(ErrorCode::Usage,
                  "--write-accept: expected a section that begins with a header, found an inline "
                  "table",
                  {.file = file.path, .line = section.line},
                  fmt::format("Begin it with [[{}]].", section.verb));
    }
    if (section.accept_list) {
      add_to_list(file.text, *section.accept_list, one.entries, eol, &insertions);
      continue;
    }
    std::string text;
    for (const FileAcceptance& entry : one.entries) {
      text += fmt::format("{0}[[{1}.accept]]{0}{2}{0}", eol, section.verb,
                          fmt::join(pairs_of(entry), eol));
    }
    const size_t end = end_of_section(file.text, file, section);
    const bool is_open = end > 0 && file.text[end - 1] != '\n';
    if (is_open) text.insert(0, eol);
    const bool is_followed =
        end < file.text.size() && file.text[end] != '\n' && file.text[end] != '\r';
    if (is_followed) text += eol;
    insertions[end] = std::move(text);
  }
  std::string out = file.text;
  for (const auto& [place, text] : insertions) out.insert(place, text);
  return out;
}

}  // namespace xwalk::cli
