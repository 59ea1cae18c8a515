/* Rows as Arrow, batch by batch, then into a file of another system:
 *
 *   rows IN OUT
 */
#include <inttypes.h>
#include <stdio.h>
#include <xwalk.h>

/* Counts the rows of a stream, as a consumer of Arrow would read them. Returns -1 on failure. */
static int64_t count_rows(struct ArrowArrayStream* rows) {
  int64_t count = 0;
  for (;;) {
    struct ArrowArray batch;
    if (rows->get_next(rows, &batch) != 0) return -1;
    if (batch.release == NULL) return count;
    count += batch.length;
    batch.release(&batch);
  }
}

static int fail(xwalk_error* error) {
  fprintf(stderr, "%s\n", error->text);
  xwalk_error_free(error);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
    return 2;
  }
  xwalk_error* error = NULL;
  struct ArrowArrayStream rows;
  if (xwalk_rows_open(argv[1], NULL, &rows, &error) != XWALK_OK) return fail(error);

  struct ArrowSchema schema;
  if (rows.get_schema(&rows, &schema) != 0) {
    error = xwalk_rows_error(&rows);
    rows.release(&rows);
    return fail(error);
  }
  for (int64_t i = 0; i < schema.n_children; ++i) {
    printf("column %s: %s\n", schema.children[i]->name, schema.children[i]->format);
  }
  schema.release(&schema);

  int64_t count = count_rows(&rows);
  error = xwalk_rows_error(&rows);
  rows.release(&rows);
  if (count < 0) return fail(error);
  printf("%" PRId64 " rows\n", count);

  /* A stream is read once: the file is opened again to be written in another format. */
  xwalk_report* report = NULL;
  if (xwalk_rows_open(argv[1], NULL, &rows, &error) != XWALK_OK) return fail(error);
  if (xwalk_rows_write(&rows, argv[2], NULL, NULL, &report, &error) != XWALK_OK) return fail(error);
  printf("%" PRId64 " rows written: %s\n", report->rows, report->summary);
  xwalk_report_free(report);
  return 0;
}
