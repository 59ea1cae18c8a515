#pragma once

#include <stdint.h>

#include "xwalk/hub/arrow_abi.h"

// Engines in this process, as one copy of xwalk offers them to another: the Python module to the
// DuckDB extension, each of which contains the whole library. Plain C, so that no C++ type and no
// exception crosses. The Python module keeps an XwalkHost in a capsule of this name.

#define XWALK_HOST_MODULE "xwalk._xwalk"
#define XWALK_HOST_ATTRIBUTE "_engine_host"
#define XWALK_HOST_CAPSULE "xwalk._xwalk._engine_host"
/// Changes with every change that another copy would misread.
#define XWALK_HOST_VERSION 1

/// Rows that an engine has opened, or the failure to open them. Functions may be called from any
/// thread, by one at a time.
struct XwalkHostedRows {
  /// The rows; without `release` if opening them failed. The caller may move it out.
  struct ArrowArrayStream rows;
  void* context;
  /// Passes each status line of the engine to `take`, as the contract in xwalk_engine.py has them.
  void (*report)(void* context, void (*take)(void* to, const char* line), void* to);
  void (*release)(void* context);
};

struct XwalkHost {
  uint32_t version;
  /// Opens rows like the program `xwalk-engine-NAME read OPTIONS`. Returns 1, or 0 without a change
  /// of `out` if the engine is not available here.
  int (*read)(const char* engine, const char* options, struct XwalkHostedRows* out);
};
