#include "xwalk/duckdb/answer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "xwalk/duckdb/error.h"
#include "xwalk/duckdb/options.h"
#include "xwalk/duckdb/table_function.h"

namespace xwalk::duckdb {
namespace {

void bind(duckdb_bind_info info) {
  guard(info, duckdb_bind_set_error, [&] {
    const auto& make = *static_cast<const MakeAnswer*>(duckdb_bind_get_extra_info(info));
    auto answer = std::make_unique<Answer>(make(info));
    for (const Answer::Column& column : answer->columns) {
      const LogicalType type(duckdb_create_logical_type(column.type));
      duckdb_bind_add_result_column(info, column.name, type.get());
    }
    duckdb_bind_set_cardinality(info, answer->rows, /*is_exact=*/true);
    keep(info, std::move(answer));
  });
}

/// The rows that are put out already.
void init(duckdb_init_info info) { keep(info, std::make_unique<size_t>(0)); }

void put(const Answer::Cell& cell, duckdb_type type, duckdb_vector vector, idx_t row) {
  if (!cell) {
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
  } else if (type == DUCKDB_TYPE_BIGINT) {
    static_cast<int64_t*>(duckdb_vector_get_data(vector))[row] = std::stoll(*cell);
  } else if (type == DUCKDB_TYPE_BOOLEAN) {
    static_cast<bool*>(duckdb_vector_get_data(vector))[row] = *cell == "true";
  } else {
    duckdb_vector_assign_string_element_len(vector, row, cell->data(), cell->size());
  }
}

void read(duckdb_function_info info, duckdb_data_chunk out) {
  guard(info, duckdb_function_set_error, [&] {
    const auto& answer = *static_cast<const Answer*>(duckdb_function_get_bind_data(info));
    auto& done = *static_cast<size_t*>(duckdb_function_get_init_data(info));
    const size_t rows = std::min<size_t>(answer.rows - done, duckdb_vector_size());
    for (size_t row = 0; row < rows; ++row) {
      const Answer::Line line = answer.line(done + row);
      for (size_t column = 0; column < answer.columns.size(); ++column) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(out, column);
        put(line[column], answer.columns[column].type, vector, row);
      }
    }
    duckdb_data_chunk_set_size(out, rows);
    done += rows;
  });
}

}  // namespace

void register_answer(duckdb_connection connection, const char* name,
                     const std::vector<duckdb_type>& parameters, bool with_options, MakeAnswer make,
                     const std::vector<const char*>& named) {
  const TableFunction function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), name);
  for (const duckdb_type parameter : parameters) {
    const LogicalType type(duckdb_create_logical_type(parameter));
    duckdb_table_function_add_parameter(function.get(), type.get());
  }
  const LogicalType text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  for (const char* parameter : named) {
    duckdb_table_function_add_named_parameter(function.get(), parameter, text.get());
  }
  if (with_options) add_named_options(function.get());
  keep(function.get(), std::make_unique<MakeAnswer>(std::move(make)));
  duckdb_table_function_set_bind(function.get(), bind);
  duckdb_table_function_set_init(function.get(), init);
  duckdb_table_function_set_function(function.get(), read);
  add_function(connection, function);
}

}  // namespace xwalk::duckdb
