// Reads the rows of a file of any system into a table of Arrow C++, and writes the table to a file
// of any other. The two libraries share the memory of the rows:
//
//   arrow_rows IN OUT
#include <iostream>
#include <xwalk/xwalk.hpp>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

arrow::Status copy(const std::string& in, const std::string& out) {
  ArrowArrayStream rows = xwalk::open(in).stream();
  ARROW_ASSIGN_OR_RAISE(auto batches, arrow::ImportRecordBatchReader(&rows));
  ARROW_ASSIGN_OR_RAISE(auto table, batches->ToTable());
  std::cout << table->schema()->ToString() << "\n";

  auto reader = std::make_shared<arrow::TableBatchReader>(table);
  ARROW_RETURN_NOT_OK(arrow::ExportRecordBatchReader(reader, &rows));
  const xwalk::Report report = xwalk::convert(xwalk::Rows::from_stream(&rows), out);
  std::cout << out << ": " << *report.rows() << " rows\n";
  return arrow::Status::OK();
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " IN OUT\n";
    return 2;
  }
  try {
    const arrow::Status status = copy(argv[1], argv[2]);
    if (!status.ok()) std::cerr << status.ToString() << "\n";
    return status.ok() ? 0 : 1;
  } catch (const xwalk::Error& error) {
    std::cerr << error.describe() << "\n";
    return 1;
  }
}
