#include "xwalk/crosswalk/readers.h"

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/hub/option.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/room.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/yt/hub.h"

namespace xwalk::crosswalk {
namespace {

using parquet::LogicalType;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::Resolved;
using parquet::Rule;
using Kind = LogicalType::Kind;

constexpr std::string_view kPyarrow = "pyarrow";
constexpr std::string_view kDuckdb = "DuckDB";
constexpr std::string_view kArrowRs = "arrow-rs";
constexpr std::string_view kPolars = "Polars";

/// Digits of decimals: what DuckDB and Polars hold, and what Arrow does.
constexpr int kDecimal128Digits = 38;
constexpr int kDecimal256Digits = 76;

class Readers {
 public:
  std::vector<ReaderRemark> run(const parquet::Schema& schema, const hub::Schema& columns) {
    for (const Resolved& column : parquet::resolve(schema).columns) visit(column);
    for (const hub::Field& column : columns.fields) any_values(column, Path::column(column.name));
    return std::move(out_);
  }

 private:
  void visit(const Resolved& part) {
    path_ = part.path;
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
          say(kDuckdb, "a struct around a list of pairs: it looks at ConvertedType only");
        }
        break;
      case Rule::MapKeyValueAsMap:
        say(kDuckdb, "refuses the file: MAP_KEY_VALUE outside a MAP");
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
    by_type(part.node);
    for (const Resolved& child : part.children) visit(child);
  }

  /// What the table says.
  void by_type(const parquet::Node& node) {
    for (const ReaderRow& row : reader_rows()) {
      if (row.kind != node.logical().kind()) continue;
      if (row.when == nullptr || row.when(node)) say(row.reader, std::string(row.remark));
    }
  }

  void list(const Resolved& part) {
    if (logical_only(part.node)) {
      say(kDuckdb, "a struct around a list: it looks at ConvertedType only");
      return;
    }
    const Resolved& element = part.children[0];
    const bool element_is_repeated = element.node.is(Repetition::Repeated);
    const bool unwrapped =
        part.rule == Rule::ListArrayOrTuple || part.rule == Rule::ListOneRepeated;
    if (unwrapped && is_struct_of_one(element)) {
      say(kDuckdb, "the struct of one field is unwrapped to its field");
      if (part.rule == Rule::ListOneRepeated) {
        say(kArrowRs, "the struct of one repeated field is unwrapped to a list of lists");
      }
    }
    const bool deep = part.rule == Rule::ListOneRepeated && element.rule == Rule::ListOneRepeated &&
                      parquet::is_list(element.node);
    if (deep && parquet::is_list(element.children[0].node)) {
      say(kArrowRs, "refuses the file: a list in its older shape, three deep");
    }
    if (element_is_repeated && parquet::is_map(element.node)) {
      say(kArrowRs, "a list of lists of pairs instead of a list of maps");
      say(kPolars, "refuses the file: a repeated MAP");
    }
  }

  void group(const parquet::Node& node) {
    if (node.logical().is(Kind::Variant)) say(kPolars, "refuses the file: VARIANT");
    if (node.logical().is(Kind::File)) {
      say(kPyarrow, "refuses the file: FILE");
      say(kPolars, "refuses the file: FILE");
    }
    future(node);
  }

  void future(const parquet::Node& node) {
    if (!node.logical().is(Kind::Future)) return;
    say(kArrowRs, "refuses the file: an annotation it does not know");
    say(kPolars, "refuses the file: an annotation it does not know");
  }

