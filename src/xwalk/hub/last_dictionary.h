#pragma once

#include <memory>
#include <mutex>

#include "xwalk/hub/array.h"

namespace xwalk::hub {

/// Returns true if both arrays are the same elements of the same buffers, at every level.
bool same_buffers(const Array& a, const Array& b);

/// Caches the result for the last dictionary of a column: the batches of an input often share one.
/// Safe to call from several threads.
template <typename Made>
class LastDictionary {
 public:
  /// Returns `make` of a dictionary, or its previous result if the dictionary is the same as last
  /// time.
  template <typename Make>
  std::shared_ptr<const Made> of(const std::shared_ptr<const Array>& dictionary,
                                 const Make& make) const {
    {
      const std::lock_guard lock(mutex_);
      if (last_ != nullptr && same_buffers(*last_, *dictionary)) return made_;
    }
    auto made = std::make_shared<const Made>(make(*dictionary));
    const std::lock_guard lock(mutex_);
    last_ = dictionary;
    made_ = made;
    return made;
  }

 private:
  mutable std::mutex mutex_;
  /// Owns its buffers, so that no other dictionary can have their addresses.
  mutable std::shared_ptr<const Array> last_;
  mutable std::shared_ptr<const Made> made_;
};

}  // namespace xwalk::hub
