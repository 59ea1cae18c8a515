#include <algorithm>
#include <bit>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/row_program_internal.h"

namespace xwalk::yt {
namespace {

void set_integer(Step* step, TypeKind kind, int width) {
  IntegerRange range = integer_range(kind);
  step->min = static_cast<uint64_t>(range.min);
  step->span = range.max - static_cast<uint64_t>(range.min);
  step->width = width;
  Op first = is_unsigned(kind) ? Op::Unsigned8 : Op::Signed8;
  step->op =
      static_cast<Op>(static_cast<int>(first) + std::countr_zero(static_cast<unsigned>(width)));
}

bool is_boxed(const hub::Field& field) {
  return field.type.kind() == hub::Kind::Struct && field.type.children().size() == 1 &&
         field.type.child().name == "value";
}

Step compile_plain(const Type& type, const hub::Field& field, const ValueOptions& options);

Step compile_variant(const Type& type, const hub::Field& field, const ValueOptions& options) {
  Step step;
  step.type = type;
  bool named = type.is_named() && options.complex_type_mode == ComplexTypeMode::Named;
  bool wide = field.type.kind() == hub::Kind::Struct;
  step.op = wide ? (named ? Op::NamedWideVariant : Op::WideVariant)
                 : (named ? Op::NamedVariant : Op::Variant);
  std::vector<std::string> names;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    const hub::Field& child = field.type.child(i);
    const Type& bare = without_tags(member.type);
    bool union_inside = bare.is(TypeKind::Variant) && is_boxed(child) &&
                        child.type.child().type.kind() == hub::Kind::DenseUnion;
    if (wide && (is_nullable(member.type) || union_inside)) {
      // Absence of the alternative is the field's null, so its own nulls stand one level deeper.
      Step box;
      box.op = Op::Boxed;
      box.type = member.type;
      box.children.push_back(compile_value(member.type, child.type.child(), options));
      step.children.push_back(std::move(box));
    } else {
      step.children.push_back(compile_value(member.type, child, options));
    }
    names.push_back(member.name);
  }
  if (named) step.keys = KeyTable(names);
  return step;
}

Step compile_struct(const Type& type, const hub::Field& field, const ValueOptions& options) {
  Step step;
  step.type = type;
  bool named = type.is(TypeKind::Struct) && options.complex_type_mode == ComplexTypeMode::Named;
  step.op = named ? Op::Struct : type.is(TypeKind::Tuple) ? Op::Tuple : Op::PositionalStruct;
  std::vector<std::string> names;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    step.children.push_back(compile_value(member.type, field.type.child(i), options));
    names.push_back(member.name);
  }
  if (named) step.keys = KeyTable(names);
  return step;
}

