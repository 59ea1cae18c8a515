#pragma once

#include <cstdint>

/// What a function is compiled for that runs where `processor_at_hand` is Avx512.
#if defined(__x86_64__)
#define XWALK_FOR_AVX512 \
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,pclmul")]]
#endif

namespace xwalk {

/// What code may use of the processor at hand. It gives the same with all of it.
enum class Processor : uint8_t {
  Any,
  Avx2,    ///< and BMI, FMA, POPCNT, PCLMUL
  Avx512,  ///< F, BW, DQ, VL, VBMI2, BMI2, and what Avx2 has
};

/// Returns the best that the processor at hand is.
Processor processor_at_hand();

/// Limits the result of `processor_at_hand` from now on, in all threads. For tests, which compare
/// the results of each variant on the same bytes.
void limit_processor(Processor most);

}  // namespace xwalk
