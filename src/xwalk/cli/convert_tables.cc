#include <memory>

#include <fmt/format.h>

#include "xwalk/cli/conversion.h"
#include "xwalk/cli/failure.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/skiff_tables.h"

namespace xwalk::cli {
namespace {

using crosswalk::System;

/// One table on its way.
struct Table {
  std::string path;
  crosswalk::Plan plan;
  std::unique_ptr<hub::BatchWriter> writer;
  uint64_t rows = 0;
};

}  // namespace

int convert_tables(Conversion& conversion, Session& session) {
  if (conversion.inputs.size() != 1) {
    throw Error(ErrorCode::Usage, "{table} in the output needs one input, a Skiff stream");
  }
  if (!conversion.rows.select.empty() || conversion.rows.limit || conversion.rows.table) {
    throw Error(ErrorCode::Usage,
                "--select, --limit and --table choose rows of one table; {table} means all");
  }
  ProgressLine line(session);
  io::InputOptions opening = input_options(conversion.rows);
  opening.skip_bad_rows = conversion.skip_bad_rows;
  io::TablesInput input = io::open_tables(conversion.inputs.front(), opening);

  conversion.output.inputs = conversion.inputs;
  if (input.schema_origin == io::SchemaOrigin::SideFile) {
    conversion.output.inputs.push_back(io::side_schema_path(conversion.inputs.front()));
  }
  std::vector<Table> tables;
  for (size_t i = 0; i < input.reader->table_count(); ++i) {
    const std::string path = io::table_path(conversion.out, i);
    const System target = io::system_of(io::output_format(path, conversion.output));
    const auto there = io::schema_to_add_to(path, conversion.output, input.reader->schema(i));
    crosswalk::Plan plan =
        there ? crosswalk::plan_to(System::Skiff, input.reader->schema(i), *there, conversion.plan)
              : crosswalk::plan(System::Skiff, input.reader->schema(i), target, conversion.plan);
    ask_consent(plan, conversion.allow_lossy);
    tables.push_back({path, std::move(plan), nullptr, 0});
  }
  // No output is begun before every table is known to have a way.
  std::vector<io::TableRoute> routes;
  for (Table& table : tables) {
    table.writer = io::open_output(table.path, io::output_schema(table.plan), conversion.output);
    routes.push_back({&table.plan.cast, table.writer.get(), &table.rows});
  }
  const io::Progress done = run_with(conversion, line, [&](const io::PipelineOptions& pipeline) {
    return io::run_tables(*input.reader, routes, pipeline);
  });
  for (const Table& table : tables) {
    io::Progress part = done;
    part.rows = table.rows;
    part.bytes_written = table.writer->bytes_written();
    if (!session.json) session.note(table.path + ":");
    print_summary(part, line.seconds(), table.plan, {}, table.path, session);
  }
  return kDone;
}

}  // namespace xwalk::cli
