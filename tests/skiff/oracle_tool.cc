// usage: oracle_tool copy|rows SCHEMA: reads Skiff on stdin. `copy` takes it through Arrow and
// writes Skiff again; `rows` writes YSON rows by the checked path, `$table` with each.

#include <cstdio>
#include <string>

#include "tests/skiff/oracle/rows.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/print.h"

namespace {

using namespace xwalk::skiff;
using xwalk::yson::Node;

void copy(const Schema& schema) {
  auto reader = read_rows(descriptor_source(0), schema);
  auto writer = write_rows(descriptor_sink(1), schema);
  while (auto batch = reader->next()) writer->write(std::move(*batch));
  writer->finish();
}

void rows(const Schema& schema) {
  auto source = descriptor_source(0);
  Input input(*source);
  RowReader reader(bind(schema, Flow::Read), input);
  auto sink = descriptor_sink(1);
  while (auto row = reader.next()) {
    Node node = row->columns;
    node.add("$table", Node::int64(row->table));
    if (row->row_index) node.add("$row_index", Node::int64(*row->row_index));
    if (row->range_index) node.add("$range_index", Node::int64(*row->range_index));
    if (row->key_switch) node.add("$key_switch", Node::boolean(true));
    sink->write(xwalk::yson::print(node) + ";\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    Schema schema = parse_schema(argv[2]);
    std::string(argv[1]) == "copy" ? copy(schema) : rows(schema);
    return 0;
  } catch (const xwalk::Error& error) {
    std::fprintf(stderr, "%s\n", error.describe().c_str());
    return 1;
  }
}
