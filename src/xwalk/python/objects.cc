#include "xwalk/python/objects.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

std::string kind_of(const std::string& name, const io::StorageOptions& storage) {
  switch (io::look_at(name, storage)) {
    case io::NameKind::Nothing:
      return "nothing";
    case io::NameKind::File:
      return "file";
    case io::NameKind::Folder:
      return "folder";
    case io::NameKind::Other:
      return "other";
  }
  return "other";
}

/// Returns the size of an object, and the tag that identifies its contents.
std::pair<uint64_t, std::string> stamp_of(const std::string& uri,
                                          const io::StorageOptions& storage) {
  const io::StoreObject object(uri, storage);
  return {object.size(), std::string(object.tag())};
}

io::StorageOptions storage_options(const io::StorageOptions& given) {
  io::StorageOptions storage;
  for (const auto& [key, value] : given) io::add_storage_option(key, value, &storage);
  return storage;
}

}  // namespace

void bind_objects(nb::module_& module) {
  module.def(
      "is_remote", [](const std::string& name) { return io::Location(name).is_remote(); },
      nb::arg("name"));
  module.def("check_storage_options", storage_options, nb::arg("options"));
  module.def("kind_of", kind_of, nb::arg("name"), nb::arg("storage_options"), Unlocked());
  module.def("object_stamp", stamp_of, nb::arg("uri"), nb::arg("storage_options"), Unlocked());
  module.def(
      "list_objects",
      [](const std::string& uri, const io::StorageOptions& storage) {
        return io::list_objects(uri, storage);
      },
      nb::arg("uri"), nb::arg("storage_options"), Unlocked());
  module.def(
      "put_object",
      [](const std::string& uri, const nb::bytes& bytes, const io::StorageOptions& storage) {
        const std::string_view data(bytes.c_str(), bytes.size());
        const nb::gil_scoped_release unlocked;
        io::StoreUpload object(uri, storage, /*replaces=*/true);
        object.write(data);
        object.complete();
      },
      nb::arg("uri"), nb::arg("data"), nb::arg("storage_options"));
  module.def("remove_object", io::remove_object, nb::arg("uri"), nb::arg("storage_options"),
             Unlocked());
}

}  // namespace xwalk::python