Step compile_plain(const Type& type, const hub::Field& field, const ValueOptions& options) {
  Step step;
  step.type = type;
  switch (type.kind()) {
    case TypeKind::Null:
    case TypeKind::Void:
      step.op = Op::Null;
      break;
    case TypeKind::Int8:
    case TypeKind::Uint8:
      set_integer(&step, type.kind(), 1);
      break;
    case TypeKind::Int16:
    case TypeKind::Uint16:
      set_integer(&step, type.kind(), 2);
      break;
    case TypeKind::Int32:
    case TypeKind::Uint32:
    case TypeKind::Date32:
      set_integer(&step, type.kind(), 4);
      break;
    case TypeKind::Int64:
    case TypeKind::Uint64:
    case TypeKind::Interval:
    case TypeKind::Datetime64:
    case TypeKind::Timestamp64:
    case TypeKind::Interval64:
      set_integer(&step, type.kind(), 8);
      break;
    case TypeKind::Date:
      set_integer(&step, type.kind(), 4);
      if (options.time_mode == TimeMode::Text) step.op = Op::DateText;
      break;
    case TypeKind::Datetime:
      set_integer(&step, type.kind(), 8);
      if (options.time_mode == TimeMode::Text) step.op = Op::DatetimeText;
      break;
    case TypeKind::Timestamp:
      set_integer(&step, type.kind(), 8);
      if (options.time_mode == TimeMode::Text) step.op = Op::TimestampText;
      break;
    case TypeKind::Float:
      step.op = Op::Float;
      step.width = 4;
      break;
    case TypeKind::Double:
      step.op = Op::Double;
      step.width = 8;
      break;
    case TypeKind::Bool:
      step.op = Op::Bool;
      break;
    case TypeKind::String:
      step.op = Op::String;
      break;
    case TypeKind::Utf8:
      step.op = Op::Utf8;
      break;
    case TypeKind::Json:
      step.op = Op::Json;
      break;
    case TypeKind::Yson:
      step.op = Op::Yson;
      break;
    case TypeKind::Uuid:
      step.op = Op::Uuid;
      step.width = 16;
      step.uuid_mode = options.uuid_mode;
      step.uuid_order = options.uuid_order;
      break;
    case TypeKind::TzDate:
    case TypeKind::TzDatetime:
    case TypeKind::TzTimestamp:
    case TypeKind::TzDate32:
    case TypeKind::TzDatetime64:
    case TypeKind::TzTimestamp64: {
      TypeKind instant = tz_instant(type.kind());
      bool date = instant == TypeKind::Date || instant == TypeKind::Date32;
      set_integer(&step, instant, date ? 4 : 8);
      step.op = Op::Tz;
      break;
    }
    case TypeKind::Decimal:
      step.op = Op::Decimal;
      step.decimal_mode = options.decimal_mode;
      step.decimal_special = options.decimal_special;
      step.width = field.type.kind() == hub::Kind::Decimal128 ? 16 : 32;
      break;
    case TypeKind::List:
      step.op = Op::List;
      step.children.push_back(compile_value(type.item(), field.type.child(), options));
      break;
    case TypeKind::Dict: {
      bool text_keys = type.key().is(TypeKind::String);
      step.op =
          text_keys && options.string_keyed_dict_mode == DictMode::Named ? Op::NamedDict : Op::Dict;
      step.pairs = field.type.kind() != hub::Kind::Map;
      const hub::Field& entries = field.type.child();
      step.children.push_back(compile_value(type.key(), entries.type.child(0), options));
      step.children.push_back(compile_value(type.value(), entries.type.child(1), options));
      break;
    }
    case TypeKind::Struct:
    case TypeKind::Tuple:
      return compile_struct(type, field, options);
    case TypeKind::Variant:
      return compile_variant(type, field, options);
    case TypeKind::Optional:
    case TypeKind::Tagged:
      throw Error(ErrorCode::Internal, "an optional or tagged type is not plain");
  }
  return step;
}

size_t fixed_bytes(const Step& step) {
  switch (step.op) {
    case Op::String:
    case Op::Utf8:
    case Op::Json:
    case Op::Yson:
    case Op::List:
    case Op::Dict:
    case Op::NamedDict:
      return 5;
    case Op::Struct:
    case Op::PositionalStruct:
    case Op::Tuple:
    case Op::WideVariant:
    case Op::NamedWideVariant:
    case Op::Boxed: {
      size_t total = 1;
      for (const Step& child : step.children) total += fixed_bytes(child);
      return total;
    }
    case Op::Variant:
    case Op::NamedVariant:
      return 5;
    case Op::Tz:
      return static_cast<size_t>(step.width) + 5;
    default:
      return static_cast<size_t>(step.width) + 1;
  }
}

}  // namespace

void unwind_entry(const Step& dict, bool key, size_t index, std::vector<Path::Step>* path) {
  using Kind = Path::Step::Kind;
  if (!dict.pairs) {
    path->push_back({key ? Kind::MapKey : Kind::MapValue, {}, 0});
    return;
  }
  path->push_back({Kind::Field, key ? "key" : "value", 0});
  path->push_back({Kind::ItemAt, {}, index});
}

void unwind_alternative(const Step& variant, size_t index, std::vector<Path::Step>* path) {
  const bool wide = variant.op == Op::WideVariant || variant.op == Op::NamedWideVariant;
  path->push_back(
      {wide ? Path::Step::Kind::Field : Path::Step::Kind::Alternative,
       variant.type.is_named() ? variant.type.members()[index].name : std::to_string(index), 0});
}

