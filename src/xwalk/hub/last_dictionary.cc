#include "xwalk/hub/last_dictionary.h"

#include <algorithm>

namespace xwalk::hub {

bool same_buffers(const Array& a, const Array& b) {
  if (a.length != b.length || a.offset != b.offset || a.null_count != b.null_count) return false;
  if (a.buffers != b.buffers || (a.dictionary == nullptr) != (b.dictionary == nullptr))
    return false;
  if (a.dictionary != nullptr && !same_buffers(*a.dictionary, *b.dictionary)) return false;
  return std::ranges::equal(a.children, b.children, same_buffers);
}

}  // namespace xwalk::hub
