#include "xwalk/io/bytes/store.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/fork.h"
#include "xwalk/base/text.h"
#include "xwalk/io/bytes/credentials.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/plugins/engine_load.h"

namespace xwalk::io {
namespace {

struct Counters {
  Counters() { free_in_forks(&mutex); }
  std::atomic<uint64_t> requests = 0;
  std::atomic<uint64_t> bytes_read = 0;
  std::atomic<uint64_t> bytes_written = 0;
  std::atomic<uint64_t> fetched_whole = 0;
  std::mutex mutex;
  uint64_t staged = 0;
  std::string first_staged;
};

Counters& counters() {
  static auto* const instance = new Counters;
  return *instance;
}

/// Digits at the end of a hidden name; see CopiedUpload of the plugin.
constexpr size_t kStagedDigits = 16;

/// Uploads in progress, for a program that has to end.
struct LiveUploads {
  LiveUploads() { free_in_forks(&mutex); }
  std::mutex mutex;
  std::set<StoreUpload*> uploads;
};

LiveUploads& live_uploads() {
  static auto* const instance = new LiveUploads;  // outlives every upload
  return *instance;
}

constexpr auto kLastPatience = std::chrono::seconds(2);

const XwalkStore& plugin() {
  static const XwalkStore& loaded = *load_stores();
  return loaded;
}

/// What the plugin says in one call.
class Call {
 public:
  explicit Call(std::string name, uint64_t requests = 1) : name_(std::move(name)) {
    host_.context = this;
    host_.fail = [](void* context, const char* code, const char* message) {
      auto* self = static_cast<Call*>(context);
      try {
        self->code_ = code;
        self->message_ = message;
      } catch (...) {
        self->own_error_ = std::current_exception();
      }
    };
    counters().requests += requests;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const XwalkEngineHost* host() const { return &host_; }

  /// Throws the error, if there was one.
  void check(int status) const {
    if (own_error_) std::rethrow_exception(own_error_);
    if (status == 0) return;
    Place place;
    place.file = name_;
    if (code_ == "changed") {
      throw Error(ErrorCode::Io,
                  fmt::format("the object was changed while it was read: {}", message_),
                  std::move(place), "Read it again once nothing writes to it.");
    }
    if (code_ == "missing") throw NoSuchObject(ErrorCode::Io, message_, std::move(place));
    const ErrorCode code = code_ == "usage"         ? ErrorCode::Usage
                           : code_ == "unsupported" ? ErrorCode::Unsupported
                           : code_ == "internal"    ? ErrorCode::Internal
                                                    : ErrorCode::Io;
    throw Error(code, message_, std::move(place));
  }

 private:
  std::string name_;
  XwalkEngineHost host_{};
  std::string code_;
  std::string message_;
  /// The exception raised while storing the plugin's message.
  std::exception_ptr own_error_;
};

/// Options as the plugin takes them.
class PluginOptions {
 public:
  PluginOptions(const std::string& uri, const StorageOptions& storage)
      : given_(reached_with(uri, storage)) {
    for (const auto& [name, value] : given_) texts_.push_back({name.c_str(), value.c_str()});
    options_ = {texts_.data(), texts_.size()};
  }
  PluginOptions(const PluginOptions&) = delete;
  PluginOptions& operator=(const PluginOptions&) = delete;

  const XwalkStoreOptions* get() const { return &options_; }