  void leaf(const parquet::Node& node) {
    const LogicalType& type = node.logical();
    const bool refuses = contradicts(node) && !type.is(Kind::Interval);
    if (refuses) say(kArrowRs, "refuses the file: LogicalType and ConvertedType differ");
    future(node);
    switch (type.kind()) {
      case Kind::String:
        if (logical_only(node)) say(kDuckdb, "bytes: it looks at ConvertedType only");
        return;
      case Kind::Integer:
        if (logical_only(node) && !type.is_signed() && type.bits() >= 32) {
          say(kDuckdb,
              "signed: it looks at ConvertedType only, and large values come out negative");
        }
        return;
      case Kind::Decimal:
        decimal(node);
        return;
      case Kind::Timestamp:
        timestamp(node);
        return;
      case Kind::Json:
        say(kDuckdb, "its JSON functions fail on half of a surrogate pair, \"\\ud800\"");
        return;
      case Kind::Bson:
        if (node.annotation().converted) say(kDuckdb, "refuses the file: BSON");
        return;
      case Kind::Interval:
        say(kDuckdb, "milliseconds overflow near their largest value");
        say(kArrowRs, "days and milliseconds only: months are lost");
        say(kPolars, "ends the program");
        return;
      case Kind::Unknown:
        if (node.physical() == PhysicalType::ByteArray) {
          say(kPolars, "refuses the file: UNKNOWN on bytes");
        }
        return;
      case Kind::Geometry:
      case Kind::Geography:
        say(kPolars, "refuses the file: " + to_string(type));
        return;
      case Kind::None:
      case Kind::Map:
      case Kind::List:
      case Kind::Enum:
      case Kind::Date:
      case Kind::Time:
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
      say(kDuckdb, "a DOUBLE: digits beyond the 15th are wrong");
      say(kArrowRs, "refuses the file: more than 76 digits");
      say(kPolars, "refuses the file: more than 38 digits");
    } else if (type.precision() > kDecimal128Digits) {
      say(kDuckdb, "a DOUBLE: digits beyond the 15th are wrong");
      say(kPolars, "refuses the file: more than 38 digits");
    }
    if (!written.logical && written.converted && !written.scale) {
      say(kDuckdb, "refuses the file: a DECIMAL without scale");
      say(kArrowRs, "refuses the file: a DECIMAL without scale");
      say(kPolars, "refuses the file: a DECIMAL without scale");
    }
  }

  void timestamp(const parquet::Node& node) {
    const parquet::Annotation& written = node.annotation();
    if (!written.logical && written.converted) {
      say(kDuckdb, "local time without a zone: ConvertedType means UTC");
      say(kPolars, "local time without a zone: ConvertedType means UTC");
    }
    if (node.physical() == PhysicalType::FixedLenByteArray) {
      if (node.logical().unit() == parquet::TimeUnit::Nanos) {
        say(kDuckdb, "other instants: nanoseconds of 12 bytes are misread");
      }
      say(kArrowRs, "refuses the file: TIMESTAMP on 12 bytes");
      say(kPolars, "refuses the file: TIMESTAMP on 12 bytes");
    }
  }

  /// Values of any type, which an annotation of YTsaurus tells from bytes.
  void any_values(const hub::Field& field, const Path& path) {
    if (yt::refine(field).yson) {
      path_ = path;
      for (const Reader& reader : known_readers()) {
        say(reader.name, "bytes of binary YSON, not values");
      }
    }
    for (const Child& child : children_of(field.type, path)) any_values(*child.field, child.path);
  }

  static bool logical_only(const parquet::Node& node) {
    return node.annotation().logical && !node.annotation().converted;
  }

  /// A LogicalType that stands beside another meaning's ConvertedType.
  static bool contradicts(const parquet::Node& node) {
    const parquet::Annotation& written = node.annotation();
    if (!written.logical || !written.converted) return false;
    const auto expected = parquet::to_converted(*written.logical);
    return !expected || static_cast<int32_t>(*expected) != *written.converted;
  }

  static bool is_struct_of_one(const Resolved& part) {
    return part.rule == Rule::Struct && part.children.size() == 1;
  }

  void say(std::string_view reader, std::string remark) {
    out_.push_back({std::string(reader), path_, std::move(remark)});
  }

  Path path_;
  std::vector<ReaderRemark> out_;
};

}  // namespace

std::vector<ReaderRemark> misreadings(const parquet::Schema& schema, const hub::Schema& columns) {
  return Readers().run(schema, columns);
}

std::vector<ReaderRemark> misreadings(const AnySchema& source, const Plan& plan) {
  if (const auto* own = source.get_if<parquet::Schema>()) {
    return misreadings(*own, plan.source_hub);
  }
  if (plan.target_system == parquet::kRoom) {
    return misreadings(plan.target.as<parquet::Schema>(), plan.target_hub);
  }
  throw Error(
      ErrorCode::Usage, "readers are asked about Parquet files, found none", {},
      "Name a Parquet file or schema, or " + hub::mention(hub::Option::To, "parquet") + ".");
}

}  // namespace xwalk::crosswalk
