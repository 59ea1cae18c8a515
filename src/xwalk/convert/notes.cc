#include "xwalk/convert/notes.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

std::string notes_json(const FileNotes& files, const hub::Findings& rows,
                       hub::Interface interface) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  const auto add = [&](std::string path, std::string_view rule, std::string found) {
    out.push_back({{"path", std::move(path)}, {"rule", rule}, {"found", std::move(found)}});
  };
  if (files.inferred) {
    const hub::Finding inferred = finding_of(*files.inferred);
    add("", inferred.rule, hub::spelled(inferred.lost, interface));
  }
  for (const std::string& file : files.left_aside) {
    add(shown_name(file), "", std::string(reason_of_leaving(file)));
  }
  for (const FileNotes::Unified& file : files.unified) {
    for (const auto& [path, change] : file.changes) {
      add(shown_name(file.path), "", fmt::format("{}: {}", path.text(), change));
    }
  }
  for (const hub::Finding& note : rows) {
    add(note.path.text(), note.rule, hub::spelled(note.lost, interface));
  }
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace xwalk::io
