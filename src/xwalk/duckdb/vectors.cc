#include "xwalk/duckdb/vectors.h"

#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/duckdb/error.h"
#include "xwalk/duckdb/plain.h"
#include "xwalk/duckdb/types.h"
#include "xwalk/duckdb/unions.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/report/report.h"

namespace xwalk::duckdb {
namespace {

struct DestroyConfig {
  void operator()(duckdb_config* config) const { duckdb_destroy_config(config); }
};

Database open_workshop() {
  Owned<duckdb_config, DestroyConfig> config;
  duckdb_create_config(config.out());
  // Nothing is ever run there.
  duckdb_set_config(config.get(), "threads", "1");
  Database database;
  OwnedText why;
  if (duckdb_open_ext(nullptr, database.out(), config.get(), why.out()) == DuckDBError) {
    throw Error(ErrorCode::Internal, fmt::format("DuckDB opens no database for the extension: {}",
                                                 why ? why.get() : ""));
  }
  return database;
}

/// Returns elements of an array as one that starts with them. Structs pass where they start on to
/// their members, since DuckDB forgets it in structs of structs.
hub::Array from_start(const hub::Array& array, const hub::Type& type, int64_t start,
                      int64_t length) {
  hub::Array out = hub::slice(array, start, length);
  const bool is_union = type.kind() == hub::Kind::SparseUnion;
  if (type.kind() != hub::Kind::Struct && !is_union) return out;
  for (size_t i = 0; i < out.children.size(); ++i) {
    out.children[i] = from_start(out.children[i], type.child(i).type, out.offset, length);
  }
  if (is_union) {
    out.buffers[0] = out.values<int8_t>(0);
  } else if (const uint8_t* bits = hub::validity(out); bits != nullptr) {
    hub::Buffer copy((length + 7) / 8);
    hub::copy_bits(bits, out.offset, length, copy.as<uint8_t>());
    out.buffers[0] = copy.as<void>();
    out.owners.push_back(copy.owner());
  }
  out.offset = 0;
  return out;
}

/// Copies the values of a vector, whichever its form is, into one that can be read in place.
void copy_flat(duckdb_vector values, idx_t rows, duckdb_vector out) {
  const Selection all(duckdb_create_selection_vector(rows));
  sel_t* const places = duckdb_selection_vector_get_data_ptr(all.get());
  for (idx_t i = 0; i < rows; ++i) places[i] = static_cast<sel_t>(i);
  duckdb_vector_copy_sel(values, out, all.get(), rows, 0, 0);
}

}  // namespace

Connection Workshop::connect() {
  // Never closed: DuckDB may be gone before the statics of an extension are.
  static const auto* const kDatabase = new Database(open_workshop());
  Connection connection;
  if (duckdb_connect(kDatabase->get(), connection.out()) == DuckDBError) {
    throw Error(ErrorCode::Internal, "DuckDB opens no connection for the extension");
  }
  return connection;
}

VectorMaker::VectorMaker(const hub::Schema& schema)
    : connection_(Workshop::connect()), schema_(schema) {
  for (const hub::Field& field : schema_.fields) {
    hub::Field plain = field;
    // A vector does not need the name, which Arrow's interface might cut.
    plain.name = "c";
    const hub::SchemaHandle arrow = hub::export_schema({.fields = {plain}});
    ConvertedSchema& converted = columns_.emplace_back();
    // DuckDB reads the schema, and only asks for what it might change.
    check(ErrorData(duckdb_schema_from_arrow(
              connection_.get(), const_cast<ArrowSchema*>(arrow.get()), converted.out())),
          field.name.c_str());
  }
}

Chunk VectorMaker::column(size_t index, const hub::Array& rows) const {
  refuse_fine_intervals(rows, schema_.fields[index].type, Path::column(schema_.fields[index].name));
  // Each column goes alone: of several, DuckDB 1.5 gives the first the array to keep, and others
  // would point into what may be gone.
  hub::Array alone;
  alone.length = rows.length;
  alone.null_count = 0;
  alone.buffers = {nullptr};
  alone.children = {rows};
  hub::ArrayHandle arrow = hub::export_array(alone);
  Chunk chunk;
  check(ErrorData(duckdb_data_chunk_from_arrow(connection_.get(), arrow.get(),
                                               columns_[index].get(), chunk.out())),
        schema_.fields[index].name.c_str());
  set_tags(duckdb_data_chunk_get_vector(chunk.get(), 0), schema_.fields[index].type, rows,
           rows.length);
  return chunk;
}

std::vector<LogicalType> VectorMaker::types() const {
  std::vector<LogicalType> out;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Chunk empty = column(i, hub::null_array(schema_.fields[i].type, 0));
    out.emplace_back(duckdb_vector_get_column_type(duckdb_data_chunk_get_vector(empty.get(), 0)));
  }
  return out;
}

