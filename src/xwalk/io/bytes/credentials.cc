#include "xwalk/io/bytes/credentials.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/fork.h"
#include "xwalk/base/text.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

constexpr std::string_view kAzureHost = ".blob.core.windows.net";

bool has(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

struct Limit {
  Limit() { free_in_forks(&mutex); }
  std::mutex mutex;
  /// Nothing without a limit.
  std::optional<std::vector<std::string>> hosts;
  std::set<std::string> refused;
};

Limit& limit() {
  static auto* const instance = new Limit;
  return *instance;
}

/// A host and its port; a port of "" stands for each.
struct Authority {
  std::string host;
  std::string port;

  bool covers(const Authority& other) const {
    return host == other.host && (port.empty() || port == other.port);
  }
};

/// Returns the authority of a URL or of HOST[:PORT]. A text with characters that readers of URLs
/// disagree about is kept whole, so that it equals no host.
Authority authority_of(std::string_view text) {
  std::string port;
  if (const size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    port = text.starts_with("https:") ? "443" : "80";
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find_first_of("/?#"));
  std::string host(text);
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool plain = std::ranges::all_of(
      host, [](char c) { return is_ascii_alpha(c) || is_ascii_digit(c) || has("-._:[]", c); });
  if (!plain) return {std::move(host), std::move(port)};
  const size_t colon = host.rfind(':');
  if (colon != std::string::npos && host.find(']', colon) == std::string::npos) {
    port = host.substr(colon + 1);
    // guard(allocate): A name is shortened.
    host.resize(colon);
  }
  return {std::move(host), std::move(port)};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns the hosts that the environment names for a scheme.
std::vector<std::string> hosts_of_environment(LocationKind scheme) {
  std::vector<std::string> out;
  const auto add = [&](std::initializer_list<const char*> names, std::string_view end = "") {
    for (const char* name : names) {
      if (const std::string value = variable(name); !value.empty()) {
        out.push_back(fmt::format("{}{}", value, end));
      }
    }
  };
  switch (scheme) {
    case LocationKind::S3:
      add({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"});
      break;
    case LocationKind::Gcs:
      add({"STORAGE_EMULATOR_HOST"});
      break;
    case LocationKind::Azure:
      add({"AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"}, kAzureHost);
      break;
    case LocationKind::Cluster:
      add({"YT_PROXY"});
      break;
    case LocationKind::Http:
    case LocationKind::Local:
    case LocationKind::Standard:
    case LocationKind::Catalog:
      break;
  }
  return out;
}

std::string option(const StorageOptions& storage, const char* name) {
  const auto given = storage.find(name);
  return given == storage.end() ? "" : given->second;
}

/// Returns the bucket or container of a store's URI, with an account after it.
std::string_view bucket_of(std::string_view uri) {
  const std::string_view rest = uri.substr(uri.find("://") + 3);
  return rest.substr(0, rest.find('/'));
}

/// Refuses names from which a library of a store would make another host than the store's.
void check_names(std::string_view uri, LocationKind scheme, const StorageOptions& storage) {
  const auto check = [](std::string_view what, std::string_view name, std::string_view others) {
    const auto fits = [&](char c) {
      return is_ascii_alpha(c) || is_ascii_digit(c) || has(others, c);
    };
    if (std::ranges::all_of(name, fits)) return;
    throw Error(ErrorCode::Usage, fmt::format("expected {} of letters, digits and {}, found {}",
                                              what, others, xwalk::quoted(name)));
  };
  std::string_view bucket = bucket_of(uri);
  if (scheme == LocationKind::Azure && has(bucket, '@')) {
    check("a storage account", bucket.substr(bucket.find('@') + 1), "-._");
    bucket = bucket.substr(0, bucket.find('@'));
  }
  check("a bucket", bucket, "-._:$");
  check("a region", option(storage, "region"), "-");
  check("a storage account", option(storage, "account"), "-");
}

}  // namespace

void limit_credentials(std::vector<std::string> hosts) {
  const std::lock_guard guard(limit().mutex);
  limit().hosts = std::move(hosts);
}

std::string named_host(const Location& uri, const StorageOptions& storage) {
  const LocationKind scheme = uri.kind();
  switch (scheme) {
    case LocationKind::Local:
    case LocationKind::Standard:
    case LocationKind::Catalog:
      return "";
    case LocationKind::Cluster:
      return yt::parse_rich_path(uri).cluster;
    case LocationKind::Http: {
      const std::string& name = uri.name();
      return name.substr(0, name.find_first_of("/?#", name.find("://") + 3));
    }
    case LocationKind::S3:
    case LocationKind::Gcs:
    case LocationKind::Azure:
      break;
  }
  if (std::string endpoint = option(storage, "endpoint"); !endpoint.empty()) {
    return endpoint.find("://") != std::string::npos ? endpoint : "https://" + endpoint;
  }
  if (scheme != LocationKind::Azure) return "";
  const std::string_view bucket = bucket_of(uri);
  const size_t at = bucket.find('@');
  std::string account(at == std::string_view::npos ? "" : bucket.substr(at + 1));
  account.resize(std::min(account.find('.'), account.size()));
  if (account.empty()) account = option(storage, "account");
  return account.empty() ? "" : fmt::format("{}{}", account, kAzureHost);
}

bool may_get_credentials(LocationKind scheme, const std::string& host) {
  Limit& now = limit();
  const std::lock_guard guard(now.mutex);
  if (!now.hosts || host.empty()) return true;
  const Authority wanted = authority_of(host);
  const auto covers = [&](const std::string& known) { return authority_of(known).covers(wanted); };
  if (std::ranges::any_of(*now.hosts, covers)) return true;
  if (std::ranges::any_of(hosts_of_environment(scheme), covers)) return true;
  now.refused.insert(wanted.port.empty() ? wanted.host : wanted.host + ":" + wanted.port);
  return false;
}

StorageOptions reached_with(const Location& uri, StorageOptions storage) {
  check_read(uri);
  const LocationKind scheme = uri.kind();
  if (scheme == LocationKind::S3 || scheme == LocationKind::Gcs || scheme == LocationKind::Azure) {
    check_names(uri, scheme, storage);
  }
  // guard(connect): a host that only a project file names gets no credentials.
  if (!may_get_credentials(scheme, named_host(uri, storage))) storage["anonymous"] = "true";
  return storage;
}

std::vector<std::string> hosts_without_credentials() {
  const std::lock_guard guard(limit().mutex);
  return {limit().refused.begin(), limit().refused.end()};
}

}  // namespace xwalk::io
