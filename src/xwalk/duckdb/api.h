#pragma once

// The C API of the release that the extension asks for, and of every later one: `duckdb_ext_api`
// holds the functions of whichever DuckDB has loaded the extension.
#include <duckdb_extension.h>
#include <utility>

DUCKDB_EXTENSION_EXTERN

namespace xwalk::duckdb {

/// Owns an object of DuckDB's C API and destroys it. Move-only.
template <typename Handle, typename Destroy>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  /// Returns where a function of the API puts the handle.
  Handle* out() {
    reset();
    return &handle_;
  }
  void reset() {
    if (handle_ != nullptr) Destroy()(&handle_);
    handle_ = nullptr;
  }

 private:
  Handle handle_ = nullptr;
};

struct DestroyValue {
  void operator()(duckdb_value* value) const { duckdb_destroy_value(value); }
};
struct DestroyType {
  void operator()(duckdb_logical_type* type) const { duckdb_destroy_logical_type(type); }
};
struct DestroyChunk {
  void operator()(duckdb_data_chunk* chunk) const { duckdb_destroy_data_chunk(chunk); }
};
struct DestroyError {
  void operator()(duckdb_error_data* error) const { duckdb_destroy_error_data(error); }
};
struct DestroyConverted {
  void operator()(duckdb_arrow_converted_schema* schema) const {
    duckdb_destroy_arrow_converted_schema(schema);
  }
};
struct DestroyArrowOptions {
  void operator()(duckdb_arrow_options* options) const { duckdb_destroy_arrow_options(options); }
};
struct DestroyContext {
  void operator()(duckdb_client_context* context) const { duckdb_destroy_client_context(context); }
};
struct DestroyConnection {
  void operator()(duckdb_connection* connection) const { duckdb_disconnect(connection); }
};
struct DestroyDatabase {
  void operator()(duckdb_database* database) const { duckdb_close(database); }
};
struct DestroyTableFunction {
  void operator()(duckdb_table_function* function) const {
    duckdb_destroy_table_function(function);
  }
};
struct DestroyCopyFunction {
  void operator()(duckdb_copy_function* function) const { duckdb_destroy_copy_function(function); }
};
struct FreeText {
  void operator()(char** text) const { duckdb_free(*text); }
};

struct DestroySelection {
  // Unlike others, it takes the handle itself.
  void operator()(duckdb_selection_vector* selection) const {
    duckdb_destroy_selection_vector(*selection);
  }
};

using Value = Owned<duckdb_value, DestroyValue>;
using LogicalType = Owned<duckdb_logical_type, DestroyType>;
using Selection = Owned<duckdb_selection_vector, DestroySelection>;
using Chunk = Owned<duckdb_data_chunk, DestroyChunk>;
using ErrorData = Owned<duckdb_error_data, DestroyError>;
using ConvertedSchema = Owned<duckdb_arrow_converted_schema, DestroyConverted>;
using ArrowOptions = Owned<duckdb_arrow_options, DestroyArrowOptions>;
using Context = Owned<duckdb_client_context, DestroyContext>;
using Connection = Owned<duckdb_connection, DestroyConnection>;
using Database = Owned<duckdb_database, DestroyDatabase>;
using TableFunction = Owned<duckdb_table_function, DestroyTableFunction>;
using CopyFunction = Owned<duckdb_copy_function, DestroyCopyFunction>;
/// A text that DuckDB has allocated.
using OwnedText = Owned<char*, FreeText>;

/// Deletes what DuckDB keeps for a function, as `duckdb_delete_callback_t`.
template <typename T>
void destroy(void* kept) {
  delete static_cast<T*>(kept);
}

}  // namespace xwalk::duckdb
