#include "xwalk/duckdb/vectors.h"

#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/duckdb/error.h"
#include "xwalk/hub/c_schema.h"

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
    // A name is no matter to a vector, and may be one that Arrow's interface would cut.
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

}  // namespace xwalk::duckdb
