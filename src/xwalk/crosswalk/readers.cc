#include "xwalk/crosswalk/readers.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/reader_rows_parquet.h"
#include "xwalk/crosswalk/reader_rows_yt.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/crosswalk/reader_terms.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/lance/type.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/parquet/variant.h"
#include "xwalk/vortex/type.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/shape.h"

namespace xwalk::crosswalk {
namespace {

using parquet::LogicalType;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::Resolved;
using parquet::Rule;
using Kind = LogicalType::Kind;

/// Digits of decimals: what DuckDB and Polars hold, and what Arrow does.
constexpr int kDecimal128Digits = 38;
constexpr int kDecimal256Digits = 76;

/// Returns what a remark means for the column, if it is Forbidden as its text says or else `given`.
hub::Effect effect_of(std::string_view remark, hub::Effect given) {
  const bool refuses = remark.starts_with("refuses ") || remark.starts_with("cannot read ");
  return refuses ? hub::Effect::Forbidden : given;
}

constexpr std::string_view kThreeDeep = "refuses the file: a list in its older shape, three deep";
constexpr std::string_view kOlderStructs =
    "cannot read a list of structs in its older shape (not run since 2026-11-30)";

/// Unsigned integers that are negative as signed ones.
constexpr ValueCondition no_sign_bit(int bits) {
  return {ValueCondition::Kind::NumberOutside, 0, (Int128{1} << (bits - 1)) - 1};
}

/// Returns the text of a remark, in which {} stands for the values that it is about.
std::string remark_of(std::string_view remark, const ValueCondition& values) {
  if (!values.is_given()) return std::string(remark);
  return fmt::format(fmt::runtime(remark), values.text());
}

/// Adds the rows of a table for one type.
template <typename Kind, typename Type>
void add_rows(std::span<const ReaderRow<Kind, Type>> rows, Kind kind, const Type& type,
              const Path& path, std::vector<ReaderRemark>* out) {
  for (const ReaderRow<Kind, Type>& row : rows) {
    if (row.kind != kind || (row.when != nullptr && !row.when(type))) continue;
    out->push_back({std::string(row.reader), path, remark_of(row.remark, row.values),
                    effect_of(row.remark, row.effect), std::string(row.instead), row.values});
  }
}

void add_field(const lance::Field& field, const Path& path, std::vector<ReaderRemark>* out) {
  using lance::Kind;
  add_rows(lance_rows(), field.type.kind(), field.type, path, out);
  const bool is_map = field.type.kind() == Kind::Map;
  // The entries of a map are not a separate place.
  const lance::Field& node = is_map ? field.children[0] : field;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const lance::Field& child = node.children[i];
    const bool is_member = field.type.kind() == Kind::Struct;
    add_field(child,
              is_map      ? (i == 0 ? path.map_key() : path.map_value())
              : is_member ? path.field(child.name)
                          : path.item(),
              out);
  }
}

void add_dtype(const vortex::DType& type, const Path& path, std::vector<ReaderRemark>* out) {
  using vortex::Kind;
  add_rows(vortex_rows(), type.kind(), type, path, out);
  switch (type.kind()) {
    case Kind::Struct:
      for (const vortex::Member& member : type.members()) {
        add_dtype(member.type, path.field(member.name), out);
      }
      return;
    case Kind::Union:
      for (const vortex::Member& member : type.members()) {
        add_dtype(member.type, path.alternative(member.name), out);
      }
      return;
    case Kind::List:
    case Kind::FixedSizeList:
      add_dtype(type.element(), path.item(), out);
      return;
    case Kind::Map:
      add_dtype(type.key(), path.map_key(), out);
      add_dtype(type.value(), path.map_value(), out);
      return;
    case Kind::Null:
    case Kind::Bool:
    case Kind::Primitive:
    case Kind::Decimal:
    case Kind::Utf8:
    case Kind::Binary:
    case Kind::Extension:
    case Kind::Variant:
      return;
  }
}

/// Paths are those of the Arrow form.
void add_type(const yt::Type& type, const Path& path, std::vector<ReaderRemark>* out) {
  using yt::Composition;
  add_rows(table_rows(), type.kind(), type, path, out);
  switch (type.composition()) {
    case Composition::None:
      return;
    case Composition::Optional:
      add_type(type.item(), yt::is_boxed(type) ? path.field(yt::kBoxMember) : path, out);
      return;
    case Composition::Tagged:
      add_type(type.item(), path, out);
      return;
    case Composition::List:
      add_type(type.item(), path.item(), out);
      return;
    case Composition::Dict:
      add_type(type.key(), path.map_key(), out);
      add_type(type.value(), path.map_value(), out);
      return;
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant:
      for (size_t i = 0; i < type.members().size(); ++i) {
        const yt::Member& member = type.members()[i];
        const std::string name = member.name.empty() ? std::to_string(i) : member.name;
        const bool is_union =
            type.composition() == Composition::Variant && yt::is_union_variant(type);
        add_type(member.type, is_union ? path.alternative(name) : path.field(name), out);
      }
      return;
  }
}

/// Parquet files, whose shapes are misread too.
class ParquetReaders {
 public:
  std::vector<ReaderRemark> run(const parquet::Schema& schema) {
    for (const Resolved& column : parquet::resolve(schema).columns) visit(column);
    return std::move(out_);
  }

