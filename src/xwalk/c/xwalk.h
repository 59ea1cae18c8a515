#pragma once

/*
 * xwalk for C, and for every language that calls C: schemas of YTsaurus, Skiff, Parquet, Lance,
 * Vortex and Arrow from one system to another, with a report of what is kept; rows of their files
 * as Arrow streams, in and out. Link with -lxwalk (pkg-config: xwalk; CMake: xwalk::shared).
 *
 * Results. A function that can fail returns XWALK_OK or why not, and takes `xwalk_error** error`
 * last. On failure it puts a new error there, unless `error` is NULL; on success it leaves it
 * alone. What the other out-parameters point to is written on success only. An out-parameter that
 * may be NULL says so.
 *
 * Ownership. The caller owns the results in out-parameters and frees them with their xwalk_*_free
 * function (an Arrow struct with its own `release`). All of these functions accept NULL. A result
 * that is `const` belongs to the function's argument.
 *
 * Texts are UTF-8 and end with a zero byte. Options are a JSON object or NULL. They have the names
 * of the program's options with underscores for hyphens, `xwalk convert --help` explains them:
 *   reading      format, schema, require_schema, save_schema (a path), partitions, unify, select,
 *                exclude, limit, sample ("1000" or "2.5%"), seed, tail, batch_rows, max_memory,
 *                on_error ("fail" or "skip"), table, version, follow, table_index, range_index,
 *                row_index, end_of_stream, int96_unit, complex_type_mode, string_keyed_dict_mode,
 *                decimal_mode, time_mode, uuid_mode, uuid_order, tz_form, decimal_special,
 *                storage_options ({"endpoint": "…", "region": "…"}), part (one of Python's
 *                "rows.parts")
 *   converting   rename ({"old": "new"}), cast ({"price": "decimal(18,2)"}), annotations, round,
 *                merge_nulls, drop_zone, duplicate_keys, variant_values, allow,
 *                any ("yson", "json", "ytjson" or "variant"),
 *                cluster_version ("24.1": the release of YTsaurus that a table is for),
 *                lance_version ("2.1"), vortex_edition ("core2025.10.0"),
 *                for_reader (["duckdb", "pylance=2.0"]),
 *                csv_formulas ("keep", "escape" or "refuse")
 *   writing      to, compression, row_group_rows, partition_by, geoparquet, shred ({"v":
 *                "struct<a: int64>"}, or "auto"), durable, mode, key, evolve,
 *                yson_format, skip_null_values, threads, max_rejects, rejects, yt_attributes
 *                ({"optimize_for": "scan"}: of a table on a cluster; texts are YSON), yt_writers,
 *                verify, resume, jobs (the last three need a stream of xwalk_rows_open that was
 *                not read), and on_error for rows that do not fit
 * storage_options say how to reach the object stores of URIs. Secrets come from the store's own
 * variables and profiles.
 * An option that a function does not use is checked and has no effect. An unknown one, and a name
 * that is given twice, is XWALK_USAGE.
 *
 * Threads. Functions may be called from several threads at once. A schema, an error and a report do
 * not change, and may be used by several threads until one frees them. A stream is used by one
 * thread at a time.
 *
 * Systems are "yt", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg", "delta";
 * formats of rows "yson", "json" (lines), "skiff", "parquet", "lance", "vortex", "iceberg",
 * "delta", "arrow" (a file) and "arrow-stream". Rows of Parquet and Arrow files need the plugin of
 * xwalk, those of Lance and Vortex their engines. A missing one is XWALK_IO.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#define XWALK_API __attribute__((visibility("default")))
#else
#define XWALK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data and stream interfaces, as published for copying into any project
 * (https://arrow.apache.org/docs/format/CDataInterface.html). */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/** Returns the version of the library that runs, "0.1.0". */
XWALK_API const char* xwalk_version(void);

/* ---- errors ---------------------------------------------------------------------------------- */

/** What kind of failure ended a call. */
typedef enum xwalk_code {
  XWALK_OK = 0,
  XWALK_USAGE = 1,       /**< the call makes no sense: NULL, an unknown option, contradictions */
  XWALK_INPUT = 2,       /**< bytes, text or a value are not what they should be */
  XWALK_UNSUPPORTED = 3, /**< there is no mapping, or it would alter values without consent */
  XWALK_IO = 4,          /**< the operating system, or an engine, refused to read or write */
  XWALK_INTERRUPTED = 5, /**< the work was stopped */
  XWALK_INTERNAL = 6     /**< a bug in xwalk, or out of memory */
} xwalk_code;

