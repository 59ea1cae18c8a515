#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/upload.h"
#include "xwalk/io/plugins/store_abi.h"

// Objects of stores, through the plugin libxwalk_stores.so, which is loaded on first use.

namespace xwalk::io {

/// Thrown if there is no such object, bucket or server file.
class NoSuchObject final : public Error {
 public:
  using Error::Error;
};

/// An object that is read. Functions throw Error (Io) with the name it is shown by.
class StoreObject {
 public:
  StoreObject(const std::string& uri, const StorageOptions& storage);
  ~StoreObject();
  StoreObject(const StoreObject&) = delete;
  StoreObject& operator=(const StoreObject&) = delete;

  const std::string& name() const { return name_; }
  uint64_t size() const { return object_.size; }
  /// Identifies the version of the contents; "" if the store has no tag.
  std::string_view tag() const { return object_.tag; }
  /// Returns the first bytes, if opening has fetched some.
  std::string_view head() const;
  /// Fills a range of the bytes. Any thread. Throws Error (Input) if the object was replaced.
  void read_at(uint64_t offset, uint64_t size, char* out);

 private:
  std::string name_;
  XwalkStoreObject object_{};
};

/// An object being written. It appears once it is complete, otherwise not at all.
class StoreUpload final : public Pending {
 public:
  /// One of many is `staged`: once it is closed it needs no memory.
  StoreUpload(std::string uri, StorageOptions storage, bool replaces, bool staged = false);
  ~StoreUpload() override;
  StoreUpload(const StoreUpload&) = delete;
  StoreUpload& operator=(const StoreUpload&) = delete;

  const std::string& name() const { return name_; }
  const std::string& uri() const { return uri_; }
  void write(std::string_view bytes);
  /// Ends the bytes.
  void close();
  /// Gives the object its name. Throws Error (Io), also where it replaces none and one has
  /// appeared meanwhile.
  void complete() override;
  /// Releases its resources, also in the store. An incomplete object is discarded.
  void release() noexcept override;
  /// Removes what `complete` made, as far as nothing was replaced by it.
  void take_back() noexcept override;

 private:
  friend void abandon_uploads();

  void expect_open() const;

  std::string uri_;
  std::string name_;
  StorageOptions storage_;
  bool replaces_;
  bool is_complete_ = false;
  /// Held while the plugin is at work on it.
  std::timed_mutex at_work_;
  XwalkStoreUpload upload_{};
};

/// Abandons all unfinished objects, for a program that ends at once: an incomplete upload in a
/// store would cost space. Waits a second or two for uploads at work.
void abandon_uploads();

/// Returns true for the last part of a hidden name under which one of many objects is staged.
bool is_staged(std::string_view name);
/// Records that an ended run has left a staged object, or that one is in progress.
void saw_staged(const std::string& uri);

/// Returns the kind of object under a URI.
NameKind look_at_object(const std::string& uri, const StorageOptions& storage);

/// Lists the names in a folder, those of folders with a slash at the end; with `deep`, the paths
/// below it of all objects. Throws Error (Unsupported) for http, which has no listings.
std::vector<std::string> list_objects(const std::string& uri, const StorageOptions& storage,
                                      bool deep = false);

/// Removes an object.
void remove_object(const std::string& uri, const StorageOptions& storage);

/// This process's requests to stores so far.
struct StoreTraffic {
  uint64_t requests = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  /// Files whose server gives no ranges, so that they were fetched whole.
  uint64_t fetched_whole = 0;
  /// Objects of other runs that wait under hidden names, and the first of them.
  uint64_t staged = 0;
  std::string first_staged;
};
StoreTraffic store_traffic();

}  // namespace xwalk::io
