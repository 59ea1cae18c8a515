#include "xwalk/hub/finding.h"

#include <array>

namespace xwalk::hub {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"annotation.stale", "An xwalk annotation no longer matches its column and is ignored.",
     "Another tool changed the type and kept the metadata. The column is read by its present type; "
     "nothing needs to be done.",
     RuleSubject::Annotation},
    {"annotation.unknown", "An annotation is newer than this version of xwalk and is ignored.",
     "The column is read as its plain type. A newer xwalk may read it as what it means.",
     RuleSubject::Annotation},
    {"any.as-bytes",
     "Values of type any are stored as binary YSON, which readers of the target see as bytes.",
     "To give them readable values, use `any=json`."},
    {"any.as-json",
     "Values of type any are stored as JSON text; values that JSON cannot represent are rejected.",
     "Attributes, NaN, infinities and strings that are not UTF-8 are such values. `any=ytjson` "
     "keeps them, as JSON with $attributes, $value and $type; `any=yson` keeps the bytes as they "
     "are."},
    {"any.as-variant",
     "Values of type any are stored as VARIANT; values that VARIANT lacks are rejected.",
     "Attributes, repeated keys and keys that are not UTF-8 are such values. `any=yson` keeps the "
     "bytes as they are."},
    {"crs.assumed",
     "A geospatial column names no coordinate reference system (CRS), and the target has a "
     "default.",
     "Readers of the target take the coordinates for longitude and latitude (OGC:CRS84). If they "
     "are not, set the CRS in the source, or write the column as bytes with `target_schema`.",
     RuleSubject::Crs},
    {"decimal.precision", "The precision of a decimal does not suit the type that stores it.",
     "An error if the digits do not fit, a note if a smaller type would do."},
    {"decimal.scale", "The scale of a decimal is negative or larger than its precision.",
     "Readers refuse the column. Correct the schema in the program that wrote it."},
    {"decimal.special-values", "The target's decimals cannot store NaN or ±Inf.",
     "Rows with such values are rejected. If the data has none, nothing happens; "
     "`decimal_special=null` stores null in their place where rows are read as YSON."},
    {"digits.fewer", "The target keeps fewer digits after the decimal point.",
     "Values that need more digits are rejected. To round them instead, use `round` `allow=lossy`, "
     "or choose a larger scale with `target_schema`."},
    {"encoding.narrowed",
     "The target accepts only UTF-8, JSON, BSON or WKB where the source accepts more.",
     "Values that are not are rejected. A check that reads the rows counts them; a target column "
     "of bytes takes all."},
    {"extension.unknown",
     "xwalk doesn't know an extension type: its values are stored as the plain type below it.",
     "Values are kept, and so is the extension's name. Programs that know the extension may need "
     "it to be set again.",
     RuleSubject::Extension},
    {"float.narrowed", "The target's floating-point type has fewer bits.",
     "Values that would lose digits are rejected. To round them instead, use `round` "
     "`allow=lossy`."},
    {"id.duplicate", "Two fields have the same id.",
     "Readers that find columns by id take one of them, or refuse the file. Give each field an id "
     "of its own."},
    {"id.invalid", "A field has no id yet, or one that is not allowed.",
     "Systems that find columns by id cannot use this schema until each field has one."},
    {"id.lost", "The target does not store field ids.",
     "Readers find columns by name instead. Nothing needs to be done unless your readers go by "
     "id."},
    {"key.invalid", "A primary key uses a column that the system does not allow in one.",
     "Key columns must never be null, and cannot be in lists or maps. Choose another column."},
    {"key.lost", "The target does not store sort or primary keys.",
     "Rows keep their order, but nothing says that they are sorted. Set the keys again when the "
     "table is created."},
    {"keys.duplicates", "The source's or the target's maps must not contain the same key twice.",
     "Maps that repeat a key are rejected. To keep the last value of each key, use "
     "`duplicate_keys=last` `allow=lossy`; `duplicate_keys=keep` keeps every pair."},
    {"layout.flattened", "A large, view, dictionary or run-end layout becomes the plain layout.",
     "Values are the same. Only the way they are laid out in memory or in the file is not kept."},
    {"map.key-optional", "The keys of a map may be null, which the format forbids.",
     "Rows with a null key are rejected. Declare the key as required."},
    {"map.shape", "A map is not built as the format demands.",
     "Readers refuse the column or read it as a plain group or list. Correct the schema in the "
     "program that wrote it."},
    {"meaning.changed", "Stored values are read as values of another meaning, as `cast` requires.",
     "Numbers become times, or bytes decimals, with the same bits: 1700000000 of an int64 becomes "
     "28 minutes after 1970 as microseconds. Nothing checks that the bits were meant so."},
    {"meaning.differs", "Values of a column have another meaning in the other schema.",
     "An instant is not a local time, text is not a number, metres are not degrees. The column is "
     "not converted. `cast` gives it a type by value; with storage: before the type, stored "
     "values are read as that type."},
    {"member.added",
     "The target has a column or field that the source lacks, or rows that exist get one by "
     "`evolve`. It is filled with nulls.",
     "Nothing needs to be done if null is what readers expect there. To fill it from another "
     "column, use `rename`. A required column cannot be filled with nulls: nothing is converted, "
     "and the verdict is unsupported."},
    {"member.left-out", "A column or field would be dropped: it is not in the target schema.",
     "Add it to the target schema, rename it with `rename`, or accept the loss with "
     "`allow=lossy`.",
     RuleSubject::Omission},
    {"metadata.lost", "The target does not store this metadata.",
     "Values are not affected. Documentation, units and other labels must be set again in the "
     "target."},
    {"metadata.stale",
     "Another tool describes the columns in a key of the file's metadata, which no longer fits.",
     "The tool would look for columns or types that are not there, so the key, or its part, is "
     "left "
     "out. It reads the columns by their own types instead. Keep names and types, or write the "
     "file again with the tool."},
    {"name.changed",
     "A column or field gets another name, because the target does not allow its own.",
     "Readers must ask for the new name. To choose it yourself, use `rename=OLD=NEW`.",
     RuleSubject::Rename},
    {"name.duplicate", "Two fields side by side have the same name.",
     "Readers take one of them, or refuse the file. Rename one with `rename`.", RuleSubject::Name},
    {"name.invalid", "A name is empty, or is not UTF-8 text.",
     "Many readers cannot select this column. Rename it with `rename`.", RuleSubject::Name},
    {"null.added", "The target's column may be null, the source's cannot.",
     "No null is added. Readers of the target must be prepared for one."},
    {"null.levels-merged", "Several levels of null become one.",
     "An optional value inside an optional has two kinds of null, the target has one. Rows that "
     "would become equal are rejected; to merge the two, use `merge_nulls` `allow=lossy`."},
    {"null.refused", "The target's column cannot be null, the source's may be.",
     "Rows with a null there are rejected. A check that reads the rows counts them; "
     "`on_error=skip` leaves them out."},
    {"option.unused", "An option that alters values alters none of these.",
     "The result is the same without it. Leave it out, or check that it is meant for this input "
     "and this target."},
    {"order.changed", "Columns or fields come in another order.",
     "Readers that go by name see no difference; those that go by position do."},
    {"order.required", "The target's schema says that its rows are sorted, or its keys unique.",
     "Each row is compared with the row before it; one that is out of order is rejected. A check "
     "that reads the rows counts them. Sort the rows first, or give a schema without sort_order."},
    {"output.new", "The output that rows would be added to does not exist.",
     "`mode=append` makes it, so the report is about a new output. If there should be one, correct "
     "its name."},
    {"range.narrowed", "The target's type holds a smaller range of values.",
     "Rows with values outside it are rejected, never changed. A check that reads the rows counts "
     "them and shows the smallest and largest value; `on_error=skip` leaves such rows out."},
    {"schema.differs", "A column of an output has another name, type or place than in the plan.",
     "The values may be equal, but readers of the output see another table. Give verify the "
     "options of the conversion, or convert again."},
    {"schema.inferred", "The rows have no schema: xwalk inferred the types from the values.",
     "Every value is kept by the inferred type, but values don't show everything: a decimal looks "
     "like bytes, a date like text. Save the schema with `save_schema=FILE`, correct it, and give "
     "it with `schema=FILE`. `require_schema` refuses rows without a schema."},
    {"size.lost", "The target does not store that all values have the same length.",
     "Values are the same. Readers see a type of any length."},
    {"size.narrowed", "The target accepts values of one fixed length only.",
     "Values of any other length are rejected. A check that reads the rows counts them."},
    {"spec.beyond-text",
     "The system accepts this although its written specification does not mention it.",
     "It works today; other implementations may refuse it.", RuleSubject::Specification},
    {"spec.broken", "The schema breaks a rule of its system, which the finding quotes.",
     "The system refuses this schema. Correct it as the finding says.", RuleSubject::Specification},
    {"text.formula",
     "A spreadsheet runs text as a formula if it begins with =, +, -, @, a tab or a carriage "
     "return.",
     "A formula may start programs or send data. CSV keeps such text as it is. "
     "`csv_formulas=escape` puts an apostrophe before it; `csv_formulas=refuse` rejects its row. "
     "A check that reads the rows counts the values."},
    {"text.from-value", "Numbers, dates, times or booleans become text, as `cast` requires.",
     "Every value is kept: the fewest digits that give it back, dates and times as ISO 8601. A "
     "cast back to the old type reads the text exactly."},
    {"text.to-value", "Text becomes numbers, dates, times or booleans, as `cast` requires.",
     "Text that is nothing of the kind is rejected with its row: white space, a plus sign and "
     "words are not numbers. How a value was spelled is not preserved: 007 becomes 7. A check that "
     "reads the rows counts what would be rejected."},
    {"type.as-storage",
     "The target has no such type: values are stored as the nearest type it has.",
     "Every value is kept, but readers of the target see the type that stores it: an interval "
     "becomes a number, for example. If the verdict is annotated, xwalk restores the original type "
     "from its metadata. If it is widened, the original type is not preserved."},
    {"type.cast", "A column or field gets another type, as `cast` requires.",
     "Values that the new type cannot hold are rejected, or changed with consent: the other "
     "findings of the column say which. A check that reads the rows counts them."},
    {"type.no-cast", "The column cannot be cast to the type of the target.",
     "The column cannot be converted, and check goes on with the others. Give it a type that can "
     "become the target's, leave it out with `exclude`, or write another output."},
    {"type.parameters", "The parameters of a type are outside what the system allows.",
     "The system refuses this type. Choose parameters within the limits that the finding names."},
    {"type.widened", "The target's type holds more values than the source's.",
     "Every value is kept. On the way back, the column has the wider type."},
    {"type.unsupported", "The target has no type that can store a column or one of its fields.",
     "The column cannot be converted, and check goes on with the others. Leave it out with "
     "`exclude`, or give it a type that the target has with `cast`."},
    {"union.lowered", "A union or variant becomes a struct with one field per alternative.",
     "In each row exactly one of the fields is set, and the others are null. Queries ask which "
     "field is not null."},
    {"unit.coarser", "The target's unit of time is coarser.",
     "Values that need the finer unit are rejected. To round them instead, use `round` "
     "`allow=lossy`. A time becomes the date of its day."},
    {"unit.finer", "The target's unit of time is finer. Every value is kept.",
     "Readers see the same instants with more digits. Nothing needs to be done."},
    {"variant.as-any",
     "VARIANT values are stored as values of type any; values that YSON lacks are rejected.",
     "Dates, times, timestamps, UUIDs, decimals that no double has the digits of, and "
     "VARIANT null are such values. Binary that is UTF-8 is also rejected, since it would come "
     "back as a string. "
     "`variant_values=text` and `variant_values=number` store such values, except VARIANT null."},
    {"variant.as-json",
     "VARIANT values are stored as JSON text; values that JSON lacks are rejected.",
     "Dates, times, timestamps, UUIDs, binary, NaN and infinities are such values. "
     "`variant_values=text` and `variant_values=number` store them."},
    {"variant.decimals-as-doubles",
     "Decimals and floats in VARIANT values become doubles, which are the only fractions of type "
     "any.",
     "A float becomes the double that equals it, and a decimal the double whose shortest text has "
     "the same digits, so the number stays the same. On the way back it is a double, except where "
     "a note of the column says what it was. A decimal with more digits is rejected."},
    {"zone.assumed", "Local times without a time zone are stored as if they were UTC.",
     "Readers show the same clock time and take it for UTC. If the times are of another zone, "
     "convert them first."},
    {"zone.dropped", "The target does not store the name of the time zone.",
     "Each value is still the same instant; readers show it in UTC or in their own zone."},
    {"zone.unknown", "The target accepts only time zones that it knows by name.",
     "Rows with any other zone are rejected. A check that reads the rows counts them."},
});

}  // namespace

Verdict verdict_of(Values values, TypeKept type, bool label_lost) {
  if (values == Values::None) return Verdict::Unsupported;
  if (values == Values::Altered) return Verdict::Lossy;
  if (values == Values::Checked) return Verdict::Checked;
  if (type == TypeKept::Inferred) return Verdict::Inferred;
  if (type == TypeKept::Changed || label_lost) return Verdict::Widened;
  if (type == TypeKept::Noted) return Verdict::Annotated;
  return Verdict::Exact;
}

Values values_after(Effect effect) {
  switch (effect) {
    case Effect::None:
      return Values::Kept;
    case Effect::Refused:
      return Values::Checked;
    case Effect::Altered:
      return Values::Altered;
    case Effect::Forbidden:
      return Values::None;
  }
  return Values::None;
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
    case TypeKept::Inferred:
      return "inferred";
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
    case Verdict::Inferred:
      return "inferred";
    case Verdict::Checked:
      return "checked";
    case Verdict::Lossy:
      return "lossy";
    case Verdict::Unsupported:
      return "unsupported";
  }
  return "";
}

std::span<const Rule> common_rules() { return kRules; }

}  // namespace xwalk::hub