 private:
  void visit(const Resolved& part) {
    path_ = part.path;
    const bool fastparquet_knows = fastparquet_sees_;
    if (fastparquet_sees_) fastparquet_sees_ = by_fastparquet(part);
    by_carquet(part);
    by_pyiceberg(part);
    switch (part.rule) {
      case Rule::Leaf:
        leaf(part.node);
        break;
      case Rule::Struct:
        group(part.node);
        break;
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
      case Rule::ListThreeLevel:
        list(part);
        break;
      case Rule::Map:
      case Rule::MapByPosition:
        if (logical_only(part.node)) {
          by_older_form("a struct around a list of pairs: it looks at ConvertedType only");
        } else if (part.rule == Rule::MapByPosition) {
          say(kHyparquet, "refuses the file: a map of other names than key and value");
        }
        break;
      case Rule::MapKeyValueAsMap:
        say(kDuckdb, "refuses the file: MAP_KEY_VALUE outside a MAP");
        say(kHyparquet, "a struct around a list of pairs");
        break;
      case Rule::MapWithoutValue:
        say(kDuckdb, "refuses the file: a map without values");
        break;
      case Rule::Repeated:
        if (is_struct_of_one(part.children[0])) {
          say(kDuckdb, "the struct of one field is unwrapped to its field");
        }
        break;
    }
    add_rows(parquet_rows(), part.node.logical().kind(), part.node, path_, &out_);
    for (const Resolved& child : part.children) visit(child);
    fastparquet_sees_ = fastparquet_knows;
  }

  /// Lists and maps, of which fastparquet reads values if they hold leaves. Returns true if it sees
  /// the parts of a column apart.
  bool by_fastparquet(const Resolved& part) {
    const auto altered = [&](std::string_view remark) {
      say(kFastparquet, remark, hub::Effect::Altered);
      return false;
    };
    const auto of_leaves = [&] {
      if (std::ranges::all_of(part.children,
                              [](const Resolved& child) { return child.rule == Rule::Leaf; })) {
        return altered("object: null for pages without a dictionary");
      }
      return altered("object: no values");
    };
    switch (part.rule) {
      case Rule::Leaf:
        return true;
      case Rule::Struct:
        if (part.node.logical().is(Kind::Variant)) return true;
        altered("a column for each of its parts: null and a struct of nulls are one");
        return true;
      case Rule::ListOneRepeated:
      case Rule::ListManyFields:
      case Rule::ListPrimitive:
      case Rule::ListThreeLevel:
      case Rule::Map:
        return of_leaves();
      case Rule::ListArrayOrTuple:
        if (!is_struct_of_one(part.children[0])) return of_leaves();
        say(kFastparquet, "the struct of one field is unwrapped to its field");
        return false;
      case Rule::MapByPosition:
      case Rule::MapWithoutValue:
        return altered("object: no values");
      case Rule::MapKeyValueAsMap:
        return altered("leaves the column out");
      case Rule::Repeated:
        if (part.children[0].rule != Rule::Leaf) return altered("leaves the column out");
        if (path_.size() > 1) return altered("the first value alone");
        say(kFastparquet, "refuses the file: repeated values outside a list");
        return false;
    }
    return true;
  }

