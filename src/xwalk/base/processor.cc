#include "xwalk/base/processor.h"

#include <algorithm>
#include <atomic>

namespace xwalk {
namespace {

std::atomic<Processor> most_allowed{Processor::Avx512};

Processor find_processor() {
#if defined(__x86_64__)
  const auto all = [](auto... found) { return ((found != 0) && ...); };
  if (!all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("bmi"),
           __builtin_cpu_supports("fma"), __builtin_cpu_supports("popcnt"),
           __builtin_cpu_supports("pclmul"))) {
    return Processor::Any;
  }
  if (!all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
           __builtin_cpu_supports("avx512dq"), __builtin_cpu_supports("avx512vl"),
           __builtin_cpu_supports("avx512vbmi2"), __builtin_cpu_supports("bmi2"))) {
    return Processor::Avx2;
  }
  return Processor::Avx512;
#else
  return Processor::Any;
#endif
}

}  // namespace

Processor processor_at_hand() {
  static const Processor kFound = find_processor();
  return std::min(kFound, most_allowed.load(std::memory_order_relaxed));
}

void limit_processor(Processor most) { most_allowed.store(most, std::memory_order_relaxed); }

}  // namespace xwalk
