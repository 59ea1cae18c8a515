#pragma once

// The C++ interface of xwalk, whole. The headers that it includes, with what these include, are
// those that are installed.

#include "xwalk/base/error.h"                 // Error: what every function here throws
#include "xwalk/convert/check_rows.h"         // which rows of a file would be refused
#include "xwalk/convert/convert.h"            // files to files, or Arrow streams, in one call
#include "xwalk/convert/row_diff.h"           // what differs between the rows of two tables
#include "xwalk/convert/schema_rules.h"       // a schema held against its system's rules
#include "xwalk/crosswalk/compat.h"           // may data of one schema be read as another?
#include "xwalk/crosswalk/consent.h"          // Refusal: values would be altered
#include "xwalk/crosswalk/diff.h"             // what differs between two schemas
#include "xwalk/crosswalk/plan.h"             // what a conversion keeps, path by path
#include "xwalk/crosswalk/report.h"           // that, as a report, and its forms:
#include "xwalk/crosswalk/report_github.h"    // annotations of a workflow
#include "xwalk/crosswalk/report_html.h"      // a page
#include "xwalk/crosswalk/report_json.h"      // JSON
#include "xwalk/crosswalk/report_junit.h"     // JUnit XML
#include "xwalk/crosswalk/report_markdown.h"  // Markdown
#include "xwalk/crosswalk/report_set.h"       // the reports on several tables
#include "xwalk/crosswalk/report_text.h"      // a terminal's text
#include "xwalk/crosswalk/schema.h"           // AnySchema: parse, print and map one of any system
#include "xwalk/hub/batch.h"                  // rows as Arrow batches and C streams
#include "xwalk/hub/c_schema.h"               // Arrow schemas as C structs
#include "xwalk/io/places/open_input.h"       // the rows of a file; an output for rows
#include "xwalk/io/places/schema_input.h"     // the schema of any file or text
#include "xwalk/io/plugins/engine_folder.h"   // where Parquet's plugin and other engines are
#include "xwalk/skiff/job.h"                  // the job side of a YTsaurus operation
#include "xwalk/version.h"

// Each system, and the model that its schemas have in an AnySchema.

#include "xwalk/arrow/room.h"
#include "xwalk/hub/type.h"  // Arrow's own
#include "xwalk/iceberg/room.h"
#include "xwalk/iceberg/type.h"
#include "xwalk/lance/room.h"
#include "xwalk/lance/type.h"
#include "xwalk/parquet/room.h"
#include "xwalk/parquet/type.h"
#include "xwalk/skiff/room.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/vortex/room.h"
#include "xwalk/vortex/type.h"
#include "xwalk/yt/room.h"
#include "xwalk/yt/schema.h"
