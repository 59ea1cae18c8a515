#include "xwalk/parquet/validate.h"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/judgement.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/parquet/variant.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

/// What a node is to the group above it.
enum class Role : uint8_t {
  Field,       ///< a field of a struct, or a column
  Repeated,    ///< the repeated field of a LIST, which is also its element
  MapEntries,  ///< the repeated group of a MAP
  Part,        ///< the element of a three-level list, or a key or value
};

class Validator : hub::Judgement {
 public:
  hub::Findings run(const Schema& schema) {
    fields(schema.root(), Path());
    if (annotated_list_ && bare_repeated_) {
      note("list.mixed", *bare_repeated_,
           "a repeated field without annotation next to LIST or MAP annotations");
    }
    return std::move(findings_);
  }

 private:
  void fields(const Node& group, const Path& path) {
    std::unordered_set<std::string_view> names;
    for (const Node& child : group.children()) {
      Path below = path.empty() ? Path::column(child.name()) : path.field(child.name());
      if (!names.insert(child.name()).second) {
        note("name.duplicate", below,
             fmt::format("a second field {} in one group", quoted(child.name())));
      }
      node(child, below, Role::Field);
    }
  }

  void node(const Node& node, const Path& path, Role role) {
    if (node.name().empty()) note("name.invalid", path, "an empty name");
    if (!is_valid_utf8(node.name())) violation("name.invalid", path, "a name that is not UTF-8");
    if (node.id()) {
      auto [entry, fresh] = ids_.emplace(*node.id(), path.text());
      if (!fresh) {
        note("id.duplicate", path,
             fmt::format("field id {} is also that of {}", *node.id(), entry->second));
      }
    }
    if (auto problem = annotation_problem(node)) {
      violation(problem->rule, path, problem->message, problem->hint);
    } else {
      annotation(node, path);
    }
    if (!node.is_group()) {
      leaf(node, path, role);
      return;
    }
    if (node.children().empty()) {
      note("group.empty", path, "a group without fields has no column to store its values in");
    }
    if (is_list(node) || is_map(node)) {
      annotated_list_ = true;
      if (node.is(Repetition::Repeated) && role == Role::Field) {
        violation(is_list(node) ? "list.shape" : "map.shape", path,
                  fmt::format("expected a {} group to be required or optional, found repeated",
                              to_string(node.logical())));
      }
      if (is_list(node)) {
        list(node, path);
      } else {
        map(node, path, role);
      }
      return;
    }
    if (node.logical().is(LogicalType::Kind::Variant)) {
      if (const auto problem = variant_problem(node)) violation("variant.shape", path, *problem);
    }
    repeated(node, path, role);
    fields(node, path);
  }

  void repeated(const Node& node, const Path& path, Role role) {
    if (role == Role::Field && node.is(Repetition::Repeated) && !bare_repeated_) {
      bare_repeated_ = path;
    }
  }

  void leaf(const Node& node, const Path& path, Role role) {
    repeated(node, path, role);
    if (node.physical() == PhysicalType::FixedLenByteArray && node.length() < 1) {
      violation("annotation.parameters", path,
                fmt::format("expected a length of 1 or more, found {}", node.length()));
    }
    if (node.physical() == PhysicalType::Int96) {
      note("spec.beyond-text", path, "int96 is deprecated", "int64 (TIMESTAMP(NANOS,false))");
    }
  }

  void list(const Node& node, const Path& path) {
    ListShape shape = list_shape(node);
    if (shape.problem) {
      violation(shape.problem->rule, path, shape.problem->message, shape.problem->hint);
      for (const Node& child : node.children()) {
        this->node(child, path.field(child.name()), Role::Part);
      }
      return;
    }
    if (!shape.three_level()) {
      note("list.legacy", path, fmt::format("{}: {}", slug(shape.rule), explain(shape.rule)));
      this->node(*shape.element, path.item(), Role::Repeated);
      return;
    }
    if (shape.repeated->name() != "list" || shape.element->name() != "element") {
      note("list.legacy", path,
           fmt::format("expected the names list and element, found {} and {}",
                       quoted(shape.repeated->name()), quoted(shape.element->name())));
    }
    if (shape.repeated->logical()) {
      note("annotation.misplaced", path,
           fmt::format("{} on the repeated group of a LIST has no meaning",
                       to_string(shape.repeated->logical())));
    }
    this->node(*shape.element, path.item(), Role::Part);
  }

