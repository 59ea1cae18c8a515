#include "xwalk/vortex/scalar_json.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/text.h"

namespace xwalk::vortex {
namespace {

using Json = nlohmann::ordered_json;

/// Scalars within variants, as many as the Protobuf form has messages.
constexpr int kMostDepth = 100;

template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;

Json real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json to_json(const Scalar& scalar);

Json to_json(const ScalarValue& value) {
  return std::visit(Match{
                        [](std::monostate) { return Json(); },
                        [](bool v) { return Json(v); },
                        [](int64_t v) { return Json(v); },
                        [](uint64_t v) { return Json(v); },
                        [](float v) { return real(v); },
                        [](double v) { return real(v); },
                        [](Half v) { return real(widened(v)); },
                        [](const std::string& v) { return Json(v); },
                        [](const Bytes& v) {
                          return Json{{"hex", to_hex(v.bytes)}};
                        },
                        [](const std::vector<ScalarValue>& v) {
                          Json items = Json::array();
                          for (const ScalarValue& item : v) items.push_back(to_json(item));
                          return items;
                        },
                        [](const UnionValue& v) {
                          return Json{{"type_id", v.type_id}, {"value", to_json(*v.value)}};
                        },
                        [](const std::shared_ptr<const Scalar>& v) { return to_json(*v); },
                    },
                    value.value);
}

Json to_json(const Scalar& scalar) {
  return {{"dtype", print_text(scalar.dtype)}, {"value", to_json(scalar.value)}};
}

[[noreturn]] void expected(std::string_view what, const Json& found) {
  throw Error(ErrorCode::Input,
              fmt::format("expected {}, found {}", what,
                          clipped(found.dump(-1, ' ', false, Json::error_handler_t::replace))));
}

const Json& member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) {
    expected(fmt::format("an object with \"{}\"", name), object);
  }
  return object[name];
}

double read_real(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string word = json.is_string() ? json.get<std::string>() : "";
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  expected("a number, \"nan\", \"inf\" or \"-inf\"", json);
}

ScalarValue read_number(const PrimitiveRow& row, const Json& json) {
  switch (row.number) {
    case Number::Unsigned:
      if (!json.is_number_unsigned()) expected(row.name, json);
      return {json.get<uint64_t>()};
    case Number::Signed: {
      const bool beyond = json.is_number_unsigned() &&
                          json.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()};
      if (!json.is_number_integer() || beyond) expected(row.name, json);
      return {json.get<int64_t>()};
    }
    case Number::Float: {
      const double value = read_real(json);
      if (row.bits == 64) return {value};
      if (row.bits == 32) return {static_cast<float>(value)};
      return {narrowed(static_cast<float>(value))};
    }
  }
  return {};
}

Scalar read_scalar(const Json& json, int depth);

ScalarValue read_value(const DType& type, const Json& json, int depth) {
  if (json.is_null()) return {};
  const auto items = [&](auto type_of) {
    if (!json.is_array()) expected("an array for " + print_text(type), json);
    std::vector<ScalarValue> out;
    for (size_t i = 0; i < json.size(); ++i) {
      out.push_back(read_value(type_of(i), json[i], depth));
    }
    return ScalarValue{std::move(out)};
  };
  switch (type.kind()) {
    case Kind::Null:
      expected("null", json);
    case Kind::Bool:
      if (!json.is_boolean()) expected("true or false", json);
      return {json.get<bool>()};
    case Kind::Primitive:
      return read_number(primitive_row(type.ptype()), json);
    case Kind::Utf8:
      if (!json.is_string()) expected("a string", json);
      return {json.get<std::string>()};
    case Kind::Binary:
    case Kind::Decimal: {
      const Json& hex = member(json, "hex");
      if (!hex.is_string()) expected("hex digits", hex);
      return {Bytes{from_hex(hex.get<std::string>())}};
    }
    case Kind::Struct:
      if (!json.is_array() || json.size() != type.members().size()) {
        expected(fmt::format("an array of {} values", type.members().size()), json);
      }
      return items([&](size_t i) { return type.members()[i].type; });
    case Kind::List:
    case Kind::FixedSizeList:
      return items([&](size_t) { return type.element(); });
    case Kind::Map: {
      const DType pair = DType::struct_({{"key", type.key()}, {"value", type.value()}}, false);
      return items([&](size_t) { return pair; });
    }
    case Kind::Extension:
      return read_value(type.storage(), json, depth);
    case Kind::Variant:
      return {std::make_shared<const Scalar>(read_scalar(json, depth + 1))};
    case Kind::Union: {
      const Json& id = member(json, "type_id");
      const auto ids = type.type_ids();
      const auto at =
          id.is_number_unsigned() ? std::ranges::find(ids, id.get<uint64_t>()) : ids.end();
      if (at == ids.end()) expected("a type id of " + print_text(type), id);
      const Member& chosen = type.members()[static_cast<size_t>(at - ids.begin())];
      return {UnionValue{*at, std::make_shared<const ScalarValue>(
                                  read_value(chosen.type, member(json, "value"), depth))}};
    }
  }
  return {};
}

Scalar read_scalar(const Json& json, int depth) {
  if (depth > kMostDepth) {
    throw Error(ErrorCode::Input,
                fmt::format("expected at most {} scalars in each other, found more", kMostDepth));
  }
  const Json& dtype = member(json, "dtype");
  if (!dtype.is_string()) expected("a dtype in text", dtype);
  Scalar scalar{parse_text(dtype.get<std::string>()), {}};
  scalar.value = read_value(scalar.dtype, member(json, "value"), depth);
  return scalar;
}

}  // namespace

std::string write_scalar_json(const Scalar& scalar) {
  return to_json(scalar).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Scalar read_scalar_json(std::string_view text) {
  if (text.size() > schema_bytes_limit()) {
    throw Error(ErrorCode::Input, "expected a scalar, found more bytes than one has");
  }
  check_json_document(text, ErrorCode::Input);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Input, "expected a scalar as JSON, found " + clipped(text), {},
                json_reason(error.what()));
  }
  Scalar scalar = read_scalar(json, 0);
  check_scalar(scalar);
  return scalar;
}

}  // namespace xwalk::vortex
