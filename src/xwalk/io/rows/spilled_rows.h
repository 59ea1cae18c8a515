#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/mapping.h"
#include "xwalk/io/bytes/temporary_file.h"

namespace xwalk::io {

/// Batches of rows on their way through a temporary file, as they lie in memory. Their types have
/// no dictionaries, runs or views at any depth.
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
  /// Gives the memory of a batch back; its bytes come again when they are touched.
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
