// Helper of the test next to it: applies operations to a dataset's schema.
//   xwalk_lance_evolve MANIFEST OPERATION…   (each one word: drop|PATH, rename|PATH|NAME, …)
// Prints the fields with their ids, the ids of the data files and the next id.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/text.h"

namespace {

namespace lance = xwalk::lance;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

lance::Operation operation(const std::string& word) {
  std::vector<std::string> parts = split(word, '|');
  const std::string& verb = parts.at(0);
  auto path = [&](size_t index) { return lance::parse_field_path(parts.at(index)); };
  auto field = [&](size_t index) { return lance::parse_text(parts.at(index)).fields.at(0); };
  if (verb == "add") return lance::AddField{{}, field(1), parts.at(2) == "values"};
  if (verb == "member") return lance::AddField{path(1), field(2), false};
  if (verb == "drop") return lance::DropField{path(1)};
  if (verb == "rename") return lance::RenameField{path(1), parts.at(2)};
  if (verb == "cast") return lance::CastField{path(1), field(2)};
  if (verb == "nullable") return lance::SetNullable{path(1), parts.at(2) == "true"};
  lance::ReorderFields reorder;
  for (size_t i = 1; i < parts.size(); ++i) reorder.paths.push_back(path(i));
  return reorder;
}

void print(const std::vector<lance::Field>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    std::cout << (i == 0 ? "" : " ") << fields[i].name << ":" << fields[i].id << ":"
              << lance::print_logical_type(fields[i].type) << (fields[i].nullable ? "?" : "");
    if (fields[i].children.empty()) continue;
    std::cout << "(";
    print(fields[i].children);
    std::cout << ")";
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    std::ifstream stream(words[1], std::ios::binary);
    std::ostringstream manifest;
    manifest << stream.rdbuf();
    std::vector<lance::Operation> operations;
    for (int i = 2; i < count; ++i) operations.push_back(operation(words[i]));
    lance::Evolution evolution =
        lance::evolve(lance::read_evolution_state(manifest.str()), operations);
    print(evolution.state.schema.fields);
    std::cout << "\n";
    for (const auto& file : evolution.state.data_files) {
      for (int id : file) std::cout << id << ",";
      std::cout << " ";
    }
    std::cout << "\n" << lance::next_field_id(evolution.state) << "\n";
    return 0;
  } catch (const xwalk::Error& error) {
    std::cout << "refused: " << error.message() << "\n";
    return 1;
  }
}
