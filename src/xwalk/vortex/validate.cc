#include "xwalk/vortex/validate.h"

#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/judgement.h"
#include "xwalk/vortex/extension.h"

namespace xwalk::vortex {
namespace {

class Validator : hub::Judgement {
 public:
  void visit(const DType& type, const Path& path) {
    switch (type.kind()) {
      case Kind::Struct:
        names(type, path);
        for (const Member& member : type.members()) visit(member.type, path.field(member.name));
        return;
      case Kind::Union:
        beyond(path, "union");
        names(type, path);
        for (const Member& member : type.members()) {
          visit(member.type, path.alternative(member.name));
        }
        return;
      case Kind::Map:
        beyond(path, "map");
        visit(type.key(), path.map_key());
        visit(type.value(), path.map_value());
        return;
      case Kind::List:
      case Kind::FixedSizeList:
        visit(type.element(), path.item());
        return;
      case Kind::Extension:
        extension(type, path);
        visit(type.storage(), path);
        return;
      case Kind::Null:
      case Kind::Bool:
      case Kind::Primitive:
      case Kind::Decimal:
      case Kind::Utf8:
      case Kind::Binary:
      case Kind::Variant:
        return;
    }
  }

  hub::Findings take() { return std::move(findings_); }

 private:
  void beyond(const Path& path, std::string_view kind) {
    note("spec.beyond-text", path, fmt::format("the type {}, which the text does not have", kind));
  }

  void names(const DType& type, const Path& path) {
    std::unordered_set<std::string_view> met;
    for (const Member& member : type.members()) {
      const Path below = path.field(member.name);
      if (!is_valid_utf8(member.name)) violation("name.invalid", below, "a name that is not UTF-8");
      if (!met.insert(member.name).second) {
        note("name.duplicate", below, "a second field of this name: no file is written with it");
      }
    }
  }

  void extension(const DType& type, const Path& path) {
    if (is_known_extension(type.id())) return;
    note("extension.unknown", path,
         fmt::format("the extension {}: a reader without it refuses the schema",
                     clipped(type.id())));
  }
};

}  // namespace

hub::Findings validate(const DType& type) {
  Validator validator;
  validator.visit(type, Path());
  return validator.take();
}

}  // namespace xwalk::vortex
