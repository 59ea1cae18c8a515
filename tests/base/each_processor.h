#pragma once

#include "xwalk/base/processor.h"

namespace xwalk {

/// Runs something once for each processor that the one at hand can stand for, the best one last.
template <typename Run>
void for_each_processor(const Run& run) {
  for (const Processor most : {Processor::Any, Processor::Avx2, Processor::Avx512}) {
    limit_processor(most);
    if (processor_at_hand() == most) run();
  }
  limit_processor(Processor::Avx512);
}

}  // namespace xwalk
