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
#define XWALK_HOST_VERSION 2

/// Rows that an engine has opened, or the failure to open them. Functions of this and the following
/// struct may be called from any thread, by one at a time.
struct XwalkHostedRows {
  /// The rows; without `release` if opening them failed. The caller may move it out.
  struct ArrowArrayStream rows;
  void* context;
  /// Passes each status line of the engine to `take`, as the contract in xwalk_engine.py has them.
  void (*report)(void* context, void (*take)(void* to, const char* line), void* to);
  void (*release)(void* context);
};

/// An engine that writes rows, or the failure to start it. What it has written is removed by
/// `release`, unless it has reported `done`.
struct XwalkHostedOutput {
  void* context;
  /// Waits up to a tenth of a second until it has ended; returns 1 if it has.
  int (*ended)(void* context);
  /// Announces the total number of rows, before their stream ends.
  void (*promise)(void* context, int64_t rows);
  void (*report)(void* context, void (*take)(void* to, const char* line), void* to);
  void (*release)(void* context);
};

struct XwalkHost {
  uint32_t version;
  /// Opens rows like the program `xwalk-engine-NAME read OPTIONS`. Returns 1, or 0 without a change
  /// of `out` if the engine is not available here.
  int (*read)(const char* engine, const char* options, struct XwalkHostedRows* out);
  /// Begins to write rows like the program `xwalk-engine-NAME write OPTIONS`. Returns 1 and takes
  /// the rows, or 0 as above.
  int (*write)(const char* engine, const char* options, struct ArrowArrayStream* rows,
               struct XwalkHostedOutput* out);
};