  /// pyiceberg's add_files, which finds columns by the names that Iceberg gives their parts.
  void by_pyiceberg(const Resolved& part) {
    const auto has_parts = [&](std::string_view repeated, std::string_view last) {
      const parquet::Node& entries = part.node.children()[0];
      return entries.name() == repeated && entries.children().back().name() == last;
    };
    if (part.node.id()) say(kPyiceberg, "field ids other than those of the table are an error");
    switch (part.rule) {
      case Rule::ListThreeLevel:
        if (has_parts("list", "element")) return;
        [[fallthrough]];
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
      case Rule::Repeated:
        return say(kPyiceberg, "refuses the file: a list whose parts are not list and element");
      case Rule::Map:
        if (has_parts("key_value", "value")) return;
        [[fallthrough]];
      case Rule::MapByPosition:
      case Rule::MapWithoutValue:
        return say(kPyiceberg, "refuses the file: a map whose parts are not key_value and value");
      case Rule::Leaf:
      case Rule::Struct:
      case Rule::MapKeyValueAsMap:
        return;
    }
  }

  /// carquet, which knows lists of three levels and maps.
  void by_carquet(const Resolved& part) {
    switch (part.rule) {
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
        if (!parquet::is_map(part.children[0].node)) {
          return say(kCarquet, "refuses the file: a list in its older shape");
        }
        return say(kCarquet, "a pair instead of each map", hub::Effect::Altered);
      case Rule::MapWithoutValue:
        return say(kCarquet, "refuses the file: a map without values");
      case Rule::ListArrayOrTuple:
        if (is_struct_of_one(part.children[0])) {
          say(kCarquet, "the struct of one field is unwrapped to its field");
        } else {
          say(kCarquet, "refuses the file: a list in its older shape");
        }
        return;
      case Rule::Repeated:
        return say(kCarquet, "lists of other than one value are an error or lose values",
                   hub::Effect::Altered);
      case Rule::Leaf:
      case Rule::Struct:
      case Rule::ListThreeLevel:
      case Rule::Map:
      case Rule::MapByPosition:
      case Rule::MapKeyValueAsMap:
        return;
    }
  }

  /// Readers that do not look at LogicalType for lists and maps.
  void by_older_form(std::string_view remark) {
    for (const std::string_view reader : {kDuckdb, kHyparquet}) say(reader, remark);
  }

  /// Readers whose implementations of Arrow read older shapes in one way.
  void by_arrow_readers(std::string_view remark) {
    for (const std::string_view reader : {kDatafusion, kDaft, kArrowGo}) say(reader, remark);
  }

  void list(const Resolved& part) {
    if (logical_only(part.node)) {
      by_older_form("a struct around a list: it looks at ConvertedType only");
      return;
    }
    const Resolved& element = part.children[0];
    const bool element_is_repeated = element.node.is(Repetition::Repeated);
    const bool unwrapped =
        part.rule == Rule::ListArrayOrTuple || part.rule == Rule::ListOneRepeated;
    if (unwrapped && is_struct_of_one(element)) {
      for (const std::string_view reader : {kDuckdb, kHyparquet}) {
        say(reader, "the struct of one field is unwrapped to its field");
      }
      if (part.rule == Rule::ListOneRepeated) {
        by_arrow_readers("the struct of one repeated field is unwrapped to a list of lists");
        say(kAttach, "refuses the file: a list of groups of one repeated field");
      } else {
        say(kDaft, kOlderStructs);
      }
    }
    if (part.rule == Rule::ListManyFields) {
      say(kDaft, kOlderStructs);
      say(kHyparquet, "a struct around a list");
    }
    const bool deep = part.rule == Rule::ListOneRepeated && element.rule == Rule::ListOneRepeated &&
                      parquet::is_list(element.node);
    if (deep && parquet::is_list(element.children[0].node)) {
      by_arrow_readers(kThreeDeep);
      say(kUpload, kThreeDeep);
      say(kAttach, kThreeDeep);
    } else if (element_is_repeated && parquet::is_list(element.node)) {
      say(kArrowGo, "a struct around each inner list");
    }
    if (element_is_repeated && parquet::is_map(element.node)) {
      by_arrow_readers("lists of pairs instead of maps");
      say(kPolars, "refuses the file: a repeated MAP");
      say(kAttach, "refuses the file: a repeated MAP");
    }
  }

  void group(const parquet::Node& node) {
    if (parquet::is_shredded_variant(node)) {
      for (const std::string_view reader : {kPyarrow, kDatafusion, kCarquet, kPyiceberg}) {
        say(reader, "struct: metadata, value and typed_value apart, and no values",
            hub::Effect::Altered);
      }
      say(kArrowGo, "extension: shredded as the file stores it");
      say(kDaft, "Extension: metadata, value and typed_value apart, and no values",
          hub::Effect::Altered);
    }
    if (node.logical().is(Kind::File)) {
      say(kPyarrow, "refuses the file: FILE");
      say(kPolars, "refuses the file: FILE");
    }
    future(node);
  }

