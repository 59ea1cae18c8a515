#pragma once

#include <cstddef>

#include "fuzz/harness.h"
#include "tests/base/shared_offsets.h"

namespace xwalk::fuzz {

/// Chooses what the offsets of a schema share: few bytes that would become up to gigabytes.
inline shared::SharedOffsets shared_offsets(Choices* choices) {
  shared::SharedOffsets out;
  out.fields = size_t{1} << choices->below(15);
  out.name_bytes = size_t{1} << choices->below(19);
  out.entries = choices->below(2) == 0 ? 0 : size_t{1} << choices->below(13);
  out.entry_bytes = size_t{1} << choices->below(19);
  out.one_table = choices->below(2) == 0;
  out.kind = choices->byte();
  return out;
}

}  // namespace xwalk::fuzz
