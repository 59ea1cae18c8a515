#pragma once

#include "xwalk/hub/arrow_abi.h"

// The interface between xwalk and the plugin that reads and writes Parquet and Arrow IPC data: a
// shared library that is loaded on first use and exports `xwalk_engine_v1`. Plain C, so that no C++
// type and no exception crosses. The plugin opens no file. xwalk gives it bytes to read and takes
// the bytes that it writes, so that compression, atomic output and closed pipes are handled in one
// place for every format.
//
// Lifetime: structs of options, and all memory that they point to, belong to the caller and are
// valid until the function that takes them returns. The plugin copies what it keeps and frees
// nothing of them. Pointers with a count of 0 may be null.
//
// Compatibility: XWALK_ENGINE_VERSION changes with every change that an older plugin or host would
// misread. Options may be added at the end of their struct without that. Each struct of options
// begins with its size. The plugin takes missing options as 0, and refuses options that it does not
// know unless all their bytes are 0, so 0 is the default of every option that is added.

#ifdef __cplusplus
extern "C" {
#endif

#define XWALK_ENGINE_VERSION 3

/// Receives failures. The function may be called from any thread, by one at a time. The context
/// lives until the stream or writer that it was given with is released.
struct XwalkEngineHost {
  void* context;
  /// Keeps the text of a failure. `code` is "input", "usage", "unsupported", "io", "internal", or
  /// "memory" if the input needs more than `max_memory`.
  void (*fail)(void* context, const char* code, const char* message);
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
  /// Announces ranges that will be read soon, so that they are fetched together: pairs of offset
  /// and size. Goes with `read_at`.
  void (*want)(struct XwalkEngineSource* self, const uint64_t* ranges, uint64_t count);
  /// Fills up to `size` bytes; returns how many, 0 at the end, -1 when the host failed (it keeps
  /// the reason).
  int64_t (*read)(struct XwalkEngineSource* self, void* out, uint64_t size);
  /// Announces that a byte range of `data` or `read_at` is no longer needed, for progress and
  /// memory. May be null.
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

/// Values of `format`.
enum XwalkEngineFormat {
  XWALK_ENGINE_PARQUET = 0,
  XWALK_ENGINE_ARROW_FILE = 1,
  XWALK_ENGINE_ARROW_STREAM = 2,
};

/// Bytes without a zero byte at their end.
struct XwalkEngineBytes {
  const char* data;
  uint64_t size;
};

/// Numbers of leaf columns of a Parquet schema, from 0 on.
struct XwalkEngineLeaves {
  const int32_t* data;
  uint64_t count;
};

/// A leaf column in one row group.
struct XwalkEngineChunk {
  int32_t row_group;
  int32_t leaf;
};

/// Options of `open`. Options of the other formats are not read.
struct XwalkEngineReadOptions {
  /// The size of this struct in bytes.
  uint64_t struct_size;
  int32_t format;
  /// How many threads may decode columns; 0 for one.
  int32_t threads;
  /// Most rows of a batch; 0 for the plugin's choice.
  int64_t batch_rows;
  /// Most bytes of a batch, as an estimate; 0 for the plugin's choice.
  int64_t batch_bytes;
  /// Bytes that may be allocated for the input at a time; 0 for the plugin's choice.
  uint64_t max_memory;
  /// Arrow: names of the top-level columns that are wanted; none for all. Columns come in the order
  /// of the input. More may come, and names that the input does not have are ignored.
  const struct XwalkEngineBytes* columns;
  uint64_t column_count;
  /// Parquet: FileMetaData instead of the file's own.
  struct XwalkEngineBytes footer;
  /// Parquet: the leaves that are wanted.
  struct XwalkEngineLeaves leaves;
  /// Parquet: leaves of bytes that stay dictionaries, with 32-bit indices.
  struct XwalkEngineLeaves dictionaries;
  /// Parquet: chunks of bytes whose values stay in their pages until their batch comes.
  const struct XwalkEngineChunk* large_chunks;
  uint64_t large_chunk_count;
  /// Parquet: 1 if each row group of `footer` has one row more than the file, which shows columns
  /// that are longer than their row group; else 0.
  int32_t one_row_more;
  int32_t reserved;
};

/// Parquet: the key of the metadata that a written footer has: for each row group, the number of
/// NaNs of each leaf of floating-point numbers, in decimal digits, each followed by a space. The
/// host takes it out.
#define XWALK_ENGINE_NAN_COUNTS "xwalk.nan-counts"

/// A leaf column with its own codec.
struct XwalkEngineLeafCodec {
  int32_t leaf;
  int32_t reserved;
  /// As `compression`, ended by a zero byte.
  const char* compression;
};

/// A leaf column by which the rows of each row group are sorted. Flags are 0 or 1.
struct XwalkEngineSortKey {
  int32_t leaf;
  int32_t descending;
  int32_t nulls_first;
};

/// Options of `open_writer`. Options of the other formats are not read.
struct XwalkEngineWriteOptions {
  /// The size of this struct in bytes.
  uint64_t struct_size;
  int32_t format;
  /// How many threads may encode columns; 0 for one.
  int32_t threads;
  /// "none", "snappy", "zstd", "lz4", "gzip" or "brotli", ended by a zero byte (Arrow: "none",
  /// "zstd", "lz4"); null or "" for the usual one of the format.
  const char* compression;
  int32_t compression_level;
  /// 1 if `compression_level` is given, else 0.
  int32_t has_compression_level;
  /// Parquet: most rows of a row group; 0 for the plugin's choice.
  int64_t row_group_rows;
  /// Parquet: FileMetaData with the schema to write. Batches have its nesting, with leaves of its
  /// physical types.
  struct XwalkEngineBytes footer;
  /// Parquet: leaves without statistics.
  struct XwalkEngineLeaves without_statistics;
  /// Parquet: leaves whose codec is not `compression`.
  const struct XwalkEngineLeafCodec* leaf_compression;
  uint64_t leaf_compression_count;
  /// Parquet: the order of rows that the file promises.
  const struct XwalkEngineSortKey* sorted_by;
  uint64_t sorted_by_count;
  /// Parquet: 1 to write the page index, else 0.
  int32_t page_index;
  int32_t reserved;
};

struct XwalkEngine {
  /// The XWALK_ENGINE_VERSION that it was built for. The host refuses another one.
  int version;
  /// "xwalk-parquet 0.1.0 (Arrow 26.0.1)", for messages and `xwalk formats`.
  const char* description;
  /// Opens for reading. Sets `rows` to the number of rows, -1 if it is unknown. Returns 0, else an
  /// errno after `fail`. Only the schema is read before the first `get_next`.
  int (*open)(const struct XwalkEngineReadOptions* options, const struct XwalkEngineHost* host,
              struct XwalkEngineSource* source, struct ArrowArrayStream* out, int64_t* rows);
  /// Opens for writing batches of one schema, a struct that stays the caller's. Returns the same.
  int (*open_writer)(const struct XwalkEngineWriteOptions* options,
                     const struct XwalkEngineHost* host, const struct ArrowSchema* schema,
                     struct XwalkEngineSink* sink, struct XwalkEngineWriter* out);
};

/// The one symbol that a plugin exports.
typedef const struct XwalkEngine* (*XwalkEngineEntry)(void);

#ifdef __cplusplus
}
#endif