  void future(const parquet::Node& node) {
    if (!node.logical().is(Kind::Future)) return;
    say(kDatafusion, "refuses the file: an annotation it does not know");
    say(kPolars, "refuses the file: an annotation it does not know");
  }

  void leaf(const parquet::Node& node) {
    const LogicalType& type = node.logical();
    const bool refuses = contradicts(node) && !type.is(Kind::Interval);
    if (refuses) say(kDatafusion, "refuses the file: LogicalType and ConvertedType differ");
    future(node);
    switch (type.kind()) {
      case Kind::String:
        if (logical_only(node)) say(kDuckdb, "bytes: it looks at ConvertedType only");
        return;
      case Kind::Integer:
        if (logical_only(node) && !type.is_signed() && type.bits() >= 32) {
          say(kDuckdb, "signed: it looks at ConvertedType only");
          say(kDuckdb, "{} come out negative", hub::Effect::Altered, no_sign_bit(type.bits()));
        }
        return;
      case Kind::Decimal:
        decimal(node);
        return;
      case Kind::Timestamp:
        timestamp(node);
        return;
      case Kind::Interval:
        if (parquet::is_next_to_unknown(node)) interval();
        return;
      case Kind::None:
      case Kind::Map:
      case Kind::List:
      case Kind::Enum:
      case Kind::Date:
      case Kind::Time:
      case Kind::Unknown:
      case Kind::Geometry:
      case Kind::Geography:
      case Kind::Json:
      case Kind::Bson:
      case Kind::Uuid:
      case Kind::Float16:
      case Kind::Variant:
      case Kind::File:
      case Kind::MapKeyValue:
      case Kind::Future:
        return;
    }
  }

  void decimal(const parquet::Node& node) {
    const LogicalType& type = node.logical();
    const parquet::Annotation& written = node.annotation();
    if (type.precision() > kDecimal256Digits) {
      say(kPyarrow, "refuses the file: more than 76 digits");
      say(kDuckdb, "DOUBLE: no longer a decimal");
      say(kDuckdb, "{} may be wrong", hub::Effect::Altered, kDigitsOfDouble);
      say(kDatafusion, "refuses the file: more than 76 digits");
      say(kPolars, "refuses the file: more than 38 digits");
    } else if (type.precision() > kDecimal128Digits) {
      say(kDuckdb, "DOUBLE: no longer a decimal");
      say(kDuckdb, "{} may be wrong", hub::Effect::Altered, kDigitsOfDouble);
      say(kPolars, "refuses the file: more than 38 digits");
    }
    if (!written.logical && written.converted && !written.scale) {
      say(kDuckdb, "refuses the file: a DECIMAL without scale");
      say(kDatafusion, "refuses the file: a DECIMAL without scale");
      say(kPolars, "refuses the file: a DECIMAL without scale");
    }
  }

  void timestamp(const parquet::Node& node) {
    const parquet::Annotation& written = node.annotation();
    if (!written.logical && written.converted) {
      say(kDuckdb, "local time without a zone: ConvertedType means UTC", hub::Effect::Altered);
      say(kPolars, "local time without a zone: ConvertedType means UTC", hub::Effect::Altered);
    }
    if (node.physical() == PhysicalType::FixedLenByteArray) {
      if (node.logical().unit() == parquet::TimeUnit::Nanos) {
        say(kDuckdb, "other instants: nanoseconds of 12 bytes are misread", hub::Effect::Altered);
      }
      say(kDatafusion, "refuses the file: TIMESTAMP on 12 bytes");
      say(kPolars, "refuses the file: TIMESTAMP on 12 bytes");
    }
  }

  /// ConvertedType INTERVAL next to LogicalType UNKNOWN.
  void interval() {
    for (const std::string_view reader : {kPyarrow, kDuckdb, kAttach}) {
      say(reader, "nulls: it looks at UNKNOWN next to INTERVAL", hub::Effect::Altered);
    }
    for (const std::string_view reader : {kDatafusion, kPyiceberg}) {
      say(reader, "refuses the file: UNKNOWN next to INTERVAL");
    }
    say(kUpload, "cannot read UNKNOWN next to INTERVAL (not run since 2026-11-30)");
  }

  static bool logical_only(const parquet::Node& node) {
    return node.annotation().logical && !node.annotation().converted;
  }

