#include "xwalk/delta/validate.h"

#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/judgement.h"
#include "xwalk/hub/letter_case.h"

namespace xwalk::delta {
namespace {

class Validator : hub::Judgement {
 public:
  hub::Findings run(const Schema& schema) {
    fields(schema.fields, Path());
    return std::move(findings_);
  }

 private:
  void fields(const std::vector<Field>& list, const Path& path) {
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::string> folded;
    for (const Field& field : list) {
      const Path below = path.empty() ? Path::column(field.name) : path.field(field.name);
      const bool is_new = !names.contains(field.name);
      judge_name(field.name, below, &names);
      if (!folded.insert(hub::in_lower_case(field.name, hub::Letters::All)).second && is_new) {
        violation("name.duplicate", below, "a second field whose name differs only in case");
      }
      visit(field, below);
    }
  }

  void visit(const Field& field, const Path& path) {
    const Type& type = field.type;
    const KindRow& row = kind_row(type.kind);
    if (!row.feature.empty()) {
      note("spec.version", path,
           fmt::format("{} needs the table feature {}", row.name, row.feature));
    }
    if (type.kind == Kind::Void && !field.nullable) {
      violation("spec.broken", path, "a void, all of whose values are null, that is not nullable");
    }
    if (type.kind == Kind::Struct) fields(type.children, path);
    if (type.kind == Kind::Array) visit(type.children[0], path.item());
    if (type.kind == Kind::Map) {
      visit(type.children[0], path.map_key());
      visit(type.children[1], path.map_value());
    }
  }
};

}  // namespace

hub::Findings validate(const Schema& schema) { return Validator().run(schema); }

}  // namespace xwalk::delta