Path unwound_path(const std::vector<Path::Step>& steps) {
  Path path;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) path = path.below(*step);
  return path;
}

KeyForm::KeyForm(std::string key) : bytes(std::move(key)) {
  std::array<char, 16> text{};
  std::array<char, 16> ones{};
  size_t size = std::min<size_t>(bytes.size(), 16);
  std::copy_n(bytes.begin(), size, text.begin());
  std::fill_n(ones.begin(), size, '\xff');
  std::memcpy(words.data(), text.data(), 16);
  std::memcpy(mask.data(), ones.data(), 16);
}

KeyTable::KeyTable(const std::vector<std::string>& names) : names_(names) {
  size_t slots = std::bit_ceil(names.size() * 2 + 1);
  mask_ = slots - 1;
  slots_.assign(slots, kMissing);
  for (size_t i = 0; i < names.size(); ++i) {
    size_t at = hash(names[i]) & mask_;
    while (slots_[at] != kMissing) at = (at + 1) & mask_;
    slots_[at] = static_cast<uint32_t>(i);
    yson::Node key = yson::Node::string(names[i]);
    binary_.emplace_back(yson::print(key, yson::Format::Binary) + "=");
    text_.emplace_back(yson::print(key) + "=");
  }
  // Longer than the window, the form behind the last key never matches.
  binary_.emplace_back(std::string(KeyForm::kWindow + 1, '}'));
  text_.emplace_back(std::string(KeyForm::kWindow + 1, '}'));
}

Step compile_value(const Type& type, const hub::Field& field, const ValueOptions& options) {
  const Type& bare = without_tags(type);
  if (!bare.is(TypeKind::Optional)) {
    Step step = compile_plain(bare, field, options);
    step.may_be_absent = step.op == Op::Null;
    return step;
  }
  Step step;
  const Type& item = bare.item();
  bool item_nullable = is_nullable(item);
  if (item_nullable || (without_tags(item).is(TypeKind::Variant) && is_boxed(field))) {
    step.op = Op::Boxed;
    step.type = item;
    step.brackets = item_nullable;
    step.children.push_back(compile_value(item, field.type.child(), options));
  } else {
    step = compile_plain(without_tags(item), field, options);
  }
  step.nullable = true;
  step.may_be_absent = true;
  return step;
}

RowProgram compile_row(const TableSchema& schema, const ValueOptions& options,
                       const std::vector<std::string>& columns) {
  RowProgram program;
  hub::Schema whole = to_arrow(schema);
  program.schema.metadata = whole.metadata;
  program.strict = schema.strict;
  program.row.op = Op::Struct;

  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns) names.push_back(column.name);
  for (const std::string& wanted : columns) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    if (!schema.strict && wanted == kOtherColumns) continue;
    std::string close = closest_word(wanted, names);
    throw Error(ErrorCode::Usage, "expected the name of a column, found " + quoted(wanted), {},
                close.empty() ? "" : "did you mean " + quoted(close) + "?");
  }
  auto is_wanted = [&columns](std::string_view name) {
    return columns.empty() || std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  for (size_t i = 0; i < schema.columns.size(); ++i) {
    if (is_wanted(schema.columns[i].name)) {
      program.targets.push_back(static_cast<int>(program.schema.fields.size()));
      program.schema.fields.push_back(whole.fields.at(i));
      program.row.children.push_back(
          compile_value(schema.columns[i].type, whole.fields.at(i), options));
      program.fixed_row_bytes += fixed_bytes(program.row.children.back());
    } else {
      program.targets.push_back(-1);
      Step skip;
      skip.op = Op::Skip;
      skip.may_be_absent = true;
      program.row.children.push_back(skip);
    }
  }
  if (!schema.strict && is_wanted(kOtherColumns)) {
    program.other_columns = static_cast<int>(program.schema.fields.size());
    program.schema.fields.push_back(whole.fields.at(schema.columns.size()));
  }
  program.row.keys = KeyTable(names);
  return program;
}

}  // namespace xwalk::yt
