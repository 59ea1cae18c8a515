// The macros of the header define the entry point `xwalk_init_c_api`, which DuckDB looks for by the
// name of the file.
#define DUCKDB_EXTENSION_NAME xwalk

#include <memory>

#include "xwalk/duckdb/answers.h"
#include "xwalk/duckdb/api.h"
#include "xwalk/duckdb/copy.h"
#include "xwalk/duckdb/error.h"
#include "xwalk/duckdb/notes.h"
#include "xwalk/duckdb/options.h"
#include "xwalk/duckdb/python_host.h"
#include "xwalk/duckdb/read.h"
#include "xwalk/duckdb/rejects.h"
#include "xwalk/io/engines/engine_program.h"

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access* access) {
  try {
    // As the program: engines run with the interpreter that the person names.
    xwalk::io::use_interpreter_of_environment();
    xwalk::duckdb::find_engines_in_python();
    const auto rejects = std::make_shared<xwalk::duckdb::Rejects>();
    const auto notes = std::make_shared<xwalk::duckdb::Notes>();
    xwalk::duckdb::register_settings(connection);
    xwalk::duckdb::register_readers(connection, rejects, notes);
    xwalk::duckdb::register_answers(connection, rejects, notes);
    xwalk::duckdb::register_copies(connection, rejects, notes);
    xwalk::duckdb::register_replacement(*access->get_database(info));
    return true;
  } catch (...) {
    access->set_error(info, xwalk::duckdb::current_error().c_str());
    return false;
  }
}
