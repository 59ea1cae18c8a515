#include "xwalk/cli/inputs.h"

#include <fmt/format.h>

namespace xwalk::cli {

io::Input open_rows(const std::vector<std::string>& paths, const io::InputOptions& options,
                    Session& session) {
  io::Input input = io::open_input(paths, options);
  if (input.schema_origin == io::SchemaOrigin::Inferred && input.table_schema) {
    session.note(fmt::format("{}: no schema given, inferred from all rows:\n{}", paths.front(),
                             yt::print(*input.table_schema, yt::SchemaForm::Yson)));
  }
  return input;
}

hub::Findings notes_of(const io::SplitReader& reader) {
  const io::SplitReader::Notes notes = reader.notes();
  return notes ? notes() : hub::Findings{};
}

void print_notes(const hub::Findings& notes, Session& session) {
  for (const hub::Finding& note : notes) {
    session.note(fmt::format("note: {}: {} ({})", note.path.text(), note.lost, note.rule));
  }
}

}  // namespace xwalk::cli
