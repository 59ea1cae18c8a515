#include "xwalk/io/formats/parquet_validate.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/io/bytes/interruptible_wait.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/group_order.h"
#include "xwalk/io/formats/parquet_input.h"
#include "xwalk/io/rows/row_order.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/validate.h"

namespace xwalk::io {
namespace {

bool has_meaning(const parquet::Schema& schema) {
  try {
    parquet::to_arrow(schema, {.storage = true});
    return true;
  } catch (const Error&) {
    return false;  // `validate` says why
  }
}

void count(const hub::Batch& batch, const ParquetValidationOptions& options,
           ParquetValidation* out) {
  int64_t last = -1;
  for (const hub::BadRow& bad : batch.bad) {
    if (bad.index != last) ++out->bad_rows;
    last = bad.index;
    ++out->bad_values;
    if (options.on_bad_value) options.on_bad_value(bad);
  }
  out->rows += static_cast<uint64_t>(batch.rows());
}

}  // namespace

bool ParquetValidation::valid() const {
  return bad_values == 0 && std::ranges::none_of(findings, hub::is_violation);
}

ParquetValidation validate_parquet(std::unique_ptr<Source> source,
                                   const ParquetValidationOptions& options) {
  const SchemaMemoryScope scope(options.max_memory);
  const auto contents = source->window();
  if (!contents) throw Error(ErrorCode::Internal, "Parquet is read from its end");
  need_schema(*source);
  const auto access = memory_access(*contents, source->name());
  const std::string bytes = parquet::read_footer_bytes(*access);
  const parquet::Footer footer = parquet::read_footer(*access);
  ParquetValidation out;
  out.findings = parquet::validate(footer.schema);
  if (footer.miscounts_orders()) {
    out.findings.push_back(
        {.rule = "orders.miscounted",
         .effect = hub::Effect::Forbidden,
         .lost = fmt::format("expected {} orders of values, found {}",
                             parquet::count_leaves(footer.schema.root()), *footer.column_orders)});
  }
  if (!options.values || !has_meaning(footer.schema)) return out;

  out.values_read = true;
  ParquetInputOptions reading;
  reading.max_memory = options.max_memory;
  reading.threads = options.threads;
  reading.storage = true;
  reading.arrow_schema = false;
  reading.every_reason = true;
  auto reader = open_parquet(std::move(source), reading);
  GroupOrderCheck order(bytes, footer.schema, reader->schema());
  while (auto batch = reader->next()) {
    add_bad_rows(order.check(*batch), &batch->bad);
    ask_meanwhile();
    if (options.cancelled != nullptr && *options.cancelled) {
      throw Error(ErrorCode::Interrupted, "interrupted");
    }
    count(*batch, options, &out);
    if (options.on_progress) {
      Progress progress;
      progress.rows = out.rows - out.bad_rows;
      progress.bad_rows = out.bad_rows;
      progress.bytes_read = reader->bytes_read();
      progress.total_rows = reader->total_rows();
      progress.total_bytes = reader->total_bytes();
      options.on_progress(progress);
    }
  }
  for (hub::Finding& finding : reader->notes()()) {
    const bool known = std::ranges::any_of(out.findings, [&](const hub::Finding& other) {
      return other.rule == finding.rule && other.path == finding.path;
    });
    if (!known) out.findings.push_back(std::move(finding));
  }
  return out;
}

}  // namespace xwalk::io
