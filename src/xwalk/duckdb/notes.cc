#include "xwalk/duckdb/notes.h"

#include <utility>

namespace xwalk::duckdb {

void Notes::add(Note note) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(kept_, [&](const Note& known) {
    return known.connection == note.connection && known.file == note.file &&
           known.finding.rule == note.finding.rule && known.finding.path == note.finding.path;
  });
  kept_.push_back(std::move(note));
  if (kept_.size() > kMost) kept_.pop_front();
}

void Notes::add(uint64_t connection, const std::string& file, hub::Findings findings) {
  for (hub::Finding& finding : findings) add({connection, file, std::move(finding)});
}

void Notes::add(uint64_t connection, const std::string& file, const crosswalk::Plan& plan) {
  for (const crosswalk::PathReport& path : plan.paths) {
    for (const crosswalk::Reason& reason : path.reasons) {
      hub::Finding finding;
      finding.rule = reason.rule;
      finding.path = path.path;
      finding.lost = reason.lost.empty() ? reason.label : reason.lost;
      finding.witness = reason.witness;
      finding.hint = reason.hint;
      add({connection, file, std::move(finding), path.verdict()});
    }
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
