#pragma once

#include <string>
#include <vector>

#include "xwalk/convert/convert_options.h"
#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// What the configuration of a database lets its queries read and write: the settings
/// `enable_external_access`, `allowed_paths`, `allowed_directories`, `disabled_filesystems` (the
/// local one: DuckDB does not show the others) and `lock_configuration`. Every name that a query
/// gives is checked here before anything looks at it.
class Access {
 public:
  /// Reads the settings of a client, which must outlive this.
  explicit Access(duckdb_client_context context);

  /// Checks what an input would read: the files that the names stand for, the schemas next to them,
  /// and the files of datasets. Throws Error (Io) for one that is not allowed.
  void check_input(const io::Locations& names, const io::InputOptions& options) const;
  /// Checks what an output would write, with the schema next to it. Throws Error (Io).
  void check_output(const io::Location& path) const;
  /// Checks one name. Throws Error (Io).
  void check(const io::Location& name) const;
  /// Refuses options that change how data is reached or how much a query may use, if the
  /// configuration is locked. Throws Error (Usage).
  void check_options(const io::ConvertOptions& options) const;

 private:
  /// Returns why DuckDB denies access to a local path, "" if it does not.
  std::string denial(const std::string& path) const;
  void check_local(const io::Location& path) const;
  void check_remote(const io::Location& location) const;
  void check_folder(const std::string& folder) const;

  duckdb_client_context context_;
  bool external_ = true;
  bool locked_ = false;
  /// Local files are allowed only if DuckDB allows them.
  bool limits_local_ = false;
  std::vector<std::string> paths_;
  std::vector<std::string> folders_;
};

}  // namespace xwalk::duckdb
