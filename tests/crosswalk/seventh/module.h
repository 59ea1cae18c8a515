#pragma once

#include <string>
#include <vector>

#include "xwalk/hub/module.h"

namespace xwalk::cards {

/// A system that does not exist: schemas only, four types, on punched cards.
extern const hub::Module kModule;

struct Column {
  std::string name;
  /// `number`, `real`, `words` or `mark`.
  std::string type;
  bool nullable = false;

  friend bool operator==(const Column&, const Column&) = default;
};

struct Cards {
  std::vector<Column> columns;

  friend bool operator==(const Cards&, const Cards&) = default;
};

}  // namespace xwalk::cards
