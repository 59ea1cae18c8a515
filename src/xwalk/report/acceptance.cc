#include "xwalk/report/acceptance.h"

#include <span>

#include <fmt/format.h>

#include "xwalk/base/visible.h"
#include "xwalk/hub/path_pattern.h"

namespace xwalk::report {
namespace {

using Steps = std::span<const std::string_view>;

/// Returns the end of the step of a path that begins at `at`.
size_t end_of_step(std::string_view text, size_t at) {
  const char first = text[at];
  const char last = first == '[' ? ']' : first == '{' ? '}' : first == '<' ? '>' : '\0';
  bool quoted = false;
  for (size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    quoted = c == '"';
    if (last != '\0' && c == last) return i + 1;
    if (last == '\0' && std::string_view(".[{<").find(c) != std::string_view::npos) return i;
  }
  return text.size();
}

std::vector<std::string_view> path_steps(std::string_view text) {
  std::vector<std::string_view> out;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '.') ++at;
    if (at == text.size()) break;
    const size_t end = end_of_step(text, at);
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::vector<std::string_view> table_steps(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const size_t end = text.find('/');
    out.push_back(text.substr(0, end));
    if (end == text.npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::string_view without_quotes(std::string_view name) {
  const bool quoted = name.size() > 1 && name.front() == '"' && name.back() == '"';
  return quoted ? name.substr(1, name.size() - 2) : name;
}

bool is_name(std::string_view step) {
  return std::string_view("[{<").find(step.front()) == std::string_view::npos;
}

bool is_step_like(std::string_view step, std::string_view pattern) {
  if (step == pattern) return true;
  if (step.front() == '<' && pattern.front() == '<' && pattern.size() > 2) {
    return is_step_like(step.substr(1, step.size() - 2), pattern.substr(1, pattern.size() - 2));
  }
  if (!is_name(step) || pattern.front() == '"') return false;
  return hub::is_like(without_quotes(step), pattern);
}

/// Returns true if steps match those of a pattern. `omits_items` if the pattern may omit `[]`.
bool are_like(Steps steps, Steps pattern, bool omits_items) {
  if (pattern.empty()) return steps.empty();
  if (pattern.front() == "**") {
    return are_like(steps, pattern.subspan(1), omits_items) ||
           (!steps.empty() && are_like(steps.subspan(1), pattern, omits_items));
  }
  if (steps.empty()) return false;
  const std::string_view step = steps.front();
  const std::string_view wanted = pattern.front();
  if (omits_items) {
    if (step == "[]" && is_name(wanted)) return are_like(steps.subspan(1), pattern, true);
    if (!is_step_like(step, wanted)) return false;
  } else if (!hub::is_like(step, wanted)) {
    return false;
  }
  return are_like(steps.subspan(1), pattern.subspan(1), omits_items);
}

}  // namespace

bool is_path_like(std::string_view path, std::string_view pattern) {
  if (path.empty() || path == kTablePath) return pattern == kTablePath || pattern == "**";
  if (path == pattern) return true;
  return hub::is_pattern(pattern) && are_like(path_steps(path), path_steps(pattern), true);
}

bool is_table_like(std::string_view name, std::string_view pattern) {
  return name == pattern || are_like(table_steps(name), table_steps(pattern), false);
}

const Acceptance* accepted(const std::vector<Acceptance>& all, std::string_view path,
                           std::string_view rule) {
  for (const Acceptance& one : all) {
    if (hub::is_like(rule, one.rule) && is_path_like(path, one.path)) return &one;
  }
  return nullptr;
}

std::string acceptance_text(const Acceptance& acceptance) {
  return fmt::format("accepted until {}: {}", acceptance.expires, visible(acceptance.reason));
}

}  // namespace xwalk::report
