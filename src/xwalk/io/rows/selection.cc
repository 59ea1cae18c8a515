#include "xwalk/io/rows/selection.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/path_pattern.h"

namespace xwalk::io {
namespace {

using Kind = Path::Step::Kind;

[[noreturn]] void bad_path(std::string_view text, size_t at, std::string message) {
  Place place = place_in_text(text, at);
  place.file = "path";
  throw Error(ErrorCode::Usage, std::move(message), place);
}

struct Branch;

/// The wanted part of one field: everything, or what the branches say.
struct Wanted {
  bool whole = false;
  std::vector<Branch> branches;

  void add(std::span<const Path::Step* const> steps);
};

struct Branch {
  Path::Step step;
  Wanted wanted;
};

void Wanted::add(std::span<const Path::Step* const> steps) {
  if (steps.empty()) {
    whole = true;
    return;
  }
  auto branch = std::ranges::find(branches, *steps.front(), &Branch::step);
  if (branch == branches.end()) branch = branches.insert(branch, {*steps.front(), {}});
  branch->wanted.add(steps.subspan(1));
}

/// Reads a name between double quotes as `quoted` writes it, and moves past it.
std::string parse_quoted(std::string_view text, size_t* at) {
  const size_t start = (*at)++;
  std::string name;
  for (; *at < text.size() && text[*at] != '"'; ++*at) {
    if (text[*at] != '\\' || *at + 1 == text.size()) {
      name += text[*at];
      continue;
    }
    switch (const char escaped = text[++*at]) {
      case 'n':
        name += '\n';
        break;
      case 'r':
        name += '\r';
        break;
      case 't':
        name += '\t';
        break;
      case 'x':
        if (*at + 2 >= text.size() ||
            text.substr(*at + 1, 2).find_first_not_of("0123456789abcdefABCDEF") != text.npos) {
          bad_path(text, *at, "expected two hex digits");
        }
        name += from_hex(text.substr(*at + 1, 2));
        *at += 2;
        break;
      default:
        name += escaped;
    }
  }
  if (*at >= text.size()) bad_path(text, start, "expected a closing double quote");
  ++*at;
  return name;
}

[[noreturn]] void not_there(const std::string& name, std::span<const hub::Field> fields,
                            const Path& parent) {
  std::vector<std::string> names;
  for (const hub::Field& field : fields) names.push_back(field.name);
  const std::string hint = column_hint(
      name, names, [&parent](const std::string& close) { return parent.field(close).text(); });
  const std::string column = parent.empty() ? name : parent.field(name).text();
  throw Error(ErrorCode::Usage, fmt::format("no column {}", xwalk::quoted(column)), {}, hint);
}

hub::Field cut(const hub::Field& field, const Wanted& wanted, const Path& path) {
  if (wanted.whole) return field;
  hub::Field out = field;
  hub::Kind kind = field.type.kind();
  if (kind == hub::Kind::Map) return out;  // keys and values belong together
  if (kind == hub::Kind::Struct) {
    std::vector<hub::Field> members;
    for (const hub::Field& member : field.type.children()) {
      for (const auto& [step, below] : wanted.branches) {
        if (step.kind == Kind::Field && step.name == member.name) {
          members.push_back(cut(member, below, path.field(member.name)));
        }
      }
    }
    for (const auto& [step, below] : wanted.branches) {
      bool found = std::any_of(members.begin(), members.end(),
                               [&name = step.name](const auto& m) { return m.name == name; });
      if (step.kind != Kind::Field || !found) {
        not_there(step.name, field.type.children(), path);
      }
    }
    out.type = hub::struct_(std::move(members));
    return out;
  }
  if (hub::is_list(kind)) {
    const auto& [step, below] = wanted.branches.front();
    // `orders.price` means `orders[].price`: a list cannot have members itself.
    hub::Field item = step.kind == Kind::Item ? cut(field.type.child(), below, path.item())
                                              : cut(field.type.child(), wanted, path.item());
    out.type = kind == hub::Kind::FixedSizeList
                   ? hub::fixed_size_list(std::move(item), field.type.size())
                   : hub::list(std::move(item), kind);
    return out;
  }
  throw Error(ErrorCode::Usage,
              fmt::format("{} has no members, it is {}", path.text(), hub::to_string(field.type)));
}

}  // namespace

Path parse_selection(std::string_view text) {
  Path out;
  size_t at = 0;
  bool want_name = true;
  while (at < text.size() || want_name) {
    if (!want_name) {
      if (text[at] == '.') {
        want_name = true;
        ++at;
        continue;
      }
      if (text[at] == '<') {
        ++at;
        std::string name;
        if (at < text.size() && text[at] == '"') {
          name = parse_quoted(text, &at);
        } else {
          const size_t end = std::min(text.find('>', at), text.size());
          name = text.substr(at, end - at);
          at = end;
        }
        if (at >= text.size() || text[at] != '>') bad_path(text, at, "expected '>'");
        out = out.alternative(name);
        ++at;
        continue;
      }
      constexpr std::pair<std::string_view, Kind> kSteps[] = {
          {"[]", Kind::Item}, {"{key}", Kind::MapKey}, {"{value}", Kind::MapValue}};
      const auto* step = std::find_if(
          std::begin(kSteps), std::end(kSteps),
          [&](const auto& candidate) { return text.substr(at).starts_with(candidate.first); });
      if (step == std::end(kSteps)) {
        bad_path(text, at, "expected '.', '[]', '{key}', '{value}' or '<alternative>'");
      }
      out = out.below({step->second, "", 0});
      at += step->first.size();
      continue;
    }
    if (at < text.size() && text[at] == '"') {
      out = out.field(parse_quoted(text, &at));
    } else {
      size_t end = std::min(text.find_first_of(".[{<\"", at), text.size());
      if (end == at) bad_path(text, at, "expected a column name");
      out = out.field(text.substr(at, end - at));
      at = end;
    }
    want_name = false;
  }
  return out;
}

std::string parse_column(const std::string& text) {
  if (!text.starts_with('"')) return text;
  size_t at = 0;
  std::string name = parse_quoted(text, &at);
  if (at < text.size()) bad_path(text, at, "expected the name of a column");
  return name;
}

std::vector<Path> find_selected(const std::vector<std::string>& texts,
                                const std::function<hub::Schema()>& schema) {
  std::vector<Path> out;
  std::optional<hub::Schema> fields;
  for (const std::string& text : texts) {
    const Path path = parse_selection(text);
    if (!may_be_pattern(text)) {
      out.push_back(path);
      continue;
    }
    if (!fields) fields = schema();
    std::vector<Path> found = hub::paths_like(*fields, path);
    if (found.empty()) {
      std::vector<std::string> columns;
      for (const hub::Field& field : fields->fields) {
        columns.push_back(Path::column(field.name).text());
      }
      throw Error(ErrorCode::Usage, fmt::format("no column matches {}", path.text()), {},
                  column_hint(path.text(), columns));
    }
    for (Path& one : found) {
      if (std::ranges::find(out, one) == out.end()) {
        out.push_back(std::move(one));
      }
    }
  }
  return out;
}

bool may_be_pattern(std::string_view text) {
  return text.find('"') == text.npos && hub::is_pattern(text);
}

bool names_column(const std::string& text, const hub::Schema& schema) {
  const std::string name = parse_selection(text).steps().front()->name;
  return std::ranges::any_of(schema.fields, [&](const hub::Field& field) {
    return field.name == name || (may_be_pattern(text) && hub::is_like(field.name, name));
  });
}

namespace {

/// Cuts `path=what` at the first `=` outside quotes.
std::pair<std::string_view, std::string_view> cut_at_equals(std::string_view text,
                                                            std::string_view expected) {
  size_t equals = 0;
  for (bool inside = false; equals < text.size() && (inside || text[equals] != '='); ++equals) {
    if (text[equals] == '"') inside = !inside;
    if (inside && text[equals] == '\\') ++equals;
  }
  if (equals == 0 || equals >= text.size()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected {}, found {}", expected, xwalk::quoted(text)));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

crosswalk::RenameOption parse_rename(std::string_view text) {
  const auto [path, name] = cut_at_equals(text, "OLD=NEW");
  crosswalk::RenameOption out{parse_selection(path), ""};
  if (!out.path.last().is_named()) {
    throw Error(ErrorCode::Usage, fmt::format("{} has no name of its own", out.path.text()));
  }
  size_t at = 0;
  out.name = name.starts_with('"') ? parse_quoted(name, &at) : std::string(name);
  return out;
}

crosswalk::CastOption parse_cast(std::string_view text) {
  const auto [path, type] = cut_at_equals(text, "PATH=TYPE");
  return cast_to(path, type);
}

crosswalk::CastOption cast_to(std::string_view path, std::string_view type) {
  return {parse_selection(path), may_be_pattern(path), std::string(type)};
}

hub::Schema select(const hub::Schema& schema, const std::vector<Path>& paths) {
  Wanted wanted;
  for (const Path& path : paths) wanted.add(path.steps());
  hub::Schema out;
  out.metadata = schema.metadata;
  out.nullable_rows = schema.nullable_rows;
  out.bare_rows = schema.bare_rows;
  for (const auto& [step, below] : wanted.branches) {
    bool is_found = false;
    for (const hub::Field& field : schema.fields) {
      if (field.name != step.name) continue;
      // Several columns may have the name: all of them are meant.
      out.fields.push_back(cut(field, below, Path::column(field.name)));
      is_found = true;
    }
    if (!is_found) not_there(step.name, schema.fields, Path());
  }
  return out;
}

namespace {

/// Returns the fields without the excluded ones, each with its remaining members.
std::vector<hub::Field> left_of(std::span<const hub::Field> fields, const Path& parent,
                                const std::vector<Path>& excluded) {
  std::vector<hub::Field> out;
  for (const hub::Field& field : fields) {
    const Path path = parent.field(field.name);
    if (std::ranges::find(excluded, path) != excluded.end()) continue;
    hub::Field left = field;
    // Within lists, `orders.price` means `orders[].price`, as for what is selected.
    const hub::Type* type = &left.type;
    std::vector<hub::Type> lists;
    for (; hub::is_list(type->kind()); type = &type->child().type) lists.push_back(*type);
    if (type->kind() == hub::Kind::Struct) {
      hub::Type cut = hub::struct_(left_of(type->children(), path, excluded));
      if (cut.children().empty() && !type->children().empty()) continue;
      for (; !lists.empty(); lists.pop_back()) {
        hub::Field item = lists.back().child();
        item.type = std::move(cut);
        cut = with_children(lists.back(), {std::move(item)});
      }
      left.type = std::move(cut);
    }
    out.push_back(std::move(left));
  }
  return out;
}

/// Returns a path without its steps to items.
Path by_names(const Path& path) {
  Path out;
  for (const Path::Step* step : path.steps()) {
    if (step->kind != Kind::Item) out = out.below(*step);
  }
  return out;
}

}  // namespace

hub::Schema without(const hub::Schema& schema, const std::vector<Path>& excluded,
                    const hub::Schema& whole) {
  (void)select(whole, excluded);
  std::vector<Path> names;
  for (const Path& path : excluded) {
    const auto is_name = [](const Path::Step* step) {
      return step->kind == Kind::Field || step->kind == Kind::Item;
    };
    if (!path.last().is_named() || !std::ranges::all_of(path.steps(), is_name)) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected a column or a member of a struct to leave out, found {}",
                              path.text()));
    }
    names.push_back(by_names(path));
  }
  hub::Schema out = schema;
  out.fields = left_of(schema.fields, Path(), names);
  if (out.fields.empty())
    throw Error(ErrorCode::Usage, mention(hub::Option::Exclude) + " leaves no column");
  return out;
}

hub::Schema chosen(const hub::Schema& schema, const std::vector<Path>& selected,
                   const std::vector<Path>& excluded) {
  const hub::Schema wanted = selected.empty() ? schema : select(schema, selected);
  return excluded.empty() ? wanted : without(wanted, excluded, schema);
}

}  // namespace xwalk::io
