#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/temporary_file.h"

namespace xwalk::io {

/// Batches of rows in a temporary file, in their memory layout. Their types have no dictionaries,
/// runs or views at any depth.
class SpilledRows {
 public:
  explicit SpilledRows(hub::Type type) : type_(std::move(type)) {}

  /// Adds a batch that `hub::concat` made. Throws Error (Io).
  void write(const hub::Array& batch);
  /// Ends writing; batches can be read.
  void finish();

  size_t batches() const { return starts_.size(); }
  /// Returns a batch, whose memory is that of the file.
  hub::Array read(size_t batch) const;
  /// Frees the memory of a batch. Its bytes are loaded again when they are accessed.
  void give_back(size_t batch) const;

 private:
  void put(const hub::Type& type, const hub::Array& array);
  hub::Array get(const hub::Type& type, uint64_t* at) const;

  hub::Type type_;
  TemporaryFile file_;
  std::vector<uint64_t> starts_;
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace xwalk::io
