#pragma once

#include <memory>
#include <string_view>

#include "xwalk/hub/module.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/engines/program_engine.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

struct InputOptions;

/// A table whose data files may be Parquet, and the engine that knows them.
struct TableOfFiles {
  hub::System system;
  std::string_view engine;
  std::string_view package;
  /// The schema of the table, with all columns.
  hub::Schema schema;
  /// Whether a column of a file is known by its id, and not by its name.
  bool by_ids = false;
};

/// Opens rows of a table: the engine names the data files and xwalk reads them, if their rows are
/// all that there is to it and each file has the columns of the table unchanged; else the engine
/// reads them. Which of them it is, is decided before the first row or the choice of a layout. The
/// schema, the order of the rows and the errors of the engine are the same. `wanted` has an idle
/// engine, which may be empty. Throws Error as `open_program_rows`.
std::unique_ptr<SplitReader> open_table_files(const Location& path, const TableOfFiles& table,
                                              const ProgramReadOptions& wanted,
                                              const InputOptions& options);

}  // namespace xwalk::io
