#include "xwalk/duckdb/notes.h"

#include <utility>

namespace xwalk::duckdb {

void Notes::add(uint64_t connection, const std::string& input, hub::Findings findings) {
  const std::scoped_lock lock(mutex_);
  for (hub::Finding& finding : findings) {
    std::erase_if(kept_, [&](const Note& note) {
      return note.connection == connection && note.input == input &&
             note.finding.rule == finding.rule && note.finding.path == finding.path;
    });
    kept_.push_back({connection, input, std::move(finding)});
    if (kept_.size() > kMost) kept_.pop_front();
  }
}

std::vector<Note> Notes::of(uint64_t connection) const {
  const std::scoped_lock lock(mutex_);
  std::vector<Note> found;
  for (const Note& note : kept_) {
    if (note.connection == connection) found.push_back(note);
  }
  return found;
}

}  // namespace xwalk::duckdb
