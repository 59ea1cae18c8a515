// Reads the rows of a file of any system into a table of Arrow C++, and writes the table to a file
// of any other. Between the two libraries nothing is copied:
//
//   arrow_rows IN OUT
#include <iostream>
#include <xwalk/xwalk.hpp>

#include <arrow/api.h>
#include <arrow/c/bridge.h>

namespace hub = xwalk::hub;
namespace io = xwalk::io;

arrow::Status copy(const std::string& in, const std::string& out) {
  hub::StreamHandle rows = hub::export_stream(io::open_input({in}).reader);
  ARROW_ASSIGN_OR_RAISE(auto batches, arrow::ImportRecordBatchReader(rows.get()));
  ARROW_ASSIGN_OR_RAISE(auto table, batches->ToTable());
  std::cout << table->schema()->ToString() << "\n";

  auto reader = std::make_shared<arrow::TableBatchReader>(table);
  ARROW_RETURN_NOT_OK(arrow::ExportRecordBatchReader(reader, rows.get()));
  io::Dataset data(std::move(rows), {});
  const io::Converted made = io::convert(data, out, {}).front();
  std::cout << made.output << ": " << made.done.rows << " rows\n";
  return arrow::Status::OK();
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " IN OUT\n";
    return 2;
  }
  try {
    io::set_engine_folder(XWALK_ENGINE_FOLDER);
    const arrow::Status status = copy(argv[1], argv[2]);
    if (!status.ok()) std::cerr << status.ToString() << "\n";
    return status.ok() ? 0 : 1;
  } catch (const xwalk::Error& error) {
    std::cerr << error.describe() << "\n";
    return 1;
  }
}
