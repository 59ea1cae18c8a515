#include <algorithm>
#include <bit>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/variant.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/row_program_internal.h"

namespace xwalk::yt {
namespace {

Op scalar_op(const ScalarCodec& scalar) {
  if (scalar.is_coded()) return Op::Coded;
  switch (kind_row(scalar.kind).content) {
    case Content::Null:
      return Op::Null;
    case Content::Boolean:
      return Op::Bool;
    case Content::Signed:
      return Op::Signed;
    case Content::Unsigned:
      return Op::Unsigned;
    case Content::Real:
      return scalar.width == sizeof(float) ? Op::Float : Op::Double;
    case Content::Bytes:
      return Op::String;
    case Content::Utf8:
      return Op::Utf8;
    case Content::Json:
      return Op::Json;
    case Content::Yson:
      return Op::Yson;
    case Content::Uuid:
    case Content::Zoned:
    case Content::Decimal:
    case Content::Compound:
      break;
  }
  throw Error(ErrorCode::Internal, "expected a scalar, found a compound type");
}

/// Returns true for a value whose members have names in rows, or for a dict that is a map there.
bool is_named(const Shape& shape, const ValueOptions& options) {
  if (shape.nesting == Nesting::Dict) {
    return shape.type.key().is(TypeKind::String) &&
           options.string_keyed_dict_mode == DictMode::Named;
  }
  const bool has_names = shape.nesting == Nesting::Struct ||
                         (shape.nesting == Nesting::Variant && shape.type.is_named());
  return has_names && options.complex_type_mode == ComplexTypeMode::Named;
}

/// Returns the bytes that the fixed-width buffers of a value take in Arrow.
size_t fixed_bytes(const Step& step) {
  const bool has_offsets = is_text(step.op) || step.is_union || step.nesting == Nesting::List ||
                           step.nesting == Nesting::Dict;
  if (has_offsets) return 5;
  size_t total = static_cast<size_t>(step.scalar.width) + (is_tz(step.scalar.kind) ? 5 : 1);
  for (const Step& child : step.children) total += fixed_bytes(child);
  return total;
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
  path->push_back(
      {variant.is_union ? Path::Step::Kind::Alternative : Path::Step::Kind::Field,
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
  std::memcpy(halves.data(), text.data(), 16);
  std::memcpy(mask.data(), ones.data(), 16);
}

size_t KeyTable::place() {
  slots_.assign(mask_ + 1, kMissing);
  size_t moved = 0;
  for (size_t i = 0; i < names_.size(); ++i) {
    size_t at = hash(names_[i]) & mask_;
    if (slots_[at] != kMissing) ++moved;
    while (slots_[at] != kMissing) at = (at + 1) & mask_;
    slots_[at] = static_cast<uint32_t>(i);
  }
  return moved;
}

KeyTable::KeyTable(const std::vector<std::string>& names) : names_(names) {
  // More than these never lie apart by chance, and are not worth trying.
  constexpr size_t kFew = 64;
  constexpr int kTries = 64;
  mask_ = std::bit_ceil(names.size() * (names.size() <= kFew ? 4 : 2) + 1) - 1;
  size_t moved = place();
  uint64_t best = factor_;
  for (int i = 0; i < kTries && moved > 0 && names.size() <= kFew; ++i) {
    factor_ = factor_ * 0xD1342543DE82EF95u + 0x632BE59BD9B4E01Au;
    const size_t found = place();
    if (found < moved) best = factor_;
    moved = std::min(moved, found);
  }
  factor_ = best;
  place();
  for (size_t i = 0; i < names.size(); ++i) {
    yson::Node key = yson::Node::string(names[i]);
    binary_.emplace_back(yson::print(key, yson::Format::Binary) + "=");
    text_.emplace_back(yson::print(key) + "=");
  }
  // Longer than the window, so the form after the last key never matches.
  binary_.emplace_back(std::string(KeyForm::kWindow + 1, '}'));
  text_.emplace_back(std::string(KeyForm::kWindow + 1, '}'));
}

Step compile_value(const Shape& shape, const ValueOptions& options) {
  Step step;
  step.type = shape.type;
  step.nullable = shape.nullable;
  step.brackets = shape.brackets;
  step.is_union = shape.is_union;
  step.pairs = shape.pairs;
  step.nesting = shape.nesting;
  if (shape.nesting == Nesting::Scalar) {
    step.scalar = scalar_codec(shape, options);
    step.op = scalar_op(step.scalar);
    step.min = static_cast<uint64_t>(step.scalar.range.min);
    step.span = step.scalar.range.max - step.min;
    return step;
  }
  step.op = Op::Nested;
  step.named = is_named(shape, options);
  for (const Shape& child : shape.children) step.children.push_back(compile_value(child, options));
  if (step.named && shape.nesting != Nesting::Dict) {
    std::vector<std::string> names;
    for (const Member& member : shape.type.members()) names.push_back(member.name);
    step.keys = KeyTable(names);
  }
  return step;
}

RowProgram compile_row(const TableSchema& schema, const ValueOptions& options,
                       const std::vector<std::string>& columns,
                       const std::vector<std::string>& variants) {
  RowProgram program;
  hub::Schema whole = to_arrow(schema);
  program.schema.metadata = whole.metadata;
  program.strict = schema.strict;
  program.row.op = Op::Nested;
  program.row.nesting = Nesting::Struct;
  program.row.named = true;

  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns) names.push_back(column.name);
  for (const std::string& wanted : columns) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    if (!schema.strict && wanted == kOtherColumns) continue;
    throw Error(ErrorCode::Usage, "no column " + quoted(wanted), {},
                column_hint(wanted, names,
                            [](const std::string& close) { return Path::column(close).text(); }));
  }
  auto is_wanted = [&columns](std::string_view name) {
    return columns.empty() || std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  for (size_t i = 0; i < schema.columns.size(); ++i) {
    if (is_wanted(schema.columns[i].name)) {
      program.targets.push_back(static_cast<int>(program.schema.fields.size()));
      program.schema.fields.push_back(whole.fields.at(i));
      program.row.children.push_back(
          compile_value(shape_of(schema.columns[i].type, whole.fields.at(i)), options));
      if (std::ranges::find(variants, schema.columns[i].name) != variants.end() &&
          program.row.children.back().op == Op::Yson) {
        hub::Field& field = program.schema.fields.back();
        field = hub::with_extension(hub::Field(field.name, hub::variant_type(), field.nullable),
                                    hub::kVariantExtension);
      }
      program.fixed_row_bytes += fixed_bytes(program.row.children.back());
    } else {
      program.targets.push_back(-1);
      Step skip;
      skip.op = Op::Skip;
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