void VectorMaker::fill(const hub::Array& batch, int64_t start, int64_t length,
                       const std::vector<std::optional<size_t>>& columns,
                       duckdb_data_chunk out) const {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]) continue;
    const hub::Array& rows = batch.children[*columns[i]];
    const hub::Type& type = schema_.fields[*columns[i]].type;
    const Chunk made = column(*columns[i], from_start(rows, type, batch.offset + start, length));
    duckdb_vector_reference_vector(duckdb_data_chunk_get_vector(out, i),
                                   duckdb_data_chunk_get_vector(made.get(), 0));
  }
  duckdb_data_chunk_set_size(out, static_cast<idx_t>(length));
}

ChunkReader::ChunkReader(std::vector<LogicalType> types, std::vector<std::string> names)
    : connection_(Workshop::connect()) {
  is_struct_ = names.empty() && types.size() == 1 &&
               duckdb_get_type_id(types[0].get()) == DUCKDB_TYPE_STRUCT;
  if (is_struct_) names = {"rows"};
  if (names.empty()) {
    throw Error(ErrorCode::Usage, "DuckDB does not give an extension the names of the columns", {},
                "COPY (SELECT t FROM (…) AS t) TO … writes the members of one struct as columns; "
                "COLUMN_NAMES ['a', 'b'] names them in their order.");
  }
  if (names.size() != types.size()) {
    throw Error(ErrorCode::Usage, fmt::format("column_names: expected {}, found {}",
                                              counted(types.size(), "name"), names.size()));
  }
  duckdb_query(connection_.get(), "SET SESSION arrow_lossless_conversion = true", nullptr);
  for (size_t i = 0; i < types.size(); ++i) {
    Column& column = columns_.emplace_back();
    column.type = std::move(types[i]);
    duckdb_connection_get_arrow_options(connection_.get(), column.options.out());
    hub::SchemaHandle arrow;
    duckdb_logical_type type = column.type.get();
    const char* name = names[i].c_str();
    check(ErrorData(duckdb_to_arrow_schema(column.options.get(), &type, &name, 1, arrow.get())),
          name);
    column.field = hub::import_schema(*arrow).fields.front();
  }
  for (const Column& column : columns_) schema_.fields.push_back(plain_field(column.field));
  if (is_struct_) {
    const hub::Type rows = schema_.fields.front().type;
    schema_.fields.assign(rows.children().begin(), rows.children().end());
  }
}

void ChunkReader::refuse_own_types() const {
  for (const Column& column : columns_) {
    duckdb::refuse_own_types(column.field, path_of(column));
  }
}

Path ChunkReader::path_of(const Column& column) const {
  return is_struct_ ? Path() : Path::column(column.field.name);
}

hub::Array ChunkReader::column(const Column& column, duckdb_vector values, idx_t rows) const {
  duckdb_logical_type type = column.type.get();
  const Chunk alone(duckdb_create_data_chunk(&type, 1));
  const duckdb_vector own = duckdb_data_chunk_get_vector(alone.get(), 0);
  if (has_own_values(column.field.type)) {
    copy_flat(values, rows, own);
    refuse_own_values(own, column.field.type, static_cast<int64_t>(rows), path_of(column));
  } else {
    duckdb_vector_reference_vector(own, values);
  }
  duckdb_data_chunk_set_size(alone.get(), rows);
  hub::ArrayHandle arrow;
  check(ErrorData(duckdb_data_chunk_to_arrow(column.options.get(), alone.get(), arrow.get())),
        column.field.name.c_str(),
        "DuckDB has no Arrow array for these values. Cast them in the query, such as to VARCHAR.");
  hub::Array array = hub::import_array(std::move(arrow), hub::struct_({column.field}));
  array = plain_array(std::move(array.children.front()), column.field);
  refuse_infinity(array, column.field.type, path_of(column));
  return array;
}

hub::Array ChunkReader::rows(duckdb_data_chunk chunk) const {
  const idx_t length = duckdb_data_chunk_get_size(chunk);
  hub::Array out = hub::start(static_cast<int64_t>(length));
  out.null_count = 0;
  out.buffers = {nullptr};
  out.children.clear();
  for (size_t i = 0; i < columns_.size(); ++i) {
    out.children.push_back(column(columns_[i], duckdb_data_chunk_get_vector(chunk, i), length));
  }
  if (!is_struct_) return out;
  hub::Array members = std::move(out.children.front());
  if (hub::count_nulls(members) > 0) {
    throw Error(ErrorCode::Input, "expected rows, found a struct that is null", {},
                "Members of the one struct are the columns. Leave such rows out in the query, or "
                "make the struct a column: COLUMN_NAMES ['name'].");
  }
  members.null_count = 0;
  return members;
}

}  // namespace xwalk::duckdb
