#include "xwalk/vortex/scalar.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/protobuf_internal.h"

namespace xwalk::vortex {
namespace {

namespace proto = wire::proto;

template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;

void write_value(const ScalarValue& value, proto::ScalarValue* out) {
  std::visit(Match{
                 [&](std::monostate) { out->set_null_value(proto::NULL_VALUE); },
                 [&](bool v) { out->set_bool_value(v); },
                 [&](int64_t v) { out->set_int64_value(v); },
                 [&](uint64_t v) { out->set_uint64_value(v); },
                 [&](float v) { out->set_f32_value(v); },
                 [&](double v) { out->set_f64_value(v); },
                 [&](Half v) { out->set_f16_value(v.bits); },
                 [&](const std::string& v) { out->set_string_value(v); },
                 [&](const Bytes& v) { out->set_bytes_value(v.bytes); },
                 [&](const std::vector<ScalarValue>& v) {
                   out->mutable_list_value();
                   for (const ScalarValue& item : v) {
                     write_value(item, out->mutable_list_value()->add_values());
                   }
                 },
                 [&](const UnionValue& v) {
                   out->mutable_union_value()->set_type_id(v.type_id);
                   write_value(*v.value, out->mutable_union_value()->mutable_value());
                 },
                 [&](const std::shared_ptr<const Scalar>& v) {
                   to_proto(v->dtype, out->mutable_variant_value()->mutable_dtype());
                   write_value(v->value, out->mutable_variant_value()->mutable_value());
                 },
             },
             value.value);
}

ScalarValue read_value(const proto::ScalarValue& message);

Scalar read_message(const proto::Scalar& message) {
  if (!message.has_dtype() || !message.has_value()) {
    throw Error(ErrorCode::Input, "expected a dtype and a value of a scalar, found one missing");
  }
  return {from_proto(message.dtype()), read_value(message.value())};
}

ScalarValue read_value(const proto::ScalarValue& message) {
  switch (message.kind_case()) {
    case proto::ScalarValue::kNullValue:
      return {};
    case proto::ScalarValue::kBoolValue:
      return {message.bool_value()};
    case proto::ScalarValue::kInt64Value:
      return {static_cast<int64_t>(message.int64_value())};
    case proto::ScalarValue::kUint64Value:
      return {static_cast<uint64_t>(message.uint64_value())};
    case proto::ScalarValue::kF32Value:
      return {message.f32_value()};
    case proto::ScalarValue::kF64Value:
      return {message.f64_value()};
    case proto::ScalarValue::kStringValue:
      return {checked_text(message.string_value(), "a text value")};
    case proto::ScalarValue::kBytesValue:
      return {Bytes{message.bytes_value()}};
    case proto::ScalarValue::kF16Value:
      if (message.f16_value() > UINT16_MAX) {
        throw Error(ErrorCode::Input,
                    fmt::format("expected 16 bits of a half float, found {}", message.f16_value()));
      }
      return {Half{static_cast<uint16_t>(message.f16_value())}};
    case proto::ScalarValue::kListValue: {
      std::vector<ScalarValue> items;
      for (const proto::ScalarValue& item : message.list_value().values()) {
        items.push_back(read_value(item));
      }
      return {std::move(items)};
    }
    case proto::ScalarValue::kVariantValue:
      return {std::make_shared<const Scalar>(read_message(message.variant_value()))};
    case proto::ScalarValue::kUnionValue: {
      uint32_t id = message.union_value().type_id();
      if (id > 255 || !message.union_value().has_value()) {
        throw Error(ErrorCode::Input, "expected a union value with a type id of 0 to 255");
      }
      return {UnionValue{static_cast<uint8_t>(id), std::make_shared<const ScalarValue>(
                                                       read_value(message.union_value().value()))}};
    }
    case proto::ScalarValue::KIND_NOT_SET:
      break;
  }
  throw Error(ErrorCode::Unsupported,
              "expected a scalar value, found none or a kind newer than this version of xwalk");
}

[[noreturn]] void mismatch(const DType& type) {
  throw Error(ErrorCode::Input,
              fmt::format("expected a value of {}, found one of another kind", print_text(type)));
}

void check_primitive(const DType& type, const ScalarValue& value) {
  auto out_of_range = [&](auto number) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a value of {}, found {}", print_text(type), number));
  };
  const PrimitiveRow& row = primitive_row(type.ptype());
  switch (row.number) {
    case Number::Unsigned: {
      const auto* number = std::get_if<uint64_t>(&value.value);
      if (number == nullptr) mismatch(type);
      if (row.bits < 64 && *number >> row.bits != 0) out_of_range(*number);
      return;
    }
    case Number::Signed: {
      const auto* number = std::get_if<int64_t>(&value.value);
      if (number == nullptr) mismatch(type);
      int64_t limit = row.bits < 64 ? int64_t{1} << (row.bits - 1) : 0;
      if (row.bits < 64 && (*number < -limit || *number >= limit)) out_of_range(*number);
      return;
    }
    case Number::Float: {
      bool ok = row.bits == 16   ? std::holds_alternative<Half>(value.value)
                : row.bits == 32 ? std::holds_alternative<float>(value.value)
                                 : std::holds_alternative<double>(value.value);
      if (!ok) mismatch(type);
      return;
    }
  }
}

void check_value(const DType& type, const ScalarValue& value) {
  if (std::holds_alternative<std::monostate>(value.value)) {
    if (!type.nullable()) {
      throw Error(ErrorCode::Input,
                  fmt::format("expected a value of {}, found null", print_text(type)));
    }
    return;
  }
  const auto* items = std::get_if<std::vector<ScalarValue>>(&value.value);
  switch (type.kind()) {
    case Kind::Null:
      mismatch(type);
    case Kind::Bool:
      if (!std::holds_alternative<bool>(value.value)) mismatch(type);
      return;
    case Kind::Primitive:
      check_primitive(type, value);
      return;
    case Kind::Decimal: {
      const auto* bytes = std::get_if<Bytes>(&value.value);
      if (bytes == nullptr) mismatch(type);
      size_t size = bytes->bytes.size();
      if (size == 0 || size > 32 || (size & (size - 1)) != 0) {
        throw Error(ErrorCode::Input, fmt::format("expected a decimal of 1, 2, 4, 8, 16 or 32 "
                                                  "bytes, found {}",
                                                  size));
      }
      return;
    }
    case Kind::Utf8:
      if (!std::holds_alternative<std::string>(value.value)) mismatch(type);
      return;
    case Kind::Binary:
      if (!std::holds_alternative<Bytes>(value.value)) mismatch(type);
      return;
    case Kind::Struct:
      if (items == nullptr || items->size() != type.members().size()) mismatch(type);
      for (size_t i = 0; i < items->size(); ++i) check_value(type.members()[i].type, (*items)[i]);
      return;
    case Kind::FixedSizeList:
      if (items != nullptr && items->size() != type.size()) mismatch(type);
      [[fallthrough]];
    case Kind::List:
      if (items == nullptr) mismatch(type);
      for (const ScalarValue& item : *items) check_value(type.element(), item);
      return;
    case Kind::Map:
      if (items == nullptr) mismatch(type);
      for (const ScalarValue& item : *items) {
        const auto* pair = std::get_if<std::vector<ScalarValue>>(&item.value);
        if (pair == nullptr || pair->size() != 2) mismatch(type);
        check_value(type.key(), (*pair)[0]);
        check_value(type.value(), (*pair)[1]);
      }
      return;
    case Kind::Extension:
      check_value(type.storage(), value);
      return;
    case Kind::Variant: {
      const auto* scalar = std::get_if<std::shared_ptr<const Scalar>>(&value.value);
      if (scalar == nullptr) mismatch(type);
      check_scalar(**scalar);
      return;
    }
    case Kind::Union: {
      const auto* chosen = std::get_if<UnionValue>(&value.value);
      if (chosen == nullptr) mismatch(type);
      std::span<const uint8_t> ids = type.type_ids();
      auto at = std::find(ids.begin(), ids.end(), chosen->type_id);
      if (at == ids.end()) {
        throw Error(ErrorCode::Input, fmt::format("expected a type id of {}, found {}",
                                                  print_text(type), chosen->type_id));
      }
      check_value(type.members()[static_cast<size_t>(at - ids.begin())].type, *chosen->value);
      return;
    }
  }
}

}  // namespace

