/* What a table schema becomes in another system, and what that keeps:
 *
 *   schema SYSTEM < FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <xwalk.h>

/* Reads standard input whole; the caller frees it. */
static char* read_all(size_t* size) {
  size_t room = 1 << 16;
  char* bytes = malloc(room);
  *size = 0;
  while (bytes != NULL) {
    *size += fread(bytes + *size, 1, room - *size, stdin);
    if (*size < room) break;
    char* more = realloc(bytes, room *= 2);
    if (more == NULL) free(bytes);
    bytes = more;
  }
  return bytes;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s yt|skiff|parquet|lance|vortex|arrow < FILE\n", argv[0]);
    return 2;
  }
  size_t size = 0;
  char* bytes = read_all(&size);
  if (bytes == NULL) return 1;

  xwalk_error* error = NULL;
  xwalk_schema* schema = NULL;
  xwalk_schema* target = NULL;
  xwalk_report* report = NULL;
  char* text = NULL;
  xwalk_code code = xwalk_schema_parse(bytes, size, NULL, &schema, &error);
  free(bytes);
  if (code == XWALK_OK)
    code = xwalk_schema_convert(schema, argv[1], NULL, &target, &report, &error);
  if (code == XWALK_OK) code = xwalk_schema_dump(target, NULL, &text, NULL, &error);
  if (code == XWALK_OK) {
    printf("%s\n", text);
    fprintf(stderr, "%s to %s: %s\n", xwalk_schema_system(schema), argv[1], report->summary);
  } else {
    fprintf(stderr, "%s\n", error->text);
  }
  xwalk_bytes_free(text);
  xwalk_report_free(report);
  xwalk_schema_free(target);
  xwalk_schema_free(schema);
  xwalk_error_free(error);
  return code == XWALK_OK ? 0 : 1;
}
