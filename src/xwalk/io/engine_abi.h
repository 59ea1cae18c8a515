#pragma once

#include "xwalk/hub/arrow_abi.h"

// The contract between xwalk and an engine that lives in the same process: a shared library loaded
// on first use, which exports `xwalk_engine_v1`. Plain C, so that no C++ type or exception crosses.
// Out-of-process engines follow the same contract over a pipe.

#ifdef __cplusplus
extern "C" {
#endif

#define XWALK_ENGINE_VERSION 1

/// How an engine tells of progress and failure. All functions may be called from any thread.
struct XwalkEngineHost {
  void* context;
  /// Keeps a failure's text; `code` is "input", "unsupported", "io" or "internal".
  void (*fail)(void* context, const char* code, const char* message);
};

struct XwalkEngine {
  /// XWALK_ENGINE_VERSION it was built for; the host refuses another.
  int version;
  /// "xwalk-parquet 0.1.0 (Arrow 26.0.1)", for messages and `xwalk formats`.
  const char* description;
  /// Opens for reading. `options_json` names "format" ("parquet" or "arrow"), "path" (or "fd"), and what cli.md
  /// lists: "columns" (paths), "batch_rows", "threads". Returns 0 and a stream, else an errno after `fail`.
  /// `info_json` receives {"rows":…, "bytes":…, "metadata":…}, owned by the engine until its next call
  /// on this thread; may be null.
  int (*open)(const char* options_json, const struct XwalkEngineHost* host, struct ArrowArrayStream* out,
              const char** info_json);
  /// Consumes a stream into a file at "path". The name is xwalk's temporary one; xwalk renames after success.
  /// Options: "format", "compression", "row_group_rows", "threads". Receives {"rows":…, "bytes":…}.
  int (*write)(const char* options_json, const struct XwalkEngineHost* host, struct ArrowArrayStream* stream,
               const char** info_json);
};

/// The one symbol an engine exports.
typedef const struct XwalkEngine* (*XwalkEngineEntry)(void);

#ifdef __cplusplus
}
#endif