/**
 * Why a call failed, and where. Texts that are not known are "", numbers -1. Rows, bytes and tables
 * count from 0, lines and columns (in bytes) from 1. Made by xwalk only: later versions may append
 * members.
 */
typedef struct xwalk_error {
  xwalk_code code;
  const char* message; /**< what was expected and what was found */
  const char* hint;    /**< what may help */
  const char* text;    /**< the whole error as readable lines: place, message, caret, hint */
  const char* file;
  const char* path; /**< the path of the column: `items[].price` */
  int64_t line;
  int64_t column;
  int64_t byte;
  int64_t row;
  int64_t table;
} xwalk_error;

/** Frees an error. */
XWALK_API void xwalk_error_free(xwalk_error* error);

/* ---- reports --------------------------------------------------------------------------------- */

/** The grades of a conversion, best first. By default xwalk goes as far as XWALK_CHECKED. */
enum {
  XWALK_EXACT = 0,      /**< nothing is lost */
  XWALK_ANNOTATED = 1,  /**< the type is restored from an annotation that the target keeps */
  XWALK_WIDENED = 2,    /**< values are kept, the type or a label is not */
  XWALK_INFERRED = 3,   /**< values are kept, the types were inferred from them */
  XWALK_CHECKED = 4,    /**< values that do not fit are rejected */
  XWALK_LOSSY = 5,      /**< values are altered */
  XWALK_NO_MAPPING = 6, /**< there is no way for a column: its verdict is "unsupported" */
};

/** The grades of a compatibility. */
enum {
  XWALK_COMPATIBLE = 0,
  XWALK_NEEDS_VALIDATION = 1, /**< values must be checked */
  XWALK_INCOMPATIBLE = 2,
};

/** The grades of a proof. */
enum {
  XWALK_VERIFIED = 0,
  XWALK_DIFFERS = 1, /**< the output is not what the conversion writes */
};

/** What a conversion keeps, or how compatible schemas are. Made by xwalk only: later versions may
 * append members. */
typedef struct xwalk_report {
  int32_t grade;       /**< the worst of all columns, as above */
  const char* verdict; /**< the same as a word: "checked", "needs validation" */
  const char* summary; /**< one line: "5 columns: 4 exact, 1 checked (date)" */
  const char* json;    /**< all of it, as share/xwalk/report.schema.json describes it */
  int64_t rows;        /**< rows written, or read by xwalk_rows_check; -1 if no rows were read */
  int64_t rejected;    /**< rows left out, or that would be; -1 if no rows were read */
  const char* text;    /**< all of it as readable lines, with every column */
} xwalk_report;

/** Frees a report. */
XWALK_API void xwalk_report_free(xwalk_report* report);

/* ---- schemas --------------------------------------------------------------------------------- */

/** A table schema of one system. */
typedef struct xwalk_schema xwalk_schema;

/**
 * Parses a schema in any written form of a system, text or binary, `size` bytes of it. `system`
 * names the system; NULL leaves it to the syntax. XWALK_INPUT has the line and column, or the byte.
 */
XWALK_API xwalk_code xwalk_schema_parse(const char* bytes, size_t size, const char* system,
                                        xwalk_schema** schema, xwalk_error** error);

/**
 * Reads the schema of a data file, a folder of files, a dataset or a schema file, with all its
 * columns. Rows are read only to infer types of YSON and JSON rows without a schema. `system` names
 * the system of a schema file; NULL leaves it to its syntax. XWALK_IO if there is no such file.
 */
XWALK_API xwalk_code xwalk_schema_read(const char* path, const char* system, const char* options,
                                       xwalk_schema** schema, xwalk_error** error);

/**
 * Makes a schema of the system "arrow" of an Arrow schema, whose root is a struct. It is copied:
 * `arrow` remains the caller's.
 */
XWALK_API xwalk_code xwalk_schema_from_arrow(const struct ArrowSchema* arrow, xwalk_schema** schema,
                                             xwalk_error** error);

