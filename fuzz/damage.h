#pragma once

#include <string>

#include "fuzz/harness.h"

namespace xwalk::fuzz {

/// Cuts bytes, removes some, inserts or overwrites others; does nothing if no choice is left.
inline void damage(Choices* choices, std::string* bytes) {
  for (size_t left = choices->below(4); left > 0 && !bytes->empty(); --left) {
    const size_t at = (size_t{choices->byte()} << 8 | choices->byte()) % bytes->size();
    switch (choices->below(4)) {
      case 0:
        bytes->resize(at);
        break;
      case 1:
        bytes->erase(at, 1 + choices->below(4));
        break;
      case 2:
        bytes->insert(at, choices->text());
        break;
      default:
        (*bytes)[at] = static_cast<char>(choices->byte());
    }
  }
}

}  // namespace xwalk::fuzz
