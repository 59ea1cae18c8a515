#include "xwalk/io/bytes/location.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/byte_count.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/place_limit.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::io {
namespace {

struct KnownScheme {
  std::string_view word;
  LocationKind kind;
};
constexpr std::array kSchemes = {
    KnownScheme{"file", LocationKind::Local},      KnownScheme{"s3", LocationKind::S3},
    KnownScheme{"gs", LocationKind::Gcs},          KnownScheme{"abfss", LocationKind::Azure},
    KnownScheme{"abfs", LocationKind::Azure},      KnownScheme{"az", LocationKind::Azure},
    KnownScheme{"https", LocationKind::Http},      KnownScheme{"http", LocationKind::Http},
    KnownScheme{"iceberg", LocationKind::Catalog}, KnownScheme{"delta", LocationKind::Local},
};

constexpr std::string_view kMaxDownload = "max-download";
constexpr std::array<std::string_view, 8> kOptions = {"account",  "anonymous",  "connect-timeout",
                                                      "endpoint", kMaxDownload, "region",
                                                      "retries",  "timeout"};
constexpr std::array<std::string_view, 7> kSecretNames = {"secret", "password",   "token", "key",
                                                          "sas",    "credential", "sig"};

constexpr std::string_view kClusterScheme = "yt";

/// Returns the scheme of a URI, "" for a path.
std::string_view scheme_word(std::string_view name) {
  const size_t end = name.find("://");
  if (end == std::string_view::npos || end == 0) return "";
  const auto fits = [](char c) {
    return is_ascii_alpha(c) || is_ascii_digit(c) || c == '+' || c == '-' || c == '.';
  };
  const std::string_view word = name.substr(0, end);
  return is_ascii_alpha(word[0]) && std::ranges::all_of(word, fits) ? word : std::string_view();
}

/// Refuses `s3://KEY:SECRET@bucket/…`, which a list of processes would show.
void refuse_password(std::string_view name, std::string_view word) {
  std::string_view host = name.substr(word.size() + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  const size_t at = host.rfind('@');
  if (at == std::string_view::npos || host.find(':') >= at) return;
  throw Error(ErrorCode::Usage, fmt::format("the {} URI has a password in it", word), {},
              "Give secrets in the variables and profiles of the store, such as "
              "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for http, in ~/.netrc.");
}

/// Refuses `s3://` and `s3:///x`.
void need_host(std::string_view name, const KnownScheme& known) {
  if (known.kind == LocationKind::Local) return;
  const std::string_view rest = name.substr(known.word.size() + 3);
  if (!rest.substr(0, rest.find_first_of("/?#")).empty()) return;
  const std::string_view host = known.kind == LocationKind::Http      ? "a host"
                                : known.kind == LocationKind::Azure   ? "a container"
                                : known.kind == LocationKind::Catalog ? "a catalog"
                                                                      : "a bucket";
  throw Error(ErrorCode::Usage, fmt::format("{0}:// needs {1} name, as in {0}://{2}/path",
                                            known.word, host, host.substr(host.find(' ') + 1)));
}

}  // namespace

void add_storage_option(const std::string& key, const std::string& value, StorageOptions* out) {
  if (std::ranges::find(kOptions, key) == kOptions.end()) {
    std::string lower = key;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool secret = std::ranges::any_of(
        kSecretNames, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
    if (secret) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{} holds a secret, which is never given here", xwalk::quoted(key)),
                  {},
                  "Give it as the store's own programs take it: AWS_ACCESS_KEY_ID and "
                  "AWS_SECRET_ACCESS_KEY or AWS_PROFILE, GOOGLE_APPLICATION_CREDENTIALS, "
                  "AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN, ~/.netrc.");
    }
    const std::vector<std::string> names(kOptions.begin(), kOptions.end());
    throw Error(ErrorCode::Usage,
                fmt::format("expected an option of stores of {}, found {}", join(names, ", "),
                            xwalk::quoted(key)),
                {}, did_you_mean(key, names));
  }
  if (key != kMaxDownload) {
    (*out)[key] = value;
    return;
  }
  const std::optional<int64_t> bytes = parse_byte_count(value);
  if (!bytes) {
    throw Error(ErrorCode::Usage,
                fmt::format("{}: expected {}, found {}", key, kByteCount, xwalk::quoted(value)));
  }
  (*out)[key] = std::to_string(*bytes);
}

