// Paths of columns of random schemas, and patterns of them: read as they are shown; what is
// selected is there and what is left out is not, and neither changes the rest.

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/crosswalk/random_values.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/children.h"
#include "xwalk/io/rows/selection.h"

namespace xwalk::fuzz {
namespace {

void add_paths(const hub::Field& field, const Path& path, std::vector<Path>* out) {
  out->push_back(path);
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    add_paths(*child.field, child.path, out);
  }
}

/// A path of the schema as it is shown; at times changed, or without its steps to items.
std::string make_text(const std::vector<Path>& all, Choices* choices) {
  std::string text = all[(choices->byte() << 8 | choices->byte()) % all.size()].text();
  switch (choices->below(8)) {
    case 0:
      for (size_t at; (at = text.find("[]")) != std::string::npos;) text.erase(at, 2);
      break;
    case 1:
      if (const size_t at = text.find_first_of("0123456789"); at != text.npos) text[at] = '?';
      break;
    case 2:
      text = text.substr(0, text.find_last_of('.') + 1) + "*";
      break;
    case 3: {
      const size_t at = choices->byte() % (text.size() + 1);
      text = text.substr(0, at) + std::string(choices->text()) + text.substr(at);
      break;
    }
    default:
      break;
  }
  return text;
}

std::vector<Path> paths_of(const hub::Schema& schema) {
  std::vector<Path> all;
  for (const hub::Field& field : schema.fields) {
    add_paths(field, Path::column(field.name), &all);
  }
  return all;
}

void check_text(const std::string& text, const hub::Schema& schema, Choices* choices) {
  const Path path = io::parse_selection(text);
  require(io::parse_selection(path.text()) == path, "a path is read as it is shown", text);
  (void)io::names_column(text, schema);
  std::string name(choices->text());
  if (choices->below(2) == 0) {
    name = Path::column(name).text();
    if (!name.starts_with('"')) name = "\"odd name\"";
  }
  const crosswalk::CastOption cast = io::parse_cast(path.text() + "=" + name);
  require(cast.path == path && cast.type == name, "a cast has two halves", name);
  const crosswalk::RenameOption rename = io::parse_rename(path.text() + "=" + name);
  require(rename.path == path, "a name has a path", text);
  require(!name.starts_with('"') || Path::column(rename.name).text() == name ||
              rename.name == "odd name",
          "a name is read as it is shown", name);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  crosswalk::testing::RandomData random(choices.word() % 4096);
  hub::Schema schema{random.fields(1 + choices.below(4), 3), {{"kept", "as it is"}}};
  if (choices.below(4) == 0) schema.fields.back().name = std::string(choices.text());
  const std::vector<Path> all = paths_of(schema);
  std::vector<std::string> texts;
  std::vector<std::string> more;
  for (size_t left = 1 + choices.below(3); left > 0; --left) {
    texts.push_back(make_text(all, &choices));
  }
  for (size_t left = choices.below(3); left > 0; --left) more.push_back(make_text(all, &choices));
  try {
    if (choices.below(4) == 3) return check_text(texts.front(), schema, &choices);
    const auto ask = [&] { return schema; };
    const std::vector<Path> selected = io::find_selected(texts, ask);
    const std::vector<Path> excluded = io::find_selected(more, ask);
    const hub::Schema chosen = io::select(schema, selected);
    require(io::select(chosen, selected) == chosen, "what was selected is there", texts.front());
    require(chosen.metadata == schema.metadata, "the table keeps its metadata", texts.front());
    for (const Path& path : paths_of(chosen)) {
      require(std::ranges::find(all, path) != all.end(), "nothing is new", path.text());
    }
    const hub::Schema left = io::chosen(schema, selected, excluded);
    if (excluded.empty()) return require(left == chosen, "nothing is left out", texts.front());
    const std::vector<Path> of_left = paths_of(left);
    for (const Path& path : excluded) {
      require(std::ranges::find(of_left, path) == of_left.end(), "it is left out", path.text());
    }
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Usage, "a refusal is of what the user wrote",
            error.describe());
  }
}

}  // namespace xwalk::fuzz
