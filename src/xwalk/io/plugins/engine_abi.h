#pragma once

#include "xwalk/hub/arrow_abi.h"

// The contract between xwalk and an engine that lives in the same process: a shared library loaded
// on first use, which exports `xwalk_engine_v1`. Plain C, so that no C++ type or exception crosses.
// The engine touches no file: the host hands it bytes to read and takes the bytes it writes, so
// that compression, atomic output and closed pipes are one matter for every format.

#ifdef __cplusplus
extern "C" {
#endif

#define XWALK_ENGINE_VERSION 2

/// How an engine tells of what it found and of failure. Functions may be called from any thread,
/// but by one at a time; the context lives until the stream or writer it was given with is
/// released.
struct XwalkEngineHost {
  void* context;
  /// Keeps a failure's text; `code` is "input", "usage", "unsupported", "io", "internal", or
  /// "memory" where the input asks for more than "max_memory".
  void (*fail)(void* context, const char* code, const char* message);
  /// Receives facts about an opened input as one JSON object: "rows" and "bytes" (null where
  /// unknown), and what else the format knows.
  void (*info)(void* context, const char* json);
};

/// Bytes to read. Either `data` is the whole contents, readable by any number of threads until
/// `release`; or it is null and `read_at` gives those of any place; or that is null, too, and
/// `read` gives them in order. `open` moves the struct: the engine keeps it alive as long as any
/// array that points into `data`, and leaves `release` null. The host releases what it leaves.
struct XwalkEngineSource {
  const void* data;
  /// Size of `data`, or of what `read_at` gives; unused with `read`.
  uint64_t size;
  /// Fills `size` bytes from `offset` on, which are within the size; returns 0, or -1 when the host
  /// failed. Any number of threads at once.
  int (*read_at)(struct XwalkEngineSource* self, uint64_t offset, uint64_t size, void* out);
  /// Told of ranges that will be read soon, so that they are fetched together: pairs of offset and
  /// size. Goes with `read_at`.
  void (*want)(struct XwalkEngineSource* self, const uint64_t* ranges, uint64_t count);
  /// Fills up to `size` bytes; returns how many, 0 at the end, -1 when the host failed (it keeps
  /// the reason).
  int64_t (*read)(struct XwalkEngineSource* self, void* out, uint64_t size);
  /// Told of each byte range of `data` or `read_at` that is done with, for progress and memory. May
  /// be null.
  void (*consumed)(struct XwalkEngineSource* self, uint64_t offset, uint64_t size);
  void (*release)(struct XwalkEngineSource* self);
  void* private_data;
};

/// Takes bytes in order. The engine owns the struct once `open_writer` was called.
struct XwalkEngineSink {
  /// Returns 0, or an errno when the host failed (it keeps the reason).
  int (*write)(struct XwalkEngineSink* self, const void* data, uint64_t size);
  void (*release)(struct XwalkEngineSink* self);
  void* private_data;
};

/// Takes record batches. Functions return 0 or an errno after `fail`.
struct XwalkEngineWriter {
  /// Writes one struct array of the schema given at the start, and releases it.
  int (*write)(struct XwalkEngineWriter* self, struct ArrowArray* batch);
  /// Completes the output; nothing may be written afterwards.
  int (*finish)(struct XwalkEngineWriter* self);
  void (*release)(struct XwalkEngineWriter* self);
  void* private_data;
};

struct XwalkEngine {
  /// XWALK_ENGINE_VERSION it was built for; the host refuses another.
  int version;
  /// "xwalk-parquet 0.1.0 (Arrow 26.0.1)", for messages and `xwalk formats`.
  const char* description;
  /// Opens for reading. Options, all but the first optional:
  ///   "format": "parquet", "arrow-file" or "arrow-stream";
  ///   "columns": [[step, …], …], the paths wanted; a step is ".name", "[]", "{key}" or "{value}".
  ///     At least these come, in the input's order; the host cuts what is more;
  ///   "batch_rows", "batch_bytes": upper bounds of a batch; the second is an estimate;
  ///   "max_memory": bytes that may be allocated for the input at a time;
  ///   "threads": how many may decode columns;
  ///   Parquet: "footer": FileMetaData, in hex, to use in place of the file's own; "leaves": the
  ///     numbers of the leaves wanted, in place of "columns"; "dictionaries": the numbers of
  ///     leaves of bytes that come as dictionaries of 32-bit indices; "large_chunks": pairs of a
  ///     row group and a leaf of bytes whose values are left in their pages until their batch
  ///     comes.
  /// Returns 0, else an errno after `fail`. Only the schema is read before the first `get_next`.
  int (*open)(const char* options_json, const struct XwalkEngineHost* host,
              struct XwalkEngineSource* source, struct ArrowArrayStream* out);
  /// Opens for writing batches of one schema, a struct that stays the caller's. Options:
  ///   "format" as above; "compression": "none", "snappy", "zstd", "lz4", "gzip", "brotli"
  ///     (Arrow: none, zstd, lz4); "compression_level";
  ///   Parquet: "row_group_rows", "row_group_bytes" (an estimate of the rows in memory),
  ///   "store_schema": whether ARROW:schema is written (true); "threads";
  ///   "footer": FileMetaData, in hex, whose schema is written in place of one made of the Arrow
  ///   schema: batches are then of its nesting, with leaves of its physical types;
  ///   "without_statistics": numbers of leaves of that schema; "leaf_compression": [[leaf, codec],
  ///   …] of those with another codec; "sorted_by": [[leaf, descending, nulls first], …], what the
  ///   footer says of the order of rows; "page_index": whether one is written (false).
  int (*open_writer)(const char* options_json, const struct XwalkEngineHost* host,
                     const struct ArrowSchema* schema, struct XwalkEngineSink* sink,
                     struct XwalkEngineWriter* out);
};

/// The one symbol an engine exports.
typedef const struct XwalkEngine* (*XwalkEngineEntry)(void);

#ifdef __cplusplus
}
#endif
