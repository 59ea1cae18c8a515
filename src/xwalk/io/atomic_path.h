#pragma once

#include <string>

namespace xwalk::io {

/// A temporary name beside a final one. For outputs that someone else writes, such as an engine
/// that makes a folder: it writes to `temporary`, and `commit` gives the result its name.
class AtomicPath {
 public:
  /// `replaces` tells whether `commit` may replace what then has the name.
  AtomicPath(std::string path, bool replaces);
  /// Removes what is under the temporary name, a folder too.
  ~AtomicPath();
  AtomicPath(const AtomicPath&) = delete;
  AtomicPath& operator=(const AtomicPath&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }
  /// Renames; replaces a file, if it may. With `durable`, the name is on the disk when this
  /// returns. Throws Error (Io), also for what must not be replaced and has appeared meanwhile.
  void commit(bool durable);

 private:
  std::string path_;
  std::string temporary_;
  bool replaces_;
  bool committed_ = false;
};

}  // namespace xwalk::io
