#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

#include "xwalk/io/bytes/folder_at.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

class Pending;

/// A temporary file next to the final one, with a name that other users can neither predict nor
/// create. `commit` renames it to the final name. The next process of the same user that writes in
/// the same folder removes what a killed process left.
class AtomicPath {
 public:
  enum class Kind : uint8_t {
    File,     ///< a file that exists and is open for reading and writing
    Scratch,  ///< a name in a private folder, for an engine that makes a file or a folder
    Folder    ///< the same for a folder that may take the place of another
  };

  /// If `replaces`, `commit` may replace an existing file of that name. The new file keeps the
  /// permissions of the replaced one. The output may be a link only if the user gave its whole
  /// name. The folder stays the same until `commit`. Throws Error (Io).
  AtomicPath(const Location& place, bool replaces, Kind kind = Kind::Scratch);
  /// Removes the temporary file or folder.
  ~AtomicPath();
  AtomicPath(const AtomicPath&) = delete;
  AtomicPath& operator=(const AtomicPath&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }
  /// Returns the path to remove on failure: the scratch folder, or the file.
  const std::string& scratch() const { return scratch_; }
  /// Returns the first line of a list of moved files in the scratch folder (lance_leftovers.h). The
  /// scratch folder also has a folder `.xwalk-MARK` in it, by which an engine knows it.
  const std::string& record_mark() const { return record_mark_; }
  /// Returns the descriptor of a file, which stays this object's.
  int descriptor() const { return descriptor_; }
  /// Opens the file that the output replaces or adds to; empty if that fails. Throws Error (Io) if
  /// its folder was replaced.
  FileAt open_existing() const;
  /// Renames; replaces a file, if it may. With `durable`, the result and its name are on the disk
  /// when this returns. Throws Error (Io), also for what must not be replaced and has appeared
  /// meanwhile.
  void commit(bool durable);

 private:
  friend class OutputSet;
  friend void abandon_outputs();

  /// Opens the folder that the temporary file was made in. Throws Error (Io), also if another has
  /// its name.
  FileAt open_same_folder() const;
  void make_temporary(int folder, const std::string& given);
  void take_permissions(int folder, const struct stat& old) const;
  /// Names the output. With `keeps_folder`, its folder stays open, so that nothing that may fail
  /// later, such as opening it again, is needed to take it back.
  void publish(bool may_be_taken_back, bool keeps_folder = false);
  void take_back() noexcept;
  void remove() const noexcept;

  std::string path_;
  /// How many bytes of the path the user gave.
  size_t given_;
  /// The output and the temporary file by their names in the folder.
  std::string name_;
  std::string temporary_name_;
  struct stat folder_ {};
  FileAt kept_folder_;
  std::string temporary_;
  std::string scratch_;
  std::string record_mark_;
  bool replaces_;
  Kind kind_;
  pid_t owner_;
  /// Holds a lock while this process needs the temporary file.
  int descriptor_ = -1;
  /// Exchanged: what had the name has the temporary one now. Replaced: it is gone.
  enum class State : uint8_t { Open, Exchanged, Renamed, Replaced } state_ = State::Open;
};

/// Refuses a name that was made from another one if it is a link, a pipe or a device: it may have
/// been planted. Only an output that the user names may be one. Throws Error (Io).
void refuse_planted(const Location& path);

/// Refuses the name of an output on a disk whose folder does not exist. Throws Error (Io) as the
/// first byte that is written there would.
void refuse_missing_folder(const Location& path);

/// Outputs that get their names together: all of them, or none if one fails.
class OutputSet {
 public:
  OutputSet();
  ~OutputSet();
  OutputSet(OutputSet&&) noexcept;
  OutputSet& operator=(OutputSet&&) noexcept;

  /// Adds an output that is complete. Those added first are renamed first.
  void add(std::unique_ptr<AtomicPath> output, bool durable);
  /// Calls a function just before all get their names, while no other run renames in the folder of
  /// `path`. The function examines the existing outputs, throws Error if they must not be replaced,
  /// and may add outputs, which are renamed before the others.
  void before_naming(std::string path, std::function<void(OutputSet*)> decide);
  /// Adds an object of a store or a table, whose bytes are all sent. Files are renamed before these
  /// are completed, since that can be taken back.
  void add(std::unique_ptr<Pending> upload);
  /// The same for one that is completed after all others and lists them.
  void add_last(std::unique_ptr<Pending> upload);
  /// Removes objects of a store once all have their names: what these replace under other names.
  void remove_after(std::vector<std::string> uris, StorageOptions storage);
  /// Adds all of another set after these.
  void add(OutputSet others);
  /// Returns true if no output waits for its name.
  bool is_empty() const;
  /// Renames all. Throws Error (Io) after it has undone all renames.
  void commit();

 private:
  struct Output {
    std::unique_ptr<AtomicPath> path;
    bool durable;
  };
  /// A decision before the outputs get their names.
  struct Decision {
    std::string path;
    std::function<void(OutputSet*)> decide;
  };
  void decide();
  void sync() const;
  void publish_all();
  /// Calls `step` for each upload, several at a time. Throws the error of the first that fails.
  void for_each_upload(const std::function<void(Pending&)>& step);

  std::vector<Output> outputs_;
  std::vector<Decision> decisions_;
  std::vector<std::unique_ptr<Pending>> uploads_;
  std::unique_ptr<Pending> last_upload_;
  std::vector<std::string> replaced_;
  StorageOptions storage_;
};

/// Puts a file on the disk, or a folder with all in it. Throws Error (Io).
void sync_tree(const std::string& path);

/// Finds out whether an output has the rows of an engine that has ended; nothing if that is
/// unknown.
using HasLanded = std::function<std::optional<bool>()>;

/// `begin_in_doubt` reports that an engine is about to name an output itself, the other that it
/// has. Between the two calls the state is unknown, and `has_landed` finds out. It may be called by
/// another thread.
void begin_in_doubt(const std::string& path, HasLanded has_landed = nullptr);
void end_in_doubt(bool has_rows);

/// Returns the end of a sentence for a program that a signal ends: an output was complete before,
/// or is in doubt. Returns "" if no output has its name.
std::string fate_of_outputs();

/// Removes all that this process has under temporary names, for a program that ends at once, such
/// as by a signal. No output gets its name any more.
void abandon_outputs();

}  // namespace xwalk::io
