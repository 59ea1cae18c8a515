#pragma once

#include <memory>

#include "xwalk/base/error.h"
#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// Stores a function's own data.
template <typename T>
void keep(duckdb_table_function function, std::unique_ptr<T> kept) {
  duckdb_table_function_set_extra_info(function, kept.release(), destroy<T>);
}
template <typename T>
void keep(duckdb_bind_info info, std::unique_ptr<T> kept) {
  duckdb_bind_set_bind_data(info, kept.release(), destroy<T>);
}
template <typename T>
void keep(duckdb_init_info info, std::unique_ptr<T> kept) {
  duckdb_init_set_init_data(info, kept.release(), destroy<T>);
}

/// Returns the client that calls a function.
inline Context context_of(duckdb_bind_info info) {
  Context context;
  duckdb_table_function_get_client_context(info, context.out());
  return context;
}

/// Returns the number of the connection that calls a function.
inline uint64_t connection_of(duckdb_bind_info info) {
  return duckdb_client_context_get_connection_id(context_of(info).get());
}

/// Registers a function. Throws Error (Internal) where DuckDB refuses it.
inline void add_function(duckdb_connection connection, const TableFunction& function) {
  if (duckdb_register_table_function(connection, function.get()) == DuckDBError) {
    throw Error(ErrorCode::Internal, "DuckDB refuses a table function of xwalk");
  }
}

}  // namespace xwalk::duckdb
