#pragma once

#include "xwalk/io/plugins/engine_abi.h"

// The contract between xwalk and the plugin that reaches object stores: a shared library loaded on
// first use, which exports `xwalk_store_v1`. As with engines, plain C, and failures go to the host
// that a function is given; besides the codes of XwalkEngineHost there are "missing", for what is
// not there, and "changed", for an object that was replaced.

#ifdef __cplusplus
extern "C" {
#endif

#define XWALK_STORE_VERSION 3

/// An object, open for reading. Its bytes are those it had when it was opened, as far as the store
/// can tell.
struct XwalkStoreObject {
  uint64_t size;
  /// Identifies the contents among others under the same name; "" if the store has no tag.
  const char* tag;
  /// The first bytes, if opening has fetched some; otherwise null.
  const void* head;
  uint64_t head_size;
  /// Whether all bytes had to be fetched when it was opened, since the server gives no ranges.
  int fetched_whole;
  /// Fills `size` bytes from `offset` on, which must exist. Returns 0, else an errno after `fail`.
  /// Any number of threads at once, each with its own host.
  int (*read_at)(struct XwalkStoreObject* self, const struct XwalkEngineHost* host, uint64_t offset,
                 uint64_t size, void* out);
  void (*release)(struct XwalkStoreObject* self);
  void* private_data;
};

/// An unfinished object. It does not exist before `complete`, and `release` without that leaves
/// nothing. One of many is staged: it waits under a hidden name, `.NAME.xwalk-DIGITS` next to its
/// own, so that nothing of it is in memory between `close` and `complete`.
struct XwalkStoreUpload {
  /// Takes bytes in order, which are sent in the background.
  int (*write)(struct XwalkStoreUpload* self, const struct XwalkEngineHost* host, const void* data,
               uint64_t size);
  /// Ends the bytes; of one that is not staged, nothing. `complete` does it, too.
  int (*close)(struct XwalkStoreUpload* self, const struct XwalkEngineHost* host);
  int (*complete)(struct XwalkStoreUpload* self, const struct XwalkEngineHost* host);
  void (*release)(struct XwalkStoreUpload* self);
  void* private_data;
};

/// The kind of object under a name.
enum XwalkStoreKind { XWALK_STORE_NOTHING = 0, XWALK_STORE_OBJECT = 1, XWALK_STORE_FOLDER = 2 };

/// One option of `--storage`; texts are ended by a zero byte.
struct XwalkStoreOption {
  const char* name;
  const char* value;
};

/// Options of `--storage`. They are the caller's, and valid until the function returns.
struct XwalkStoreOptions {
  const struct XwalkStoreOption* data;
  uint64_t count;
};

/// Receives names of objects, ended by zero bytes, which are valid until it returns.
struct XwalkStoreNames {
  void* context;
  /// Returns 0, or an errno that ends the listing.
  int (*take)(void* context, const char* const* names, uint64_t count);
};

/// Functions return 0, or an errno after `fail`.
struct XwalkStore {
  /// XWALK_STORE_VERSION it was built for; the host refuses another.
  int version;
  const char* description;
  int (*open)(const char* uri, const struct XwalkStoreOptions* options,
              const struct XwalkEngineHost* host, struct XwalkStoreObject* out);
  int (*look)(const char* uri, const struct XwalkStoreOptions* options,
              const struct XwalkEngineHost* host, enum XwalkStoreKind* out);
  /// Gives the names in a folder page by page, those of folders with a slash at the end; with
  /// `deep`, those of all objects below by their paths.
  int (*list)(const char* uri, const struct XwalkStoreOptions* options, int deep,
              const struct XwalkEngineHost* host, const struct XwalkStoreNames* names);
  /// Begins an object, which replaces an existing one.
  int (*create)(const char* uri, const struct XwalkStoreOptions* options, int staged,
                const struct XwalkEngineHost* host, struct XwalkStoreUpload* out);
  int (*remove)(const char* uri, const struct XwalkStoreOptions* options,
                const struct XwalkEngineHost* host);
};

/// The one symbol the plugin exports.
typedef const struct XwalkStore* (*XwalkStoreEntry)(void);

#ifdef __cplusplus
}
#endif
