#include "xwalk/plugin/store.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "xwalk/plugin/arrow_store.h"
#include "xwalk/plugin/http_store.h"
#include "xwalk/version.h"

namespace xwalk::plugin {

std::string option_or_variable(const StoreOptions& options, const char* name,
                               std::initializer_list<const char*> variables) {
  if (const auto given = options.find(name); given != options.end()) return given->second;
  for (const char* variable : variables) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

double number_option(const StoreOptions& options, const char* name, double otherwise) {
  const auto given = options.find(name);
  if (given == options.end()) return otherwise;
  double number = 0;
  const char* const end = given->second.data() + given->second.size();
  const auto [stop, failed] = std::from_chars(given->second.data(), end, number);
  if (failed != std::errc() || stop != end || !(number >= 0)) {
    throw StoreFailure("usage",
                       std::string("expected a number for ") + name + ", found " + given->second);
  }
  return number;
}

bool is_anonymous(const StoreOptions& options) {
  const auto given = options.find("anonymous");
  return given != options.end() && given->second != "false";
}

namespace {

/// Variables whose values must never appear in messages.
constexpr const char* kSecrets[] = {
    "AWS_SECRET_ACCESS_KEY",     "AWS_SESSION_TOKEN",   "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_KEY",         "AZURE_CLIENT_SECRET", "AZURE_STORAGE_SAS_TOKEN",
    "GOOGLE_OAUTH_ACCESS_TOKEN",
};
/// Parts of a query that hold credentials.
constexpr std::string_view kSignatures[] = {"sig=", "Signature=", "Credential=", "Security-Token="};

/// Returns the first line of a store's message, without secrets.
std::string scrubbed(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  const auto blot = [&](size_t at, size_t size) { text.replace(at, size, "…"); };
  for (const char* name : kSecrets) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view secret = value;
    for (size_t at = 0; (at = text.find(secret, at)) != std::string::npos;) blot(at, secret.size());
  }
  for (const std::string_view word : kSignatures) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
      at += word.size();
      const size_t end = text.find_first_of("&\"' \n)>", at);
      blot(at, (end == std::string::npos ? text.size() : end) - at);
    }
  }
  return text;
}

int fail(const XwalkEngineHost& host, const char* code, const char* message) {
  host.fail(host.context, code, scrubbed(message).c_str());
  return EIO;
}

/// Tells the host of the exception that is being handled.
int caught(const XwalkEngineHost& host) noexcept {
  try {
    try {
      throw;
    } catch (const StoreFailure& failure) {
      return fail(host, failure.code(), failure.what());
    } catch (const std::bad_alloc&) {
      return fail(host, "io", "out of memory");
    } catch (const std::exception& error) {
      // Libraries of stores throw what they please about an answer that they do not expect.
      const std::string message = std::string("the store's answer cannot be read: ") + error.what();
      return fail(host, "io", message.c_str());
    } catch (...) {
      return fail(host, "internal", "an exception of unknown type");
    }
  } catch (...) {
    // There was no memory even for the error message.
    host.fail(host.context, "io", "out of memory");
    return ENOMEM;
  }
}

/// Runs a step; what it throws is told to the host, and nothing passes through.
template <typename Step>
int guard(const XwalkEngineHost& host, const Step& step) noexcept {
  try {
    step();
    return 0;
  } catch (...) {
    return caught(host);
  }
}

Store& store_of(std::string_view uri) {
  const bool http = uri.starts_with("http://") || uri.starts_with("https://");
  return http ? http_store() : arrow_store();
}

StoreOptions copy_options(const XwalkStoreOptions& given) {
  StoreOptions options;
  for (uint64_t i = 0; i < given.count; ++i) options[given.data[i].name] = given.data[i].value;
  return options;
}

int open(const char* uri, const XwalkStoreOptions* options, const XwalkEngineHost* host,
         XwalkStoreObject* out) {
  return guard(*host, [&] {
    std::unique_ptr<StoreObject> object = store_of(uri).open(uri, copy_options(*options));
    *out = {};
    out->size = object->size();
    out->tag = object->tag().c_str();
    if (!object->head().empty()) out->head = object->head().data();
    out->head_size = object->head().size();
    out->fetched_whole = object->fetched_whole() ? 1 : 0;
    out->private_data = object.release();
    out->read_at = [](XwalkStoreObject* self, const XwalkEngineHost* asking, uint64_t offset,
                      uint64_t size, void* to) {
      return guard(*asking, [&] {
        static_cast<StoreObject*>(self->private_data)
            ->read_at(offset, size, static_cast<char*>(to));
      });
    };
    out->release = [](XwalkStoreObject* self) {
      delete static_cast<StoreObject*>(self->private_data);
      *self = {};
    };
  });
}

int look(const char* uri, const XwalkStoreOptions* options, const XwalkEngineHost* host,
         XwalkStoreKind* out) {
  return guard(*host, [&] { *out = store_of(uri).look(uri, copy_options(*options)); });
}

int list(const char* uri, const XwalkStoreOptions* options, int deep, const XwalkEngineHost* host,
         const XwalkStoreNames* names) {
  return guard(*host, [&] {
    const auto give = [&](const std::vector<std::string>& page) {
      std::vector<const char*> texts;
      for (const std::string& name : page) texts.push_back(name.c_str());
      if (names->take(names->context, texts.data(), texts.size()) != 0) {
        throw StoreFailure("io", "the caller did not take the names");
      }
    };
    store_of(uri).list(uri, copy_options(*options), deep != 0, give);
  });
}

int create(const char* uri, const XwalkStoreOptions* options, int staged,
           const XwalkEngineHost* host, XwalkStoreUpload* out) {
  return guard(*host, [&] {
    std::unique_ptr<StoreUpload> upload =
        store_of(uri).create(uri, copy_options(*options), staged != 0);
    *out = {};
    out->private_data = upload.release();
    out->write = [](XwalkStoreUpload* self, const XwalkEngineHost* asking, const void* data,
                    uint64_t size) {
      return guard(*asking,
                   [&] { static_cast<StoreUpload*>(self->private_data)->write(data, size); });
    };
    out->close = [](XwalkStoreUpload* self, const XwalkEngineHost* asking) {
      return guard(*asking, [&] { static_cast<StoreUpload*>(self->private_data)->close(); });
    };
    out->complete = [](XwalkStoreUpload* self, const XwalkEngineHost* asking) {
      return guard(*asking, [&] { static_cast<StoreUpload*>(self->private_data)->complete(); });
    };
    out->release = [](XwalkStoreUpload* self) {
      delete static_cast<StoreUpload*>(self->private_data);
      *self = {};
    };
  });
}

int remove(const char* uri, const XwalkStoreOptions* options, const XwalkEngineHost* host) {
  return guard(*host, [&] { store_of(uri).remove(uri, copy_options(*options)); });
}

}  // namespace
}  // namespace xwalk::plugin

extern "C" __attribute__((visibility("default"))) const XwalkStore* xwalk_store_v1() {
  static const XwalkStore store = {
      XWALK_STORE_VERSION, "xwalk-stores " XWALK_VERSION, xwalk::plugin::open,  xwalk::plugin::look,
      xwalk::plugin::list, xwalk::plugin::create,         xwalk::plugin::remove};
  return &store;
}