  /// A LogicalType that contradicts the ConvertedType.
  static bool contradicts(const parquet::Node& node) {
    const parquet::Annotation& written = node.annotation();
    if (!written.logical || !written.converted) return false;
    const auto expected = parquet::to_converted(*written.logical);
    return !expected || static_cast<int32_t>(*expected) != *written.converted;
  }

  static bool is_struct_of_one(const Resolved& part) {
    return part.rule == Rule::Struct && part.children.size() == 1;
  }

  void say(std::string_view reader, std::string_view remark, hub::Effect effect = hub::Effect::None,
           const ValueCondition& values = {}) {
    out_.push_back({std::string(reader), path_, remark_of(remark, values),
                    effect_of(remark, effect), "", values});
  }

  Path path_;
  /// Whether fastparquet makes columns of the parts at this place.
  bool fastparquet_sees_ = true;
  std::vector<ReaderRemark> out_;
};

/// Adds values of type any, which only a YTsaurus annotation distinguishes from bytes.
void add_any_values(const hub::Field& field, const Path& path, Misreadings* out) {
  if (yt::refine(field).yson) {
    for (const Reader& reader : readers_of(out->system)) {
      out->remarks.push_back({.reader = std::string(reader.name),
                              .path = path,
                              .remark = "bytes of binary YSON, not values"});
    }
  }
  for (const Child& child : children_of(field.type, path)) {
    add_any_values(*child.field, child.path, out);
  }
}

}  // namespace

Misreadings misreadings(const AnySchema& schema, const hub::Schema& columns) {
  Misreadings out{schema.system(), {}, {}};
  for (const Reader& reader : readers_of(schema.system())) out.compared.emplace_back(reader.name);
  if (const auto* file = schema.get_if<parquet::Schema>()) {
    out.remarks = ParquetReaders().run(*file);
  } else if (const auto* dataset = schema.get_if<lance::Schema>()) {
    for (const lance::Field& field : dataset->fields) {
      add_field(field, Path::column(field.name), &out.remarks);
    }
  } else if (const auto* root = schema.get_if<vortex::DType>()) {
    // A root that is not a struct is the only column.
    if (root->kind() != vortex::Kind::Struct) {
      add_dtype(*root, Path::column(columns.fields[0].name), &out.remarks);
    } else {
      for (const vortex::Member& member : root->members()) {
        add_dtype(member.type, Path::column(member.name), &out.remarks);
      }
    }
  } else if (schema.system() == yt::kModule) {
    // Readers of a table know its types, so values of yson columns are not bytes to them.
    for (const yt::ColumnSchema& column : schema.as<yt::TableSchema>().columns) {
      add_type(column.type, Path::column(column.name), &out.remarks);
    }
    return out;
  } else {
    throw Error(
        ErrorCode::Usage,
        "--readers checks Parquet, Lance and Vortex files and tables of YTsaurus, "
        "found none",
        {},
        "Name one of those or its schema, or " + hub::mention(hub::Option::To, "parquet") + ".");
  }
  for (const hub::Field& column : columns.fields) {
    add_any_values(column, Path::column(column.name), &out);
  }
  return out;
}

Misreadings misreadings(const AnySchema& source, const Plan& plan) {
  const bool as_it_is =
      source.system() == parquet::kModule || source.system() == plan.target_system;
  if (as_it_is) return misreadings(source, plan.source_hub);
  // Unsupported columns of a given target are in its schema, but not in the plan's.
  Misreadings out =
      misreadings(plan.target, plan.unsupported.empty() ? plan.target_hub : to_arrow(plan.target));
  out.of_source = false;
  return out;
}

Misreadings only_of(const std::vector<ChosenReader>& chosen, Misreadings found) {
  const auto is_chosen = [&](std::string_view name) {
    return std::ranges::find(chosen, name, &ChosenReader::name) != chosen.end();
  };
  for (const ChosenReader& reader : chosen) {
    if (std::ranges::find(found.compared, reader.name) != found.compared.end()) continue;
    std::vector<std::string> known;
    for (const Reader& one : readers_of(found.system)) known.push_back(word_of(one));
    throw Error(ErrorCode::Usage,
                fmt::format("{} was not tried with {}", reader.name, found.system->name), {},
                "Known readers of it: " + join(known, ", ") + ".");
  }
  std::erase_if(found.compared, [&](const std::string& name) { return !is_chosen(name); });
  std::erase_if(found.remarks, [&](const ReaderRemark& one) { return !is_chosen(one.reader); });
  found.are_chosen = true;
  return found;
}

}  // namespace xwalk::crosswalk