/** Puts the Arrow form of a schema, of any system, into `arrow`, which is the caller's to release.
 */
XWALK_API xwalk_code xwalk_schema_to_arrow(const xwalk_schema* schema, struct ArrowSchema* arrow,
                                           xwalk_error** error);

/** Returns the system of a schema, "yt"; NULL for NULL. */
XWALK_API const char* xwalk_schema_system(const xwalk_schema* schema);

/**
 * Writes a schema in a form of its system, NULL for the usual one; `xwalk schema --help` lists
 * them. `bytes` receives the text or the bytes, followed by a zero byte, to be freed by
 * xwalk_bytes_free. `size` (may be NULL) receives their number without the zero byte.
 */
XWALK_API xwalk_code xwalk_schema_dump(const xwalk_schema* schema, const char* form, char** bytes,
                                       size_t* size, xwalk_error** error);

/**
 * Lists the parts of a schema that xwalk_schema_dump leaves out because the form cannot hold them,
 * one per line. The text is empty if nothing is left out. Free `text` with xwalk_bytes_free.
 */
XWALK_API xwalk_code xwalk_schema_lost(const xwalk_schema* schema, const char* form, char** text,
                                       xwalk_error** error);

/** Frees bytes from xwalk_schema_dump, xwalk_schema_lost or xwalk_rows_notes. */
XWALK_API void xwalk_bytes_free(char* bytes);

/**
 * Converts a schema to another system, and reports what that keeps. `target` and `report` may be
 * NULL. A column that has no mapping is XWALK_UNSUPPORTED with its path; if `target` is NULL, the
 * report lists every such column. A conversion that alters values succeeds here, with the grade
 * XWALK_LOSSY, because no values are converted.
 */
XWALK_API xwalk_code xwalk_schema_convert(const xwalk_schema* schema, const char* system,
                                          const char* options, xwalk_schema** target,
                                          xwalk_report** report, xwalk_error** error);

/** Changes that YTsaurus's rules allow only with a flag: flags for xwalk_schema_compat. */
enum {
  XWALK_ALLOW_RENAME = 1,
  XWALK_ALLOW_REMOVAL = 2,
};

/**
 * Reports whether data of one schema can be read as another. `mode` is "backward" (readers of the
 * new schema, data of the old; NULL means it), "forward" or "full"; `allow` is 0 or flags. An
 * incompatibility is a grade of the report, not an error.
 */
XWALK_API xwalk_code xwalk_schema_compat(const xwalk_schema* older, const xwalk_schema* newer,
                                         const char* mode, unsigned allow, xwalk_report** report,
                                         xwalk_error** error);

/** Frees a schema. */
XWALK_API void xwalk_schema_free(xwalk_schema* schema);

/* ---- rows ------------------------------------------------------------------------------------ */

/**
 * Opens rows of a file, of a folder of files of one format, or of a Lance dataset, as an Arrow
 * stream, which the caller releases, at any time. Only the bytes that the schema needs are read
 * here. `get_next` reads the rest. If it fails, `get_last_error` has the whole text with file, row
 * and column, and xwalk_rows_error the same as fields. `get_next` fails in the same way 100 times
 * more, so that all threads that share the stream see the error. Then the stream ends, for software
 * that collects errors until the end. Threads that share the stream take turns in `get_next`. Each
 * batch goes to one of them. Software that imports the stream moves it: take a watch before.
 */
XWALK_API xwalk_code xwalk_rows_open(const char* path, const char* options,
                                     struct ArrowArrayStream* rows, xwalk_error** error);

/** Returns how many rows were left out so far, with "on_error": "skip"; -1 for a stream that
 * xwalk_rows_open did not make. */
XWALK_API int64_t xwalk_rows_rejected(const struct ArrowArrayStream* rows);

/**
 * Returns the error that ended a stream of xwalk_rows_open, with its row and place, to be freed by
 * xwalk_error_free; NULL if it has not failed, or for a stream made by other software.
 */
XWALK_API xwalk_error* xwalk_rows_error(const struct ArrowArrayStream* rows);

/**
 * Returns messages about a stream of xwalk_rows_open so far that are not in its schema, such as
 * files of a folder that are not read: a JSON list of objects with "path", "rule" and "found", to
 * be freed by xwalk_bytes_free. NULL for a stream made by other software.
 */
