/* The C interface, called from C: `interface FOLDER`, an empty folder for its files. What it
 * allocates it frees, so that a leak found by valgrind or the address sanitizer is the library's.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <threads.h>
#include <xwalk.h>

static int failures = 0;
static char folder[512];

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

static const char kTable[] =
    "[{name=id;type=int64;required=%true};{name=tags;type_v3={type_name=list;item=utf8}}]";
static const char kDecimal[] = "[{name=d;type_v3={type_name=decimal;precision=20;scale=4}}]";

/* Checks a failure: its code, and words that its message must have. Frees the error. */
static void check_error(xwalk_code code, xwalk_error** place, xwalk_code wanted,
                        const char* words) {
  xwalk_error* error = *place;
  *place = NULL;
  CHECK(code == wanted);
  CHECK(error != NULL);
  if (error == NULL) return;
  CHECK(error->code == wanted);
  CHECK(strstr(error->message, words) != NULL);
  CHECK(strstr(error->text, error->message) != NULL);
  if (strstr(error->message, words) == NULL) fprintf(stderr, "  message: %s\n", error->message);
  xwalk_error_free(error);
}

static xwalk_schema* parse(const char* text, const char* system) {
  xwalk_schema* schema = NULL;
  xwalk_error* error = NULL;
  CHECK(xwalk_schema_parse(text, strlen(text), system, &schema, &error) == XWALK_OK);
  if (error != NULL) fprintf(stderr, "%s\n", error->text);
  xwalk_error_free(error);
  return schema;
}

