#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "xwalk/io/plugins/store_abi.h"

namespace xwalk::plugin {

/// What a store refuses, with a code of store_abi.h.
class StoreFailure : public std::runtime_error {
 public:
  StoreFailure(const char* code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  const char* code() const { return code_; }

 private:
  const char* code_;
};

/// Options of `--storage` by their names.
using StoreOptions = std::map<std::string, std::string>;

/// Returns an option, or the first of the environment's variables that is set, or "".
std::string option_or_variable(const StoreOptions& options, const char* name,
                               std::initializer_list<const char*> variables);

/// Returns true if the store is asked without credentials.
bool is_anonymous(const StoreOptions& options);

/// Returns a number of seconds or of attempts. Throws StoreFailure (usage).
double number_option(const StoreOptions& options, const char* name, double otherwise);

/// An object for XwalkStoreObject. Functions throw StoreFailure, or anything.
class StoreObject {
 public:
  virtual ~StoreObject() = default;
  virtual uint64_t size() const = 0;
  virtual const std::string& tag() const = 0;
  virtual std::string_view head() const { return {}; }
  virtual bool fetched_whole() const { return false; }
  virtual void read_at(uint64_t offset, uint64_t size, char* out) = 0;
};

/// An unfinished object. Destroyed before `complete`, it leaves nothing.
class StoreUpload {
 public:
  virtual ~StoreUpload() = default;
  virtual void write(const void* data, uint64_t size) = 0;
  virtual void close() {}
  virtual void complete() = 0;
};

/// Objects of the URIs of one scheme.
class Store {
 public:
  virtual ~Store() = default;
  virtual std::unique_ptr<StoreObject> open(const std::string& uri,
                                            const StoreOptions& options) = 0;
  virtual XwalkStoreKind look(const std::string& uri, const StoreOptions& options) = 0;
  using Page = std::function<void(const std::vector<std::string>& names)>;
  virtual void list(const std::string& uri, const StoreOptions& options, bool deep,
                    const Page& page) = 0;
  virtual std::unique_ptr<StoreUpload> create(const std::string& uri, const StoreOptions& options,
                                              bool staged) = 0;
  virtual void remove(const std::string& uri, const StoreOptions& options) = 0;
};

}  // namespace xwalk::plugin
