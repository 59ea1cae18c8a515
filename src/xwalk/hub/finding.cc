#include "xwalk/hub/finding.h"

namespace xwalk::hub {

Verdict verdict_of(Values values, TypeKept type, bool label_lost) {
  if (values == Values::None) return Verdict::Unsupported;
  if (values == Values::Altered) return Verdict::Lossy;
  if (values == Values::Checked) return Verdict::Checked;
  if (type == TypeKept::Changed || label_lost) return Verdict::Widened;
  if (type == TypeKept::Noted) return Verdict::Annotated;
  return Verdict::Exact;
}

std::string_view to_string(Values values) {
  switch (values) {
    case Values::Kept:
      return "kept";
    case Values::Checked:
      return "checked";
    case Values::Altered:
      return "altered";
    case Values::None:
      return "none";
  }
  return "";
}

std::string_view to_string(TypeKept type) {
  switch (type) {
    case TypeKept::Self:
      return "self";
    case TypeKept::Noted:
      return "noted";
    case TypeKept::Changed:
      return "changed";
  }
  return "";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Exact:
      return "exact";
    case Verdict::Annotated:
      return "annotated";
    case Verdict::Widened:
      return "widened";
    case Verdict::Checked:
      return "checked";
    case Verdict::Lossy:
      return "lossy";
    case Verdict::Unsupported:
      return "unsupported";
  }
  return "";
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {"annotation.contradiction",
       "The two forms of an annotation say different things; the newer wins."},
      {"annotation.misplaced",
       "An annotation stands on a type that the format does not allow for it."},
      {"annotation.parameters", "An annotation's parameters are not ones that the format allows."},
      {"annotation.stale", "An xwalk annotation no longer describes its column and is ignored."},
      {"annotation.unknown", "An annotation is newer than this version and ignored."},
      {"any.as-bytes",
       "Values of any type stay binary YSON, which the target's readers see as bytes."},
      {"any.as-json",
       "Values of any type become JSON text; what JSON has no place for is refused."},
      {"children.count", "A type has other children than it takes."},
      {"decimal.more-bytes", "Numbers of a binary decimal stand in more bytes than they need."},
      {"decimal.precision", "A decimal's precision does not suit the type that stores it."},
      {"decimal.scale", "A decimal's scale is not within its precision."},
      {"decimal.special-values", "nan, inf and -inf of a decimal do not exist in the target."},
      {"digits.fewer", "The target keeps fewer digits after the decimal point."},
      {"encoding.narrowed",
       "The target takes only UTF-8, JSON or BSON where the source takes more."},
      {"extension.unknown", "An extension type is carried as its storage; its name is kept."},
      {"float.narrowed", "The target keeps fewer bits of a float."},
      {"group.empty", "A group without fields has no column to store its values in."},
      {"id.duplicate", "Two fields have the same id."},
      {"id.invalid", "A field has no id yet, or one that cannot be."},
      {"id.lost", "Field ids are not carried by the target."},
      {"id.parent", "A field names a parent that is not there, stands later or lies below it."},
      {"key.invalid", "A primary key that the system does not allow."},
      {"key.lost", "Sort or primary keys are not carried by the target."},
      {"keys.duplicates", "The target does not keep repeated keys of a map."},
      {"layout.flattened", "A large, view, dictionary or run-end layout becomes the plain one."},
      {"list.legacy", "A list in an older shape than the standard three levels."},
      {"list.mixed", "Annotated lists and unannotated repeated fields stand in one schema."},
      {"list.shape", "A LIST group does not have the shape of a list."},
      {"map.key-optional", "Keys of a map may be null, which the format forbids."},
      {"map.legacy", "A map with other names than the standard ones, or without values."},
      {"map.shape", "A MAP group does not have the shape of a map."},
      {"member.added", "The target has a member that the source lacks; it is filled with nulls."},
      {"member.left-out", "A column or member has no place in the target's schema."},
      {"metadata.lost", "Metadata entries are not carried by the target."},
      {"name.changed", "A name is changed because the target does not allow it."},
      {"name.duplicate", "Two fields of one group have the same name."},
      {"name.invalid", "A name is not UTF-8 text."},
      {"name.reserved", "A name that the system gives a meaning of its own."},
      {"null.added", "The target's type allows null where the source's does not."},
      {"null.levels-merged", "Several levels of absence become one null."},
      {"null.refused", "The target does not allow null where the source does."},
      {"order.changed", "The order of columns or fields changes."},
      {"range.narrowed", "The target holds a smaller range of values."},
      {"row-spec.differs",
       "What YQL keeps of a table in its row spec is not what the table's schema says."},
      {"size.lost", "A fixed length is not carried by the target's type."},
      {"size.narrowed", "The target demands a fixed length."},
      {"spec.beyond-text", "Allowed by the living system, beyond the written specification."},
      {"spec.broken", "The schema breaks a rule of the system, which the finding names."},
      {"spec.version",
       "The type came with a later version of the system, which the finding names."},
      {"type.as-storage", "The target lacks the type; its nearest storage carries the values."},
      {"type.parameters", "A type's parameters are outside what the system allows."},
      {"type.widened", "The target's type holds more values than the source's."},
      {"union.lowered", "A union becomes a struct with one nullable field per alternative."},
      {"unit.coarser", "The target's unit of time is coarser."},
      {"unit.finer", "The target's unit of time is finer; every value is kept."},
      {"variant.shape", "A VARIANT group does not have the shape of a variant."},
      {"zone.assumed", "Local time without a zone is stored as if it were UTC."},
      {"zone.dropped", "The name of the time zone is not carried by the target's type."},
      {"zone.unknown", "The target takes only names of time zones."},
  };
  return kRules;
}

}  // namespace xwalk::hub