bool operator==(const ScalarValue& a, const ScalarValue& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* left = std::get_if<UnionValue>(&a.value)) {
    const auto& right = std::get<UnionValue>(b.value);
    return left->type_id == right.type_id && *left->value == *right.value;
  }
  if (const auto* left = std::get_if<std::shared_ptr<const Scalar>>(&a.value)) {
    const auto& right = std::get<std::shared_ptr<const Scalar>>(b.value);
    return (*left)->dtype == right->dtype && (*left)->value == right->value;
  }
  if (const auto* left = std::get_if<std::vector<ScalarValue>>(&a.value)) {
    return *left == std::get<std::vector<ScalarValue>>(b.value);
  }
  return std::visit(
      [&](const auto& left) {
        using Value = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<Value, UnionValue> ||
                      std::is_same_v<Value, std::shared_ptr<const Scalar>> ||
                      std::is_same_v<Value, std::vector<ScalarValue>>) {
          return false;
        } else {
          return left == std::get<Value>(b.value);
        }
      },
      a.value);
}

void check_scalar(const Scalar& scalar) { check_value(scalar.dtype, scalar.value); }

std::string write_scalar(const Scalar& scalar) {
  check_scalar(scalar);
  proto::Scalar message;
  to_proto(scalar.dtype, message.mutable_dtype());
  write_value(scalar.value, message.mutable_value());
  return message.SerializeAsString();
}