 private:
  StorageOptions given_;
  std::vector<XwalkStoreOption> texts_;
  XwalkStoreOptions options_{};
};

}  // namespace

StoreObject::StoreObject(const std::string& uri, const StorageOptions& storage)
    : name_(shown_name(uri)) {
  const Call call(name_);
  call.check(plugin().open(uri.c_str(), PluginOptions(uri, storage).get(), call.host(), &object_));
  counters().bytes_read += object_.fetched_whole != 0 ? object_.size : object_.head_size;
  if (object_.fetched_whole != 0) ++counters().fetched_whole;
}

StoreObject::~StoreObject() {
  if (object_.release != nullptr) object_.release(&object_);
}

std::string_view StoreObject::head() const {
  return {static_cast<const char*>(object_.head), object_.head_size};
}

void StoreObject::read_at(uint64_t offset, uint64_t size, char* out) {
  const Call call(name_);
  call.check(object_.read_at(&object_, call.host(), offset, size, out));
  counters().bytes_read += size;
}

StoreUpload::StoreUpload(std::string uri, StorageOptions storage, bool replaces, bool staged)
    : uri_(std::move(uri)),
      name_(shown_name(uri_)),
      storage_(std::move(storage)),
      replaces_(replaces) {
  const Call call(name_);
  call.check(plugin().create(uri_.c_str(), PluginOptions(uri_, storage_).get(), staged ? 1 : 0,
                             call.host(), &upload_));
  try {
    const std::lock_guard guard(live_uploads().mutex);
    live_uploads().uploads.insert(this);
  } catch (...) {
    upload_.release(&upload_);
    throw;
  }
}

StoreUpload::~StoreUpload() {
  release();
  const std::lock_guard guard(live_uploads().mutex);
  live_uploads().uploads.erase(this);
}

void StoreUpload::release() noexcept {
  const std::lock_guard guard(at_work_);
  if (upload_.release != nullptr) upload_.release(&upload_);
}

void StoreUpload::expect_open() const {
  if (upload_.release == nullptr) throw Error(ErrorCode::Interrupted, "interrupted");
}

void StoreUpload::write(std::string_view bytes) {
  const std::lock_guard guard(at_work_);
  expect_open();
  const Call call(name_, 0);  // parts go when they are full
  call.check(upload_.write(&upload_, call.host(), bytes.data(), bytes.size()));
  counters().bytes_written += bytes.size();
}

void StoreUpload::close() {
  const std::lock_guard guard(at_work_);
  expect_open();
  const Call call(name_, 0);
  call.check(upload_.close(&upload_, call.host()));
}

void StoreUpload::complete() {
  if (!replaces_ && look_at_object(uri_, storage_) != NameKind::Nothing) {
    throw SystemError(EEXIST, "the name was taken while the output was written", name_,
                      "Nothing was replaced and the new output was removed: choose another name.");
  }
  const std::lock_guard guard(at_work_);
  expect_open();
  const Call call(name_);
  call.check(upload_.complete(&upload_, call.host()));
  is_complete_ = true;
}

void StoreUpload::take_back() noexcept {
  if (!is_complete_ || replaces_) return;
  try {
    remove_object(uri_, storage_);
  } catch (const std::exception&) {
    return;  // the caller that cleans up reports the first failure
  }
}

void abandon_uploads() {
  const std::lock_guard guard(live_uploads().mutex);
  for (StoreUpload* upload : live_uploads().uploads) {
    const std::unique_lock at_work(upload->at_work_, kLastPatience);
    if (at_work && upload->upload_.release != nullptr) upload->upload_.release(&upload->upload_);
  }
}

bool is_staged(std::string_view name) {
  constexpr std::string_view kMark = ".xwalk-";
  const size_t mark = name.rfind(kMark);
  return name.starts_with('.') && mark != std::string_view::npos &&
         name.size() == mark + kMark.size() + kStagedDigits;
}

void saw_staged(const std::string& uri) {
  Counters& all = counters();
  const std::lock_guard guard(all.mutex);
  if (all.staged++ == 0) all.first_staged = uri;
}

NameKind look_at_object(const std::string& uri, const StorageOptions& storage) {
  const Call call(shown_name(uri));
  XwalkStoreKind kind = XWALK_STORE_NOTHING;
  call.check(plugin().look(uri.c_str(), PluginOptions(uri, storage).get(), call.host(), &kind));
  switch (kind) {
    case XWALK_STORE_NOTHING:
      return NameKind::Nothing;
    case XWALK_STORE_OBJECT:
      return NameKind::File;
    case XWALK_STORE_FOLDER:
      return NameKind::Folder;
  }
  return NameKind::Other;
}

namespace {

/// Bytes of names in one listing, which is kept in memory.
constexpr size_t kMostNameBytes = size_t{512} << 20;

/// The names that a store lists, page by page.
class StoredNames {
 public:
  void add(std::span<const char* const> page) {
    ++pages_;
    if (page.empty()) return;
    // guard(allocate): a listing ends with an error at a page that came before, or at 512 MiB.
    if (!first_.insert(page.front()).second) {
      throw Error(ErrorCode::Io, fmt::format("the store lists the page that begins with {} again",
                                             xwalk::quoted(page.front())));
    }
    for (const char* name : page) {
      bytes_ += sizeof(std::string) + std::strlen(name);
      names_.emplace_back(name);
    }
    if (bytes_ > kMostNameBytes) {
      throw Error(ErrorCode::Io,
                  fmt::format("the store lists more than {} names, and goes on", names_.size()));
    }
  }
  size_t pages() const { return pages_; }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  /// The first names of all pages.
  std::set<std::string> first_;
  size_t pages_ = 0;
  size_t bytes_ = 0;
};

}  // namespace

std::vector<std::string> list_objects(const std::string& uri, const StorageOptions& storage,
                                      bool deep) {
  struct Listing {
    StoredNames names;
    std::exception_ptr error;
  };
  Listing listing;
  const XwalkStoreNames names{&listing, [](void* context, const char* const* page, uint64_t count) {
                                auto* self = static_cast<Listing*>(context);
                                try {
                                  self->names.add({page, static_cast<size_t>(count)});
                                  return 0;
                                } catch (...) {
                                  self->error = std::current_exception();
                                  return ENOMEM;
                                }
                              }};
  const Call call(shown_name(uri), 0);
  const int status = plugin().list(uri.c_str(), PluginOptions(uri, storage).get(), deep ? 1 : 0,
                                   call.host(), &names);
  if (listing.error) std::rethrow_exception(listing.error);
  call.check(status);
  counters().requests += std::max<size_t>(listing.names.pages(), 1);
  return listing.names.take();
}

void remove_object(const std::string& uri, const StorageOptions& storage) {
  const Call call(shown_name(uri));
  call.check(plugin().remove(uri.c_str(), PluginOptions(uri, storage).get(), call.host()));
}

StoreTraffic store_traffic() {
  Counters& now = counters();
  const std::lock_guard guard(now.mutex);
  return {now.requests,      now.bytes_read, now.bytes_written,
          now.fetched_whole, now.staged,     now.first_staged};
}

}  // namespace xwalk::io
