#include "xwalk/iceberg/compatibility.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/iceberg/text.h"

namespace xwalk::iceberg {
namespace {

using hub::Compatibility;

class Comparison {
 public:
  /// The version of the table format is 0 where nothing says it.
  explicit Comparison(int format_version) : format_version_(format_version) {}

  void fields(const std::vector<Field>& written, const std::vector<Field>& read, const Path& path) {
    for (const Field& field : read) {
      const Path below = path.empty() ? Path::column(field.name) : path.field(field.name);
      const auto old = std::ranges::find(written, field.id, &Field::id);
      if (old != written.end()) {
        pair(*old, field, below);
      } else {
        added(written, field, below);
      }
    }
  }

  std::vector<hub::CompatibilityResult> out;

 private:
  void find(Compatibility answer, const Path& path, std::string reason) {
    out.push_back({answer, path.text(), std::move(reason)});
  }

  /// A field that the written rows do not have.
  void added(const std::vector<Field>& written, const Field& field, const Path& path) {
    const auto namesake = std::ranges::find(written, field.name, &Field::name);
    if (namesake != written.end()) {
      find(Compatibility::Incompatible, path,
           fmt::format("has the id {} and was written with the id {}: readers find no values of it",
                       field.id, namesake->id));
    } else if (field.required && !field.initial_default) {
      find(Compatibility::Incompatible, path,
           "is new and required, without an initial default for the rows that lack it");
    }
  }

  void pair(const Field& from, const Field& to, const Path& path) {
    if (to.required && !from.required) {
      find(Compatibility::RequireValidation, path, "becomes required, and may hold nulls");
    }
    if (from.type.kind != to.type.kind || !is_nested(from.type.kind)) {
      return promoted(from.type, to.type, path);
    }
    if (from.type.kind == Kind::Struct) {
      return fields(from.type.children, to.type.children, path);
    }
    for (size_t i = 0; i < from.type.children.size(); ++i) {
      const bool is_map = from.type.kind == Kind::Map;
      const Path below = !is_map ? path.item() : i == 0 ? path.map_key() : path.map_value();
      child(from.type.children[i], to.type.children[i], below);
    }
  }

  /// The element of a list, the key or the value of a map.
  void child(const Field& from, const Field& to, const Path& path) {
    if (from.id != to.id) {
      find(Compatibility::Incompatible, path,
           fmt::format("has the id {} and was written with the id {}: readers find no values of it",
                       to.id, from.id));
      return;
    }
    pair(from, to, path);
  }

  void promoted(const Type& from, const Type& to, const Path& path) {
    const int since = promotes_since(from, to);
    // As a table is evolved: where nothing says what format it has, it may be the newest.
    if (since != 0 && (format_version_ == 0 || format_version_ >= since)) return;
    const std::string change = fmt::format("{} → {}", cut_utf8(print_type_text(from), 60),
                                           cut_utf8(print_type_text(to), 60));
    if (since == 0) {
      find(Compatibility::Incompatible, path,
           fmt::format("{} is not a promotion that Iceberg allows", change));
    } else {
      find(Compatibility::Incompatible, path,
           fmt::format("{} is a promotion of table format {} and later, and the table has format "
                       "{}",
                       change, since, format_version_));
    }
  }

  int format_version_;
};

}  // namespace

std::vector<hub::CompatibilityResult> incompatibilities(const Schema& written, const Schema& read) {
  Comparison comparison(read.format_version != 0 ? read.format_version : written.format_version);
  comparison.fields(written.fields, read.fields, Path());
  return std::move(comparison.out);
}

}  // namespace xwalk::iceberg
