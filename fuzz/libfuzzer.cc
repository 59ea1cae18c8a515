// The entry points that libFuzzer calls in the program of one fuzzer.

#include <cstddef>
#include <cstdint>

#include "fuzz/harness.h"
#include "fuzz/sweep.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  xwalk::fuzz::count_allocations();
  xwalk::fuzz::sweep_if_asked(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  xwalk::fuzz::check_input(xwalk::fuzz::run,
                           {static_cast<const char*>(static_cast<const void*>(data)), size});
  return 0;
}