Scalar read_scalar(std::string_view bytes) {
  proto::Scalar message;
  parse_message(bytes, "a Scalar", &message);
  Scalar scalar = read_message(message);
  check_scalar(scalar);
  return scalar;
}

ScalarValue read_scalar_value(std::string_view bytes) {
  proto::ScalarValue message;
  parse_message(bytes, "a ScalarValue", &message);
  return read_value(message);
}

std::string write_field_path(const FieldPath& path) {
  proto::FieldPath message;
  for (const std::string& name : path) message.add_path()->set_name(name);
  return message.SerializeAsString();
}

FieldPath read_field_path(std::string_view bytes) {
  proto::FieldPath message;
  parse_message(bytes, "a FieldPath", &message);
  FieldPath path;
  for (const proto::Field& field : message.path()) {
    if (field.field_type_case() != proto::Field::kName) {
      throw Error(ErrorCode::Unsupported,
                  "expected a name as step of a field path, found none or a kind newer than this "
                  "version of xwalk");
    }
    path.push_back(checked_text(field.name(), "a name"));
  }
  return path;
}

DType resolve(const DType& root, const FieldPath& path) {
  DType type = root;
  FieldPath walked;
  for (const std::string& name : path) {
    if (type.kind() != Kind::Struct) {
      throw Error(ErrorCode::Input, fmt::format("expected a struct at {}, found {}",
                                                print_field_path(walked), print_text(type)));
    }
    auto members = type.members();
    auto at = std::find_if(members.begin(), members.end(),
                           [&](const Member& member) { return member.name == name; });
    if (at == members.end()) {
      throw Error(ErrorCode::Input, fmt::format("expected a field {} at {}, found none",
                                                clipped(name), print_field_path(walked)));
    }
    walked.push_back(name);
    DType next = at->type;
    type = next;
  }
  return type;
}

}  // namespace xwalk::vortex