void add_storage_option(std::string_view text, StorageOptions* out) {
  const size_t equals = text.find('=');
  // Without a value, a key that is on or off is on.
  const std::string value =
      equals == std::string_view::npos ? "true" : std::string(text.substr(equals + 1));
  const std::string key(text.substr(0, equals));
  if (equals == std::string_view::npos && key != "anonymous") {
    add_storage_option(key, value, out);  // reports an invalid key first
    throw Error(ErrorCode::Usage, fmt::format("expected {}=VALUE, found no value", key));
  }
  add_storage_option(key, value, out);
}

bool is_uri(std::string_view name) { return yt::is_rich_path(name) || !scheme_word(name).empty(); }

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                        hex_digit(text[i + 2]) >= 0;
    out +=
        escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

namespace {

/// What the names of folders of Delta's tables may begin with.
constexpr std::string_view kDeltaScheme = "delta://";

/// Returns the path of a local name: that of a `file://` or `delta://` URI, any other as it is.
std::string local_path(const std::string& name) {
  if (name.starts_with(kDeltaScheme)) {
    std::string path = name.substr(kDeltaScheme.size());
    if (!path.empty() && scheme_word(path).empty()) return path;
    throw Error(ErrorCode::Usage, fmt::format("expected delta://PATH, a local folder, found {}",
                                              xwalk::quoted(name)));
  }
  constexpr std::string_view kFile = "file://";
  if (!name.starts_with(kFile)) return name;
  std::string_view path = std::string_view(name).substr(kFile.size());
  constexpr std::string_view kLocalhost = "localhost/";
  if (path.starts_with(kLocalhost)) path.remove_prefix(kLocalhost.size() - 1);
  if (!path.starts_with('/')) {
    throw Error(
        ErrorCode::Usage,
        fmt::format("expected file:///PATH, a path from the root, found {}", xwalk::quoted(name)));
  }
  return percent_decoded(path);
}

}  // namespace

Location::Location(std::string name) : name_(std::move(name)) {
  try {
    kind_ = kind_of(name_);
    if (kind_ == LocationKind::Local) {
      is_delta_ = name_.starts_with(kDeltaScheme);
      name_ = local_path(name_);
    }
  } catch (const Error&) {
    kind_ = std::nullopt;  // `kind` throws it again
  }
}

LocationKind Location::kind_of(std::string_view name) {
  if (name == "-") return LocationKind::Standard;
  if (yt::is_rich_path(name)) return LocationKind::Cluster;
  const std::string_view word = scheme_word(name);
  if (word.empty()) return LocationKind::Local;
  const auto known = std::ranges::find(kSchemes, word, &KnownScheme::word);
  if (known != kSchemes.end()) {
    refuse_password(name, word);
    need_host(name, *known);
    if (known->kind == LocationKind::Local) (void)local_path(std::string(name));
    return known->kind;
  }
  std::vector<std::string> names;
  for (const KnownScheme& scheme : kSchemes) names.push_back(fmt::format("{}://", scheme.word));
  names.push_back(fmt::format("{}://", kClusterScheme));
  throw Error(ErrorCode::Usage,
              fmt::format("expected a path or a URI that begins with {}, found {}://",
                          join(names, ", "), word),
              {}, "For a local file of that name, put ./ before it.");
}

Location Location::in(std::string_view name) const {
  std::string path = name_;
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return renamed(path.append(name));
}

Location Location::made_after(size_t given) const {
  Location out = *this;
  out.given_ = std::min(given_, given);
  return out;
}

std::string_view without_query(std::string_view name) {
  const bool http = name.starts_with("http://") || name.starts_with("https://");
  return http ? name.substr(0, name.find_first_of("?#")) : name;
}

std::string shown_name(std::string_view name) { return xwalk::shown_name(name); }

NameKind look_at(const Location& location, const StorageOptions& storage) {
  check_read(location);
  if (location.is_table()) return NameKind::Other;
  if (location.is_remote()) return look_at_object(location, storage);
  switch (std::filesystem::status(location.name()).type()) {
    case std::filesystem::file_type::none:
    case std::filesystem::file_type::not_found:
      return NameKind::Nothing;
    case std::filesystem::file_type::regular:
      return NameKind::File;
    case std::filesystem::file_type::directory:
      return NameKind::Folder;
    default:
      return NameKind::Other;
  }
}

}  // namespace xwalk::io