static const char* in_folder(const char* name) {
  static char paths[4][600];
  static int next = 0;
  char* path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static const char* write_file(const char* name, const char* text) {
  const char* path = in_folder(name);
  FILE* file = fopen(path, "wb");
  CHECK(file != NULL);
  if (file == NULL) exit(1);
  fputs(text, file);
  fclose(file);
  return path;
}

static bool exists(const char* path) {
  struct stat found;
  return stat(path, &found) == 0;
}

static void schemas(void) {
  xwalk_error* error = NULL;
  xwalk_schema* schema = parse(kTable, NULL);
  CHECK(strcmp(xwalk_schema_system(schema), "yt") == 0);

  char* text = NULL;
  size_t size = 0;
  CHECK(xwalk_schema_dump(schema, "short", &text, &size, &error) == XWALK_OK);
  CHECK(strlen(text) == size && strstr(text, "List<Utf8>") != NULL);
  xwalk_bytes_free(text);

  CHECK(xwalk_schema_lost(schema, "row-spec", &text, &error) == XWALK_OK);
  CHECK(strcmp(text, "") == 0);
  xwalk_bytes_free(text);

  /* A binary form holds zeroes, and is the same schema when it is read again. */
  CHECK(xwalk_schema_dump(schema, "yson-binary", &text, &size, &error) == XWALK_OK);
  xwalk_schema* again = NULL;
  CHECK(xwalk_schema_parse(text, size, "yt", &again, &error) == XWALK_OK);
  xwalk_bytes_free(text);
  xwalk_report* report = NULL;
  CHECK(xwalk_schema_compat(schema, again, "full", 0, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_COMPATIBLE && strcmp(report->verdict, "compatible") == 0);
  xwalk_report_free(report);
  xwalk_schema_free(again);

  xwalk_schema* target = NULL;
  CHECK(xwalk_schema_convert(schema, "parquet", NULL, &target, &report, &error) == XWALK_OK);
  CHECK(strcmp(xwalk_schema_system(target), "parquet") == 0);
  CHECK(report->grade <= XWALK_ANNOTATED && report->rows == -1 && report->rejected == -1);
  CHECK(strstr(report->json, "\"report\": \"check\"") != NULL ||
        strstr(report->json, "\"report\":\"check\"") != NULL);
  CHECK(xwalk_schema_dump(target, NULL, &text, NULL, &error) == XWALK_OK);
  CHECK(strncmp(text, "message schema {", 16) == 0);
  xwalk_bytes_free(text);
  xwalk_report_free(report);
  xwalk_schema_free(target);

  /* Read from a schema file, and from the rows that it describes. */
  const char* rows = write_file("schema_of_rows.yson", "{id=1};");
  const char* kept = write_file("schema_of_rows.yson.schema", kTable);
  for (int i = 0; i < 2; ++i) {
    const char* path = i == 0 ? rows : kept;
    CHECK(xwalk_schema_read(path, NULL, "{\"limit\": 1}", &again, &error) == XWALK_OK);
    CHECK(xwalk_schema_compat(schema, again, "full", 0, &report, &error) == XWALK_OK);
    CHECK(report->grade == XWALK_COMPATIBLE);
    CHECK(strstr(report->text, "compatible") != NULL);
    xwalk_report_free(report);
    xwalk_schema_free(again);
  }
  check_error(xwalk_schema_read(in_folder("absent.yson"), NULL, NULL, &again, &error), &error,
              XWALK_IO, "");
  check_error(xwalk_schema_read(kept, "tables", NULL, &again, &error), &error, XWALK_USAGE,
              "tables");
  check_error(xwalk_schema_read(NULL, NULL, NULL, &again, &error), &error, XWALK_USAGE,
              "expected a path, found NULL");

  /* Only the report, only the target, neither. */
  CHECK(xwalk_schema_convert(schema, "vortex", NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(strstr(report->summary, "2 columns") != NULL);
  xwalk_report_free(report);
  CHECK(xwalk_schema_convert(schema, "lance", NULL, &target, NULL, &error) == XWALK_OK);
  xwalk_schema_free(target);
  CHECK(xwalk_schema_convert(schema, "lance", NULL, NULL, NULL, &error) == XWALK_OK);

  /* A report has every column that cannot be converted. No schema is made without them. */
  xwalk_schema* empty = parse(
      "[{name=a;type_v3={type_name=optional;item={type_name=struct;members=[]}}};"
      "{name=b;type_v3=int64};"
      "{name=c;type_v3={type_name=list;item={type_name=struct;members=[]}}}]",
      "yt");
  CHECK(xwalk_schema_convert(empty, "parquet", NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_NO_MAPPING);
  CHECK(strstr(report->summary, "1 exact, 2 unsupported") != NULL);
  xwalk_report_free(report);
  check_error(xwalk_schema_convert(empty, "parquet", NULL, &target, NULL, &error), &error,
              XWALK_UNSUPPORTED, "1 more column cannot be converted");
  xwalk_schema_free(empty);

  /* An option changes what comes out. */
  xwalk_schema* tagged = parse("[{name=t;type_v3={type_name=tagged;tag=x;item=int64}}]", "yt");
  CHECK(xwalk_schema_convert(tagged, "lance", NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_ANNOTATED);
  xwalk_report_free(report);
  CHECK(xwalk_schema_convert(tagged, "lance", "{\"annotations\": false}", NULL, &report, &error) ==
        XWALK_OK);
  CHECK(report->grade == XWALK_WIDENED);
  xwalk_report_free(report);
  xwalk_schema_free(tagged);
  xwalk_schema* decimal = parse(kDecimal, "yt");
  CHECK(xwalk_schema_convert(decimal, "lance", NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_CHECKED && strcmp(report->verdict, "checked") == 0);
  xwalk_report_free(report);

  /* Compatibility, both ways. */
  xwalk_schema* wider = parse(
      "[{name=id;type=int64;required=%true};{name=tags;type_v3={type_name=list;item=utf8}};"
      "{name=more;type=string}]",
      "yt");
  CHECK(xwalk_schema_compat(schema, wider, NULL, 0, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_COMPATIBLE);
  xwalk_report_free(report);
  CHECK(xwalk_schema_compat(wider, schema, "backward", 0, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_INCOMPATIBLE && strstr(report->json, "more") != NULL);
  xwalk_report_free(report);
  xwalk_schema* removed = parse(
      "[{name=id;type=int64;required=%true};{name=tags;type_v3={type_name=list;item=utf8}};"
      "{stable_name=more;deleted=%true}]",
      "yt");
  CHECK(xwalk_schema_compat(wider, removed, "backward", 0, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_INCOMPATIBLE);
  xwalk_report_free(report);
  CHECK(xwalk_schema_compat(wider, removed, "backward", XWALK_ALLOW_REMOVAL, &report, &error) ==
        XWALK_OK);
  CHECK(report->grade == XWALK_COMPATIBLE);
  xwalk_report_free(report);
  xwalk_schema_free(removed);

  /* Arrow, out and in. */
  struct ArrowSchema arrow;
  CHECK(xwalk_schema_to_arrow(schema, &arrow, &error) == XWALK_OK);
  CHECK(arrow.n_children == 2 && strcmp(arrow.children[0]->name, "id") == 0);
  CHECK(strcmp(arrow.children[0]->format, "l") == 0);
  xwalk_schema* from = NULL;
  CHECK(xwalk_schema_from_arrow(&arrow, &from, &error) == XWALK_OK);
  CHECK(strcmp(xwalk_schema_system(from), "arrow") == 0);
  arrow.release(&arrow);
  CHECK(xwalk_schema_convert(from, "yt", NULL, &target, NULL, &error) == XWALK_OK);
  CHECK(xwalk_schema_compat(schema, target, "full", 0, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_COMPATIBLE);
  xwalk_report_free(report);
  xwalk_schema_free(target);
  check_error(xwalk_schema_from_arrow(&arrow, &target, &error), &error, XWALK_USAGE, "released");

  xwalk_schema_free(from);
  xwalk_schema_free(wider);
  xwalk_schema_free(decimal);
  xwalk_schema_free(schema);
}

static void wrong_calls(void) {
  xwalk_error* error = NULL;
  xwalk_schema* schema = parse(kTable, "yt");
  xwalk_schema* untouched = (xwalk_schema*)(void*)&failures;
  xwalk_schema* out = untouched;
  char* text = NULL;
  xwalk_report* report = NULL;
  struct ArrowArrayStream rows;

  check_error(xwalk_schema_parse(NULL, 0, NULL, &out, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_parse("@@", 2, NULL, &out, &error), &error, XWALK_INPUT, "found none");
  check_error(xwalk_schema_parse("", 0, NULL, &out, &error), &error, XWALK_INPUT, "found nothing");
  check_error(xwalk_schema_parse(kTable, 9, "yt", NULL, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_parse(kTable, 9, "avro", &out, &error), &error, XWALK_USAGE, "avro");
  check_error(xwalk_schema_from_arrow(NULL, &out, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_to_arrow(NULL, NULL, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_to_arrow(schema, NULL, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_dump(NULL, NULL, &text, NULL, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_schema_dump(schema, NULL, NULL, NULL, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_schema_lost(NULL, NULL, &text, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_lost(schema, NULL, NULL, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_schema_dump(schema, "thrift", &text, NULL, &error), &error, XWALK_USAGE,
              "thrift");
  check_error(xwalk_schema_convert(NULL, "yt", NULL, &out, &report, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_schema_convert(schema, NULL, NULL, &out, &report, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_schema_convert(schema, "yt", "[]", &out, &report, &error), &error, XWALK_USAGE,
              "JSON object");
  check_error(xwalk_schema_convert(schema, "yt", "{", &out, &report, &error), &error, XWALK_USAGE,
              "JSON");
  check_error(xwalk_schema_convert(schema, "yt", "{\"rond\": true}", &out, &report, &error), &error,
              XWALK_USAGE, "unknown option \"rond\"");
  check_error(xwalk_schema_convert(schema, "yt", "{\"round\": 1}", &out, &report, &error), &error,
              XWALK_USAGE, "round: expected true or false, found 1");
  check_error(xwalk_schema_compat(schema, NULL, NULL, 0, &report, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_schema_compat(schema, schema, "sideways", 0, &report, &error), &error,
              XWALK_USAGE, "sideways");
  check_error(xwalk_schema_compat(schema, schema, NULL, 8, &report, &error), &error, XWALK_USAGE,
              "flags");
  check_error(xwalk_schema_compat(schema, schema, NULL, 0, NULL, &error), &error, XWALK_USAGE,
              "found NULL");
  check_error(xwalk_rows_open(NULL, NULL, &rows, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_rows_open("x.yson", NULL, NULL, &error), &error, XWALK_USAGE, "found NULL");
  check_error(xwalk_rows_open("x.yson", "{\"limit\": -1}", &rows, &error), &error, XWALK_USAGE,
              "limit: expected");
  check_error(xwalk_rows_open(in_folder("absent.yson"), NULL, &rows, &error), &error, XWALK_IO, "");
  check_error(xwalk_rows_write(NULL, "x", NULL, NULL, &report, &error), &error, XWALK_USAGE,
              "found NULL");

  /* An error has its place. */
  const char* broken = "[{name=id;\n type=int65}]";
  CHECK(xwalk_schema_parse(broken, strlen(broken), "yt", &out, &error) == XWALK_INPUT);
  CHECK(strstr(error->message, "int65") != NULL);
  CHECK(error->line == 2 && error->column > 1 && error->row == -1 && error->table == -1);
  CHECK(strcmp(error->file, "") == 0);
  xwalk_error_free(error);

  error = NULL;

  /* A failed call wrote only the error, and only if the caller passed one. */
  CHECK(out == untouched && text == NULL && report == NULL);
  CHECK(xwalk_schema_parse(broken, strlen(broken), "yt", &out, NULL) == XWALK_INPUT);

  xwalk_schema_free(NULL);
  xwalk_report_free(NULL);
  xwalk_error_free(NULL);
  xwalk_bytes_free(NULL);
  CHECK(xwalk_schema_system(NULL) == NULL);
  CHECK(xwalk_rows_rejected(NULL) == -1 && xwalk_rows_error(NULL) == NULL);
  xwalk_schema_free(schema);
}

static const char kRowSchema[] = "{\"schema\": \"[{name=a;type=int64;required=%true}]\"}";
static const char kSkip[] =
    "{\"schema\": \"[{name=a;type=int64;required=%true}]\", \"on_error\": \"skip\"}";

/* Reads a stream to its end; returns its rows, -1 on failure. */
static int64_t drain(struct ArrowArrayStream* rows) {
  int64_t count = 0;
  for (;;) {
    struct ArrowArray batch;
    if (rows->get_next(rows, &batch) != 0) return -1;
    if (batch.release == NULL) return count;
    count += batch.length;
    batch.release(&batch);
  }
}

static void reading(void) {
  xwalk_error* error = NULL;
  struct ArrowArrayStream rows;
  const char* good = write_file("good.yson", "{a=1};{a=2};{a=3};");
  CHECK(xwalk_rows_open(good, kRowSchema, &rows, &error) == XWALK_OK);
  struct ArrowSchema schema;
  CHECK(rows.get_schema(&rows, &schema) == 0 && schema.n_children == 1);
  schema.release(&schema);
  CHECK(drain(&rows) == 3);
  CHECK(drain(&rows) == 0); /* the end stays the end */
  CHECK(xwalk_rows_error(&rows) == NULL && xwalk_rows_rejected(&rows) == 0);
  rows.release(&rows);
  CHECK(rows.release == NULL && xwalk_rows_rejected(&rows) == -1);

  /* A stream that is never read. */
  CHECK(xwalk_rows_open(good, "{\"limit\": 2}", &rows, &error) == XWALK_OK);
  rows.release(&rows);

  /* A bad row ends the stream, with its number, and is left out if asked. */
  const char* bad = write_file("bad.yson", "{a=1};{a=x};{a=3};");
  CHECK(xwalk_rows_open(bad, kRowSchema, &rows, &error) == XWALK_OK);
  CHECK(drain(&rows) == -1);
  CHECK(strlen(rows.get_last_error(&rows)) > 0);
  struct ArrowArray batch;
  CHECK(rows.get_next(&rows, &batch) != 0); /* an end by failure stays one */
  error = xwalk_rows_error(&rows);
  CHECK(error != NULL && error->code == XWALK_INPUT && error->row == 1);
  xwalk_error_free(error);
  error = NULL;
  rows.release(&rows);
  CHECK(xwalk_rows_open(bad, kSkip, &rows, &error) == XWALK_OK);
  CHECK(drain(&rows) == 2 && xwalk_rows_rejected(&rows) == 1);
  rows.release(&rows);
}

/* Software that imports a stream moves it: a watch still has the error, the rejected rows and the
 * notes, and the text of the stream itself is whole. */
static void watching(void) {
  xwalk_error* error = NULL;
  struct ArrowArrayStream rows;
  const char* bad = in_folder("bad.yson");
  CHECK(xwalk_rows_open(bad, kRowSchema, &rows, &error) == XWALK_OK);
  xwalk_watch* watch = xwalk_rows_watch(&rows);
  struct ArrowArrayStream moved = rows;
  rows.release = NULL;
  CHECK(xwalk_rows_watch(&rows) == NULL && xwalk_watch_error(watch) == NULL);
  CHECK(drain(&moved) == -1);
  CHECK(strstr(moved.get_last_error(&moved), "bad.yson:1:10: a: ") != NULL);
  /* Code that goes on after errors comes to an end. */
  int failures = 1;
  while (drain(&moved) == -1) ++failures;
  CHECK(failures == 101 && drain(&moved) == 0);
  moved.release(&moved);
  error = xwalk_watch_error(watch);
  CHECK(error != NULL && error->code == XWALK_INPUT && error->row == 1);
  CHECK(strcmp(error->path, "a") == 0 && strcmp(error->file, bad) == 0);
  xwalk_error_free(error);
  error = NULL;
  xwalk_watch_free(watch);

  CHECK(xwalk_rows_open(bad, kSkip, &rows, &error) == XWALK_OK);
  watch = xwalk_rows_watch(&rows);
  CHECK(xwalk_watch_rejected(watch) == 0);
  CHECK(drain(&rows) == 2 && xwalk_watch_rejected(watch) == 1);
  rows.release(&rows);
  char* notes = xwalk_watch_notes(watch);
  CHECK(xwalk_watch_rejected(watch) == 1 && xwalk_watch_error(watch) == NULL && notes[0] == '[');
  xwalk_bytes_free(notes);
  xwalk_watch_free(watch);

  /* One that is never read, one that is written. */
  CHECK(xwalk_rows_open(bad, kSkip, &rows, &error) == XWALK_OK);
  watch = xwalk_rows_watch(&rows);
  rows.release(&rows);
  CHECK(xwalk_watch_rejected(watch) == 0);
  xwalk_watch_free(watch);
  CHECK(xwalk_rows_open(bad, kSkip, &rows, &error) == XWALK_OK);
  watch = xwalk_rows_watch(&rows);
  CHECK(xwalk_rows_write(&rows, in_folder("watched.yson"), NULL, NULL, NULL, &error) == XWALK_OK);
  CHECK(xwalk_watch_rejected(watch) == 1);
  xwalk_watch_free(watch);
  CHECK(xwalk_watch_rejected(NULL) == -1 && xwalk_watch_error(NULL) == NULL);
  CHECK(xwalk_watch_notes(NULL) == NULL);
  xwalk_watch_free(NULL);
}

/* A thread that reads a stream which other threads read as well. */
static int drain_shared(void* rows) { return (int)drain(rows); }

static void sharing(void) {
  enum { kThreads = 4, kRows = 4000 };
  static char text[kRows * 8];
  char* end = text;
  for (int i = 0; i < kRows; ++i) end += sprintf(end, "{a=%d};", i % 10);
  const char* path = write_file("shared.yson", text);
  xwalk_error* error = NULL;
  struct ArrowArrayStream rows;
  CHECK(xwalk_rows_open(path, "{\"schema\": \"[{name=a;type=int64}]\", \"batch_rows\": 7}", &rows,
                        &error) == XWALK_OK);
  thrd_t threads[kThreads];
  int read = 0;
  for (int i = 0; i < kThreads; ++i)
    CHECK(thrd_create(&threads[i], drain_shared, &rows) == thrd_success);
  for (int i = 0; i < kThreads; ++i) {
    int its = 0;
    CHECK(thrd_join(threads[i], &its) == thrd_success && its >= 0);
    read += its;
  }
  CHECK(read == kRows);
  rows.release(&rows);
}

/* A stream that others made: two batches of one column, then errno `end`, or the end. */
struct Foreign {
  int batch;
  int end;
  bool* released;
};

static void release_schema(struct ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    free(schema->children[i]);
  }
  free(schema->children);
  schema->release = NULL;
}

static int foreign_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  memset(out, 0, sizeof *out);
  out->format = "+s";
  out->n_children = 1;
  out->children = malloc(sizeof *out->children);
  out->children[0] = calloc(1, sizeof **out->children);
  out->children[0]->format = "l";
  out->children[0]->name = "a";
  out->children[0]->release = release_schema;
  out->release = release_schema;
  return 0;
}

static void release_array(struct ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    free(array->children[i]->buffers);
    free(array->children[i]);
  }
  free(array->children);
  free(array->buffers);
  array->release = NULL;
}

static int foreign_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  static const int64_t values[] = {7, 8};
  struct Foreign* self = stream->private_data;
  memset(out, 0, sizeof *out);
  if (self->batch++ == 2) return self->end;
  out->length = 2;
  out->n_buffers = 1;
  out->buffers = calloc(1, sizeof *out->buffers);
  out->n_children = 1;
  out->children = malloc(sizeof *out->children);
  struct ArrowArray* column = out->children[0] = calloc(1, sizeof *column);
  column->length = 2;
  column->n_buffers = 2;
  column->buffers = calloc(2, sizeof *column->buffers);
  column->buffers[1] = values;
  column->release = release_array;
  out->release = release_array;
  return 0;
}

static const char* foreign_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the network went away";
}

static void foreign_release(struct ArrowArrayStream* stream) {
  struct Foreign* self = stream->private_data;
  *self->released = true;
  free(self);
  stream->release = NULL;
}

static struct ArrowArrayStream foreign(int end, bool* released) {
  struct Foreign* self = calloc(1, sizeof *self);
  self->end = end;
  self->released = released;
  *released = false;
  struct ArrowArrayStream stream = {foreign_schema, foreign_next, foreign_error, foreign_release,
                                    self};
  return stream;
}

static const char kOverwrite[] = "{\"mode\": \"overwrite\"}";

static void writing(void) {
  xwalk_error* error = NULL;
  xwalk_report* report = NULL;
  struct ArrowArrayStream rows;

  /* From a file to a file of another system. */
  CHECK(xwalk_rows_open(in_folder("good.yson"), kRowSchema, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, in_folder("good.skiff"), NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(rows.release == NULL);
  CHECK(report->rows == 3 && report->rejected == 0 && report->grade <= XWALK_ANNOTATED);
  CHECK(strstr(report->json, "good.skiff") != NULL);
  xwalk_report_free(report);
  CHECK(xwalk_rows_open(in_folder("good.skiff"), NULL, &rows, &error) == XWALK_OK);
  CHECK(drain(&rows) == 3);
  rows.release(&rows);

  /* The file is what the conversion writes, and another is not. */
  const char* good = in_folder("good.yson");
  CHECK(xwalk_rows_verify(good, in_folder("good.skiff"), NULL, NULL, kRowSchema, &report, &error) ==
        XWALK_OK);
  CHECK(report->grade == XWALK_VERIFIED && report->rows == 3 && report->rejected == 0);
  CHECK(strstr(report->summary, "3 rows") != NULL && strstr(report->json, "checksum") != NULL);
  xwalk_report_free(report);
  const char* fewer = "{\"limit\": 2}";
  CHECK(xwalk_rows_verify(in_folder("good.skiff"), in_folder("good.skiff"), NULL, NULL, fewer,
                          &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_DIFFERS && strcmp(report->verdict, "differs") == 0);
  xwalk_report_free(report);
  check_error(
      xwalk_rows_verify(good, in_folder("absent.skiff"), NULL, NULL, kRowSchema, &report, &error),
      &error, XWALK_IO, "");
  check_error(xwalk_rows_verify(good, NULL, NULL, NULL, NULL, &report, &error), &error, XWALK_USAGE,
              "found NULL");

  /* A stream is written once. */
  check_error(xwalk_rows_write(&rows, in_folder("twice.skiff"), NULL, NULL, &report, &error),
              &error, XWALK_USAGE, "taken");

  /* Rows rejected while reading are reported, too. */
  CHECK(xwalk_rows_open(in_folder("bad.yson"), kSkip, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, in_folder("rest.yson"), NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(report->rows == 2 && report->rejected == 1);
  xwalk_report_free(report);

  /* Also of rows whose reading has begun: those before and those after. */
  write_file("bad_later.yson", "{a=1;b=x};{a=y};{a=3;b=z};{a=y};{a=5};");
  CHECK(xwalk_rows_open(in_folder("bad_later.yson"),
                        "{\"schema\": \"[{name=a;type=int64};{name=b;type=utf8}]\", "
                        "\"on_error\": \"skip\", \"batch_rows\": 2}",
                        &rows, &error) == XWALK_OK);
  struct ArrowArray first;
  CHECK(rows.get_next(&rows, &first) == 0 && xwalk_rows_rejected(&rows) == 1);
  const int64_t length = first.length;
  first.release(&first);
  xwalk_watch* watch = xwalk_rows_watch(&rows);
  CHECK(xwalk_rows_write(&rows, in_folder("later.yson"), NULL, NULL, &report, &error) == XWALK_OK);
  CHECK(report->rows == 3 - length && report->rejected == 2);
  CHECK(xwalk_watch_rejected(watch) == 2);
  xwalk_watch_free(watch);
  xwalk_report_free(report);

  CHECK(xwalk_rows_open(in_folder("bad.yson"), kRowSchema, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, in_folder("never.yson"), NULL, NULL, NULL, &error) == XWALK_INPUT);
  CHECK(error->row == 1 && rows.release == NULL && !exists(in_folder("never.yson")));
  xwalk_error_free(error);
  error = NULL;

  /* Others' streams: one that ends well, one that is interrupted. */
  bool released = false;
  rows = foreign(0, &released);
  CHECK(xwalk_rows_write(&rows, in_folder("foreign.yson"), NULL, NULL, NULL, &error) == XWALK_OK);
  CHECK(released && rows.release == NULL && exists(in_folder("foreign.yson")));
  rows = foreign(EIO, &released);
  CHECK(xwalk_rows_error(&rows) == NULL && xwalk_rows_rejected(&rows) == -1);
  check_error(xwalk_rows_write(&rows, in_folder("torn.yson"), NULL, NULL, NULL, &error), &error,
              XWALK_INPUT, "the network went away");
  CHECK(released && !exists(in_folder("torn.yson")));

  /* Rows are consumed if the options are bad, too. */
  const char* bad[] = {"{bad", "{\"limt\": 1}", "{\"to\": \"nope\"}", "{\"limit\": -1}"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    released = false;
    rows = foreign(0, &released);
    check_error(xwalk_rows_write(&rows, in_folder("never.yson"), NULL, bad[i], NULL, &error),
                &error, XWALK_USAGE, "");
    CHECK(released && rows.release == NULL);
    CHECK(xwalk_rows_open(in_folder("good.yson"), kRowSchema, &rows, &error) == XWALK_OK);
    check_error(xwalk_rows_write(&rows, in_folder("never.yson"), NULL, bad[i], NULL, &error),
                &error, XWALK_USAGE, "");
    CHECK(rows.release == NULL && !exists(in_folder("never.yson")));
  }
  const char* kept = write_file("kept.yson", "{a=42};");
  rows = foreign(EIO, &released);
  CHECK(xwalk_rows_write(&rows, kept, NULL, kOverwrite, NULL, NULL) == XWALK_INPUT);
  CHECK(xwalk_rows_open(kept, kRowSchema, &rows, &error) == XWALK_OK);
  CHECK(drain(&rows) == 1);
  rows.release(&rows);

  /* An existing output is replaced only on request, and an input never. */
  rows = foreign(0, &released);
  check_error(xwalk_rows_write(&rows, kept, NULL, NULL, NULL, &error), &error, XWALK_IO,
              "the file already exists");
  CHECK(xwalk_rows_open(in_folder("good.yson"), kRowSchema, &rows, &error) == XWALK_OK);
  check_error(xwalk_rows_write(&rows, in_folder("good.yson"), NULL, kOverwrite, NULL, &error),
              &error, XWALK_USAGE, "the output is one of the inputs");
  CHECK(xwalk_rows_open(in_folder("good.yson"), kRowSchema, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, in_folder("good.skiff"), NULL, "{\"mode\": \"append\"}", NULL,
                         &error) == XWALK_OK);
  CHECK(xwalk_rows_open(in_folder("good.skiff"), NULL, &rows, &error) == XWALK_OK);
  CHECK(drain(&rows) == 6);
  rows.release(&rows);

  /* Values are altered only with consent, and that is reported. */
  const char* times = in_folder("times.yson");
  FILE* file = fopen(times, "wb");
  fputs("{z=\"\\0\\0\\0\\0\\0\\0\\0\\1Europe/Berlin\"};", file);
  fclose(file);
  const char* zoned = "{\"schema\": \"[{name=z;type_v3=tz_timestamp}]\"}";
  const char* drop = "{\"drop_zone\": true}";
  const char* agreed = "{\"drop_zone\": true, \"allow\": \"lossy\"}";
  xwalk_schema* plain = parse("[{name=z;type_v3=timestamp}]", "yt");
  const char* out = in_folder("plain.yson");
  CHECK(xwalk_rows_open(times, zoned, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, out, plain, drop, NULL, &error) == XWALK_UNSUPPORTED);
  CHECK(strstr(error->message, "changed") != NULL && strcmp(error->path, "z") == 0 &&
        strlen(error->hint) > 0);
  CHECK(!exists(out) && rows.release == NULL);
  xwalk_error_free(error);
  error = NULL;
  CHECK(xwalk_rows_open(times, zoned, &rows, &error) == XWALK_OK);
  CHECK(xwalk_rows_write(&rows, out, plain, agreed, &report, &error) == XWALK_OK);
  CHECK(report->grade == XWALK_LOSSY && report->rows == 1);
  xwalk_report_free(report);
  CHECK(xwalk_rows_open(times, zoned, &rows, &error) == XWALK_OK);
  check_error(xwalk_rows_write(&rows, in_folder("z.skiff"), plain, agreed, NULL, &error), &error,
              XWALK_USAGE, "expected a schema of skiff, found one of yt");
  xwalk_schema_free(plain);

  /* A folder that is not there. */
  rows = foreign(0, &released);
  check_error(xwalk_rows_write(&rows, in_folder("absent/x.yson"), NULL, NULL, NULL, &error), &error,
              XWALK_IO, "");
  CHECK(released);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  snprintf(folder, sizeof folder, "%s", argv[1]);
  CHECK(strcmp(xwalk_version(), EXPECTED_VERSION) == 0);
  schemas();
  wrong_calls();
  reading();
  watching();
  sharing();
  writing();
  if (failures == 0) puts("all as it should be");
  return failures == 0 ? 0 : 1;
}