XWALK_API char* xwalk_rows_notes(const struct ArrowArrayStream* rows);

/** What a stream of xwalk_rows_open has met. It is valid after the stream was moved or released,
 * and for any thread. */
typedef struct xwalk_watch xwalk_watch;

/** Returns a watch on a stream, to be freed by xwalk_watch_free; NULL for a stream that
 * xwalk_rows_open did not make, for one that was moved or released, and without memory. */
XWALK_API xwalk_watch* xwalk_rows_watch(const struct ArrowArrayStream* rows);

/** The same as xwalk_rows_rejected, xwalk_rows_error and xwalk_rows_notes, for a watch: so far, or
 * until the stream was released or written. */
XWALK_API int64_t xwalk_watch_rejected(const xwalk_watch* watch);
XWALK_API xwalk_error* xwalk_watch_error(const xwalk_watch* watch);
XWALK_API char* xwalk_watch_notes(const xwalk_watch* watch);

/** Frees a watch. */
XWALK_API void xwalk_watch_free(xwalk_watch* watch);

/**
 * Writes all rows of any Arrow stream to a file or a Lance dataset, in the format of its name or of
 * the option `to`. `target` is the schema of the file, of that format's system. If it is NULL, the
 * conversion chooses it. The stream is consumed and left released, also on failure, except after
 * XWALK_USAGE for a NULL. The output appears under its name only when all rows are written. On
 * failure, an existing output is unchanged. A conversion that alters values needs the option that
 * alters and "allow": "lossy", else XWALK_UNSUPPORTED with the path. A row whose values do not fit
 * is XWALK_INPUT with its number, or left out and counted with "on_error": "skip". `report` may be
 * NULL. A path that ends with `/` is a folder: each source file becomes a file of the same name in
 * it, and the report is that of the file that keeps least.
 */
XWALK_API xwalk_code xwalk_rows_write(struct ArrowArrayStream* rows, const char* path,
                                      const xwalk_schema* target, const char* options,
                                      xwalk_report** report, xwalk_error** error);

/** What xwalk_rows_check checks in addition to the plan: flags. */
enum {
  XWALK_ASK_ROWS = 1, /**< reads all rows: how many there are, how many would be rejected and why */
  XWALK_ASK_READERS = 2, /**< which reader of the file or table misreads which column */
};

/**
 * Reports what writing the rows of a file to a system would keep, narrow or lose, with the options
 * of a conversion (`select`, `rename`). Writes nothing. `target` is the schema to write. If it is
 * NULL, `system` names the system. `ask` is 0 or flags, whose results are in the report's `json`.
 * With XWALK_ASK_READERS both may be NULL, which checks readers of the file as it is. `path` may be
 * a folder or a pattern, all files of which are opened. If they are several tables, `json` has the
 * report of each, and the grade is the worst. A file that cannot be read counts as unsupported.
 */
XWALK_API xwalk_code xwalk_rows_check(const char* path, const char* system,
                                      const xwalk_schema* target, const char* options, unsigned ask,
                                      xwalk_report** report, xwalk_error** error);

/**
 * Reports whether xwalk_rows_write with "mode": "append" could add the rows of a file to an
 * existing output, and every reason why not. Writes nothing. `options` and `ask` are those of
 * xwalk_rows_check. XWALK_IO if the output does not exist or has no rows.
 */
XWALK_API xwalk_code xwalk_rows_check_append(const char* path, const char* output,
                                             const char* options, unsigned ask,
                                             xwalk_report** report, xwalk_error** error);

/**
 * Reads an output again and compares it with the rows of `path` as xwalk_rows_write with these
 * options writes them: values, order and number of rows. Writes nothing. `target` is the schema
 * that was given for the output, or NULL. `key` names the columns that match rows, separated by
 * commas; if it is NULL, rows are matched by position. A difference is the grade XWALK_DIFFERS,
 * not an error. The report's `json` is the proof, with differences and checksums. `rows` of the
 * report counts rows of the output. XWALK_IO if the output does not exist.
 */
XWALK_API xwalk_code xwalk_rows_verify(const char* path, const char* output,
                                       const xwalk_schema* target, const char* key,
                                       const char* options, xwalk_report** report,
                                       xwalk_error** error);

#ifdef __cplusplus
}
#endif