  void map(const Node& node, const Path& path, Role role) {
    MapShape shape = map_shape(node);
    if (shape.problem) {
      violation(shape.problem->rule, path, shape.problem->message, shape.problem->hint);
      for (const Node& child : node.children()) {
        this->node(child, path.field(child.name()), Role::Part);
      }
      return;
    }
    if (node.logical().is(Kind::MapKeyValue) && role != Role::MapEntries) {
      note("map.legacy", path, std::string(explain(Rule::MapKeyValueAsMap)));
    }
    if (shape.value == nullptr) {
      note("map.legacy", path, std::string(explain(Rule::MapWithoutValue)));
    } else if (shape.repeated->name() != "key_value" || shape.key->name() != "key" ||
               shape.value->name() != "value") {
      note("map.legacy", path, std::string(explain(Rule::MapByPosition)));
    }
    const LogicalType& inner = shape.repeated->logical();
    if (inner && !inner.is(Kind::MapKeyValue)) {
      note("annotation.misplaced", path,
           fmt::format("{} on the repeated group of a MAP has no meaning", to_string(inner)));
    }
    if (!shape.key->is(Repetition::Required)) {
      violation("map.key-optional", path.map_key(),
                "expected the key of a MAP to be required, found it optional");
    }
    this->node(*shape.key, path.map_key(), Role::Part);
    if (shape.value != nullptr) this->node(*shape.value, path.map_value(), Role::Part);
  }

  /// Adds remarks about a valid annotation.
  void annotation(const Node& node, const Path& path) {
    const LogicalType& type = node.logical();
    contradiction(node, path);
    auto beyond = [&](std::string_view what) {
      note("spec.beyond-text", path,
           fmt::format("the text of the specification does not mention {}", what));
    };
    if (logical_row(type.kind()).beyond_text) beyond(to_string(type));
    if (type.is(Kind::Decimal)) {
      if (node.physical() == PhysicalType::Int64 && type.precision() < 10) {
        note("decimal.precision", path,
             fmt::format("int64 for a precision of {}, which int32 holds", type.precision()));
      }
      if (type.scale() == type.precision()) beyond("a scale equal to the precision");
      if (node.annotation().converted && !node.annotation().scale) {
        note("decimal.scale", path,
             "expected the schema element to have a scale, found none: it is 0");
      }
    } else if (logical_row(type.kind()).parameters == Parameters::Time) {
      if (type.unit() == TimeUnit::Nanos) beyond("the unit NANOS");
      if (!type.utc()) beyond("a local time");
      if (node.physical() == PhysicalType::FixedLenByteArray) {
        beyond("TIMESTAMP of 12 bytes");
        if (node.annotation().converted) {
          violation("annotation.misplaced", path,
                    "expected ConvertedType TIMESTAMP on int64 only, found it on 12 bytes");
        }
      }
    } else if (type.is(Kind::Unknown)) {
      if (node.is(Repetition::Required)) {
        note("annotation.parameters", path, "a required column of UNKNOWN can have no rows");
      }
    } else if (type.is(Kind::Future)) {
      note("annotation.unknown", path,
           fmt::format("annotation {} is newer than this version of xwalk", type.future_id()));
    } else if (type.is(Kind::None) && node.annotation().converted) {
      note("annotation.unknown", path,
           fmt::format("ConvertedType {} is unknown", *node.annotation().converted));
    }
  }

  static std::string converted_text(const Annotation& written) {
    const std::optional<ConvertedType> type = converted_type(*written.converted);
    if (!type) return std::to_string(*written.converted);
    if (type != ConvertedType::Decimal) return std::string(to_string(*type));
    return to_string(from_converted(*type, written.precision, written.scale));
  }

  void contradiction(const Node& node, const Path& path) {
    const Annotation& written = node.annotation();
    if (!written.logical || written.logical->is(Kind::Future) || !written.converted) return;
    auto expected = to_converted(*written.logical);
    bool same = expected && static_cast<int32_t>(*expected) == *written.converted;
    if (same && written.logical->is(Kind::Decimal)) {
      same = written.precision.value_or(written.logical->precision()) ==
                 written.logical->precision() &&
             written.scale.value_or(0) == written.logical->scale();
    }
    if (same) return;
    if (is_next_to_unknown(node)) {
      note("annotation.contradiction", path,
           fmt::format("{} has no LogicalType, next to UNKNOWN, as parquet-java writes it",
                       to_string(node.logical())));
      return;
    }
    note("annotation.contradiction", path,
         fmt::format("LogicalType says {}, ConvertedType says {}", to_string(*written.logical),
                     converted_text(written)));
  }

  std::unordered_map<int32_t, std::string> ids_;
  bool annotated_list_ = false;
  std::optional<Path> bare_repeated_;
};

}  // namespace

hub::Findings validate(const Schema& schema) { return Validator().run(schema); }

}  // namespace xwalk::parquet
