#include "xwalk/plugin/arrow_store.h"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/filesystem/azurefs.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/filesystem/gcsfs.h>
#include <arrow/filesystem/s3fs.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/cancel.h>
#include <arrow/util/future.h>
#include <arrow/util/io_util.h>
#include <arrow/util/key_value_metadata.h>

#include "xwalk/plugin/google_credentials.h"

namespace xwalk::plugin {
namespace {

namespace fs = arrow::fs;

/// Bytes that may be in flight at a time, so that a slow store does not fill the memory.
constexpr uint64_t kInFlight = uint64_t{64} << 20;
/// Attempts and seconds unless the caller says otherwise.
constexpr double kRetries = 4;
constexpr double kConnectSeconds = 10;
constexpr double kAnswerSeconds = 60;
/// Answers that a listing may wait for without a name: a store may send pages without any.
constexpr double kAnswersWithoutNames = 10;

/// What a URI means to a file system of Arrow.
struct Place {
  std::string scheme;
  std::string bucket;   ///< or container
  std::string account;  ///< Azure
  std::string path;     ///< with the bucket
};

Place parse(const std::string& uri) {
  Place place;
  const size_t colon = uri.find("://");
  place.scheme = uri.substr(0, colon);
  std::string rest = uri.substr(colon + 3);
  const size_t slash = rest.find('/');
  place.bucket = rest.substr(0, slash);
  const std::string key = slash == std::string::npos ? "" : rest.substr(slash + 1);
  // container@account.dfs.core.windows.net
  if (const size_t at = place.bucket.find('@'); at != std::string::npos) {
    place.account = place.bucket.substr(at + 1);
    place.account = place.account.substr(0, place.account.find('.'));
    // guard(allocate): A name is shortened.
    place.bucket.resize(at);
  }
  if (place.bucket.empty()) throw StoreFailure("usage", "expected a bucket in the URI, found none");
  place.path = key.empty() ? place.bucket : place.bucket + "/" + key;
  while (place.path.ends_with('/')) place.path.pop_back();
  return place;
}

/// Splits "http://localhost:8333" into its scheme and its host.
std::pair<std::string, std::string> split_endpoint(const std::string& endpoint) {
  const size_t colon = endpoint.find("://");
  if (colon == std::string::npos) return {"https", endpoint};
  std::string host = endpoint.substr(colon + 3);
  while (host.ends_with('/')) host.pop_back();
  return {endpoint.substr(0, colon), host};
}

bool is_missing(const arrow::Status& status) {
  return arrow::internal::ErrnoFromStatus(status) == ENOENT ||
         status.message().starts_with("No such file or directory");
}

/// Throws the error of a status, in the form of the plugin interface.
[[noreturn]] void fail(const arrow::Status& status) {
  if (is_missing(status)) throw StoreFailure("missing", "there is no such object");
  const std::string& text = status.message();
  const auto contains = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (contains("NO_SUCH_BUCKET") || contains("NoSuchBucket")) {
    throw StoreFailure("missing", "there is no such bucket");
  }
  if (contains("NO_SUCH_KEY") || contains("BlobNotFound")) {
    throw StoreFailure("missing", "there is no such object");
  }
  if (contains("Not a regular file")) {
    throw StoreFailure("missing", "expected an object, found a folder of that name");
  }
  if (status.IsNotImplemented()) throw StoreFailure("unsupported", text);
  if (contains("ACCESS_DENIED") || contains("INVALID_ACCESS_KEY_ID") ||
      contains("SIGNATURE_DOES_NOT_MATCH") || contains("InvalidAccessKeyId") ||
      contains("SignatureDoesNotMatch") || contains("HTTP status 403") ||
      contains("HTTP status 401") || contains("AuthorizationFailure") ||
      contains("AuthenticationFailed") || contains("PERMISSION_DENIED") ||
      contains("UNAUTHENTICATED")) {
    throw StoreFailure("io", "the store refuses access: " + text);
  }
  throw StoreFailure("io", text);
}

void check(const arrow::Status& status) {
  if (!status.ok()) fail(status);
}

template <typename T>
T take(arrow::Result<T> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

/// Has S3 finalised at exit, without which the process would abort there: before the static objects
/// are destroyed that making the first client has made.
class FinaliseS3 {
 public:
  ~FinaliseS3() {
    static const int registered = std::atexit([] { (void)fs::EnsureS3Finalized(); });
    (void)registered;
  }
};

std::shared_ptr<fs::FileSystem> make_s3(const Place& place, const StoreOptions& options,
                                        const arrow::io::IOContext& context) {
  const FinaliseS3 at_exit;
  check(fs::EnsureS3Initialized());
  fs::S3Options s3 = is_anonymous(options) ? fs::S3Options::Anonymous() : fs::S3Options::Defaults();
  s3.region = option_or_variable(options, "region", {"AWS_REGION", "AWS_DEFAULT_REGION"});
  const std::string endpoint = option_or_variable(
      options, "endpoint", {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"});
  if (!endpoint.empty()) {
    std::tie(s3.scheme, s3.endpoint_override) = split_endpoint(endpoint);
    if (s3.region.empty()) s3.region = "us-east-1";
  } else if (s3.region.empty()) {
    s3.region = take(fs::ResolveS3BucketRegion(place.bucket));
  }
  s3.connect_timeout = number_option(options, "connect-timeout", kConnectSeconds);
  s3.request_timeout = number_option(options, "timeout", kAnswerSeconds);
  s3.retry_strategy = fs::S3RetryStrategy::GetAwsStandardRetryStrategy(
      1 + static_cast<int64_t>(number_option(options, "retries", kRetries)));
  // What fits into one part goes in one request, and leaves no parts behind whatever happens.
  s3.allow_delayed_open = true;
  // What is removed leaves no empty object that stands for the folder of others.
  s3.check_directory_existence_before_creation = true;
  return take(fs::S3FileSystem::Make(s3, context));
}

std::shared_ptr<fs::FileSystem> make_gcs(const StoreOptions& options) {
  if (!is_anonymous(options)) require_google_credentials();
  fs::GcsOptions gcs =
      is_anonymous(options) ? fs::GcsOptions::Anonymous() : fs::GcsOptions::Defaults();
  const std::string endpoint = option_or_variable(options, "endpoint", {"STORAGE_EMULATOR_HOST"});
  if (!endpoint.empty()) std::tie(gcs.scheme, gcs.endpoint_override) = split_endpoint(endpoint);
  gcs.retry_limit_seconds = number_option(options, "timeout", kAnswerSeconds);
  return take(fs::GcsFileSystem::Make(gcs));
}

std::shared_ptr<fs::FileSystem> make_azure(const Place& place, const StoreOptions& options) {
  fs::AzureOptions azure;
  azure.account_name = place.account;
  if (azure.account_name.empty()) {
    azure.account_name = option_or_variable(
        options, "account", {"AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"});
  }
  if (azure.account_name.empty()) {
    throw StoreFailure("usage",
                       "expected the storage account in the URI, in AZURE_STORAGE_ACCOUNT or as "
                       "the option of stores account=NAME");
  }
  if (const std::string endpoint = option_or_variable(options, "endpoint", {}); !endpoint.empty()) {
    std::string host;
    std::tie(azure.blob_storage_scheme, host) = split_endpoint(endpoint);
    azure.dfs_storage_scheme = azure.blob_storage_scheme;
    azure.blob_storage_authority = azure.dfs_storage_authority = host;
  }
  const std::string key =
      option_or_variable({}, "", {"AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY"});
  const std::string token = option_or_variable({}, "", {"AZURE_STORAGE_SAS_TOKEN"});
  if (is_anonymous(options)) {
    check(azure.ConfigureAnonymousCredential());
  } else if (!key.empty()) {
    check(azure.ConfigureAccountKeyCredential(key));
  } else if (!token.empty()) {
    check(azure.ConfigureSASCredential(token));
  } else {
    check(azure.ConfigureDefaultCredential());
  }
  return take(fs::AzureFileSystem::Make(azure));
}

/// Returns the file system that a place is in; one for all places that are reached the same way.
std::shared_ptr<fs::FileSystem> file_system(const Place& place, const StoreOptions& options) {
  static std::mutex mutex;
  // Never destroyed: others may still be at work when static objects are.
  static auto& known = *new std::map<std::string, std::shared_ptr<fs::FileSystem>>;
  std::string key = place.scheme + "\n" + place.account;
  // The region may be that of the bucket.
  if (place.scheme == "s3") key += "\n" + place.bucket;
  for (const auto& [name, value] : options) key.append("\n").append(name).append("=").append(value);
  const std::lock_guard guard(mutex);
  std::shared_ptr<fs::FileSystem>& found = known[key];
  if (found == nullptr) {
    found = place.scheme == "s3"   ? make_s3(place, options, arrow::io::default_io_context())
            : place.scheme == "gs" ? make_gcs(options)
                                   : make_azure(place, options);
  }
  return found;
}

/// Lists a folder of S3, whose pages Arrow asks for by itself, also if they have no names. The file
/// system is one of its own, since stopping it stops all requests of it.
class StoppableListing {
 public:
  StoppableListing(const Place& place, const StoreOptions& options, const fs::FileSelector& below)
      : seconds_(number_option(options, "timeout", kAnswerSeconds) * kAnswersWithoutNames),
        system_(make_s3(place, options,
                        arrow::io::IOContext(arrow::default_memory_pool(), stop_.token()))),
        next_(system_->GetFileInfoGenerator(below)) {}
  ~StoppableListing() { stop_.RequestStop(); }
  StoppableListing(const StoppableListing&) = delete;
  StoppableListing& operator=(const StoppableListing&) = delete;

  arrow::Result<fs::FileInfoVector> next() {
    const auto page = next_();
    if (page.Wait(seconds_)) return page.result();
    throw StoreFailure("io", "the store has listed no name for " +
                                 std::to_string(static_cast<int64_t>(seconds_)) + " seconds (" +
                                 std::to_string(static_cast<int>(kAnswersWithoutNames)) +
                                 " times the storage option timeout)");
  }

 private:
  double seconds_;
  arrow::StopSource stop_;
  std::shared_ptr<fs::FileSystem> system_;
  fs::FileInfoGenerator next_;
};

std::string tag_of(const arrow::KeyValueMetadata* metadata) {
  if (metadata == nullptr) return "";
  for (const char* name : {"ETag", "etag", "Etag", "generation"}) {
    if (auto value = metadata->Get(name); value.ok()) return *value;
  }
  return "";
}

class ArrowObject final : public StoreObject {
 public:
  explicit ArrowObject(std::shared_ptr<arrow::io::RandomAccessFile> file)
      : file_(std::move(file)), size_(static_cast<uint64_t>(take(file_->GetSize()))) {
    const auto metadata = file_->ReadMetadata();
    if (metadata.ok()) tag_ = tag_of(metadata->get());
  }

  uint64_t size() const override { return size_; }
  const std::string& tag() const override { return tag_; }
  void read_at(uint64_t offset, uint64_t size, char* out) override {
    const int64_t got =
        take(file_->ReadAt(static_cast<int64_t>(offset), static_cast<int64_t>(size), out));
    if (static_cast<uint64_t>(got) == size) return;
    throw StoreFailure("changed", "expected " + std::to_string(size) + " bytes at " +
                                      std::to_string(offset) + ", found " + std::to_string(got));
  }

 private:
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  uint64_t size_;
  std::string tag_;
};

/// Writes to S3, whose multipart uploads appear when they are complete.
class S3Upload final : public StoreUpload {
 public:
  explicit S3Upload(std::shared_ptr<arrow::io::OutputStream> stream) : stream_(std::move(stream)) {}
  // A stream that is only destroyed would complete the object.
  ~S3Upload() override {
    if (!stream_->closed()) (void)stream_->Abort();
  }

  void write(const void* data, uint64_t size) override {
    check(stream_->Write(data, static_cast<int64_t>(size)));
    in_flight_ += size;
    if (in_flight_ < kInFlight) return;
    check(stream_->Flush());
    in_flight_ = 0;
  }
  void complete() override {
    // A stream that could not be closed can no more be abandoned.
    check(stream_->Flush());
    check(stream_->Close());
  }

 private:
  std::shared_ptr<arrow::io::OutputStream> stream_;
  uint64_t in_flight_ = 0;
};

/// The depth of Google's folders: more would overflow in Arrow, and find nothing.
constexpr int32_t kGoogleDepth = 1 << 20;
/// The longest object that S3 copies in one request.
constexpr uint64_t kMostCopied = uint64_t{5} << 30;
/// Bytes copied at a time if the store cannot copy on its own.
constexpr int64_t kCopied = int64_t{16} << 20;

/// Writes under a temporary name, for stores in which an unfinished object is visible or cannot be
/// abandoned, and for objects that must appear together. A copy within the store then creates the
/// final object atomically.
class CopiedUpload final : public StoreUpload {
 public:
  CopiedUpload(std::shared_ptr<fs::FileSystem> system, const std::string& path)
      : system_(std::move(system)), path_(path) {
    std::random_device random;
    char digits[17];
    std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
    const size_t slash = path.rfind('/') + 1;
    temporary_ = path.substr(0, slash) + "." + path.substr(slash) + ".xwalk-" + digits;
    stream_ = take(system_->OpenOutputStream(temporary_));
  }
  ~CopiedUpload() override {
    try {
      if (stream_ != nullptr && !stream_->closed()) (void)stream_->Close();
      (void)system_->DeleteFile(temporary_);
    } catch (const std::exception&) {
      return;  // without memory, the temporary name stays
    }
  }

  void write(const void* data, uint64_t size) override {
    check(stream_->Write(data, static_cast<int64_t>(size)));
    size_ += size;
  }
  void close() override {
    if (stream_ == nullptr) return;
    check(stream_->Close());
    stream_ = nullptr;
  }
  void complete() override {
    close();
    if (size_ <= kMostCopied) return check(system_->CopyFile(temporary_, path_));
    const auto from = take(system_->OpenInputStream(temporary_));
    const auto to = take(system_->OpenOutputStream(path_));
    while (const auto bytes = take(from->Read(kCopied))) {
      if (bytes->size() == 0) break;
      const arrow::Status written = to->Write(bytes);
      if (!written.ok()) (void)to->Abort();
      check(written);
    }
    check(to->Close());
  }

 private:
  std::shared_ptr<fs::FileSystem> system_;
  std::string path_;
  std::string temporary_;
  std::shared_ptr<arrow::io::OutputStream> stream_;
  uint64_t size_ = 0;
};

/// Reports a missing bucket, if that is the cause.
void check_bucket(fs::FileSystem& system, const Place& place) {
  const auto info = system.GetFileInfo(place.bucket);
  if (info.ok() && info->type() == fs::FileType::NotFound) {
    throw StoreFailure("missing", "there is no bucket " + place.bucket);
  }
}

class ArrowStore final : public Store {
 public:
  std::unique_ptr<StoreObject> open(const std::string& uri, const StoreOptions& options) override {
    const Place place = parse(uri);
    if (uri.ends_with('/')) {
      throw StoreFailure("io", "expected the name of an object, found that of a folder");
    }
    const auto system = file_system(place, options);
    auto file = system->OpenInputFile(place.path);
    if (!file.ok() && is_missing(file.status())) {
      check_bucket(*system, place);
    }
    return std::make_unique<ArrowObject>(take(std::move(file)));
  }

  XwalkStoreKind look(const std::string& uri, const StoreOptions& options) override {
    const Place place = parse(uri);
    const fs::FileInfo info = take(file_system(place, options)->GetFileInfo(place.path));
    switch (info.type()) {
      case fs::FileType::NotFound:
        return XWALK_STORE_NOTHING;
      case fs::FileType::Directory:
        return XWALK_STORE_FOLDER;
      case fs::FileType::File:
      case fs::FileType::Unknown:
        return XWALK_STORE_OBJECT;
    }
    return XWALK_STORE_OBJECT;
  }

  void list(const std::string& uri, const StoreOptions& options, bool deep,
            const Page& page) override {
    const Place place = parse(uri);
    const auto system = file_system(place, options);
    fs::FileSelector below;
    below.base_dir = place.path;
    // Google's listing of one folder leaves out folders that are only parts of names.
    const bool google = place.scheme == "gs";
    below.recursive = deep || google;
    if (google) below.max_recursion = kGoogleDepth;
    std::set<std::string> folders;
    // The file systems of Google and Azure return one page, with all names.
    std::optional<StoppableListing> stoppable;
    if (place.scheme == "s3") stoppable.emplace(place, options, below);
    const fs::FileInfoGenerator whole = stoppable ? nullptr : system->GetFileInfoGenerator(below);
    while (true) {
      auto listed = stoppable ? stoppable->next() : whole().result();
      if (!listed.ok() && is_missing(listed.status())) {
        check_bucket(*system, place);
        throw StoreFailure("missing", "there is no such folder");
      }
      const fs::FileInfoVector infos = take(std::move(listed));
      if (infos.empty()) return;
      std::vector<std::string> names;
      for (const fs::FileInfo& info : infos) {
        if (deep && info.IsDirectory()) continue;
        // Its name below the folder would be part of another name.
        if (!info.path().starts_with(place.path + "/")) {
          throw StoreFailure("io", "the store has listed an object outside the folder");
        }
        std::string name =
            info.path().substr(place.path.size() + 1) + (info.IsDirectory() ? "/" : "");
        const size_t slash = name.find('/');
        if (!deep && slash != std::string::npos) {
          // guard(allocate): A name is shortened.
          name.resize(slash + 1);
          if (!folders.insert(name).second) continue;
        }
        names.push_back(std::move(name));
      }
      page(names);
    }
  }

  std::unique_ptr<StoreUpload> create(const std::string& uri, const StoreOptions& options,
                                      bool staged) override {
    const Place place = parse(uri);
    auto system = file_system(place, options);
    // A stream to S3 would report it only when the first part is sent.
    check_bucket(*system, place);
    if (place.scheme != "s3" || staged) {
      return std::make_unique<CopiedUpload>(std::move(system), place.path);
    }
    return std::make_unique<S3Upload>(take(system->OpenOutputStream(place.path)));
  }

  void remove(const std::string& uri, const StoreOptions& options) override {
    const Place place = parse(uri);
    check(file_system(place, options)->DeleteFile(place.path));
  }
};

}  // namespace

Store& arrow_store() {
  static ArrowStore store;
  return store;
}

}  // namespace xwalk::plugin
