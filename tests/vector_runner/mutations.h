#pragma once

#include <functional>
#include <map>
#include <string>

#include "runner.h"

namespace xwalk::vectors {

/// Changes the fields of cases and counts the changes that a check does not notice.
class Mutations {
 public:
  /// Tries every `step`-th change; none for 0.
  explicit Mutations(int step) : step_(step) {}

  /// Changes a case in many ways, one at a time. `passes` runs the changed case: it returns false
  /// or throws where it sees the change.
  void try_all(const Json& vector, const std::function<bool(const Json&)>& passes);

  /// Prints the count, and the fields whose changes went unseen. Returns the number of these
  /// fields.
  int report() const;

 private:
  int step_;
  int count_ = 0;
  int tried_ = 0;
  std::map<std::string, std::string> unseen_;  ///< a case by `kind field`
};

}  // namespace xwalk::vectors
